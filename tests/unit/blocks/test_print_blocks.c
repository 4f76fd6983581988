/*
 * test_print_blocks.c - blocks as text, tables, JSON, a page, a drawing, an AMALTHEA model. The blocks are made here,
 * with numbers of their own in each field; what must be printed was written down from them by hand.
 *
 * Of the whole run main has 350, Gain 600 and g 50 of 1000 cycles on the cores A and B, which are alike, and other cycles on C, whose clock is
 * not known. Of a step Gain has 100 cycles of 200. What a board measures is within half and twice of that for 90 %.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/alloc.h"
#include "base/str.h"
#include "shimgen/blocks/print_blocks.h"

#define SP          "\xe2\x80\xaf" /* before a unit */
#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { ROWS = 5, CORES = 3 };
static struct irprof_region regions[] = {{.name = "main", .entries = 2},
                                         {.name = "main#", .n_function = 4, .entries = 4}};
static struct irprof_profile profile;
static struct costs cores[CORES];
static const struct estimator method = {.name = "sum"};
static struct blocks_request request;
static struct block tree[ROWS];
static struct blocks_row rows[ROWS];
static struct cycles cycles[ROWS][CORES], total[CORES];
static struct blocks_step steps[ROWS][CORES], all_steps[CORES];
static double inclusive[ROWS][CORES], step_inclusive[ROWS][CORES], self[2][CORES], with[2][CORES];
static struct blocks_instance instances[2];
static char *notes[] = {(char *)"a note <b>"};
static struct shimxml_interval interval = {SHIMXML_ANY_CODE, false, INFINITY, 0.9, 0.5, 2};
static struct trust trust;
static struct blocks blocks;
static struct blocks_print print;

/* n cores; per step, or not. */
static void make(size_t n, bool by_step)
{
    profile =
        (struct irprof_profile){.path = (char *)"p", .program = (char *)"pr&g", .regions = regions, .n_regions = 2};
    cores[0] = cores[1] = (struct costs){.core = (char *)"A", .clock_hz = 1e6};
    cores[1].core = (char *)"B";
    cores[2] = (struct costs){.core = (char *)"C"};
    request = (struct blocks_request){.profile = &profile, .cores = cores, .n_cores = n, .method = &method};
    tree[0] = (struct block){
        .kind = BLOCK_FUNCTION, .type = (char *)"function", .name = (char *)"main", .model = (char *)"m", .line = 1};
    tree[1] = (struct block){.kind = BLOCK_MODEL,
                             .type = (char *)"Gain",
                             .name = (char *)"<S1>/G",
                             .model = (char *)"m",
                             .system = (char *)"m/Sub",
                             .incorporates = (char *)"Constant: '<S1>/C'",
                             .phases = (char *)"Update",
                             .line = 5};
    tree[2] = (struct block){.kind = BLOCK_STATE,
                             .type = (char *)"State",
                             .name = (char *)"<S2>:4",
                             .label = (char *)"On",
                             .model = (char *)"m",
                             .system = (char *)"m/Chart",
                             .line = 9};
    tree[3] = (struct block){.kind = BLOCK_FUNCTION,
                             .type = (char *)"function",
                             .name = (char *)"_Z1gi",
                             .model = (char *)"m",
                             .line = 20,
                             .file = 1};
    tree[4] = (struct block){.kind = BLOCK_MARKER, .type = (char *)"marker", .name = (char *)"mk"};
    for (size_t i = 0; i < ROWS; i++)
        tree[i].parent = i == 2 ? 1 : BLOCK_NONE;
    static const double typical[ROWS][2] = {{600, 2400}, {350, 1500}, {0, 0}, {50, 100}, {0, 0}},
                        together[ROWS][2] = {{900, 3600}, {1000, 4000}, {0, 0}, {50, 100}, {0, 0}},
                        mean[ROWS] = {100, 90, 0, 10, 0};
    static const size_t of[ROWS] = {1, 0, 2, 3, 4};
    memset(rows, 0, sizeof rows);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < CORES; k++) {
            double t = typical[i][k == 2];
            cycles[i][k] = (struct cycles){t / 2, t, t * 1.5};
            inclusive[i][k] = together[i][k == 2];
            steps[i][k] = (struct blocks_step){mean[i], mean[i] * 0.75, mean[i] * 1.5};
            step_inclusive[i][k] = mean[i] * 2;
        }
        rows[i] = (struct blocks_row){.block = &tree[of[i]],
                                      .path = i == 4   ? NULL
                                              : i == 3 ? "/s/g.cc"
                                                       : "/s/m.c",
                                      .cycles = cycles[i],
                                      .inclusive = inclusive[i],
                                      .steps = by_step ? steps[i] : NULL,
                                      .step_inclusive = by_step ? step_inclusive[i] : NULL};
    }
    rows[0].instructions = 200, rows[0].executions = 10, rows[0].read = 80, rows[0].written = 41, rows[0].copies = 3;
    rows[0].merged = 1, rows[0].inlined = 100, rows[0].moved = 3, rows[0].measured = 500;
    rows[0].in_steps = (struct blocks_counts){.executions = 8, .read = 64, .written = 30, .copies = 2};
    rows[1].instructions = 90, rows[1].executions = 2, rows[1].merged = 89;
    rows[2].state = BLOCKS_NOT_EXECUTED;
    rows[3].instructions = 10, rows[3].executions = 5;
    rows[4].state = BLOCKS_WITHOUT_CODE;
    for (size_t k = 0; k < CORES; k++) {
        double t = k == 2 ? 4000 : 1000;
        total[k] = (struct cycles){t / 2, t, t * 1.25};
        all_steps[k] = (struct blocks_step){200, 150, 260};
        self[0][k] = 400, self[1][k] = 200, with[0][k] = 500, with[1][k] = 250;
    }
    instances[0] = (struct blocks_instance){1, (char *)"function main > X", 3, true, self[0], with[0]};
    instances[1] = (struct blocks_instance){1, (char *)"", 1.5, false, self[1], with[1]};
    trust = (struct trust){.intervals = &interval, .n_intervals = 1};
    blocks = (struct blocks){.tree.blocks = {.at = tree, .n = ROWS},
                             .request = &request,
                             .rows = rows,
                             .n_rows = ROWS,
                             .instructions = 300,
                             .total = total,
                             .measured = 510,
                             .n_steps = 4,
                             .n_kinds = 2,
                             .step_kinds_complete = true};
    blocks.notes.at = notes, blocks.notes.n = 1;
    blocks.instances = (struct blocks_instances){instances, 2};
    if (by_step) {
        blocks.steps = all_steps;
        blocks.step = &regions[1];
        blocks.step_instances = (struct blocks_instances){instances, 1};
    }
    print = (struct blocks_print){.blocks = &blocks, .shim = "/x/y.shim.xml", .trust = &trust};
}

