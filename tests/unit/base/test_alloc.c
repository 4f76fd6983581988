/* Memory: copies, lists that grow, and the end of a program that has no memory left. */
#include "tests/unit/base/child_text.h"

#include <wchar.h>

#include "base/alloc.h"
#include "base/file.h"

static void copies(void **state)
{
    (void)state;
    assert_null(xstrdup(0));
    char *whole = xstrdup("abc"), *part = xstrndup("abc", 2), *more = xstrndup("abc", 9), *bytes = xmemdup("x", 0);
    char *text = xasprintf("%d-%s", 7, "a");
    assert_string_equal(whole, "abc");
    assert_string_equal(part, "ab");
    assert_string_equal(more, "abc");
    assert_non_null(bytes);
    assert_string_equal(text, "7-a");
    free(whole);
    free(part);
    free(more);
    free(bytes);
    free(text);
    unsigned char *zeros = xcalloc(3, 5), *none = xmalloc(0);
    assert_non_null(none);
    for (int i = 0; i < 15; i++)
        assert_int_equal(zeros[i], 0);
    free(zeros);
    free(none);
}

static void lists(void **state)
{
    (void)state;
    size_t cap = 0;
    int *at = vec_grow(0, &cap, 1, sizeof *at);
    assert_int_equal(cap, 8);
    assert_ptr_equal(vec_grow(at, &cap, 8, sizeof *at), at);
    assert_int_equal(cap, 8);
    for (int i = 0; i < 8; i++)
        at[i] = i;
    at = vec_grow(at, &cap, 9, sizeof *at);
    assert_int_equal(cap, 16);
    at = vec_grow(at, &cap, 100, sizeof *at);
    assert_int_equal(cap, 128);
    for (int i = 0; i < 8; i++)
        assert_int_equal(at[i], i);
    free(at);
}

/* Sizes are not known to the compiler, which would refuse them. */
static volatile size_t most = SIZE_MAX, half = SIZE_MAX / 2;

static void take_again(void)
{
    free(xreallocarray(0, half, 3));
}
/* A character that no encoding has cannot be printed: then there is no text, as without memory. */
static void take_text(void)
{
    static const wchar_t no_text[] = {(wchar_t)0x7fffffff, 0};
    free(xasprintf("%ls", no_text));
}
static void take_list(void)
{
    size_t cap = 8;
    free(vec_grow(0, &cap, most, 1));
}

/* The address sanitizer's allocator ends the program itself, before it answers. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define ALLOCATOR_ENDS
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define ALLOCATOR_ENDS
#endif

#ifndef ALLOCATOR_ENDS
static void take(void)
{
    free(xmalloc(half));
}
static void take_zeros(void)
{
    free(xcalloc(half, 3));
}
static void take_more(void)
{
    free(xreallocarray(0, half, 1));
}
#endif

/* One message, exit status 1. */
static void no_memory(void **state)
{
    (void)state;
    void (*const all[])(void) = {
        take_again, take_list,  take_text,
#ifndef ALLOCATOR_ENDS
        take,       take_zeros, take_more,
#endif
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        int how = 0;
        char *text = child_text(all[i], &how);
        if (!strstr(text, "memory"))
            fail_msg("request %zu: '%s'", i, text);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 1);
        free(text);
    }
}

/* What is unfinished is removed before the end. */
static const char unfinished[] = "alloc-unfinished";

static void take_beside_file(void)
{
    cleanup_add(unfinished);
    take_again();
}

static void no_memory_clears_away(void **state)
{
    (void)state;
    assert_int_equal(file_write(unfinished, "half", 4, 0), OK);
    int how = 0;
    free(child_text(take_beside_file, &how));
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 1);
    assert_false(file_exists(unfinished));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies), cmocka_unit_test(lists), cmocka_unit_test(no_memory),
                                       cmocka_unit_test(no_memory_clears_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
