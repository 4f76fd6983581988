/* svg.c - draws axes, lines and marks as SVG. */
#include "shimgen/page/svg.h"

#include <math.h>
#include <stdio.h>

#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"

/* Marks are drawn around (0, 0). The class sets fill and outline. */
static const struct {
    const char *class, *shape;
} marks[] = {
    [MARK_HELDOUT] = {"heldout", "M-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0-8.4 0z"},
    [MARK_TRAIN] = {"train", "M-3.2-3.2h6.4v6.4h-6.4z"},
    [MARK_TEST] = {"test", "M0-6L6 0 0 6-6 0z"},
    [MARK_VALUE] = {"value", "M-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0-8.4 0z"},
    [MARK_INHERITED] = {"inherited", "M-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z"},
};

void svg_shapes(struct str *out)
{
    str_add(out, "<svg class=\"shapes\" width=\"0\" height=\"0\" aria-hidden=\"true\" focusable=\"false\"><defs>\n");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        html_addf(out, "<path id=\"mark-%s\" d=\"%s\"/>\n", marks[i].class, marks[i].shape);
    str_add(out, "<path id=\"mark-above\" d=\"M0-6L5.5 4h-11z\"/><path id=\"mark-below\" d=\"M0 6L5.5-4h-11z\"/>"
                 "<path id=\"mark-beyond\" d=\"M7 0L-3-5.5v11z\"/></defs></svg>\n");
}

/* Prints a place as a percentage with at most three decimals. */
static void percentage(struct str *out, double place)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%.3f", 100 * place);
    while (text[n - 1] == '0')
        n--;
    if (text[n - 1] == '.')
        n--;
    str_addn(out, text, (size_t)n);
    str_addch(out, '%');
}

static void attribute(struct str *out, const char *name, double place)
{
    html_addf(out, " %s=\"", name);
    percentage(out, place);
    str_addch(out, '"');
}

static void grid_line(struct str *out, const char *class, bool vertical, double place)
{
    html_addf(out, "<line class=\"%s\"", class);
    attribute(out, vertical ? "x1" : "y1", place);
    attribute(out, vertical ? "x2" : "y2", place);
    str_add(out, vertical ? " y1=\"0\" y2=\"100%\"/>" : " x1=\"0\" x2=\"100%\"/>");
}

static void axis(struct str *out, const struct plot *p, bool vertical)
{
    const struct scale *s = vertical ? &p->x : &p->y;
    struct tick ticks[TICKS_MAX];
    size_t n = scale_ticks(s, 7, ticks);
    for (size_t i = 0; i < n; i++) {
        double place = scale_at(s, ticks[i].value);
        double across = vertical ? place : 1 - place;
        grid_line(out, ticks[i].labelled ? "grid" : "grid minor", vertical, across);
        if (!ticks[i].labelled)
            continue;
        str_add(out, "<text");
        attribute(out, vertical ? "x" : "y", across);
        str_add(out, vertical ? " y=\"100%\" dy=\"1.5em\" text-anchor=\"middle\">"
                              : " x=\"0\" dx=\"-8\" dy=\".32em\" text-anchor=\"end\">");
        (vertical ? p->x_figure : p->y_figure)(out, ticks[i].value);
        str_add(out, "</text>\n");
    }
}

void plot_open(struct str *out, const struct plot *p)
{
    html_addf(out, "<figure id=\"%s\"><div class=\"plot %s\">", p->id, p->size);
    html_addf(out, "<svg role=\"img\" aria-labelledby=\"%s-t %s-d\"><title id=\"%s-t\">%s</title>", p->id, p->id, p->id,
              p->title);
    html_addf(out, "<desc id=\"%s-d\">%s</desc>\n", p->id, p->description);
    str_add(out, "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n<g class=\"axis\">");
    axis(out, p, true);
    axis(out, p, false);
    html_addf(out, "<text class=\"name\" x=\"100%%\" y=\"100%%\" dy=\"3em\" text-anchor=\"end\">%s</text>", p->x_title);
    html_addf(out, "<text class=\"name\" x=\"0\" dx=\"-8\" y=\"0\" dy=\"-1em\">%s</text></g>\n", p->y_title);
}

