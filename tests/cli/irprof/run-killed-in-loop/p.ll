define i32 @main() {
entry:
  br label %loop
loop:
  fence seq_cst
  br label %loop
}
