/* Each rule on values of its own: where it begins, and what is still allowed. Expected: docs/formats/shim.md. */
#include "tests/unit/shim-xml/rows.h"

static void cycles(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"negative-cycles", 0, "typical=\"0\"", 0},
        {"negative-cycles", 0, "typical=\"0.5\"", 0},
        {"negative-cycles", 1, "typical=\"-0.001\"", "Latency/@typical is -0.001"},
        {"negative-cycles", 2, "best=\"-2\" typical=\"-1\" worst=\"0\"", "Latency/@typical is -1"},
        {"negative-cycles", 0, "typical=\"-INF\"", 0},
        {"not-finite", 1, "typical=\"-INF\"", "Latency/@typical is -INF"},
        {"not-finite", 0, "typical=\"3.4028234663852886e38\"", 0},
        {"not-finite", 1, "typical=\"3.41e38\"", "single precision"},
        {"not-finite", 1, "typical=\"-3.41e38\"", "single precision"},
        {"best-typical-worst", 0, "best=\"1\" typical=\"1\" worst=\"1\"", 0},
        {"best-typical-worst", 0, "best=\"0\" typical=\"1\" worst=\"2\"", 0},
        {"best-typical-worst", 1, "best=\"2\" typical=\"1\" worst=\"3\"", "typical 1 is less than best 2"},
        {"best-typical-worst", 1, "typical=\"2\" worst=\"1.5\"", "worst 1.5 is less than typical 2"},
        {"best-typical-worst", 2, "best=\"3\" typical=\"2\" worst=\"1\"", "worst 1 is less than typical 2"},
        {"best-typical-worst", 0, "best=\"INF\" typical=\"1\" worst=\"2\"", 0},
        {"best-typical-worst", 1, "best=\"3\" typical=\"NaN\" worst=\"2\"", "worst 2 is less than best 3"},
        {"best-typical-worst", 0, "best=\"x\" typical=\"1\" worst=\"2\"", 0},
    };
    EXPECT(
        LIST("<Instruction name=\"add\"><Performance><Pitch typical=\"1\"/><Latency %s/></Performance></Instruction>"),
        rows);
}

static void instructions(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"placeholder", 1, INSTRUCTION("add", "10", "10") INSTRUCTION("sub", "10.0", "1e1"),
         "all 2 instructions cost 10"},
        {"placeholder", 1, INSTRUCTION("add", "10", "10"), "all 1 instructions"},
        {"placeholder", 0, INSTRUCTION("add", "10", "10") INSTRUCTION("sub", "10", "9"), 0},
        {"placeholder", 0, INSTRUCTION("add", "1", "10") INSTRUCTION("sub", "10", "10"), 0},
        {"placeholder", 0, INSTRUCTION("add", "10", "1"), 0},
        {"placeholder", 0, INSTRUCTION("add", "10", "10") "<Instruction name=\"sub\"/>", 0},
        {"placeholder", 0, "", 0},
        {"doubled-instruction", 0, INSTRUCTION("add", "1", "1") INSTRUCTION("sub", "1", "1"), 0},
        {"doubled-instruction", 1, INSTRUCTION("add", "1", "1") INSTRUCTION("add", "2", "1"),
         "'add' is also in line 1"},
        {"doubled-instruction", 2,
         INSTRUCTION("add", "1", "1") INSTRUCTION("add", "2", "1") INSTRUCTION("add", "1", "1"), 0},
        {"doubled-name", 0, INSTRUCTION("add", "1", "1") INSTRUCTION("add", "2", "1"), 0},
        {"reference-list", 1, INSTRUCTION("fptoui", "1", "1"), "'fptoui' stands without 'fptosi'"},
        {"reference-list", 0, INSTRUCTION("fptoui", "1", "1") INSTRUCTION("fptosi", "1", "1"), 0},
        {"reference-list", 0, INSTRUCTION("fptosi", "1", "1") INSTRUCTION("extractvalue", "1", "1"), 0},
        {"reference-list", 1, INSTRUCTION("extractivalue", "1", "1"), "'extractivalue' stands without 'extractvalue'"},
        {"reference-list", 0, INSTRUCTION("extractivalue", "1", "1") INSTRUCTION("extractvalue", "1", "1"), 0},
    };
    EXPECT(LIST("%s"), rows);
}

