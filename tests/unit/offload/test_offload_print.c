/*
 * test_offload_print.c - what is printed of a judgement: text, tables, JSON, the page and its drawings. The judgement
 * is made by hand, with numbers of its own in each field; lines, documents and places in drawings were written down from it by hand.
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

#include "base/map.h"
#include "shimgen/offload/offload.h"
#include "tests/unit/offload/files.h"

#define SP   "\xe2\x80\xaf" /* before a unit */
#define DASH "\xe2\x80\x93" /* what is not known */

enum { MAIN, F, G, H };

static void set_costs(double *c, double instructions, double flops, double integers, double bytes, double l2, double s)
{
    const double all[] = {instructions, flops, integers, bytes, l2, s, s / 2, 2 * s};
    memcpy(c, all, sizeof all);
}

static struct offload_function *add_function(struct offload_table *t, const char *name, double calls)
{
    uint32_t i = offload_add_function(t, (struct offload_function){.name = strdup(name), .calls = calls});
    return &t->functions.at[i];
}

static void add_spent(struct offload_table *t, uint32_t function, double instructions, double flops, double bytes,
                      double seconds)
{
    struct offload_spent s = {.function = function};
    set_costs(s.costs, instructions, flops, 10, bytes, bytes / 2, seconds);
    vec_push(&t->spent, s);
    t->windows.at[t->windows.n - 1].n++;
}

/* main calls f (C++: g(int)) four times, f and main call "a_long_name" once each; h has no caller. */
static struct offload_table made_table(void)
{
    struct offload_table t = {.path = strdup("/d/x.prof"), .program = strdup("x<y"), .kind = strdup("a kind")};
    struct offload_function *f = add_function(&t, "main", 1);
    set_costs(f->self, 100, 0, 50, 0, 0, 0.095);
    f->file = strdup("m.c");
    f = add_function(&t, "_Z1gi", 4);
    set_costs(f->self, 800, 3200, 400, 400, 200, 0.8);
    f->operations.fp[OPERATIONS_32][0] = 1000;
    f->operations.fp[OPERATIONS_64][2] = 1100;
    f->operations.integers = 400;
    f->obstacles = OFFLOAD_IO | OFFLOAD_MATHS;
    for (unsigned i = 0; i < 6; i++)
        vec_push(&f->loops, (struct offload_loop){i ? strdup("/s/f.c") : NULL, 7 + i, i ? 4 : 0, 402, 1 + i});
    f = add_function(&t, "a_long_name", 2);
    set_costs(f->self, 99, 10, 49, 100, 100, 0.1);
    f->operations.fp[OPERATIONS_64][0] = 5;
    f = add_function(&t, "h", 1);
    set_costs(f->self, 1, 5, 1, 1, 1, 0.005);
    vec_push(&t.arcs, (struct offload_arc){MAIN, F, 4, NAN});
    vec_push(&t.arcs, (struct offload_arc){MAIN, G, 1, NAN});
    vec_push(&t.arcs, (struct offload_arc){F, G, 1, NAN});
    t.known = (1U << OFFLOAD_COSTS) - 1;
    t.window_size = strdup("10 ms");
    vec_push(&t.windows, (struct offload_window){0, 0.5, t.spent.n, 0});
    add_spent(&t, MAIN, 60, 0, 0, 0.125);
    add_spent(&t, F, 500, 2000, 200, 0.375);
    vec_push(&t.windows, (struct offload_window){0.5, 0.5, t.spent.n, 0});
    add_spent(&t, F, 300, 1200, 200, 0.25);
    add_spent(&t, G, 99, 300, 100, 0.25);
    offload_note(&t, "a note & more");
    return t;
}

static void no_footprint(struct offload_candidate *c)
{
    for (int i = 0; i < OFFLOAD_FOOTPRINT; i++)
        c->footprint[i] = NAN;
}

static struct offload_judgement made_judgement(void)
{
    struct offload_judgement j = {.smallest = 0};
    struct offload_candidate c = {.function = OFFLOAD_WHOLE, .calls = 1, .share = 1, .self_share = 1};
    set_costs(c.costs, 1000, 3215, 500, 501, 301, 1);
    no_footprint(&c);
    c.intensity = (struct offload_ratio){6.5, false, OFFLOAD_PASS};
    c.integer_intensity = (struct offload_ratio){1, false, OFFLOAD_FAIL};
    c.rate = 1000, c.peak = SIZE_MAX, c.rate_state = OFFLOAD_NOT_KNOWN;
    c.working = 4, c.needed = 1, c.needed_state = OFFLOAD_PASS, c.verdict = OFFLOAD_MAYBE;
    c.bound = c.bound_low = c.bound_high = INFINITY;
    j.whole = c;
    c = (struct offload_candidate){.function = F, .calls = 4, .share = 0.85, .self_share = 0.8};
    set_costs(c.costs, 850, 3200, 425, 320, 250, 0.8);
    for (int i = 0; i < OFFLOAD_FOOTPRINT; i++)
        c.footprint[i] = 100 * (i + 1);
    c.intensity = (struct offload_ratio){INFINITY, true, OFFLOAD_PASS};
    c.integer_intensity = (struct offload_ratio){NAN, false, OFFLOAD_NOT_KNOWN};
    c.on_integers = true;
    c.rate = 2e9, c.peak = 0, c.rate_state = OFFLOAD_PASS;
    c.working = 2, c.needed = 1, c.needed_state = OFFLOAD_PASS, c.verdict = OFFLOAD_YES;
    c.obstacles = OFFLOAD_RECURSION | OFFLOAD_IO;
    c.bound = 5, c.bound_low = 4, c.bound_high = 6.25, c.rank_from = 1, c.rank_to = 2;
    vec_push(&c.inside, (struct offload_inside){F, 0.94});
    vec_push(&c.inside, (struct offload_inside){G, 0.001});
    vec_push(&c.inside, (struct offload_inside){MAIN, 0.0009});
    vec_push(&j.roots, c);
    c = (struct offload_candidate){.function = G, .calls = 2, .share = 0.0625, .self_share = 0.1};
    set_costs(c.costs, 99, 10, 49, 100, 100, 0.1);
    no_footprint(&c);
    c.intensity = (struct offload_ratio){0.1, false, OFFLOAD_FAIL};
    c.integer_intensity = (struct offload_ratio){0.49, false, OFFLOAD_FAIL};
    c.rate = NAN, c.peak = SIZE_MAX, c.rate_state = OFFLOAD_FAIL;
    c.working = 1, c.needed = 31, c.needed_state = OFFLOAD_FAIL, c.verdict = OFFLOAD_NO;
    c.bound = c.bound_low = c.bound_high = 1.125, c.rank_from = c.rank_to = 2;
    vec_push(&j.roots, c);
    return j;
}

