#include "irprof/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/json.h"

/* One region of one program, summed: what every format prints. */
struct section {
    const char *program;
    const struct irprof_profile *profile;
    size_t region;
    struct irprof_groups *groups;
};
struct sections {
    VEC(struct section) all;
};

static enum irprof_by grouping(enum report_by by)
{
    static const enum irprof_by groupings[] = {
        [REPORT_OPCODE] = IRPROF_BY_KEY,  [REPORT_FUNCTION] = IRPROF_BY_FUNCTION, [REPORT_LINE] = IRPROF_BY_LINE,
        [REPORT_BLOCK] = IRPROF_BY_BLOCK, [REPORT_REGION] = IRPROF_BY_KEY,
    };
    return groupings[by];
}

static enum status add_section(struct sections *s, const struct report *r, const struct report_program *program,
                               size_t region, struct error *e)
{
    struct section one = {program->name, program->profile, region, 0};
    enum status status = irprof_group(&one.groups, program->profile, region, grouping(r->by), e);
    if (!status)
        vec_push(&s->all, one);
    return status;
}

static enum status collect(struct sections *s, const struct report *r, struct error *e)
{
    for (size_t i = 0; i < r->n_programs; i++) {
        const struct report_program *program = &r->programs[i];
        size_t from = 0, to = program->profile->n_regions;
        enum status status = OK;
        if (r->region) {
            status = irprof_region(&from, program->profile, r->region, e);
            to = from + 1;
        }
        for (size_t k = from; k < to && !status; k++)
            status = add_section(s, r, program, k, e);
        if (status)
            return status;
    }
    return OK;
}

static uint64_t section_total(const struct section *s)
{
    uint64_t total = 0;
    for (size_t i = 0; i < s->groups->n_rows; i++)
        total += s->groups->rows[i].total;
    return total;
}

static const struct irprof_region *region_of(const struct section *s)
{
    return &s->profile->regions[s->region];
}

static const char *file_name(const struct section *s, uint32_t file)
{
    return file == IRPROF_NONE ? "" : s->profile->files[file];
}

static const char *function_name(const struct section *s, const struct irprof_row *row)
{
    return row->function == IRPROF_NONE ? "" : s->profile->functions[row->function].name;
}

/* ---- text ---- */

