/*
 * The block diagram: cores with what is theirs alone, below them what groups of
 * them share, below that what all share, memory at the foot. A drawing of fixed
 * proportions (640 units wide), since boxes hold text.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shimgen/report/derived.h"
#include "shimgen/report/figures.h"
#include "shimgen/report/html.h"
#include "shimgen/report/page.h"

#define WIDTH        640.0
#define GAP          8.0
#define CORE_H       46.0
#define CACHE_H      30.0
#define CORES_DRAWN  8 /* over all clusters; of larger ones the first and the last are drawn */
#define CLUSTER_HEAD 24.0

static void box(struct str *out, const char *class, double x, double y, double w, double h, const char *first,
                const char *second)
{
    html_addf(out, "<g class=\"box %s\">", class);
    str_addf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"4\"/>", x, y, w, h);
    bool two = has_text(second);
    str_addf(out, "<text x=\"%.1f\" y=\"%.1f\">", x + w / 2, y + h / 2 + (two ? -3 : 4.5));
    html_text(out, first);
    str_add(out, "</text>");
    if (two) {
        str_addf(out, "<text class=\"small\" x=\"%.1f\" y=\"%.1f\">", x + w / 2, y + h / 2 + 13);
        html_text(out, second);
        str_add(out, "</text>");
    }
    str_add(out, "</g>\n");
}

/* "L1 data 32 KiB", or "L1d 32 KiB" where there is little room */
static void cache_name(struct str *out, const struct report_cache *c, bool brief)
{
    static const char *const letters[] = {"d", "i", ""}, *const words[] = {" data", " instruction", ""};
    str_addf(out, "L%u%s ", c->level, brief ? letters[c->kind] : words[c->kind]);
    if (c->bytes)
        figure_bytes(out, c->bytes);
}

static void cache_shape(struct str *out, const struct report_cache *c)
{
    if (c->ways)
        str_addf(out, "%u ways", c->ways);
    if (c->line_bytes)
        str_addf(out, "%s%u B lines", c->ways ? ", " : "", c->line_bytes);
}

static void cache_box(struct str *out, const struct report_cache *c, double x, double y, double w)
{
    struct str first = STR_INIT, second = STR_INIT;
    cache_name(&first, c, w < 150);
    if (w >= 220) {
        cache_shape(&second, c);
        if (second.len) {
            str_add(&first, " \xc2\xb7 ");
            str_add(&first, second.s);
        }
    }
    box(out, "cache", x, y, w, CACHE_H, str_text(&first), NULL);
    str_release(&first);
    str_release(&second);
}

static bool is_private(const struct report_cache *c)
{
    return c->shared_by <= 1;
}

/* Which cores of a cluster are drawn: all, or the first ones and the last. */
static unsigned cores_drawn(const struct report_cluster *c, size_t n_clusters)
{
    unsigned room = (unsigned)(CORES_DRAWN / (n_clusters ? n_clusters : 1));
    if (room < 2)
        room = 2;
    return c->cores > room ? room : c->cores;
}

/* The index in the cluster of the core in column `column`. The measured core is always among those drawn. */
static unsigned core_in_column(const struct report_cluster *c, unsigned column, unsigned drawn)
{
    if (drawn == c->cores)
        return column;
    if (column + 1 == drawn)
        return c->cores - 1;
    if (c->measured && c->measured - 1 >= drawn - 1 && c->measured < c->cores && column + 2 == drawn)
        return c->measured - 1;
    return column;
}

static void core_box(struct str *out, const struct report_cluster *c, unsigned core, double x, double y, double w)
{
    struct str first = STR_INIT;
    bool measured = c->measured && c->measured - 1 == core;
    str_addf(&first, w < 60 ? "%u" : "core %u", c->first_core + core);
    box(out, measured ? "core measured" : "core", x, y, w, CORE_H, first.s, measured ? "measured" : NULL);
    str_release(&first);
}

/* Caches of each core alone: those of one level side by side when there is room, else below each other. */
static double draw_private(struct str *out, const struct report_cluster *c, double x, double y, double w)
{
    for (size_t i = 0; i < c->n_caches; i++) {
        const struct report_cache *a = &c->caches[i];
        if (!is_private(a))
            continue;
        const struct report_cache *b = i + 1 < c->n_caches ? &c->caches[i + 1] : NULL;
        if (w >= 150 && b && is_private(b) && b->level == a->level) {
            cache_box(out, a, x, y, (w - GAP / 2) / 2);
            cache_box(out, b, x + (w + GAP / 2) / 2, y, (w - GAP / 2) / 2);
            i++;
        } else {
            cache_box(out, a, x, y, w);
        }
        y += CACHE_H + GAP / 2;
    }
    return y;
}

