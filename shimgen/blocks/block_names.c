/* block_names.c - reads a model's system hierarchy from comments in generated headers. */
#include "shimgen/blocks/block_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "shimgen/blocks/csource.h"

char *system_model(const char *comment)
{
    static const struct {
        const char *before;
        char end;
    } forms[] = {{"generated for Simulink model '", '\''},
                 {"generated for Simulink model \"", '"'},
                 {"Code generation for model \"", '"'},
                 {"Code generated for model '", '\''}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *at = strstr(comment, forms[i].before);
        const char *name = at ? at + strlen(forms[i].before) : 0, *end = name ? strchr(name, forms[i].end) : 0;
        if (end && end > name && end - name < 200)
            return xstrndup(name, (size_t)(end - name));
    }
    return 0;
}

static void add(struct tree *t, const char *model, const char *id, size_t n, const char *title, size_t k)
{
    char *key = xasprintf("%s\n%.*s", model, (int)n, id);
    if (!map_get(&t->systems, key, 0)) {
        map_put(&t->systems, key, t->titles.n);
        vec_push(&t->titles, xstrndup(title, k));
    }
    free(key);
}

/* Entries are "'<S1>' : 'a/b'"; older versions do not quote the title. */
void system_read(struct tree *t, const char *model, const char *comment, bool *going)
{
    const char *begin = strstr(comment, "Here is the system hierarchy for this");
    *going = begin || (*going && (!*comment || strncmp(comment, "'<", 2) == 0));
    const char *at = *going ? strstr(begin ? begin : comment, "'<") : 0;
    while (at) {
        const char *id = at + 1, *close = strchr(id, '>'), *next = strstr(id, " '<");
        if (!close || close - id > 12)
            return;
        const char *title = close + 1;
        title += strspn(title, "' :");
        const char *end = next ? next : title + strlen(title);
        while (end > title && (end[-1] == '\'' || end[-1] == ' '))
            end--;
        if (end > title)
            add(t, model, id, (size_t)(close + 1 - id), title, (size_t)(end - title));
        at = next ? next + 1 : 0;
    }
}

struct header {
    struct tree *tree;
    char *model; /* owned */
    bool going;
    bool may_say; /* a name in its comments overrides `model` */
};

static enum status handle(void *context, const struct csource_event *event, struct error *e)
{
    struct header *h = context;
    (void)e;
    char *said = event->kind == CSOURCE_COMMENT && h->may_say ? system_model(event->text) : 0;
    if (said) {
        free(h->model);
        h->model = said;
        h->may_say = false;
    }
    if (event->kind == CSOURCE_COMMENT)
        system_read(h->tree, h->model, event->text, &h->going);
    return OK;
}

static void read_header(struct tree *t, const char *path, const char *model, bool may_say)
{
    struct str text = STR_INIT;
    struct header h = {t, xstrdup(model), false, may_say};
    if (file_exists(path) && !file_read(&text, path, (size_t)64 << 20, 0) &&
        csource_scan(str_text(&text), text.len, path, handle, &h, 0))
        str_clear(&text); /* keeps what comes before a fault */
    str_release(&text);
    free(h.model);
}

void system_header(struct tree *t, const char *path)
{
    const char *base = path_basename(path), *dot = strrchr(base, '.');
    char *stem = xstrndup(base, dot ? (size_t)(dot - base) : strlen(base));
    read_header(t, path, stem, true);
    free(stem);
}

/* The numbers of the model's systems that no header names, as "<S1>, <S2>"; "": none. */
static char *unnamed_of(const struct tree *t, const char *model)
{
    struct map numbers = {0};
    struct str list = STR_INIT;
    for (size_t i = 0; i < t->blocks.n; i++) {
        const struct block *b = &t->blocks.at[i];
        if (b->system && strncmp(b->system, "<S", 2) == 0 && strcmp(b->model, model) == 0)
            map_number(&numbers, b->system);
    }
    for (size_t i = 0; i < numbers.n && i < 6; i++)
        str_addf(&list, "%s%s", i ? ", " : "", numbers.keys[i]);
    if (numbers.n > 6)
        str_add(&list, " ...");
    map_release(&numbers);
    str_add(&list, "");
    return str_detach(&list);
}

void system_note_unnamed(struct tree *t)
{
    struct map models = {0};
    for (size_t i = 0; i < t->blocks.n; i++) {
        const struct block *b = &t->blocks.at[i];
        if (b->system && strncmp(b->system, "<S", 2) == 0)
            map_number(&models, b->model);
    }
    for (size_t i = 0; i < models.n; i++) {
        char *list = unnamed_of(t, models.keys[i]);
        vec_push(&t->findings, xasprintf("model '%s': no header was found that says what its systems %s are called; "
                                         "it is looked for beside the source, where the debug information has it, and "
                                         "in --sources DIR",
                                         models.keys[i], list));
        free(list);
    }
    map_release(&models);
}

void system_headers(struct tree *t, const char *source, const char *model)
{
    const char *base = path_basename(source), *dot = strrchr(base, '.');
    char *folder = xstrndup(source, (size_t)(base - source));
    char *own = xasprintf("%s%.*s.h", folder, (int)(dot ? dot - base : (long)strlen(base)), base);
    char *of_model = xasprintf("%s%s.h", folder, model);
    read_header(t, of_model, model, false);
    if (strcmp(own, of_model) != 0)
        read_header(t, own, model, false);
    free(of_model);
    free(own);
    free(folder);
}

/* The system with a name; NULL: there is none. The caller frees. */
static char *system_of(const struct tree *t, const char *model, const char *name)
{
    const char *close = *name == '<' ? strchr(name, '>') : 0;
    size_t at;
    if (!close)
        return 0;
    char *id = xstrndup(name, (size_t)(close + 1 - name)), *key = xasprintf("%s\n%s", model, id);
    if (map_get(&t->systems, key, &at)) {
        free(id);
        id = xstrdup(t->titles.at[at]);
    }
    free(key);
    return id;
}

void systems_name(struct tree *t)
{
    for (size_t i = 0; i < t->blocks.n; i++) {
        struct block *b = &t->blocks.at[i];
        if (b->kind == BLOCK_SYSTEM || b->kind == BLOCK_MODEL || b->kind == BLOCK_STATE)
            b->system = system_of(t, b->model, b->name);
    }
}
