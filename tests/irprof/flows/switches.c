/* Switches: cases that share a target, that fall through, that stand in loops, with and without a default. */
#include <stdio.h>

__attribute__((noinline)) static int kind(int c)
{
    switch (c) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
        return 1;
    case ' ':
    case '\n':
        return 2;
    case '0' ... '9':
        return 3;
    case 1000000:
        return 4;
    default:
        return 0;
    }
}

__attribute__((noinline)) static unsigned fall(unsigned n)
{
    unsigned r = 0;
    switch (n) {
    case 5:
        r += 5;
        __attribute__((fallthrough));
    case 4:
        r *= 3;
        __attribute__((fallthrough));
    case 3:
        r += 1;
        break;
    case 2:
        return r - 1;
    }
    return r;
}

/* Both ways of a branch, and several of a switch, lead to one block. */
__attribute__((noinline)) static unsigned same_target(unsigned n, const unsigned *a)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        switch (a[i & 7]) {
        case 0:
            break;
        case 1:
        case 2:
            goto next;
        case 3:
            if (i & 16)
                goto next;
            goto next;
        default:
            sum += i;
        }
        sum++;
    next:
        sum ^= i;
    }
    return sum;
}

__attribute__((noinline)) static int no_default(unsigned n)
{
    switch (n & 3) {
    case 0:
        return 10;
    case 1:
        return 11;
    case 2:
        return 12;
    case 3:
        return 13;
    }
    __builtin_unreachable();
}

int main(void)
{
    static const char text[] = "it was 1 of 23 rainy evenings in the year 1999\n";
    static unsigned a[] = {0, 1, 2, 3, 4, 3, 9, 0};
    int n[5] = {0};
    unsigned sum = 0;
    for (const char *s = text; *s; s++)
        n[kind(*s)]++;
    for (unsigned i = 0; i < 300; i++)
        sum += fall(i % 9) + (unsigned)no_default(i * 7);
    printf("%d %d %d %d %u %u %d\n", n[0], n[1], n[2], n[3], sum, same_target(100, a), kind(1000000));
    return 0;
}
