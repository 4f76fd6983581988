/* interval.c - intervals of estimates: the annotation interval="1; optimised+events 0.9 0.52 2.85". For its form see
 * docs/formats/shim.md. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shim-xml/document/annotation.h"
#include "shim-xml/document/notes.h"
#include "shim-xml/check/findings.h"
#include "shim-xml/document/text.h"
#include "shim-xml/values/units.h"

static const char key[] = "interval", fitted[] = "fitted-interval";
static const char version[] = "1";
static const char *const codes[] = {
    [SHIMXML_ANY_CODE] = "any", [SHIMXML_UNOPTIMISED] = "unoptimised", [SHIMXML_OPTIMISED] = "optimised"};
static const char events[] = "+events";

/* ---- writing ---- */

char *shimxml_intervals_text(const struct shimxml_interval *list, size_t n)
{
    struct str s = STR_INIT;
    str_add(&s, version);
    for (size_t i = 0; i < n; i++) {
        const struct shimxml_interval *v = &list[i];
        str_addf(&s, "; %s%s %.4g %.4g ", codes[v->code], v->events ? events : "", v->level, v->low);
        if (isfinite(v->high))
            str_addf(&s, "%.4g", v->high);
        else
            str_add(&s, "-");
        if (isfinite(v->below))
            str_addf(&s, " below %.9g", v->below);
    }
    return str_detach(&s);
}

static void set(struct shimxml_doc *d, const char *name, const struct shimxml_interval *list, size_t n)
{
    char *text = shimxml_intervals_text(list, n);
    shimxml_annotate(d, name, n ? text : 0);
    free(text);
}

void shimxml_set_intervals(struct shimxml_doc *d, const struct shimxml_interval *list, size_t n)
{
    set(d, key, list, n);
}

/* ---- reading ---- */

enum { WORDS = 7 };

/* Splits an entry into words, in place. Returns WORDS if there are more than WORDS - 1. */
static size_t split(char *entry, char **words)
{
    size_t n = 0;
    char *rest = 0;
    for (char *w = strtok_r(entry, SPACES, &rest); w && n < WORDS; w = strtok_r(0, SPACES, &rest))
        words[n++] = w;
    return n;
}

static bool read_number(double *out, const char *word)
{
    char *end;
    *out = strtod(word, &end);
    return end != word && !*end && isfinite(*out) && *out >= 0;
}

static bool read_code(struct shimxml_interval *v, char *word)
{
    char *plus = strchr(word, '+');
    v->events = plus && strcmp(plus, events) == 0;
    if (plus && !v->events)
        return false;
    if (plus)
        *plus = 0;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(codes[i], word) == 0) {
            v->code = (enum shimxml_code)i;
            return true;
        }
    return false;
}

/* Reads "optimised+events 0.9 0.52 2.85 below 3000". The entry is cut into words. */
static bool read_entry(struct shimxml_interval *v, char *entry)
{
    char *words[WORDS];
    size_t n = split(entry, words);
    *v = (struct shimxml_interval){.below = INFINITY, .high = INFINITY};
    if (n != 4 && n != 6)
        return false;
    if (!read_code(v, words[0]) || !read_number(&v->level, words[1]) || !read_number(&v->low, words[2]))
        return false;
    if (strcmp(words[3], "-") != 0 && !read_number(&v->high, words[3]))
        return false;
    if (n == 6 && (strcmp(words[4], "below") != 0 || !read_number(&v->below, words[5])))
        return false;
    return v->level > 0 && v->level < 1 && v->low <= v->high;
}

bool shimxml_intervals_read(struct shimxml_interval **list, size_t *n, const char *text)
{
    char *copy = xstrdup(text), *rest = 0, *words[WORDS];
    char *entry = strtok_r(copy, ";", &rest);
    bool good = entry && split(entry, words) == 1 && strcmp(words[0], version) == 0;
    *list = 0;
    *n = 0;
    while (good && (entry = strtok_r(0, ";", &rest))) {
        *list = xreallocarray(*list, *n + 1, sizeof **list);
        good = read_entry(&(*list)[(*n)++], entry);
    }
    good = good && *n;
    if (!good) {
        free(*list);
        *list = 0;
        *n = 0;
    }
    free(copy);
    return good;
}

static void check_interval(const struct shimxml_doc *d, const char *name, struct shimxml_findings *f)
{
    struct shimxml_interval *list = 0;
    size_t n;
    char *text = shimxml_annotation(d, name);
    if (text && !shimxml_intervals_read(&list, &n, text))
        shimxml_finding_add(f, INTERVAL, annotation_node(d) ? annotation_node(d) : shimxml_root(d),
                            "%s=\"%.60s\": expected \"1; unoptimised 0.9 0.6 2.5; optimised+events 0.9 0.5 3\"", name,
                            text);
    free(list);
    free(text);
}

void check_intervals(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    check_interval(d, key, f);
    check_interval(d, fitted, f);
}

