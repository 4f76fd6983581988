/* charts.c - finds where Stateflow charts begin and end in generated code. */
#include "shimgen/blocks/charts.h"

#include <stdlib.h>
#include <string.h>

#include "shimgen/blocks/comment_words.h"
#include "shimgen/blocks/csource.h"

static bool is_one_of(const char *text, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], text) == 0)
            return true;
    return false;
}

bool chart_type(const char *type)
{
    static const char *const types[] = {"Chart", "State Transition Table", "Truth Table", "StateTransitionTable",
                                        "TruthTable"};
    return is_one_of(type, types, sizeof types / sizeof *types);
}

bool chart_acts(const char *comment)
{
    static const char *const acts[] = {
        "Gateway: ", "During: ", "Entry: ", "Entry Internal: ", "Exit: ", "Exit Internal: "};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (strncmp(comment, acts[i], strlen(acts[i])) == 0)
            return comment[strlen(acts[i])] && !strstr(comment, "'<");
    return false;
}

bool block_calls_nothing(const char *type)
{
    static const char *const types[] = {"Inport",
                                        "Outport",
                                        "Constant",
                                        "Ground",
                                        "DataStoreRead",
                                        "DataStoreWrite",
                                        "DataStoreMemory",
                                        "UnitDelay",
                                        "Delay",
                                        "Memory",
                                        "RateTransition",
                                        "ZeroOrderHold",
                                        "SignalConversion",
                                        "BusCreator",
                                        "BusAssignment",
                                        "BusSelector",
                                        "Merge",
                                        "Mux",
                                        "Demux",
                                        "Selector",
                                        "DataTypeConversion"};
    return is_one_of(type, types, sizeof types / sizeof *types);
}

bool same_system(const char *name, const char *other)
{
    size_t n = strcspn(name, ">");
    return name[n] && strncmp(name, other, n + 1) == 0;
}

static enum status note(void *context, const struct csource_event *event, struct error *e)
{
    struct chart_marks *m = context;
    struct words w;
    (void)e;
    if (event->kind != CSOURCE_COMMENT || !event->first || event->inside)
        return OK;
    words_read(&w, event->text);
    if ((w.kind == WORDS_BLOCK || w.kind == WORDS_FUNCTION) && chart_type(w.type))
        vec_push(&m->all, (struct chart_mark){event->line, xstrdup(w.name), w.end});
    words_release(&w);
    return OK;
}

void chart_marks_read(struct chart_marks *m, const char *text, size_t n)
{
    if (csource_scan(text, n, "", note, m, 0))
        chart_marks_release(m); /* whoever reads it for its blocks says why */
}

bool chart_is_ended(const struct chart_marks *m, const char *name, unsigned long line)
{
    for (size_t i = 0; i < m->all.n; i++)
        if (m->all.at[i].line > line && strcmp(m->all.at[i].name, name) == 0)
            return m->all.at[i].end;
    return false;
}

void chart_marks_release(struct chart_marks *m)
{
    for (size_t i = 0; i < m->all.n; i++)
        free(m->all.at[i].name);
    vec_release(&m->all);
}
