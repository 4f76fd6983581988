/* Which cache a PerformanceSet of SHIM 1.0 is of when a tool has dropped the comments: by the order in which merge
 * writes them, and only where nothing else could be meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "shim-xml/shimxml.h"

#define SET(cycles)                                                                                                    \
    "<PerformanceSet><Performance accessTypeRef=\"R\"><Pitch typical=\"1\"/><Latency typical=\"" cycles                \
    "\"/></Performance></PerformanceSet>"
#define NAMED(cache, cycles) "<!-- the cache " cache " answers -->" SET(cycles)
#define CACHE(id, type, inner)                                                                                         \
    "<Cache name=\"" id "\" id=\"" id "\" cacheType=\"" type                                                           \
    "\" cacheCoherency=\"HARD\" size=\"1\" sizeUnit=\"KiB\" nWay=\"1\" lineSize=\"64\">" inner "</Cache>"

/* A core with caches of instructions and of data, a cache for both round it, a memory. */
#define FILE_WITH(sets)                                                                                                \
    "<SystemConfiguration name=\"s\" shimVersion=\"1.0\"><ComponentSet name=\"t\">"                                    \
    "<SlaveComponent name=\"M\" id=\"M\" size=\"1\" sizeUnit=\"GiB\" rwType=\"RW\"/>"                                  \
    "<MasterComponent name=\"C\" id=\"C\" masterType=\"PU\">" CACHE("I1", "INSTRUCTION", "")                           \
        CACHE("D1", "DATA",                                                                                            \
              "") "<AccessTypeSet><AccessType name=\"R\" id=\"R\" rwType=\"R\" accessByteSize=\"4\"/>"                 \
                  "</AccessTypeSet></MasterComponent>" CACHE(                                                          \
                      "L2", "UNIFIED",                                                                                 \
                      "<cacheRef>I1</cacheRef>"                                                                        \
                      "<cacheRef>D1</cacheRef>") "</ComponentSet><AddressSpaceSet><AddressSpace name=\"A\" "           \
                                                 "id=\"A\"><SubSpace name=\"S\" id=\"S\" "                             \
                                                 "start=\"0\" end=\"9\"><MasterSlaveBindingSet><MasterSlaveBinding "   \
                                                 "slaveComponentRef=\"M\"><Accessor "                                  \
                                                 "masterComponentRef=\"C\">" sets                                      \
                                                 "</Accessor></MasterSlaveBinding></MasterSlaveBindingSet></SubSpace>" \
                                                 "</AddressSpace></AddressSpaceSet><ClockFrequency "                   \
                                                 "clockValue=\"1e9\"/></SystemConfiguration>"

/* "M 150, D1 3": what answers, and its Latency, in the document's order. */
static void expect(const char *text, const char *expected)
{
    struct shimxml_doc *d = 0;
    struct shimxml_system *s = 0;
    struct error e = ERROR_INIT;
    char found[200] = "";
    if (shimxml_parse(&d, text, strlen(text), "test", &e) || shimxml_system(&s, d, &e))
        fail_msg("%s", e.message);
    for (size_t i = 0; i < s->n_accesses; i++) {
        const struct shimxml_access *a = &s->accesses[i];
        size_t n = strlen(found);
        snprintf(found + n, sizeof found - n, "%s%s %g", i ? ", " : "",
                 a->cache == SHIMXML_MEMORY ? "M" : s->caches[a->cache].id, a->latency.typical);
    }
    shimxml_system_free(s);
    shimxml_free(d);
    assert_string_equal(found, expected);
}

static void comments_say_it(void **state)
{
    (void)state;
    expect(FILE_WITH(SET("150") NAMED("D1", "3") NAMED("L2", "13")), "M 150, D1 3, L2 13");
    expect(FILE_WITH(SET("150") NAMED("L2", "13") NAMED("D1", "3")), "M 150, L2 13, D1 3");
    expect(FILE_WITH(SET("150") NAMED("L2", "13")), "M 150, L2 13");
}

static void the_order_says_it(void **state)
{
    (void)state;
    expect(FILE_WITH(SET("150") SET("3") SET("13")), "M 150, D1 3, L2 13");
    expect(FILE_WITH(SET("150") SET("13") SET("13")), "M 150, D1 13, L2 13"); /* the borders */
    expect(FILE_WITH(SET("13") SET("3") SET("13")), "M 13, D1 3, L2 13");
}

/* Fewer or more sets than caches, a nearer cache or the memory that answers later than what is behind it, one comment
 * that is left: the memory alone, and what the comment says. */
static void nothing_says_it(void **state)
{
    (void)state;
    expect(FILE_WITH(SET("150")), "M 150");
    expect(FILE_WITH(SET("150") SET("3")), "M 150");
    expect(FILE_WITH(SET("150") SET("3") SET("13") SET("40")), "M 150");
    expect(FILE_WITH(SET("150") SET("13.1") SET("13")), "M 150");
    expect(FILE_WITH(SET("12.9") SET("3") SET("13")), "M 12.9");
    expect(FILE_WITH(SET("150") SET("3") "<PerformanceSet/>"), "M 150");
    expect(FILE_WITH("<PerformanceSet/>" SET("3") SET("13")), "");
    expect(FILE_WITH(SET("150") NAMED("D1", "3") SET("13")), "M 150, D1 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_say_it),
        cmocka_unit_test(the_order_says_it),
        cmocka_unit_test(nothing_says_it),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
