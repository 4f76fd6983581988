/*
 * shim_stamp.h - timestamps that a program takes itself.
 *
 *     #include <shim_stamp.h>
 *     shim_stamp("row");                     a stamp: the clock, the thread, the processor
 *     shim_stamp_flush();                    write this thread's stamps now, not at its end
 *     shim_stamp_results("c", c, sizeof c, sizeof *c);   results that stamps have replaced (irprof stamp --mode replace)
 *
 * What the calls do depends on what is linked: with the runtime of stamps (irprof libs --stamp, irprof cc --stamp) they
 * take and write stamps; with nothing they do nothing. The name must stay valid until the program ends.
 *
 * In OpenCL C there is no runtime: there the macros below keep stamps in the work-item's own memory and write them in the
 * place of a result, as irprof stamp does to the IR.
 *
 *     SHIM_STAMPS(8);                        in the kernel: room for 8 stamps of 32 bits
 *     SHIM_STAMP();                          a stamp
 *     out[i] = SHIM_STAMP_RESULT(never, r);  the next stamp in the place of the float r, if `never` is 0; r if it is 1
 *
 * `never` is an argument of the kernel, an int or uint that is 0 or 1 and that the compiler does not know.
 *
 * The host program of kernels that irprof stamp has stamped hands their stamps over with SHIM_STAMP_HOST defined before the
 * header (it then needs the C library):
 *
 *     struct shim_stamp_launch l = {"walsh", {1024, 1, 1}, {128, 1, 1}, 1.7e9};
 *     shim_stamp_kernel("walsh.stamps", &l, stamps, bytes);     the memory of irprof_stamps (mode add), copied back
 *     shim_stamp_kernel_result(...);                            an output whose results are stamps (mode replace)
 *
 * `irprof history walsh.stamps --module STAMPED.bc` shows them.
 */
#ifndef SHIM_STAMP_H
#define SHIM_STAMP_H

/* The second macro is that of compilers without a device. */
#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

/* The clock. On a target without one it is the number of the stamp. Choose another by -DSHIM_STAMP_CLOCK()=... */
#ifndef SHIM_STAMP_CLOCK
#if defined(__AMDGCN__)
#define SHIM_STAMP_CLOCK() ((uint)__builtin_amdgcn_s_memtime())
#elif defined(__NVPTX__)
#define SHIM_STAMP_CLOCK() ((uint)__nvvm_read_ptx_sreg_clock64())
#else
#define SHIM_STAMP_CLOCK() (shim_stamped_ + 1u)
#endif
#endif
#define SHIM_STAMPS(n)                                                                                                 \
    __private uint shim_stamps_[n];                                                                                    \
    __private uint shim_stamped_ = 0, shim_written_ = 0;                                                               \
    __private const uint shim_stamp_room_ = (n)
/* A stamp beyond the room overwrites the last one. */
#define SHIM_STAMP()                                                                                                   \
    (shim_stamps_[min(shim_stamped_, shim_stamp_room_ - 1u)] = SHIM_STAMP_CLOCK(), shim_stamped_ = shim_stamped_ + 1u)
/* The last stamp again when there are no more. It selects by masks, because for `never ? result : stamp` a compiler may
 * compute the result only where never is 1, and the work would not be the same. */
#define SHIM_STAMP_RESULT(never, result)                                                                               \
    as_float((as_uint(result) & -(uint)(never)) |                                                                      \
             (shim_stamps_[min(shim_written_++, shim_stamp_room_ - 1u)] & ((uint)(never)-1u)))

#else

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void shim_stamp(const char *name);
void shim_stamp_flush(void);
void shim_stamp_results(const char *name, const void *at, size_t bytes, size_t element);

__attribute__((weak, noinline)) void shim_stamp(const char *name)
{
    __asm__ volatile("" : : "r"(name) : "memory");
}

__attribute__((weak, noinline)) void shim_stamp_flush(void)
{
    __asm__ volatile("" : : : "memory");
}

/* `bytes` bytes at `at`, of `element` bytes each (4 or 8). */
__attribute__((weak, noinline)) void shim_stamp_results(const char *name, const void *at, size_t bytes, size_t element)
{
    __asm__ volatile("" : : "r"(name), "r"(at), "r"(bytes), "r"(element) : "memory");
}

#ifdef SHIM_STAMP_HOST
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A launch of a kernel. */
struct shim_stamp_launch {
    const char *kernel;
    size_t global[3], local[3]; /* work-items; of a work-group. 1 beyond the dimensions */
    double clock_hz;            /* frequency of the clock that the stamps read; 0: not known, and times are ticks */
};
/* Where in an output the results of the work-items are: of each one at the element
 *     first + group[0] * (its group's number) + ... + item[0] * (its number in the group) + ... */
struct shim_stamp_place {
    size_t first, group[3], item[3];
    size_t element;  /* bytes of an element, 4 or 8 */
    unsigned number; /* which result of a work-item: 0 is the first that it stores */
    /* Number of stamps that a work-item has taken before it stores this result. Beyond it (number >= taken) a result is the
     * number of the processor instead. */
    unsigned taken;
};

/* Adds one launch to a file; the format is that of struct stamp_launch (docs/formats/stamps.md). 0: done; -1: it cannot be
 * written, errno says why. */
static inline int shim_stamp_write(const char *path, const struct shim_stamp_launch *l,
                                   const struct shim_stamp_place *p, const void *at, size_t bytes)
{
    static const char magic[] = "irprof kernel 1\n";
    uint32_t kinds[2] = {p ? 1u : 0u, (uint32_t)strlen(l->kernel)};
    uint32_t result[2] = {p ? p->number : 0, p ? (uint32_t)p->element : 0};
    uint64_t grid[8], place[8] = {0};
    for (int d = 0; d < 3; d++) {
        grid[d] = l->global[d];
        grid[3 + d] = l->local[d];
        place[2 + d] = p ? p->group[d] : 0;
        place[5 + d] = p ? p->item[d] : 0;
    }
    grid[6] = (uint64_t)l->clock_hz;
    grid[7] = bytes;
    place[0] = p ? p->taken : 0;
    place[1] = p ? p->first : 0;
    FILE *f = fopen(path, "ab");
    if (!f)
        return -1;
    int fine = fseek(f, 0, SEEK_END) == 0;
    if (fine && ftell(f) == 0)
        fine = fwrite(magic, sizeof magic - 1, 1, f) == 1;
    fine = fine && fwrite(kinds, sizeof kinds, 1, f) == 1 && fwrite(grid, sizeof grid, 1, f) == 1 &&
           fwrite(result, sizeof result, 1, f) == 1 && fwrite(place, sizeof place, 1, f) == 1 &&
           fwrite(l->kernel, 1, kinds[1], f) == kinds[1] && fwrite(at, 1, bytes, f) == bytes;
    return fclose(f) == 0 && fine ? 0 : -1;
}

/* Mode add: `bytes` bytes that the kernel has written at irprof_stamps, room + 2 words of 32 bits for each work-item. */
static inline int shim_stamp_kernel(const char *path, const struct shim_stamp_launch *l, const void *stamps,
                                    size_t bytes)
{
    return shim_stamp_write(path, l, NULL, stamps, bytes);
}

/* Mode replace: `bytes` bytes of an output. Call it for result 0 of all work-items, then for result 1, and so on. */
static inline int shim_stamp_kernel_result(const char *path, const struct shim_stamp_launch *l,
                                           const struct shim_stamp_place *p, const void *output, size_t bytes)
{
    return shim_stamp_write(path, l, p, output, bytes);
}
#endif

#ifdef __cplusplus
}
#endif

#endif

#endif
