@in = global i32 3
@out = global i32 0

define internal i32 @helper(i32 %x) !dbg !10 {
  %r = mul i32 %x, 2, !dbg !15
  ret i32 %r, !dbg !15
}

define void @step(i32 %c) !dbg !11 {
entry:
  %a = load i32, ptr @in, !dbg !20
  %s = add i32 %a, %c, !dbg !20
  store i32 %s, ptr @out, !dbg !20
  %o = and i32 %c, 1, !dbg !21
  %odd = icmp ne i32 %o, 0, !dbg !21
  br i1 %odd, label %then, label %next, !dbg !21
then:
  %t = load i32, ptr @out, !dbg !22
  %lost = add i32 %t, 0, !dbg !23
  %h = call i32 @helper(i32 %lost), !dbg !22
  store i32 %h, ptr @out, !dbg !22
  br label %next, !dbg !22
next:
  %big = icmp sgt i32 %c, 99, !dbg !24
  br i1 %big, label %never, label %end, !dbg !24
never:
  store i32 0, ptr @out, !dbg !24
  br label %end, !dbg !24
end:
  ret void, !dbg !25
}

define i32 @main() !dbg !12 {
entry:
  br label %loop, !dbg !26
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  call void @step(i32 %i), !dbg !26
  %i1 = add i32 %i, 1, !dbg !26
  %more = icmp slt i32 %i1, 4, !dbg !26
  br i1 %more, label %loop, label %end, !dbg !26
end:
  %p = mul i32 7, 2, !dbg !28
  %h = call i32 @helper(i32 7), !dbg !27
  store i32 %h, ptr @out, !dbg !27
  ret i32 0, !dbg !29
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "p.c", directory: "HERE")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!10 = distinct !DISubprogram(name: "helper", scope: !1, file: !1, line: 2, type: !3, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!11 = distinct !DISubprogram(name: "step", scope: !1, file: !1, line: 7, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!12 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 21, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!15 = !DILocation(line: 5, scope: !10)
!20 = !DILocation(line: 10, scope: !11)
!21 = !DILocation(line: 14, scope: !11)
!22 = !DILocation(line: 15, scope: !11)
!23 = !DILocation(line: 0, scope: !11)
!24 = !DILocation(line: 18, scope: !11)
!25 = !DILocation(line: 20, scope: !11)
!26 = !DILocation(line: 23, scope: !12)
!27 = !DILocation(line: 24, scope: !12)
!28 = distinct !DILocation(line: 5, scope: !10, inlinedAt: !27)
!29 = !DILocation(line: 25, scope: !12)
