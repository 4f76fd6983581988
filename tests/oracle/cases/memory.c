/* Memory: structures by value and by reference, unions, arrays of variable length, atomics, strings, relocations. */
#include <stdatomic.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct large {
    int id;
    double values[9];
    char name[5];
};
struct pair {
    float x, y;
};
struct mixed {
    int64_t n;
    double d;
};
struct node {
    struct node *next;
    const char *text;
    int (*apply)(int);
};

static int twice(int x)
{
    return 2 * x;
}
static int square(int x)
{
    return x * x;
}
static struct node third = {NULL, "third", abs};
static struct node second = {&third, "second" + 1, square};
static struct node first = {&second, "first", twice};
static int *const middle = &((int[]){1, 2, 3, 4, 5})[2];
static _Atomic int counter = 7;
static _Thread_local int mine = 3;

__attribute__((noinline)) static struct large change(struct large l, struct pair p)
{
    l.id += (int)(p.x * p.y);
    for (int i = 0; i < 9; i++)
        l.values[i] = l.values[i] * p.x + p.y;
    l.name[0]++;
    return l;
}
__attribute__((noinline)) static struct pair turn(struct pair p)
{
    return (struct pair){-p.y, p.x};
}
__attribute__((noinline)) static struct mixed mix(struct mixed m, int k)
{
    return (struct mixed){m.n * k, m.d / k};
}

__attribute__((noinline)) static long variable_length(int n)
{
    int a[n];
    long s = 0;
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    for (int i = n; i-- > 0;)
        s = 3 * s + a[i];
    return s;
}

static uint32_t bits_of(float f)
{
    union {
        float f;
        uint32_t u;
        unsigned char b[4];
    } u = {.f = f};
    u.b[1] ^= 0x55;
    return u.u;
}

int main(void)
{
    struct large l = {1, {1, 2, 3, 4, 5, 6, 7, 8, 9}, "abcd"};
    struct pair p = {1.5f, 2};
    struct mixed m = {3, 4};
    char text[64] = "the quick brown fox", *heap;
    int expected = 9;

    for (int i = 0; i < 5; i++) {
        l = change(l, p);
        p = turn(p);
        m = mix(m, i + 1);
    }
    printf("%d %.17g %s %g %g %lld %.17g\n", l.id, l.values[7], l.name, (double)p.x, (double)p.y, (long long)m.n, m.d);
    for (struct node *n = &first; n; n = n->next)
        printf("%s %d ", n->text, n->apply(-6));
    printf("%d %d %ld %08x\n", middle[-1], middle[1], variable_length(20), bits_of(3.25f));
    atomic_fetch_add(&counter, 5);
    atomic_fetch_xor(&counter, 5);
    atomic_compare_exchange_strong(&counter, &expected, 100);
    mine += atomic_load(&counter);
    printf("%d %d %d\n", counter, expected, mine);
    heap = strdup(text);
    memmove(heap + 4, heap, 9);
    memset(text, 'x', 3);
    printf("%s %s %zu %d %s\n", heap, text, strlen(heap), strcmp(heap, text) < 0, strstr(text, "brown"));
    heap = realloc(heap, 1000);
    snprintf(heap, 1000, "%s-%c-%5.2f-%d-%d-%d-%d-%d-%d-%s", text, 'c', 2.5, 1, 2, 3, 4, 5, 6, "end");
    puts(heap);
    free(heap);
    return 0;
}
