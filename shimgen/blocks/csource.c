/* csource.c - scans C source for comments, braces, statements and directives. */
#include "shimgen/blocks/csource.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shimgen/blocks/comment_words.h"

struct scanner {
    const char *at, *end;
    const char *path;
    unsigned long line;
    unsigned long nesting; /* depth of parentheses and brackets */
    bool fresh;            /* only spaces, comments and braces so far on this line */
    bool blank;            /* only spaces and comments so far on this line: a '#' begins a directive */
    struct str comment;    /* // comments that continue each other */
    unsigned long comment_line, comment_last;
    bool comment_first;
    csource_handler *handle;
    void *context;
    struct error *e;
};

static bool at_line_end(const char *p)
{
    return *p == '\n' || *p == '\r';
}

/* Skips one line end at p. */
static const char *past_line_end(const char *p, const char *end)
{
    return p + (p[0] == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1);
}

/* Skips backslashes before line ends. */
static void join_lines(struct scanner *s)
{
    while (s->at + 1 < s->end && s->at[0] == '\\' && at_line_end(s->at + 1)) {
        s->at = past_line_end(s->at + 1, s->end);
        s->line++;
    }
}

/* The current character, with lines joined; 0 at the end. */
static int peek(struct scanner *s)
{
    join_lines(s);
    return s->at < s->end ? (unsigned char)*s->at : 0;
}

/* Takes a character that is not a line end. */
static void take(struct scanner *s)
{
    s->at++;
}

static void take_line_end(struct scanner *s)
{
    s->at = past_line_end(s->at, s->end);
    s->line++;
    s->fresh = s->blank = true;
}

static bool is_next(struct scanner *s, char c)
{
    struct scanner ahead = *s;
    take(&ahead);
    return ahead.at < ahead.end && peek(&ahead) == (unsigned char)c;
}

static enum status emit(struct scanner *s, const struct csource_event *event)
{
    return s->handle(s->context, event, s->e);
}

static enum status emit_kind(struct scanner *s, enum csource_kind kind)
{
    return emit(s, &(struct csource_event){.kind = kind, .line = s->line, .inside = s->nesting > 0});
}

/* ---- comments ---- */

static enum status emit_comment(struct scanner *s, const struct str *raw, unsigned long line, bool first)
{
    char *text = comment_words(raw->len ? raw->s : "", raw->len);
    enum status status =
        emit(s, &(struct csource_event){
                    .kind = CSOURCE_COMMENT, .line = line, .text = text, .first = first, .inside = s->nesting > 0});
    free(text);
    return status;
}

/* Emits what was collected from // comments. */
static enum status flush(struct scanner *s)
{
    if (!s->comment_line)
        return OK;
    unsigned long line = s->comment_line;
    s->comment_line = 0;
    enum status status = emit_comment(s, &s->comment, line, s->comment_first);
    str_clear(&s->comment);
    return status;
}

/* After "//": do two or more spaces follow? Then the line continues the one before it. */
static bool continues(struct scanner *s)
{
    struct scanner ahead = *s;
    size_t spaces = 0;
    take(&ahead);
    peek(&ahead);
    take(&ahead);
    for (; peek(&ahead) == ' ' || peek(&ahead) == '\t'; take(&ahead))
        spaces += *ahead.at == '\t' ? 2 : 1;
    return spaces >= 2;
}

static enum status line_comment(struct scanner *s)
{
    enum status status =
        s->comment_line && !(s->comment_first && s->fresh && s->line == s->comment_last + 1 && continues(s)) ? flush(s)
                                                                                                             : OK;
    if (!s->comment_line) {
        s->comment_line = s->line;
        s->comment_first = s->fresh;
    } else {
        str_addch(&s->comment, '\n');
    }
    take(s);
    peek(s);
    take(s);
    while (peek(s) && !at_line_end(s->at)) {
        str_addch(&s->comment, *s->at);
        take(s);
    }
    s->comment_last = s->line;
    return status;
}

