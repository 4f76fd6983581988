/* merge_memory.c - writes the costs of memory accesses and of messages between cores from a table into a document. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/str.h"
#include "shim-xml/document/access_levels.h"
#include "shim-xml/values/memory_fill.h"
#include "shim-xml/document/doc.h"
#include "shim-xml/document/text.h"

static struct memory_unit *unit_of(const struct memory_filling *f, const char *id)
{
    for (size_t i = 0; id && i < f->units.n; i++)
        if (strcmp(f->units.at[i].id, id) == 0)
            return &f->units.at[i];
    return 0;
}

/* ---- values ---- */

static void add_range(struct shimxml_node *performance, const char *name, const struct shimxml_range *r)
{
    struct shimxml_node *n = shimxml_add(performance, name);
    if (isfinite(r->best))
        shimxml_set_number(n, "best", r->best);
    shimxml_set_number(n, "typical", r->typical);
    if (isfinite(r->worst))
        shimxml_set_number(n, "worst", r->worst);
}

void memory_add_performance(struct shimxml_node *parent, const char *access_type, const struct shimxml_range *pitch,
                            const struct shimxml_range *latency)
{
    struct shimxml_node *n = shimxml_add(parent, "Performance");
    if (access_type)
        shimxml_set(n, "accessTypeRef", access_type);
    add_range(n, "Pitch", pitch);
    add_range(n, "Latency", latency);
}

/* Takes the worst case of all access orders; the other values are those of accesses near each other. */
static struct shimxml_range with_worst_of(struct shimxml_range near, const struct shimxml_range *far)
{
    if (far && far->worst >= near.typical && !(far->worst < near.worst))
        near.worst = far->worst;
    return near;
}

/* Reads and writes in one AccessType: the mean of their typical values, and the limits of both. */
static struct shimxml_range both(const struct shimxml_range *a, const struct shimxml_range *b)
{
    return (struct shimxml_range){fmin(a->best, b->best), (a->typical + b->typical) / 2, fmax(a->worst, b->worst)};
}

static bool find_range(const struct memory_filling *f, long core, const char *place, char access, long bytes,
                       struct shimxml_range *pitch, struct shimxml_range *latency)
{
    const struct memory_value *near = memory_values_find(f->v, core, place, "near", access, bytes),
                              *far = memory_values_find(f->v, core, place, "far", access, bytes);
    if (!near)
        near = memory_values_find(f->v, core, place, "", access, bytes);
    if (!near)
        return false;
    *pitch = with_worst_of(near->pitch, far ? &far->pitch : 0);
    *latency = with_worst_of(near->latency, far ? &far->latency : 0);
    return true;
}

static bool add_access(const struct memory_filling *f, struct shimxml_node *set, const struct shimxml_node *type,
                       long core, const char *place)
{
    const char *rw = shimxml_get(type, "rwType"), *id = shimxml_get(type, "id");
    double bytes = shimxml_number(type, "accessByteSize");
    struct shimxml_range pitch[2], latency[2];
    if (!rw || !id || !(bytes >= 1 && bytes <= 1e6))
        return false;
    bool read = strchr(rw, 'R'), write = strchr(rw, 'W');
    if ((!read && !write) || (read && !find_range(f, core, place, 'R', (long)bytes, &pitch[0], &latency[0])) ||
        (write && !find_range(f, core, place, 'W', (long)bytes, &pitch[1], &latency[1])))
        return false;
    if (read && write) {
        pitch[0] = both(&pitch[0], &pitch[1]);
        latency[0] = both(&latency[0], &latency[1]);
    }
    memory_add_performance(set, id, read ? &pitch[0] : &pitch[1], read ? &latency[0] : &latency[1]);
    return true;
}

/* Adds a PerformanceSet for a place. NULL: the table has nothing there for this core's AccessTypes. */
static struct shimxml_node *add_set(const struct memory_filling *f, struct shimxml_node *accessor,
                                    const struct memory_unit *u, const char *place)
{
    struct shimxml_node *set = shimxml_add(accessor, "PerformanceSet");
    bool any = false;
    const struct shimxml_node *types = shimxml_child(u->node, "AccessTypeSet");
    for (const struct shimxml_node *t = shimxml_child(types, "AccessType"); t; t = shimxml_next(t, "AccessType"))
        any |= add_access(f, set, t, u->from, place);
    if (any)
        return set;
    shimxml_remove(set);
    return 0;
}

/* Adds a PerformanceSet for each level in the table, after a comment that names the cache. */
static void add_levels(const struct memory_filling *f, struct shimxml_node *accessor, const struct memory_unit *u)
{
    const struct shimxml_cache *c = 0;
    struct shimxml_node *set = accessor;
    for (int level = 1; set; level++) {
        char *place = xasprintf("L%d", level);
        c = level == 1 || c ? shimxml_next_cache(f->system, u->core, c) : 0;
        set = add_set(f, accessor, u, place);
        if (set) {
            char *name = text_printable(c ? c->id : place, 200), *text = level_comment(name);
            shimxml_comment(accessor, set, text);
            free(text);
            free(name);
        }
        free(place);
    }
}

/* ---- the memory ---- */

static const struct shimxml_memory *memory_called(const struct shimxml_system *s, const char *id)
{
    for (size_t i = 0; id && i < s->n_memories; i++)
        if (strcmp(s->memories[i].id, id) == 0)
            return &s->memories[i];
    return 0;
}

/* Is it the memory that programs run in? That is the largest. Two of about equal size (nodes of a NUMA machine) cannot
 * be told apart. */