static struct accelerator made_accelerator(void)
{
    struct accelerator a = {.path = strdup("/p/a.ini"), .name = strdup("A&B"), .local = {1 << 18, 8, 64}};
    a.flops = a.integers = a.memory = a.latency = a.host_clock = NAN;
    a.link = 8e9;
    a.link_name = strdup("L");
    a.intensity = (struct offload_threshold){4, strdup("s1")};
    a.integer_intensity = (struct offload_threshold){NAN, NULL};
    a.rate = (struct offload_threshold){1000, NULL};
    a.functions = (struct offload_threshold){2, strdup("s2")};
    a.share = (struct offload_threshold){0.8, NULL};
    return a;
}

struct made {
    struct offload_table table;
    struct offload_judgement judgement;
    struct offload_report report;
    struct accelerator accelerator;
    struct offload_print print;
};

static void make(struct made *m)
{
    m->table = made_table();
    m->judgement = made_judgement();
    m->accelerator = made_accelerator();
    m->report = (struct offload_report){&m->table, &m->judgement};
    m->print = (struct offload_print){.accelerator = &m->accelerator, .reports = &m->report, .n = 1};
}

static void release(struct made *m)
{
    offload_table_release(&m->table);
    offload_judgement_release(&m->judgement);
    accelerator_release(&m->accelerator);
}

/* The caller frees. */
static char *printed(const struct made *m, const char *format)
{
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    char *path = path_join(files_folder, "printed");
    assert_int_equal(offload_print(&m->print, format, path, &e), OK);
    assert_int_equal(file_read(&text, path, FILE_LIMIT, &e), OK);
    free(path);
    str_add(&text, "");
    return str_detach(&text);
}

static void expect(const struct made *m, const char *format, const char *wanted)
{
    char *text = printed(m, format);
    assert_string_equal(text, wanted);
    free(text);
}

/* Each of these stands once in the text, one after the other. */
static void in_order(const char *text, const char *const *wanted, size_t n)
{
    const char *at = text;
    for (size_t i = 0; i < n; i++) {
        const char *found = strstr(at, wanted[i]);
        if (!found) {
            fprintf(stderr, "%s\n", text);
            fail_msg("not there, or not in order: %s", wanted[i]);
        }
        if (strstr(text, wanted[i]) != found || strstr(found + 1, wanted[i]))
            fail_msg("more than once: %s", wanted[i]);
        at = found + strlen(wanted[i]);
    }
}

#define HEAD                                                                                                           \
    "accelerator: A&B, local memory 256 KiB, host: not named\n"                                                        \
    "  intensity              4 operations/B (s1)\n"                                                                   \
    "  integer intensity      not given\n"                                                                             \
    "  peak data rate         1e-06 GB/s (no source given)\n"                                                          \
    "  functions              2  (s2)\n"                                                                               \
    "  share of the work      80 % (no source given)\n"                                                                \
    "rule: all indexes pass: yes; the intensity passes: maybe; it fails: no; it is unknown: unknown\n"                 \
    "after an index: + pass, - fail, ? unknown. >=: the peak of the data rate is not known exactly. rank: by the "     \
    "bound, from best to worst if that has a range\n\n"
#define COLUMNS "verdict by           intensity  on integers   peak GB/s   fns   share    self    bound   rank  "
#define ROWS                                                                                                           \
    "maybe   floats            6.5+           1- >=   1e-06?    1+  100.0%  100.0%     none         (program)\n"       \
    "yes     integers      no data+     unknown?          2+    1+   85.0%   80.0%        5    1-2  g(int)\n"          \
    "no      floats            0.1-        0.49-    unknown-   31-    6.2%   10.0%     1.12      2  a_long_name\n"

static void text(void **state)
{
    (void)state;
    struct made m;
    make(&m);
    expect(&m, "text",
           HEAD
           "x<y (a kind)\n"
           "1000 instructions; W = 3215 single-precision operations (fp32 1000, fp64 5, fp64x4 1100); 500 on integers; "
           "D = 501 B; 301 B beyond the host's L2; 1000 ms\n" COLUMNS "function and what it calls\n" ROWS
           "smallest that covers 80 % of the work: g(int) (85.0 %, 2 functions), at most 5 times as fast (4 to 6.25 "
           "by the SHIM file's best and worst values)\n"
           "  obstacles: recursion, input and output\n"
           "  touches 100 B and writes 200 B; over the link go at least the 300 B that it needs and the 400 B that "
           "it leaves\n"
           "   94.0 %  g(int)\n"
           "      loop at ?:7, depth 1: entered 0 times, 0 iterations each\n"
           "      loop at f.c:8, depth 2: entered 4 times, 100.5 iterations each\n"
           "      loop at f.c:9, depth 3: entered 4 times, 100.5 iterations each\n"
           "      loop at f.c:10, depth 4: entered 4 times, 100.5 iterations each\n"
           "      loop at f.c:11, depth 5: entered 4 times, 100.5 iterations each\n"
           "    0.1 %  a_long_name\n");
    m.judgement.smallest = 1; /* without a range, footprint, obstacles */
    char *found = printed(&m, "text");
    const char *const more[] = {"\nsmallest that covers 80 % of the work: a_long_name (6.2 %, 1 functions), at most "
                                "1.12 times as fast\n  obstacles: none found\n"};
    in_order(found, more, 1);
    assert_null(strstr(found, "over the link"));
    free(found);
    m.judgement.smallest = OFFLOAD_WHOLE;
    m.table.known = 1U << OFFLOAD_INSTRUCTIONS;
    free(m.accelerator.name);
    m.accelerator.name = NULL;
    m.accelerator.host_name = strdup("H");
    found = printed(&m, "text");
    const char *const less[] = {"accelerator: /p/a.ini, local memory 256 KiB, host: H\n", "\n1000 instructions\n",
                                "\nno function covers 80 % of the work\n"};
    in_order(found, less, 3);
    free(found);
    m.print.alone = true;
    found = printed(&m, "text");
    const char *const alone[] = {"   rank  function\n"};
    in_order(found, alone, 1);
    assert_null(strstr(found, "covers"));
    free(found);
    release(&m);
}

