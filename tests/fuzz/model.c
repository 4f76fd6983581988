/* model.c - the fuzz target of a core's timing data: refused with a reason, or code can be scheduled and run on it,
 * with cycles that go forward. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "sim/core/hierarchy.h"
#include "sim/core/core_model.h"
#include "sim/core/pipeline.h"
#include "sim/core/code_schedule.h"
#include "tests/fuzz/target.h"

/* add, multiply, divide, load, store, of AArch64 and of RISC-V. */
static const uint8_t aarch64[] = {0x00, 0x00, 0x00, 0x8b, 0x01, 0x7c, 0x00, 0x9b, 0x02, 0x0c,
                                  0xc1, 0x9a, 0x43, 0x00, 0x40, 0xf9, 0x43, 0x04, 0x00, 0xf9};
static const uint8_t riscv64[] = {0x33, 0x05, 0xb5, 0x00, 0xb3, 0x05, 0xa5, 0x02, 0x33, 0x46,
                                  0xb5, 0x02, 0x83, 0xb6, 0x05, 0x00, 0x23, 0xb0, 0xd5, 0x00};

static void schedule(const struct iss_model *m, const uint8_t *bytes, size_t n)
{
    struct error e = ERROR_INIT;
    struct iss_code *code = 0;
    if (!target_passed(iss_code_new(&code, m, bytes, n, 0x1000, &e), &e))
        return;
    struct iss_schedule *s = iss_schedule_new(m);
    int64_t before = 0;
    for (int i = 0; i < 3; i++) {
        iss_schedule_run(s, code->steps, code->n, code->steps[0].address);
        if (iss_schedule_cycle(s) < before)
            BUG("time goes back");
        before = iss_schedule_cycle(s);
    }
    iss_schedule_free(s);
    iss_code_free(code);
}

static void access(const struct iss_model *m)
{
    struct iss_memory *memory = iss_memory_new(m);
    int64_t now = 0;
    for (uint64_t i = 0; i < 64; i++) {
        int64_t load = iss_memory_load(memory, i * 4099, 8, now), store = iss_memory_store(memory, i * 64, 8, now),
                fetch = iss_memory_fetch(memory, i * 16, now);
        if (load < 0 || store < 0 || fetch < 0)
            BUG("%lld, %lld, %lld cycles less than a hit", (long long)load, (long long)store, (long long)fetch);
        if (iss_memory_done(memory, now) < now)
            BUG("done before it began");
        now += 1 + store;
    }
    iss_memory_flush(memory, true);
    iss_memory_free(memory);
}

/* What an interval is of has a value, or is the unit of a class. */
static void intervals(const struct iss_model *m)
{
    for (size_t i = 0; i < m->n_intervals; i++) {
        const struct iss_interval *v = &m->intervals[i];
        const char *dot = strrchr(v->key, '.');
        int64_t value;
        if (!dot || (!iss_model_value(m, v->key, &value) && strcmp(dot, ".unit") != 0))
            BUG("an interval of nothing");
        if (v->observable && v->low > v->high)
            BUG("an interval without a value");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct iss_model *m = 0;
    char *path = target_file("core.ini", data, size);
    if (target_passed(iss_model_read(&m, path, &e), &e)) {
        schedule(m, aarch64, sizeof aarch64);
        schedule(m, riscv64, sizeof riscv64);
        access(m);
        intervals(m);
        iss_model_free(m);
    }
    free(path);
    return 0;
}
