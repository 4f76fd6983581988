/*
 * llvm_programs.h - the names of LLVM's programs, of the version that this build is made with: `make
 * LLVM_CONFIG=llvm-config-18` makes tools that run clang-18.
 */
#ifndef BASE_LLVM_PROGRAMS_H
#define BASE_LLVM_PROGRAMS_H

#define LLVM_AS_TEXT(number) #number
#define LLVM_TEXT(number)    LLVM_AS_TEXT(number)
#ifdef LLVM_NUMBER /* 19: clang-19 */
#define LLVM_PROGRAM(name) name "-" LLVM_TEXT(LLVM_NUMBER)
#else
#define LLVM_PROGRAM(name) name
#endif

#define CLANG_PROGRAM      LLVM_PROGRAM("clang")
#define LLVM_PACKAGE       LLVM_PROGRAM("llvm") /* Debian's, which has the two */
#define MCA_PROGRAM        LLVM_PROGRAM("llvm-mca")
#define SYMBOLIZER_PROGRAM LLVM_PROGRAM("llvm-symbolizer")

#endif
