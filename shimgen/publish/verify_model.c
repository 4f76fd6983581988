/* verify_model.c - opens a model's pack, checks it, and prints what it was made from. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "samples/manifest.h"
#include "shim-xml/shimxml.h"
#include "shimgen/pack/pack.h"
#include "shimgen/publish/model_private.h"

static const struct pack_limits limits = {64, (uint64_t)512 << 20, (uint64_t)2 << 30};

/* ---- opening ---- */

/* A text of the index in printable form; "" if it is missing or not a text. The caller frees. */
static char *said(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    char *shown = printable_text(text ? text : "");
    for (char *p = shown; *p; p++)
        if (*p == '\n' || *p == '\t')
            *p = ' ';
    return shown;
}

static enum status open_provenance(struct model *m, struct error *e)
{
    char *path = path_join(m->folder, MODEL_PROVENANCE);
    json_t *samples;
    enum status s = json_read(&m->provenance, path, e);
    if (!s)
        s = json_need_array(m->provenance, "samples", &samples, path, e);
    free(path);
    return s;
}

static enum status open_measurements(struct model *m, struct error *e)
{
    char *csv = path_join(m->folder, "measurements.csv"), *conditions = path_join(m->folder, "conditions.json");
    enum status s = file_exists(conditions)
                        ? measurements_read(&m->measured, csv, conditions, e)
                        : error_set(e, ERR_INPUT, NOWHERE, "it has no conditions.json: how was this measured?");
    free(conditions);
    free(csv);
    return s;
}

static enum status open_shim(struct model *m, struct error *e)
{
    const char *board;
    enum status s = json_need_string(m->index, "board", &board, "pack.json", e);
    if (s)
        return s;
    char *name = xasprintf("%s.shim.xml", board);
    bool good = pack_name_is_good(name) && !strchr(name, '/');
    m->shim = good ? path_join(m->folder, name) : 0;
    free(name);
    return good && file_exists(m->shim) ? OK : error_set(e, ERR_INPUT, NOWHERE, "it has no SHIM file of its board");
}

enum status model_open(struct model *m, const char *path, struct error *e)
{
    *m = (struct model){0};
    enum status s = temp_directory(&m->folder, "shimgen-pack", e);
    if (!s)
        s = pack_read(&m->index, path, MODEL_KIND, m->folder, &limits, e);
    if (s)
        return s;
    s = open_shim(m, e);
    if (!s)
        s = open_measurements(m, e);
    if (!s)
        s = open_provenance(m, e);
    return s ? error_context(e, "%s", path) : OK;
}

void model_close(struct model *m)
{
    struct error ignored = ERROR_INIT;
    if (m->folder) {
        (void)!remove_tree(m->folder, &ignored);
        cleanup_remove(m->folder);
    }
    error_release(&ignored);
    measurements_free(m->measured);
    json_decref(m->index);
    json_decref(m->provenance);
    free(m->folder);
    free(m->shim);
}

/* ---- findings ---- */

static void find(json_t *findings, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void find(json_t *findings, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap), *shown = printable_text(text);
    va_end(ap);
    json_array_append_new(findings, json_text(shown));
    free(shown);
    free(text);
}

static enum status check_shim(const struct model *m, json_t *findings, json_t *out, struct error *e)
{
    struct shimxml_doc *d = 0;
    struct shimxml_system *system = 0;
    struct shimxml_findings f = {0};
    enum status s = shimxml_read(&d, m->shim, e);
    if (!s) {
        shimxml_check(d, &f);
        s = shimxml_system(&system, d, e);
    }
    if (s == ERR_INPUT) { /* that is a finding as well */
        char *text = error_text(e);
        find(findings, "the SHIM file cannot be used: %s", text);
        free(text);
        error_release(e);
        s = OK;
    }
    for (size_t i = 0; i < f.n; i++)
        if (f.at[i].severity == SHIMXML_ERROR)
            find(findings, "the SHIM file is not valid: line %lu: %s", f.at[i].line, f.at[i].text);
    if (system)
        json_put(out, "cores", json_integer((json_int_t)system->n_cores));
    for (size_t i = 0; system && i < system->n_cores; i++)
        if (system->cores[i].seal == SHIMXML_CHANGED)
            find(findings, "core '%s': its values are not those that shimgen wrote", system->cores[i].name);
    shimxml_findings_release(&f);
    shimxml_system_free(system);
    shimxml_free(d);
    return s;
}

static void check_conditions(const struct model *m, json_t *findings)
{
    const struct {
        const char *key, *is;
    } same[] = {{"board", m->measured->conditions.board},
                {"measured", m->measured->conditions.date},
                {"cpu", m->measured->conditions.cpu},
                {"kernel", m->measured->conditions.kernel}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const char *text = json_string_value(json_object_get(m->index, same[i].key));
        if (!text || strcmp(text, same[i].is) != 0)
            find(findings, "the index says %s '%s', the conditions of the measurements say '%s'", same[i].key,
                 text ? text : "", same[i].is);
    }
}

/* ---- its programs compared with those here ---- */

struct programs {
    size_t measured;                     /* programs at a level */
    size_t sources, same, other, absent; /* files of all samples: the same here, different here, not here */
};

static void count_measured(struct programs *p, const struct model *m)
{
    struct map seen = {0};
    for (size_t i = 0; i < m->measured->rows.n; i++)
        map_number(&seen, m->measured->rows.at[i].program);
    p->measured = seen.n;
    map_release(&seen);
}

