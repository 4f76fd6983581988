/* compiled_machine.c - divides machine code into nodes: the control-flow graph of an executable. */
#include "shimgen/estimate/compiled/compiled_machine.h"

#include <stdlib.h>
#include <string.h>

struct start {
    uint64_t address;
    const struct elf_label *label; /* NULL: code that continues after a branch, or at a branch target */
    uint64_t order;                /* unlabelled starts sort after labels */
};
struct cutter {
    const struct elf *elf;
    struct machine_function *f;
    const struct elf_label *labels; /* the labels inside the function */
    size_t n_labels;
    VEC(struct start) starts;
};

static const struct elf_label *labels_from(const struct elf *elf, uint64_t address)
{
    return elf->labels + elf_first(elf->labels, elf->n_labels, sizeof *elf->labels, address);
}

static bool inside(const struct machine_function *f, uint64_t address)
{
    return address >= f->symbol->address && address - f->symbol->address < f->symbol->size;
}

/* Labels at the function's end belong to the next function. */
static void find_labels(struct cutter *c)
{
    const struct elf *elf = c->elf;
    const struct elf_label *at = labels_from(elf, c->f->symbol->address), *end = elf->labels + elf->n_labels;
    c->labels = at;
    while (at < end && inside(c->f, at->address))
        at++;
    c->n_labels = (size_t)(at - c->labels);
}

/* ---- nodes ---- */

static int by_place(const void *a, const void *b)
{
    const struct start *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void add_start(struct cutter *c, uint64_t address, const struct elf_label *label)
{
    if (inside(c->f, address))
        vec_push(&c->starts, (struct start){address, label, label ? label->order + 1 : UINT64_MAX});
}

static void find_starts(struct cutter *c)
{
    const struct iss_code *code = c->f->code;
    for (size_t i = 0; i < c->n_labels; i++)
        if (c->labels[i].kind != ELF_LABEL_PLACE)
            add_start(c, c->labels[i].address, &c->labels[i]);
    add_start(c, c->f->symbol->address, 0);
    for (size_t i = 0; i < code->n; i++) {
        const struct iss_op *op = &code->steps[i].op;
        if (i && code->steps[i].address != code->steps[i - 1].address + code->steps[i - 1].op.size)
            add_start(c, code->steps[i].address, 0); /* after constants */
        if (op->branch == ISS_NO_BRANCH)
            continue;
        add_start(c, code->steps[i].address + op->size, 0);
        if (op->branch == ISS_CONDITIONAL || op->branch == ISS_JUMP)
            add_start(c, (uint64_t)op->constant, 0);
    }
    if (c->starts.n)
        qsort(c->starts.at, c->starts.n, sizeof *c->starts.at, by_place);
}

static void set_end(struct node *n)
{
    static const enum node_end ends[] = {
        [ISS_NO_BRANCH] = NODE_FALLS,        [ISS_CONDITIONAL] = NODE_BRANCHES, [ISS_JUMP] = NODE_JUMPS,
        [ISS_JUMP_INDIRECT] = NODE_SWITCHES, [ISS_CALL_DIRECT] = NODE_CALLS,    [ISS_CALL_INDIRECT] = NODE_CALLS,
        [ISS_RETURN_TO] = NODE_LEAVES,
    };
    const struct iss_op *op = n->n ? &n->steps[n->n - 1].op : 0;
    n->end = ends[op ? op->branch : ISS_NO_BRANCH];
    n->conditional = op && op->conditional;
    n->target = NODE_NONE;
    if (op && op->branch == ISS_CALL_DIRECT)
        n->callee = (uint64_t)op->constant;
}

/* Removes a start without a label where a label stands or another branch leads. */
static void drop_doubled(struct cutter *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->starts.n; i++)
        if (c->starts.at[i].label || !n || c->starts.at[n - 1].address != c->starts.at[i].address)
            c->starts.at[n++] = c->starts.at[i];
    c->starts.n = n;
}

