/*
 * stack_at.c - linked with -Wl,--wrap=main: the program's main, with the stack at STACK_AT bytes (of the environment)
 * above a multiple of 64 KiB. What meets the stack in a set of the caches then depends neither on the size of the
 * environment nor on chance.
 */
#include <alloca.h>
#include <stdint.h>
#include <stdlib.h>

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

enum { PERIOD = 65536 }; /* more than a way of the caches */

int __wrap_main(int argc, char **argv)
{
    const char *at = getenv("STACK_AT");
    uintptr_t here = (uintptr_t)alloca(16), wanted = at ? strtoul(at, 0, 10) : 0;
    volatile char *gap = alloca((here - wanted) % PERIOD + 16);
    gap[0] = 0;
    return __real_main(argc, argv);
}