static enum status block_comment(struct scanner *s)
{
    struct str raw = STR_INIT;
    unsigned long line = s->line;
    bool first = s->fresh, blank = s->blank;
    enum status status = flush(s);
    take(s);
    peek(s);
    take(s);
    for (; !status;) {
        join_lines(s);
        if (s->at >= s->end) {
            status = error_set(s->e, ERR_INPUT, AT(s->path, line), "a comment begins here that never ends");
        } else if (*s->at == '*' && is_next(s, '/')) {
            take(s);
            peek(s);
            take(s);
            break;
        } else if (at_line_end(s->at)) {
            str_addch(&raw, '\n');
            take_line_end(s);
        } else {
            str_addch(&raw, *s->at);
            take(s);
        }
    }
    s->fresh = first;
    s->blank = blank;
    if (!status)
        status = emit_comment(s, &raw, line, first);
    str_release(&raw);
    return status;
}

/* At a '/': takes a comment, if there is one; *was says so. */
static enum status comment(struct scanner *s, bool *was)
{
    *was = true;
    if (is_next(s, '/'))
        return line_comment(s);
    if (is_next(s, '*'))
        return block_comment(s);
    *was = false;
    return OK;
}

/* ---- strings, names ---- */

/* Takes a quoted text up to its closing quote; `text` (if not NULL) receives what is between. */
static enum status quoted(struct scanner *s, struct str *text)
{
    unsigned long line = s->line;
    int quote = peek(s);
    take(s);
    for (int c; (c = peek(s)) != quote; take(s)) {
        if (s->at >= s->end || at_line_end(s->at))
            return error_set(s->e, ERR_INPUT, AT(s->path, line), "a %s begins here that does not end on its line",
                             quote == '"' ? "string" : "character");
        if (text)
            str_addch(text, (char)c);
        if (c != '\\')
            continue;
        take(s);
        if (s->at >= s->end || at_line_end(s->at))
            continue;
        if (text)
            str_addch(text, (char)peek(s));
        if (s->at >= s->end)
            break;
    }
    if (s->at < s->end)
        take(s);
    return OK;
}

