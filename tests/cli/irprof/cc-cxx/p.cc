#include <cstdio>
static volatile int n;
struct counted {
    ~counted() { n = n + 1; }
};
__attribute__((noinline)) void f(int k)
{
    counted c;
    if (k == 0)
        throw 1;
    f(k - 1);
    n = n + 100;
}
int main()
{
    for (int i = 0; i < 3; i++)
        try {
            f(2);
            n = n + 1000;
        } catch (int) {
            n = n + 10;
        }
    printf("%d\n", n);
}