/* Without any floating-point operation, and of two programs. */
static void two_programs(void **state)
{
    (void)state;
    struct made m;
    make(&m);
    struct offload_report both[] = {m.report, m.report};
    m.table.functions.at[F].operations = m.table.functions.at[G].operations = (struct operations){.integers = 1};
    m.print.reports = both;
    m.print.n = 2;
    char *found = printed(&m, "text"), *second;
    assert_non_null(second = strstr(found, "single-precision operations (none); 500 on integers"));
    assert_non_null(strstr(second + 1, "single-precision operations (none); 500 on integers"));
    free(found);
    m.print.by_time = true;
    found = printed(&m, "csv");
    assert_non_null(second = strstr(found, "\nx<y,2,"));
    assert_non_null(strstr(second + 1, "\nx<y,2,"));
    free(found);
    m.print.by_time = false;
    found = printed(&m, "csv");
    assert_non_null(second = strstr(found, "\nx<y,a_long_name,"));
    assert_non_null(strstr(second + 1, "\nx<y,a_long_name,"));
    free(found);
    found = printed(&m, "html");
    const char *const parts[] = {
        "<section id=\"program1\" aria-labelledby=\"h-program1\"><h2 id=\"h-program1\">x&lt;y (a kind)</h2>",
        "<figure id=\"roofline1\">",
        "<figure id=\"rates1\">",
        "<section id=\"program2\" aria-labelledby=\"h-program2\"><h2 id=\"h-program2\">x&lt;y (a kind)</h2>",
        "<figure id=\"roofline2\">",
        "<figure id=\"rates2\">",
        "<section id=\"thresholds\""};
    in_order(found, parts, sizeof parts / sizeof *parts);
    free(found);
    release(&m);
}

#define CSV_HEAD                                                                                                       \
    "program,function,verdict,by,intensity,intensity_state,integer_intensity,integer_intensity_state,rate_at_least,"   \
    "rate_state,functions_needed,functions_state,functions,share,self_share,bound,bound_low,bound_high,calls,"         \
    "instructions,flops,integer_operations,bytes,bytes_beyond_l2,seconds,bytes_touched,bytes_written,bytes_needed,"    \
    "bytes_left,rank_from,rank_to,obstacles\n"

static void csv(void **state)
{
    (void)state;
    struct made m;
    make(&m);
    expect(&m, "csv",
           CSV_HEAD
           "x<y,(program),maybe,floats,6.5,pass,1,fail,1000,unknown,1,pass,4,1,1,,,,1,1000,3215,500,501,301,1,,,"
           ",,,,\n"
           "x<y,_Z1gi,yes,integers,no data demanded,pass,,unknown,2000000000,pass,1,pass,2,0.85,0.8,5,4,6.25,4,850,"
           "3200,425,320,250,0.8,100,200,300,400,1,2,recursion; input and output\n"
           "x<y,a_long_name,no,floats,0.1,fail,0.49,fail,,fail,31,fail,1,0.0625,0.1,1.125,1.125,1.125,2,99,10,49,"
           "100,100,0.1,,,,,2,2,\n");
    m.table.known = 1U << OFFLOAD_INSTRUCTIONS | 1U << OFFLOAD_TIME; /* what is not known is empty */
    char *found = printed(&m, "csv");
    const char *const rows[] = {",1000,,,,,1,", ",850,,,,,0.8,", ",99,,,,,0.1,"};
    in_order(found, rows, 3);
    free(found);
    release(&m);
}

/*
 * By time: the second window is 1500 operations over 300 bytes, 300 bytes in 0.5 s; f and a_long_name have 0.25 s each, so both are needed.
 * In the first one f has 75 % of the time.
 */
static void by_time(void **state)
{
    (void)state;
    struct made m;
    make(&m);
    m.print.by_time = true;
    expect(&m, "csv",
           "program,window,begin,window_seconds,instructions,flops,integer_operations,bytes,bytes_beyond_l2,rate,"
           "rate_state,functions_needed,busiest,busiest_share\n"
           "x<y,1,0,0.5,560,2000,20,200,100,400,pass,2,_Z1gi,0.75\n"
           "x<y,2,0.5,0.5,399,1500,20,300,150,600,pass,2,_Z1gi,0.5\n");
    m.accelerator.rate.value = 500;
    m.accelerator.share.value = 0.5;
    expect(&m, "text",
           "\nx<y (a kind), 2 windows of 10 ms\n"
           " begin [ms]           ms   intensity on integers        GB/s    fns   share  busiest function\n"
           "           0         500          10         0.1       4e-07+    1   75.0%  g(int)\n"
           "         500         500           5     0.06667       6e-07-    1   50.0%  g(int)\n");
    m.table.known &= ~(1U << OFFLOAD_TIME); /* shares of instructions: 500 of 560, 300 of 399 */
    m.table.spent.at[0].costs[OFFLOAD_BYTES] = m.table.spent.at[1].costs[OFFLOAD_BYTES] = 0;
    m.table.windows.at[1].seconds = NAN;
    expect(&m, "text",
           "\nx<y (a kind), 2 windows of 10 ms\n"
           " begin [ms]           ms   intensity on integers        GB/s    fns   share  busiest function\n"
           "           0         500     no data     no data           0+    1   89.3%  g(int)\n"
           "         500     unknown           5     0.06667     unknown?    1   75.2%  g(int)\n");
    m.table.known = 1U << OFFLOAD_BYTES;
    m.table.windows.at[0].n = 0; /* nothing happened */
    expect(&m, "csv",
           "program,window,begin,window_seconds,instructions,flops,integer_operations,bytes,bytes_beyond_l2,rate,"
           "rate_state,functions_needed,busiest,busiest_share\n"
           "x<y,1,0,0.5,,,,0,,0,pass,0,,0\n"
           "x<y,2,0.5,,,,,300,,,unknown,1,_Z1gi,0.7518796992481203\n");
    struct error e = ERROR_INIT;
    m.table.windows.n = 0;
    assert_int_equal(offload_print(&m.print, "text", NULL, &e), ERR_INPUT);
    assert_string_equal(e.file, "/d/x.prof");
    error_release(&e);
    release(&m);
}

