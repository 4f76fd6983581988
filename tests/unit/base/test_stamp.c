/* test_stamp.c - a stamp tells changed inputs from damaged files, and names the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/stamp.h"

static char *folder;

static char *put(const char *name, const char *text)
{
    struct error e = ERROR_INIT;
    char *path = path_join(folder, name);
    assert_int_equal(file_write(path, text, strlen(text), &e), OK);
    return path;
}

static void tells_inputs_from_damage(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    char *a = put("a", "one"), *b = put("b", "two"), *none = path_join(folder, "none"), *stamp = path_join(folder, "s");
    struct stamp_made made[] = {stamp_made_of(a), stamp_made_of(b), stamp_made_of(none)};
    const char *damaged = "untouched";
    assert_int_equal(stamp_check(stamp, 7, made, 3, &damaged), STAMP_STALE);
    assert_int_equal(stamp_write(stamp, 7, made, 3, &e), OK);
    assert_int_equal(stamp_check(stamp, 7, made, 3, &damaged), STAMP_FRESH);
    assert_int_equal(stamp_check(stamp, 8, made, 3, &damaged), STAMP_STALE);
    assert_string_equal(damaged, "untouched");
    free(put("b", "twp"));
    made[1] = stamp_made_of(b);
    assert_int_equal(stamp_check(stamp, 7, made, 3, &damaged), STAMP_DAMAGED);
    assert_string_equal(damaged, "b");
    assert_int_equal(stamp_check(stamp, 8, made, 3, &damaged), STAMP_STALE);
    free(put("b", "two"));
    free(put("none", "")); /* what the step did not make is there */
    made[1] = stamp_made_of(b);
    made[2] = stamp_made_of(none);
    assert_int_equal(stamp_check(stamp, 7, made, 3, &damaged), STAMP_DAMAGED);
    assert_string_equal(damaged, "none");
    unlink(none);
    unlink(a);
    made[0] = stamp_made_of(a);
    made[2] = stamp_made_of(none);
    assert_int_equal(stamp_check(stamp, 7, made, 3, &damaged), STAMP_DAMAGED);
    assert_string_equal(damaged, "a");
    free(a);
    free(b);
    free(none);
    free(stamp);
}

/* The stamp itself, cut at every byte, with every byte changed, with one more: never fresh. */
static void a_damaged_stamp_holds_nothing(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    char *a = put("a", "one"), *stamp = path_join(folder, "s");
    const struct stamp_made made = stamp_made_of(a);
    assert_int_equal(stamp_write(stamp, 7, &made, 1, &e), OK);
    assert_int_equal(file_read(&text, stamp, 1000, &e), OK);
    for (size_t n = 0; n < text.len; n++) {
        assert_int_equal(file_write(stamp, str_text(&text), n, &e), OK);
        assert_int_not_equal(stamp_check(stamp, 7, &made, 1, NULL), STAMP_FRESH);
    }
    for (size_t n = 0; n < text.len; n++) {
        text.s[n] ^= 1;
        assert_int_equal(file_write(stamp, str_text(&text), text.len, &e), OK);
        assert_int_not_equal(stamp_check(stamp, 7, &made, 1, NULL), STAMP_FRESH);
        text.s[n] ^= 1;
    }
    str_add(&text, "0");
    assert_int_equal(file_write(stamp, str_text(&text), text.len, &e), OK);
    assert_int_not_equal(stamp_check(stamp, 7, &made, 1, NULL), STAMP_FRESH);
    str_release(&text);
    free(a);
    free(stamp);
}

int main(void)
{
    struct error e = ERROR_INIT;
    cleanup_install();
    if (temp_directory(&folder, "test-stamp", &e))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(tells_inputs_from_damage),
                                       cmocka_unit_test(a_damaged_stamp_holds_nothing)};
    int failed = cmocka_run_group_tests(tests, 0, 0);
    free(folder);
    return failed;
}
