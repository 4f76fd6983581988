/* kit_judge.c - can the log be trusted? One part, one set of conditions, a counter that counts, a clock that is right,
 * and equal results for programs that came twice. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "boards/kit/kit.h"

/* Twice the iterations of the known loop take twice the cycles, within 5 % for what stands around the loops. */
#define LOOPS_TOLERANCE 0.05
/* Crystals are accurate to 0.01 %, internal oscillators of microcontrollers to 1 or 2 %. */
#define CLOCK_TOLERANCE 0.02
/* Two measurements of one program are equal to the cycle on a part without caches, and within this on one with
 * caches. */
#define REPEAT_TOLERANCE 0.05
/* No core executes more instructions of the IR per cycle. */
#define MOST_IN_A_CYCLE 8

static const char *or_none(uint32_t value, const char *const *words, size_t n)
{
    return value < n ? words[value] : "unknown";
}

char *kit_session_text(const struct kit_session *s)
{
    static const char *const interrupts[] = {"interrupts masked", "interrupts not masked"};
    static const char *const caches[] = {"caches off", "data cache on", "instruction cache on", "caches on",
                                         "caches unknown"};
    static const char *const mpu[] = {"MPU off", "MPU on", "MPU unknown"};
    return xasprintf("%s of %s at %g MHz, %u wait states, %s, %s, %s", s->counter, s->name, s->hz / 1e6, s->wait_states,
                     or_none(s->interrupts, interrupts, 2), or_none(s->caches, caches, 5), or_none(s->mpu, mpu, 3));
}

/* ---- starts ---- */

static enum status check_loops(const struct kit_session *s, struct error *e)
{
    struct loc here = AT(s->path, s->line);
    if (s->once == 0 || s->twice == 0)
        return error_set(e, ERR_INPUT, here, "the counter %s of '%s' stands still; choose another one in shim_port.h",
                         s->counter, s->name);
    double ratio = (double)s->twice / s->once;
    if (fabs(ratio - 2) > 2 * LOOPS_TOLERANCE)
        return error_set(
            e, ERR_INPUT, here,
            "%u and %u iterations of the known loop took %u and %u cycles, not twice as many: the counter %s "
            "wraps, is divided, or something interrupts; nothing of this start is used",
            s->iterations, 2 * s->iterations, s->once, s->twice, s->counter);
    return OK;
}

static enum status check_clock(const struct kit_session *s, struct error *e)
{
    if (s->hz <= 0)
        return error_set(e, ERR_INPUT, AT(s->path, s->line), "no clock is given; set SHIM_PORT_HZ in shim_port.h");
    if (!s->has_clocks || !s->ticks || !s->ticks_hz)
        return OK;
    double hz = s->clock_cycles * s->ticks_hz / s->ticks;
    if (fabs(hz / s->hz - 1) <= CLOCK_TOLERANCE)
        return OK;
    return error_set(e, ERR_INPUT, AT(s->path, s->line),
                     "the clock is wrong: shim_port.h says %g MHz, and by the part's second clock (%u Hz) it is %.4g "
                     "MHz; correct SHIM_PORT_HZ or SHIM_PORT_SECOND_HZ",
                     s->hz / 1e6, s->ticks_hz, hz / 1e6);
}

static bool is_complete(const struct kit_session *s)
{
    return s->has_conditions && s->has_loops && s->has_cost;
}

static bool same_conditions(const struct kit_session *a, const struct kit_session *b)
{
    return a->hz == b->hz && a->wait_states == b->wait_states && a->interrupts == b->interrupts &&
           a->caches == b->caches && a->mpu == b->mpu && a->cold == b->cold && strcmp(a->counter, b->counter) == 0 &&
           strcmp(a->name, b->name) == 0;
}

static enum status check_alike(const struct kit_session *first, const struct kit_session *s, struct error *e)
{
    struct loc here = AT(s->path, s->line);
    if (first->part != s->part)
        return error_set(e, ERR_INPUT, here, "two boards in one log: parts %x and %x; --part %x takes one of them",
                         first->part, s->part, first->part);
    if (same_conditions(first, s))
        return OK;
    char *a = kit_session_text(first), *b = kit_session_text(s);
    error_set(e, ERR_INPUT, here,
              "two boards, or two sets of conditions, in one log: %s (line %lu), then %s; import each by itself", a,
              first->line, b);
    free(a);
    free(b);
    return ERR_INPUT;
}

static enum status check_sessions(struct kit_log *log, const struct kit_choice *c, uint32_t wanted, struct error *e)
{
    const struct kit_session *first = 0;
    enum status s = OK;
    for (size_t i = 0; i < log->sessions.n && !s; i++) {
        const struct kit_session *x = &log->sessions.at[i];
        if (c->part && x->part != wanted)
            continue;
        if (x->has_loops)
            s = check_loops(x, e);
        if (!s && x->has_conditions)
            s = check_clock(x, e);
        if (!s && first && x->has_conditions)
            s = check_alike(first, x, e);
        if (x->has_conditions && !first)
            first = x;
    }
    return s;
}

/* ---- programs ---- */

static void program_release(struct kit_program *p)
{
    for (size_t k = 0; k < p->regions.n; k++)
        free(p->regions.at[k].name);
    vec_release(&p->regions);
    free(p->name);
    free(p->origin);
}

