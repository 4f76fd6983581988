/* folder.h - a temporary folder for a test program, its cmocka fixture, and paths in it that last as long. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"

static char *folder;
static VEC(char *) folder_paths;

/* For cmocka_run_group_tests, or a set-up that goes on from here. */
static inline int make_folder(void **state)
{
    (void)state;
    return temp_directory(&folder, "test", 0) != OK;
}

static inline int remove_folder(void **state)
{
    (void)state;
    int bad = remove_tree(folder, 0) != OK;
    cleanup_remove(folder);
    for (size_t i = 0; i < folder_paths.n; i++)
        free(folder_paths.at[i]);
    vec_release(&folder_paths);
    free(folder);
    return bad;
}

/* The folder's, until it is removed. */
static inline char *in_folder(const char *name)
{
    char *path = path_join(folder, name);
    vec_push(&folder_paths, path);
    return path;
}

#endif
