/*
 * otf2.c - writes a history as an archive of the Open Trace Format 2, which Vampir and others read. It is the only user
 * of libotf2, and turns its errors into ours. Threads are locations. Intervals enter and leave regions. Marks are
 * parameters that count up.
 */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "irprof/history/history.h"

/* Numbers of strings in the archive. */
enum { TEXT_NONE, TEXT_PROGRAM, TEXT_MACHINE, TEXT_NODE, TEXT_PROCESSOR, TEXT_LABELS };

struct archive {
    const struct history *h;
    OTF2_Archive *archive;
    OTF2_AttributeList *attributes;
    const char *name; /* name of the archive */
    char *message;    /* of the first error; owned */
    OTF2_ErrorCode code;
};

static OTF2_ErrorCode on_error(void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                               const char *format, va_list arguments)
{
    struct archive *a = data;
    (void)file, (void)line, (void)function;
    if (!a->message) {
        a->message = xvasprintf(format, arguments);
        a->code = code;
    }
    return code;
}

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *data, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)type, (void)location;
    const struct archive *a = data;
    int64_t last = history_last(a->h), first = history_first(a->h);
    return (uint64_t)(last - first);
}

static void check(struct archive *a, OTF2_ErrorCode code)
{
    if (code != OTF2_SUCCESS && a->code == OTF2_SUCCESS)
        a->code = code;
}

/* ---- events ---- */

/* A thread's events in the order of time, following the nesting of its intervals. */
struct events {
    struct archive *a;
    OTF2_EvtWriter *writer;
    const struct history_thread *t;
    int64_t first;
    size_t *open, n_open; /* intervals that have been entered */
    size_t next;          /* the next interval */
    uint64_t *counts;     /* marks so far, by label */
    uint64_t n;           /* number of events */
};

static OTF2_AttributeList *processor(struct events *e, uint32_t number)
{
    OTF2_AttributeList_RemoveAllAttributes(e->a->attributes);
    if (number == STAMP_NO_PROCESSOR)
        return 0;
    check(e->a, OTF2_AttributeList_AddUint32(e->a->attributes, 0, number));
    return e->a->attributes;
}

static uint64_t time_of(const struct events *e, int64_t at)
{
    return (uint64_t)(at - e->first);
}

/* Leaves all intervals that end at `at` or before, down to `depth` open ones. */
static void leave_until(struct events *e, int64_t at, size_t depth)
{
    while (e->n_open > depth) {
        const struct history_interval *v = &e->t->intervals.at[e->open[e->n_open - 1]];
        if (v->to > at)
            return;
        check(e->a, OTF2_EvtWriter_Leave(e->writer, 0, time_of(e, v->to), (OTF2_RegionRef)v->label));
        e->n_open--;
        e->n++;
    }
}

static void enter_until(struct events *e, int64_t at)
{
    while (e->next < e->t->intervals.n && e->t->intervals.at[e->next].from <= at) {
        const struct history_interval *v = &e->t->intervals.at[e->next];
        leave_until(e, v->from, v->depth);
        check(e->a, OTF2_EvtWriter_Enter(e->writer, processor(e, v->processor), time_of(e, v->from),
                                         (OTF2_RegionRef)v->label));
        e->open[e->n_open++] = e->next++;
        e->n++;
    }
}

static void put_mark(struct events *e, const struct history_stamp *s)
{
    size_t label = e->a->h->points.at[s->point].label;
    enter_until(e, s->at - 1);
    leave_until(e, s->at - 1, 0);
    check(e->a, OTF2_EvtWriter_ParameterUnsignedInt(e->writer, processor(e, s->processor), time_of(e, s->at),
                                                    (OTF2_ParameterRef)label, ++e->counts[label]));
    e->n++;
}

