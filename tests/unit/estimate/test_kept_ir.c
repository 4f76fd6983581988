/* The IR that is kept beside a profile: copies in the order of the program, and nothing of an earlier one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/str.h"
#include "shimgen/estimate/kept_ir.h"
#include "tests/unit/folder.h"

static char *file_of(const char *name, const char *text)
{
    struct error e = ERROR_INIT;
    char *path = in_folder(name);
    assert_int_equal(file_write(path, text, strlen(text), &e), OK);
    return path;
}

static void file_is(const char *name, const char *expected)
{
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    assert_int_equal(file_read(&text, in_folder(name), FILE_LIMIT, &e), OK);
    assert_string_equal(str_text(&text), expected);
    str_release(&text);
}

static void copies_in_their_order(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    const char *profile = in_folder("p.prof");
    const char *const two[] = {file_of("z.bc", "first"), file_of("a.ll", "second"), 0}, *const one[] = {two[1], 0};
    assert_int_equal(kept_ir_write(profile, two, &e), OK);
    file_is("p.prof.ir/000.bc", "first");
    file_is("p.prof.ir/001.ll", "second");
    assert_false(file_exists(in_folder("p.prof.ir.new")));
    assert_int_equal(kept_ir_write(profile, one, &e), OK); /* in its place */
    file_is("p.prof.ir/000.ll", "second");
    assert_false(file_exists(in_folder("p.prof.ir/000.bc")) || file_exists(in_folder("p.prof.ir/001.ll")));
}

/* What was there before stays when a module cannot be read. */
static void nothing_by_halves(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    const char *profile = in_folder("q.prof");
    const char *const good[] = {file_of("g.bc", "good"), 0}, *const bad[] = {good[0], in_folder("nowhere.bc"), 0};
    assert_int_equal(kept_ir_write(profile, good, &e), OK);
    assert_int_not_equal(kept_ir_write(profile, bad, &e), OK);
    error_release(&e);
    file_is("q.prof.ir/000.bc", "good");
    assert_false(file_exists(in_folder("q.prof.ir/001.bc")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_in_their_order), cmocka_unit_test(nothing_by_halves)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