/* ---- JSON ---- */

#define COSTS(i, f, n, b, l, s, low, high)                                                                             \
    "{\"instructions\":" i ",\"flops\":" f ",\"integer_operations\":" n ",\"bytes\":" b ",\"bytes_beyond_l2\":" l      \
    ",\"seconds\":" s ",\"seconds_best\":" low ",\"seconds_worst\":" high "}"
#define NO_LANES "[0.0,0.0,0.0,0.0,0.0]"

static void json(void **state)
{
    (void)state;
    static const char wanted[] =
        "{\"accelerator\":{\"name\":\"A&B\",\"link\":\"L\",\"host\":null,\"local_memory\":262144.0,\"thresholds\":"
        "{\"intensity\":{\"value\":4.0,\"source\":\"s1\"},\"integer_intensity\":{\"value\":null,\"source\":null},"
        "\"rate\":{\"value\":1000.0,\"source\":null},\"functions\":{\"value\":2.0,\"source\":\"s2\"},"
        "\"share\":{\"value\":0.8,\"source\":null}}},\"rule\":\"all indexes pass: yes; the intensity passes: maybe; it "
        "fails: no; it is unknown: unknown\",\"programs\":[{\"program\":\"x<y\",\"input\":\"a kind\",\"whole\":"
        "{\"function\":null,\"verdict\":\"maybe\",\"rests_on\":\"floats\",\"intensity\":{\"value\":6.5,"
        "\"no_data_demanded\":false,\"state\":\"pass\"},\"integer_intensity\":{\"value\":1.0,\"no_data_demanded\":"
        "false,"
        "\"state\":\"fail\"},\"peak_rate\":{\"at_least\":1000.0,\"state\":\"unknown\",\"window\":null},"
        "\"functions_needed\":{\"value\":1.0,\"state\":\"pass\"},\"functions\":4,\"share\":1.0,\"self_share\":1.0,"
        "\"calls\":1.0,\"speedup_bound\":{\"value\":null,\"low\":null,\"high\":null},\"rank_from\":null,"
        "\"rank_to\":null,\"costs\":" COSTS(
            "1000.0", "3215.0", "500.0", "501.0", "301.0", "1.0", "0.5",
            "2.0") ","
                   "\"footprint\":{\"touched\":null,\"written\":null,\"needed\":null,\"left\":null},\"obstacles\":[],"
                   "\"inside\":[]},\"candidates\":[{\"function\":\"_Z1gi\",\"verdict\":\"yes\",\"rests_on\":"
                   "\"integers\","
                   "\"intensity\":{\"value\":null,\"no_data_demanded\":true,\"state\":\"pass\"},\"integer_intensity\":{"
                   "\"value\":"
                   "null,\"no_data_demanded\":false,\"state\":\"unknown\"},\"peak_rate\":{\"at_least\":2000000000.0,"
                   "\"state\":"
                   "\"pass\",\"window\":1},\"functions_needed\":{\"value\":1.0,\"state\":\"pass\"},\"functions\":2,"
                   "\"share\":0.85,\"self_share\":0.8,\"calls\":4.0,\"speedup_bound\":{\"value\":5.0,\"low\":4.0,"
                   "\"high\":6.25},"
                   "\"rank_from\":1.0,\"rank_to\":2.0,\"costs\":" COSTS(
                       "850.0", "3200.0", "425.0", "320.0", "250.0", "0.8", "0.4",
                       "1.6") ","
                              "\"footprint\":{\"touched\":100.0,\"written\":200.0,\"needed\":300.0,\"left\":400.0},"
                              "\"obstacles\":"
                              "[\"recursion\",\"input and "
                              "output\"],\"inside\":[{\"function\":\"_Z1gi\",\"share\":0.94},"
                              "{\"function\":\"a_long_name\",\"share\":0.001},{\"function\":\"main\",\"share\":0.0009}]"
                              "},"
                              "{\"function\":\"a_long_name\",\"verdict\":\"no\",\"rests_on\":\"floats\",\"intensity\":{"
                              "\"value\":0.1,"
                              "\"no_data_demanded\":false,\"state\":\"fail\"},\"integer_intensity\":{\"value\":0.49,"
                              "\"no_data_demanded\":"
                              "false,\"state\":\"fail\"},\"peak_rate\":{\"at_least\":null,\"state\":\"fail\","
                              "\"window\":null},"
                              "\"functions_needed\":{\"value\":31.0,\"state\":\"fail\"},\"functions\":1,\"share\":0."
                              "0625,\"self_share\":0.1,"
                              "\"calls\":2.0,\"speedup_bound\":{\"value\":1.125,\"low\":1.125,\"high\":1.125},\"rank_"
                              "from\":2.0,"
                              "\"rank_to\":2.0,\"costs\":" COSTS(
                                  "99.0", "10.0", "49.0", "100.0", "100.0", "0.1", "0.05",
                                  "0.2") ","
                                         "\"footprint\":{\"touched\":null,\"written\":null,\"needed\":null,\"left\":"
                                         "null},\"obstacles\":[],"
                                         "\"inside\":[]}],\"smallest\":0,\"functions\":[{\"name\":\"main\",\"file\":"
                                         "\"m.c\",\"calls\":1.0,\"self\":" COSTS(
                                             "100.0", "0.0", "50.0", "0.0", "0.0", "0.095", "0.0475",
                                             "0.19") ",\"lane_operations\":{\"fp16\":" NO_LANES ",\"fp32\":" NO_LANES
                                                     ",\"fp64\":" NO_LANES ",\"long_double\":" NO_LANES
                                                     "},\"obstacles\":[],\"loops\":[]},"
                                                     "{\"name\":\"_Z1gi\",\"file\":null,\"calls\":4.0,\"self\":" COSTS(
                                                         "800.0", "3200.0", "400.0", "400.0", "200.0", "0.8", "0.4",
                                                         "1.6") ",\"lane_operations\":{\"fp16\":" NO_LANES
                                                                ",\"fp32\":[1000.0,0.0,0.0,0.0,0.0],\"fp64\":[0.0,0.0,"
                                                                "1100.0,0.0,0.0],"
                                                                "\"long_double\":" NO_LANES
                                                                "},\"obstacles\":[\"input and output\",\"uncounted "
                                                                "mathematics\"],\"loops\":["
                                                                "{\"file\":null,\"line\":7,\"depth\":1,\"entered\":0.0,"
                                                                "\"iterations\":402.0},"
                                                                "{\"file\":\"/s/"
                                                                "f.c\",\"line\":8,\"depth\":2,\"entered\":4.0,"
                                                                "\"iterations\":402.0},"
                                                                "{\"file\":\"/s/"
                                                                "f.c\",\"line\":9,\"depth\":3,\"entered\":4.0,"
                                                                "\"iterations\":402.0},"
                                                                "{\"file\":\"/s/"
                                                                "f.c\",\"line\":10,\"depth\":4,\"entered\":4.0,"
                                                                "\"iterations\":402.0},"
                                                                "{\"file\":\"/s/"
                                                                "f.c\",\"line\":11,\"depth\":5,\"entered\":4.0,"
                                                                "\"iterations\":402.0},"
                                                                "{\"file\":\"/s/"
                                                                "f.c\",\"line\":12,\"depth\":6,\"entered\":4.0,"
                                                                "\"iterations\":402.0}]},"
                                                                "{\"name\":\"a_long_name\",\"file\":null,\"calls\":2.0,"
                                                                "\"self\":" COSTS(
                                                                    "99.0", "10.0", "49.0", "100.0", "100.0", "0.1",
                                                                    "0.05",
                                                                    "0.2") ",\"lane_operations\":{\"fp16\":" NO_LANES
                                                                           ",\"fp32\":" NO_LANES
                                                                           ",\"fp64\":[5.0,0.0,0.0,0.0,0.0],"
                                                                           "\"long_double\":" NO_LANES
                                                                           "},\"obstacles\":[],\"loops\":[]},"
                                                                           "{\"name\":\"h\",\"file\":null,\"calls\":1."
                                                                           "0,\"self\":" COSTS(
                                                                               "1.0", "5.0", "1.0", "1.0", "1.0",
                                                                               "0.005", "0.0025",
                                                                               "0.01") ",\"lane_operations\":{"
                                                                                       "\"fp16\":" NO_LANES
                                                                                       ",\"fp32\":" NO_LANES
                                                                                       ",\"fp64\":" NO_LANES
                                                                                       ",\"long_double\":" NO_LANES
                                                                                       "},\"obstacles\":[],\"loops\":[]"
                                                                                       "}],\"window_size\":\"10 "
                                                                                       "ms\",\"windows\":["
                                                                                       "{\"begin\":0.0,\"seconds\":0.5,"
                                                                                       "\"rate\":{\"value\":400.0,"
                                                                                       "\"state\":\"pass\"},"
                                                                                       "\"costs\":" COSTS(
                                                                                           "560.0", "2000.0", "20.0",
                                                                                           "200.0", "100.0", "0.5",
                                                                                           "0.25",
                                                                                           "1.0") ",\"functions\":["
                                                                                                  "{\"function\":"
                                                                                                  "\"main\","
                                                                                                  "\"self\":" COSTS(
                                                                                                      "60.0", "0.0",
                                                                                                      "10.0", "0.0",
                                                                                                      "0.0", "0.125",
                                                                                                      "0.0625",
                                                                                                      "0.25") "},"
                                                                                                              "{\"funct"
                                                                                                              "ion\":"
                                                                                                              "\"_"
                                                                                                              "Z1gi\","
                                                                                                              "\"self\""
                                                                                                              ":" COSTS("500.0", "2000.0", "10.0", "200.0", "100.0", "0.375", "0.1875", "0.75") "}]},{\"begin\":0.5,\"seconds\":0.5,\"rate\":{\"value\":600.0,\"state\":\"pass\"},\"costs\":" COSTS(
                                                                                                                  "399."
                                                                                                                  "0",
                                                                                                                  "1500"
                                                                                                                  ".0",
                                                                                                                  "20."
                                                                                                                  "0",
                                                                                                                  "300."
                                                                                                                  "0",
                                                                                                                  "150."
                                                                                                                  "0",
                                                                                                                  "0.5",
                                                                                                                  "0."
                                                                                                                  "25",
                                                                                                                  "1.0") ",\"functions\":["
                                                                                                                         "{\"function\":\"_Z1gi\",\"self\":" COSTS(
                                                                                                                             "300.0",
                                                                                                                             "1200.0",
                                                                                                                             "10.0",
                                                                                                                             "200.0",
                                                                                                                             "100.0",
                                                                                                                             "0.25",
                                                                                                                             "0.125",
                                                                                                                             "0.5") "},"
                                                                                                                                    "{\"function\":\"a_long_name\",\"self\":" COSTS(
                                                                                                                                        "99.0",
                                                                                                                                        "300.0",
                                                                                                                                        "10.0",
                                                                                                                                        "100.0",
                                                                                                                                        "50.0",
                                                                                                                                        "0.25",
                                                                                                                                        "0.125",
                                                                                                                                        "0.5") "}]}],\"notes\":[\"a note & more\"]}]}";
    struct made m;
    make(&m);
    char *found = printed(&m, "json");
    json_error_t problem;
    json_t *a = json_loads(found, JSON_REJECT_DUPLICATES, &problem), *b = json_loads(wanted, 0, &problem);
    if (!b)
        fail_msg("the wanted text: %s at %d", problem.text, problem.position);
    assert_non_null(a);
    if (!json_equal(a, b))
        fail_msg("wanted %s\nfound %s", json_dumps(b, JSON_SORT_KEYS), json_dumps(a, JSON_SORT_KEYS));
    json_decref(a);
    json_decref(b);
    free(found);
    m.table.windows.n = 0;
    m.judgement.smallest = OFFLOAD_WHOLE;
    m.table.known = 1U << OFFLOAD_TIME_HIGH;
    found = printed(&m, "json");
    assert_null(strstr(found, "window_size"));
    const char *const rest[] = {"\"smallest\": null"};
    in_order(found, rest, 1);
    a = json_loads(found, 0, &problem);
    json_t *costs =
        json_object_get(json_object_get(json_array_get(json_object_get(a, "programs"), 0), "whole"), "costs");
    assert_true(json_is_null(json_object_get(costs, "seconds_best")));
    assert_true(json_real_value(json_object_get(costs, "seconds_worst")) == 2);
    json_decref(a);
    free(found);
    release(&m);
}

