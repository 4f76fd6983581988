/* shim_region.h - marks what is measured. The functions are in the kit's shim_kit.c. */
#ifndef SHIM_REGION_H
#define SHIM_REGION_H

void shim_region_begin(const char *name);
void shim_region_end(const char *name);

/* Makes the compiler write what `pointer` leads to, and assume that it has changed. */
#if defined(__GNUC__) || defined(__clang__)
#define SHIM_KEEP(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")
#else
extern void *volatile shim_keep;
#define SHIM_KEEP(pointer) (shim_keep = (void *)(pointer))
#endif

#endif
