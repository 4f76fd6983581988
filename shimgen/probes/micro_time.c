/* micro_time.c - times regions of microbenchmarks: walks their functions in the executable on the model. */
#include "shimgen/probes/micro_time.h"

#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "base/map.h"
#include "shimgen/probes/micro_walk.h"

/* Does the time depend on data that only a run has, or on a level of memory? */
static bool needs_a_run(const struct micro_case *c)
{
    static const char *const words[] = {"random", "alternating", "L2", "memory"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(c->condition, words[i]))
            return true;
    return ir_key(c->key).form == IR_LIBRARY;
}

static void index_functions(struct map *to, const struct elf *f)
{
    for (size_t i = 0; i < f->n_functions; i++)
        if (strchr(f->functions[i].name, '/'))
            map_put(to, f->functions[i].name, i);
}

static void add_row(struct measurements *into, char *region, double cycles)
{
    struct measurement m = {.program = xstrdup("micro"),
                            .region = region,
                            .event = xstrdup("CPU_CYCLES"),
                            .value = cycles,
                            .runs = 1,
                            .entries = 1};
    vec_push(&into->rows, m);
}

static void time_case(struct measurements *into, const struct micro_case *c, const struct map *functions,
                      const struct elf *f, const struct iss_model *model)
{
    for (size_t k = 0; k < MICRO_COPIES; k++) {
        char *region = micro_region(c, c->copies[k]);
        size_t at;
        double cycles;
        if (map_get(functions, region, &at) && micro_walk(&cycles, f, &f->functions[at], model))
            add_row(into, region, cycles * c->trips);
        else
            free(region);
    }
}

enum status micro_time(struct measurements *into, const struct micro_set *set, const size_t *which, size_t n,
                       const char *executable, const struct iss_model *model, struct error *e)
{
    struct elf f = {0};
    struct map functions = {0};
    enum status s = elf_read(&f, executable, e);
    if (!s)
        index_functions(&functions, &f);
    for (size_t i = 0; !s && i < n; i++)
        if (!needs_a_run(&set->at[which[i]]))
            time_case(into, &set->at[which[i]], &functions, &f, model);
    map_release(&functions);
    elf_release(&f);
    return s;
}