/* What a function writes; the caller frees. */
static char *written(void (*write)(const struct blocks_print *p, FILE *f))
{
    static char *text; /* a local one gcc 12 takes for what it points to */
    size_t n;
    FILE *f = open_memstream(&text, &n);
    write(&print, f);
    assert_int_equal(fclose(f), 0);
    return text;
}

static void expect(void (*write)(const struct blocks_print *p, FILE *f), const char *wanted)
{
    char *text = written(write);
    assert_string_equal(text, wanted);
    free(text);
}

static void in_order(char *text, const char *const *wanted, size_t n)
{
    const char *at = text;
    for (size_t i = 0; i < n; i++) {
        const char *found = strstr(at, wanted[i]);
        if (!found) {
            fprintf(stderr, "%s\n", text);
            fail_msg("not there, or not in order:\n%s", wanted[i]);
        }
        at = found + strlen(wanted[i]);
    }
    free(text);
}
#define EXPECT(text, ...)                                                                                              \
    do {                                                                                                               \
        const char *const wanted_[] = {__VA_ARGS__};                                                                   \
        in_order(text, wanted_, COUNT(wanted_));                                                                       \
    } while (0)

/* ---- text ---- */

#define REMARK " [merged under 1 %, inlined 50 %, moved 2 %]"

static void text_of_the_run(void **state)
{
    (void)state;
    make(CORES, false);
    request.measured = "table";
    expect(
        blocks_text,
        "pr&g, region main: 300 instructions; method sum\n"
        "cores A, B, 1 MHz: 1000 cycles (90 %: from 500 to 2000)\n"
        "core C: 4000 cycles (90 %: from 2000 to 8000)\n"
        "measured, in all rows: 510 cycles of the whole run\n"
        "              A         us  90 %: from         to              C  90 %: from         to     measured    error"
        "  inclusive   share      times   read [B]    written  block\n"
        "            600      600.0          300       1200           2400         1200       4800          500   "
        "+20.0%"
        "        900  60.00%         10         80         41  Gain <S1>/G (m.c:5)" REMARK
        " [3 copies of unknown size]\n"
        "            350      350.0          175        700           1500          750       3000            0        "
        "-"
        "       1000  35.00%          2          0          0  function main (m.c:1) [merged 99 %]\n"
        "             50       50.0           25        100            100           50        200            0        "
        "-"
        "         50   5.00%          5          0          0  function g(int) (g.cc:20)\n"
        "2 rows without cycles: --all prints them\n");
    request.measured = NULL;
    trust.n_intervals = 0;
    print.top = 1;
    print.mangled = true;
    expect(blocks_text,
           "pr&g, region main: 300 instructions; method sum\n"
           "cores A, B, 1 MHz: 1000 cycles\ncore C: 4000 cycles\n"
           "              A         us              C  inclusive   share      times   read [B]    written  block\n"
           "            600      600.0           2400        900  60.00%         10         80         41  Gain <S1>/G "
           "(m.c:5)" REMARK " [3 copies of unknown size]\n"
           "            400           1600  in 2 more rows (--top 1)\n"
           "2 rows without cycles: --all prints them\n");
    make(1, false);
    print.all = print.ranges = print.instances = print.mangled = true;
    trust.n_intervals = 0;
    expect(blocks_text,
           "pr&g, region main: 300 instructions; method sum\n"
           "core A, 1 MHz: 1000 cycles, by best values 500, by worst 1250\n"
           "       cycles         us by best values       by worst  inclusive   share      times   read [B]    written "
           " block\n"
           "          600      600.0            300            900        900  60.00%         10         80         41 "
           " Gain <S1>/G (m.c:5)" REMARK " [3 copies of unknown size]\n"
           "          350      350.0            175            525       1000  35.00%          2          0          0 "
           " function main (m.c:1) [merged 99 %]\n"
           "           50       50.0             25             75         50   5.00%          5          0          0 "
           " function _Z1gi (g.cc:20)\n"
           "            0        0.0              0              0          0   0.00%          0          0          0 "
           " State On <S2>:4 (m.c:9) [not executed]\n"
           "            0        0.0              0              0          0   0.00%          0          0          0 "
           " marker mk [no code]\n"
           "\ninstances on core A:\n"
           "       cycles  inclusive      calls  block, called by\n"
           "          400        500          3  Gain <S1>/G, called by function main > X\n"
           "          200        250          2  Gain <S1>/G, called by what is not known [divided by calls]\n");
}

