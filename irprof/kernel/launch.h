/*
 * launch.h - which kernels are launched, with how many work-items, on which data: the description that irprof kernel and
 * irprof prove read (docs/formats/launch.md). Internal to irprof.
 */
#ifndef IRPROF_KERNEL_LAUNCH_H
#define IRPROF_KERNEL_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"
#include "irprof/kernel/runtime/host.h"

/* A scalar type of OpenCL C. */
struct launch_type {
    const char *name; /* in OpenCL C: "uint" */
    const char *host; /* in C: "uint32_t" */
    size_t size;      /* bytes */
    bool real;        /* a floating-point number */
    bool is_unsigned;
};
struct launch_buffer {
    char *name; /* owned */
    const struct launch_type *type;
    size_t count;
    enum host_fill fill;
    uint64_t seed;
    double value;
    char *file; /* owned; NULL: none */
    bool result;
    unsigned long line;
};
struct launch_argument {
    enum host_kind kind;            /* HOST_BUFFER, HOST_SCALAR, HOST_LOCAL */
    size_t n;                       /* as in struct host_argument */
    const struct launch_type *type; /* HOST_SCALAR */
    char *value;                    /* HOST_SCALAR: a constant of C; owned */
};
struct launch_kernel {
    char *name; /* owned */
    unsigned dimensions;
    size_t global[HOST_DIMENSIONS], local[HOST_DIMENSIONS]; /* 1 beyond `dimensions` */
    VEC(struct launch_argument) arguments;
    unsigned long line;
};
struct launch {
    char *path; /* owned; for messages */
    VEC(struct launch_buffer) buffers;
    VEC(struct launch_kernel) kernels; /* in the order in which they are launched */
};

/* Reads a description. ERR_INPUT: a mistake in it, with its line. launch_release frees, also after an error. */
enum status launch_read(struct launch *l, const char *path, struct error *e) MUST_CHECK;
void launch_release(struct launch *l);

#endif
