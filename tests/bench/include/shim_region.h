/*
 * shim_region.h for the bench - regions that are neither counted nor measured: the same barriers for the optimiser as
 * those of base/shim_region.h, and no call. A sample lasts microseconds and is called thousands of times here; what
 * would be measured with real regions is how long it takes to enter one.
 */
#ifndef SHIM_REGION_H
#define SHIM_REGION_H

static inline void shim_region_begin(const char *name)
{
    __asm__ volatile("" : : "r"(name) : "memory");
}

static inline void shim_region_end(const char *name)
{
    __asm__ volatile("" : : "r"(name) : "memory");
}

#define SHIM_KEEP(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")

#endif
