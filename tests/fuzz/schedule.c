/* schedule.c - the fuzz target of schedule.json: refused with a reason, or a model whose numbers are what estimates
 * need, and which is the same when it is written and read again. */
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "shimgen/estimate/tune/schedule_model.h"
#include "tests/fuzz/target.h"

static void check_interval(const struct schedule_model *m, size_t i)
{
    size_t n = 0, within = 0;
    const struct shimxml_interval *v = &m->intervals[i];
    if (!(v->low >= 0 && v->low <= v->high && isfinite(v->high)))
        BUG("an interval from %g to %g", v->low, v->high);
    schedule_model_coverage(&n, &within, m, i);
    if (within > n)
        BUG("%zu of %zu rows are within", within, n);
}

/* The first writing may round; from then on nothing changes. */
static void again(const struct schedule_model *m)
{
    struct error e = ERROR_INIT;
    struct schedule_model *b = 0;
    char *first = target_path("first.json"), *second = target_path("second.json");
    if (schedule_model_write(m, first, &e) || schedule_model_read(&b, first, &e))
        BUG("what was written cannot be read: %s", e.message);
    if (schedule_model_write(b, second, &e))
        BUG("%s", e.message);
    target_same(first, second, "schedule.json");
    schedule_model_free(b);
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct schedule_model *m = 0;
    char *path = target_file("schedule.json", data, size);
    if (target_passed(schedule_model_read(&m, path, &e), &e)) {
        for (size_t i = 0; i < m->n_intervals; i++)
            check_interval(m, i);
        again(m);
        schedule_model_free(m);
    }
    free(path);
    return 0;
}
