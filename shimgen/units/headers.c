/* headers.c - reads the compiler's list of the headers that a source includes. */
#include "shimgen/units/headers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"

/* Is it one of the product's headers? unit_tools_hash contains these; they may be elsewhere after an installation. */
static bool is_own(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strcmp(name, "shim_region.h") == 0 || strcmp(name, "sample.h") == 0;
}

static void add_file(uint64_t *hash, const char *path)
{
    struct error ignored = ERROR_INIT;
    uint64_t content = 0;
    if (file_hash(&content, path, &ignored) != OK)
        *hash = hash_text(*hash, "gone");
    *hash = hash_bytes(*hash, &content, sizeof content);
    error_release(&ignored);
}

static bool ends_name(const char *p)
{
    return !*p || strchr(" \t\r\n", *p) || (*p == '\\' && (p[1] == '\n' || p[1] == '\r'));
}

/* Two characters that stand for one: "\ ", "\#", "\\", "$$". */
static bool is_pair(const char *p)
{
    return (*p == '\\' && p[1] && strchr(" #\\", p[1])) || (*p == '$' && p[1] == '$');
}

/* Reads the next name of the list into `name`. Returns false at its end. */
static bool next_name(const char **at, struct str *name)
{
    const char *p = *at;
    str_clear(name);
    while (*p && ends_name(p))
        p++;
    for (; !ends_name(p); p++) {
        p += is_pair(p);
        str_addch(name, *p);
    }
    *at = p;
    return name->len > 0;
}

void headers_hash(uint64_t *hash, const char *list)
{
    enum { LIMIT = 1 << 24 };
    struct error ignored = ERROR_INIT;
    struct str text = STR_INIT, name = STR_INIT;
    if (file_exists(list) && file_read(&text, list, LIMIT, &ignored) == OK) {
        const char *at = strstr(str_text(&text), ": ");
        at = at ? at + 1 : "";
        next_name(&at, &name); /* skips the source */
        while (next_name(&at, &name))
            if (!is_own(str_text(&name)))
                add_file(hash, str_text(&name));
    }
    error_release(&ignored);
    str_release(&name);
    str_release(&text);
}
