/*
 * paper.h - included before a sample of samples/paper/, so that it is measured the way the paper's programs were:
 * caches invalidated, the events' counters read into a buffer on the stack of main, then the cycle counter by a
 * function of its own, both before and after, in main itself; a hundred times in one process (here: a few), so that
 * branch predictors and TLBs know the program. paper.c has the rest.
 *
 * What lies between the invalidation and the first reading brings back the lines that it needs itself: of main's stack,
 * of the code around. A program of theirs took 56 cycles, less than a line from memory. The first reading stands at the
 * beginning of a line of code, so that how much of the program is in that line is not for the linker to decide. The
 * regions of the measuring runtime start colder.
 */
#include <shim_region.h>

#define main paper_program
#define shim_region_begin(name)                                                                                        \
    unsigned paper_before[10], paper_after[10], paper_start, paper_end;                                                \
    paper_invalidate();                                                                                                \
    paper_events(paper_before);                                                                                        \
    __asm__ volatile(".balign 64");                                                                                    \
    paper_start = paper_count()
#define shim_region_end(name)                                                                                          \
    paper_end = paper_count();                                                                                         \
    paper_events(paper_after);                                                                                         \
    (void)paper_start;                                                                                                 \
    (void)paper_end

void paper_invalidate(void);
void paper_events(unsigned *counters);
void paper_take(void);

#ifdef __aarch64__
/* Reads the cycle counter, unoptimised like the program. Time stands from the first svc (ISS_SUSPEND) to the second
 * (ISS_RESUME). */
static unsigned paper_count(void)
{
    unsigned count = 0;

    __asm__ volatile("mrs %0, cntvct_el0\n\t" /* takes the time that reading the cycle counter takes */
                     "mov w8, #0x3492\n\tmovk w8, #0x5, lsl #16\n\tsvc #0\n\t"
                     "bl paper_take\n\t"
                     "mov w8, #0x3491\n\tmovk w8, #0x5, lsl #16\n\tsvc #0\n\t"
                     "mov %w0, #0"
                     : "=r"(count)
                     :
                     : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
                       "x15", "x16", "x17", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "cc", "memory");
    return count;
}
#endif
