/* measured_file.c - writes the model file of a measured core: figures with their evidence, then their intervals. */
#include "shimgen/core/measured_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

struct writer {
    const struct measured_file *m;
    struct iss_model *model; /* the fit's */
    int need[ISS_NEED_N];
    struct str text, intervals;
};

static const struct core_kernels *kernels_of(const struct writer *w)
{
    return w->m->fit->run->trials.kernels;
}

static const struct iss_timing *timing_of(const struct writer *w, size_t kernel)
{
    return core_fit_timing(w->model, core_fit_class(w->m->fit, kernel));
}

static bool was_measured(const struct writer *w, size_t kernel)
{
    char *class = core_class_name(kernels_of(w)->at[kernel].class);
    bool measured = isfinite(core_trials_cycles(&w->m->fit->run->trials, "%s/stream", class));
    free(class);
    return measured;
}

/* ---- needs ---- */

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* What most classes have for a need, where trials determine it to the cycle; else 0. */
static int usual_need(const struct writer *w, int need)
{
    int found[256];
    size_t n = 0;
    for (size_t i = 0; i < kernels_of(w)->n; i++) {
        const struct core_found *v = core_fit_of(w->m->fit, CORE_AFTER, i, need);
        int main = core_main_need(&kernels_of(w)->at[i]);
        if (v && v->observable && v->low == v->high && main != need)
            found[n++] = (int)v->value - timing_of(w, i)->after[main];
    }
    qsort(found, n, sizeof *found, by_size);
    return n ? found[n / 2] : 0;
}

/* ---- figures of the whole core ---- */

static const struct core_found *global_of(const struct writer *w, const char *section, const char *key)
{
    for (size_t i = 0; i < w->m->fit->found.n; i++) {
        const struct core_found *v = &w->m->fit->found.at[i];
        if (v->kind == CORE_GLOBAL && strcmp(v->section, section) == 0 && strcmp(v->key, key) == 0)
            return v;
    }
    return NULL;
}

static const char *elsewhere(const struct writer *w, const char *section, const char *key)
{
    const struct core_figures *f = w->m->figures;
    for (size_t i = 0; f && i < f->n; i++)
        if (strcmp(f->at[i].section, section) == 0 && strcmp(f->at[i].key, key) == 0)
            return f->at[i].value;
    return NULL;
}

static void add_interval(struct writer *w, const char *section, const char *key, const struct core_found *v)
{
    if (v->observable)
        str_addf(&w->intervals, "%s.%s = %lld %lld\n", section, key, (long long)v->low, (long long)v->high);
    else
        str_addf(&w->intervals, "%s.%s = not observable\n", section, key);
}

static void add_figure(struct writer *w, const char *section, const char *key)
{
    const struct core_found *v = global_of(w, section, key);
    const struct hierarchy_figure *h = hierarchy_figures_of(w->m->hierarchy, section, key);
    const char *other = elsewhere(w, section, key);
    if (core_figures_is_set(w->m->figures, section, key)) {
        str_addf(&w->text, "%s = %s\n", key, other);
        return;
    }
    if (v)
        add_interval(w, section, key, v);
    if (h && h->measured)
        str_addf(&w->intervals, "%s.%s = %.0f %.0f\n", section, key, h->low, h->high);
    if (h)
        str_addf(&w->text, "; %s\n", h->evidence);
    if (v && v->observable)
        str_addf(&w->text, "%s = %lld\n", key, (long long)v->value);
    else
        str_addf(&w->text, "%s = %s\n", key, h ? h->value : other ? other : "unknown");
}

static void add_figures(struct writer *w)
{
    const char *last = "model", *section;
    for (size_t i = 0; i < iss_model_figures(); i++) {
        const char *key = iss_model_figure(i, &section);
        if (strcmp(section, "model") == 0)
            continue;
        if (strcmp(section, last) != 0)
            str_addf(&w->text, "\n[%s]\n", section);
        add_figure(w, section, key);
        last = section;
    }
}

