/* compiled_library.c - estimates calls of library functions from their machine code in the executable. */
#include "shimgen/estimate/compiled/compiled_library.h"

#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "base/map.h"
#include "base/str.h"
#include "shimgen/estimate/compiled/compiled_cost.h"
#include "shimgen/estimate/compiled/compiled_guess.h"

/* How deep calls inside a library are followed. */
enum { DEPTH = 6 };
static const double too_rare = 0.02;
/* Factor within which nine out of ten estimates are of the true cycles (docs/method/compiled.md). */
static const double guess_spread = 4;

struct call {
    size_t to;
    double times;
};
struct function {
    const struct elf_function *symbol, *code; /* the first symbol at its address; where its code is, or NULL */
    bool there, read, asked, back; /* its code can be read; calls and own are known; back is known; it returns */
    double own;                    /* cycles without its callees */
    struct unmeasured_list lacks;  /* unmeasured instructions of these, per call */
    VEC(struct call) calls;
    double sum[DEPTH + 1];   /* including calls up to this depth; < 0: not computed yet */
    double times[DEPTH + 1]; /* library_called, including calls up to this depth */
};
struct library {
    const struct elf *elf;
    const struct machine *machine;
    const struct iss_model *model;
    const struct costs *costs;
    const char *triple;
    size_t *known; /* [elf->n_functions] 1 + index; 0: not looked up yet */
    VEC(struct function) functions;
};

struct library *library_new(const struct elf *elf, const struct machine *machine, const struct iss_model *model,
                            const struct costs *costs, const char *triple)
{
    struct library *l = xcalloc(1, sizeof *l);
    *l = (struct library){.elf = elf, .machine = machine, .model = model, .costs = costs, .triple = triple};
    l->known = xcalloc(elf->n_functions, sizeof *l->known);
    return l;
}

void library_free(struct library *l)
{
    for (size_t i = 0; i < l->functions.n; i++) {
        vec_release(&l->functions.at[i].calls);
        unmeasured_release(&l->functions.at[i].lacks);
    }
    vec_release(&l->functions);
    free(l->known);
    free(l);
}

/* ---- which function is called ---- */

/* Follows "adrp x16, SLOT; ldr x17, [x16, SLOT]": a jump through a word that is filled in when the program starts. */
static const struct elf_function *after_stub(const struct library *l, uint64_t address)
{
    enum { STUB = 16 };
    struct error e = ERROR_INIT;
    struct iss_code *code = 0;
    const struct elf_function *found = 0;
    const uint8_t *bytes = elf_bytes(l->elf, address, STUB);
    if (!bytes || iss_code_new(&code, l->model, bytes, STUB, address, &e) != OK) {
        error_release(&e);
        return 0;
    }
    for (size_t i = 0; i + 1 < code->n && !found; i++)
        if (code->steps[i].op.value == ISS_VALUE_CONSTANT && code->steps[i + 1].op.memory == ISS_READ_MEMORY)
            found = elf_chosen(l->elf, (uint64_t)(code->steps[i].op.constant + code->steps[i + 1].op.offset));
    iss_code_free(code);
    return found;
}

/* Follows a function that the linker has inserted to reach another one, whose name it contains:
 * "__Thumbv7ABSLongThunk_memcpy". NULL: it is not one, or the other has no code. */
static const struct elf_function *after_thunk(const struct library *l, const struct elf_function *symbol)
{
    static const char thunk[] = "Thunk_";
    const char *name = text_begins(symbol->name, "__") ? strstr(symbol->name, thunk) : 0;
    for (size_t i = 0; name && i < l->elf->n_functions; i++)
        if (strcmp(l->elf->functions[i].name, name + strlen(thunk)) == 0)
            return &l->elf->functions[i];
    return 0;
}

static const struct elf_function *symbol_at(const struct library *l, uint64_t address)
{
    const struct elf_function *symbol = elf_function_at(l->elf, address), *other = 0;
    if (!symbol || symbol->address != address)
        symbol = after_stub(l, address);
    else
        other = after_thunk(l, symbol);
    symbol = other ? other : symbol;
    while (symbol && symbol > l->elf->functions && symbol[-1].address == symbol->address)
        symbol--;
    return symbol;
}

/* The function that a call of `address` enters; NODE_NONE: not a library function. */
static size_t find(struct library *l, uint64_t address)
{
    const struct elf_function *symbol = 0;
    if (machine_function_at(l->machine, address) == NODE_NONE)
        symbol = symbol_at(l, address);
    if (!symbol)
        return NODE_NONE;
    size_t *known = &l->known[symbol - l->elf->functions];
    if (!*known) {
        struct function f = {.symbol = symbol, .code = elf_code(l->elf, symbol)};
        for (size_t i = 0; i <= DEPTH; i++)
            f.sum[i] = -1;
        vec_push(&l->functions, f);
        *known = l->functions.n;
    }
    return *known - 1;
}

/* ---- its cost ---- */

static bool comes_back(void *context, uint64_t address);

/* Reads a function's code. Returns false if there is none, or if it cannot be read. If true, free it with
 * machine_function_release. */
static bool read_code(const struct library *l, size_t at, struct machine_function *f)
{
    const struct elf_function *code = l->functions.at[at].code;
    if (!code)
        return false;
    bool fine = machine_plain(f, l->elf, code, l->model) && f->n;
    if (!fine)
        machine_function_release(f);
    return fine;
}

static void read_calls(struct library *l, size_t at, const struct machine_function *f, const struct flow *flow)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct node *n = &f->nodes[i];
        if (!node_calls(n) || !n->callee || flow->nodes[i] < too_rare)
            continue;
        size_t to = find(l, n->callee);
        if (to != NODE_NONE && to != at)
            vec_push(&l->functions.at[at].calls, (struct call){to, flow->nodes[i]});
    }
}

