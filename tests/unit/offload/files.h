/* files.h - files that a test writes, and reads again, in a folder of its own. Included by a test. */
#ifndef TESTS_UNIT_OFFLOAD_FILES_H
#define TESTS_UNIT_OFFLOAD_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/str.h"

static char *files_folder;

static int files_begin(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    return temp_directory(&files_folder, "test-offload", &e) != OK;
}

static int files_end(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    enum status s = remove_tree(files_folder, &e);
    cleanup_remove(files_folder);
    free(files_folder);
    return s != OK;
}

/* Its path, which the caller frees. */
static inline char *files_write(const char *name, const char *text)
{
    struct error e = ERROR_INIT;
    char *path = path_join(files_folder, name);
    assert_int_equal(file_write(path, text, strlen(text), &e), OK);
    return path;
}

#endif
