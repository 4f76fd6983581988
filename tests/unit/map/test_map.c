/* The files of mappings, by hand: graphs, what users demand, and what data costs between the cores of a SHIM file. */
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
#include "shimgen/map/mapping.h"

static char *scratch;

/* Scratch/name; the caller frees the path. */
static char *put(const char *name, const char *text)
{
    struct error e = ERROR_INIT;
    char *path = path_join(scratch, name);
    assert_int_equal(file_write(path, text, strlen(text), &e), OK);
    return path;
}

static void says(struct error *e, const char *part)
{
    char *text = error_text(e);
    if (!strstr(text, part))
        fail_msg("the message is: %s\nwanted in it: %s", text, part);
    free(text);
    error_release(e);
}

/* ---- graphs ---- */

static const char whole[] =
    "{\"graph\": \"g\", \"level\": 0.9, \"blocks\": ["
    "{\"name\": \"a\", \"cycles\": {\"small\": 7, \"*\": 8.5}, \"why\": \"two in one\", \"every\": 3, \"interval\": "
    "[0.5, 2]},"
    "{\"name\": \"b\", \"cycles\": 0}],"
    "\"edges\": [{\"from\": \"a\", \"to\": \"b\", \"bytes\": 16, \"why\": \"x.c:3\"}, {\"from\": \"b\", \"to\": \"a\", "
    "\"delay\": 2}],"
    "\"together\": [{\"blocks\": [\"b\", \"a\"], \"reason\": \"one state\"}], \"notes\": [\"mind this\"]}";

static void is_whole(const struct map_graph *g)
{
    const struct map_block *a = &g->blocks.at[0], *b = &g->blocks.at[1];
    assert_string_equal(g->name, "g");
    assert_true(g->level == 0.9);
    assert_int_equal(g->blocks.n, 2);
    assert_string_equal(a->name, "a");
    assert_string_equal(a->why, "two in one");
    assert_true(a->every == 3 && a->low == 0.5 && a->high == 2);
    assert_int_equal(a->cycles.n, 2);
    assert_string_equal(a->cycles.at[0].kind, "small");
    assert_string_equal(a->cycles.at[1].kind, "*");
    assert_true(a->cycles.at[0].cycles == 7 && a->cycles.at[1].cycles == 8.5);
    assert_null(b->why);
    assert_true(b->every == 1 && b->high == 0 && b->cycles.n == 1 && b->cycles.at[0].cycles == 0);
    assert_int_equal(g->edges.n, 2);
    const struct map_edge *x = &g->edges.at[0], *y = &g->edges.at[1];
    assert_true(x->from == 0 && x->to == 1 && x->bytes == 16 && x->delay == 0);
    assert_string_equal(x->why, "x.c:3");
    assert_true(y->from == 1 && y->to == 0 && y->bytes == 0 && y->delay == 2);
    assert_null(y->why);
    assert_int_equal(g->groups.n, 1);
    assert_string_equal(g->groups.at[0].reason, "one state");
    assert_true(g->groups.at[0].blocks.n == 2 && g->groups.at[0].blocks.at[0] == 1 &&
                g->groups.at[0].blocks.at[1] == 0);
    assert_int_equal(g->notes.n, 1);
    assert_string_equal(g->notes.at[0], "mind this");
}

/* All that a graph has is read, and written so that it is read again. */
static void graph_and_back(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct map_graph g, again;
    char *path = put("whole.json", whole), *copy = path_join(scratch, "copy.json");
    assert_int_equal(map_graph_read(&g, path, &e), OK);
    is_whole(&g);
    assert_int_equal(map_graph_write(&g, copy, &e), OK);
    assert_int_equal(map_graph_read(&again, copy, &e), OK);
    is_whole(&again);
    map_graph_release(&g);
    map_graph_release(&again);
    free(path);
    free(copy);
}

