/* accelerator.c - reads the description of an accelerator and its host (docs/formats/accelerator.md). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/ini.h"
#include "base/str.h"
#include "shimgen/offload/offload.h"

struct reader {
    const struct ini *ini;
    struct error *e;
    enum status s; /* of the first fault */
};

static const char *const known[] = {
    "accelerator.name",
    "accelerator.local_memory",
    "accelerator.flops",
    "accelerator.integer_operations",
    "accelerator.memory",
    "link.name",
    "link.bandwidth",
    "link.latency",
    "host.name",
    "host.cores",
    "host.flops",
    "host.integer_operations",
    "host.bandwidth",
    "host.clock",
    "host.l2",
    "thresholds.intensity",
    "thresholds.rate",
    "thresholds.integer_intensity",
    "thresholds.functions",
    "thresholds.share",
};
enum { N_KNOWN = sizeof known / sizeof *known };

static void check_keys(struct reader *r)
{
    for (size_t i = 0; i < r->ini->n && !r->s; i++) {
        const struct ini_entry *entry = &r->ini->entries[i];
        char *full = xasprintf("%s.%s", entry->section, entry->key);
        bool found = strcmp(entry->section, "sources") == 0;
        for (size_t k = 0; k < N_KNOWN && !found; k++)
            found = strcmp(known[k], full) == 0;
        if (!found) {
            const char *near = nearest_word(full, known, N_KNOWN);
            r->s = error_set(r->e, ERR_INPUT, AT(r->ini->path, entry->line), "unknown key '%s' in section [%s]%s%s%s",
                             entry->key, entry->section, near ? "; did you mean '" : "", near ? near : "",
                             near ? "'?" : "");
        }
        free(full);
    }
}

/* NAN: the file does not contain it. */
static double number(struct reader *r, const char *section, const char *key)
{
    double value = NAN;
    const struct ini_entry *entry = ini_find(r->ini, section, key);
    if (!entry || r->s)
        return NAN;
    if (!parse_double(entry->value, &value) || !isfinite(value) || value <= 0)
        r->s = error_set(r->e, ERR_INPUT, AT(r->ini->path, entry->line),
                         "'%s' must be a number above 0, such as 8e9, but is '%s'", key, entry->value);
    return value;
}

static char *text(struct reader *r, const char *section, const char *key)
{
    const struct ini_entry *entry = ini_find(r->ini, section, key);
    return entry ? xstrdup(entry->value) : NULL;
}

static bool parse_cache(struct offload_cache *out, const char *value)
{
    const char *rest;
    char more;
    *out = (struct offload_cache){.ways = 8, .line = 64};
    if (!parse_bytes(value, &out->size, &rest) || !out->size)
        return false;
    if (!*rest)
        return true;
    return sscanf(rest, ":%u:%u%c", &out->ways, &out->line, &more) == 2 && out->ways && out->line;
}

static void cache(struct reader *r, const char *section, const char *key, struct offload_cache *out)
{
    const struct ini_entry *entry = ini_find(r->ini, section, key);
    if (!entry || r->s)
        return;
    if (!parse_cache(out, entry->value))
        r->s = error_set(r->e, ERR_INPUT, AT(r->ini->path, entry->line),
                         "'%s' must be SIZE or SIZE:WAYS:LINE, such as 256K:8:64, but is '%s'", key, entry->value);
}

static void threshold(struct reader *r, const char *key, double otherwise, const char *why,
                      struct offload_threshold *out)
{
    out->value = number(r, "thresholds", key);
    out->source = text(r, "sources", key);
    if (!isnan(out->value) || isnan(otherwise))
        return;
    out->value = otherwise;
    if (!out->source)
        out->source = xstrdup(why);
}

