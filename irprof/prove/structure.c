/*
 * structure.c - without the stamps, is the IR equal to the original's, and is the machine code? For each instruction of
 * the original's IR, the machine instructions that were made from it are compared without register numbers: there must
 * be as many in both, in the same order. What the code generator adds by itself (waits, copies, spills) has no number;
 * it is counted and reported. More spills than before disturb the original's work. Registers, shared memory and
 * occupancy are reported beside their earlier values.
 */
#include "irprof/prove/structure.h"

#include <stdlib.h>
#include <string.h>

#include "irprof/module/llvm.h"
#include "irprof/prove/stamp_marks.h"
#include "irprof/prove/same_work.h"

enum { CHANGES_SHOWN = 3 };

/* ---- machine code of one function ---- */

static int by_number_and_text(const void *a, const void *b)
{
    const struct code_line *x = *(const struct code_line *const *)a, *y = *(const struct code_line *const *)b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return strcmp(x->text, y->text);
}

typedef VEC(const struct code_line *) machine_lines;

static bool is_original(const struct code_line *l)
{
    return l->number != CODE_NONE && l->number != CODE_STAMP;
}

static void take_original(machine_lines *to, const struct code_function *f)
{
    for (size_t i = 0; i < f->lines.n; i++)
        if (is_original(&f->lines.at[i]))
            vec_push(to, &f->lines.at[i]);
}

static size_t count_of(const struct code_function *f, unsigned number)
{
    size_t n = 0;
    for (size_t i = 0; i < f->lines.n; i++)
        n += f->lines.at[i].number == number;
    return n;
}

static bool same_order(const machine_lines *a, const machine_lines *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = by_number_and_text(&a->at[i], &b->at[i]) == 0;
    return same;
}

/* What only `a` has goes to *left_a, what only `b` has to *left_b. Both are sorted by `order`. */
static void differences(machine_lines *a, machine_lines *b, int (*order)(const void *, const void *),
                        machine_lines *left_a, machine_lines *left_b)
{
    size_t i = 0, k = 0;
    if (a->n)
        qsort(a->at, a->n, sizeof *a->at, order);
    if (b->n)
        qsort(b->at, b->n, sizeof *b->at, order);
    while (i < a->n || k < b->n) {
        int which = i == a->n ? 1 : k == b->n ? -1 : order(&a->at[i], &b->at[k]);
        if (which < 0)
            vec_push(left_a, a->at[i]);
        else if (which > 0)
            vec_push(left_b, b->at[k]);
        i += which <= 0;
        k += which >= 0;
    }
}

static int by_text(const void *a, const void *b)
{
    const struct code_line *x = *(const struct code_line *const *)a, *y = *(const struct code_line *const *)b;
    return strcmp(x->text, y->text);
}

static void take(machine_lines *to, const struct code_function *f, unsigned number)
{
    for (size_t i = 0; i < f->lines.n; i++)
        if (f->lines.at[i].number == number)
            vec_push(to, &f->lines.at[i]);
}

/* An instruction that both the original and a stamp need has one number, the stamp's, or none. So a missing instruction
 * may be among those of stamps or those without a number, and a new one may have had no number before. */
static void find_shared(machine_lines *lost, machine_lines *added, const struct code_function *base,
                        const struct code_function *stamped)
{
    machine_lines own_a = {0}, own_b = {0}, more = {0}, fewer = {0}, left[4] = {{0}, {0}, {0}, {0}};
    take(&own_a, base, CODE_NONE);
    take(&own_b, stamped, CODE_NONE);
    differences(&own_a, &own_b, by_text, &fewer, &more);
    take(&more, stamped, CODE_STAMP);
    differences(lost, added, by_text, &left[0], &left[1]); /* of another instruction of the original */
    differences(&left[0], &more, by_text, &left[2], &own_a);
    differences(&left[1], &fewer, by_text, &left[3], &own_b);
    vec_release(lost);
    vec_release(added);
    *lost = left[2];
    *added = left[3];
    vec_release(&left[0]);
    vec_release(&left[1]);
    vec_release(&more);
    vec_release(&fewer);
    vec_release(&own_a);
    vec_release(&own_b);
}

