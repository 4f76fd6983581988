/* program_graph.c - makes a graph of blocks with cycles and their dependences. */
#include "shimgen/estimate/source_files.h"
#include "shimgen/map/program/program_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shimgen/blocks/print_blocks.h"
#include "shimgen/map/program/program_traffic.h"
#include "shimgen/page/html.h"

struct making {
    const struct map_program *p;
    struct map_graph *g;
    struct depend d;      /* of the blocks */
    struct depend joined; /* of the units */
    size_t *unit;         /* for each of d.parts */
    size_t *part_at;      /* for each block of the tree: its index in d.parts, or MAP_NONE */
    double *cycles;       /* for each unit, on each core */
    size_t n_units;
    VEC(uint32_t) functions; /* blocks of the step functions in the tree, one per rate */
    uint32_t function;       /* the first of them */
    size_t *rate_of;         /* for each block of the tree: the first rate whose steps contain it, or MAP_NONE */
    double elsewhere;        /* cycles, on the first core, of rows that no step function calls */
};

/* ---- from lines to blocks ---- */

/* The source whose path agrees with the file's in the most trailing folders; NULL: none has the name. */
static const struct tree_source *source_of(const struct tree *t, const char *file)
{
    const struct tree_source *best = 0;
    size_t most = 0;
    for (size_t i = 0; i < t->sources.n; i++) {
        size_t common = source_common(t->sources.at[i].path, file);
        if (common > most) {
            most = common;
            best = &t->sources.at[i];
        } else if (common == most) {
            best = 0; /* two of the same name: it is not known which is meant */
        }
    }
    return best;
}

/* Code of a called function that belongs to no block belongs to its caller's. */
static bool is_called_function(const struct making *m, uint32_t block)
{
    if (!m->p->inside || m->p->blocks->tree.blocks.at[block].kind != BLOCK_FUNCTION)
        return false;
    for (size_t i = 0; i < m->functions.n; i++)
        if (m->functions.at[i] == block)
            return false;
    return true;
}

static size_t block_of_line(void *data, const char *file, unsigned line)
{
    const struct making *m = data;
    const struct tree_source *s = source_of(&m->p->blocks->tree, file);
    const struct tree_line *l = s ? tree_line(s, line) : 0;
    return l && !is_called_function(m, l->block) ? l->block : DEPEND_NONE;
}

static size_t unit_of_block(void *data, size_t block)
{
    const struct making *m = data;
    return m->part_at[block] == MAP_NONE ? 0 : m->unit[m->part_at[block]];
}

static size_t unit_of_line(void *data, const char *file, unsigned line)
{
    const struct making *m = data;
    size_t block = block_of_line(data, file, line), part = block == DEPEND_NONE ? MAP_NONE : m->part_at[block];
    return part == MAP_NONE ? DEPEND_NONE : m->unit[part];
}

static enum status find_function(struct making *m, const char *name, struct error *e)
{
    const struct tree *t = &m->p->blocks->tree;
    uint32_t function = BLOCK_NONE;
    for (uint32_t i = 0; i < t->sources.n && function == BLOCK_NONE; i++)
        function = tree_find_function(t, i, name, 0);
    vec_push(&m->functions, function);
    m->function = m->functions.at[0];
    return function != BLOCK_NONE
               ? OK
               : error_set(e, ERR_INPUT, AT_FILE(m->p->blocks->request->profile->path),
                           "the source of step function '%s' was not found (--sources FOLDER)", name);
}

/* ---- cycles ---- */

static size_t block_number(const struct blocks *b, const struct blocks_row *row)
{
    return (size_t)(row->block - b->tree.blocks.at);
}

static void give(struct making *m, size_t part, const struct blocks_row *row, double share)
{
    size_t n = m->p->blocks->request->n_cores;
    for (size_t c = 0; c < n; c++)
        m->cycles[m->unit[part] * n + c] += share * row->steps[c].mean;
}

/* The function of a block's first line, by its number in the tree: its own block, or its subsystem. */
static size_t function_of(const struct making *m, size_t block)
{
    const struct tree *t = &m->p->blocks->tree;
    for (size_t i = 0; i < t->sources.n; i++)
        for (size_t k = 0; k < t->sources.at[i].n_lines; k++)
            if (t->sources.at[i].lines[k].block == block)
                return t->sources.at[i].lines[k].function;
    return block;
}

static bool is_function(const struct making *m, size_t function, const char *name)
{
    const struct tree *t = &m->p->blocks->tree;
    for (uint32_t i = 0; i < t->sources.n; i++)
        if (tree_find_function(t, i, name, 0) == function)
            return true;
    return t->blocks.at[function].kind == BLOCK_FUNCTION && strcmp(t->blocks.at[function].name, name) == 0;
}