static bool is_main_memory(struct memory_filling *f, const struct shimxml_memory *m)
{
    bool alone = true;
    for (size_t i = 0; i < f->system->n_memories; i++) {
        const struct shimxml_memory *other = &f->system->memories[i];
        if (other != m && other->bytes > 2 * m->bytes)
            return false;
        alone &= other == m || 2 * other->bytes < m->bytes;
    }
    f->ambiguous += !alone;
    return alone;
}

static void fill_accessor(struct memory_filling *f, struct shimxml_node *accessor)
{
    const struct memory_unit *u = unit_of(f, shimxml_get(accessor, "masterComponentRef"));
    if (!u || u->from < 0)
        return;
    struct shimxml_node *set = add_set(f, accessor, u, "memory");
    if (!set)
        return; /* it stays as it is */
    while (accessor->first != set)
        shimxml_remove(accessor->first);
    add_levels(f, accessor, u);
    f->accessors++;
}

static void fill_accessors(struct memory_filling *f)
{
    for (struct shimxml_node *n = shimxml_following(f->root, 0, 0); n; n = shimxml_following(f->root, n, 0)) {
        if (!shimxml_is(n, "MasterSlaveBinding"))
            continue;
        const struct shimxml_memory *m = memory_called(f->system, shimxml_get(n, "slaveComponentRef"));
        if (!m || !is_main_memory(f, m))
            continue;
        if (!f->sub)
            f->sub = shimxml_owner(n, "SubSpace");
        for (struct shimxml_node *a = shimxml_child(n, "Accessor"); a; a = shimxml_next(a, "Accessor"))
            fill_accessor(f, a);
    }
}

/* ---- where the values come from, as a comment ---- */

#define MARK   " Memory performance: "
#define INDENT "                    "
#define ABSENT " Memory access performance is not given"

static char *provenance(const struct memory_filling *f, size_t connections)
{
    struct str text = STR_INIT;
    char *event = text_printable(f->v->event, 100);
    str_addf(&text, "shim-xml %s, measured in %s", SHIMGEN_VERSION, event);
    long before = -1;
    for (size_t i = 0; i < f->v->at.n; i++) {
        const struct memory_value *v = &f->v->at.at[i];
        if (v->access == 'M' || v->core == before)
            continue;
        str_addf(&text, "%s%ld", before < 0 ? " on core " : ", ", v->core);
        before = v->core;
    }
    str_addf(
        &text,
        "; cores of the same kind have the same values.\n" INDENT
        "The first PerformanceSet of an Accessor: the memory answers. Further ones: the cache that is named before."
        "\n" INDENT "best: the least run; typical: the centre of the runs, other cores idle, pages known to the TLB;"
        "\n" INDENT "worst: all other cores stream through memory, another page with every access.");
    if (f->v->spread_of) {
        char *of = text_printable(f->v->spread_of, 200);
        str_addf(&text, "\n" INDENT "Greatest spread of a run's typical value: %.3g %% (%s).", 100 * f->v->spread, of);
        free(of);
    }
    if (f->ambiguous)
        str_add(&text,
                "\n" INDENT "Several memories are as large: which one was measured is not known, so none has values.");
    if (!connections)
        str_add(&text, "\n" INDENT "No messages between cores were measured: there is no connection with values.");
    free(event);
    return str_detach(&text);
}

static bool begins(const struct shimxml_node *n, const char *mark)
{
    return n->type == NODE_COMMENT && strncmp(n->u.text, mark, strlen(mark)) == 0;
}

void memory_say(struct shimxml_node *root, const char *text, bool accesses, bool all)
{
    struct shimxml_node *next;
    for (struct shimxml_node *n = root->first; n; n = next) {
        next = n->next;
        if ((accesses && begins(n, ABSENT)) || (all && begins(n, MARK)))
            shimxml_remove(n);
    }
    char *comment = xasprintf(MARK "%s ", text);
    shimxml_comment(root, root->first, comment);
    free(comment);
}

static void say_where(const struct memory_filling *f, size_t connections)
{
    char *text = provenance(f, connections);
    memory_say(f->root, text, true, true);
    free(text);
}

/* ---- everything together ---- */

static enum status nothing_filled(const struct memory_filling *f, struct error *e)
{
    const char *path = shimxml_path(f->d);
    if (!f->units.n)
        return error_set(e, ERR_INPUT, AT_FILE(path), "there is no processing unit (MasterComponent of masterType PU)");
    return error_set(e, ERR_INPUT, AT_FILE(path),
                     "no value of the table fits: there must be an Accessor of a processing unit whose pid, or whose "
                     "kind, is that of core %ld, with AccessTypes (rwType, accessByteSize) that were measured",
                     f->v->at.at[0].core);
}

enum status shimxml_memory(struct shimxml_doc *d, const char *table_path, struct error *e)
{
    if (d->schema != &schema1)
        return error_set(e, ERR_INPUT, AT_FILE(d->path),
                         "not a SHIM 1.0 file ('shim-xml convert --memory' gives SHIM 2.0 these values)");
    struct memory_filling f = {.d = d, .root = shimxml_root(d)};
    struct memory_values *v = 0;
    enum status s = shimxml_system(&f.system, d, e);
    if (!s)
        s = memory_values_read(&v, table_path, e);
    if (!s) {
        f.v = v;
        memory_find_units(&f);
        fill_accessors(&f);
        size_t connections = memory_fill_connections(&f);
        if (f.accessors || connections || f.ambiguous)
            say_where(&f, connections);
        else
            s = nothing_filled(&f, e);
    }
    memory_values_free(v);
    shimxml_system_free(f.system);
    vec_release(&f.units);
    return s;
}