static void add_head(struct writer *w)
{
    const struct board *b = w->m->board;
    const struct core_fit *f = w->m->fit;
    const struct hierarchy_figure *clock = hierarchy_figures_of(w->m->hierarchy, "model", "clock_hz");
    const char *other = elsewhere(w, "model", "clock_hz");
    if (core_figures_is_set(w->m->figures, "model", "clock_hz"))
        clock = NULL;
    str_addf(&w->text, "; The timing of the core of %s, measured by 'shimgen core %s'.\n", b->name, b->name);
    str_add(&w->text,
            "; docs/formats/iss-model.md explains every key, docs/method/core.md how it was found. Times in core "
            "cycles.\n; In comments: cycles of an instruction in a chain, and in a stream of independent ones.\n");
    str_addf(&w->text, "\n[model]\nname = %s\narchitecture = %s\nclock_hz = %s\n", *b->cpu ? b->cpu : b->name,
             w->model->architecture,
             clock   ? clock->value
             : other ? other
                     : "unknown");
    str_addf(&w->text, "\n[origin]\nmeasured = on %s, %zu of %zu trials explained\norder = in\n", b->name, f->explained,
             f->tried);
    if (w->m->figures && w->m->figures->from)
        str_addf(&w->text, "filled = %s\n", w->m->figures->from);
    str_addf(&w->text, "target = %s\n", *board_target(b) ? board_target(b) : "");
    if (*f->run->cpu)
        str_addf(&w->text, "cpu = %s\n", f->run->cpu);
    const struct core_found *width = global_of(w, "issue", "width"), *back = global_of(w, "issue", "write_back");
    /* The trial uses the written-back address in the next access; the key is about an addition. */
    struct core_found written = *back;
    int earlier = back->observable ? usual_need(w, ISS_NEED_ADDRESS) : 0;
    written.value -= earlier;
    written.low = written.low > earlier ? written.low - earlier : 0;
    written.high -= earlier;
    str_addf(&w->text, "\n[issue]\nwidth = %lld\nwrite_back = %lld\n", (long long)width->value,
             (long long)(written.value < 0 ? 0 : written.value));
    add_interval(w, "issue", "width", width);
    add_interval(w, "issue", "write_back", &written);
}

static void add_units(struct writer *w)
{
    int units[ISS_UNIT_N];
    for (unsigned u = 0; u < ISS_UNIT_N; u++)
        units[u] = (int)w->model->units[u];
    for (int i = 0; i < ISS_NEED_N; i++)
        w->need[i] = i == ISS_NEED_OPERAND || i == ISS_NEED_FP ? 0 : usual_need(w, i);
    core_units_add(&w->text, units, w->need);
}

/* ---- classes ---- */

static void add_evidence(struct writer *w, size_t kernel, const char *class)
{
    const struct core_trials *t = &w->m->fit->run->trials;
    const struct core_kernel *k = &kernels_of(w)->at[kernel];
    double chain = core_trials_cycles(t, "%s/chain", class), second = core_trials_cycles(t, "%s/second", class);
    str_addf(&w->text, "; %.*s: ", (int)strcspn(k->text, "\n"), k->text);
    if (isfinite(chain))
        str_addf(&w->text, "chain %.2f%s%s, ", chain, k->kind->back ? " with " : "",
                 k->kind->back ? iss_class_names[k->kind->back] : "");
    if (isfinite(second))
        str_addf(&w->text, "chain through '%s' %.2f, ", k->second, second);
    str_addf(&w->text, "stream %.2f\n", core_trials_cycles(t, "%s/stream", class));
}

/* Cycles until each need: latency plus need, or the class's own value if that sum does not explain its trials. */
static void add_latencies(struct writer *w, size_t kernel, const char *class)
{
    const struct core_kernel *k = &kernels_of(w)->at[kernel];
    const struct iss_timing *t = timing_of(w, kernel);
    int latency = t->divide_bits ? t->latency : t->after[core_main_need(k)];
    str_addf(&w->text, "latency = %d\n", latency < 0 ? 0 : latency);
    for (int need = 0; need < ISS_NEED_N; need++) {
        const struct core_found *v = core_fit_of(w->m->fit, CORE_AFTER, kernel, need);
        if (!v || !v->n_trials)
            continue;
        int64_t quotient = t->divide_bits ? t->divide_base - t->latency : 0;
        if (v->observable)
            str_addf(&w->intervals, "%s.to_%s = %lld %lld\n", class, iss_need_names[need], (long long)v->low + quotient,
                     (long long)v->high + quotient);
        else
            str_addf(&w->intervals, "%s.to_%s = not observable\n", class, iss_need_names[need]);
        int usual = (latency < 0 ? 0 : latency) + w->need[need];
        if (v->observable && (usual < v->low || usual > v->high))
            str_addf(&w->text, "to_%s = %lld\n", iss_need_names[need], (long long)v->value);
    }
    const struct core_found *second = core_fit_of(w->m->fit, CORE_SECOND, kernel, 0);
    if (second) {
        str_addf(&w->text, "latency2 = %lld\n", (long long)second->value + latency);
        add_interval(w, class, "latency2", second);
    }
}

