/* cubex.c - the fuzz target of profiles: .cubex, performance XML, and what other programs print. What is read can be
 * written as XML and as JSON, and the written file reads back as the same stream; items and a page can be made of it. */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "perf-xml/page/page_data.h"
#include "perf-xml/perfxml.h"
#include "tests/fuzz/target.h"

struct summed {
    struct perf_sink sink;
    uint64_t sum; /* of all that came */
};

static void add(struct perf_sink *s, const char *text)
{
    struct summed *x = (struct summed *)s;
    x->sum = hash_text(x->sum, text ? text : "");
}

static enum status group(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    (void)e;
    struct summed *x = (struct summed *)s;
    x->sum = hash_bytes(x->sum, &g->level, sizeof g->level);
    if (!g->name)
        x->sum = hash_bytes(x->sum, &g->id, sizeof g->id);
    return OK;
}

static enum status data(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    (void)e;
    char text[NUMBER_ROOM];
    perf_number_text(text, &d->value);
    add(s, text);
    add(s, perf_state_name(d->state));
    return OK;
}

static enum status leave(struct perf_sink *s, enum perf_level level, struct error *e)
{
    (void)level;
    (void)e;
    add(s, "close");
    return OK;
}

/* False: refused. */
static bool sum_of(const char *path, uint64_t *sum, struct error *e)
{
    struct summed x = {{.open = group, .data = data, .close = leave}, HASH_START};
    bool good = target_passed(perf_read(path, &x.sink, e), e);
    *sum = x.sum;
    return good;
}

static void write_back(const char *path, uint64_t sum, enum perf_format format)
{
    struct error e = ERROR_INIT;
    struct perf_layout layout = {.format = format, .gzip = sum & 1, .indent = format == PERF_XML && sum & 2};
    struct perf_sink *to = 0;
    uint64_t again = 0;
    char *back = target_path("back");
    if (perf_writer_open(&to, back, &layout, &e) || perf_read(path, to, &e) || perf_writer_commit(to, &e))
        BUG("what was read cannot be written: %s", e.message);
    if (!sum_of(back, &again, &e) || again != sum)
        BUG("what was written does not read back as it was");
    free(back);
}

/* With the items of the template: any of the forms that cannot all be read back, and the page. */
static void make_items(char *path, uint64_t sum)
{
    struct error e = ERROR_INIT;
    struct perf_layout layout = {.format = sum & 4 ? PERF_CUBEX : PERF_CSV};
    struct perf_sink *to = 0;
    struct page_data page;
    struct str out = STR_INIT;
    char *twice[] = {path, path}, *made = target_path("made");
    if (perf_writer_open(&to, made, &layout, &e))
        BUG("no file can be written: %s", e.message);
    if (perf_read_all(twice, 1 + (sum >> 3 & 1), "auto", to, &e))
        perf_writer_abort(to);
    else if (perf_writer_commit(to, &e) && layout.format != PERF_CUBEX)
        BUG("what was read cannot be written: %s", e.message);
    error_release(&e);
    page_data_init(&page, true);
    if (perf_read_all(twice, 1, "irprof", &page.sink, &e))
        BUG("what was read cannot be read with items: %s", e.message);
    page_write(&out, &page, &page);
    page_data_release(&page);
    str_release(&out);
    free(made);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct error e = ERROR_INIT;
    char *path = target_file("profile", (const char *)bytes, size);
    uint64_t sum;
    if (sum_of(path, &sum, &e)) {
        write_back(path, sum, PERF_XML);
        write_back(path, sum, PERF_JSON);
        make_items(path, sum);
    }
    free(path);
    return 0;
}
