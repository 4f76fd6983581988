/*
 * stack_vm - a stack machine with calls, arguments and local variables runs three recursive functions: Fibonacci's
 * numbers, Ackermann's function and Hanoi's tower; operations are reached through a table of functions.
 *
 * The truth: fib(14) = 377, A(2, 9) = 21, and 255 moves for 8 discs.
 *
 * Work: fib(14) takes 1219 calls, A(2, 9) more than 200 and the tower 511; each of these at least 10 instructions of
 * the machine, and each instruction a load of its code, one of the function's address and a call: 1930 * 10 * 3 =
 * 57900.
 */
#include "../sample.h"

#define STACK 1024

struct machine {
    const int32_t *code;
    int32_t pc, sp, fp;
    int32_t running, moves;
    int32_t stack[STACK];
};

typedef void (*operation)(struct machine *);

enum code { PUSH, ARGUMENT, ADD, SUBTRACT, BELOW, JUMP_IF_NOT, JUMP, CALL, RETURN, COUNT_MOVE, HALT, OPERATIONS };

/* A function's arguments lie below the address it returns to; what it leaves stands in their place. */
static const int32_t program[] = {
    /* clang-format off */
    CALL, 0, 0,
    HALT,
    /* 4: fib(n) */
    ARGUMENT, 0,
    PUSH, 2,
    BELOW,
    JUMP_IF_NOT, 15,
    ARGUMENT, 0,
    RETURN, 1,
    /* 15 */
    ARGUMENT, 0,
    PUSH, 1,
    SUBTRACT,
    CALL, 4, 1,
    ARGUMENT, 0,
    PUSH, 2,
    SUBTRACT,
    CALL, 4, 1,
    ADD,
    RETURN, 1,
    /* 34: ackermann(m, n) */
    ARGUMENT, 0,
    JUMP_IF_NOT, 62,
    ARGUMENT, 1,
    JUMP_IF_NOT, 69,
    ARGUMENT, 0,
    PUSH, 1,
    SUBTRACT,
    ARGUMENT, 0,
    ARGUMENT, 1,
    PUSH, 1,
    SUBTRACT,
    CALL, 34, 2,
    CALL, 34, 2,
    RETURN, 2,
    /* 62 */
    ARGUMENT, 1,
    PUSH, 1,
    ADD,
    RETURN, 2,
    /* 69 */
    ARGUMENT, 0,
    PUSH, 1,
    SUBTRACT,
    PUSH, 1,
    CALL, 34, 2,
    RETURN, 2,
    /* 81: hanoi(n) */
    ARGUMENT, 0,
    JUMP_IF_NOT, 105,
    ARGUMENT, 0,
    PUSH, 1,
    SUBTRACT,
    CALL, 81, 1,
    COUNT_MOVE,
    ARGUMENT, 0,
    PUSH, 1,
    SUBTRACT,
    CALL, 81, 1,
    ADD,
    RETURN, 1,
    /* 105 */
    PUSH, 0,
    RETURN, 1,
    /* clang-format on */
};
enum { FIB = 4, ACKERMANN = 34, HANOI = 81 };

static operation operations[OPERATIONS];
static int32_t code[sizeof program / sizeof program[0]];
static struct machine machine;
static int32_t results[3];

static void push(struct machine *m, int32_t value)
{
    m->stack[m->sp++] = value;
}

static int32_t pop(struct machine *m)
{
    return m->stack[--m->sp];
}

static void do_push(struct machine *m)
{
    push(m, m->code[m->pc++]);
}

static void do_argument(struct machine *m)
{
    push(m, m->stack[m->fp + m->code[m->pc++]]);
}

static void do_add(struct machine *m)
{
    int32_t right = pop(m);

    push(m, pop(m) + right);
}

static void do_subtract(struct machine *m)
{
    int32_t right = pop(m);

    push(m, pop(m) - right);
}

static void do_below(struct machine *m)
{
    int32_t right = pop(m);

    push(m, pop(m) < right);
}

static void do_jump_if_not(struct machine *m)
{
    int32_t target = m->code[m->pc++];

    if (pop(m) == 0)
        m->pc = target;
}

static void do_jump(struct machine *m)
{
    m->pc = m->code[m->pc];
}

static void do_call(struct machine *m)
{
    int32_t target = m->code[m->pc], arguments = m->code[m->pc + 1], frame = m->fp;

    m->fp = m->sp - arguments;
    push(m, m->pc + 2);
    push(m, frame);
    m->pc = target;
}

static void do_return(struct machine *m)
{
    int32_t value = pop(m), frame = m->fp, arguments = m->code[m->pc];

    m->sp = frame + arguments + 2;
    m->fp = pop(m);
    m->pc = pop(m);
    m->sp = frame;
    push(m, value);
}

static void do_count_move(struct machine *m)
{
    m->moves++;
}

static void do_halt(struct machine *m)
{
    m->running = 0;
}

static int32_t run(struct machine *m, int32_t function, int32_t first, int32_t second, int32_t arguments)
{
    m->pc = m->sp = m->fp = 0;
    m->running = 1;
    code[1] = function;
    code[2] = arguments;
    push(m, first);
    if (arguments > 1)
        push(m, second);
    while (m->running)
        operations[m->code[m->pc++]](m);
    return m->stack[0];
}

static void work(void)
{
    results[0] = run(&machine, FIB, 14, 0, 1);
    results[1] = run(&machine, ACKERMANN, 2, 9, 2);
    results[2] = run(&machine, HANOI, 8, 0, 1);
}

int main(void)
{
    static const operation all[OPERATIONS] = {do_push, do_argument, do_add,    do_subtract,   do_below, do_jump_if_not,
                                              do_jump, do_call,     do_return, do_count_move, do_halt};

    memcpy(operations, all, sizeof operations);
    memcpy(code, program, sizeof code);
    memset(&machine, 0, sizeof machine);
    machine.code = code;
    SHIM_KEEP(operations);
    SHIM_KEEP(code);
    SHIM_KEEP(&machine);
    shim_region_begin("stack_vm");
    work();
    SHIM_KEEP(results);
    SHIM_KEEP(&machine);
    shim_region_end("stack_vm");
    return sample_verdict_int("fib(14)", results[0], 377) | sample_verdict_int("A(2, 9)", results[1], 21) |
           sample_verdict_int("moves of 8 discs", machine.moves, 255) |
           sample_verdict_int("what the tower leaves", results[2], 0);
}
