/* description.c - reads a module's description, which describe.c wrote. Every number is checked before it is used. */
#include <stdlib.h>
#include <string.h>

#include "irprof/profile/format.h"
#include "irprof/profile/profile.h"

/* Largest number of events in a profile: rows have a number for each. */
enum { EVENTS_LIMIT = 64 };

/* A table of names in a module: to[i] is the profile's number of name i. */
struct table {
    size_t *to; /* owned */
    size_t n;
};
struct reader {
    const unsigned char *at, *end;
    uint64_t version;
    const char *wrong; /* the first error; NULL: none */
    struct profile_builder *b;
    struct table keys, files, events;
    size_t n_values[2];  /* by kind: counters, derived values */
    size_t last[2];      /* the latest value of each kind that was referred to */
    uint32_t file, line; /* the latest source place */
    size_t first_function, n_functions;
    size_t first_loop, first_instruction; /* of the current function */
    VEC(uint32_t) left; /* for each item of the current segment: its instructions that have not been read yet */
    struct profile_callee *callees; /* owned */
    size_t n_callees;
};

static uint64_t fail(struct reader *r, const char *what)
{
    if (!r->wrong)
        r->wrong = what;
    r->at = r->end;
    return 0;
}

/* Reads a LEB128 number of at most 64 bits. */
static uint64_t number(struct reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0; r->at < r->end; shift += 7) {
        unsigned char byte = *r->at++;
        if (shift > 63 || (shift == 63 && byte > 1))
            return fail(r, "a number is too large");
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return v;
    }
    return fail(r, "it ends in the middle");
}

/* Returns v if it is below the limit. */
static uint64_t checked(struct reader *r, uint64_t v, uint64_t limit, const char *what)
{
    return r->wrong || v < limit ? v : fail(r, what);
}

static uint64_t below(struct reader *r, uint64_t limit, const char *what)
{
    return checked(r, number(r), limit, what);
}

static uint32_t read_u32(struct reader *r)
{
    return (uint32_t)below(r, UINT32_MAX, "a number is too large");
}

/* Checks a number n of things that take at least one byte each. */
static size_t amount(struct reader *r, uint64_t n)
{
    return (size_t)(n > (uint64_t)(r->end - r->at) ? fail(r, "it ends in the middle") : n);
}

/* `from` plus a difference with its sign in the lowest bit. */
static uint64_t away(struct reader *r, uint64_t from, uint64_t difference, uint64_t limit, const char *what)
{
    uint64_t far = difference / 2 + (difference & 1);
    if (r->wrong || (difference & 1 ? far > from : from >= limit || far >= limit - from))
        return fail(r, what);
    return difference & 1 ? from - far : from + far;
}

/* Reads a text. The caller frees; NULL: something is wrong. */
static char *text(struct reader *r)
{
    size_t n = amount(r, number(r));
    if (r->wrong)
        return 0;
    const char *s = (const char *)r->at;
    if (memchr(s, 0, n)) {
        fail(r, "a name has a NUL byte");
        return 0;
    }
    r->at += n;
    return xstrndup(s, n);
}

/* The number of the text in `names`. */
static size_t read_name(struct reader *r, struct map *names)
{
    size_t number = 0;
    char *s = text(r);
    if (s && !*s)
        fail(r, "a name is empty");
    else if (s)
        number = map_number(names, s);
    free(s);
    return number;
}

static void read_table(struct reader *r, struct table *t, struct map *names)
{
    t->n = amount(r, number(r));
    t->to = xcalloc(t->n, sizeof *t->to);
    for (size_t i = 0; i < t->n && !r->wrong; i++)
        t->to[i] = read_name(r, names);
}

/* Reads 0, or 1 and an MD5. Returns it in hexadecimal; the caller frees. */
static char *read_checksum(struct reader *r)
{
    struct str digits = STR_INIT;
    if (!below(r, 2, "a checksum is of an unknown kind"))
        return 0;
    if (r->end - r->at < FORMAT_CHECKSUM) {
        fail(r, "it ends in the middle");
        return 0;
    }
    for (size_t i = 0; i < FORMAT_CHECKSUM; i++)
        str_addf(&digits, "%02x", *r->at++);
    return str_detach(&digits);
}

/* Reads the checksum of each source file. It becomes "" if modules were compiled from different versions of a file. */
static void read_checksums(struct reader *r)
{
    for (size_t i = 0; i < r->files.n && !r->wrong; i++) {
        char *checksum = r->version > FORMAT_DESCRIPTION_OLDEST ? read_checksum(r) : 0;
        size_t file = r->files.to[i];
        if (r->wrong)
            break;
        while (r->b->checksums.n <= file)
            vec_push(&r->b->checksums, 0);
        char **known = &r->b->checksums.at[file];
        if (*known && checksum && strcmp(*known, checksum) != 0)
            (*known)[0] = 0;
        if (*known)
            free(checksum);
        else
            *known = checksum;
    }
}

