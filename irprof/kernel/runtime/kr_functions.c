/*
 * kr_functions.c - the functions by which a work-item finds its place, and barriers and fences. OpenCL C 1.2, sections
 * 6.12.1 and 6.12.8. Their names are those that clang gives functions of OpenCL C on x86: mangled as in C++.
 */
#include "irprof/kernel/runtime/host.h"

unsigned get_work_dim(void) __asm__("_Z12get_work_dimv");
size_t get_global_size(unsigned d) __asm__("_Z15get_global_sizej");
size_t get_global_id(unsigned d) __asm__("_Z13get_global_idj");
size_t get_global_offset(unsigned d) __asm__("_Z17get_global_offsetj");
size_t get_local_size(unsigned d) __asm__("_Z14get_local_sizej");
size_t get_local_id(unsigned d) __asm__("_Z12get_local_idj");
size_t get_num_groups(unsigned d) __asm__("_Z14get_num_groupsj");
size_t get_group_id(unsigned d) __asm__("_Z12get_group_idj");
void barrier(unsigned flags) __asm__("_Z7barrierj");
void mem_fence(unsigned flags) __asm__("_Z9mem_fencej");
void read_mem_fence(unsigned flags) __asm__("_Z14read_mem_fencej");
void write_mem_fence(unsigned flags) __asm__("_Z15write_mem_fencej");

unsigned get_work_dim(void)
{
    return host_here->launch->dimensions;
}

size_t get_global_size(unsigned d)
{
    return d < HOST_DIMENSIONS ? host_here->launch->global[d] : 1;
}

size_t get_local_size(unsigned d)
{
    return d < HOST_DIMENSIONS ? host_here->launch->local[d] : 1;
}

size_t get_local_id(unsigned d)
{
    return d < HOST_DIMENSIONS ? host_here->local[d] : 0;
}

size_t get_group_id(unsigned d)
{
    return d < HOST_DIMENSIONS ? host_here->group[d] : 0;
}

size_t get_num_groups(unsigned d)
{
    return d < HOST_DIMENSIONS ? host_here->launch->global[d] / host_here->launch->local[d] : 1;
}

size_t get_global_id(unsigned d)
{
    return get_group_id(d) * get_local_size(d) + get_local_id(d);
}

size_t get_global_offset(unsigned d)
{
    (void)d;
    return 0;
}

void barrier(unsigned flags)
{
    (void)flags;
    host_wait();
}

/* One thread runs all work-items, so its accesses are in order. */
void mem_fence(unsigned flags)
{
    (void)flags;
}

void read_mem_fence(unsigned flags)
{
    (void)flags;
}

void write_mem_fence(unsigned flags)
{
    (void)flags;
}
