/* The annotation "interval": what is written is read again; which interval counts; what becomes of it when values come
 * from elsewhere. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shim-xml/shimxml.h"
#include "tests/unit/folder.h"

#define UNIT(name, id)                                                                                                 \
    "<MasterComponent name=\"" name "\" id=\"" id "\" masterType=\"PU\" arch=\"" name "\" pid=\"0\" nThread=\"1\" "    \
    "endian=\"LITTLE\"><CommonInstructionSet name=\"L\"><Instruction name=\"add\"><Performance>"                       \
    "<Pitch typical=\"1.0\"/><Latency typical=\"1.0\"/></Performance></Instruction></CommonInstructionSet>"            \
    "</MasterComponent>"
#define TWO_UNITS                                                                                                      \
    "<SystemConfiguration name=\"s\" shimVersion=\"1.0\"><ComponentSet name=\"T\">" UNIT("A", "MA")                    \
        UNIT("B", "MB") "</ComponentSet><ClockFrequency clockValue=\"1.0\"/></SystemConfiguration>"

static struct shimxml_doc *read_text(const char *text)
{
    struct shimxml_doc *d = 0;
    struct error e = ERROR_INIT;
    char *path = in_folder("s.xml");
    assert_int_equal(file_write(path, text, strlen(text), &e), OK);
    if (shimxml_read(&d, path, &e))
        fail_msg("%s", e.message);
    return d;
}

static const struct shimxml_interval all[] = {
    {SHIMXML_UNOPTIMISED, false, INFINITY, 0.9, 0.5, 2.5}, {SHIMXML_UNOPTIMISED, true, 3000, 0.9, 0.25, INFINITY},
    {SHIMXML_UNOPTIMISED, true, INFINITY, 0.8, 0.75, 1.5}, {SHIMXML_OPTIMISED, true, INFINITY, 0.9, 0, 4},
    {SHIMXML_ANY_CODE, false, 10, 0.9, 0.1, 10},
};
enum { N = sizeof all / sizeof *all };

static void reads_what_was_written(void **state)
{
    (void)state;
    struct shimxml_doc *d = read_text(TWO_UNITS);
    shimxml_set_intervals(d, all, N);
    char *text = shimxml_annotation(d, "interval");
    assert_string_equal(text, "1; unoptimised 0.9 0.5 2.5; unoptimised+events 0.9 0.25 - below 3000; "
                              "unoptimised+events 0.8 0.75 1.5; optimised+events 0.9 0 4; any 0.9 0.1 10 below 10");
    struct shimxml_interval *list;
    size_t n;
    assert_true(shimxml_intervals_read(&list, &n, text));
    assert_int_equal(n, N);
    for (size_t i = 0; i < N; i++)
        assert_true(list[i].code == all[i].code && list[i].events == all[i].events && list[i].below == all[i].below &&
                    list[i].level == all[i].level && list[i].low == all[i].low && list[i].high == all[i].high);
    free(list);
    free(text);
    shimxml_set_intervals(d, 0, 0);
    assert_null(shimxml_annotation(d, "interval"));
    shimxml_free(d);
}

/* One that cannot be read is found where it stands: at the processing instruction, or else at the root. */
static void tells_where_it_is_none(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        bool as_note;
        unsigned long line;
        const char *said;
    } rows[] = {
        {"", true, 1, "interval=\"1; any 0.9\": expected \"1; unoptimised 0.9 0.6 2.5"},
        {"<!-- a -->\n<?shimgen interval=\"few\"?>\n\n", false, 2, "interval=\"few\""},
        {"<!-- a -->\n<?shimgen fitted-interval=\"2\"?>\n\n", false, 2, "fitted-interval=\"2\""},
        {"<?shimgen interval=\"1; any 0.9 0.5 2\"?>\n", false, 0, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = xasprintf("%s%s", rows[i].before, TWO_UNITS);
        struct shimxml_doc *d = read_text(text);
        struct shimxml_findings f = {0};
        size_t found = 0;
        if (rows[i].as_note)
            shimxml_annotate(d, "interval", "1; any 0.9");
        shimxml_check(d, &f);
        for (size_t k = 0; k < f.n; k++)
            if (strcmp(f.at[k].rule, "interval") == 0) {
                found++;
                if (!rows[i].said || f.at[k].line != rows[i].line || !strstr(f.at[k].text, rows[i].said))
                    fail_msg("row %zu: line %lu: %s", i, f.at[k].line, f.at[k].text);
            }
        assert_int_equal(found, rows[i].said != NULL);
        shimxml_findings_release(&f);
        shimxml_free(d);
        free(text);
    }
}

