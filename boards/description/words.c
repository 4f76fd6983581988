/* words.c - lists of words, and argument lists. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "boards/description/keys.h"

void text_set(char **to, const char *value)
{
    char *copy = xstrdup(value);
    free(*to);
    *to = copy;
}

char **words_of(const char *text, const char *separators)
{
    char **words = xcalloc(1, sizeof *words);
    size_t n = 0;
    for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
        size_t length = strcspn(text, separators);
        words = xreallocarray(words, n + 2, sizeof *words);
        words[n++] = xstrndup(text, length);
        words[n] = 0;
        text += length;
    }
    return words;
}

void words_free(char **words)
{
    for (char **w = words; w && *w; w++)
        free(*w);
    free(words);
}

char *words_text(char *const *words)
{
    struct str text = STR_INIT;
    str_add(&text, "");
    for (; words && *words; words++)
        str_addf(&text, "%s%s", text.len ? " " : "", *words);
    return str_detach(&text);
}

void board_args_add(struct board_args *a, const char *text)
{
    a->at = xreallocarray(a->at, a->n + 2, sizeof *a->at);
    a->at[a->n++] = xstrdup(text);
    a->at[a->n] = 0;
}

void board_args_release(struct board_args *a)
{
    words_free(a->at);
    *a = (struct board_args){0, 0};
}
