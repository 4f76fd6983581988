/* predictor_file.c - predictor.json: what a build simulates while it counts samples, and why it uses this branch
 * predictor. The same as annotations of a SHIM file. */
#include "shimgen/predictor/predictor_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/json.h"
#include "shim-xml/shimxml.h"
#include "shimgen/profile/shim_caches.h"

#define FORMAT "shimgen predictor 1"

/* The value of an option; NULL: it is not among them. */
const char *simulated_value(const struct board_args *a, const char *option)
{
    for (size_t i = 0; i + 1 < a->n; i++)
        if (strcmp(a->at[i], option) == 0)
            return a->at[i + 1];
    return 0;
}

/* The policy in a geometry such as "32K:4:64:random"; the default is lru. */
static const char *policy_at(const char *geometry)
{
    const char *last = strrchr(geometry, ':');
    return last && shim_cache_replacement(last + 1) != SIM_REPLACEMENT_N ? last + 1 : "lru";
}

/* "random:lru", the policies of the first and the second level; NULL: no geometry is given. */
static char *policy_of(const struct board_args *simulate)
{
    const char *l1d = simulated_value(simulate, "--l1d"), *l2 = simulated_value(simulate, "--l2");
    if (!l1d)
        return 0;
    return l2 && strcmp(l2, "none") != 0 ? xasprintf("%s:%s", policy_at(l1d), policy_at(l2)) : xstrdup(policy_at(l1d));
}

static json_t *texts_of(const char *const *list, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, json_string(list[i]));
    return array;
}

enum status predictor_file_write(const struct predictor_choice *c, const struct board_args *simulate,
                                 const struct outputs *o, struct error *e)
{
    json_t *all = json_object(), *candidates = json_array();
    char *policy = policy_of(simulate);
    json_put_text(all, "format", FORMAT);
    json_put_text(all, "predictor", c->chosen);
    json_put_text(all, "other", c->other);
    json_put_text(all, "switches", simulated_value(simulate, "--switches"));
    json_put_text(all, "prefetcher", simulated_value(simulate, "--prefetch"));
    json_put_text(all, "policy", policy);
    json_put_text(all, "spills", simulated_value(simulate, "--spills"));
    json_put_text(all, "why", c->why);
    for (size_t k = 0; k < c->n_candidates; k++) {
        json_t *one = json_object();
        json_put_text(one, "predictor", c->candidates[k]);
        json_put_real(one, "loss", c->loss[k]);
        json_array_append_new(candidates, one);
    }
    json_put(all, "regions", json_integer((json_int_t)c->regions));
    json_put(all, "candidates", candidates);
    json_put(all, "programs", texts_of(c->programs, c->n_programs));
    enum status s = json_write(all, o->predictor, e);
    json_decref(all);
    free(policy);
    return s;
}

static char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? xstrdup(text) : 0;
}

enum status predictors_read(struct predictors *out, const struct outputs *o, struct error *e)
{
    json_t *all = 0;
    *out = (struct predictors){0};
    if (!file_exists(o->predictor))
        return OK;
    enum status s = json_read(&all, o->predictor, e);
    if (s)
        return s;
    *out = (struct predictors){.chosen = text_of(all, "predictor"),
                               .other = text_of(all, "other"),
                               .switches = text_of(all, "switches"),
                               .prefetcher = text_of(all, "prefetcher"),
                               .policy = text_of(all, "policy"),
                               .spills = text_of(all, "spills"),
                               .why = text_of(all, "why")};
    const json_t *programs = json_object_get(all, "programs");
    size_t n = json_array_size(programs), kept = 0;
    out->programs = xcalloc(n + 1, sizeof *out->programs);
    for (size_t i = 0; i < n; i++)
        if (json_is_string(json_array_get(programs, i)))
            out->programs[kept++] = xstrdup(json_string_value(json_array_get(programs, i)));
    json_decref(all);
    return OK;
}

void predictors_release(struct predictors *p)
{
    for (char **at = p->programs; at && *at; at++)
        free(*at);
    free(p->programs);
    free(p->chosen);
    free(p->other);
    free(p->switches);
    free(p->prefetcher);
    free(p->policy);
    free(p->spills);
    free(p->why);
    *p = (struct predictors){0};
}

/* A value that an annotation cannot hold is one that irprof does not accept either. */
static void annotate(struct shimxml_doc *d, const char *name, const char *value)
{
    shimxml_annotate(d, name, value && !strchr(value, '"') && !strstr(value, "?>") ? value : 0);
}

enum status predictors_annotate(const char *shim, const struct outputs *o, struct error *e)
{
    struct predictors p;
    struct shimxml_doc *d = 0;
    enum status s = predictors_read(&p, o, e);
    if (!s && (p.chosen || p.policy || p.spills)) {
        s = shimxml_read(&d, shim, e);
        if (!s) {
            annotate(d, "predictor", p.chosen);
            annotate(d, "switches", p.switches);
            annotate(d, "prefetcher", p.prefetcher);
            annotate(d, "policy", p.policy);
            annotate(d, "spills", p.spills);
            s = shimxml_write(d, shim, e);
        }
        shimxml_free(d);
    }
    predictors_release(&p);
    return s;
}
