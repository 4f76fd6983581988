/* Where stamps are put: stamp.awk takes the calls out, or puts a stamp in their place. The store behind stamp_result is the
 * one whose value is replaced. For graphics processors the functions of work-items are the compiler's own. */
void stamp_point(int point);
void stamp_result(int point);

#if defined(__AMDGCN__)
#define get_local_id(d)  ((d) ? __builtin_amdgcn_workitem_id_y() : __builtin_amdgcn_workitem_id_x())
#define get_group_id(d)  ((d) ? __builtin_amdgcn_workgroup_id_y() : __builtin_amdgcn_workgroup_id_x())
#define barrier(flags)   (__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"), __builtin_amdgcn_s_barrier())
#elif defined(__NVPTX__)
#define get_local_id(d)  ((d) ? __nvvm_read_ptx_sreg_tid_y() : __nvvm_read_ptx_sreg_tid_x())
#define get_group_id(d)  ((d) ? __nvvm_read_ptx_sreg_ctaid_y() : __nvvm_read_ptx_sreg_ctaid_x())
#define barrier(flags)   __nvvm_bar_sync(0)
#endif
