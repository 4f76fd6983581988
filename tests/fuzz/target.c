/* target.c - files for fuzz targets, and what they judge alike. */
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"

char *target_path(const char *name)
{
    static char *folder; /* the program's */
    struct error e = ERROR_INIT;
    if (!folder) {
        cleanup_install();
        if (temp_directory(&folder, "fuzz", &e))
            BUG("%s", e.message);
    }
    return path_join(folder, name);
}

char *target_file(const char *name, const void *bytes, size_t n)
{
    struct error e = ERROR_INIT;
    char *path = target_path(name);
    if (file_write(path, bytes, n, &e))
        BUG("%s", e.message);
    return path;
}

bool target_passed(enum status s, struct error *e)
{
    if (s && (e->status != s || !e->message || !*e->message))
        BUG("refused without a reason");
    char *text = s ? error_text(e) : xstrdup("");
    if (strpbrk(text, "\033\r\b\177"))
        BUG("a message steers the terminal");
    free(text);
    error_release(e);
    return !s;
}

void target_same(const char *a, const char *b, const char *what)
{
    struct error e = ERROR_INIT;
    struct str x = STR_INIT, y = STR_INIT;
    if (file_read(&x, a, FILE_LIMIT, &e) || file_read(&y, b, FILE_LIMIT, &e))
        BUG("%s", e.message);
    if (x.len != y.len || memcmp(str_text(&x), str_text(&y), x.len) != 0)
        BUG("%s: written and read it differs", what);
    str_release(&x);
    str_release(&y);
}
