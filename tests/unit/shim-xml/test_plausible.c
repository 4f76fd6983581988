/* The rules of plausibility: of each what breaks it, with its message, and what nearly does. Expected:
 * docs/formats/shim.md. */
#include "tests/unit/shim-xml/rows.h"

#define INSTRUCTIONS(name1, pitch1, latency1, name2, pitch2, latency2)                                                 \
    INSTRUCTION(name1, pitch1, latency1) INSTRUCTION(name2, pitch2, latency2)

static void names_of_instructions(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"unknown-instruction", 1, INSTRUCTION("ad", "1", "1"),
         "'ad' is not an instruction of LLVM; did you mean 'add'?"},
        {"unknown-instruction", 1, INSTRUCTION("sdvi", "1", "1"), "did you mean 'sdiv'?"},
        {"unknown-instruction", 1, INSTRUCTION("getelementptrs", "1", "1"), "did you mean 'getelementptr'?"},
        {"unknown-instruction", 1, INSTRUCTION("ADD", "1", "1"), "did you mean 'add'?"},
        {"unknown-instruction", 1, INSTRUCTION("ad.i32", "1", "1"),
         "'ad.i32' is not an instruction of LLVM; did you mean"},
        {"unknown-instruction", 0, INSTRUCTION("multiply_accumulate", "1", "1"), 0},
        {"other-instruction", 0, INSTRUCTION("ad", "1", "1"), 0},
        {"other-instruction", 1, INSTRUCTION("multiply_accumulate", "1", "1"),
         "'multiply_accumulate' is not an instruction of LLVM"},
        {"other-instruction", 1, INSTRUCTION("", "1", "1"), "'' is not an instruction"},
        {"unknown-instruction", 0, INSTRUCTION("add", "1", "1"), 0},
        {"unknown-instruction", 0, INSTRUCTION("add.i32", "1", "1"), 0},
        {"unknown-instruction", 0, INSTRUCTION("add_d", "1", "1"), 0},
        {"unknown-instruction", 0, INSTRUCTION("add.i32_d", "1", "1"), 0},
        {"unknown-instruction", 0, INSTRUCTION("extractivalue", "1", "1"), 0},
        {"unknown-instruction", 0, INSTRUCTION("call.llvm.fma.f64", "1", "1"), 0},
    };
    EXPECT(LIST("%s"), rows);
}

static void zeros(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"all-zero", 1, INSTRUCTIONS("add", "0", "0", "mul", "0", "0"),
         "all 2 instructions have a Pitch and Latency of 0 cycles"},
        {"all-zero", 1, INSTRUCTIONS("add", "0", "1", "mul", "0", "3"), "all 2 instructions have a Pitch of 0 cycles"},
        {"all-zero", 1, INSTRUCTIONS("add", "1", "0", "mul", "3", "0"), "all 2 instructions have a Latency of 0"},
        {"all-zero", 0, INSTRUCTIONS("add", "0", "1", "mul", "1", "0"), 0},
        {"all-zero", 0, INSTRUCTION("add", "0", "0"), 0},
        {"too-cheap", 0, INSTRUCTIONS("add", "0", "0", "mul", "0", "0"), 0}, /* one finding for one cause */
        {"too-cheap", 0, INSTRUCTIONS("add", "0", "1", "mul", "0", "3"), 0},
        {"pitch-above-latency", 0, INSTRUCTIONS("add", "1", "0", "mul", "3", "0"), 0},
    };
    EXPECT(LIST("%s"), rows);
}

