/* kernels.c - the tables of kernels by target, and their text for the assembler. */
#include "shimgen/core/kernels.h"

#include <string.h>

#include "base/alloc.h"

static const struct core_kernels *const all[] = {&core_kernels_aarch64, &core_kernels_riscv64};

const struct core_kernels *core_kernels_of(const char *architecture)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->architecture, architecture) == 0)
            return all[i];
    return NULL;
}

char *core_kernels_list(void)
{
    struct str list = STR_INIT;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        str_addf(&list, "%s%s", i ? ", " : "", all[i]->architecture);
    return str_detach(&list);
}

const struct core_kernel *core_kernels_find(const struct core_kernels *k, unsigned class)
{
    for (size_t i = 0; i < k->n; i++)
        if (k->at[i].class == class)
            return &k->at[i];
    return NULL;
}

char *core_class_name(unsigned class)
{
    return xasprintf("%s%s", iss_class_names[class & (CORE_32 - 1)], class & CORE_32 ? ".32" : "");
}

void core_kernel_line(struct str *to, const struct core_kernels *k, const char *text, unsigned d, unsigned s)
{
    unsigned e = k->first + (d - k->first + k->turns / 2) % k->turns;
    for (const char *p = text; *p; p++)
        if (p[0] == '$' && p[1]) {
            char which = *++p;
            str_addf(to, "%u", which == 'd' ? d : which == 'e' ? e : s);
        } else {
            str_addch(to, *p);
        }
    str_addch(to, '\n');
}

void core_kernel_stream(struct str *to, const struct core_kernels *k, const char *text)
{
    for (unsigned i = 0; i < k->turns; i++)
        core_kernel_line(to, k, text, k->first + i, CORE_OPERAND);
}
