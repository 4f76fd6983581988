/*
 * tune_micro.c - values of microbenchmarks by type, function and length of quotients: "mul.i64", "call.llvm.ctpop.i32",
 * "call.library.sin", "udiv.i64:20".
 * Keys that cost the same as their plain instruction are left out, so that a SHIM file does not repeat itself.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/key.h"
#include "shimgen/estimate/tune/tune.h"
#include "shimgen/estimate/tune/micro_table.h"

static bool is_of(const struct micro_row *r, const char *event)
{
    return r->even && r->use == MICRO_TYPICAL && strcmp(r->event, event) == 0;
}

/* The first typical row with the same key and the other quantity; NULL: none. */
static const struct micro_row *other_of(const struct micro_table *t, const struct micro_row *row)
{
    for (size_t i = 0; i < t->rows.n; i++) {
        const struct micro_row *r = &t->rows.at[i];
        if (r->quantity != row->quantity && is_of(r, row->event) && strcmp(r->key, row->key) == 0)
            return r;
    }
    return 0;
}

/* From a store to when a later load has the value: the whole path, from which the table subtracts the load. */
static double latency_of(const struct micro_row *r)
{
    bool store = ir_key(r->key).opcode == IR_STORE && r->quantity == MICRO_LATENCY;
    return store ? r->copy : r->value;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 0.03 * fmax(a, b);
}

/* The plain instruction of a key, if the file has it. Calls have none. */
static bool plain_of(const struct costs *c, const char *key, size_t *i)
{
    enum ir_opcode opcode = ir_key(key).opcode;
    return opcode != IR_NONE && opcode != IR_CALL && costs_has(c, opcode, i);
}

/* Does it cost the same as the plain instruction? */
static bool as_plain(const struct costs *c, const char *key, double pitch, double latency)
{
    size_t i;
    return plain_of(c, key, &i) && near(c->pitch[i].typical, pitch) && near(c->latency[i].typical, latency);
}

/* A value that was not measured for a key is the plain instruction's, or, for a function, the other value. */
static double plain_or(const struct costs *c, const char *key, bool latency, double otherwise)
{
    size_t i;
    return plain_of(c, key, &i) ? (latency ? c->latency : c->pitch)[i].typical : otherwise;
}

static void add_row(struct costs *c, const struct micro_table *t, const struct micro_row *row)
{
    const struct micro_row *other = other_of(t, row);
    const struct micro_row *pitch = row->quantity == MICRO_PITCH ? row : other;
    const struct micro_row *latency = row->quantity == MICRO_PITCH ? other : row;
    double p = pitch ? pitch->value : plain_or(c, row->key, false, row->value);
    double l = latency ? latency_of(latency) : plain_or(c, row->key, true, row->value);
    if (map_get(&c->names, row->key, 0) || as_plain(c, row->key, p, l))
        return;
    costs_add(c, row->key, (struct cycles){p, p, p}, (struct cycles){l, l, l});
}

/* Parses "stream,size=64", a call with so much work, or "stream,size=64,constant" if the compiler knew the size.
 * Returns false for anything else. */
static bool read_size(const char *condition, unsigned *size, bool *constant)
{
    int end = 0;
    if (sscanf(condition, "stream,size=%u%n", size, &end) != 1)
        return false;
    *constant = strcmp(condition + end, ",constant") == 0;
    return *constant || !condition[end];
}

/* Adds what a call takes by its size: "call.library.memcpy:64", and "call.llvm.memcpy:64" for what the compiler makes
 * of a constant size. An intrinsic with another size is a call of the function. */
static void add_size(struct costs *c, const struct micro_row *r)
{
    unsigned size;
    bool constant;
    struct ir_key k = ir_key(r->key);
    if (k.opcode != IR_CALL || !k.name || !read_size(r->condition, &size, &constant))
        return;
    char *key = ir_call_key(&k, constant ? IR_INTRINSIC : IR_LIBRARY), *name = xasprintf("%s:%u", key, size);
    if ((k.form == IR_INTRINSIC || !constant) && !map_get(&c->names, name, 0))
        costs_add(c, name, (struct cycles){r->value, r->value, r->value},
                  (struct cycles){r->value, r->value, r->value});
    free(key);
    free(name);
}

