/* The rules of operating points and power: of each what breaks it, with its message, and what nearly does; numbers with
 * units. Expected: docs/formats/power.md. */
#include <math.h>

#include "shim-xml/document/quantity.h"
#include "tests/unit/shim-xml/rows.h"

#define SHIM(child)                                                                                                    \
    "<shim:Shim xmlns:shim=\"http://www.multicore-association.org/2017/SHIM2.0/\" name=\"s\" "                         \
    "shimVersion=\"2.0\">" child "</shim:Shim>"
#define POINT(name, frequency, voltage)                                                                                \
    "<OperatingPoint name=\"" name "\" id=\"OP_" name "\" frequency=\"" frequency "\" frequencyUnit=\"MHz\" " voltage  \
    "/>"
#define VOLT(v, unit)  "voltage=\"" v "\" voltageUnit=\"" unit "\""
#define POINTS(points) "<OperatingPointSet name=\"o\" id=\"OPS\">" points "</OperatingPointSet>"
#define SYSTEM                                                                                                         \
    SHIM("<SystemConfiguration><ComponentSet name=\"Top\" id=\"CS\"><MasterComponent name=\"Core\" id=\"MC\">"         \
         "<CommonInstructionSet name=\"i\"><FunctionalUnitSet><FunctionalUnit name=\"Alu\"/></FunctionalUnitSet>"      \
         "</CommonInstructionSet></MasterComponent></ComponentSet><FrequencyVoltageSet>" POINTS(                       \
             POINT("slow", "600", VOLT("900", "mV")) POINT("fast", "1400", VOLT("1200", "mV"))                         \
                 POINT("late", "1500", VOLT("800", "mV"))) "</FrequencyVoltageSet></SystemConfiguration>")
#define POWER_AT(point, power) "<PowerConsumption operatingPointRef=\"" point "\" " power "/>"
#define WATTS(v)               "power=\"" v "\" powerUnit=\"W\""
#define SET(who, values)                                                                                               \
    "<PowerConsumptionSet><PowerConsumerRef>" who "</PowerConsumerRef>" values "</PowerConsumptionSet>"

static int with_system(void **state)
{
    if (set_up(state))
        return 1;
    char *system = in_folder("system.xml");
    return file_write(system, SYSTEM, strlen(SYSTEM), 0) != OK;
}

static void points(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"voltage-range", 1, POINTS(POINT("a", "600", VOLT("0", "mV"))), "OperatingPoint/@voltage is 0 mV"},
        {"voltage-range", 1, POINTS(POINT("a", "600", VOLT("1200", "V"))), "is 1200 V"},
        {"voltage-range", 1, POINTS(POINT("a", "600", "voltage=\"900\"")), "@voltage 900 has no voltageUnit"},
        {"voltage-range", 0, POINTS(POINT("a", "600", VOLT("1", "mV"))), 0},
        {"voltage-range", 0, POINTS(POINT("a", "600", VOLT("1000", "V"))), 0},
        {"voltage-range", 0, POINTS(POINT("a", "600", "")), 0},
        {"point-order", 1, POINTS(POINT("a", "600", VOLT("900", "mV")) POINT("b", "700", VOLT("899", "mV"))),
         "'b' has a higher frequency than 'a' and a lower voltage"},
        {"point-order", 1, POINTS(POINT("b", "700", VOLT("899", "mV")) POINT("a", "600", VOLT("900", "mV"))),
         "'b' has a higher frequency than 'a'"},
        {"point-order", 1,
         POINTS(POINT("a", "600", VOLT("900", "mV")) POINT("b", "700", "") POINT("c", "800", VOLT("800", "mV"))),
         "'c' has a higher frequency than 'a'"},
        {"point-order", 0, POINTS(POINT("a", "600", VOLT("900", "mV")) POINT("b", "700", VOLT("900000", "uV"))), 0},
        {"point-order", 0, POINTS(POINT("a", "600", VOLT("900", "mV")) POINT("b", "600", VOLT("800", "mV"))), 0},
        {"point-order", 0,
         POINTS(POINT(
             "a", "600",
             VOLT("900", "mV"))) "<OperatingPointSet name=\"p\" id=\"P\"><OperatingPoint name=\"c\" frequency=\"700\" "
                                 "frequencyUnit=\"MHz\" voltage=\"800\" voltageUnit=\"mV\"/></OperatingPointSet>",
         0},
    };
    EXPECT(SHIM("<SystemConfiguration><FrequencyVoltageSet>%s</FrequencyVoltageSet></SystemConfiguration>"), rows);
}

