/* core_build.c - compiles the microbenchmarks for a core and times them by its model, as instruction values of a SHIM
 * file. */
#include "shimgen/core/core_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/file.h"
#include "base/instructions.h"
#include "base/key.h"
#include "base/progress.h"
#include "boards/boards.h"
#include "shim-xml/shimxml.h"
#include "shimgen/units/lock.h"
#include "shimgen/probes/micro.h"
#include "shimgen/values/micro_values.h"
#include "sim/core/core_model.h"

/* ---- the machine ---- */

static void add_cache(struct str *to, const struct iss_model *m, const char *name, const struct iss_cache_model *c)
{
    for (size_t i = 0; i < m->n_unknown; i++)
        if (strncmp(m->unknown[i] + 1, name, strlen(name)) == 0 && strstr(m->unknown[i], "] size"))
            return;
    str_addf(to, "%s = %zu:%u:%u%s\n", name, (size_t)c->geometry.size, (unsigned)c->geometry.ways,
             (unsigned)c->geometry.line, strcmp(name, "l1i") == 0 ? " SOFT" : "");
}

/* SHIM allows letters, digits and single underscores in names. */
static char *shim_name(const char *text)
{
    struct str name = STR_INIT;
    for (; *text; text++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *text))
            str_addch(&name, *text);
        else if (name.len && name.s[name.len - 1] != '_')
            str_addch(&name, '_');
    return name.len ? str_detach(&name) : xstrdup("core");
}

/* Describes one core, its known caches, and a memory, which SHIM requires. */
static enum status describe(struct shimxml_doc **out, const struct iss_model *m, struct error *e)
{
    struct str text = STR_INIT;
    char *folder = NULL, *name = shim_name(m->name);
    enum status s = temp_directory(&folder, "shimgen-core", e);
    if (!s) {
        char *path = path_join(folder, "machine.ini");
        str_addf(&text,
                 "[machine]\nname = %s\nclock = %llu\nendian = LITTLE\n[cluster Cluster_0]\ncores = 1\narch = %s\n",
                 name, (unsigned long long)m->clock_hz, m->architecture);
        add_cache(&text, m, "l1i", &m->l1i);
        add_cache(&text, m, "l1d", &m->l1d);
        add_cache(&text, m, "l2", &m->l2);
        str_add(&text, "[memory Memory_0]\nsize = 1G\n");
        s = file_write(path, str_text(&text), text.len, e);
        if (!s)
            s = shimxml_describe(out, path, e);
        free(path);
    }
    str_release(&text);
    free(folder);
    free(name);
    return s;
}

/* ---- the values ---- */

static const struct micro_value *value_of(const struct micro_values *v, const char *instruction, enum micro_quantity q)
{
    const struct micro_value *x = micro_values_of(v, instruction, q);
    for (int steps = 0; x && x->like && steps < 8; steps++)
        x = micro_values_of(v, x->like, q);
    return x && isfinite(x->typical) ? x : NULL;
}

/* Writes a latency CSV (docs/formats/shim.md). `without`: instructions of which nothing is known. */
static void values_text(struct str *to, struct str *without, const struct micro_values *v)
{
    str_add(to, "# performance\n");
    for (size_t i = 0; i < IR_LISTED; i++) {
        const char *name = ir_listed(i)->name;
        const struct micro_value *pitch = value_of(v, name, MICRO_PITCH), *latency = value_of(v, name, MICRO_LATENCY);
        pitch = pitch ? pitch : latency;
        latency = latency ? latency : pitch;
        if (!pitch) {
            str_addf(without, " %s", name);
            continue;
        }
        str_addf(to, "%s,32,32,%.9g,%.9g,%.9g\n", name, pitch->typical, pitch->best, pitch->worst);
        str_addf(to, "%s" IR_DEPENDENT ",32,32,%.9g,%.9g,%.9g\n", name, latency->typical, latency->best,
                 latency->worst);
    }
}

