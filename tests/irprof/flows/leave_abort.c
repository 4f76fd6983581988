/* abort, called where nobody can know: the loops around it never end. */
#include <stdlib.h>

static volatile int sink;

__attribute__((noinline)) static int step(int i, int k)
{
    if (i == 31 && k == 3)
        abort();
    return i ^ k;
}

int main(void)
{
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < 5; k++)
            sink += step(i, k);
    return 0;
}