/* ---- choice of an interval ---- */

static bool is_for(const struct shimxml_interval *v, enum shimxml_code code, double cycles)
{
    return (v->code == code || v->code == SHIMXML_ANY_CODE) && cycles < v->below;
}

static double width(const struct shimxml_interval *v)
{
    return v->low > 0 ? v->high / v->low : (double)INFINITY;
}

const struct shimxml_interval *shimxml_interval_of(const struct shimxml_interval *list, size_t n,
                                                   enum shimxml_code code, bool with_events, double cycles)
{
    const struct shimxml_interval *found = 0;
    for (size_t i = 0; i < n; i++)
        if (is_for(&list[i], code, cycles) && (list[i].code == SHIMXML_ANY_CODE || list[i].events == with_events) &&
            (!found || list[i].below < found->below))
            found = &list[i];
    return found;
}

const struct shimxml_interval *shimxml_interval_widest(const struct shimxml_interval *list, size_t n,
                                                       enum shimxml_code code, double cycles)
{
    const struct shimxml_interval *found = 0;
    for (size_t i = 0; i < n; i++)
        if (is_for(&list[i], code, cycles) && (!found || width(&list[i]) > width(found)))
            found = &list[i];
    return found;
}

/* ---- intervals of values from another file ---- */

struct intervals {
    struct shimxml_interval *at;
    size_t n;
};

static bool has_kind(const struct intervals *list, const struct shimxml_interval *kind)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].code == kind->code && list->at[i].events == kind->events)
            return true;
    return false;
}

/* The interval of a kind for so many cycles. A core whose misses are not simulated has the same for both. */
static const struct shimxml_interval *of_kind(const struct intervals *list, const struct shimxml_interval *kind,
                                              double cycles)
{
    const struct shimxml_interval *found = shimxml_interval_of(list->at, list->n, kind->code, kind->events, cycles);
    return found ? found : shimxml_interval_of(list->at, list->n, kind->code, !kind->events, cycles);
}

/* Adds intervals of a kind that hold for both, up to each number of cycles at which one of them changes. */
static void join_kind(struct intervals *out, const struct intervals *a, const struct intervals *b,
                      const struct shimxml_interval *kind)
{
    for (double from = 0; isfinite(from);) {
        const struct shimxml_interval *v = of_kind(a, kind, from), *w = of_kind(b, kind, from);
        if (!v || !w)
            return;
        from = fmin(v->below, w->below);
        out->at[out->n++] = (struct shimxml_interval){
            kind->code, kind->events, from, fmin(v->level, w->level), fmin(v->low, w->low), fmax(v->high, w->high)};
    }
}

/* Intervals that hold for both, for each kind of code for which both have one. Returns false if there is none. */
static bool join(struct intervals *out, const char *a, const char *b)
{
    struct intervals of[2] = {{0}};
    *out = (struct intervals){0};
    bool good = shimxml_intervals_read(&of[0].at, &of[0].n, a) && shimxml_intervals_read(&of[1].at, &of[1].n, b);
    size_t all = of[0].n + of[1].n;
    out->at = xcalloc(good ? all * all : 1, sizeof *out->at);
    for (size_t k = 0; k < 2 && good; k++)
        for (size_t i = 0; i < of[k].n; i++)
            if (!has_kind(out, &of[k].at[i]))
                join_kind(out, &of[0], &of[1], &of[k].at[i]);
    free(of[0].at);
    free(of[1].at);
    return out->n > 0;
}

/* whole: none of the old values are left. */
static void take(struct shimxml_doc *d, const char *name, const char *text, bool whole)
{
    char *before = shimxml_annotation(d, name);
    struct intervals both = {0};
    if (whole)
        shimxml_annotate(d, name, text);
    else if (before && text && join(&both, before, text))
        set(d, name, both.at, both.n);
    else
        shimxml_annotate(d, name, before && text && strcmp(before, text) == 0 ? text : 0);
    free(both.at);
    free(before);
}

void intervals_remove(struct shimxml_node *core)
{
    note_set(core, key, 0);
    note_set(core, fitted, 0);
}

void intervals_of_values(struct shimxml_doc *d, const char *text, const char *text_of_fitted,
                         const struct shimxml_units *which, size_t units)
{
    size_t with_values = 0;
    for (struct shimxml_node *n = 0; (n = shimxml_following(shimxml_root(d), n, "MasterComponent"));)
        with_values += unit_is(n) && shimxml_child(shimxml_child(n, "CommonInstructionSet"), "Instruction");
    bool whole = with_values <= units && !which->only;
    take(d, key, text, whole);
    take(d, fitted, text_of_fitted, whole);
}

void intervals_of_model(struct shimxml_doc *d, const struct shimxml_interval *list, size_t n,
                        const struct shimxml_units *which, size_t units)
{
    char *text = n ? shimxml_intervals_text(list, n) : 0;
    intervals_of_values(d, text, 0, which, units);
    free(text);
}
