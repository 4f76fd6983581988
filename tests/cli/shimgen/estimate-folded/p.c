static volatile int n = 4;

__attribute__((noinline)) static int leaf(int x)
{
    return x * n + 1;
}
__attribute__((noinline)) static int once(int x)
{
    return leaf(x);
}
__attribute__((noinline)) static int thrice(int x)
{
    return leaf(x) + leaf(x + 1) + leaf(x + 2);
}
static int odd(unsigned k);
__attribute__((noinline)) static int even(unsigned k)
{
    return k == 0 ? leaf(0) : odd(k - 1);
}
__attribute__((noinline)) static int odd(unsigned k)
{
    return k == 0 ? 0 : even(k - 1);
}

int main(void)
{
    return once(1) + thrice(2) + even(8) == 5 + 9 + 13 + 17 + 1 ? 0 : 1;
}