/* ---- values and places ---- */

/* A value by its code; counters come first. */
static size_t value_of(struct reader *r, uint64_t code)
{
    size_t kind = code & 1;
    r->last[kind] = (size_t)away(r, r->last[kind], code / 2, r->n_values[kind], "there is no such value");
    return r->last[kind] + (kind ? r->n_values[0] : 0);
}

static size_t read_value(struct reader *r)
{
    return value_of(r, number(r));
}

static void read_derived(struct reader *r, struct profile_values *v)
{
    size_t n = amount(r, number(r));
    for (; r->n_values[1] < n && !r->wrong; r->n_values[1]++) {
        struct profile_derived d = {v->terms.n, amount(r, number(r))};
        for (size_t k = 0; k < d.n_terms && !r->wrong; k++) {
            uint64_t code = number(r);
            vec_push(&v->terms, (struct profile_term){value_of(r, code / 2), code & 1});
        }
        vec_push(&v->derived, d);
    }
    r->last[0] = r->last[1] = 0;
}

/* file: IRPROF_NONE if unknown; line: 0. */
static void read_place(struct reader *r, uint32_t *file, uint32_t *line)
{
    uint64_t code = number(r);
    *file = code == FORMAT_PLACE_UNKNOWN ? IRPROF_NONE : r->file;
    *line = 0;
    if (code < FORMAT_PLACES)
        return;
    code -= FORMAT_PLACES;
    r->line = (uint32_t)away(r, r->line, code / 2, UINT32_MAX, "there is no such line");
    if (code & 1) {
        uint64_t other = below(r, r->files.n + 1, "there is no such file");
        r->file = other && !r->wrong ? (uint32_t)r->files.to[other - 1] : IRPROF_NONE;
    }
    *file = r->file;
    *line = r->line;
}

/* Reads a number and its multiplicity, as written by describe.c's put_times. */
static uint64_t read_times(struct reader *r, uint32_t *times)
{
    uint64_t code = number(r);
    *times = code & 1 ? read_u32(r) : 1;
    return code / 2;
}

/* ---- functions ---- */

static void read_event(struct reader *r)
{
    struct profile_event_site h = {0};
    uint64_t code = read_times(r, &h.times);
    uint64_t event = checked(r, code / 2, r->events.n, "there is no such event");
    h.own = code & 1;
    if (h.own)
        h.value = read_value(r);
    if (r->wrong)
        return;
    vec_push(&r->b->event_sites, (struct irprof_event_site){(uint32_t)r->events.to[event], !h.own});
    vec_push(&r->b->counted.event_sites, h);
}

static void read_part(struct reader *r)
{
    struct profile_builder *b = r->b;
    struct irprof_part part = {.first_item = (uint32_t)b->items.n, .first_event_site = (uint32_t)b->event_sites.n};
    read_place(r, &part.file, &part.line);
    uint64_t code = number(r);
    part.n_items = (uint32_t)amount(r, code / 2);
    for (size_t i = 0; i < part.n_items && !r->wrong; i++) {
        uint32_t times;
        uint64_t key = checked(r, read_times(r, &times), r->keys.n, "there is no such key");
        if (!r->wrong)
            vec_push(&b->items, (struct irprof_item){(uint32_t)r->keys.to[key], times});
    }
    part.n_event_sites = code & 1 ? (uint32_t)amount(r, number(r)) : 0;
    for (size_t i = 0; i < part.n_event_sites && !r->wrong; i++)
        read_event(r);
    vec_push(&b->parts, part);
}

/* Reads a call: 1 + the number of its part in the latest segment; 0: its place is not known. */
static void read_call(struct reader *r, uint32_t segment, const struct irprof_segment *s)
{
    struct irprof_call call = {.segment = segment, .callee = IRPROF_NONE, .file = IRPROF_NONE};
    struct profile_callee called = {IRPROF_NONE, IRPROF_NONE};
    uint64_t callee = below(r, r->n_callees + 1, "there is no such callee");
    uint64_t part = below(r, (uint64_t)s->n_parts + 1, "there is no such part");
    if (r->wrong)
        return;
    if (part) {
        call.file = r->b->parts.at[s->first_part + part - 1].file;
        call.line = r->b->parts.at[s->first_part + part - 1].line;
    }
    if (callee)
        called = r->callees[callee - 1];
    vec_push(&r->b->calls, call);
    vec_push(&r->b->called, called);
}

