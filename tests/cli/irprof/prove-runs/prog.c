/* Copies standard input, so often as its first argument says, into the file that the second names; prints the time with a third. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

long work(const char *text, size_t n, long rounds)
{
    long sum = 0;
    for (long i = 0; i < rounds; i++)
        for (size_t k = 0; k < n; k++)
            sum = sum * 31 + text[k];
    return sum;
}

int main(int argc, char **argv)
{
    char text[100];
    size_t n = fread(text, 1, sizeof text, stdin);
    FILE *f = fopen(argv[2], "w");
    if (!f)
        return 2;
    fprintf(f, "%ld\n", work(text, n, atol(argv[1])));
    fclose(f);
    printf("%zu\n", n);
    if (argc > 3) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        printf("%ld\n", work(text, n, 1 + t.tv_nsec % 9999) + t.tv_nsec);
    }
    return 0;
}
