/* core_figures.c - figures of a core that kernels cannot show: from a board's model file, or from the command line. */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/ini.h"
#include "boards/boards.h"
#include "shimgen/core/core_file.h"

static struct core_figure *find(const struct core_figures *f, const char *section, const char *key)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->at[i].section, section) == 0 && strcmp(f->at[i].key, key) == 0)
            return &f->at[i];
    return NULL;
}

void core_figures_put(struct core_figures *f, const char *section, const char *key, const char *value)
{
    struct core_figure *there = find(f, section, key);
    if (there && there->set)
        return;
    if (there) {
        free(there->value);
        there->value = xstrdup(value);
        return;
    }
    f->at = xreallocarray(f->at, f->n + 1, sizeof *f->at);
    f->at[f->n++] = (struct core_figure){xstrdup(section), xstrdup(key), xstrdup(value), false};
}

static void say_from(struct core_figures *f, const char *text)
{
    char *all = f->from ? xasprintf("%s, %s", f->from, text) : xstrdup(text);
    free(f->from);
    f->from = all;
}

static enum status take(struct core_figures *f, const struct board *b, const char *architecture, struct error *e)
{
    struct iss_model *m = NULL;
    struct ini *ini = NULL;
    enum status s = iss_model_read(&m, b->model, e);
    if (!s && strcmp(m->architecture, architecture) != 0)
        s = error_set(e, ERR_INPUT, NOWHERE, "--like %s: its core is for %s, not for %s", b->name, m->architecture,
                      architecture);
    if (!s)
        s = ini_read(&ini, b->model, e);
    for (size_t i = 0; !s && i < iss_model_figures(); i++) {
        const char *section, *key = iss_model_figure(i, &section);
        const struct ini_entry *entry = ini_find(ini, section, key);
        if (entry && strcmp(entry->value, "unknown") != 0)
            core_figures_put(f, section, key, entry->value);
    }
    ini_free(ini);
    iss_model_free(m);
    return s;
}

enum status core_figures_like(struct core_figures *f, const char *board, const char *architecture, struct error *e)
{
    struct board *b;
    enum status s = board_load(&b, board, e);
    if (s)
        return s;
    if (*b->model)
        s = take(f, b, architecture, e);
    else
        s = error_set(e, ERR_INPUT, NOWHERE,
                      "--like %s: this board has no timing data to take caches and predictor from; "
                      "raspberrypi3-sim and riscv64-sim have",
                      b->name);
    if (!s) {
        char *text = xasprintf("clock, fetch, predictor, caches, memory and TLB from %s", b->name);
        say_from(f, text);
        free(text);
    }
    board_free(b);
    return s;
}

static enum status set_one(struct core_figures *f, char *word, struct error *e)
{
    char *dot = strchr(word, '.'), *equals = strchr(word, '=');
    if (!dot || !equals || dot > equals || !equals[1])
        return usage_error(e, "--set %s: say SECTION.KEY=VALUE, such as fetch.mispredicted=12 or l1d.size=32K", word);
    *dot = *equals = 0;
    if (!iss_model_may_lack(word, dot + 1))
        return usage_error(e, "--set: [%s] %s is not a figure that can be set; docs/formats/iss-model.md lists them",
                           word, dot + 1);
    struct core_figure *earlier = find(f, word, dot + 1);
    if (earlier)
        earlier->set = false; /* of two, the later */
    core_figures_put(f, word, dot + 1, equals + 1);
    find(f, word, dot + 1)->set = true;
    return OK;
}

bool core_figures_is_set(const struct core_figures *f, const char *section, const char *key)
{
    const struct core_figure *there = f ? find(f, section, key) : NULL;
    return there && there->set;
}

enum status core_figures_set(struct core_figures *f, const char *text, struct error *e)
{
    char **words = words_of(text, " ,");
    size_t n = 0;
    enum status s = OK;
    for (; words[n] && !s; n++)
        s = set_one(f, words[n], e);
    words_free(words);
    char *said = xasprintf("%zu %s by --set", n, n == 1 ? "figure" : "figures");
    say_from(f, said);
    free(said);
    return s;
}

void core_figures_release(struct core_figures *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->at[i].section);
        free(f->at[i].key);
        free(f->at[i].value);
    }
    free(f->at);
    free(f->from);
    *f = (struct core_figures){0};
}
