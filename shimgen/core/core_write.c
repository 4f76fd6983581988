/* core_write.c - writes a model file: origin, figures with their evidence, unknown figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/core/core_file.h"
#include "sim/core/core_model.h"

/* A class that no kernel runs costs what a similar class costs. */
const struct core_likeness core_likenesses[] = {
    {ISS_BRANCH_IF, ISS_BRANCH},
    {ISS_BRANCH_ZERO, ISS_BRANCH},
    {ISS_BRANCH_REG, ISS_BRANCH},
    {ISS_CALL, ISS_BRANCH},
    {ISS_CALL_REG, ISS_BRANCH},
    {ISS_RETURN, ISS_BRANCH},
    {ISS_SELECT, ISS_ALU},
    {ISS_SHIFT, ISS_ALU},
    {ISS_BITS, ISS_ALU},
    {ISS_ALU_SHIFTED, ISS_ALU},
    {ISS_LOAD_LITERAL, ISS_LOAD},
    {ISS_LOAD_SMALL_REG, ISS_LOAD_SMALL},
    {ISS_ATOMIC, ISS_LOAD_EXCLUSIVE},
    {ISS_FP_LOAD, ISS_LOAD},
    {ISS_FP_STORE, ISS_STORE},
    {ISS_MOVE, ISS_ALU},
    {ISS_ZERO, ISS_MOVE_IMM},
    {ISS_SIMD_SHUFFLE, ISS_SIMD_128},
    {ISS_CRYPTO, ISS_SIMD_MUL_128},
    {ISS_NOP, ISS_NOP},
};

static const char *figure_of(const struct core_figures *f, const char *section, const char *key)
{
    for (size_t i = 0; f && i < f->n; i++)
        if (strcmp(f->at[i].section, section) == 0 && strcmp(f->at[i].key, key) == 0)
            return f->at[i].value;
    return "unknown";
}

static void add_text(struct str *to, const char *key, const char *value)
{
    if (value)
        str_addf(to, "%s = %s\n", key, value);
}

static void add_head(struct str *to, const struct core_file *f)
{
    const struct core_timing *t = f->timing;
    if (f->measured_on)
        str_addf(to, "; The timing of %s for shimgen, measured. 'shimgen core' wrote it.\n", f->name);
    else
        str_addf(to, "; The timing of %s for shimgen, from %s: not measured. 'shimgen core' wrote it.\n", f->name,
                 f->source);
    str_add(to, "; docs/formats/iss-model.md explains every key. Times in core cycles unless a key says otherwise.\n");
    str_add(to,
            "; In comments: cycles of an instruction in a chain, and in a stream of independent ones.\n\n[model]\n");
    add_text(to, "name", f->name);
    add_text(to, "architecture", t->kernels->architecture);
    str_addf(to, "clock_hz = %s\n\n[origin]\n", figure_of(f->figures, "model", "clock_hz"));
    add_text(to, "source", f->source);
    add_text(to, "measured", f->measured_on);
    add_text(to, "version", f->version);
    add_text(to, "shared", f->shared);
    add_text(to, "order", t->out_of_order ? "out" : "in");
    add_text(to, "filled", f->figures ? f->figures->from : NULL);
    add_text(to, "target", f->target);
    add_text(to, "cpu", f->cpu && *f->cpu ? f->cpu : NULL);
    str_addf(to, "\n[issue]\nwidth = %d\nwrite_back = %d\n", t->width, t->write_back);
}

/* Adds figures that kernels do not show. */
static void add_figures(struct str *to, const struct core_file *f)
{
    const char *last = "model", *section;
    for (size_t i = 0; i < iss_model_figures(); i++) {
        const char *key = iss_model_figure(i, &section);
        if (strcmp(section, "model") == 0)
            continue;
        if (strcmp(section, last) != 0)
            str_addf(to, "\n[%s]\n", section);
        str_addf(to, "%s = %s\n", key, figure_of(f->figures, section, key));
        last = section;
    }
}

/* Takes the value that was given, else the one that was found. */
static void add_room(struct str *to, const struct core_file *f, const char *key, double found)
{
    const char *said = figure_of(f->figures, "window", key);
    if (strcmp(said, "unknown") == 0 && isfinite(found) && found >= 1)
        str_addf(to, "%s = %.0f\n", key, found);
    else
        str_addf(to, "%s = %s\n", key, said);
}

static void add_window(struct str *to, const struct core_file *f)
{
    const struct core_measured *m = f->measured;
    str_add(to, "\n[window]\n");
    add_room(to, f, "reorder", m->reorder);
    add_room(to, f, "scheduler", m->scheduler);
    add_room(to, f, "loads", m->loads);
    add_room(to, f, "stores", m->stores);
    add_room(to, f, "retire", NAN);
    add_room(to, f, "fuses", NAN);
    add_room(to, f, "forward", NAN);
}

static void add_ports(struct str *to, const struct core_class *c)
{
    for (unsigned i = 0; i < c->n_uses; i++) {
        str_add(to, i ? ", " : "ports = ");
        bool first = true;
        for (unsigned p = 0; p < ISS_PORTS; p++)
            if (c->use[i].ports >> p & 1) {
                str_addf(to, "%s%u", first ? "" : " ", p);
                first = false;
            }
        if (c->use[i].busy > 1)
            str_addf(to, " x%lld", (long long)c->use[i].busy);
    }
    str_add(to, c->n_uses ? "\n" : "");
    if (c->slots > 1)
        str_addf(to, "slots = %u\n", c->slots);
}