static void cores(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"no-instructions", 1, "<MasterComponent name=\"a\" masterType=\"PU\"/>", "core 'a' has no instruction values"},
        {"no-instructions", 0, "<MasterComponent name=\"a\" masterType=\"TU\"/>", 0},
        {"no-instructions", 0, "<MasterComponent name=\"a\"/>", 0},
        {"no-instructions", 0,
         "<MasterComponent name=\"a\" masterType=\"PU\"><CommonInstructionSet name=\"l\"/></MasterComponent>", 0},
        {"no-clock", 0, "<ClockFrequency clockValue=\"1e-9\"/>", 0},
        {"no-clock", 1, "<ClockFrequency clockValue=\"0\"/>", "clockValue is 0"},
        {"no-clock", 1, "<ClockFrequency clockValue=\"-1\"/>", "clockValue is -1"},
        {"no-clock", 0, "<ClockFrequency clockValue=\"INF\"/>", 0},
        {"not-finite", 1, "<ClockFrequency clockValue=\"INF\"/>", "clockValue is INF"},
        {"not-finite", 1, "<ClockFrequency clockValue=\"NaN\"/>", "clockValue is NaN"},
        {"not-finite", 0, "<ClockFrequency clockValue=\"fast\"/>", 0},
        {"not-finite", 0, "<ClockFrequency/>", 0},
        {"no-clock", 0, "<ClockFrequency/>", 0},
        {"doubled-pid", 1, "<MasterComponent name=\"a\" pid=\"1\"/><MasterComponent name=\"b\" pid=\"1\"/>",
         "pid '1' of 'b'"},
        {"doubled-pid", 0, "<MasterComponent name=\"a\" pid=\"1\"/><MasterComponent name=\"b\" pid=\"2\"/>", 0},
        {"doubled-pid", 0, "<MasterComponent name=\"a\" pid=\"\"/><MasterComponent name=\"b\" pid=\"\"/>", 0},
        {"doubled-pid", 0,
         "<MasterComponent name=\"a\" pid=\"1\"/><ComponentSet name=\"U\"><MasterComponent name=\"b\" "
         "pid=\"1\"/></ComponentSet>",
         0},
    };
    EXPECT(ROOT("%s", ""), rows);
}

#define CACHE(bytes, ways, line)                                                                                       \
    "<Cache name=\"c\" size=\"" bytes "\" sizeUnit=\"B\" nWay=\"" ways "\" lineSize=\"" line "\"/>"

static void caches(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"cache-geometry", 0, CACHE("1", "1", "1"), 0},
        {"odd-sets", 0, CACHE("1", "1", "1"), 0},
        {"cache-geometry", 0, CACHE("512", "4", "32"), 0},
        {"odd-sets", 0, CACHE("512", "4", "32"), 0},
        {"odd-sets", 1, CACHE("384", "4", "32"), "3 sets are not a power of two"},
        {"cache-geometry", 1, CACHE("513", "4", "32"), "513 bytes are not a multiple of 4 ways of 32-byte lines"},
        {"cache-geometry", 1, CACHE("320", "5", "32") CACHE("32", "2", "32"), "32 bytes are not"},
        {"cache-geometry", 1, CACHE("96", "2", "48"), "lines of 48 bytes are not a power of two"},
        {"odd-sets", 0, CACHE("96", "2", "48"), 0},
        {"cache-geometry", 0, CACHE("96", "0", "32") CACHE("0", "1", "32") CACHE("5", "1", "0"), 0},
        {"odd-sets", 0, CACHE("96", "0", "32") CACHE("0", "1", "32") CACHE("5", "1", "0"), 0},
        {"negative-size", 0, CACHE("0", "0", "0"), 0},
        {"negative-size", 1, CACHE("-1", "1", "1"), "Cache/@size is -1"},
        {"negative-size", 1, CACHE("1", "-1", "1"), "Cache/@nWay is -1"},
        {"negative-size", 1, CACHE("1", "1", "-4"), "Cache/@lineSize is -4"},
        {"negative-size", 1, "<AccessType accessByteSize=\"-1\"/>", "accessByteSize"},
        {"negative-size", 1, "<AccessType alignmentByteSize=\"-1\"/>", "alignmentByteSize"},
        {"negative-size", 1, "<AccessType nBurst=\"-1\"/>", "nBurst"},
        {"negative-size", 1, "<MasterComponent nThread=\"-1\"/>", "nThread"},
        {"negative-size", 2, "<FIFOCommunication dataSize=\"-1\" queueSize=\"-2\"/>", "queueSize is -2"},
        {"negative-size", 1, "<SharedRegisterCommunication nRegister=\"-1\"/>", "nRegister"},
    };
    EXPECT(ROOT("%s", ""), rows);
}

