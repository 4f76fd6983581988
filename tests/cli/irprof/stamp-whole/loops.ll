target triple = "x86_64-unknown-linux-gnu"
define i32 @nest(i32 %n, i1 %c) !dbg !4 {
entry:
  br i1 %c, label %outer, label %done, !dbg !8
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %after ]
  br label %inner, !dbg !9
inner:
  %k = phi i32 [ 0, %outer ], [ %k1, %inner ]
  %k1 = add i32 %k, 1, !dbg !10
  %more = icmp slt i32 %k1, %n, !dbg !10
  br i1 %more, label %inner, label %after, !dbg !10
after:
  %i1 = add i32 %i, 1, !dbg !11
  %again = icmp slt i32 %i1, %n, !dbg !11
  br i1 %again, label %outer, label %out, !dbg !11
out:
  br i1 %more, label %done, label %dead, !dbg !12
dead:
  unreachable
done:
  %r = phi i32 [ 7, %entry ], [ %i1, %out ]
  ret i32 %r, !dbg !12
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "src/nest.c", directory: "/d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "nest", scope: !1, file: !1, line: 1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!8 = !DILocation(line: 2, scope: !4)
!9 = !DILocation(line: 3, scope: !4)
!10 = !DILocation(line: 4, scope: !4)
!11 = !DILocation(line: 5, scope: !4)
!12 = !DILocation(line: 6, scope: !4)
