/* string_search.c - counts where 16 patterns of four letters stand in a text of 1 MiB, comparing at each place. */
#include <stdint.h>
#include <stdio.h>
#define N (1 << 20)
static unsigned char text[N + 4];
__attribute__((noinline)) static void fill(void)
{
    uint32_t x = 1;
    for (int i = 0; i < N; i++) {
        x = x * 1664525u + 1013904223u;
        text[i] = "acgt"[x >> 30];
    }
}
__attribute__((noinline)) static unsigned long search(const unsigned char *pattern)
{
    unsigned long found = 0;
    for (int i = 0; i + 4 <= N; i++)
        found += text[i] == pattern[0] && text[i + 1] == pattern[1] && text[i + 2] == pattern[2] &&
                 text[i + 3] == pattern[3];
    return found;
}
int main(void)
{
    unsigned long found = 0;
    fill();
    for (int p = 0; p < 16; p++) {
        unsigned char pattern[4];
        for (int i = 0; i < 4; i++)
            pattern[i] = (unsigned char)"acgt"[p >> i & 3];
        found += search(pattern);
    }
    printf("%lu\n", found);
    return 0;
}