/* NULL: it is a good one. */
static void graph_is(const char *members, const char *message)
{
    struct error e = ERROR_INIT;
    struct map_graph g;
    char *text = xasprintf("{\"graph\": \"g\", %s}", members), *path = put("g.json", text);
    enum status s = map_graph_read(&g, path, &e);
    if (!message && s)
        says(&e, "a good graph");
    assert_int_equal(s, message ? ERR_INPUT : OK);
    if (message)
        says(&e, message);
    map_graph_release(&g);
    free(text);
    free(path);
}

#define BLOCK(more) "\"blocks\": [{\"name\": \"a\", \"cycles\": 1" more "}]"
#define EDGE(more)  BLOCK("") ", \"edges\": [{\"from\": \"a\", \"to\": \"a\", " more "}]"

static void graph_limits(void **state)
{
    (void)state;
    graph_is(BLOCK(", \"every\": 1"), 0);
    graph_is(BLOCK(", \"every\": 1000000"), 0);
    graph_is(BLOCK(", \"every\": 0"), "\"every\" of 'a' must be a whole number from 1 to 1000000");
    graph_is(BLOCK(", \"every\": 1000001"), "\"every\" of 'a' must be a whole number from 1 to 1000000");
    graph_is(BLOCK(", \"every\": 1.5"), "whole number");
    graph_is(BLOCK(", \"interval\": [1, 1]"), 0);
    graph_is(BLOCK(", \"interval\": [1e-9, 1e6]"), 0);
    graph_is(BLOCK(", \"interval\": [0, 1]"), "two factors around 1");
    graph_is(BLOCK(", \"interval\": [1.1, 2]"), "two factors around 1");
    graph_is(BLOCK(", \"interval\": [0.5, 0.9]"), "two factors around 1");
    graph_is(BLOCK(", \"interval\": [0.5, 1000001]"), "two factors around 1");
    graph_is(BLOCK(", \"interval\": [0.5, 1, 2]"), "two factors around 1");
    graph_is(BLOCK("") ", \"level\": 0.99", 0);
    graph_is(BLOCK("") ", \"level\": 1", "a probability below 1");
    graph_is(BLOCK("") ", \"level\": -0.1", "a probability below 1");
    graph_is("\"blocks\": [{\"name\": \"a\", \"cycles\": 1e15}]", 0);
    graph_is("\"blocks\": [{\"name\": \"a\", \"cycles\": 1.1e15}]", "from 0 to 1e15");
    graph_is("\"blocks\": [{\"name\": \"a\", \"cycles\": {\"x\": \"1\"}}]", "\"cycles\" of 'a' must be a number");
    graph_is("\"blocks\": [{\"name\": \"\", \"cycles\": 1}]", "a block has an empty name");
    graph_is("\"blocks\": [7]", "entry 1 of \"blocks\" is not an object");
    graph_is(BLOCK("") ", \"edges\": {}", "\"edges\" must be an array of at most 1000000 objects");
    graph_is(BLOCK("") ", \"together\": [{\"blocks\": [1]}]", "\"together\" must have names of blocks");
    graph_is(BLOCK("") ", \"together\": [{\"blocks\": [\"x\"]}]", "\"together\": there is no block 'x'");
    graph_is(EDGE("\"delay\": 1, \"bytes\": 0"), 0);
    graph_is(EDGE("\"delay\": 1000000"), 0);
    graph_is(EDGE("\"delay\": 1000001"), "\"delay\" of an edge to 'a' must be a whole number from 0 to 1000000");
    graph_is(EDGE("\"delay\": 1, \"bytes\": -1"), "\"bytes\" of an edge to 'a' must be a number");
}

