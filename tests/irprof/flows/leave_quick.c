/* _exit from inside a loop. */
#include <unistd.h>

static volatile int sink;

__attribute__((noinline)) static void check(int i)
{
    if (i == 77)
        _exit(5);
}

int main(void)
{
    for (int i = 0; i < 1000; i++) {
        sink += i;
        check(i);
        sink ^= i;
    }
    return 0;
}
