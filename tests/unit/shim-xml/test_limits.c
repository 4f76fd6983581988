/* Files made to cost time or memory, or to write to the terminal; and the rules that test_check.c leaves out. The sizes
 * are such that anything quadratic would exceed the test's time limit by far. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"
#include "shim-xml/document/text.h"
#include "tests/unit/folder.h"

enum { MANY = 100000 };

static char *path;

static int set_up(void **state)
{
    if (make_folder(state))
        return 1;
    path = in_folder("f.xml");
    return 0;
}

#define HEAD "<SystemConfiguration name=\"s\" shimVersion=\"1.0\"><ComponentSet name=\"T\">"
#define FOOT "</ComponentSet><ClockFrequency clockValue=\"1e9\"/></SystemConfiguration>"
#define SPACES                                                                                                         \
    "</ComponentSet><AddressSpaceSet><AddressSpace name=\"A\" id=\"A\">"                                               \
    "%s</AddressSpace></AddressSpaceSet><ClockFrequency clockValue=\"1e9\"/></SystemConfiguration>"

static struct shimxml_doc *read_text(const char *text, size_t n)
{
    struct shimxml_doc *d = 0;
    struct error e = ERROR_INIT;
    assert_int_equal(file_write(path, text, n, 0), OK);
    if (shimxml_read(&d, path, &e))
        fail_msg("refused: %s", e.message);
    return d;
}

static struct shimxml_doc *read_str(struct str *text)
{
    struct shimxml_doc *d = read_text(text->s, text->len);
    str_release(text);
    return d;
}

static void equal_to_itself(const struct shimxml_doc *d, size_t numbers)
{
    struct shimxml_comparison c;
    assert_int_equal(shimxml_diff(&c, d, d, 0, 0), OK);
    assert_int_equal(c.n, 0);
    assert_int_equal(c.compared, numbers);
    shimxml_comparison_release(&c);
}

static void equal_siblings(void **state)
{
    (void)state;
    struct str text = STR_INIT;
    str_add(&text, HEAD);
    for (size_t i = 0; i < MANY; i++)
        str_add(&text, "<ComponentSet name=\"a\"/>");
    str_add(&text, FOOT);
    struct shimxml_doc *d = read_str(&text);
    equal_to_itself(d, 1); /* the clock */
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    assert_int_equal(f.warnings, MANY - 1); /* all counted, a thousand listed */
    assert_int_equal(f.n, SHIMXML_LISTED);
    assert_int_equal(f.omitted, MANY - 1 - SHIMXML_LISTED);
    assert_string_equal(f.at[0].rule, "doubled-name");
    char *last = 0;
    for (size_t i = 0; i < f.n; i++)
        if (strstr(f.at[i].path, "ComponentSet[1001]"))
            last = f.at[i].path;
    assert_string_equal(last, "/SystemConfiguration/ComponentSet/ComponentSet[1001]");
    shimxml_findings_release(&f);
    shimxml_free(d);
}

static void overlapping_ranges(void **state)
{
    (void)state;
    struct str spaces = STR_INIT;
    for (size_t i = 0; i < MANY; i++)
        str_addf(&spaces, "<SubSpace name=\"s%zu\" id=\"i%zu\" start=\"%zu\" end=\"%d\"/>", i, i, i, MANY);
    char *text = xasprintf(HEAD SPACES, str_text(&spaces));
    struct shimxml_doc *d = read_text(text, strlen(text));
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    assert_int_equal(f.warnings, MANY - 1);
    assert_int_equal(f.errors, 0);
    shimxml_findings_release(&f);
    shimxml_free(d);
    free(text);
    str_release(&spaces);
}

static size_t overlaps(const char *ranges)
{
    char *text = xasprintf(HEAD SPACES, ranges);
    struct shimxml_doc *d = read_text(text, strlen(text));
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    size_t n = 0;
    for (size_t i = 0; i < f.n; i++)
        n += strcmp(f.at[i].rule, "overlapping-ranges") == 0;
    shimxml_findings_release(&f);
    shimxml_free(d);
    free(text);
    return n;
}