/* Estimates a function's own code. Entering and leaving it costs what such branches cost, which its code alone does not
 * show. */
static void read_function(struct library *l, size_t at)
{
    struct guess_returns callees = {comes_back, l};
    struct machine_function f;
    struct flow flow;
    struct step_costs costs;
    double sum = (double)(l->model->fetch.taken + l->model->fetch.back);
    l->functions.at[at].read = true;
    if (!read_code(l, at, &f))
        return;
    struct machine alone = {.functions = &f, .n = 1};
    flow_guess(&flow, &f, &callees);
    cost_program(&costs, &alone, &flow, l->model, ISS_QUOTIENT_MEAN);
    for (size_t i = 0; i < f.code->n; i++)
        sum += costs.cycles[i];
    unmeasured_add(&l->functions.at[at].lacks, &f, &flow, &costs, l->elf, l->model, l->triple);
    read_calls(l, at, &f, &flow);
    l->functions.at[at].there = true;
    l->functions.at[at].own = sum;
    step_costs_release(&costs);
    flow_release(&flow);
    machine_function_release(&f);
}

/* Does not depend on which function is asked for first. */
static double sum_of(struct library *l, size_t at, unsigned depth)
{
    if (!l->functions.at[at].read)
        read_function(l, at);
    if (l->functions.at[at].sum[depth] >= 0)
        return l->functions.at[at].sum[depth];
    double sum = l->functions.at[at].own;
    for (size_t i = 0; depth && i < l->functions.at[at].calls.n; i++) {
        struct call c = l->functions.at[at].calls.at[i];
        sum += c.times * sum_of(l, c.to, depth - 1);
    }
    l->functions.at[at].sum[depth] = sum;
    return sum;
}

/* A function that is being analysed is assumed to return. */
static bool comes_back(void *context, uint64_t address)
{
    struct library *l = context;
    struct guess_returns callees = {comes_back, l};
    struct machine_function f;
    size_t at = find(l, address);
    if (at == NODE_NONE)
        return true;
    if (l->functions.at[at].asked)
        return l->functions.at[at].back;
    l->functions.at[at].asked = l->functions.at[at].back = true;
    if (read_code(l, at, &f)) {
        bool back = guess_comes_back(&f, &callees); /* may find more functions, so `l->known` may move */
        l->functions.at[at].back = back;
        machine_function_release(&f);
    }
    return l->functions.at[at].back;
}

/* ---- a call ---- */

/* Is there a measured value for one of the names at a function's address: "call.library.sin"? */
static bool find_measured(const struct library *l, const struct elf_function *symbol, struct library_cost *cost)
{
    for (const struct elf_function *f = symbol; f < l->elf->functions + l->elf->n_functions; f++) {
        size_t at;
        if (f->address != symbol->address)
            break;
        char *name = ir_library_key(f->name);
        bool there = map_get(&l->costs->names, name, &at);
        free(name);
        if (there) {
            *cost = (struct library_cost){f->name, l->costs->latency[at], true};
            return true;
        }
    }
    return false;
}

/* Of several names, the one that programs use: sin, not sinf32x or __sin. */
static const char *plain_name(const struct library *l, const struct elf_function *symbol)
{
    const char *name = symbol->name;
    for (const struct elf_function *f = symbol; f < l->elf->functions + l->elf->n_functions; f++) {
        if (f->address != symbol->address)
            break;
        bool plainer = *name == '_' && *f->name != '_', longer = strlen(f->name) < strlen(name);
        if (plainer || (longer && *f->name != '_'))
            name = f->name;
    }
    return name;
}

struct library_cost library_call(struct library *l, uint64_t address)
{
    struct library_cost cost = {0};
    if (machine_function_at(l->machine, address) != NODE_NONE)
        return cost;
    size_t at = find(l, address);
    if (at == NODE_NONE) {
        cost.cycles.typical = -1;
        return cost;
    }
    const struct elf_function *symbol = l->functions.at[at].symbol;
    if (strncmp(symbol->name, "shim_region_", strlen("shim_region_")) == 0)
        return cost; /* marks what is measured, and is not part of it */
    if (find_measured(l, symbol, &cost))
        return cost;
    cost.name = plain_name(l, symbol);
    double sum = sum_of(l, at, DEPTH);
    cost.cycles = l->functions.at[at].there ? (struct cycles){sum / guess_spread, sum, sum * guess_spread}
                                            : (struct cycles){-1, -1, -1};
    return cost;
}

/* ---- unmeasured instructions ---- */

void library_called(struct library *l, uint64_t address, double times)
{
    struct library_cost cost = library_call(l, address);
    if (cost.name && !cost.measured && cost.cycles.typical >= 0)
        l->functions.at[find(l, address)].times[DEPTH] += times;
}

/* Goes down from the program's calls, one depth after the other, in the way that sum_of adds them up. */
void library_unmeasured(struct library *l, struct unmeasured_list *to)
{
    for (unsigned depth = DEPTH + 1; depth-- > 0;)
        for (size_t i = 0; i < l->functions.n; i++) {
            const struct function *f = &l->functions.at[i];
            if (f->times[depth] <= 0)
                continue;
            unmeasured_join(to, &f->lacks, f->times[depth]);
            for (size_t k = 0; depth && k < f->calls.n; k++)
                l->functions.at[f->calls.at[k].to].times[depth - 1] += f->times[depth] * f->calls.at[k].times;
        }
}