static bool is_name_part(int c)
{
    return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

static void skip_blanks(struct scanner *s)
{
    while (peek(s) == ' ' || peek(s) == '\t')
        take(s);
}

/* Takes ("name") after shim_region_begin or _end. Takes nothing else. */
static enum status region(struct scanner *s, enum csource_kind kind)
{
    struct scanner ahead = *s;
    struct str name = STR_INIT;
    skip_blanks(&ahead);
    bool is = peek(&ahead) == '(';
    if (is)
        take(&ahead);
    skip_blanks(&ahead);
    is = is && peek(&ahead) == '"';
    enum status status = is ? quoted(&ahead, &name) : OK;
    if (is && !status) {
        char *text = comment_words(str_text(&name), name.len);
        status = emit(s, &(struct csource_event){.kind = kind, .line = s->line, .text = text});
        free(text);
    }
    str_release(&name);
    return status;
}

static enum status word(struct scanner *s)
{
    struct str name = STR_INIT;
    unsigned long line = s->line;
    while (is_name_part(peek(s))) {
        str_addch(&name, *s->at);
        take(s);
    }
    const char *text = str_text(&name);
    enum status status;
    skip_blanks(s);
    struct csource_event e = {.kind = CSOURCE_CODE, .line = line, .inside = s->nesting > 0, .word = text};
    if (strcmp(text, "shim_region_begin") == 0 || strcmp(text, "shim_region_end") == 0) {
        status = region(s, text[12] == 'b' ? CSOURCE_REGION_BEGIN : CSOURCE_REGION_END);
        if (!status)
            status = emit(s, &e);
    } else {
        if (peek(s) == '(') {
            e.kind = CSOURCE_HEAD;
            e.text = text;
        }
        status = emit(s, &e);
    }
    str_release(&name);
    return status;
}

/* ---- directives ---- */

/* Handles #line, or "# 1 "file"" from a preprocessor. C17, 6.10.4: numbers up to 2147483647. */
static enum status line_directive(struct scanner *s, const char *words)
{
    char *rest;
    words += strspn(words, " \t");
    unsigned long number = strtoul(words, &rest, 10);
    if (number > INT32_MAX || !isdigit((unsigned char)*words))
        return OK;
    char *open = strchr(rest, '"'), *close = open ? strrchr(open + 1, '"') : 0;
    char *name = 0;
    if (close) {
        struct str file = STR_INIT;
        str_addn(&file, open + 1, (size_t)(close - open - 1));
        name = str_detach(&file);
    }
    enum status status =
        emit(s, &(struct csource_event){.kind = CSOURCE_LINE, .line = s->line, .text = name, .number = number});
    free(name);
    return status;
}

static enum status emit_directive(struct scanner *s, const char *text)
{
    static const struct {
        const char *name;
        enum csource_kind kind;
    } conditions[] = {{"if", CSOURCE_IF},         {"ifdef", CSOURCE_IF},   {"ifndef", CSOURCE_IF},
                      {"else", CSOURCE_ELSE},     {"elif", CSOURCE_ELSE},  {"elifdef", CSOURCE_ELSE},
                      {"elifndef", CSOURCE_ELSE}, {"endif", CSOURCE_ENDIF}};
    text += strspn(text, " \t");
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (strlen(conditions[i].name) == n && strncmp(conditions[i].name, text, n) == 0)
            return emit_kind(s, conditions[i].kind);
    if (n == 0 && isdigit((unsigned char)*text))
        return line_directive(s, text);
    if (n == 4 && strncmp(text, "line", n) == 0)
        return line_directive(s, text + n);
    return OK;
}

/* Takes a directive: a line with its continuations. Comments in it may be longer. */
static enum status directive(struct scanner *s)
{
    struct str text = STR_INIT;
    unsigned long depth = s->nesting;
    enum status status = flush(s);
    s->fresh = s->blank = false;
    take(s);
    while (!status && peek(s) && !at_line_end(s->at)) {
        bool was = false;
        s->nesting = 1; /* a comment in a directive belongs to no statement */
        if (*s->at == '/')
            status = comment(s, &was);
        if (was)
            status = status ? status : flush(s);
        if (was || status)
            continue;
        str_addch(&text, *s->at);
        take(s);
    }
    s->nesting = depth;
    if (!status)
        status = emit_directive(s, str_text(&text));
    str_release(&text);
    return status;
}

/* ---- the whole source ---- */

static enum csource_kind kind_of(const struct scanner *s, int c)
{
    switch (c) {
    case '{':
        return CSOURCE_OPEN;
    case '}':
        return CSOURCE_CLOSE;
    case ';':
        return s->nesting ? CSOURCE_CODE : CSOURCE_SEMICOLON;
    default:
        return CSOURCE_CODE;
    }
}

static enum status punctuation(struct scanner *s, int c)
{
    if ((c == ')' || c == ']') && s->nesting)
        s->nesting--;
    enum status status =
        emit(s, &(struct csource_event){
                    .kind = kind_of(s, c), .line = s->line, .inside = s->nesting > 0, .character = (char)c});
    if (c == '(' || c == '[')
        s->nesting++;
    if (c == '{' || c == '}')
        s->nesting = 0; /* unbalanced parentheses end with the statement */
    take(s);
    return status;
}

static enum status code(struct scanner *s, int c)
{
    enum status status = OK;
    if (c == '"' || c == '\'') {
        status = emit_kind(s, CSOURCE_CODE);
        if (!status)
            status = quoted(s, 0);
    } else if (is_name_part(c)) {
        status = word(s);
    } else {
        status = punctuation(s, c);
    }
    s->blank = false;
    s->fresh = s->fresh && (c == '{' || c == '}');
    return status;
}

static enum status step(struct scanner *s)
{
    int c = peek(s);
    if (s->at >= s->end)
        return OK;
    if (at_line_end(s->at)) {
        take_line_end(s);
        return OK;
    }
    if (c == 0 || c == '\f' || isspace(c)) {
        take(s);
        return OK;
    }
    bool was = false;
    enum status status = OK;
    if (c == '/')
        status = comment(s, &was);
    if (was || status)
        return status;
    if (c == '#' && s->blank)
        return directive(s);
    status = flush(s);
    return status ? status : code(s, c);
}

enum status csource_scan(const char *text, size_t n, const char *path, csource_handler *handle, void *context,
                         struct error *e)
{
    static const char mark[] = "\xEF\xBB\xBF";
    struct scanner s = {.at = text, .end = text + n, .path = path, .line = 1, .fresh = true, .blank = true};
    s.handle = handle;
    s.context = context;
    s.e = e;
    if (n >= 3 && memcmp(text, mark, 3) == 0)
        s.at += 3;
    enum status status = OK;
    while (!status && s.at < s.end)
        status = step(&s);
    if (!status)
        status = flush(&s);
    str_release(&s.comment);
    return status;
}
