/*
 * shim.c - the fuzz target of shim-xml. Whatever the bytes are, they are refused with a reason, or they are a document
 * that can be checked, written, read again as the same, compared, searched, asked what it describes, shown, merged,
 * exported, and converted to the other version of SHIM and back: a valid one to a valid one. Bytes that begin with '#'
 * are a latency table, which is imported into documents of both versions, those that begin with '[' the description of
 * a machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"
#include "tests/fuzz/fuzz.h"

enum file { DOCUMENT, TABLE, MODEL, OUTPUT };

static const char *where(enum file which)
{
    static char *paths[OUTPUT + 1];
    static const char *const names[] = {"f.xml", "f.csv", "m.json", "o"};
    if (!paths[which]) {
        static char *folder;
        struct error e = ERROR_INIT;
        cleanup_install();
        if (!folder && temp_directory(&folder, "fuzz-shim", &e))
            BUG("%s", e.message);
        paths[which] = path_join(folder, names[which]);
    }
    return paths[which];
}

static void put(enum file which, const void *bytes, size_t n)
{
    FILE *f = fopen(where(which), "wb");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f))
        BUG("%s cannot be written", where(which));
}

/* A refusal has a reason. Returns whether it was one. */
static bool refused(enum status s, struct error *e)
{
    if (s && (e->status != s || !e->message || !*e->message))
        BUG("refused without a reason");
    error_release(e);
    return s;
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
    struct shimxml_verdicts v;
    shimxml_check_readers(d, &v);
    shimxml_verdicts_release(&v);
    struct shimxml_system *s = 0;
    struct error e = ERROR_INIT;
    if (refused(shimxml_system(&s, d, &e), &e))
        return;
    for (size_t i = 0; i < s->n_cores; i++) {
        const struct shimxml_cache *c = 0;
        while ((c = shimxml_next_cache(s, i, c)))
            continue;
    }
    for (size_t i = 0; i < s->n_accesses; i++)
        if (s->accesses[i].core >= s->n_cores || s->accesses[i].memory >= s->n_memories ||
            (s->accesses[i].cache != SHIMXML_MEMORY && s->accesses[i].cache >= s->n_caches))
            BUG("an access leads nowhere");
    shimxml_system_free(s);
}

static void again(const struct shimxml_doc *d, size_t errors)
{
    struct shimxml_doc *b = 0;
    struct error e = ERROR_INIT;
    if (shimxml_write(d, where(DOCUMENT), &e) || shimxml_read(&b, where(DOCUMENT), &e))
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

/* ---- export, import ---- */

static void export_all(const struct shimxml_doc *d)
{
    static const char *const formats[] = {"json", "csv", "latency-csv", "latency-groups"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct error e = ERROR_INIT;
        refused(shimxml_export(d, formats[i], 0, where(OUTPUT), &e), &e);
    }
}

/* A table that was written is read, unless the document has values that no table may have; and then it has what it had.
 */
static void import_again(const struct shimxml_doc *d, const char *format, size_t errors)
{
    struct error e = ERROR_INIT;
    struct shimxml_doc *b = 0;
    if (refused(shimxml_export(d, format, 0, where(TABLE), &e), &e) || shimxml_write(d, where(DOCUMENT), 0) ||
        shimxml_read(&b, where(DOCUMENT), 0))
        return;
    if (refused(shimxml_import(b, where(TABLE), 0, &e), &e)) {
        shimxml_free(b);
        return;
    }
    if (!errors && check(b))
        BUG("exported and imported it has errors");
    shimxml_free(b);
}

/* ---- show, merge, describe ---- */

static void draw(const struct shimxml_doc *d)
{
    for (int fold = SHIMXML_FOLD_MANY; fold <= SHIMXML_FOLD_NONE; fold++) {
        char *svg = 0;
        struct shimxml_doc *drawing;
        struct error e = ERROR_INIT;
        if (refused(shimxml_draw(&svg, d, &(struct shimxml_drawing){.fold = (enum shimxml_fold)fold}, &e), &e))
            return;
        if (shimxml_parse(&drawing, svg, strlen(svg), "drawing", &e))
            BUG("the drawing is not well-formed: %s", e.message);
        shimxml_free(drawing);
        free(svg);
    }
}

static void look(const struct shimxml_doc *d)
{
    static const char *const kinds[] = {0, "Cache", "Instruction", "Performance", "Connection", "Accessor"};
    static const char *const formats[] = {"text", "json"};
    struct error e = ERROR_INIT;
    struct shimxml_verdicts v;
    draw(d);
    refused(shimxml_tree(d, where(OUTPUT), &e), &e);
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++)
        refused(shimxml_table(d, &(struct shimxml_table){.kind = kinds[i / 2], .format = formats[i % 2]}, where(OUTPUT),
                              &e),
                &e);
    shimxml_check_readers(d, &v);
    shimxml_verdicts_release(&v);
}

