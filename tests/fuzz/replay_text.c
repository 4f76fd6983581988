/*
 * replay_text.c - fuzz targets that read text, without libFuzzer, for make check.
 *
 *     replay_TARGET MUTATIONS SEED...
 *
 * Takes each seed as it is, cut at every byte, with every byte changed, and in many random changes, the same ones each
 * time. The target itself ends the program when anything is wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/str.h"
#include "tests/fuzz/fuzz.h"

static const char words[] = "0123456789.,\n\"e-+@/_dabx \t\r#*?inf";

static void take(const char *text, size_t n)
{
    uint8_t *copy = xmemdup(text, n ? n : 1); /* so that reading beyond the end is seen */
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

/* Some bytes changed, taken out, or put in twice. */
static void mutate(struct random *r, const char *text, size_t n)
{
    char *copy = xcalloc(2 * n + 64, 1);
    memcpy(copy, text, n);
    for (size_t k = 1 + random_below(r, 4); k && n; k--) {
        size_t at = random_below(r, n), len = 1 + random_below(r, n - at < 8 ? n - at : 8);
        switch (random_below(r, 3)) {
        case 0:
            copy[at] = words[random_below(r, sizeof words - 1)];
            break;
        case 1:
            memmove(copy + at, copy + at + len, n - at - len);
            n -= len;
            break;
        default:
            memmove(copy + at + len, copy + at, n - at);
            n += len;
        }
    }
    take(copy, n);
    free(copy);
}

int main(int argc, char **argv)
{
    unsigned long taken = 0;
    long mutations = argc > 1 ? strtol(argv[1], 0, 10) : 0;
    struct random r = random_start(1);
    for (int i = 2; i < argc; i++) {
        struct str text = STR_INIT;
        struct error e = ERROR_INIT;
        if (file_read(&text, argv[i], FILE_LIMIT, &e)) {
            error_print(&e, "replay");
            return 1;
        }
        for (size_t n = 0; n <= text.len; n++, taken++)
            take(str_text(&text), n);
        char *copy = xmemdup(str_text(&text), text.len + 1);
        for (size_t n = 0; n < text.len; n++, taken++) {
            copy[n] = words[(n * 7 + text.len) % (sizeof words - 1)];
            take(copy, text.len);
            copy[n] = str_text(&text)[n];
        }
        free(copy);
        for (long k = 0; k < mutations; k++, taken++)
            mutate(&r, str_text(&text), text.len);
        str_release(&text);
    }
    printf("%lu texts read or refused\n", taken);
    return 0;
}
