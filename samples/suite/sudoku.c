/*
 * sudoku - a puzzle of 9 by 9 with 30 numbers given, solved by trying the cell with the fewest candidates, in masks of
 * 16 bits.
 *
 * The truth: the solution keeps what was given and has each number once in each row, column and box; and a second
 * search finds no other.
 *
 * Work: 51 empty cells are filled at least once, and before each the candidates of all still empty ones are looked at:
 * 1326 times three loads at computed places and two joins, at most 8 at once: 828. Filling a cell changes three masks,
 * a load, a combination and a store each, and so does emptying it: 51 * 18 = 918. Together 1746.
 */
#include "../sample.h"

#define CELLS 81
#define ALL   0x1ffU

static const char *const puzzle = "530070000"
                                  "600195000"
                                  "098000060"
                                  "800060003"
                                  "400803001"
                                  "700020006"
                                  "060000280"
                                  "000419005"
                                  "000080079";

struct board {
    uint16_t rows[9], columns[9], boxes[9]; /* numbers already there */
    uint8_t cells[CELLS];
};

static struct board board, solution;
static int solutions, tries;

static int box_of(int cell)
{
    return cell / 27 * 3 + cell % 9 / 3;
}

static uint16_t candidates(const struct board *b, int cell)
{
    return (uint16_t)(ALL & ~(unsigned)(b->rows[cell / 9] | b->columns[cell % 9] | b->boxes[box_of(cell)]));
}

static int count_of(unsigned bits)
{
    int count = 0;

    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

static void flip(struct board *b, int cell, unsigned bit)
{
    b->rows[cell / 9] ^= (uint16_t)bit;
    b->columns[cell % 9] ^= (uint16_t)bit;
    b->boxes[box_of(cell)] ^= (uint16_t)bit;
}

static void solve(struct board *b)
{
    int best = -1, fewest = 10;
    uint16_t open;

    for (int cell = 0; cell < CELLS; cell++)
        if (b->cells[cell] == 0) {
            int count = count_of(candidates(b, cell));

            if (count < fewest) {
                fewest = count;
                best = cell;
            }
        }
    if (best < 0) {
        solutions++;
        solution = *b;
        return;
    }
    open = candidates(b, best);
    for (unsigned number = 1; number <= 9; number++) {
        unsigned bit = 1U << (number - 1);

        if (!(open & bit))
            continue;
        tries++;
        b->cells[best] = (uint8_t)number;
        flip(b, best, bit);
        solve(b);
        flip(b, best, bit);
        b->cells[best] = 0;
    }
}

static int check(void)
{
    uint16_t seen[3][9] = {{0}};

    for (int cell = 0; cell < CELLS; cell++) {
        int number = solution.cells[cell];
        unsigned bit = 1U << (number - 1);

        if (sample_verdict_int("whether a number is one", number >= 1 && number <= 9, 1) ||
            (puzzle[cell] != '0' && sample_verdict_int("number given", number, puzzle[cell] - '0')))
            return 1;
        seen[0][cell / 9] |= (uint16_t)bit;
        seen[1][cell % 9] |= (uint16_t)bit;
        seen[2][box_of(cell)] |= (uint16_t)bit;
    }
    for (int i = 0; i < 27; i++)
        if (sample_verdict_int("numbers in a row, column or box", seen[i / 9][i % 9], ALL))
            return 1;
    return 0;
}

int main(void)
{
    memset(&board, 0, sizeof board);
    memset(&solution, 0, sizeof solution);
    solutions = tries = 0;
    for (int cell = 0; cell < CELLS; cell++)
        if (puzzle[cell] != '0') {
            board.cells[cell] = (uint8_t)(puzzle[cell] - '0');
            flip(&board, cell, 1U << (puzzle[cell] - '1'));
        }
    SHIM_KEEP(&board);
    SHIM_KEEP(&solutions);
    SHIM_KEEP(&tries);
    shim_region_begin("sudoku");
    solve(&board);
    SHIM_KEEP(&board);
    SHIM_KEEP(&solution);
    SHIM_KEEP(&solutions);
    shim_region_end("sudoku");
    return sample_verdict_int("solutions", solutions, 1) | check();
}
