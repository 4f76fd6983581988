declare void @f()
@v = global i32 0