/* Cases that say more of an instruction than its values: how soon a result can be used, what two branches cost that
 * differ in one thing. */
static const struct {
    enum ir_opcode of; /* IR_NONE: of any */
    const char *condition, *name;
} details[] = {
    {IR_NONE, "chain,accumulate", "accumulate"},
    {IR_NONE, "stream,accumulate", "accumulate"},
    {IR_MUL, "chain,high", "high"},
    {IR_MUL, "stream,high", "high"},
    {IR_ADD, "pair:load.i32", "pair"},
    {IR_BR, "stream,random", "random"},
    {IR_BR, "stream,random,far", "far"},
    {IR_BR, "stream,taken,far", "taken"},
};
enum { DETAILS = sizeof details / sizeof *details };

/* "add" of "stream,use:add"; NULL: the case says nothing of this kind. */
static const char *detail_of(const struct micro_row *r)
{
    static const char use[] = "stream,use:";
    enum ir_opcode opcode = ir_key(r->key).opcode;
    if (strncmp(r->condition, use, strlen(use)) == 0)
        return r->condition + strlen(use);
    for (size_t i = 0; i < DETAILS; i++)
        if ((details[i].of == IR_NONE || details[i].of == opcode) && strcmp(r->condition, details[i].condition) == 0)
            return details[i].name;
    return NULL;
}

/* Adds it: "load.i64:add", cycles of a load and the addition that waits for it, over and over. Of a chain and a stream
 * each has one of the two values. */
static void add_detail(struct costs *c, const struct micro_row *r)
{
    const char *detail = detail_of(r);
    if (!detail)
        return;
    struct cycles value = {r->value, r->value, r->value};
    char *name = xasprintf("%s:%s", r->key, detail);
    size_t i;
    if (map_get(&c->names, name, &i))
        (r->quantity == MICRO_PITCH ? c->pitch : c->latency)[i] = value;
    else
        costs_add(c, name, value, value);
    free(name);
}

/* Adds what a division takes by its quotient's significant bits: "udiv.i64:20". */
static void add_quotient(struct costs *c, const struct micro_table *t, const struct micro_row *pitch, const char *event)
{
    int bits = micro_quotient_bits(pitch->key, pitch->condition);
    if (bits < 0 || pitch->quantity != MICRO_PITCH)
        return;
    char *chain = xasprintf("chain%s", pitch->condition + strcspn(pitch->condition, ","));
    const struct micro_row *latency = micro_table_find(t, pitch->key, chain, MICRO_LATENCY, event);
    char *name = xasprintf("%s:%d", pitch->key, bits);
    if (latency && latency->even) {
        double p = pitch->value, l = latency->value;
        costs_add(c, name, (struct cycles){p, p, p}, (struct cycles){l, l, l});
    }
    free(name);
    free(chain);
}

/* The plain store also gets the whole path. */
static void set_store(struct costs *c, const struct micro_table *t, const char *event)
{
    const struct micro_row *r = micro_table_find(t, ir_instruction(IR_STORE)->key, 0, MICRO_LATENCY, event);
    size_t i;
    if (r && r->even && costs_has(c, IR_STORE, &i))
        c->latency[i] = (struct cycles){r->copy, r->copy, fmax(r->copy, c->latency[i].worst)};
}

enum status tune_micro_read(struct costs *c, const char *path, const char *event, struct error *e)
{
    struct micro_table t = {0};
    enum status s = micro_table_read(&t, path, e);
    if (!s)
        set_store(c, &t, event);
    for (size_t i = 0; i < t.rows.n && !s; i++)
        if (is_of(&t.rows.at[i], event))
            add_row(c, &t, &t.rows.at[i]);
    for (size_t i = 0; i < t.rows.n && !s; i++) {
        const struct micro_row *r = &t.rows.at[i];
        if (!r->even || strcmp(r->event, event) != 0)
            continue;
        if (r->use != MICRO_APART)
            add_size(c, r);
        add_detail(c, r);
        add_quotient(c, &t, r, event);
    }
    micro_table_release(&t);
    return s;
}
