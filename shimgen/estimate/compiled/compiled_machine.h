/*
 * compiled_machine.h - a program's machine code as a graph: its functions cut into nodes, pieces of code that are
 * entered at their first instruction and left after their last one, and which block of the IR each is.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_MACHINE_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_MACHINE_H

#include "base/graph.h"
#include "sim/core/code_schedule.h"
#include "irprof/codegen/label.h"
#include "shimgen/estimate/compiled/compiled_elf.h"

#define NODE_NONE GRAPH_NONE

enum node_end {
    NODE_FALLS,    /* into the next one */
    NODE_BRANCHES, /* conditionally: to `target`, or into the next one */
    NODE_JUMPS,    /* to `target` */
    NODE_SWITCHES, /* to an address from a table */
    NODE_CALLS,    /* `callee`, and goes on with the next one */
    NODE_LEAVES,   /* returns */
    NODE_TAIL      /* jumps to `callee`, for good */
};
struct node {
    uint64_t address;
    const struct iss_step *steps; /* borrowed */
    size_t n;                     /* may be 0 */
    enum node_end end;
    bool conditional;   /* its last instruction may not be executed, a return too: then the next one follows */
    bool labelled;      /* a label stands before it: else it goes on with the block of the node before */
    uint32_t number;    /* the block of the IR whose label that is; ELF_NO_BLOCK: none, or the code generator's own */
    size_t target;      /* node, or NODE_NONE */
    uint64_t callee;    /* address; 0: not known */
    const uint32_t *of; /* [n] numbers of instructions, of which the steps are; 0: none. Borrowed */
};
static inline bool node_calls(const struct node *n)
{
    return n->end == NODE_CALLS || n->end == NODE_TAIL;
}
static inline bool node_goes_on(const struct node *n)
{
    return n->end == NODE_FALLS || n->end == NODE_BRANCHES || n->end == NODE_CALLS || n->conditional;
}
static inline bool node_leaves(const struct node *n)
{
    return n->end == NODE_LEAVES || n->end == NODE_TAIL;
}

struct machine_function {
    const struct elf_function *symbol; /* borrowed */
    size_t module, function;           /* in the labels of the modules */
    struct iss_code *code;             /* owned */
    uint32_t *of;                      /* owned; [code->n], as node.of */
    struct node *nodes;                /* owned, in the order of the code; nodes[0] is where it is entered */
    size_t n;
    struct graph graph; /* owned; linked: which nodes can follow inside the function */
    size_t *tables;     /* owned; nodes that jump tables lead to */
    size_t n_tables;
};
struct machine {
    struct machine_function *functions; /* owned */
    size_t n;
};

/* All functions of `labels` (of each module) that the executable has. Borrows elf and model. machine_release, also
 * after an error. */
enum status machine_make(struct machine *out, const struct elf *elf, const struct irprof_labels *labels,
                         size_t n_modules, const struct iss_model *model, struct error *e) MUST_CHECK;
/* A function of a library, which has no labels. False: it is not code that can be read. */
bool machine_plain(struct machine_function *out, const struct elf *elf, const struct elf_function *symbol,
                   const struct iss_model *model);
/* Makes the graph of the nodes, when they are all there. */
void machine_connect(struct machine_function *f);
void machine_function_release(struct machine_function *f);
void machine_release(struct machine *m);

/* The function that begins at an address; NODE_NONE: none does. */
size_t machine_function_at(const struct machine *m, uint64_t address);

#endif