/* ---- the page ---- */

static void page_tables(void **state)
{
    (void)state;
    struct made m;
    make(&m);
    char *found = printed(&m, "html");
    static const char *const wanted[] = {
        "<h1>x&lt;y</h1>\n<p class=\"under\">A&amp;B</p></header>\n<main>\n",
        "<caption><span>Functions with all that they call. The bound is an upper bound of the program&#39;s speed-up.",
        "<tr><th scope=\"col\">function</th><th scope=\"col\">verdict</th><th scope=\"col\" "
        "class=\"num\">intensity</th>",
        "<th scope=\"col\" class=\"num\">rank</th><th scope=\"col\" class=\"num\">bytes<br/>needed</th><th "
        "scope=\"col\" "
        "class=\"num\">bytes<br/>left</th><th scope=\"col\">obstacles</th></tr></thead><tbody>\n",
        "<tr><th scope=\"row\"><code>the whole program</code></th><td>maybe<br/><span class=\"aside\">by "
        "floats</span></td><td class=\"num\" data-v=\"6.5\">6.50<br/><span class=\"aside\">pass</span></td><td "
        "class=\"num\" data-v=\"1\">1.00<br/><span class=\"aside\">fail</span></td><td class=\"num\" "
        "data-v=\"1000\">1" SP
        "k<br/><span class=\"aside\">unknown</span></td><td class=\"num\" data-v=\"1\">1<br/><span "
        "class=\"aside\">pass</span></td><td class=\"num\" data-v=\"1\">100" SP "%</td><td class=\"num\" "
        "data-v=\"1\">100" SP
        "%</td><td class=\"num\" data-v=\"1e300\">none</td><td class=\"num\" data-v=\"0\"></td><td "
        "class=\"num\">" DASH "</td><td class=\"num\">" DASH "</td><td></td></tr>\n",
        "<tr><th scope=\"row\"><code>g(int)</code></th><td>yes<br/><span class=\"aside\">by integers</span></td><td "
        "class=\"num\" data-v=\"1e300\">no data demanded<br/><span class=\"aside\">pass</span></td><td class=\"num\" "
        "data-v=\"-1\">" DASH "<br/><span class=\"aside\">unknown</span></td><td class=\"num\" data-v=\"2e+09\">2" SP
        "G<br/><span class=\"aside\">pass</span></td><td class=\"num\" data-v=\"1\">1<br/><span "
        "class=\"aside\">pass</span></td><td class=\"num\" data-v=\"0.85\">85" SP "%</td><td class=\"num\" "
        "data-v=\"0.8\">80" SP "%</td><td class=\"num\" data-v=\"5\">5.00</td><td class=\"num\" "
        "data-v=\"1\">1&#8211;2</td><td class=\"num\" data-v=\"300\">300</td><td class=\"num\" data-v=\"400\">400</td>"
        "<td>recursion, input and output</td></tr>\n",
        "<tr><th scope=\"row\"><code>a_long_name</code></th><td>no<br/><span class=\"aside\">by floats</span></td>",
        "data-v=\"-1\">" DASH "<br/><span class=\"aside\">fail</span></td><td class=\"num\" data-v=\"31\">31<br/><span "
        "class=\"aside\">fail</span></td><td class=\"num\" data-v=\"0.0625\">6.2" SP "%</td><td class=\"num\" "
        "data-v=\"0.1\">10" SP
        "%</td><td class=\"num\" data-v=\"1.125\">1.12</td><td class=\"num\" data-v=\"2\">2</td>",
        "<p>A box is as wide as its share of the time, with all that it calls below.</p>",
        "<p class=\"aside\">a note &amp; more.</p>\n</section>",
        "<tr><th scope=\"row\">intensity [operations a byte]</th><td class=\"num\" "
        "data-v=\"4\">4</td><td>s1</td></tr>\n",
        "<tr><th scope=\"row\">integer intensity [operations a byte]</th><td class=\"num\">" DASH "</td><td>no source "
        "given</td></tr>\n",
        "<tr><th scope=\"row\">peak data rate [bytes a second]</th><td class=\"num\" data-v=\"1000\">1" SP
        "k</td><td>no source given</td></tr>\n",
        "<tr><th scope=\"row\">functions</th><td class=\"num\" data-v=\"2\">2</td><td>s2</td></tr>\n",
        "<tr><th scope=\"row\">share of the work</th><td class=\"num\" data-v=\"0.8\">0.8</td><td>no source "
        "given</td></tr>\n",
        "<p>The rule: all indexes pass: yes;"};
    in_order(found, wanted, sizeof wanted / sizeof *wanted);
    free(found);
    for (int i = 0; i < OFFLOAD_FOOTPRINT; i++) /* no root's bytes are known: they have no columns */
        m.judgement.roots.at[0].footprint[i] = NAN;
    m.table.known = 1U << OFFLOAD_INSTRUCTIONS;
    m.print.alone = true;
    free(m.accelerator.name);
    m.accelerator.name = NULL;
    found = printed(&m, "html");
    static const char *const less[] = {
        "<p class=\"under\">/p/a.ini</p>",
        "<caption><span>Functions alone. The bound is an upper bound",
        "<th scope=\"col\" class=\"num\">rank</th><th scope=\"col\">obstacles</th></tr></thead><tbody>\n",
        "<td class=\"num\" data-v=\"1e300\">none</td><td class=\"num\" data-v=\"0\"></td><td></td></tr>\n",
        "<p>There is no roofline: no function has floating-point operations",
        "<p>A box is as wide as its share of the instructions, with all that it calls below.</p>"};
    in_order(found, less, sizeof less / sizeof *less);
    assert_null(strstr(found, "Bytes a second, over time"));
    free(found);
    release(&m);
}

