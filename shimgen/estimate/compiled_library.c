#include "shimgen/estimate/compiled_library.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "shimgen/estimate/compiled_cost.h"

struct library {
    const struct elf *elf;
    const struct machine *machine;
    const struct iss_model *model;
    struct map known; /* address as text -> index */
    VEC(double) cycles;
    unsigned depth;
};

struct library *library_new(const struct elf *elf, const struct machine *machine, const struct iss_model *model)
{
    struct library *l = xcalloc(1, sizeof *l);
    *l = (struct library){.elf = elf, .machine = machine, .model = model};
    return l;
}

void library_free(struct library *l)
{
    map_release(&l->known);
    vec_release(&l->cycles);
    free(l);
}

static double guess(struct library *l, const struct elf_function *symbol)
{
    enum { DEPTH = 6 };
    struct machine_function f;
    double sum = 0;
    if (l->depth >= DEPTH || !machine_plain(&f, l->elf, symbol, l->model))
        return -1;
    struct machine alone = {.functions = &f, .n = 1};
    struct flow flow;
    struct step_costs costs;
    flow_guess(&flow, &f);
    cost_program(&costs, &alone, &flow, l->model);
    for (size_t i = 0; i < f.code->n; i++)
        sum += costs.cycles[i];
    l->depth++;
    for (size_t i = 0; i < f.n; i++) {
        const char *name;
        if ((f.nodes[i].end != NODE_CALLS && f.nodes[i].end != NODE_TAIL) || !f.nodes[i].callee)
            continue;
        double inner = flow.nodes[i] > 0.01 ? library_cost(l, f.nodes[i].callee, &name) : 0;
        sum += inner > 0 ? inner * flow.nodes[i] : 0;
    }
    l->depth--;
    step_costs_release(&costs);
    flow_release(&flow);
    machine_function_release(&f);
    return sum;
}

/* "adrp x16, SLOT; ldr x17, [x16, SLOT]": a jump through a word that is filled at the program's start. */
static const struct elf_function *behind_stub(struct library *l, uint64_t address)
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

double library_cost(struct library *l, uint64_t address, const char **name)
{
    *name = 0;
    if (machine_function_at(l->machine, address) != NODE_NONE)
        return 0;
    const struct elf_function *symbol = elf_function_at(l->elf, address);
    if (!symbol || symbol->address != address)
        symbol = behind_stub(l, address);
    if (!symbol)
        return -1;
    if (strncmp(symbol->name, "shim_region_", strlen("shim_region_")) == 0)
        return 0; /* marks what is measured, and is no part of it */
    *name = symbol->name;
    char *key = xasprintf("%llx", (unsigned long long)address);
    size_t at;
    bool there = map_get(&l->known, key, &at);
    if (!there) {
        at = map_number(&l->known, key);
        vec_push(&l->cycles, -1); /* while it is looked at: recursion ends here */
        double cycles = guess(l, symbol);
        l->cycles.at[at] = cycles;
    }
    free(key);
    return l->cycles.at[at];
}
