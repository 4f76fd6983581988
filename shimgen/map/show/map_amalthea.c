/*
 * map_amalthea.c - writes a mapping as an AMALTHEA model (Eclipse APP4MC): a runnable for each block, a label for the
 * data that a block hands to others, a task for each core and rate that calls its blocks in order, a scheduler for each
 * core.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shimgen/blocks/amalthea_names.h"
#include "shimgen/map/show/map_show.h"
#include "shimgen/page/html.h"

struct mapped {
    struct str out;
    const struct map_report *r;
    const struct map_problem *p;
    struct map taken;
    char **runnables, **labels; /* owned; of each block; labels NULL: it hands over nothing */
    char **definitions;         /* owned; of each core */
    double *handed;             /* bytes that a block hands over, the most to any other block */
};

static double cycles_of(const struct mapped *m, size_t block, size_t core)
{
    double time = m->p->free_time[block * m->p->n_cores + core];
    return m->r->machine->clocks ? time * 1e-6 * m->r->machine->cores.at[m->p->cores[core]].clock_hz : time;
}

static void put_named(struct mapped *m, const char *open, const char *name, const char *type)
{
    str_add(&m->out, open);
    html_addf(&m->out, " name=\"%s\"", name);
    amalthea_reference(&m->out, "xmi:id", name, type);
}

static void put_ticks(struct mapped *m, size_t block, size_t core, const char *element)
{
    double cycles = cycles_of(m, block, core);
    char *text = format_double(cycles);
    str_addf(&m->out,
             "<%s xsi:type=\"am:DiscreteValueStatistics\" lowerBound=\"%.0f\" upperBound=\"%.0f\" average=\"%s%s\"/>",
             element, floor(cycles), ceil(cycles), text, strpbrk(text, ".e") ? "" : ".0");
    free(text);
}

static void put_access(struct mapped *m, const char *label, const char *access)
{
    str_add(&m->out, "        <items xsi:type=\"am:LabelAccess\"");
    amalthea_reference(&m->out, "data", label, "Label");
    str_addf(&m->out, " access=\"%s\"/>\n", access);
}

static void put_runnable(struct mapped *m, size_t b)
{
    put_named(m, "    <runnables", m->runnables[b], "Runnable");
    str_add(&m->out, ">\n      <activityGraph>\n");
    for (size_t i = 0; i < m->p->n_arcs; i++)
        if (m->p->arcs[i].to == b && m->p->arcs[i].bytes > 0)
            put_access(m, m->labels[m->p->arcs[i].from], "read");
    str_add(&m->out, "        <items xsi:type=\"am:Ticks\">\n          ");
    put_ticks(m, b, 0, "default");
    str_add(&m->out, "\n");
    for (size_t c = 0; c < m->p->n_cores; c++) {
        str_add(&m->out, "          <extended");
        amalthea_reference(&m->out, "key", m->definitions[c], "ProcessingUnitDefinition");
        str_add(&m->out, ">\n            ");
        put_ticks(m, b, c, "value");
        str_add(&m->out, "\n          </extended>\n");
    }
    str_add(&m->out, "        </items>\n");
    if (m->labels[b])
        put_access(m, m->labels[b], "write");
    str_add(&m->out, "      </activityGraph>\n    </runnables>\n");
}

/* Does the core have blocks that run in each n-th step? */
static bool has_task(const struct mapped *m, size_t core, long every)
{
    for (size_t b = 0; b < m->p->n; b++)
        if (map_core_index(m->r, b) == core && m->r->graph->blocks.at[b].every == every)
            return true;
    return false;
}

static char *task_name(const struct mapped *m, size_t core, long every)
{
    return every == 1 ? xasprintf("%s on %s", m->r->graph->name, m->definitions[core])
                      : xasprintf("%s on %s, each %ld steps", m->r->graph->name, m->definitions[core], every);
}

/* Calls one(m, core, every) for each task. */
static void each_task(struct mapped *m, void (*one)(struct mapped *, size_t core, long every))
{
    for (size_t c = 0; c < m->p->n_cores; c++) {
        for (size_t b = 0; b < m->p->n; b++) {
            long every = m->r->graph->blocks.at[b].every;
            size_t first = 0;
            while (m->r->graph->blocks.at[first].every != every)
                first++;
            if (first == b && has_task(m, c, every))
                one(m, c, every);
        }
    }
}

