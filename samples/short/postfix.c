/*
 * postfix - an expression in postfix notation calculated on a stack: numbers, + - * and a duplication.
 *
 * Truth: 3 4 + dup * 5 - 2 * 7 + dup + 9 -: (3 + 4)^2 = 49, 44, 88, 95, 190, 181.
 * Work: 16 codes are loaded and selected by: 32.
 */
#include "../sample.h"

enum { ADD = -1, SUBTRACT = -2, MULTIPLY = -3, TWICE = -4, END = -5, LENGTH = 17 };
static int8_t program[LENGTH];
static int result;

static int run(const int8_t *code)
{
    int stack[8], depth = 0;

    for (;; code++) {
        switch (*code) {
        case END:
            return stack[0];
        case ADD:
            depth--;
            stack[depth - 1] += stack[depth];
            break;
        case SUBTRACT:
            depth--;
            stack[depth - 1] -= stack[depth];
            break;
        case MULTIPLY:
            depth--;
            stack[depth - 1] *= stack[depth];
            break;
        case TWICE:
            stack[depth] = stack[depth - 1];
            depth++;
            break;
        default:
            stack[depth++] = (int)*code;
        }
    }
}

int main(void)
{
    static const int8_t given[LENGTH] = {3, 4,   ADD,   TWICE, MULTIPLY, 5,        SUBTRACT, 2,  MULTIPLY,
                                         7, ADD, TWICE, ADD,   9,        SUBTRACT, END,      END};

    memcpy(program, given, sizeof program);
    SHIM_KEEP(program);
    shim_region_begin("postfix");
    result = run(program);
    SHIM_KEEP(&result);
    shim_region_end("postfix");
    return sample_verdict_int("result", result, 181);
}
