/* write_table.c - each stamp as a row of CSV, and as an event of Chrome's trace format. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/file.h"
#include "irprof/history/history.h"

static const char *const kinds[] = {"begin", "end", "mark", "result"};

/* ---- CSV ---- */

static void put_row(FILE *f, const struct history *h, const struct history_thread *t, const struct history_stamp *s)
{
    const struct history_point *p = &h->points.at[s->point];
    if (t->number)
        fprintf(f, "%u,%u,", t->number, t->id);
    else
        fputs(",,", f);
    if (s->processor != STAMP_NO_PROCESSOR)
        fprintf(f, "%u", s->processor);
    fprintf(f, ",%.1f,%" PRIu64 ",", history_ns(h, s->at), s->ticks);
    csv_put(f, p->name);
    fprintf(f, ",%s,%s,", kinds[p->kind], p->mode);
    csv_put(f, p->function);
    fputc(',', f);
    csv_put(f, p->file);
    fputc(',', f);
    if (p->line)
        fprintf(f, "%u", p->line);
    fputc('\n', f);
}

enum status history_write_csv(const struct history *h, const char *path, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    fputs("thread,id,processor,time_ns,ticks,point,kind,mode,function,file,line\n", o.f);
    for (size_t i = 0; i < h->threads.n; i++)
        for (size_t k = 0; k < h->threads.at[i].stamps.n; k++)
            put_row(o.f, h, &h->threads.at[i], &h->threads.at[i].stamps.at[k]);
    return outfile_commit(&o, e);
}

/* ---- Chrome's trace format ---- */

/* The text as a JSON string with its quotes. The caller frees. */
static char *quoted(const char *text)
{
    json_t *value = json_string(text);
    if (!value)
        value = json_string("(not UTF-8)");
    char *out = json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    json_decref(value);
    return out;
}

struct trace {
    FILE *f;
    const struct history *h;
    char **labels; /* with quotes */
    const char *before;
};

static void put_event(struct trace *t, const struct history_thread *thread, size_t label, char phase, int64_t at,
                      uint32_t processor)
{
    fprintf(t->f, "%s{\"name\":%s,\"ph\":\"%c\",\"ts\":%.4f,\"pid\":%u,\"tid\":%u", t->before, t->labels[label], phase,
            history_ns(t->h, at) / 1000, t->h->process, thread->number);
    if (phase == 'i')
        fputs(",\"s\":\"t\"", t->f);
    if (processor != STAMP_NO_PROCESSOR)
        fprintf(t->f, ",\"args\":{\"processor\":%u}", processor);
    fputc('}', t->f);
    t->before = ",\n";
}

/* Viewers expect begins and ends that pair, so an interval is a complete event ("X"), which has both. */
static void put_interval(struct trace *t, const struct history_thread *thread, const struct history_interval *v)
{
    fprintf(t->f, "%s{\"name\":%s,\"ph\":\"X\",\"ts\":%.4f,\"dur\":%.4f,\"pid\":%u,\"tid\":%u", t->before,
            t->labels[v->label], history_ns(t->h, v->from) / 1000, history_ns(t->h, v->to - v->from) / 1000,
            t->h->process, thread->number);
    if (v->processor != STAMP_NO_PROCESSOR)
        fprintf(t->f, ",\"args\":{\"processor\":%u}", v->processor);
    fputc('}', t->f);
    t->before = ",\n";
}

static void put_thread(struct trace *t, const struct history_thread *thread)
{
    char *name = quoted(thread->name);
    fprintf(t->f, "%s{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":%s}}", t->before,
            t->h->process, thread->number, name);
    free(name);
    t->before = ",\n";
    for (size_t i = 0; i < thread->intervals.n; i++)
        put_interval(t, thread, &thread->intervals.at[i]);
    for (size_t i = 0; i < thread->stamps.n; i++) {
        const struct history_stamp *s = &thread->stamps.at[i];
        const struct history_point *p = &t->h->points.at[s->point];
        if (p->kind == HISTORY_MARK || p->kind == HISTORY_RESULT)
            put_event(t, thread, p->label, 'i', s->at, s->processor);
    }
}

enum status history_write_trace(const struct history *h, const char *path, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    struct trace t = {.f = o.f, .h = h, .labels = xcalloc(h->labels.n + 1, sizeof(char *)), .before = "\n"};
    for (size_t i = 0; i < h->labels.n; i++)
        t.labels[i] = quoted(h->labels.at[i]);
    char *program = quoted(h->program);
    fprintf(o.f, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":%s},\"traceEvents\":[", program);
    for (size_t i = 0; i < h->threads.n; i++)
        put_thread(&t, &h->threads.at[i]);
    fputs("\n]}\n", o.f);
    for (size_t i = 0; i < h->labels.n; i++)
        free(t.labels[i]);
    free(t.labels);
    free(program);
    return outfile_commit(&o, e);
}
