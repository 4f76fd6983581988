/*
 * print_amalthea.c - writes blocks as an AMALTHEA model (Eclipse APP4MC): a runnable for each row with its ticks on
 * each core and the data it reads and writes, a task that calls them in source order, the cores. Facts, and what is
 * checked: docs/formats/amalthea.md.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "shimgen/blocks/amalthea_names.h"
#include "shimgen/blocks/print_blocks.h"
#include "shimgen/page/html.h"

struct model {
    struct str out;
    const struct blocks_print *p;
    const struct blocks *b;
    struct map names;   /* all names, so that none occurs twice */
    char **runnables;   /* owned; the name for each row */
    char **definitions; /* owned; for each core */
    char **labels[2];   /* owned; for each row: what it reads, what it writes; NULL: nothing */
    size_t *order;      /* owned; rows that cost something, in source order */
    size_t n_order;
};

static void put_reference(struct model *m, const char *attribute, const char *name, const char *type)
{
    amalthea_reference(&m->out, attribute, name, type);
}

/* A name that nothing of this type has yet. */
static char *own_name(struct model *m, const char *type, const char *name)
{
    return amalthea_own_name(&m->names, type, name);
}

/* Makes "controller/Speed Control/PID", "controller/Modes/Run:3", "controller_step". */
static char *full_name(const struct block *b)
{
    const char *rest = b->system ? strchr(b->name, '>') : 0;
    if (!rest)
        return xstrdup(b->name);
    if (b->label)
        return xasprintf("%s/%s%s", b->system, b->label, rest + 1);
    return xasprintf("%s%s", b->system, rest + 1);
}

static double at_least_0(double v)
{
    return v > 0 ? v : 0;
}

/* The number of passes that counts refer to: steps, or entries of the region. */
static double passages(const struct blocks *b)
{
    uint64_t entries = b->request->profile->regions[b->request->region].entries;
    return b->steps ? (double)b->n_steps : entries ? (double)entries : 1;
}

/* Writes the ticks of a pass on one core. Bounds are those over the steps; without steps, the interval if one is
 * known. */
static void put_ticks(struct model *m, const struct blocks_row *row, size_t core, const char *element)
{
    double n = passages(m->b), typical = row->cycles[core].typical / n, low, high;
    blocks_interval(&low, &high, m->p, core, typical);
    double mean = at_least_0(row->steps ? row->steps[core].mean : typical),
           least = at_least_0(row->steps   ? row->steps[core].best
                              : isnan(low) ? mean
                                           : low),
           most = row->steps    ? row->steps[core].worst
                  : isnan(high) ? mean
                                : high;
    char *text = format_double(mean);
    str_addf(&m->out,
             "<%s xsi:type=\"am:DiscreteValueStatistics\" lowerBound=\"%.0f\" upperBound=\"%.0f\" average=\"%s%s\"/>",
             element, floor(fmin(least, mean)), ceil(fmax(most, mean)), text, strpbrk(text, ".e") ? "" : ".0");
    free(text);
}

static void put_property(struct model *m, const char *key, const char *type, const char *value)
{
    str_addf(&m->out, "      <customProperties key=\"%s\">\n        <value xsi:type=\"am:%s\"", key, type);
    html_addf(&m->out, " value=\"%s\"/>\n      </customProperties>\n", value);
}

/* Writes the source, and what the optimiser did to the instructions, as fractions of them. */
static void put_properties(struct model *m, const struct blocks_row *row)
{
    const struct {
        const char *name;
        uint64_t n;
    } shares[] = {{"merged", row->merged}, {"inlined", row->inlined}, {"moved", row->moved}};
    if (row->path) {
        char *source = xasprintf("%s:%lu", row->path, row->block->line);
        put_property(m, "source", "StringObject", source);
        free(source);
    }
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        if (!shares[i].n)
            continue;
        char *share = xasprintf("%.6f", (double)shares[i].n / (double)row->instructions);
        put_property(m, shares[i].name, "DoubleObject", share);
        free(share);
    }
}

static const char *const accesses[] = {"read", "write"};