/* The minimum over all runs of a regular program, since disturbances only add cycles. */
static double least_cycles(const struct kit_program *p)
{
    const size_t each = p->regions.n / p->runs;
    double least = INFINITY;
    for (size_t first = 0; first < p->regions.n; first += each) {
        double sum = 0;
        for (size_t i = first; i < first + each; i++)
            sum += p->regions.at[i].cycles;
        least = fmin(least, sum);
    }
    return least;
}

/* Does every run have each region of the first run exactly once? */
static bool is_regular(const struct kit_program *p)
{
    if (p->runs == 0 || p->regions.n % p->runs)
        return false;
    const size_t each = p->regions.n / p->runs;
    for (size_t i = 0; i < p->regions.n; i++) {
        const struct kit_region *x = &p->regions.at[i], *of_first = &p->regions.at[i % each];
        if (x->run != i / each || strcmp(x->name, of_first->name) != 0 || x->entries < 1)
            return false;
    }
    return true;
}

/* Why a program that is complete in the log is not used; NULL: it is used. The caller frees. */
static char *unfit(const struct kit_log *log, const struct kit_program *p)
{
    const struct kit_session *s = &log->sessions.at[p->session];
    if (!is_complete(s))
        return xstrdup("the lines at its start that say the conditions did not come");
    if (!is_regular(p))
        return xstrdup("its runs do not have the same regions");
    double cycles = least_cycles(p);
    if (cycles * MOST_IN_A_CYCLE < p->work)
        return xasprintf(
            "%.0f cycles for at least %.0f instructions of the IR are impossible: the counter %s has wrapped "
            "within a region, or counts only every Nth cycle",
            cycles, p->work, s->counter);
    return 0;
}

static bool alike(const struct kit_program *a, const struct kit_program *b)
{
    double x = least_cycles(a), y = least_cycles(b);
    return fabs(x - y) <= REPEAT_TOLERANCE * fmax(x, y);
}

/* Checks a program that has come before: it must be the same one. */
static enum status check_again(const struct kit_program *before, const struct kit_program *p, struct error *e)
{
    if (before->id != p->id || strcmp(before->origin, p->origin) != 0)
        return error_set(e, ERR_INPUT, AT(p->path, p->line),
                         "%s is another program here than in line %lu: logs of two kits; import each by itself",
                         p->name, before->line);
    if (!alike(before, p))
        return error_set(
            e, ERR_INPUT, AT(p->path, p->line),
            "%s took %.0f cycles here and %.0f in line %lu: two boards, or other conditions; import each by itself",
            p->name, least_cycles(p), least_cycles(before), before->line);
    return OK;
}

/* Decides whether a program is kept. `kept`: names of those kept so far, with their indices. */
static enum status check_program(struct kit_log *log, const struct kit_program *p, const struct map *kept, bool *keep,
                                 struct error *e)
{
    size_t before = 0;
    char *why = unfit(log, p);
    *keep = !why;
    if (why)
        vec_push(&log->notes, xasprintf("%s:%lu: %s is left out: %s", p->path, p->line, p->name, why));
    free(why);
    if (!*keep || !map_get(kept, p->name, &before))
        return OK;
    *keep = false;
    return check_again(&log->programs.at[before], p, e);
}

static enum status check_programs(struct kit_log *log, const struct kit_choice *c, uint32_t wanted, struct error *e)
{
    struct map kept = {0};
    enum status s = OK;
    size_t n = 0;
    for (size_t i = 0; i < log->programs.n; i++) {
        struct kit_program p = log->programs.at[i];
        bool keep = !s && (!c->part || log->sessions.at[p.session].part == wanted);
        if (keep)
            s = check_program(log, &p, &kept, &keep, e);
        if (keep && !s) {
            map_put(&kept, p.name, n);
            log->programs.at[n++] = p;
        } else {
            program_release(&p);
        }
    }
    log->programs.n = n;
    map_release(&kept);
    return s;
}

static enum status nothing(const struct kit_log *log, struct error *e)
{
    const char *path = log->paths.n ? log->paths.at[0] : "";
    if (log->good == 0 && log->broken == 0)
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "no line of a kit in it: the board prints something else, or nothing; is the right image "
                         "flashed, and the speed of the line right?");
    if (log->good == 0)
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "all %zu lines of the kit are damaged; is the speed of the line right? (a wrong clock of the "
                         "part shows so, too)",
                         log->broken);
    if (log->sessions.n == 0)
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "the log begins in the middle: its line 'start' is missing; take the text from the part's "
                         "reset on");
    return error_set(e, ERR_INPUT, AT_FILE(path), "no program is complete%s%s", log->notes.n ? "; " : "",
                     log->notes.n ? log->notes.at[0] : "");
}

enum status kit_log_judge(struct kit_log *log, const struct kit_choice *choice, struct error *e)
{
    uint32_t wanted = 0;
    if (choice->part && !kit_number(choice->part, &wanted))
        return error_set(e, ERR_USAGE, NOWHERE, "--part: '%s' is no ID of a part; write it as the log has it",
                         choice->part);
    for (size_t i = 0; i < log->sessions.n; i++)
        if (log->sessions.at[i].reading)
            vec_push(&log->notes, xasprintf("the log ends within a program; run on from it"));
    if (log->broken)
        vec_push(&log->notes, xasprintf("%zu damaged lines are left out", log->broken));
    enum status s = check_sessions(log, choice, wanted, e);
    if (!s)
        s = check_programs(log, choice, wanted, e);
    if (!s && log->programs.n == 0)
        s = nothing(log, e);
    return s;
}
