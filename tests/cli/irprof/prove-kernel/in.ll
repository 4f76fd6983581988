; Each work-item doubles its element; those below 3 add 1.
declare i64 @_Z13get_global_idj(i32)

define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %i = call i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %x = load i32, ptr addrspace(1) %from
  %two = mul i32 %x, 2
  %few = icmp slt i64 %i, 3
  br i1 %few, label %more, label %end

more:
  %one = add i32 %two, 1
  br label %end

end:
  %y = phi i32 [ %two, %entry ], [ %one, %more ]
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %y, ptr addrspace(1) %to
  ret void
}
