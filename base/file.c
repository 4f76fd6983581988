/* file.c - reads files, writes them whole or not at all, and removes temporaries when the program ends. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"

static enum status read_stream(struct str *out, FILE *f, const char *path, size_t limit, struct error *e)
{
    char chunk[65536];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0) {
        if (out->len + n > limit)
            return error_set(e, ERR_INPUT, AT_FILE(path), "larger than the %zu bytes that can be read", limit);
        str_addn(out, chunk, n);
    }
    return ferror(f) ? error_errno(e, AT_FILE(path), "cannot be read") : OK;
}

enum status file_read(struct str *out, const char *path, size_t limit, struct error *e)
{
    str_clear(out);
    if (strcmp(path, "-") == 0)
        return read_stream(out, stdin, "standard input", limit, e);
    FILE *f = fopen(path, "rb");
    if (!f)
        return error_errno(e, AT_FILE(path), "cannot be opened");
    enum status s = read_stream(out, f, path, limit, e);
    fclose(f);
    return s;
}

/* A device or a pipe cannot be replaced by a rename, so it is written directly. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

enum status outfile_open(struct outfile *o, const char *path, struct error *e)
{
    *o = (struct outfile){0};
    if (!path || strcmp(path, "-") == 0) {
        o->f = stdout;
        return OK;
    }
    if (is_special(path)) {
        o->f = fopen(path, "wb");
        if (!o->f)
            return error_errno(e, AT_FILE(path), "cannot be written");
        o->path = xstrdup(path);
        return OK;
    }
    char *target = realpath(path, 0); /* resolves symbolic links, so that the link itself stays */
    o->path = target ? target : xstrdup(path);
    o->temporary = xasprintf("%s.tmp-XXXXXX", o->path);
    int fd = mkstemp(o->temporary);
    if (fd < 0) {
        enum status s = error_errno(e, AT_FILE(path), "cannot be written");
        free(o->temporary); /* nothing is left to be removed */
        o->temporary = 0;
        outfile_abort(o);
        return s;
    }
    cleanup_add(o->temporary);
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    o->f = fdopen(fd, "wb");
    return OK;
}

/* Flushes the folder's entries to the disk, so that a rename survives a power cut. Errors are ignored: not every file
 * system can do it. */
static void sync_folder(const char *path)
{
    char *folder = xstrdup(path), *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

void outfile_is_text(struct outfile *o)
{
    o->raw = o->f;
    o->f = open_memstream(&o->text, &o->n);
    if (!o->f)
        BUG("no memory for a text");
}

static void write_text(struct outfile *o)
{
    fclose(o->f);
    o->f = o->raw;
    o->raw = 0;
    char *shown = printable_text(o->text);
    fputs(shown, o->f);
    free(shown);
    free(o->text);
    o->text = 0;
}

enum status outfile_commit(struct outfile *o, struct error *e)
{
    if (o->raw)
        write_text(o);
    if (!o->path) {
        bool bad = fflush(o->f) || ferror(o->f);
        *o = (struct outfile){0};
        return bad ? error_errno(e, NOWHERE, "standard output cannot be written") : OK;
    }
    bool bad = ferror(o->f);
    bad |= fflush(o->f) != 0;
    /* a file that cleanup will remove need not survive a power cut */
    bool lasts = o->temporary && !cleanup_covers(o->path);
    bad |= lasts && !bad && fsync(fileno(o->f)) && errno != EINVAL && errno != EROFS;
    int number = errno;
    bad |= fclose(o->f) != 0;
    o->f = 0;
    if (bad) {
        errno = number ? number : EIO;
        enum status s = error_errno(e, AT_FILE(o->path), "cannot be written");
        outfile_abort(o);
        return s;
    }
    if (o->temporary && rename(o->temporary, o->path)) {
        enum status s = error_errno(e, AT_FILE(o->path), "cannot be replaced");
        outfile_abort(o);
        return s;
    }
    if (lasts)
        sync_folder(o->path);
    if (o->temporary)
        cleanup_remove(o->temporary);
    free(o->temporary);
    free(o->path);
    *o = (struct outfile){0};
    return OK;
}

void outfile_abort(struct outfile *o)
{
    if (o->raw) {
        fclose(o->f);
        o->f = o->raw;
        free(o->text);
    }
    if (o->f && o->path)
        fclose(o->f);
    if (o->temporary) {
        unlink(o->temporary);
        cleanup_remove(o->temporary);
    }
    free(o->temporary);
    free(o->path);
    *o = (struct outfile){0};
}

enum status file_write(const char *path, const char *bytes, size_t n, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    fwrite(bytes, 1, n, o.f);
    return outfile_commit(&o, e);
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool file_is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

enum status make_directories(const char *path, struct error *e)
{
    char *part = xstrdup(path);
    enum status s = OK;
    for (char *p = part + 1; !s; p++) {
        if (*p != '/' && *p)
            continue;
        char keep = *p;
        *p = 0;
        int number = mkdir(part, 0777) ? errno : 0; /* kept, since the next call changes errno */
        if (number && !file_is_directory(part)) {
            errno = number;
            s = error_errno(e, AT_FILE(part), "this directory cannot be made");
        }
        *p = keep;
        if (!keep)
            break;
    }
    free(part);
    return s;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(path);
}

enum status remove_tree(const char *path, struct error *e)
{
    if (!file_exists(path))
        return OK;
    if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS))
        return error_errno(e, AT_FILE(path), "cannot be removed");
    return OK;
}

