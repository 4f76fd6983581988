target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
@tile = internal addrspace(3) global [5 x i8] poison
define amdgpu_kernel void @k(ptr addrspace(1) noalias %a) "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-implicitarg-ptr" "amdgpu-no-dispatch-id" !reqd_work_group_size !0 {
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
