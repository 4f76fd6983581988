/* One fault at a time put into a document that has every element of SHIM 1.0; the expected verdicts are those of the
 * schema (shim.xsd) and, beyond it, of docs/formats/shim.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "shim-xml/document/schema.h"
#include "shim-xml/shimxml.h"
#include "tests/unit/folder.h"

static const char good[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"                                /* 1 */
    "<SystemConfiguration name=\"s\" shimVersion=\"1.0\">\n"                                         /* 2 */
    "    <!-- kept -->\n"                                                                            /* 3 */
    "    <ComponentSet name=\"Top\">\n"                                                              /* 4 */
    "        <SlaveComponent name=\"Ram\" id=\"SC\" size=\"1\" sizeUnit=\"GiB\" rwType=\"RWX\"/>\n"  /* 5 */
    "        <MasterComponent name=\"Core\" id=\"MC\" masterType=\"PU\" arch=\"a\" nThread=\"1\">\n" /* 6 */
    "            <CommonInstructionSet name=\"LLVM Instructions\">\n"                                /* 7 */
    "                <Instruction name=\"add\">\n"                                                   /* 8 */
    "                    <Performance>\n"                                                            /* 9 */
    "                        <Pitch best=\"0.5\" typical=\"1.0\" worst=\"2.0\"/>\n"                  /* 10 */
    "                        <Latency typical=\"1.5\"/>\n"                                           /* 11 */
    "                    </Performance>\n"                                                           /* 12 */
    "                </Instruction>\n"                                                               /* 13 */
    "            </CommonInstructionSet>\n"                                                          /* 14 */
    "            <Cache name=\"L1\" id=\"C1\" cacheType=\"DATA\" cacheCoherency=\"HARD\" size=\"32\" sizeUnit=\"KiB\" "
    "nWay=\"4\" lineSize=\"64\"/>\n"                                                            /* 15 */
    "            <ClockFrequency clockValue=\"1.0E9\"/>\n"                                      /* 16 */
    "            <AccessTypeSet>\n"                                                             /* 17 */
    "                <AccessType name=\"Load\" id=\"AT\" rwType=\"R\" accessByteSize=\"4\"/>\n" /* 18 */
    "            </AccessTypeSet>\n"                                                            /* 19 */
    "        </MasterComponent>\n"                                                              /* 20 */
    "        <MasterComponent name=\"Dma\" id=\"MD\" masterType=\"TU\" arch=\"b\">\n"           /* 21 */
    "            <AccessTypeSet>\n"                                                             /* 22 */
    "                <AccessType name=\"Read\" id=\"AD\" rwType=\"R\" accessByteSize=\"8\"/>\n" /* 23 */
    "            </AccessTypeSet>\n"                                                            /* 24 */
    "        </MasterComponent>\n"                                                              /* 25 */
    "        <Cache name=\"L2\" id=\"C2\" cacheType=\"UNIFIED\" cacheCoherency=\"HARD\" size=\"512\" "
    "sizeUnit=\"KiB\">\n"
    "            <cacheRef>C1</cacheRef>\n"                                                                /* 27 */
    "        </Cache>\n"                                                                                   /* 28 */
    "    </ComponentSet>\n"                                                                                /* 29 */
    "    <CommunicationSet>\n"                                                                             /* 30 */
    "        <SharedRegisterCommunication name=\"r\" dataSize=\"4\" dataSizeUnit=\"B\" nRegister=\"2\">\n" /* 31 */
    "            <ConnectionSet>\n"                                                                        /* 32 */
    "                <Connection from=\"MC\" to=\"MD\"/>\n"                                                /* 33 */
    "            </ConnectionSet>\n"                                                                       /* 34 */
    "        </SharedRegisterCommunication>\n"                                                             /* 35 */
    "        <SharedMemoryCommunication name=\"m\" operationType=\"CAX\" addressSpaceRef=\"AS\" subSpaceRef=\"SS\"/>\n"
    "        <EventCommunication name=\"e\"/>\n"                                                       /* 37 */
    "        <FIFOCommunication name=\"f\" dataSize=\"4\" queueSize=\"2\"/>\n"                         /* 38 */
    "        <InterruptCommunication name=\"i\"/>\n"                                                   /* 39 */
    "    </CommunicationSet>\n"                                                                        /* 40 */
    "    <AddressSpaceSet>\n"                                                                          /* 41 */
    "        <AddressSpace name=\"Space\" id=\"AS\">\n"                                                /* 42 */
    "            <SubSpace name=\"Low\" id=\"SS\" start=\"0\" end=\"1073741823\" endian=\"LITTLE\">\n" /* 43 */
    "                <MemoryConsistencyModel rawOrdering=\"ORDERD\"/>\n"                               /* 44 */
    "                <MasterSlaveBindingSet>\n"                                                        /* 45 */
    "                    <MasterSlaveBinding slaveComponentRef=\"SC\">\n"                              /* 46 */
    "                        <Accessor masterComponentRef=\"MC\">\n"                                   /* 47 */
    "                            <PerformanceSet>\n"                                                   /* 48 */
    "                                <Performance accessTypeRef=\"AT\">\n"                             /* 49 */
    "                                    <Pitch typical=\"1.0\"/>\n"                                   /* 50 */
    "                                    <Latency typical=\"3.0\"/>\n"                                 /* 51 */
    "                                </Performance>\n"                                                 /* 52 */
    "                            </PerformanceSet>\n"                                                  /* 53 */
    "                        </Accessor>\n"                                                            /* 54 */
    "                    </MasterSlaveBinding>\n"                                                      /* 55 */
    "                </MasterSlaveBindingSet>\n"                                                       /* 56 */
    "            </SubSpace>\n"                                                                        /* 57 */
    "        </AddressSpace>\n"                                                                        /* 58 */
    "    </AddressSpaceSet>\n"                                                                         /* 59 */
    "    <ClockFrequency clockValue=\"1.0E8\"/>\n"                                                     /* 60 */
    "</SystemConfiguration>\n";