static void names(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"unsafe-name", 0, "<Cache name=\"a_Z9\"/><Cache name=\"_\"/>", 0},
        {"unsafe-name", 1, "<Cache name=\"\"/>", "Cache ''"},
        {"unsafe-name", 1, "<Cache name=\"a__b\"/>", "Cache 'a__b'"},
        {"unsafe-name", 1, "<SlaveComponent name=\"a b\"/>", "SlaveComponent 'a b'"},
        {"unsafe-name", 1, "<MasterComponent name=\"a.b\"/>", 0},
        {"unsafe-name", 1, "<ComponentSet name=\"a.b\"/>", 0},
        {"unsafe-name", 1, "<AccessType name=\"a.b\"/>", 0},
        {"unsafe-name", 1, "<AddressSpace name=\"a.b\"/>", 0},
        {"unsafe-name", 1, "<SubSpace name=\"a.b\"/>", 0},
        {"unsafe-name", 0, "<CommonInstructionSet name=\"a.b\"/><Cache/>", 0},
        {"doubled-name", 1, "<Cache name=\"a\"/><Cache name=\"a\"/>", "Cache 'a' is also that of line 1"},
        {"doubled-name", 0, "<Cache name=\"a\"/><SlaveComponent name=\"a\"/>", 0},
        {"doubled-name", 0, "<Cache name=\"a\"/><Cache name=\"b\"/>", 0},
        {"doubled-name", 0, "<Cache name=\"a\"/><ComponentSet name=\"b\"><Cache name=\"a\"/></ComponentSet>", 0},
        {"doubled-name", 2, "<Cache name=\"a\"/><Cache name=\"a\"/><Cache name=\"a\"/>", 0},
    };
    EXPECT(ROOT("%s", ""), rows);
}

#define RANGE(name, start, end) "<SubSpace name=\"" name "\" start=\"" start "\" end=\"" end "\"/>"

static void addresses(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"reversed-range", 0, RANGE("a", "5", "5"), 0},
        {"reversed-range", 1, RANGE("a", "6", "5"), "SubSpace 'a' starts at 6 and ends at 5"},
        {"reversed-range", 0, "<SubSpace name=\"a\" start=\"6\"/><SubSpace name=\"b\" end=\"5\"/>", 0},
        {"reversed-range", 0, RANGE("a", "x", "5") RANGE("b", "7", "x"), 0},
        {"overlapping-ranges", 0, RANGE("a", "0", "8") RANGE("b", "9", "4"), 0}, /* reversed: not judged */
        {"overlapping-ranges", 1, RANGE("a", "0", "8") RANGE("b", "0", "4"), "overlaps"},
        {"overlapping-ranges", 1, RANGE("a", "0", "8") RANGE("b", "0", "8"), "overlaps"},
        {"overlapping-ranges", 0, RANGE("a", "8", "8") RANGE("b", "0", "8") RANGE("c", "8", "12"), 0},
        {"overlapping-ranges", 2, RANGE("a", "0", "100") RANGE("b", "10", "20") RANGE("c", "30", "40"),
         "'c' overlaps 'a'"},
        {"overlapping-ranges", 1, RANGE("a", "0", "30") RANGE("b", "20", "60") RANGE("c", "60", "70"),
         "'b' overlaps 'a'"},
        {"overlapping-ranges", 1, RANGE("b", "20", "60") RANGE("c", "60", "70") RANGE("a", "0", "30"),
         "'b' overlaps 'a'"},
    };
    EXPECT(ROOT("", "<AddressSpaceSet><AddressSpace name=\"A\">%s</AddressSpace></AddressSpaceSet>"), rows);
}

#define BINDING(memory, accessor)                                                                                      \
    "<MasterSlaveBinding slaveComponentRef=\"" memory "\">" accessor "</MasterSlaveBinding>"

