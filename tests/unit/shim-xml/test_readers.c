/* What the reference tools want, rule by rule, and how often a document breaks it. Expected: readers.def, readers2.def.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/str.h"
#include "shim-xml/shimxml.h"

struct row {
    const char *rule;
    size_t n;         /* places that break it */
    const char *part; /* what stands in the frame */
    const char *said; /* in the text of the first; NULL: nothing of interest */
};

static void expect(const char *before, const char *after, const struct row *row)
{
    struct shimxml_doc *d;
    struct shimxml_verdicts v;
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    bool known = false;
    str_addf(&text, "%s%s%s", before, row->part, after);
    if (shimxml_parse(&d, str_text(&text), text.len, "test", &e))
        fail_msg("%s: %s", row->part, e.message);
    shimxml_check_readers(d, &v);
    for (size_t i = 0; i < v.n; i++) {
        if (strcmp(v.at[i].rule, row->rule) != 0)
            continue;
        known = true;
        if (v.at[i].n != row->n)
            fail_msg("%s: [%s] %zu places (%s), expected %zu", row->part, row->rule, v.at[i].n,
                     v.at[i].text ? v.at[i].text : "-", row->n);
        if (row->said && !(v.at[i].text && strstr(v.at[i].text, row->said)))
            fail_msg("%s: '%s', expected '%s'", row->part, v.at[i].text ? v.at[i].text : "-", row->said);
    }
    assert_true(known);
    shimxml_verdicts_release(&v);
    shimxml_free(d);
    str_release(&text);
}

#define PERFORMANCES(a, b) "<Performance accessTypeRef=\"" a "\"/><Performance accessTypeRef=\"" b "\"/>"
#define ACCESSOR(performances)                                                                                         \
    "<AddressSpaceSet><AddressSpace><SubSpace start=\"0\" end=\"4294967296\"><Accessor masterComponentRef=\"C\">"      \
    "<PerformanceSet>" performances "</PerformanceSet></Accessor></SubSpace></AddressSpace></AddressSpaceSet>"
#define RANGE(start, end) "<AddressSpaceSet><SubSpace start=\"" start "\" end=\"" end "\"/></AddressSpaceSet>"

/* Core C has the access types r and w. */
static void of_one(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"processing-unit", 0, "", 0},
        {"memory", 1, "", "there is none"},
        {"memory", 0, "<SlaveComponent/>", 0},
        {"address-space", 1, "", "there is none"},
        {"address-space", 0, "<AddressSpaceSet/>", 0},
        {"performances", 0, ACCESSOR(PERFORMANCES("r", "w")), 0},
        {"performances", 0, ACCESSOR(PERFORMANCES("w", "r")), 0},
        {"performances", 1, ACCESSOR(PERFORMANCES("r", "r")), "2 Performances for AccessType 'R'"},
        {"performances", 1, ACCESSOR(PERFORMANCES("r", "x")), "0 Performances for AccessType 'W'"},
        {"performances", 1, ACCESSOR("<Performance/>"), "0 Performances for AccessType 'R'"},
        {"addresses", 0, ACCESSOR(""), 0},
        {"addresses", 0, RANGE("4294967295", "4294967295"), 0},
        {"addresses", 1, RANGE("4294967296", "4294967296"), "the lowest 4 GiB"},
        {"addresses", 1, RANGE("0", "4294967297"), 0},
        {"addresses", 1, RANGE("-1", "5"), 0},
        {"addresses", 1, RANGE("0", "-5"), 0},
        {"read-and-write", 0, "<AccessType rwType=\"R\"/><AccessType rwType=\"W\"/><AccessType/>", 0},
        {"read-and-write", 1, "<AccessType rwType=\"RW\"/>", "reading and writing"},
        {"read-and-write", 2, "<AccessType rwType=\"RWX\"/><AccessType rwType=\"RW\"/>", 0},
        {"references", 1, "<MasterSlaveBinding slaveComponentRef=\"X\"/>", "'X'"},
        {"names", 1, "<Cache name=\"a b\"/>", "'a b'"},
        {"unique-names", 1, "<Cache name=\"a\"/><Cache name=\"a\"/>", "'a'"},
        {"access-types", 0, "<AccessType name=\"a\" rwType=\"R\" accessByteSize=\"4\"/>", 0},
        {"access-types", 1, "<AccessType name=\"a\" rwType=\"R\" accessByteSize=\"16\"/>", "16"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect("<SystemConfiguration shimVersion=\"1.0\"><MasterComponent id=\"C\" masterType=\"PU\"><AccessTypeSet>"
               "<AccessType name=\"R\" id=\"r\" rwType=\"R\" accessByteSize=\"4\"/>"
               "<AccessType name=\"W\" id=\"w\" rwType=\"W\" accessByteSize=\"4\"/></AccessTypeSet></MasterComponent>",
               "</SystemConfiguration>", &rows[i]);
    static const struct row none = {"processing-unit", 1, "<MasterComponent masterType=\"TU\"/>", "there is none"};
    expect("<SystemConfiguration shimVersion=\"1.0\">", "</SystemConfiguration>", &none);
}