void plot_close(struct str *out, const char *caption)
{
    html_addf(out, "</svg></div><figcaption>%s</figcaption></figure>\n", caption);
}

/* Areas need plain numbers, so they are in a nested drawing of 1000 × 1000 that is stretched over the plot. */
void plot_area(struct str *out, const struct plot *p, const char *class, const double *corners, size_t n)
{
    html_addf(out,
              "<svg viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\" width=\"100%%\" height=\"100%%\">"
              "<polygon class=\"%s\" points=\"",
              class);
    for (size_t i = 0; i < n; i++)
        str_addf(out, "%s%.1f,%.1f", i ? " " : "", 1000 * scale_at(&p->x, corners[2 * i]),
                 1000 - 1000 * scale_at(&p->y, corners[2 * i + 1]));
    str_add(out, "\"/></svg>\n");
}

void plot_line(struct str *out, const struct plot *p, const char *class, double x0, double y0, double x1, double y1)
{
    html_addf(out, "<line class=\"%s\"", class);
    attribute(out, "x1", scale_at(&p->x, x0));
    attribute(out, "y1", 1 - scale_at(&p->y, y0));
    attribute(out, "x2", scale_at(&p->x, x1));
    attribute(out, "y2", 1 - scale_at(&p->y, y1));
    str_add(out, "/>\n");
}

/* Begins a mark up to its vertical position, which the caller adds before mark_close. */
static void mark_open(struct str *out, enum mark kind, const char *shape, double x, const char *tooltip)
{
    html_addf(out, "<g class=\"mark %s\"><title>%s</title><use href=\"#mark-%s\"", marks[kind].class, tooltip, shape);
    attribute(out, "x", x);
}

static void mark_close(struct str *out)
{
    str_add(out, "/></g>\n");
}

void plot_mark(struct str *out, const struct plot *p, enum mark kind, double x, double y, const char *tooltip)
{
    if (!isfinite(x) || !isfinite(y))
        return;
    const char *shape = marks[kind].class;
    if (!scale_holds(&p->y, y))
        shape = y > p->y.hi ? "above" : "below";
    mark_open(out, kind, shape, scale_at(&p->x, x), tooltip);
    attribute(out, "y", 1 - scale_at(&p->y, y));
    mark_close(out);
}

void legend_open(struct str *out)
{
    str_add(out, "<ul class=\"legend\">");
}

void legend_mark(struct str *out, enum mark kind, const char *text)
{
    html_addf(out,
              "<li><svg class=\"key\" width=\"16\" height=\"16\" aria-hidden=\"true\"><g class=\"mark %s\">"
              "<use href=\"#mark-%s\" x=\"8\" y=\"8\"/></g></svg> %s</li>\n",
              marks[kind].class, marks[kind].class, text);
}

void legend_swatch(struct str *out, const char *class, const char *text)
{
    html_addf(out,
              "<li><svg class=\"key\" width=\"16\" height=\"16\" aria-hidden=\"true\">"
              "<rect class=\"%s\" y=\"2\" width=\"16\" height=\"12\"/></svg> %s</li>\n",
              class, text);
}

void legend_close(struct str *out)
{
    str_add(out, "</ul>\n");
}

static void lane_lines(struct str *out, const struct scale *s)
{
    struct tick ticks[TICKS_MAX];
    size_t n = scale_ticks(s, LANE_TICKS, ticks);
    for (size_t i = 0; i < n; i++)
        if (ticks[i].labelled)
            grid_line(out, "grid", true, scale_at(s, ticks[i].value));
}

/* Its name contains its place on the page. */
static void define_lines(struct str *out, struct scale *s)
{
    s->lines = out->len;
    str_addf(out, "<defs><g id=\"lines-%zu\">", s->lines);
    lane_lines(out, s);
    str_add(out, "</g></defs>");
}

