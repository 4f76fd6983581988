/* Paths of sources: two spellings of one are equal; of two files of one name the folders decide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "shimgen/estimate/source_files.h"
#include "tests/unit/folder.h"

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

/* Written at this time, to the nanosecond. */
static char *file_of(const char *name, const char *text, time_t seconds, long ns)
{
    char *path = in_folder(name);
    struct timespec times[2] = {{seconds, ns}, {seconds, ns}};
    assert_int_equal(file_write(path, text, strlen(text), 0), OK);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    return path;
}

static enum source_state state_of(const char *path, const char *profile, const char *checksum)
{
    enum source_state found = SOURCE_SAME;
    char *sum = (char *)checksum;
    struct irprof_profile p = {.path = (char *)profile, .checksums = &sum};
    assert_int_equal(source_compare(&found, &p, 0, path, 0), OK);
    return found;
}

/* By its checksum (MD5 of "abc": RFC 1321); without one, by when it was written and the profile, if both are there. */
static void test_states(void **state)
{
    (void)state;
    const char *a = file_of("a.c", "abc", 1000, 5), *later = file_of("later", "", 1000, 6);
    const char *same = file_of("same", "", 1000, 5), *before = file_of("before", "", 999, 7);
    assert_int_equal(state_of(a, same, "900150983cd24fb0d6963f7d28e17f72"), SOURCE_SAME);
    assert_int_equal(state_of(a, before, "900150983cd24fb0d6963f7d28e17f73"), SOURCE_CHANGED);
    assert_int_equal(state_of(a, before, ""), SOURCE_MIXED);
    assert_int_equal(state_of(a, before, 0), SOURCE_NEWER);
    assert_int_equal(state_of(later, a, 0), SOURCE_NEWER);
    assert_int_equal(state_of(a, same, 0), SOURCE_UNKNOWN);
    assert_int_equal(state_of(a, later, 0), SOURCE_UNKNOWN);
    assert_int_equal(state_of(before, a, 0), SOURCE_UNKNOWN);
    assert_int_equal(state_of(a, in_folder("nowhere"), 0), SOURCE_UNKNOWN);
    assert_int_equal(state_of(in_folder("nowhere"), a, 0), SOURCE_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_common),
                                       cmocka_unit_test(test_states)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
