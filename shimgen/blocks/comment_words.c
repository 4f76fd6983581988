/* comment_words.c - parses comments of generated code that name blocks. */
#include "shimgen/blocks/comment_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

/* ---- text ---- */

/* Number of bytes of the UTF-8 character at p, where n bytes are left; 0: it is invalid. */
static size_t utf8_length(const unsigned char *p, size_t n)
{
    static const struct {
        unsigned char first, last, second, second_last; /* limits of the first byte, and of the second */
        size_t length;
    } forms[] = {
        /* Unicode 15, table 3-7: neither overlong, nor surrogates, nor above U+10FFFF */
        {0x00, 0x7F, 0x00, 0xFF, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    size_t f = 0, n_forms = sizeof forms / sizeof *forms;
    while (f < n_forms && (*p < forms[f].first || *p > forms[f].last))
        f++;
    if (f == n_forms || forms[f].length > n)
        return 0;
    size_t length = forms[f].length;
    if (length > 1 && (p[1] < forms[f].second || p[1] > forms[f].second_last))
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

/* Length of the stars and spaces at the begin of a comment's line. */
static size_t decoration(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && (p[i] == ' ' || p[i] == '\t'))
        i++;
    while (i < n && p[i] == '*')
        i++;
    return i;
}

char *comment_words(const char *raw, size_t n)
{
    struct str out = STR_INIT;
    bool blank = false;
    for (size_t i = decoration(raw, n); i < n;) {
        unsigned char c = (unsigned char)raw[i];
        if (isspace(c)) {
            blank = true;
            i++;
            if (c == '\n')
                i += decoration(raw + i, n - i);
            continue;
        }
        if (blank && out.len)
            str_addch(&out, ' ');
        blank = false;
        size_t length = utf8_length((const unsigned char *)raw + i, n - i);
        if (!length || c < 0x20 || c == 0x7F)
            str_addch(&out, '?');
        else
            str_addn(&out, raw + i, length);
        i += length ? length : 1;
    }
    str_add(&out, "");
    return str_detach(&out);
}

static bool begins(const char **text, const char *with)
{
    size_t n = strlen(with);
    if (strncmp(*text, with, n) != 0)
        return false;
    *text += n;
    return true;
}

static bool ends_in(const char *text, size_t n, const char *with)
{
    size_t k = strlen(with);
    return n >= k && strncmp(text + n - k, with, k) == 0;
}

/* ---- "Type: '<S1>/Name'", possibly several ---- */

static const char between[] = ": '<", next_name[] = "' '<";

/* The end of the name at `name`: the last quote before the next item, or the last of all. */
static const char *name_end(const char *name)
{
    const char *next = strstr(name, between);
    const char *end = next ? next : name + strlen(name), *quote = 0;
    for (const char *p = name; p < end; p++)
        if (*p == '\'')
            quote = p;
    return quote;
}

/* Phrases that may precede " for " and a type. */
static const char *const phases[] = {
    "Output and update",
    "Outputs",
    "Output",
    "Update",
    "Start",
    "InitializeConditions",
    "SystemInitialize",
    "System initialize",
    "SystemReset",
    "System reset",
    "Enable",
    "Disable",
    "Terminate",
    "Termination",
    "Initialize",
    "Derivatives",
    "Projection",
    "Forced output",
    "FirstInitialize",
    "ConstCode",
    "Constant code",
    "ZeroCrossings",
    "Initial conditions",
    "Derivative",
    "Constructor",
    "Reset",
};
/* Comments about blocks whose code does not follow. */
static const char *const others[] = {
    "Referenced by", "Block description for", "Requirements for", "About",         "Variable",
    "Expression",    "Computed Parameter",    "Pooled Parameter", "Block signals", "Block states"};

static bool is_other(const char *type)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(type, others[i]) == type || ends_in(type, strlen(type), others[i]))
            return true;
    return false;
}

static void split_phase(struct words *w, const char *type, size_t n)
{
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        size_t k = strlen(phases[i]);
        if (n > k + 5 && strncmp(type, phases[i], k) == 0 && strncmp(type + k, " for ", 5) == 0) {
            if (strcmp(phases[i], "Outputs") != 0 && strcmp(phases[i], "Output") != 0)
                w->phase = xstrdup(phases[i]);
            type += k + 5;
            n -= k + 5;
            break;
        }
    }
    if (ends_in(type, n, " generated from"))
        n -= strlen(" generated from");
    w->type = xstrndup(type, n);
}

static bool is_system(const char *type)
{
    size_t n = strlen(type);
    return ends_in(type, n, "SubSystem") || ends_in(type, n, "Subsystem") || ends_in(type, n, " system");
}

