/* What the schemas say, element by element: how often, in which words; SHIM 1.0, SHIM 2.0, and 2.0 as the SHIM Editor
 * writes it. Expected: the schemas, and docs/formats/shim.md. */
#include "tests/unit/shim-xml/rows.h"

#include "shim-xml/check/nearest.h"

#define WHOLE "%s"
#define XSI   "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
#define SHIM2 "xmlns:shim=\"http://www.multicore-association.org/2017/SHIM2.0/\" name=\"s\" shimVersion=\"2.0\""
/* SHIM 2.0, and what marks the Editor's form: the first element has the prefix too. */
#define TWO(inner)    "<shim:Shim " SHIM2 "><SystemConfiguration>" inner "</SystemConfiguration></shim:Shim>"
#define EDITOR(inner) "<shim:Shim " SHIM2 "><shim:SystemConfiguration>" inner "</shim:SystemConfiguration></shim:Shim>"
#define SET(inner)    "<ComponentSet name=\"T\" id=\"T\">" inner "</ComponentSet>"
#define UNITS(inner)                                                                                                   \
    "<ComponentSet name=\"T\" id=\"T\"><MasterComponent name=\"M\" id=\"M\" masterType=\"PU\" arch=\"a\">"             \
    "<CommonInstructionSet name=\"i\"><FunctionalUnitSet>" inner "</FunctionalUnitSet></CommonInstructionSet>"         \
    "</MasterComponent></ComponentSet>"
#define ACTS COSTS("1", "1")

/* Neither the name nor what it is held against may be longer than that: then nothing is offered. */
static void names_too_long_to_be_near(void **state)
{
    (void)state;
    char longest[NEAREST_LONGEST + 1], longer[NEAREST_LONGEST + 2], room[NEAREST_LONGEST + 40];
    memset(longest, 'a', NEAREST_LONGEST);
    memset(longer, 'a', NEAREST_LONGEST + 1);
    longest[NEAREST_LONGEST] = longer[NEAREST_LONGEST + 1] = 0;
    char other[NEAREST_LONGEST + 1];
    memcpy(other, longest, sizeof other);
    other[3] = 'b';
    struct nearest n = nearest_to(longest);
    nearest_try(&n, longer);
    assert_string_equal(nearest_say(&n, room, sizeof room), "");
    nearest_try(&n, other);
    assert_non_null(strstr(nearest_say(&n, room, sizeof room), other));
    n = nearest_to(longer);
    nearest_try(&n, longest);
    assert_string_equal(nearest_say(&n, room, sizeof room), "");
    n = nearest_to("");
    nearest_try(&n, "a");
    assert_string_equal(nearest_say(&n, room, sizeof room), "");
}

/* ---- SHIM 1.0 ---- */

static void attributes(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"unknown-attribute", 1, "sizeUnits=\"KiB\"", "Cache has no attribute 'sizeUnits'; did you mean 'sizeUnit'?"},
        {"unknown-attribute", 1, "writeBakc=\"x\"", "Cache has no attribute 'writeBakc'"},
        {"unknown-attribute", 2, "colour=\"x\" form=\"y\"", "Cache has no attribute 'form'"},
        {"unknown-attribute", 1, "nam=\"x\"", "Cache has no attribute 'nam'; did you mean 'name'?"},
        {"unknown-attribute", 0, "size=\"1\"", 0},
        {"value", 1, "sizeUnit=\"KB\"", "Cache/@sizeUnit is 'KB', expected one of"},
        {"value", 1, "size=\"one\"", "Cache/@size is 'one', expected"},
        {"missing-attribute", 1, "cacheCoherency=\"HARD\" size=\"1\" sizeUnit=\"B\"",
         "Cache needs the attribute 'cacheType'"},
        {"missing-attribute", 4, "", "Cache needs the attribute 'sizeUnit'"},
        {"missing-attribute", 0, "cacheType=\"DATA\" cacheCoherency=\"HARD\" size=\"1\" sizeUnit=\"B\"", 0},
    };
    EXPECT(ROOT("<Cache name=\"x\" id=\"X\" %s/>", ""), rows);
    static const struct row hints[] = {
        {"value", 1, "cacheType=\"DATE\"", "did you mean 'DATA'?"},
        {"value", 1, "cacheType=\"unified\"", "did you mean 'UNIFIED'?"},
        {"value", 1, "cacheType=\"INSTRUCTOIN\"", "did you mean 'INSTRUCTION'?"},
    };
    EXPECT(ROOT("<Cache name=\"x\" id=\"X\" %s/>", ""), hints);
}