static void cheap(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"too-cheap", 1, INSTRUCTION("add", "0", "1"), "'add' has a Pitch of 0 cycles, less than 1/16"},
        {"too-cheap", 1, INSTRUCTION("add", "0.06", "1"), "Pitch of 0.06"},
        {"too-cheap", 0, INSTRUCTION("add", "0.0625", "1"), 0},
        {"too-cheap", 1, INSTRUCTION("add", "1", "0"), "'add' has a Latency of 0 cycles, less than 1/16"},
        {"too-cheap", 0, INSTRUCTION("add", "0.1", "0.1"), 0}, /* while registers are renamed */
        {"too-cheap", 1, INSTRUCTION("mul", "0.38", "0.38"), "'mul' has a Latency of 0.38 cycles, less than 1"},
        {"too-cheap", 0, INSTRUCTION("mul", "0.38", "0.95"), 0},
        {"too-cheap", 1, INSTRUCTION("load.i32", "0.2", "0.2"), "'load.i32' has a Latency of 0.2 cycles"},
        {"too-cheap", 1, INSTRUCTION("store", "0", "0"), "'store' has a Pitch of 0"},
        {"too-cheap", 0, INSTRUCTION("store", "1", "0"), 0},   /* nothing waits for it */
        {"too-cheap", 0, INSTRUCTION("bitcast", "0", "0"), 0}, /* makes no code */
        {"too-cheap", 0, INSTRUCTION("icmp", "0", "0"), 0},    /* one instruction with the branch */
        {"too-cheap", 0, INSTRUCTION("add", "-1", "-1"), 0},   /* said otherwise */
        {"huge-cycles", 2, INSTRUCTION("add", "1e12", "1e12"), "/@typical is 1e12"},
        {"huge-cycles", 0, INSTRUCTION("add", "1e7", "1e7"), 0},
        {"huge-cycles", 2, INSTRUCTION("add", "10000001", "10000001"), 0},
    };
    EXPECT(LIST("%s"), rows);
}

static void pitches(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"pitch-above-latency", 1, INSTRUCTION("add", "50", "1"), "'add' has a Pitch of 50 and a Latency of 1 cycles"},
        {"pitch-above-latency", 1, INSTRUCTION("fence", "18.2", "1"), "'fence' has a Pitch of 18.2"},
        {"pitch-above-latency", 1, INSTRUCTION("load.i64", "3", "2"), "'load.i64'"},
        {"pitch-above-latency", 0, INSTRUCTION("sdiv", "20", "20"), 0},
        {"pitch-above-latency", 0, INSTRUCTION("add", "1.5", "1"), 0},  /* a loop around it */
        {"pitch-above-latency", 0, INSTRUCTION("store", "50", "1"), 0}, /* nothing waits for these */
        {"pitch-above-latency", 0, INSTRUCTIONS("br", "50", "1", "call", "50", "1"), 0},
        {"cost-order", 1, INSTRUCTIONS("mul", "1", "1", "add", "1", "2"),
         "'mul' has a Latency of 1 cycles, 'add' of 2"},
        {"cost-order", 1, INSTRUCTIONS("sdiv", "2", "2", "mul", "1", "3"),
         "'sdiv' has a Latency of 2 cycles, 'mul' of 3"},
        {"cost-order", 1, INSTRUCTIONS("fdiv", "2", "2", "fmul", "1", "3"), "'fdiv'"},
        {"cost-order", 1, INSTRUCTIONS("cmpxchg", "2", "2", "load", "1", "3"), "'cmpxchg'"},
        {"cost-order", 0, INSTRUCTIONS("mul", "1", "1.9", "add", "1", "2"), 0},
        {"cost-order", 0, INSTRUCTIONS("mul.i8", "1", "1", "add", "1", "2"), 0},
        {"cost-order", 0, INSTRUCTIONS("sub", "1", "1", "add", "1", "2"), 0},
        {"cost-order", 0, INSTRUCTION("mul", "1", "1"), 0},
        {"vector-cheaper", 1, INSTRUCTIONS("add.v4i32", "1", "1", "add.i32", "1", "2"),
         "'add.v4i32' on 4 lanes has a Latency of 1 cycles, on one (line 1) of 2"},
        {"vector-cheaper", 1, INSTRUCTIONS("add.v4i32", "0.2", "2", "add.i32", "0.5", "2"),
         "'add.v4i32' on 4 lanes has a Pitch of 0.2 cycles, on one (line 1) of 0.5"},
        {"vector-cheaper", 0, INSTRUCTIONS("add.v4i32", "0.46", "1.9", "add.i32", "0.5", "2"), 0},
        {"vector-cheaper", 0, INSTRUCTIONS("add.v4i32", "1", "1", "add.i64", "1", "2"), 0},
        {"vector-cheaper", 0, INSTRUCTIONS("add.v4i32", "1", "1", "sub.i32", "1", "2"), 0},
    };
    EXPECT(LIST("%s"), rows);
}

