/* counts.c - sums the counts of a region by program, function, line and so on. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "irprof/irprof.h"

enum status irprof_region_usable(const struct irprof_profile *p, size_t index, struct error *e)
{
    static const struct {
        unsigned flaw;
        const char *text;
    } reasons[] = {
        {IRPROF_FLAW_MEMORY, "the program had no memory left to count it"},
        {IRPROF_FLAW_CROSSED, "its begin and end do not nest with another region's"},
        {IRPROF_FLAW_END_ALONE, "it was ended without having been begun"},
        {IRPROF_FLAW_OPEN, "it was never ended"},
    };
    const struct irprof_region *r = &p->regions[index];
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (r->flaws & reasons[i].flaw)
            return error_set(e, ERR_INPUT, AT_FILE(p->path),
                             "region '%s' cannot be used: %s; pair shim_region_begin and shim_region_end like brackets",
                             r->name, reasons[i].text);
    return OK;
}

enum status irprof_region(size_t *index, const struct irprof_profile *p, const char *name, struct error *e)
{
    for (size_t i = 0; i < p->n_regions; i++) {
        if (strcmp(p->regions[i].name, name) == 0) {
            *index = i;
            return irprof_region_usable(p, i, e);
        }
    }
    if (strcmp(name, IRPROF_REGION_MAIN) == 0 || strcmp(name, IRPROF_REGION_TOTAL) == 0) {
        *index = p->n_regions - 1;
        return OK;
    }
    struct str list = STR_INIT;
    for (size_t i = 0; i < p->n_regions; i++)
        str_addf(&list, "%s'%s'", i ? ", " : "", p->regions[i].name);
    enum status s = error_set(e, ERR_INPUT, AT_FILE(p->path), "no region '%s': there is %s", name, str_text(&list));
    str_release(&list);
    return s;
}

void irprof_key_counts(const struct irprof_profile *p, size_t region, uint64_t *counts)
{
    const uint64_t *executions = p->regions[region].executions;
    memset(counts, 0, p->n_keys * sizeof *counts);
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *s = &p->segments[i];
        for (size_t k = s->first_part; k < s->first_part + s->n_parts; k++)
            for (size_t j = p->parts[k].first_item; j < p->parts[k].first_item + p->parts[k].n_items; j++)
                counts[p->items[j].key] += executions[i] * p->items[j].times;
    }
}

size_t irprof_event(const struct irprof_profile *p, const char *name)
{
    size_t i = 0;
    while (i < p->n_events && strcmp(p->events[i], name) != 0)
        i++;
    return i;
}

void irprof_event_counts(const struct irprof_profile *p, size_t region, uint64_t *counts)
{
    if (!p->n_events)
        return;
    memset(counts, 0, p->n_events * sizeof *counts);
    for (size_t i = 0; i < p->n_event_sites; i++)
        counts[p->event_sites[i].event] += p->regions[region].event_counts[i];
}

/* A source line of an executed segment, and its row. */
struct piece {
    struct irprof_row row; /* the row's identity; its counts are empty */
    uint32_t segment, part;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_rows(const struct irprof_row *a, const struct irprof_row *b)
{
    int c = compare_numbers(a->function, b->function);
    c = c ? c : compare_numbers(a->block, b->block);
    c = c ? c : compare_numbers(a->file, b->file);
    return c ? c : compare_numbers(a->line, b->line);
}

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    int c = compare_rows(&x->row, &y->row);
    c = c ? c : compare_numbers(x->segment, y->segment);
    return c ? c : compare_numbers(x->part, y->part);
}

static struct irprof_row row_of(const struct irprof_profile *p, const struct irprof_segment *s,
                                const struct irprof_part *part, enum irprof_by by)
{
    struct irprof_row r = {.function = s->function, .file = IRPROF_NONE, .block = IRPROF_NONE};
    switch (by) {
    case IRPROF_BY_KEY:
        r.function = IRPROF_NONE;
        break;
    case IRPROF_BY_FUNCTION:
        r.file = p->functions[s->function].file;
        r.line = p->functions[s->function].line;
        break;
    case IRPROF_BY_LINE:
        r.function = IRPROF_NONE;
        r.file = part->file;
        r.line = part->line;
        break;
    case IRPROF_BY_BLOCK:
        r.block = s->block;
        break;
    case IRPROF_BY_FUNCTION_LINE:
        r.file = part->file;
        r.line = part->line;
        break;
    }
    return r;
}

static bool something_happened(const struct irprof_part *part, const struct irprof_region *r)
{
    for (size_t i = part->first_event_site; i < part->first_event_site + part->n_event_sites; i++)
        if (r->event_counts[i])
            return true;
    return false;
}