static char *path;

static int set_up(void **state)
{
    if (make_folder(state))
        return 1;
    path = in_folder("f.xml");
    return 0;
}

static struct shimxml_doc *read_text(const char *text)
{
    struct shimxml_doc *d = 0;
    struct error e = ERROR_INIT;
    assert_int_equal(file_write(path, text, strlen(text), 0), OK);
    if (shimxml_read(&d, path, &e))
        fail_msg("refused: %s", e.message);
    return d;
}

/* `good` with the first occurrence of `from` replaced. */
static char *with(const char *from, const char *to)
{
    const char *at = strstr(good, from);
    if (!at)
        fail_msg("'%s' is not in the document", from);
    return xasprintf("%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
}

static void good_is_good(void **state)
{
    (void)state;
    struct shimxml_doc *d = read_text(good);
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    for (size_t i = 0; i < f.n; i++)
        fail_msg("line %lu [%s]: %s", f.at[i].line, f.at[i].rule, f.at[i].text);
    shimxml_findings_release(&f);
    shimxml_free(d);
}

struct fault {
    const char *from, *to, *rule;
    unsigned long line;
};
static const struct fault faults[] = {
    /* what the schema says */
    {"shimVersion=\"1.0\"", "", "missing-attribute", 2},
    {"name=\"Top\"", "name=\"Top\" colour=\"red\"", "unknown-attribute", 4},
    {"    <ClockFrequency clockValue=\"1.0E8\"/>\n", "", "missing-element", 2},
    {"                        <Pitch best=\"0.5\" typical=\"1.0\" worst=\"2.0\"/>\n", "", "missing-element", 9},
    {"<Latency typical=\"1.5\"/>", "<Latency best=\"1.5\"/>", "missing-attribute", 11},
    {"                        <Latency typical=\"1.5\"/>\n", "", "missing-element", 9},
    {"<Latency typical=\"1.5\"/>", "<Latency typical=\"1.5\"/><Latency typical=\"1.5\"/>", "too-many", 11},
    {"<EventCommunication name=\"e\"/>", "<Sound/>", "unknown-element", 37},
    {"<!-- kept -->", "text", "text", 2},
    {"size=\"1\" ", "size=\"4294967296\" ", "value", 5},
    {"size=\"1\" ", "size=\"1.0\" ", "value", 5},
    {"sizeUnit=\"GiB\"", "sizeUnit=\"GB\"", "value", 5},
    {"typical=\"1.5\"", "typical=\"1,5\"", "value", 11},
    {"typical=\"1.5\"", "typical=\"inf\"", "value", 11},
    {"typical=\"1.5\"", "typical=\"0x1p3\"", "value", 11},
    {"typical=\"1.5\"", "typical=\"\"", "value", 11},
    {"end=\"1073741823\"", "end=\"0x3fffffff\"", "value", 43},
    {"end=\"1073741823\"", "end=\"9223372036854775808\"", "value", 43},
    {"rawOrdering=\"ORDERD\"", "rawOrdering=\"ORDERED\"", "value", 44},
    {"rwType=\"RWX\"", "rwType=\"R W\"", "value", 5},
    {"id=\"SC\"", "id=\"1SC\"", "value", 5},
    {"<cacheRef>C1</cacheRef>", "<cacheRef>C1 C2</cacheRef>", "value", 27},
    {"<cacheRef>C1</cacheRef>", "<cacheRef></cacheRef>", "value", 27},
    {"id=\"AD\"", "id=\"AT\"", "doubled-id", 23},
    {"id=\"AD\"", "id=\" AT \"", "doubled-id", 23},
    {"id=\"AD\"", "id=\"\xef\xbc\x91\"", "value", 23}, /* a full-width digit does not begin a name */
    {"size=\"1\" ", "size=\" 1\" ", "value", 5},       /* which libxml2 refuses, though XML Schema does not */
    {"<Latency typical=\"1.5\"/>", "<Latency typical=\"1.5\"> </Latency>", "text", 11},
    {"<SystemConfiguration name=\"s\"", "<SystemConfiguration xmlns=\"u\" name=\"s\"", "namespace", 2},
    {"<AddressSpaceSet>", "<AddressSpaceSet xmlns=\"u\">", "namespace", 41},
    {"<SystemConfiguration name=\"s\"", "<SystemConfiguration xmlns:p=\"u\" p:b=\"1\" name=\"s\"", "unknown-attribute",
     2},
    /* what it cannot say */
    {"slaveComponentRef=\"SC\"", "slaveComponentRef=\"XX\"", "dangling-reference", 46},
    {"<cacheRef>C1</cacheRef>", "<cacheRef>XX</cacheRef>", "dangling-reference", 27},
    {"to=\"MD\"", "to=\"XX\"", "dangling-reference", 33},
    {"slaveComponentRef=\"SC\"", "slaveComponentRef=\"MC\"", "reference-kind", 46},
    {"subSpaceRef=\"SS\"", "subSpaceRef=\"AS\"", "reference-kind", 36},
    {"<cacheRef>C1</cacheRef>", "<cacheRef>SC</cacheRef>", "reference-kind", 27},
    {"accessTypeRef=\"AT\"", "accessTypeRef=\"AD\"", "reference-owner", 49},
    {"<cacheRef>C1</cacheRef>", "<cacheRef>C2</cacheRef>", "cache-ring", 27},
    {"typical=\"1.5\"", "typical=\"NaN\"", "not-finite", 11},
    {"typical=\"1.5\"", "typical=\"INF\"", "not-finite", 11},
    {"typical=\"1.5\"", "typical=\"-0.25\"", "negative-cycles", 11},
    {"best=\"0.5\"", "best=\"1.5\"", "best-typical-worst", 10},
    {"worst=\"2.0\"", "worst=\"0.75\"", "best-typical-worst", 10},
    {"start=\"0\" end=\"1073741823\"", "start=\"10\" end=\"9\"", "reversed-range", 43},
    {"size=\"32\"", "size=\"-32\"", "negative-size", 15},
    {"nWay=\"4\"", "nWay=\"3\"", "cache-geometry", 15},
    {"shimVersion=\"1.0\"", "shimVersion=\"2.0\"", "version", 2},
    {"typical=\"1.5\"", "typical=\"1e60\"", "not-finite", 11},
    {"size=\"32\" sizeUnit=\"KiB\" nWay=\"4\" lineSize=\"64\"",
     "size=\"3\" sizeUnit=\"KiB\" nWay=\"1\" lineSize=\"48\"", "cache-geometry", 15},
    {"end=\"1073741823\"", "end=\"1073741825\"", "range-size", 43},
    {" accessTypeRef=\"AT\"", "", "no-access-type", 49},
    {"to=\"MD\"", "to=\"MC\"", "self-connection", 33},
    {"name=\"Dma\" id=\"MD\"",
     "name=\"Other\" id=\"X\" pid=\"8\" masterType=\"OTHER\" arch=\"b\"><AccessTypeSet><AccessType "
     "name=\"a\" id=\"AX\"/></AccessTypeSet></MasterComponent><MasterComponent name=\"Dma\" id=\"MD\" pid=\"8\"",
     "doubled-pid", 21},
    {"<AddressSpace name=\"Space\" id=\"AS\">",
     "<AddressSpace name=\"Other\" id=\"AS\"/><AddressSpace name=\"Space\" id=\"AS2\">", "space-owner", 36},
    {"<AccessType name=\"Load\"",
     "<AccessType name=\"Wide\" id=\"AW\" rwType=\"R\" accessByteSize=\"16\"/><AccessType name=\"Load\"", "access-type",
     18},
    {"<AccessType name=\"Load\"",
     "<AccessType name=\"Byte\" id=\"AW\" rwType=\"R\" accessByteSize=\"1\"/><AccessType name=\"Load\"",
     "some-accesses", 47},
    {"rwType=\"R\" accessByteSize=\"4\"", "accessByteSize=\"4\"", "access-type", 18},
    {"name=\"add\"", "name=\"fptoui\"", "reference-list", 7},
    {"name=\"add\"", "name=\"extractivalue\"", "reference-list", 7},
    {"clockValue=\"1.0E9\"", "clockValue=\"0.0\"", "no-clock", 16},
    {"slaveComponentRef=\"SC\"", "slaveComponentRef=\"SCx\"", "unbound-memory", 5},
    {"name=\"Dma\"", "name=\"Core\"", "doubled-name", 21},
    {"name=\"Core\"", "name=\"Core-1\"", "unsafe-name", 6},
    {"name=\"Core\"", "name=\"Core__1\"", "unsafe-name", 6},
};

static void every_fault_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char *text = with(faults[i].from, faults[i].to);
        struct shimxml_doc *d = read_text(text);
        struct shimxml_findings f = {0};
        shimxml_check(d, &f);
        bool found = false;
        for (size_t k = 0; k < f.n; k++)
            found |= strcmp(f.at[k].rule, faults[i].rule) == 0 && f.at[k].line == faults[i].line;
        if (!found)
            fail_msg("%s -> %s: no [%s] at line %lu (%zu findings%s%s)", faults[i].from, faults[i].to, faults[i].rule,
                     faults[i].line, f.n, f.n ? ", first: " : "", f.n ? f.at[0].rule : "");
        shimxml_findings_release(&f);
        shimxml_free(d);
        free(text);
    }
}

