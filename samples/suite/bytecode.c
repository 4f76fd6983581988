/*
 * bytecode - a stack machine interprets a program that counts the Collatz steps of 1 to 120.
 *
 * Work: the 4073 steps each take at least 15 instructions of the machine, each with the load of its code and a switch:
 * 4073 * 15 * 2 = 122190.
 */
#include "../sample.h"

#define HIGHEST 120

enum code { PUSH, LOAD, STORE, ADD, MULTIPLY, HALVE, IS_ODD, EQUAL, BELOW, JUMP, JUMP_IF, STOP };
enum variable { N, X, STEPS, VARIABLES };

/* for (n = 1; n < limit; n++) for (x = n; x != 1; steps++) x = odd(x) ? 3 * x + 1 : x / 2; */
static const int program[] = {
    /* 0 */ PUSH,
    1,
    STORE,
    N,
    /* 4: the next number */ LOAD,
    N,
    STORE,
    X,
    /* 8: the next step */ LOAD,
    X,
    PUSH,
    1,
    EQUAL,
    JUMP_IF,
    37,
    /* 15 */ LOAD,
    STEPS,
    PUSH,
    1,
    ADD,
    STORE,
    STEPS,
    /* 22 */ LOAD,
    X,
    IS_ODD,
    JUMP_IF,
    48,
    /* 27 */ LOAD,
    X,
    HALVE,
    STORE,
    X,
    JUMP,
    8,
    STOP,
    STOP,
    STOP,
    /* 37: done with this number */ LOAD,
    N,
    PUSH,
    1,
    ADD,
    STORE,
    N,
    JUMP,
    60,
    STOP,
    STOP,
    /* 48: odd */ LOAD,
    X,
    PUSH,
    3,
    MULTIPLY,
    PUSH,
    1,
    ADD,
    STORE,
    X,
    JUMP,
    8,
    /* 60 */ LOAD,
    N,
    PUSH,
    HIGHEST + 1,
    BELOW,
    JUMP_IF,
    4,
    STOP,
};

static int code[sizeof program / sizeof program[0]];
static int variables[VARIABLES];

static void interpret(const int *text)
{
    int stack[16];
    int *top = stack;
    const int *at = text;

    for (;;) {
        switch (*at++) {
        case PUSH:
            *top++ = *at++;
            break;
        case LOAD:
            *top++ = variables[*at++];
            break;
        case STORE:
            variables[*at++] = *--top;
            break;
        case ADD:
            top--;
            top[-1] += top[0];
            break;
        case MULTIPLY:
            top--;
            top[-1] *= top[0];
            break;
        case HALVE:
            top[-1] /= 2;
            break;
        case IS_ODD:
            top[-1] &= 1;
            break;
        case EQUAL:
            top--;
            top[-1] = top[-1] == top[0];
            break;
        case BELOW:
            top--;
            top[-1] = top[-1] < top[0];
            break;
        case JUMP:
            at = text + *at;
            break;
        case JUMP_IF:
            at = *--top ? text + *at : at + 1;
            break;
        default:
            return;
        }
    }
}

static int collatz_steps(int highest)
{
    int n, x, steps = 0;

    for (n = 1; n <= highest; n++)
        for (x = n; x != 1; steps++)
            x = x % 2 ? 3 * x + 1 : x / 2;
    return steps;
}

int main(void)
{
    memcpy(code, program, sizeof code);
    memset(variables, 0, sizeof variables);
    SHIM_KEEP(code);
    SHIM_KEEP(variables);
    shim_region_begin("bytecode");
    interpret(code);
    shim_region_end("bytecode");
    SHIM_KEEP(variables);
    return sample_verdict_int("Collatz steps", variables[STEPS], collatz_steps(HIGHEST));
}