/* Is it a jump or its comparison? Those are always the original's. */
static bool decides(const char *text)
{
    static const char *const heads[] = {"j", "b", "s_branch", "s_cbranch", "cb", "tb", "@%p", "bra"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strncmp(text, heads[i], strlen(heads[i])) == 0)
            return true;
    return strstr(text, "cmp") || strstr(text, "test") || strstr(text, "setp");
}

/* In loops LLVM computes addresses incrementally (LoopStrengthReduce). It adds code for that before a jump, with the
 * jump's number. If nothing of the original is missing, such new code is for the stamps' addresses. */
static void take_addresses(struct structure_counts *c, machine_lines *lost, machine_lines *added)
{
    size_t left = 0;
    for (size_t i = 0; i < added->n && !lost->n; i++)
        if (!added->at[i]->at_branch || decides(added->at[i]->text))
            added->at[left++] = added->at[i];
    if (lost->n)
        return;
    c->at_branches += added->n - left;
    c->stamps += added->n - left;
    added->n = left;
}

static size_t count_long(const struct code_function *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->lines.n; i++)
        n += f->lines.at[i].is_long && is_original(&f->lines.at[i]);
    return n;
}

static void say(struct str *changes, const char *what, const machine_lines *lines)
{
    for (size_t i = 0; i < lines->n && i < CHANGES_SHOWN; i++)
        str_addf(changes, "%s%s '%s'", changes->len ? ", " : "", what, lines->at[i]->text);
    if (lines->n > CHANGES_SHOWN)
        str_add(changes, " ...");
}

void structure_compare(struct structure_counts *c, const struct code_function *base,
                       const struct code_function *stamped, struct str *changes)
{
    machine_lines a = {0}, b = {0}, lost = {0}, added = {0};
    take_original(&a, base);
    take_original(&b, stamped);
    c->original += a.n;
    c->reordered |= !same_order(&a, &b);
    differences(&a, &b, by_number_and_text, &lost, &added);
    size_t missing = lost.n;
    find_shared(&lost, &added, base, stamped);
    c->shared += missing - lost.n;
    take_addresses(c, &lost, &added);
    c->own_long += count_long(base);
    c->longer += count_long(stamped);
    c->lost += lost.n;
    c->added += added.n;
    c->stamps += count_of(stamped, CODE_STAMP);
    c->own += count_of(base, CODE_NONE);
    c->own_stamped += count_of(stamped, CODE_NONE);
    say(changes, "lost", &lost);
    say(changes, "new", &added);
    vec_release(&a);
    vec_release(&b);
    vec_release(&lost);
    vec_release(&added);
}

/* ---- what a kernel needs of its target ---- */

struct needs_words {
    const char *name;
    size_t offset;
    bool worse; /* a larger value disturbs the original's work; else it is only reported */
};
static const struct needs_words needs_words[] = {
    {"SGPRs", offsetof(struct code_needs, scalar_registers), false},
    {"VGPRs", offsetof(struct code_needs, vector_registers), false},
    {"registers", offsetof(struct code_needs, registers), false},
    {"spills", offsetof(struct code_needs, spills), true},
    {"bytes of shared memory", offsetof(struct code_needs, shared_memory), false},
    {"waves at once", offsetof(struct code_needs, occupancy), false},
};

static long need(const struct code_function *f, const struct needs_words *w)
{
    return *(const long *)((const char *)&f->needs + w->offset);
}

/* Returns whether something has become worse. */
static bool compare_needs(struct str *text, const struct code_function *base, const struct code_function *stamped)
{
    bool worse = false;
    for (size_t i = 0; i < sizeof needs_words / sizeof *needs_words; i++) {
        const struct needs_words *w = &needs_words[i];
        long before = need(base, w), after = need(stamped, w);
        if (before < 0 || after < 0 || (before == 0 && after == 0))
            continue;
        str_addf(text, "; %ld %s", after, w->name);
        if (before != after)
            str_addf(text, " (before: %ld)", before);
        worse |= w->worse && after > before;
    }
    return worse;
}

/* ---- the verdict ---- */

