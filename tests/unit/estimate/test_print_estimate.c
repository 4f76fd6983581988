/* Tables of estimates as text and CSV, byte for byte: written out here by docs/formats/estimate.md. */
#include "tests/unit/boards/fixture.h"

#include <math.h>

#include "base/str.h"
#include "shimgen/estimate/print_estimate.h"

#define TEXT(s) ((char *)(uintptr_t)(s))

static struct estimate_line lines[4];
static struct costs cores[2];
static struct estimate_table table;

static void begin(const char *kind)
{
    memset(lines, 0, sizeof lines);
    lines[0] = (struct estimate_line){.program = TEXT("p"),
                                      .region = TEXT("main"),
                                      .what = TEXT("_Z1fv"),
                                      .readable = TEXT("f()"),
                                      .instructions = 7,
                                      .cycles = {90, 300, 600},
                                      .with_callees = {90, 400, 600},
                                      .share = 0.75,
                                      .low = 200,
                                      .high = 450,
                                      .level = 0.9};
    lines[1] = (struct estimate_line){.program = TEXT("p"),
                                      .region = TEXT("main"),
                                      .what = TEXT("g"),
                                      .instructions = 5,
                                      .cycles = {50, 100, 150},
                                      .with_callees = {50, 100, 150},
                                      .share = 0.25,
                                      .low = NAN,
                                      .high = NAN};
    cores[0] = (struct costs){.core = TEXT("Big"), .clock_hz = 1e9};
    cores[1] = (struct costs){.core = TEXT("Small"), .clock_hz = 0.5e9};
    table = (struct estimate_table){
        .cores = cores, .n_cores = 1, .shim = "a.xml", .method = "sum", .kind = kind, .level = 0.9};
    table.lines.at = lines;
    table.lines.n = 2;
}

static void printed(const char *format, const char *expected)
{
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    char *path = in_scratch("printed");
    assert_int_equal(estimate_print(&table, format, path, &e), OK);
    assert_int_equal(file_read(&text, path, FILE_LIMIT, &e), OK);
    assert_string_equal(str_text(&text), expected);
    str_release(&text);
    free(path);
}

static void test_text(void **state)
{
    (void)state;
    begin("line");
    printed("text", "core Big, clock 1000 MHz, method sum\n"
                    "        cycles      90 %: from             to    time [us]   share   instructions  what\n"
                    "           300              200            450        0.300  75.00%              7  p main f()\n"
                    "           100                -              -        0.100  25.00%              5  p main g\n");
    begin("function");
    table.level = 0;
    table.mangled = true;
    cores[0].clock_hz = 0;
    cores[0].alike = 3;
    printed("text", "core Big and 3 like it, clock not in the SHIM file: no times, method sum\n"
                    "        cycles    time [us]   share   with callees   instructions  what\n"
                    "           300            -  75.00%            400              7  p main _Z1fv\n"
                    "           100            -  25.00%            100              5  p main g\n");
    begin("loop");
    table.level = 0;
    table.ranges = true;
    lines[0].what = lines[0].readable = TEXT("");
    printed(
        "text",
        "core Big, clock 1000 MHz, method sum\n"
        "        cycles by best values       by worst    time [us]   share     with inner   instructions  what\n"
        "           300             90            600        0.300  75.00%            400              7  p main\n"
        "           100             50            150        0.100  25.00%            100              5  p main g\n");
}

/* The second core has half the clock: the same cycles take twice the time. f is not there, g takes fewer cycles. */
static void test_cores(void **state)
{
    (void)state;
    begin("function");
    table.n_cores = 2;
    table.level = 0;
    lines[2] = lines[1];
    lines[2].core = 1;
    lines[2].cycles.typical = 40;
    lines[3] = lines[0];
    lines[3].core = 1;
    table.lines.n = 4;
    printed("text", "core Big, clock 1000 MHz, method sum\n"
                    "core Small, clock 500 MHz, method sum\n"
                    "           Big    time [us]          Small    time [us]   what\n"
                    "           300        0.300*           300        0.600   p main f()\n"
                    "           100        0.100             40        0.080*  p main g\n");
}

static void test_csv(void **state)
{
    (void)state;
    begin("function");
    printed("csv", "program,region,function,instructions,cycles,low,high,level,seconds,share,with_callees,core,method,"
                   "readable\n"
                   "p,main,_Z1fv,7,300,200,450,0.9,3e-07,0.75,400,Big,sum,f()\n"
                   "p,main,g,5,100,,,,1e-07,0.25,100,Big,sum,\n");
    begin("region");
    table.ranges = true;
    table.mangled = true;
    cores[0].clock_hz = 0;
    table.lines.n = 1;
    printed("csv", "program,region,part,instructions,cycles,low,high,level,cycles_best,cycles_worst,seconds,share,"
                   "with_callees,core,method,readable\n"
                   "p,main,_Z1fv,7,300,200,450,0.9,90,600,,0.75,400,Big,sum,\n");
    begin("function"); /* the second estimate does not tell what memory costs */
    table.method = "schedule";
    lines[0].known_causes = 1u << CAUSE_ISSUE | 1u << CAUSE_FP | 1u << CAUSE_MEMORY;
    lines[1].known_causes = 1u << CAUSE_ISSUE | 1u << CAUSE_FP;
    lines[0].causes = (struct causes){.at = {[CAUSE_ISSUE] = 100.5, [CAUSE_FP] = 150, [CAUSE_MEMORY] = 49.5}};
    lines[1].causes = (struct causes){.at = {[CAUSE_ISSUE] = 100}};
    printed("csv", "program,region,function,instructions,cycles,low,high,level,seconds,share,with_callees,core,method,"
                   "readable,cause_issue,cause_fetch,cause_units,cause_integer,cause_fp,cause_load_store,cause_calls,"
                   "cause_l2,cause_memory,cause_mispredictions\n"
                   "p,main,_Z1fv,7,300,200,450,0.9,3e-07,0.75,400,Big,schedule,f(),100.5,,,,150,,,,49.5,\n"
                   "p,main,g,5,100,,,,1e-07,0.25,100,Big,schedule,,100,,,,0,,,,,\n");
    begin("program");
    table.lines.n = 0;
    printed("csv", "program,region,part,instructions,cycles,low,high,level,seconds,share,with_callees,core,method,"
                   "readable\n");
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_cores),
                                       cmocka_unit_test(test_csv)};
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