static void text_of_a_step(void **state)
{
    (void)state;
    make(1, true);
    double mean[] = {100}, worst[] = {250};
    struct blocks_rate rates[] = {{(char *)"fast", 0.001, mean, worst}, {(char *)"slow", 0.01, mean, worst}};
    struct blocks_loads loads = {rates, 2};
    print.loads = &loads;
    print.instances = true;
    request.measured = "table";
    expect(blocks_text, "pr&g, region main: 300 instructions; method sum\n"
                        "4 steps of main, gone through in 2 ways\n"
                        "core A, 1 MHz: 1000 cycles (90 %: from 500 to 2000); a step 200.0 (90 %: from 100.0 to "
                        "400.0), the shortest 150.0, the longest 260.0\n"
                        "load of A: fast every 1 ms: 10 % in the mean, 25 % in the longest step\n"
                        "load of A: slow every 10 ms: 1 % in the mean, 2.5 % in the longest step\n"
                        "load of A: all rates: 11 % in the mean, 27.5 % in the longest steps\n"
                        "measured, in all rows: 510 cycles of the whole run; --whole-run prints those of each row\n"
                        "  cycles/step    us/step  90 %: from         to   shortest    longest  inclusive   share "
                        "times/step  read/step    written  block\n"
                        "       100.00   100.0000        50.00     200.00      75.00     150.00     200.00  50.00%     "
                        "  2.00      16.00       7.50  Gain <S1>/G (m.c:5)" REMARK " [0.5 copies of unknown size]\n"
                        "        90.00    90.0000        45.00     180.00      67.50     135.00     180.00  45.00%     "
                        "  0.00       0.00       0.00  function main (m.c:1) [merged 99 %]\n"
                        "        10.00    10.0000         5.00      20.00       7.50      15.00      20.00   5.00%     "
                        "  0.00       0.00       0.00  function g(int) (g.cc:20)\n"
                        "2 rows without cycles: --all prints them\n"
                        "\ninstances on core A:\n"
                        "  cycles/step  inclusive calls/step  block, called by\n"
                        "       400.00     500.00       3.00  Gain <S1>/G, called by function main > X\n");
    blocks.step_kinds_complete = false;
    blocks.step_instances.n = 0;
    loads.n = 1;
    rows[2].measured = 7; /* measured, though it was not estimated */
    print.whole_run = true;
    print.top = 2;
    EXPECT(written(blocks_text), "4 steps of main, gone through in 2 and more ways\n",
           "in the longest step\nmeasured, in all rows",
           "cycles of the whole run\n       cycles         us  90 %: from         to     measured    error  inclusive",
           /* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): one line of the table */
           "          600      600.0          300       1200          500   +20.0%        900  60.00%         10       "
           "  80         41  Gain",
           "           50  in 2 more rows (--top 2)\n1 row without cycles: --all prints it\n");
    print.whole_run = false;
    EXPECT(written(blocks_text), "\ninstances on core A: no row is called by several ways\n");
}

/* ---- CSV ---- */

#define CSV_HEAD(ranges, measured)                                                                                     \
    "program,region,core,kind,type,name,label,model,system,file,line,state,executions,instructions,read_bytes,"        \
    "written_bytes,copies,merged,inlined,moved,cycles,low,high,level," ranges                                          \
    "share,step_mean,step_low,step_high,step_best,step_worst,incorporates,phases,readable,parent,us,inclusive,"        \
    "step_us,step_inclusive,step_share,step_executions,step_read_bytes,step_written_bytes" measured "\n"

