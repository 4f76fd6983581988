/* test_map.c - tests of base/map.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/map.h"

static void numbers_in_order_of_insertion(void **state)
{
    (void)state;
    struct map m = {0};
    char key[32];
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < 5000; i++) {
            snprintf(key, sizeof key, "key%zu", i);
            assert_int_equal(map_number(&m, key), i);
        }
    }
    assert_int_equal(m.n, 5000);
    assert_string_equal(m.keys[4711], "key4711");
    size_t v = 0;
    map_put(&m, "key17", 99);
    assert_true(map_get(&m, "key17", &v) && v == 99);
    assert_int_equal(m.n, 5000);
    assert_false(map_get(&m, "nothing", &v));
    map_release(&m);
    assert_false(map_get(&m, "key17", &v));
}

/* Published test vectors of FNV-1a 64: "" and "a" and "foobar" (Fowler, Noll, Vo; Internet draft). */
static void hash_is_fnv1a(void **state)
{
    (void)state;
    assert_true(hash_bytes(HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(hash_bytes(HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(hash_bytes(HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(hash_text(hash_text(HASH_START, "ab"), "c") != hash_text(hash_text(HASH_START, "a"), "bc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_order_of_insertion),
        cmocka_unit_test(hash_is_fnv1a),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