#define SUB(name, start, end) "<SubSpace name=\"" name "\" id=\"" name "\" start=\"" start "\" end=\"" end "\"/>"

static void what_overlaps(void **state)
{
    (void)state;
    assert_int_equal(overlaps(SUB("a", "0", "9") SUB("b", "10", "19")), 0);  /* inclusive */
    assert_int_equal(overlaps(SUB("a", "0", "10") SUB("b", "10", "20")), 0); /* exclusive */
    assert_int_equal(overlaps(SUB("a", "0", "11") SUB("b", "10", "20")), 1);
    assert_int_equal(overlaps(SUB("b", "10", "20") SUB("a", "0", "11")), 1); /* any order in the file */
    assert_int_equal(overlaps(SUB("a", "0", "100") SUB("b", "1", "2") SUB("c", "50", "60")), 2);
    assert_int_equal(overlaps(SUB("a", "0", "9") SUB("b", "-16", "-1")), 0); /* the upper half */
    assert_int_equal(overlaps(SUB("a", "9223372036854775807", "-9") SUB("b", "-16", "-1")), 1);
}

static void long_rings_and_chains(void **state)
{
    (void)state;
    for (int ring = 0; ring < 2; ring++) {
        struct str text = STR_INIT;
        str_add(&text, HEAD);
        for (size_t i = 0; i < MANY; i++) {
            str_addf(&text,
                     "<Cache name=\"c%zu\" id=\"c%zu\" cacheType=\"DATA\" cacheCoherency=\"HARD\" size=\"1\" "
                     "sizeUnit=\"B\">",
                     i, i);
            if (ring || i + 1 < MANY)
                str_addf(&text, "<cacheRef>c%zu</cacheRef>", (i + 1) % MANY);
            str_add(&text, "</Cache>");
        }
        str_add(&text, FOOT);
        struct shimxml_doc *d = read_str(&text);
        struct shimxml_findings f = {0};
        struct shimxml_system *s = 0;
        shimxml_check(d, &f);
        assert_int_equal(f.errors, ring);
        shimxml_findings_release(&f);
        assert_int_equal(shimxml_system(&s, d, 0), OK);
        assert_int_equal(s->caches[0].level, MANY); /* the reference that closes the ring counts for nothing */
        shimxml_system_free(s);
        shimxml_free(d);
    }
}

/* Paths of this file would take 200 GB. */
static void long_names_deep_down(void **state)
{
    (void)state;
    struct str text = STR_INIT;
    char *name = xmalloc(1 << 20);
    memset(name, 'x', (1 << 20) - 1);
    name[(1 << 20) - 1] = 0;
    str_addf(&text, HEAD "<ComponentSet name=\"%s\">", name);
    for (size_t i = 0; i < MANY; i++)
        str_add(&text, "<ComponentSet name=\"a\"/>");
    str_add(&text, "</ComponentSet>" FOOT);
    free(name);
    struct shimxml_doc *d = read_str(&text);
    struct shimxml_comparison c;
    struct error e = ERROR_INIT;
    assert_int_equal(shimxml_diff(&c, d, d, 0, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "too large to be compared"));
    error_release(&e);
    shimxml_comparison_release(&c);
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    for (size_t i = 0; i < f.n; i++)
        assert_true(strlen(f.at[i].text) <= TEXT_LIMIT + 3 && strlen(f.at[i].path) < 1000);
    shimxml_findings_release(&f);
    shimxml_free(d);
}