#define TWO(inner)                                                                                                     \
    "<shim:Shim xmlns:shim=\"http://www.multicore-association.org/2017/SHIM2.0/\" name=\"s\" shimVersion=\"2.0\">"     \
    "<FunctionalUnitSet><FunctionalUnit name=\"u\">" inner "</FunctionalUnit></FunctionalUnitSet></shim:Shim>"
#define WIDE(bits, lanes, latency)                                                                                     \
    "<Instruction operation=\"fadd\" inputBitWidth=\"" bits "\" outputBitWidth=\"" bits "\"" lanes                     \
    ">" COSTS("1", latency) "</Instruction>"

static void vectors_of_two(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"vector-cheaper", 1, WIDE("32", "", "4") WIDE("128", " SIMDWidth=\"4\"", "3"), "'fadd' on 4 lanes"},
        {"vector-cheaper", 0, WIDE("32", "", "4") WIDE("128", " SIMDWidth=\"4\"", "4"), 0},
        {"vector-cheaper", 0, WIDE("64", "", "4") WIDE("128", " SIMDWidth=\"4\"", "3"), 0},
        {"unknown-instruction", 1, "<Instruction operation=\"fad\"/>", "did you mean 'fadd'?"},
    };
    EXPECT(TWO("%s"), rows);
}

#define CACHE(name, type, size, inner)                                                                                 \
    "<Cache name=\"" name "\" id=\"" name "\" cacheType=\"" type "\" size=\"" size "\" sizeUnit=\"KiB\">" inner        \
    "</Cache>"
#define REF(id) "<cacheRef>" id "</cacheRef>"

static void caches(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"inner-larger", 1, CACHE("L2", "UNIFIED", "16", REF("L1")), "'L2' has 16 KiB, 'L1' inside it 32 KiB"},
        {"inner-larger", 0, CACHE("L2", "UNIFIED", "32", REF("L1")), 0},
        {"inner-larger", 0, CACHE("L2", "UNIFIED", "0", REF("L1")), 0},
        {"cache-kinds", 1, CACHE("L2", "DATA", "512", REF("I1")),
         "'L2' is of the type DATA, 'I1' inside it INSTRUCTION"},
        {"cache-kinds", 1, CACHE("L2", "INSTRUCTION", "512", REF("L1")), "'L1' inside it DATA"},
        {"cache-kinds", 0, CACHE("L2", "DATA", "512", REF("L1")), 0},
        {"cache-kinds", 0, CACHE("L2", "UNIFIED", "512", REF("L1") REF("I1")), 0},
        {"lonely-cache", 1, CACHE("L2", "UNIFIED", "512", ""),
         "cache 'L2' is in no core, refers to no cache, and no cache refers to it"},
        {"lonely-cache", 0, CACHE("L2", "UNIFIED", "512", REF("L1")), 0},
        {"lonely-cache", 0, CACHE("L2", "UNIFIED", "512", "") CACHE("L3", "UNIFIED", "512", REF("L2")), 0},
        {"doubled-reference", 1, CACHE("L2", "UNIFIED", "512", REF("L1") REF("L1") REF("L1")),
         "'L2' names 'L1' 3 times"},
        {"doubled-reference", 0, CACHE("L2", "UNIFIED", "512", REF("L1") REF("I1")), 0},
        {"inner-larger", 1, CACHE("L2", "UNIFIED", "16", REF("L1") REF("L1")), 0},
        {"zero-count", 1, "<Cache nWay=\"0\"/>", "Cache/@nWay is 0"},
        {"zero-count", 1, "<Cache lineSize=\"0\"/>", "Cache/@lineSize is 0"},
        {"zero-count", 1, "<Cache size=\"0\"/>", "Cache/@size is 0"},
        {"zero-count", 1, "<AccessType nBurst=\"0\"/>", "AccessType/@nBurst is 0"},
        {"zero-count", 1, "<MasterComponent nThread=\"0\"/>", "MasterComponent/@nThread is 0"},
        {"zero-count", 0, "<MasterComponent nThread=\"1\"/><Cache nWay=\"1\" lineSize=\"1\" size=\"1\"/>", 0},
        {"zero-count", 0, "<Cache nWay=\"-1\" lineSize=\"x\"/>", 0},
        {"pid", 1, "<MasterComponent name=\"D\" pid=\"-3\"/>", "pid '-3' of 'D' is not a processor's number"},
        {"pid", 1, "<MasterComponent pid=\"0x\"/>", 0},
        {"pid", 1, "<MasterComponent pid=\"8001h\"/>", 0},
        {"pid", 0, "<MasterComponent pid=\"0x8aF1\"/><MasterComponent pid=\"0\"/><MasterComponent pid=\"\"/>", 0},
        {"clock-range", 1, "<ClockFrequency clockValue=\"2.5\"/>", "a clock of 2.5 Hz"},
        {"clock-range", 1, "<ClockFrequency clockValue=\"2.5e12\"/>", "a clock of 2.5e+12 Hz"},
        {"clock-range", 1, "<ClockFrequency clockValue=\"0.5\"/>", "a clock of 0.5 Hz"},
        {"clock-range", 1, "<ClockFrequency clockValue=\"9999\"/>", "a clock of 9999 Hz"},
        {"clock-range", 0, "<ClockFrequency clockValue=\"1e4\"/><ClockFrequency clockValue=\"2e10\"/>", 0},
        {"clock-range", 1, "<ClockFrequency clockValue=\"2.01e10\"/>", "a clock of 2.01e+10 Hz"},
        {"clock-range", 0, "<ClockFrequency clockValue=\"32768\"/><ClockFrequency clockValue=\"1e10\"/>", 0},
        {"clock-range", 0, "<ClockFrequency clockValue=\"0\"/><ClockFrequency clockValue=\"-1\"/>", 0},
    };
    EXPECT(ROOT("<MasterComponent name=\"C\" id=\"C\">" CACHE("L1", "DATA", "32", "")
                    CACHE("I1", "INSTRUCTION", "32", "") "</MasterComponent>%s",
                ""),
           rows);
}