void core_units_add(struct str *to, const int units[ISS_UNIT_N], const int need[ISS_NEED_N])
{
    str_add(to, "\n[units]\n");
    for (unsigned u = 1; u < ISS_UNIT_N; u++)
        if (units[u])
            str_addf(to, "%s = %d\n", iss_unit_names[u], units[u]);
    str_add(to, "\n[need]\n");
    for (unsigned i = 0; i < ISS_NEED_N; i++)
        if (need[i])
            str_addf(to, "%s = %d\n", iss_need_names[i], need[i]);
}

static void add_evidence(struct str *to, const struct core_kernel *k, const struct core_cycles *x,
                         const struct core_class *c)
{
    str_addf(to, "; %.*s: ", (int)strcspn(k->text, "\n"), k->text);
    if (isfinite(x->chain))
        str_addf(to, "chain %.2f%s%s, ", x->chain, k->kind->back ? " with " : "",
                 k->kind->back ? iss_class_names[k->kind->back] : "");
    if (isfinite(x->use))
        str_addf(to, "with an addition %.2f, ", x->use);
    if (isfinite(x->second))
        str_addf(to, "chain through '%s' %.2f, ", k->second, x->second);
    str_addf(to, "stream %.2f\n", x->stream);
    if (c->split)
        str_add(to, "; only the sum of both ways was seen: half of it\n");
}

static void add_class(struct str *to, const struct core_file *f, size_t i)
{
    const struct core_kernel *k = &f->timing->kernels->at[i];
    const struct core_class *c = &f->timing->classes[i];
    char *name = core_class_name(k->class);
    str_addf(to, "\n[%s]\n", name);
    free(name);
    add_evidence(to, k, &f->measured->at[i], c);
    str_addf(to, "latency = %d\n", c->latency);
    if (c->latency2 >= 0)
        str_addf(to, "latency2 = %d\n", c->latency2);
    for (int need = 0; need < ISS_NEED_N; need++)
        if (c->to[need] >= 0)
            str_addf(to, "to_%s = %d\n", iss_need_names[need], c->to[need]);
    add_ports(to, c);
    if (c->unit)
        str_addf(to, "unit = %s\n", iss_unit_names[c->unit]);
    if (c->take > 1)
        str_addf(to, "take = %u\n", c->take);
    if (c->busy > 1)
        str_addf(to, "busy = %u\n", c->busy);
}

static bool is_known(const struct core_timing *t, unsigned class)
{
    const struct core_kernel *k = core_kernels_find(t->kernels, class);
    return k && t->classes[k - t->kernels->at].known;
}

static void add_classes(struct str *to, const struct core_file *f)
{
    const struct core_timing *t = f->timing;
    for (size_t i = 0; i < t->kernels->n; i++)
        if (t->classes[i].known)
            add_class(to, f, i);
    str_add(to, "\n; No kernel runs these, or the core lacks them: assumed to be like similar ones.\n");
    for (const struct core_likeness *l = core_likenesses; l->class != l->like; l++)
        if (!is_known(t, l->class) && is_known(t, l->like))
            str_addf(to, "[%s]\nlike = %s\n", iss_class_names[l->class], iss_class_names[l->like]);
    str_add(to, "[barrier]\nlatency = 1\nissue = alone\ndrains = 1\nassumed = 1\n");
    if (!is_known(t, ISS_SYSTEM))
        str_add(to, "[system]\nlatency = 1\nissue = alone\nassumed = 1\n");
    str_addf(to, "[unknown]\n%s\n", is_known(t, ISS_ALU) ? "like = alu" : "latency = 1");
}

/* Reads the text back from a temporary file, so that an invalid file never replaces another one. */
static enum status check(const struct str *text, struct error *e)
{
    char *folder = NULL;
    struct iss_model *m = NULL;
    enum status s = temp_directory(&folder, "shimgen-core", e);
    if (s)
        return s;
    char *path = path_join(folder, "core.ini");
    s = file_write(path, str_text(text), text->len, e);
    if (!s)
        s = iss_model_read(&m, path, e);
    iss_model_free(m);
    free(path);
    free(folder);
    return s;
}

enum status core_text_write(const struct str *text, const char *path, struct error *e)
{
    struct outfile o = {0};
    enum status s = check(text, e);
    if (!s)
        s = outfile_open(&o, path, e);
    if (!s) {
        fwrite(str_text(text), 1, text->len, o.f);
        s = outfile_commit(&o, e);
    }
    outfile_abort(&o);
    return s;
}

enum status core_file_write(const struct core_file *f, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    add_head(&text, f);
    add_figures(&text, f);
    if (f->timing->out_of_order)
        add_window(&text, f);
    core_units_add(&text, f->timing->units, f->timing->need);
    add_classes(&text, f);
    if (f->intervals)
        str_addf(
            &text,
            "\n; Least and greatest value that explain the trials as well; to_NEED: cycles from issue to that use.\n"
            "[interval]\n%s",
            f->intervals);
    enum status s = core_text_write(&text, path, e);
    str_release(&text);
    return s;
}
