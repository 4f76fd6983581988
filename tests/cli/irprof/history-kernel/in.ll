target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @copy(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %c) !reqd_work_group_size !0 {
  %x = load float, ptr addrspace(1) %a
  store float %x, ptr addrspace(1) %c
  ret void
}
!0 = !{i32 2, i32 2, i32 1}
