/* Traffic in profiles: bytes made by hand after docs/formats/profile.md, read, refused, written again, added. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "irprof/profile/traffic_section.h"
#include "tests/unit/irprof/made_profile.h"

static void place(struct str *b, uint64_t parent, uint64_t line, const char *file)
{
    le(b, parent, 4);
    le(b, line, 4);
    le(b, strlen(file), 4);
    str_add(b, file);
}

static void row(struct str *b, uint64_t writer, uint64_t bytes, uint64_t first, uint64_t second)
{
    le(b, writer, 4);
    le(b, 2, 4);
    le(b, bytes, 8);
    le(b, first, 4);
    le(b, second, 4);
}

/* Lines 7 and 9 of a.c, line 3 of b.c called from line 9. 7 wrote 40 bytes that 9 read, and b.c in the next step; b.c
 * wrote 8. */
static struct str made(uint64_t flaws)
{
    struct str b = STR_INIT;
    le(&b, flaws, 4);
    le(&b, 3, 4);
    le(&b, 2, 4);
    place(&b, 0, 7, "a.c");
    place(&b, 0, 9, "a.c");
    place(&b, 2, 3, "b.c");
    row(&b, 1, 40, 4, 7);
    row(&b, 3, 8, 2, 4);
    return b;
}

static const char *parsed(struct irprof_traffic **out, const char *bytes, size_t n, size_t *left)
{
    struct cursor c = {bytes, n};
    const char *wrong;
    *out = 0;
    wrong = traffic_read(out, &c);
    *left = c.left;
    return wrong;
}

static void what_it_says(void **state)
{
    (void)state;
    struct str b = made(2), again = STR_INIT;
    struct irprof_traffic *t;
    size_t left;
    assert_null(parsed(&t, b.s, b.len, &left));
    assert_int_equal(left, 0);
    assert_int_equal(t->flaws, IRPROF_TRAFFIC_FULL);
    assert_int_equal(t->n_places, 3);
    assert_int_equal(t->places[0].parent, IRPROF_NONE);
    assert_int_equal(t->places[2].parent, 1);
    assert_string_equal(t->places[2].file, "b.c");
    assert_int_equal(t->places[1].line, 9);
    assert_int_equal(t->n_rows, 2);
    assert_int_equal(t->rows[0].writer, 0);
    assert_int_equal(t->rows[0].bytes, 40);
    assert_int_equal(t->readers[0].place, 1);
    assert_false(t->readers[0].later);
    assert_int_equal(t->readers[1].place, 2);
    assert_true(t->readers[1].later);
    assert_int_equal(t->rows[1].first_reader, 2);
    traffic_format(&again, t);
    assert_int_equal(again.len, traffic_size(t));
    assert_int_equal(again.len, b.len);
    assert_memory_equal(again.s, b.s, b.len);
    traffic_free(t);
    str_release(&b);
    str_release(&again);
}

/* Cut anywhere it is refused; with a number beyond what there is too. */
static void refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        unsigned char value;
    } wrong[] = {{0, 4},  {4, 200},    {8, 200},       {12, 1},      {27 + 15, 3}, {57, 0},
                 {57, 4}, {57 + 4, 0}, {57 + 15, 255}, {57 + 16, 1}, {57 + 20, 8}};
    struct str b = made(0);
    struct irprof_traffic *t;
    size_t left;
    for (size_t n = 0; n < b.len; n++) {
        char *cut = xmemdup(b.s, n ? n : 1);
        assert_non_null(parsed(&t, cut, n, &left));
        traffic_free(t);
        free(cut);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char before = b.s[wrong[i].at];
        b.s[wrong[i].at] = (char)wrong[i].value;
        if (!parsed(&t, b.s, b.len, &left))
            fail_msg("byte %zu as %u is taken", wrong[i].at, wrong[i].value);
        traffic_free(t);
        b.s[wrong[i].at] = before;
    }
    b.s[26] = 0; /* in a file's name */
    assert_non_null(parsed(&t, b.s, b.len, &left));
    traffic_free(t);
    str_release(&b);
}

/* The same rows once, with the sum of their bytes; another run's places are found again. */
static void added(void **state)
{
    (void)state;
    struct str b = made(0), other = STR_INIT;
    struct irprof_traffic *sum = 0, *t, *second;
    size_t left;
    le(&other, 1, 4);
    le(&other, 2, 4);
    le(&other, 1, 4);
    place(&other, 0, 9, "a.c");
    place(&other, 0, 7, "a.c");
    row(&other, 2, 5, 2, 4);
    assert_null(parsed(&t, b.s, b.len, &left));
    assert_null(parsed(&second, other.s, other.len, &left));
    assert_true(traffic_add(&sum, 0));
    assert_null(sum);
    assert_true(traffic_add(&sum, t) && traffic_add(&sum, t) && traffic_add(&sum, second) && traffic_add(&sum, 0));
    assert_int_equal(sum->flaws, IRPROF_TRAFFIC_THREADS);
    assert_int_equal(sum->n_places, 3);
    assert_int_equal(sum->n_rows, 3);
    assert_int_equal(sum->n_readers, 6);
    assert_int_equal(sum->rows[0].bytes, 80);
    assert_int_equal(sum->rows[1].bytes, 16);
    assert_int_equal(sum->rows[2].bytes, 5);
    assert_int_equal(sum->places[sum->rows[2].writer].line, 7);
    assert_int_equal(sum->places[sum->readers[4].place].line, 9);
    t->rows[0].bytes = INT64_MAX;
    assert_false(traffic_add(&sum, t));
    traffic_free(sum);
    traffic_free(t);
    traffic_free(second);
    str_release(&b);
    str_release(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_it_says), cmocka_unit_test(refused),
                                       cmocka_unit_test(added)};
    return cmocka_run_group_tests(tests, 0, 0);
}
