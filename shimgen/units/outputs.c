/* outputs.c - paths of a build's files. */
#include "shimgen/units/outputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"

void outputs_init(struct outputs *o, const char *board, const char *directory)
{
    char *shim = xasprintf("%s.shim.xml", board), *schedule_shim = xasprintf("%s.schedule.shim.xml", board);
    o->directory = directory ? xstrdup(directory) : path_join("out", board);
    o->shim = path_join(o->directory, shim);
    o->schedule_shim = path_join(o->directory, schedule_shim);
    o->merged = path_join(o->directory, "work/merged.shim.xml");
    o->schedule = path_join(o->directory, "schedule.json");
    o->model = path_join(o->directory, "model.json");
    o->programs = path_join(o->directory, "programs.json");
    o->dataset = path_join(o->directory, "dataset.csv");
    o->measurements = path_join(o->directory, "measurements.csv");
    o->conditions = path_join(o->directory, "conditions.json");
    o->memory = path_join(o->directory, "memory.csv");
    o->micro = path_join(o->directory, "micro.csv");
    o->counts = path_join(o->directory, "counts.csv");
    o->predictor = path_join(o->directory, "predictor.json");
    o->core = path_join(o->directory, "work/core-of-values.ini");
    o->simulated = path_join(o->directory, "work/simulated.csv");
    o->domains = path_join(o->directory, "domains.csv");
    o->counted = path_join(o->directory, "work/counted.csv");
    o->provenance = path_join(o->directory, "provenance.json");
    o->wanted = path_join(o->directory, "wanted.csv");
    o->losses = path_join(o->directory, "losses.csv");
    o->report = path_join(o->directory, "report.html");
    o->work = path_join(o->directory, "work");
    free(shim);
    free(schedule_shim);
}

void outputs_release(struct outputs *o)
{
    char *const all[] = {o->directory, o->schedule_shim, o->schedule,   o->shim,       o->programs, o->model,
                         o->dataset,   o->measurements,  o->conditions, o->memory,     o->micro,    o->counts,
                         o->counted,   o->predictor,     o->simulated,  o->domains,    o->wanted,   o->losses,
                         o->report,    o->work,          o->merged,     o->provenance, o->core};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    *o = (struct outputs){0};
}

void outputs_names(const char *names[OUTPUTS_MOST], const struct outputs *o, enum outputs_kind kind)
{
    const char *const measured[] = {o->dataset, o->measurements, o->conditions, o->memory,     o->micro, o->counts,
                                    o->domains, o->predictor,    o->simulated,  o->provenance, NULL},
                      *const published[] = {o->shim,     o->schedule_shim, o->schedule, o->model,
                                            o->programs, o->losses,        o->report,   NULL};
    const char *const *from = kind == OUTPUTS_MEASURED ? measured : published;
    size_t skipped = strlen(o->directory), n = 0;
    for (; from[n]; n++)
        names[n] = from[n] + skipped + (from[n][skipped] == '/');
    if (kind == OUTPUTS_PUBLISHED)
        names[n++] = "work/values.csv";
    names[n] = NULL;
}
