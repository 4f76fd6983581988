target triple = "x86_64-unknown-linux-gnu"

define internal void @by_counted() noinline {
  ret void
}
define internal void @by_uncounted() noinline {
  ret void
}
define internal void @by_both() noinline {
  ret void
}
define internal void @by_address() noinline {
  ret void
}
define internal void @as_argument(ptr %f) noinline {
  ret void
}
define void @from_outside() {
  call void @by_counted()
  call void @by_both()
  call void @as_argument(ptr @as_argument)
  call void @calls(ptr @by_address)
  ret void
}
define void @uncounted() noprofile {
  call void @by_uncounted()
  call void @by_both()
  ret void
}
define internal void @calls(ptr %f) noinline {
  call void %f()
  ret void
}
