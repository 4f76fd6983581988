/*
 * big_number - 100! and 2^521 - 1 in words of 32 bits: products, Karatsuba's product, long division back, and decimal
 * digits.
 *
 * Knuth, "The Art of Computer Programming", volume 2, 4.3.1; Karatsuba, 1962. The truth: 100! has 158 digits that begin
 * with 93326215 and add up to 648 (OEIS A004152); (2^521 - 1)^2 is 2^1042 - 2^522 + 1; and the divisions leave what
 * they must.
 *
 * Work: 100! takes 754 products of words in chains of carries (load, product of 64 bits, sum, store), its division back
 * as many with a quotient each: 6032. The squares take 18 * 18 products and 10 * 10 + 2 * 9 * 9: 586 * 4 = 2344.
 * Together 8376.
 */
#include "../sample.h"

#define WORDS  40
#define FACTOR 100

struct number {
    int count;
    uint32_t words[WORDS];
};

static struct number factorial, mersenne, plain_square, halved_square, quotient, remainder_left;
static char digits[10 * WORDS];
static int last_factor, remainders;

static void multiply_small(struct number *n, uint32_t factor)
{
    uint64_t carry = 0;

    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->words[i] * factor;
        n->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        n->words[n->count++] = (uint32_t)carry;
}

static uint32_t divide_small(struct number *n, uint32_t divisor)
{
    uint64_t rest = 0;

    for (int i = n->count - 1; i >= 0; i--) {
        rest = rest << 32 | n->words[i];
        n->words[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (n->count > 0 && n->words[n->count - 1] == 0)
        n->count--;
    return (uint32_t)rest;
}

/* out[0 .. 2n - 1] = a * b */
static void multiply_plain(const uint32_t *a, const uint32_t *b, int n, uint32_t *out)
{
    for (int i = 0; i < 2 * n; i++)
        out[i] = 0;
    for (int i = 0; i < n; i++) {
        uint64_t carry = 0;

        for (int k = 0; k < n; k++) {
            carry += (uint64_t)a[i] * b[k] + out[i + k];
            out[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        out[i + n] = (uint32_t)carry;
    }
}

/* a[0 .. n - 1] += b, carried on as far as needed. */
static void add_to(uint32_t *a, const uint32_t *b, int n)
{
    uint64_t carry = 0;

    for (int i = 0; i < n || carry != 0; i++) {
        carry += (uint64_t)a[i] + (i < n ? b[i] : 0);
        a[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void subtract_from(uint32_t *a, const uint32_t *b, int n)
{
    uint32_t borrow = 0;

    for (int i = 0; i < n || borrow != 0; i++) {
        uint64_t difference = (uint64_t)a[i] - (i < n ? b[i] : 0) - borrow;

        a[i] = (uint32_t)difference;
        borrow = (uint32_t)(difference >> 63);
    }
}

/* Three products of halves in the place of four; n is even. The halves' sums have a word more. */
static void multiply_halves(const uint32_t *a, const uint32_t *b, int n, uint32_t *out)
{
    uint32_t left[WORDS / 2 + 1] = {0}, right[WORDS / 2 + 1] = {0}, middle[WORDS + 2];
    int half = n / 2;

    for (int i = 0; i < half; i++) {
        left[i] = a[i];
        right[i] = b[i];
    }
    add_to(left, a + half, half);
    add_to(right, b + half, half);
    multiply_plain(left, right, half + 1, middle);
    multiply_plain(a, b, half, out);
    multiply_plain(a + half, b + half, half, out + n);
    subtract_from(middle, out, n);
    subtract_from(middle, out + n, n);
    add_to(out + half, middle, n + 1);
}

static int compare(const struct number *a, const struct number *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

/* Bit by bit: what is left of n, and the quotient. */
static void divide(const struct number *n, const struct number *divisor, struct number *q, struct number *rest)
{
    rest->count = 0;
    *q = *n;
    for (int bit = 32 * n->count - 1; bit >= 0; bit--) {
        uint32_t carry = n->words[bit / 32] >> bit % 32 & 1;

        q->words[bit / 32] &= ~(UINT32_C(1) << bit % 32);
        for (int i = 0; i < rest->count; i++) {
            uint32_t out = rest->words[i] >> 31;

            rest->words[i] = rest->words[i] << 1 | carry;
            carry = out;
        }
        if (carry != 0)
            rest->words[rest->count++] = carry;
        if (compare(rest, divisor) < 0)
            continue;
        subtract_from(rest->words, divisor->words, divisor->count);
        while (rest->count > 0 && rest->words[rest->count - 1] == 0)
            rest->count--;
        q->words[bit / 32] |= UINT32_C(1) << bit % 32;
    }
    while (q->count > 0 && q->words[q->count - 1] == 0)
        q->count--;
}

static void print(const struct number *n, char *out)
{
    struct number left = *n;
    char *at = out;

    while (left.count > 0) {
        uint32_t nine = divide_small(&left, 1000000000);

        for (int i = 0; i < 9; i++, nine /= 10)
            *at++ = (char)('0' + nine % 10);
    }
    while (at > out + 1 && at[-1] == '0')
        at--;
    *at = 0;
    for (at--; out < at; out++, at--) {
        char kept = *out;

        *out = *at;
        *at = kept;
    }
}

static void work(void)
{
    struct number back, divisor = mersenne;

    for (uint32_t i = 2; i <= (uint32_t)last_factor; i++)
        multiply_small(&factorial, i);
    print(&factorial, digits);
    multiply_plain(mersenne.words, mersenne.words, mersenne.count, plain_square.words);
    multiply_halves(mersenne.words, mersenne.words, mersenne.count, halved_square.words);
    divisor.count--;
    divide(&factorial, &divisor, &quotient, &remainder_left);
    back = factorial;
    for (uint32_t i = (uint32_t)last_factor; i >= 2; i--)
        remainders += divide_small(&back, i) != 0;
    remainders += back.count != 1 || back.words[0] != 1;
}

int main(void)
{
    struct number check = {0, {0}}, product;
    int sum = 0;

    memset(&factorial, 0, sizeof factorial);
    memset(&mersenne, 0, sizeof mersenne);
    factorial.count = 1;
    factorial.words[0] = 1;
    mersenne.count = 18; /* even, for the halves */
    for (int i = 0; i < 521; i++)
        mersenne.words[i / 32] |= UINT32_C(1) << i % 32;
    last_factor = FACTOR;
    remainders = 0;
    SHIM_KEEP(&factorial);
    SHIM_KEEP(&mersenne);
    SHIM_KEEP(&last_factor);
    SHIM_KEEP(&remainders);
    shim_region_begin("big_number");
    work();
    SHIM_KEEP(&factorial);
    SHIM_KEEP(&plain_square);
    SHIM_KEEP(&halved_square);
    SHIM_KEEP(digits);
    SHIM_KEEP(&quotient);
    SHIM_KEEP(&remainder_left);
    shim_region_end("big_number");
    for (const char *c = digits; *c; c++)
        sum += *c - '0';
    for (int i = 522; i < 1042; i++) /* 2^1042 - 2^522 */
        check.words[i / 32] |= UINT32_C(1) << i % 32;
    check.words[0] |= 1;
    product = mersenne; /* quotient * divisor + remainder */
    multiply_small(&product, quotient.words[0]);
    add_to(product.words, remainder_left.words, remainder_left.count);
    return sample_verdict_int("words of the quotient", quotient.count, 1) |
           sample_verdict_int("difference from the dividend", memcmp(product.words, factorial.words, 17 * 4), 0) |
           sample_verdict_int("digits", (long long)strlen(digits), 158) | sample_verdict_int("their sum", sum, 648) |
           sample_verdict_int("difference of the first", memcmp(digits, "93326215", 8), 0) |
           sample_verdict_int("remainders", remainders, 0) |
           sample_verdict_int("square", memcmp(plain_square.words, check.words, 36 * 4), 0) |
           sample_verdict_int("square by halves", memcmp(halved_square.words, check.words, 36 * 4), 0);
}