/* Reads 1 + the distance to an operand's producer. Whether the producer exists is checked at the function's end. */
static bool read_operand(struct reader *r)
{
    struct irprof_operand o = {.producer = IRPROF_NONE};
    uint64_t code = number(r), here = r->b->instructions.n;
    o.address = code & 2;
    if (code / 4)
        o.producer = (uint32_t)away(r, here, code / 4 - 1, UINT32_MAX, "there is no such instruction");
    if (o.producer < r->first_instruction)
        fail(r, "there is no such instruction");
    if (r->wrong)
        return false;
    vec_push(&r->b->operands, o);
    return code & 1;
}

/* Reads an instruction: it belongs to one of the segment's items, the first of which is first_item in `items`. */
static void read_instruction(struct reader *r, const struct irprof_segment *s, uint32_t *part, size_t first_item)
{
    struct profile_builder *b = r->b;
    struct irprof_instruction i = {.first_operand = (uint32_t)b->operands.n};
    uint64_t code = number(r);
    i.constants = (unsigned)(code / 2 % FORMAT_CONSTANTS);
    size_t item = (size_t)checked(r, code / 2 / FORMAT_CONSTANTS, r->left.n, "there is no such item");
    if (!r->wrong && !r->left.at[item])
        fail(r, "an item has more instructions than it says");
    if (r->wrong)
        return;
    r->left.at[item]--;
    item += first_item;
    if (item < b->parts.at[*part].first_item)
        *part = s->first_part;
    while (item >= (size_t)b->parts.at[*part].first_item + b->parts.at[*part].n_items)
        (*part)++;
    i.part = *part;
    i.key = b->items.at[item].key;
    while (code & 1)
        code = read_operand(r);
    i.n_operands = (uint32_t)b->operands.n - i.first_operand;
    vec_push(&b->instructions, i);
}

/* Reads as many instructions as the items say. */
static void read_instructions(struct reader *r, struct irprof_segment *s)
{
    struct profile_builder *b = r->b;
    uint32_t part = s->first_part;
    size_t first_item = s->n_parts && !r->wrong ? b->parts.at[part].first_item : b->items.n;
    uint64_t n = 0;
    r->left.n = 0;
    for (size_t i = first_item; i < b->items.n; i++) {
        vec_push(&r->left, b->items.at[i].times);
        n += b->items.at[i].times;
    }
    s->first_instruction = (uint32_t)b->instructions.n;
    s->n_instructions = (uint32_t)amount(r, n);
    for (size_t i = 0; i < s->n_instructions && !r->wrong; i++)
        read_instruction(r, s, &part, first_item);
}

/* Reads the head of a segment: its block, its loop, its place in the block. */
static void read_segment_head(struct reader *r, struct irprof_segment *s, const struct irprof_segment *before)
{
    uint64_t code = number(r);
    s->block = before ? before->block : 0;
    s->block += (uint32_t)checked(r, code / 4, UINT32_MAX - s->block, "there is no such block");
    s->loop = before ? before->loop : IRPROF_NONE;
    if (code & 2) {
        uint64_t loop = below(r, r->b->loops.n - r->first_loop + 1, "there is no such loop");
        s->loop = loop ? (uint32_t)(r->first_loop + loop - 1) : IRPROF_NONE;
    }
    uint32_t least = before && s->block == before->block ? before->number + 1 : 0;
    s->number = code & 1 ? read_u32(r) : least;
    if (s->number < least)
        fail(r, "its segments are out of order");
}

static void read_segment(struct reader *r, const struct irprof_segment *before)
{
    struct profile_builder *b = r->b;
    struct irprof_segment s = {.function = (uint32_t)b->functions.n, .first_part = (uint32_t)b->parts.n};
    read_segment_head(r, &s, before);
    size_t value = read_value(r);
    uint64_t code = number(r);
    s.n_parts = (uint32_t)amount(r, code / 2);
    for (size_t i = 0; i < s.n_parts && !r->wrong; i++)
        read_part(r);
    size_t n_calls = code & 1 ? amount(r, number(r)) : 0;
    for (size_t i = 0; i < n_calls && !r->wrong; i++)
        read_call(r, (uint32_t)b->segments.n, &s);
    read_instructions(r, &s);
    vec_push(&b->segments, s);
    vec_push(&b->counted.segments, value);
}