/* Where the schema is may be said of any element, and nothing else of that namespace. */
static void schema_locations(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"unknown-attribute", 0, "xsi:noNamespaceSchemaLocation=\"shim.xsd\"", 0},
        {"unknown-attribute", 0, "xsi:schemaLocation=\"u shim.xsd\"", 0},
        {"unknown-attribute", 1, "xsi:nil=\"true\"", "'nil'"},
        {"unknown-attribute", 1, "xmlns:o=\"u\" o:schemaLocation=\"u\"", "'schemaLocation'"},
        {"unknown-attribute", 1, "schemaLocation=\"u\"", "'schemaLocation'"},
    };
    EXPECT("<SystemConfiguration " XSI "%s name=\"s\" shimVersion=\"1.0\"/>", rows);
}

static void elements(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"unknown-element", 1, "<Latancy typical=\"1\"/>",
         "Latancy is not allowed in Performance; did you mean 'Latency'?"},
        {"unknown-element", 1, "<Pich typical=\"1\"/>", "did you mean 'Pitch'?"},
        {"unknown-element", 2, "<Sound/><Sound/>", "Sound is not allowed in Performance"},
        {"missing-element", 3, "", "Performance needs a "},
        {"missing-element", 2, "<Latency typical=\"1\"/>", "Performance needs a Pitch"},
        {"missing-element", 1, "<Pitch typical=\"1\"/><Latency typical=\"1\"/>", "AccessTypeSet"}, /* the frame's */
        {"too-many", 1, "<Pitch typical=\"1\"/><Pitch typical=\"1\"/><Pitch typical=\"1\"/><Latency typical=\"1\"/>",
         "Performance may have one Pitch only"},
        {"too-many", 0, "<Pitch typical=\"1\"/><Sound/><Latency typical=\"1\"/>", 0},
        {"order", 1, "<Latency typical=\"1\"/><Pitch typical=\"1\"/>",
         "Pitch stands too late in Performance: the order is"},
        {"order", 0, "<Pitch typical=\"1\"/><Sound/><Latency typical=\"1\"/>", 0},
        {"order", 0, "<Pitch typical=\"1\"/><Latency typical=\"1\"/><Sound/>", 0},
        {"text", 1, "one<Pitch typical=\"1\"/><Latency typical=\"1\"/>", "Performance may not hold text"},
        {"text", 0, " \n\t<Pitch typical=\"1\"/><!-- two --><Latency typical=\"1\"/>", 0},
        {"text", 1, "<Pitch typical=\"1\"> </Pitch><Latency typical=\"1\"/>", "Pitch must be empty, without spaces"},
    };
    EXPECT(LIST("<Instruction name=\"add\"><Performance>%s</Performance></Instruction>"), rows);
}

static void references(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"value", 1, "X Y", "cacheRef holds 'X Y', expected"},
        {"value", 1, "#X", "cacheRef holds '#X', expected"}, /* the mark of the Editor has no place here */
        {"value", 0, " X ", 0},
        {"doubled-id", 0, "X", 0},
    };
    EXPECT(ROOT("<Cache name=\"x\" id=\"X\"/><Cache name=\"y\" id=\"Y\"><cacheRef>%s</cacheRef></Cache>", ""), rows);
    static const struct row ids[] = {
        {"doubled-id", 1, "X", "id 'X' is also that of line 1"},
        {"doubled-id", 0, "Y", 0},
    };
    EXPECT(ROOT("<Cache name=\"x\" id=\"X\"/><Cache name=\"y\" id=\"%s\"/>", ""), ids);
}

/* ---- roots and namespaces ---- */

static void roots(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"root", 1, "<SystemConfigurations name=\"s\" shimVersion=\"1.0\"/>",
         "the root is 'SystemConfigurations', not SystemConfiguration; did you mean 'SystemConfiguration'?"},
        {"root", 1, "<Something/>", "the root is 'Something', not SystemConfiguration"},
        {"root", 1, "<shim:SystemConfiguration " SHIM2 "/>",
         "the root is 'SystemConfiguration' in the namespace of SHIM 2.0, whose root is Shim"},
        {"root", 1, "<shim:Shin " SHIM2 "/>", "the root is 'Shin', not Shim; did you mean 'Shim'?"},
        {"root", 0, "<shim:Shim " SHIM2 "/>", 0},
        {"version", 1, "<SystemConfiguration name=\"s\" shimVersion=\"1.1\"/>", "shimVersion is '1.1'"},
        {"version", 0, "<SystemConfiguration name=\"s\" shimVersion=\"1.0\"/>", 0},
        {"version", 0, "<SystemConfiguration name=\"s\"/>", 0},
        {"namespace", 1, "<SystemConfiguration xmlns=\"u\" name=\"s\" shimVersion=\"1.0\"/>",
         "SystemConfiguration stands in the namespace 'u'"},
        {"namespace", 0, "<SystemConfiguration name=\"s\" shimVersion=\"1.0\"/>", 0},
        {"namespace", 1, "<SystemConfiguration xmlns=\"u\"><ComponentSet name=\"T\"/></SystemConfiguration>", 0},
        {"namespace", 1,
         "<SystemConfiguration><ComponentSet xmlns=\"u\" name=\"T\"><Cache/></ComponentSet></SystemConfiguration>",
         "ComponentSet is in the namespace 'u'"},
        {"namespace", 1,
         "<shim:Shim xmlns:shim=\"http://www.multicore-association.org/2017/SHIM2.0/\" shim:name=\"s\" "
         "shim:shimVersion=\"2.0\"/>",
         "attributes are in a namespace, beginning with 'name'"},
    };
    EXPECT(WHOLE, rows);
}

