/* pack_read.c - reads packs with libarchive. Nothing in them is trusted before it is checked. */
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "shimgen/pack/pack_private.h"

enum { INDEX_LIMIT = 16 << 20 }; /* bytes of pack.json */

struct reading {
    const char *path; /* of the pack */
    const char *folder;
    const struct pack_limits *limits;
    struct archive *archive;
    struct map seen; /* names so far -> their numbers in the index */
    uint64_t bytes;  /* unpacked so far */
};

/* Refuses a pack because of a member. The member's name may be anything. */
static enum status refuse(const struct reading *r, const char *name, const char *what, struct error *e)
{
    char *shown = printable_text(name ? name : "");
    enum status s = error_set(e, ERR_INPUT, AT_FILE(r->path), "'%.200s' %s; this pack is not used", shown, what);
    free(shown);
    return s;
}

static enum status broken(const struct reading *r, struct error *e)
{
    const char *why = archive_error_string(r->archive);
    char *shown = printable_text(why ? why : "it is damaged");
    enum status s = error_set(e, ERR_INPUT, AT_FILE(r->path),
                              "not a whole pack (%s); it was cut or damaged: fetch or make it again", shown);
    free(shown);
    return s;
}

/* ---- members ---- */

static enum status check_entry(const struct reading *r, struct archive_entry *entry, const char *name, uint64_t most,
                               struct error *e)
{
    if (!name || !pack_name_is_good(name))
        return refuse(r, name, "is not a name of a file in a pack", e);
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) || archive_entry_symlink(entry))
        return refuse(r, name, "is a link, a folder or a device; a pack has regular files only", e);
    if (!archive_entry_size_is_set(entry) || archive_entry_size(entry) < 0 ||
        (uint64_t)archive_entry_size(entry) > most)
        return refuse(r, name, "is larger than is accepted", e);
    return OK;
}

/* Reads the content of the current entry; at most the announced size is kept. */
static enum status read_content(struct reading *r, struct archive_entry *entry, struct str *content, struct error *e)
{
    const size_t size = (size_t)archive_entry_size(entry);
    char chunk[65536];
    la_ssize_t n;
    while ((n = archive_read_data(r->archive, chunk, sizeof chunk)) > 0) {
        if (content->len + (size_t)n > size)
            return broken(r, e);
        str_addn(content, chunk, (size_t)n);
    }
    return n < 0 || content->len != size ? broken(r, e) : OK;
}

/* Stores a file. The folder was empty, so anything in the way comes from this pack. */
static enum status store(const struct reading *r, const char *name, const struct str *content, struct error *e)
{
    char *to = path_join(r->folder, name), *parent = xstrdup(to);
    *strrchr(parent, '/') = 0;
    enum status s = make_directories(parent, e);
    if (!s && file_exists(to))
        s = refuse(r, name, "is in it twice", e);
    if (!s)
        s = file_write(to, str_text(content), content->len, e);
    free(parent);
    free(to);
    return s;
}

/* ---- the index ---- */

static enum status check_index(const struct reading *r, const json_t *index, const char *kind, struct error *e)
{
    const char *format, *is;
    json_t *files;
    double version;
    enum status s = json_need_string(index, "format", &format, r->path, e);
    if (!s)
        s = json_need_number(index, "version", &version, r->path, e);
    if (!s)
        s = json_need_string(index, "kind", &is, r->path, e);
    if (!s)
        s = json_need_array(index, "files", &files, r->path, e);
    if (s)
        return s;
    if (strcmp(format, PACK_FORMAT) != 0)
        return refuse(r, PACK_INDEX, "is not the index of a pack", e);
    if (version != PACK_VERSION)
        return error_set(e, ERR_INPUT, AT_FILE(r->path), "version %g; this program reads version %d", version,
                         PACK_VERSION);
    if (strcmp(is, kind) != 0)
        return refuse(r, is, "is the kind of this pack; another kind is wanted here", e);
    return json_array_size(files) > r->limits->members ? refuse(r, PACK_INDEX, "lists more files than are accepted", e)
                                                       : OK;
}

