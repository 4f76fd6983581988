#include <stdlib.h>
#include <string.h>
int a[1000], scratch[1000], out[100];
long total;
__attribute__((noinline)) void inner(int *s)
{
    for (int i = 0; i < 1000; i++)
        s[i] = a[i] * 2;
}
__attribute__((noinline)) void root(void)
{
    inner(scratch);
    for (int i = 0; i < 100; i++) {
        int t = 0;
        for (int k = 0; k < 10; k++)
            t += scratch[10 * i + k];
        out[i] = t;
    }
}
__attribute__((noinline)) void make(int seed)
{
    for (int i = 0; i < 1000; i++)
        a[i] = i * seed;
}
__attribute__((noinline)) void use(void)
{
    for (int i = 0; i < 50; i++)
        total += out[i];
}
/* a variable of its own, which a callee writes and it reads */
__attribute__((noinline)) void fill(char *to)
{
    memset(to, 1, 100);
}
__attribute__((noinline)) int local(void)
{
    char mine[100];
    fill(mine);
    return mine[3] + mine[7];
}
/* memory that comes, and goes */
__attribute__((noinline)) int heap(int n)
{
    int *p = malloc(n * sizeof *p), sum = 0;
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = 0; i < n; i++)
        sum += p[i];
    free(p);
    return sum;
}
int main(void)
{
    make(1);
    for (int k = 0; k < 3; k++)
        root();
    use();
    make(2);
    root();
    use();
    return (local() + heap(10) + heap(20)) == 0 || total == 7;
}
