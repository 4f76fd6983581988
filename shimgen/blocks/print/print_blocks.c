/* print_blocks.c - prints block costs as text and CSV. */
#include "shimgen/blocks/print_blocks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/demangle.h"
#include "base/file.h"
#include "base/str.h"
#include "shimgen/blocks/print/shown.h"

double blocks_share(const struct blocks *b, const struct blocks_row *row, size_t core)
{
    return b->total[core].typical > 0 ? row->cycles[core].typical / b->total[core].typical : 0;
}

double blocks_interval(double *low, double *high, const struct blocks_print *p, size_t core, double cycles)
{
    const struct blocks *b = p->blocks;
    struct trust_kind kind = trust_kind_of(b->request->profile, b->request->region, b->total[core].typical);
    return trust_interval(low, high, p->trust, &kind, cycles);
}

double blocks_shown_share(const struct blocks *b, const struct blocks_row *row, size_t core)
{
    if (!b->steps)
        return blocks_share(b, row, core);
    return b->steps[core].mean > 0 ? row->steps[core].mean / b->steps[core].mean : 0;
}

double blocks_us(const struct blocks *b, size_t core, double cycles)
{
    double hertz = b->request->cores[core].clock_hz;
    return hertz > 0 ? cycles / hertz * 1e6 : (double)NAN;
}

const char *blocks_parent(const struct blocks *b, const struct block *k)
{
    return k->parent == BLOCK_NONE ? 0 : b->tree.blocks.at[k->parent].name;
}

const char *blocks_kind_name(enum block_kind kind)
{
    static const char *const names[BLOCK_KINDS] = {
        [BLOCK_FUNCTION] = "function", [BLOCK_SYSTEM] = "system", [BLOCK_MODEL] = "block",
        [BLOCK_STATE] = "state",       [BLOCK_MARKER] = "marker", [BLOCK_REGION] = "region"};
    return names[kind];
}

const char *blocks_step_name(const struct blocks *b, size_t *length)
{
    *length = b->step ? b->step->n_function : 0;
    return b->step ? b->step->name : NULL;
}

/* Half a per cent would be rounded to 0. */
static void add_part(struct str *s, const char *what, uint64_t n, uint64_t all)
{
    bool little = 200 * n <= all;
    if (n && all)
        str_addf(s, "%s%s %s%.0f %%", s->len ? ", " : "", what, little ? "under " : "",
                 little ? 1 : 100.0 * (double)n / (double)all);
}

char *blocks_readable(const struct blocks_print *p, const struct blocks_row *row)
{
    if (p->mangled || row->block->kind != BLOCK_FUNCTION)
        return 0;
    char *spoken = demangle(row->block->name);
    if (strcmp(spoken, row->block->name) != 0)
        return spoken;
    free(spoken);
    return 0;
}

char *blocks_readable_name(const struct blocks_print *p, const struct blocks_row *row)
{
    char *readable = blocks_readable(p, row);
    if (!readable)
        return blocks_title(row->block);
    char *title = xasprintf("%s %s", row->block->type, readable);
    free(readable);
    return title;
}

char *blocks_remark(const struct blocks_row *row)
{
    struct str s = STR_INIT;
    if (row->state != BLOCKS_EXECUTED)
        str_add(&s, blocks_state_name(row->state));
    add_part(&s, "merged", row->merged, row->instructions);
    add_part(&s, "inlined", row->inlined, row->instructions);
    add_part(&s, "moved", row->moved, row->instructions);
    str_add(&s, "");
    return str_detach(&s);
}

/* ---- text ---- */

static void put_bound(double cycles, int digits, int width, FILE *f)
{
    if (isnan(cycles))
        fprintf(f, " %*s", width, "-");
    else
        fprintf(f, " %*.*f", width, digits, cycles);
}

/* Writes " (90 %: from 100 to 200)", or nothing. */
static void put_interval(const struct blocks_print *p, size_t core, double cycles, int digits, FILE *f)
{
    double low, high, level = blocks_interval(&low, &high, p, core, cycles);
    if (!(level > 0))
        return;
    fprintf(f, " (%.0f %%: from", 100 * level);
    put_bound(low, digits, 0, f);
    fputs(" to", f);
    put_bound(high, digits, 0, f);
    fputc(')', f);
}