static void csv(void **state)
{
    (void)state;
    make(1, false);
    print.ranges = true;
    request.measured = "table";
    expect(blocks_csv,
           CSV_HEAD(
               "cycles_best,cycles_worst,",
               ",measured") "pr&g,main,A,block,Gain,<S1>/G,,m,m/Sub,/s/"
                            "m.c,5,executed,10,200,80,41,3,1,100,3,600,300,1200,0.9,300,900,0.6,,,,,,"
                            "Constant: '<S1>/C',Update,,,600,900,,,,,,,500\n"
                            "pr&g,main,A,function,function,main,,m,,/s/"
                            "m.c,1,executed,2,90,0,0,0,89,0,0,350,175,700,0.9,175,525,0.35,,,,,,,,,,350,1000,,,,,,,0\n"
                            "pr&g,main,A,state,State,<S2>:4,On,m,m/Chart,/s/m.c,9,not "
                            "executed,0,0,0,0,0,0,0,0,0,0,0,0.9,0,0,0,,,,,,,,,<S1>/G,0,0,,,,,,,0\n"
                            "pr&g,main,A,function,function,_Z1gi,,m,,/s/"
                            "g.cc,20,executed,5,10,0,0,0,0,0,0,50,25,100,0.9,25,75,0.05,,,,,,,,g(int),,50,50,,,,,,,0\n"
                            "pr&g,main,A,marker,marker,mk,,,,,,no "
                            "code,0,0,0,0,0,0,0,0,0,0,0,0.9,0,0,0,,,,,,,,,,0,0,,,,,,,0\n"
                            "pr&g,main,A,total,,,,,,,,,,300,,,,,,,1000,500,2000,0.9,500,1250,1,,,,,,,,,,1000,1000,,,,,,"
                            ",510\n");
    make(1, true);
    trust.n_intervals = 0;
    blocks.n_rows = 1;
    expect(
        blocks_csv,
        CSV_HEAD("", "") "pr&g,main,A,block,Gain,<S1>/G,,m,m/Sub,/s/"
                         "m.c,5,executed,10,200,80,41,3,1,100,3,600,,,,0.6,100,,,75,150,"
                         "Constant: '<S1>/C',Update,,,600,900,100,200,0.5,2,16,7.5\n"
                         "pr&g,main,A,total,,,,,,,,,,300,,,,,,,1000,,,,1,200,,,150,260,,,,,1000,1000,200,200,1,1,,\n");
    rows[0].step_inclusive = NULL;
    regions[1].flaws = 1; /* what was counted in steps cannot be used */
    EXPECT(written(blocks_csv), "Update,,,600,900,100,,0.5,,,\n");
    regions[1].flaws = 0;
    cores[0].clock_hz = 0;
    EXPECT(written(blocks_csv), "Update,,,,900,,,0.5,2,16,7.5\n", ",,,,,1000,,200,1,1,,\n");
    cores[0].clock_hz = 1e6;
    expect(blocks_instances_csv,
           "program,region,core,per,kind,type,name,model,path,calls,cycles,inclusive,us,inclusive_us,divided\n"
           "pr&g,main,A,run,block,Gain,<S1>/G,m,function main > X,3,400,500,400,500,exact\n"
           "pr&g,main,A,run,block,Gain,<S1>/G,m,,1.5,200,250,200,250,by calls\n"
           "pr&g,main,A,step,block,Gain,<S1>/G,m,function main > X,3,400,500,400,500,exact\n");
}

/* ---- JSON ---- */

static void expect_json(const char *wanted)
{
    json_error_t problem;
    json_t *found = blocks_data(&print), *document = json_loads(wanted, 0, &problem);
    if (!document)
        fail_msg("the wanted text: %s at %d", problem.text, problem.position);
    if (!json_equal(found, document))
        fail_msg("wanted %s\nfound %s", json_dumps(document, JSON_SORT_KEYS), json_dumps(found, JSON_SORT_KEYS));
    json_decref(found);
    json_decref(document);
}

