/* job.c - shimgen estimate: estimates profiles one after the other, with notes on what they rest on. */
#include "shimgen/estimate/job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/sums.h"
#include "shimgen/estimate/compile.h"

/* Notes what the estimate assumes beyond the SHIM file. */
static void say_assumed(struct estimate_job *job, const struct estimate *est)
{
    size_t n;
    struct assumption_words *w = assumed_words(&n, &est->assumed, est->total.typical);
    for (size_t i = 0; i < n; i++)
        vec_push(&job->notes,
                 xasprintf("%s: core %s: %s; %s", est->profile->program, est->costs->core, w[i].what, w[i].share));
    assumed_words_free(w, n);
    job->incomplete |= est->assumed.n > 0 || est->n_unmeasured > 0;
    for (size_t i = 0; i < est->n_notes; i++)
        vec_push(&job->notes, xasprintf("%s: %s", est->profile->program, est->notes[i]));
}

static enum status add_region(struct estimate_job *job, const struct irprof_profile *p, size_t region,
                              enum estimate_by by, struct error *e)
{
    enum status s = OK;
    for (size_t c = 0; c < job->table.n_cores && !s; c++) {
        struct estimate *est;
        struct estimate_request q = {.profile = p, .region = region, .costs = &job->cores[c]};
        q.board = job->spec->board;
        q.core = job->spec->timing;
        q.programs = (const char *const *)job->programs.at;
        s = estimate_run(&est, job->method, &q, e);
        if (s)
            break;
        trust_note(est, &job->trust);
        say_assumed(job, est);
        estimate_lines_add(&job->table.lines, est, c, by, &job->trust);
        estimate_lacks_add(&job->table.lacks, est, c);
        if (job->spec->annotate)
            s = annotation_add(&job->annotation, est, job->spec->sources, e);
        if (job->spec->folded)
            folded_add(&job->folded, est, job->spec->no_demangle);
        estimate_free(est);
    }
    return s;
}

static enum estimate_by by_of(const char *name)
{
    static const char *const names[] = {[ESTIMATE_BY_FUNCTION] = "function",
                                        [ESTIMATE_BY_LINE] = "line",
                                        [ESTIMATE_BY_LOOP] = "loop",
                                        [ESTIMATE_BY_BLOCK] = "block"};
    for (size_t i = ESTIMATE_BY_FUNCTION; i <= ESTIMATE_BY_BLOCK; i++)
        if (strcmp(names[i], name) == 0)
            return (enum estimate_by)i;
    return ESTIMATE_BY_PROGRAM;
}

static enum status read_profile(struct irprof_profile **out, const char *operand, struct error *e)
{
    const char *equals = strchr(operand, '=');
    bool named = equals && equals != operand && !file_exists(operand);
    enum status s = irprof_read(out, named ? equals + 1 : operand, e);
    if (!s && named) {
        free((*out)->program);
        (*out)->program = xstrndup(operand, (size_t)(equals - operand));
    }
    return s;
}

/* Notes that its rows could not be told from those of an earlier profile. */
static void say_same_name(struct estimate_job *job, const char *program)
{
    for (size_t i = 0; i < job->table.lines.n; i++)
        if (strcmp(job->table.lines.at[i].program, program) == 0) {
            vec_push(&job->notes,
                     xasprintf("two profiles are of programs named '%s': name them with NAME=PROFILE", program));
            return;
        }
}

enum status estimate_job_add(struct estimate_job *job, const char *operand, struct error *e)
{
    const struct estimate_spec *o = job->spec;
    struct irprof_profile *p = 0;
    enum status s = read_profile(&p, operand, e);
    if (s)
        return s;
    say_same_name(job, p->program);
    if (p->once && p->n_events)
        vec_push(&job->notes,
                 xasprintf("%s: main ran once, not twice to warm the caches (%s): its misses are those of empty caches",
                           p->program, p->once));
    if (p->regions[p->n_regions - 1].clamped)
        vec_push(&job->notes, xasprintf("%s: %" PRIu64 " counts are below zero and taken as 0: a thread was stopped in "
                                        "the middle of a function, or the program has written over its counters",
                                        p->program, p->regions[p->n_regions - 1].clamped));
    enum estimate_by by = by_of(o->by);
    size_t region = p->n_regions - 1;
    if (o->region)
        s = irprof_region(&region, p, o->region, e);
    if (!s && strcmp(o->by, "region") == 0) {
        for (size_t i = 0; !s && i < p->n_regions; i++)
            if (!p->regions[i].flaws)
                s = add_region(job, p, i, by, e);
    } else if (!s) {
        s = add_region(job, p, region, by, e);
    }
    irprof_free(p);
    return s;
}

static enum status read_cores(struct estimate_job *job, struct error *e)
{
    const struct estimate_spec *o = job->spec;
    const char *const read[] = {o->shim, o->model};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        if (read[i])
            sums_note_read(read[i]);
    if (o->core && strcmp(o->core, "all") == 0)
        return costs_list(&job->cores, &job->table.n_cores, o->shim, o->method, e);
    job->cores = xcalloc(1, sizeof *job->cores);
    enum status s = o->shim ? costs_from_shim(job->cores, o->shim, o->core, o->method, e)
                            : costs_from_board(job->cores, o->board, o->timing, e);
    job->table.n_cores = s ? 0 : 1;
    return s;
}

enum status estimate_job_start(struct estimate_job *job, const struct estimate_spec *spec, struct error *e)
{
    *job = (struct estimate_job){.spec = spec};
    args_add_words(&job->programs, spec->programs);
    enum status s = read_cores(job, e);
    if (s)
        return s;
    job->method = estimator_choose(spec->method, job->cores);
    if (spec->model)
        s = trust_read(&job->trust, spec->model, spec->dataset, job->method, spec->shim ? spec->shim : spec->board, e);
    else if (estimator_from_board(job->method))
        trust_of_board(&job->trust, spec->board, spec->timing);
    else
        trust_of_shim(&job->trust, job->cores, job->method, spec->shim ? spec->shim : spec->board);
    if (!s && job->trust.why_none)
        vec_push(&job->notes, xstrdup(job->trust.why_none));
    job->table.cores = job->cores;
    job->table.shim = spec->shim ? spec->shim : spec->board;
    job->table.method = job->method->name;
    job->table.kind = spec->by;
    job->table.level = trust_level(&job->trust);
    job->table.ranges = spec->ranges;
    job->table.mangled = spec->no_demangle;
    return s;
}

void estimate_job_release(struct estimate_job *job)
{
    estimate_lines_release(&job->table.lines);
    estimate_lacks_release(&job->table.lacks);
    annotation_release(&job->annotation);
    str_release(&job->folded);
    costs_list_free(job->cores, job->table.n_cores);
    trust_release(&job->trust);
    board_args_release(&job->programs);
    for (size_t i = 0; i < job->notes.n; i++)
        free(job->notes.at[i]);
    vec_release(&job->notes);
}
