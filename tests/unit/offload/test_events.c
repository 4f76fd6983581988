/*
 * test_events.c - shipped events against libpfm4, which has the manufacturers' tables: is there such an event, and is a
 * raw code the event that its comment names? Of Arm's cores libpfm4 knows nothing on other machines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <perfmon/pfmlib.h>

#include "base/alloc.h"
#include "base/str.h"
#include "shimgen/offload/event_weights.h"

/* An event of a file, its name in libpfm4 (two with a plus: their unit masks together), and what one of it stands for: lanes, twice for doubles; bytes of a line. */
static const struct {
    const char *file, *event, *known;
    double weight;
} events[] = {
    {"sandybridge-paper", "r013c", "snb::CPU_CLK_UNHALTED:REF_XCLK", 1e-8},
    {"sandybridge-paper", "r0324", "snb::L2_RQSTS:ALL_DEMAND_DATA_RD", 64},
    {"sandybridge-paper", "r0110", "snb::FP_COMP_OPS_EXE:X87", 2},
    {"sandybridge-paper", "r1010", "snb::FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE", 8}, /* as printed */
    {"sandybridge-paper", "r2010", "snb::FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE", 1},
    {"sandybridge-paper", "r4010", "snb::FP_COMP_OPS_EXE:SSE_PACKED_SINGLE", 8}, /* as printed */
    {"sandybridge-paper", "r8010", "snb::FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE", 2},
    {"sandybridge-paper", "r0111", "snb::SIMD_FP_256:PACKED_SINGLE", 8},
    {"sandybridge-paper", "r0211", "snb::SIMD_FP_256:PACKED_DOUBLE", 8},
    {"sandybridge-paper", "r00c0", "snb::INST_RETIRED:ANY_P", 1},
    {"sandybridge", "r013c", "snb::CPU_CLK_UNHALTED:REF_XCLK", 1e-8},
    {"sandybridge", "r0324", "snb::L2_RQSTS:ALL_DEMAND_DATA_RD", 64},
    {"sandybridge", "r0110", "snb::FP_COMP_OPS_EXE:X87", 2},
    {"sandybridge", "r1010", "snb::FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE", 4},
    {"sandybridge", "r2010", "snb::FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE", 1},
    {"sandybridge", "r4010", "snb::FP_COMP_OPS_EXE:SSE_PACKED_SINGLE", 4},
    {"sandybridge", "r8010", "snb::FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE", 2},
    {"sandybridge", "r0111", "snb::SIMD_FP_256:PACKED_SINGLE", 8},
    {"sandybridge", "r0211", "snb::SIMD_FP_256:PACKED_DOUBLE", 8},
    {"sandybridge", "r00c0", "snb::INST_RETIRED:ANY_P", 1},
    {"haswell-paper", "r013c", "hsw::CPU_CLK_UNHALTED:REF_XCLK", 1e-8},
    {"haswell-paper", "re124", "hsw::L2_RQSTS:ALL_DEMAND_DATA_RD", 64},
    {"haswell-paper", "r03a1", "hsw::UOPS_EXECUTED_PORT:PORT_0+hsw::UOPS_EXECUTED_PORT:PORT_1", 8},
    {"haswell-paper", "r00c0", "hsw::INST_RETIRED:ANY_P", 1},
    {"skylake-paper", "r013c", "skl::CPU_CLK_UNHALTED:REF_XCLK", 1e-8},
    {"skylake-paper", "re124", "skl::L2_RQSTS:ALL_DEMAND_DATA_RD", 64},
    {"skylake-paper", "r01c7", "skl::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", 2},
    {"skylake-paper", "r02c7", "skl::FP_ARITH_INST_RETIRED:SCALAR_SINGLE", 1},
    {"skylake-paper", "r04c7", "skl::FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE", 4},
    {"skylake-paper", "r08c7", "skl::FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE", 4},
    {"skylake-paper", "r10c7", "skl::FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", 8},
    {"skylake-paper", "r20c7", "skl::FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE", 8},
    {"skylake-paper", "r00c0", "skl::INST_RETIRED:ANY_P", 1},
    {"intel", "cycles", NULL, 1}, /* perf's own */
    {"intel", "instructions", NULL, 1},
    {"intel", "cpu_clk_unhalted.thread", "skx::CPU_CLK_UNHALTED:THREAD_P", 1},
    {"intel", "l2_rqsts.all_demand_data_rd", "icx::L2_RQSTS:ALL_DEMAND_DATA_RD", 64},
    {"intel", "fp_arith_inst_retired.scalar_single", "spr::FP_ARITH_INST_RETIRED:SCALAR_SINGLE", 1},
    {"intel", "fp_arith_inst_retired.scalar_double", "spr::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", 2},
    {"intel", "fp_arith_inst_retired.128b_packed_single", "spr::FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE", 4},
    {"intel", "fp_arith_inst_retired.128b_packed_double", "spr::FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE", 4},
    {"intel", "fp_arith_inst_retired.256b_packed_single", "spr::FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE", 8},
    {"intel", "fp_arith_inst_retired.256b_packed_double", "spr::FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", 8},
    {"intel", "fp_arith_inst_retired.512b_packed_single", "skx::FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE", 16},
    {"intel", "fp_arith_inst_retired.512b_packed_double", "spr::FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE", 16},
    {"amd-zen", "cycles", NULL, 1},
    {"amd-zen", "instructions", NULL, 1},
    {"amd-zen", "l2_request_g1.rd_blk_l", "amd64_fam17h_zen2::REQUESTS_TO_L2_GROUP1:RD_BLK_L", 64},
    {"amd-zen", "l2_request_g1.rd_blk_x", "amd64_fam19h_zen3::REQUESTS_TO_L2_GROUP1:RD_BLK_X", 64},
    {"amd-zen", "l2_request_g1.ls_rd_blk_c_s", "amd64_fam19h_zen4::REQUESTS_TO_L2_GROUP1:LS_RD_BLK_C_S", 64},
    {"amd-zen", "fp_ret_sse_avx_ops.all", "amd64_fam19h_zen4::RETIRED_SSE_AVX_FLOPS:ANY", 1},
    {"arm", "cycles", NULL, 1},
    {"arm", "instructions", NULL, 1},
    {"arm", "cpu_cycles", NULL, 1},
    {"arm", "inst_retired", NULL, 1},
    {"arm", "l1d_cache_refill", NULL, 64},
    {"arm", "fp_fixed_ops_spec", NULL, 1},
    {"arm", "fp_scale_ops_spec", NULL, 1},
};

