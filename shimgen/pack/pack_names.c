/* pack_names.c - names and checksums of a pack's members. Checksums are SHA-256, by libmd. */
#include <errno.h>
#include <sha2.h>
#include <string.h>
#include <sys/types.h>

#include "shimgen/pack/pack_private.h"

void pack_add(struct pack_members *m, const char *name, const char *path)
{
    vec_push(&m->list, (struct pack_member){xstrdup(name), xstrdup(path)});
}

void pack_members_release(struct pack_members *m)
{
    for (size_t i = 0; i < m->list.n; i++) {
        free(m->list.at[i].name);
        free(m->list.at[i].path);
    }
    vec_release(&m->list);
}

static bool is_good_part(const char *at, size_t n)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@";
    return n > 0 && *at != '.' && strspn(at, good) >= n;
}

bool pack_name_is_good(const char *name)
{
    if (strlen(name) > PACK_LONGEST_NAME)
        return false;
    for (const char *at = name;; at++) {
        size_t n = strcspn(at, "/");
        if (!is_good_part(at, n))
            return false;
        at += n;
        if (!*at)
            return true;
    }
}

enum status pack_sha256(char **out, const char *path, struct error *e)
{
    char text[SHA256_DIGEST_STRING_LENGTH];
    if (!SHA256File(path, text))
        return error_errno(e, AT_FILE(path), "cannot be read");
    *out = xstrdup(text);
    return OK;
}
