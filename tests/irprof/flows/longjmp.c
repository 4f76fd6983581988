/* setjmp returns twice; longjmp leaves loops, several functions at once, and loops whose counters may be in registers.
 */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer, inner;
static volatile int depth;

__attribute__((noinline)) static void dig(int n)
{
    for (int i = 0; i < 3; i++) {
        depth++;
        if (n == 0 && i == 1)
            longjmp(inner, 1 + depth % 5);
        if (depth > 200)
            longjmp(outer, 1);
        if (n > 0)
            dig(n - 1);
    }
}

__attribute__((noinline)) static int search(const int *a, int n, int wanted)
{
    volatile int found = -1;
    if (setjmp(inner) == 0) {
        for (int i = 0; i < n; i++) {
            if (a[i] == wanted) {
                found = i;
                longjmp(inner, 1);
            }
        }
    }
    return found;
}

/* The loop goes round by longjmp alone. */
__attribute__((noinline)) static int count_to(int n)
{
    jmp_buf again;
    volatile int i = 0;
    (void)setjmp(again);
    if (++i < n)
        longjmp(again, i);
    return i;
}

int main(void)
{
    static const int a[] = {3, 1, 4, 1, 5, 9, 2, 6};
    volatile int rounds = 0;
    if (setjmp(outer) == 0) {
        for (;;) {
            int back = setjmp(inner);
            rounds++;
            if (back == 4)
                dig(5);
            dig(back + 1);
        }
    }
    printf("%d %d %d %d %d\n", rounds, depth, search(a, 8, 9), search(a, 8, 7), count_to(50));
    return 0;
}
