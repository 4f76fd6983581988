@_ZTIi = external constant ptr
@v = global i32 0
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr) noreturn
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare i32 @__gxx_personality_v0(...)
define void @thrower() uwtable {
  %e = call ptr @__cxa_allocate_exception(i64 4)
  store i32 1, ptr %e
  call void @__cxa_throw(ptr %e, ptr @_ZTIi, ptr null)
  unreachable
}
define void @middle() uwtable {
  fence seq_cst
  call void @thrower()
  store i32 1, ptr @v
  ret void
}
define i32 @main() uwtable personality ptr @__gxx_personality_v0 {
  invoke void @middle() to label %fine unwind label %caught
fine:
  store i32 2, ptr @v
  ret i32 1
caught:
  %l = landingpad { ptr, i32 } catch ptr null
  %x = extractvalue { ptr, i32 } %l, 0
  %o = call ptr @__cxa_begin_catch(ptr %x)
  call void @__cxa_end_catch()
  store i32 3, ptr @v
  ret i32 0
}
