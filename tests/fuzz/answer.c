/*
 * answer.c - the fuzz target of what a board answers over ssh: the first byte says which reader takes the rest: of the
 * first answer, of a launch's, of the small files, of the file that the measuring runtime wrote. Whatever the bytes
 * are, they are refused with a reason, or what comes out is whole.
 */
#include "boards/run/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "boards/measure/result.h"
#include "tests/fuzz/target.h"

#define MARK   "@m"
#define PREFIX "shimgen-0a"
#define NAME   "shimgen-0a-7-99"

static void fuzz_opening(const char *text)
{
    struct opening o;
    struct error e = ERROR_INIT;
    if (target_passed(opening_parse(&o, text, MARK, PREFIX, NAME, &e), &e)) {
        for (size_t i = 0; i < o.n_old; i++)
            if (o.old[i][0] != '/' || strstr(o.old[i], "/../") || !strstr(o.old[i], "/" PREFIX "-"))
                BUG("'%s' is no folder of ours", o.old[i]);
        if (!o.architecture || (o.folder && (o.folder[0] != '/' || strlen(o.folder) < sizeof NAME)))
            BUG("not whole");
    }
    opening_release(&o);
}

static void fuzz_ended(const char *text, size_t n)
{
    struct ended o;
    struct error e = ERROR_INIT;
    if (!target_passed(ended_parse(&o, text, n, MARK, &e), &e) || o.gone)
        return;
    if (o.result < text || o.messages + o.messages_size != text + n || o.exit_code < 0 || o.exit_code > 255)
        BUG("not what there is");
}

static void fuzz_files(char *text)
{
    struct small_file f;
    for (char *at = text; next_small_file(&f, &at, MARK);) {
        size_t n = strlen(f.path);
        if (strstr(f.path, "/../") || (n > 2 && strcmp(f.path + n - 3, "/..") == 0) || strstr(f.path, "//"))
            BUG("'%s' leaves its folder", f.path);
        free(xmemdup(f.text, f.size + 1));
    }
}

static void fuzz_result(const char *text, size_t n)
{
    struct error e = ERROR_INIT;
    struct run_result *r;
    char *path = target_file("result", text, n);
    if (target_passed(run_result_read(&r, path, &e), &e)) {
        for (size_t i = 0; i < r->regions.n; i++)
            for (size_t k = 0; k < r->events.n; k++)
                if (!(r->regions.at[i].raw[k] >= 0 && r->regions.at[i].raw[k] <= 0x1p53))
                    BUG("a value that cannot be");
        target_passed(run_result_check(r, "p", &e), &e);
        run_result_free(r);
    }
    free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const char *rest = (const char *)data + 1;
    char *text = xstrndup(rest, size - 1); /* ends where its memory ends */
    if (*data == 'o')
        fuzz_opening(text);
    else if (*data == 'e')
        fuzz_ended(text, strlen(text));
    else if (*data == 'f')
        fuzz_files(text);
    else
        fuzz_result(rest, size - 1);
    free(text);
    return 0;
}
