/*
 * assembly.c - the fuzz target of the assembly that irprof prove reads, for three targets.
 *
 * A code equals itself, and loses as many instructions as there are against nothing.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "irprof/prove/structure.h"
#include "tests/fuzz/target.h"

static void check(const struct code_function *f)
{
    static const struct code_function none;
    struct structure_counts same = {0}, gone = {0};
    struct str changes = STR_INIT;
    structure_compare(&same, f, f, &changes);
    if (same.lost || same.added || same.shared || same.reordered || changes.len)
        BUG("%s differs from itself: %s", f->name, str_text(&changes));
    structure_compare(&gone, f, &none, &changes);
    if (gone.lost != gone.original || gone.added)
        BUG("%s: %zu of %zu instructions are lost against nothing", f->name, gone.lost, gone.original);
    str_release(&changes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const triples[] = {"x86_64-pc-linux-gnu", "amdgcn-amd-amdhsa", "nvptx64-nvidia-cuda"};
    char *text = xstrndup((const char *)data, size);
    for (size_t i = 0; i < sizeof triples / sizeof *triples; i++) {
        struct code_lines m = {0};
        code_lines_read(&m, text, triples[i]);
        for (size_t k = 0; k < m.functions.n; k++)
            check(&m.functions.at[k]);
        code_lines_release(&m);
    }
    free(text);
    return 0;
}
