/* open.c - opens a profile of any kind. The first bytes tell performance XML, .cubex and other texts apart. */
#include <errno.h>
#include <libxml/xmlstring.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "perf-xml/cubex/cubex.h"
#include "perf-xml/document/document.h"
#include "perf-xml/source/source.h"

static gzFile opened(const char *path)
{
    if (strcmp(path, "-") != 0)
        return gzopen(path, "rb");
    int copy = dup(STDIN_FILENO);
    gzFile f = copy < 0 ? 0 : gzdopen(copy, "rb");
    if (!f && copy >= 0)
        close(copy);
    return f;
}

enum { HEAD = 512 };

/* Reads the rest of a file, unpacked. */
static enum status all_of(struct str *text, gzFile f, const char *path, struct error *e)
{
    char room[1 << 14];
    int n;
    while ((n = gzread(f, room, sizeof room)) > 0) {
        str_addn(text, room, (size_t)n);
        if (text->len > FILE_LIMIT)
            return error_set(e, ERR_INPUT, AT_FILE(path), "it has more than %zu MiB", FILE_LIMIT >> 20);
    }
    return n < 0 ? error_set(e, ERR_INPUT, AT_FILE(path), "it cannot be read to its end: damaged or cut off") : OK;
}

/* Reads the first bytes and puts them back. Returns false if zlib cannot. */
static bool peek(gzFile f, char *head, int *n)
{
    *n = gzread(f, head, HEAD);
    for (int i = *n; i-- > 0;)
        if (gzungetc((unsigned char)head[i], f) < 0)
            return false;
    return true;
}

static enum status text_read(gzFile f, const char *path, struct perf_sink *to, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = all_of(&text, f, path, e);
    if (!s && !xmlCheckUTF8((const xmlChar *)str_text(&text)))
        s = error_set(e, ERR_INPUT, AT_FILE(path), "it is no UTF-8 text, nor a profile of another kind");
    if (!s)
        s = source_read(&text, path, to, e);
    str_release(&text);
    return s;
}

static bool is_document(const char *head)
{
    return *head == '<' || *head == (char)0xef;
}

/* A tar archive begins with a name that ends in a NUL. */
static enum status kind_read(gzFile f, const char *path, struct perf_sink *to, struct error *e)
{
    char head[HEAD];
    int n;
    if (!peek(f, head, &n))
        return error_set(e, ERR_SYSTEM, AT_FILE(path), "zlib cannot read it");
    if (n <= 0)
        return error_set(e, ERR_INPUT, AT_FILE(path), "there is nothing to read: it is empty, damaged, or a folder");
    if (is_document(head))
        return document_read(f, path, to, e);
    if (memchr(head, 0, (size_t)n))
        return cubex_read(f, path, to, e);
    return text_read(f, path, to, e);
}

enum status perf_read(const char *path, struct perf_sink *to, struct error *e)
{
    errno = 0;
    gzFile f = opened(path);
    if (!f)
        return error_errno(e, AT_FILE(path), "cannot be opened");
    gzbuffer(f, 1 << 17);
    enum status s = kind_read(f, path, to, e);
    if (gzclose(f) == Z_BUF_ERROR && !s)
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "the file is cut off: its last bytes, with which gzip ends, are missing");
    return s;
}

static enum status copy_of(gzFile f, char **copy, struct error *e)
{
    struct str text = STR_INIT;
    char *folder = 0;
    enum status s = all_of(&text, f, "-", e);
    if (!s)
        s = temp_directory(&folder, "perf-xml", e);
    if (!s) {
        *copy = path_join(folder, "standard-input");
        s = file_write(*copy, str_text(&text), text.len, e);
    }
    free(folder);
    str_release(&text);
    return s;
}

enum status perf_read_input(char **copy, struct perf_sink *to, struct error *e)
{
    gzFile f = opened("-");
    char head[HEAD] = "";
    int n = 0;
    *copy = 0;
    if (!f || !peek(f, head, &n)) {
        gzclose(f);
        return error_set(e, ERR_SYSTEM, AT_FILE("-"), "standard input cannot be read");
    }
    enum status s = to && n > 0 && is_document(head) ? document_read(f, "-", to, e) : copy_of(f, copy, e);
    gzclose(f);
    return s;
}
