/* keys.h - the keys of board.ini: one table that reading, showing and changing a description go by. */
#ifndef BOARDS_DESCRIPTION_KEYS_H
#define BOARDS_DESCRIPTION_KEYS_H

#include "base/ini.h"
#include "boards/boards.h"

struct key_reader {
    struct board *b;
    const struct ini *ini;
    const struct ini_entry *at; /* the entry at hand */
    struct error *e;
};
/* Ways to run that a key has a meaning for: bits 1 << enum board_how. */
enum { FOR_NATIVE = 1, FOR_SSH = 2, FOR_SIMULATOR = 4, FOR_IMPORT = 8, FOR_COMMAND = 16, FOR_LINUX = 3, FOR_ALL = 31 };
struct board_key {
    const char *section, *key; /* key "*": any; "flags.*": flags.O0 and so on */
    enum status (*take)(struct key_reader *);
    void (*show)(const struct board *, struct board_settings *, const struct board_key *);
    unsigned hows;
};
extern const struct board_key board_keys[];
extern const size_t n_board_keys;

/* Takes all entries of the file; anything unknown, unfit or contradictory is refused at its line. */
enum status keys_read(struct board *b, const struct ini *ini, struct error *e) MUST_CHECK;
/* How the values of options are judged; false: cannot be. `to` may be NULL. */
bool key_parse_core(const char *text, int *to);
bool key_parse_cache(const char *text, enum board_cache *to);
bool key_parse_source(const char *text, enum board_source *to);
bool key_parse_destination(const char *text); /* "user@host" */

/* ---- optimisation_levels.c ---- */

/* Sets the levels named in `list`, with the flags that `ini` gives them; false at a word that is none, or when there is
 * no word: then b is unchanged. */
bool levels_set(struct board *b, const char *list, const struct ini *ini);
void levels_clear(struct board *b);
bool is_level(const char *text); /* "O2" */

/* ---- settings.c ---- */

struct board_origin {
    char *section, *key, *from;
};
/* Says where a value is from. Replaces what was said before. */
void origin_set(struct board *b, const char *section, const char *key, const char *from);
void origins_clear(struct board *b);
/* For the show functions: one more setting; the value is copied. */
void setting_add(struct board_settings *s, const struct board *b, const char *section, const char *key,
                 const char *value);
void setting_addf(struct board_settings *s, const struct board *b, const struct board_key *k, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- words.c ---- */

void text_set(char **to, const char *value);

#endif
