/* A coroutine begins in one thread and goes on in others that were never in this module before. */
#include <ucontext.h>

#include "hop.h"

static ucontext_t inside;
static char stack[65536];

__attribute__((noinline)) static void step(volatile int *at)
{
    ++*at;
}
static void body(void)
{
    volatile int at = 0;
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 100; i++)
            step(&at);
        hop_out(&inside);
    }
}
void body_make(void)
{
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = sizeof stack;
    inside.uc_link = 0;
    makecontext(&inside, body, 0);
}
ucontext_t *body_context = &inside;
