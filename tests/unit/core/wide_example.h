/* wide_example.h - a core that issues out of order, with round figures, and programs for it. An instruction that waits for
 * nothing is executed in the cycle after it was dispatched, and leaves its latency later. */
#ifndef TESTS_UNIT_CORE_WIDE_EXAMPLE_H
#define TESTS_UNIT_CORE_WIDE_EXAMPLE_H

#include "tests/unit/core/pipeline_example.h"

#include "sim/core/ports.h"
#include "sim/core/wide.h"

#define WIDE_MODEL                                                                                                     \
    "[model]\nname = wide\narchitecture = none\nclock_hz = 1000000000\n"                                               \
    "[issue]\nwidth = 4\nwrite_back = 0\n"                                                                             \
    "[fetch]\nbytes = 64\nqueue = 64\ntaken = 0\nsame_taken = 0\njump_register = 0\ncall_register = 0\nreturn = 0\n"   \
    "mispredicted = 10\nnext_line = 0\n"                                                                               \
    "[predictor]\nscheme = none\n"                                                                                     \
    "[data]\noutstanding = 2\ngranule = 8\nload_split = 0\nload_split_most = 0\nload_split_busy = 0\n"                 \
    "store_split_busy = 0\nforward = 0\nforward_wide = 0\nforward_split = 0\nstore_buffer = 2\nstreams = 0\n"          \
    "trigger = 2\nahead = 0\nstride = 1\nno_allocate = 0\n"                                                            \
    "[window]\nreorder = 256\nscheduler = 256\nloads = 64\nstores = 64\nretire = 8\nfuses = 0\nforward = 6\n"          \
    "[need]\n"                                                                                                         \
    "[unknown]\nlatency = 1\nports = 0 1 2 3\n"                                                                        \
    "[alu]\nlike = unknown\n"                                                                                          \
    "[compare]\nlike = unknown\n"                                                                                      \
    "[move]\nlatency = 0\n"                                                                                            \
    "[zero]\nlatency = 0\n"                                                                                            \
    "[shift]\nlatency = 1\nports = 0\n"                                                                                \
    "[select]\nlatency = 1\nports = 0 1\n"                                                                             \
    "[mul64]\nlatency = 3\nports = 1\n"                                                                                \
    "[udiv64]\nlatency = 9\nports = 0 x5\n"                                                                            \
    "[crc]\nlatency = 2\nports = 0, 1 x2\nslots = 2\n"                                                                 \
    "[load]\nlatency = 4\nports = 4 5\n"                                                                               \
    "[load_pair]\nlatency = 100\nports = 4 5\n"                                                                        \
    "[store]\nlatency = 1\nports = 6\n"                                                                                \
    "[barrier]\nlatency = 1\ndrains = 1\n"                                                                             \
    "[branch_if]\nlatency = 1\nports = 0 1\n"

static struct iss_wide *wide;

/* WIDE_MODEL with `was` replaced by `is`. */
static inline void open_wide(const char *was, const char *is)
{
    struct error e = ERROR_INIT;
    const char *at = was ? strstr(WIDE_MODEL, was) : WIDE_MODEL;
    assert_non_null(at);
    char *text = xasprintf("%.*s%s%s", (int)(at - WIDE_MODEL), WIDE_MODEL, was ? is : "", at + (was ? strlen(was) : 0));
    char *path = put_file("wide.ini", text);
    memset(&program, 0, sizeof program);
    if (iss_model_read(&model, path, &e) != OK) {
        error_print(&e, "test");
        fail();
    }
    wide = iss_wide_new(model);
    free(path);
    free(text);
}

static inline void close_wide(void)
{
    iss_wide_free(wide);
    iss_model_free(model);
}

/* The program once more, all of it in one group of the fetch; the cycles it took. */
static inline int64_t run_all(void)
{
    int64_t before = iss_wide_cycle(wide);
    size_t k = 0;
    for (size_t i = 0; i < program.n; i++) {
        struct iss_step step;
        iss_step_make(model, &program.ops[i], 0x1000, &step);
        bool access = k < program.n_accesses && program.accesses[k].step == i;
        iss_wide_run(wide, &step, access ? &program.accesses[k++] : NULL, step.address + step.op.size);
    }
    return iss_wide_cycle(wide) - before;
}

/* The first time something is filled; the second time is like all others. */
static inline int64_t steady(void)
{
    run_all();
    return run_all();
}

static inline void put_many(enum iss_class class, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        to(put(class), 1);
}

static inline void put_chain(enum iss_class class, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        to(from(put(class), 1, ISS_NEED_OPERAND), 1);
}

static inline void takes(int64_t cycles)
{
    assert_int_equal(steady(), cycles);
    close_wide();
}

#endif