static void put_core(const struct blocks_print *p, const struct shown_core *c, FILE *f)
{
    const struct blocks *b = p->blocks;
    size_t i = c->core;
    const struct costs *core = &b->request->cores[i];
    fprintf(f, "%s %s", strcmp(c->names, core->core) == 0 ? "core" : "cores", c->names);
    if (core->clock_hz > 0)
        fprintf(f, ", %.6g MHz", core->clock_hz / 1e6);
    fprintf(f, ": %.0f cycles", b->total[i].typical);
    put_interval(p, i, b->total[i].typical, 0, f);
    if (p->ranges)
        fprintf(f, ", by best values %.0f, by worst %.0f", b->total[i].best, b->total[i].worst);
    if (b->steps) {
        fprintf(f, "; a step %.1f", b->steps[i].mean);
        put_interval(p, i, b->steps[i].mean, 1, f);
        fprintf(f, ", the shortest %.1f, the longest %.1f", b->steps[i].best, b->steps[i].worst);
    }
    fputc('\n', f);
}

/* Writes the load of each rate, and of all. */
static void put_loads(const struct blocks_print *p, const struct shown_core *c, FILE *f)
{
    const struct blocks *b = p->blocks;
    double mean = 0, worst = 0;
    for (size_t i = 0; p->loads && i < p->loads->n; i++) {
        const struct blocks_rate *r = &p->loads->at[i];
        double m = blocks_load(b, r, c->core, r->mean[c->core]), w = blocks_load(b, r, c->core, r->worst[c->core]);
        fprintf(f, "load of %s: %s every %.6g ms: %.4g %% in the mean, %.4g %% in the longest step\n", c->names,
                r->function, r->period_s * 1e3, 100 * m, 100 * w);
        mean += m;
        worst += w;
    }
    if (p->loads && p->loads->n > 1)
        fprintf(f, "load of %s: all rates: %.4g %% in the mean, %.4g %% in the longest steps\n", c->names, 100 * mean,
                100 * worst);
}

static void put_head(const struct blocks_print *p, const struct shown *s, FILE *f)
{
    const struct blocks *b = p->blocks;
    const struct blocks_request *q = b->request;
    size_t n;
    const char *step = blocks_step_name(b, &n);
    fprintf(f, "%s, region %s: %" PRIu64 " instructions; method %s\n", q->profile->program,
            q->profile->regions[q->region].name, b->instructions, q->method->name);
    if (step)
        fprintf(f, "%" PRIu64 " steps of %.*s, gone through in %" PRIu64 "%s ways\n", b->n_steps, (int)n, step,
                b->n_kinds, b->step_kinds_complete ? "" : " and more");
    for (size_t i = 0; i < s->n_cores; i++)
        put_core(p, &s->cores[i], f);
    for (size_t i = 0; i < s->n_cores; i++)
        put_loads(p, &s->cores[i], f);
    if (b->request->measured)
        fprintf(f, "measured, in all rows: %" PRIu64 " cycles of the whole run%s\n", b->measured,
                shown_measured(p) ? "" : "; --whole-run prints those of each row");
}

static bool has_clock(const struct blocks_print *p, size_t core)
{
    return p->blocks->request->cores[core].clock_hz > 0;
}

/* Columns of one core. For several cores, each has only cycles, time and interval. All values are of the mean step, or
 * all of the whole run. */
static void put_columns(const struct blocks_print *p, const struct shown *s, FILE *f)
{
    const struct blocks *b = p->blocks;
    bool one = s->n_cores == 1, steps = shown_steps(p);
    double level = trust_level(p->trust);
    for (size_t i = 0; i < s->n_cores; i++) {
        size_t core = s->cores[i].core;
        fprintf(f, " %*s", one ? 12 : 14, !one ? b->request->cores[core].core : steps ? "cycles/step" : "cycles");
        if (has_clock(p, core))
            fprintf(f, " %10s", steps ? "us/step" : "us");
        if (level > 0)
            fprintf(f, " %3.0f %%: from %10s", 100 * level, "to");
    }
    if (one && steps)
        fprintf(f, " %10s %10s", "shortest", "longest");
    if (one && p->ranges && !steps)
        fprintf(f, " %14s %14s", "by best values", "by worst");
    if (shown_measured(p))
        fprintf(f, " %12s %8s", "measured", "error");
    fprintf(f, " %10s %7s %10s %10s %10s  %s\n", "inclusive", "share", steps ? "times/step" : "times",
            steps ? "read/step" : "read [B]", "written", "block");
}