static uint64_t put_thread(struct archive *a, size_t number)
{
    const struct history_thread *t = &a->h->threads.at[number];
    struct events e = {.a = a, .t = t, .first = history_first(a->h)};
    e.writer = OTF2_Archive_GetEvtWriter(a->archive, number);
    e.open = xcalloc(t->intervals.n + 1, sizeof *e.open);
    e.counts = xcalloc(a->h->labels.n + 1, sizeof *e.counts);
    for (size_t i = 0; i < t->stamps.n && e.writer; i++) {
        enum history_kind kind = a->h->points.at[t->stamps.at[i].point].kind;
        if (kind == HISTORY_MARK || kind == HISTORY_RESULT)
            put_mark(&e, &t->stamps.at[i]);
    }
    if (e.writer) {
        enter_until(&e, INT64_MAX);
        leave_until(&e, INT64_MAX, 0);
        check(a, OTF2_Archive_CloseEvtWriter(a->archive, e.writer));
    }
    free(e.open);
    free(e.counts);
    return e.n;
}

/* ---- definitions ---- */

static void put_labels(struct archive *a, OTF2_GlobalDefWriter *w)
{
    const struct history *h = a->h;
    for (size_t i = 0; i < h->labels.n; i++) {
        const struct history_point *p = 0;
        for (size_t k = 0; k < h->points.n && !p; k++)
            p = h->points.at[k].label == i ? &h->points.at[k] : 0;
        OTF2_StringRef name = (OTF2_StringRef)(TEXT_LABELS + 2 * i), file = name + 1;
        check(a, OTF2_GlobalDefWriter_WriteString(w, name, h->labels.at[i]));
        check(a, OTF2_GlobalDefWriter_WriteString(w, file, p ? p->file : ""));
        bool mark = p && (p->kind == HISTORY_MARK || p->kind == HISTORY_RESULT);
        if (mark)
            check(a, OTF2_GlobalDefWriter_WriteParameter(w, (OTF2_ParameterRef)i, name, OTF2_PARAMETER_TYPE_UINT64));
        else
            check(a, OTF2_GlobalDefWriter_WriteRegion(w, (OTF2_RegionRef)i, name, name, TEXT_NONE,
                                                      OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
                                                      file, p ? p->line : 0, 0));
    }
}

