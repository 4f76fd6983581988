extern int a[4096];
int again(void)
{
    int s = 0;
    for (int i = 0; i < 4096; i++)
        s += ((volatile int *)a)[i];
    return s;
}
