/*
 * units_file.c - opens a file that a FunctionalUnitSetFile or a PowerConfiguration names, if a description may name it:
 * a regular file below its own folder. A description may come from anywhere. It must not make its reader open devices
 * or other people's files.
 */
#include "shim-xml/document/units_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim-xml/document/read.h"

/* Is it a relative path of ordinary names? */
static bool is_below(const char *src)
{
    for (const char *p = src; p; p = strchr(p, '/')) {
        p += *p == '/' && p != src;
        size_t n = strcspn(p, "/");
        if (!n || (n == 1 && *p == '.' && p != src) || (n == 2 && p[0] == '.' && p[1] == '.'))
            return false;
    }
    return !strchr(src, ':');
}

static char *folder_of(const struct shimxml_doc *d)
{
    const char *slash = strrchr(d->path, '/');
    return slash ? xstrndup(d->path, (size_t)(slash + 1 - d->path)) : xstrdup(".");
}

/* Opens the path component by component, so that no link leads elsewhere. NONBLOCK: a FIFO without a writer must not
 * block. */
static int open_below(const char *folder, const char *src)
{
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (const char *p = src; at >= 0 && *p;) {
        size_t n = strcspn(p, "/");
        char *name = xstrndup(p, n);
        int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (p[n] ? O_DIRECTORY : O_NONBLOCK | O_NOCTTY);
        int next = openat(at, name, flags), why = errno;
        free(name);
        close(at);
        errno = why;
        at = next;
        p += n + (p[n] == '/');
    }
    return at;
}

static enum status refuse_open(const char *src, int why, struct error *e)
{
    if (why == ELOOP || why == ENOTDIR)
        return error_set(e, ERR_INPUT, NOWHERE, "'%.200s' is a link, or leads through one: only a regular file is read",
                         src);
    if (why == ENXIO)
        return error_set(e, ERR_INPUT, NOWHERE, "'%.200s' is not a regular file", src);
    return error_set(e, ERR_INPUT, NOWHERE, "'%.200s' cannot be opened: %s", src, strerror(why));
}

static enum status check_file(int fd, const struct shimxml_doc *d, const char *src, struct error *e)
{
    struct stat file, own;
    if (fstat(fd, &file) || !S_ISREG(file.st_mode))
        return error_set(e, ERR_INPUT, NOWHERE, "'%.200s' is not a regular file", src);
    if (stat(d->path, &own) == 0 && own.st_dev == file.st_dev && own.st_ino == file.st_ino)
        return error_set(e, ERR_INPUT, NOWHERE, "'%.200s' is this file itself", src);
    if ((uint64_t)file.st_size > UNITS_FILE_LIMIT)
        return error_set(e, ERR_INPUT, NOWHERE, "'%.200s' is larger than %zu MiB", src, UNITS_FILE_LIMIT >> 20);
    return OK;
}

/* wanted: an element that its shim:Shim must contain. */
static enum status read_open(struct shimxml_doc **out, int fd, const struct shimxml_doc *d, const char *src,
                             const char *wanted, struct error *e)
{
    enum status s = check_file(fd, d, src, e);
    FILE *f = s ? 0 : fdopen(fd, "rb");
    if (!f) {
        close(fd);
        return s ? s : error_errno(e, NOWHERE, "'%.200s' cannot be read", src);
    }
    char *folder = folder_of(d), *path = xasprintf("%s%s", strchr(d->path, '/') ? folder : "", src);
    s = read_stream(out, f, path, UNITS_FILE_LIMIT, e);
    fclose(f);
    free(folder);
    free(path);
    if (s || ((*out)->schema == &schema2 && shimxml_child(shimxml_root(*out), wanted)))
        return s;
    shimxml_free(*out);
    *out = 0;
    return error_set(e, ERR_INPUT, NOWHERE, "'%.200s' has no %s in shim:Shim", src, wanted);
}

static enum status read_named(struct shimxml_doc **out, const struct shimxml_doc *d, const char *src,
                              const char *wanted, struct error *e)
{
    char *folder = folder_of(d);
    int fd = open_below(folder, src);
    int why = errno;
    free(folder);
    return fd < 0 ? refuse_open(src, why, e) : read_open(out, fd, d, src, wanted, e);
}

enum status units_file_read(struct shimxml_doc **out, const struct shimxml_node *file, struct error *e)
{
    const char *src = shimxml_get(file, "src");
    if (!src || !is_below(src))
        return error_set(e, ERR_INPUT, NOWHERE,
                         "the instructions are in '%.200s': only a file in the same folder or below is read",
                         src ? src : "");
    return read_named(out, doc_of(file), src, "FunctionalUnitSet", e);
}

enum status system_file_read(struct shimxml_doc **out, const struct shimxml_node *configuration, struct error *e)
{
    const char *src = shimxml_get(configuration, "systemConfigurationSrc");
    if (!src)
        return error_set(e, ERR_INPUT, NOWHERE, "it does not say which system the power belongs to");
    if (!is_below(src))
        return error_set(e, ERR_INPUT, NOWHERE,
                         "the system is in '%.200s': only a file in the same folder or below is read", src);
    return read_named(out, doc_of(configuration), src, "SystemConfiguration", e);
}