static void read_edge(struct reader *r, const struct irprof_edge *before)
{
    struct irprof_edge edge = {.function = (uint32_t)r->b->functions.n};
    uint64_t code = number(r);
    uint32_t from = before ? before->from : 0;
    edge.from = from + (uint32_t)checked(r, code / FORMAT_EDGE_KINDS, UINT32_MAX - from, "there is no such block");
    edge.kind = (enum irprof_edge_kind)checked(r, code % FORMAT_EDGE_KINDS, IRPROF_EDGE_N, "an edge has no kind");
    edge.to = (uint32_t)away(r, (uint64_t)edge.from + 1, number(r), UINT32_MAX, "there is no such block");
    size_t value = read_value(r);
    if (before && edge.from == before->from) {
        edge.file = before->file;
        edge.line = before->line;
    } else {
        read_place(r, &edge.file, &edge.line);
    }
    vec_push(&r->b->edges, edge);
    vec_push(&r->b->counted.edges, value);
}

static void read_loop(struct reader *r, size_t number_in_function, uint32_t header_before)
{
    struct irprof_loop loop = {.function = (uint32_t)r->b->functions.n, .depth = 1, .parent = IRPROF_NONE};
    struct profile_loop values;
    loop.header = (uint32_t)away(r, header_before, number(r), UINT32_MAX, "there is no such block");
    uint64_t up = below(r, (uint64_t)number_in_function + 1, "a loop stands before the one around it");
    if (up) {
        loop.parent = (uint32_t)(r->b->loops.n - up);
        loop.depth = r->b->loops.at[loop.parent].depth + 1;
    }
    read_place(r, &loop.file, &loop.line);
    values.iterations = read_value(r);
    values.repeats = read_value(r);
    vec_push(&r->b->loops, loop);
    vec_push(&r->b->counted.loops, values);
}

/* ---- loads and stores ---- */

static void read_base(struct reader *r, size_t first)
{
    struct irprof_base base = {0};
    uint64_t code = below(r, (uint64_t)IRPROF_OBJECT_N * 2, "a load or store goes to an unknown kind of object");
    uint64_t number_here = r->b->bases.n - first;
    uint64_t back = below(r, number_here + 1, "there is no such object");
    base.kind = (enum irprof_object)(code / 2);
    base.indexed = code & 1;
    base.object = (uint32_t)(r->b->bases.n - back);
    base.size = number(r);
    if (!r->wrong)
        vec_push(&r->b->bases, base);
}

static int64_t read_offset(struct reader *r)
{
    uint64_t code = number(r), far = code / 2 + (code & 1);
    if (far > INT64_MAX)
        fail(r, "an offset is too large");
    return r->wrong ? 0 : code & 1 ? -(int64_t)far : (int64_t)far;
}

/* How many accesses of the same block come before this one is not known here. Readers never look further back. */
static void read_access(struct reader *r, size_t first_access, size_t first_base, uint64_t least)
{
    struct profile_builder *b = r->b;
    struct irprof_access a = {.base = IRPROF_NONE};
    a.instruction = (uint32_t)(least + below(r, b->instructions.n - least, "there is no such instruction"));
    uint64_t bases = b->bases.n - first_base;
    uint64_t base = below(r, bases + 2, "there is no such object");
    if (base > bases)
        read_base(r, first_base);
    if (base)
        a.base = (uint32_t)(first_base + base - 1);
    a.offset = read_offset(r);
    a.size = read_u32(r);
    uint64_t code = number(r);
    a.write = (enum irprof_write)checked(r, code % FORMAT_WRITES, IRPROF_WRITE_N, "a load or store is of no kind");
    a.clear = (uint32_t)checked(r, code / FORMAT_WRITES, b->accesses.n - first_access + 1, "there is no such access");
    if (a.write == IRPROF_WRITE_BLOCK || a.write == IRPROF_WRITE_PHI)
        a.write_block = read_u32(r);
    if (!r->wrong)
        vec_push(&b->accesses, a);
}

static void read_accesses(struct reader *r)
{
    struct profile_builder *b = r->b;
    size_t first = b->accesses.n, first_base = b->bases.n, n = amount(r, number(r));
    for (size_t i = 0; i < n && !r->wrong; i++)
        read_access(r, first, first_base,
                    i ? b->accesses.at[b->accesses.n - 1].instruction + 1u : r->first_instruction);
}