static void make_nodes(struct cutter *c)
{
    struct machine_function *f = c->f;
    uint32_t number = ELF_NO_BLOCK;
    f->nodes = xcalloc(c->starts.n + 1, sizeof *f->nodes);
    for (size_t i = 0; i < c->starts.n; i++) {
        const struct start *s = &c->starts.at[i];
        size_t from = iss_code_find(f->code, s->address), to = f->code->n;
        if (from == f->code->n)
            continue;
        if (i + 1 < c->starts.n)
            to = iss_code_from(f->code, c->starts.at[i + 1].address);
        struct node *n = &f->nodes[f->n++];
        if (s->label)
            number = s->label->number;
        *n = (struct node){.steps = f->code->steps + from,
                           .n = to - from,
                           .address = s->address,
                           .labelled = s->label,
                           .number = number,
                           .of = f->of + from};
        set_end(n);
    }
}

static size_t node_at(const struct machine_function *f, uint64_t address)
{
    size_t at = elf_first(f->nodes, f->n, sizeof *f->nodes, address);
    return at < f->n && f->nodes[at].address == address ? at : NODE_NONE;
}

/* Finds the targets of jump tables, by labels. Without labels they are the nodes that nothing else leads to. */
static void find_tables(struct cutter *c, bool labels)
{
    struct machine_function *f = c->f;
    bool *reached = xcalloc(f->n + 1, sizeof *reached);
    f->tables = xcalloc(c->n_labels + f->n + 1, sizeof *f->tables);
    for (size_t i = 0; i < c->n_labels; i++)
        if (c->labels[i].kind == ELF_LABEL_TARGET && node_at(f, c->labels[i].address) != NODE_NONE)
            f->tables[f->n_tables++] = node_at(f, c->labels[i].address);
    reached[0] = true;
    for (size_t i = 0; i < f->n; i++) {
        const struct node *n = &f->nodes[i];
        if (n->target != NODE_NONE)
            reached[n->target] = true;
        if (node_goes_on(n))
            reached[i + 1] = true;
    }
    for (size_t i = 0; i < f->n && !labels; i++)
        if (!reached[i])
            f->tables[f->n_tables++] = i;
    free(reached);
}

static void link_nodes(struct cutter *c, bool labels)
{
    struct machine_function *f = c->f;
    for (size_t i = 0; i < f->n; i++) {
        struct node *n = &f->nodes[i];
        if (n->end != NODE_BRANCHES && n->end != NODE_JUMPS)
            continue;
        uint64_t to = (uint64_t)n->steps[n->n - 1].op.constant;
        n->target = node_at(f, to);
        if (n->target == NODE_NONE && n->end == NODE_JUMPS) {
            n->end = NODE_TAIL;
            n->callee = to;
        }
    }
    find_tables(c, labels);
    for (size_t i = 0; i < f->n; i++)
        if (f->nodes[i].end == NODE_SWITCHES && !f->n_tables)
            f->nodes[i].end = NODE_TAIL;
}

void machine_connect(struct machine_function *f)
{
    f->graph.n = f->n;
    for (size_t i = 0; i < f->n; i++) {
        const struct node *n = &f->nodes[i];
        if (n->target != NODE_NONE)
            graph_add(&f->graph, i, n->target);
        if (node_goes_on(n) && i + 1 < f->n)
            graph_add(&f->graph, i, i + 1);
        for (size_t k = 0; n->end == NODE_SWITCHES && k < f->n_tables; k++)
            graph_add(&f->graph, i, f->tables[k]);
    }
    graph_link(&f->graph);
}

static void number_steps(struct cutter *c)
{
    struct machine_function *f = c->f;
    f->of = xcalloc(f->code->n, sizeof *f->of);
    size_t next = 0;
    uint32_t number = 0;
    for (size_t i = 0; i < f->code->n; i++) {
        for (; next < c->n_labels && c->labels[next].address <= f->code->steps[i].address; next++)
            if (c->labels[next].kind == ELF_LABEL_PLACE)
                number = c->labels[next].number;
        f->of[i] = number;
    }
}

