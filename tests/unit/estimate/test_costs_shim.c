/* What a core's costs are, from a SHIM file: misses by its accesses, values by the method, which cores are alike. The
 * file is written down here, so each figure can be worked out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"
#include "shimgen/estimate/costs.h"
#include "tests/unit/folder.h"

#define VALUE(name, pitch, latency)                                                                                    \
    "<Instruction name=\"" name "\"><Performance><Pitch typical=\"" #pitch "\"/><Latency typical=\"" #latency          \
    "\"/></Performance></Instruction>"
#define CORE(name, id, type)                                                                                           \
    "<MasterComponent name=\"" name "\" id=\"" id "\" masterType=\"" type "\" arch=\"x\" pid=\"0\">"
#define VALUES                                                                                                         \
    "<CommonInstructionSet name=\"I\">" VALUE("add", 1, 2) VALUE("load", 1, 3) VALUE("fitted.add", 5, 7)               \
        VALUE("factor.load-latency", 0.5, 0.5) "</CommonInstructionSet>"
#define ACCESS(type, pitch, latency)                                                                                   \
    "<Performance accessTypeRef=\"" type "\">" pitch "<Latency " latency "/></Performance>"
#define PITCH(value) "<Pitch typical=\"" value "\"/>"
#define L1_ANSWERS                                                                                                     \
    "<!-- the cache L1 answers --><PerformanceSet>" ACCESS("R1", PITCH("9"), "typical=\"9\"")                          \
        ACCESS("R8", PITCH("1"), "typical=\"3\"") ACCESS("R16", PITCH("50"), "typical=\"99\"")                         \
            ACCESS("W8", PITCH("50"), "typical=\"98\"") "</PerformanceSet>"
#define L2_ANSWERS                                                                                                     \
    "<!-- the cache L2 answers --><PerformanceSet>" ACCESS(                                                            \
        "R8", "", "best=\"12\" typical=\"15\" worst=\"21\"") "</PerformanceSet>"
#define L3_ANSWERS                                                                                                     \
    "<!-- the cache L3 answers --><PerformanceSet>" ACCESS("R8", PITCH("10"), "typical=\"40\"") "</PerformanceSet>"
#define L3                                                                                                             \
    "<Cache name=\"L3\" id=\"L3\" cacheType=\"UNIFIED\" size=\"4\" sizeUnit=\"MiB\"><cacheRef>L2</cacheRef></Cache>"

#define SCHEDULE "<?shimgen method=\"schedule\"?>"

/* A file with these processing instructions, caches beyond the second, and answers of caches. */
static char *file_with(const char *says, const char *outer, const char *answers)
{
    struct error e = ERROR_INIT;
    static unsigned number;
    char *name = xasprintf("%u.xml", number++), *path = in_folder(name);
    struct str text = STR_INIT;
    str_addf(&text,
             "<?xml version=\"1.0\"?>%s<SystemConfiguration name=\"s\" shimVersion=\"1.0\"><ComponentSet name=\"S\">"
             "<SlaveComponent name=\"M\" id=\"M\" size=\"1\" sizeUnit=\"GiB\" rwType=\"RW\"/>"
             "<Cache name=\"L2\" id=\"L2\" cacheType=\"UNIFIED\" size=\"512\" "
             "sizeUnit=\"KiB\"><cacheRef>L1</cacheRef></Cache>%s",
             says, outer);
    str_add(&text, CORE("Dma", "D", "TU") "</MasterComponent>");
    str_add(&text, CORE("Small", "S1", "PU") VALUES "</MasterComponent>");
    str_add(&text, CORE("Big", "B", "PU") VALUES
            "<Cache name=\"L1\" id=\"L1\" cacheType=\"DATA\" size=\"32\" sizeUnit=\"KiB\"/><AccessTypeSet>"
            "<AccessType name=\"R1\" id=\"R1\" rwType=\"R\" accessByteSize=\"1\"/>"
            "<AccessType name=\"R8\" id=\"R8\" rwType=\"R\" accessByteSize=\"8\"/>"
            "<AccessType name=\"R16\" id=\"R16\" rwType=\"R\" accessByteSize=\"16\"/>"
            "<AccessType name=\"W8\" id=\"W8\" rwType=\"W\" accessByteSize=\"8\"/></AccessTypeSet>"
            "<ClockFrequency clockValue=\"4e9\"/></MasterComponent>");
    str_add(&text, CORE("Small", "S2", "PU") VALUES "</MasterComponent>");
    str_addf(&text,
             "</ComponentSet><AddressSpaceSet><AddressSpace name=\"A\" id=\"A\"><SubSpace name=\"U\" id=\"U\" "
             "start=\"0\" end=\"9\">"
             "<MasterSlaveBindingSet><MasterSlaveBinding slaveComponentRef=\"M\"><Accessor masterComponentRef=\"B\">"
             "<PerformanceSet>" ACCESS("R1", PITCH("300"), "typical=\"500\"") ACCESS(
                 "R8", PITCH("60"), "best=\"190\" typical=\"200\" worst=\"260\"")
                 ACCESS("R16", PITCH("800"), "typical=\"900\"") ACCESS(
                     "W8", PITCH("600"),
                     "typical=\"700\"") "</PerformanceSet>%s</Accessor></MasterSlaveBinding></MasterSlaveBindingSet></"
                                        "SubSpace></AddressSpace>"
                                        "</AddressSpaceSet><ClockFrequency clockValue=\"1e9\"/></SystemConfiguration>",
             answers);
    assert_int_equal(file_write(path, str_text(&text), text.len, &e), OK);
    str_release(&text);
    free(name);
    return path;
}

