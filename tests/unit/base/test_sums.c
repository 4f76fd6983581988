/* test_sums.c - checksums.csv: which files are noted as changed, on stderr, and when an error gets its cure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/sums.h"

static char *folder;

static void put(const char *name, const char *text)
{
    struct error e = ERROR_INIT;
    char *path = path_join(folder, name);
    assert_int_equal(file_write(path, text, strlen(text), &e), OK);
    free(path);
}

/* What `sums_note` writes; the caller frees. */
static char *noted(const char *const *names)
{
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    char *path = path_join(folder, "stderr");
    fflush(stderr);
    int keep = dup(2);
    assert_non_null(freopen(path, "w", stderr));
    sums_note(folder, names, "so it is");
    fflush(stderr);
    dup2(keep, 2);
    close(keep);
    assert_int_equal(file_read(&text, path, 1 << 20, &e), OK);
    free(path);
    return str_detach(&text);
}

static void notes_what_changed(void **state)
{
    (void)state;
    static const char *const all[] = {"a", "b", "none", NULL}, *const first[] = {"a", NULL};
    struct error e = ERROR_INIT;
    put("a", "1");
    put("b", "2");
    assert_int_equal(sums_renew(folder, all, &e), OK);
    char *text = noted(NULL);
    assert_string_equal(text, "");
    free(text);
    put("b", "3");
    text = noted(NULL);
    assert_non_null(strstr(text, "/b: edited or damaged since the build wrote it; so it is\n"));
    assert_null(strstr(text, "/a:"));
    free(text);
    text = noted(first);
    assert_string_equal(text, "");
    free(text);
    put("a", "2");
    assert_int_equal(sums_remove(folder, first, &e), OK);
    text = noted(NULL);
    assert_null(strstr(text, "/a:"));
    assert_non_null(strstr(text, "/b:"));
    free(text);
    put("checksums.csv", "file,che");
    text = noted(NULL);
    assert_non_null(strstr(text, "checksums.csv:1:"));
    free(text);
}

/* Paths as they are given: of a file here, and in a folder of one letter. */
static void paths_may_be_short(void **state)
{
    (void)state;
    static const char *const files[] = {"x.csv", "o/x.csv", "./x.csv"};
    char *before = getcwd(0, 0);
    assert_non_null(before);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("o", 0777), 0);
    put("checksums.csv", "file,checksum\n");
    put("o/checksums.csv", "file,checksum\n");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct error e = ERROR_INIT;
        error_set(&e, ERR_INPUT, AT_FILE(files[i]), "wrong");
        assert_int_equal(sums_explain(ERR_INPUT, &e), ERR_INPUT);
        if (!strstr(e.message, "writes this file again"))
            fail_msg("%s: %s", files[i], e.message);
        error_release(&e);
    }
    assert_int_equal(chdir(before), 0);
    free(before);
}

/* Nothing can be written into a folder that is not there. */
static void says_that_it_cannot_write(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    static const char *const names[] = {"a", 0};
    assert_int_equal(sums_renew("/nonexistent/folder", names, &e), ERR_SYSTEM);
    error_release(&e);
    assert_int_equal(sums_remove("/nonexistent/folder", names, &e), OK); /* there was none */
}

static void errors_get_their_cure(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        bool cure;
    } rows[] = {{"x.csv", true}, {"work/x.csv", true}, {"other/x.csv", false}, {"work/t/x.csv", false}};
    put("checksums.csv", "file,checksum\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = ERROR_INIT;
        char *path = path_join(folder, rows[i].file);
        error_set(&e, ERR_INPUT, AT(path, 3), "wrong");
        assert_int_equal(sums_explain(ERR_INPUT, &e), ERR_INPUT);
        assert_string_equal(e.message,
                            rows[i].cure ? "wrong; the same 'shimgen build' writes this file again" : "wrong");
        assert_string_equal(e.file, path);
        assert_int_equal(e.line, 3);
        error_release(&e);
        free(path);
    }
}

int main(void)
{
    struct error e = ERROR_INIT;
    cleanup_install();
    if (temp_directory(&folder, "test-sums", &e))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(notes_what_changed), cmocka_unit_test(errors_get_their_cure),
                                       cmocka_unit_test(says_that_it_cannot_write),
                                       cmocka_unit_test(paths_may_be_short)};
    int failed = cmocka_run_group_tests(tests, 0, 0);
    free(folder);
    return failed;
}
