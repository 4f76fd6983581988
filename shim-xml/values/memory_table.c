/* memory_table.c - reads memory.csv: costs of memory accesses and messages. */
#include "shim-xml/values/memory_table.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/str.h"

enum { MOST_ROWS = 50000 }; /* each row is compared with all earlier ones */

enum column { CORE, PLACE, ORDER, ACCESS, BYTES, QUANTITY, EVENT, BEST, TYPICAL, WORST, N_NEEDED };
static const char *const needed[N_NEEDED] = {"core",     "place", "order", "access",  "bytes",
                                             "quantity", "event", "best",  "typical", "worst"};

struct reading {
    const struct csv *c;
    size_t column[N_NEEDED], spread;
    bool has_spread;
    struct memory_values *v;
    struct error *e;
};

static const char *cell(const struct reading *r, size_t row, enum column k)
{
    return csv_cell(r->c, row, r->column[k]);
}

static struct loc at(const struct reading *r, size_t row)
{
    return AT(r->c->path, r->c->lines[row]);
}

static enum status whole(const struct reading *r, size_t row, enum column k, long least, long *out)
{
    if (parse_long(cell(r, row, k), out) && *out >= least)
        return OK;
    return error_set(r->e, ERR_INPUT, at(r, row), "%s '%.60s' is not a whole number of at least %ld", needed[k],
                     cell(r, row, k), least);
}

/* Reads a cell. Best and worst may be empty. */
static enum status cycles(const struct reading *r, size_t row, enum column k, double *out)
{
    *out = NAN;
    if (!*cell(r, row, k) && k != TYPICAL)
        return OK;
    enum status s = csv_number(r->c, row, r->column[k], out, r->e);
    if (!s && (*out < 0 || *out > FLT_MAX))
        s = error_set(r->e, ERR_INPUT, at(r, row), "%s is %s: no number of cycles that SHIM can hold", needed[k],
                      cell(r, row, k));
    return s;
}

static enum status range_of(const struct reading *r, size_t row, struct shimxml_range *out)
{
    enum status s = cycles(r, row, BEST, &out->best);
    if (!s)
        s = cycles(r, row, TYPICAL, &out->typical);
    if (!s)
        s = cycles(r, row, WORST, &out->worst);
    if (!s && (out->best > out->typical || out->typical > out->worst))
        s = error_set(r->e, ERR_INPUT, at(r, row), "best <= typical <= worst does not hold: %s, %s, %s",
                      cell(r, row, BEST), cell(r, row, TYPICAL), cell(r, row, WORST));
    return s;
}

static enum status one_event(const struct reading *r, size_t row)
{
    const char *event = cell(r, row, EVENT);
    if (!r->v->event)
        r->v->event = xstrdup(event);
    if (*event && strcmp(event, r->v->event) == 0)
        return OK;
    return error_set(r->e, ERR_INPUT, at(r, row),
                     "event '%.60s': all rows must be of one event, and the first is of "
                     "'%.60s'",
                     event, r->v->event);
}

static enum status key_of(const struct reading *r, size_t row, struct memory_value *out)
{
    const char *access = cell(r, row, ACCESS), *place = cell(r, row, PLACE);
    *out = (struct memory_value){.line = r->c->lines[row], .partner = -1};
    out->pitch.typical = out->latency.typical = NAN;
    enum status s = whole(r, row, CORE, 0, &out->core);
    if (!s)
        s = whole(r, row, BYTES, 1, &out->bytes);
    if (!s && (strlen(access) != 1 || !strchr("RWM", *access)))
        s = error_set(r->e, ERR_INPUT, at(r, row), "access '%.60s' is not R, W or M", access);
    if (s)
        return s;
    out->access = *access;
    if (*access == 'M' &&
        (strncmp(place, "core ", 5) != 0 || !parse_long(place + 5, &out->partner) || out->partner < 0))
        return error_set(r->e, ERR_INPUT, at(r, row), "the place of a message is 'core NUMBER', not '%.60s'", place);
    if (!*place)
        return error_set(r->e, ERR_INPUT, at(r, row), "the place is empty");
    out->place = xstrdup(place);
    out->order = xstrdup(cell(r, row, ORDER));
    return OK;
}

static bool same_key(const struct memory_value *a, const struct memory_value *b)
{
    return a->core == b->core && a->access == b->access && a->bytes == b->bytes && strcmp(a->place, b->place) == 0 &&
           strcmp(a->order, b->order) == 0;
}

