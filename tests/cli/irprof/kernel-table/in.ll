@tile = internal addrspace(3) global [8 x i32] zeroinitializer

declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(2) %c, ptr %f, i32 %n) {
entry:
  %p = alloca [2 x i16]
  %second = getelementptr [2 x i16], ptr %p, i64 0, i64 1
  %i = call i64 @_Z13get_global_idj(i32 0)
  %at = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %at
  %y = load double, ptr addrspace(2) %c
  store i16 7, ptr %second
  store i16 8, ptr %p
  %slot = getelementptr [8 x i32], ptr addrspace(3) @tile, i64 0, i64 0
  %old = atomicrmw add ptr addrspace(3) %slot, i32 1 monotonic
  call void @_Z7barrierj(i32 1)
  %few = icmp slt i64 %i, 3
  br i1 %few, label %three, label %end

three:
  %z = load i8, ptr %f
  store float 1.0, ptr addrspace(1) %at
  br label %end

end:
  ret void
}

define void @other(ptr addrspace(4) %c, ptr addrspace(1) %a) {
  %x = load i32, ptr addrspace(4) %c
  %pair = cmpxchg ptr addrspace(1) %a, i64 0, i64 1 monotonic monotonic
  ret void
}
