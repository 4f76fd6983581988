/* What an estimate rests on that the SHIM file does not say: found, and said. */
#include "shimgen/estimate/assumed.h"

#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "base/str.h"

static const char the_call[] = "the call alone"; /* as costs.c says it */
static const size_t most_names = 6;

static void assume(struct estimate *est, const char *instruction, const char *as, uint64_t count, double cycles)
{
    size_t i = 0;
    while (i < est->n_assumed && strcmp(est->assumed[i].instruction, instruction) != 0)
        i++;
    if (i == est->n_assumed) {
        est->assumed = xreallocarray(est->assumed, ++est->n_assumed, sizeof *est->assumed);
        est->assumed[i] = (struct assumption){.instruction = xstrdup(instruction), .as = xstrdup(as)};
    }
    est->assumed[i].count += count;
    est->assumed[i].cycles += cycles;
}

static int by_cycles(const void *a, const void *b)
{
    const struct assumption *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    return strcmp(x->instruction, y->instruction);
}

static bool of_library(const struct assumption *a)
{
    return ir_key(a->instruction).form == IR_LIBRARY;
}

void assumed_find(struct estimate *est)
{
    const struct irprof_profile *p = est->profile;
    uint64_t *counts = xcalloc(p->n_keys, sizeof *counts);
    irprof_key_counts(p, est->region, counts);
    for (size_t i = 0; i < p->n_keys; i++) {
        const struct key_cost *k = &est->keys.at[i];
        double each = k->key.dependent ? k->latency.typical : k->pitch.typical;
        if (k->assumed && counts[i])
            assume(est, k->instruction, k->assumed, counts[i], (double)counts[i] * each);
    }
    free(counts);
    for (size_t i = 0; i < est->n_assumed; i++)
        if (of_library(&est->assumed[i]))
            est->doubts |= 1u << DOUBT_LIBRARY;
    if (est->n_assumed)
        qsort(est->assumed, est->n_assumed, sizeof *est->assumed, by_cycles);
}

void assumed_release(struct estimate *est)
{
    for (size_t i = 0; i < est->n_assumed; i++) {
        free(est->assumed[i].instruction);
        free(est->assumed[i].as);
    }
    free(est->assumed);
}

/* ---- calls of functions whose code nobody counted ---- */

/* The part that a call stands in: of its line, else the last of its segment. */
static uint32_t part_of(const struct irprof_profile *p, const struct irprof_call *call)
{
    const struct irprof_segment *s = &p->segments[call->segment];
    for (uint32_t i = s->first_part; i < s->first_part + s->n_parts; i++)
        if (p->parts[i].file == call->file && p->parts[i].line == call->line)
            return i;
    return s->first_part + s->n_parts - 1;
}

/* Has the profile a key of calls of this function of the C library? Then its cost is known by that. */
static bool has_key(const struct estimate *est, const char *function)
{
    size_t n = strlen(function);
    for (size_t i = 0; i < est->keys.n; i++) {
        const struct ir_key *k = &est->keys.at[i].key;
        if (k->opcode == IR_CALL && k->form == IR_LIBRARY && k->n_name == n && memcmp(k->name, function, n) == 0)
            return true;
    }
    return false;
}

/* What a function takes beside the call itself: the Latency of "call.library.NAME", where the file has it. */
void library_calls_add(struct estimate *est)
{
    const struct irprof_profile *p = est->profile;
    struct cycles pitch, latency; /* of the call itself, which the estimate has */
    costs_of_instruction(&pitch, &latency, est->costs, IR_CALL);
    for (size_t i = 0; i < p->n_calls; i++) {
        const struct irprof_call *call = &p->calls[i];
        uint64_t times = p->regions[est->region].executions[call->segment];
        if (!times || !call->name || call->callee != IRPROF_NONE || !p->segments[call->segment].n_parts)
            continue;
        char *name = ir_library_key(call->name);
        size_t at;
        bool has = has_key(est, call->name);
        if (!has && map_get(&est->costs->names, name, &at))
            causes_add(&est->causes[part_of(p, call)], &est->parts[part_of(p, call)], CAUSE_CALLS,
                       &est->costs->latency[at], (double)times);
        else if (!has)
            assume(est, name, the_call, times, (double)times * latency.typical);
        free(name);
    }
}

/* ---- in words ---- */

static int by_count(const void *a, const void *b)
{
    const struct assumption *x = *(const struct assumption *const *)a, *y = *(const struct assumption *const *)b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->instruction, y->instruction);
}

static struct assumption_words describe_assumption(char *what, double cycles, const struct estimate *est)
{
    double total = est->total.typical;
    return (struct assumption_words){what, xasprintf("%.2g %% of the estimate", total > 0 ? 100 * cycles / total : 0)};
}

static char *instruction_words(const struct assumption *a)
{
    if (strcmp(a->as, "nothing") == 0)
        return xasprintf("'%s' has no value: it is assumed to need no code; executed %llu times", a->instruction,
                         (unsigned long long)a->count);
    return xasprintf("'%s' has no value: the value of %s is used; executed %llu times", a->instruction, a->as,
                     (unsigned long long)a->count);
}

/* All functions of libraries in one sentence, the most often called first. */
static char *library_words(const struct assumption **list, size_t n)
{
    struct str s = STR_INIT;
    qsort(list, n, sizeof *list, by_count);
    str_addf(&s, "of %zu function%s of libraries: the estimate has their calls, but not their code:", n,
             n == 1 ? "" : "s");
    for (size_t i = 0; i < n && i < most_names; i++)
        str_addf(&s, "%s %s (called %llu time%s)", i ? "," : "", ir_key(list[i]->instruction).name,
                 (unsigned long long)list[i]->count, list[i]->count == 1 ? "" : "s");
    if (n > most_names)
        str_addf(&s, " and %zu more", n - most_names);
    return str_detach(&s);
}

struct assumption_words *assumed_words(size_t *n, const struct estimate *est)
{
    struct assumption_words *out = xcalloc(est->n_assumed + 1, sizeof *out);
    const struct assumption **library = xcalloc(est->n_assumed + 1, sizeof *library);
    size_t n_library = 0;
    double cycles = 0;
    *n = 0;
    for (size_t i = 0; i < est->n_assumed; i++) {
        const struct assumption *a = &est->assumed[i];
        if (of_library(a)) {
            library[n_library++] = a;
            cycles += a->cycles;
        } else {
            out[(*n)++] = describe_assumption(instruction_words(a), a->cycles, est);
        }
    }
    if (n_library)
        out[(*n)++] = describe_assumption(library_words(library, n_library), cycles, est);
    free(library);
    return out;
}

void assumed_words_free(struct assumption_words *w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(w[i].what);
        free(w[i].share);
    }
    free(w);
}
