#define N 65536
static int a[N] __attribute__((aligned(64)));
static int m[64][1024] __attribute__((aligned(4096))), padded[64][1040] __attribute__((aligned(4096)));
static int u[16384] __attribute__((aligned(64))), v[16384] __attribute__((aligned(64))),
    w[2048] __attribute__((aligned(64)));
static volatile int sink;

__attribute__((noinline)) static void fill(int v)
{
    for (int i = 0; i < N; i++)
        ((volatile int *)a)[i] = v;
}
__attribute__((noinline)) static int stream(void)
{
    int s = 0;
    for (int i = 0; i < N; i++)
        s += ((volatile int *)a)[i];
    return s;
}
__attribute__((noinline)) static int small(void)
{
    int s = 0;
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < 4096; i++)
            s += ((volatile int *)a)[i];
    return s;
}
__attribute__((noinline)) static int columns(void)
{
    int s = 0;
    for (int c = 0; c < 16; c++)
        for (int r = 0; r < 64; r++)
            s += ((volatile int *)m[r])[c];
    return s;
}
__attribute__((noinline)) static int padded_columns(void)
{
    int s = 0;
    for (int c = 0; c < 16; c++)
        for (int r = 0; r < 64; r++)
            s += ((volatile int *)padded[r])[c];
    return s;
}
__attribute__((noinline)) static void update(void)
{
    for (int i = 0; i < 16384; i++)
        ((volatile int *)u)[i]++;
}
__attribute__((noinline)) static int read_then_write(void)
{
    int s = 0;
    for (int i = 0; i < 2048; i++)
        s += ((volatile int *)w)[i];
    for (int i = 0; i < 2048; i++)
        ((volatile int *)w)[i] = i;
    return s;
}
__attribute__((noinline)) static int push_out(void)
{
    int s = 0;
    for (int i = 0; i < 16384; i++)
        s += ((volatile int *)v)[i];
    return s;
}
int main(void)
{
    fill(1);
    int sum = stream() + small() + columns() + padded_columns();
    update();
    sum += read_then_write();
    sum += push_out();
    sink = sum;
    return sink != 65536 + 40960;
}
