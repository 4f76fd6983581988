/* formula.c - parses and evaluates the formulas of derived variables. */
#include "base/events/formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

#define MAX_DEPTH 64 /* of brackets: no input can exhaust the stack */

struct parser {
    const char *at;
    const struct formula_scope *scope;
    int depth;
    char *why; /* the first fault; NULL: none */
};

static double formula(struct parser *p);

static void fault(struct parser *p, const char *what, const char *where)
{
    if (!p->why)
        p->why = *where ? xasprintf("%s at '%.20s'", what, where) : xasprintf("%s at the end", what);
}

static void skip_spaces(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool take(struct parser *p, char c)
{
    skip_spaces(p);
    if (*p->at != c)
        return false;
    p->at++;
    return true;
}

static void expect(struct parser *p, char c)
{
    char what[] = "'?' is missing";
    what[1] = c;
    if (!take(p, c))
        fault(p, what, p->at);
}

static double quotient(struct parser *p, double a, double b)
{
    if (b != 0)
        return a / b;
    if (a != 0 && !p->why)
        p->why = xstrdup("a number other than 0 is divided by 0");
    return 0;
}

/* Parses what follows "sum(": patterns up to the bracket. A key that matches several of them counts once. */
static double sum(struct parser *p)
{
    const struct formula_scope *s = p->scope;
    bool *taken = xcalloc(s->n_keys, sizeof *taken);
    double total = 0;
    size_t globs = 0;
    while (!take(p, ')') && !p->why) {
        size_t n = strcspn(p->at, " \t,()");
        if (!n) {
            fault(p, "a pattern or ')' is missing", p->at);
            break;
        }
        char *glob = xstrndup(p->at, n);
        double part = 0;
        s->sum(s->context, glob, taken, &part);
        total += part;
        globs++;
        free(glob);
        p->at += n;
        take(p, ',');
    }
    if (!globs)
        fault(p, "sum() needs a pattern", p->at);
    free(taken);
    return total;
}

static double least_or_greatest(struct parser *p, bool least)
{
    double a = formula(p);
    expect(p, ',');
    double b = formula(p);
    expect(p, ')');
    return (a < b) == least ? a : b;
}

/* Parses what follows "optional(". */
static double optional(struct parser *p)
{
    skip_spaces(p);
    const char *start = p->at;
    while (isalnum((unsigned char)*p->at) || *p->at == '_')
        p->at++;
    char *name = xstrndup(start, (size_t)(p->at - start));
    double value = 0;
    if (!p->scope->optional(p->scope->context, name, &value))
        fault(p, "optional() needs the name of an event (capitals, digits, '_')", start);
    expect(p, ')');
    free(name);
    return value;
}

static double name_or_call(struct parser *p)
{
    const char *start = p->at;
    while (isalnum((unsigned char)*p->at) || *p->at == '_')
        p->at++;
    char *name = xstrndup(start, (size_t)(p->at - start));
    double value = 0;
    if (take(p, '(')) {
        if (strcmp(name, "sum") == 0)
            value = sum(p);
        else if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
            value = least_or_greatest(p, name[1] == 'i');
        else if (strcmp(name, "optional") == 0)
            value = optional(p);
        else
            fault(p, "there are only sum(), min(), max() and optional(); unknown function", start);
    } else if (!p->scope->name(p->scope->context, name, &value)) {
        fault(p, "this is neither an earlier 'let' nor an event (capitals, digits, '_')", start);
    }
    free(name);
    return value;
}

/* Parses what follows "[": a name of any characters except ']'. */
static double quoted_name(struct parser *p)
{
    size_t n = strcspn(p->at, "]");
    char *name = xstrndup(p->at, n);
    double value = 0;
    if (!p->at[n] || !p->scope->name(p->scope->context, name, &value))
        fault(p, p->at[n] ? "there is no event of this name" : "']' is missing", p->at);
    p->at += n + (p->at[n] == ']');
    free(name);
    return value;
}

static double number(struct parser *p)
{
    size_t n = strspn(p->at, "0123456789.");
    if (p->at[n] == 'e' || p->at[n] == 'E') {
        n += 1 + (p->at[n + 1] == '-' || p->at[n + 1] == '+');
        n += strspn(p->at + n, "0123456789");
    }
    char *text = xstrndup(p->at, n);
    double value = 0;
    if (!parse_double(text, &value))
        fault(p, "not a number", p->at);
    free(text);
    p->at += n;
    return value;
}

static double factor(struct parser *p)
{
    double value = 0;
    if (++p->depth > MAX_DEPTH) {
        fault(p, "brackets nest too deeply", p->at);
    } else if (take(p, '(')) {
        value = formula(p);
        expect(p, ')');
    } else if (take(p, '-')) {
        value = -factor(p);
    } else if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        value = number(p);
    } else if (take(p, '[')) {
        value = quoted_name(p);
    } else if (isalpha((unsigned char)*p->at) || *p->at == '_') {
        value = name_or_call(p);
    } else {
        fault(p, "a number, a name or '(' is missing", p->at);
    }
    p->depth--;
    return value;
}

static double term(struct parser *p)
{
    double value = factor(p);
    while (!p->why) {
        if (take(p, '*'))
            value *= factor(p);
        else if (take(p, '/'))
            value = quotient(p, value, factor(p));
        else
            break;
    }
    return value;
}

static double formula(struct parser *p)
{
    double value = term(p);
    while (!p->why) {
        if (take(p, '+'))
            value += term(p);
        else if (take(p, '-'))
            value -= term(p);
        else
            break;
    }
    return value;
}

bool formula_value(const char *text, const struct formula_scope *scope, double *value, char **why)
{
    struct parser p = {text, scope, 0, 0};
    double v = formula(&p);
    skip_spaces(&p);
    if (!p.why && *p.at)
        fault(&p, "this is left over", p.at);
    *why = p.why;
    if (p.why)
        return false;
    *value = v;
    return true;
}