/* ---- SHIM 2.0 and the Editor's form ---- */

/* The attributes that the Editor does not know are missing in files of the schema alone. */
static void what_the_editor_lacks(void **state)
{
    (void)state;
    static const struct {
        const char *part;
        size_t two, editor; /* missing attributes, in each form */
    } rows[] = {
        {SET(""), 0, 0},
        {"<ComponentSet name=\"T\"/>", 1, 0},
        {"<ComponentSet id=\"T\"/>", 1, 1},
        {SET("<Cache name=\"c\" cacheType=\"DATA\" cacheCoherency=\"HARDWARE\" size=\"1\" sizeUnit=\"B\"/>"), 1, 0},
        {SET("<Cache id=\"C\" cacheType=\"DATA\" cacheCoherency=\"HARDWARE\" size=\"1\" sizeUnit=\"B\"/>"), 1, 1},
        {SET("<Cache name=\"c\" cacheType=\"DATA\" cacheCoherency=\"HARDWARE\" size=\"1\"/>"), 2, 1},
        {SET("<SlaveComponent name=\"r\" size=\"1\" sizeUnit=\"B\" rwType=\"R\"/>"), 1, 1},
        {UNITS("<FunctionalUnit/>"), 1, 0},
        {UNITS("<FunctionalUnit name=\"u\"/>"), 0, 0},
        {UNITS("<FunctionalUnit name=\"u\"><Instruction name=\"add\">" ACTS "</Instruction></FunctionalUnit>"), 3, 0},
        {UNITS("<FunctionalUnit name=\"u\"><Instruction operation=\"add\">" ACTS "</Instruction></FunctionalUnit>"), 2,
         0},
        {UNITS("<FunctionalUnit name=\"u\"><Instruction operation=\"add\" inputBitWidth=\"1\" outputBitWidth=\"1\">"
               "<Performance><Pitch/><Latency typical=\"1\"/></Performance></Instruction></FunctionalUnit>"),
         1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *said = 0;
        char *two = xasprintf(TWO("%s"), rows[i].part), *editor = xasprintf(EDITOR("%s"), rows[i].part);
        assert_int_equal(times(two, "editor-form", &said), 0);
        assert_int_equal(times(editor, "editor-form", &said), 1);
        if (times(two, "missing-attribute", &said) != rows[i].two)
            fail_msg("row %zu, the schema's: %s", i, said ? said : "nothing");
        if (times(editor, "missing-attribute", &said) != rows[i].editor)
            fail_msg("row %zu, the Editor's: %s", i, said ? said : "nothing");
        free(said);
        free(two);
        free(editor);
    }
}

/* Elements that the Editor leaves out of three of them are not missing there; in others they are. */
static void what_the_editor_leaves_open(void **state)
{
    (void)state;
    static const struct {
        const char *part;
        size_t two, editor; /* missing elements, in each form */
    } rows[] = {
        {SET(""), 1, 0}, /* FrequencyVoltageSet */
        {SET("") "<FrequencyVoltageSet/>", 2, 0},
        {SET("") "<FrequencyVoltageSet><FrequencyDomain name=\"f\" id=\"F\"/></FrequencyVoltageSet>", 1, 0},
        {SET("") "<FrequencyVoltageSet/><ContentionGroupSet/>", 3, 0},
        {SET("") "<FrequencyVoltageSet/><ContentionGroupSet><ContentionGroup id=\"G\" "
                 "name=\"g\"/></ContentionGroupSet>",
         3, 1},
        {UNITS(""), 3, 2}, /* and AccessTypeSet, FunctionalUnit */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *said = 0;
        char *two = xasprintf(TWO("%s"), rows[i].part), *editor = xasprintf(EDITOR("%s"), rows[i].part);
        size_t n = times(two, "missing-element", &said);
        if (n != rows[i].two)
            fail_msg("row %zu, the schema's: %zu: %s", i, n, said ? said : "nothing");
        n = times(editor, "missing-element", &said);
        if (n != rows[i].editor)
            fail_msg("row %zu, the Editor's: %zu: %s", i, n, said ? said : "nothing");
        free(said);
        free(two);
        free(editor);
    }
}

/* In the Editor's form the order is free, the number is not. */
static void order_and_number(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"order", 0, "<Latency typical=\"1\"/><Pitch typical=\"1\"/>", 0},
        {"missing-element", 1, "<Latency typical=\"1\"/><Pitch typical=\"1\"/>", "AccessTypeSet"}, /* the frame's */
        {"missing-element", 2, "<Latency typical=\"1\"/>", "Performance needs a Pitch"},
        {"too-many", 1, "<Pitch typical=\"1\"/><Latency typical=\"1\"/><Pitch typical=\"1\"/>",
         "Performance may have one Pitch only"},
        {"too-many", 0, "<Pitch typical=\"1\"/><Latency typical=\"1\"/>", 0},
        {"unknown-element", 1, "<Pitch typical=\"1\"/><Latency typical=\"1\"/><Sound/>", "Sound"},
    };
    EXPECT(EDITOR(UNITS("<FunctionalUnit name=\"u\"><Instruction operation=\"add\"><Performance>%s</Performance>"
                        "</Instruction></FunctionalUnit>")),
           rows);
}

