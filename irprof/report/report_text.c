/* report_text.c - reports as text for people. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "irprof/report/formats.h"

struct line {
    char *text;             /* owned */
    const uint64_t *events; /* borrowed; NULL: none */
    uint64_t count;
    size_t order;
};

static int by_count(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static char *row_text(const struct section *s, const struct irprof_row *row, enum report_by by)
{
    char *place = section_place(s, row->file, row->line), *text;
    char *function = section_words(s, row->function);
    if (by == REPORT_FUNCTION)
        text = xasprintf("%12" PRIu64 "  %s  %s", row->entries, function, place);
    else if (by == REPORT_BLOCK)
        text = xasprintf("%12" PRIu64 "  %s block %" PRIu32 "  %s", row->entries, function, row->block, place);
    else
        text = xstrdup(place);
    free(function);
    free(place);
    return text;
}

static size_t list_lines(struct line **out, const struct section *s, enum report_by by)
{
    VEC(struct line) lines = {0};
    for (size_t i = 0; i < s->groups->n_rows; i++) {
        const struct irprof_row *row = &s->groups->rows[i];
        if (by != REPORT_OPCODE) {
            vec_push(&lines, (struct line){row_text(s, row, by), row->events, row->total, i});
            continue;
        }
        for (size_t k = 0; k < row->n_counts; k++)
            vec_push(&lines, (struct line){xstrdup(s->profile->keys[row->counts[k].key]), 0, row->counts[k].count, k});
    }
    if (lines.n)
        qsort(lines.at, lines.n, sizeof *lines.at, by_count);
    *out = lines.at;
    return lines.n;
}

static const char *heading(enum report_by by)
{
    static const char *const headings[] = {
        [REPORT_OPCODE] = "key",
        [REPORT_FUNCTION] = "       calls  function",
        [REPORT_LINE] = "line",
        [REPORT_BLOCK] = "     entries  block",
    };
    return headings[by];
}

int event_width(const char *name)
{
    return strlen(name) < 12 ? 12 : (int)strlen(name);
}

static void print_lines(const struct section *s, enum report_by by, FILE *f)
{
    const struct irprof_profile *p = s->profile;
    struct line *lines;
    size_t n = list_lines(&lines, s, by), n_events = by == REPORT_OPCODE ? 0 : p->n_events;
    fprintf(f, "%16s %7s  ", "instructions", "%");
    for (size_t k = 0; k < n_events; k++)
        fprintf(f, "%*s  ", event_width(p->events[k]), p->events[k]);
    fprintf(f, "%s\n", heading(by));
    for (size_t i = 0; i < n; i++) {
        double share = s->total ? 100.0 * (double)lines[i].count / (double)s->total : 0;
        fprintf(f, "%16" PRIu64 " %6.2f%%  ", lines[i].count, share);
        for (size_t k = 0; k < n_events; k++)
            fprintf(f, "%*" PRIu64 "  ", event_width(p->events[k]), lines[i].events[k]);
        fprintf(f, "%s\n", lines[i].text);
        free(lines[i].text);
    }
    free(lines);
}

/* The settings of the simulation; once, although each module has them. */
static void print_settings(const struct irprof_profile *p, FILE *f)
{
    struct map seen = {0};
    for (size_t i = 0; i < p->n_modules; i++) {
        const char *settings = p->modules[i].settings;
        if (!*settings || map_get(&seen, settings, 0))
            continue;
        map_put(&seen, settings, 0);
        fprintf(f, "  recorded with %s\n", settings);
    }
    map_release(&seen);
}

static void print_head(const struct section *s, FILE *f)
{
    const struct irprof_profile *p = s->profile;
    fprintf(f, "%s: %" PRIu64 " run%s", s->program, p->runs, p->runs == 1 ? "" : "s");
    if (p->end == IRPROF_END_SIGNAL)
        fprintf(f, ", ended by signal %u (%s)", p->end_signal, strsignal((int)p->end_signal));
    fputc('\n', f);
    if (p->once)
        fprintf(f, "  main ran once, not twice to warm the caches: %s\n", p->once);
    print_settings(p, f);
    for (size_t i = 0; i < p->n_functions; i++)
        if (p->functions[i].not_counted)
            fprintf(f, "  not counted: %s (%s)\n", p->functions[i].name, p->functions[i].not_counted);
}

static uint64_t event_count(const struct section *s, const char *name)
{
    size_t event = irprof_event(s->profile, name);
    return event < s->profile->n_events ? s->events[event] : 0;
}

/* How often values were not in a register, for programs whose spills were counted (docs/method/spills.md). */
static void print_spills(const struct section *s, FILE *f)
{
    uint64_t registers = event_count(s, "REGISTER_ACCESS");
    uint64_t spills = event_count(s, "SPILL_LOAD") + event_count(s, "SPILL_STORE");
    if (registers)
        fprintf(f, "    %" PRIu64 " accesses of registers on the stack, %.4f of REGISTER_ACCESS (RegMissRate)\n",
                spills, (double)spills / (double)registers);
}

static void print_section(const struct section *s, enum report_by by, FILE *f)
{
    const struct irprof_region *region = section_region(s);
    fprintf(f, "  region %s: %" PRIu64 " instructions, entered %" PRIu64 " time%s\n", region->name, s->total,
            region->entries, region->entries == 1 ? "" : "s");
    for (size_t i = 0; i < s->profile->n_events; i++)
        fprintf(f, "%s%" PRIu64 " %s%s", i ? ", " : "    ", s->events[i], s->profile->events[i],
                i + 1 == s->profile->n_events ? "\n" : "");
    print_spills(s, f);
    if (region->clamped)
        fprintf(f, "    counts below zero, taken as 0: %" PRIu64 "; threads were stopped in the middle of a function\n",
                region->clamped);
    if (by == REPORT_BRANCH)
        branches_text(s, f);
    else if (by == REPORT_LOOP)
        loops_text(s, f);
    else if (by != REPORT_REGION)
        print_lines(s, by, f);
}

void report_text(const struct sections *s, FILE *f)
{
    for (size_t i = 0; i < s->all.n; i++) {
        const struct section *one = &s->all.at[i];
        if (i == 0 || one->profile != s->all.at[i - 1].profile)
            print_head(one, f);
        print_section(one, s->by, f);
    }
}