/* How often a part, and thus what it calls, was executed. */
static double executions(const struct making *m, size_t block)
{
    const struct blocks *b = m->p->blocks;
    for (size_t i = 0; i < b->n_rows; i++)
        if (block_number(b, &b->rows[i]) == block)
            return (double)(b->rows[i].executions ? b->rows[i].executions : 1);
    return 1;
}

/* Distributes the row of a called function over its callers of the rate, by how often they call it. */
static bool give_to_callers(struct making *m, const struct blocks_row *row, size_t block, size_t rate)
{
    size_t function = function_of(m, block);
    double all = 0;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < m->d.calls.n; i++) {
            const struct depend_call *c = &m->d.calls.at[i];
            if (!is_function(m, function, c->callee) || m->rate_of[c->part] != rate || m->part_at[c->part] == MAP_NONE)
                continue; /* or nothing is left of it except what it called */
            double weight = executions(m, c->part) * (double)c->n;
            if (round)
                give(m, m->part_at[c->part], row, weight / all);
            else
                all += weight;
        }
    }
    return all > 0;
}

static void take_rate(struct making *m, const struct blocks *b, size_t rate)
{
    for (size_t i = 0; i < b->n_rows; i++) {
        const struct blocks_row *row = &b->rows[i];
        size_t block = block_number(b, row), part = m->part_at[block];
        if (!(row->steps[0].mean > 0))
            continue;
        if (part != MAP_NONE && m->rate_of[block] == rate)
            give(m, part, row, 1);
        else if (!give_to_callers(m, row, block, rate))
            m->elsewhere += row->steps[0].mean;
    }
}

static size_t rate_of_function(const struct making *m, size_t block)
{
    size_t function = function_of(m, block), r = 0;
    while (r < m->functions.n && m->functions.at[r] != function)
        r++;
    return r < m->functions.n ? r : MAP_NONE;
}

/* Finds the rate of each block. */
static void index_rates(struct making *m)
{
    size_t n = m->p->blocks->tree.blocks.n;
    m->rate_of = xcalloc(n + 1, sizeof *m->rate_of);
    for (size_t i = 0; i < n; i++)
        m->rate_of[i] = m->p->rates->at.n > 1 ? rate_of_function(m, i) : 0;
    for (size_t r = m->p->rates->at.n; r-- > 0;) {
        const struct blocks *b = m->p->rate[r];
        m->rate_of[m->functions.at[r]] = r;
        for (size_t i = 0; i < b->n_rows; i++)
            if (b->rows[i].steps[0].mean > 0)
                m->rate_of[block_number(b, &b->rows[i])] = r;
    }
}

static void take_cycles(struct making *m)
{
    m->cycles = xcalloc(m->n_units * m->p->blocks->request->n_cores, sizeof *m->cycles);
    for (size_t r = 0; r < m->p->rates->at.n; r++)
        take_rate(m, m->p->rate[r], r);
    if (m->elsewhere > 0)
        vec_push(
            &m->g->notes,
            xasprintf("%.1f cycles of a step belong to no block of the step function, and are left out", m->elsewhere));
}

/* In which steps a unit runs: those of its fastest rate. */
static long unit_every(const struct making *m, size_t unit)
{
    long every = 0;
    for (size_t i = 0; i < m->d.parts.n; i++) {
        size_t rate = m->unit[i] == unit ? m->rate_of[m->d.parts.at[i]] : MAP_NONE;
        long own = rate == MAP_NONE ? 0 : m->p->rates->at.at[rate].every;
        every = own && (!every || own < every) ? own : every;
    }
    return every ? every : 1;
}

/* ---- units ---- */

static char *title_of(const struct making *m, size_t part)
{
    return blocks_title(&m->p->blocks->tree.blocks.at[m->d.parts.at[part]]);
}

/* Makes "Sum <S1>/A" or "Sum <S1>/A and 3 more". */
static char *unit_name(const struct making *m, size_t unit)
{
    size_t first = MAP_NONE, n = 0;
    for (size_t i = 0; i < m->d.parts.n; i++) {
        if (m->unit[i] != unit)
            continue;
        first = n++ ? first : i;
    }
    char *title = title_of(m, first), *clean = html_clean_utf8(title);
    char *name = n > 1 ? xasprintf("%s and %zu more", clean, n - 1) : xstrdup(clean);
    free(title);
    free(clean);
    for (size_t k = 2; map_get(&m->g->numbers, name, 0); k++) {
        char *other = xasprintf("%s (%zu)", name, k);
        free(name);
        name = other;
    }
    return name;
}