/* One of several kinds: none is missing, two are too many. */
static void choices(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"missing-element", 1, "",
         "Shim needs a SystemConfiguration or a PowerConfiguration or a VendorExtension or a "
         "FunctionalUnitSet"},
        {"missing-element", 0, "<PowerConfiguration/>", 0},
        {"missing-element", 0, "<VendorExtension/>", 0},
        {"too-many", 0, "<PowerConfiguration/>", 0},
        {"too-many", 1, "<PowerConfiguration/><VendorExtension/>",
         "Shim may have one kind only, PowerConfiguration or VendorExtension"},
        {"too-many", 1, "<PowerConfiguration/><PowerConfiguration/>", "Shim may have one PowerConfiguration only"},
        {"order", 0, "<VendorExtension/><PowerConfiguration/>", 0}, /* said already: one kind only */
    };
    EXPECT("<shim:Shim " SHIM2 ">%s</shim:Shim>", rows);
    static const struct row communications[] = {
        {"too-many", 0, "<EventCommunication name=\"e\"/><EventCommunication name=\"f\"/>", 0},
        {"too-many", 1, "<EventCommunication name=\"e\"/><InterruptCommunication name=\"f\"/>",
         "CommunicationSet may have one kind only, EventCommunication or InterruptCommunication"},
        {"missing-element", 1, "", 0}, /* the FrequencyVoltageSet behind it */
    };
    EXPECT(TWO(SET("") "<CommunicationSet>%s</CommunicationSet>"), communications);
}

/* References as the Editor writes them: "#ID", or a path. */
static void editors_references(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"value", 0, "#C", 0},
        {"value", 0, "#//@systemConfiguration/@componentSet/@cache.0", 0},
        {"value", 1, "#C D", "CacheRef holds '#C D', expected"},
        {"value", 1, "#/@x y", "CacheRef holds '#/@x y', expected"},
        {"value", 1, "", "CacheRef holds '', expected"},
    };
    EXPECT(EDITOR(SET("<Cache name=\"c\" id=\"C\"/><Cache name=\"d\" id=\"D\"><CacheRef>%s</CacheRef></Cache>")), rows);
}

/* The mark is one of references: a number or a word has none. */
static void no_mark_elsewhere(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"value", 1, "size=\"#1\"", "Cache/@size is '#1', expected"},
        {"value", 0, "size=\"1\"", 0},
        {"value", 1, "cacheType=\"#//@DATA\"", "Cache/@cacheType is '#//@DATA', expected one of"},
    };
    EXPECT(EDITOR(SET("<Cache name=\"c\" id=\"C\" %s/>")), rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes),
        cmocka_unit_test(schema_locations),
        cmocka_unit_test(elements),
        cmocka_unit_test(references),
        cmocka_unit_test(roots),
        cmocka_unit_test(what_the_editor_lacks),
        cmocka_unit_test(what_the_editor_leaves_open),
        cmocka_unit_test(order_and_number),
        cmocka_unit_test(choices),
        cmocka_unit_test(editors_references),
        cmocka_unit_test(no_mark_elsewhere),
        cmocka_unit_test(names_too_long_to_be_near),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
