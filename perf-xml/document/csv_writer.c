/* csv_writer.c - the sink that writes CSV: a line for each value. */
#include <stdlib.h>

#include "base/csv.h"
#include "perf-xml/document/writer.h"

static enum status csv_open(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    (void)e;
    perf_place_open(&((struct writer *)s)->place, g);
    return OK;
}

static void quoted(struct str *out, const char *text)
{
    str_addch(out, '"');
    str_add(out, csv_defused(text));
    for (; *text; text++) {
        if (*text == '"')
            str_addch(out, '"');
        str_addch(out, *text);
    }
    str_addch(out, '"');
}

/* Writes a row: place,unit,state,value. */
static enum status csv_data(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    struct writer *w = (struct writer *)s;
    char text[NUMBER_ROOM];
    (void)e;
    const char *unit = perf_place_unit(&w->place, d->unit);
    if (d->value.kind == PERF_NONE && d->state != PERF_UNAVAILABLE)
        return OK;
    char *place = perf_place_text(&w->place);
    quoted(&w->text, place);
    str_addch(&w->text, ',');
    quoted(&w->text, unit);
    str_addf(&w->text, ",%s,", perf_state_name(d->state));
    str_addn(&w->text, text, perf_number_text(text, &d->value));
    str_add(&w->text, "\r\n");
    free(place);
    return writer_go_on(w);
}

static enum status csv_close(struct perf_sink *s, enum perf_level level, struct error *e)
{
    (void)e;
    if (level != PERF_ROOT)
        perf_place_close(&((struct writer *)s)->place);
    return OK;
}

static enum status csv_head(struct perf_sink *s, const struct perf_head *h, struct error *e)
{
    (void)h;
    (void)e;
    str_add(&((struct writer *)s)->text, "place,unit,state,value\r\n");
    return OK;
}

const struct perf_sink writer_csv = {csv_head, 0, csv_open, csv_data, csv_close};
