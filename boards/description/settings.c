/* settings.c - a board's settings: every key, its value, and where the value comes from. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boards/description/keys.h"

void origin_set(struct board *b, const char *section, const char *key, const char *from)
{
    for (size_t i = 0; i < b->n_origins; i++)
        if (strcmp(b->origins[i].section, section) == 0 && strcmp(b->origins[i].key, key) == 0) {
            text_set(&b->origins[i].from, from);
            return;
        }
    b->origins = xreallocarray(b->origins, b->n_origins + 1, sizeof *b->origins);
    b->origins[b->n_origins++] = (struct board_origin){xstrdup(section), xstrdup(key), xstrdup(from)};
}

void origins_clear(struct board *b)
{
    for (size_t i = 0; i < b->n_origins; i++) {
        free(b->origins[i].section);
        free(b->origins[i].key);
        free(b->origins[i].from);
    }
    free(b->origins);
    b->origins = 0;
    b->n_origins = 0;
}

static const char *origin_of(const struct board *b, const char *section, const char *key)
{
    for (size_t i = 0; i < b->n_origins; i++)
        if (strcmp(b->origins[i].section, section) == 0 && strcmp(b->origins[i].key, key) == 0)
            return b->origins[i].from;
    /* a level's flags come from those of all levels and from its own */
    return strncmp(key, "flags.", 6) == 0 && strcmp(section, "compile") == 0 ? origin_of(b, section, "flags")
                                                                             : "default";
}

void setting_add(struct board_settings *s, const struct board *b, const char *section, const char *key,
                 const char *value)
{
    s->at = xreallocarray(s->at, s->n + 1, sizeof *s->at);
    s->at[s->n++] = (struct board_setting){section, xstrdup(key), xstrdup(value), xstrdup(origin_of(b, section, key))};
}

void setting_addf(struct board_settings *s, const struct board *b, const struct board_key *k, const char *fmt, ...)
{
    char text[64]; /* room for numbers */
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    setting_add(s, b, k->section, k->key, text);
}

void board_settings(const struct board *b, struct board_settings *out)
{
    *out = (struct board_settings){0, 0};
    for (size_t i = 0; i < n_board_keys; i++)
        if (board_keys[i].show && (board_keys[i].hows & 1u << b->how))
            board_keys[i].show(b, out, &board_keys[i]);
}

void board_settings_release(struct board_settings *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->at[i].key);
        free(s->at[i].value);
        free(s->at[i].from);
    }
    free(s->at);
    *s = (struct board_settings){0, 0};
}
