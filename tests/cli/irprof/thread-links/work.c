__attribute__((noinline)) static void step(volatile int *at)
{
    ++*at;
}

void *work(void *x)
{
    volatile int at = 0;
    for (int i = 0; i < 50000; i++)
        step(&at);
    return x;
}
