/* roles.c - the domain and role (training, test) of each program of a dataset. */
#include "shimgen/estimate/tune/roles.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "samples/manifest.h"

static char *beside(const char *path, const char *name)
{
    size_t n = (size_t)(path_basename(path) - path);
    return xasprintf("%.*s%s", (int)n, path, name);
}

static enum status from_samples(struct regress_data *d, const char *folder, struct error *e)
{
    char *own = folder ? xstrdup(folder) : resource_share("samples");
    struct samples samples = {0};
    enum status s = samples_read(&samples, own, 0, e);
    for (size_t i = 0; i < d->n && !s; i++) {
        const struct sample *sample = samples_find(&samples, d->programs[i]);
        if (sample)
            regress_data_describe(d, i, sample->domain, sample->test ? "test" : "train");
    }
    samples_release(&samples);
    free(own);
    return s;
}

enum status roles_describe(struct regress_data *d, const char *samples, struct error *e)
{
    if (d->roles)
        return OK;
    char *domains = beside(d->path, "domains.csv");
    bool there = !samples && file_exists(domains);
    enum status s = there ? regress_data_read_domains(d, domains, e) : from_samples(d, samples, e);
    free(domains);
    return s;
}

bool roles_test(const struct regress_data *d, size_t row)
{
    return d->roles && d->roles[row] && strcmp(d->roles[row], "test") == 0;
}
