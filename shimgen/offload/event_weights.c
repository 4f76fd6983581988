/* event_weights.c - reads what events of a processor's counters mean. */
#include "shimgen/offload/event_weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/ini.h"
#include "base/str.h"

static const char *const sections[EVENT_MEANINGS] = {"cycles", "seconds", "operations", "bytes", "instructions"};

static enum status read_entry(struct event_weights *w, const struct ini *ini, const struct ini_entry *entry,
                              struct error *e)
{
    struct event_weight weight = {.meaning = EVENT_MEANINGS};
    if (strcmp(entry->section, "cpu") == 0 && strcmp(entry->key, "name") == 0) {
        w->name = xstrdup(entry->value);
        return OK;
    }
    for (unsigned i = 0; i < EVENT_MEANINGS; i++)
        if (strcmp(entry->section, sections[i]) == 0)
            weight.meaning = (enum event_meaning)i;
    if (weight.meaning == EVENT_MEANINGS)
        return error_set(e, ERR_INPUT, AT(ini->path, entry->line),
                         "unknown section [%s]; there are: cpu, cycles, seconds, operations, bytes, instructions",
                         entry->section);
    if (!parse_double(entry->value, &weight.weight) || !isfinite(weight.weight) || weight.weight <= 0)
        return error_set(e, ERR_INPUT, AT(ini->path, entry->line), "the weight of '%s' must be a number above 0",
                         entry->key);
    weight.event = xstrdup(entry->key);
    vec_push(&w->events, weight);
    return OK;
}

enum status event_weights_read(struct event_weights *out, const char *name, struct error *e)
{
    struct ini *ini = NULL;
    char *relative = xasprintf("events/%s.ini", name);
    char *installed = resource_share(relative);
    const char *path = file_exists(name) || strchr(name, '/') ? name : installed;
    *out = (struct event_weights){.path = xstrdup(name)};
    enum status s = file_exists(path) ? ini_read(&ini, path, e)
                                      : error_set(e, ERR_INPUT, AT_FILE(name),
                                                  "there is no such file, and no events of this name are installed "
                                                  "(docs/formats/events.md)");
    for (size_t i = 0; !s && i < ini->n; i++)
        s = read_entry(out, ini, &ini->entries[i], e);
    if (!s && !out->events.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "the file gives no event a weight");
    ini_free(ini);
    free(relative);
    free(installed);
    return s;
}

void event_weights_release(struct event_weights *w)
{
    for (size_t i = 0; i < w->events.n; i++)
        free(w->events.at[i].event);
    vec_release(&w->events);
    free(w->path);
    free(w->name);
    *w = (struct event_weights){0};
}