static void json(void **state)
{
    (void)state;
    make(1, true);
    double mean[] = {100}, worst[] = {250};
    struct blocks_rate rates[] = {{(char *)"fast", 0.001, mean, worst}};
    struct blocks_loads loads = {rates, 1};
    print.loads = &loads;
    print.ranges = true;
    request.measured = "table";
    blocks.n_rows = 1;
    expect_json(
        "{\"shim\":\"/x/y.shim.xml\",\"program\":\"pr&g\",\"region\":\"main\",\"method\":\"sum\",\"instructions\":300,"
        "\"step\":{\"function\":\"main\",\"steps\":4,\"ways\":2,\"complete\":true},"
        "\"total\":[{\"core\":\"A\",\"cycles\":1000.0,\"level\":0.9,\"low\":500.0,\"high\":2000.0,\"us\":1000.0,"
        "\"best\":500.0,\"worst\":1250.0,\"step\":{\"mean\":200.0,\"best\":150.0,\"worst\":260.0,\"level\":0.9,"
        "\"low\":100.0,\"high\":400.0,\"us\":200.0}}],\"measured\":510,"
        "\"blocks\":[{\"kind\":\"block\",\"type\":\"Gain\",\"name\":\"<S1>/G\",\"label\":null,\"model\":\"m\","
        "\"system\":\"m/Sub\",\"file\":\"/s/m.c\",\"line\":5,\"state\":\"executed\",\"executions\":10,"
        "\"instructions\":200,\"read_bytes\":80,\"written_bytes\":41,\"copies\":3,\"merged\":1,\"inlined\":100,"
        "\"moved\":3,\"cores\":[{\"core\":\"A\",\"cycles\":600.0,\"level\":0.9,\"low\":300.0,\"high\":1200.0,"
        "\"us\":600.0,\"best\":300.0,\"worst\":900.0,\"inclusive\":900.0,\"step\":{\"mean\":100.0,\"best\":75.0,"
        "\"worst\":150.0,\"level\":0.9,\"low\":50.0,\"high\":200.0,\"us\":100.0,\"inclusive\":200.0}}],"
        "\"measured\":500,\"incorporates\":\"Constant: '<S1>/C'\",\"phases\":\"Update\"}],"
        "\"notes\":[\"a note <b>\"],\"loads\":[{\"function\":\"fast\",\"period_s\":0.001,\"cores\":["
        "{\"core\":\"A\",\"mean\":0.1,\"worst\":0.25}]}],"
        "\"instances\":[{\"type\":\"Gain\",\"name\":\"<S1>/G\",\"model\":\"m\",\"path\":\"function main > X\","
        "\"calls\":3.0,\"exact\":true,\"cores\":[{\"core\":\"A\",\"cycles\":400.0,\"inclusive\":500.0}]},"
        "{\"type\":\"Gain\",\"name\":\"<S1>/G\",\"model\":\"m\",\"path\":\"\",\"calls\":1.5,\"exact\":false,"
        "\"cores\":[{\"core\":\"A\",\"cycles\":200.0,\"inclusive\":250.0}]}],"
        "\"step_instances\":[{\"type\":\"Gain\",\"name\":\"<S1>/G\",\"model\":\"m\",\"path\":\"function main > X\","
        "\"calls\":3.0,\"exact\":true,\"cores\":[{\"core\":\"A\",\"cycles\":400.0,\"inclusive\":500.0}]}]}");
    make(CORES, false);
    trust.n_intervals = 0;
    blocks.n_rows = 2;
    blocks.rows = &rows[2];
    blocks.instances.n = blocks.notes.n = 0;
#define ZEROS                                                                                                          \
    "\"instructions\":0,\"read_bytes\":0,\"written_bytes\":0,\"copies\":0,\"merged\":0,\"inlined\":0,\"moved\":0,"     \
    "\"cores\":"
    expect_json(
        "{\"shim\":\"/x/y.shim.xml\",\"program\":\"pr&g\",\"region\":\"main\",\"method\":\"sum\",\"instructions\":300,"
        "\"total\":[{\"core\":\"A\",\"cycles\":1000.0,\"us\":1000.0},{\"core\":\"B\",\"cycles\":1000.0,\"us\":1000.0},"
        "{\"core\":\"C\",\"cycles\":4000.0}],\"blocks\":[{\"kind\":\"state\",\"type\":\"State\",\"name\":\"<S2>:4\","
        "\"label\":\"On\",\"model\":\"m\",\"system\":\"m/Chart\",\"file\":\"/s/m.c\",\"line\":9,\"state\":\"not "
        "executed\","
        "\"executions\":0," ZEROS "[{\"core\":\"A\",\"cycles\":0.0,\"us\":0.0,\"inclusive\":0.0},"
        "{\"core\":\"B\",\"cycles\":0.0,\"us\":0.0,\"inclusive\":0.0},{\"core\":\"C\",\"cycles\":0.0,\"inclusive\":0.0}"
        "],"
        "\"parent\":\"<S1>/G\",\"incorporates\":null,\"phases\":null},"
        "{\"kind\":\"function\",\"type\":\"function\",\"name\":\"_Z1gi\",\"label\":null,\"model\":\"m\",\"system\":"
        "null,"
        "\"file\":\"/s/g.cc\",\"line\":20,\"state\":\"executed\",\"executions\":5,\"instructions\":10,\"read_bytes\":0,"
        "\"written_bytes\":0,\"copies\":0,\"merged\":0,\"inlined\":0,\"moved\":0,\"cores\":["
        "{\"core\":\"A\",\"cycles\":50.0,\"us\":50.0,\"inclusive\":50.0},{\"core\":\"B\",\"cycles\":50.0,\"us\":50.0,"
        "\"inclusive\":50.0},{\"core\":\"C\",\"cycles\":100.0,\"inclusive\":100.0}],\"incorporates\":null,"
        "\"phases\":null,\"readable\":\"g(int)\"}],\"notes\":[],\"instances\":[]}");
}

/* ---- the page and the drawing ---- */

#define CELL(exact, shown, us, low, high)                                                                              \
    "<td class=\"num\" data-v=\"" exact "\">" shown us "<br/><span class=\"aside\">" low " \xe2\x80\x93 " high         \
    "</span></td>"
#define US(n)               "<br/><span class=\"aside\">" n SP "\xc2\xb5s</span>"
#define MINOR(exact, shown) "<td class=\"num minor\" data-v=\"" exact "\">" shown "</td>"