static void judge(struct prove_finding *f, const struct code_lines *base, const struct code_lines *stamped,
                  const char *triple, const char *processor)
{
    struct structure_counts c = {0};
    struct str changes = STR_INIT, needs = STR_INIT, why = STR_INIT;
    bool worse = false, nvidia = strncmp(triple, "nvptx", 5) == 0;
    for (size_t i = 0; i < base->functions.n; i++) {
        const struct code_function *a = &base->functions.at[i], *b = code_lines_find(stamped, a->name);
        static const struct code_function none;
        structure_compare(&c, a, b ? b : &none, &changes);
        worse |= b && compare_needs(&needs, a, b);
    }
    str_addf(&why, "%s%s%s: %zu of %zu %s of the original are there", triple, *processor ? " " : "", processor,
             c.original - c.lost, c.original, nvidia ? "PTX instructions" : "machine instructions");
    if (c.shared)
        str_addf(&why, " (%zu of them shared with stamps or by others)", c.shared);
    if (!c.lost && !c.added)
        str_add(&why, c.reordered ? ", in another order" : ", in its order");
    if (c.added)
        str_addf(&why, ", %zu are new", c.added);
    if (changes.len)
        str_addf(&why, " (%s)", str_text(&changes));
    if (c.longer > c.own_long)
        str_addf(&why, "; %zu more of them are in the longer encoding", c.longer - c.own_long);
    str_addf(&why, "; %zu are of stamps", c.stamps);
    if (c.at_branches)
        str_addf(&why, " (%zu of them addresses in loops)", c.at_branches);
    str_addf(&why, "; the code generator's own: %zu, before %zu%s", c.own_stamped, c.own, str_text(&needs));
    f->verdict = c.lost || c.added || worse ? PROVE_DOES_NOT : nvidia || !c.original ? PROVE_NOT : PROVE_HOLDS;
    if (stamped->assembler)
        str_addf(&why, "; %s", stamped->assembler);
    if (nvidia && f->verdict == PROVE_NOT)
        str_add(&why, stamped->assembler
                          ? ": its machine code was not compared"
                          : "; registers and occupancy: NVIDIA's ptxas decides them, and it was not run");
    f->why = str_detach(&why);
    str_release(&changes);
    str_release(&needs);
}

static enum status compare_code(struct prove_finding *f, const char *base, const char *stamped, struct error *e)
{
    struct llvm_module a = {0}, b = {0};
    struct code_lines code_a = {0}, code_b = {0};
    char *processor = 0;
    enum status s = llvm_load(&a, base, e);
    if (!s)
        s = llvm_load(&b, stamped, e);
    if (!s) {
        processor = code_processor(a.module);
        s = code_lines_make(&code_a, a.module, base, e);
    }
    if (!s)
        s = code_lines_make(&code_b, b.module, stamped, e);
    if (!s)
        judge(f, &code_a, &code_b, LLVMGetTarget(a.module), processor);
    free(processor);
    code_lines_release(&code_a);
    code_lines_release(&code_b);
    llvm_release(&a);
    llvm_release(&b);
    return s;
}

enum status structure_prove(struct prove_finding *f, const char *base, const char *stamped, struct error *e)
{
    struct llvm_module a = {0}, b = {0};
    struct marks marks = {0};
    char *wrong = 0;
    enum status s = llvm_load(&a, base, e);
    if (!s)
        s = llvm_load(&b, stamped, e);
    if (!s)
        s = marks_read(&marks, b.module, stamped, e);
    if (!s && strcmp(LLVMGetTarget(a.module), LLVMGetTarget(b.module)) != 0)
        s = error_set(e, ERR_INPUT, AT_FILE(stamped), "is for '%s', and %s for '%s'", LLVMGetTarget(b.module), base,
                      LLVMGetTarget(a.module));
    if (!s)
        wrong = same_work(a.module, b.module, &marks);
    marks_release(&marks);
    llvm_release(&a);
    llvm_release(&b);
    if (s)
        return s;
    if (!wrong)
        return compare_code(f, base, stamped, e);
    *f = (struct prove_finding){PROVE_DOES_NOT, xasprintf("without the stamps the IR is another one: %s", wrong)};
    free(wrong);
    return OK;
}
