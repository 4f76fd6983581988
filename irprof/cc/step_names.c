/* step_names.c - checks that functions whose calls are counted one by one are in the program. */
#include "irprof/cc/step_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "irprof/module/debug_nodes.h"
#include "irprof/module/llvm.h"

enum status step_names_add(struct step_names *n, const char *ir, struct error *e)
{
    struct llvm_module m = {0};
    enum status s = llvm_load(&m, ir, e);
    if (s)
        return s;
    for (LLVMValueRef f = LLVMGetFirstFunction(m.module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        char *text = xstrndup(name, length);
        if (!LLVMIsDeclaration(f))
            map_number(&n->defined, text);
        free(text);
    }
    debug_names(m.module, 0, &n->written);
    llvm_release(&m);
    return OK;
}

static enum status absent(const struct step_names *n, const char *option, const char *name, struct error *e)
{
    const char *near = nearest_word(name, (const char *const *)n->defined.keys, n->defined.n);
    if (!near)
        near = nearest_word(name, (const char *const *)n->written.keys, n->written.n);
    if (map_get(&n->written, name, 0))
        return error_set(e, ERR_INPUT, NOWHERE,
                         "%s names '%s', and the program has no code of it: the optimiser has inlined it into its "
                         "callers, or nothing needs it. Call it where the program runs; in IR that was optimised "
                         "before, mark it __attribute__((noinline)) in its source and make the IR again",
                         option, name);
    if (near)
        return error_set(e, ERR_INPUT, NOWHERE,
                         "%s names '%s', and no source has a function of this name; did you mean '%s'?", option, name,
                         near);
    struct str names = STR_INIT;
    for (size_t i = 0; i < n->defined.n && i < 8; i++)
        str_addf(&names, "%s%s", i ? ", " : "", n->defined.keys[i]);
    enum status s =
        error_set(e, ERR_INPUT, NOWHERE, "%s names '%s', and no source has a function of this name; there are: %s%s",
                  option, name, names.len ? str_text(&names) : "none", n->defined.n > 8 ? " ..." : "");
    str_release(&names);
    return s;
}

enum status step_names_check(const struct step_names *n, const char *option, const char *names, struct error *e)
{
    char **each = words_of(names, ",");
    enum status s = OK;
    for (char **name = each; *name && !s; name++)
        if (!map_get(&n->defined, *name, 0))
            s = absent(n, option, *name, e);
    words_free(each);
    return s;
}

void step_names_release(struct step_names *n)
{
    map_release(&n->defined);
    map_release(&n->written);
}

char **step_names_kept(const char *names)
{
    char **each = words_of(names, ",");
    for (char **name = each; *name; name++) {
        char *option = xasprintf("-force-attribute=%s:noinline", *name);
        free(*name);
        *name = option;
    }
    return each;
}