/* The widest bound is 4800: an axis up to 5000. */
static void page_of_the_run(void **state)
{
    (void)state;
    make(CORES, false);
    print.ranges = true;
    EXPECT(
        written(blocks_html), "<h1>pr&amp;g</h1>\n<p class=\"under\">y.shim.xml \xc2\xb7 method sum</p>",
        "<caption><span>300 IR instructions were executed. Below cycles: what the board\xe2\x80\x99s lie between, for "
        "90" SP "% of programs that the values were not fitted on.</span>",
        "<th scope=\"col\" class=\"num\">cycles</th><th scope=\"col\" class=\"num\">by best values</th><th "
        "scope=\"col\" "
        "class=\"num\">by worst values</th></tr></thead>",
        "<tr><th scope=\"row\"><code>A, B</code></th><td class=\"num\">1" SP
        "MHz</td>" CELL("1000", "1" SP "000", US("1" SP "000"), "500",
                        "2" SP "000") "<td class=\"num\" data-v=\"500\">500</td><td class=\"num\" data-v=\"1250\">1" SP
                                      "250</td></tr>\n",
        "<tr><th scope=\"row\"><code>C</code></th><td class=\"num\">\xe2\x80\x93</td>" CELL("4000", "4" SP "000", "",
                                                                                            "2" SP "000", "8" SP "000"),
        "All of the whole run: cycles, and their interval",
        "<th scope=\"col\">block</th><th scope=\"col\" class=\"num\">A, B</th><th scope=\"col\" class=\"num\">C</th>",
        "<tr><th scope=\"row\">Gain &lt;S1&gt;/G<br/><span class=\"aside\">m/Sub \xc2\xb7 m.c:5</span></th>" CELL(
            "600", "600", US("600"), "300", "1" SP "200")
            CELL("2400", "2" SP "400", "", "1" SP "200",
                 "4" SP "800") "<td class=\"lanes\"><div class=\"lane\"><svg height=\"22\" aria-hidden=\"true\">",
        "<line class=\"whisker\" x1=\"6%\" x2=\"24%\" y1=\"11\" y2=\"11\"/>"
        "<line class=\"whisker\" x1=\"6%\" x2=\"6%\" y1=\"7\" y2=\"15\"/>"
        "<line class=\"whisker\" x1=\"24%\" x2=\"24%\" y1=\"7\" y2=\"15\"/>"
        "<g class=\"mark value\"><title>Gain &lt;S1&gt;/G on A: 600 cycles, from 300 to 1" SP "200</title>"
        "<use href=\"#mark-value\" x=\"12%\" y=\"11\"/></g>",
        "<line class=\"whisker\" x1=\"24%\" x2=\"96%\" y1=\"11\" y2=\"11\"/>",
        "Gain &lt;S1&gt;/G on C: 2" SP "400 cycles, from 1" SP "200 to 4" SP
        "800</title><use href=\"#mark-value\" x=\"48%\"",
        "</td><td class=\"num\" data-v=\"0.6\">60" SP "%</td>" CELL("900", "900", US("900"), "450", "1" SP "800")
            MINOR("10", "10.0") MINOR("80", "80.0")
                MINOR("41", "41.0") "<td class=\"minor\">merged under 1 %, inlined 50 %, moved 2 %<br/><span "
                                    "class=\"aside\">with Constant: "
                                    "&#39;&lt;S1&gt;/C&#39;</span></td></tr>\n",
        "function main<br/><span class=\"aside\">m.c:1</span>", "function g(int)<br/>",
        "<p>Left out: 0 rows by <code>--top</code>, 2 without cycles (<code>--all</code>).</p>",
        "<ul>\n<li>a note &lt;b&gt;</li>\n</ul>");
    print.all = true;
    blocks.notes.n = 0;
    tree[4].system = (char *)"m/X";
    char *text = written(blocks_html);
    assert_null(strstr(text, "Left out"));
    assert_null(strstr(text, "<section id=\"notes\""));
    EXPECT(text, "marker mk<br/><span class=\"aside\">m/X</span></th>", "<td class=\"minor\">no code</td>");
}

/* The longest step is 150 cycles: an axis up to 160, in steps of 20. */
static void page_of_a_step(void **state)
{
    (void)state;
    make(1, true);
    double mean[] = {100}, worst[] = {250};
    struct blocks_rate rates[] = {{(char *)"fast", 0.001, mean, worst}};
    struct blocks_loads loads = {rates, 1};
    print.loads = &loads;
    trust.n_intervals = 0;
    EXPECT(written(blocks_html),
           "<span>300 IR instructions were executed in 4 steps of main, gone through in 2 ways.</span>",
           "<td class=\"num\" data-v=\"1000\">1" SP
           "000" US("1" SP "000") "</td><td class=\"num\" data-v=\"200\">200" US(
               "200") "</td><td class=\"num\" data-v=\"150\">150</td><td class=\"num\" data-v=\"260\">260</td></tr>\n",
           "<tr><th scope=\"row\"><code>fast</code></th><td class=\"num\" data-v=\"1\">1.00</td><td><code>A</code></td>"
           "<td class=\"num\" data-v=\"0.1\">10.0" SP "%</td><td class=\"num\" data-v=\"0.25\">25.0" SP "%</td></tr>\n",
           "All of a step: the mean cycles", "<th scope=\"col\">block</th><th scope=\"col\" class=\"num\">cycles</th>",
           "<td class=\"num\" data-v=\"100\">100" US("100") "</td>",
           "<line class=\"whisker\" x1=\"46.875%\" x2=\"93.75%\" y1=\"11\" y2=\"11\"/>",
           "on A: 100 cycles, from 75.0 to 150</title><use href=\"#mark-value\" x=\"62.5%\" y=\"11\"/>",
           "<td class=\"num\" data-v=\"0.5\">50" SP
           "%</td><td class=\"num\" data-v=\"200\">200" US("200") "</td>" MINOR("2", "2.00") MINOR("16", "16.0")
               MINOR("7.5", "7.50"));
    blocks.step_kinds_complete = false;
    EXPECT(written(blocks_html), "gone through in 2 and more ways.</span>");
}

