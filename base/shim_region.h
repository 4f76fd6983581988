/*
 * shim_region.h - marks a part of a program that is to be counted or measured.
 *
 *     #include <shim_region.h>
 *     shim_region_begin("filter");
 *     ... the work ...
 *     shim_region_end("filter");
 *
 * What the calls do depends on what is linked:
 *  - nothing: they do nothing;
 *  - irprof's runtime: executed IR instructions are counted per region;
 *  - a board's measuring runtime: cycles and events are measured.
 * Regions may nest and may be entered any number of times. Begin and end pair by name, like brackets. The name must
 * stay valid until the program ends. A program without regions is one region, "main".
 *
 * The definitions here are weak and empty; a runtime has strong ones. The optimiser cannot see into the calls: memory
 * that others can see is up to date when they are made. The compiler may still move arithmetic on values that never
 * leave registers across them. Therefore read inputs from memory and write results to memory (volatile, or SHIM_KEEP).
 */
#ifndef SHIM_REGION_H
#define SHIM_REGION_H

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((weak, noinline)) void shim_region_begin(const char *name)
{
    __asm__ volatile("" : : "r"(name) : "memory");
}

__attribute__((weak, noinline)) void shim_region_end(const char *name)
{
    __asm__ volatile("" : : "r"(name) : "memory");
}

/* Makes the compiler write everything that `pointer` leads to, and assume that it may have changed afterwards. */
#define SHIM_KEEP(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")

#ifdef __cplusplus
}
#endif

#endif
