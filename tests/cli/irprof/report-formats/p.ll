declare i32 @getpid()
define i32 @main() !dbg !4 {
  fence seq_cst, !dbg !6
  fence seq_cst, !dbg !7
  %r = call i32 @getpid(), !dbg !10
  ret i32 0, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !DIFile(filename: "/inc/b.h", directory: "/src")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "main", file: !1, line: 9, type: !8, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "u", file: !2, line: 2, type: !8, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 10, scope: !4)
!7 = !DILocation(line: 3, scope: !5, inlinedAt: !6)
!8 = !DISubroutineType(types: !9)
!9 = !{null}
!10 = !DILocation(line: 0, scope: !4)
