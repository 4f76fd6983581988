/*
 * shim.c - the fuzz target of shim-xml: whatever the bytes are, they are refused with a reason, or they are a document
 * that can be checked, written, read again as the same, compared, searched, and asked what it describes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"
#include "tests/fuzz/fuzz.h"

static char *where(void)
{
    static char *path;
    if (!path) {
        char *folder;
        struct error e = ERROR_INIT;
        cleanup_install();
        if (temp_directory(&folder, "fuzz-shim", &e))
            BUG("%s", e.message);
        path = path_join(folder, "f.xml");
        free(folder);
    }
    return path;
}

static size_t check(const struct shimxml_doc *d)
{
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    if (f.n + f.omitted != f.errors + f.warnings + f.hints)
        BUG("%zu findings listed, %zu left out, of %zu", f.n, f.omitted, f.errors + f.warnings + f.hints);
    size_t errors = f.errors;
    for (size_t i = 0; i < f.n && i < 20; i++) { /* each is found where it is said to be; odd names have no path */
        struct shimxml_selection at = {0};
        if (!strpbrk(f.at[i].path, "?@='\" ") && !strstr(f.at[i].path, "...") &&
            shimxml_select(&at, d, f.at[i].path, 0))
            BUG("nothing is at %s", f.at[i].path);
        shimxml_selection_release(&at);
    }
    shimxml_findings_release(&f);
    return errors;
}

static void ask(const struct shimxml_doc *d)
{
    struct shimxml_system *s = 0;
    struct error e = ERROR_INIT;
    enum status status = shimxml_system(&s, d, &e);
    if (status && (e.status != status || !e.message || !*e.message))
        BUG("refused without a reason");
    for (size_t i = 0; !status && i < s->n_cores; i++) {
        const struct shimxml_cache *c = 0;
        while ((c = shimxml_next_cache(s, i, c)))
            continue;
    }
    shimxml_system_free(s);
    error_release(&e);
}

static void again(const struct shimxml_doc *d, size_t errors)
{
    struct shimxml_doc *b = 0;
    struct error e = ERROR_INIT;
    if (shimxml_write(d, where(), &e) || shimxml_read(&b, where(), &e))
        BUG("what was written cannot be read: %s", e.message);
    struct shimxml_comparison c;
    if (!shimxml_diff(&c, d, b, 0, 0)) {
        if (c.n)
            BUG("written and read it differs: %s, '%s' and '%s'", c.at[0].what, c.at[0].a ? c.at[0].a : "",
                c.at[0].b ? c.at[0].b : "");
        shimxml_comparison_release(&c);
    }
    if (!errors && check(b))
        BUG("written and read it has errors");
    shimxml_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct shimxml_doc *d;
    struct error e = ERROR_INIT;
    enum status s = shimxml_parse(&d, (const char *)data, size, "fuzzed", &e);
    if (s) {
        if (e.status != s || !e.message || !*e.message)
            BUG("refused without a reason");
        error_release(&e);
        return 0;
    }
    size_t errors = check(d);
    ask(d);
    again(d, errors);
    shimxml_free(d);
    return 0;
}