static void memories(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"unbound-memory", 1, BINDING("M", ""), "memory 'N' is bound nowhere"},
        {"unbound-memory", 0, BINDING("M", "") BINDING("N", ""), 0},
        {"no-memory-performance", 0, BINDING("M", ""), 0},
        {"no-memory-performance", 1, BINDING("M", "<Accessor/><Accessor><PerformanceSet/></Accessor>"),
         "2 of 2 Accessors"},
        {"no-memory-performance", 1,
         BINDING("M", "<Accessor/><Accessor><PerformanceSet>" COSTS("1", "2") "</PerformanceSet></Accessor>"),
         "1 of 2 Accessors"},
        {"no-memory-performance", 0,
         BINDING("M", "<Accessor><PerformanceSet>" COSTS("1", "2") "</PerformanceSet></Accessor>"), 0},
        {"range-size", 0, BINDING("M", ""), 0},
        {"placeholder", 1,
         BINDING("M", "<Accessor><PerformanceSet>" COSTS("10", "10") COSTS("10", "10") "</PerformanceSet></Accessor>"),
         "all 2 accesses"},
        {"placeholder", 0,
         BINDING("M", "<Accessor><PerformanceSet>" COSTS("10", "10") COSTS("10", "9") "</PerformanceSet></Accessor>"),
         0},
        {"placeholder", 0,
         BINDING("M", "<Accessor><PerformanceSet>" COSTS("9", "10") COSTS("10", "10") "</PerformanceSet></Accessor>"),
         0},
        {"placeholder", 0, BINDING("M", "<Accessor><PerformanceSet>" COSTS("10", "10") "</PerformanceSet></Accessor>"),
         0},
        {"no-access-type", 2,
         BINDING("M", "<Accessor><PerformanceSet>" COSTS("10", "10") COSTS("10", "9") "</PerformanceSet></Accessor>"),
         0},
    };
    EXPECT(ROOT("<MasterComponent name=\"C\"><CommonInstructionSet name=\"l\">" INSTRUCTION(
                    "add", "1", "1") "</CommonInstructionSet>"
                                     "</MasterComponent><SlaveComponent name=\"M\" id=\"M\" size=\"16\" "
                                     "sizeUnit=\"B\"/><SlaveComponent name=\"N\" id=\"N\"/>",
                "<AddressSpaceSet><AddressSpace name=\"A\"><SubSpace name=\"s\" start=\"0\" "
                "end=\"16\"><MasterSlaveBindingSet>%s"
                "</MasterSlaveBindingSet></SubSpace></AddressSpace></AddressSpaceSet>"),
           rows);
}

/* Memories of 16 and 8 bytes and one of unknown size. */
static void sizes_of_ranges(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"range-size", 0, "start=\"0\" end=\"16\"><MasterSlaveBindingSet>" BINDING("M", ""), 0}, /* an exclusive end */
        {"range-size", 1, "start=\"0\" end=\"17\"><MasterSlaveBindingSet>" BINDING("M", ""),
         "spans 17 bytes, the memories mapped there have 16"},
        {"range-size", 0, "start=\"0\" end=\"24\"><MasterSlaveBindingSet>" BINDING("M", "") BINDING("N", ""), 0},
        {"range-size", 1, "start=\"0\" end=\"25\"><MasterSlaveBindingSet>" BINDING("M", "") BINDING("N", ""),
         "have 24"},
        {"range-size", 0, "start=\"0\" end=\"99\"><MasterSlaveBindingSet>" BINDING("M", "") BINDING("U", ""), 0},
        {"range-size", 0, "start=\"0\" end=\"99\"><MasterSlaveBindingSet>" BINDING("C", ""), 0}, /* no memory */
        {"range-size", 0, "start=\"0\" end=\"99\"><MasterSlaveBindingSet>", 0},
        {"range-size", 0, "start=\"0\" end=\"x\"><MasterSlaveBindingSet>" BINDING("M", ""), 0},
        {"range-size", 0, "start=\"0\"><MasterSlaveBindingSet>" BINDING("M", ""), 0},
        {"range-size", 0, "end=\"99\"><MasterSlaveBindingSet>" BINDING("M", ""), 0},
        {"range-size", 0, "start=\"x\" end=\"99\"><MasterSlaveBindingSet>" BINDING("M", ""), 0},
        {"range-size", 0, "start=\"99\" end=\"9\"><MasterSlaveBindingSet>" BINDING("M", ""), 0},
        {"range-size", 1, "start=\"-99\" end=\"-9\"><MasterSlaveBindingSet>" BINDING("M", ""), "spans 90 bytes"},
    };
    EXPECT(ROOT("<SlaveComponent name=\"M\" id=\"M\" size=\"16\" sizeUnit=\"B\"/><SlaveComponent name=\"N\" id=\"N\" "
                "size=\"8\" "
                "sizeUnit=\"B\"/><SlaveComponent name=\"U\" id=\"U\"/><Cache name=\"C\" id=\"C\" size=\"16\" "
                "sizeUnit=\"B\"/>",
                "<AddressSpaceSet><AddressSpace name=\"A\"><SubSpace name=\"s\" %s"
                "</MasterSlaveBindingSet></SubSpace></AddressSpace></AddressSpaceSet>"),
           rows);
}