/* 560 pixels from 330 on are 4800 cycles; a row has 20 pixels, of which two cores have 7 each. */
static void drawing(void **state)
{
    (void)state;
    make(CORES, false);
    EXPECT(written(blocks_svg), "width=\"930\" height=\"148\" viewBox=\"0 0 930 148\"",
           "<title>pr&amp;g: cycles of its blocks</title>",
           ">pr&amp;g: cycles of the run, and their interval</text>\n"
           "<rect x=\"12\" y=\"28\" width=\"9\" height=\"9\" fill=\"#4477aa\"/><text x=\"25\" y=\"36\" "
           "fill=\"#566173\">A, B</text>\n"
           "<rect x=\"70\" y=\"28\" width=\"9\" height=\"9\" fill=\"#ee8866\"/><text x=\"83\" y=\"36\" "
           "fill=\"#566173\">C</text>\n",
           "<line x1=\"446.7\" x2=\"446.7\" y1=\"46\" y2=\"114.0\"", "y=\"130.0\"",
           "<text x=\"322\" y=\"65.0\" text-anchor=\"end\" fill=\"#1a2230\">Gain &lt;S1&gt;/G</text>\n"
           "<g><title>Gain &lt;S1&gt;/G on A, B, merged under 1 %, inlined 50 %, moved 2 %: 600.0 cycles, 300.0 to "
           "1200.0</title><rect x=\"330\" y=\"54.0\" width=\"70.0\" height=\"7.0\" fill=\"#4477aa\"/>"
           "<line x1=\"365.0\" x2=\"470.0\" y1=\"57.5\" y2=\"57.5\" stroke=\"#1a2230\"/></g>\n",
           "2400.0 cycles, 1200.0 to 4800.0</title><rect x=\"330\" y=\"61.0\" width=\"280.0\" height=\"7.0\" "
           "fill=\"#ee8866\"/>"
           "<line x1=\"470.0\" x2=\"890.0\" y1=\"64.5\" y2=\"64.5\"",
           "<text x=\"322\" y=\"85.0\" text-anchor=\"end\" fill=\"#1a2230\">function main</text>\n"
           "<g><title>function main on A, B, merged 99 %: 350.0 cycles",
           "<g><title>function g(int) on A, B: 50.0 cycles, 25.0 to 100.0</title><rect x=\"330\" y=\"94.0\"");
    trust.n_intervals = 0;
    EXPECT(written(blocks_svg), ">pr&amp;g: cycles of the run</text>", "600.0 cycles, 600.0 to 600.0</title>");
    make(1, true);
    EXPECT(written(blocks_svg), ">pr&amp;g: cycles of a step, and from the shortest to the longest</text>",
           "100.0 cycles, 75.0 to 150.0</title><rect x=\"330\" y=\"54.0\" width=\"373.3\" height=\"14.0\"");
}

/* Cores are shown together only when nothing differs. */
static void different_cores(void **state)
{
    (void)state;
    for (int what = 0; what < 12; what++) {
        make(2, true);
        switch (what) {
        case 0:
            cores[1].clock_hz = 2e6;
            break;
        case 1:
            total[1].typical++;
            break;
        case 2:
            total[1].best++;
            break;
        case 3:
            total[1].worst++;
            break;
        case 4:
            cycles[3][1].typical++;
            break;
        case 5:
            cycles[3][1].best++;
            break;
        case 6:
            cycles[3][1].worst++;
            break;
        case 7:
            steps[3][1].mean++;
            break;
        case 8:
            steps[3][1].best++;
            break;
        case 9:
            steps[3][1].worst++;
            break;
        case 10:
            steps[4][1].mean++;
            break;
        default:
            break;
        }
        char *text = written(blocks_text);
        if ((strstr(text, "cores A, B") != NULL) != (what == 11))
            fail_msg("case %d: %s", what, text);
        free(text);
    }
}

/* ---- AMALTHEA ---- */

#define TICKS(element, low, high, mean)                                                                                \
    "<" element " xsi:type=\"am:DiscreteValueStatistics\" lowerBound=\"" low "\" upperBound=\"" high                   \
    "\" average=\"" mean "\"/>\n"
#define EXTENDED(core, low, high, mean)                                                                                \
    "          <extended key=\"" core                                                                                  \
    "?type=ProcessingUnitDefinition\">\n            " TICKS("value", low, high, mean) "          </extended>\n"

