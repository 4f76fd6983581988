/* demangle.h - names of C++ functions as their sources have them. The border to libiberty. */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

/* "filter(int)" of the linkage name "_Z6filteri"; a copy of what is no such name. The caller frees. */
char *demangle(const char *name);

#endif