static char *stimulus_name(long every)
{
    return every == 1 ? xstrdup("step") : xasprintf("each %ld steps", every);
}

static void put_task(struct mapped *m, size_t core, long every)
{
    const struct map_plan *plan = &m->r->point->result.plan;
    char *name = task_name(m, core, every), *stimulus = stimulus_name(every);
    put_named(m, "    <tasks", name, "Task");
    if (m->r->period > 0 && m->r->machine->clocks)
        amalthea_reference(&m->out, "stimuli", stimulus, "PeriodicStimulus");
    str_add(&m->out, ">\n      <activityGraph>\n");
    for (size_t i = 0; i < m->p->n; i++) {
        size_t b = plan->sequence[i];
        if (map_core_index(m->r, b) != core || m->r->graph->blocks.at[b].every != every)
            continue;
        str_add(&m->out, "        <items xsi:type=\"am:RunnableCall\"");
        amalthea_reference(&m->out, "runnable", m->runnables[b], "Runnable");
        str_add(&m->out, "/>\n");
    }
    str_add(&m->out, "      </activityGraph>\n    </tasks>\n");
    free(name);
    free(stimulus);
}

static void put_software(struct mapped *m)
{
    str_add(&m->out, "  <swModel>\n");
    each_task(m, put_task);
    for (size_t b = 0; b < m->p->n; b++)
        put_runnable(m, b);
    for (size_t b = 0; b < m->p->n; b++) {
        if (!m->labels[b])
            continue;
        put_named(m, "    <labels", m->labels[b], "Label");
        str_addf(&m->out, ">\n      <size value=\"%.0f\" unit=\"B\"/>\n    </labels>\n", ceil(m->handed[b]));
    }
    str_add(&m->out, "  </swModel>\n");
}

static void put_hardware(struct mapped *m)
{
    str_add(&m->out, "  <hwModel>\n");
    for (size_t c = 0; c < m->p->n_cores; c++) {
        put_named(m, "    <definitions xsi:type=\"am:ProcessingUnitDefinition\"", m->definitions[c],
                  "ProcessingUnitDefinition");
        str_add(&m->out, " puType=\"CPU\"/>\n");
    }
    str_add(&m->out, "    <structures name=\"System\" xmi:id=\"System?type=HwStructure\" structureType=\"System\">\n");
    for (size_t c = 0; c < m->p->n_cores; c++) {
        put_named(m, "      <modules xsi:type=\"am:ProcessingUnit\"", m->definitions[c], "ProcessingUnit");
        if (m->r->machine->cores.at[m->p->cores[c]].clock_hz > 0)
            amalthea_reference(&m->out, "frequencyDomain", m->definitions[c], "FrequencyDomain");
        amalthea_reference(&m->out, "definition", m->definitions[c], "ProcessingUnitDefinition");
        str_add(&m->out, "/>\n");
    }
    str_add(&m->out, "    </structures>\n");
    for (size_t c = 0; c < m->p->n_cores; c++) {
        double hertz = m->r->machine->cores.at[m->p->cores[c]].clock_hz;
        if (!(hertz > 0))
            continue;
        char *text = format_double(hertz);
        put_named(m, "    <domains xsi:type=\"am:FrequencyDomain\"", m->definitions[c], "FrequencyDomain");
        str_addf(&m->out, " clockGating=\"false\">\n      <defaultValue value=\"%s%s\" unit=\"Hz\"/>\n    </domains>\n",
                 text, strpbrk(text, ".e") ? "" : ".0");
        free(text);
    }
    str_add(&m->out, "  </hwModel>\n");
}

static void put_schedulers(struct mapped *m)
{
    str_add(&m->out, "  <osModel>\n    <operatingSystems name=\"OS\">\n");
    for (size_t c = 0; c < m->p->n_cores; c++) {
        put_named(m, "      <taskSchedulers", m->definitions[c], "TaskScheduler");
        str_add(&m->out, "/>\n");
    }
    str_add(&m->out, "    </operatingSystems>\n  </osModel>\n");
}