/* Blocks b0 ... in a circle, behind one that waits for them all. */
static void circle_of(size_t n, const char *message)
{
    struct str text = STR_INIT;
    str_add(&text, "\"blocks\": [{\"name\": \"z\", \"cycles\": 1}");
    for (size_t i = 0; i < n; i++)
        str_addf(&text, ", {\"name\": \"b%zu\", \"cycles\": 1}", i);
    str_add(&text, "], \"edges\": [{\"from\": \"b0\", \"to\": \"z\"}");
    for (size_t i = 0; i < n; i++)
        str_addf(&text, ", {\"from\": \"b%zu\", \"to\": \"b%zu\"}", i, (i + 1) % n);
    str_add(&text, "]");
    graph_is(str_text(&text), message);
    str_release(&text);
}

static void circles(void **state)
{
    (void)state;
    circle_of(1, "a cycle without a delay: 'b0' waits for 'b0' (1 block); give");
    circle_of(2, "a cycle without a delay: 'b0' waits for 'b1' waits for 'b0' (2 blocks); give");
    circle_of(6,
              ": 'b0' waits for 'b5' waits for 'b4' waits for 'b3' waits for 'b2' waits for 'b1' waits for 'b0' (6 ");
    circle_of(7,
              ": 'b0' waits for 'b6' waits for 'b5' waits for 'b4' waits for 'b3' waits for 'b2' waits for ... waits "
              "for 'b0' (7 blocks)");
    circle_of(8, "'b4' waits for 'b3' waits for ... waits for 'b0' (8 blocks)");
}

/* ---- what data costs between cores ---- */

