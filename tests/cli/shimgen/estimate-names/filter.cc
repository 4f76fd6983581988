namespace plant {
__attribute__((noinline)) int filter(int x)
{
    for (int i = 0; i < 3; i++)
        x = x * 3 + *(volatile int *)&i;
    return x;
}
}