/*
 * The roofline's axes go from 0.1 to 10 operations a byte (points at 0.1, 8 and 10), and from 100 operations a second (10 in 0.1 s) to the 5
 * above 4 x 8e9, 5e10. The link's slope leaves the axes at 6.25 operations a byte, 6.25 x 8e9; h has too short a time for a mark.
 */
static void page_roofline(void **state)
{
    (void)state;
    struct made m;
    make(&m);
    char *found = printed(&m, "html");
    static const char *const wanted[] = {
        "</g></svg> a function with all that it calls</li>", "</g></svg> a function alone</li>",
        "<line class=\"identity\" x1=\"0%\" y1=\"20.645%\" x2=\"89.794%\" y2=\"0%\"/>\n"
        "<line class=\"identity\" x1=\"80.103%\" y1=\"100%\" x2=\"80.103%\" y2=\"0%\"/>\n"
        "<g class=\"mark inherited\"><title>g(int), alone: 8 operations a byte, 4e-06 GFlop/s</title>"
        "<use href=\"#mark-inherited\" x=\"95.154%\" y=\"81.583%\"/></g>\n"
        "<g class=\"mark inherited\"><title>a_long_name, alone: 0.1 operations a byte, 1e-07 GFlop/s</title>"
        "<use href=\"#mark-inherited\" x=\"0%\" y=\"100%\"/></g>\n"
        "<g class=\"mark value\"><title>g(int), with its callees: 10 operations a byte, 4e-06 GFlop/s</title>"
        "<use href=\"#mark-value\" x=\"100%\" y=\"81.583%\"/></g>\n"
        "<g class=\"mark value\"><title>a_long_name, with its callees: 0.1 operations a byte, 1e-07 GFlop/s</title>"
        "<use href=\"#mark-value\" x=\"0%\" y=\"100%\"/></g>\n</svg>"};
    for (size_t i = 2; i < 3; i++)
        in_order(found, &wanted[i], 1);
    in_order(found, wanted, 2);
    free(found);
    m.accelerator.flops = 1e10; /* the roof is level from 1.25 operations a byte on */
    found = printed(&m, "html");
    static const char *const level[] = {
        "<line class=\"identity\" x1=\"0%\" y1=\"20.645%\" x2=\"54.846%\" y2=\"8.035%\"/>\n"
        "<line class=\"identity\" x1=\"54.846%\" y1=\"8.035%\" x2=\"100%\" y2=\"8.035%\"/>\n"
        "<line class=\"identity\" x1=\"80.103%\" y1=\"100%\""};
    in_order(found, level, 1);
    free(found);
    m.accelerator.flops = NAN;
    m.accelerator.memory = 8e10; /* 8e11 is out of the axes, which end at 5e11: 0.1 to 6.25 */
    found = printed(&m, "html");
    static const char *const memory[] = {
        "<line class=\"identity\" x1=\"0%\" y1=\"18.516%\" x2=\"89.794%\" y2=\"0%\"/>\n"};
    in_order(found, memory, 1);
    free(found);
    release(&m);
}