static void put_access(struct model *m, size_t row, size_t way)
{
    if (!m->labels[way][row])
        return;
    str_add(&m->out, "        <items xsi:type=\"am:LabelAccess\"");
    put_reference(m, "data", m->labels[way][row], "Label");
    str_addf(&m->out, " access=\"%s\"/>\n", accesses[way]);
}

static void put_runnable(struct model *m, size_t i)
{
    html_addf(&m->out, "    <runnables name=\"%s\"", m->runnables[i]);
    put_reference(m, "xmi:id", m->runnables[i], "Runnable");
    str_add(&m->out, ">\n");
    put_properties(m, &m->b->rows[i]);
    str_add(&m->out, "      <activityGraph>\n");
    put_access(m, i, 0);
    str_add(&m->out, "        <items xsi:type=\"am:Ticks\">\n          ");
    put_ticks(m, &m->b->rows[i], 0, "default");
    str_add(&m->out, "\n");
    for (size_t core = 0; core < m->b->request->n_cores; core++) {
        str_add(&m->out, "          <extended");
        put_reference(m, "key", m->definitions[core], "ProcessingUnitDefinition");
        str_add(&m->out, ">\n            ");
        put_ticks(m, &m->b->rows[i], core, "value");
        str_add(&m->out, "\n          </extended>\n");
    }
    str_add(&m->out, "        </items>\n");
    put_access(m, i, 1);
    str_add(&m->out, "      </activityGraph>\n    </runnables>\n");
}

/* Bytes per pass, rounded up. */
static double bytes_of(const struct model *m, size_t row, size_t way)
{
    const struct blocks_row *r = &m->b->rows[row];
    return ceil((double)(way ? r->written : r->read) / passages(m->b));
}

static void put_labels(struct model *m, size_t row)
{
    for (size_t way = 0; way < 2; way++) {
        if (!m->labels[way][row])
            continue;
        html_addf(&m->out, "    <labels name=\"%s\"", m->labels[way][row]);
        put_reference(m, "xmi:id", m->labels[way][row], "Label");
        str_addf(&m->out, ">\n      <size value=\"%.0f\" unit=\"B\"/>\n    </labels>\n", bytes_of(m, row, way));
    }
}

static void put_software(struct model *m)
{
    size_t n;
    const char *step = blocks_step_name(m->b, &n);
    char *name = step ? xstrndup(step, n) : xstrdup(m->b->request->profile->program);
    str_add(&m->out, "  <swModel>\n");
    html_addf(&m->out, "    <tasks name=\"%s\"", name);
    put_reference(m, "xmi:id", name, "Task");
    str_add(&m->out, ">\n      <activityGraph>\n");
    for (size_t i = 0; i < m->n_order; i++) {
        str_add(&m->out, "        <items xsi:type=\"am:RunnableCall\"");
        put_reference(m, "runnable", m->runnables[m->order[i]], "Runnable");
        str_add(&m->out, "/>\n");
    }
    str_add(&m->out, "      </activityGraph>\n    </tasks>\n");
    for (size_t i = 0; i < m->n_order; i++)
        put_runnable(m, m->order[i]);
    for (size_t i = 0; i < m->n_order; i++)
        put_labels(m, m->order[i]);
    str_add(&m->out, "  </swModel>\n");
    free(name);
}

