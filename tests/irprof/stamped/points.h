/* Where stamps are put: stamp.awk takes the calls out, or puts a stamp in their place. The store behind stamp_result is the
 * one whose value is replaced. For graphics processors the functions of work-items are the compiler's own. */
#ifndef STAMPS_IN_SOURCE
#define STAMP_PARAMETERS
#define STAMP_BEGIN
#define STAMP_END
#define STAMP_RESULT(value) (value)
void stamp_point(int point);
void stamp_result(int point);
#else
/* The same stamps in the source, for oclgrind, which has no clock: their number is their time. STAMPS_IN_SOURCE is 0 none, 1
 * add, 2 replace by the macros of shim_stamp.h, 3 replace without the guard. */
#define stamp_result(point)
#if STAMPS_IN_SOURCE == 0
#define STAMP_PARAMETERS
#define STAMP_BEGIN
#define STAMP_END
#define STAMP_RESULT(value) (value)
#define stamp_point(point)
#else
#define STAMP_PARAMETERS , __global uint *restrict irprof_stamps, int irprof_never
#if STAMPS_IN_SOURCE == 2
#include "shim_stamp.h"
#define STAMP_BEGIN        SHIM_STAMPS(32);
#define stamp_point(point) SHIM_STAMP()
#define STAMP_END
#define STAMP_RESULT(value) SHIM_STAMP_RESULT(irprof_never, value)
#else
#define STAMP_BEGIN                                                                                                    \
    uint irprof_room[32];                                                                                              \
    int irprof_count = 0;
#define stamp_point(point) (void)(irprof_room[irprof_count] = irprof_count + 1, irprof_count++)
#define STAMP_TIME         irprof_room[irprof_count - 1]
#if STAMPS_IN_SOURCE == 1
#define STAMP_END                                                                                                      \
    for (int i_ = 0; i_ < irprof_count; i_++)                                                                          \
        irprof_stamps[irprof_count * (get_global_id(1) * get_global_size(0) + get_global_id(0)) + i_] = irprof_room[i_];
#define STAMP_RESULT(value) (value)
#else
#define STAMP_END
#define STAMP_RESULT(value) as_float(STAMP_TIME)
#endif
#endif
#endif
#endif

#if defined(__AMDGCN__)
#define get_local_id(d) ((d) ? __builtin_amdgcn_workitem_id_y() : __builtin_amdgcn_workitem_id_x())
#define get_group_id(d) ((d) ? __builtin_amdgcn_workgroup_id_y() : __builtin_amdgcn_workgroup_id_x())
#define barrier(flags)  (__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"), __builtin_amdgcn_s_barrier())
#elif defined(__NVPTX__)
#define get_local_id(d) ((d) ? __nvvm_read_ptx_sreg_tid_y() : __nvvm_read_ptx_sreg_tid_x())
#define get_group_id(d) ((d) ? __nvvm_read_ptx_sreg_ctaid_y() : __nvvm_read_ptx_sreg_ctaid_x())
#define barrier(flags)  __nvvm_bar_sync(0)
#endif