static size_t list_pieces(struct piece **out, const struct irprof_profile *p, const struct irprof_region *r,
                          enum irprof_by by)
{
    size_t n = 0;
    struct piece *pieces = xcalloc(p->n_parts, sizeof *pieces);
    for (size_t i = 0; i < p->n_segments; i++)
        for (size_t k = 0; k < p->segments[i].n_parts; k++) {
            uint32_t part = p->segments[i].first_part + (uint32_t)k;
            if (r->executions[i] || something_happened(&p->parts[part], r))
                pieces[n++] = (struct piece){row_of(p, &p->segments[i], &p->parts[part], by), (uint32_t)i, part};
        }
    if (n && by != IRPROF_BY_KEY)
        qsort(pieces, n, sizeof *pieces, compare_pieces);
    *out = pieces;
    return n;
}

/* Collects a row's counts. `sum` has n_keys zeros before and after. */
struct adder {
    uint64_t *sum;
    VEC(uint32_t) touched;
};

static void add_part(struct adder *a, const struct irprof_profile *p, const struct irprof_part *part, uint64_t times)
{
    for (size_t j = part->first_item; j < part->first_item + part->n_items; j++) {
        const struct irprof_item *item = &p->items[j];
        if (!item->times || !times)
            continue;
        if (!a->sum[item->key])
            vec_push(&a->touched, item->key);
        a->sum[item->key] += item->times * times;
    }
}

static void add_events(struct irprof_row *row, const struct irprof_profile *p, const struct irprof_part *part,
                       const struct irprof_region *r)
{
    for (size_t i = part->first_event_site; i < part->first_event_site + part->n_event_sites; i++)
        row->events[p->event_sites[i].event] += r->event_counts[i];
}

static int compare_keys(const void *a, const void *b)
{
    return compare_numbers(*(const uint32_t *)a, *(const uint32_t *)b);
}

static void finish_row(struct irprof_row *row, struct adder *a)
{
    if (a->touched.n)
        qsort(a->touched.at, a->touched.n, sizeof *a->touched.at, compare_keys);
    row->counts = xcalloc(a->touched.n, sizeof *row->counts);
    row->n_counts = a->touched.n;
    for (size_t i = 0; i < a->touched.n; i++) {
        uint32_t key = a->touched.at[i];
        row->counts[i] = (struct irprof_count){key, a->sum[key]};
        row->total += a->sum[key];
        a->sum[key] = 0;
    }
    a->touched.n = 0;
}

/* How often the subject of a row was entered: the count of its first segment, which may contain no counted
 * instruction. */
static uint64_t entries(const struct irprof_profile *p, size_t segment, const uint64_t *executions, enum irprof_by by)
{
    const struct irprof_segment *s = p->segments;
    size_t first = segment;
    if (by != IRPROF_BY_FUNCTION && by != IRPROF_BY_BLOCK)
        return 0;
    while (first && s[first - 1].function == s[segment].function &&
           (by == IRPROF_BY_FUNCTION || s[first - 1].block == s[segment].block))
        first--;
    return s[first].number == 0 && (by == IRPROF_BY_BLOCK || s[first].block == 0) ? executions[first] : 0;
}

enum status irprof_group(struct irprof_groups **out, const struct irprof_profile *p, size_t region, enum irprof_by by,
                         struct error *e)
{
    enum status status = irprof_region_usable(p, region, e);
    if (status)
        return status;
    const struct irprof_region *r = &p->regions[region];
    struct piece *pieces;
    size_t n = list_pieces(&pieces, p, r, by);
    struct irprof_groups *g = xcalloc(1, sizeof *g);
    struct adder a = {.sum = xcalloc(p->n_keys, sizeof *a.sum)};
    g->rows = xcalloc(n, sizeof *g->rows);
    for (size_t i = 0; i < n;) {
        struct irprof_row *row = &g->rows[g->n_rows++];
        *row = pieces[i].row;
        row->entries = entries(p, pieces[i].segment, r->executions, by);
        row->events = p->n_events ? xcalloc(p->n_events, sizeof *row->events) : 0;
        size_t first = i;
        for (; i < n && compare_rows(&pieces[i].row, &pieces[first].row) == 0; i++) {
            const struct irprof_part *part = &p->parts[pieces[i].part];
            if (by == IRPROF_BY_BLOCK && row->line == 0 && part->line) {
                row->file = part->file;
                row->line = part->line;
            }
            add_part(&a, p, part, r->executions[pieces[i].segment]);
            add_events(row, p, part, r);
        }
        finish_row(row, &a);
    }
    free(pieces);
    free(a.sum);
    vec_release(&a.touched);
    *out = g;
    return OK;
}

void irprof_groups_free(struct irprof_groups *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->n_rows; i++) {
        free(g->rows[i].counts);
        free(g->rows[i].events);
    }
    free(g->rows);
    free(g);
}
