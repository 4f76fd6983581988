/* assumed.c - the list of assumptions that an estimate makes beyond its SHIM file, and their sentences. */
#include "shimgen/estimate/assumed.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"
#include "base/str.h"

static const size_t most_names = 6;

void assumed_add(struct assumed *list, const char *instruction, const char *as, uint64_t count, double cycles)
{
    size_t i = 0;
    while (i < list->n && strcmp(list->at[i].instruction, instruction) != 0)
        i++;
    if (i == list->n) {
        list->at = xreallocarray(list->at, ++list->n, sizeof *list->at);
        list->at[i] = (struct assumption){.instruction = xstrdup(instruction), .as = xstrdup(as)};
    }
    list->at[i].count += count;
    list->at[i].cycles += cycles;
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

void assumed_find(struct assumed *list, const struct key_costs *keys, const struct irprof_profile *p, size_t region)
{
    uint64_t *counts = xcalloc(p->n_keys, sizeof *counts);
    irprof_key_counts(p, region, counts);
    for (size_t i = 0; i < p->n_keys; i++) {
        const struct key_cost *k = &keys->at[i];
        double each = k->key.dependent ? k->latency.typical : k->pitch.typical;
        if (k->assumed && counts[i])
            assumed_add(list, k->instruction, k->assumed, counts[i], (double)counts[i] * each);
    }
    free(counts);
    if (list->n)
        qsort(list->at, list->n, sizeof *list->at, by_cycles);
}

bool assumed_of_library(const struct assumed *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (of_library(&list->at[i]))
            return true;
    return false;
}

void assumed_release(struct assumed *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->at[i].instruction);
        free(list->at[i].as);
    }
    free(list->at);
}

/* ---- in words ---- */

static int by_count(const void *a, const void *b)
{
    const struct assumption *x = *(const struct assumption *const *)a, *y = *(const struct assumption *const *)b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->instruction, y->instruction);
}

static struct assumption_words describe_assumption(char *what, double cycles, double total)
{
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

/* All library functions in one sentence, the most often called first. */
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

struct assumption_words *assumed_words(size_t *n, const struct assumed *list, double total)
{
    struct assumption_words *out = xcalloc(list->n + 1, sizeof *out);
    const struct assumption **library = xcalloc(list->n + 1, sizeof *library);
    size_t n_library = 0;
    double cycles = 0;
    *n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct assumption *a = &list->at[i];
        if (of_library(a)) {
            library[n_library++] = a;
            cycles += a->cycles;
        } else {
            out[(*n)++] = describe_assumption(instruction_words(a), a->cycles, total);
        }
    }
    if (n_library)
        out[(*n)++] = describe_assumption(library_words(library, n_library), cycles, total);
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
