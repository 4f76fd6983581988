declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
@t = global [4 x i64] zeroinitializer
define ptr @work(ptr %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, 250000
  br i1 %c, label %out, label %loop
out:
  ret ptr null
}
define i32 @main() {
entry:
  br label %start
start:
  %i = phi i64 [ 0, %entry ], [ %j, %start ]
  %p = getelementptr i64, ptr @t, i64 %i
  %r = call i32 @pthread_create(ptr %p, ptr null, ptr @work, ptr null)
  %j = add i64 %i, 1
  %c = icmp eq i64 %j, 4
  br i1 %c, label %join, label %start
join:
  %k = phi i64 [ 0, %start ], [ %l, %join ]
  %q = getelementptr i64, ptr @t, i64 %k
  %id = load i64, ptr %q
  %s = call i32 @pthread_join(i64 %id, ptr null)
  %l = add i64 %k, 1
  %d = icmp eq i64 %l, 4
  br i1 %d, label %out, label %join
out:
  ret i32 0
}
