/* values.c - reads N.index and N.data of a .cubex file: which rows exist, and their values, packed by zlib or plain. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "perf-xml/cubex/cubex.h"

static const char index_mark[] = "CUBEX.INDEX", data_mark[] = "CUBEX.DATA", packed_mark[] = "ZCUBEX.DATA";
enum { INDEX_HEAD = 11 + 4 + 2 + 1, INDEX_MARK = 11, SPARSE_AT = 17 };

static const struct {
    const char *name;
    size_t size;
    enum perf_kind kind;
} types[] = {
    {"UINT64", 8, PERF_UNSIGNED}, {"DOUBLE", 8, PERF_REAL},    {"MINDOUBLE", 8, PERF_REAL},
    {"MAXDOUBLE", 8, PERF_REAL},  {"INT64", 8, PERF_SIGNED},   {"INTEGER", 8, PERF_SIGNED},
    {"UINT32", 4, PERF_UNSIGNED}, {"INT32", 4, PERF_SIGNED},   {"UINT16", 2, PERF_UNSIGNED},
    {"INT16", 2, PERF_SIGNED},    {"UINT8", 1, PERF_UNSIGNED}, {"INT8", 1, PERF_SIGNED},
};

static uint64_t bits(const unsigned char *at, size_t size, bool big_endian)
{
    uint64_t out = 0;
    for (size_t i = 0; i < size; i++)
        out |= (uint64_t)at[big_endian ? size - 1 - i : i] << 8 * i;
    return out;
}

static enum status wrong(const struct values *v, struct error *e, const char *file, const char *what)
{
    return error_set(e, ERR_INPUT, AT_FILE(v->cube->path), "%u.%s (metric %s): %s", v->metric->id, file,
                     v->metric->name, what);
}

static bool set_type(struct values *v)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(v->metric->type, types[i].name) == 0) {
            v->size = types[i].size;
            v->kind = types[i].kind;
            return true;
        }
    return false;
}

/* The call path of row `number`, by the index. */
static size_t cnode_of(const struct values *v, size_t number)
{
    return v->inclusive ? v->cube->wide[number] : number;
}

static enum status sparse(struct values *v, const unsigned char *at, size_t room, struct error *e)
{
    if (room < 4)
        return wrong(v, e, "index", "it is cut off");
    uint64_t n = bits(at, 4, v->big_endian);
    if (n > (room - 4) / 4 || n > v->cube->cnodes.n)
        return wrong(v, e, "index", "it names more call paths than there are");
    for (size_t i = 0; i < n; i++) {
        size_t number = bits(at + 4 + 4 * i, 4, v->big_endian);
        if (number >= v->cube->cnodes.n || v->row[cnode_of(v, number)] != NO_ROW)
            return wrong(v, e, "index", "it names a call path twice, or one that there is not");
        v->row[cnode_of(v, number)] = i;
    }
    v->n_rows = n;
    return OK;
}

static enum status read_index(struct values *v, const struct str *index, struct error *e)
{
    const unsigned char *at = (const unsigned char *)index->s;
    if (index->len < INDEX_HEAD || memcmp(at, index_mark, INDEX_MARK) != 0)
        return wrong(v, e, "index", "it does not begin with CUBEX.INDEX");
    v->big_endian = at[INDEX_MARK] == 0;
    if (bits(at + INDEX_MARK, 4, v->big_endian) != 1)
        return wrong(v, e, "index", "its byte order is not known");
    if (at[SPARSE_AT] == 1)
        return sparse(v, at + INDEX_HEAD, index->len - INDEX_HEAD, e);
    if (at[SPARSE_AT] != 0)
        return wrong(v, e, "index", "it is neither dense nor sparse");
    for (size_t i = 0; i < v->cube->cnodes.n; i++)
        v->row[cnode_of(v, i)] = i;
    v->n_rows = v->cube->cnodes.n;
    return OK;
}

/* Unpacks blocks. The data begin with their number. Then come, for each block, its unpacked position, its packed
 * position and its packed size, 8 bytes each; then the blocks. */
static enum status unpack(struct values *v, const unsigned char *at, size_t room, size_t need, struct error *e)
{
    if (room < 8)
        return wrong(v, e, "data", "it is cut off");
    uint64_t n = bits(at, 8, v->big_endian);
    if (n > (room - 8) / 24)
        return wrong(v, e, "data", "it has more blocks than bytes");
    if (need / 1100 > room) /* zlib packs to about a thousandth at best */
        return wrong(v, e, "data", "call paths times locations are more values than it has");
    const unsigned char *packed = at + 8 + 24 * n;
    size_t left = room - 8 - 24 * n, done = 0;
    v->unpacked = xmalloc(need);
    for (size_t i = 0; i < n; i++) {
        uint64_t size = bits(at + 8 + 24 * i + 16, 8, v->big_endian);
        if (!size)
            continue;
        uLongf got = need - done;
        if (size > left || uncompress(v->unpacked + done, &got, packed, size) != Z_OK)
            return wrong(v, e, "data", "a packed block is damaged or cut off");
        done += got;
        packed += size;
        left -= size;
    }
    if (done != need)
        return wrong(v, e, "data", "call paths times locations are not the number of its values");
    v->bytes = v->unpacked;
    return OK;
}

static enum status wrong_number(const struct values *v, struct error *e)
{
    return wrong(v, e, "data", "call paths times locations are not the number of its values");
}

