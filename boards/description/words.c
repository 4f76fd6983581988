/* words.c - replaces placeholders in texts, and builds argument lists. */
#include <stdlib.h>

#include "base/str.h"
#include "boards/description/keys.h"

void text_set(char **to, const char *value)
{
    char *copy = xstrdup(value);
    free(*to);
    *to = copy;
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
