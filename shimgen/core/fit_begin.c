/* fit_begin.c - start values of a fit, from single trials: streams, chains, divisions by length. */
#include "shimgen/core/fit_begin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONG_DIVISIONS "16 bits" /* lengths for which there are a chain and a stream (trials.c) */

static double cycles(const struct core_fit *f, unsigned class, const char *kind)
{
    char *name = core_class_name(class);
    double found = core_trials_cycles(&f->run->trials, "%s/%s", name, kind);
    free(name);
    return found;
}

/* Cycles of a stream of the class. For divisions it is one of long ones, since short ones never wait for the unit. */
static double stream_of(const struct core_fit *f, const struct core_kernel *k)
{
    double divisions = cycles(f, k->class, LONG_DIVISIONS "/stream");
    return isfinite(divisions) ? divisions : cycles(f, k->class, "stream");
}

static void begin_class(struct core_fit *f, size_t i)
{
    const struct core_kernel *k = &f->run->trials.kernels->at[i];
    struct iss_timing *t = core_fit_timing(f->model, k->class);
    double stream = stream_of(f, k), chain = cycles(f, k->class, "chain");
    bool chained = core_chains_flags(k);
    t->unit = (uint8_t)core_unit_of(k->kind->unit);
    t->take = 1;
    int64_t *copies = &f->model->units[t->unit];
    int fit = isfinite(stream) && !chained ? (int)lround(1 / stream) : 1;
    fit = fit < 1 ? 1 : fit;
    if (t->unit && fit > *copies)
        *copies = fit > ISS_UNIT_COPIES ? ISS_UNIT_COPIES : fit;
    if (strcmp(k->kind->unit, "branch") != 0)
        t->busy = (int16_t)(isfinite(stream) && stream > 1 && !chained ? core_whole_cycles(stream) : 1);
    int latency = isfinite(chain) ? core_whole_cycles(k->kind->back ? chain - 1 : chain) : 1;
    for (int need = 0; need < ISS_NEED_N; need++)
        t->after[need] = (int16_t)latency;
    core_fit_settle(f, i);
}

/* Number of copies of its unit that a stream of the class keeps busy. */
static int64_t copies_of(const struct core_fit *f, size_t i)
{
    const struct core_kernel *k = &f->run->trials.kernels->at[i];
    const struct iss_timing *t = core_fit_timing(f->model, k->class);
    double stream = cycles(f, k->class, "stream");
    int64_t copies = f->model->units[t->unit];
    if (!t->unit || copies < 2 || !isfinite(stream))
        return 1;
    int64_t taken = lround(stream * (double)copies / t->busy);
    return taken < 1 ? 1 : taken > copies ? copies : taken;
}

/* A stream alternating with another class that takes one copy of the same unit: the extra cycles of a pair, minimum
 * over the other classes. `alone`: that class's own stream. NAN: no such pair was measured. */
static double beside_it(const struct core_fit *f, size_t i, double *alone)
{
    const struct core_kernels *k = f->run->trials.kernels;
    unsigned unit = core_fit_timing(f->model, k->at[i].class)->unit;
    double stream = cycles(f, k->at[i].class, "stream"), least = NAN;
    char *name = core_class_name(k->at[i].class);
    for (size_t other = 0; other < k->n; other++) {
        if (other == i || core_fit_timing(f->model, k->at[other].class)->unit != unit || copies_of(f, other) > 1)
            continue;
        char *beside = core_class_name(k->at[other].class);
        double more = core_trials_cycles(&f->run->trials, "%s with %s", name, beside) - stream;
        free(beside);
        if (!isfinite(more) || more >= least)
            continue;
        least = more;
        *alone = cycles(f, k->at[other].class, "stream");
    }
    free(name);
    return least;
}

/* Why may a stream be slower than its unit's copies allow? Either it holds one copy for longer, and another class adds
 * the time of its own stream. Or it holds several copies at once, and another class adds a cycle. Or it holds one copy
 * and another unit, and another class adds nothing. */