enum status temp_directory(char **path, const char *prefix, struct error *e)
{
    const char *base = getenv("TMPDIR");
    char *name = xasprintf("%s/%s-XXXXXX", base && *base ? base : "/tmp", prefix);
    /* a signal between creating the folder and telling cleanup about it would leave the folder on the disk */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    bool made = mkdtemp(name);
    int number = errno;
    if (made)
        cleanup_add(name);
    sigprocmask(SIG_SETMASK, &before, 0);
    if (!made) {
        errno = number;
        enum status s = error_errno(e, AT_FILE(name), "no temporary directory can be made (is TMPDIR right?)");
        free(name);
        return s;
    }
    *path = name;
    return OK;
}

static int not_dots(const struct dirent *d)
{
    return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

enum status list_directory(char ***names, size_t *n, const char *path, struct error *e)
{
    struct dirent **entries;
    int found = scandir(path, &entries, not_dots, by_bytes);
    if (found < 0)
        return error_errno(e, AT_FILE(path), "this directory cannot be read");
    *names = xcalloc((size_t)found, sizeof **names);
    *n = (size_t)found;
    for (int i = 0; i < found; i++) {
        (*names)[i] = xstrdup(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return OK;
}

uint64_t free_bytes(const char *path)
{
    struct statvfs v;
    return statvfs(path, &v) ? 0 : (uint64_t)v.f_bavail * v.f_frsize;
}

enum status file_hash(uint64_t *hash, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    if (!s)
        *hash = hash_bytes(HASH_START, str_text(&text), text.len);
    str_release(&text);
    return s;
}

char *path_join(const char *directory, const char *name)
{
    size_t n = strlen(directory);
    return xasprintf("%s%s%s", directory, n && directory[n - 1] == '/' ? "" : "/", name);
}

const char *path_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The installed prefix: $SHIMGEN_PREFIX, or two levels above the running program's file. */
static char *prefix(void)
{
    const char *given = getenv("SHIMGEN_PREFIX");
    if (given && *given)
        return xstrdup(given);
    static const char replaced[] = " (deleted)"; /* the kernel appends this when the file was replaced while we run */
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return xstrdup(".");
    self[n] = 0;
    size_t tail = sizeof replaced - 1;
    if ((size_t)n > tail && strcmp(self + n - tail, replaced) == 0)
        self[(size_t)n - tail] = 0;
    char *slash;
    for (int up = 0; up < 2 && (slash = strrchr(self, '/')); up++)
        *slash = 0;
    return xstrdup(self);
}

static char *resource(const char *folder, const char *name)
{
    char *p = prefix();
    char *path = xasprintf("%s/%s/%s", p, folder, name);
    free(p);
    return path;
}

char *resource_lib(const char *name)
{
    return resource("lib/shimgen", name);
}

char *resource_share(const char *name)
{
    return resource("share/shimgen", name);
}

char *resource_include(const char *name)
{
    return resource("include", name);
}

char *resource_program(const char *name)
{
    return resource("bin", name);
}

void use_own_llvm(void)
{
    char *folder = resource_lib("llvm/bin");
    const char *path = getenv("PATH");
    size_t n = strlen(folder);
    /* already first: set by a program that runs us */
    bool first = path && strncmp(path, folder, n) == 0 && (!path[n] || path[n] == ':');
    if (file_is_directory(folder) && !first) {
        char *longer = xasprintf("%s%s%s", folder, path && *path ? ":" : "", path ? path : "");
        setenv("PATH", longer, 1);
        free(longer);
    }
    free(folder);
}
