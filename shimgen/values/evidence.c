/* evidence.c - the source of each instruction value in a SHIM file. */
#include "shimgen/values/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/key.h"
#include "base/progress.h"
#include "base/str.h"
#include "shimgen/estimate/costs.h"

static bool has_event(const struct micro_table *t, const char *event)
{
    for (size_t i = 0; event && i < t->rows.n; i++)
        if (strcmp(t->rows.at[i].event, event) == 0)
            return true;
    return false;
}

enum status evidence_read(struct evidence *out, const struct outputs *o, const char *event, struct error *e)
{
    *out = (struct evidence){0};
    if (!file_exists(o->micro))
        return OK;
    enum status s = micro_table_read(&out->table, o->micro, e);
    if (s)
        return s;
    if (has_event(&out->table, event)) {
        micro_values_find(&out->values, &out->table, event);
    } else {
        progress_note("%s is left out: its cycles are %s, those of the measurements %s", o->micro,
                      out->table.rows.at[0].event, event ? event : "none");
        micro_table_release(&out->table);
    }
    return OK;
}

void evidence_release(struct evidence *v)
{
    micro_values_release(&v->values);
    micro_table_release(&v->table);
}

enum status evidence_write(const struct evidence *v, const char *path, struct error *e)
{
    return v->values.at.n ? micro_values_write(&v->values, path, e) : OK;
}

double evidence_count(const struct regress_model *m, const char *instruction, enum micro_quantity quantity)
{
    enum ir_opcode opcode = ir_opcode(instruction, strlen(instruction));
    double count = 0;
    for (size_t i = 0; opcode && i < m->n_keys; i++) {
        struct ir_key k = ir_key(m->keys[i].key);
        if (k.dependent == (quantity == MICRO_LATENCY) && k.opcode == opcode)
            count += m->keys[i].count;
    }
    return count;
}

enum evidence_kind evidence_of(const struct evidence *v, const struct regress_model *m, const char *instruction,
                               enum micro_quantity quantity)
{
    static const enum evidence_kind kinds[] = {[MICRO_MEASURED] = EVIDENCE_MICRO,
                                               [MICRO_OTHER] = EVIDENCE_OTHER,
                                               [MICRO_NO_CODE] = EVIDENCE_NO_CODE,
                                               [MICRO_INHERITED] = EVIDENCE_INHERITED};
    const struct micro_value *x = micro_values_of(&v->values, instruction, quantity);
    if (!(v->times && x) && evidence_count(m, instruction, quantity) > 0)
        return EVIDENCE_FIT;
    return x ? kinds[x->evidence] : EVIDENCE_CLASS;
}

char *evidence_sentence(const struct evidence *v, const struct regress_model *m)
{
    static const char *const words[N_EVIDENCE] = {"fitted",
                                                  "measured by microbenchmarks",
                                                  "by microbenchmarks of the other of pitch and latency",
                                                  "of instructions that were seen to make no code",
                                                  "taken over from another instruction (none in C)",
                                                  "inherited from their class"};
    size_t n[N_EVIDENCE] = {0};
    for (size_t k = 0; k < IR_LISTED; k++) {
        n[evidence_of(v, m, ir_listed(k)->name, MICRO_PITCH)]++;
        n[evidence_of(v, m, ir_listed(k)->name, MICRO_LATENCY)]++;
    }
    struct str text = STR_INIT;
    str_addf(&text, "%d instruction values: ", 2 * IR_LISTED);
    for (size_t i = 0, first = 1; i < N_EVIDENCE; i++) {
        if (!n[i])
            continue;
        str_addf(&text, "%s%zu %s", first ? "" : ", ", n[i], words[i]);
        first = 0;
    }
    return str_detach(&text);
}

static void add_case(struct str *text, const char *before, const struct micro_row *r)
{
    str_addf(text, "%s%s, %s", before, r->key, r->condition);
}

char *evidence_text(const struct evidence *v, const struct regress_model *m, const char *instruction,
                    enum micro_quantity quantity)
{
    double count = evidence_count(m, instruction, quantity);
    const struct micro_value *x = micro_values_of(&v->values, instruction, quantity);
    if (!(v->times && x) && count > 0)
        return xasprintf("%.0f occurrence%s", count, count == 1 ? "" : "s");
    if (!x)
        return xstrdup("inherited from its class");
    if (x->evidence == MICRO_INHERITED)
        return xasprintf("inherited from %s", x->like);
    struct str text = STR_INIT;
    add_case(&text, x->evidence == MICRO_NO_CODE ? "makes no code: " : "microbenchmark: ", x->typical_of);
    if (x->best_of != x->typical_of)
        add_case(&text, "; best: ", x->best_of);
    if (x->worst_of != x->typical_of)
        add_case(&text, "; worst: ", x->worst_of);
    return str_detach(&text);
}
