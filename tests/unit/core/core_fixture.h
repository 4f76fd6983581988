/* core_fixture.h - for the tests of the simulated cores: a small model, changed line by line. */
#ifndef TESTS_UNIT_CORE_CORE_FIXTURE_H
#define TESTS_UNIT_CORE_CORE_FIXTURE_H

#include "tests/unit/boards/fixture.h"

#include "base/alloc.h"
#include "base/str.h"
#include "sim/core/core_model.h"
#include "sim/core/op.h"

/* A core with round figures. */
#define SMALL_MODEL                                                                                                    \
    "[model]\nname = small\narchitecture = none\nclock_hz = 1000000000\n"                                              \
    "[issue]\nwidth = 2\nwrite_back = 1\n"                                                                             \
    "[fetch]\nbytes = 8\nqueue = 16\ntaken = 3\nsame_taken = 3\njump_register = 4\ncall_register = 5\nreturn = 3\n"    \
    "mispredicted = 10\nnext_line = 0\n"                                                                               \
    "[predictor]\nscheme = bimodal\nentries = 1024\nhistory = 0\naddress = 20\nunseen = not_taken\ntargets = "         \
    "16\nreturns = 2\n"                                                                                                \
    "[l1i]\nsize = 4K\nways = 2\nline = 64\nreplacement = lru\nlatency = 10\npitch = 1\n"                              \
    "[l1d]\nsize = 1K\nways = 2\nline = 64\nreplacement = lru\nlatency = 0\npitch = 1\n"                               \
    "[l2]\nsize = 8K\nways = 4\nline = 64\nreplacement = lru\nlatency = 10\npitch = 2\n"                               \
    "[memory]\nlatency_ns = 100\npitch_ns = 20\n"                                                                      \
    "[data]\noutstanding = 2\ngranule = 8\nload_split = 2\nload_split_most = 5\nload_split_busy = 1\n"                 \
    "store_split_busy = 1\nforward = 2\nforward_wide = 3\nforward_split = 1\nstore_buffer = 2\nstreams = 0\n"          \
    "trigger = 2\nahead = 0\nstride = 1\nno_allocate = 0\n"                                                            \
    "[tlb]\nmicro = 0\nmicro_miss = 0\nentries = 0\nways = 1\nwalk = 0\n"                                              \
    "[units]\nalu = 2\nmemory = 1\nmultiply = 1\ndivide = 1\nbranch = 1\n"                                             \
    "[need]\nshifted = 1\naddress = 2\ndata = -1\ncondition = -1\n"                                                    \
    "[unknown]\nlatency = 1\n"                                                                                         \
    "[alu]\nlatency = 1\nunit = alu\n"                                                                                 \
    "[shift]\nlike = alu\n"                                                                                            \
    "[load]\nlatency = 1\nunit = memory\n"                                                                             \
    "[store]\nlatency = 1\nunit = memory\n"                                                                            \
    "[mul64]\nlatency = 4\nunit = multiply\nbusy = 2\nto_accumulate = 1\n"                                             \
    "[madd64]\nlike = mul64\n"                                                                                         \
    "[udiv32]\nlatency = 9\nunit = divide\nbusy = 9\ndivide_base = 3\ndivide_bits = 2\ndivide_max = 12\n"              \
    "[barrier]\nissue = alone\ndrains = 1\n"                                                                           \
    "[branch]\nlatency = 1\nunit = branch\n"                                                                           \
    "[branch_if]\nlike = branch\n"                                                                                     \
    "[call]\nlike = branch\n"                                                                                          \
    "[return]\nlike = branch\n"

/* SMALL_MODEL with `was` replaced by `is` (NULL: as it is). The caller frees. */
static inline char *small_text(const char *was, const char *is)
{
    if (!was)
        return xstrdup(SMALL_MODEL);
    const char *at = strstr(SMALL_MODEL, was);
    assert_non_null(at);
    return xasprintf("%.*s%s%s", (int)(at - SMALL_MODEL), SMALL_MODEL, is, at + strlen(was));
}

static inline struct iss_model *small_model(const char *was, const char *is)
{
    struct error e = ERROR_INIT;
    struct iss_model *m = NULL;
    char *text = small_text(was, is), *path = put_file("small.ini", text);
    if (iss_model_read(&m, path, &e) != OK) {
        error_print(&e, "test");
        fail();
    }
    free(text);
    free(path);
    return m;
}

#endif