/* A cache that several cores share spans their columns; in a shortened cluster, all of them. */
static void draw_shared(struct str *out, const struct report_cluster *c, const struct report_cache *cache, double x,
                        double y, double w, unsigned drawn)
{
    unsigned span = cache->shared_by;
    if (drawn < c->cores || span > drawn)
        span = drawn;
    double column = (w + GAP) / drawn;
    for (unsigned first = 0; first < drawn; first += span) {
        unsigned n = first + span > drawn ? drawn - first : span;
        cache_box(out, cache, x + first * column, y, n * column - GAP);
    }
}

static double draw_cluster(struct str *out, const struct report_cluster *c, double x, double w, size_t n_clusters)
{
    unsigned drawn = cores_drawn(c, n_clusters);
    double column = (w + GAP) / drawn, bottom = CLUSTER_HEAD;
    struct str head = STR_INIT;
    str_addf(&head, "%u \xc3\x97 ", c->cores);
    str_add(&head, text_or(c->name, "core"));
    if (isfinite(c->hertz)) {
        str_add(&head, ", ");
        figure_hertz(&head, c->hertz);
    }
    if (drawn < c->cores)
        str_addf(&head, " (%u drawn)", drawn);
    html_addf(out, "<text class=\"head\" x=\"%d\" y=\"14\">%s</text>\n", (int)x, head.s);
    str_release(&head);
    for (unsigned i = 0; i < drawn; i++) {
        double left = x + i * column;
        core_box(out, c, core_in_column(c, i, drawn), left, CLUSTER_HEAD, column - GAP);
        bottom = draw_private(out, c, left, CLUSTER_HEAD + CORE_H + GAP / 2, column - GAP);
    }
    for (size_t i = 0; i < c->n_caches; i++) {
        if (is_private(&c->caches[i]))
            continue;
        draw_shared(out, c, &c->caches[i], x, bottom, w, drawn);
        bottom += CACHE_H + GAP / 2;
    }
    return bottom;
}

/* What the drawing says, for those who cannot see it. */
static void describe(const struct report *r, struct str *out)
{
    for (size_t i = 0; i < r->n_clusters; i++) {
        const struct report_cluster *c = &r->clusters[i];
        str_addf(out, "%s%u cores %s", i ? "; " : "", c->cores, text_or(c->name, ""));
        for (size_t k = 0; k < c->n_caches; k++) {
            str_add(out, ", ");
            cache_name(out, &c->caches[k], false);
            if (is_private(&c->caches[k]))
                str_add(out, " each");
            else
                str_addf(out, " shared by %u", c->caches[k].shared_by);
        }
    }
    for (size_t k = 0; k < r->n_shared_caches; k++) {
        str_add(out, "; ");
        cache_name(out, &r->shared_caches[k], false);
        str_add(out, " shared by all");
    }
    for (size_t i = 0; i < r->n_memories; i++) {
        str_addf(out, "; memory %s ", text_or(r->memories[i].name, ""));
        figure_bytes(out, r->memories[i].bytes);
    }
    str_add(out, ".");
}

static double draw_memories(const struct report *r, struct str *out, double y)
{
    double w = (WIDTH + GAP) / (double)(r->n_memories ? r->n_memories : 1);
    for (size_t i = 0; i < r->n_memories; i++) {
        struct str text = STR_INIT;
        str_addf(&text, "%s ", text_or(r->memories[i].name, "memory"));
        if (r->memories[i].bytes)
            figure_bytes(&text, r->memories[i].bytes);
        box(out, "memory", (double)i * w, y, w - GAP, CACHE_H, text.s, NULL);
        str_release(&text);
    }
    return r->n_memories ? y + CACHE_H + GAP / 2 : y;
}

void draw_machine(const struct report *r, struct str *out)
{
    struct str inside = STR_INIT, words = STR_INIT;
    double w = (WIDTH + 2 * GAP) / (double)r->n_clusters, bottom = 0;
    for (size_t i = 0; i < r->n_clusters; i++)
        bottom = fmax(bottom, draw_cluster(&inside, &r->clusters[i], (double)i * w, w - 2 * GAP, r->n_clusters));
    bottom += GAP / 2;
    for (size_t i = 0; i < r->n_shared_caches; i++) {
        cache_box(&inside, &r->shared_caches[i], 0, bottom, WIDTH);
        bottom += CACHE_H + GAP / 2;
    }
    bottom = draw_memories(r, &inside, bottom + GAP / 2);
    describe(r, &words);
    str_add(out, "<figure id=\"blocks\"><div class=\"scroll\">");
    str_addf(out, "<svg class=\"blocks\" viewBox=\"-1 0 %.0f %.0f\" role=\"img\" ", WIDTH + 2, bottom);
    html_addf(out, "aria-labelledby=\"blocks-t\"><title id=\"blocks-t\">Cores, caches and memory: %s</title>\n",
              words.s);
    str_addn(out, inside.s, inside.len);
    html_addf(out, "</svg></div><figcaption>%s</figcaption></figure>\n", words.s);
    str_release(&inside);
    str_release(&words);
}
