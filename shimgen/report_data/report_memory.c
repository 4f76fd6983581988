/* report_memory.c - for the report: costs of memory and messages, from memory.csv (docs/formats/memory.md). */
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "shimgen/report_data/report_fill.h"

enum column { CORE, PLACE, ORDER, ACCESS, BYTES, QUANTITY, BEST, TYPICAL, WORST, N_COLUMNS };
static const char *const names[N_COLUMNS] = {"core",     "place", "order",   "access", "bytes",
                                             "quantity", "best",  "typical", "worst"};

struct reading {
    const struct csv *c;
    size_t column[N_COLUMNS];
    struct fill *f;
};

static char *keep(struct fill *f, char *owned)
{
    vec_push(&f->texts, owned);
    return owned;
}

static const char *cell(const struct reading *r, size_t row, enum column k)
{
    return csv_cell(r->c, row, r->column[k]);
}

static enum status cycles(const struct reading *r, size_t row, enum column k, double *out, struct error *e)
{
    *out = REPORT_UNKNOWN;
    return *cell(r, row, k) ? csv_number(r->c, row, r->column[k], out, e) : OK;
}

/* Makes "memory near: load of 8 bytes", "message to core 2". */
static char *name_of(const struct reading *r, size_t row)
{
    const char *place = cell(r, row, PLACE), *order = cell(r, row, ORDER), *access = cell(r, row, ACCESS);
    if (*access == 'M')
        return xasprintf("message from core %s to %s", cell(r, row, CORE), place);
    return xasprintf("%s%s%s: %s of %s byte%s", place, *order ? " " : "", order, *access == 'W' ? "store" : "load",
                     cell(r, row, BYTES), strcmp(cell(r, row, BYTES), "1") == 0 ? "" : "s");
}

/* Latency and pitch of an access are two rows, which need not be adjacent. */
static struct report_instruction *access_of(struct fill *f, const char *name, const char *evidence)
{
    struct report *p = &f->report;
    for (size_t i = 0; i < p->n_accesses; i++)
        if (strcmp(p->accesses[i].name, name) == 0 && strcmp(p->accesses[i].evidence, evidence) == 0)
            return &p->accesses[i];
    struct report_instruction *x = &p->accesses[p->n_accesses++];
    *x = (struct report_instruction)REPORT_INSTRUCTION_INIT;
    x->name = name;
    x->evidence = evidence;
    return x;
}

static enum status take_row(const struct reading *r, size_t row, struct error *e)
{
    struct report_cycles c;
    enum status s = cycles(r, row, BEST, &c.best, e);
    if (!s)
        s = cycles(r, row, TYPICAL, &c.typical, e);
    if (!s)
        s = cycles(r, row, WORST, &c.worst, e);
    if (s)
        return s;
    char *name = keep(r->f, name_of(r, row)), *evidence = keep(r->f, xasprintf("core %s", cell(r, row, CORE)));
    struct report_instruction *x = access_of(r->f, name, evidence);
    if (strcmp(cell(r, row, QUANTITY), "pitch") == 0)
        x->pitch = c;
    else
        x->latency = c;
    return OK;
}

enum status report_fill_memory(struct fill *f, const char *table, struct error *e)
{
    struct csv *c = 0;
    if (!file_exists(table))
        return OK;
    enum status s = csv_read(&c, table, e);
    if (s)
        return s;
    struct reading r = {.c = c, .f = f};
    for (size_t k = 0; !s && k < N_COLUMNS; k++)
        s = csv_need(c, names[k], &r.column[k], e);
    f->report.accesses = xcalloc(c->n_rows + 1, sizeof *f->report.accesses);
    for (size_t i = 0; !s && i < c->n_rows; i++)
        s = take_row(&r, i, e);
    csv_free(c);
    return s;
}