/* Packed data are read as a whole. Plain data are read on demand. */
static enum status data_in_file(struct values *v, const struct member *m, int fd, size_t need, struct error *e)
{
    enum { PLAIN = sizeof data_mark - 1, PACKED = sizeof packed_mark - 1 };
    unsigned char mark[PACKED] = {0};
    if (!file_bytes(fd, m->at, mark, m->size < PACKED ? m->size : PACKED))
        return wrong(v, e, "data", "it cannot be read");
    if (memcmp(mark, packed_mark, PACKED) == 0) {
        unsigned char *all = xmalloc(m->size);
        enum status s = file_bytes(fd, m->at, all, m->size) ? unpack(v, all + PACKED, m->size - PACKED, need, e)
                                                            : wrong(v, e, "data", "it cannot be read");
        free(all);
        return s;
    }
    if (m->size < PLAIN || memcmp(mark, data_mark, PLAIN) != 0)
        return wrong(v, e, "data", "it does not begin with CUBEX.DATA");
    if (m->size - PLAIN != need)
        return wrong_number(v, e);
    v->window = xcalloc(1, sizeof *v->window);
    *v->window = (struct window){.fd = fd, .at = m->at + PLAIN};
    return OK;
}

static enum status read_data(struct values *v, const struct member *m, int fd, struct error *e)
{
    const struct str *data = &m->bytes;
    const unsigned char *at = (const unsigned char *)data->s;
    size_t row = v->cube->locations.n * v->size;
    if (v->n_rows > FILE_LIMIT / row)
        return wrong(v, e, "data", "call paths times locations are too many values");
    size_t need = v->n_rows * row, plain = sizeof data_mark - 1, packed = sizeof packed_mark - 1;
    if (m->in_file)
        return data_in_file(v, m, fd, need, e);
    if (data->len >= packed && memcmp(at, packed_mark, packed) == 0)
        return unpack(v, at + packed, data->len - packed, need, e);
    if (data->len < plain || memcmp(at, data_mark, plain) != 0)
        return wrong(v, e, "data", "it does not begin with CUBEX.DATA");
    if (data->len - plain != need)
        return wrong_number(v, e);
    v->bytes = at + plain;
    return OK;
}

static const struct member *file(const struct tar *t, const struct metric *m, const char *ending)
{
    char *name = xasprintf("%u.%s", m->id, ending);
    const struct member *out = tar_find(t, name);
    free(name);
    return out;
}

/* A metric without files is 0 everywhere: that is how profilers write such a metric. */
enum status metric_values_read(struct values *v, const struct cube *c, const struct metric *m, const struct tar *t,
                               struct error *e)
{
    *v = (struct values){.cube = c, .metric = m, .inclusive = strcmp(m->kind, "INCLUSIVE") == 0};
    if (!v->inclusive && strcmp(m->kind, "EXCLUSIVE") != 0 && strcmp(m->kind, "SIMPLE") != 0)
        v->missing = "computed from other metrics by a formula of the profile";
    else if (!set_type(v))
        v->missing = "its values are not plain numbers";
    if (v->missing)
        return OK;
    v->row = xcalloc(c->cnodes.n + 1, sizeof *v->row);
    for (size_t i = 0; i < c->cnodes.n; i++)
        v->row[i] = NO_ROW;
    const struct member *index = file(t, m, "index"), *data = file(t, m, "data");
    if (!index && !data)
        return OK;
    if (!index || !data)
        return wrong(v, e, index ? "data" : "index", "it is missing");
    enum status s = read_index(v, &index->bytes, e);
    return s ? s : read_data(v, data, t->fd, e);
}

void values_release(struct values *v)
{
    free(v->unpacked);
    window_free(v->window);
    free(v->row);
    *v = (struct values){0};
}

static int64_t extended(uint64_t u, size_t size)
{
    unsigned shift = 64 - 8 * (unsigned)size;
    int64_t out;
    u <<= shift;
    memcpy(&out, &u, sizeof out);
    return out >> shift;
}

struct perf_number values_stored(const struct values *v, size_t cnode, size_t location)
{
    struct perf_number out = {.kind = v->kind};
    size_t row = v->row[cnode];
    if (row == NO_ROW)
        return out; /* all bits 0 is the value 0 of each kind */
    const unsigned char *at =
        v->window ? window_value(v, row, location) : v->bytes + (row * v->cube->locations.n + location) * v->size;
    out.u = bits(at, v->size, v->big_endian);
    if (v->kind == PERF_SIGNED)
        out.i = extended(out.u, v->size);
    return out;
}

/* Counters that are read one after the other can give a caller less than its callees. Such a difference counts as 0, as
 * in cubelib. */
static struct perf_number settled(struct perf_number n)
{
    if (n.kind == PERF_UNSIGNED && n.u > INT64_MAX)
        n.u = 0;
    return n;
}

struct perf_number values_exclusive(const struct values *v, size_t cnode, size_t location)
{
    const struct cnode *c = &v->cube->cnodes.at[cnode];
    struct perf_number out = values_stored(v, cnode, location);
    if (!v->inclusive)
        return out;
    for (size_t i = 0; i < c->children; i++) {
        struct perf_number below = values_stored(v, v->cube->wide[c->first + i], location);
        if (v->kind == PERF_REAL)
            out.d -= below.d;
        else
            out.u -= below.u;
    }
    return settled(out);
}

struct perf_number values_total(const struct values *v, size_t location)
{
    bool least = strcmp(v->metric->type, "MINDOUBLE") == 0, most = strcmp(v->metric->type, "MAXDOUBLE") == 0;
    struct perf_number out = {.kind = v->kind};
    for (size_t i = 0; i < v->cube->cnodes.n; i++) {
        if (v->inclusive && v->cube->cnodes.at[i].parent != NO_PARENT)
            continue;
        struct perf_number n = values_stored(v, i, location);
        if (least || most)
            out.d = !i || (least ? n.d < out.d : n.d > out.d) ? n.d : out.d;
        else if (v->kind == PERF_REAL)
            out.d += n.d;
        else
            out.u += n.u;
    }
    return out;
}
