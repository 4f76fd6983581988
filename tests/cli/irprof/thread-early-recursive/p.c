/* The resolver of an ifunc calls functions that call themselves and each other. */
static int odd(int n);
static int even(int n)
{
    return n ? odd(n - 1) : 1;
}
static int odd(int n)
{
    return n ? even(n - 1) : 0;
}
static int depth(int n)
{
    return n ? 1 + depth(n - 1) : 0;
}
static int one(void)
{
    return 1;
}
static int two(void)
{
    return 2;
}
static int (*choose(void))(void)
{
    return even(4) && depth(3) == 3 ? one : two;
}
int number(void) __attribute__((ifunc("choose")));

int main(void)
{
    return number() == 1 ? 0 : 1;
}
