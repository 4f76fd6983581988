/* system_files.h - the small files of /proc and /sys, below `root` ("" or NULL: the running system). Private to boards. */
#ifndef BOARDS_MACHINE_SYSTEM_FILES_H
#define BOARDS_MACHINE_SYSTEM_FILES_H

#include <stdbool.h>

/* The text of root/path without the last line break; NULL when it cannot be read; the caller frees. */
char *sys_text(const char *root, const char *path);
bool sys_number(const char *root, const char *path, double *value); /* of a file that holds one number */
bool sys_exists(const char *root, const char *path);
/* The value after "key" in a text of lines "key : value" (any spaces); NULL none; the caller frees. */
char *line_value(const char *text, const char *key);
/* True when `word` is one of the space-separated words of `text`; NULL text: false. */
bool has_word(const char *text, const char *word);
/* Is n in a list like "0-3,8"? */
bool in_cpu_list(const char *list, int n);
int cpu_list_count(const char *list, int *highest); /* how many; highest may be NULL */
static inline bool is_live(const char *root)
{
    return !root || !*root;
}

#endif