struct line {
    char *text; /* owned */
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

static char *place_text(const struct section *s, uint32_t file, uint32_t line)
{
    if (file == IRPROF_NONE)
        return xstrdup("(no line)");
    return line ? xasprintf("%s:%" PRIu32, file_name(s, file), line) : xasprintf("%s (no line)", file_name(s, file));
}

static char *row_text(const struct section *s, const struct irprof_row *row, enum report_by by)
{
    char *place = place_text(s, row->file, row->line), *text;
    if (by == REPORT_FUNCTION)
        text = xasprintf("%12" PRIu64 "  %s  %s", row->entries, function_name(s, row), place);
    else if (by == REPORT_BLOCK)
        text = xasprintf("%12" PRIu64 "  %s block %" PRIu32 "  %s", row->entries, function_name(s, row), row->block,
                         place);
    else
        text = xstrdup(place);
    free(place);
    return text;
}

static size_t list_lines(struct line **out, const struct section *s, enum report_by by)
{
    VEC(struct line) lines = {0};
    for (size_t i = 0; i < s->groups->n_rows; i++) {
        const struct irprof_row *row = &s->groups->rows[i];
        if (by != REPORT_OPCODE) {
            vec_push(&lines, (struct line){row_text(s, row, by), row->total, i});
            continue;
        }
        for (size_t k = 0; k < row->n_counts; k++)
            vec_push(&lines, (struct line){xstrdup(s->profile->keys[row->counts[k].key]), row->counts[k].count, k});
    }
    if (lines.n)
        qsort(lines.at, lines.n, sizeof *lines.at, by_count);
    *out = lines.at;
    return lines.n;
}

static const char *heading(enum report_by by)
{
    static const char *const headings[] = {
        [REPORT_OPCODE] = "key", [REPORT_FUNCTION] = "       calls  function",
        [REPORT_LINE] = "line",  [REPORT_BLOCK] = "     entries  block",
        [REPORT_REGION] = "",
    };
    return headings[by];
}

static void print_head(const struct section *s, FILE *f)
{
    const struct irprof_profile *p = s->profile;
    fprintf(f, "%s: %" PRIu64 " run%s", s->program, p->runs, p->runs == 1 ? "" : "s");
    if (p->end == IRPROF_END_SIGNAL)
        fprintf(f, ", ended by signal %u (%s)", p->end_signal, strsignal((int)p->end_signal));
    fputc('\n', f);
    for (size_t i = 0; i < p->n_functions; i++)
        if (p->functions[i].not_counted)
            fprintf(f, "  not counted: %s (%s)\n", p->functions[i].name, p->functions[i].not_counted);
}

static void print_section(const struct section *s, enum report_by by, FILE *f)
{
    const struct irprof_region *region = region_of(s);
    uint64_t total = section_total(s);
    fprintf(f, "  region %s: %" PRIu64 " instructions, entered %" PRIu64 " time%s\n", region->name, total,
            region->entries, region->entries == 1 ? "" : "s");
    if (by == REPORT_REGION)
        return;
    struct line *lines;
    size_t n = list_lines(&lines, s, by);
    fprintf(f, "%16s %7s  %s\n", "instructions", "%", heading(by));
    for (size_t i = 0; i < n; i++) {
        fprintf(f, "%16" PRIu64 " %6.2f%%  %s\n", lines[i].count, 100.0 * (double)lines[i].count / (double)total,
                lines[i].text);
        free(lines[i].text);
    }
    free(lines);
}

static void print_text(const struct sections *s, enum report_by by, FILE *f)
{
    for (size_t i = 0; i < s->all.n; i++) {
        const struct section *one = &s->all.at[i];
        if (i == 0 || one->profile != s->all.at[i - 1].profile)
            print_head(one, f);
        print_section(one, by, f);
    }
}

/* ---- CSV ---- */

static void put_start(const struct section *s, FILE *f)
{
    csv_put(f, s->program);
    fputc(',', f);
    csv_put(f, region_of(s)->name);
}

static void put_text(FILE *f, const char *text)
{
    fputc(',', f);
    csv_put(f, text);
}

/* Unknown is an empty cell. */
static void put_line(FILE *f, uint32_t line)
{
    fputc(',', f);
    if (line)
        fprintf(f, "%" PRIu32, line);
}

static void csv_rows(const struct section *s, enum report_by by, FILE *f)
{
    for (size_t i = 0; i < s->groups->n_rows; i++) {
        const struct irprof_row *row = &s->groups->rows[i];
        for (size_t k = 0; by == REPORT_OPCODE && k < row->n_counts; k++) {
            put_start(s, f);
            put_text(f, s->profile->keys[row->counts[k].key]);
            fprintf(f, ",%" PRIu64 "\n", row->counts[k].count);
        }
        if (by == REPORT_OPCODE)
            continue;
        put_start(s, f);
        if (by != REPORT_LINE)
            put_text(f, function_name(s, row));
        if (by == REPORT_BLOCK)
            fprintf(f, ",%" PRIu32, row->block);
        put_text(f, file_name(s, row->file));
        put_line(f, row->line);
        if (by != REPORT_LINE)
            fprintf(f, ",%" PRIu64, row->entries);
        fprintf(f, ",%" PRIu64 "\n", row->total);
    }
}

static void print_csv(const struct sections *s, enum report_by by, FILE *f)
{
    static const char *const headers[] = {
        [REPORT_OPCODE] = "program,region,key,count",
        [REPORT_FUNCTION] = "program,region,function,file,line,calls,instructions",
        [REPORT_LINE] = "program,region,file,line,instructions",
        [REPORT_BLOCK] = "program,region,function,block,file,line,entries,instructions",
        [REPORT_REGION] = "program,region,entries,instructions",
    };
    fprintf(f, "%s\n", headers[by]);
    for (size_t i = 0; i < s->all.n; i++) {
        const struct section *one = &s->all.at[i];
        if (by != REPORT_REGION) {
            csv_rows(one, by, f);
            continue;
        }
        put_start(one, f);
        fprintf(f, ",%" PRIu64 ",%" PRIu64 "\n", region_of(one)->entries, section_total(one));
    }
}

/* ---- JSON ---- */

static json_t *json_count(uint64_t n)
{
    return json_integer((json_int_t)n); /* the reader refuses what does not fit in 63 bits */
}

static json_t *json_row(const struct section *s, const struct irprof_row *row, enum report_by by)
{
    json_t *o = json_object(), *keys = json_object();
    if (by == REPORT_FUNCTION || by == REPORT_BLOCK)
        json_object_set_new(o, "function", json_string_nocheck(function_name(s, row)));
    if (by == REPORT_BLOCK)
        json_object_set_new(o, "block", json_count(row->block));
    if (by != REPORT_OPCODE && by != REPORT_REGION && row->file != IRPROF_NONE) {
        json_object_set_new(o, "file", json_string_nocheck(file_name(s, row->file)));
        if (row->line)
            json_object_set_new(o, "line", json_count(row->line));
    }
    if (by == REPORT_FUNCTION || by == REPORT_BLOCK)
        json_object_set_new(o, by == REPORT_FUNCTION ? "calls" : "entries", json_count(row->entries));
    json_object_set_new(o, "instructions", json_count(row->total));
    for (size_t i = 0; i < row->n_counts; i++)
        json_object_set_new_nocheck(keys, s->profile->keys[row->counts[i].key], json_count(row->counts[i].count));
    json_object_set_new(o, "keys", keys);
    return o;
}

static json_t *json_section(const struct section *s, enum report_by by)
{
    json_t *o = json_object(), *rows = json_array();
    json_object_set_new(o, "program", json_string_nocheck(s->program));
    json_object_set_new(o, "profile", json_string_nocheck(s->profile->path));
    json_object_set_new(o, "runs", json_count(s->profile->runs));
    json_object_set_new(o, "region", json_string_nocheck(region_of(s)->name));
    json_object_set_new(o, "entries", json_count(region_of(s)->entries));
    json_object_set_new(o, "instructions", json_count(section_total(s)));
    for (size_t i = 0; i < s->groups->n_rows && by != REPORT_REGION; i++)
        json_array_append_new(rows, json_row(s, &s->groups->rows[i], by));
    if (by == REPORT_REGION)
        json_decref(rows);
    else
        json_object_set_new(o, "rows", rows);
    return o;
}

static enum status print_json(const struct sections *s, enum report_by by, FILE *f, struct error *e)
{
    json_t *all = json_array();
    for (size_t i = 0; i < s->all.n; i++)
        json_array_append_new(all, json_section(&s->all.at[i], by));
    char *text = json_dumps(all, JSON_INDENT(2));
    json_decref(all);
    if (!text)
        return error_set(e, ERR_INPUT, NOWHERE, "a name in the profile is not UTF-8: use --format csv");
    fprintf(f, "%s\n", text);
    free(text);
    return OK;
}

/* ---- what is needed for it ---- */

/* Lines were asked for: is there any line information at all? */
static enum status check_lines(const struct report *r, struct error *e)
{
    for (size_t i = 0; i < r->n_programs && r->by == REPORT_LINE; i++)
        if (!r->programs[i].profile->n_files)
            return error_set(e, ERR_INPUT, AT_FILE(r->programs[i].profile->path),
                             "has no source lines: compile the program with -g");
    return OK;
}

enum status report_write(const struct report *r, FILE *f, struct error *e)
{
    struct sections s = {0};
    enum status status = check_lines(r, e);
    if (!status)
        status = collect(&s, r, e);
    if (!status && r->format == REPORT_TEXT)
        print_text(&s, r->by, f);
    if (!status && r->format == REPORT_CSV)
        print_csv(&s, r->by, f);
    if (!status && r->format == REPORT_JSON)
        status = print_json(&s, r->by, f, e);
    for (size_t i = 0; i < s.all.n; i++)
        irprof_groups_free(s.all.at[i].groups);
    vec_release(&s.all);
    return status;
}
