/* derive.h - a sink that hands on what it gets and adds the template's items to each thread. */
#ifndef PERFXML_DERIVE_H
#define PERFXML_DERIVE_H

#include "base/alloc.h"
#include "perf-xml/template/template.h"

struct derive {
    struct perf_sink sink;
    struct perf_sink *to; /* NULL: nothing is handed on; only `most` is filled */
    struct template *template;
    const char *names;              /* of the source: one of TEMPLATE_NAMES, "auto", "none" */
    bool decided, active;           /* the names were looked for; there are some */
    char *event;                    /* the item that is open, below the category */
    size_t depth, process;          /* items that are open; processes so far */
    VEC(struct template_most) most; /* of each process, in their order */
};
void derive_init(struct derive *d, struct template *t, const char *names, struct perf_sink *to);
/* Begins the second pass: what the first has found is kept. */
void derive_again(struct derive *d, struct perf_sink *to);
void derive_release(struct derive *d);

#endif