static enum status read_index(struct reading *r, json_t **index, const char *kind, struct error *e)
{
    struct archive_entry *entry = 0;
    struct str text = STR_INIT;
    if (archive_read_next_header(r->archive, &entry) != ARCHIVE_OK)
        return broken(r, e);
    const char *name = archive_entry_pathname(entry);
    enum status s = check_entry(r, entry, name, INDEX_LIMIT, e);
    if (!s && strcmp(name, PACK_INDEX) != 0)
        s = refuse(r, name, "is its first file; a pack begins with " PACK_INDEX, e);
    if (!s)
        s = read_content(r, entry, &text, e);
    if (!s)
        s = json_parse(index, str_text(&text), text.len, r->path, e);
    str_release(&text);
    return s ? s : check_index(r, *index, kind, e);
}

/* Checks what the index says about a file: an entry of `files`. */
static enum status check_file(struct reading *r, const json_t *file, struct error *e)
{
    const char *name, *sum;
    double bytes;
    enum status s = json_need_string(file, "name", &name, r->path, e);
    if (!s)
        s = json_need_string(file, "sha256", &sum, r->path, e);
    if (!s)
        s = json_need_number(file, "bytes", &bytes, r->path, e);
    if (s)
        return s;
    size_t state = 0;
    if (!map_get(&r->seen, name, &state) || state)
        return refuse(r, name, state ? "is in the index twice" : "is in the index and not in the pack", e);
    map_put(&r->seen, name, 1);
    char *path = path_join(r->folder, name), *is = 0;
    struct stat st;
    s = pack_sha256(&is, path, e);
    if (!s && (strcmp(is, sum) != 0 || stat(path, &st) || (double)st.st_size != bytes))
        s = refuse(r, name, "was changed since it was packed: its size or checksum is another", e);
    free(is);
    free(path);
    return s;
}

static enum status check_all(struct reading *r, const json_t *index, struct error *e)
{
    const json_t *files = json_object_get(index, "files");
    enum status s = OK;
    for (size_t i = 0; !s && i < json_array_size(files); i++)
        s = check_file(r, json_array_get(files, i), e);
    for (size_t i = 0; !s && i < r->seen.n; i++)
        if (!r->seen.values[i])
            s = refuse(r, r->seen.keys[i], "is not in the index", e);
    return s;
}

/* ---- everything together ---- */

static enum status read_member(struct reading *r, struct archive_entry *entry, struct error *e)
{
    struct str content = STR_INIT;
    const char *name = archive_entry_pathname(entry);
    enum status s = check_entry(r, entry, name, r->limits->member, e);
    if (!s && r->seen.n >= r->limits->members)
        s = refuse(r, name, "is one file more than are accepted", e);
    if (!s && (r->bytes += (uint64_t)archive_entry_size(entry)) > r->limits->all)
        s = refuse(r, name, "makes the pack larger than is accepted", e);
    if (!s)
        s = read_content(r, entry, &content, e);
    if (!s)
        s = store(r, name, &content, e);
    if (!s)
        map_put(&r->seen, name, 0);
    str_release(&content);
    return s;
}

static enum status read_members(struct reading *r, struct error *e)
{
    struct archive_entry *entry = 0;
    enum status s = OK;
    int got = ARCHIVE_OK;
    while (!s && (got = archive_read_next_header(r->archive, &entry)) == ARCHIVE_OK)
        s = read_member(r, entry, e);
    return !s && got != ARCHIVE_EOF ? broken(r, e) : s;
}

static enum status open_archive(struct reading *r, struct error *e)
{
    int fd = open(r->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno(e, AT_FILE(r->path), "cannot be opened");
    close(fd);
    if (archive_read_support_filter_gzip(r->archive) != ARCHIVE_OK ||
        archive_read_support_format_tar(r->archive) != ARCHIVE_OK ||
        archive_read_open_filename(r->archive, r->path, 65536) != ARCHIVE_OK)
        return broken(r, e);
    return OK;
}

enum status pack_read(json_t **index, const char *path, const char *kind, const char *folder,
                      const struct pack_limits *limits, struct error *e)
{
    struct reading r = {.path = path, .folder = folder, .limits = limits, .archive = archive_read_new()};
    *index = 0;
    enum status s = open_archive(&r, e);
    if (!s)
        s = read_index(&r, index, kind, e);
    if (!s)
        s = read_members(&r, e);
    if (!s)
        s = check_all(&r, *index, e);
    archive_read_free(r.archive);
    map_release(&r.seen);
    if (s) {
        json_decref(*index);
        *index = 0;
    }
    return s;
}
