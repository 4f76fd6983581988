/* board.c - the fuzz target of board.ini: refused with a reason, or a board whose options can be asked for. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "boards/boards.h"
#include "tests/fuzz/target.h"

static void use(const struct board *b)
{
    struct board_settings settings = {0};
    if (!b->n_levels || !b->name || !b->compiler)
        BUG("a board that is not whole");
    for (size_t i = 0; i < b->n_levels; i++) {
        struct board_args args = {0};
        if (board_find_level(b, b->levels[i].name) != &b->levels[i])
            BUG("the level '%s' is there twice", b->levels[i].name);
        board_compile_flags(b, b->levels[i].name, &args);
        board_args_release(&args);
    }
    board_settings(b, &settings);
    board_settings_release(&settings);
    free(board_measurements_path(b));
    (void)board_is_foreign(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct board *b = 0;
    char *path = target_file("board.ini", data, size);
    if (target_passed(board_load(&b, path, &e), &e)) {
        use(b);
        board_free(b);
    }
    free(path);
    return 0;
}
