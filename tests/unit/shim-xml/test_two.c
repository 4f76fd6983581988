/* SHIM 2.0: clocks, accesses, references of whatever form, order, and files that are large or odd. The expected values
 * stand in the documents made here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shim-xml/shimxml.h"

#define HEAD                                                                                                           \
    "<shim:Shim xmlns:shim=\"http://www.multicore-association.org/2017/SHIM2.0/\" name=\"s\" shimVersion=\"2.0\">"     \
    "<SystemConfiguration>"
#define POINTS                                                                                                         \
    "<FrequencyVoltageSet><FrequencyDomain name=\"f\" id=\"FD\"/><OperatingPointSet name=\"o\" id=\"OPS\">"            \
    "<OperatingPoint name=\"slow\" id=\"OP1\" frequency=\"600\" frequencyUnit=\"MHz\"/>"                               \
    "<OperatingPoint name=\"fast\" frequency=\"2\" frequencyUnit=\"GHz\"/></OperatingPointSet>"                        \
    "<OperatingPointSet name=\"p\" id=\"OPT\"><OperatingPoint name=\"bare\" id=\"OP3\" frequency=\"1000\"/>"           \
    "</OperatingPointSet></FrequencyVoltageSet>"
#define TAIL POINTS "</SystemConfiguration></shim:Shim>"

static struct shimxml_doc *parsed(const char *text)
{
    struct shimxml_doc *d;
    struct error e = ERROR_INIT;
    if (shimxml_parse(&d, text, strlen(text), "test", &e))
        fail_msg("%s", e.message);
    return d;
}

static struct shimxml_system *system_of(const struct shimxml_doc *d)
{
    struct shimxml_system *s;
    struct error e = ERROR_INIT;
    if (shimxml_system(&s, d, &e))
        fail_msg("%s", e.message);
    return s;
}

static size_t errors_in(const struct shimxml_doc *d)
{
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    size_t errors = f.errors;
    shimxml_findings_release(&f);
    return errors;
}

#define MASTER(name, attributes, inside)                                                                               \
    "<MasterComponent name=\"" name "\" id=\"" name "\" masterType=\"PU\" arch=\"a\" " attributes ">" inside           \
    "<AccessTypeSet><AccessType name=\"r\" id=\"AT_" name "\" rwType=\"R\" accessByteSize=\"4\"/></AccessTypeSet>"     \
    "</MasterComponent>"

/* ---- clocks ---- */

static void clocks(void **state)
{
    (void)state;
    struct shimxml_doc *d = parsed(
        HEAD "<ComponentSet name=\"t\" id=\"t\" operatingPointRef=\"OP3\">" MASTER("A", "operatingPointRef=\"OP1\"", "")
            MASTER("B", "operatingPointRef=\"fast\"", "") MASTER("C", "operatingPointRef=\"OPS\"", "")
                MASTER("D", "", "") MASTER("E", "operatingPointRef=\"nowhere\"", "") "</ComponentSet>" TAIL);
    struct shimxml_system *s = system_of(d);
    static const double expected[] = {600e6, 2e9, 600e6, 1000, 600e6}; /* id, name, set, round it, none: the first */
    assert_int_equal(s->n_cores, 5);
    for (size_t i = 0; i < 5; i++)
        assert_float_equal(s->cores[i].clock_hz, expected[i], 0);
    shimxml_system_free(s);
    shimxml_free(d);
}

/* ---- accesses, of both versions ---- */

static void check_accesses(const struct shimxml_doc *d)
{
    struct shimxml_system *s = system_of(d);
    assert_int_equal(s->n_accesses, 2);
    const struct shimxml_access *memory = &s->accesses[s->accesses[1].cache == SHIMXML_MEMORY],
                                *cache = &s->accesses[s->accesses[1].cache != SHIMXML_MEMORY];
    assert_true(memory->cache == SHIMXML_MEMORY);
    assert_string_equal(s->caches[cache->cache].id, "L1");
    assert_string_equal(cache->rw, "R");
    assert_int_equal(cache->bytes, 4);
    assert_float_equal(cache->latency.typical, 3, 0);
    assert_float_equal(memory->latency.typical, 150, 0);
    assert_float_equal(memory->pitch.typical, 30, 0);
    assert_true(isnan(memory->pitch.best));
    assert_int_equal(s->caches[cache->cache].core, 0);
    shimxml_system_free(s);
}