static void read_function(struct reader *r)
{
    struct profile_builder *b = r->b;
    struct irprof_function f = {.name = text(r), .module = (uint32_t)b->modules.n};
    uint64_t flags = below(r, (FORMAT_LOCAL | FORMAT_NOT_COUNTED) + 1, "a function has an unknown flag");
    f.local = flags & FORMAT_LOCAL;
    read_place(r, &f.file, &f.line);
    if (flags & FORMAT_NOT_COUNTED)
        f.not_counted = text(r);
    r->first_loop = b->loops.n;
    r->first_instruction = b->instructions.n;
    size_t first_operand = b->operands.n;
    for (size_t i = 0, n = amount(r, number(r)); i < n && !r->wrong; i++)
        read_loop(r, i, i ? b->loops.at[b->loops.n - 1].header : 0);
    for (size_t i = 0, n = amount(r, number(r)); i < n && !r->wrong; i++) {
        struct irprof_segment before = i ? b->segments.at[b->segments.n - 1] : (struct irprof_segment){0};
        read_segment(r, i ? &before : 0);
    }
    for (size_t i = 0, n = amount(r, number(r)); i < n && !r->wrong; i++) {
        struct irprof_edge before = i ? b->edges.at[b->edges.n - 1] : (struct irprof_edge){0};
        read_edge(r, i ? &before : 0);
    }
    for (size_t i = first_operand; i < b->operands.n; i++)
        if (b->operands.at[i].producer != IRPROF_NONE && b->operands.at[i].producer >= b->instructions.n)
            fail(r, "there is no such instruction");
    if (r->version >= FORMAT_ACCESSES_FROM && !r->wrong)
        read_accesses(r);
    vec_push(&b->functions, f);
}

static void read_callees(struct reader *r)
{
    r->n_callees = amount(r, number(r));
    r->callees = xcalloc(r->n_callees, sizeof *r->callees);
    for (size_t i = 0; i < r->n_callees && !r->wrong; i++) {
        uint64_t here = below(r, (uint64_t)r->n_functions + 1, "there is no such function");
        if (here)
            r->callees[i] = (struct profile_callee){(uint32_t)(r->first_function + here - 1), IRPROF_NONE};
        else if (!r->wrong)
            r->callees[i] = (struct profile_callee){IRPROF_NONE, (uint32_t)read_name(r, &r->b->callees)};
    }
}

static void read_module(struct reader *r, struct irprof_module *module, struct profile_values *values)
{
    module->counters = (enum irprof_counters)below(r, IRPROF_COUNTERS_N, "its counters are of an unknown kind");
    module->name = text(r);
    module->target = text(r);
    module->settings = text(r);
    if (number(r) != values->n_counters)
        fail(r, "it has another number of counters than the file");
    read_derived(r, values);
    read_table(r, &r->keys, &r->b->keys);
    read_table(r, &r->files, &r->b->files);
    read_checksums(r);
    read_table(r, &r->events, &r->b->events);
    if (r->b->events.n > EVENTS_LIMIT)
        fail(r, "it has too many events");
    r->n_functions = amount(r, number(r));
    read_callees(r);
    for (size_t i = 0; i < r->n_functions && !r->wrong; i++)
        read_function(r);
    if (r->at != r->end)
        fail(r, "there is more in it than it announces");
}

enum status description_parse(struct profile_builder *b, const struct container_module *m, struct error *e)
{
    struct irprof_module module = {.build_id = m->build_id};
    struct profile_values values = {.n_counters = m->n_counters};
    struct reader r = {.at = m->description,
                       .end = m->description + m->description_size,
                       .b = b,
                       .n_values = {m->n_counters, 0},
                       .file = IRPROF_NONE,
                       .first_function = b->functions.n};
    /* everything has 32-bit numbers, and takes at least a byte */
    b->description_bytes += m->description_size;
    if (m->description_size >= UINT32_MAX || b->description_bytes >= UINT32_MAX)
        fail(&r, "it is too large");
    r.version = number(&r);
    if (!r.wrong && (r.version < FORMAT_DESCRIPTION_OLDEST || r.version > FORMAT_DESCRIPTION_VERSION))
        return error_set(
            e, ERR_INPUT, AT_FILE(b->path),
            "of a program that another version of irprof instrumented (its descriptions have version %llu, "
            "this one reads %d to %d): instrument the program again and run it",
            (unsigned long long)r.version, FORMAT_DESCRIPTION_OLDEST, FORMAT_DESCRIPTION_VERSION);
    read_module(&r, &module, &values);
    vec_push(&b->modules, module);
    vec_push(&b->values, values);
    free(r.keys.to);
    free(r.files.to);
    free(r.events.to);
    free(r.callees);
    vec_release(&r.left);
    if (r.wrong)
        return error_set(e, ERR_INPUT, AT_FILE(b->path), "a damaged profile: in the description of module %zu: %s",
                         b->modules.n, r.wrong);
    return OK;
}
