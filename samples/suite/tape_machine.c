/*
 * tape_machine - a machine of eight commands on a tape of bytes (in the manner of Boehm's P'' of 1964) runs a program
 * that prints the squares up to 144, with loops' ends found beforehand and repeated commands joined.
 *
 * The truth: the squares. The program builds each from the one before by adding odd numbers, in decimal digits.
 *
 * Work: 13 squares take at least 100 commands for each of their 32 digits, each a load, a dispatch and a load and store
 * on the tape: 32 * 100 * 4 = 12800.
 */
#include "../sample.h"

#define TAPE 64
#define CODE 1024
#define ROOM 128

struct command {
    char what;
    int32_t count; /* how often; of a bracket: the other one's place */
};

/* Cell 0: rounds left; 1: the odd number to add; 2: what is left of it; 3, 4, 5: ones, tens, hundreds; 6 and up: work.
 * The parts are joined by main. */
static const char *const parts[] = {
    "+++++++++++++", /* 13 rounds */
    ">+<",           /* the first odd number is 1 */
    "[",             /* each round: print three digits and a comma */
    ">>>>>++++++++++++++++++++++++++++++++++++++++++++++++.------------------------------------------------",
    "<++++++++++++++++++++++++++++++++++++++++++++++++.------------------------------------------------",
    "<++++++++++++++++++++++++++++++++++++++++++++++++.------------------------------------------------",
    ">>>++++++++++++++++++++++++++++++++++++++++++++.[-]", /* a comma from cell 6 */
    "<<<<<",                                               /* to cell 1 */
    "[->+>>>>>+<<<<<<]",                                   /* cell 1 to 2 and 7 */
    ">>>>>>[-<<<<<<+>>>>>>]<<<<<",                         /* 7 back to 1; at cell 2 */
    "[->+",                                                /* cell 2 times: add one to the ones */
    "[->>>+>+<<<<]>>>>[-<<<<+>>>>]<----------",            /* 6: ones - 10, by a copy through 7 */
    ">+<[[-]>-<]>[-<<<<[-]>+",                             /* 7: whether that is zero; then ones = 0, a ten more */
    "[->>+>>+<<<<]>>>>[-<<<<+>>>>]<<----------",           /* the same for the tens: 6 with a copy through 8 */
    ">>+<<[[-]>>-<<]>>[-<<<<[-]>+>>>]<",                   /* 8: then tens = 0, a hundred more; at cell 7 */
    "]<[-]<<<<",                                           /* clean; back to cell 2 */
    "]<++<-]",                                             /* the next odd number; a round less */
};

static struct command code[CODE];
static char source[CODE];
static uint8_t tape[TAPE];
static char printed[ROOM];
static int n_printed;

static int compile(const char *at, struct command *to)
{
    int open[16], depth = 0, n = 0;

    for (; *at; at++) {
        if (*at == '[') {
            open[depth++] = n;
        } else if (*at == ']') {
            depth--;
            to[n].count = open[depth];
            to[open[depth]].count = n;
            to[n++].what = ']';
            continue;
        } else if (n > 0 && to[n - 1].what == *at && *at != '.') {
            to[n - 1].count++;
            continue;
        }
        to[n].what = *at;
        to[n++].count = 1;
    }
    to[n].what = 0;
    return n;
}

static void run(const struct command *at, uint8_t *cell)
{
    const struct command *start = at;

    for (;; at++) {
        switch (at->what) {
        case '+':
            *cell += (uint8_t)at->count;
            break;
        case '-':
            *cell -= (uint8_t)at->count;
            break;
        case '>':
            cell += at->count;
            break;
        case '<':
            cell -= at->count;
            break;
        case '.':
            if (n_printed < ROOM - 1)
                printed[n_printed++] = (char)*cell;
            break;
        case '[':
            if (*cell == 0)
                at = start + at->count;
            break;
        case ']':
            if (*cell != 0)
                at = start + at->count;
            break;
        default:
            return;
        }
    }
}

int main(void)
{
    char expected[ROOM];
    int n = 0;

    memset(source, 0, sizeof source);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        strcat(source, parts[i]);
    memset(code, 0, sizeof code);
    memset(tape, 0, sizeof tape);
    memset(printed, 0, sizeof printed);
    n_printed = 0;
    SHIM_KEEP(source);
    SHIM_KEEP(code);
    SHIM_KEEP(tape);
    SHIM_KEEP(&n_printed);
    shim_region_begin("tape_machine");
    compile(source, code);
    SHIM_KEEP(code);
    run(code, tape);
    SHIM_KEEP(printed);
    SHIM_KEEP(&n_printed);
    shim_region_end("tape_machine");
    for (int i = 0; i < 13; i++)
        n += snprintf(expected + n, (size_t)(ROOM - n), "%03d,", i * i);
    return sample_verdict_int("characters printed", n_printed, n) |
           sample_verdict_int(printed, strcmp(printed, expected), 0);
}
