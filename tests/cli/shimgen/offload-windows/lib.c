static volatile int x[10];
int f(void)
{
    for (int i = 0; i < 1000; i++)
        x[i % 10]++;
    return 0;
}