/* An interval may be one number. */
static void takes_what_is_one(void **state)
{
    (void)state;
    struct shimxml_interval *list;
    size_t n;
    assert_true(shimxml_intervals_read(&list, &n, "1; any 0.9 2 2"));
    assert_true(n == 1 && list->low == 2 && list->high == 2 && isinf(list->below));
    free(list);
}

static void refuses_what_is_none(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "1",
                                      "1;",
                                      "2; any 0.9 0.5 2",
                                      "any 0.9 0.5 2",
                                      "1; any 0.9 0.5",
                                      "1; any 0.9 0.5 2 below",
                                      "1; any 0.9 0.5 2 above 7",
                                      "1; any 0.9 0.5 2 below x",
                                      "1; any 1.5 0.5 2",
                                      "1; any 0 0.5 2",
                                      "1; any 0.9 2 0.5",
                                      "1; any 0.9 -1 2",
                                      "1; any 0.9 nan 2",
                                      "1; any 0.9 0.5 inf",
                                      "1; any 0.9x 0.5 2",
                                      "1; any 0.9 0.5 2x",
                                      "1; any 1 0.5 2",
                                      "1; any 0.9 1.0001 1",
                                      "1; any+misses 0.9 0.5 2",
                                      "1; fast 0.9 0.5 2",
                                      "1; any 0.9 0.5 2 below 3 4",
                                      "1; any 0.9 0.5 2; any"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct shimxml_interval *list;
        size_t n;
        if (shimxml_intervals_read(&list, &n, bad[i]))
            fail_msg("taken: %s", bad[i]);
        assert_true(!list && !n);
    }
}

/* No width is a width. */
static void one_value_is_an_interval(void **state)
{
    (void)state;
    struct shimxml_interval *list;
    size_t n;
    assert_true(shimxml_intervals_read(&list, &n, "1; any 0.9 1 1"));
    assert_true(n == 1 && list->low == 1 && list->high == 1 && list->level == 0.9);
    free(list);
}

static void finds_the_one_that_counts(void **state)
{
    (void)state;
    assert_ptr_equal(shimxml_interval_of(all, N, SHIMXML_UNOPTIMISED, false, 5000), &all[0]);
    assert_ptr_equal(shimxml_interval_of(all, N, SHIMXML_UNOPTIMISED, true, 5000), &all[2]);
    assert_ptr_equal(shimxml_interval_of(all, N, SHIMXML_UNOPTIMISED, true, 2999), &all[1]);
    assert_ptr_equal(shimxml_interval_of(all, N, SHIMXML_UNOPTIMISED, true, 3000), &all[2]);
    assert_ptr_equal(shimxml_interval_of(all, N, SHIMXML_UNOPTIMISED, true, 9), &all[4]);
    assert_null(shimxml_interval_of(all, N, SHIMXML_OPTIMISED, false, 5000));
    assert_ptr_equal(shimxml_interval_widest(all, N, SHIMXML_OPTIMISED, 5000), &all[3]);
    assert_ptr_equal(shimxml_interval_widest(all, N, SHIMXML_UNOPTIMISED, 5000), &all[0]);
    assert_null(shimxml_interval_widest(all, 3, SHIMXML_OPTIMISED, 5000));
    /* the width is high / low: 4 against 3.3 */
    static const struct shimxml_interval two[] = {{SHIMXML_ANY_CODE, false, INFINITY, 0.9, 0.5, 2},
                                                  {SHIMXML_ANY_CODE, false, INFINITY, 0.9, 0.9, 3}};
    assert_ptr_equal(shimxml_interval_widest(two, 2, SHIMXML_OPTIMISED, 5000), &two[0]);
}

#define MODEL(variables, interval)                                                                                     \
    "{\"format\": \"regress-model\", \"version\": 1, \"solver\": {\"name\": \"nnls\"}, \"data\": {\"name\": \"d\", "   \
    "\"hash\": \"fnv1a64:0\"}, \"classes\": {\"name\": \"c\", \"rules\": [{\"glob\": \"*\", \"variable\": \"x\"}]}, "  \
    "\"variables\": [{\"name\": \"x\", \"value\": 1, \"low\": 1, \"high\": 1, \"count\": 9, \"rows\": 2}" variables    \
    "], \"keys\": [], \"interval\": " interval "}"
#define TERM ", {\"name\": \"misses\", \"value\": 1, \"low\": 1, \"high\": 1, \"count\": 9, \"rows\": 2}"
#define WIDE "{\"level\": 0.9, \"error_low\": -0.75, \"error_high\": 1}"

/* What the document says after the model was merged into the units called so (NULL: all). */
static char *merged(struct shimxml_doc *d, const char *model, const char *name)
{
    struct error e = ERROR_INIT;
    char *path = in_folder("model.json");
    assert_int_equal(file_write(path, model, strlen(model), &e), OK);
    if (shimxml_merge(d, path, &(struct shimxml_units){.name = name}, &e))
        fail_msg("%s", e.message);
    return shimxml_annotation(d, "interval");
}

