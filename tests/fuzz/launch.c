/*
 * launch.c - the fuzz target of launches of kernels (irprof kernel, irprof prove).
 *
 * They are refused with a reason, or have buffers and launches within the limits of docs/formats/launch.md, whose arguments
 * are there.
 */
#include <stdlib.h>

#include "irprof/kernel/launch.h"
#include "tests/fuzz/target.h"

static void check_kernel(const struct launch *l, const struct launch_kernel *k)
{
    size_t group = 1;
    if (!k->dimensions || k->dimensions > HOST_DIMENSIONS)
        BUG("%u dimensions", k->dimensions);
    for (unsigned d = 0; d < HOST_DIMENSIONS; d++) {
        if (!k->local[d] || !k->global[d] || k->global[d] % k->local[d])
            BUG("work-groups that do not fill the grid");
        group *= k->local[d];
    }
    if (group > 1024)
        BUG("a work-group of %zu", group);
    for (size_t i = 0; i < k->arguments.n; i++) {
        const struct launch_argument *a = &k->arguments.at[i];
        if (a->kind == HOST_BUFFER && a->n >= l->buffers.n)
            BUG("an argument that is not a buffer");
        if (a->kind == HOST_SCALAR && (!a->type || !a->value))
            BUG("a scalar without type or value");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct launch l;
    char *path = target_file("launch", data, size);
    if (target_passed(launch_read(&l, path, &e), &e)) {
        size_t bytes = 0;
        for (size_t i = 0; i < l.buffers.n; i++)
            bytes += l.buffers.at[i].count * l.buffers.at[i].type->size;
        if (bytes > (size_t)1 << 30 || !l.kernels.n)
            BUG("%zu bytes of buffers, %zu launches", bytes, l.kernels.n);
        for (size_t i = 0; i < l.kernels.n; i++)
            check_kernel(&l, &l.kernels.at[i]);
    }
    launch_release(&l);
    free(path);
    return 0;
}