static void diff_loses_nothing(void **state)
{
    (void)state;
    /* one name for two kinds of sibling; a '/' in a name; values that are no finite numbers */
    static const char a[] =
        HEAD "<ComponentSet name=\"A\"/><Cache name=\"A\" size=\"1\"/>"
             "<Cache name=\"B/C\" size=\"3\" nWay=\"NaN\"/><Cache name=\"B\"><x name=\"C\" size=\"4\"/>"
             "</Cache>" FOOT;
    static const struct {
        const char *from, *to;
        size_t differences;
    } changes[] = {{"NaN", "NaN", 0},
                   {"size=\"1\"", "size=\"2\"", 1},
                   {"size=\"3\"", "size=\"5\"", 1},
                   {"size=\"4\"", "size=\"6\"", 1},
                   {"NaN", "INF", 1},
                   {"<Cache name=\"A\" size=\"1\"/>", "", 1}}; /* the element, with all in it */
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const char *at = strstr(a, changes[i].from);
        char *b = xasprintf("%.*s%s%s", (int)(at - a), a, changes[i].to, at + strlen(changes[i].from));
        struct shimxml_doc *da = read_text(a, strlen(a)), *db = read_text(b, strlen(b));
        struct shimxml_comparison c;
        assert_int_equal(shimxml_diff(&c, da, db, 0, 0), OK);
        if (c.n != changes[i].differences)
            fail_msg("%s -> %s: %zu differences", changes[i].from, changes[i].to, c.n);
        shimxml_comparison_release(&c);
        shimxml_free(da);
        shimxml_free(db);
        free(b);
    }
}

static void encodings(void **state)
{
    (void)state;
    static const char latin[] = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a name=\"\xe4\"/>";
    static const char utf16[] = "\xff\xfe<\0a\0 \0n\0a\0m\0e\0=\0\"\0\xe4\0\"\0/\0>\0";
    const struct {
        const char *text;
        size_t n;
    } files[] = {{latin, sizeof latin - 1}, {utf16, sizeof utf16 - 1}};
    for (size_t i = 0; i < 2; i++) {
        struct shimxml_doc *d = read_text(files[i].text, files[i].n);
        assert_int_equal(shimxml_write(d, path, 0), OK);
        struct str out = STR_INIT;
        assert_int_equal(file_read(&out, path, FILE_LIMIT, 0), OK);
        assert_non_null(strstr(str_text(&out), "encoding=\"UTF-8\""));
        assert_non_null(strstr(str_text(&out), "<a name=\"\xc3\xa4\"/>"));
        str_release(&out);
        shimxml_free(d);
    }
    static const char nul[] = "<a>\0</a>";
    struct shimxml_doc *d = 0;
    assert_int_equal(file_write(path, nul, sizeof nul - 1, 0), OK);
    assert_int_equal(shimxml_read(&d, path, 0), ERR_INPUT);
}

static void printable(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t limit;
        const char *expected;
    } rows[] = {
        {"", 5, ""},
        {"abc", 3, "abc"},
        {"abcd", 3, "abc..."},
        {"a\n\x1b[31m\x7f", 99, "a??[31m?"},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 99, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"a\xc3\xa4", 2, "a..."},               /* not inside a character */
        {"\xc2\x9b", 99, "?"},                  /* a control character of C1 */
        {"\xc3", 99, "?"},                      /* cut */
        {"\xc0\x80\xed\xa0\x80", 99, "?????"},  /* too long a form; a surrogate */
        {"\xf5\x80\x80\x80", 99, "????"},       /* beyond the last */
        {"\xef\xbf\xbe\xef\xbf\xbf", 99, "??"}, /* in neither XML nor JSON */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = text_printable(rows[i].text, rows[i].limit);
        assert_string_equal(text, rows[i].expected);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_siblings),
        cmocka_unit_test(overlapping_ranges),
        cmocka_unit_test(what_overlaps),
        cmocka_unit_test(long_rings_and_chains),
        cmocka_unit_test(long_names_deep_down),
        cmocka_unit_test(diff_loses_nothing),
        cmocka_unit_test(encodings),
        cmocka_unit_test(printable),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
