/* words.c - texts that are replaced, and argument lists. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "boards/description/keys.h"

char **words_quoted(const char *text)
{
    VEC(char *) all = {0};
    char quote = 0;
    while (*(text += strspn(text, " \t"))) {
        struct str word = STR_INIT;
        str_add(&word, "");
        for (; *text && (quote || !strchr(" \t", *text)); text++) {
            if (quote && *text == quote)
                quote = 0;
            else if (!quote && strchr("'\"", *text))
                quote = *text;
            else
                str_addch(&word, *text);
        }
        vec_push(&all, str_detach(&word));
    }
    vec_push(&all, 0);
    if (!quote)
        return all.at;
    words_free(all.at);
    return 0;
}

char *words_requoted(char *const *words)
{
    struct str text = STR_INIT;
    str_add(&text, "");
    for (size_t i = 0; words[i]; i++) {
        const char *quote = *words[i] && !strpbrk(words[i], " \t'\"") ? "" : strchr(words[i], '"') ? "'" : "\"";
        str_addf(&text, "%s%s%s%s", i ? " " : "", quote, words[i], quote);
    }
    return str_detach(&text);
}

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