static void cycles_are(const struct cycles *c, double best, double typical, double worst)
{
    if (c->best != best || c->typical != typical || c->worst != worst)
        fail_msg("%g %g %g, expected %g %g %g", c->best, c->typical, c->worst, best, typical, worst);
}

static struct costs read_costs(const char *path, const char *core, const char *method)
{
    struct costs c;
    struct error e = ERROR_INIT;
    if (costs_from_shim(&c, path, core, method, &e))
        fail_msg("%s", e.message);
    return c;
}

/* By the widest read of at most eight bytes, neither the narrower ones before it nor the wider ones and stores after: how
 * much later the next level answers, in each case of best, typical and worst, and never earlier. L2 has no Pitch, so its
 * Latency is taken: 12 - 1, 15 - 1, 21 - 1; L3's Pitch is below it. The third level is the last that is asked. */
static void misses_of_three_caches(void **state)
{
    (void)state;
    struct costs c = read_costs(file_with(SCHEDULE, L3, L1_ANSWERS L2_ANSWERS L3_ANSWERS), "B", 0);
    assert_int_equal(c.n_refills, 2);
    cycles_are(&c.refills[0], 9, 12, 18);
    cycles_are(&c.streams[0], 11, 14, 20);
    cycles_are(&c.refills[1], 28, 25, 19);
    cycles_are(&c.streams[1], 0, 0, 0);
    costs_release(&c);
}

/* With two caches the memory answers what misses the second: 190 - 12 and so on; its Pitch, 60, is that of all cases. */
static void misses_to_the_memory(void **state)
{
    (void)state;
    struct costs c = read_costs(file_with(SCHEDULE, "", L1_ANSWERS L2_ANSWERS), "B", 0);
    assert_int_equal(c.n_refills, 2);
    cycles_are(&c.refills[0], 9, 12, 18);
    cycles_are(&c.refills[1], 178, 185, 239);
    cycles_are(&c.streams[1], 48, 45, 39);
    costs_release(&c);
}

