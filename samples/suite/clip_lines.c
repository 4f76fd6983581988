/*
 * clip_lines - 250 lines are cut off at a window's borders, in float by Cohen and Sutherland's codes and by Liang and
 * Barsky's parameters, and what is left is drawn into a bitmap of 64 by 64 dots by Bresenham's rule.
 *
 * Foley and others, "Computer Graphics", chapter 3. The truth: both ways agree; ends lie in the window and on the line;
 * and each line sets as many dots as its longer side has.
 *
 * Work: each of the 250 lines is tested against 4 borders twice (comparison and its use), 8 lines at most at once: 500;
 * at least 80 lines of at least 10 dots each load a word, join a bit, store it and move on: 80 * 10 * 4 = 3200.
 */
#include "../sample.h"
#include "test_signal.h"

#define LINES 250
#define SIDE  64

struct line {
    float x0, y0, x1, y1;
};

static struct line lines[LINES], by_codes[LINES], by_parameters[LINES];
static uint8_t kept[LINES], also_kept[LINES];
static uint32_t picture[SIDE][SIDE / 32];
static int32_t dots[LINES];

static unsigned code_of(float x, float y)
{
    return (x < 0 ? 1U : 0) | (x > SIDE - 1 ? 2U : 0) | (y < 0 ? 4U : 0) | (y > SIDE - 1 ? 8U : 0);
}

static int cut_by_codes(const struct line *line, struct line *out)
{
    float x0 = line->x0, y0 = line->y0, x1 = line->x1, y1 = line->y1, slope_x = x1 - x0, slope_y = y1 - y0, x, y;
    unsigned code0 = code_of(x0, y0), code1 = code_of(x1, y1);

    while (code0 | code1) {
        unsigned code = code0 ? code0 : code1;

        if (code0 & code1)
            return 0;
        if (code & 3) {
            x = code & 1 ? 0 : SIDE - 1;
            y = line->y0 + slope_y * (x - line->x0) / slope_x;
        } else {
            y = code & 4 ? 0 : SIDE - 1;
            x = line->x0 + slope_x * (y - line->y0) / slope_y;
        }
        if (code == code0) {
            x0 = x;
            y0 = y;
            code0 = code_of(x, y);
        } else {
            x1 = x;
            y1 = y;
            code1 = code_of(x, y);
        }
    }
    *out = (struct line){x0, y0, x1, y1};
    return 1;
}

/* Narrows first .. last to where `slope` times the parameter stays below `room`. */
static int narrow(float slope, float room, float *first, float *last)
{
    float at = slope != 0 ? room / slope : 0;

    if (slope == 0)
        return room >= 0;
    if (slope > 0) {
        if (at < *last)
            *last = at;
    } else if (at > *first) {
        *first = at;
    }
    return *first <= *last;
}

static int cut_by_parameters(const struct line *line, struct line *out)
{
    float dx = line->x1 - line->x0, dy = line->y1 - line->y0, first = 0, last = 1;

    if (!narrow(-dx, line->x0, &first, &last) || !narrow(dx, SIDE - 1 - line->x0, &first, &last) ||
        !narrow(-dy, line->y0, &first, &last) || !narrow(dy, SIDE - 1 - line->y0, &first, &last))
        return 0;
    *out = (struct line){line->x0 + first * dx, line->y0 + first * dy, line->x0 + last * dx, line->y0 + last * dy};
    return 1;
}

static int32_t distance(int32_t a, int32_t b)
{
    return a < b ? b - a : a - b;
}

static int32_t draw(const struct line *line)
{
    int32_t x = (int32_t)(line->x0 + 0.5F), y = (int32_t)(line->y0 + 0.5F), x1 = (int32_t)(line->x1 + 0.5F),
            y1 = (int32_t)(line->y1 + 0.5F), dx = distance(x, x1), dy = -distance(y, y1), error = dx + dy, set = 0;

    for (;; set++) {
        int32_t doubled = 2 * error;

        if (x >= 0 && x < SIDE && y >= 0 && y < SIDE)
            picture[y][x / 32] |= UINT32_C(1) << x % 32;
        if (x == x1 && y == y1)
            return set + 1;
        if (doubled >= dy) {
            error += dy;
            x += x < x1 ? 1 : -1;
        }
        if (doubled <= dx) {
            error += dx;
            y += y < y1 ? 1 : -1;
        }
    }
}

static void work(void)
{
    for (int i = 0; i < LINES; i++) {
        kept[i] = (uint8_t)cut_by_codes(&lines[i], &by_codes[i]);
        also_kept[i] = (uint8_t)cut_by_parameters(&lines[i], &by_parameters[i]);
    }
    for (int i = 0; i < LINES; i++)
        dots[i] = kept[i] ? draw(&by_codes[i]) : 0;
}

static int check_line(int i)
{
    const struct line *a = &by_codes[i], *b = &by_parameters[i], *whole = &lines[i];
    double dx = (double)whole->x1 - (double)whole->x0, dy = (double)whole->y1 - (double)whole->y0;
    double apart = fmax(fmax(fabs((double)a->x0 - (double)b->x0), fabs((double)a->y0 - (double)b->y0)),
                        fmax(fabs((double)a->x1 - (double)b->x1), fabs((double)a->y1 - (double)b->y1)));
    double off = (((double)a->x0 - (double)whole->x0) * dy - ((double)a->y0 - (double)whole->y0) * dx) / hypot(dx, dy);
    int32_t across = distance((int32_t)(a->x0 + 0.5F), (int32_t)(a->x1 + 0.5F));
    int32_t down = distance((int32_t)(a->y0 + 0.5F), (int32_t)(a->y1 + 0.5F));

    return sample_verdict_int("ends outside", (int)(code_of(a->x0, a->y0) | code_of(a->x1, a->y1)), 0) |
           sample_verdict_real("how far the two ways are apart", apart, 0, 1e-3) |
           sample_verdict_real("distance of an end from the line", off, 0, 1e-3) |
           sample_verdict_int("dots", dots[i], (across > down ? across : down) + 1);
}

int main(void)
{
    uint32_t noise = 84;
    int n = 0;

    for (int i = 0; i < LINES; i++) {
        lines[i].x0 = (float)noise_within(&noise, 800) / 8 + 32.0625F;
        lines[i].y0 = (float)noise_within(&noise, 800) / 8 + 32.0625F;
        lines[i].x1 = (float)noise_within(&noise, 400) / 8 + 32.03125F;
        lines[i].y1 = (float)noise_within(&noise, 400) / 8 + 32.03125F;
    }
    memset(picture, 0, sizeof picture);
    SHIM_KEEP(lines);
    SHIM_KEEP(picture);
    shim_region_begin("clip_lines");
    work();
    SHIM_KEEP(by_codes);
    SHIM_KEEP(by_parameters);
    SHIM_KEEP(kept);
    SHIM_KEEP(also_kept);
    SHIM_KEEP(picture);
    SHIM_KEEP(dots);
    shim_region_end("clip_lines");
    for (int i = 0; i < LINES; i++) {
        if (sample_verdict_int("whether something is left", kept[i], also_kept[i]) || (kept[i] && check_line(i)))
            return 1;
        n += dots[i] >= 10;
    }
    return sample_verdict_int("whether many lines are drawn", n >= 80, 1);
}