static void accesses(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"access-type", 0, "rwType=\"R\" accessByteSize=\"1\"", 0},
        {"access-type", 0, "rwType=\"R\" accessByteSize=\"2\"", 0},
        {"access-type", 0, "rwType=\"R\" accessByteSize=\"4\"", 0},
        {"access-type", 0, "rwType=\"R\" accessByteSize=\"8\"", 0},
        {"access-type", 1, "rwType=\"R\" accessByteSize=\"0\"", "an accessByteSize of 0"},
        {"access-type", 1, "rwType=\"R\" accessByteSize=\"3\"", "an accessByteSize of 3"},
        {"access-type", 1, "rwType=\"R\" accessByteSize=\"16\"", "an accessByteSize of 16"},
        {"access-type", 1, "rwType=\"R\"", "'t' has no accessByteSize"},
        {"access-type", 1, "accessByteSize=\"4\"", "'t' has no rwType"},
    };
    EXPECT(ROOT("<AccessType name=\"t\" %s/>", ""), rows);
}

/* Core C has the access types r and w. */
static void performances_of_access_types(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"some-accesses", 0, "<Performance accessTypeRef=\"r\"/><Performance accessTypeRef=\"w\"/>", 0},
        {"some-accesses", 0, "<Performance accessTypeRef=\"w\"/><Performance accessTypeRef=\"r\"/>", 0},
        {"some-accesses", 1, "<Performance accessTypeRef=\"w\"/>",
         "1 of 3 AccessTypes of 'C' have no Performance here ('R')"},
        {"some-accesses", 1, "<Performance accessTypeRef=\"x\"/>",
         "2 of 3 AccessTypes of 'C' have no Performance here ('R')"},
        {"some-accesses", 1, "<Performance/><Performance accessTypeRef=\"r\"/>", "('W')"},
        {"some-accesses", 0, "", 0}, /* said of the whole file */
        {"no-access-type", 1, "<Performance/><Performance accessTypeRef=\"r\"/>", 0},
        {"no-access-type", 0, "<Performance accessTypeRef=\"r\"/>", 0},
    };
    EXPECT(ROOT("<MasterComponent name=\"C\" id=\"C\"><AccessTypeSet><AccessType name=\"R\" id=\"r\"/><AccessType "
                "name=\"W\" id=\"w\"/>"
                "<AccessType name=\"anonymous\"/></AccessTypeSet></MasterComponent>",
                "<Accessor masterComponentRef=\"C\"><PerformanceSet>%s</PerformanceSet></Accessor>"),
           rows);
}

/* Elements that SHIM does not know are named once, whatever they are called. */
static void strangers(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"unknown-element", 1, "<masterComponentRef>X</masterComponentRef>", "masterComponentRef is not allowed"},
        {"dangling-reference", 0, "<masterComponentRef>X</masterComponentRef>", 0},
        {"dangling-reference", 1, "<Cache><cacheRef>X</cacheRef></Cache>", "cacheRef 'X'"},
    };
    EXPECT(ROOT("%s", ""), rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles),    cmocka_unit_test(instructions),
        cmocka_unit_test(cores),     cmocka_unit_test(caches),
        cmocka_unit_test(names),     cmocka_unit_test(addresses),
        cmocka_unit_test(memories),  cmocka_unit_test(sizes_of_ranges),
        cmocka_unit_test(accesses),  cmocka_unit_test(performances_of_access_types),
        cmocka_unit_test(strangers),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
