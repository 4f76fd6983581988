/*
 * cases_library.c - C library functions. Programs call them and their code has no IR, so their cost must be known. If
 * it depends on operands, there are several ranges, the first of which is the typical one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "samples/micro/private.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Letters are defined in shape_library.c. */
static const struct {
    const char *name, *args, *words;
    struct number first, second;
    unsigned size;
} functions[] = {
    {"sin", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"sin", "dd", ",small", {0, 1e-9}, {0, 0}, 0},
    {"sin", "dd", ",large", {0, 1e6}, {0, 0}, 0},
    {"cos", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"cos", "dd", ",large", {0, 1e6}, {0, 0}, 0},
    {"tan", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"asin", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"acos", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"atan", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"atan2", "ddd", "", {0, 0.7}, {0, 1.3}, 0},
    {"sinh", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"cosh", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"tanh", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"exp", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"exp", "dd", ",large", {0, 600}, {0, 0}, 0},
    {"exp2", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"expm1", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"log", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"log", "dd", ",denormal", {0, 1e-310}, {0, 0}, 0},
    {"log2", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"log10", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"log1p", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"pow", "ddd", "", {0, 1.7}, {0, 2.3}, 0},
    {"pow", "ddd", ",square", {0, 1.7}, {0, 2}, 0},
    {"sqrt", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"cbrt", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"hypot", "ddd", "", {0, 1.7}, {0, 2.3}, 0},
    {"floor", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"ceil", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"round", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"lround", "ld", "", {0, 1.7}, {0, 0}, 0},
    {"fmod", "ddd", "", {0, 11.75}, {0, 3.5}, 0},
    {"fmod", "ddd", ",large", {0, 1e15}, {0, 3.5}, 0},
    {"ldexp", "ddi", "", {0, 1.7}, {3, 0}, 0},
    {"frexp", "ddb", "", {0, 1.7}, {0, 0}, 0},
    {"modf", "ddb", "", {0, 1.7}, {0, 0}, 0},
    {"trunc", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"rint", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"lrint", "ld", "", {0, 1.7}, {0, 0}, 0},
    {"fma", "dddd", "", {0, 1.7}, {0, 2.3}, 0},
    {"fmin", "ddd", "", {0, 1.7}, {0, 2.3}, 0},
    {"fmax", "ddd", "", {0, 1.7}, {0, 2.3}, 0},
    {"remainder", "ddd", "", {0, 11.75}, {0, 3.5}, 0},
    {"asinh", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"acosh", "dd", "", {0, 1.7}, {0, 0}, 0},
    {"atanh", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"erf", "dd", "", {0, 0.7}, {0, 0}, 0},
    {"tgamma", "dd", "", {0, 2.7}, {0, 0}, 0},
    {"lgamma", "dd", "", {0, 2.7}, {0, 0}, 0},
    {"asinf", "ff", "", {0, 0.7}, {0, 0}, 0},
    {"acosf", "ff", "", {0, 0.7}, {0, 0}, 0},
    {"sinhf", "ff", "", {0, 0.7}, {0, 0}, 0},
    {"coshf", "ff", "", {0, 0.7}, {0, 0}, 0},
    {"tanhf", "ff", "", {0, 0.7}, {0, 0}, 0},
    {"exp2f", "ff", "", {0, 1.7}, {0, 0}, 0},
    {"log2f", "ff", "", {0, 1.7}, {0, 0}, 0},
    {"log10f", "ff", "", {0, 1.7}, {0, 0}, 0},
    {"cbrtf", "ff", "", {0, 1.7}, {0, 0}, 0},
    {"hypotf", "fff", "", {0, 1.7}, {0, 2.3}, 0},
    {"ceilf", "ff", "", {0, 1.7}, {0, 0}, 0},
    {"roundf", "ff", "", {0, 1.7}, {0, 0}, 0},
    {"lroundf", "lf", "", {0, 1.7}, {0, 0}, 0},
    {"sinf", "ff", "", {0, 0.7}, {0, 0}, 0},
    {"cosf", "ff", "", {0, 0.7}, {0, 0}, 0},
    {"tanf", "ff", "", {0, 0.7}, {0, 0}, 0},
    {"atanf", "ff", "", {0, 0.7}, {0, 0}, 0},
    {"atan2f", "fff", "", {0, 0.7}, {0, 1.3}, 0},
    {"expf", "ff", "", {0, 1.7}, {0, 0}, 0},
    {"logf", "ff", "", {0, 1.7}, {0, 0}, 0},
    {"powf", "fff", "", {0, 1.7}, {0, 2.3}, 0},
    {"sqrtf", "ff", "", {0, 1.7}, {0, 0}, 0},
    {"fmodf", "fff", "", {0, 11.75}, {0, 3.5}, 0},
    {"floorf", "ff", "", {0, 1.7}, {0, 0}, 0},
    {"memcpy", "pbsn", ",size=64", {0, 0}, {0, 0}, 64},
    {"memmove", "pbsn", ",size=64", {0, 0}, {0, 0}, 64},
    {"memset", "pbin", ",size=64", {0, 0}, {0, 0}, 64},
    {"memcmp", "istn", ",size=16", {0, 0}, {0, 0}, 16},
    {"memcmp", "istn", ",size=4", {0, 0}, {0, 0}, 4},
    {"memcmp", "istn", ",size=256", {0, 0}, {0, 0}, 256},
    {"memcmp", "istn", ",size=1024", {0, 0}, {0, 0}, 1024},
    {"memchr", "psin", ",size=16", {0, 0}, {'x', 0}, 16},
    {"memchr", "psin", ",size=256", {0, 0}, {'x', 0}, 256},
    {"strlen", "ls", ",size=16", {0, 0}, {0, 0}, 16},
    {"strlen", "ls", ",size=4", {0, 0}, {0, 0}, 4},
    {"strlen", "ls", ",size=256", {0, 0}, {0, 0}, 256},
    {"strlen", "ls", ",size=1024", {0, 0}, {0, 0}, 1024},
    {"strnlen", "lsn", ",size=16", {0, 0}, {0, 0}, 16},
    {"strnlen", "lsn", ",size=256", {0, 0}, {0, 0}, 256},
    {"strcmp", "ist", ",size=16", {0, 0}, {0, 0}, 16},
    {"strcmp", "ist", ",size=4", {0, 0}, {0, 0}, 4},
    {"strcmp", "ist", ",size=256", {0, 0}, {0, 0}, 256},
    {"strncmp", "istn", ",size=16", {0, 0}, {0, 0}, 16},
    {"strncmp", "istn", ",size=4", {0, 0}, {0, 0}, 4},
    {"strncmp", "istn", ",size=256", {0, 0}, {0, 0}, 256},
    {"strcpy", "pbs", ",size=16", {0, 0}, {0, 0}, 16},
    {"strcpy", "pbs", ",size=256", {0, 0}, {0, 0}, 256},
    {"strncpy", "pbsn", ",size=16", {0, 0}, {0, 0}, 16},
    {"strncpy", "pbsn", ",size=256", {0, 0}, {0, 0}, 256},
    {"strchr", "psi", ",size=16", {0, 0}, {'x', 0}, 16},
    {"strrchr", "psi", ",size=16", {0, 0}, {'x', 0}, 16},
    {"strspn", "lst", ",size=16", {0, 0}, {0, 0}, 16},
    {"strspn", "lst", ",size=256", {0, 0}, {0, 0}, 256},
    {"strcspn", "lst", ",size=16", {0, 0}, {0, 0}, 16},
    {"strstr", "pst", ",size=16", {0, 0}, {0, 0}, 16},
    {"abs", "ii", "", {-5, 0}, {0, 0}, 0},
    {"toupper", "ii", "", {'a', 0}, {0, 0}, 0},
    {"tolower", "ii", "", {'A', 0}, {0, 0}, 0},
    {"isalpha", "ii", "", {'a', 0}, {0, 0}, 0},
    {"isalnum", "ii", "", {'a', 0}, {0, 0}, 0},
    {"isdigit", "ii", "", {'a', 0}, {0, 0}, 0},
    {"isspace", "ii", "", {'a', 0}, {0, 0}, 0},
    {"isupper", "ii", "", {'a', 0}, {0, 0}, 0},
    {"islower", "ii", "", {'a', 0}, {0, 0}, 0},
    {"isxdigit", "ii", "", {'a', 0}, {0, 0}, 0},
    {"isprint", "ii", "", {'a', 0}, {0, 0}, 0},
    {"ispunct", "ii", "", {'a', 0}, {0, 0}, 0},
    {"atoi", "is", "", {0, 0}, {0, 0}, 6},
    {"atol", "ls", "", {0, 0}, {0, 0}, 6},
    {"atof", "ds", "", {0, 0}, {0, 0}, 6},
    {"strtol", "lspi", "", {0, 0}, {10, 0}, 6},
    {"strtoul", "lspi", "", {0, 0}, {10, 0}, 6},
    {"strtod", "dsp", "", {0, 0}, {0, 0}, 6},
    {"rand", "i", "", {0, 0}, {0, 0}, 0},
    {"random", "l", "", {0, 0}, {0, 0}, 0},
    {"qsort", "vbnlc", ",size=16", {0, 0}, {4, 0}, 16},
    {"qsort", "vbnlc", ",size=4", {0, 0}, {4, 0}, 4},
    {"qsort", "vbnlc", ",size=64", {0, 0}, {4, 0}, 64},
    {"qsort", "vbnlc", ",size=256", {0, 0}, {4, 0}, 256},
    {"malloc", "an", ",size=64", {0, 0}, {0, 0}, 64},
    {"malloc", "an", ",size=16", {0, 0}, {0, 0}, 16},
    {"malloc", "an", ",size=1024", {0, 0}, {0, 0}, 1024},
    {"malloc", "an", ",size=4096", {0, 0}, {0, 0}, 4096},
    {"calloc", "anl", ",size=64", {0, 0}, {1, 0}, 64},
    {"calloc", "anl", ",size=1024", {0, 0}, {1, 0}, 1024},
    {"snprintf", "ibnDi", ",size=5", {0, 0}, {12345, 0}, 64},
    {"snprintf", "ibnDi", ",size=1", {0, 0}, {5, 0}, 64},
    {"snprintf", "ibnDi", ",size=10", {0, 0}, {1234567890, 0}, 64},
    {"snprintf", "ibnGd", ",double", {0, 0}, {0, 3.25}, 64},
};

