/* pack_write.c - writes packs with libarchive: a tar archive without times, owners and permissions. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "shimgen/pack/pack_private.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct pack_member *)a)->name, ((const struct pack_member *)b)->name);
}

static enum status check_names(const struct pack_members *m, struct error *e)
{
    for (size_t i = 0; i < m->list.n; i++) {
        const char *name = m->list.at[i].name;
        if (!pack_name_is_good(name) || strcmp(name, PACK_INDEX) == 0)
            return error_set(e, ERR_INPUT, NOWHERE,
                             "'%s' cannot be the name of a file in a pack: letters, digits and ._-+@ between slashes",
                             name);
        if (i && strcmp(m->list.at[i - 1].name, name) == 0)
            return error_set(e, ERR_INPUT, NOWHERE, "'%s' would be in the pack twice", name);
    }
    return OK;
}

/* Adds size and checksum of each file to the index. */
static enum status describe(json_t *index, const struct pack_members *m, struct error *e)
{
    json_t *files = json_array();
    enum status s = OK;
    for (size_t i = 0; !s && i < m->list.n; i++) {
        const struct pack_member *x = &m->list.at[i];
        struct stat st;
        char *sum = 0;
        s = stat(x->path, &st) ? error_errno(e, AT_FILE(x->path), "cannot be packed") : OK;
        if (!s)
            s = pack_sha256(&sum, x->path, e);
        if (!s)
            json_array_append_new(
                files, json_pack("{s:s, s:I, s:s}", "name", x->name, "bytes", (json_int_t)st.st_size, "sha256", sum));
        free(sum);
    }
    json_object_set_new(index, "format", json_string(PACK_FORMAT));
    json_object_set_new(index, "version", json_integer(PACK_VERSION));
    json_object_set_new(index, "files", files);
    return s;
}

static enum status failed(struct archive *a, const char *path, struct error *e)
{
    const char *why = archive_error_string(a);
    return error_set(e, ERR_SYSTEM, AT_FILE(path), "cannot be packed: %s", why ? why : "no reason is known");
}

static enum status put(struct archive *a, const char *name, const char *bytes, size_t n, struct error *e)
{
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (int64_t)n);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, 0, 0);
    enum status s = OK;
    if (archive_write_header(a, entry) != ARCHIVE_OK || (n && archive_write_data(a, bytes, n) != (la_ssize_t)n))
        s = failed(a, name, e);
    archive_entry_free(entry);
    return s;
}

static enum status put_index(struct archive *a, const json_t *index, struct error *e)
{
    char *text = json_dumps(index, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    if (!text)
        return error_set(e, ERR_INPUT, NOWHERE, "the index of the pack has a text that is not UTF-8");
    enum status s = put(a, PACK_INDEX, text, strlen(text), e);
    free(text);
    return s;
}

static enum status put_all(struct archive *a, const json_t *index, const struct pack_members *m, struct error *e)
{
    struct str content = STR_INIT;
    enum status s = put_index(a, index, e);
    for (size_t i = 0; !s && i < m->list.n; i++) {
        s = file_read(&content, m->list.at[i].path, FILE_LIMIT, e);
        if (!s)
            s = put(a, m->list.at[i].name, str_text(&content), content.len, e);
    }
    str_release(&content);
    return s;
}

static la_ssize_t write_bytes(struct archive *a, void *to, const void *bytes, size_t n)
{
    if (fwrite(bytes, 1, n, ((struct outfile *)to)->f) == n)
        return (la_ssize_t)n;
    archive_set_error(a, errno, "%s", strerror(errno));
    return -1;
}

/* ustar, or pax if a size or name needs it; gzip without a time stamp. */
static enum status open_archive(struct archive *a, struct outfile *to, struct error *e)
{
    if (archive_write_set_format_pax_restricted(a) != ARCHIVE_OK || archive_write_add_filter_gzip(a) != ARCHIVE_OK ||
        archive_write_set_options(a, "gzip:!timestamp,gzip:compression-level=9") != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(a, 1) != ARCHIVE_OK || /* no padding after the end of the gzip file */
        archive_write_open(a, to, 0, write_bytes, 0) != ARCHIVE_OK)
        return failed(a, to->path, e);
    return OK;
}

enum status pack_write(const char *path, json_t *index, struct pack_members *members, struct error *e)
{
    struct outfile to = {0};
    if (members->list.n)
        qsort(members->list.at, members->list.n, sizeof *members->list.at, by_name);
    enum status s = check_names(members, e);
    if (!s)
        s = describe(index, members, e);
    if (!s)
        s = outfile_open(&to, path, e);
    if (s)
        return s;
    struct archive *a = archive_write_new();
    s = open_archive(a, &to, e);
    if (!s)
        s = put_all(a, index, members, e);
    if (!s && archive_write_close(a) != ARCHIVE_OK)
        s = failed(a, path, e);
    archive_write_free(a);
    if (!s)
        s = outfile_commit(&to, e);
    outfile_abort(&to);
    return s;
}
