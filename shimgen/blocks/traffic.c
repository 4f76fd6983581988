/* traffic.c - bytes that load and store instructions transfer, from their keys. */
#include "shimgen/blocks/traffic.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of "i32", "double", "ptr", "v4f32", up to `end`; 0: not known. */
static unsigned type_size(const char *t, const char *end, unsigned pointer)
{
    static const struct {
        const char *name;
        unsigned size;
    } types[] = {{"half", 2},      {"bfloat", 2}, {"float", 4},     {"double", 8},
                 {"x86_fp80", 16}, {"fp128", 16}, {"ppc_fp128", 16}};
    size_t n = (size_t)(end - t);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == n && strncmp(types[i].name, t, n) == 0)
            return types[i].size;
    if (n == 3 && strncmp(t, "ptr", 3) == 0)
        return pointer;
    char *rest;
    if (n > 1 && (*t == 'i' || *t == 'f')) {
        unsigned long bits = strtoul(t + 1, &rest, 10), bytes = 1;
        while (8 * bytes < bits && bytes < 1024)
            bytes *= 2;
        return rest == end && bits && bits <= 8192 ? (unsigned)bytes : 0;
    }
    if (n > 2 && *t == 'v') {
        unsigned long lanes = strtoul(t + 1, &rest, 10);
        return rest > t + 1 && rest < end && lanes <= 4096 && *rest != 'v'
                   ? (unsigned)lanes * type_size(rest, end, pointer)
                   : 0;
    }
    return 0;
}

struct traffic traffic_of(const char *key, unsigned pointer)
{
    static const struct {
        const char *prefix;
        bool reads, writes;
    } kinds[] = {{"load.", true, false}, {"store.", false, true}, {"atomicrmw.", true, true}, {"cmpxchg.", true, true}};
    static const char *const copies[] = {"call.llvm.mem", "call.llvm.masked", "call.llvm.vp."};
    size_t n = strlen(key);
    if (n > 2 && strcmp(key + n - 2, "_d") == 0)
        n -= 2;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t k = strlen(kinds[i].prefix);
        if (n <= k || strncmp(key, kinds[i].prefix, k) != 0)
            continue;
        unsigned size = type_size(key + k, key + n, pointer);
        return (struct traffic){kinds[i].reads ? size : 0, kinds[i].writes ? size : 0, !size};
    }
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        if (strncmp(key, copies[i], strlen(copies[i])) == 0)
            return (struct traffic){0, 0, true};
    return (struct traffic){0};
}

unsigned traffic_pointer(const char *triple)
{
    static const char *const narrow[] = {"arm",     "thumb",  "i386",    "i486",     "i586", "i686",
                                         "riscv32", "mips-",  "mipsel",  "powerpc-", "avr",  "wasm32",
                                         "tricore", "msp430", "hexagon", "xtensa"};
    if (strstr(triple, "_ilp32") || strstr(triple, "gnux32"))
        return 4;
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        if (strncmp(triple, narrow[i], strlen(narrow[i])) == 0)
            return 4;
    return 8;
}