/* Why two parts are joined, as text; NULL: this edge is not a reason. */
static char *reason_of(const struct making *m, const struct depend_edge *x)
{
    size_t from = m->part_at[x->from], to = m->part_at[x->to];
    if (x->next || m->unit[from] != m->unit[to])
        return 0;
    char *a = title_of(m, from), *b = title_of(m, to), *reason;
    if (x->kind == DEPEND_CONTROL)
        reason = xasprintf("'%s' and '%s': one decides whether the other runs", a, b);
    else
        reason = xasprintf("'%s' and '%s' run by turns (%s)", a, b, x->object ? x->object : "values");
    free(a);
    free(b);
    return reason;
}

/* Lists the unit's blocks and the first reason; NULL: it is a single block. */
static char *unit_why(const struct making *m, size_t unit)
{
    struct str s = STR_INIT;
    size_t n = 0;
    for (size_t i = 0; i < m->d.parts.n; i++) {
        if (m->unit[i] != unit)
            continue;
        char *title = title_of(m, i), *clean = html_clean_utf8(title);
        str_addf(&s, "%s%s", n++ ? ", " : "", clean);
        free(title);
        free(clean);
    }
    for (size_t i = 0; n > 1 && i < m->d.edges.n; i++) {
        const struct depend_edge *x = &m->d.edges.at[i];
        char *reason = m->unit[m->part_at[x->from]] == unit ? reason_of(m, x) : 0, *clean = 0;
        if (!reason)
            continue;
        clean = html_clean_utf8(reason);
        str_addf(&s, ": %s", clean);
        free(clean);
        free(reason);
        break;
    }
    char *text = n > 1 ? xstrdup(str_text(&s)) : 0;
    str_release(&s);
    return text;
}

static void add_units(struct making *m)
{
    const struct blocks_request *q = m->p->blocks->request;
    for (size_t u = 0; u < m->n_units; u++) {
        char *name = unit_name(m, u);
        struct map_block *b = map_graph_add(m->g, name);
        for (size_t c = 0; c < q->n_cores; c++)
            map_block_costs(b, m->p->one_kind ? "*" : q->cores[c].core, fmax(0, m->cycles[u * q->n_cores + c]));
        b->why = unit_why(m, u);
        b->every = unit_every(m, u);
        free(name);
    }
}

/* Sets the interval of a step's cycles, as factors of the estimate. */
static void add_interval(struct making *m)
{
    const struct blocks *b = m->p->blocks;
    double low, high, step = b->steps[0].mean;
    if (!(step > 0))
        return;
    struct trust_kind kind = trust_kind_of(b->request->profile, b->request->region, b->total[0].typical);
    double level = trust_interval(&low, &high, m->p->trust, &kind, step);
    if (!(level > 0) || !(low > 0) || !(high > 0) || isinf(high) || low > step || high < step)
        return;
    m->g->level = level;
    for (size_t i = 0; i < m->g->blocks.n; i++) {
        m->g->blocks.at[i].low = low / step;
        m->g->blocks.at[i].high = high / step;
    }
}

static void add_edges(struct making *m)
{
    for (size_t i = 0; i < m->joined.edges.n; i++) {
        const struct depend_edge *x = &m->joined.edges.at[i];
        vec_push(&m->g->edges, (struct map_edge){.from = x->from,
                                                 .to = x->to,
                                                 .bytes = x->kind == DEPEND_DATA ? x->bytes : 0,
                                                 .delay = x->next,
                                                 .why = xstrdup(x->object)});
    }
}

/* Between rates, a value is handed over in the steps of the slower one. */
static void scale_bytes(const struct making *m, struct traffic *t)
{
    for (size_t i = 0; i < t->n * t->n; i++) {
        long from = m->g->blocks.at[i / t->n].every, to = m->g->blocks.at[i % t->n].every;
        t->bytes[2 * i] *= (double)(from > to ? from : to);
        t->bytes[2 * i + 1] *= (double)(from > to ? from : to);
    }
}

/* Sets the edges' bytes by a run, if there is one. */
static enum status take_bytes(struct making *m, const char *step, struct error *e)
{
    const struct irprof_profile *p = m->p->traffic;
    const struct traffic_units units = {unit_of_line, m, m->n_units};
    struct traffic t = {0};
    if (!p) {
        vec_push(&m->g->notes, xstrdup("bytes between blocks are those of the variables that the code names, not those "
                                       "of a run ('shimgen profile --traffic')"));
        return OK;
    }
    enum status s = traffic_make(&t, p, step, &units, e);
    if (!s) {
        bool *by_value = xcalloc(m->joined.edges.n + 1, sizeof *by_value);
        for (size_t i = 0; i < m->joined.edges.n; i++)
            by_value[i] = m->joined.edges.at[i].kind == DEPEND_DATA && !m->joined.edges.at[i].object;
        scale_bytes(m, &t);
        traffic_apply(&t, m->g, by_value);
        vec_push(&m->g->notes, xasprintf("bytes between blocks are the mean of the %llu steps of '%s' in %s",
                                         (unsigned long long)t.steps, step, p->path));
        free(by_value);
    }
    traffic_release(&t);
    return s;
}

