/* generate_samples.c - generates candidate programs, counts them, and chooses the best ones. */
#include "shimgen/generate/generate_samples.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "samples/generate/generate_program.h"

static void candidate_release(struct candidate *c)
{
    free(c->name);
    free(c->source);
    free(c->stresses);
}

void candidates_release(struct candidates *c)
{
    for (size_t i = 0; i < c->n; i++)
        candidate_release(&c->at[i]);
    free(c->at);
    *c = (struct candidates){0};
}

void candidates_make(struct candidates *out, uint64_t seed, size_t n)
{
    *out = (struct candidates){.at = xcalloc(n, sizeof *out->at)};
    for (; out->n < n; out->n++) {
        struct generated g;
        generate_program(&g, seed, out->n + 1);
        out->at[out->n] = (struct candidate){g.name, g.source, g.stresses, g.work};
    }
}

static enum status write_source(const struct candidate *c, const char *folder, struct error *e)
{
    char *path = xasprintf("%s/%s.c", folder, c->name);
    enum status s = file_write(path, c->source, strlen(c->source), e);
    free(path);
    return s;
}

enum status candidates_write(const struct candidates *c, const bool *marked, const char *folder, const char *set,
                             const char *domain, struct error *e)
{
    char *to = path_join(folder, set), *manifest = path_join(to, "manifest.csv");
    struct str rows = STR_INIT;
    str_add(&rows, "program,domain,role,sources,work,stresses\n");
    enum status s = OK;
    if (file_exists(manifest))
        s = error_set(e, ERR_INPUT, AT_FILE(manifest), "is there already; name another set (--set), or remove it");
    if (!s)
        s = make_directories(to, e);
    for (size_t i = 0; !s && i < c->n; i++) {
        if (marked && !marked[i])
            continue;
        s = write_source(&c->at[i], to, e);
        str_addf(&rows, "%s,%s,train,%s.c,%" PRIu64 ",%s\n", c->at[i].name, domain, c->at[i].name, c->at[i].work,
                 c->at[i].stresses);
    }
    if (!s)
        s = file_write(manifest, str_text(&rows), rows.len, e);
    str_release(&rows);
    free(manifest);
    free(to);
    return s;
}
