/*
 * least_squares - a polynomial of degree 5 through 400 points: Gram-Schmidt's orthogonal columns, modified; single
 * precision.
 *
 * Bjorck, "Solving Linear Least Squares Problems by Gram-Schmidt Orthogonalization", 1967. The truth: the points lie on
 * a polynomial of known coefficients, plus a disturbance that is orthogonal to all of them, as alternating binomial
 * coefficients are.
 *
 * Work: 6 columns of 400, each against 5 - k others and the right-hand side, 2 products and 2 sums: 400 * 21 * 4 in 16
 * lanes: 2100.
 */
#include "../sample.h"
#include "test_signal.h"

#define POINTS 400
#define TERMS  6
#define BLOCK  8 /* points between which a disturbance is shared */

static float place[POINTS], value[POINTS], coefficient[TERMS];
static float column[TERMS][POINTS], remainder_of[POINTS], upper[TERMS][TERMS + 1];

static float dot(const float *a, const float *b)
{
    float sum = 0.0f;

    for (int i = 0; i < POINTS; i++)
        sum += a[i] * b[i];
    return sum;
}

static void take_off(float *a, float factor, const float *b)
{
    for (int i = 0; i < POINTS; i++)
        a[i] -= factor * b[i];
}

static void set_up(void)
{
    for (int i = 0; i < POINTS; i++) {
        float power = 1.0f;

        for (int k = 0; k < TERMS; k++) {
            column[k][i] = power;
            power *= place[i];
        }
        remainder_of[i] = value[i];
    }
}

static void fit(void)
{
    set_up();
    for (int k = 0; k < TERMS; k++) {
        float square = dot(column[k], column[k]);

        for (int j = k + 1; j < TERMS; j++) {
            upper[k][j] = dot(column[k], column[j]) / square;
            take_off(column[j], upper[k][j], column[k]);
        }
        upper[k][TERMS] = dot(column[k], remainder_of) / square;
        take_off(remainder_of, upper[k][TERMS], column[k]);
    }
    for (int k = TERMS - 1; k >= 0; k--) {
        coefficient[k] = upper[k][TERMS];
        for (int j = k + 1; j < TERMS; j++)
            coefficient[k] -= upper[k][j] * coefficient[j];
    }
}

static const double wanted[TERMS] = {0.75, -1.25, 0.5, 2.0, -0.375, 1.5};

/* The 7th difference of a polynomial of degree 5 is zero: (1 -7 21 -35 35 -21 7 -1) is orthogonal to it on even
 * places. */
static void prepare(void)
{
    static const int seventh[BLOCK] = {1, -7, 21, -35, 35, -21, 7, -1};
    uint32_t noise = 360555u;
    double size = 0.0;

    for (int i = 0; i < POINTS; i++) {
        double x = (2.0 * i - (POINTS - 1)) / (POINTS - 1), sum = 0.0;

        if (i % BLOCK == 0)
            size = 0.003 * noise_unit(&noise);
        for (int k = TERMS - 1; k >= 0; k--)
            sum = sum * x + wanted[k];
        place[i] = (float)x;
        value[i] = (float)(sum + size * seventh[i % BLOCK]);
    }
    SHIM_KEEP(place);
    SHIM_KEEP(value);
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("least_squares");
    fit();
    SHIM_KEEP(coefficient);
    shim_region_end("least_squares");
    for (int k = 0; k < TERMS; k++)
        worst = worse_of(worst, fabs(coefficient[k] - wanted[k]));
    return sample_verdict_real("worst coefficient", worst, 0.0, 1e-4);
}
