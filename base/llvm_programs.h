/*
 * llvm_programs.h - the names of LLVM's programs, of the version that this build is made with: `make
 * LLVM_CONFIG=llvm-config-18` makes tools that run clang-18.
 */
#ifndef BASE_LLVM_PROGRAMS_H
#define BASE_LLVM_PROGRAMS_H

#ifndef LLVM_SUFFIX
#define LLVM_SUFFIX -19
#endif
#define LLVM_AS_TEXT(suffix) #suffix
#define LLVM_TEXT(suffix)    LLVM_AS_TEXT(suffix)

#define CLANG_PROGRAM      "clang" LLVM_TEXT(LLVM_SUFFIX)
#define LLVM_PACKAGE       "llvm" LLVM_TEXT(LLVM_SUFFIX) /* Debian's, which has the two */
#define MCA_PROGRAM        "llvm-mca" LLVM_TEXT(LLVM_SUFFIX)
#define SYMBOLIZER_PROGRAM "llvm-symbolizer" LLVM_TEXT(LLVM_SUFFIX)

#endif