/* Other ways to write the same, which xmllint accepts by shim.xsd. */
static void what_is_no_fault(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"slaveComponentRef=\"SC\"", "slaveComponentRef=\" SC\""},
        {"id=\"SC\"", "id=\"SC \""},
        {"<cacheRef>C1</cacheRef>", "<cacheRef>\n C1 </cacheRef>"},
        {"typical=\"1.5\"", "typical=\" 1.5 \""},
        {"typical=\"1.5\"", "typical=\"+.15E1\""},
        {"<Latency typical=\"1.5\"/>", "<Latency typical=\"1.5\"><!-- c --></Latency>"},
        {"<SystemConfiguration ", "<SystemConfiguration xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                                  "xsi:noNamespaceSchemaLocation=\"shim.xsd\" "},
        {"<SystemConfiguration ", "<SystemConfiguration xmlns=\"\" xmlns:unused=\"u\" "},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char *text = with(same[i][0], same[i][1]);
        struct shimxml_doc *d = read_text(text);
        struct shimxml_findings f = {0};
        shimxml_check(d, &f);
        if (f.n)
            fail_msg("%s: line %lu [%s]: %s", same[i][1], f.at[0].line, f.at[0].rule, f.at[0].text);
        shimxml_findings_release(&f);
        shimxml_free(d);
        free(text);
    }
}