/* A function of hundreds of cycles needs few copies. */
static bool is_long(const char *name)
{
    static const char *const names[] = {"qsort", "malloc", "calloc", "snprintf", "strtod", "atof"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

void cases_library(struct list *l)
{
    for (size_t i = 0; i < COUNT(functions); i++) {
        char *key = xasprintf("call.library.%s", functions[i].name),
             *condition = xasprintf("stream%s", functions[i].words);
        bool both = strchr(functions[i].args, 'a') == functions[i].args;
        struct draft d = {.key = key,
                          .condition = condition,
                          .quantity = MICRO_PITCH,
                          .step = 4,
                          .trips = is_long(functions[i].name) ? 16 : 64,
                          .typical = !i || strcmp(functions[i - 1].name, functions[i].name) != 0,
                          .recipe = {.shape = &shape_library,
                                     .name = functions[i].name,
                                     .args = functions[i].args,
                                     .start = functions[i].first,
                                     .other = functions[i].second,
                                     .size = functions[i].size}};
        if (strcmp(functions[i].name, "snprintf") == 0) {
            d.recipe.flags = VARIADIC;
            d.recipe.op = 3;
        }
        if (both) {
            d.with = "call.library.free";
            d.share = strcmp(key, "call.library.malloc") == 0 ? MICRO_HALF : MICRO_MINUS;
        }
        add_case(l, &d);
        if (both && strcmp(key, "call.library.malloc") == 0) {
            d.key = "call.library.free";
            d.with = "call.library.malloc";
            add_case(l, &d);
        }
        free(key);
        free(condition);
    }
}
