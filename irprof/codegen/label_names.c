/* label_names.c - reads the names that lead from machine code back to functions and blocks of the IR. */
#include "irprof/codegen/label_names.h"

#include <stdint.h>
#include <string.h>

bool label_read(const char *s, size_t n, const char *format, size_t *number)
{
    size_t at = strcspn(format, "%"), digits = at;
    const char *tail = format + at + strlen("%zu");
    if (n <= at || memcmp(s, format, at) != 0)
        return false;
    for (*number = 0; at < n && s[at] >= '0' && s[at] <= '9' && *number < SIZE_MAX / 100; at++)
        *number = *number * 10 + (size_t)(s[at] - '0');
    return at > digits && n - at == strlen(tail) && memcmp(s + at, tail, n - at) == 0;
}
