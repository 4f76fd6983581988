/* Names of events into what perf_event_open takes. Numbers: perf_event_open(2); Arm Architecture Reference Manual, PMU
 * events; Intel SDM volume 3, "performance monitoring events" (INST_RETIRED.ANY_P is event 0xc0, unit mask 0). */
#include "tests/unit/boards/fixture.h"

#include "boards/description/event_names.h"

static void expect(const char *spec, uint32_t type, uint64_t config)
{
    uint32_t t = 99;
    uint64_t c = 99;
    char *why = NULL;
    if (!event_parse(spec, &t, &c, &why))
        fail_msg("%s: %s", spec, why);
    assert_null(why);
    assert_int_equal(t, type);
    assert_int_equal(c, config);
}

static void refuse(const char *spec, const char *words)
{
    uint32_t t;
    uint64_t c;
    char *why = NULL;
    if (event_parse(spec, &t, &c, &why))
        fail_msg("%s was taken", spec);
    if (!strstr(why, words))
        fail_msg("%s: the message is: %s", spec, why);
    free(why);
}

static void test_plain(void **state)
{
    (void)state;
    expect("raw:0x11", 4, 0x11);
    expect("raw:8", 4, 8);
    expect("hw:instructions", 0, 1);
    expect("sw:page-faults", 1, 2);
    expect("cache:itlb.read.miss", 3, 4 | 1 << 16);
    refuse("raw:", "write hw:cycles");
    refuse("raw:0x11 ", "write hw:cycles");
    refuse("raw:-1", "write hw:cycles");
    refuse("pfm", "write hw:cycles");
    refuse("", "write hw:cycles");
}

static void test_arm(void **state)
{
    (void)state;
    expect("pfm:arm_ac53::CPU_CYCLES", 4, 0x11);
    expect("pfm:arm_ac53::INST_RETIRED", 4, 0x08);
    expect("pfm:arm_ac53::L1D_CACHE_REFILL", 4, 0x03);
    expect("pfm:arm_ac53::L1D_CACHE", 4, 0x04);
    expect("pfm:arm_ac53::L2D_CACHE_REFILL", 4, 0x17);
    expect("pfm:arm_ac53::L2D_CACHE", 4, 0x16);
    expect("pfm:arm_ac53::BR_MIS_PRED", 4, 0x10);
#if !defined(__aarch64__)
    expect("pfm:arm_n1::remote_access_rd", 4, 0x38); /* the table's last: none is missing before it */
    expect("pfm:arm_n1::LL_CACHE_RD", 4, 0x36);
    expect("pfm:arm_n1::BUS_CYCLES", 4, 0x1d);
#endif
    refuse("pfm:arm_ac53::L1D_CASH", "raw:0x");
    refuse("pfm:arm_ac53::", "raw:0x");
    refuse("pfm:arm_ac53", "raw:0x");
}

static void test_names(void **state)
{
    (void)state;
#if defined(__x86_64__)
    expect("pfm:nhm::INST_RETIRED:ANY_P", 4, 0xc0);
    refuse("pfm:nhm::INST_RETIRED:NO_SUCH_MASK", "libpfm says");
#endif
    refuse("pfm:nosuchprocessor::CYCLES", "libpfm says");
    refuse("pfm:", "libpfm says");
    refuse("pfm:::", "libpfm says");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_arm),
                                       cmocka_unit_test(test_names)};
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