static void accesses(void **state)
{
    (void)state;
    struct shimxml_doc *two = parsed(HEAD "<ComponentSet name=\"t\" id=\"t\">" MASTER(
        "A", "",
        "<CacheRef>L1</CacheRef>") "<SlaveComponent name=\"m\" id=\"M\" size=\"1\" sizeUnit=\"GiB\" rwType=\"RW\"/>"
                                   "<Cache name=\"L1\" id=\"L1\" cacheType=\"DATA\" cacheCoherency=\"HARDWARE\" "
                                   "size=\"1\" sizeUnit=\"KiB\"/>"
                                   "</ComponentSet><AddressSpaceSet><AddressSpace name=\"a\" id=\"a\"><SubSpace "
                                   "name=\"s\" id=\"s\" start=\"0\" "
                                   "end=\"9\"><MasterSlaveBindingSet><MasterSlaveBinding "
                                   "slaveComponentRef=\"M\"><Accessor "
                                   "masterComponentRef=\"A\"><PerformanceSet cacheRef=\"L1\"><Performance "
                                   "accessTypeRef=\"AT_A\"><Pitch "
                                   "typical=\"1\"/><Latency "
                                   "typical=\"3\"/></Performance></PerformanceSet><PerformanceSet><Performance "
                                   "accessTypeRef=\"AT_A\"><Pitch typical=\"30\"/><Latency "
                                   "typical=\"150\"/></Performance></PerformanceSet>"
                                   "</Accessor></MasterSlaveBinding></MasterSlaveBindingSet></SubSpace></"
                                   "AddressSpace></AddressSpaceSet>" TAIL);
    struct shimxml_doc *one, *again;
    assert_int_equal(errors_in(two), 0);
    check_accesses(two);
    assert_int_equal(shimxml_convert(&one, two, "1.0", 0, 0, 0), OK);
    assert_int_equal(errors_in(one), 0);
    check_accesses(one);
    assert_int_equal(shimxml_convert(&again, one, "2.0", 0, 0, 0), OK);
    assert_int_equal(errors_in(again), 0);
    check_accesses(again);
    shimxml_free(again);
    shimxml_free(one);
    shimxml_free(two);
}

/* ---- references of whatever form ---- */

static void references(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *name; /* of what it means; NULL: nothing */
    } forms[] = {{"B", "B"},
                 {"#B", "B"},
                 {"#//@systemConfiguration/@componentSet/@masterComponent.1", "B"},
                 {"//@systemConfiguration/@componentSet/@masterComponent", "A"},
                 {"#//@SystemConfiguration/@componentSet", "t"},
                 {"#//@systemConfiguration/@componentSet/@masterComponent.2", 0},
                 {"#//@systemConfiguration/@componentSet/@masterComponent.18446744073709551616", 0},
                 {"#//@systemConfiguration/@componentset", 0},
                 {"#//@systemConfiguration/componentSet", 0},
                 {"#//@", 0},
                 {"#/", 0},
                 {"#", 0},
                 {"##B", 0},
                 {"", 0}};
    struct shimxml_doc *d = parsed(HEAD "<ComponentSet name=\"t\" id=\"t\">" MASTER("A", "", "")
                                       MASTER("B", "", "") "</ComponentSet>" TAIL);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct shimxml_node *n = shimxml_by_id(d, forms[i].text);
        if (!n != !forms[i].name)
            fail_msg("'%s' leads %s", forms[i].text, n ? "somewhere" : "nowhere");
        if (n)
            assert_string_equal(shimxml_get(n, "name"), forms[i].name);
    }
    struct shimxml_doc *one =
        parsed("<SystemConfiguration name=\"s\" shimVersion=\"1.0\"><ComponentSet name=\"t\">" MASTER(
            "A", "", "") "</ComponentSet><ClockFrequency clockValue=\"1\"/></SystemConfiguration>");
    assert_null(shimxml_by_id(one, "#A")); /* SHIM 1.0 has no such form */
    shimxml_free(one);
    shimxml_free(d);
}

/* Half of the caches each name the last one by its way: every way alone is long, all together are stopped. */
static void long_ways(void **state)
{
    (void)state;
    enum { N = 30000 };
    struct str text = STR_INIT;
    str_add(&text, HEAD "<ComponentSet name=\"t\" id=\"t\">");
    for (int i = 0; i < N; i++)
        str_addf(&text,
                 "<Cache name=\"c%d\" id=\"c%d\" cacheType=\"DATA\" cacheCoherency=\"HARDWARE\" size=\"1\" "
                 "sizeUnit=\"B\"><CacheRef>#//@systemConfiguration/@componentSet/@cache.%d</CacheRef></Cache>",
                 i, i, N - 1);
    str_add(&text, "</ComponentSet>" TAIL);
    struct shimxml_doc *d = parsed(str_text(&text)), *one;
    str_release(&text);
    assert_true(errors_in(d) > 0);
    assert_int_equal(shimxml_convert(&one, d, "1.0", 0, 0, 0), OK);
    shimxml_free(one);
    shimxml_free(d);
}

/* ---- order ---- */

