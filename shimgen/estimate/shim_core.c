/* shim_core.c - finds the core of a SHIM file that a command refers to. */
#include "shimgen/estimate/shim_core.h"

#include <string.h>

#include "base/str.h"

/* `part` 0: by name or id; 1: a processing unit with instructions; 2: any processing unit. */
static bool fits(const struct shimxml_core *c, const char *name, int part)
{
    if (part == 0)
        return strcmp(c->name, name) == 0 || strcmp(c->id, name) == 0;
    return strcmp(c->type, "PU") == 0 && (part == 2 || c->n_instructions > 0);
}

enum status shim_core(size_t *core, const struct shimxml_system *s, const char *path, const char *name, struct error *e)
{
    size_t same = 0;
    for (size_t i = 0; name && i < s->n_cores; i++)
        same += strcmp(s->cores[i].name, name) == 0;
    if (same > 1)
        return error_set(e, ERR_INPUT, AT_FILE(path), "%zu cores are called '%s'; name one by its id", same, name);
    for (int part = name ? 0 : 1; part < (name ? 1 : 3); part++) {
        for (size_t i = 0; i < s->n_cores; i++) {
            if (fits(&s->cores[i], name, part)) {
                *core = i;
                return OK;
            }
        }
    }
    struct str names = STR_INIT;
    for (size_t i = 0; i < s->n_cores; i++)
        str_addf(&names, "%s%s", i ? ", " : "", s->cores[i].name);
    enum status status = name ? error_set(e, ERR_INPUT, AT_FILE(path), "there is no core '%s'; there are: %s", name,
                                          s->n_cores ? str_text(&names) : "none")
                              : error_set(e, ERR_INPUT, AT_FILE(path), "there is no processing unit in it%s%s",
                                          s->n_cores ? "; choose another core: " : "", str_text(&names));
    str_release(&names);
    return status;
}

enum status shim_system(struct shimxml_system **out, const char *path, struct error *e)
{
    struct shimxml_doc *d = 0;
    const char *method;
    enum status s = shimxml_read(&d, path, e);
    if (!s)
        s = shimxml_method(&method, d, e);
    if (!s)
        s = shimxml_system(out, d, e);
    shimxml_free(d);
    return s;
}
