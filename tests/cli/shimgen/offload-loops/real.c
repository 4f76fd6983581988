volatile double a[64];
__attribute__((noinline)) void f(int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 7; k++)
            a[k] += 1.0;
}
int main(void)
{
    for (int j = 0; j < 3; j++)
        f(5);
    return 0;
}
