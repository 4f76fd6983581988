/* figures.c - formats numbers for people: grouping, rounding, units. */
#include "shimgen/page/figures.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MINUS "\xe2\x88\x92"

/* Prints |value| with `decimals` digits after the point and separated thousands. It has a sign only if a non-zero digit
 * is shown. */
static void grouped(struct str *out, double value, int decimals, bool plus)
{
    char digits[340];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    bool zero = strspn(digits, "0.") == strlen(digits);
    if (!zero && value < 0)
        str_add(out, MINUS);
    else if (!zero && plus)
        str_add(out, "+");
    size_t whole = strcspn(digits, ".");
    for (size_t i = 0; digits[i]; i++) {
        if (i && i < whole && (whole - i) % 3 == 0 && whole > 3)
            str_add(out, THIN);
        str_addch(out, digits[i]);
    }
}

static bool unknown(struct str *out, double value)
{
    if (isfinite(value))
        return false;
    str_add(out, FIGURE_UNKNOWN);
    return true;
}

void figure_count(struct str *out, double value)
{
    if (!unknown(out, value))
        grouped(out, value, 0, false);
}

void figure_value(struct str *out, double value)
{
    if (unknown(out, value))
        return;
    double a = fabs(value);
    grouped(out, value, a == 0 || a >= 99.95 ? 0 : a >= 9.995 ? 1 : a >= 0.9995 ? 2 : 3, false);
}

static void percent(struct str *out, double fraction, bool plus)
{
    if (unknown(out, fraction))
        return;
    double p = 100 * fraction;
    grouped(out, p, fabs(p) >= 9999.5 ? 0 : 1, plus);
    str_add(out, THIN "%");
}

void figure_percent(struct str *out, double fraction)
{
    percent(out, fraction, false);
}

void figure_error(struct str *out, double fraction)
{
    percent(out, fraction, true);
}

void figure_share(struct str *out, double fraction)
{
    if (unknown(out, fraction))
        return;
    grouped(out, 100 * fraction, fraction > 0 && fraction < 0.0995 ? 1 : 0, false);
    str_add(out, THIN "%");
}

/* Prints the value in the largest unit in which it is at least 1, with at most two decimals. */
static void scaled(struct str *out, double value, double step, const char *const *units, size_t n)
{
    size_t i = 0;
    while (i + 1 < n && fabs(value) >= step) {
        value /= step;
        i++;
    }
    str_addf(out, "%.*g" THIN "%s", fabs(value) >= 1000 ? 4 : 3, value, units[i]);
}

void figure_bytes(struct str *out, uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    if (!bytes)
        str_add(out, FIGURE_UNKNOWN);
    else
        scaled(out, (double)bytes, 1024, units, sizeof units / sizeof *units);
}

void figure_hertz(struct str *out, double hertz)
{
    static const char *const units[] = {"Hz", "kHz", "MHz", "GHz"};
    if (!unknown(out, hertz))
        scaled(out, hertz, 1000, units, sizeof units / sizeof *units);
}

void figure_short(struct str *out, double value)
{
    static const char *const units[] = {"", "k", "M", "G", "T"};
    if (unknown(out, value))
        return;
    size_t i = 0;
    double v = fabs(value);
    while (i + 1 < sizeof units / sizeof *units && v >= 1000) {
        v /= 1000;
        i++;
    }
    str_addf(out, "%s%.3g%s%s", value < 0 ? MINUS : "", v, i ? THIN : "", units[i]);
}

void figure_short_percent(struct str *out, double fraction)
{
    if (unknown(out, fraction))
        return;
    double p = 100 * fraction;
    if (fabs(p) >= 1000)
        grouped(out, p, 0, false);
    else
        figure_short(out, p);
    str_add(out, THIN "%");
}

void figure_short_error(struct str *out, double fraction)
{
    if (isfinite(fraction) && fraction > 0)
        str_addch(out, '+');
    figure_short_percent(out, fraction);
}