static void begin_copies(struct core_fit *f, size_t i)
{
    const struct core_kernel *k = &f->run->trials.kernels->at[i];
    struct iss_timing *t = core_fit_timing(f->model, k->class);
    int64_t taken = copies_of(f, i);
    unsigned other = t->unit == ISS_UNIT_FP ? ISS_UNIT_FP_DIVIDE : ISS_UNIT_FLAGS;
    double alone = NAN, more = beside_it(f, i, &alone);
    if (taken > 1 && f->model->units[other] && more < 0.25)
        t->second_unit = (uint8_t)other;
    else if (taken > 1 && more < (alone + fmax(alone, 1)) / 2)
        t->busy = (int16_t)(t->busy * taken);
    else
        t->take = (uint8_t)taken;
    core_fit_settle(f, i);
}

/* Divisions by length: chain(bits) = base + bits / divide_bits, at most max. Streams become longer by the same
 * amount. */
static void begin_division(struct core_fit *f, size_t i)
{
    static const int lengths[] = {0, 1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 31, 48, 63};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    const struct core_kernel *k = &f->run->trials.kernels->at[i];
    struct iss_timing *t = core_fit_timing(f->model, k->class);
    double took[LENGTHS], least = INFINITY;
    const char *name = iss_class_names[k->class & (CORE_32 - 1)];
    int n = 0, most = 0;
    for (; n < LENGTHS; n++) {
        took[n] = core_trials_cycles(&f->run->trials, "%s/%d bits/chain", name, lengths[n]);
        if (!isfinite(took[n]))
            break;
        most = core_whole_cycles(took[n]) > most ? core_whole_cycles(took[n]) : most;
    }
    if (n < 3 || took[n - 1] - took[0] < 0.5)
        return;
    int base = core_whole_cycles(took[0]);
    for (int bits = 1; bits <= 64; bits++) {
        double off = 0;
        for (int l = 0; l < n; l++)
            off += fabs(fmin(base + (lengths[l] + bits - 1) / bits, most) - took[l]);
        if (off < least) {
            least = off;
            t->divide_bits = (int16_t)bits;
        }
    }
    t->divide_base = (int16_t)base;
    t->divide_max = (int16_t)most;
    int width = strstr(name, "32") ? 32 : 64, mean = base + (width / 6 + t->divide_bits - 1) / t->divide_bits;
    t->latency = (int16_t)(mean < most ? mean : most);
    for (int need = 0; need < ISS_NEED_N; need++)
        t->after[need] = t->latency;
    t->busy = (int16_t)(core_whole_cycles(stream_of(f, k)) -
                        core_whole_cycles(cycles(f, k->class, LONG_DIVISIONS "/chain")) + t->latency);
    t->busy = t->busy < 1 ? 1 : t->busy;
    core_fit_settle(f, i);
}

void core_begin(struct core_fit *f)
{
    struct iss_model *m = f->model;
    double nop = cycles(f, ISS_NOP, "stream");
    m->width = isfinite(nop) && nop < 1 ? (int64_t)lround(1 / nop) : 1;
    for (m->fetch.bytes = 4; m->fetch.bytes < 4 * m->width;)
        m->fetch.bytes *= 2;
    m->fetch.queue = 16;
    m->fetch.taken = m->fetch.same_taken = 1; /* like any other group, unless trials say otherwise */
    m->write_back_latency = 1;
    m->data.granule = 64;
    m->data.outstanding = m->data.store_buffer = 16;
    m->l1i.geometry.line = m->l1d.geometry.line = 64;
    m->units[ISS_UNIT_FLAGS] = 1;
    for (int c = 0; c < ISS_CLASS_N; c++) {
        m->timing[c] = (struct iss_timing){.latency = 1, .latency2 = 1, .take = 1, .busy = 1};
        for (int need = 0; need < ISS_NEED_N; need++)
            m->timing[c].after[need] = m->timing[c].after2[need] = 1;
        m->timing32[c] = m->timing[c];
    }
    for (size_t i = 0; i < f->run->trials.kernels->n; i++)
        begin_class(f, i);
    for (size_t i = 0; i < f->run->trials.kernels->n; i++)
        begin_copies(f, i);
    for (size_t i = 0; i < f->run->trials.kernels->n; i++)
        if (strcmp(f->run->trials.kernels->at[i].kind->unit, "divide") == 0)
            begin_division(f, i);
}
