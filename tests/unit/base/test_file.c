/* test_file.c - tests of base/file.c: reading, whole outputs, clean-up. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "tests/unit/folder.h"

static size_t names_in_folder(void)
{
    char **names;
    size_t n;
    assert_int_equal(list_directory(&names, &n, folder, 0), OK);
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
    return n;
}

static void assert_content(const char *path, const char *expected)
{
    struct str text = STR_INIT;
    assert_int_equal(file_read(&text, path, FILE_LIMIT, 0), OK);
    assert_string_equal(str_text(&text), expected);
    str_release(&text);
}

static void appears_whole_or_not_at_all(void **state)
{
    (void)state;
    char *path = path_join(folder, "out.txt");
    struct outfile o;
    assert_int_equal(outfile_open(&o, path, 0), OK);
    fputs("half", o.f);
    assert_false(file_exists(path));
    outfile_abort(&o);
    outfile_abort(&o);
    assert_int_equal(names_in_folder(), 0);

    assert_int_equal(file_write(path, "old", 3, 0), OK);
    assert_int_equal(outfile_open(&o, path, 0), OK);
    fputs("new", o.f);
    assert_content(path, "old");
    assert_int_equal(outfile_commit(&o, 0), OK);
    assert_content(path, "new");
    assert_int_equal(names_in_folder(), 1);
    free(path);
}

/* A full disk, as the process sees it: the write fails (RLIMIT_FSIZE, EFBIG). The old file stays. */
static void failed_write_keeps_the_old_file(void **state)
{
    (void)state;
    char *path = path_join(folder, "kept.txt");
    assert_int_equal(file_write(path, "old", 3, 0), OK);
    struct rlimit before, small = {4096, 4096};
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    char *big = xcalloc(1, 1 << 20);
    struct error e = ERROR_INIT;
    enum status s = file_write(path, big, 1 << 20, &e);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(s, ERR_SYSTEM);
    assert_string_equal(e.file, path);
    assert_content(path, "old");
    error_release(&e);
    free(big);
    unlink(path);
    free(path);
}

/* /dev/full takes nothing (ENOSPC); a device is written as it is, not replaced by a file. */
static void full_device_is_an_error(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    assert_int_equal(file_write("/dev/full", "x", 1, &e), ERR_SYSTEM);
    assert_non_null(strstr(e.message, "No space left"));
    error_release(&e);
    assert_int_equal(file_write("/dev/null", "x", 1, 0), OK);
}

static void links_stay_links(void **state)
{
    (void)state;
    char *target = path_join(folder, "target"), *name = path_join(folder, "link");
    assert_int_equal(file_write(target, "old", 3, 0), OK);
    assert_int_equal(symlink("target", name), 0);
    assert_int_equal(file_write(name, "new", 3, 0), OK);
    assert_content(target, "new");
    unlink(name);
    unlink(target);
    free(name);
    free(target);
}

/* The temporary of an output in the making is removed when the program is interrupted. */
static void interrupt_removes_temporaries(void **state)
{
    (void)state;
    size_t before = names_in_folder();
    char *path = path_join(folder, "never.txt");
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        cleanup_remove(folder); /* the parent needs it */
        cleanup_install();
        struct outfile o;
        if (outfile_open(&o, path, 0) || write(ready[1], "x", 1) != 1)
            _exit(9);
        for (;;)
            pause();
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    kill(child, SIGTERM);
    int how;
    waitpid(child, &how, 0);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGTERM);
    assert_int_equal(names_in_folder(), before);
    close(ready[0]);
    close(ready[1]);
    free(path);
}

static void limits_and_missing_files(void **state)
{
    (void)state;
    char *path = path_join(folder, "ten.txt");
    assert_int_equal(file_write(path, "0123456789", 10, 0), OK);
    struct str text = STR_INIT;
    struct error e = ERROR_INIT;
    assert_int_equal(file_read(&text, path, 10, &e), OK);
    assert_int_equal(text.len, 10);
    assert_int_equal(file_read(&text, path, 10, &e), OK); /* what was there before is gone */
    assert_int_equal(text.len, 10);
    assert_int_equal(file_read(&text, path, 9, &e), ERR_INPUT);
    assert_int_equal(file_read(&text, "/nonexistent/x", 9, &e), ERR_SYSTEM);
    assert_non_null(strstr(e.message, "No such file"));
    error_release(&e);
    str_release(&text);
    unlink(path);
    free(path);
}

static void directories_come_and_go(void **state)
{
    (void)state;
    char *deep = path_join(folder, "a/b/c");
    char *top = path_join(folder, "a");
    assert_int_equal(make_directories(deep, 0), OK);
    assert_int_equal(make_directories(deep, 0), OK);
    char *file = path_join(deep, "f");
    assert_int_equal(file_write(file, "x", 1, 0), OK);
    char *below = path_join(file, "impossible");
    assert_int_equal(make_directories(below, 0), ERR_SYSTEM);
    assert_int_equal(remove_tree(top, 0), OK);
    assert_false(file_exists(top));
    assert_int_equal(remove_tree(top, 0), OK);
    free(below);
    free(file);
    free(deep);
    free(top);
}

