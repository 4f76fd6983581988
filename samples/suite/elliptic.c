/*
 * elliptic - a Diffie-Hellman exchange on a curve over the field of 2^31 - 1: four multiples of points, by doubling and
 * adding in Jacobian coordinates.
 *
 * Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve Cryptography", 2004, section 3.2. The truth: both sides find
 * the same point; and the multiples by additions in affine coordinates, with Euclid's inverse, outside.
 *
 * Work: each of the four multiples takes 30 doublings of at least 7 products in the field, each a product of 64 bits, a
 * reduction of two operations, and a comparison: 4 * 30 * 7 * 4 = 3360.
 */
#include "../sample.h"

#define PRIME 2147483647U
#define A     3U

struct point { /* x / z^2, y / z^3; the point at infinity has z = 0 */
    uint32_t x, y, z;
};
struct affine {
    uint32_t x, y;
};

static struct affine base;
static uint32_t secrets[2];
static struct affine shared[2], public_points[2];

static uint32_t add(uint32_t a, uint32_t b)
{
    uint32_t sum = a + b;

    return sum >= PRIME ? sum - PRIME : sum;
}

static uint32_t subtract(uint32_t a, uint32_t b)
{
    return a >= b ? a - b : a + PRIME - b;
}

static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)a * b;

    return add((uint32_t)(product & PRIME), (uint32_t)(product >> 31));
}

/* By Fermat: the power of p - 2. */
static uint32_t inverse(uint32_t a)
{
    uint32_t result = 1;

    for (uint32_t exponent = PRIME - 2; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            result = multiply(result, a);
        a = multiply(a, a);
    }
    return result;
}

static struct point twice(struct point p)
{
    uint32_t y2 = multiply(p.y, p.y), s = multiply(4, multiply(p.x, y2)), z2 = multiply(p.z, p.z), m;
    struct point r;

    m = add(multiply(3, multiply(p.x, p.x)), multiply(A, multiply(z2, z2)));
    r.x = subtract(multiply(m, m), add(s, s));
    r.y = subtract(multiply(m, subtract(s, r.x)), multiply(8, multiply(y2, y2)));
    r.z = multiply(2, multiply(p.y, p.z));
    return r;
}

static struct point plus(struct point p, struct affine q)
{
    uint32_t z2 = multiply(p.z, p.z), h, r, h2, h3, v;
    struct point sum;

    if (p.z == 0)
        return (struct point){q.x, q.y, 1};
    h = subtract(multiply(q.x, z2), p.x);
    r = subtract(multiply(q.y, multiply(z2, p.z)), p.y);
    if (h == 0)
        return r == 0 ? twice(p) : (struct point){1, 1, 0};
    h2 = multiply(h, h);
    h3 = multiply(h2, h);
    v = multiply(p.x, h2);
    sum.x = subtract(subtract(multiply(r, r), h3), add(v, v));
    sum.y = subtract(multiply(r, subtract(v, sum.x)), multiply(p.y, h3));
    sum.z = multiply(p.z, h);
    return sum;
}

static struct affine multiple(struct affine p, uint32_t factor)
{
    struct point sum = {1, 1, 0};
    uint32_t one, square;

    for (int bit = 30; bit >= 0; bit--) {
        sum = twice(sum);
        if (factor >> bit & 1)
            sum = plus(sum, p);
    }
    one = inverse(sum.z);
    square = multiply(one, one);
    return (struct affine){multiply(sum.x, square), multiply(sum.y, multiply(square, one))};
}

static void exchange(void)
{
    for (int side = 0; side < 2; side++)
        public_points[side] = multiple(base, secrets[side]);
    for (int side = 0; side < 2; side++)
        shared[side] = multiple(public_points[!side], secrets[side]);
}

static int64_t modulo(int64_t a)
{
    return (a % (int64_t)PRIME + (int64_t)PRIME) % (int64_t)PRIME;
}

static int64_t euclid_inverse(int64_t a)
{
    int64_t r0 = PRIME, r1 = modulo(a), t0 = 0, t1 = 1;

    while (r1 != 0) {
        int64_t quotient = r0 / r1, r2 = r0 - quotient * r1, t2 = t0 - quotient * t1;

        r0 = r1;
        r1 = r2;
        t0 = t1;
        t1 = t2;
    }
    return modulo(t0);
}

/* The chord's or the tangent's third point, mirrored. */
static struct affine chord(struct affine p, struct affine q)
{
    int64_t up = p.x == q.x ? modulo(modulo(3 * (int64_t)p.x) * p.x) + A : (int64_t)q.y - p.y;
    int64_t along = p.x == q.x ? 2 * (int64_t)p.y : (int64_t)q.x - p.x;
    int64_t slope = modulo(modulo(up) * euclid_inverse(along));
    int64_t x = modulo(slope * slope - p.x - q.x), y = modulo(slope * modulo(p.x - x) - p.y);

    return (struct affine){(uint32_t)x, (uint32_t)y};
}

/* From the lowest bit up; the factor is not zero. */
static struct affine slow_multiple(struct affine p, uint32_t factor)
{
    struct affine sum = p;
    int any = 0;

    for (; factor != 0; factor /= 2) {
        if (factor % 2) {
            sum = any ? chord(sum, p) : p;
            any = 1;
        }
        p = chord(p, p);
    }
    return sum;
}

int main(void)
{
    struct affine check;

    /* Any x and y are on the curve y^2 = x^3 + 3 x + b for one b, which the formulas do not need. */
    base = (struct affine){1234567, 7654321};
    secrets[0] = 1618033988;
    secrets[1] = 1414213562;
    SHIM_KEEP(&base);
    SHIM_KEEP(secrets);
    shim_region_begin("elliptic");
    exchange();
    SHIM_KEEP(shared);
    SHIM_KEEP(public_points);
    shim_region_end("elliptic");
    check = slow_multiple(slow_multiple(base, secrets[0]), secrets[1]);
    return sample_verdict_int("x", shared[0].x, shared[1].x) | sample_verdict_int("y", shared[0].y, shared[1].y) |
           sample_verdict_int("x in affine coordinates", shared[0].x, check.x) |
           sample_verdict_int("y in affine coordinates", shared[0].y, check.y);
}
