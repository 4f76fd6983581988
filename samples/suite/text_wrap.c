/*
 * text_wrap - fill 1500 words into lines of at most 40 characters, words at a line's start with a capital.
 *
 * Work: each word is at least one letter and one blank; finding its end and copying it takes per character a load, a
 * comparison and a store, in vectors (of a memcpy) not below one per word: 1500 * 3 = 4500.
 */
#include "../sample.h"
#include "lcg.h"

#define WORDS 1500
#define WIDTH 40

static char text[WORDS * 11 + 1], wrapped[WORDS * 11 + 1];

static void text_wrap(const char *from, char *to)
{
    int column = 0, length, i;

    while (*from != '\0') {
        for (length = 0; from[length] != ' ' && from[length] != '\0'; length++)
            ;
        if (column > 0 && column + 1 + length > WIDTH) {
            *to++ = '\n';
            column = 0;
        } else if (column > 0) {
            *to++ = ' ';
            column++;
        }
        for (i = 0; i < length; i++) {
            char c = from[i];

            if (i == 0 && column == 0 && c >= 'a' && c <= 'z')
                c = (char)(c - 'a' + 'A');
            *to++ = c;
        }
        column += length;
        from += length;
        if (*from == ' ')
            from++;
    }
    *to = '\0';
}

/* The same letters at the same places; lines fit; no line could have taken the next line's first word. */
static int check(void)
{
    size_t i, start = 0, length = strlen(text), next;

    if (sample_verdict_int("length", (long long)strlen(wrapped), (long long)length))
        return 1;
    for (i = 0; i <= length; i++) {
        int first = i == 0 || wrapped[i - 1] == '\n';
        int expected = first ? text[i] - 'a' + 'A' : text[i];

        if (wrapped[i] == '\n' || wrapped[i] == '\0') {
            next = i + 1 + (wrapped[i] == '\n' ? strcspn(text + i + 1, " ") : WIDTH);
            if (sample_verdict_int("whether a line fits", i - start <= WIDTH && next - start > WIDTH, 1))
                return 1;
            expected = text[i] == ' ' ? '\n' : text[i];
            start = i + 1;
        }
        if (sample_verdict_int("character", wrapped[i], expected))
            return 1;
    }
    return 0;
}

int main(void)
{
    uint32_t seed = 9;
    char *end = text;
    int word, letters;

    for (word = 0; word < WORDS; word++) {
        for (letters = 1 + (int)lcg_draw(&seed) % 10; letters > 0; letters--)
            *end++ = (char)('a' + lcg_draw(&seed) % 26);
        *end++ = word + 1 < WORDS ? ' ' : '\0';
    }
    SHIM_KEEP(text);
    shim_region_begin("text_wrap");
    text_wrap(text, wrapped);
    shim_region_end("text_wrap");
    SHIM_KEEP(wrapped);
    return check();
}
