/* join.c - joins counts with measurements into one dataset. */
#include "regress/regress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/events/event_limits.h"
#include "base/map.h"
#include "regress/data/data.h"

/* measurements.csv in wide form: one value per program, region and event. */
struct measured {
    struct csv *csv;
    struct map rows;   /* "program\nregion" -> index */
    struct map events; /* name -> index, in the order of appearance */
    double *values;    /* rows.n x events.n; NAN: not measured */
    bool *used;        /* for each row: is it used? */
};

static char *row_name(const char *program, const char *region)
{
    return xasprintf("%s\n%s", program, region);
}

static void number_rows_and_events(struct measured *m, size_t program, size_t region, size_t event)
{
    for (size_t i = 0; i < m->csv->n_rows; i++) {
        char *name = row_name(csv_cell(m->csv, i, program), csv_cell(m->csv, i, region));
        map_number(&m->rows, name);
        free(name);
        map_number(&m->events, csv_cell(m->csv, i, event));
    }
}

static enum status take_value(struct measured *m, size_t i, const size_t columns[4], struct error *e)
{
    const struct csv *c = m->csv;
    char *name = row_name(csv_cell(c, i, columns[0]), csv_cell(c, i, columns[1]));
    size_t row = map_number(&m->rows, name);
    size_t event = map_number(&m->events, csv_cell(c, i, columns[2]));
    free(name);
    double *to = &m->values[row * m->events.n + event];
    if (!isnan(*to))
        return error_set(e, ERR_INPUT, AT(c->path, c->lines[i]), "event '%s' of '%s' occurs here a second time",
                         csv_cell(c, i, columns[2]), csv_cell(c, i, columns[0]));
    enum regress_column kind = data_column_kind(csv_cell(c, i, columns[2]));
    if (kind != REGRESS_CYCLES && kind != REGRESS_EVENT)
        return error_set(e, ERR_INPUT, AT(c->path, c->lines[i]),
                         "'%s' is not the name of an event (capitals, digits and '_')", csv_cell(c, i, columns[2]));
    return csv_number(c, i, columns[3], to, e);
}

/* A measured row, whose values are looked up by event. */
struct measured_row {
    const struct measured *m;
    size_t row;
};

static double event_of(const void *context, const char *event)
{
    const struct measured_row *r = context;
    size_t column;
    return map_get(&r->m->events, event, &column) ? r->m->values[r->row * r->m->events.n + column] : (double)NAN;
}

/* Checks what was measured for the program and region of the table's row `i`. */
static enum status check_measured(const struct measured *m, size_t i, const size_t columns[4], struct error *e)
{
    const struct csv *c = m->csv;
    struct measured_row r = {m, 0};
    char *name = row_name(csv_cell(c, i, columns[0]), csv_cell(c, i, columns[1]));
    bool found = map_get(&m->rows, name, &r.row);
    char *what = found ? event_limits_broken(event_of, &r) : 0;
    char *label = data_label(csv_cell(c, i, columns[0]), csv_cell(c, i, columns[1]));
    enum status s =
        what ? error_set(e, ERR_INPUT, AT(c->path, c->lines[i]),
                         "impossible counts: '%s' has %s; measure it again, or take its rows out", label, what)
             : OK;
    free(label);
    free(what);
    free(name);
    return s;
}

static enum status read_measured(struct measured *m, const char *path, struct error *e)
{
    static const char *const names[] = {"program", "region", "event", "value"};
    size_t columns[4];
    enum status s = csv_read(&m->csv, path, e);
    for (size_t k = 0; !s && k < 4; k++)
        s = csv_need(m->csv, names[k], &columns[k], e);
    if (s)
        return s;
    if (m->csv->n_rows == 0)
        return error_set(e, ERR_INPUT, AT_FILE(path), "there are no rows below the header");
    number_rows_and_events(m, columns[0], columns[1], columns[2]);
    size_t n = m->rows.n * m->events.n;
    m->values = xcalloc(n, sizeof *m->values);
    for (size_t i = 0; i < n; i++)
        m->values[i] = NAN;
    m->used = xcalloc(m->rows.n, sizeof *m->used);
    for (size_t i = 0; !s && i < m->csv->n_rows; i++)
        s = take_value(m, i, columns, e);
    for (size_t i = 0; !s && i < m->csv->n_rows; i++)
        s = check_measured(m, i, columns, e);
    return s;
}

