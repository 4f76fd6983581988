/* Control flow: recursion, pointers to functions, dense and sparse switches, computed goto, setjmp, exit handlers. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf out;
static volatile int depth_reached;

static int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static void deep(int n)
{
    depth_reached = n;
    if (n == 7)
        longjmp(out, 42);
    deep(n + 1);
}

__attribute__((noinline)) static int dense(int x)
{
    switch (x) {
    case 0:
        return 3;
    case 1:
        return 14;
    case 2:
        return depth_reached;
    case 3:
        return 92;
    case 4:
        return -x;
    case 5:
        return x * x;
    default:
        return -1;
    }
}

__attribute__((noinline)) static int sparse(long x)
{
    switch (x) {
    case -1000000:
        return 1;
    case 7:
        return dense(2);
    case 123456789012:
        return 3;
    default:
        return 0;
    }
}

__attribute__((noinline)) static const char *word(int x)
{
    switch (x) { /* becomes a table of strings */
    case 0:
        return "zero";
    case 1:
        return "one";
    case 2:
        return "two";
    case 3:
        return "three";
    default:
        return "many";
    }
}

static int threaded(const unsigned char *code)
{
    static void *const labels[] = {&&add, &&multiply, &&negate, &&stop};
    int a = 1;
    goto *labels[*code++];
add:
    a += 5;
    goto *labels[*code++];
multiply:
    a *= 3;
    goto *labels[*code++];
negate:
    a = -a;
    goto *labels[*code++];
stop:
    return a;
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int descending(const void *a, const void *b)
{
    return ascending(b, a);
}

static void goodbye(void)
{
    printf("goodbye %d\n", dense(1));
}

int main(int argc, char **argv)
{
    int values[] = {31, 41, 59, 26, 53, 58, 97, 93, 23, 84};
    int (*orders[])(const void *, const void *) = {ascending, descending};
    const unsigned char code[] = {0, 1, 1, 2, 0, 3};
    int r;

    atexit(goodbye);
    printf("%d %d\n", argc, argv[argc] == NULL);
    printf("ackermann %d\n", ackermann(2, 3));
    r = setjmp(out);
    if (r == 0)
        deep(0);
    printf("jumped with %d from %d\n", r, depth_reached);
    for (int i = -1; i < 7; i++)
        printf("%d %s,", dense(i), word(i));
    printf("\n%d %d %d %d\n", sparse(-1000000), sparse(7), sparse(123456789012), sparse(8));
    printf("threaded %d\n", threaded(code));
    for (int k = 0; k < 2; k++) {
        qsort(values, sizeof values / sizeof *values, sizeof *values, orders[k]);
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            printf("%d ", values[i]);
        printf("\n");
    }
    exit(values[0] == 97 ? 5 : 6);
}
