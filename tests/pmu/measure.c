/* measure.c - measure BOARD.INI TABLE CONDITIONS NAME PROGRAM: board_measure as shimgen calls it, for tests in which
 * the program that is launched is a go-between. */
#include <stdio.h>

#include "base/file.h"
#include "boards/boards.h"

int main(int argc, char **argv)
{
    struct error e = ERROR_INIT;
    struct board *b = NULL;
    if (argc != 6) {
        fputs("usage: measure BOARD.INI TABLE CONDITIONS NAME PROGRAM\n", stderr);
        return 2;
    }
    cleanup_install();
    struct measurements *m = measurements_new();
    enum status s = board_load(&b, argv[1], &e);
    if (!s)
        s = board_measure(b, argv[5], argv[4], NULL, m, &e);
    if (!s)
        s = measurements_write(m, argv[2], argv[3], &e);
    if (s)
        error_print(&e, "measure");
    error_release(&e);
    measurements_free(m);
    board_free(b);
    return s != OK;
}