static void release_measured(struct measured *m)
{
    csv_free(m->csv);
    map_release(&m->rows);
    map_release(&m->events);
    free(m->values);
    free(m->used);
}

/* Chooses the best cycle event, the same for every row: cycles of different clocks cannot be mixed. */
static enum status choose_cycles(const struct measured *m, size_t *event, struct error *e)
{
    for (const char *const *c = data_cycle_events(); *c; c++)
        if (map_get(&m->events, *c, event))
            return OK;
    return error_set(e, ERR_INPUT, AT_FILE(m->csv->path),
                     "no event counts cycles; CPU_CYCLES, TSC_CYCLES, CNTVCT_CYCLES or RDTIME_CYCLES is needed");
}

typedef VEC(struct regress_unmatched) unmatched_t;
typedef VEC(size_t) indices_t;

static void note_unmatched(unmatched_t *list, const char *program, const char *region, int why)
{
    char *label = data_label(program, region);
    vec_push(list, (struct regress_unmatched){label, why});
}

/* Finds the rows of counts that have cycles. *from[k] is the measured row that goes with *rows[k]. */
static void match_rows(const struct regress_data *counts, struct measured *m, size_t cycles, indices_t *rows,
                       indices_t *from, unmatched_t *unmatched)
{
    for (size_t i = 0; i < counts->n; i++) {
        char *name = row_name(counts->programs[i], counts->regions[i]);
        size_t row;
        bool found = map_get(&m->rows, name, &row);
        free(name);
        if (!found) {
            note_unmatched(unmatched, counts->programs[i], counts->regions[i], REGRESS_NOT_MEASURED);
            continue;
        }
        m->used[row] = true;
        double value = m->values[row * m->events.n + cycles];
        if (!(value > 0)) {
            note_unmatched(unmatched, counts->programs[i], counts->regions[i],
                           isnan(value) ? REGRESS_NO_CYCLES : REGRESS_ZERO_CYCLES);
        } else {
            vec_push(rows, i);
            vec_push(from, row);
        }
    }
    for (size_t row = 0; row < m->rows.n; row++) {
        if (m->used[row])
            continue;
        char *program = xstrdup(m->rows.keys[row]);
        char *region = strchr(program, '\n');
        *region++ = 0;
        note_unmatched(unmatched, program, region, REGRESS_NOT_COUNTED);
        free(program);
    }
}

/* Columns of the result, in this order. */
struct chosen {
    bool *measured; /* for each measured event */
    /* for each column of the counts: simulated events; keys and columns of control and data flow */
    bool *events, *counts;
    size_t n;
};

/* Pairs of events that form a ratio, such as accesses and refills of a level. A ratio of a measured and a simulated
 * number means nothing. */
static const char *const ratios[][2] = {{"L1D_CACHE", "L1D_CACHE_REFILL"}, {"L2D_CACHE", "L2D_CACHE_REFILL"}};

static bool has_column(const struct regress_data *d, const char *name, size_t *column)
{
    return regress_data_column(d, name, column) && d->kinds[*column] == REGRESS_EVENT;
}

/* The event's own table does not decide any more. */
static void drop_both(struct regress_join *out, const char *name)
{
    size_t kept = 0;
    for (size_t i = 0; i < out->n_both; i++) {
        if (strcmp(out->both[i], name) == 0)
            free(out->both[i]);
        else
            out->both[kept++] = out->both[i];
    }
    out->n_both = kept;
}

/* If two events of a ratio would come from different tables, takes both from the table that has both. If neither has
 * both, drops the simulated one. */
