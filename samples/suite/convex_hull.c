/*
 * convex_hull - the hull of 300 points in double, its area, its width, and which of 200 further points lie inside.
 *
 * Andrew's chains, 1979; inside by crossings (Shimrat, 1962). The truth: all coordinates are whole, so that products
 * are exact; every point lies on the right side of every edge, outside; and inside by all edges' sides.
 *
 * Work: sorting 300 points takes at least log2(300!) comparisons, more than 2000, with two loads and a comparison; each
 * point then turns once (2 products, 5 differences); 200 points cross at least 8 edges with 2 comparisons, 8 edges at
 * most at once: 2000 * 3 + 600 * 7 + 400 = 10600.
 */
#include "../sample.h"
#include "test_signal.h"

#define POINTS  300
#define QUERIES 200

struct point {
    double x, y;
};

static struct point points[POINTS], hull[2 * POINTS], queries[QUERIES];
static uint8_t inside[QUERIES];
static int corners;
static double area, width;

static int before(const struct point *a, const struct point *b)
{
    return a->x < b->x || (a->x == b->x && a->y < b->y);
}

static void sort(struct point *p, int count)
{
    while (count > 1) {
        struct point pivot = p[count / 2];
        int low = 0, high = count - 1;

        while (low <= high) {
            while (before(&p[low], &pivot))
                low++;
            while (before(&pivot, &p[high]))
                high--;
            if (low <= high) {
                struct point kept = p[low];

                p[low++] = p[high];
                p[high--] = kept;
            }
        }
        sort(p, high + 1);
        p += low;
        count -= low;
    }
}

/* Twice the triangle's area; positive for a turn to the left. */
static double turn(struct point a, struct point b, struct point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int chain(const struct point *p, int count, int step, struct point *out)
{
    int n = 0;

    for (int i = 0; i < count; i++, p += step) {
        while (n > 1 && turn(out[n - 2], out[n - 1], *p) <= 0)
            n--;
        out[n++] = *p;
    }
    return n - 1;
}

static void measure(void)
{
    double best = 1e300;

    area = 0;
    for (int i = 0; i < corners; i++) {
        struct point a = hull[i], b = hull[(i + 1) % corners];
        double farthest = 0, length = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);

        area += a.x * b.y - a.y * b.x;
        for (int k = 0; k < corners; k++)
            if (turn(a, b, hull[k]) > farthest)
                farthest = turn(a, b, hull[k]);
        if (farthest * farthest / length < best)
            best = farthest * farthest / length;
    }
    area /= 2;
    width = best;
}

static int is_inside(struct point q)
{
    int odd = 0;

    for (int i = 0, k = corners - 1; i < corners; k = i++) {
        struct point a = hull[i], b = hull[k];

        if ((a.y > q.y) != (b.y > q.y) && q.x < (b.x - a.x) * (q.y - a.y) / (b.y - a.y) + a.x)
            odd = !odd;
    }
    return odd;
}

static void work(void)
{
    sort(points, POINTS);
    corners = chain(points, POINTS, 1, hull);
    corners += chain(points + POINTS - 1, POINTS, -1, hull + corners);
    measure();
    for (int i = 0; i < QUERIES; i++)
        inside[i] = (uint8_t)is_inside(queries[i]);
}

static int check(void)
{
    double fan = 0, narrowest = 1e300;

    for (int i = 0; i < corners; i++) {
        struct point a = hull[i], b = hull[(i + 1) % corners];
        double farthest = 0;

        for (int k = 0; k < POINTS; k++) {
            if (sample_verdict_int("whether a point lies within an edge", turn(a, b, points[k]) >= 0, 1))
                return 1;
            farthest = fmax(farthest, turn(a, b, points[k]) / hypot(b.x - a.x, b.y - a.y));
        }
        narrowest = fmin(narrowest, farthest);
        fan += turn(points[POINTS / 2], a, b) / 2;
    }
    for (int i = 0; i < QUERIES; i++) {
        int on_left = 1;

        for (int k = 0; k < corners; k++)
            on_left &= turn(hull[k], hull[(k + 1) % corners], queries[i]) > 0;
        if (sample_verdict_int("whether a point is inside", inside[i], on_left))
            return 1;
    }
    return sample_verdict_real("area", area, fan, 0) |
           sample_verdict_real("width", sqrt(width), narrowest, 1e-9 * narrowest) |
           sample_verdict_int("whether there are corners enough", corners >= 8, 1);
}

int main(void)
{
    uint32_t noise = 83;

    for (int i = 0; i < POINTS;) { /* in a circle, so that many are on the hull */
        struct point p = {noise_within(&noise, 1000), noise_within(&noise, 1000)};

        if (p.x * p.x + p.y * p.y <= 1e6)
            points[i++] = p;
    }
    for (int i = 0; i < QUERIES; i++) /* halves: never on a corner's height */
        queries[i] = (struct point){noise_within(&noise, 1000) + 0.25, noise_within(&noise, 1000) + 0.5};
    SHIM_KEEP(points);
    SHIM_KEEP(queries);
    shim_region_begin("convex_hull");
    work();
    SHIM_KEEP(points);
    SHIM_KEEP(hull);
    SHIM_KEEP(inside);
    SHIM_KEEP(&area);
    SHIM_KEEP(&width);
    shim_region_end("convex_hull");
    return check();
}