static void put_stimulus(struct mapped *m, long every)
{
    char *name = stimulus_name(every), *value = format_double(ceil(m->r->period * (double)every * 1e6));
    put_named(m, "    <stimuli xsi:type=\"am:PeriodicStimulus\"", name, "PeriodicStimulus");
    str_addf(&m->out, ">\n      <recurrence value=\"%s\" unit=\"ps\"/>\n    </stimuli>\n", value);
    free(name);
    free(value);
}

static void put_stimuli(struct mapped *m)
{
    if (!(m->r->period > 0) || !m->r->machine->clocks)
        return;
    str_add(&m->out, "  <stimuliModel>\n");
    for (size_t b = 0; b < m->p->n; b++) {
        size_t first = 0;
        while (m->r->graph->blocks.at[first].every != m->r->graph->blocks.at[b].every)
            first++;
        if (first == b)
            put_stimulus(m, m->r->graph->blocks.at[b].every);
    }
    str_add(&m->out, "  </stimuliModel>\n");
}

static void put_allocation(struct mapped *m, size_t core, long every)
{
    char *name = task_name(m, core, every);
    str_add(&m->out, "    <taskAllocation");
    amalthea_reference(&m->out, "task", name, "Task");
    amalthea_reference(&m->out, "scheduler", m->definitions[core], "TaskScheduler");
    amalthea_reference(&m->out, "affinity", m->definitions[core], "ProcessingUnit");
    str_add(&m->out, "/>\n");
    free(name);
}

static void put_mapping(struct mapped *m)
{
    str_add(&m->out, "  <mappingModel>\n");
    for (size_t c = 0; c < m->p->n_cores; c++) {
        str_add(&m->out, "    <schedulerAllocation");
        amalthea_reference(&m->out, "scheduler", m->definitions[c], "TaskScheduler");
        amalthea_reference(&m->out, "responsibility", m->definitions[c], "ProcessingUnit");
        amalthea_reference(&m->out, "executingPU", m->definitions[c], "ProcessingUnit");
        str_add(&m->out, "/>\n");
    }
    each_task(m, put_allocation);
    str_add(&m->out, "  </mappingModel>\n");
}

static void name_all(struct mapped *m)
{
    m->runnables = xcalloc(m->p->n, sizeof *m->runnables);
    m->labels = xcalloc(m->p->n, sizeof *m->labels);
    m->handed = xcalloc(m->p->n, sizeof *m->handed);
    m->definitions = xcalloc(m->p->n_cores, sizeof *m->definitions);
    for (size_t i = 0; i < m->p->n_arcs; i++)
        m->handed[m->p->arcs[i].from] = fmax(m->handed[m->p->arcs[i].from], m->p->arcs[i].bytes);
    for (size_t b = 0; b < m->p->n; b++) {
        const char *name = m->r->graph->blocks.at[b].name;
        char *label = xasprintf("%s: data", name);
        m->runnables[b] = amalthea_own_name(&m->taken, "Runnable", name);
        m->labels[b] = m->handed[b] > 0 ? amalthea_own_name(&m->taken, "Label", label) : 0;
        free(label);
    }
    for (size_t c = 0; c < m->p->n_cores; c++)
        m->definitions[c] =
            amalthea_own_name(&m->taken, "ProcessingUnitDefinition", m->r->machine->cores.at[m->p->cores[c]].name);
}

void map_amalthea(const struct map_report *r, FILE *f)
{
    struct mapped m = {.out = STR_INIT, .r = r, .p = &r->point->problem};
    name_all(&m);
    amalthea_begin(&m.out);
    put_software(&m);
    put_hardware(&m);
    put_schedulers(&m);
    put_stimuli(&m);
    put_mapping(&m);
    amalthea_end(&m.out);
    fwrite(m.out.s, 1, m.out.len, f);
    for (size_t b = 0; b < m.p->n; b++) {
        free(m.runnables[b]);
        free(m.labels[b]);
    }
    for (size_t c = 0; c < m.p->n_cores; c++)
        free(m.definitions[c]);
    free(m.runnables);
    free(m.labels);
    free(m.definitions);
    free(m.handed);
    map_release(&m.taken);
    str_release(&m.out);
}
