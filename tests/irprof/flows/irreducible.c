/* Loops with two ways in: jumps into the middle, Duff's device, a machine of states. */
#include <stdio.h>

__attribute__((noinline)) static unsigned into_the_middle(unsigned n, unsigned start)
{
    unsigned sum = 0, i = 0;
    if (start & 1)
        goto middle;
    for (; i < n; i++) {
        sum += i;
        if (sum % 7 == 3)
            continue;
    middle:
        sum ^= start;
        if (sum > 1000000)
            goto out;
    }
out:
    return sum;
}

__attribute__((noinline)) static void duff(char *to, const char *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0:
        do {
            *to++ = *from++;
            __attribute__((fallthrough));
        case 7:
            *to++ = *from++;
            __attribute__((fallthrough));
        case 6:
            *to++ = *from++;
            __attribute__((fallthrough));
        case 5:
            *to++ = *from++;
            __attribute__((fallthrough));
        case 4:
            *to++ = *from++;
            __attribute__((fallthrough));
        case 3:
            *to++ = *from++;
            __attribute__((fallthrough));
        case 2:
            *to++ = *from++;
            __attribute__((fallthrough));
        case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
}

__attribute__((noinline)) static int machine(const char *text)
{
    int words = 0, numbers = 0;
blank:
    switch (*text++) {
    case 0:
        goto end;
    case ' ':
        goto blank;
    case '0' ... '9':
        numbers++;
        goto number;
    default:
        words++;
        goto word;
    }
word:
    switch (*text++) {
    case 0:
        goto end;
    case ' ':
        goto blank;
    case '-':
        goto number;
    default:
        goto word;
    }
number:
    switch (*text++) {
    case 0:
        goto end;
    case ' ':
        goto blank;
    case 'a' ... 'z':
        goto word;
    default:
        goto number;
    }
end:
    return words * 100 + numbers;
}

/* Two loops that share blocks. */
__attribute__((noinline)) static unsigned crossed(unsigned n)
{
    unsigned a = 0, b = 0;
    if (n % 2)
        goto two;
one:
    a++;
    if (a + b > n)
        return a * 1000 + b;
    if (a % 3)
        goto one;
two:
    b++;
    if (b % 4)
        goto two;
    goto one;
}

int main(void)
{
    char to[100], from[100];
    for (int i = 0; i < 100; i++)
        from[i] = (char)('a' + i % 26);
    for (int n = 1; n < 100; n++)
        duff(to, from, n);
    printf("%.5s %u %u %d %u %u\n", to, into_the_middle(100, 8), into_the_middle(100, 9),
           machine("a b1 22 x-y 3z 45 word 6 7-8"), crossed(100), crossed(101));
    return 0;
}