/* Unit mask and event. */
static unsigned code_of_one(const char *name)
{
    uint64_t *codes = NULL;
    int n = 0;
    int result = pfm_get_event_encoding(name, PFM_PLM3, NULL, NULL, &codes, &n);
    if (result != PFM_SUCCESS)
        fail_msg("%s: %s", name, pfm_strerror(result));
    unsigned code = (unsigned)codes[0] & 0xffff;
    free(codes);
    return code;
}

static unsigned code_of(const char *names)
{
    unsigned code = 0;
    for (const char *at = names; at; at = strchr(at, '+') ? strchr(at, '+') + 1 : NULL) {
        char *name = xstrndup(at, strcspn(at, "+"));
        code |= code_of_one(name);
        free(name);
    }
    return code;
}

static void are_libpfms(void **state)
{
    (void)state;
#if !defined(__x86_64__)
    print_message("SKIPPED: libpfm4 knows Intel's and AMD's cores on x86-64 only\n");
    skip();
#endif
    setenv("LIBPFM_ENCODE_INACTIVE", "1", 1); /* processors that are not this machine's */
    assert_int_equal(pfm_initialize(), PFM_SUCCESS);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (!events[i].known)
            continue;
        unsigned code = code_of(events[i].known), raw;
        if (sscanf(events[i].event, "r%4x", &raw) == 1 && strlen(events[i].event) == 5)
            assert_int_equal(raw, code);
    }
    pfm_terminate();
}

static size_t find(const char *file, const char *event)
{
    size_t n = sizeof events / sizeof *events;
    for (size_t i = 0; i < n; i++)
        if (strcmp(events[i].file, file) == 0 && strcmp(events[i].event, event) == 0)
            return i;
    fail_msg("%s: %s is not in the table of this test", file, event);
    return 0;
}

/* Each event of each file is in the table above, with its weight; and no other. */
static void are_in_the_files(void **state)
{
    (void)state;
    static const char *const files[] = {"sandybridge-paper", "sandybridge", "haswell-paper", "skylake-paper", "intel",
                                        "amd-zen",           "arm"};
    size_t found = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct event_weights w;
        struct error e = ERROR_INIT;
        char *path = xasprintf("%s/shimgen/offload/events/%s.ini", getenv("TOP"), files[i]);
        assert_int_equal(event_weights_read(&w, path, &e), OK);
        for (size_t k = 0; k < w.events.n; k++, found++)
            assert_float_equal(w.events.at[k].weight, events[find(files[i], w.events.at[k].event)].weight, 1e-12);
        event_weights_release(&w);
        free(path);
    }
    assert_int_equal(found, sizeof events / sizeof *events);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(are_libpfms), cmocka_unit_test(are_in_the_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