/* Into a copy of itself: right stays right. */
static void merge(const struct shimxml_doc *d, size_t errors)
{
    static const char *const by[] = {"name", "arch", "id"};
    struct error e = ERROR_INIT;
    struct shimxml_doc *b = 0;
    if (shimxml_write(d, where(DOCUMENT), 0) || shimxml_read(&b, where(DOCUMENT), 0))
        return;
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (!refused(shimxml_merge_shim(b, d, by[i], 0, &e), &e) && !errors && check(b))
            BUG("merged with itself by %s it has errors", by[i]);
    shimxml_free(b);
}

/* What is taken for a description gives a right document. */
static void fuzz_description(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct shimxml_doc *d;
    put(TABLE, data, size);
    if (refused(shimxml_describe(&d, where(TABLE), &e), &e))
        return;
    if (check(d))
        BUG("a description was taken that makes a wrong document");
    look(d);
    shimxml_free(d);
}

/* ---- the other version ---- */

static const char *other_version(const struct shimxml_doc *d)
{
    return shimxml_is(shimxml_root(d), "Shim") ? "1.0" : "2.0";
}

static void convert(const struct shimxml_doc *d, size_t errors, const char *model, int times)
{
    struct shimxml_doc *other = 0;
    struct shimxml_left_out left = {0};
    struct error e = ERROR_INIT;
    enum status s = shimxml_convert(&other, d, other_version(d), model, &left, &e);
    for (size_t i = 0; i < left.n; i++)
        if (!left.at[i].n || !*left.at[i].what)
            BUG("something is left out, and not said what");
    shimxml_left_out_release(&left);
    if (refused(s, &e))
        return;
    size_t wrong = check(other);
    if (!errors && wrong)
        BUG("as SHIM %s it has %zu errors", other_version(d), wrong);
    ask(other);
    again(other, wrong);
    export_all(other);
    if (times > 1)
        convert(other, wrong, 0, times - 1);
    shimxml_free(other);
}

/* A model with keys of several widths. */
static const char *model(void)
{
    static const char text[] =
        "{\"format\": \"regress-model\", \"version\": 1, \"classes\": {\"name\": \"c\", \"rules\": [{\"glob\": \"*\", "
        "\"variable\": \"v\"}]}, \"solver\": {\"name\": \"s\"}, \"data\": {\"hash\": \"h\"}, \"variables\": "
        "[{\"name\": "
        "\"v\", \"value\": 2, \"low\": 1, \"high\": 3, \"count\": 9, \"rows\": 9}], \"keys\": ["
        "{\"key\": \"add.i64\", \"variable\": \"v\", \"value\": 2, \"low\": 1, \"high\": 3, \"count\": 5}, "
        "{\"key\": \"add.v4i32_d\", \"variable\": \"v\", \"value\": 2, \"low\": 1, \"high\": 3, \"count\": 5}, "
        "{\"key\": \"load.ptr_d\", \"value\": 2, \"low\": 1, \"high\": 3, \"count\": 5}]}";
    static bool written;
    if (!written)
        put(MODEL, text, strlen(text));
    written = true;
    return where(MODEL);
}

/* ---- a document; a table ---- */

static void fuzz_document(const uint8_t *data, size_t size)
{
    struct shimxml_doc *d;
    struct error e = ERROR_INIT;
    if (refused(shimxml_parse(&d, (const char *)data, size, "fuzzed", &e), &e))
        return;
    size_t errors = check(d);
    ask(d);
    look(d);
    again(d, errors);
    merge(d, errors);
    export_all(d);
    import_again(d, "latency-csv", errors);
    import_again(d, "latency-groups", errors);
    convert(d, errors, size % 2 ? model() : 0, 2);
    shimxml_free(d);
}

static const char document[] =
    "<SystemConfiguration name=\"s\" shimVersion=\"1.0\"><ComponentSet name=\"T\"><MasterComponent name=\"P\" "
    "id=\"MC\" "
    "masterType=\"PU\" arch=\"a\"><CommonInstructionSet name=\"L\"><Instruction name=\"add\"><Performance><Pitch "
    "typical=\"1\"/><Latency "
    "typical=\"2\"/></Performance></Instruction></CommonInstructionSet><AccessTypeSet><AccessType "
    "name=\"A\" id=\"AT\"/></AccessTypeSet></MasterComponent></ComponentSet><ClockFrequency "
    "clockValue=\"1\"/></SystemConfiguration>";

static void import_into(struct shimxml_doc *d)
{
    struct error e = ERROR_INIT;
    if (refused(shimxml_import(d, where(TABLE), 0, &e), &e))
        return;
    if (check(d))
        BUG("a table was taken that makes the document wrong");
    again(d, 0);
    import_again(d, "latency-groups", 0);
}

static void fuzz_table(const uint8_t *data, size_t size)
{
    struct shimxml_doc *one, *two;
    put(TABLE, data, size);
    if (shimxml_parse(&one, document, strlen(document), "one", 0) || shimxml_convert(&two, one, "2.0", 0, 0, 0))
        BUG("no documents to import into");
    import_into(one);
    put(TABLE, data, size);
    import_into(two);
    shimxml_free(one);
    shimxml_free(two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && *data == '#')
        fuzz_table(data, size);
    else if (size && *data == '[')
        fuzz_description(data, size);
    else
        fuzz_document(data, size);
    return 0;
}
