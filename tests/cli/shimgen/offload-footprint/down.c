char text[10];
__attribute__((noinline)) int down(int n)
{
    text[n] = (char)n;
    int below = n ? down(n - 1) : 0;
    return below + text[n];
}
int main(void)
{
    return down(9) - 45;
}
