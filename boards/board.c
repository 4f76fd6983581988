/* board.c - board.ini: every key is known or refused at its line. */
#include "boards/boards.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/ini.h"
#include "base/str.h"
#include "private.h"

struct reader {
    struct board *b;
    const struct ini *ini;
    const struct ini_entry *at; /* the entry at hand */
    struct error *e;
};

static enum status refuse(struct reader *r, const char *wanted)
{
    return error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line), "'%s' is not a value for %s; %s", r->at->value,
                     r->at->key, wanted);
}

static void set_text(char **to, const char *value)
{
    free(*to);
    *to = xstrdup(value);
}

/* ---- lists ---- */

static char **words_of(const char *text, const char *separators)
{
    char **words = xcalloc(1, sizeof *words);
    size_t n = 0;
    for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
        size_t length = strcspn(text, separators);
        words = xreallocarray(words, n + 2, sizeof *words);
        words[n++] = xstrndup(text, length);
        words[n] = NULL;
        text += length;
    }
    return words;
}

static void free_words(char **words)
{
    for (char **w = words; w && *w; w++)
        free(*w);
    free(words);
}

void board_args_add(struct board_args *a, const char *text)
{
    a->at = xreallocarray(a->at, a->n + 2, sizeof *a->at);
    a->at[a->n++] = xstrdup(text);
    a->at[a->n] = NULL;
}

void board_args_release(struct board_args *a)
{
    free_words(a->at);
    *a = (struct board_args){0, 0};
}

/* ---- levels ---- */

static bool is_level(const char *text)
{
    return text[0] == 'O' && text[1] && strspn(text + 1, "0123456789szgfast") == strlen(text + 1);
}

static void clear_levels(struct board *b)
{
    for (size_t i = 0; i < b->n_levels; i++) {
        free(b->levels[i].name);
        free_words(b->levels[i].flags);
    }
    free(b->levels);
    b->levels = NULL;
    b->n_levels = 0;
}

/* The level's flags: -O..., the common ones, its own. */
static void add_level(struct board *b, const char *name, const char *common, const char *own)
{
    struct str all = STR_INIT;
    str_addf(&all, "-%s %s %s", name, common, own);
    b->levels = xreallocarray(b->levels, b->n_levels + 1, sizeof *b->levels);
    b->levels[b->n_levels++] = (struct board_level){xstrdup(name), words_of(all.s, " \t")};
    str_release(&all);
}

static const char *value_of(const struct ini *ini, const char *section, const char *key)
{
    const struct ini_entry *entry = ini_find(ini, section, key);
    return entry ? entry->value : "";
}

/* Sets the levels named in `list`; false at a word that is none, or when there is no word. */
static bool set_levels(struct board *b, const char *list, const struct ini *ini)
{
    char **names = words_of(list, " \t,");
    bool good = names[0] != NULL;
    for (char **n = names; *n; n++)
        good = good && is_level(*n);
    if (good) {
        clear_levels(b);
        for (char **n = names; *n; n++) {
            char *key = xasprintf("flags.%s", *n);
            if (!board_find_level(b, *n))
                add_level(b, *n, value_of(ini, "compile", "flags"), value_of(ini, "compile", key));
            free(key);
        }
    }
    free_words(names);
    return good;
}

const struct board_level *board_find_level(const struct board *b, const char *level)
{
    for (size_t i = 0; i < b->n_levels; i++)
        if (strcmp(b->levels[i].name, level) == 0)
            return &b->levels[i];
    return NULL;
}

/* ---- keys ---- */

static bool parse_count(const char *text, long least, long most, unsigned *to)
{
    long value;
    if (!parse_long(text, &value) || value < least || value > most)
        return false;
    *to = (unsigned)value;
    return true;
}

static bool parse_amount(const char *text, double most, double *to)
{
    double value;
    if (!parse_double(text, &value) || !isfinite(value) || value < 0 || value > most)
        return false;
    *to = value;
    return true;
}

static bool parse_core(const char *text, int *core)
{
    long value;
    if (strcmp(text, "auto") == 0) {
        *core = -1;
        return true;
    }
    if (!parse_long(text, &value) || value < 0 || value > 1 << 16)
        return false;
    *core = (int)value;
    return true;
}

