/* fixture.h - files for the tests of boards: a scratch folder, gone at the end of the program. */
#ifndef TEST_BOARDS_FIXTURE_H
#define TEST_BOARDS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "boards/boards.h"

static char *scratch;

/* The product is found beside the test: build/tests/unit/PART/test_x -> build. */
static inline void fixture_open(void)
{
    char self[4096];
    struct error e = ERROR_INIT;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    char *at = strstr(self, "/tests/unit/");
    if (at) {
        *at = 0;
        setenv("SHIMGEN_PREFIX", self, 1);
    }
    cleanup_install();
    if (temp_directory(&scratch, "boards-test", &e)) {
        error_print(&e, "test");
        exit(1);
    }
}

/* After a measurement that failed: skips the test where programs are emulated. qemu-user runs a thread beside theirs, and
 * programs with further threads are not measured. */
static inline void skip_if_emulated(const struct error *e)
{
    char *text = error_text(e);
    bool by_emulator = getenv("SHIMGEN_EMULATED") && strstr(text, "the program runs further threads");
    free(text);
    if (by_emulator) {
        print_message("SKIPPED: programs are emulated here, and the emulator runs a thread beside theirs\n");
        skip();
    }
}

static inline int fixture_close(int failed)
{
    struct error e = ERROR_INIT;
    (void)!remove_tree(scratch, &e);
    error_release(&e);
    free(scratch);
    return failed;
}

static inline char *in_scratch(const char *name)
{
    return path_join(scratch, name);
}

/* Writes scratch/name, with the folders that lead to it; the caller frees the path. */
static inline char *put_file(const char *name, const char *text)
{
    struct error e = ERROR_INIT;
    char *path = in_scratch(name), *folder = xstrdup(path);
    *strrchr(folder, '/') = 0;
    assert_int_equal(make_directories(folder, &e), OK);
    assert_int_equal(file_write(path, text, strlen(text), &e), OK);
    free(folder);
    return path;
}

/* The error says `part`; releases it. */
static inline void assert_says(struct error *e, const char *part)
{
    char *text = error_text(e);
    if (!strstr(text, part))
        fail_msg("the message is: %s\nwanted in it: %s", text, part);
    free(text);
    error_release(e);
}

#endif