/*
 * main has all but h's 0.5 %: 99.5 %. g(int) has 80 % and half of the 10 % of a_long_name, which main and it call once each. 130 letters have
 * the whole width, so a box of 5 % has room for 6.
 */
static void page_call_tree(void **state)
{
    (void)state;
    struct made m;
    make(&m);
    char *found = printed(&m, "html");
    static const struct {
        const char *name, *share, *x, *y, *width, *text;
    } boxes[] = {{"main", "100" SP "%", "0.000", "0", "99.500", "main"},
                 {"h", "0.5" SP "%", "99.500", "0", "0.500", NULL},
                 {"g(int)", "85" SP "%", "0.000", "24", "85.000", "g(int)"},
                 {"a_long_name", "5.0" SP "%", "85.000", "24", "5.000", "a_lon\xe2\x80\xa6"},
                 {"a_long_name", "5.0" SP "%", "0.000", "48", "5.000", "a_lon\xe2\x80\xa6"}};
    struct str wanted = STR_INIT;
    str_add(&wanted, "<svg width=\"100%\" height=\"72\" role=\"img\" aria-label=\"call tree\">\n");
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        str_addf(&wanted,
                 "<g><title>%s: %s</title><rect x=\"%s%%\" y=\"%s\" width=\"%s%%\" height=\"23\" "
                 "style=\"fill:var(--c%u);fill-opacity:.35;stroke:var(--paper)\"/>",
                 boxes[i].name, boxes[i].share, boxes[i].x, boxes[i].y, boxes[i].width,
                 (unsigned)(hash_text(HASH_START, boxes[i].name) % 8));
        if (boxes[i].text)
            str_addf(&wanted, "<text x=\"%s%%\" dx=\"4\" y=\"%d\" style=\"font-size:12px;fill:var(--ink)\">%s</text>",
                     boxes[i].x, atoi(boxes[i].y) + 16, boxes[i].text);
        str_add(&wanted, "</g>\n");
    }
    str_add(&wanted, "</svg>\n");
    const char *all = str_text(&wanted);
    in_order(found, &all, 1);
    str_release(&wanted);
    free(found);
    release(&m);
}

