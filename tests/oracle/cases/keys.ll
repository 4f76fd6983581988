; Keys by the text of the contract, counted by hand: keys.counts.
; Each call of @f is 1 of each line below; main calls it 3 times in a loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@numbers = global [4 x i32] [i32 5, i32 6, i32 7, i32 8]
@reals = global [2 x double] [double 1.5, double 2.5]
@where = global ptr @g

define i32 @g(i32 %x) {
  %r = add i32 %x, 1                              ; add.i32
  ret i32 %r                                      ; ret_d
}

define i32 @f(i32 %x) {
entry:
  %slot = alloca i32                              ; alloca.ptr
  call void @llvm.lifetime.start.p0(i64 4, ptr %slot) ; not counted
  store i32 %x, ptr %slot                         ; store.i32_d: the address is the alloca's result; the lifetime mark does not stand between
  %v = load i32, ptr %slot                        ; load.i32: the store before it has no result
  %w = zext i32 %v to i64                         ; zext.i64_d
  %p = getelementptr i32, ptr @numbers, i64 1     ; getelementptr.ptr
  %l = load i32, ptr %p                           ; load.i32_d
  %big = icmp ugt i64 %w, 100                     ; icmp.i64: zext is not the one before
  br i1 %big, label %rare, label %common          ; br.cond_d
rare:
  br label %join
common:
  %double = load double, ptr @reals               ; load.double
  %i = fptosi double %double to i32               ; fptosi.double_d: the operand's type
  %s = sitofp i32 %l to float                     ; sitofp.float: the result's type
  %h = fadd float %s, 5.0e-1                      ; fadd.float_d
  %less = fcmp olt float %h, 1.0e9                ; fcmp.float_d
  %sum = call double @llvm.fmuladd.f64(double %double, double 2.0, double 1.0) ; call.llvm.fmuladd.double
  store double %sum, ptr @reals                   ; store.double_d
  call void @llvm.memcpy.p0.p0.i64(ptr @numbers, ptr @numbers, i64 4, i1 false) ; call.llvm.memcpy
  %a = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1) ; call.llvm.sadd.with.overflow.agg
  %b = extractvalue { i32, i1 } %a, 0             ; extractvalue.i32_d
  call void @llvm.assume(i1 %less)                ; not counted
  br label %join                                  ; br.uncond
join:
  %phi = phi i32 [ 0, %rare ], [ %b, %common ]    ; phi.i32
  %phi2 = phi i32 [ 0, %rare ], [ %l, %common ]   ; phi.i32: a phi never is _d
  %use = add i32 %phi2, 1                         ; add.i32_d: the phi is the counted instruction before it
  %t = load ptr, ptr @where                       ; load.ptr
  %c = call i32 %t(i32 %use)                      ; call.indirect_d: the callee is an operand; g: add.i32 ret_d
  %e = call i32 @g(i32 %c)                        ; call.direct_d; g: add.i32 ret_d
  call void asm sideeffect "", "r,~{memory}"(i32 %phi) ; call.asm
  switch i32 %e, label %out [ i32 -1, label %rare ] ; switch.i32: the asm has no result and stands between
out:
  %v4 = load <4 x i32>, ptr @numbers, align 4              ; load.v4i32
  %v4b = mul <4 x i32> %v4, %v4                   ; mul.v4i32_d
  %v2 = load <2 x double>, ptr @reals, align 8             ; load.v2f64
  %v2b = fneg <2 x double> %v2                    ; fneg.v2f64_d
  %v4c = icmp eq <4 x i32> %v4b, zeroinitializer  ; icmp.v4i32
  %pv = getelementptr i32, ptr @numbers, <2 x i64> <i64 0, i64 1> ; getelementptr.v2ptr
  %fr = freeze i32 %e                             ; freeze.i32
  %red = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v4b) ; call.llvm.vector.reduce.add.i32
  ret i32 %red                                    ; ret_d
}

define i32 @main() {
entry:
  br label %loop                                  ; br.uncond, once
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]    ; phi.i32, 3
  %r = call i32 @f(i32 %n)                        ; call.direct_d, 3
  %next = add nuw i32 %n, 1                       ; add.i32, 3
  %done = icmp eq i32 %next, 3                    ; icmp.i32_d, 3
  br i1 %done, label %end, label %loop            ; br.cond_d, 3
end:
  ret i32 0                                       ; ret, once
}

declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.assume(i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare double @llvm.fmuladd.f64(double, double, double)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