static void of_two(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"processing-unit", 1, "<MasterComponent masterType=\"TU\"/>", "there is none"},
        {"processing-unit", 0, "<MasterComponent masterType=\"PU\"/>", 0},
        {"frequency", 0, "<MasterComponent masterType=\"TU\"/><MasterComponent/>", 0},
        {"frequency", 0, "<MasterComponent masterType=\"PU\" operatingPointRef=\"fast\"/>", 0},
        {"frequency", 1, "<MasterComponent masterType=\"PU\"/>", "it names no OperatingPoint"},
        {"frequency", 1, "<MasterComponent masterType=\"PU\" operatingPointRef=\"still\"/>", "has no frequency"},
        {"frequency", 1, "<MasterComponent masterType=\"PU\" operatingPointRef=\"points\"/>", "has no frequency"},
        {"units", 0, "<FunctionalUnitSet><FunctionalUnit/></FunctionalUnitSet>", 0},
        {"units", 1, "<FunctionalUnitSet><FunctionalUnit/><FunctionalUnit/></FunctionalUnitSet>", "several"},
        {"units", 0, "<FunctionalUnitSet/>", 0},
        {"units", 1, "<CustomInstruction/>", "CustomInstruction"},
        {"operation", 1, "<Instruction operation=\"add\"/>", "an operation"},
        {"operation", 0, "<Instruction name=\"add\"/><Cache operation=\"add\"/>", 0},
        {"editor-parts", 0, "<Instruction name=\"add\"/>", 0},
        {"editor-parts", 1, "<CustomInstruction/>", "CustomInstruction"},
        {"editor-parts", 1, "<VendorExtension/>", "VendorExtension"},
        {"editor-parts", 1, "<PowerConsumerRef/>", "PowerConsumerRef"},
        {"editor-parts", 1, "<Instruction SIMDWidth=\"4\"/>", "SIMDWidth"},
        {"editor-sizes", 0, "<Cache size=\"2147483647\"/>", 0},
        {"editor-sizes", 1, "<Cache size=\"2147483648\"/>", "2147483648"},
        {"editor-spaces", 1, "<AddressSpaceSet><SubSpace/></AddressSpaceSet>", "without a MasterSlaveBindingSet"},
        {"editor-spaces", 0, "<AddressSpaceSet><SubSpace><MasterSlaveBindingSet/></SubSpace></AddressSpaceSet>", 0},
        {"editor-spaces", 1, "", "there is no AddressSpaceSet"},
        {"references", 0, "<Note>bare</Note><Note a=\"b#\"/>", 0},
        {"references", 1, "<Note>#bare</Note>", "not a bare id"},
        {"references", 1, "<Note a=\"b\" c=\"#d\"/>", "not a bare id"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect("<shim:Shim xmlns:shim=\"http://www.multicore-association.org/2017/SHIM2.0/\" shimVersion=\"2.0\">"
               "<SystemConfiguration><OperatingPointSet id=\"points\"><OperatingPoint id=\"fast\" frequency=\"2\"/>"
               "<OperatingPoint id=\"still\" frequency=\"0\"/></OperatingPointSet>",
               "</SystemConfiguration></shim:Shim>", &rows[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_one),
        cmocka_unit_test(of_two),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