/* The cause is mkdir's, not that of looking at what is there: a link to nothing stands in the way. */
static void names_the_true_cause(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    char *link = path_join(folder, "to-nothing");
    assert_int_equal(symlink("nowhere", link), 0);
    assert_int_equal(make_directories(link, &e), ERR_SYSTEM);
    assert_non_null(strstr(e.message, "File exists"));
    error_release(&e);
    assert_int_equal(unlink(link), 0);
    free(link);
}

static void paths_are_joined(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"/a/b", "c", "/a/b/c"}, {"/", "b", "/b"}, {"", "b", "/b"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = path_join(cases[i][0], cases[i][1]);
        assert_string_equal(path, cases[i][2]);
        free(path);
    }
    assert_string_equal(path_basename("/a/b"), "b");
    assert_string_equal(path_basename("b"), "b");
}

/* Below the prefix that the environment names, or the folder above the program's. */
static void resources_are_found(void **state)
{
    (void)state;
    char *(*const find[])(const char *) = {resource_lib, resource_share, resource_include, resource_program};
    static const char *const expected[] = {"/p/lib/shimgen/x", "/p/share/shimgen/x", "/p/include/x", "/p/bin/x"};
    char *before = getenv("SHIMGEN_PREFIX"), *kept = xstrdup(before);
    for (size_t i = 0; i < 4; i++) {
        setenv("SHIMGEN_PREFIX", "/p", 1);
        char *path = find[i]("x");
        assert_string_equal(path, expected[i]);
        free(path);
    }
    unsetenv("SHIMGEN_PREFIX");
    char *path = resource_program("x");
    assert_true(*path == '/' && !strcmp(path + strlen(path) - strlen("/bin/x"), "/bin/x"));
    free(path);
    if (kept)
        setenv("SHIMGEN_PREFIX", kept, 1);
    free(kept);
}

/* A file's number is that of its bytes (FNV-1a: of nothing, of "a"); folders are listed by the bytes of their names. */
static void hashes_and_lists(void **state)
{
    (void)state;
    char *place = NULL, **names;
    size_t n;
    uint64_t hash;
    struct error e = ERROR_INIT;
    assert_int_equal(temp_directory(&place, "test-file", &e), OK);
    static const char *const made[] = {"b", "B", ".hidden", "a"};
    for (size_t i = 0; i < 4; i++) {
        char *path = path_join(place, made[i]);
        assert_int_equal(file_write(path, "a", i == 3, &e), OK);
        assert_int_equal(file_hash(&hash, path, &e), OK);
        assert_true(hash == (i == 3 ? UINT64_C(0xaf63dc4c8601ec8c) : UINT64_C(0xcbf29ce484222325)));
        assert_true(cleanup_covers(path));
        free(path);
    }
    assert_false(cleanup_covers(place));
    assert_int_equal(list_directory(&names, &n, place, &e), OK);
    assert_int_equal(n, 4);
    static const char *const listed[] = {".hidden", "B", "a", "b"};
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(names[i], listed[i]);
        free(names[i]);
    }
    free(names);
    char *none = path_join(place, "none"), *beside = xasprintf("%sx/a", place);
    assert_int_equal(file_hash(&hash, none, &e), ERR_SYSTEM);
    assert_int_equal(list_directory(&names, &n, none, &e), ERR_SYSTEM);
    assert_true(free_bytes(place) > 0);
    assert_true(free_bytes(none) == 0);
    assert_true(file_is_directory(place) && !file_is_directory(none));
    assert_false(cleanup_covers(beside));
    error_release(&e);
    free(beside);
    free(none);
    assert_int_equal(remove_tree(place, NULL), OK);
    cleanup_remove(place);
    free(place);
}

/* In PATH once, however often; only where the folder is. */
static void own_llvm_comes_first(void **state)
{
    (void)state;
    char *before = getenv("SHIMGEN_PREFIX"), *kept = xstrdup(before), *path = xstrdup(getenv("PATH"));
    char *place = path_join(folder, "prefix"), *bin = path_join(place, "lib/shimgen/llvm/bin");
    char *longer = xasprintf("%s:/usr/bin", bin);
    struct error e = ERROR_INIT;
    setenv("SHIMGEN_PREFIX", place, 1);
    setenv("PATH", "/usr/bin", 1);
    use_own_llvm();
    assert_string_equal(getenv("PATH"), "/usr/bin");
    assert_int_equal(make_directories(bin, &e), OK);
    for (int i = 0; i < 2; i++) {
        use_own_llvm();
        assert_string_equal(getenv("PATH"), longer);
    }
    setenv("PATH", "", 1);
    use_own_llvm();
    assert_string_equal(getenv("PATH"), bin);
    assert_int_equal(remove_tree(place, NULL), OK);
    setenv("PATH", path, 1);
    kept ? setenv("SHIMGEN_PREFIX", kept, 1) : unsetenv("SHIMGEN_PREFIX");
    char *all[] = {kept, path, place, bin, longer};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_true_cause),
        cmocka_unit_test(appears_whole_or_not_at_all),
        cmocka_unit_test(failed_write_keeps_the_old_file),
        cmocka_unit_test(interrupt_removes_temporaries),
        cmocka_unit_test(limits_and_missing_files),
        cmocka_unit_test(directories_come_and_go),
        cmocka_unit_test(full_device_is_an_error),
        cmocka_unit_test(links_stay_links),
        cmocka_unit_test(paths_are_joined),
        cmocka_unit_test(hashes_and_lists),
        cmocka_unit_test(resources_are_found),
        cmocka_unit_test(own_llvm_comes_first),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