static void order(void **state)
{
    (void)state;
    static const char *const added[] = {"Cache", "SlaveComponent", "MasterComponent", "ComponentSet"};
    struct shimxml_doc *d = parsed(HEAD "<ComponentSet name=\"t\" id=\"t\"/>" TAIL);
    struct shimxml_node *set = shimxml_following(shimxml_root(d), 0, "ComponentSet"), *n;
    for (size_t i = 0; i < 4; i++)
        shimxml_set(shimxml_add(set, added[i]), "id", added[i]);
    n = shimxml_child(set, 0);
    for (size_t i = 4; i-- > 0; n = shimxml_next(n, 0))
        assert_string_equal(shimxml_name(n), added[i]);
    shimxml_free(d);
    d = shimxml_doc_new("Shim"); /* the table is that of the root's version */
    n = shimxml_add(shimxml_root(d), "SystemConfiguration");
    shimxml_add(n, "FrequencyVoltageSet");
    shimxml_add(n, "ComponentSet");
    assert_string_equal(shimxml_name(shimxml_child(n, 0)), "ComponentSet");
    shimxml_free(d);
}

/* ---- large and odd ---- */

/* What would be slow if each were looked for among all. */
static void many(void **state)
{
    (void)state;
    enum { N = 30000 };
    struct str text = STR_INIT;
    str_add(&text, HEAD "<ComponentSet name=\"t\" id=\"t\">"
                        "<MasterComponent name=\"A\" id=\"A\" masterType=\"PU\" arch=\"a\"><CommonInstructionSet "
                        "name=\"l\"><FunctionalUnitSet><FunctionalUnit name=\"u\">");
    for (int i = 0; i < N; i++)
        str_addf(&text,
                 "<Instruction operation=\"i%d\" inputBitWidth=\"32\" outputBitWidth=\"%d\"><Performance><Pitch "
                 "typical=\"1\"/><Latency typical=\"2\"/></Performance></Instruction>",
                 i / 2, 1 + i % 2);
    str_add(&text, "</FunctionalUnit></FunctionalUnitSet></CommonInstructionSet>");
    for (int i = 0; i < N; i++)
        str_addf(&text, "<CacheRef>c%d</CacheRef>", i);
    str_add(&text, "<AccessTypeSet><AccessType name=\"r\" id=\"r\"/></AccessTypeSet></MasterComponent>");
    for (int i = 0; i < N; i++)
        str_addf(&text,
                 "<Cache name=\"c%d\" id=\"c%d\" cacheType=\"DATA\" cacheCoherency=\"HARDWARE\" size=\"1\" "
                 "sizeUnit=\"B\"><CacheRef>c%d</CacheRef></Cache>",
                 i, i, i + 1);
    str_addf(&text,
             "<Cache name=\"x\" id=\"c%d\" cacheType=\"DATA\" cacheCoherency=\"HARDWARE\" size=\"1\" sizeUnit=\"B\"/>",
             N);
    str_add(&text, "</ComponentSet><CommunicationSet>");
    for (int i = 0; i < N; i++)
        str_addf(&text, "<EventCommunication name=\"e%d\"/>", i);
    str_add(&text, "</CommunicationSet>" TAIL);
    struct shimxml_doc *d = parsed(str_text(&text)), *one, *two;
    struct shimxml_left_out left = {0};
    str_release(&text);
    assert_int_equal(errors_in(d), 0);
    struct shimxml_system *s = system_of(d);
    assert_int_equal(s->cores[0].n_instructions, N);
    assert_int_equal(s->n_caches, N + 1);
    assert_int_equal(s->caches[0].level, N + 1);
    shimxml_system_free(s);
    assert_int_equal(shimxml_convert(&one, d, "1.0", 0, &left, 0), OK);
    assert_int_equal(errors_in(one), 0);
    assert_true(left.n > 0);
    shimxml_left_out_release(&left);
    assert_int_equal(shimxml_convert(&two, one, "2.0", 0, 0, 0), OK);
    assert_int_equal(errors_in(two), 0);
    shimxml_free(two);
    shimxml_free(one);
    shimxml_free(d);
}

static void refused(const char *text, const char *reason)
{
    struct shimxml_doc *d;
    struct error e = ERROR_INIT;
    assert_int_equal(shimxml_parse(&d, text, strlen(text), "test", &e), ERR_INPUT);
    if (!strstr(e.message, reason))
        fail_msg("'%s' has no '%s'", e.message, reason);
    error_release(&e);
}

static void hostile(void **state)
{
    (void)state;
    struct str text = STR_INIT;
    str_add(&text, HEAD);
    for (int i = 0; i < 300; i++)
        str_add(&text, "<ComponentSet name=\"t\" id=\"t\">");
    refused(str_text(&text), "nested more than 256 deep");
    str_release(&text);
    refused("<!DOCTYPE shim:Shim [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;&a;\">]>" HEAD "&c;" TAIL, "DOCTYPE");
    refused("<!DOCTYPE shim:Shim SYSTEM \"http://127.0.0.1:1/x.dtd\">" HEAD TAIL, "DOCTYPE");
    refused(HEAD "&undefined;" TAIL, "not well-formed");
    struct shimxml_doc *d = parsed("<shim:Shim name=\"s\" shimVersion=\"2.0\"/>"); /* a prefix without a namespace */
    assert_true(errors_in(d) > 0);
    shimxml_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks), cmocka_unit_test(accesses), cmocka_unit_test(references), cmocka_unit_test(long_ways),
        cmocka_unit_test(order),  cmocka_unit_test(many),     cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