static bool has_rule(const char *text, const char *rule, unsigned long line)
{
    struct shimxml_doc *d = read_text(text);
    struct shimxml_findings f = {0};
    bool found = false;
    shimxml_check(d, &f);
    for (size_t k = 0; k < f.n; k++)
        found |= strcmp(f.at[k].rule, rule) == 0 && f.at[k].line == line;
    shimxml_findings_release(&f);
    shimxml_free(d);
    return found;
}

static void faults_that_need_more_than_a_word(void **state)
{
    (void)state;
    char *order = with("            <ClockFrequency clockValue=\"1.0E9\"/>\n            <AccessTypeSet>\n",
                       "            <AccessTypeSet>\n");
    char *late = xasprintf("%s", order);
    char *at = strstr(late, "            </AccessTypeSet>\n        </MasterComponent>\n");
    struct str moved = STR_INIT;
    str_addn(&moved, late, (size_t)(at - late));
    str_add(&moved, "            </AccessTypeSet>\n            <ClockFrequency clockValue=\"1.0E9\"/>\n");
    str_add(&moved, at + strlen("            </AccessTypeSet>\n"));
    assert_true(has_rule(str_text(&moved), "order", 19));
    str_release(&moved);
    free(late);
    free(order);
    char *twice = with("                </Instruction>\n",
                       "                </Instruction>\n<Instruction name=\"add\"><Performance><Pitch typical=\"1\"/>"
                       "<Latency typical=\"1\"/></Performance></Instruction>\n");
    assert_true(has_rule(twice, "doubled-instruction", 14));
    free(twice);
    assert_true(has_rule("<Instruction name=\"add\"><Performance><Pitch typical=\"1\"/><Latency typical=\"1\"/>"
                         "</Performance></Instruction>",
                         "root", 1));
    char *ten =
        with("<Pitch best=\"0.5\" typical=\"1.0\" worst=\"2.0\"/>\n                        <Latency typical=\"1.5\"/>",
             "<Pitch typical=\"10.0\"/>\n                        <Latency typical=\"10.0\"/>");
    assert_true(has_rule(ten, "placeholder", 7));
    free(ten);
    /* a ring of two */
    char *ring = with("nWay=\"4\" lineSize=\"64\"/>", "nWay=\"4\" lineSize=\"64\"><cacheRef>C2</cacheRef></Cache>");
    assert_true(has_rule(ring, "cache-ring", 15) || has_rule(ring, "cache-ring", 27));
    free(ring);
}

