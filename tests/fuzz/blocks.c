/* blocks.c - the fuzz target of C sources with the comments of code generators (shimgen blocks): refused with a reason,
 * or a tree whose lines ascend and belong to blocks that there are. Up to the first NUL byte it is the source; what
 * follows, if anything, a header beside it, which names the systems. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "shimgen/blocks/block_names.h"
#include "shimgen/blocks/block_tree.h"
#include "tests/fuzz/target.h"

static void check_line(const struct tree *t, const struct tree_source *s, const struct tree_line *line)
{
    if (line->line == 0 || (line > s->lines && line[-1].line >= line->line))
        BUG("line %lu does not ascend", line->line);
    if (line->block >= t->blocks.n)
        BUG("line %lu belongs to no block", line->line);
    if (line->function >= t->functions.n) /* several of them may be one block's */
        BUG("line %lu is in no function", line->line);
    if (line->compound != BLOCK_NONE && line->compound >= t->compounds.n)
        BUG("line %lu is in no compound", line->line);
    if (tree_line(s, line->line) != line)
        BUG("line %lu is not found", line->line);
}

static void check_tree(const struct tree *t)
{
    for (size_t i = 0; i < t->sources.n; i++)
        for (size_t k = 0; k < t->sources.at[i].n_lines; k++)
            check_line(t, &t->sources.at[i], &t->sources.at[i].lines[k]);
    for (size_t i = 0; i < t->blocks.n; i++)
        if (!t->blocks.at[i].name)
            BUG("a block without a name");
    for (size_t i = 0; i < t->compounds.n; i++)
        if (t->compounds.at[i].parent != BLOCK_NONE && t->compounds.at[i].parent >= i)
            BUG("a compound within a later one");
    for (size_t i = 0; i < t->functions.n; i++)
        if (t->functions.at[i].block >= t->blocks.n || t->functions.at[i].source >= t->sources.n)
            BUG("a function of no block");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct tree t = {.blocks = {0}};
    const uint8_t *end = size ? memchr(data, 0, size) : 0;
    size_t n = end ? (size_t)(end - data) : size;
    char *header = end ? target_file("model.h", end + 1, size - n - 1) : target_file("model.h", "", 0);
    char *path = target_file("model.c", data, n);
    if (target_passed(tree_add(&t, path, &e), &e)) {
        systems_name(&t);
        tree_finish(&t);
        check_tree(&t);
    }
    tree_release(&t);
    free(path);
    free(header);
    return 0;
}
