/* optimisation_levels.c - a board's optimisation levels and their flags. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "boards/description/keys.h"

bool is_level(const char *text)
{
    return text[0] == 'O' && text[1] && strspn(text + 1, "0123456789szgfast") == strlen(text + 1);
}

void levels_clear(struct board *b)
{
    for (size_t i = 0; i < b->n_levels; i++) {
        free(b->levels[i].name);
        words_free(b->levels[i].flags);
    }
    free(b->levels);
    b->levels = 0;
    b->n_levels = 0;
}

/* Adds a level. Its flags are -O..., the common ones, and its own. */
static void add_level(struct board *b, const char *name, const char *common, const char *own)
{
    struct str all = STR_INIT;
    str_addf(&all, "-%s %s %s", name, common, own);
    b->levels = xreallocarray(b->levels, b->n_levels + 1, sizeof *b->levels);
    b->levels[b->n_levels++] = (struct board_level){xstrdup(name), words_of(all.s, " \t")};
    str_release(&all);
}

static const char *value_of(const struct ini *ini, const char *key)
{
    const struct ini_entry *entry = ini_find(ini, "compile", key);
    return entry ? entry->value : "";
}

bool levels_set(struct board *b, const char *list, const struct ini *ini)
{
    char **names = words_of(list, " \t,");
    bool good = names[0] != 0;
    for (char **n = names; *n; n++)
        good = good && is_level(*n);
    if (good) {
        levels_clear(b);
        for (char **n = names; *n; n++) {
            char *key = xasprintf("flags.%s", *n);
            if (!board_find_level(b, *n))
                add_level(b, *n, value_of(ini, "flags"), value_of(ini, key));
            free(key);
        }
    }
    words_free(names);
    return good;
}

const struct board_level *board_find_level(const struct board *b, const char *level)
{
    for (size_t i = 0; i < b->n_levels; i++)
        if (strcmp(b->levels[i].name, level) == 0)
            return &b->levels[i];
    return 0;
}