static bool parse_cache(const char *text, enum board_cache *cache)
{
    bool warm = strcmp(text, "warm") == 0;
    *cache = warm ? BOARD_WARM : BOARD_COLD;
    return warm || strcmp(text, "cold") == 0;
}

static bool parse_source(const char *text, enum board_source *source)
{
    static const char *const words[] = {"auto", "pmu", "constant"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            *source = (enum board_source)i;
            return true;
        }
    return false;
}

static enum status key_title(struct reader *r)
{
    set_text(&r->b->title, r->at->value);
    return OK;
}
static enum status key_target(struct reader *r)
{
    set_text(&r->b->target, r->at->value);
    return OK;
}
static enum status key_cpu(struct reader *r)
{
    set_text(&r->b->cpu, r->at->value);
    return OK;
}
static enum status key_compiler(struct reader *r)
{
    if (!*r->at->value)
        return refuse(r, "name the C compiler, as in 'clang-19'");
    set_text(&r->b->compiler, r->at->value);
    return OK;
}
static enum status key_levels(struct reader *r)
{
    return set_levels(r->b, r->at->value, r->ini) ? OK : refuse(r, "name optimisation levels, as in 'O0 O2'");
}
static enum status key_flags(struct reader *r)
{
    (void)r; /* used by the levels */
    return OK;
}
static enum status key_link(struct reader *r)
{
    free_words(r->b->link_flags);
    r->b->link_flags = words_of(r->at->value, " \t");
    return OK;
}
static enum status key_runs(struct reader *r)
{
    return parse_count(r->at->value, 1, 1000000, &r->b->runs) ? OK : refuse(r, "give a number from 1 to 1000000");
}
static enum status key_extra(struct reader *r)
{
    return parse_count(r->at->value, 0, 1000000, &r->b->extra_runs) ? OK : refuse(r, "give a number from 0 to 1000000");
}
static enum status key_timeout(struct reader *r)
{
    if (!parse_amount(r->at->value, 1e6, &r->b->timeout_s) || r->b->timeout_s <= 0)
        return refuse(r, "give seconds, more than 0");
    return OK;
}
static enum status key_budget(struct reader *r)
{
    return parse_amount(r->at->value, 1e6, &r->b->budget_s) ? OK : refuse(r, "give seconds; 0 for no limit");
}
static enum status key_cache(struct reader *r)
{
    return parse_cache(r->at->value, &r->b->cache) ? OK : refuse(r, "say cold or warm");
}
static enum status key_core(struct reader *r)
{
    return parse_core(r->at->value, &r->b->core) ? OK : refuse(r, "give a core's number or auto");
}
static enum status key_priority(struct reader *r)
{
    r->b->raise_priority = strcmp(r->at->value, "raise") == 0;
    if (!r->b->raise_priority && strcmp(r->at->value, "normal") != 0)
        return refuse(r, "say raise or normal");
    return OK;
}
static enum status key_clock(struct reader *r)
{
    return parse_amount(r->at->value, 1e12, &r->b->clock_hz) ? OK : refuse(r, "give Hz; 0 to measure it");
}
static enum status key_source(struct reader *r)
{
    return parse_source(r->at->value, &r->b->source) ? OK : refuse(r, "say auto, pmu or constant");
}
static enum status key_event(struct reader *r)
{
    struct board_event event = {0, 0, 0};
    const char *name = r->at->key;
    if (strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(name) || strlen(name) > 31)
        return error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line),
                         "'%s' is not an event's name; use capitals, digits and '_', at most 31", name);
    if (!event_parse(r->at->value, &event.type, &event.config))
        return refuse(r, "write hw:cycles, cache:l1d.read.miss, sw:task-clock or raw:0x11 (docs/formats/board.md)");
    if (r->b->n_events == 16)
        return refuse(r, "16 events are the most; leave this one out");
    event.name = xstrdup(name);
    r->b->events = xreallocarray(r->b->events, r->b->n_events + 1, sizeof event);
    r->b->events[r->b->n_events++] = event;
    return OK;
}

