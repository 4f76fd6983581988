/* demangle.h - C++ function names as they are written in source. The only user of libiberty. */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

/* "filter(int)" for the linkage name "_Z6filteri"; a copy of any other name. The caller frees it. */
char *demangle(const char *name);

#endif