/* Also writes the error of the first core's estimate. */
static void put_measured(const struct blocks_print *p, const struct blocks_row *row, FILE *f)
{
    if (!shown_measured(p))
        return;
    fprintf(f, " %12" PRIu64, row->measured);
    if (row->measured)
        fprintf(f, " %+7.1f%%", 100 * (row->cycles[0].typical / (double)row->measured - 1));
    else
        fprintf(f, " %8s", "-");
}

static void put_figures(const struct blocks_print *p, const struct shown *s, const struct blocks_row *row, FILE *f)
{
    bool one = s->n_cores == 1, steps = shown_steps(p);
    int digits = steps ? 2 : 0;
    for (size_t i = 0; i < s->n_cores; i++) {
        double low, high;
        size_t core = s->cores[i].core;
        double cycles = shown_cycles(p, row, core);
        fprintf(f, " %*.*f", one ? 12 : 14, digits, cycles);
        if (has_clock(p, core))
            fprintf(f, " %10.*f", steps ? 4 : 1, blocks_us(p->blocks, core, cycles));
        blocks_interval(&low, &high, p, core, cycles);
        if (trust_level(p->trust) > 0) {
            put_bound(low, digits, 12, f);
            put_bound(high, digits, 10, f);
        }
    }
    if (one && steps)
        fprintf(f, " %10.2f %10.2f", row->steps[0].best, row->steps[0].worst);
    if (one && p->ranges && !steps)
        fprintf(f, " %14.0f %14.0f", row->cycles[0].best, row->cycles[0].worst);
    put_measured(p, row, f);
    fprintf(f, " %10.*f", digits, shown_inclusive(p, row, 0));
}

static void put_row(const struct blocks_print *p, const struct shown *s, const struct blocks_row *row, FILE *f)
{
    char *title = blocks_readable_name(p, row), *remark = blocks_remark(row);
    int digits = shown_steps(p) ? 2 : 0;
    put_figures(p, s, row, f);
    fprintf(f, " %6.2f%% %10.*f %10.*f %10.*f  %s", 100 * shown_share(p, row, 0), digits,
            shown_count(p, row->executions, row->in_steps.executions), digits,
            shown_count(p, row->read, row->in_steps.read), digits, shown_count(p, row->written, row->in_steps.written),
            title);
    if (row->path && row->block->line)
        fprintf(f, " (%s:%lu)", path_basename(row->path), row->block->line);
    if (*remark)
        fprintf(f, " [%s]", remark);
    double copies = shown_count(p, row->copies, row->in_steps.copies);
    if (copies > 0)
        fprintf(f, " [%.6g copies of unknown size]", copies);
    fputc('\n', f);
    free(title);
    free(remark);
}

/* Writes what was left out. */
static void put_rest(const struct blocks_print *p, const struct shown *s, FILE *f)
{
    for (size_t i = 0; i < s->n_cores && s->n_cut; i++)
        fprintf(f, " %*.*f", s->n_cores == 1 ? 12 : 14, shown_steps(p) ? 2 : 0, s->cut_cycles[i]);
    if (s->n_cut)
        fprintf(f, "  in %zu more rows (--top %zu)\n", s->n_cut, p->top);
    if (s->n_empty)
        fprintf(f, "%zu %s without cycles: --all prints %s\n", s->n_empty, s->n_empty == 1 ? "row" : "rows",
                s->n_empty == 1 ? "it" : "them");
}

