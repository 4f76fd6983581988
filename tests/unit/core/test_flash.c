/* The flash of a microcontroller with 3 wait states and lines of 16 bytes. What is waited for follows from when a
 * read can begin and that it takes 1 + 3 cycles. */
#include "tests/unit/core/core_fixture.h"

#include "sim/core/flash.h"

static struct iss_flash *make(struct iss_model *m, int64_t prefetch, int64_t lines, int64_t data_lines)
{
    static struct iss_flash f;
    m->flash.wait_states = 3;
    m->flash.bytes = 16;
    m->flash.prefetch = prefetch;
    m->flash.lines = lines;
    m->flash.data_lines = data_lines;
    iss_flash_init(&f, m);
    return &f;
}

static void test_plain(void **state)
{
    (void)state;
    struct iss_model m = {.flash = {0}};
    struct iss_flash *f = make(&m, 0, 0, 0);
    assert_int_equal(iss_flash_fetch(f, 0x100, 10), 3); /* there in 13 */
    assert_int_equal(iss_flash_fetch(f, 0x10c, 14), 0); /* the same line */
    assert_int_equal(iss_flash_fetch(f, 0x110, 14), 3); /* the read before ended with 13 */
    assert_int_equal(iss_flash_fetch(f, 0x100, 18), 3); /* nothing remembers it */
    assert_int_equal(iss_flash_load(f, 0x200, 19), 6);  /* the port is taken until 21: read from 22 on, there in 25 */
}

static void test_prefetch(void **state)
{
    (void)state;
    struct iss_model m = {.flash = {0}};
    struct iss_flash *f = make(&m, 1, 0, 0);
    assert_int_equal(iss_flash_fetch(f, 0x100, 10), 3); /* there in 13; 0x110 is read from 14 on and there in 17 */
    assert_int_equal(iss_flash_fetch(f, 0x110, 15), 2); /* 0x120: from 18 on, there in 21 */
    assert_int_equal(iss_flash_fetch(f, 0x120, 30), 0); /* 0x130: 31 to 34 */
    assert_int_equal(iss_flash_fetch(f, 0x200, 32), 6); /* that is finished first: 35 to 38 */
}

static void test_cache(void **state)
{
    (void)state;
    struct iss_model m = {.flash = {0}};
    struct iss_flash *f = make(&m, 0, 2, 1);
    assert_int_equal(iss_flash_fetch(f, 0x100, 100), 3);
    assert_int_equal(iss_flash_fetch(f, 0x200, 200), 3);
    assert_int_equal(iss_flash_fetch(f, 0x100, 300), 0);
    assert_int_equal(iss_flash_fetch(f, 0x300, 400), 3); /* instead of 0x200 */
    assert_int_equal(iss_flash_fetch(f, 0x100, 500), 0);
    assert_int_equal(iss_flash_fetch(f, 0x200, 600), 3);
    assert_int_equal(iss_flash_load(f, 0x100, 700), 3); /* constants have lines of their own */
    assert_int_equal(iss_flash_load(f, 0x10c, 800), 0);
    iss_flash_reset(f);
    assert_int_equal(iss_flash_load(f, 0x10c, 900), 3);
    assert_int_equal(iss_flash_fetch(f, 0x200, 1000), 3);
}

static void test_none(void **state)
{
    (void)state;
    struct iss_model m = {.flash = {0}};
    struct iss_flash *f = make(&m, 1, 2, 2);
    m.flash.wait_states = 0;
    assert_int_equal(iss_flash_fetch(f, 0x100, 10), 0);
    assert_int_equal(iss_flash_load(f, 0x100, 10), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_prefetch),
                                       cmocka_unit_test(test_cache), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
