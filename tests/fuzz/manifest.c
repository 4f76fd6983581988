/* manifest.c - the fuzz target of the manifests of samples: refused with a reason, or every program's name is safe as a
 * part of a path, and found again by it. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "samples/manifest.h"
#include "tests/fuzz/target.h"

static char *samples_folder(void)
{
    struct error e = ERROR_INIT;
    char *folder = target_path("samples"), *set = target_path("samples/set");
    if (make_directories(set, &e))
        BUG("%s", e.message);
    free(set);
    free(target_file("samples/set/a.c", "", 0));
    free(target_file("samples/set/b.c", "", 0));
    return folder;
}

static void check_sample(const struct samples *all, const struct sample *s)
{
    const char *name = s->name + strlen("set/");
    char *row = xasprintf("%s@O2", s->name);
    if (strncmp(s->name, "set/", 4) != 0 || !*name || *name == '.' || strpbrk(name, "/@ \n\t"))
        BUG("'%s' is not a name for a folder", s->name);
    if (samples_find(all, row) != s)
        BUG("'%s' is not found", row);
    for (size_t i = 0; i < s->n_sources; i++)
        if (!file_exists(s->sources[i]))
            BUG("'%s' is no file", s->sources[i]);
    free(row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct samples all;
    char *folder = samples_folder(), *path = target_file("samples/set/manifest.csv", data, size);
    if (target_passed(samples_read(&all, folder, 0, &e), &e)) {
        for (size_t i = 0; i < all.n; i++)
            check_sample(&all, &all.at[i]);
        samples_release(&all);
    }
    free(path);
    free(folder);
    return 0;
}
