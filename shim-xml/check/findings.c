/* findings.c - collects the findings of check, and lists its rules. */
#include "shim-xml/check/findings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shim-xml/document/text.h"

static const struct {
    enum shimxml_severity severity;
    const char *name, *meaning, *remedy;
} rules[RULE_COUNT] = {
#define RULE(id, severity, name, meaning, remedy) {severity, name, meaning, remedy},
#include "shim-xml/check/rules.def"
#undef RULE
};

void shimxml_finding_add(struct shimxml_findings *f, enum rule rule, const struct shimxml_node *at, const char *fmt,
                         ...)
{
    f->errors += rules[rule].severity == SHIMXML_ERROR;
    f->warnings += rules[rule].severity == SHIMXML_WARNING;
    f->hints += rules[rule].severity == SHIMXML_HINT;
    if (!f->of_rule)
        f->of_rule = xcalloc(RULE_COUNT, sizeof *f->of_rule);
    if (f->of_rule[rule]++ >= SHIMXML_LISTED) {
        f->omitted++;
        return;
    }
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    f->at = xreallocarray(f->at, f->n + 1, sizeof *f->at);
    f->at[f->n++] = (struct shimxml_finding){rules[rule].severity,
                                             rules[rule].name,
                                             at ? shimxml_line(at) : 0,
                                             at ? shimxml_path_of(at) : xstrdup("/"),
                                             text_printable(text, TEXT_LIMIT),
                                             rules[rule].meaning,
                                             rules[rule].remedy};
    free(text);
}

static int by_line(const void *a, const void *b)
{
    const struct shimxml_finding *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    int order = strcmp(x->rule, y->rule);
    return order ? order : strcmp(x->text, y->text);
}

void shimxml_check(const struct shimxml_doc *d, struct shimxml_findings *out)
{
    size_t first = out->n;
    check_method(d, out);
    check_intervals(d, out);
    if (check_schema(d, out)) {
        check_references(d, out);
        check_values(d, out);
        check_power(d, out);
        check_memory(d, out);
    }
    if (out->n > first)
        qsort(out->at + first, out->n - first, sizeof *out->at, by_line);
}

/* Adds a finding without a node; its place is the error's. */
void shimxml_unreadable(struct shimxml_findings *f, const struct error *e)
{
    shimxml_finding_add(f, UNREADABLE, 0, "%s", e->message ? e->message : "it cannot be read");
    if (f->n && f->at[f->n - 1].rule == rules[UNREADABLE].name)
        f->at[f->n - 1].line = e->line;
}

void shimxml_findings_release(struct shimxml_findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->at[i].path);
        free(f->at[i].text);
    }
    free(f->at);
    free(f->of_rule);
    *f = (struct shimxml_findings){0};
}

const char *shimxml_severity_name(enum shimxml_severity s)
{
    static const char *const names[] = {"hint", "warning", "error"};
    return names[s];
}

const char *shimxml_rule(size_t i, enum shimxml_severity *severity, const char **meaning, const char **remedy)
{
    if (i >= RULE_COUNT)
        return 0;
    *severity = rules[i].severity;
    *meaning = rules[i].meaning;
    *remedy = rules[i].remedy;
    return rules[i].name;
}
