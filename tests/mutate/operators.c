/*
 * What each kind of place is changed into: the sufficient operators of Offutt, Lee, Rothermel, Untch and Zapf (An
 * experimental determination of sufficient mutant operators, ACM TOSEM 5, 1996: relational, logical, arithmetic,
 * unary), and deletion of statements and operands, which the survey of Papadakis et al. (Mutation testing advances,
 * Advances in Computers 112, 2019) adds. Constants become one more, one less and zero.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "tests/mutate/mutants.h"

#define SHOWN 70 /* bytes of a change that people are shown */

static const struct {
    const char *name, *from, *into;
} swaps[] = {
    {"boundary", "<", "<="},    {"relation", "<", ">="},    {"boundary", "<=", "<"},    {"relation", "<=", ">"},
    {"boundary", ">", ">="},    {"relation", ">", "<="},    {"boundary", ">=", ">"},    {"relation", ">=", "<"},
    {"relation", "==", "!="},   {"relation", "!=", "=="},   {"connector", "&&", "||"},  {"connector", "||", "&&"},
    {"arithmetic", "+", "-"},   {"arithmetic", "-", "+"},   {"arithmetic", "*", "/"},   {"arithmetic", "/", "*"},
    {"arithmetic", "%", "*"},   {"arithmetic", "+=", "-="}, {"arithmetic", "-=", "+="}, {"arithmetic", "*=", "/="},
    {"arithmetic", "/=", "*="}, {"arithmetic", "%=", "*="}, {"arithmetic", "++", "--"}, {"arithmetic", "--", "++"},
    {"bits", "&", "|"},         {"bits", "|", "&"},         {"bits", "^", "&"},         {"bits", "<<", ">>"},
    {"bits", ">>", "<<"},       {"bits", "&=", "|="},       {"bits", "|=", "&="},       {"bits", "^=", "&="},
    {"bits", "<<=", ">>="},     {"bits", ">>=", "<<="},
};

static bool reads(const struct source *s, struct span at, const char *text)
{
    return strlen(text) == at.to - at.from && !memcmp(s->text + at.from, text, at.to - at.from);
}

unsigned after_blanks(const struct source *s, unsigned at)
{
    for (;; at++) {
        if (at + 1 < s->n && s->text[at] == '/' && s->text[at + 1] == '*') {
            const char *end = strstr(s->text + at + 2, "*/");
            at = end ? (unsigned)(end - s->text) + 1 : (unsigned)s->n;
        } else if (at + 1 < s->n && s->text[at] == '/' && s->text[at + 1] == '/') {
            at += (unsigned)strcspn(s->text + at, "\n");
        } else if (at >= s->n || !isspace((unsigned char)s->text[at])) {
            return at < s->n ? at : (unsigned)s->n;
        }
    }
}

/* The text of a span with every run of spaces as one. */
static void add_line(struct str *to, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)text[i]))
            str_addch(to, text[i]);
        else if (to->len && to->s[to->len - 1] != ' ')
            str_addch(to, ' ');
}

/* What stands around an edit, with `middle` in its place, cut where it is long. */
static char *show(const struct source *s, struct span around, struct span edit, const char *middle)
{
    struct str line = STR_INIT;
    size_t room = strlen(middle) < SHOWN ? (SHOWN - strlen(middle)) / 2 : 0;
    unsigned from = edit.from - around.from > room ? edit.from - (unsigned)room : around.from;
    unsigned to = around.to - edit.to > room ? edit.to + (unsigned)room : around.to;
    str_add(&line, from > around.from ? "..." : "");
    add_line(&line, s->text + from, edit.from - from);
    add_line(&line, middle, strlen(middle) < 3 * SHOWN ? strlen(middle) : 3 * SHOWN);
    add_line(&line, s->text + edit.to, to - edit.to);
    str_add(&line, to < around.to ? "..." : "");
    return str_detach(&line);
}

static bool cuts_expansion(const struct source *s, struct span edit)
{
    for (size_t i = 0; i < s->expansions.n; i++) {
        struct span m = s->expansions.at[i];
        if (edit.from < m.to && m.from < edit.to && !(edit.from <= m.from && m.to <= edit.to))
            return true;
    }
    return false;
}

static bool known(const struct source *s, struct span edit, const char *replacement)
{
    for (size_t i = 0; i < s->mutants.n; i++) {
        const struct mutant *m = &s->mutants.at[i];
        if (m->edit.from == edit.from && m->edit.to == edit.to && !strcmp(m->replacement, replacement))
            return true;
    }
    return false;
}

/* The function's name; from the second mutant that reads the same in it, with its number. */
static char *numbered(const struct source *s, const char *function, const struct mutant *like)
{
    size_t n = 1, length = strlen(function);
    for (size_t i = 0; i < s->mutants.n; i++) {
        const struct mutant *m = &s->mutants.at[i];
        n += !strncmp(m->function, function, length) && (!m->function[length] || m->function[length] == '#') &&
             m->rule == like->rule && !strcmp(m->before, like->before) && !strcmp(m->after, like->after);
    }
    return n > 1 ? xasprintf("%s#%zu", function, n) : xstrdup(function);
}

