/*
 * host.h - what a program that runs kernels consists of: tables that irprof writes (host_text.c), and this runtime. The
 * runtime runs the work-items of one work-group after the other, in one thread. libc only.
 */
#ifndef IRPROF_KERNEL_RUNTIME_HOST_H
#define IRPROF_KERNEL_RUNTIME_HOST_H

#include <stddef.h>
#include <stdint.h>

enum { HOST_DIMENSIONS = 3 };

/* How a buffer's elements are made (docs/formats/launch.md). */
enum host_fill { HOST_ZERO, HOST_UNIFORM, HOST_RANDOM, HOST_COUNT, HOST_VALUE, HOST_FILE };

struct host_buffer {
    const char *name;
    size_t count, element; /* elements; bytes of one */
    int real;              /* elements are floating-point numbers */
    enum host_fill fill;
    uint64_t seed;    /* HOST_UNIFORM, HOST_RANDOM */
    double value;     /* HOST_VALUE */
    const char *file; /* HOST_FILE */
    int result;       /* its bytes are written when the last kernel has ended */
};
enum host_kind {
    HOST_BUFFER, /* the address of a buffer */
    HOST_SCALAR,
    HOST_LOCAL, /* the address of local memory */
    HOST_NEVER, /* the argument irprof_never of a stamped kernel */
    HOST_STAMPS /* memory for the stamps of a stamped kernel */
};
struct host_argument {
    enum host_kind kind;
    size_t n;         /* number of the buffer; bytes of local memory or of stamps */
    const void *bits; /* HOST_SCALAR */
};
struct host_launch {
    const char *kernel;
    void (*call)(void *const *arguments); /* arguments[i] points to the value of argument i */
    unsigned dimensions;
    size_t global[HOST_DIMENSIONS], local[HOST_DIMENSIONS]; /* work-items; of a group. 1 beyond `dimensions` */
    const struct host_argument *arguments;
    size_t n_arguments;
};

/* Written by irprof for the kernels at hand. */
extern const struct host_buffer host_buffers[];
extern const size_t host_n_buffers;
extern const struct host_launch host_launches[];
extern const size_t host_n_launches;
extern const int host_has_barriers; /* the kernels call barrier: each work-item needs a stack of its own */

/* ---- between the files of the runtime ---- */

/* The work-item that runs now. */
struct host_item {
    const struct host_launch *launch;
    size_t group[HOST_DIMENSIONS], local[HOST_DIMENSIONS];
};
extern const struct host_item *host_here;

/* Says in one line on standard error what is wrong, with the kernel and the work-item that run; the program ends with 1. */
_Noreturn void host_fail(const char *what);
/* Zeroed memory that ends at a page that nobody may touch. */
void *host_memory(size_t size);
/* Fills a buffer as its description says. */
void host_fill(const struct host_buffer *b, void *at);
/* Runs all work-items of a launch; returns how many calls of barrier there were. */
uint64_t host_run(const struct host_launch *l, void *const *arguments);
/* The work-item that runs waits until all of its group wait. */
void host_wait(void);

#endif