static void read_thresholds(struct reader *r, struct accelerator *a)
{
    double cores = number(r, "host", "cores"), bandwidth = number(r, "host", "bandwidth");
    double flops = number(r, "host", "flops"), integers = number(r, "host", "integer_operations");
    const char *why = "the host's peak over its bandwidth";
    if (isnan(cores))
        cores = 1;
    threshold(r, "intensity", flops * cores / bandwidth, why, &a->intensity);
    threshold(r, "integer_intensity", integers * cores / bandwidth, why, &a->integer_intensity);
    threshold(r, "rate", a->link, "the link's bandwidth in one direction", &a->rate);
    threshold(r, "functions", 20, "20 functions", &a->functions);
    threshold(r, "share", 0.8, "80 % of the time", &a->share);
}

static void check_whole(struct reader *r, const struct accelerator *a)
{
    const char *missing = !a->local.size         ? "[accelerator] local_memory = SIZE"
                          : isnan(a->rate.value) ? "[thresholds] rate = BYTES A SECOND, or [link] bandwidth"
                          : isnan(a->intensity.value)
                              ? "[thresholds] intensity = OPERATIONS A BYTE, or [host] flops and bandwidth"
                              : NULL;
    if (!r->s && missing)
        r->s = error_set(r->e, ERR_INPUT, AT_FILE(r->ini->path), "%s is missing", missing);
    if (!r->s && !(a->share.value <= 1))
        r->s = error_set(r->e, ERR_INPUT, AT_FILE(r->ini->path), "'share' must be at most 1, such as 0.8");
}

static enum status read_ini(struct accelerator *a, const struct ini *ini, struct error *e)
{
    struct reader r = {ini, e, OK};
    check_keys(&r);
    a->path = xstrdup(ini->path);
    a->name = text(&r, "accelerator", "name");
    a->link_name = text(&r, "link", "name");
    a->host_name = text(&r, "host", "name");
    cache(&r, "accelerator", "local_memory", &a->local);
    cache(&r, "host", "l2", &a->host_l2);
    a->flops = number(&r, "accelerator", "flops");
    a->integers = number(&r, "accelerator", "integer_operations");
    a->memory = number(&r, "accelerator", "memory");
    a->link = number(&r, "link", "bandwidth");
    a->latency = number(&r, "link", "latency");
    a->host_clock = number(&r, "host", "clock");
    read_thresholds(&r, a);
    check_whole(&r, a);
    return r.s;
}

static enum status unknown_accelerator(const char *name, struct error *e)
{
    char *folder = resource_share("accelerators");
    char **files = NULL;
    size_t n = 0;
    struct str names = STR_INIT;
    struct error ignored = ERROR_INIT;
    if (list_directory(&files, &n, folder, &ignored) == OK)
        for (size_t i = 0; i < n; i++) {
            char *dot = strrchr(files[i], '.');
            str_addf(&names, "%s%.*s", i ? ", " : "", (int)(dot ? dot - files[i] : (long)strlen(files[i])), files[i]);
            free(files[i]);
        }
    free(files);
    free(folder);
    enum status s =
        error_set(e, ERR_INPUT, AT_FILE(name), "there is no such file, and no accelerator of this name; there are: %s",
                  str_text(&names));
    str_release(&names);
    return s;
}

enum status accelerator_read(struct accelerator *out, const char *name, struct error *e)
{
    struct ini *ini = NULL;
    char *relative = xasprintf("accelerators/%s.ini", name);
    char *installed = resource_share(relative);
    const char *path = file_exists(name) ? name : strchr(name, '/') ? NULL : file_exists(installed) ? installed : NULL;
    *out = (struct accelerator){0};
    enum status s = path ? ini_read(&ini, path, e) : unknown_accelerator(name, e);
    if (!s)
        s = read_ini(out, ini, e);
    ini_free(ini);
    free(relative);
    free(installed);
    return s;
}

void accelerator_release(struct accelerator *a)
{
    free(a->path);
    free(a->name);
    free(a->link_name);
    free(a->host_name);
    struct offload_threshold *all[] = {&a->intensity, &a->integer_intensity, &a->rate, &a->functions, &a->share};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->source);
    *a = (struct accelerator){0};
}