static void read_incorporated(struct words *w, const char *text)
{
    VEC(char *) list = {0};
    for (const char *at = text, *sep; (sep = strstr(at, between));) {
        const char *end = name_end(sep + 3);
        if (!end)
            break;
        while (*at == ' ')
            at++;
        vec_push(&list, xstrndup(at, (size_t)(end + 1 - at)));
        at = end + 1;
    }
    w->incorporates = list.at;
    w->n_incorporates = list.n;
}

/* "Output and update for atomic system: '<S1>/A' '<S1>/B' ...": a function of several blocks belongs to the first one,
 * and incorporates the others. `list` is the quote after the first name, `end` the last one of all. */
static void read_shared(struct words *w, const char *list, const char *end)
{
    VEC(char *) all = {0};
    while (list && list < end) {
        const char *name = list + strlen(next_name) - 1, *next = strstr(name, next_name);
        const char *last = next && next < end ? next : end;
        vec_push(&all, xasprintf("%s: '%.*s'", w->type, (int)(last - name), name));
        list = next;
    }
    w->incorporates = all.at;
    w->n_incorporates = all.n;
}

/* Skips a system's number, "<Root>" or "<S12>". */
static const char *past_system(const char *name)
{
    if (begins(&name, "<Root>"))
        return name;
    if (!begins(&name, "<S") || !isdigit((unsigned char)*name))
        return 0;
    while (isdigit((unsigned char)*name))
        name++;
    return *name == '>' ? name + 1 : 0;
}

/* Reads "During 'On': '<S2>:4'". */
static void read_state(struct words *w, const char *type, size_t n)
{
    static const char *const acts[] = {"During ", "Entry Internal ", "Entry ", "Exit Internal ", "Exit "};
    const char *open = memchr(type, '\'', n);
    w->kind = WORDS_STATE;
    w->end = false;
    if (!open) {
        w->type = xstrndup(type, n);
        return;
    }
    w->label = xstrndup(open + 1, (size_t)(type + n - open - 1));
    size_t k = strlen(w->label);
    if (k && w->label[k - 1] == '\'')
        w->label[k - 1] = 0;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (!w->type && strncmp(type, acts[i], strlen(acts[i])) == 0)
            w->type = xstrdup("State");
    if (!w->type) {
        n = (size_t)(open - type);
        while (n && type[n - 1] == ' ')
            n--;
        w->type = xstrndup(type, n);
    }
}

static void read_block(struct words *w, const char *text, const char *sep)
{
    const char *name = sep + 3, *end = name_end(name), *after = end ? past_system(name) : 0;
    if (!after || (*after != '/' && *after != ':' && after != end))
        return;
    w->end = begins(&text, "End of ");
    size_t n = (size_t)(sep - text);
    bool function = begins(&text, "Function for ");
    if (function)
        n = (size_t)(sep - text);
    const char *list = strstr(name, next_name);
    w->name = xstrndup(name, (size_t)((list && list < end ? list : end) - name));
    if (*after == ':') {
        read_state(w, text, n);
        return;
    }
    split_phase(w, text, n);
    w->kind = function ? WORDS_FUNCTION : is_system(w->type) ? WORDS_SYSTEM : WORDS_BLOCK;
    const char *rest = end + 1;
    if (list && list < end)
        read_shared(w, list, end);
    else if (begins(&rest, " incorporates:"))
        read_incorporated(w, rest);
}

static void read_marker(struct words *w, const char *text)
{
    while (*text == ' ')
        text++;
    w->end = begins(&text, "end") && (!*text || *text == ' ');
    if (!w->end && !begins(&text, "block "))
        return;
    while (*text == ' ')
        text++;
    w->kind = w->end || *text ? WORDS_MARKER : WORDS_NONE;
    w->type = xstrdup("marker");
    w->name = *text ? xstrdup(text) : 0;
}

void words_read(struct words *out, const char *text)
{
    *out = (struct words){0};
    const char *marker = text;
    if (begins(&marker, "shim:")) {
        read_marker(out, marker);
        return;
    }
    const char *sep = strstr(text, between);
    if (sep && sep > text && (size_t)(sep - text) < 200 && !memchr(text, '<', (size_t)(sep - text)))
        read_block(out, text, sep);
    if (out->kind != WORDS_NONE && (!*out->type || is_other(out->type)))
        out->kind = WORDS_NONE;
}

void words_release(struct words *w)
{
    for (size_t i = 0; i < w->n_incorporates; i++)
        free(w->incorporates[i]);
    free(w->incorporates);
    free(w->type);
    free(w->name);
    free(w->label);
    free(w->phase);
    *w = (struct words){0};
}
