define i32 @main(i32 %argc) {
  %c = icmp eq i32 %argc, 1
  br i1 %c, label %out, label %more
more:
  fence seq_cst
  ret i32 0
out:
  ret i32 0
}