static void powers(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"power-range", 1, SET("MC", POWER_AT("OP_fast", WATTS("0"))), "PowerConsumption/@power is 0 W"},
        {"power-range", 1, SET("MC", POWER_AT("OP_fast", WATTS("1000001"))), "is 1000001 W"},
        {"power-range", 1, SET("MC", POWER_AT("OP_fast", "power=\"5\"")), "@power 5 has no powerUnit"},
        {"power-range", 0, SET("MC", POWER_AT("OP_fast", WATTS("1000000"))), 0},
        {"power-range", 0, SET("MC", POWER_AT("OP_fast", "power=\"1\" powerUnit=\"pW\"")), 0},
        {"power-range", 0, SET("MC", POWER_AT("OP_fast", "")), 0},
        {"power-order", 1, SET("MC", POWER_AT("OP_fast", WATTS("1")) POWER_AT("OP_slow", WATTS("2"))),
         "at 'OP_fast' it takes less than at 'OP_slow', which is slower"},
        {"power-order", 0, SET("MC", POWER_AT("OP_slow", WATTS("2")) POWER_AT("OP_fast", WATTS("2"))), 0},
        {"power-order", 0, SET("MC", POWER_AT("OP_fast", WATTS("2")) POWER_AT("OP_late", WATTS("1"))),
         0}, /* at a lower voltage */
        {"power-order", 0, SET("MC", POWER_AT("OP_slow", WATTS("2"))) SET("CS", POWER_AT("OP_fast", WATTS("1"))), 0},
        {"power-reference", 1, SET("MX", POWER_AT("OP_fast", WATTS("1"))),
         "'MX' is neither a component nor a FunctionalUnit of the system"},
        {"power-reference", 1, SET("OP_fast", POWER_AT("OP_fast", WATTS("1"))), "'OP_fast' is neither a component"},
        {"power-reference", 1, SET("MC", POWER_AT("OPS", WATTS("1"))), "'OPS' is no OperatingPoint of the system"},
        {"power-reference", 0, SET("CS", POWER_AT("OP_slow", WATTS("1"))), 0},
        {"power-reference", 0, SET("Core", POWER_AT("slow", WATTS("1"))), 0},
        {"power-reference", 0, SET("Alu", POWER_AT("#OP_slow", WATTS("1"))), 0},
        {"doubled-power", 1, SET("MC", POWER_AT("OP_slow", WATTS("1")) POWER_AT("OP_slow", WATTS("1"))),
         "the power of 'MC' at 'OP_slow' is given before"},
        {"doubled-power", 1, SET("MC", POWER_AT("OP_slow", WATTS("1"))) SET("MC", POWER_AT("OP_slow", WATTS("2"))),
         "of 'MC'"},
        {"doubled-power", 0, SET("MC", POWER_AT("OP_slow", WATTS("1"))) SET("CS", POWER_AT("OP_slow", WATTS("2"))), 0},
        {"power-file", 0, SET("MC", POWER_AT("OP_slow", WATTS("1"))), 0},
    };
    EXPECT(SHIM("<PowerConfiguration systemConfigurationSrc=\"system.xml\">%s</PowerConfiguration>"), rows);
}

static void files(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"power-file", 1, "", "it does not say which system the power belongs to"},
        {"power-file", 1, "systemConfigurationSrc=\"../system.xml\"",
         "the system is in '../system.xml': only a file in the same folder or below is read"},
        {"power-file", 1, "systemConfigurationSrc=\"/etc/passwd\"", "only a file in the same folder or below"},
        {"power-file", 1, "systemConfigurationSrc=\"absent.xml\"", "'absent.xml' cannot be opened"},
        {"power-file", 1, "systemConfigurationSrc=\"f.xml\"", "'f.xml' is this file itself"},
        {"power-file", 0, "systemConfigurationSrc=\"system.xml\"", 0},
    };
    EXPECT(SHIM("<PowerConfiguration %s/>"), rows);
}

static void assert_reads(const struct quantity *q, const char *text, uint64_t expected)
{
    uint64_t v = 0;
    if (!quantity_read(q, &v, text) || v != expected)
        fail_msg("'%s' is read as %llu", text, (unsigned long long)v);
}

static void numbers_with_units(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",      "V",      "1",         "1 v",   "-1 V", "1.5.2 V",
                                        "1e3 V", "0.5 pV", "2000000 V", "nan V", "1 V x"};
    uint64_t v;
    assert_reads(&quantity_voltage, "0.9 V", 900000000000);
    assert_reads(&quantity_voltage, "1200mV", 1200000000000);
    assert_reads(&quantity_voltage, "1 pV", 1);
    assert_reads(&quantity_frequency, "1.4 GHz", 1400000000);
    assert_reads(&quantity_frequency, "32.768 kHz", 32768);
    assert_reads(&quantity_power, "0.41 W", 410000000000);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (quantity_read(&quantity_voltage, &v, wrong[i]))
            fail_msg("'%s' is read", wrong[i]);
    assert_false(quantity_read(&quantity_frequency, &v, "0.3 Hz"));
}

static void written_in_the_largest_unit(void **state)
{
    (void)state;
    struct shimxml_doc *d = shimxml_doc_new("OperatingPoint");
    struct shimxml_node *n = shimxml_root(d);
    quantity_set(&quantity_frequency, n, 2000000000);
    assert_string_equal(shimxml_get(n, "frequency"), "2");
    assert_string_equal(shimxml_get(n, "frequencyUnit"), "GHz");
    quantity_set(&quantity_frequency, n, 1400000001);
    assert_string_equal(shimxml_get(n, "frequency"), "1400000001");
    assert_string_equal(shimxml_get(n, "frequencyUnit"), "Hz");
    assert_true(quantity_of(&quantity_frequency, n) == 1400000001.0);
    quantity_set(&quantity_voltage, n, 900000000000);
    assert_string_equal(shimxml_get(n, "voltage"), "900");
    assert_true(fabs(quantity_of(&quantity_voltage, n) - 0.9) < 1e-12);
    assert_true(isnan(quantity_of(&quantity_power, n)));
    shimxml_set(n, "frequencyUnit", 0);
    assert_true(quantity_of(&quantity_frequency, n) == 1400000001.0);
    shimxml_set(n, "voltageUnit", 0);
    assert_true(isnan(quantity_of(&quantity_voltage, n)));
    shimxml_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points),
        cmocka_unit_test(powers),
        cmocka_unit_test(files),
        cmocka_unit_test(numbers_with_units),
        cmocka_unit_test(written_in_the_largest_unit),
    };
    return cmocka_run_group_tests(tests, with_system, remove_folder);
}