static void put_hardware(struct model *m)
{
    const struct blocks_request *q = m->b->request;
    str_add(&m->out, "  <hwModel>\n");
    for (size_t i = 0; i < q->n_cores; i++) {
        html_addf(&m->out, "    <definitions xsi:type=\"am:ProcessingUnitDefinition\" name=\"%s\"", m->definitions[i]);
        put_reference(m, "xmi:id", m->definitions[i], "ProcessingUnitDefinition");
        str_add(&m->out, " puType=\"CPU\"/>\n");
    }
    str_add(&m->out, "    <structures name=\"System\" xmi:id=\"System?type=HwStructure\" structureType=\"System\">\n");
    for (size_t i = 0; i < q->n_cores; i++) {
        html_addf(&m->out, "      <modules xsi:type=\"am:ProcessingUnit\" name=\"%s\"", m->definitions[i]);
        put_reference(m, "xmi:id", m->definitions[i], "ProcessingUnit");
        if (q->cores[i].clock_hz > 0)
            put_reference(m, "frequencyDomain", m->definitions[i], "FrequencyDomain");
        put_reference(m, "definition", m->definitions[i], "ProcessingUnitDefinition");
        str_add(&m->out, "/>\n");
    }
    str_add(&m->out, "    </structures>\n");
    for (size_t i = 0; i < q->n_cores; i++) {
        if (!(q->cores[i].clock_hz > 0))
            continue;
        char *hertz = format_double(q->cores[i].clock_hz);
        html_addf(&m->out, "    <domains xsi:type=\"am:FrequencyDomain\" name=\"%s\"", m->definitions[i]);
        put_reference(m, "xmi:id", m->definitions[i], "FrequencyDomain");
        str_addf(&m->out, " clockGating=\"false\">\n      <defaultValue value=\"%s%s\" unit=\"Hz\"/>\n    </domains>\n",
                 hertz, strpbrk(hertz, ".e") ? "" : ".0");
        free(hertz);
    }
    str_add(&m->out, "  </hwModel>\n");
}

static const struct blocks *sorted; /* for compare_places: qsort has no context */

static int compare_places(const void *a, const void *b)
{
    const struct blocks_row *x = &sorted->rows[*(const size_t *)a], *y = &sorted->rows[*(const size_t *)b];
    if (x->block->file != y->block->file)
        return x->block->file < y->block->file ? -1 : 1;
    if (x->block->line != y->block->line)
        return x->block->line < y->block->line ? -1 : 1;
    return strcmp(x->block->name, y->block->name);
}

static void name_labels(struct model *m, size_t row)
{
    static const char *const what[] = {"data read", "data written"};
    for (size_t way = 0; way < 2; way++) {
        char *name = xasprintf("%s: %s", m->runnables[row], what[way]);
        if (bytes_of(m, row, way) > 0)
            m->labels[way][row] = own_name(m, "Label", name);
        free(name);
    }
}

static void name_all(struct model *m)
{
    const struct blocks *b = m->b;
    m->runnables = xcalloc(b->n_rows, sizeof *m->runnables);
    m->labels[0] = xcalloc(b->n_rows, sizeof *m->labels[0]);
    m->labels[1] = xcalloc(b->n_rows, sizeof *m->labels[1]);
    m->order = xcalloc(b->n_rows, sizeof *m->order);
    m->definitions = xcalloc(b->request->n_cores, sizeof *m->definitions);
    for (size_t i = 0; i < b->n_rows; i++)
        if (b->steps ? b->rows[i].steps[0].worst > 0 : b->rows[i].cycles[0].typical > 0)
            m->order[m->n_order++] = i;
    sorted = b;
    if (m->n_order)
        qsort(m->order, m->n_order, sizeof *m->order, compare_places);
    for (size_t i = 0; i < m->n_order; i++) {
        char *name = full_name(b->rows[m->order[i]].block);
        m->runnables[m->order[i]] = own_name(m, "Runnable", name);
        free(name);
        name_labels(m, m->order[i]);
    }
    for (size_t i = 0; i < b->request->n_cores; i++)
        m->definitions[i] = own_name(m, "ProcessingUnitDefinition", b->request->cores[i].core);
}

void blocks_amalthea(const struct blocks_print *p, FILE *f)
{
    struct model m = {.out = STR_INIT, .p = p, .b = p->blocks};
    name_all(&m);
    amalthea_begin(&m.out);
    put_software(&m);
    put_hardware(&m);
    amalthea_end(&m.out);
    fwrite(m.out.s, 1, m.out.len, f);
    for (size_t i = 0; i < m.b->n_rows; i++) {
        free(m.runnables[i]);
        free(m.labels[0][i]);
        free(m.labels[1][i]);
    }
    for (size_t i = 0; i < m.b->request->n_cores; i++)
        free(m.definitions[i]);
    free(m.runnables);
    free(m.labels[0]);
    free(m.labels[1]);
    free(m.definitions);
    free(m.order);
    map_release(&m.names);
    str_release(&m.out);
}