/* Of the whole run g(int) has 0.625 s, a_long_name 0.25, main 0.125: the order of colours. */
static void page_over_time(void **state)
{
    (void)state;
    struct made m;
    make(&m);
    char *found = printed(&m, "html");
    static const char *const wanted[] = {
        "<h3>Share of the time, over time</h3>\n<p><span style=\"color:var(--c0)\">&#9632;</span> <code>g(int)</code> "
        "<span style=\"color:var(--c1)\">&#9632;</span> <code>a_long_name</code> <span "
        "style=\"color:var(--c2)\">&#9632;</span> <code>main</code> <span "
        "style=\"color:var(--c-other)\">&#9632;</span> "
        "all others</p>\n<svg width=\"100%\" height=\"160\" role=\"img\" aria-label=\"share of the time, over time\">\n"
        "<rect x=\"0.000%\" y=\"40.0\" width=\"50.000%\" height=\"120.0\" class=\"c0\"><title>g(int): 75" SP
        "% at 0 s</title></rect>\n"
        "<rect x=\"0.000%\" y=\"0.0\" width=\"50.000%\" height=\"40.0\" class=\"c2\"><title>main: 25" SP
        "% at 0 s</title></rect>\n"
        "<rect x=\"50.000%\" y=\"80.0\" width=\"50.000%\" height=\"80.0\" class=\"c0\"><title>g(int): 50" SP
        "% at 0.5 s</title></rect>\n"
        "<rect x=\"50.000%\" y=\"0.0\" width=\"50.000%\" height=\"80.0\" class=\"c1\"><title>a_long_name: 50" SP
        "% at 0.5 s</title></rect>\n</svg>\n",
        /* up to 1200 bytes a second: the threshold's 1000 and 5 % */
        "<line class=\"identity\" x1=\"0%\" y1=\"16.667%\" x2=\"100%\" y2=\"16.667%\"/>\n"
        "<g class=\"mark value\"><title>0 s: 4e-07 GB/s</title><use href=\"#mark-value\" x=\"0%\" y=\"66.667%\"/></g>\n"
        "<g class=\"mark value\"><title>0.5 s: 6e-07 GB/s</title><use href=\"#mark-value\" x=\"50%\" y=\"50%\"/></g>\n",
        "in windows of 10 ms. The line is the threshold."};
    in_order(found, wanted, sizeof wanted / sizeof *wanted);
    free(found);
    m.table.windows.at[1].seconds = NAN; /* when it ends is not known: not drawn */
    found = printed(&m, "html");
    assert_null(strstr(found, "over time"));
    free(found);
    release(&m);
}

/* 401 windows of 1 s, each of a function of its own but for the first, in which all nine take part: three a column, and seven functions with a name. */
static void many_windows(void **state)
{
    (void)state;
    struct made m;
    make(&m);
    m.table.windows.n = m.table.spent.n = 0;
    for (size_t i = 0; i < 5; i++)
        add_function(&m.table, "more", 1);
    for (uint32_t w = 0; w < 401; w++) {
        vec_push(&m.table.windows, (struct offload_window){w, w == 400 ? 0 : 1, m.table.spent.n, 0});
        for (uint32_t f = 0; w == 0 && f < 9; f++)
            add_spent(&m.table, f, 1, 1, f, f < 8 ? 0.125 : 0.0625);
        if (w > 0)
            add_spent(&m.table, w % 2 ? 8 : 3, 1, 1, w, w % 2 ? 0.0001 : 0.25);
    }
    m.accelerator.rate.value = 1;
    char *found = printed(&m, "html");
    size_t columns = 0;
    for (const char *at = strstr(found, "GB/s</title><use href=\"#mark-value\""); at;
         at = strstr(at + 1, "GB/s</title><use href=\"#mark-value\""))
        columns++;
    assert_int_equal(columns, 134);
    static const char *const wanted[] = {
        /* h first, of the others those that come first; two have none. Column 0: 1.0625 and 0.2501 s */
        "--c0)\">&#9632;</span> <code>h</code> <span style=\"color:var(--c1)\">&#9632;</span> <code>main</code> <span "
        "style=\"color:var(--c2)\">&#9632;</span> <code>g(int)</code> <span style=\"color:var(--c3)\">&#9632;</span> "
        "<code>a_long_name</code> <span style=\"color:var(--c4)\">&#9632;</span> <code>more</code> <span "
        "style=\"color:var(--c5)\">&#9632;</span> <code>more</code> <span style=\"color:var(--c6)\">&#9632;</span> "
        "<code>more</code> <span style=\"color:var(--c-other)\">",
        "<rect x=\"0.000%\" y=\"114.3\" width=\"0.750%\" height=\"45.7\" class=\"c0\"><title>h: 29" SP "% at 0 s",
        /* the rest: 0.125 + 0.0625 + 0.0001 of 1.3126 s */
        "class=\"c-other\"><title>all others: 14" SP "% at 0 s",
        "<title>0 s: 3.6e-08 GB/s</title>", /* 0 + 1 + ... + 8 bytes in a second, more than 1 and 2 */
        "<title>3 s: 5e-09 GB/s</title>",   /* the largest of 3, 4, 5 */
        "<title>396 s: 3.98e-07 GB/s</title>" /* of 396, 397, 398 */,
        "<title>399 s: 3.99e-07 GB/s</title>" /* the last one has no time */};
    in_order(found, wanted, sizeof wanted / sizeof *wanted);
    free(found);
    release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),          cmocka_unit_test(two_programs),   cmocka_unit_test(csv),
        cmocka_unit_test(by_time),       cmocka_unit_test(json),           cmocka_unit_test(page_tables),
        cmocka_unit_test(page_roofline), cmocka_unit_test(page_call_tree), cmocka_unit_test(page_over_time),
        cmocka_unit_test(many_windows)};
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
