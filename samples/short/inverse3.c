/*
 * inverse3 - the inverse of a 3 x 3 matrix of doubles by cofactors.
 *
 * Truth: a matrix times its inverse is the identity.
 * Work: nine cofactors of two products each, in vectors of 8 lanes at most, and one division: 4.
 */
#include "../sample.h"

static double a[3][3], inverse[3][3];

static double cofactor(int r, int c)
{
    int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;

    return a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1];
}

static void invert(void)
{
    double determinant = a[0][0] * cofactor(0, 0) + a[0][1] * cofactor(0, 1) + a[0][2] * cofactor(0, 2);

    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            inverse[c][r] = cofactor(r, c) / determinant;
}

int main(void)
{
    static const double given[3][3] = {{4, -2, 1}, {1, 5, -3}, {2, 1, 6}};
    int wrong = 0;

    memcpy(a, given, sizeof a);
    SHIM_KEEP(a);
    shim_region_begin("inverse3");
    invert();
    SHIM_KEEP(inverse);
    shim_region_end("inverse3");
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double sum = 0;

            for (int k = 0; k < 3; k++)
                sum += given[r][k] * inverse[k][c];
            wrong |= sample_verdict_real("product", sum, r == c, 1e-12);
        }
    return wrong;
}
