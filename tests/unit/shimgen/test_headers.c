/* test_headers.c - tests of shimgen/units/headers.c: what a source included, by the compiler's list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/units/headers.h"
#include "tests/unit/folder.h"

static void put(const char *name, const char *text)
{
    char *path = path_join(folder, name);
    assert_int_equal(file_write(path, text, strlen(text), 0), OK);
    free(path);
}

static void take(const char *name)
{
    char *path = path_join(folder, name);
    assert_int_equal(unlink(path), 0);
    free(path);
}

static uint64_t of_list(void)
{
    uint64_t hash = 1;
    char *path = path_join(folder, "x.d");
    headers_hash(&hash, path);
    free(path);
    return hash;
}

/* As clang writes it for "two words.h" and "a$b.h". */
static void list(void)
{
    char *text = xasprintf("x.bc: %s/x.c \\\n  %s/a.h %s/two\\ words.h \\\n  %s/a$$b.h /gone/from/here/shim_region.h\n",
                           folder, folder, folder, folder);
    put("x.d", text);
    free(text);
}

static void changes_with_each_header(void **state)
{
    (void)state;
    static const char *const names[] = {"a.h", "two words.h", "a$b.h"};
    for (size_t i = 0; i < 3; i++)
        put(names[i], "1");
    put("x.c", "1");
    list();
    uint64_t before = of_list();
    put("x.c", "2");
    assert_true(of_list() == before); /* the source is not a header */
    for (size_t i = 0; i < 3; i++) {
        put(names[i], "2");
        assert_true(of_list() != before);
        take(names[i]);
        assert_true(of_list() != before);
        put(names[i], "1");
        assert_true(of_list() == before);
    }
}

static void nothing_without_headers(void **state)
{
    (void)state;
    static const char *const texts[] = {"",   "x.bc",     "x.bc:",          "x.bc: ", "x.bc: /gone/x.c",
                                        "\\", "x.bc: \\", "x.bc: x.c \\\n", "\n:\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put("x.d", texts[i]);
        assert_true(of_list() == 1);
    }
    take("x.d");
    assert_true(of_list() == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_with_each_header),
                                       cmocka_unit_test(nothing_without_headers)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
