/* perf-xml get FILE PLACE... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "perf-xml/commands.h"
#include "perf-xml/perfxml.h"

struct options {
    bool places;
};

struct getter {
    struct perf_sink sink;
    struct perf_place place;
    char **words; /* words of the wanted place */
    const char *reason;
    bool places, found;
};

static enum status enter(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    (void)e;
    perf_place_open(&((struct getter *)s)->place, g);
    return OK;
}

/* Do the wanted words occur in the place in their order, the last one at its end? */
static bool fits(const struct getter *g)
{
    size_t at = 0;
    const char *last = 0;
    for (char **w = g->words; *w; w++, at++) {
        while (at < g->place.n && strcmp(g->place.parts[at], *w) != 0)
            at++;
        if (at == g->place.n)
            return false;
        last = *w;
    }
    return last && strcmp(last, g->place.parts[g->place.n - 1]) == 0;
}

static enum status value(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    struct getter *g = (struct getter *)s;
    char room[NUMBER_ROOM];
    if (!fits(g))
        return OK;
    char *place = perf_place_text(&g->place);
    enum status status = OK;
    if (d->value.kind == PERF_NONE) {
        status =
            error_set(e, ERR_INPUT, NOWHERE, "%s has no value%s%s", place, d->why ? ": " : "", d->why ? d->why : "");
    } else {
        perf_number_text(room, &d->value);
        char *clean = printable_text(place);
        printf("%s%s%s\n", g->places ? clean : "", g->places ? ": " : "", room);
        g->found = true;
        free(clean);
    }
    free(place);
    return status;
}

static enum status leave(struct perf_sink *s, enum perf_level level, struct error *e)
{
    (void)e;
    if (level != PERF_ROOT)
        perf_place_close(&((struct getter *)s)->place);
    return OK;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    enum status s = OK;
    for (int i = 1; !s && i < args->argc; i++) {
        struct getter g = {.sink = {.open = enter, .data = value, .close = leave}, .places = o->places};
        g.words = words_of(args->argv[i], " ");
        s = perf_read_all(args->argv, 1, "auto", &g.sink, e);
        if (!s && !g.found)
            s = error_set(
                e, ERR_INPUT, AT_FILE(args->argv[0]),
                "there is no value at '%s' (a call path without an item has 0); 'perf-xml show' lists the items",
                args->argv[i]);
        perf_place_release(&g.place);
        words_free(g.words);
    }
    return s;
}

static const struct cli_option options[] = {
    {CLI_BOOL, "places", 0, 0, 0, "print PLACE: VALUE", offsetof(struct options, places)},
    {0},
};
const struct cli_command cmd_get = {
    .name = "get",
    .synopsis = "get FILE PLACE... [--places]",
    .summary = "Prints values, one per line.",
    .details = "A place is one argument, for example 'process=3 thread=0 time' or 'process=3 time path=12'. A part\n"
               "that is left out matches anything: 'time' is that item of every thread.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = -1,
    .operands = "FILE TEXT",
    .run = run,
};