void add_mutant(struct source *s, const char *function, const char *rule, struct span around, struct span edit,
                const char *replacement)
{
    if (cuts_expansion(s, edit) || known(s, edit, replacement))
        return;
    char *was = xstrndup(s->text + edit.from, edit.to - edit.from);
    struct mutant m = {.rule = rule, .edit = edit, .replacement = xstrdup(replacement)};
    m.before = show(s, around, edit, was);
    m.after = show(s, around, edit, replacement);
    m.function = numbered(s, function, &m);
    vec_push(&s->mutants, m);
    free(was);
}

/* The operator between two operands; false if there is anything else. */
static bool operator_between(const struct source *s, struct span left, struct span right, struct span *op)
{
    if (left.to > right.from)
        return false;
    op->from = op->to = after_blanks(s, left.to);
    while (op->to < right.from && strchr("<>=!&|+-*/%^", s->text[op->to]))
        op->to++;
    return op->to > op->from && after_blanks(s, op->to) == right.from;
}

static void swap_operator(struct source *s, const char *function, struct span whole, struct span op, bool sized)
{
    for (size_t i = 0; i < sizeof swaps / sizeof *swaps; i++)
        if (reads(s, op, swaps[i].from) && !(sized && !strcmp(swaps[i].name, "arithmetic")))
            add_mutant(s, function, swaps[i].name, whole, op, swaps[i].into);
}

static void keep_only(struct source *s, const char *function, struct span whole, struct span kept)
{
    char *text = xstrndup(s->text + kept.from, kept.to - kept.from);
    add_mutant(s, function, "operand", whole, whole, text);
    free(text);
}

void mutate_binary(struct source *s, const char *function, struct span whole, struct span left, struct span right,
                   bool sized)
{
    struct span op;
    if (!operator_between(s, left, right, &op))
        return;
    swap_operator(s, function, whole, op, sized);
    if (reads(s, op, "&&") || reads(s, op, "||")) {
        keep_only(s, function, whole, left);
        keep_only(s, function, whole, right);
    }
}

void mutate_unary(struct source *s, const char *function, struct span whole, struct span operand)
{
    if (whole.from == operand.from) /* x++ */
        swap_operator(s, function, whole, (struct span){after_blanks(s, operand.to), whole.to}, false);
    else if (reads(s, (struct span){whole.from, operand.from}, "++") ||
             reads(s, (struct span){whole.from, operand.from}, "--"))
        swap_operator(s, function, whole, (struct span){whole.from, operand.from}, false);
    else if (strchr("!-~", s->text[whole.from]))
        add_mutant(s, function, "unary", whole, (struct span){whole.from, operand.from}, "");
}

static bool is_number(const char *text)
{
    return isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]));
}

void mutate_literal(struct source *s, const char *function, struct span literal)
{
    if (reads(s, literal, "true") || reads(s, literal, "false")) {
        add_mutant(s, function, "constant", literal, literal, reads(s, literal, "true") ? "false" : "true");
        return;
    }
    char *text = xstrndup(s->text + literal.from, literal.to - literal.from);
    if (is_number(text) || *text == '\'') {
        double value = *text == '\'' ? 1 : strtod(text, 0);
        char *more = xasprintf("(%s + 1)", text), *less = xasprintf("(%s - 1)", text);
        add_mutant(s, function, "constant", literal, literal, more);
        if (*text != '\'')
            add_mutant(s, function, "constant", literal, literal, less);
        if (*text != '\'' && value != 0 && value != 1)
            add_mutant(s, function, "constant", literal, literal, "0");
        free(more);
        free(less);
    }
    free(text);
}

void negate_condition(struct source *s, const char *function, struct span condition)
{
    char *text = xstrndup(s->text + condition.from, condition.to - condition.from);
    char *opposite = xasprintf("!(%s)", text);
    add_mutant(s, function, "condition", condition, condition, opposite);
    free(opposite);
    free(text);
}

/* As many line ends as there were, so that what follows stays in its line. */
static void keep_lines(const struct source *s, struct span at, struct str *to)
{
    for (unsigned i = at.from; i < at.to; i++)
        if (s->text[i] == '\n')
            str_addch(to, '\n');
}

void delete_statement(struct source *s, const char *function, struct span statement)
{
    struct str nothing = STR_INIT;
    unsigned end = after_blanks(s, statement.to);
    if (end >= s->n || s->text[end] != ';')
        return;
    keep_lines(s, statement, &nothing);
    add_mutant(s, function, "statement", (struct span){statement.from, end + 1}, statement, str_text(&nothing));
    str_release(&nothing);
}

void replace_result(struct source *s, const char *function, struct span result, bool truth)
{
    struct str text = STR_INIT;
    if (truth) {
        negate_condition(s, function, result);
        return;
    }
    str_addch(&text, '0');
    keep_lines(s, result, &text);
    if (!reads(s, result, "0") && !reads(s, result, "NULL"))
        add_mutant(s, function, "result", result, result, str_text(&text));
    str_release(&text);
}
