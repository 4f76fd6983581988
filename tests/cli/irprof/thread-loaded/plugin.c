__attribute__((noinline)) static void step(volatile int *at)
{
    ++*at;
}
void work(int n)
{
    volatile int at = 0;
    for (int i = 0; i < n; i++)
        step(&at);
}
