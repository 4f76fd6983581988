/* Where a stream of performance data stands: the words of the place, and the unit that holds there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "perf-xml/perfxml.h"

static void enter(struct perf_place *p, enum perf_level level, uint64_t id, const char *name)
{
    perf_place_open(p, &(struct perf_group){.level = level, .id = id, .name = name});
}

static void place_is(const struct perf_place *p, const char *expected)
{
    char *text = perf_place_text(p);
    assert_string_equal(text, expected);
    free(text);
}

static void words_of_a_place(void **state)
{
    (void)state;
    struct perf_place p = {0};
    place_is(&p, "");
    enter(&p, PERF_PROCESS, 3, 0);
    enter(&p, PERF_THREAD, 0, 0);
    enter(&p, PERF_CATEGORY, 0, "metrics");
    enter(&p, PERF_ITEM, 0, "time");
    enter(&p, PERF_ITEM, 12, 0);
    place_is(&p, "process=3 thread=0 metrics time path=12");
    perf_place_close(&p);
    place_is(&p, "process=3 thread=0 metrics time");
    perf_place_release(&p);
    assert_int_equal(p.n, 0);
}

/* A unit holds for its item and what is in it, not for what is around or beside it. */
static void units_hold_inside(void **state)
{
    (void)state;
    struct perf_place p = {0};
    assert_string_equal(perf_place_unit(&p, "lost"), ""); /* nowhere */
    enter(&p, PERF_THREAD, 0, 0);
    enter(&p, PERF_ITEM, 0, "time");
    assert_string_equal(perf_place_unit(&p, 0), "");
    assert_string_equal(perf_place_unit(&p, "s"), "s");
    enter(&p, PERF_ITEM, 12, 0);
    assert_string_equal(perf_place_unit(&p, 0), "s");
    assert_string_equal(perf_place_unit(&p, "ms"), "ms");
    assert_string_equal(perf_place_unit(&p, 0), "ms");
    perf_place_close(&p);
    assert_string_equal(perf_place_unit(&p, 0), "s");
    enter(&p, PERF_ITEM, 13, 0);
    assert_string_equal(perf_place_unit(&p, 0), "s");
    perf_place_close(&p);
    perf_place_close(&p);
    enter(&p, PERF_ITEM, 0, "calls");
    assert_string_equal(perf_place_unit(&p, 0), "");
    perf_place_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_of_a_place), cmocka_unit_test(units_hold_inside)};
    return cmocka_run_group_tests(tests, 0, 0);
}