static void check_merged(struct shimxml_doc *d, const char *model, const char *name, const char *expected)
{
    char *text = merged(d, model, name);
    if (!expected)
        assert_null(text);
    else
        assert_string_equal(text, expected);
    free(text);
}

#define BOTH(high, low)                                                                                                \
    "{\"level\": 0.9, \"error_low\": -0.6, \"error_high\": 1, \"unoptimised\": {\"level\": 0.9, \"error_low\": " low   \
    ", \"error_high\": " high "}, \"optimised\": {\"level\": 0.9, \"error_low\": -0.75, \"error_high\": 1}}"

static void merge_brings_the_models(void **state)
{
    (void)state;
    struct shimxml_doc *d = read_text(TWO_UNITS);
    check_merged(d, MODEL("", WIDE), 0, "1; any 0.9 0.5 4");
    /* another for one of two: what holds for either */
    check_merged(d, MODEL("", "{\"level\": 0.8, \"error_low\": -0.5, \"error_high\": 3}"), "A", "1; any 0.8 0.25 4");
    check_merged(d, MODEL("", "null"), "B", 0);
    check_merged(d, MODEL("", WIDE), "B", 0); /* nothing is known of A's */
    check_merged(d, MODEL("", WIDE), 0, "1; any 0.9 0.5 4");
    /* what holds for both holds below the lower line */
    shimxml_set_intervals(d, &all[4], 1);
    check_merged(d, MODEL("", WIDE), "A", "1; any 0.9 0.1 10 below 10");
    /* of single kinds of code: what is for any code is for these too */
    shimxml_set_intervals(d, &all[3], 1);
    check_merged(d, MODEL("", WIDE), "A", "1; optimised+events 0.9 0 4");
    shimxml_set_intervals(d, &all[3], 2);
    check_merged(d, MODEL("", WIDE), "A",
                 "1; optimised+events 0.9 0.1 10 below 10; optimised+events 0.9 0 4; any 0.9 0.1 10 below 10");
    /* short runs apart, and no misses: as long as the other one for all runs, for estimates with and without them */
    static const struct shimxml_interval runs[] = {{SHIMXML_OPTIMISED, false, 3000, 0.9, 0.25, 6},
                                                   {SHIMXML_OPTIMISED, false, INFINITY, 0.9, 0.8, 1.5}};
    shimxml_set_intervals(d, runs, 2);
    check_merged(d, MODEL("", BOTH("1", "-0.2")), "A",
                 "1; optimised 0.9 0.25 6 below 3000; optimised 0.9 0.5 4; optimised+events 0.9 0.25 6 below 3000; "
                 "optimised+events 0.9 0.5 4");
    shimxml_set_intervals(d, &all[0], 1);
    check_merged(d, MODEL("", "{\"level\": 0.9, \"error_low\": -0.5, \"error_high\": 1}"), "A",
                 "1; unoptimised 0.9 0.5 2.5");
    shimxml_annotate(d, "interval", "1; any 0.9 0.5 2 below 10");
    check_merged(d, MODEL("", WIDE), "A", "1; any 0.9 0.5 4 below 10");
    check_merged(d, MODEL("", WIDE), 0, "1; any 0.9 0.5 4");
    /* of both kinds of code: with and without misses, which have no part in such sums; joined kind by kind */
    check_merged(
        d, MODEL("", BOTH("0.25", "-0.5")), 0,
        "1; unoptimised 0.9 0.8 2; unoptimised+events 0.9 0.8 2; optimised 0.9 0.5 4; optimised+events 0.9 0.5 4");
    check_merged(
        d, MODEL("", BOTH("1", "-0.2")), "A",
        "1; unoptimised 0.9 0.5 2; unoptimised+events 0.9 0.5 2; optimised 0.9 0.5 4; optimised+events 0.9 0.5 4");
    check_merged(
        d, MODEL("", WIDE), "A",
        "1; unoptimised 0.9 0.5 4; unoptimised+events 0.9 0.5 4; optimised 0.9 0.5 4; optimised+events 0.9 0.5 4");
    check_merged(d, MODEL("", WIDE), 0, "1; any 0.9 0.5 4");
    /* a term that no SHIM file has: the errors are not those of its estimates */
    check_merged(d, MODEL(TERM, WIDE), 0, 0);
    shimxml_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_was_written),   cmocka_unit_test(takes_what_is_one),
        cmocka_unit_test(tells_where_it_is_none),   cmocka_unit_test(refuses_what_is_none),
        cmocka_unit_test(one_value_is_an_interval), cmocka_unit_test(finds_the_one_that_counts),
        cmocka_unit_test(merge_brings_the_models),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
