/*
 * NumberPlace - count all solutions of a 9 x 9 sudoku with 23 givens by recursive backtracking over all 81 cells.
 *
 * Which sudoku the paper's program solves is unknown; docs/method/paper-samples.md says how this one was chosen.
 *
 * Work: because all solutions are counted, each of the 58 empty cells on the way to the one solution tries all 9
 * digits, and each try is at least one comparison and one branch: 58 * 9 * 2 = 1044. (In truth some 40 thousand tries;
 * how many follows from the givens in no simple way.)
 */
#include "../sample.h"

#define CELLS 81

static const char givens[CELLS + 1] =
    "720003045030002000090600003008090600000000000000870100000000070007040010601000400";

static int board[CELLS];
static int solutions;

static int can_place(int cell, int digit)
{
    int row = cell / 9, column = cell % 9;
    int top = row / 3 * 3, left = column / 3 * 3;
    int i;

    for (i = 0; i < 9; i++)
        if (board[row * 9 + i] == digit)
            return 0;
    for (i = 0; i < 9; i++)
        if (board[i * 9 + column] == digit)
            return 0;
    for (i = 0; i < 9; i++)
        if (board[(top + i / 3) * 9 + left + i % 3] == digit)
            return 0;
    return 1;
}

static void solve(int cell)
{
    int digit;

    if (cell == CELLS) {
        solutions++;
        return;
    }
    if (board[cell] != 0) {
        solve(cell + 1);
        return;
    }
    for (digit = 1; digit <= 9; digit++) {
        if (can_place(cell, digit)) {
            board[cell] = digit;
            solve(cell + 1);
            board[cell] = 0;
        }
    }
}

/* The digits that the rows, columns and blocks of a half-filled board hold, one bit each: the check's own solver. */
struct used {
    unsigned row[9], column[9], block[9];
};

static void flip(struct used *u, int cell, unsigned bit)
{
    u->row[cell / 9] ^= bit;
    u->column[cell % 9] ^= bit;
    u->block[cell / 27 * 3 + cell % 9 / 3] ^= bit;
}

/* The number of solutions, always going on at the empty cell with the fewest candidates. */
static int count_solutions(char *cells, struct used *u)
{
    unsigned free, fewest = 0, rest, bit;
    int cell, best = -1, candidates, least = 10, count = 0;

    for (cell = 0; cell < CELLS; cell++) {
        if (cells[cell] != '0')
            continue;
        free = 0x1FF & ~(u->row[cell / 9] | u->column[cell % 9] | u->block[cell / 27 * 3 + cell % 9 / 3]);
        for (candidates = 0, rest = free; rest; rest &= rest - 1)
            candidates++;
        if (candidates < least) {
            least = candidates;
            fewest = free;
            best = cell;
        }
    }
    if (best < 0)
        return 1;
    cells[best] = 'x';
    for (rest = fewest; rest; rest &= rest - 1) {
        bit = rest & -rest;
        flip(u, best, bit);
        count += count_solutions(cells, u);
        flip(u, best, bit);
    }
    cells[best] = '0';
    return count;
}

static int expected_solutions(void)
{
    struct used u = {{0}, {0}, {0}};
    char cells[CELLS];
    int cell;

    memcpy(cells, givens, CELLS);
    for (cell = 0; cell < CELLS; cell++)
        if (cells[cell] != '0')
            flip(&u, cell, 1U << (cells[cell] - '1'));
    return count_solutions(cells, &u);
}

int main(void)
{
    int cell;

    for (cell = 0; cell < CELLS; cell++)
        board[cell] = givens[cell] - '0';
    solutions = 0;
    SHIM_KEEP(board);
    SHIM_KEEP(&solutions);
    shim_region_begin("NumberPlace");
    solve(0);
    shim_region_end("NumberPlace");
    SHIM_KEEP(&solutions);
    return sample_verdict_int("number of solutions", solutions, expected_solutions());
}
