/* merge_models.c - merges packs of a part's cores into its SHIM file. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"
#include "shimgen/pack/pack.h"
#include "shimgen/publish/model_private.h"

/* Notes in the document where values come from. Its bytes depend on the packs alone. */
static enum status note_source(struct shimxml_doc *d, const struct model *m, const char *path, const char *cores,
                               struct error *e)
{
    char *sum = 0;
    enum status s = pack_sha256(&sum, path, e);
    if (s)
        return s;
    const char *board = json_string_value(json_object_get(m->index, "board"));
    char *shown = printable_text(board),
         *text = xasprintf(" Values of cores %s: board '%s', pack %s, SHA-256 %s ",
                           cores ? cores : "of its architecture", shown, path_basename(path), sum);
    shimxml_comment(shimxml_root(d), shimxml_child(shimxml_root(d), 0), text);
    free(text);
    free(shown);
    free(sum);
    return OK;
}

static enum status merge_pack(struct shimxml_doc *d, const char *operand, struct error *e)
{
    const char *equals = strchr(operand, '='), *path = equals ? equals + 1 : operand;
    char *cores = equals ? xstrndup(operand, (size_t)(equals - operand)) : 0;
    const struct shimxml_units which = {.name = cores};
    struct shimxml_doc *from = 0;
    struct model m;
    enum status s = model_open(&m, path, e);
    if (!s)
        s = shimxml_read(&from, m.shim, e);
    if (!s) {
        s = shimxml_merge_shim(d, from, "arch", &which, e);
        if (s)
            error_context(e, "%s", operand);
    }
    if (!s)
        s = note_source(d, &m, path, cores, e);
    shimxml_free(from);
    model_close(&m);
    free(cores);
    return s;
}

static enum status check_cores(const struct shimxml_doc *d, const char *skeleton, struct error *e)
{
    struct shimxml_system *system = 0;
    enum status s = shimxml_system(&system, d, e);
    for (size_t i = 0; !s && i < system->n_cores; i++)
        if (!system->cores[i].n_instructions)
            s = error_set(e, ERR_INPUT, AT_FILE(skeleton),
                          "core '%s' (%s) got no values: name a pack of a core of its architecture",
                          system->cores[i].name, system->cores[i].arch);
    shimxml_system_free(system);
    return s;
}

static enum status check_valid(const struct shimxml_doc *d, const char *path, struct error *e)
{
    struct shimxml_findings f = {0};
    enum status s = OK;
    shimxml_check(d, &f);
    for (size_t i = 0; !s && i < f.n; i++)
        if (f.at[i].severity == SHIMXML_ERROR)
            s = error_set(e, ERR_INPUT, AT_FILE(path), "would not be valid: %s: %s; correct the part's SHIM file",
                          f.at[i].path, f.at[i].text);
    shimxml_findings_release(&f);
    return s;
}

enum status model_merge(const char *skeleton, char *const *operands, size_t n, const char *path, struct error *e)
{
    struct shimxml_doc *d = 0;
    enum status s = text_ends(skeleton, ".ini") ? shimxml_describe(&d, skeleton, e) : shimxml_read(&d, skeleton, e);
    for (size_t i = 0; !s && i < n; i++)
        s = merge_pack(d, operands[i], e);
    if (!s)
        s = check_cores(d, skeleton, e);
    if (!s)
        s = check_valid(d, path ? path : "-", e);
    if (!s)
        s = shimxml_write(d, path, e);
    shimxml_free(d);
    return s;
}