/* What the file does not say: the second cache; the third; any, of a core without caches and accesses. */
static void misses_that_nobody_knows(void **state)
{
    (void)state;
    struct costs c = read_costs(file_with(SCHEDULE, "", L1_ANSWERS), "B", 0);
    assert_int_equal(c.n_refills, 0);
    costs_release(&c);
    c = read_costs(file_with(SCHEDULE, L3, L1_ANSWERS L2_ANSWERS), "B", 0);
    assert_int_equal(c.n_refills, 1);
    cycles_are(&c.refills[0], 9, 12, 18);
    costs_release(&c);
    c = read_costs(file_with(SCHEDULE, "", L1_ANSWERS L2_ANSWERS), "S1", 0);
    assert_int_equal(c.n_refills, 0);
    costs_release(&c);
}

static void has(const struct costs *c, const char *name, double pitch, double latency)
{
    size_t i;
    if (!map_get(&c->names, name, &i))
        fail_msg("there is no %s", name);
    cycles_are(&c->pitch[i], pitch, pitch, pitch);
    cycles_are(&c->latency[i], latency, latency, latency);
}

/* The factor halves a load's Latency where values are scheduled; counts have costs of their own. */
static void values_by_the_method(void **state)
{
    (void)state;
    static const char *const counted[] = {"sum", "operand"};
    const char *path = file_with(SCHEDULE, "", "");
    for (size_t i = 0; i < 2; i++) {
        struct costs c = read_costs(path, "B", counted[i]);
        assert_true(c.has_fitted && c.names.n == 1);
        has(&c, "add", 5, 7);
        costs_release(&c);
    }
    struct costs c = read_costs(path, "B", "schedule");
    assert_true(c.has_fitted && c.names.n == 2 && !c.interval && !c.warning);
    has(&c, "add", 1, 2);
    has(&c, "load", 1, 1.5);
    assert_true(c.clock_hz == 4e9);
    assert_string_equal(c.core, "Big");
    costs_release(&c);
    c = read_costs(path, "S2", "schedule");
    assert_true(c.clock_hz == 1e9);
    assert_string_equal(c.core, "Small (S2)");
    costs_release(&c);
    /* without --method, by that of the file */
    c = read_costs(file_with("<?shimgen method=\"operand\"?>", "", ""), "B", 0);
    assert_string_equal(c.method, "operand");
    has(&c, "add", 5, 7);
    costs_release(&c);
}

/* Those of costs of counts are for these; any others are for the file's own method, whatever is asked for. */
static void intervals_by_the_method(void **state)
{
    (void)state;
    static const struct {
        const char *method, *interval, *is_for;
    } cases[] = {{"schedule", "1; any 0.9 0.5 2", "schedule"},
                 {"operand", "1; any 0.8 0.25 4", "operand"},
                 {"sum", "1; any 0.9 0.5 2", "schedule"},
                 {0, "1; any 0.9 0.5 2", "schedule"}};
    const char *path = file_with(
        "<?shimgen method=\"schedule\" interval=\"1; any 0.9 0.5 2\" fitted-interval=\"1; any 0.8 0.25 4\"?>", "", "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct costs c = read_costs(path, "B", cases[i].method);
        assert_string_equal(c.interval, cases[i].interval);
        assert_string_equal(c.interval_for, cases[i].is_for);
        costs_release(&c);
    }
    struct costs c =
        read_costs(file_with("<?shimgen method=\"schedule\" interval=\"1; any 0.9 0.5 2\"?>", "", ""), "B", "operand");
    assert_string_equal(c.interval, "1; any 0.9 0.5 2"); /* it has no other */
    costs_release(&c);
}

/* The two small cores are one; a core without instructions is none. Misses and clock make another one of the third. */
static void cores_that_are_alike(void **state)
{
    (void)state;
    struct costs *list;
    size_t n;
    struct error e = ERROR_INIT;
    assert_int_equal(costs_list(&list, &n, file_with(SCHEDULE, "", L1_ANSWERS L2_ANSWERS), 0, &e), OK);
    assert_int_equal(n, 2);
    assert_string_equal(list[0].core, "Small (S1)");
    assert_int_equal(list[0].alike, 1);
    assert_int_equal(list[0].n_refills, 0);
    assert_string_equal(list[1].core, "Big");
    assert_int_equal(list[1].alike, 0);
    assert_int_equal(list[1].n_refills, 2);
    costs_list_free(list, n);
}

