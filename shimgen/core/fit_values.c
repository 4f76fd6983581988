/* fit_values.c - reads and changes a core's figures in its model, and updates what follows from them. */
#include "shimgen/core/fit_values.h"

#include <string.h>

struct iss_timing *core_fit_timing(struct iss_model *m, unsigned class)
{
    return class & CORE_32 ? &m->timing32[class & (CORE_32 - 1)] : &m->timing[class];
}

unsigned core_fit_class(const struct core_fit *f, size_t kernel)
{
    return f->run->trials.kernels->at[kernel].class;
}

int core_main_need(const struct core_kernel *k)
{
    return core_result_file(k) == 'f' ? ISS_NEED_FP : core_result_file(k) == 'c' ? ISS_NEED_FLAGS : ISS_NEED_OPERAND;
}

bool core_chains_flags(const struct core_kernel *k)
{
    return k->kind->need && strcmp(k->kind->need, "flags") == 0;
}

static bool divides(const struct iss_timing *t)
{
    return t->divide_bits != 0;
}

void core_fit_settle(struct core_fit *f, size_t kernel)
{
    unsigned class = core_fit_class(f, kernel);
    struct iss_timing *t = core_fit_timing(f->model, class);
    if (!divides(t))
        t->latency = t->after[core_main_need(&f->run->trials.kernels->at[kernel])];
    t->latency2 = (int16_t)(t->latency + f->second[kernel]);
    for (int i = 0; i < ISS_NEED_N; i++)
        t->after2[i] = (int16_t)(t->after[i] + f->second[kernel]);
    if (!(class & CORE_32) && !core_kernels_find(f->run->trials.kernels, class | CORE_32))
        f->model->timing32[class] = *t;
}

int64_t core_fit_get(const struct core_fit *f, const struct core_found *v)
{
    const struct iss_timing *t =
        v->kind == CORE_GLOBAL ? NULL : core_fit_timing(f->model, core_fit_class(f, v->kernel));
    switch (v->kind) {
    case CORE_AFTER:
        return t->after[v->need];
    case CORE_SECOND:
        return f->second[v->kernel];
    case CORE_BUSY:
        return t->busy;
    case CORE_TAKE:
        return t->take;
    case CORE_UNIT:
        return t->unit;
    case CORE_SECOND_UNIT:
        return t->second_unit;
    case CORE_LATE:
        return t->late;
    case CORE_ISSUE:
        return t->issue;
    case CORE_HOLD:
        return t->hold;
    case CORE_DRAINS:
        return t->drains;
    case CORE_GLOBAL:
        return *v->global;
    }
    return 0;
}

void core_fit_put(struct core_fit *f, const struct core_found *v, int64_t value)
{
    if (v->kind == CORE_GLOBAL) {
        *v->global = value;
        for (int i = 0; i < ISS_NEED_N; i++)
            f->model->write_back[i] = (int16_t)(f->model->write_back_latency + f->model->need[i]);
        return;
    }
    struct iss_timing *t = core_fit_timing(f->model, core_fit_class(f, v->kernel));
    switch (v->kind) {
    case CORE_AFTER:
        t->after[v->need] = (int16_t)value;
        break;
    case CORE_SECOND:
        f->second[v->kernel] = (int)value;
        break;
    case CORE_BUSY:
        t->busy = (int16_t)value;
        break;
    case CORE_TAKE:
        t->take = (uint8_t)value;
        break;
    case CORE_UNIT:
        t->unit = (uint8_t)value;
        break;
    case CORE_SECOND_UNIT:
        t->second_unit = (uint8_t)value;
        break;
    case CORE_LATE:
        t->late = (int16_t)value;
        break;
    case CORE_ISSUE:
        t->issue = (uint8_t)value;
        break;
    case CORE_HOLD:
        t->hold = t->hold_load = t->hold_store = (int16_t)value;
        break;
    case CORE_DRAINS:
        t->drains = (uint8_t)value;
        break;
    case CORE_GLOBAL:
        break;
    }
    core_fit_settle(f, v->kernel);
}

bool core_fit_possible(const struct core_fit *f, const struct core_found *v, int64_t value)
{
    const struct iss_timing *t =
        v->kind == CORE_GLOBAL ? NULL : core_fit_timing(f->model, core_fit_class(f, v->kernel));
    switch (v->kind) {
    case CORE_AFTER:
        return value >= -8 && value <= 500;
    case CORE_SECOND:
        return value >= 0 && value <= 8;
    case CORE_BUSY:
        return value >= 1 && value <= 500;
    case CORE_TAKE:
        return value >= 1 && t->unit && value <= f->model->units[t->unit];
    case CORE_UNIT:
        return value >= 0 && value < ISS_UNIT_N && (!value || f->model->units[value] >= t->take);
    case CORE_SECOND_UNIT:
        return value >= 0 && value < ISS_UNIT_N && (!value || (f->model->units[value] && value != t->unit));
    case CORE_LATE:
        return value >= 0 && value <= CORE_LATEST;
    case CORE_ISSUE:
        return value >= ISS_ISSUE_ANY && value <= ISS_ISSUE_ALONE;
    case CORE_HOLD:
        return value >= 0 && value <= 500;
    case CORE_DRAINS:
        return value == 0 || value == 1;
    case CORE_GLOBAL:
        if (strcmp(v->key, "bytes") == 0)
            return value >= 4 && value <= 64 && !(value & (value - 1));
        return value >= (strcmp(v->key, "width") == 0 || strcmp(v->key, "queue") == 0) && value <= 63;
    }
    return false;
}