static void keep_together(struct chosen *c, struct regress_join *out, const struct regress_data *counts,
                          const struct measured *m, const char *const pair[2])
{
    bool in_measured[2], in_counts[2];
    size_t event[2], column[2];
    for (size_t k = 0; k < 2; k++) {
        in_measured[k] = map_get(&m->events, pair[k], &event[k]);
        in_counts[k] = has_column(counts, pair[k], &column[k]);
        if (!in_measured[k] && !in_counts[k])
            return;
    }
    bool mixed = (in_measured[0] && c->measured[event[0]]) != (in_measured[1] && c->measured[event[1]]);
    if (!mixed)
        return;
    bool simulated = in_counts[0] && in_counts[1], measured = !simulated;
    for (size_t k = 0; k < 2; k++) {
        if (in_measured[k])
            c->measured[event[k]] = measured;
        if (in_counts[k])
            c->events[column[k]] = simulated;
        drop_both(out, pair[k]);
    }
    out->together = xreallocarray(out->together, out->n_together + 1, sizeof *out->together);
    out->together[out->n_together++] =
        simulated ? xasprintf("%s and %s are taken as simulated: they form a ratio, and only one of them is measured",
                              pair[0], pair[1])
                  : xasprintf("%s and %s are taken as measured where they are: they form a ratio, and only one of them "
                              "is simulated",
                              pair[0], pair[1]);
}

static size_t count_chosen(const bool *chosen, size_t n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += chosen[i];
    return sum;
}

/* Chooses all columns. An event that both tables have is taken once, and its name added to out->both. */
static struct chosen choose_columns(struct regress_join *out, const struct regress_data *counts,
                                    const struct measured *m, enum regress_events events)
{
    struct chosen c = {xcalloc(m->events.n, sizeof(bool)), xcalloc(counts->cols, sizeof(bool)),
                       xcalloc(counts->cols, sizeof(bool)), 0};
    memset(c.measured, true, m->events.n);
    out->both = xcalloc(counts->cols, sizeof *out->both);
    for (size_t j = 0; j < counts->cols; j++) {
        size_t event;
        c.events[j] = counts->kinds[j] == REGRESS_EVENT;
        c.counts[j] = !c.events[j];
        if (!map_get(&m->events, counts->names[j], &event))
            continue;
        out->both[out->n_both++] = xstrdup(counts->names[j]);
        if (events == REGRESS_EVENTS_MEASURED)
            c.events[j] = false;
        else
            c.measured[event] = false;
    }
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        keep_together(&c, out, counts, m, ratios[i]);
    c.n = count_chosen(c.measured, m->events.n) + count_chosen(c.events, counts->cols) +
          count_chosen(c.counts, counts->cols);
    return c;
}

/* Appends the values of the chosen columns. Returns their number. */
static size_t take_chosen(double *to, const double *from, const bool *chosen, size_t n)
{
    size_t taken = 0;
    for (size_t j = 0; j < n; j++)
        if (chosen[j])
            to[taken++] = from[j];
    return taken;
}

/* Appends the names of the chosen columns. Returns their number. */
static size_t name_chosen(char **to, char *const *from, const bool *chosen, size_t n)
{
    size_t taken = 0;
    for (size_t j = 0; j < n; j++)
        if (chosen[j])
            to[taken++] = xstrdup(from[j]);
    return taken;
}

static void name_columns(struct regress_data *d, const struct regress_data *counts, const struct measured *m,
                         const struct chosen *c)
{
    char **to = d->names;
    *to++ = xstrdup("cycles");
    to += name_chosen(to, m->events.keys, c->measured, m->events.n);
    to += name_chosen(to, counts->names, c->events, counts->cols);
    name_chosen(to, counts->names, c->counts, counts->cols);
    for (size_t j = 0; j < d->cols; j++)
        d->kinds[j] = data_column_kind(d->names[j]);
}