static void refuses_what_is_not_xml(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "cycles,1\n",
        "<SystemConfiguration>",
        "<a><b></a></b>",
        "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<x>&b;</x>",
        "<!DOCTYPE x SYSTEM \"file:///etc/passwd\"><x/>",
        "<x a=\"&undefined;\"/>",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct shimxml_doc *d = 0;
        struct error e = ERROR_INIT;
        assert_int_equal(file_write(path, texts[i], strlen(texts[i]), 0), OK);
        if (shimxml_read(&d, path, &e) != ERR_INPUT)
            fail_msg("'%s' was read", texts[i]);
        assert_string_equal(e.file, path);
        error_release(&e);
    }
    struct str deep = STR_INIT;
    for (int i = 0; i < 100000; i++)
        str_add(&deep, "<a>");
    struct shimxml_doc *d = 0;
    assert_int_equal(file_write(path, deep.s, deep.len, 0), OK);
    assert_int_equal(shimxml_read(&d, path, 0), ERR_INPUT);
    str_release(&deep);
}

/* Cut at every byte: refused, or read and checked; never a crash. The sanitizer build makes this the memory test. */
static void survives_every_cut(void **state)
{
    (void)state;
    for (size_t n = 0; n + 1 < sizeof good - 1; n++) { /* without its last line break the document is still whole */
        struct shimxml_doc *d = 0;
        assert_int_equal(file_write(path, good, n, 0), OK);
        assert_int_equal(shimxml_read(&d, path, 0), ERR_INPUT);
    }
}

/* What is written says the same, keeps the comment, and is written again as the same bytes. */
static void round_trip(void **state)
{
    (void)state;
    struct shimxml_doc *a = read_text(good), *b = 0;
    char *copy = path_join(folder, "copy.xml");
    assert_int_equal(shimxml_write(a, copy, 0), OK);
    struct str text = STR_INIT;
    assert_int_equal(file_read(&text, copy, FILE_LIMIT, 0), OK);
    assert_string_equal(str_text(&text), good);
    assert_int_equal(shimxml_read(&b, copy, 0), OK);
    struct shimxml_comparison c;
    assert_int_equal(shimxml_diff(&c, a, b, 0, 0), OK);
    assert_int_equal(c.n, 0);
    shimxml_comparison_release(&c);
    shimxml_free(a);
    shimxml_free(b);
    str_release(&text);
    free(copy);
}

