/*
 * great_circle - distances and first bearings of 60 legs between places on the globe, by the haversine formula, with
 * the library's sin, cos, asin, atan2 and sqrt.
 *
 * The truth: outside, of the places as vectors: the length of the chord, and the angle between the meridian's plane and
 * the leg's.
 *
 * Work: each of 60 legs calls nine functions, with a product or a sum for each: 60 * 18.
 */
#include "../sample.h"
#include "lcg.h"

#define PLACES 61
#define RADIUS 6371.0

struct place {
    double latitude, longitude; /* [rad] */
};
struct leg {
    double distance, bearing;
};
static struct place places[PLACES];
static struct leg legs[PLACES - 1];

static void work(void)
{
    for (int i = 0; i + 1 < PLACES; i++) {
        const struct place *a = &places[i], *b = &places[i + 1];
        double s = sin((b->latitude - a->latitude) / 2), t = sin((b->longitude - a->longitude) / 2);
        double from = cos(a->latitude), to = cos(b->latitude), h = s * s + from * to * t * t;

        legs[i].distance = 2 * RADIUS * asin(sqrt(h));
        legs[i].bearing = atan2(sin(b->longitude - a->longitude) * to,
                                from * sin(b->latitude) - sin(a->latitude) * to * cos(b->longitude - a->longitude));
    }
}

static void vector_of(double *v, const struct place *p)
{
    v[0] = cos(p->latitude) * cos(p->longitude);
    v[1] = cos(p->latitude) * sin(p->longitude);
    v[2] = sin(p->latitude);
}

static int check(void)
{
    for (int i = 0; i + 1 < PLACES; i++) {
        const struct place *a = &places[i];
        double p[3], q[3], d[3];

        vector_of(p, a);
        vector_of(q, a + 1);
        for (int k = 0; k < 3; k++)
            d[k] = q[k] - p[k];
        double chord = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        double east = d[1] * cos(a->longitude) - d[0] * sin(a->longitude);
        double north =
            q[2] * cos(a->latitude) - (q[0] * cos(a->longitude) + q[1] * sin(a->longitude)) * sin(a->latitude);
        double along = sqrt(east * east + north * north);

        if (sample_verdict_real("chord", 2 * sin(legs[i].distance / (2 * RADIUS)), chord, 1e-12) ||
            sample_verdict_real("sine of the bearing", sin(legs[i].bearing), east / along, 1e-9) ||
            sample_verdict_real("cosine of the bearing", cos(legs[i].bearing), north / along, 1e-9))
            return 1;
    }
    return 0;
}

int main(void)
{
    uint32_t seed = 31;

    for (int i = 0; i < PLACES; i++) {
        places[i].latitude = lcg_draw(&seed) / 65536.0 * 2.6 - 1.3;
        places[i].longitude = lcg_draw(&seed) / 65536.0 * 6.2 - 3.1;
    }
    SHIM_KEEP(places);
    shim_region_begin("great_circle");
    work();
    SHIM_KEEP(legs);
    shim_region_end("great_circle");
    return check();
}
