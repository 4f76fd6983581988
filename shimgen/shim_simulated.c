/* shim_simulated.c - a SHIM file's caches and annotations as options of irprof instrument. */
#include "shimgen/shim_simulated.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "irprof/predictor.h"
#include "shimgen/compile.h"
#include "shimgen/shim_caches.h"
#include "shimgen/shim_core.h"

static enum status add_predictor(struct board_args *list, const char *text, const char *shim, struct error *e)
{
    struct irprof_predictor p;
    const char *wrong = text ? predictor_read(&p, text, strlen(text)) : 0;
    if (wrong)
        return error_set(e, ERR_INPUT, AT_FILE(shim), "its annotation says predictor=\"%s\": %s", text, wrong);
    ARGS_ADD(list, "--branches", text ? text : PREDICTOR_DEFAULT);
    return OK;
}

/* An annotation whose value is one word of these characters; another value would be other options. */
static void add_plain(struct board_args *list, const struct shimxml_doc *d, const char *name, const char *option)
{
    char *value = shimxml_annotation(d, name);
    if (value && *value && strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789:") == strlen(value))
        ARGS_ADD(list, option, value);
    free(value);
}

static enum status add_annotated(struct board_args *list, const char *shim, bool always, bool caches, struct error *e)
{
    struct shimxml_doc *d = 0;
    enum status s = shimxml_read(&d, shim, e);
    if (s)
        return s;
    char *predictor = shimxml_annotation(d, "predictor");
    if (predictor || always) {
        s = add_predictor(list, predictor, shim, e);
        add_plain(list, d, "switches", "--switches");
    }
    if (caches)
        add_plain(list, d, "prefetcher", "--prefetch");
    free(predictor);
    shimxml_free(d);
    return s;
}

enum status shim_predictor(struct board_args *list, const char *shim, struct error *e)
{
    return add_annotated(list, shim, false, false, e);
}

/* SHIM 1.0 does not say which line a cache gives up: lru. */
static enum status add_caches(struct board_args *list, const char *shim, const char *core_name, struct error *e)
{
    struct shimxml_system *system = 0;
    struct data_caches found = {0, 0};
    struct sim_cache_levels levels = {.l1d = {0}};
    size_t core = 0;
    enum status s = shim_system(&system, shim, e);
    if (!s)
        s = shim_core(&core, system, shim, core_name, e);
    if (!s)
        s = shim_data_caches(&found, system, core, shim, e);
    if (!s)
        s = shim_cache_geometry(&levels.l1d, found.l1d, SIM_LRU, shim, "--l1d", e);
    if (!s && found.l2)
        s = shim_cache_geometry(&levels.l2, found.l2, SIM_LRU, shim, "--l2", e);
    const char *fault = s ? 0 : sim_cache_levels_check(&levels);
    if (fault)
        s = error_set(e, ERR_INPUT, AT_FILE(shim), "its caches cannot be simulated: %s", fault);
    if (!s) {
        char *l1d = shim_cache_text(&levels.l1d), *l2 = found.l2 ? shim_cache_text(&levels.l2) : xstrdup("none");
        ARGS_ADD(list, "--memory", "--l1d", l1d, "--l2", l2);
        free(l1d);
        free(l2);
    }
    shimxml_system_free(system);
    return s;
}

/* A core that there is not, and a file that cannot be read, are errors in any case. */
static enum status must_be(const char *shim, const char *core_name, struct error *e)
{
    struct shimxml_system *system = 0;
    size_t core;
    enum status s = shim_system(&system, shim, e);
    if (!s)
        s = shim_core(&core, system, shim, core_name, e);
    shimxml_system_free(system);
    return s;
}

enum status shim_simulated(struct board_args *list, const char *shim, const char *core, bool strict, char **why,
                           struct error *e)
{
    struct error own = ERROR_INIT;
    *why = 0;
    enum status s = must_be(shim, core, e);
    if (s)
        return s;
    bool caches = add_caches(list, shim, core, &own) == OK;
    if (!caches) {
        char *text = error_text(&own);
        if (strict)
            s = error_set(e, ERR_INPUT, NOWHERE, "%s", text);
        *why = text;
    }
    error_release(&own);
    return s ? s : add_annotated(list, shim, true, caches, e);
}
