target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [5 x i8] poison
define ptx_kernel void @k(ptr addrspace(1) noalias %a) !reqd_work_group_size !0 {
  call void @shim_region_begin(ptr addrspace(4) @name)
  store i8 1, ptr addrspace(3) @tile
  call void @shim_region_end(ptr addrspace(4) @name)
  store float 1.0, ptr addrspace(1) %a
  ret void
}
@name = internal addrspace(4) constant [2 x i8] c"r\00"
declare void @shim_region_begin(ptr addrspace(4))
declare void @shim_region_end(ptr addrspace(4))
!0 = !{i32 4, i32 2, i32 1}