/* Caches that only stand beside cores that have none are no slip: nobody knows more of the machine. */
static void caches_without_cores(void **state)
{
    (void)state;
    static const struct row rows[] = {{"lonely-cache", 0, CACHE("L3", "UNIFIED", "512", ""), 0}};
    EXPECT(ROOT("<MasterComponent name=\"C\" id=\"C\"/>%s", ""), rows);
}

#define PERFORMANCE(type, pitch, latency)                                                                              \
    "<Performance accessTypeRef=\"" type "\"><Pitch typical=\"" pitch "\"/><Latency " latency "/></Performance>"
#define SET(inner)       "<PerformanceSet>" inner "</PerformanceSet>"
#define LEVEL(id, inner) "<!-- the cache " id " answers -->" SET(inner)
#define ACCESS(inner)    "<Accessor masterComponentRef=\"C\">" inner "</Accessor>"
#define READ(latency)    PERFORMANCE("r", "1", "typical=\"" latency "\"")

static const char frame[] = ROOT(
    "<SlaveComponent name=\"M\" id=\"M\" size=\"16\" sizeUnit=\"B\" rwType=\"RX\"/>"
    "<MasterComponent name=\"C\" id=\"C\" masterType=\"PU\"><CommonInstructionSet name=\"l\">" INSTRUCTION(
        "load", "1",
        "3") "</CommonInstructionSet>" CACHE("L1", "DATA", "32",
                                             "") "<AccessTypeSet><AccessType name=\"r\" id=\"r\" rwType=\"R\"/>"
                                                 "<AccessType name=\"w\" id=\"w\" rwType=\"W\"/><AccessType "
                                                 "name=\"rw\" id=\"rw\" rwType=\"RW\"/>"
                                                 "</AccessTypeSet></MasterComponent>"
                                                 "<MasterComponent name=\"D\" id=\"D\" masterType=\"PU\">" CACHE(
                                                     "D1", "DATA", "32",
                                                     "") "</MasterComponent>"
                                                         "<MasterComponent name=\"T\" id=\"T\" "
                                                         "masterType=\"TU\"/>" CACHE("L2", "UNIFIED", "512", REF("L1")),
    "<AddressSpaceSet><AddressSpace name=\"A\"><SubSpace name=\"s\" start=\"0\" end=\"15\"><MasterSlaveBindingSet>"
    "<MasterSlaveBinding slaveComponentRef=\"M\">%s</MasterSlaveBinding></MasterSlaveBindingSet></SubSpace>"
    "</AddressSpace></AddressSpaceSet>");