/* The value to which the row belongs. Takes over or frees the key. */
static struct memory_value *value_of(struct memory_values *v, struct memory_value *key)
{
    for (size_t i = 0; i < v->at.n; i++) {
        if (same_key(&v->at.at[i], key)) {
            free(key->place);
            free(key->order);
            return &v->at.at[i];
        }
    }
    vec_push(&v->at, *key);
    return &v->at.at[v->at.n - 1];
}

static enum status take_spread(const struct reading *r, size_t row, const struct memory_value *v, double typical)
{
    double spread;
    if (!r->has_spread || !*csv_cell(r->c, row, r->spread) || typical <= 0)
        return OK;
    enum status s = csv_number(r->c, row, r->spread, &spread, r->e);
    if (s || spread / typical <= r->v->spread)
        return s;
    r->v->spread = spread / typical;
    free(r->v->spread_of);
    r->v->spread_of = xasprintf("%s%s%s, %s of %c %ld", v->place, *v->order ? " " : "", v->order,
                                cell(r, row, QUANTITY), v->access, v->bytes);
    return OK;
}

static enum status take_row(const struct reading *r, size_t row)
{
    struct memory_value key;
    struct shimxml_range range;
    const char *quantity = cell(r, row, QUANTITY);
    bool latency = strcmp(quantity, "latency") == 0;
    if (!latency && strcmp(quantity, "pitch") != 0)
        return error_set(r->e, ERR_INPUT, at(r, row), "quantity '%.60s' is neither latency nor pitch", quantity);
    enum status s = range_of(r, row, &range);
    if (!s)
        s = one_event(r, row);
    if (!s)
        s = key_of(r, row, &key);
    if (s)
        return s;
    struct memory_value *v = value_of(r->v, &key);
    struct shimxml_range *to = latency ? &v->latency : &v->pitch;
    if (!isnan(to->typical))
        return error_set(r->e, ERR_INPUT, at(r, row), "this row is given twice; the values of line %lu are of it too",
                         v->line);
    *to = range;
    return take_spread(r, row, v, range.typical);
}

static enum status both_given(const struct reading *r)
{
    for (size_t i = 0; i < r->v->at.n; i++) {
        const struct memory_value *v = &r->v->at.at[i];
        if (isnan(v->latency.typical) || isnan(v->pitch.typical))
            return error_set(r->e, ERR_INPUT, AT(r->c->path, v->line), "%s stands without %s of the same access",
                             isnan(v->pitch.typical) ? "latency" : "pitch",
                             isnan(v->pitch.typical) ? "pitch" : "latency");
    }
    return r->v->at.n ? OK : error_set(r->e, ERR_INPUT, AT_FILE(r->c->path), "there is no row");
}

enum status memory_values_read(struct memory_values **out, const char *path, struct error *e)
{
    struct csv *c = 0;
    enum status s = csv_read(&c, path, e);
    if (s)
        return s;
    struct reading r = {.c = c, .v = xcalloc(1, sizeof *r.v), .e = e};
    for (size_t k = 0; !s && k < N_NEEDED; k++)
        s = csv_need(c, needed[k], &r.column[k], e);
    if (!s && c->n_rows > MOST_ROWS)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "%zu rows: more than the %d of the largest machine", c->n_rows,
                      MOST_ROWS);
    r.has_spread = csv_find(c, "spread", &r.spread);
    for (size_t i = 0; !s && i < c->n_rows; i++)
        s = take_row(&r, i);
    if (!s)
        s = both_given(&r);
    csv_free(c);
    if (s)
        memory_values_free(r.v);
    else
        *out = r.v;
    return s;
}

void memory_values_free(struct memory_values *v)
{
    if (!v)
        return;
    for (size_t i = 0; i < v->at.n; i++) {
        free(v->at.at[i].place);
        free(v->at.at[i].order);
    }
    vec_release(&v->at);
    free(v->event);
    free(v->spread_of);
    free(v);
}

const struct memory_value *memory_values_find(const struct memory_values *v, long core, const char *place,
                                              const char *order, char access, long bytes)
{
    for (size_t i = 0; i < v->at.n; i++) {
        const struct memory_value *x = &v->at.at[i];
        if (x->core == core && x->access == access && x->bytes == bytes && strcmp(x->place, place) == 0 &&
            strcmp(x->order, order) == 0)
            return x;
    }
    return 0;
}