/* NULL: there is no such source here. The caller frees. */
static char *sum_here(const struct sample *x, const char *file)
{
    struct error ignored = ERROR_INIT;
    char *sum = 0;
    for (size_t i = 0; x && i < x->n_sources && !sum; i++)
        if (strcmp(path_basename(x->sources[i]), file) == 0)
            (void)!pack_sha256(&sum, x->sources[i], &ignored);
    error_release(&ignored);
    return sum;
}

static void compare_file(struct programs *p, const struct sample *x, const json_t *file)
{
    const char *name = json_string_value(json_object_get(file, "name")),
               *sum = json_string_value(json_object_get(file, "sha256"));
    char *here = name ? sum_here(x, name) : 0;
    p->sources++;
    p->absent += !here;
    p->same += here && sum && strcmp(here, sum) == 0;
    p->other += here && !(sum && strcmp(here, sum) == 0);
    free(here);
}

static const struct sample *sample_named(const struct samples *s, const char *name)
{
    for (size_t i = 0; name && i < s->n; i++)
        if (strcmp(s->at[i].name, name) == 0)
            return &s->at[i];
    return 0;
}

static enum status compare_samples(struct programs *p, const struct model *m, const char *folder, struct error *e)
{
    struct samples here = {0};
    char *own = resource_share("samples");
    enum status s = samples_read(&here, folder ? folder : own, 0, e);
    const json_t *list = json_object_get(m->provenance, "samples");
    for (size_t i = 0; !s && i < json_array_size(list); i++) {
        const json_t *x = json_array_get(list, i), *files = json_object_get(x, "files");
        const struct sample *sample = sample_named(&here, json_string_value(json_object_get(x, "program")));
        for (size_t k = 0; k < json_array_size(files); k++)
            compare_file(p, sample, json_array_get(files, k));
    }
    samples_release(&here);
    free(own);
    return s;
}

/* ---- printing ---- */

static void print_line(const char *label, char *owned)
{
    if (*owned)
        printf("%-10s %s\n", label, owned);
    free(owned);
}

static char *joined(const json_t *o, const char *a, const char *between, const char *b)
{
    char *x = said(o, a), *y = said(o, b),
         *all = *x && *y ? xasprintf("%s%s%s", x, between, y) : xasprintf("%s%s", x, y);
    free(x);
    free(y);
    return all;
}

static void print_text(const struct model *m, const struct programs *p, const json_t *out)
{
    const json_t *tools = json_object_get(m->provenance, "tools"), *files = json_object_get(m->index, "files");
    const json_t *edited = json_object_get(m->index, "edited"), *findings = json_object_get(out, "findings");
    double bytes = 0;
    for (size_t i = 0; i < json_array_size(files); i++)
        bytes += json_number_value(json_object_get(json_array_get(files, i), "bytes"));
    print_line("board", joined(m->index, "board", ": ", "title"));
    print_line("target", said(m->index, "target"));
    print_line("measured", joined(m->index, "measured", " on ", "cpu"));
    print_line("kernel", joined(m->index, "kernel", ", under ", "hypervisor"));
    print_line("cycles", said(m->index, "cycles"));
    print_line("shimgen", said(tools, "shimgen"));
    print_line("compiler", said(tools, "compiler"));
    print_line("emulator", said(tools, "emulator"));
    printf("%-10s %zu at their levels; %zu sources: %zu as here, %zu that differ here, %zu not here\n", "programs",
           p->measured, p->sources, p->same, p->other, p->absent);
    printf("%-10s %zu, %.0f bytes\n", "files", json_array_size(files), bytes);
    for (size_t i = 0; i < json_array_size(edited); i++) {
        char *name = printable_text(json_string_value(json_array_get(edited, i)));
        printf("%-10s %s, after the build had written it\n", "edited", name ? name : "");
        free(name);
    }
    for (size_t i = 0; i < json_array_size(findings); i++)
        printf("%-10s %s\n", "wrong", json_string_value(json_array_get(findings, i)));
    if (!json_array_size(findings))
        printf("%-10s the pack is whole, its SHIM file valid\n", "good");
}

static enum status print_json(const struct model *m, const struct programs *p, json_t *out, struct error *e)
{
    json_object_set(out, "index", m->index);
    json_object_set(out, "provenance", m->provenance);
    json_put(out, "programs", json_integer((json_int_t)p->measured));
    json_put(out, "sources",
             json_pack("{s:I, s:I, s:I}", "same", (json_int_t)p->same, "different", (json_int_t)p->other, "absent",
                       (json_int_t)p->absent));
    return json_write(out, 0, e);
}

enum status model_verify(const char *path, const char *samples, bool json, struct error *e)
{
    struct model m;
    struct programs p = {0};
    json_t *out = json_object(), *findings = json_array();
    json_put(out, "findings", findings);
    enum status s = model_open(&m, path, e);
    if (!s)
        s = check_shim(&m, findings, out, e);
    if (!s)
        s = compare_samples(&p, &m, samples, e);
    if (!s) {
        check_conditions(&m, findings);
        count_measured(&p, &m);
        if (json)
            s = print_json(&m, &p, out, e);
        else
            print_text(&m, &p, out);
    }
    if (!s && json_array_size(findings))
        s = ERR_FOUND;
    json_decref(out);
    model_close(&m);
    return s;
}
