/* Paths of sources: two spellings of one are equal; of two files of one name the folders decide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "shimgen/estimate/source_files.h"

static void assert_plain(const char *path, const char *plain)
{
    char *found = source_plain(path);
    assert_string_equal(found, plain);
    free(found);
}

static void test_plain(void **state)
{
    (void)state;
    assert_plain("/a/b.c", "/a/b.c");
    assert_plain("/a/./b.c", "/a/b.c");
    assert_plain("//a//x/../b.c", "/a/b.c");
    assert_plain("a/../../b.c", "../b.c");
    assert_plain("../../b.c", "../../b.c");
    assert_plain("/../b.c", "/../b.c");
    assert_plain("./b.c", "b.c");
    assert_plain("", "");
    assert_plain("/", "/");
}

static void test_common(void **state)
{
    (void)state;
    assert_int_equal(source_common("/x/a/util.c", "/y/a/util.c"), 2);
    assert_int_equal(source_common("/x/a/util.c", "/x/b/util.c"), 1);
    assert_int_equal(source_common("util.c", "/x/b/util.c"), 1);
    assert_int_equal(source_common("b/util.c", "/x/b/./util.c"), 2);
    assert_int_equal(source_common("/x/myutil.c", "/x/util.c"), 0);
    assert_int_equal(source_common("/x/util.c", "/y/other.c"), 0);
    assert_true(source_common("/x/util.c", "/x/util.c") > source_common("/y/util.c", "/x/util.c"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_common)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