/* Decodes the function without the constants among its instructions. */
static enum status decode(struct machine_function *f, const struct elf *elf, const struct iss_model *model,
                          struct error *e)
{
    VEC(struct iss_piece) pieces = {0};
    const uint64_t limit = f->symbol->address + f->symbol->size;
    const uint8_t *bytes = elf_bytes(elf, f->symbol->address, f->symbol->size);
    enum status s = OK;
    if (!bytes)
        return error_set(e, ERR_INPUT, NOWHERE, "the code of %s is not in its executable", f->symbol->name);
    for (uint64_t at = f->symbol->address, end; !s && at < limit; at = end) {
        enum elf_content content = elf_content_at(elf, at, limit, &end);
        if (content == ELF_CODE)
            vec_push(&pieces, (struct iss_piece){bytes + (at - f->symbol->address), end - at, at});
        else if (content == ELF_OTHER_STATE)
            s = error_set(e, ERR_INPUT, NOWHERE, "%s is code of another instruction set than the core's",
                          f->symbol->name);
    }
    if (!s)
        s = iss_code_of_pieces(&f->code, model, pieces.at, pieces.n, e);
    vec_release(&pieces);
    return s;
}

static enum status cut(struct machine_function *f, const struct elf *elf, const struct iss_model *model, bool labels,
                       struct error *e)
{
    struct cutter c = {.elf = elf, .f = f};
    enum status s = decode(f, elf, model, e);
    if (s)
        return s;
    if (labels)
        find_labels(&c);
    number_steps(&c);
    find_starts(&c);
    drop_doubled(&c);
    make_nodes(&c);
    link_nodes(&c, labels);
    machine_connect(f);
    vec_release(&c.starts);
    return OK;
}

/* ---- the whole program ---- */

/* Local functions of several modules may have one name; labels distinguish them. */
static const struct elf_function *find_symbol(const struct elf *elf, const char *name, size_t module)
{
    const struct elf_function *found = 0;
    size_t n = strlen(LABEL_LOCAL);
    for (size_t i = 0; i < elf->n_functions; i++) {
        const char *own = elf->functions[i].name;
        if (strcmp(strncmp(own, LABEL_LOCAL, n) == 0 ? own + n : own, name) != 0)
            continue;
        const struct elf_label *l = labels_from(elf, elf->functions[i].address);
        if (l < elf->labels + elf->n_labels && l->address < elf->functions[i].address + elf->functions[i].size &&
            l->module == module)
            found = &elf->functions[i];
    }
    return found;
}

enum status machine_make(struct machine *out, const struct elf *elf, const struct irprof_labels *labels,
                         size_t n_modules, const struct iss_model *model, struct error *e)
{
    VEC(struct machine_function) list = {0};
    enum status s = OK;
    for (size_t m = 0; m < n_modules; m++) {
        for (size_t i = 0; !s && i < labels[m].n; i++) {
            struct machine_function f = {.module = m, .function = i};
            f.symbol = find_symbol(elf, labels[m].functions[i].name, m);
            if (!f.symbol)
                continue;
            s = cut(&f, elf, model, true, e);
            vec_push(&list, f);
        }
    }
    *out = (struct machine){.functions = list.at, .n = list.n};
    return s;
}

bool machine_plain(struct machine_function *out, const struct elf *elf, const struct elf_function *symbol,
                   const struct iss_model *model)
{
    struct error e = ERROR_INIT;
    *out = (struct machine_function){.symbol = symbol};
    bool fine = cut(out, elf, model, false, &e) == OK;
    error_release(&e);
    return fine;
}

void machine_function_release(struct machine_function *f)
{
    iss_code_free(f->code);
    graph_release(&f->graph);
    free(f->of);
    free(f->nodes);
    free(f->tables);
}

void machine_release(struct machine *m)
{
    for (size_t i = 0; i < m->n; i++)
        machine_function_release(&m->functions[i]);
    free(m->functions);
    *m = (struct machine){0};
}

size_t machine_function_at(const struct machine *m, uint64_t address)
{
    for (size_t i = 0; address && i < m->n; i++)
        if (m->functions[i].symbol->address == address)
            return i;
    return NODE_NONE;
}
