/*
 * made_profile.h - profiles for tests, built byte by byte after docs/formats/profile.md,
 * not with the product's writers: what both do alike, neither invented.
 */
#ifndef TEST_IRPROF_MADE_PROFILE_H
#define TEST_IRPROF_MADE_PROFILE_H

#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "irprof/irprof.h"

static inline void le(struct str *b, uint64_t v, int n)
{
    for (int i = 0; i < n; i++)
        str_addch(b, (char)(v >> 8 * i));
}

static inline uint64_t fnv(const struct str *b)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < b->len; i++)
        h = (h ^ (unsigned char)b->s[i]) * 1099511628211u;
    return h;
}

/* A text of a description: its length (here below 128), then its bytes. */
static inline void text(struct str *b, const char *s)
{
    str_addch(b, (char)strlen(s));
    str_add(b, s);
}

/* Numbers of a description, below 128. */
#define NUMBERS(b, ...) str_addn(b, (const char[]){__VA_ARGS__}, sizeof(char[]){__VA_ARGS__})

/*
 * Two functions. Counters: c0, c1, c2; derived: v3 = c0 - c1.
 *   Operands: the 2nd add's is the 1st, the call's an argument and the 1st add, the ret's the add before it, the last
 *   store's address the ret. The 1st add has a constant.
 *   FIRST, /s/a.c:10
 *     block 0 segment 0 (c0): line 11: 2 add.i32, 1 call.direct; c2 mispredictions, 3 spills each; calls puts
 *             segment 1 (c1): line 11: 1 add.i32; line 12: 1 ret; calls bare, and through a pointer
 *     block 1 segment 0 (v3): no line: 3 store.i32
 *     edges: 0 to 1 if true (v3), 0 to 2 if false (c1), both line 12; 1 to 1 (c2)
 *     loops: block 1, line 12, v3 iterations, c2 repeats; in it block 3, /s/a.c, c0 iterations, c1 repeats
 *   bare: local, not counted
 */
static inline struct str description_of(const char *module, const char *first)
{
    struct str d = STR_INIT;
    NUMBERS(&d, 3, 1); /* version, atomic */
    text(&d, module);
    text(&d, "x86_64-pc-linux-gnu");
    text(&d, "branches=bimodal:12");
    NUMBERS(&d, 3);          /* counters */
    NUMBERS(&d, 1, 2, 0, 9); /* one derived value of two terms: + the counter 0 on, - the counter 1 on */
    NUMBERS(&d, 4);
    text(&d, "store.i32");
    text(&d, "add.i32");
    text(&d, "call.direct");
    text(&d, "ret");
    NUMBERS(&d, 1);
    text(&d, "/s/a.c");
    NUMBERS(&d, 2);
    text(&d, "SPILL_LOAD");
    text(&d, "BR_MIS_PRED");
    NUMBERS(&d, 2, 2, 0); /* functions; callees: by name, function 1 */
    text(&d, "puts");
    NUMBERS(&d, 2);
    text(&d, first);
    NUMBERS(&d, 0, 43, 1); /* counted; 10 lines on, in another file: 1 */
    NUMBERS(&d, 2, /**/ 2, 0, 10, 1, 8, /**/ 4, 1, 1, 6, 4);
    NUMBERS(&d, 3);
    NUMBERS(&d, 0, 2, 3, /**/ 4, 5, 3, 2, 4, /**/ 2, 6, 8, 1, 3, /**/ 1, 1, 1);
    NUMBERS(&d, 2, /**/ 1, 8, /**/ 17, 1, 16);
    NUMBERS(&d, 0, 2, 5, /**/ 2, 2, 2, /**/ 6, 2, 6, /**/ 2, 2, 2, 0, 0);
    NUMBERS(&d, 0, /**/ 17, 8);
    NUMBERS(&d, 6, 1, 1, 2, /**/ 0, 2, 1, 3);
    NUMBERS(&d, 0, /**/ 0, /**/ 1, 26);
    NUMBERS(&d, 3, /**/ 1, 0, 1, 2, /**/ 2, 2, 0, /**/ 8, 1, 4, 0);
    text(&d, "bare");
    NUMBERS(&d, 3, 0); /* local, not counted; no place */
    text(&d, "naked");
    NUMBERS(&d, 0, 0, 0);
    return d;
}

static inline struct str description(const char *module)
{
    return description_of(module, "main");
}

struct counts {
    uint64_t c0, c1, c2;
};
struct made_region {
    const char *name;
    uint32_t flaws;
    uint64_t entries;
    struct counts counts;
};

static inline void finish(struct str *b)
{
    size_t length = b->len + 16;
    for (int i = 0; i < 8; i++)
        b->s[32 + i] = (char)(length >> 8 * i);
    le(b, fnv(b), 8);
    str_addn(b, "\nFORPRI\x89", 8);
}

static inline void put_counts(struct str *b, struct counts c)
{
    le(b, c.c0, 8);
    le(b, c.c1, 8);
    le(b, c.c2, 8);
}

static inline void put_module(struct str *b, const struct str *d, struct counts c)
{
    le(b, fnv(d), 8);
    le(b, d->len, 8);
    le(b, 3, 8);
    str_addn(b, d->s, d->len);
    put_counts(b, c);
}

static inline void put_head(struct str *b, uint32_t modules, size_t regions)
{
    str_addn(b, "\x89IRPROF\n", 8);
    const uint32_t head[] = {1, 0, 0, modules, (uint32_t)regions, 4};
    for (size_t i = 0; i < 6; i++)
        le(b, head[i], 4);
    le(b, 0, 8); /* length: by finish */
    le(b, 1, 8);
    str_add(b, "prog");
}

static inline struct str make(const char *module, struct counts all, const struct made_region *regions, size_t n)
{
    struct str b = STR_INIT, d = description(module);
    put_head(&b, 1, n);
    put_module(&b, &d, all);
    for (size_t i = 0; i < n; i++) {
        le(&b, strlen(regions[i].name), 4);
        le(&b, regions[i].flaws, 4);
        le(&b, regions[i].entries, 8);
        str_add(&b, regions[i].name);
        put_counts(&b, regions[i].counts);
    }
    finish(&b);
    str_release(&d);
    return b;
}

#endif
