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
 *     SHIM_STAMPS(8);                        in the kernel: room for so many stamps of 32 bits
 *     SHIM_STAMP();                          a stamp
 *     out[i] = SHIM_STAMP_RESULT(never, r);  the next stamp in the place of the float r, if `never` is 0; r if it is 1
 *
 * `never` is an argument of the kernel, an int or uint that is 0 or 1 and that the compiler does not know.
 */
#ifndef SHIM_STAMP_H
#define SHIM_STAMP_H

/* The second is what a compiler without a device says. */
#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

/* The clock; give another by -DSHIM_STAMP_CLOCK()=...: where the target has none, the number of the stamp. */
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
/* Those beyond the room fall on the last place. */
#define SHIM_STAMP()                                                                                                   \
    (shim_stamps_[min(shim_stamped_, shim_stamp_room_ - 1u)] = SHIM_STAMP_CLOCK(), shim_stamped_ = shim_stamped_ + 1u)
/* When there are no more stamps, the last one. By masks: of `never ? result : stamp` a compiler may compute the result only
 * where never is 1, and the work would be another. */
#define SHIM_STAMP_RESULT(never, result)                                                                               \
    as_float((as_uint(result) & -(uint)(never)) |                                                                      \
             (shim_stamps_[min(shim_written_++, shim_stamp_room_ - 1u)] & ((uint)(never)-1u)))

#else

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif

#endif
