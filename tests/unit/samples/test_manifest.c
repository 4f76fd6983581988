/* test_manifest.c - tests of samples/manifest.c: manifests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "samples/manifest.h"
#include "tests/unit/folder.h"

static void put(const char *name, const char *text)
{
    char *path = path_join(folder, name);
    char *slash = strrchr(path, '/');
    *slash = 0;
    assert_int_equal(make_directories(path, 0), OK);
    *slash = '/';
    assert_int_equal(file_write(path, text, strlen(text), 0), OK);
    free(path);
}

#define HEADER "program,domain,role,sources,work,stresses\n"

static void reads_all_sets(void **state)
{
    (void)state;
    put("a/one.c", "");
    put("a/two.c", "");
    put("a/manifest.csv", HEADER "one,dsp,train,one.c,100,adds\nboth,dsp,test,one.c two.c,5,adds\n");
    put("b/x.c", "");
    put("b/manifest.csv", HEADER "x,control,train,x.c,7,loads\n");
    struct samples s;
    assert_int_equal(samples_read(&s, folder, 0, 0), OK);
    assert_int_equal(s.n, 3);
    assert_string_equal(s.at[1].name, "a/both");
    assert_true(s.at[1].test);
    assert_int_equal(s.at[1].n_sources, 2);
    assert_ptr_equal(samples_find(&s, "b/x@O2"), &s.at[2]);
    assert_null(samples_find(&s, "b/xy@O2"));
    assert_null(samples_find(&s, "b/@O2"));
    /* one is taken out, and the others move up */
    assert_false(samples_take_out(&s, "a/on"));
    assert_true(samples_take_out(&s, "a/both"));
    assert_false(samples_take_out(&s, "a/both"));
    assert_int_equal(s.n, 2);
    assert_string_equal(s.at[0].name, "a/one");
    assert_string_equal(s.at[1].name, "b/x");
    assert_true(samples_take_out(&s, "b/x"));
    assert_int_equal(s.n, 1);
    samples_release(&s);
    assert_int_equal(samples_read(&s, folder, "b/*,a/o*", 0), OK);
    assert_int_equal(s.n, 2);
    samples_release(&s);
    assert_int_equal(samples_read(&s, folder, "nothing", 0), ERR_INPUT);
}

static void list_is(char *const *list, const char *const *wanted)
{
    for (; *wanted; wanted++, list++)
        assert_string_equal(*list, *wanted);
    assert_null(*list);
}

static void reads_how_it_is_compiled_and_called(void **state)
{
    (void)state;
    put("c/inc/own.h", "");
    put("c/x.c", "");
    put("c/manifest.csv", "program,domain,role,sources,work,include,define,arguments\n"
                          "x,c,train,x.c,7,inc . ,N=100 FAST,-n 3  in.txt\n"
                          "y,c,train,x.c,7,,,\n");
    struct samples s;
    assert_int_equal(samples_read(&s, folder, "c/*", 0), OK);
    char *inc = path_join(folder, "c/inc"), *here = path_join(folder, "c/.");
    list_is(s.at[0].includes, (const char *const[]){inc, here, 0});
    list_is(s.at[0].defines, (const char *const[]){"N=100", "FAST", 0});
    list_is(s.at[0].arguments, (const char *const[]){"-n", "3", "in.txt", 0});
    list_is(s.at[1].includes, (const char *const[]){0});
    list_is(s.at[1].defines, (const char *const[]){0});
    list_is(s.at[1].arguments, (const char *const[]){0});
    free(inc);
    free(here);
    samples_release(&s);
}

static void refused(const char *rows, unsigned long line, const char *part)
{
    struct samples s;
    struct error e = ERROR_INIT;
    put("b/manifest.csv", rows);
    assert_int_equal(samples_read(&s, folder, 0, &e), ERR_INPUT);
    assert_int_equal(e.line, line);
    if (!strstr(e.message, part))
        fail_msg("'%s' is not in '%s'", part, e.message);
    error_release(&e);
}

static void refuses_bad_manifests(void **state)
{
    (void)state;
    refused(HEADER "x,c,train,gone.c,7,l\n", 2, "gone.c");
    refused(HEADER "x,c,train,x.c,7,l\nx,c,train,x.c,7,l\n", 3, "twice");
    refused(HEADER "x,c,tested,x.c,7,l\n", 2, "train or test");
    refused("program,domain,role,sources,work,main\nx,c,train,x.c,7,thrice\n", 2, "main 'thrice': must be once");
    refused(HEADER "x,c,train,x.c,many,l\n", 2, "finite number");
    refused("program,domain,role,sources,work,include\nx,c,train,x.c,7,gone\n", 2, "there is no folder 'gone'");
    refused("program,domain,role,sources,work,include\nx,c,train,x.c,7,x.c\n", 2, "there is no folder 'x.c'");
    refused("program,domain,role,sources,work,define\nx,c,train,x.c,7,A=1 2B\n", 2, "define '2B': must be NAME or");
    refused("program,domain,role,sources,work,define\nx,c,train,x.c,7,-DA\n", 2, "define '-DA': must be NAME or");
    static const char *const names[] = {"x@O2", "../x", "../../../X", "..", ".",   ".x",
                                        "a/b",  "/x",   "",           "-x", "a b", "\033"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *rows = xasprintf(HEADER "%s,c,train,x.c,7,l\n", names[i]);
        refused(rows, 2, "is not a name for a program");
        free(rows);
    }
    refused(HEADER "x,c,train, ,7,l\n", 2, "empty");
    refused("program,domain\nx,c\n", 1, "role");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_all_sets),
                                       cmocka_unit_test(reads_how_it_is_compiled_and_called),
                                       cmocka_unit_test(refuses_bad_manifests)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