/* The whole is one element of AMALTHEA's, in which each element is closed, the inner ones first. No value has '>' in it. */
static void assert_whole(char *text)
{
    static const char root[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<am:Amalthea xmi:version=\"2.0\" ";
    assert_int_equal(strncmp(text, root, strlen(root)), 0);
    const char *open[20];
    size_t depth = 0;
    for (const char *at = strchr(text + 1, '<'); at; at = strchr(at + 1, '<')) {
        if (at[1] != '/') {
            assert_true(depth < COUNT(open));
            const char *end = strchr(at, '>');
            assert_non_null(end);
            if (end[-1] != '/')
                open[depth++] = at + 1;
            continue;
        }
        assert_true(depth > 0);
        size_t n = strcspn(at + 2, ">");
        assert_memory_equal(open[--depth], at + 2, n);
        assert_true(strchr(" >", open[depth][n]));
        if (!depth)
            assert_string_equal(at, "</am:Amalthea>\n");
    }
    assert_int_equal(depth, 0);
    free(text);
}

/* A pass is a step, of which there are 4, else one of the region's 2 entries. */
static void amalthea(void **state)
{
    (void)state;
    make(CORES, false);
    EXPECT(
        written(blocks_amalthea),
        "  <swModel>\n    <tasks name=\"pr&amp;g\" xmi:id=\"pr%26g?type=Task\">\n      <activityGraph>\n"
        "        <items xsi:type=\"am:RunnableCall\" runnable=\"main?type=Runnable\"/>\n"
        "        <items xsi:type=\"am:RunnableCall\" runnable=\"m%2FSub%2FG?type=Runnable\"/>\n"
        "        <items xsi:type=\"am:RunnableCall\" runnable=\"_Z1gi?type=Runnable\"/>\n      </activityGraph>\n    "
        "</tasks>\n",
        "    <runnables name=\"main\" xmi:id=\"main?type=Runnable\">\n      <customProperties key=\"source\">\n        "
        "<value "
        "xsi:type=\"am:StringObject\" value=\"/s/m.c:1\"/>\n      </customProperties>\n      <customProperties "
        "key=\"merged\">\n        <value xsi:type=\"am:DoubleObject\" value=\"0.988889\"/>\n      </customProperties>\n"
        "      <activityGraph>\n        <items xsi:type=\"am:Ticks\">\n          " TICKS(
            "default", "87", "350", "175.0") EXTENDED("A", "87", "350", "175.0") EXTENDED("B", "87", "350", "175.0")
            EXTENDED("C", "375", "1500", "750.0") "        </items>\n      </activityGraph>\n    </runnables>\n",
        "key=\"merged\">\n        <value xsi:type=\"am:DoubleObject\" value=\"0.005000\"/>",
        "key=\"inlined\">\n        <value xsi:type=\"am:DoubleObject\" value=\"0.500000\"/>",
        "key=\"moved\">\n        <value xsi:type=\"am:DoubleObject\" value=\"0.015000\"/>",
        "        <items xsi:type=\"am:LabelAccess\" data=\"m%2FSub%2FG%3A+data+read?type=Label\" access=\"read\"/>\n"
        "        <items xsi:type=\"am:Ticks\">\n          " TICKS("default", "150", "600", "300.0"),
        "        </items>\n        <items xsi:type=\"am:LabelAccess\" "
        "data=\"m%2FSub%2FG%3A+data+written?type=Label\" access=\"write\"/>\n",
        "    <labels name=\"m/Sub/G: data read\" xmi:id=\"m%2FSub%2FG%3A+data+read?type=Label\">\n      <size "
        "value=\"40\" unit=\"B\"/>\n    </labels>\n",
        "data written\"", "<size value=\"21\" unit=\"B\"/>", /* 41 / 2 */
        "    <definitions xsi:type=\"am:ProcessingUnitDefinition\" name=\"A\"", "name=\"B\"", "name=\"C\"",
        "<modules xsi:type=\"am:ProcessingUnit\" name=\"A\" xmi:id=\"A?type=ProcessingUnit\" "
        "frequencyDomain=\"A?type=FrequencyDomain\" definition=\"A?type=ProcessingUnitDefinition\"/>",
        "name=\"C\" xmi:id=\"C?type=ProcessingUnit\" definition=",
        "<domains xsi:type=\"am:FrequencyDomain\" name=\"A\" xmi:id=\"A?type=FrequencyDomain\" clockGating=\"false\">\n"
        "      <defaultValue value=\"1000000.0\" unit=\"Hz\"/>",
        "name=\"B\" xmi:id=\"B?type=FrequencyDomain\"");
    char *text = written(blocks_amalthea);
    assert_null(strstr(text, "C?type=FrequencyDomain"));
    assert_null(strstr(text, "On"));
    assert_whole(text);
    make(1, true);
    tree[3].name = (char *)"main";
    rows[2].state = BLOCKS_EXECUTED;
    steps[2][0] = (struct blocks_step){-1, -2, 0.25};
    EXPECT(written(blocks_amalthea), "<tasks name=\"main\"", "runnable=\"main?type=Runnable\"",
           "runnable=\"m%2FSub%2FG?type=Runnable\"", "runnable=\"m%2FChart%2FOn%3A4?type=Runnable\"",
           "runnable=\"main+%282%29?type=Runnable\"", "<runnables name=\"main\"", TICKS("default", "67", "135", "90.0"),
           "<runnables name=\"m/Sub/G\"", TICKS("default", "75", "150", "100.0"), "<runnables name=\"m/Chart/On:4\"",
           TICKS("default", "0", "1", "0.0"), "<size value=\"20\" unit=\"B\"/>",
           "<size value=\"11\" unit=\"B\"/>"); /* 80 and 41 over 4 */
    steps[2][0].worst = 0;                     /* costs nothing */
    blocks.n_rows = 3;
    trust.n_intervals = 0;
    text = written(blocks_amalthea);
    assert_null(strstr(text, "Chart"));
    free(text);
    make(1, false);
    trust.n_intervals = 0;
    regions[0].entries = 0; /* not known: once */
    cycles[0][0].typical = 12.5;
    EXPECT(written(blocks_amalthea), TICKS("default", "350", "350", "350.0"), TICKS("default", "12", "13", "12.5"));
    regions[0].entries = 2;
}

/* ---- periods ---- */

static void periods(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"10ms", 0.01},       {"250us", 250e-6},    {"0.5s", 0.5},   {"3ns", 3e-9},
                {"7\xc2\xb5s", 7e-6}, {"7\xce\xbcs", 7e-6}, {"1e-3 s", 1e-3}};
    static const char *const bad[] = {"", "10", "ms", "10 m", "0s", "-1s", "1e9s", "10mss", "1..2s"};
    double seconds;
    for (size_t i = 0; i < COUNT(good); i++) {
        assert_true(blocks_period(good[i].text, &seconds));
        assert_float_equal(seconds / good[i].seconds, 1, 1e-12);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        if (blocks_period(bad[i], &seconds))
            fail_msg("'%s' is taken", bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_of_the_run),
                                       cmocka_unit_test(text_of_a_step),
                                       cmocka_unit_test(csv),
                                       cmocka_unit_test(json),
                                       cmocka_unit_test(page_of_the_run),
                                       cmocka_unit_test(page_of_a_step),
                                       cmocka_unit_test(drawing),
                                       cmocka_unit_test(different_cores),
                                       cmocka_unit_test(amalthea),
                                       cmocka_unit_test(periods)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
