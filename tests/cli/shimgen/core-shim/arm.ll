source_filename = "p.c"
target triple = "aarch64-unknown-linux-gnu"
define i32 @main() {
entry:
  br label %loop
loop:
  %x = phi i64 [ 3, %entry ], [ %y, %loop ]
  %i = phi i64 [ 1000, %entry ], [ %j, %loop ]
  %y = mul i64 %x, %x
  %j = sub i64 %i, 1
  %more = icmp ne i64 %j, 0
  br i1 %more, label %loop, label %end
end:
  %z = trunc i64 %y to i32
  %r = and i32 %z, 0
  ret i32 %r
}