static void index_parts(struct making *m)
{
    size_t n = m->p->blocks->tree.blocks.n;
    m->part_at = xcalloc(n + 1, sizeof *m->part_at);
    for (size_t i = 0; i < n; i++)
        m->part_at[i] = MAP_NONE;
    for (size_t i = 0; i < m->d.parts.n; i++)
        m->part_at[m->d.parts.at[i]] = i;
    m->unit = xcalloc(m->d.parts.n + 1, sizeof *m->unit);
    m->n_units = map_unite(m->unit, &m->d);
}

static enum status find_functions(struct making *m, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; i < m->p->rates->at.n && !s; i++)
        s = find_function(m, m->p->rates->at.at[i].step, e);
    return s;
}

static bool is_inside(const struct making *m, const struct blocks_row *row)
{
    size_t block = block_number(m->p->blocks, row);
    return row->steps[0].mean > 0 && row->block->kind != BLOCK_FUNCTION && m->part_at[block] == MAP_NONE &&
           rate_of_function(m, block) == MAP_NONE;
}

/* Notes blocks of called functions with cycles: they are not separate from their callers. */
static void note_inside(struct making *m)
{
    const struct blocks *b = m->p->blocks;
    size_t n = 0;
    for (size_t i = 0; i < b->n_rows; i++)
        n += is_inside(m, &b->rows[i]);
    if (n)
        vec_push(
            &m->g->notes,
            xasprintf(
                "%zu block%s inside of functions that the step function calls, mapped with the block that calls: %s", n,
                n == 1 ? "" : "s",
                m->p->inside ? "the function is called at several places, or is in another file"
                             : "--inside maps them apart where the function is called at one place"));
}

/* steps: all step functions, separated by commas. */
static enum status make(struct making *m, const char *steps, struct error *e)
{
    enum status s = find_functions(m, e);
    const struct depend_parts parts = {block_of_line, m, m->function, 0, m->p->inside};
    if (!s)
        s = depend_make(&m->d, m->p->ir, steps, &parts, e);
    if (s)
        return s;
    index_parts(m);
    index_rates(m);
    /* again for the units, so that what several blocks of a unit need counts once */
    const struct depend_parts units = {block_of_line, m, m->function, unit_of_block, m->p->inside};
    s = depend_make(&m->joined, m->p->ir, steps, &units, e);
    if (s)
        return s;
    take_cycles(m);
    if (m->p->one_kind)
        vec_push(&m->g->notes, xasprintf("cycles are those of the core of board '%s', the same on all cores",
                                         m->p->blocks->request->board));
    add_units(m);
    add_edges(m);
    add_interval(m);
    note_inside(m);
    s = take_bytes(m, m->p->rates->at.at[0].step, e);
    if (!s)
        s = map_graph_check(m->g, e);
    if (!s && m->p->emit)
        s = depend_split_write(m->p->split, m->p->emit, m->p->ir, steps, &units, m->n_units, e);
    if (!s && m->p->emit && m->p->split->outside)
        vec_push(
            &m->g->notes,
            xstrdup("the step calls functions without a source, or uses 'volatile': in the order of the program, but "
                    "on several threads; the emitted program's comparison does them twice"));
    return s;
}

enum status map_graph_of_program(struct map_graph *out, const struct map_program *p, struct error *e)
{
    struct making m = {.p = p, .g = out};
    struct str names = STR_INIT;
    *out = (struct map_graph){.path = xstrdup(p->blocks->request->profile->path)};
    if (!p->blocks->step)
        return error_set(e, ERR_INPUT, AT_FILE(out->path),
                         "has no steps: name the model's step function to 'shimgen profile --steps FUNCTION'");
    for (size_t i = 0; i < p->rates->at.n; i++)
        str_addf(&names, "%s%s", i ? "," : "", p->rates->at.at[i].step);
    out->name = html_clean_utf8(str_text(&names));
    enum status s = make(&m, str_text(&names), e);
    depend_release(&m.d);
    depend_release(&m.joined);
    vec_release(&m.functions);
    free(m.rate_of);
    free(m.unit);
    free(m.part_at);
    free(m.cycles);
    str_release(&names);
    return s;
}
