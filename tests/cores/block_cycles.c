/* block_cycles.c - MEASURED.ini TRUE.ini EXECUTABLE [MOST]: cycles of an executable's blocks by two models of a core.
 * A block ends with a branch and is repeated, as in a loop. Prints how many there are, the mean and the median of
 * the absolute error in per cent. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "shimgen/estimate/compiled/compiled_elf.h"
#include "sim/core/code_schedule.h"
#include "sim/core/core_model.h"

enum { LEAST = 3, REPEATS = 8 };

struct side {
    struct iss_model *model;
    struct iss_code *code;
    struct iss_schedule *schedule;
};
struct blocks {
    struct side sides[2]; /* measured, true */
    VEC(double) errors;
};

static double cycles(const struct side *s, size_t from, size_t n)
{
    const struct iss_step *at = s->code->steps + from;
    int64_t before = 0;
    iss_schedule_restart(s->schedule);
    for (int i = 0; i < 2 * REPEATS; i++) {
        if (i == REPEATS)
            before = iss_schedule_cycle(s->schedule);
        iss_schedule_run(s->schedule, at, n, at->address);
    }
    return (double)(iss_schedule_cycle(s->schedule) - before) / REPEATS;
}

static void compare(struct blocks *b, size_t from, size_t n)
{
    double here = cycles(&b->sides[0], from, n), there = cycles(&b->sides[1], from, n);
    if (there > 0)
        vec_push(&b->errors, 100 * fabs(here - there) / there);
}

static enum status function(struct blocks *b, const struct elf *f, const struct elf_function *code, struct error *e)
{
    const uint8_t *bytes = elf_bytes(f, code->address, code->size);
    enum status s = OK;
    for (int i = 0; bytes && !s && i < 2; i++)
        s = iss_code_new(&b->sides[i].code, b->sides[i].model, bytes, code->size, code->address, e);
    const struct iss_code *one = b->sides[0].code;
    for (size_t i = 0, from = 0; bytes && !s && i < one->n; i++)
        if (one->steps[i].op.branch != ISS_NO_BRANCH) {
            if (i + 1 - from >= LEAST)
                compare(b, from, i + 1 - from);
            from = i + 1;
        }
    for (int i = 0; bytes && i < 2; i++) {
        iss_code_free(b->sides[i].code);
        b->sides[i].code = NULL;
    }
    return s;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(struct blocks *b)
{
    double sum = 0;
    size_t n = b->errors.n, exact = 0;
    qsort(b->errors.at, n, sizeof *b->errors.at, by_size);
    for (size_t i = 0; i < n; i++) {
        sum += b->errors.at[i];
        exact += b->errors.at[i] < 0.005;
    }
    printf("%zu blocks, mean error %.2f %%, median %.2f %%, %.1f %% of them to the cycle\n", n, n ? sum / (double)n : 0,
           n ? b->errors.at[n / 2] : 0, n ? 100.0 * (double)exact / (double)n : 0);
}

/* Functions all over the executable, until there are enough blocks. */
static enum status all(struct blocks *b, const struct elf *f, size_t most, struct error *e)
{
    enum { APART = 37 };
    enum status s = OK;
    for (size_t first = 0; first < APART; first++)
        for (size_t i = first; !s && i < f->n_functions && b->errors.n < most; i += APART)
            s = function(b, f, &f->functions[i], e);
    return s;
}

int main(int argc, char **argv)
{
    struct error e = ERROR_INIT;
    struct blocks b = {0};
    struct elf f = {0};
    if (argc < 4) {
        fputs("usage: block_cycles MEASURED.ini TRUE.ini EXECUTABLE [MOST]\n", stderr);
        return 2;
    }
    enum status s = elf_read(&f, argv[3], &e);
    for (int i = 0; !s && i < 2; i++) {
        s = iss_model_read(&b.sides[i].model, argv[1 + i], &e);
        if (!s)
            b.sides[i].schedule = iss_schedule_new(b.sides[i].model);
    }
    if (!s)
        s = all(&b, &f, argc > 4 ? strtoul(argv[4], NULL, 10) : 1000, &e);
    if (!s)
        report(&b);
    else
        error_print(&e, "block_cycles");
    for (int i = 0; i < 2; i++) {
        if (b.sides[i].schedule)
            iss_schedule_free(b.sides[i].schedule);
        iss_model_free(b.sides[i].model);
    }
    vec_release(&b.errors);
    elf_release(&f);
    return s != OK;
}
