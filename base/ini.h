/*
 * ini.h - reads INI files through inih. Each entry keeps its line, so that a reader can point to an
 * unknown key.
 */
#ifndef BASE_INI_H
#define BASE_INI_H

#include <stddef.h>

#include "base/error.h"

struct ini_entry {
    char *section, *key, *value; /* owned by the ini */
    unsigned long line;
};
struct ini {
    char *path; /* owned */
    struct ini_entry *entries;
    size_t n;
};
enum status ini_read(struct ini **out, const char *path, struct error *e) MUST_CHECK;
void ini_free(struct ini *i);
/* The entry, or NULL. A key given twice in one section is refused by ini_read. */
const struct ini_entry *ini_find(const struct ini *i, const char *section, const char *key);

#endif
