/*
 * rt_stamp_sled.c - sleds: clang's XRay runtime writes calls into the places that -fxray-instrument leaves free at the
 * entries and exits of functions; the calls come here. Without that runtime nothing here does anything.
 *
 * Source: compiler-rt's include/xray/xray_interface.h (LLVM 19).
 */
#include "irprof/runtime/rt_stamp.h"

#include <stdlib.h>
#include <string.h>

enum { XRAY_ENTRY = 0, XRAY_EXIT = 1, XRAY_TAIL = 2 };
enum { XRAY_PATCHED = 1 };
int __xray_set_handler(void (*handler)(int32_t function, int entry)) __attribute__((weak));
int __xray_patch_function(int32_t function) __attribute__((weak));
uintptr_t __xray_function_address(int32_t function) __attribute__((weak));
size_t __xray_max_function_id(void) __attribute__((weak));

static uint32_t *points; /* by XRay's number of a function: 1 + its first point; 0: not one of ours */
static size_t n_points;

static void on_sled(int32_t function, int entry)
{
    if (function < 0 || (size_t)function >= n_points || !points[function])
        return;
    uint32_t point = points[function] - 1 + (entry == XRAY_EXIT || entry == XRAY_TAIL);
    rt_stamp_add(irprof_stamp_thread(), rt_stamp_which, point);
}

static int wanted(void)
{
    const char *given = secure_getenv("IRPROF_SLEDS");
    return !(given && strcmp(given, "0") == 0);
}

/* Records a function's points by the number that XRay has for the function. */
static void patch(const struct stamp_module *m, int32_t function)
{
    const void *address = (const void *)__xray_function_address(function);
    for (uint64_t i = 0; i < m->n_sleds; i++) {
        if (!m->sleds[i] || m->sleds[i] != address)
            continue;
        points[function] = m->first + (uint32_t)i + 1;
        if (__xray_patch_function(function) != XRAY_PATCHED)
            rt_stamp_say("XRay cannot write into a function's sleds (is its text writable?): it has no stamps", "");
        return;
    }
}

void rt_stamp_sleds(const struct stamp_module *m)
{
    if (!m->n_sleds || !wanted())
        return;
    if (!__xray_set_handler || !__xray_max_function_id || !__xray_function_address || !__xray_patch_function) {
        rt_stamp_say("sleds stay as they are, since XRay's runtime is not linked: link with clang -fxray-instrument",
                     "");
        return;
    }
    size_t n = __xray_max_function_id() + 1;
    if (n > n_points) {
        uint32_t *more = calloc(n, sizeof *more);
        if (!more)
            return;
        if (n_points)
            memcpy(more, points, n_points * sizeof *more);
        points = more; /* the old array is not freed, since a handler may be reading it */
        n_points = n;
    }
    __xray_set_handler(on_sled);
    for (size_t i = 1; i < n; i++)
        patch(m, (int32_t)i);
}
