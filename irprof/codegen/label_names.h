/* label_names.h - the names that lead from machine code back to functions and blocks of the IR. */
#ifndef IRPROF_CODEGEN_LABEL_NAMES_H
#define IRPROF_CODEGEN_LABEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Names of function N of a module and of block N of a function in compiled copies, so that they are found again. A digit
 * at the end would be ambiguous: LLVM tells copies of a name apart by digits after it. */
#define LABEL_FUNCTION "irprof.%zu.f"
#define LABEL_BLOCK    "b%zux"
/* The N of such a name, n characters at s. False: it is none. */
bool label_read(const char *s, size_t n, const char *format, size_t *number);

#endif