/* Key "*": any. "flags.*": flags.O0 and so on. */
static const struct {
    const char *section, *key;
    enum status (*take)(struct reader *);
} keys[] = {{"board", "title", key_title},     {"board", "target", key_target},
            {"board", "cpu", key_cpu},         {"compile", "compiler", key_compiler},
            {"compile", "levels", key_levels}, {"compile", "flags", key_flags},
            {"compile", "flags.*", key_flags}, {"link", "flags", key_link},
            {"run", "runs", key_runs},         {"run", "extra_runs", key_extra},
            {"run", "timeout", key_timeout},   {"run", "budget", key_budget},
            {"run", "cache", key_cache},       {"run", "core", key_core},
            {"run", "priority", key_priority}, {"clock", "hz", key_clock},
            {"counter", "source", key_source}, {"events", "*", key_event}};
enum { N_KEYS = sizeof keys / sizeof *keys };

static enum status unknown(struct reader *r)
{
    const char *names[N_KEYS];
    size_t n = 0;
    bool section = false;
    for (size_t i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].section, r->at->section) == 0) {
            section = true;
            names[n++] = keys[i].key;
        }
    if (!section)
        return error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line),
                         "unknown section [%s]; there are [board] [compile] [link] [run] [clock] [counter] [events]",
                         r->at->section);
    const char *near = nearest_word(r->at->key, names, n);
    if (near)
        return error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line), "unknown key '%s' in [%s]; did you mean '%s'?",
                         r->at->key, r->at->section, near);
    struct str all = STR_INIT;
    for (size_t i = 0; i < n; i++)
        str_addf(&all, " %s", names[i]);
    error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line), "unknown key '%s' in [%s]; there are%s", r->at->key,
              r->at->section, str_text(&all));
    str_release(&all);
    return ERR_INPUT;
}

static enum status take_entry(struct reader *r)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].section, r->at->section) == 0 && glob_match(keys[i].key, r->at->key))
            return keys[i].take(r);
    return unknown(r);
}

/* flags.O3 without O3 in levels is a slip, or it waits for an override: the level must at least be one. */
static enum status check_level_flags(struct reader *r)
{
    if (strcmp(r->at->section, "compile") == 0 && strncmp(r->at->key, "flags.", 6) == 0 && !is_level(r->at->key + 6))
        return error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line),
                         "'%s' names no optimisation level; write flags.O2", r->at->key);
    return OK;
}

/* ---- the whole ---- */

static struct board *board_new(const char *path, const char *name)
{
    struct board *b = xcalloc(1, sizeof *b);
    b->path = xstrdup(path);
    b->name = xstrdup(name);
    b->title = xstrdup(name);
    b->target = xstrdup("");
    b->cpu = xstrdup("");
    b->compiler = xstrdup("clang-19");
    b->link_flags = words_of("", " ");
    b->runs = 100;
    b->extra_runs = 200;
    b->timeout_s = 60;
    b->core = -1;
    b->raise_priority = true;
    return b;
}

void board_free(struct board *b)
{
    if (!b)
        return;
    clear_levels(b);
    for (size_t i = 0; i < b->n_events; i++)
        free(b->events[i].name);
    free(b->events);
    free_words(b->link_flags);
    free(b->compiler);
    free(b->cpu);
    free(b->target);
    free(b->title);
    free(b->name);
    free(b->path);
    free(b);
}

static enum status read_board(struct board *b, struct error *e)
{
    struct ini *ini = NULL;
    enum status s = ini_read(&ini, b->path, e);
    if (s)
        return s;
    struct reader r = {b, ini, NULL, e};
    for (size_t i = 0; i < ini->n && !s; i++) {
        r.at = &ini->entries[i];
        s = check_level_flags(&r);
        if (!s)
            s = take_entry(&r);
    }
    if (!s && !b->n_levels)
        set_levels(b, "O0 O2", ini);
    ini_free(ini);
    return s;
}

static enum status no_such_board(const char *name, struct error *e)
{
    char **names = NULL;
    size_t n = 0;
    struct str all = STR_INIT;
    struct error ignored = ERROR_INIT;
    if (board_list(&names, &n, &ignored) == OK)
        for (size_t i = 0; i < n; i++) {
            str_addf(&all, "%s%s", i ? ", " : "", names[i]);
            free(names[i]);
        }
    free(names);
    error_release(&ignored);
    error_set(e, ERR_INPUT, NOWHERE, "no board '%s'; there are: %s; or give the path of a board's folder", name,
              str_text(&all));
    str_release(&all);
    return ERR_INPUT;
}