static void escapes_survive(void **state)
{
    (void)state;
    struct shimxml_doc *a = read_text("<x name=\"a&lt;b &amp; &quot;c&quot; &#10;d\"><!--z--><?pi data?></x>");
    assert_int_equal(shimxml_write(a, path, 0), OK);
    struct str text = STR_INIT;
    assert_int_equal(file_read(&text, path, FILE_LIMIT, 0), OK);
    assert_non_null(strstr(str_text(&text), "name=\"a&lt;b &amp; &quot;c&quot; &#10;d\""));
    assert_non_null(strstr(str_text(&text), "<?pi data?>"));
    str_release(&text);
    shimxml_free(a);
}

/* Nothing may stand in a Latency but comments: spaces round them would make a good file a bad one. */
static void empty_elements_stay_empty(void **state)
{
    (void)state;
    static const char tight[] = "<Latency typical=\"1.5\"><!-- c --><?p i?></Latency>";
    char *text = with("<Latency typical=\"1.5\"/>", tight);
    struct shimxml_doc *d = read_text(text);
    assert_int_equal(shimxml_write(d, path, 0), OK);
    struct str out = STR_INIT;
    assert_int_equal(file_read(&out, path, FILE_LIMIT, 0), OK);
    assert_non_null(strstr(str_text(&out), tight));
    str_release(&out);
    shimxml_free(d);
    free(text);
}

static void reads_the_system(void **state)
{
    (void)state;
    struct shimxml_doc *d = read_text(good);
    struct shimxml_system *s = 0;
    assert_int_equal(shimxml_system(&s, d, 0), OK);
    assert_int_equal(s->n_cores, 2);
    assert_true(s->cores[0].clock_hz == 1e9);
    assert_true(s->cores[1].clock_hz == 1e8); /* the system's */
    assert_int_equal(s->cores[0].n_instructions, 1);
    assert_true(s->cores[0].instructions[0].pitch.worst == 2);
    assert_true(s->cores[0].instructions[0].latency.best != s->cores[0].instructions[0].latency.best); /* not given */
    assert_int_equal(s->n_caches, 2);
    assert_true(s->caches[0].bytes == 32768 && s->caches[0].core == 0 && s->caches[0].level == 1);
    assert_true(s->caches[1].core == SHIMXML_SHARED && s->caches[1].level == 2 && s->caches[1].serves == 1);
    assert_true(s->memories[0].bytes == 1073741824.0);
    shimxml_system_free(s);
    shimxml_free(d);
}

static void diff_sees_meaning_only(void **state)
{
    (void)state;
    struct shimxml_doc *a = read_text(good);
    /* an id renamed everywhere, and a comment changed: no difference */
    struct str text = STR_INIT;
    for (const char *p = good; *p; p++) {
        if (strncmp(p, "\"SC\"", 4) == 0) {
            str_add(&text, "\"Renamed\"");
            p += 3;
        } else {
            str_addch(&text, *p);
        }
    }
    struct shimxml_doc *b = read_text(str_text(&text));
    struct shimxml_comparison c;
    assert_int_equal(shimxml_diff(&c, a, b, 0, 0), OK);
    assert_int_equal(c.n, 0);
    shimxml_comparison_release(&c);
    shimxml_free(b);
    char *other = with("typical=\"1.5\"", "typical=\"2.0\"");
    b = read_text(other);
    assert_int_equal(shimxml_diff(&c, a, b, 0, 0), OK);
    assert_int_equal(c.n, 1);
    assert_string_equal(c.at[0].a, "1.5");
    assert_string_equal(c.at[0].b, "2.0");
    assert_true(c.at[0].relative == 0.25 && c.worst_relative == 0.25 && c.median_relative == 0);
    assert_int_equal(c.typical, 4);
    shimxml_comparison_release(&c);
    shimxml_free(b);
    free(other);
    other = with("size=\"32\"", "size=\"64\""); /* a number, and none that was measured */
    b = read_text(other);
    assert_int_equal(shimxml_diff(&c, a, b, 0, 0), OK);
    assert_int_equal(c.n, 1);
    assert_true(c.at[0].relative == 0.5 && c.worst_relative == 0);
    shimxml_comparison_release(&c);
    shimxml_free(b);
    free(other);
    other = with("typical=\"1.5\"", "typical=\"2.0\"");
    b = read_text(other);
    assert_int_equal(shimxml_diff(&c, a, b, 0, 0), OK);
    shimxml_comparison_release(&c);
    assert_int_equal(shimxml_diff(&c, a, b, 0.3, 0), OK);
    assert_int_equal(c.n, 0);
    shimxml_comparison_release(&c);
    shimxml_free(a);
    shimxml_free(b);
    free(other);
    str_release(&text);
}

