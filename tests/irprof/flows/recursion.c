/* Recursion from within loops: what a loop keeps in a register, the callee counts too. */
#include <stdio.h>

static volatile int sink;

__attribute__((noinline)) static int permute(int *a, int n)
{
    int count = n == 1;
    for (int i = 0; n > 1 && i < n; i++) {
        count += permute(a, n - 1);
        int k = n % 2 ? 0 : i, t = a[k];
        a[k] = a[n - 1];
        a[n - 1] = t;
    }
    return count;
}

__attribute__((noinline)) static int odd(int n);
__attribute__((noinline)) static int even(int n)
{
    for (int i = 0; i < n % 3; i++)
        sink += i;
    return n == 0 ? 1 : odd(n - 1);
}
__attribute__((noinline)) static int odd(int n)
{
    int i = n % 5;
    while (i-- > 0)
        sink ^= i;
    return n == 0 ? 0 : even(n - 1);
}

static int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int pong(int n, int sum);
static int ping(int n, int sum)
{
    if (n == 0)
        return sum;
    __attribute__((musttail)) return pong(n - 1, sum + n);
}
static int pong(int n, int sum)
{
    if (n % 7 == 0)
        __attribute__((musttail)) return ping(n / 7, sum);
    __attribute__((musttail)) return ping(n, sum ^ 1);
}

int main(void)
{
    int a[] = {1, 2, 3, 4, 5, 6};
    printf("%d %d %d %d %d\n", permute(a, 6), even(100), odd(77), ackermann(2, 4), ping(10000, 0));
    return 0;
}