/* The folder's name of ".../NAME/board.ini"; of any other file its own name without ".ini". */
static char *name_of(const char *ini_path)
{
    char *copy = xstrdup(ini_path);
    const char *base = path_basename(copy);
    char *slash = strrchr(copy, '/');
    if (strcmp(base, "board.ini") == 0 && slash) {
        *slash = 0;
        base = path_basename(copy);
    } else if (strrchr(copy, '.') > slash) {
        *strrchr(copy, '.') = 0;
    }
    char *name = xstrdup(*base ? base : "board");
    free(copy);
    return name;
}

enum status board_load(struct board **out, const char *name_or_path, struct error *e)
{
    char *path;
    bool is_path = strchr(name_or_path, '/') != NULL;
    if (is_path) {
        path = file_is_directory(name_or_path) ? path_join(name_or_path, "board.ini") : xstrdup(name_or_path);
    } else {
        char *relative = xasprintf("boards/%s/board.ini", name_or_path);
        path = resource_share(relative);
        free(relative);
    }
    if (!is_path && !file_exists(path)) {
        free(path);
        return no_such_board(name_or_path, e);
    }
    char *name = name_of(path);
    struct board *b = board_new(path, name);
    free(name);
    free(path);
    enum status s = read_board(b, e);
    if (s) {
        board_free(b);
        return s;
    }
    *out = b;
    return OK;
}

enum status board_list(char ***names, size_t *n, struct error *e)
{
    char **all = NULL;
    size_t count = 0, kept = 0;
    char *folder = resource_share("boards");
    enum status s = list_directory(&all, &count, folder, e);
    for (size_t i = 0; i < count && !s; i++) {
        char *relative = xasprintf("%s/%s/board.ini", folder, all[i]);
        if (file_exists(relative))
            all[kept++] = all[i];
        else
            free(all[i]);
        free(relative);
    }
    free(folder);
    if (s)
        return s;
    *names = all;
    *n = kept;
    return OK;
}

/* ---- what the caller wants otherwise ---- */

static enum status check_overrides(const struct board_overrides *o, struct error *e)
{
    int core;
    enum board_cache cache;
    enum board_source source;
    if (o->runs < 0 || o->runs > 1000000)
        return error_set(e, ERR_USAGE, NOWHERE, "%ld runs; give a number from 1 to 1000000", o->runs);
    if (o->cache && !parse_cache(o->cache, &cache))
        return error_set(e, ERR_USAGE, NOWHERE, "the caches cannot be '%s'; say cold or warm", o->cache);
    if (o->core && !parse_core(o->core, &core))
        return error_set(e, ERR_USAGE, NOWHERE, "'%s' is not a core; give its number or auto", o->core);
    if (o->source && !parse_source(o->source, &source))
        return error_set(e, ERR_USAGE, NOWHERE, "'%s' is not a counter; say auto, pmu or constant", o->source);
    if (!(o->timeout_s >= 0 && o->timeout_s <= 1e6))
        return error_set(e, ERR_USAGE, NOWHERE, "a timeout of %g s cannot be", o->timeout_s);
    return OK;
}

static enum status override_levels(struct board *b, const char *levels, struct error *e)
{
    struct ini *ini = NULL;
    enum status s = ini_read(&ini, b->path, e);
    if (s)
        return s;
    if (!set_levels(b, levels, ini))
        s = error_set(e, ERR_USAGE, NOWHERE, "'%s' are not optimisation levels; write them as in 'O0,O2'", levels);
    ini_free(ini);
    return s;
}

enum status board_override(struct board *b, const struct board_overrides *o, struct error *e)
{
    enum status s = check_overrides(o, e);
    if (!s && o->levels)
        s = override_levels(b, o->levels, e);
    if (s)
        return s;
    if (o->runs) {
        double share = (double)b->extra_runs / b->runs;
        b->runs = (unsigned)o->runs;
        b->extra_runs = (unsigned)ceil(share * (double)o->runs);
    }
    if (o->cache)
        (void)!parse_cache(o->cache, &b->cache);
    if (o->core)
        (void)!parse_core(o->core, &b->core);
    if (o->source)
        (void)!parse_source(o->source, &b->source);
    if (o->timeout_s > 0)
        b->timeout_s = o->timeout_s;
    return OK;
}
