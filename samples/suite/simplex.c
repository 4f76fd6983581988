/*
 * simplex - a linear programme of 8 products and 6 resources by the simplex method on a tableau; double precision.
 *
 * Dantzig, "Maximization of a Linear Function of Variables Subject to Linear Inequalities", 1951; Bland's rule, so that
 * it ends. The truth is duality: the multipliers in the last row are a feasible solution of the dual programme of the
 * same value, which proves both to be the best.
 *
 * Work: at the optimum at least one of the slacks must have left; a pivot touches 6 rows of 15 elements with a product
 * and a sum, in 8 lanes: 6 * 15 * 2 / 8 = 22.
 */
#include "../sample.h"
#include "test_signal.h"

#define PRODUCTS  8
#define RESOURCES 6
#define COLUMNS   (PRODUCTS + RESOURCES + 1)
#define PIVOTS    100

static double need[RESOURCES][PRODUCTS], stock[RESOURCES], profit[PRODUCTS];
static double tableau[RESOURCES + 1][COLUMNS];
static int basis[RESOURCES];
static double quantity[PRODUCTS];

static void pivot(int row, int column)
{
    double divisor = tableau[row][column];

    for (int j = 0; j < COLUMNS; j++)
        tableau[row][j] /= divisor;
    for (int i = 0; i <= RESOURCES; i++) {
        double factor = tableau[i][column];

        if (i == row || factor == 0.0)
            continue;
        for (int j = 0; j < COLUMNS; j++)
            tableau[i][j] -= factor * tableau[row][j];
    }
    basis[row] = column;
}

/* The first column that promises profit; -1: none. */
static int entering(void)
{
    for (int j = 0; j < COLUMNS - 1; j++)
        if (tableau[RESOURCES][j] < -1e-12)
            return j;
    return -1;
}

static int leaving(int column)
{
    int best = -1;
    double least = 0.0;

    for (int i = 0; i < RESOURCES; i++) {
        double ratio;

        if (tableau[i][column] <= 1e-12)
            continue;
        ratio = tableau[i][COLUMNS - 1] / tableau[i][column];
        if (best < 0 || ratio < least || (ratio == least && basis[i] < basis[best])) {
            best = i;
            least = ratio;
        }
    }
    return best;
}

static void maximise(void)
{
    for (int i = 0; i <= RESOURCES; i++)
        for (int j = 0; j < COLUMNS; j++)
            tableau[i][j] = 0.0;
    for (int i = 0; i < RESOURCES; i++) {
        for (int j = 0; j < PRODUCTS; j++)
            tableau[i][j] = need[i][j];
        tableau[i][PRODUCTS + i] = 1.0;
        tableau[i][COLUMNS - 1] = stock[i];
        basis[i] = PRODUCTS + i;
    }
    for (int j = 0; j < PRODUCTS; j++)
        tableau[RESOURCES][j] = -profit[j];
    for (int n = 0; n < PIVOTS; n++) {
        int column = entering(), row = column < 0 ? -1 : leaving(column);

        if (row < 0)
            break;
        pivot(row, column);
    }
    for (int j = 0; j < PRODUCTS; j++)
        quantity[j] = 0.0;
    for (int i = 0; i < RESOURCES; i++)
        if (basis[i] < PRODUCTS)
            quantity[basis[i]] = tableau[i][COLUMNS - 1];
}

static void prepare(void)
{
    uint32_t noise = 264575u;

    for (int i = 0; i < RESOURCES; i++) {
        for (int j = 0; j < PRODUCTS; j++)
            need[i][j] = 1.1 + noise_unit(&noise);
        stock[i] = 100.0 + 20.0 * noise_unit(&noise);
    }
    for (int j = 0; j < PRODUCTS; j++)
        profit[j] = 5.0 + noise_unit(&noise);
    SHIM_KEEP(need);
    SHIM_KEEP(stock);
    SHIM_KEEP(profit);
}

/* The greatest breach of a condition of either programme. */
static double breach(const double *price)
{
    double worst = 0.0;

    for (int i = 0; i < RESOURCES; i++) {
        double used = 0.0;

        for (int j = 0; j < PRODUCTS; j++)
            used += need[i][j] * quantity[j];
        worst = worse_of(worst, used - stock[i] > -price[i] ? used - stock[i] : -price[i]);
    }
    for (int j = 0; j < PRODUCTS; j++) {
        double cost = 0.0;

        for (int i = 0; i < RESOURCES; i++)
            cost += need[i][j] * price[i];
        worst = worse_of(worst, profit[j] - cost > -quantity[j] ? profit[j] - cost : -quantity[j]);
    }
    return worst;
}

int main(void)
{
    double gain = 0.0, value = 0.0;
    const double *price = &tableau[RESOURCES][PRODUCTS];

    prepare();
    shim_region_begin("simplex");
    maximise();
    SHIM_KEEP(tableau);
    SHIM_KEEP(quantity);
    shim_region_end("simplex");
    for (int j = 0; j < PRODUCTS; j++)
        gain += profit[j] * quantity[j];
    for (int i = 0; i < RESOURCES; i++)
        value += stock[i] * price[i];
    return sample_verdict_real("breach", breach(price), 0.0, 1e-9) |
           sample_verdict_real("gain less the dual's value", gain - value, 0.0, 1e-8) |
           sample_verdict_int("something is gained", gain > 100.0, 1);
}