static struct regress_data *assemble(const struct regress_data *counts, const struct measured *m, size_t cycles,
                                     const struct chosen *c, const indices_t *rows, const indices_t *from)
{
    struct regress_data *d = data_new(counts->path, rows->n, 1 + c->n);
    name_columns(d, counts, m, c);
    for (size_t k = 0; k < rows->n; k++) {
        size_t i = rows->at[k];
        const double *events = m->values + from->at[k] * m->events.n;
        double *to = d->values + k * d->cols;
        d->programs[k] = xstrdup(counts->programs[i]);
        d->regions[k] = xstrdup(counts->regions[i]);
        d->labels[k] = xstrdup(counts->labels[i]);
        regress_data_describe(d, k, counts->domains ? counts->domains[i] : 0, counts->roles ? counts->roles[i] : 0);
        *to++ = events[cycles];
        to += take_chosen(to, events, c->measured, m->events.n);
        to += take_chosen(to, counts->values + i * counts->cols, c->events, counts->cols);
        take_chosen(to, counts->values + i * counts->cols, c->counts, counts->cols);
    }
    data_finish(d);
    return d;
}

static enum status check_counts(const struct regress_data *counts, struct error *e)
{
    for (size_t j = 0; j < counts->cols; j++)
        if (counts->kinds[j] == REGRESS_CYCLES)
            return error_set(e, ERR_INPUT, AT(counts->path, 1),
                             "column '%s' holds cycles: this table is measured or joined already", counts->names[j]);
    return OK;
}

static enum status join(struct regress_join *out, const struct regress_data *counts, struct measured *m,
                        enum regress_events events, struct error *e)
{
    size_t cycles;
    enum status s = check_counts(counts, e);
    if (!s)
        s = choose_cycles(m, &cycles, e);
    if (s)
        return s;
    indices_t rows = {0}, from = {0};
    unmatched_t unmatched = {0};
    match_rows(counts, m, cycles, &rows, &from, &unmatched);
    *out = (struct regress_join){.unmatched = unmatched.at, .n_unmatched = unmatched.n};
    struct chosen columns = choose_columns(out, counts, m, events);
    if (rows.n)
        out->data = assemble(counts, m, cycles, &columns, &rows, &from);
    else
        s = error_set(e, ERR_INPUT, AT_FILE(m->csv->path),
                      "no program and region is both in this table and in %s: '%s' %s, for instance", counts->path,
                      unmatched.at[0].label, regress_unmatched_text(&unmatched.at[0]));
    free(columns.measured);
    free(columns.events);
    free(columns.counts);
    vec_release(&rows);
    vec_release(&from);
    if (s)
        regress_join_release(out);
    return s;
}

enum status regress_join(struct regress_join *out, const char *counts_path, const char *measurements_path,
                         enum regress_events events, struct error *e)
{
    struct regress_data *counts = 0;
    struct measured m = {0};
    enum status s = regress_data_read(&counts, counts_path, e);
    if (!s)
        s = read_measured(&m, measurements_path, e);
    if (!s)
        s = join(out, counts, &m, events, e);
    regress_data_free(counts);
    release_measured(&m);
    return s;
}

void regress_join_release(struct regress_join *j)
{
    regress_data_free(j->data);
    for (size_t i = 0; i < j->n_unmatched; i++)
        free(j->unmatched[i].label);
    free(j->unmatched);
    for (size_t i = 0; i < j->n_both; i++)
        free(j->both[i]);
    free(j->both);
    for (size_t i = 0; i < j->n_together; i++)
        free(j->together[i]);
    free(j->together);
    *j = (struct regress_join){0};
}

const char *regress_unmatched_text(const struct regress_unmatched *u)
{
    switch (u->why) {
    case REGRESS_NOT_MEASURED:
        return "is counted but not measured";
    case REGRESS_NOT_COUNTED:
        return "is measured but not counted";
    case REGRESS_NO_CYCLES:
        return "is measured without cycles";
    case REGRESS_ZERO_CYCLES:
        return "has no cycles above 0: it is too short to be measured";
    }
    BUG("an unmatched row without a reason");
}
