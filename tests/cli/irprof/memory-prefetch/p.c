static char a[1 << 18] __attribute__((aligned(4096)));
static char three[3][1 << 16] __attribute__((aligned(4096)));
static volatile int sink;

#define READ(p) (*(volatile char *)&(p))
__attribute__((noinline)) static void up(void)
{
    for (int i = 0; i < 1 << 18; i += 8)
        READ(a[i]);
}
__attribute__((noinline)) static void down(void)
{
    for (int i = (1 << 18) - 8; i >= 0; i -= 8)
        READ(a[i]);
}
__attribute__((noinline)) static void third_lines(void)
{
    for (int i = 0; i < 1 << 18; i += 192)
        READ(a[i]);
}
__attribute__((noinline)) static void eighth_lines(void)
{
    for (int i = 0; i < 1 << 18; i += 512)
        READ(a[i]);
}
__attribute__((noinline)) static void side_by_side(int n)
{
    for (int i = 0; i < 1 << 16; i += 64)
        for (int k = 0; k < n; k++)
            READ(three[k][i]);
}
int main(void)
{
    up();
    down();
    third_lines();
    eighth_lines();
    side_by_side(3);
    sink = 1;
    return 0;
}