void lane_axis(struct str *out, struct scale *s, svg_figure *figure)
{
    str_add(out, "<div class=\"lane\"><svg height=\"18\" aria-hidden=\"true\">");
    if (!s->lines)
        define_lines(out, s);
    str_add(out, "<g class=\"axis\">");
    struct tick ticks[TICKS_MAX];
    size_t n = scale_ticks(s, LANE_TICKS, ticks), all = 0;
    for (size_t i = 0; i < n; i++)
        all += ticks[i].labelled;
    for (size_t i = 0, labels = 0; i < n; i++) {
        if (!ticks[i].labelled)
            continue;
        double place = scale_at(s, ticks[i].value);
        const char *anchor = place < 0.03 ? "start" : place > 0.97 ? "end" : "middle";
        str_add(out, labels++ % 2 && all > 3 ? "<text class=\"alternate\"" : "<text");
        attribute(out, "x", place);
        html_addf(out, " y=\"13\" text-anchor=\"%s\">", anchor);
        figure(out, ticks[i].value);
        str_add(out, "</text>");
    }
    str_add(out, "</g></svg></div>");
}

void lane_open(struct str *out, const struct scale *s, int height)
{
    html_addf(out, "<div class=\"lane\"><svg height=\"%d\" aria-hidden=\"true\">", height);
    if (s->lines)
        str_addf(out, "<use href=\"#lines-%zu\"/>", s->lines);
    else
        lane_lines(out, s);
}

void lane_range(struct str *out, const struct scale *s, const char *class, double lo, double hi, double y)
{
    if (!isfinite(lo) || !isfinite(hi))
        return;
    html_addf(out, "<line class=\"%s\"", class);
    attribute(out, "x1", scale_at(s, lo));
    attribute(out, "x2", scale_at(s, hi));
    str_addf(out, " y1=\"%g\" y2=\"%g\"/>", y, y);
}

void lane_stroke(struct str *out, const struct scale *s, const char *class, double value, double y, double half)
{
    if (!isfinite(value))
        return;
    html_addf(out, "<line class=\"%s\"", class);
    attribute(out, "x1", scale_at(s, value));
    attribute(out, "x2", scale_at(s, value));
    str_addf(out, " y1=\"%g\" y2=\"%g\"/>", y - half, y + half);
}

void lane_mark(struct str *out, const struct scale *s, enum mark kind, double value, double y, const char *tooltip)
{
    if (!isfinite(value))
        return;
    mark_open(out, kind, value > s->hi ? "beyond" : marks[kind].class, scale_at(s, value), tooltip);
    str_addf(out, " y=\"%g\"", y);
    mark_close(out);
}

void lane_close(struct str *out)
{
    str_add(out, "</svg></div>");
}

double bars_at(const struct bars *b, double value)
{
    return b->left + (b->most > 0 ? b->width * value / b->most : 0);
}

void bars_axis(struct str *out, const struct bars *b, double top, double bottom, double text)
{
    struct scale s = scale_linear(0, b->most);
    struct tick ticks[TICKS_MAX];
    size_t n = scale_ticks(&s, 6, ticks);
    for (size_t i = 0; i < n; i++) {
        if (!ticks[i].labelled || ticks[i].value > b->most)
            continue;
        double x = bars_at(b, ticks[i].value);
        str_addf(
            out,
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.1f\" stroke=\"#dfe4ea\"/><text x=\"%.1f\" y=\"%.1f\" "
            "text-anchor=\"middle\" fill=\"#566173\">",
            x, x, top, bottom, x, text);
        figure_short(out, ticks[i].value);
        str_add(out, "</text>\n");
    }
}

void stack_open(struct str *out)
{
    str_add(out, "<svg class=\"stack\" height=\"16\" aria-hidden=\"true\">");
}

void stack_part(struct str *out, const char *class, double from, double length, const char *tooltip)
{
    html_addf(out, "<g class=\"mark\"><title>%s</title><rect class=\"part %s\" height=\"16\"", tooltip, class);
    attribute(out, "x", from);
    attribute(out, "width", length);
    str_add(out, "/></g>");
}

void stack_close(struct str *out)
{
    str_add(out, "</svg>");
}
