/* What runs before the module's constructor: the helper of an ifunc's resolver; and the program's own malloc, which
 * the C library calls from inside the runtime. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char memory[1 << 20];
static size_t used;

__attribute__((noinline)) void *take(size_t n)
{
    void *p = memory + used;
    used += (n + 15) / 16 * 16;
    return p;
}
#ifdef OWN_MALLOC
static int allocations;
void *malloc(size_t n)
{
    allocations++;
    return take(n);
}
void *calloc(size_t n, size_t size)
{
    allocations++;
    return take(n * size);
}
void *realloc(void *old, size_t n)
{
    allocations++;
    void *p = take(n);
    return old ? memcpy(p, old, n) : p;
}
void free(void *p)
{
    (void)p;
}
#endif
__attribute__((noinline)) static int better(void)
{
    return __builtin_cpu_supports("sse2");
}
static int one(void)
{
    return 1;
}
static int two(void)
{
    return 2;
}
static int (*choose(void))(void)
{
    __builtin_cpu_init();
    return better() ? one : two;
}
int number(void) __attribute__((ifunc("choose")));

#ifdef OWN_MALLOC
__attribute__((destructor)) static void end(void)
{
    char line[32];
    (void)!write(1, line, (size_t)snprintf(line, sizeof line, "take,%d\n", allocations));
}
#endif
int main(void)
{
    free(malloc(1));
    return number() + number() == 2 ? 0 : 1;
}
