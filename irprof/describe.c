/* The plan as the bytes that travel with the program; the reader's side is description.c. */
#include <string.h>

#include "irprof/format.h"
#include "irprof/plan.h"

static void put_number(struct str *out, uint64_t n)
{
    do {
        str_addch(out, (char)((n & 0x7f) | (n > 0x7f ? 0x80 : 0)));
        n >>= 7;
    } while (n);
}

static void put_text(struct str *out, const char *text, size_t n)
{
    put_number(out, n);
    str_addn(out, text, n);
}

static void put_names(struct str *out, const struct map *names)
{
    put_number(out, names->n);
    for (size_t i = 0; i < names->n; i++)
        put_text(out, names->keys[i], strlen(names->keys[i]));
}

static void put_derived(struct str *out, const struct plan *plan)
{
    put_number(out, plan->derived.n);
    for (size_t i = 0; i < plan->derived.n; i++) {
        const struct plan_value *v = &plan->derived.at[i];
        put_number(out, v->terms.n);
        for (size_t k = 0; k < v->terms.n; k++)
            put_number(out, (uint64_t)v->terms.at[k].value * 2 + (v->terms.at[k].sign < 0));
    }
}

static void put_segment(struct str *out, const struct plan_segment *s)
{
    put_number(out, s->block);
    put_number(out, s->number);
    put_number(out, s->value);
    put_number(out, s->parts.n);
    for (size_t i = 0; i < s->parts.n; i++) {
        const struct plan_part *part = &s->parts.at[i];
        put_number(out, part->file);
        put_number(out, part->line);
        put_number(out, part->items.n);
        for (size_t k = 0; k < part->items.n; k++) {
            put_number(out, part->items.at[k].key);
            put_number(out, part->items.at[k].times);
        }
    }
}

void describe(struct str *out, const struct plan *plan, LLVMModuleRef module, enum irprof_counters kind)
{
    size_t n;
    str_addch(out, FORMAT_DESCRIPTION_VERSION);
    str_addch(out, kind == IRPROF_COUNTERS_ATOMIC ? FORMAT_ATOMIC : 0);
    const char *name = LLVMGetSourceFileName(module, &n);
    put_text(out, name, n);
    const char *target = LLVMGetTarget(module);
    put_text(out, target, strlen(target));
    put_number(out, plan->n_counters);
    put_derived(out, plan);
    put_names(out, &plan->keys);
    put_names(out, &plan->files);
    put_number(out, plan->functions.n);
    for (size_t i = 0; i < plan->functions.n; i++) {
        const struct plan_function *f = &plan->functions.at[i];
        const char *reason = f->not_counted ? f->not_counted : "";
        const char *function = LLVMGetValueName2(f->function, &n);
        put_text(out, function, n);
        put_number(out, f->file);
        put_number(out, f->line);
        put_text(out, reason, strlen(reason));
        put_number(out, f->segments.n);
        for (size_t k = 0; k < f->segments.n; k++)
            put_segment(out, &f->segments.at[k]);
    }
}