/* One value or one name of the second small core is another: there are three cores, then. */
static void cores_that_differ(void **state)
{
    (void)state;
    static const char *const changes[][2] = {{"Pitch typical=\"1\"", "Pitch typical=\"2\""},
                                             {"Latency typical=\"3\"", "Latency typical=\"4\""},
                                             {"name=\"load\"", "name=\"fadd\""},
                                             {"Latency typical=\"0.5\"", "Latency typical=\"0.6\""}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *path = file_with(SCHEDULE, "", "");
        struct str text = STR_INIT;
        struct error e = ERROR_INIT;
        struct costs *list;
        size_t n;
        assert_int_equal(file_read(&text, path, 1 << 20, &e), OK);
        char *core = strstr(text.s, "id=\"S2\""), *at = core ? strstr(core, changes[i][0]) : 0;
        assert_non_null(at);
        assert_int_equal(strlen(changes[i][0]), strlen(changes[i][1]));
        memcpy(at, changes[i][1], strlen(changes[i][1]));
        assert_int_equal(file_write(path, str_text(&text), text.len, &e), OK);
        assert_int_equal(costs_list(&list, &n, path, 0, &e), OK);
        assert_int_equal(n, 3);
        for (size_t k = 0; k < n; k++)
            assert_int_equal(list[k].alike, 0);
        costs_list_free(list, n);
        str_release(&text);
    }
}

/* Values that somebody changed after shimgen sealed them are estimated with, and that is said; the interval is for those from
 * before. Without a seal nothing is said. */
static void values_that_were_changed(void **state)
{
    (void)state;
    char *path = file_with("<?shimgen method=\"schedule\" interval=\"1; any 0.9 0.5 2\"?>", "", "");
    struct shimxml_doc *d;
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    struct costs c = read_costs(path, "B", 0);
    assert_true(!c.warning && c.interval);
    costs_release(&c);
    assert_int_equal(shimxml_read(&d, path, &e), OK);
    shimxml_seal(d);
    assert_int_equal(shimxml_write(d, path, &e), OK);
    shimxml_free(d);
    c = read_costs(path, "B", 0);
    assert_true(!c.warning && c.interval);
    costs_release(&c);
    assert_int_equal(file_read(&text, path, 1 << 20, &e), OK);
    for (char *at = text.s; (at = strstr(at, "Latency typical=\"3\"")); at++)
        at[strlen("Latency typical=\"")] = '9';
    assert_int_equal(file_write(path, str_text(&text), text.len, &e), OK);
    c = read_costs(path, "B", 0);
    assert_non_null(c.warning);
    assert_non_null(strstr(c.warning, "core Big: its instruction values were changed after shimgen wrote them"));
    assert_null(c.interval);
    has(&c, "load", 1, 4.5); /* the factor is half */
    costs_release(&c);
    str_release(&text);
}

static void cores_that_have_no_values(void **state)
{
    (void)state;
    struct costs c;
    struct error e = ERROR_INIT;
    assert_int_equal(costs_from_shim(&c, file_with(SCHEDULE, "", ""), "D", 0, &e), ERR_INPUT);
    if (!strstr(e.message, "core 'Dma' has no instruction set"))
        fail_msg("%s", e.message);
    error_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_of_three_caches),    cmocka_unit_test(misses_to_the_memory),
        cmocka_unit_test(misses_that_nobody_knows),  cmocka_unit_test(values_by_the_method),
        cmocka_unit_test(intervals_by_the_method),   cmocka_unit_test(cores_that_are_alike),
        cmocka_unit_test(cores_that_have_no_values), cmocka_unit_test(values_that_were_changed),
        cmocka_unit_test(cores_that_differ),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
