/* test_event_limits.c - tests of base/events/event_limits.c: counts that no run can have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <cmocka.h>

#include "base/events/event_limits.h"

struct counts {
    const char *name[3];
    double n[3];
};

static double count(const void *context, const char *event)
{
    const struct counts *c = context;
    for (size_t i = 0; i < 3 && c->name[i]; i++)
        if (strcmp(c->name[i], event) == 0)
            return c->n[i];
    return (double)NAN;
}

static void expect(struct counts c, const char *what)
{
    char *is = event_limits_broken(count, &c);
    if (!what)
        assert_null(is);
    else
        assert_string_equal(is, what);
    free(is);
}

static void what_can_be(void **state)
{
    (void)state;
    expect((struct counts){{0}, {0}}, 0);
    expect((struct counts){{"L1D_CACHE_REFILL"}, {1e15}}, 0); /* of unknown accesses */
    expect((struct counts){{"L1D_CACHE_REFILL", "L1D_CACHE"}, {8 * 1000 + 4096, 1000}}, 0);
    expect((struct counts){{"L1D_CACHE_REFILL", "L2D_CACHE"}, {1e6, 0}}, 0);
    expect((struct counts){{"BR_MIS_PRED", "CPU_CYCLES"}, {4096, 0}}, 0);
    expect((struct counts){{"INST_RETIRED", "CPU_CYCLES", "BR_MIS_PRED"}, {8e6, 1e6, 5e4}}, 0);
    expect((struct counts){{"BR_MIS_PRED", "TSC_CYCLES"}, {1e6, 10}}, 0); /* ticks may be slow */
    expect((struct counts){{"CPU_CYCLES"}, {0x1p53}}, 0);
}

static void what_cannot_be(void **state)
{
    (void)state;
    expect((struct counts){{"BR_MIS_PRED", "CPU_CYCLES"}, {3.3e12, 946511}},
           "3300000000000 BR_MIS_PRED, but 946511 CPU_CYCLES: a cycle has one misprediction at most");
    expect((struct counts){{"L2D_CACHE_REFILL", "L2D_CACHE"}, {12097, 1000}},
           "12097 L2D_CACHE_REFILL, but 1000 L2D_CACHE: an access refills 8 lines at most");
    expect((struct counts){{"L1D_CACHE", "L1D_CACHE_REFILL"}, {1000, 12097}},
           "12097 L1D_CACHE_REFILL, but 1000 L1D_CACHE: an access refills 8 lines at most");
    expect((struct counts){{"L1D_CACHE_REFILL", "CPU_CYCLES"}, {1e9, 1e6}},
           "1000000000 L1D_CACHE_REFILL, but 1000000 CPU_CYCLES: a cycle refills 4 lines at most");
    expect((struct counts){{"INST_RETIRED", "CPU_CYCLES"}, {2e7, 1e6}},
           "20000000 INST_RETIRED, but 1000000 CPU_CYCLES: a cycle retires 16 instructions at most");
    expect((struct counts){{"CPU_CYCLES"}, {1e17}}, "1e+17 CPU_CYCLES: more than any run can have");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_can_be), cmocka_unit_test(what_cannot_be)};
    return cmocka_run_group_tests(tests, 0, 0);
}
