; Regions by the text of the contract, counted by hand in regions.counts: what stands inside begin and end, calls
; included, counts for every region that is open, once even if it is open twice; the marks and their bodies never count.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@outer = constant [6 x i8] c"outer\00"
@inner = constant [6 x i8] c"inner\00"
@self = constant [5 x i8] c"self\00"

define weak void @shim_region_begin(ptr %name) {
  call void asm sideeffect "", "r,~{memory}"(ptr %name)
  ret void
}
define weak void @shim_region_end(ptr %name) {
  call void asm sideeffect "", "r,~{memory}"(ptr %name)
  ret void
}

; Calls itself down to 0, each time in the region: n + 1 calls.
define i32 @down(i32 %n) {
  call void @shim_region_begin(ptr @self)
  %zero = icmp eq i32 %n, 0                       ; self: n + 1
  br i1 %zero, label %end, label %more            ; self: n + 1
more:
  %m = sub i32 %n, 1                              ; self: n
  %r = call i32 @down(i32 %m)                     ; self: n
  br label %end                                   ; self: n
end:
  call void @shim_region_end(ptr @self)
  ret i32 %n                                      ; in the region of the caller: n; outside, once
}

define i32 @main() {
  %a = add i32 1, 1                               ; no region
  call void @shim_region_begin(ptr @outer)
  %b = mul i32 %a, 2                              ; outer
  call void @shim_region_begin(ptr @inner)
  %c = xor i32 %b, 1                              ; outer, inner; _d: the mark is not an instruction here
  call void @shim_region_end(ptr @inner)
  %d = or i32 %b, 1                               ; outer
  call void @shim_region_begin(ptr @inner)
  %e = xor i32 %b, 2                              ; outer, inner: the second time
  %f = call i32 @down(i32 2)                      ; outer, inner
  call void @shim_region_end(ptr @inner)
  call void @shim_region_end(ptr @outer)
  ret i32 0                                       ; no region
}
