/*
 * shim_region.h - mark a part of a program that is to be counted or measured.
 *
 *     #include <shim_region.h>
 *     shim_region_begin("filter");
 *     ... the work ...
 *     shim_region_end("filter");
 *
 * One source, three meanings, decided by what is linked: nothing (the calls do
 * nothing), irprof's runtime (executed IR instructions are counted per region), a
 * board's measuring runtime (cycles and events are measured). Regions may nest and
 * may be entered any number of times; begin and end pair by name, in the order of
 * brackets. The name is a string that lives as long as the program. A program
 * without regions is one region, "main".
 *
 * The definitions here are weak and empty; a runtime brings strong ones. The calls
 * are opaque to the optimiser: memory that others can see is up to date at them.
 * What the compiler may still move across is arithmetic on values that never leave
 * registers; take inputs from and give results to memory (volatile, or SHIM_KEEP).
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

/* The compiler must have everything that `pointer` leads to in memory here, and must assume that it may have changed.
 */
#define SHIM_KEEP(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")

#ifdef __cplusplus
}
#endif

#endif
