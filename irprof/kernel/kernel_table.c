/* kernel_table.c - counts of kernels as one table: work-items, accesses by kind of memory, a column for each key. */
#include <inttypes.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "irprof/kernel/opencl_kernels.h"

struct kernel_row {
    char *program, *region; /* owned */
    uint64_t items;
    uint64_t *cells; /* owned; by column; columns that were added later are missing */
    size_t n;
};

static void add_to(struct kernel_table *t, struct kernel_row *row, const char *column, uint64_t value)
{
    size_t i = map_number(&t->columns, column);
    if (i >= row->n) {
        row->cells = xreallocarray(row->cells, i + 1, sizeof *row->cells);
        while (row->n <= i)
            row->cells[row->n++] = 0;
    }
    row->cells[i] += value;
}

/* ---- kinds of memory ---- */

/* The kind of memory by the number of the address space, as in SPIR and in clang's numbering for targets without one. 0
 * is a work-item's variables, and all memory if the kernels were compiled without address spaces. */
static const char *memory_of(LLVMValueRef pointer)
{
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))) {
    case 1:
        return "GLOBAL";
    case 2:
    case 4:
        return "CONSTANT";
    case 3:
        return "LOCAL";
    default:
        break;
    }
    while (LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer) ? "PRIVATE" : "FLAT";
}

struct visiting {
    struct kernel_table *table;
    struct kernel_row *row;
    LLVMTargetDataRef layout;
};

static void count_access(struct visiting *v, const char *what, LLVMValueRef pointer, LLVMTypeRef type, uint64_t n)
{
    const char *memory = memory_of(pointer);
    char *column = xasprintf("%s_%s", memory, what), *bytes = xasprintf("%s_%s_BYTES", memory, what);
    add_to(v->table, v->row, column, n);
    add_to(v->table, v->row, bytes, n * LLVMStoreSizeOfType(v->layout, type));
    free(column);
    free(bytes);
}

static void visit(void *data, LLVMValueRef i, uint64_t n)
{
    struct visiting *v = data;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        count_access(v, "LOAD", LLVMGetOperand(i, 0), LLVMTypeOf(i), n);
        break;
    case LLVMStore:
        count_access(v, "STORE", LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)), n);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        count_access(v, "ATOMIC", LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, 1)), n);
        break;
    default:
        break;
    }
}

/* ---- rows ---- */

static void add_keys(struct kernel_table *t, struct kernel_row *row, const struct irprof_profile *p, size_t region)
{
    uint64_t *counts = xcalloc(p->n_keys, sizeof *counts), all = 0;
    irprof_key_counts(p, region, counts);
    for (size_t k = 0; k < p->n_keys; k++) {
        all += counts[k];
        if (counts[k])
            add_to(t, row, p->keys[k], counts[k]);
    }
    add_to(t, row, "INSTRUCTIONS", all);
    free(counts);
}

static enum status add_row(struct kernel_table *t, const char *program, const struct llvm_module *ir,
                           const struct irprof_profile *p, const struct kernel_total *total, struct error *e)
{
    size_t region;
    enum status s = irprof_region(&region, p, total->kernel, e);
    if (s)
        return s;
    struct kernel_row row = {.program = xstrdup(program), .region = xstrdup(total->kernel), .items = total->items};
    struct visiting v = {t, &row, LLVMGetModuleDataLayout(ir->module)};
    add_to(t, &row, "LAUNCHES", total->launches);
    add_to(t, &row, "WORK_ITEMS", total->items);
    add_to(t, &row, "WORK_GROUPS", total->groups);
    add_to(t, &row, "BARRIERS", total->barriers);
    add_keys(t, &row, p, region);
    s = executions_each(ir, p, region, visit, &v, e);
    vec_push(&t->rows, row);
    return s;
}

enum status kernel_table_add(struct kernel_table *t, const char *program, const struct kernel_program *p,
                             const struct kernel_run *r, struct error *e)
{
    struct llvm_module ir;
    enum status s = llvm_load(&ir, p->ir, e);
    if (s)
        return s;
    for (size_t i = 0; !s && i < r->totals.n; i++)
        s = add_row(t, program, &ir, r->profile, &r->totals.at[i], e);
    llvm_release(&ir);
    return s;
}

/* ---- writing ---- */

static const char *const *names_to_sort;
static int by_name(const void *a, const void *b)
{
    return strcmp(names_to_sort[*(const size_t *)a], names_to_sort[*(const size_t *)b]);
}

void kernel_table_write(const struct kernel_table *t, bool by_item, FILE *f)
{
    size_t *order = xcalloc(t->columns.n, sizeof *order);
    for (size_t i = 0; i < t->columns.n; i++)
        order[i] = i;
    names_to_sort = (const char *const *)t->columns.keys;
    qsort(order, t->columns.n, sizeof *order, by_name);
    fputs("program,region", f);
    for (size_t i = 0; i < t->columns.n; i++) {
        fputc(',', f);
        csv_put(f, t->columns.keys[order[i]]);
    }
    fputc('\n', f);
    for (size_t k = 0; k < t->rows.n; k++) {
        const struct kernel_row *row = &t->rows.at[k];
        csv_put(f, row->program);
        fputc(',', f);
        csv_put(f, row->region);
        for (size_t i = 0; i < t->columns.n; i++) {
            uint64_t value = order[i] < row->n ? row->cells[order[i]] : 0;
            char *text = by_item ? format_double((double)value / (double)row->items) : xasprintf("%" PRIu64, value);
            fprintf(f, ",%s", text);
            free(text);
        }
        fputc('\n', f);
    }
    free(order);
}

void kernel_table_release(struct kernel_table *t)
{
    for (size_t i = 0; i < t->rows.n; i++) {
        free(t->rows.at[i].program);
        free(t->rows.at[i].region);
        free(t->rows.at[i].cells);
    }
    vec_release(&t->rows);
    map_release(&t->columns);
}