static void put_definitions(struct archive *a, const uint64_t *events)
{
    const struct history *h = a->h;
    OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(a->archive);
    if (!w)
        return;
    uint64_t length = (uint64_t)(history_last(h) - history_first(h));
    double rate = h->per_ns > 0 ? h->per_ns * 1e9 : 1e9;
    check(a, OTF2_GlobalDefWriter_WriteClockProperties(w, (uint64_t)(rate + .5), 0, length, OTF2_UNDEFINED_TIMESTAMP));
    check(a, OTF2_GlobalDefWriter_WriteString(w, TEXT_NONE, ""));
    check(a, OTF2_GlobalDefWriter_WriteString(w, TEXT_PROGRAM, h->program));
    check(a, OTF2_GlobalDefWriter_WriteString(w, TEXT_MACHINE, "machine"));
    check(a, OTF2_GlobalDefWriter_WriteString(w, TEXT_NODE, "node"));
    check(a, OTF2_GlobalDefWriter_WriteString(w, TEXT_PROCESSOR, "processor"));
    put_labels(a, w);
    check(a, OTF2_GlobalDefWriter_WriteAttribute(w, 0, TEXT_PROCESSOR, TEXT_NONE, OTF2_TYPE_UINT32));
    check(a, OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, TEXT_MACHINE, TEXT_NODE, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    check(a, OTF2_GlobalDefWriter_WriteLocationGroup(w, 0, TEXT_PROGRAM, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                     OTF2_UNDEFINED_LOCATION_GROUP));
    for (size_t i = 0; i < h->threads.n; i++) {
        OTF2_StringRef name = (OTF2_StringRef)(TEXT_LABELS + 2 * h->labels.n + i);
        check(a, OTF2_GlobalDefWriter_WriteString(w, name, h->threads.at[i].name));
        check(a, OTF2_GlobalDefWriter_WriteLocation(w, i, name, OTF2_LOCATION_TYPE_CPU_THREAD, events[i], 0));
    }
    check(a, OTF2_Archive_CloseGlobalDefWriter(a->archive, w));
}

/* A location needs no definitions of its own, but the file must exist. */
static void put_local(struct archive *a)
{
    check(a, OTF2_Archive_OpenDefFiles(a->archive));
    for (size_t i = 0; i < a->h->threads.n; i++) {
        OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(a->archive, i);
        if (w)
            check(a, OTF2_Archive_CloseDefWriter(a->archive, w));
    }
    check(a, OTF2_Archive_CloseDefFiles(a->archive));
}

static void write_archive(struct archive *a, const char *folder)
{
    static const OTF2_FlushCallbacks flush = {before_flush, after_flush};
    enum { CHUNK = 1 << 20 };
    uint64_t *events = xcalloc(a->h->threads.n + 1, sizeof *events);
    a->archive = OTF2_Archive_Open(folder, a->name, OTF2_FILEMODE_WRITE, CHUNK, CHUNK * 4, OTF2_SUBSTRATE_POSIX,
                                   OTF2_COMPRESSION_NONE);
    a->attributes = OTF2_AttributeList_New();
    if (a->archive && a->attributes) {
        check(a, OTF2_Archive_SetFlushCallbacks(a->archive, &flush, a));
        check(a, OTF2_Archive_SetSerialCollectiveCallbacks(a->archive));
        check(a, OTF2_Archive_SetCreator(a->archive, "irprof history"));
        check(a, OTF2_Archive_OpenEvtFiles(a->archive));
        for (size_t i = 0; i < a->h->threads.n; i++)
            events[i] = put_thread(a, i);
        check(a, OTF2_Archive_CloseEvtFiles(a->archive));
        put_local(a);
        put_definitions(a, events);
    } else {
        check(a, OTF2_ERROR_INVALID);
    }
    if (a->archive)
        check(a, OTF2_Archive_Close(a->archive));
    OTF2_AttributeList_Delete(a->attributes);
    free(events);
}

/* ---- the archive is written into a temporary folder, then renamed ---- */

static enum status move(const char *from, const char *to, const char *name, const char *ending, struct error *e)
{
    char *here = xasprintf("%s/%s%s", from, name, ending), *there = xasprintf("%s/%s%s", to, name, ending);
    enum status s = OK;
    if (file_is_directory(there))
        s = remove_tree(there, e);
    if (!s && rename(here, there))
        s = error_errno(e, AT_FILE(there), "cannot write it");
    free(here);
    free(there);
    return s;
}

static enum status move_all(const char *from, const char *to, const char *name, struct error *e)
{
    enum status s = move(from, to, name, "", e);
    if (!s)
        s = move(from, to, name, ".def", e);
    return s ? s : move(from, to, name, ".otf2", e);
}

/* Refuses a folder of the archive's name that does not contain an archive: it is somebody else's. */
static enum status check_place(const char *path, const char *folder, const char *name, struct error *e)
{
    char *events = path_join(folder, name);
    enum status s = OK;
    if (file_exists(events) && !file_exists(path))
        s = error_set(e, ERR_INPUT, AT_FILE(events),
                      "in the way: the archive's events would be here; give another name");
    free(events);
    return s;
}

enum status history_write_otf2(const struct history *h, const char *path, struct error *e)
{
    char *copy = xstrdup(path), *slash = strrchr(copy, '/');
    char *name = xstrdup(slash ? slash + 1 : copy), *dot = strrchr(name, '.');
    struct archive a = {.h = h, .name = name};
    if (slash)
        *slash = 0;
    if (dot)
        *dot = 0;
    const char *folder = !slash ? "." : slash == copy ? "/" : copy;
    char *beside = xasprintf("%s/.%s.XXXXXX", folder, name);
    enum status s = *name ? check_place(path, folder, name, e)
                          : error_set(e, ERR_INPUT, AT_FILE(path), "an archive needs a name before .otf2");
    if (!s && !mkdtemp(beside))
        s = error_errno(e, AT_FILE(path), "cannot make a folder beside it");
    if (!s) {
        cleanup_add(beside);
        OTF2_Error_RegisterCallback(on_error, &a);
        write_archive(&a, beside);
        if (a.code != OTF2_SUCCESS)
            s = error_set(e, ERR_SYSTEM, AT_FILE(path), "libotf2 cannot write it: %s (%s)",
                          a.message ? a.message : "no reason given", OTF2_Error_GetName(a.code));
        if (!s)
            s = move_all(beside, folder, name, e);
        enum status removed = remove_tree(beside, s ? 0 : e);
        s = s ? s : removed;
        cleanup_remove(beside);
        OTF2_Error_RegisterCallback(0, 0);
    }
    free(a.message);
    free(beside);
    free(name);
    free(copy);
    return s;
}