/* Writes each call path of a block, and below it the cost by that path. */
static void put_instances(const struct blocks_print *p, FILE *f)
{
    const struct blocks *b = p->blocks;
    const struct blocks_instances *list = shown_steps(p) ? &b->step_instances : &b->instances;
    int digits = shown_steps(p) ? 2 : 0;
    fprintf(f, "\ninstances on core %s:%s\n", b->request->cores[0].core,
            list->n ? "" : " no row is called by several ways");
    if (list->n)
        fprintf(f, " %12s %10s %10s  %s\n", shown_steps(p) ? "cycles/step" : "cycles", "inclusive",
                shown_steps(p) ? "calls/step" : "calls", "block, called by");
    for (size_t i = 0; i < list->n; i++) {
        const struct blocks_instance *n = &list->at[i];
        char *title = blocks_title(&b->tree.blocks.at[n->block]);
        fprintf(f, " %12.*f %10.*f %10.*f  %s, called by %s%s\n", digits, n->self[0], digits, n->inclusive[0], digits,
                n->calls, title, *n->path ? n->path : "what is not known", n->exact ? "" : " [divided by calls]");
        free(title);
    }
}

void blocks_text(const struct blocks_print *p, FILE *f)
{
    struct shown s;
    shown_make(&s, p);
    put_head(p, &s, f);
    put_columns(p, &s, f);
    for (size_t i = 0; i < s.n_rows; i++)
        put_row(p, &s, s.rows[i], f);
    put_rest(p, &s, f);
    if (p->instances)
        put_instances(p, f);
    shown_release(&s);
}

/* ---- CSV ---- */

static void put_text(FILE *f, const char *text)
{
    csv_put(f, text ? text : "");
    fputc(',', f);
}

/* Writes a number so that it reads back equal. */
static void put_number(FILE *f, double v)
{
    char *text = format_double(v);
    fprintf(f, ",%s", text);
    free(text);
}

static void put_number_or_nothing(FILE *f, double v)
{
    if (isnan(v))
        fputc(',', f);
    else
        put_number(f, v);
}

static void put_cycles(const struct blocks_print *p, size_t core, const struct cycles *c, double share,
                       const struct blocks_step *step, FILE *f)
{
    double low, high, level = blocks_interval(&low, &high, p, core, c->typical);
    put_number(f, c->typical);
    put_number_or_nothing(f, low);
    put_number_or_nothing(f, high);
    put_number_or_nothing(f, level > 0 ? level : (double)NAN);
    if (p->ranges) {
        put_number(f, c->best);
        put_number(f, c->worst);
    }
    fprintf(f, ",%.6g", share);
    if (step) {
        blocks_interval(&low, &high, p, core, step->mean);
        put_number(f, step->mean);
        put_number_or_nothing(f, low);
        put_number_or_nothing(f, high);
        put_number(f, step->best);
        put_number(f, step->worst);
    } else {
        fputs(",,,,,", f);
    }
}

static void csv_start(const struct blocks *b, size_t core, FILE *f)
{
    const struct blocks_request *q = b->request;
    put_text(f, q->profile->program);
    put_text(f, q->profile->regions[q->region].name);
    put_text(f, q->cores[core].core);
}

/* Writes the means over steps. */
static void put_step_mean(const struct blocks *b, uint64_t n, FILE *f)
{
    put_number_or_nothing(f, b->step && !b->step->flaws ? (double)n / (double)b->n_steps : (double)NAN);
}

/* Writes the columns that were added later. */
static void put_more(const struct blocks *b, const struct blocks_row *row, size_t core, FILE *f)
{
    bool steps = row->steps != 0;
    const char *parent = blocks_parent(b, row->block);
    fputc(',', f);
    csv_put(f, parent ? parent : "");
    put_number_or_nothing(f, blocks_us(b, core, row->cycles[core].typical));
    put_number(f, row->inclusive[core]);
    put_number_or_nothing(f, steps ? blocks_us(b, core, row->steps[core].mean) : (double)NAN);
    put_number_or_nothing(f, row->step_inclusive ? row->step_inclusive[core] : (double)NAN);
    put_number_or_nothing(f, steps ? blocks_shown_share(b, row, core) : (double)NAN);
    put_step_mean(b, row->in_steps.executions, f);
    put_step_mean(b, row->in_steps.read, f);
    put_step_mean(b, row->in_steps.written, f);
}

static void end_row(const struct blocks *b, uint64_t measured, FILE *f)
{
    if (b->request->measured)
        fprintf(f, ",%" PRIu64, measured);
    fputc('\n', f);
}