static void accesses(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"free-access", 1, ACCESS(SET(READ("0") READ("5"))), "an access has a Latency of 0 cycles"},
        {"free-access", 1, ACCESS(SET(PERFORMANCE("r", "0", "typical=\"9\"") READ("5"))), "a Pitch of 0 cycles"},
        {"free-access", 0, ACCESS(SET(READ("0.5"))), 0},
        {"all-zero", 1, ACCESS(SET(PERFORMANCE("r", "0", "typical=\"0\"") PERFORMANCE("rw", "0", "typical=\"0\""))),
         "all 2 accesses to memories cost 0 cycles"},
        {"free-access", 0, ACCESS(SET(PERFORMANCE("r", "0", "typical=\"0\"") PERFORMANCE("rw", "0", "typical=\"0\""))),
         0},
        {"access-rights", 1, ACCESS(SET(PERFORMANCE("w", "1", "typical=\"9\""))),
         "an access of the rwType W to 'M', which allows RX"},
        {"access-rights", 0, ACCESS(SET(PERFORMANCE("rw", "1", "typical=\"9\"") READ("9"))), 0},
        {"pitch-above-latency", 1, ACCESS(SET(PERFORMANCE("r", "50", "typical=\"9\""))),
         "reading has a Pitch of 50 and a Latency of 9 cycles"},
        {"pitch-above-latency", 0,
         ACCESS(SET(PERFORMANCE("r", "9", "typical=\"9\"") PERFORMANCE("rw", "50", "typical=\"9\""))), 0},
        {"no-accessor", 1, ACCESS(""), "core 'D' is the Accessor of no memory"},
        {"no-accessor", 0, ACCESS("") "<Accessor masterComponentRef=\"D\"/>", 0},
        {"no-accessor", 0, "", 0}, /* no core has one: nothing is said of them */
        {"doubled-accessor", 1, ACCESS("") ACCESS(""), "'C' is the Accessor of line 1 too"},
        {"doubled-accessor", 0, ACCESS("") "<Accessor masterComponentRef=\"D\"/>", 0},
        {"doubled-accessor", 0,
         ACCESS("") "</MasterSlaveBinding><MasterSlaveBinding slaveComponentRef=\"M\">" ACCESS(""), 0},
    };
    EXPECT(frame, rows);
}

static void levels(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"level-order", 1, ACCESS(SET(READ("2")) LEVEL("L1", READ("3"))),
         "the typical Latency of the memory is 2 cycles, that of L1 (line 1) 3"},
        {"level-order", 1, ACCESS(SET(READ("90")) LEVEL("L1", READ("3")) LEVEL("L2", READ("2"))),
         "the typical Latency of L2 is 2 cycles, that of L1"},
        {"level-order", 1, ACCESS(SET(READ("90")) LEVEL("L2", READ("2")) LEVEL("L1", READ("3"))), 0},
        {"level-order", 0, ACCESS(SET(READ("90")) LEVEL("L1", READ("3")) LEVEL("L2", READ("2.8"))), 0},
        {"level-order", 0, ACCESS(SET(READ("90")) LEVEL("L2", READ("15")) LEVEL("L1", READ("3"))), 0},
        {"level-order", 1,
         ACCESS(SET(PERFORMANCE("r", "1", "best=\"2\" typical=\"9\""))
                    LEVEL("L1", PERFORMANCE("r", "1", "best=\"3\" typical=\"3\""))),
         "the best Latency of the memory is 2 cycles"},
        {"level-order", 1,
         ACCESS(SET(PERFORMANCE("r", "1", "typical=\"9\" worst=\"9\""))
                    LEVEL("L1", PERFORMANCE("r", "1", "typical=\"3\" worst=\"90\""))),
         "the worst Latency of the memory is 9 cycles"},
        {"level-order", 0, ACCESS(SET(PERFORMANCE("w", "1", "typical=\"2\"")) LEVEL("L1", READ("3"))), 0},
        {"foreign-cache", 1, ACCESS(SET(READ("90")) LEVEL("D1", READ("3"))), "'C' does not reach the cache 'D1'"},
        {"foreign-cache", 0, ACCESS(SET(READ("90")) LEVEL("L1", READ("3")) LEVEL("L2", READ("15"))), 0},
        /* what accesses is no core: its caches are no strangers, and it has no instruction load */
        {"foreign-cache", 0, "<Accessor masterComponentRef=\"M\">" SET(READ("90")) LEVEL("D1", READ("3")) "</Accessor>",
         0},
        {"load-latency", 0, "<Accessor masterComponentRef=\"M\">" SET(READ("90")) LEVEL("L1", READ("5")) "</Accessor>",
         0},
        {"load-latency", 1, ACCESS(SET(READ("90")) LEVEL("L1", READ("5"))),
         "load has a Latency of 3 cycles, reading from L1 (line 1) 5 to 5"},
        {"load-latency", 1, ACCESS(SET(READ("90")) LEVEL("L1", READ("1"))), "reading from L1"},
        {"load-latency", 0, ACCESS(SET(READ("90")) LEVEL("L1", READ("3.3"))), 0},
        {"load-latency", 0, ACCESS(SET(READ("90")) LEVEL("L1", READ("1.5"))), 0},
        {"load-latency", 0, ACCESS(SET(READ("90")) LEVEL("L2", READ("15"))), 0},
        {"load-latency", 0, ACCESS(SET(READ("90"))), 0},
    };
    EXPECT(frame, rows);
}