static void table_words_fit(void **state)
{
    (void)state;
    const struct schema_element *e = schema_find(&schema1, "MasterComponent");
    const struct schema_child *c = e->children;
    assert_string_equal(c[0].name, "CommonInstructionSet");
    assert_true(!c[0].required && !c[0].repeats && !c[1].required && c[1].repeats);
    assert_true(c[3].required && !c[3].repeats && !c[4].name);
    struct str order = STR_INIT;
    schema_add_order(&order, e);
    assert_string_equal(str_text(&order), "CommonInstructionSet? Cache* ClockFrequency? AccessTypeSet");
    str_release(&order);
    assert_int_equal(schema_child_rank(e, "AccessTypeSet"), 3);
    assert_true(schema_child_rank(e, "MasterComponent") == SCHEMA_NO_RANK);
    assert_string_equal(schema_reference(&schema1, "from"), "MasterComponent");
    assert_null(schema_reference(&schema1, "name"));
    assert_null(schema_bad_value(TYPE_float, "+1."));
    assert_null(schema_bad_value(TYPE_float, ".5"));
    assert_null(schema_bad_value(TYPE_float, "-INF"));
    assert_non_null(schema_bad_value(TYPE_float, "-inf"));
    assert_non_null(schema_bad_value(TYPE_int, " 4 "));
    assert_null(schema_bad_value(TYPE_int, "-2147483648"));
    assert_non_null(schema_bad_value(TYPE_CacheType, ""));
    assert_non_null(schema_bad_value(TYPE_CacheType, "DAT"));
}

/* 77 rules, as the README says, each by one name, each with what it means and how to mend it. */
static void rules_are_listed(void **state)
{
    (void)state;
    enum shimxml_severity severity;
    const char *meaning, *remedy, *name;
    size_t n = 0, of_severity[3] = {0};
    for (; (name = shimxml_rule(n, &severity, &meaning, &remedy)) != 0; n++) {
        assert_true(*name && *meaning && *remedy);
        of_severity[severity]++;
        for (size_t k = 0; k < n; k++) {
            enum shimxml_severity other;
            const char *a, *b;
            assert_string_not_equal(name, shimxml_rule(k, &other, &a, &b));
        }
    }
    assert_int_equal(n, 77);
    assert_true(of_severity[SHIMXML_HINT] && of_severity[SHIMXML_WARNING] && of_severity[SHIMXML_ERROR]);
    assert_string_equal(shimxml_rule(0, &severity, &meaning, &remedy), "unreadable");
    assert_int_equal(severity, SHIMXML_ERROR);
    assert_string_equal(meaning, "nothing in the file can be checked");
    assert_string_equal(remedy, "correct what the message says");
    assert_null(shimxml_rule(77, &severity, &meaning, &remedy));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_is_good),
        cmocka_unit_test(every_fault_is_found),
        cmocka_unit_test(what_is_no_fault),
        cmocka_unit_test(faults_that_need_more_than_a_word),
        cmocka_unit_test(refuses_what_is_not_xml),
        cmocka_unit_test(survives_every_cut),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(escapes_survive),
        cmocka_unit_test(empty_elements_stay_empty),
        cmocka_unit_test(reads_the_system),
        cmocka_unit_test(diff_sees_meaning_only),
        cmocka_unit_test(table_words_fit),
        cmocka_unit_test(rules_are_listed),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
