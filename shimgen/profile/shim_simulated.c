/* shim_simulated.c - turns a SHIM file's caches and annotations into options of irprof instrument. */
#include "shimgen/profile/shim_simulated.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sums.h"
#include "irprof/profile/predictor_text.h"
#include "shim-xml/shimxml.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/profile/shim_caches.h"
#include "shimgen/estimate/shim_core.h"

/* The annotation's value if it is one word of these characters; any other value could contain options. */
static char *plain(const struct shimxml_doc *d, const char *core, const char *name)
{
    char *value = shimxml_core_annotation(d, core, name);
    if (value && *value && *value != '-' &&
        strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:._-+") == strlen(value))
        return value;
    free(value);
    return 0;
}

static enum status check_predictor(const char *text, const char *shim, struct error *e)
{
    struct irprof_predictor p;
    const char *wrong = text ? predictor_read(&p, text, strlen(text)) : 0;
    return wrong ? error_set(e, ERR_INPUT, AT_FILE(shim), "its annotation says predictor=\"%s\": %s", text, wrong) : OK;
}

/* Reads "random:lru", for the first and the second level, or one word for both. */
static enum status read_policy(struct shim_said *said, const char *text, const char *shim, struct error *e)
{
    if (!text)
        return OK;
    char *first = xstrndup(text, strcspn(text, ":"));
    const char *second = strchr(text, ':') ? strchr(text, ':') + 1 : first;
    said->l1d = shim_cache_replacement(first);
    said->l2 = shim_cache_replacement(second);
    enum status s = OK;
    if (said->l1d == SIM_REPLACEMENT_N || said->l2 == SIM_REPLACEMENT_N)
        s = error_set(e, ERR_INPUT, AT_FILE(shim),
                      "its annotation says policy=\"%s\": it must be lru, fifo, random or plru, or two of them with a "
                      "colon between, as random:lru",
                      text);
    free(first);
    return s;
}

enum status shim_said_read(struct shim_said *out, const char *shim, const char *core, struct error *e)
{
    struct shimxml_doc *d = 0;
    *out = (struct shim_said){.l1d = SIM_LRU, .l2 = SIM_LRU};
    sums_note_read(shim);
    enum status s = shimxml_read(&d, shim, e);
    if (s)
        return s;
    char *policy = shimxml_core_annotation(d, core, "policy");
    out->predictor = shimxml_core_annotation(d, core, "predictor");
    s = check_predictor(out->predictor, shim, e);
    if (!s)
        s = read_policy(out, policy, shim, e);
    out->switches = plain(d, core, "switches");
    out->prefetcher = plain(d, core, "prefetcher");
    out->spills = plain(d, core, "spills");
    free(policy);
    shimxml_free(d);
    if (s)
        shim_said_release(out);
    return s;
}

void shim_said_release(struct shim_said *s)
{
    free(s->predictor);
    free(s->switches);
    free(s->prefetcher);
    free(s->spills);
    *s = (struct shim_said){.l1d = SIM_LRU, .l2 = SIM_LRU};
}

static enum status add_caches(struct board_args *list, const char *shim, const char *core_name,
                              const struct shim_said *said, struct error *e)
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
        s = shim_cache_geometry(&levels.l1d, found.l1d, said->l1d, shim, "--l1d", e);
    if (!s && found.l2)
        s = shim_cache_geometry(&levels.l2, found.l2, said->l2, shim, "--l2", e);
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

static void add_said(struct board_args *list, const struct shim_said *said, bool caches)
{
    if (said->spills)
        ARGS_ADD(list, "--spills", said->spills);
    if (caches && said->prefetcher)
        ARGS_ADD(list, "--prefetch", said->prefetcher);
    ARGS_ADD(list, "--branches", said->predictor ? said->predictor : PREDICTOR_DEFAULT);
    if (said->switches)
        ARGS_ADD(list, "--switches", said->switches);
}

/* It is always an error if the core does not exist, or if the file cannot be read. */
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
    struct shim_said said = {0};
    *why = 0;
    enum status s = must_be(shim, core, e);
    if (!s)
        s = shim_said_read(&said, shim, core, e);
    if (s)
        return s;
    bool caches = add_caches(list, shim, core, &said, &own) == OK;
    if (!caches) {
        *why = error_text(&own);
        if (strict)
            s = error_set(e, ERR_INPUT, NOWHERE, "%s", *why);
    }
    error_release(&own);
    if (!s)
        add_said(list, &said, caches);
    shim_said_release(&said);
    return s;
}
