/*
 * The program that runs kernels: makes the buffers, launches one kernel after the other, writes results.
 *
 *     PROGRAM RESULTS TOTALS STAMPS
 *
 * RESULTS is a folder ("": none): each buffer that is a result becomes a file NAME.bin. TOTALS is a file with a line
 * "launch KERNEL WORK-ITEMS WORK-GROUPS BARRIERS" for each launch. STAMPS ("": none) is a file of the stamps of stamped kernels,
 * as shim_stamp.h writes it. With IRPROF_STAMP_FLIP=1 in the environment stamped
 * kernels get irprof_never = 1.
 */
#include "irprof/kernel/runtime/host.h"

#define SHIM_STAMP_HOST
#include "base/shim_stamp.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With counters, a kernel's counts are a region. */
void shim_region_begin(const char *name) __attribute__((weak));
void shim_region_end(const char *name) __attribute__((weak));

static const struct host_launch *current;

/* One write: this is called from signal handlers too. */
_Noreturn void host_fail(const char *what)
{
    char line[512];
    int n;
    if (host_here)
        n = snprintf(line, sizeof line, "kernel '%s', work-group (%zu,%zu,%zu), work-item (%zu,%zu,%zu) of it: %s\n",
                     host_here->launch->kernel, host_here->group[0], host_here->group[1], host_here->group[2],
                     host_here->local[0], host_here->local[1], host_here->local[2], what);
    else
        n = snprintf(line, sizeof line, "%s%s%s%s\n", current ? "kernel '" : "", current ? current->kernel : "",
                     current ? "': " : "", what);
    if (n > 0 && write(STDERR_FILENO, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1) < 0)
        _exit(2);
    _exit(1);
}

static void on_signal(int number)
{
    host_fail(number == SIGFPE    ? "divides by zero"
              : number == SIGILL  ? "reaches code that cannot be executed"
              : number == SIGXCPU ? "has run for longer than it may"
                                  : "accesses memory outside of its buffers, or its stack is too small");
}

static void catch_signals(void)
{
    static char stack[64 * 1024];
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, 0);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, 0);
}

/* The arguments of a kernel. `value` holds those that are not scalars. */
struct given {
    void *value;
    int never;
};

static void give(struct given *g, void **pointer, const struct host_argument *a, void *const *buffers)
{
    const char *flip = getenv("IRPROF_STAMP_FLIP");
    *pointer = &g->value;
    switch (a->kind) {
    case HOST_BUFFER:
        g->value = buffers[a->n];
        break;
    case HOST_LOCAL:
    case HOST_STAMPS:
        g->value = host_memory(a->n);
        break;
    case HOST_NEVER:
        g->never = flip && strcmp(flip, "1") == 0;
        *pointer = &g->never;
        break;
    case HOST_SCALAR:
        memcpy(pointer, &a->bits, sizeof *pointer); /* the callee does not write there */
        break;
    }
}

/* The clock is this processor's; its frequency is not known here. */
static void write_stamps(const char *path, const struct host_launch *l, const struct given *given)
{
    struct shim_stamp_launch s = {.kernel = l->kernel};
    memcpy(s.global, l->global, sizeof s.global);
    memcpy(s.local, l->local, sizeof s.local);
    for (size_t i = 0; *path && i < l->n_arguments; i++)
        if (l->arguments[i].kind == HOST_STAMPS && shim_stamp_kernel(path, &s, given[i].value, l->arguments[i].n) != 0)
            host_fail("its stamps cannot be written");
}

static void launch(const struct host_launch *l, void *const *buffers, FILE *totals, const char *stamps)
{
    struct given *given = calloc(l->n_arguments + 1, sizeof *given);
    void **pointers = calloc(l->n_arguments + 1, sizeof *pointers);
    uint64_t items = 1, groups = 1;
    current = l;
    if (!given || !pointers)
        host_fail("there is no memory for its arguments");
    for (size_t i = 0; i < l->n_arguments; i++)
        give(&given[i], &pointers[i], &l->arguments[i], buffers);
    if (shim_region_begin)
        shim_region_begin(l->kernel);
    uint64_t barriers = host_run(l, pointers);
    if (shim_region_end)
        shim_region_end(l->kernel);
    for (unsigned d = 0; d < HOST_DIMENSIONS; d++) {
        items *= l->global[d];
        groups *= l->global[d] / l->local[d];
    }
    fprintf(totals, "launch %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", l->kernel, items, groups, barriers);
    write_stamps(stamps, l, given);
    free(given);
    free(pointers);
}

static void write_results(const char *folder, void *const *buffers)
{
    for (size_t i = 0; *folder && i < host_n_buffers; i++) {
        const struct host_buffer *b = &host_buffers[i];
        char path[4096];
        if (!b->result)
            continue;
        snprintf(path, sizeof path, "%s/%s.bin", folder, b->name);
        FILE *f = fopen(path, "wb");
        if (!f || fwrite(buffers[i], b->element, b->count, f) != b->count || fclose(f) != 0)
            host_fail("a result cannot be written");
    }
}

int main(int argc, char **argv)
{
    void **buffers = calloc(host_n_buffers + 1, sizeof *buffers);
    FILE *totals = argc == 4 ? fopen(argv[2], "w") : 0;
    if (!totals || !buffers)
        host_fail("is called as PROGRAM RESULTS TOTALS STAMPS");
    catch_signals();
    for (size_t i = 0; i < host_n_buffers; i++) {
        buffers[i] = host_memory(host_buffers[i].count * host_buffers[i].element);
        host_fill(&host_buffers[i], buffers[i]);
    }
    for (size_t i = 0; i < host_n_launches; i++)
        launch(&host_launches[i], buffers, totals, argv[3]);
    current = 0;
    write_results(argv[1], buffers);
    if (fclose(totals) != 0)
        host_fail("the totals cannot be written");
    free(buffers);
    return 0;
}
