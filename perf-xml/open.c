/* open.c - opens a profile of any kind; its first byte tells performance XML from .cubex. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "perf-xml/cubex/cubex.h"
#include "perf-xml/document/document.h"

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

enum status perf_read(const char *path, struct perf_sink *to, struct error *e)
{
    errno = 0;
    gzFile f = opened(path);
    if (!f)
        return error_errno(e, AT_FILE(path), "cannot be opened");
    gzbuffer(f, 1 << 17);
    int first = gzgetc(f);
    enum status s;
    if (first < 0)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is nothing to read: it is empty, damaged, or a folder");
    else if (gzungetc(first, f) < 0)
        s = error_set(e, ERR_SYSTEM, AT_FILE(path), "zlib cannot read it");
    else if (first == '<' || first == 0xef)
        s = document_read(f, path, to, e);
    else
        s = cubex_read(f, path, to, e);
    if (gzclose(f) == Z_BUF_ERROR && !s)
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "the file is cut off: its last bytes, which gzip ends with, are not there");
    return s;
}