static char *source_text(const struct iss_model *m, const char *without)
{
    struct str text = STR_INIT;
    char *origin = iss_model_origin(m), *unknown = iss_model_unknown(m);
    str_addf(&text, "shimgen %s: %s.", SHIMGEN_VERSION,
             origin ? origin : "timed by a model of the core, not run on one");
    str_add(&text,
            "\nLatency: until the result can be used; Pitch: until another of its kind can begin; by the machine "
            "code of microbenchmarks, which nothing has run; best and worst over their conditions.");
    if (*unknown)
        str_addf(&text, "\nNot known of the core, and taken to cost nothing: %s.", unknown);
    if (*without)
        str_addf(&text, "\nWithout values:%s.", without);
    for (char *p = text.s; (p = strstr(p, "--"));)
        p[1] = '_';
    free(origin);
    free(unknown);
    return str_detach(&text);
}

static enum status fill(struct shimxml_doc *d, const struct micro_values *v, const struct iss_model *m, struct error *e)
{
    struct str text = STR_INIT, without = STR_INIT;
    char *folder = NULL;
    enum status s = temp_directory(&folder, "shimgen-core", e);
    if (!s) {
        char *table = path_join(folder, "latency.csv");
        values_text(&text, &without, v);
        s = file_write(table, str_text(&text), text.len, e);
        if (!s)
            s = shimxml_import(d, table, 0, e);
        free(table);
    }
    if (!s) {
        char *source = source_text(m, str_text(&without));
        shimxml_say_source(d, source, 0);
        shimxml_set_method(d, "schedule");
        free(source);
    }
    str_release(&text);
    str_release(&without);
    free(folder);
    return s;
}

/* ---- everything together ---- */

static enum status first_error(const struct shimxml_doc *d, const char *path, struct error *e)
{
    struct shimxml_findings found = {0};
    shimxml_check(d, &found);
    enum status s = OK;
    for (size_t i = 0; !s && i < found.n; i++)
        if (found.at[i].severity == SHIMXML_ERROR)
            s = error_set(e, ERR_INPUT, AT_FILE(path), "%s", found.at[i].text);
    shimxml_findings_release(&found);
    return s;
}

static enum status write_shim(const struct outputs *o, const struct iss_model *m, struct error *e)
{
    struct micro_table table = {0};
    struct micro_values values = {0};
    struct shimxml_doc *d = NULL;
    enum status s = micro_table_read(&table, o->micro, e);
    if (!s)
        s = describe(&d, m, e);
    if (!s) {
        micro_values_find(&values, &table, "CPU_CYCLES");
        s = fill(d, &values, m, e);
    }
    if (!s)
        s = first_error(d, o->shim, e);
    if (!s)
        s = shimxml_write(d, o->shim, e);
    shimxml_free(d);
    micro_values_release(&values);
    micro_table_release(&table);
    return s;
}

static void say(const struct outputs *o, const struct iss_model *m)
{
    char *origin = iss_model_origin(m), *unknown = iss_model_unknown(m);
    printf(
        "%s  for estimates: latencies and pitches by a model of the core\n%s  the same by instruction and condition\n",
        o->shim, o->micro);
    if (origin)
        printf("%s\n", origin);
    if (*unknown)
        printf("not known of the core, and taken to cost nothing: %s\n", unknown);
    free(origin);
    free(unknown);
}

enum status core_build(const char *core, const char *folder, size_t workers, struct error *e)
{
    struct board *b = NULL;
    struct iss_model *m = NULL;
    struct outputs out;
    struct lock lock = {-1};
    char *path = strchr(core, '/') ? xstrdup(core) : xasprintf("./%s", core);
    enum status s = iss_model_read(&m, path, e);
    if (!s)
        s = board_load(&b, path, e);
    free(path);
    if (s) {
        iss_model_free(m);
        return s;
    }
    outputs_init(&out, b->name, folder);
    const struct micro_options how = {.core = m, .workers = workers};
    s = lock_take(&lock, out.directory, e);
    if (!s)
        s = make_directories(out.work, e);
    if (!s)
        s = micro_measure(b, &out, &how, e);
    progress_clear();
    if (!s)
        s = write_shim(&out, m, e);
    if (!s)
        say(&out, m);
    lock_release(&lock);
    outputs_release(&out);
    board_free(b);
    iss_model_free(m);
    return s;
}
