/* doctor_counters.c - checks the board's counters as a measurement would, and names the events that are lost. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "boards/description/causes.h"
#include "boards/machine/this_machine.h"
#include "boards/measure/counting.h"

/* Can the prover run on the board? It is built for this machine. */
static bool can_prove(const struct board *b, const char *prover)
{
    return (b->how == BOARD_NATIVE || b->how == BOARD_SSH) && b->source != BOARD_SOURCE_CONSTANT &&
           !board_is_foreign(b) && file_exists(prover);
}

static void say_plan(const struct counter_plan *plan, struct findings *out)
{
    for (size_t i = 0; i < plan->lost.n && plan->sets.n; i++) {
        char *text = xasprintf("%s: %s", plan->lost.at[i].name, plan->lost.at[i].why);
        cause_add(out, "event-lost", text);
        free(text);
    }
    for (size_t i = 0; i < plan->remarks.n; i++) /* a PMU may have few counters, but they must be right */
        cause_add_as(out, strstr(plan->remarks.at[i], "does not fit") ? FINDING_NOTE : FINDING_WARNING, "events-apart",
                     plan->remarks.at[i]);
}

/* The counters could be opened but the cycles are wrong: then no event is of use. If they could not be opened, other
 * findings say why. */
static void say_cycles(const struct counter_plan *plan, const struct board *b, struct findings *out)
{
    if (plan->sets.n || plan->lost.n == 0 || !plan->opened)
        return;
    char *text = xasprintf("%s: %s", plan->lost.at[0].name, plan->lost.at[0].why);
    cause_add(out, b->source == BOARD_SOURCE_PMU ? "cycles-wrong" : "cycles-lost", text);
    free(text);
}

static bool has(const struct findings *out, const char *id)
{
    for (size_t i = 0; i < out->n; i++)
        if (strcmp(out->at[i].id, id) == 0)
            return true;
    return false;
}

/* Not the machine but a filter of system calls refuses it, unless a known rule does. */
static void say_refused(const struct counter_plan *plan, const struct board *b, struct findings *out)
{
    if (plan->opened || plan->lost.n == 0 || strncmp(plan->lost.at[0].why, WHY_REFUSED, strlen(WHY_REFUSED)) != 0 ||
        has(out, "perf-paranoid") || has(out, "perf-forbidden"))
        return;
    enum finding_severity s = b->source == BOARD_SOURCE_PMU ? FINDING_ERROR : FINDING_WARNING;
    cause_add_as(out, has(out, "pmu-absent") ? FINDING_NOTE : s, "perf-refused", 0);
}

void doctor_counters(struct runner *place, const struct board *b, struct findings *out)
{
    char *prover = resource_lib("shimgen-counters");
    struct runner *own = 0;
    struct counting *c = counting_new();
    struct error e = ERROR_INIT;
    const char *source = b->source == BOARD_SOURCE_PMU ? "SHIM_MEASURE_SOURCE=pmu" : "SHIM_MEASURE_SOURCE=auto";
    const char *const settings[] = {source, b->raise_priority ? "SHIM_MEASURE_PRIORITY=1" : "SHIM_MEASURE_PRIORITY=0",
                                    0};
    enum status s = can_prove(b, prover) ? OK : ERR_UNSUPPORTED;
    if (!s && !place)
        s = runner_open(&own, b, RUN_MEASURED, &e);
    if (!place)
        place = own;
    if (!s)
        s = runner_put(place, prover, &e);
    if (!s)
        s = counting_prove(c, place, b, choose_core(b, runner_root(place)), settings, &e);
    if (!s) {
        say_plan(&c->plan, out);
        say_cycles(&c->plan, b, out);
        say_refused(&c->plan, b, out);
    }
    error_release(&e); /* if programs cannot run there, other findings say why */
    counting_free(c);
    runner_close(own);
    free(prover);
}