static void csv_row(const struct blocks_print *p, const struct blocks_row *row, size_t core, FILE *f)
{
    const struct blocks *b = p->blocks;
    const struct block *block = row->block;
    csv_start(b, core, f);
    put_text(f, blocks_kind_name(block->kind));
    put_text(f, block->type);
    put_text(f, block->name);
    put_text(f, block->label);
    put_text(f, block->model);
    put_text(f, block->system);
    put_text(f, row->path);
    if (block->line)
        fprintf(f, "%lu", block->line);
    fprintf(f, ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
            blocks_state_name(row->state), row->executions, row->instructions, row->read, row->written, row->copies,
            row->merged, row->inlined, row->moved);
    put_cycles(p, core, &row->cycles[core], blocks_share(b, row, core), row->steps ? &row->steps[core] : 0, f);
    fputc(',', f);
    put_text(f, block->incorporates);
    put_text(f, block->phases);
    char *readable = blocks_readable(p, row);
    csv_put(f, readable ? readable : "");
    free(readable);
    put_more(b, row, core, f);
    end_row(b, row->measured, f);
}

static void put_total_more(const struct blocks *b, size_t core, FILE *f)
{
    put_number_or_nothing(f, blocks_us(b, core, b->total[core].typical));
    put_number(f, b->total[core].typical);
    if (b->steps) {
        put_number_or_nothing(f, blocks_us(b, core, b->steps[core].mean));
        put_number(f, b->steps[core].mean);
        fputs(",1,1,,", f);
    } else {
        fputs(",,,,,,", f);
    }
}

void blocks_csv(const struct blocks_print *p, FILE *f)
{
    const struct blocks *b = p->blocks;
    fprintf(f,
            "program,region,core,kind,type,name,label,model,system,file,line,state,executions,instructions,read_bytes,"
            "written_bytes,copies,merged,inlined,moved,cycles,low,high,level,%sshare,step_mean,step_low,step_high,"
            "step_best,step_worst,incorporates,phases,readable,parent,us,inclusive,step_us,step_inclusive,step_share,"
            "step_executions,step_read_bytes,step_written_bytes%s\n",
            p->ranges ? "cycles_best,cycles_worst," : "", b->request->measured ? ",measured" : "");
    for (size_t core = 0; core < b->request->n_cores; core++) {
        for (size_t i = 0; i < b->n_rows; i++)
            csv_row(p, &b->rows[i], core, f);
        csv_start(b, core, f);
        fprintf(f, "total,,,,,,,,,,%" PRIu64 ",,,,,,", b->instructions);
        put_cycles(p, core, &b->total[core], 1, b->steps ? &b->steps[core] : 0, f);
        fputs(",,,,", f);
        put_total_more(b, core, f);
        end_row(b, b->measured, f);
    }
}

static void csv_instance(const struct blocks *b, const char *per, const struct blocks_instance *i, size_t core, FILE *f)
{
    const struct block *k = &b->tree.blocks.at[i->block];
    csv_start(b, core, f);
    put_text(f, per);
    put_text(f, blocks_kind_name(k->kind));
    put_text(f, k->type);
    put_text(f, k->name);
    put_text(f, k->model);
    csv_put(f, i->path);
    put_number(f, i->calls);
    put_number(f, i->self[core]);
    put_number(f, i->inclusive[core]);
    put_number_or_nothing(f, blocks_us(b, core, i->self[core]));
    put_number_or_nothing(f, blocks_us(b, core, i->inclusive[core]));
    fprintf(f, ",%s\n", i->exact ? "exact" : "by calls");
}

void blocks_instances_csv(const struct blocks_print *p, FILE *f)
{
    const struct blocks *b = p->blocks;
    fputs("program,region,core,per,kind,type,name,model,path,calls,cycles,inclusive,us,inclusive_us,divided\n", f);
    for (size_t core = 0; core < b->request->n_cores; core++) {
        for (size_t i = 0; i < b->instances.n; i++)
            csv_instance(b, "run", &b->instances.at[i], core, f);
        for (size_t i = 0; i < b->step_instances.n; i++)
            csv_instance(b, "step", &b->step_instances.at[i], core, f);
    }
}
