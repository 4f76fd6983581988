declare i32 @puts(ptr)
@text = constant [3 x i8] c"hi\00"
define internal void @say(i32 %n) !dbg !4 {
  %m = mul i32 %n, 3, !dbg !10
  %r = call i32 @puts(ptr @text), !dbg !11
  ret void, !dbg !11
}
define i32 @main() !dbg !5 {
  fence seq_cst, !dbg !12
  call void @say(i32 1), !dbg !13
  call void @say(i32 2), !dbg !14
  call void @say(i32 3), !dbg !14
  ret i32 0
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !DIFile(filename: "/inc/b.h", directory: "/src")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "say", file: !2, line: 2, type: !8, unit: !0, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "main", file: !1, line: 9, type: !8, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "inlined", file: !2, line: 20, type: !8, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DISubroutineType(types: !9)
!9 = !{null}
!10 = !DILocation(line: 3, scope: !4)
!11 = !DILocation(line: 4, scope: !4)
!12 = !DILocation(line: 21, scope: !6, inlinedAt: !13)
!13 = !DILocation(line: 10, scope: !5)
!14 = !DILocation(line: 11, scope: !5)