static void add_unit(struct writer *w, size_t kernel, const char *class)
{
    const struct iss_timing *t = timing_of(w, kernel);
    const struct core_found *unit = core_fit_of(w->m->fit, CORE_UNIT, kernel, 0),
                            *busy = core_fit_of(w->m->fit, CORE_BUSY, kernel, 0),
                            *late = core_fit_of(w->m->fit, CORE_LATE, kernel, 0);
    struct core_found by_quotient = *busy;
    str_addf(&w->text, "unit = %s\n", iss_unit_names[t->unit]);
    if (t->take > 1)
        str_addf(&w->text, "take = %d\n", t->take);
    if (t->second_unit)
        str_addf(&w->text, "second_unit = %s\n", iss_unit_names[t->second_unit]);
    if (t->busy > 1 && (t->unit || t->second_unit))
        str_addf(&w->text, "busy = %d\n", t->busy);
    if (late && late->value)
        str_addf(&w->text, "late = %d\n", t->late);
    int quotient = t->divide_bits ? t->divide_base - t->latency : 0;
    by_quotient.low += quotient;
    by_quotient.high += quotient;
    add_interval(w, class, "unit", unit);
    add_interval(w, class, "busy", &by_quotient);
    if (late)
        add_interval(w, class, "late", late);
    if (t->divide_bits)
        str_addf(&w->text, "divide_base = %d\ndivide_bits = %d\ndivide_max = %d\n", t->divide_base, t->divide_bits,
                 t->divide_max);
}

/* Where it can make the whole core wait. */
static void add_holds(struct writer *w, size_t kernel, const char *class)
{
    const struct iss_timing *t = timing_of(w, kernel);
    const struct core_found *hold = core_fit_of(w->m->fit, CORE_HOLD, kernel, 0),
                            *drains = core_fit_of(w->m->fit, CORE_DRAINS, kernel, 0);
    if (!hold || !drains)
        return;
    if (t->issue != ISS_ISSUE_ANY)
        str_addf(&w->text, "issue = %s\n", iss_issue_names[t->issue]);
    if (t->hold)
        str_addf(&w->text, "hold = %d\n", t->hold);
    if (t->drains)
        str_add(&w->text, "drains = 1\n");
    add_interval(w, class, "hold", hold);
    add_interval(w, class, "drains", drains);
}

static void add_class(struct writer *w, size_t kernel)
{
    char *class = core_class_name(kernels_of(w)->at[kernel].class);
    str_addf(&w->text, "\n[%s]\n", class);
    add_evidence(w, kernel, class);
    add_latencies(w, kernel, class);
    add_unit(w, kernel, class);
    add_holds(w, kernel, class);
    if (kernels_of(w)->at[kernel].class == ISS_ALU) /* no trial leads a branch across just one instruction */
        str_addf(&w->intervals, "%s.predicated = not observable\n", class);
    free(class);
}

static bool is_known(const struct writer *w, unsigned class)
{
    const struct core_kernel *k = core_kernels_find(kernels_of(w), class);
    return k && was_measured(w, (size_t)(k - kernels_of(w)->at));
}

static void add_classes(struct writer *w)
{
    for (size_t i = 0; i < kernels_of(w)->n; i++)
        if (was_measured(w, i))
            add_class(w, i);
    str_add(&w->text, "\n; No trial runs these, or the core lacks them: assumed to be like similar ones.\n");
    for (const struct core_likeness *l = core_likenesses; l->class != l->like; l++)
        if (!is_known(w, l->class) && is_known(w, l->like))
            str_addf(&w->text, "[%s]\nlike = %s\n", iss_class_names[l->class], iss_class_names[l->like]);
    str_add(&w->text, "[barrier]\nlatency = 1\nissue = alone\ndrains = 1\nassumed = 1\n");
    if (!is_known(w, ISS_SYSTEM))
        str_add(&w->text, "[system]\nlatency = 1\nissue = alone\nassumed = 1\n");
    str_addf(&w->text, "[unknown]\n%s\n", is_known(w, ISS_ALU) ? "like = alu" : "latency = 1");
}

enum status measured_file_write(const struct measured_file *m, const char *path, struct error *e)
{
    struct writer w = {.m = m, .model = m->fit->model};
    add_head(&w);
    add_figures(&w);
    add_units(&w);
    add_classes(&w);
    str_addf(&w.text,
             "\n; Least and greatest value that explain the trials as well; to_NEED: cycles from issue to that use, by "
             "latency and need.\n[interval]\n%s",
             str_text(&w.intervals));
    enum status s = core_text_write(&w.text, path, e);
    str_release(&w.text);
    str_release(&w.intervals);
    return s;
}

/* ---- evidence ---- */

enum status measured_trials_write(struct core_fit *f, const char *folder, struct error *e)
{
    size_t n = f->run->trials.list.n;
    double *predicted = xcalloc(n, sizeof *predicted), *errors = xcalloc(n, sizeof *errors);
    for (size_t i = 0; i < n; i++) {
        predicted[i] = core_predict_unit(&f->predict, i);
        errors[i] = core_fit_error(f, i);
    }
    enum status s = core_run_write(f->run, predicted, errors, folder, e);
    free(predicted);
    free(errors);
    return s;
}