/* Misspelt words of the schema, and ids. */
static void slips(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"unknown-element", 1, "<Cach/>", "Cach is not allowed in ComponentSet; did you mean 'Cache'?"},
        {"unknown-attribute", 1, "<Cache nways=\"1\"/>", "Cache has no attribute 'nways'; did you mean 'nWay'?"},
        {"value", 1, "<Cache cacheType=\"DTAA\"/>", "UNIFIED; did you mean 'DATA'?"},
        {"value", 1, "<Cache cacheType=\"unified\"/>", "did you mean 'UNIFIED'?"},
        {"dangling-reference", 1, "<Cache id=\"L1_0\"/><Cache><cacheRef>L1_O</cacheRef></Cache>",
         "; did you mean 'L1_0'?"},
        {"unknown-element", 1, "<Energy/>", "Energy is not allowed in ComponentSet"},
    };
    EXPECT(ROOT("%s", ""), rows);
}

static void far_from_all(void **state)
{
    (void)state;
    char *said = 0;
    assert_int_equal(times(ROOT("<Energy/>", ""), "unknown-element", &said), 1);
    assert_null(strstr(said, "did you mean"));
    free(said);
}

/* One finding for one cause. */
static void roots(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"root", 1, "<SystemConfigration name=\"s\"><Nothing/></SystemConfigration>",
         "the root is 'SystemConfigration', not SystemConfiguration; did you mean 'SystemConfiguration'?"},
        {"unknown-element", 0, "<SystemConfigration name=\"s\"><Nothing/></SystemConfigration>", 0},
        {"root", 1, "<Shim name=\"s\"><ComponentSet/></Shim>",
         "the root is that of SHIM 2.0, and ComponentSet in it is of SHIM 1.0"},
        {"unknown-element", 0, "<Shim name=\"s\"><ComponentSet/></Shim>", 0},
        {"root", 1, "<SystemConfiguration name=\"s\"><SystemConfiguration/></SystemConfiguration>",
         "the root is that of SHIM 1.0, and SystemConfiguration in it is of SHIM 2.0"},
        {"root", 0, "<SystemConfiguration name=\"s\"><Nothing/></SystemConfiguration>", 0},
        {"unknown-element", 1, "<SystemConfiguration name=\"s\"><Nothing/></SystemConfiguration>", 0},
    };
    EXPECT("%s", rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_instructions),
        cmocka_unit_test(zeros),
        cmocka_unit_test(cheap),
        cmocka_unit_test(pitches),
        cmocka_unit_test(vectors_of_two),
        cmocka_unit_test(caches),
        cmocka_unit_test(caches_without_cores),
        cmocka_unit_test(accesses),
        cmocka_unit_test(levels),
        cmocka_unit_test(slips),
        cmocka_unit_test(far_from_all),
        cmocka_unit_test(roots),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
