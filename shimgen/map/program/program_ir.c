/* program_ir.c - compiles a profile's C sources to IR, without optimisation. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/map/program/program_graph.h"

static enum status compile(struct map_ir *out, const struct blocks *b, const struct board *board,
                           const struct board_args *flags, struct error *e)
{
    size_t n = 0;
    enum status s = OK;
    out->paths = xcalloc(b->tree.sources.n + 1, sizeof *out->paths);
    for (size_t i = 0; i < b->tree.sources.n && !s; i++) {
        const char *source = b->tree.sources.at[i].path;
        if (!text_ends(source, ".c"))
            continue;
        out->paths[n] = xasprintf("%s/%zu.bc", out->folder, i);
        s = compile_ir(board, "O1", (const char *const *)flags->at, source, out->paths[n++], e);
        if (s)
            s = error_context(
                e, "%s, to find what its blocks need of each other (--cflags: its flags; --program: its IR)", source);
    }
    if (!s && !n)
        s = error_set(e, ERR_INPUT, AT_FILE(b->request->profile->path),
                      "has no C source that can be compiled (--program)");
    return s;
}

enum status map_ir_make(struct map_ir *out, const struct blocks *b, const char *flags, struct error *e)
{
    struct board_overrides levels = BOARD_OVERRIDES_NONE;
    struct board *board = 0;
    struct board_args list = {0};
    *out = (struct map_ir){0};
    ARGS_ADD(&list, "-Xclang", "-disable-llvm-passes", "-g");
    args_add_words(&list, flags);
    levels.levels = "O1";
    enum status s = board_load(&board, "host", e);
    if (!s)
        s = board_override(board, &levels, e);
    if (!s)
        s = temp_directory(&out->folder, "shimgen-map", e);
    if (!s)
        s = compile(out, b, board, &list, e);
    board_args_release(&list);
    board_free(board);
    return s;
}

void map_ir_release(struct map_ir *ir)
{
    if (ir->folder && !remove_tree(ir->folder, 0))
        cleanup_remove(ir->folder);
    for (size_t i = 0; ir->paths && ir->paths[i]; i++)
        free(ir->paths[i]);
    free(ir->paths);
    free(ir->folder);
    *ir = (struct map_ir){0};
}