/* Two cores A and B. `set` is the CommunicationSet; an access of `loads` has the pitch and latency that `reads` gives. */
static const char machine_text[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    "<SystemConfiguration name=\"pair\" shimVersion=\"1.0\">"
    "<ComponentSet name=\"Top\"><SlaveComponent name=\"Ram\" id=\"SC\" size=\"1\" sizeUnit=\"MiB\" rwType=\"RWX\"/>"
    "<SlaveComponent name=\"Own\" id=\"SO\" size=\"1\" sizeUnit=\"MiB\" rwType=\"RWX\"/>"
    "<MasterComponent name=\"A\" id=\"MA\" masterType=\"PU\" arch=\"small\"><AccessTypeSet>"
    "<AccessType name=\"Load\" id=\"LA\" rwType=\"R\" accessByteSize=\"4\"/>"
    "<AccessType name=\"Wide\" id=\"WA\" rwType=\"R\" accessByteSize=\"8\"/>"
    "<AccessType name=\"Store\" id=\"SA\" rwType=\"W\" accessByteSize=\"16\"/></AccessTypeSet></MasterComponent>"
    "<MasterComponent name=\"%s\" id=\"MB\" masterType=\"%s\" arch=\"small\"><AccessTypeSet>"
    "<AccessType name=\"Load\" id=\"LB\" rwType=\"R\" accessByteSize=\"4\"/></AccessTypeSet></MasterComponent>"
    "</ComponentSet>%s"
    "<AddressSpaceSet><AddressSpace name=\"AS\" id=\"AS\"><SubSpace name=\"Low\" id=\"SS\" start=\"0\" end=\"1048575\">"
    "<MasterSlaveBindingSet><MasterSlaveBinding slaveComponentRef=\"SC\">"
    "<Accessor masterComponentRef=\"MA\"><PerformanceSet>"
    "<Performance accessTypeRef=\"LA\"><Pitch typical=\"2\"/><Latency typical=\"20\"/></Performance>%s"
    "<Performance accessTypeRef=\"SA\"><Pitch typical=\"1\"/><Latency typical=\"1\"/></Performance>"
    "</PerformanceSet></Accessor><Accessor masterComponentRef=\"MB\"><PerformanceSet>"
    "<Performance accessTypeRef=\"LB\"><Pitch typical=\"4\"/><Latency typical=\"24\"/></Performance>"
    "</PerformanceSet></Accessor></MasterSlaveBinding></MasterSlaveBindingSet></SubSpace>"
    "<SubSpace name=\"High\" id=\"SH\" start=\"1048576\" end=\"2097151\"><MasterSlaveBindingSet>"
    "<MasterSlaveBinding slaveComponentRef=\"SO\"><Accessor masterComponentRef=\"MA\"><PerformanceSet>"
    "<Performance accessTypeRef=\"WA\"><Pitch typical=\"1\"/><Latency typical=\"2\"/></Performance>"
    "</PerformanceSet></Accessor></MasterSlaveBinding></MasterSlaveBindingSet></SubSpace></AddressSpace>"
    "</AddressSpaceSet><ClockFrequency clockValue=\"%s\"/></SystemConfiguration>\n";

#define CONNECTIONS                                                                                                    \
    "<ConnectionSet><Connection from=\"MA\" to=\"MB\"><Performance>%s<Latency typical=\"10\"/></Performance>"          \
    "</Connection><Connection from=\"MB\" to=\"MA\"><Performance>%s<Latency typical=\"12\"/></Performance>"            \
    "</Connection></ConnectionSet>"
static const char pitch[] = "<Pitch typical=\"5\"/>", none[] = "",
                  wide[] =
                      "<Performance accessTypeRef=\"WA\"><Pitch typical=\"3\"/><Latency typical=\"30\"/></Performance>",
                  wide_alone[] = "<Performance accessTypeRef=\"WA\"><Latency typical=\"30\"/></Performance>";

static char *set_of(const char *kind, const char *attributes, const char *pitches)
{
    char *connections = xasprintf(CONNECTIONS, pitches, pitches);
    char *set = xasprintf("<CommunicationSet><%s name=\"f\" %s>%s</%s></CommunicationSet>", kind, attributes,
                          connections, kind);
    free(connections);
    return set;
}

static const struct map_assumed assumed = {.message = 100, .line = 7};

static enum status machine(struct map_machine *m, const char *other, const char *type, const char *set,
                           const char *more, const char *clock, const char *names, struct error *e)
{
    char *text = xasprintf(machine_text, other, type, set, more, clock), *path = put("m.xml", text);
    enum status s = map_machine_read(m, path, names, &assumed, e);
    free(text);
    free(path);
    return s;
}

/* What 16 bytes cost from A to B and from B to A, at 1 MHz: microseconds are cycles. */
static void costs(const char *kind, const char *attributes, const char *pitches, const char *more, double there,
                  double back)
{
    struct error e = ERROR_INIT;
    struct map_machine m;
    char *set = set_of(kind, attributes, pitches);
    enum status s = machine(&m, "B", "PU", set, more, "1.0E6", 0, &e);
    if (s)
        says(&e, "a machine");
    if (map_transfer(&m, 0, 1, 16) != there || map_transfer(&m, 1, 0, 16) != back)
        fail_msg("%s %s: %g and %g, expected %g and %g", kind, attributes, map_transfer(&m, 0, 1, 16),
                 map_transfer(&m, 1, 0, 16), there, back);
    assert_true(map_transfer(&m, 0, 0, 16) == 0);
    assert_int_equal(m.notes.n, 0);
    map_machine_release(&m);
    free(set);
}

static void transfers(void **state)
{
    (void)state;
    static const char fifo[] = "dataSize=\"8\" dataSizeUnit=\"B\" queueSize=\"4\"";
    costs("FIFOCommunication", fifo, pitch, none, 15, 17); /* two pieces: the latency, and a pitch more */
    costs("FIFOCommunication", fifo, none, none, 20, 24);  /* without a pitch it is the latency again */
    costs("FIFOCommunication", "dataSize=\"1\" dataSizeUnit=\"KiB\" queueSize=\"4\"", pitch, none, 10, 12);
    costs("SharedRegisterCommunication", "dataSize=\"4\" dataSizeUnit=\"B\" nRegister=\"4\"", pitch, none, 25, 27);
    /* A message, and what the other reads of the memory of both, 4 bytes each: 24 + 3 * 4 by B, 20 + 3 * 2 by A. */
    costs("InterruptCommunication", "", pitch, none, 46, 38);
    /* A reads 8 bytes at once: 30 + 3. Without a pitch a further read takes the latency again. The memory that only A
     * reaches, and A's stores, do not matter. */
    costs("InterruptCommunication", "", pitch, wide, 46, 45);
    costs("InterruptCommunication", "", pitch, wide_alone, 46, 72);
}

/* Nobody is written of: 100 cycles until the other knows, then reads of the memory; at 2 MHz a cycle is half a
 * microsecond. Without a clock cycles are the unit. */
static void clocks_and_assumptions(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct map_machine m;
    assert_int_equal(machine(&m, "B", "PU", none, none, "2.0E6", 0, &e), OK);
    assert_string_equal(m.unit, "us");
    assert_true(map_transfer(&m, 0, 1, 16) == (100 + 24 + 3 * 4) / 2.0);
    assert_true(map_transfer(&m, 1, 0, 16) == (100 + 20 + 3 * 2) / 2.0);
    assert_true(map_transfer(&m, 1, 0, 0) == 50);
    assert_int_equal(m.notes.n, 1);
    assert_non_null(strstr(m.notes.at[0], "no communication values for 2 of 2 pairs of cores; assumed: 100 cycles"));
    map_machine_release(&m);
    assert_int_equal(machine(&m, "B", "PU", none, none, "0", 0, &e), OK);
    assert_string_equal(m.unit, "cycles");
    assert_non_null(strstr(m.notes.at[0], "no clock for A, B, so times are cycles"));
    assert_true(map_transfer(&m, 0, 1, 16) == 136);
    map_machine_release(&m);
}

static void names_of_cores(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct map_machine m;
    assert_int_equal(machine(&m, "A", "PU", none, none, "1.0E6", 0, &e), OK); /* two of one name: with their ids */
    assert_string_equal(m.cores.at[0].name, "A (MA)");
    assert_string_equal(m.cores.at[1].name, "A (MB)");
    assert_true(map_machine_core(&m, "A (MB)") == 1 && map_machine_core(&m, "A") == MAP_NONE);
    map_machine_release(&m);
    assert_int_equal(machine(&m, "B", "OTHER", none, none, "1.0E6", 0, &e), OK); /* no processing unit */
    assert_int_equal(m.cores.n, 1);
    assert_string_equal(m.cores.at[0].name, "A");
    assert_int_equal(m.notes.n, 0); /* there is another core, so this is no machine of one */
    map_machine_release(&m);
    assert_int_equal(machine(&m, "B", "OTHER", none, none, "1.0E6", "B,A", &e), OK);
    assert_true(m.cores.n == 2 && strcmp(m.cores.at[0].name, "B") == 0 && strcmp(m.cores.at[1].name, "A") == 0);
    map_machine_release(&m);
    assert_int_equal(machine(&m, "B", "PU", none, none, "1.0E6", "B,MB", &e), ERR_INPUT);
    says(&e, "--core names core 'MB' twice");
    map_machine_release(&m);
    assert_int_equal(machine(&m, "B", "PU", none, none, "1.0E6", "all", &e), ERR_INPUT); /* none has instructions */
    says(&e, "there is no core (MasterComponent) in it");
    map_machine_release(&m);
}

/* ---- what users demand ---- */

static void with_three(struct map_graph *g, struct map_machine *m)
{
    struct error e = ERROR_INIT;
    char *path =
        put("three.json", "{\"graph\": \"g\", \"blocks\": [{\"name\": \"a\", \"cycles\": 1}, {\"name\": \"b\", "
                          "\"cycles\": 1}, {\"name\": \"c\", \"cycles\": 1}]}");
    assert_int_equal(map_graph_read(g, path, &e), OK);
    assert_int_equal(machine(m, "B", "PU", none, none, "1.0E6", 0, &e), OK);
    free(path);
}

/* NULL: they are good. */
static void rules_are(struct map_rules *r, const struct map_graph *g, const struct map_machine *m, const char *text,
                      const char *message)
{
    struct error e = ERROR_INIT;
    char *path = put("rules.json", text);
    assert_int_equal(map_rules_read(r, path, g, m, &e), message ? ERR_INPUT : OK);
    if (message)
        says(&e, message);
    free(path);
}

static void bad_rules(const struct map_graph *g, const struct map_machine *m)
{
    static const char *const bad[][2] = {
        {"[]", "this must be an object of on"},
        {"{\"on\": []}", "\"on\" must be an object of blocks and their cores"},
        {"{\"on\": {\"a\": 1}}", "\"on\" of 'a' must be the name of a core"},
        {"{\"together\": {}}", "\"together\" must be an array of lists of blocks"},
        {"{\"together\": [[\"a\"]]}", "\"together\" must be lists of two or more blocks"},
        {"{\"apart\": [[\"a\", 1]]}", "\"apart\" must have names of blocks"},
        {"{\"free\": \"A\"}", "\"free\" must be an array of cores"},
        {"{\"free\": [1]}", "there is no core ''; there are: A, B"},
        {"{\"load\": 0}", "\"load\" must be above 0 and at most 1"},
        {"{\"load\": 1.01}", "\"load\" must be above 0 and at most 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct map_rules r;
        rules_are(&r, g, m, bad[i][0], bad[i][1]);
        map_rules_release(&r);
    }
}

static void demands(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct map_graph g;
    struct map_machine m;
    struct map_rules r;
    with_three(&g, &m);
    rules_are(&r, &g, &m,
              "{\"on\": {\"b\": \"B\"}, \"together\": [[\"c\", \"a\"]], \"apart\": [[\"a\", \"b\", \"c\"]], \"free\": "
              "[\"B\", \"A\"], \"load\": 1}",
              0);
    assert_true(r.on.n == 1 && r.on.at[0].block == 1 && r.on.at[0].core == 1);
    assert_true(r.together.n == 1 && r.together.at[0].blocks.n == 2);
    assert_true(r.together.at[0].blocks.at[0] == 2 && r.together.at[0].blocks.at[1] == 0);
    assert_string_equal(r.together.at[0].reason, "demanded");
    static const struct map_pair pairs[] = {{0, 1}, {0, 2}, {1, 2}};
    assert_int_equal(r.apart.n, 3);
    assert_memory_equal(r.apart.at, pairs, sizeof pairs);
    assert_true(r.free.n == 2 && r.free.at[0] == 1 && r.free.at[1] == 0 && r.load == 1);
    map_rules_release(&r);
    rules_are(&r, &g, &m, "{}", 0);
    assert_true(r.on.n + r.together.n + r.apart.n + r.free.n == 0 && r.load == 0);
    map_rules_release(&r);
    bad_rules(&g, &m);
    size_t *core = 0;
    char *path = put("own.json", "{\"mapping\": {\"c\": \"B\", \"a\": \"A\"}}");
    assert_int_equal(map_mapping_read(&core, path, &g, &m, &e), OK);
    assert_true(core[0] == 0 && core[1] == MAP_NONE && core[2] == 1);
    free(core);
    free(path);
    map_graph_release(&g);
    map_machine_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graph_and_back), cmocka_unit_test(graph_limits),           cmocka_unit_test(circles),
        cmocka_unit_test(transfers),      cmocka_unit_test(clocks_and_assumptions), cmocka_unit_test(names_of_cores),
        cmocka_unit_test(demands)};
    struct error e = ERROR_INIT;
    cleanup_install();
    if (temp_directory(&scratch, "map-test", &e)) {
        error_print(&e, "test_map");
        return 1;
    }
    int failed = cmocka_run_group_tests(tests, 0, 0);
    (void)!remove_tree(scratch, &e);
    free(scratch);
    return failed;
}
