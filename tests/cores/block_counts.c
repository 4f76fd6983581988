/* block_counts.c - BOARD CORE.ini PROFILE REGION IR...: how often each block of a program's machine code was executed,
 * as the method compiled finds it: a line each with its executions and its bytes in hexadecimal. So other estimates can
 * be made of the same blocks and counts (docs/method/wide.sh). */
#include <stdio.h>
#include <stdlib.h>

#include "boards/boards.h"
#include "irprof/irprof.h"
#include "shimgen/estimate/compiled/compiled.h"

static void print_block(const struct compiled *w, const struct node *n, double executions)
{
    if (!n->n || executions <= 0)
        return;
    uint64_t size = n->steps[n->n - 1].address + n->steps[n->n - 1].op.size - n->address;
    const uint8_t *bytes = elf_bytes(&w->program.elf, n->address, size);
    printf("%.0f", executions);
    for (uint64_t i = 0; bytes && i < size; i++)
        printf(" %02x", bytes[i]);
    printf("\n");
}

static enum status counts(struct compiled *w, const struct board *b, const char *const *modules, struct error *e)
{
    enum status s = compiled_labels(&w->program, b, modules, NULL, e);
    if (!s)
        s = compiled_check(w, e);
    if (!s)
        s = compiled_build(&w->program, b, modules, e);
    if (!s)
        s = machine_make(&w->machine, &w->program.elf, w->program.labels, w->program.n, w->model, e);
    if (s)
        return s;
    compiled_count(w);
    for (size_t i = 0; i < w->machine.n; i++)
        for (size_t k = 0; k < w->machine.functions[i].n; k++)
            print_block(w, &w->machine.functions[i].nodes[k], w->flows[i].nodes[k]);
    compiled_counts_release(w);
    return OK;
}

int main(int argc, char **argv)
{
    struct error e = ERROR_INIT;
    struct board *b = NULL;
    struct irprof_profile *p = NULL;
    struct compiled w = {0};
    size_t region = 0;
    if (argc < 6) {
        fprintf(stderr, "block_counts: BOARD CORE.ini PROFILE REGION IR... are needed\n");
        return 2;
    }
    enum status s = board_load(&b, argv[1], &e);
    if (!s)
        s = iss_model_read(&w.model, argv[2], &e);
    if (!s)
        s = irprof_read(&p, argv[3], &e);
    if (!s)
        s = irprof_region(&region, p, argv[4], &e);
    if (!s) {
        w.profile = p;
        w.region = &p->regions[region];
        s = counts(&w, b, (const char *const *)argv + 5, &e);
    }
    if (s)
        error_print(&e, "block_counts");
    machine_release(&w.machine);
    compiled_program_release(&w.program);
    iss_model_free(w.model);
    irprof_free(p);
    board_free(b);
    error_release(&e);
    return s != OK;
}
