/* Functions with variable arguments: more than go in registers, of all kinds, handed on, two lists at once. */
#include <stdarg.h>
#include <stdio.h>

static double sum(const char *kinds, ...)
{
    va_list list;
    double total = 0;

    va_start(list, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i':
            total += va_arg(list, int);
            break;
        case 'l':
            total += (double)va_arg(list, long long);
            break;
        case 'd':
            total += va_arg(list, double);
            break;
        default:
            total += *va_arg(list, int *);
        }
    va_end(list);
    return total;
}

static int listed(int n, va_list list)
{
    return n ? va_arg(list, int) * n + listed(n - 1, list) : 0;
}
static int handed_on(int n, ...)
{
    va_list list, again;
    int first, second;

    va_start(list, n);
    va_start(again, n);
    first = listed(n, list);
    second = listed(1, again);
    va_end(again);
    va_end(list);
    return first * 1000 + second;
}

int main(int argc, char **argv)
{
    int five = 5 * argc;

    (void)argv;
    printf("%g\n",
           sum("ildpildpildpiiii", -1, 1LL << 40, 0.5, &five, 2, -3LL, 1.25, &five, 7, 8LL, 1e3, &five, 1, 2, 3, 4));
    printf("%g %d\n", sum(""), handed_on(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    return handed_on(3, 1, -2, 3) == 2001 * argc ? 0 : 4;
}
