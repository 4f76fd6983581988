/*
 * test_read_callgrind.c - callgrind files as tables. The files are written here, in the words of the format's
 * specification; costs, calls, loops and notes were taken from them by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shimgen/offload/callgrind_line.h"
#include "shimgen/offload/offload.h"
#include "tests/unit/offload/files.h"

static struct accelerator conditions(void)
{
    struct accelerator a = {.local = {1 << 15, 8, 64}, .host_l2 = {1 << 20, 8, 64}};
    a.flops = a.integers = a.memory = a.link = a.latency = NAN;
    a.host_clock = 1e9;
    return a;
}

static struct offload_table read_text(const char *text, const struct accelerator *a)
{
    struct offload_table t;
    struct error e = ERROR_INIT;
    char *path = files_write("callgrind.out", text);
    if (offload_read_callgrind(&t, path, a, &e))
        fail_msg("line %lu: %s", e.line, e.message);
    assert_string_equal(t.path, path);
    assert_string_equal(t.kind, "callgrind file");
    free(path);
    return t;
}

static const struct offload_function *function(const struct offload_table *t, const char *name)
{
    for (size_t i = 0; i < t->functions.n; i++)
        if (strcmp(t->functions.at[i].name, name) == 0)
            return &t->functions.at[i];
    fail_msg("no function '%s'", name);
    return NULL;
}

static bool has_note(const struct offload_table *t, const char *begin)
{
    for (size_t i = 0; i < t->notes.n; i++)
        if (strncmp(t->notes.at[i], begin, strlen(begin)) == 0)
            return true;
    return false;
}

#define D1 "desc: D1 cache: 32768 B, 64 B, 8-way associative\n"
#define LL "desc: LL cache: 1048576 B, 32 B, 16-way associative\n"

/*
 * main: 100 instructions, 1 + 2 + 4 misses of the first level and 8 + 16 + 32 of the last: 100 + 10 x 7 + 100 x 56 cycles; (2 + 4) x 64 B
 * beyond the first level, (16 + 32) x 32 B beyond the last.
 */
static void costs(void **state)
{
    (void)state;
    static const char text[] = "# callgrind format\n\nversion: 1\ncmd:  /bin/prog arg\n" D1 LL
                               "positions: line\nevents: Ir Dr I1mr D1mr D1mw ILmr DLmr DLmw\n"
                               "fl=(1) m.c\nfn=(1) main\n10 60 7 1 2 4 8 16 32\r\n+5\t40  7\n\ntotals: 100\n";
    struct accelerator a = conditions();
    struct offload_table t = read_text(text, &a);
    assert_string_equal(t.program, "prog");
    assert_int_equal(t.functions.n, 1);
    const struct offload_function *f = &t.functions.at[0];
    assert_string_equal(f->file, "m.c");
    assert_float_equal(f->self[OFFLOAD_INSTRUCTIONS], 100, 0);
    assert_float_equal(f->self[OFFLOAD_TIME], 5770e-9, 1e-15);
    assert_float_equal(f->self[OFFLOAD_BYTES], 384, 0);
    assert_float_equal(f->self[OFFLOAD_BYTES_L2], 1536, 0);
    assert_true(isnan(f->footprint[OFFLOAD_NEEDED]));
    assert_int_equal(t.known,
                     1U << OFFLOAD_INSTRUCTIONS | 1U << OFFLOAD_TIME | 1U << OFFLOAD_BYTES | 1U << OFFLOAD_BYTES_L2);
    assert_true(has_note(
        &t, "times are an estimate: instructions + 10 x first-level misses + 100 x last-level misses, at 1 GHz"));
    assert_true(has_note(&t, "the operations are unknown: the file has no addresses of instructions"));
    assert_int_equal(t.notes.n, 2);
    offload_table_release(&t);
    a.local.size = 1 << 20; /* the last level is the local memory, the first one the host's second */
    a.host_l2.size = 1 << 15;
    t = read_text(text, &a);
    assert_float_equal(t.functions.at[0].self[OFFLOAD_BYTES], 1536, 0);
    assert_float_equal(t.functions.at[0].self[OFFLOAD_BYTES_L2], 384, 0);
    assert_true(offload_knows(&t, OFFLOAD_BYTES) && offload_knows(&t, OFFLOAD_BYTES_L2));
    offload_table_release(&t);
    a.local.size = 1 << 16;
    a.host_l2.size = 0;
    a.host_clock = NAN;
    t = read_text(text, &a);
    assert_int_equal(t.known, 1U << OFFLOAD_INSTRUCTIONS);
    assert_float_equal(t.functions.at[0].self[OFFLOAD_TIME], 0, 0);
    assert_true(has_note(&t,
                         "the bytes demanded are unknown: no cache of the accelerator's local memory was simulated; "
                         "run callgrind with --cache-sim=yes --D1=65536,8,64"));
    assert_true(has_note(&t, "no times: shares are of executed instructions; [host] clock"));
    offload_table_release(&t);
    a = conditions(); /* without the misses, and without the size */
    a.host_l2.size = 1 << 15;
    t = read_text(D1 "events: Ir\nfn=f\n1 5\nsummary: 5\n", &a);
    assert_false(offload_knows(&t, OFFLOAD_BYTES) || offload_knows(&t, OFFLOAD_BYTES_L2));
    assert_string_equal(t.program, "callgrind.out");
    offload_table_release(&t);
    t = read_text(
        "desc: D1 cache:\ndesc: I1 cache: 32768 B, 64 B, 8-way associative\nevents: D1mr Ir\nfn=f\n1 2 5\ntotals: 5\n",
        &a);
    assert_false(offload_knows(&t, OFFLOAD_BYTES));
    assert_float_equal(t.functions.at[0].self[OFFLOAD_INSTRUCTIONS], 5, 0);
    offload_table_release(&t);
}

/* Names have numbers of their own for functions, files and objects; (1) is three things. */
static void names(void **state)
{
    (void)state;
    static const char text[] = "cmd: ./prog\nevents: Ir\n"
                               "ob=(1) /x/prog\nfl=(1) a.c\nfn=(1) one\n1 1\n"
                               "fl=(2) b.c\nfn=(1)\n1 2\n"                         /* one of b.c: another function */
                               "fl=(1)\nfn=(1)\n1 4\n"                             /* one of a.c again */
                               "fn=(2) one'2\n1 8\n"                               /* its recursion */
                               "fn=(3) o'clock\n1 16\n"                            /* no number of a depth */
                               "fn=(4) printf\n1 32\n"                             /* the user's own */
                               "ob=(2) /lib/libc.so.6\nfl=(3) ???\nfn=(4)\n1 64\n" /* the library's */
                               "fn=(5) malloc\n1 128\n"
                               "ob=(1)\nfn=(6) free\n1 256\n"     /* of the program, but its source is unknown */
                               "fl=(1)\nfn=(12x) odd\n1 512\n"    /* no number */
                               "fi=(2)\n2 1024\nfe=(1)\n2 2048\n" /* inlined code counts for its function */
                               "totals: 4095\n";
    struct accelerator a = conditions();
    struct offload_table t = read_text(text, &a);
    static const struct {
        const char *name, *file;
        double instructions;
        unsigned obstacles;
    } wanted[] = {{"one", "a.c", 13, 0},
                  {"one", "b.c", 2, 0},
                  {"o'clock", "a.c", 16, 0},
                  {"printf", "a.c", 32, 0},
                  {"printf", NULL, 64, OFFLOAD_IO},
                  {"malloc", NULL, 128, OFFLOAD_ALLOCATE},
                  {"free", NULL, 256, OFFLOAD_ALLOCATE},
                  {"(12x) odd", "a.c", 512 + 1024 + 2048, 0}};
    assert_int_equal(t.functions.n, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < t.functions.n; i++) {
        const struct offload_function *f = &t.functions.at[i];
        assert_string_equal(f->name, wanted[i].name);
        assert_true(f->file ? wanted[i].file && strcmp(f->file, wanted[i].file) == 0 : !wanted[i].file);
        assert_float_equal(f->self[OFFLOAD_INSTRUCTIONS], wanted[i].instructions, 0);
        assert_int_equal(f->obstacles, wanted[i].obstacles);
    }
    offload_table_release(&t);
}

/* main calls f of another file and object, 2 + 3 times, and g of its own once. What a call costs is the callee's. */
static void calls(void **state)
{
    (void)state;
    static const char text[] = "events: Ir I1mr\nob=/x/prog\nfl=m.c\nfn=main\n1 10\n"
                               "cob=/x/lib\ncfl=f.c\ncfn=f\ncalls=2 +1\n2 100 50\n"
                               "cfi=f.c\ncob=/x/lib\ncfn=f\ncalls=3 1\n3 200 50\n"
                               "cfn=g\ncalls=1 1\n4 7\n5 20\n"
                               "ob=/x/lib\nfl=f.c\nfn=f\n1 300\n"
                               "ob=/x/prog\nfl=m.c\nfn=g\n1 7\ntotals: 337\n";
    struct accelerator a = conditions();
    struct offload_table t = read_text(text, &a);
    assert_int_equal(t.functions.n, 3);
    assert_float_equal(function(&t, "main")->self[OFFLOAD_INSTRUCTIONS], 30, 0);
    assert_float_equal(function(&t, "main")->self[OFFLOAD_TIME], 30e-9, 1e-18);
    assert_float_equal(function(&t, "f")->self[OFFLOAD_INSTRUCTIONS], 300, 0);
    assert_float_equal(function(&t, "f")->calls, 5, 0);
    assert_float_equal(function(&t, "g")->calls, 1, 0);
    assert_float_equal(function(&t, "main")->calls, 0, 0);
    assert_string_equal(function(&t, "f")->file, "f.c");
    assert_string_equal(function(&t, "g")->file, "m.c");
    assert_int_equal(t.arcs.n, 2);
    assert_int_equal(t.arcs.at[0].callee, 1);
    assert_float_equal(t.arcs.at[0].calls, 5, 0);
    assert_float_equal(t.arcs.at[0].instructions, 300, 0);
    assert_int_equal(t.arcs.at[1].callee, 2);
    assert_float_equal(t.arcs.at[1].calls, 1, 0);
    assert_float_equal(t.arcs.at[1].instructions, 7, 0);
    offload_table_release(&t);
}

/*
 * f: 0x10 once, 0x20 ten times, 0x30 a hundred times, 0x38 a hundred times. Back: from 0x38 to 0x30 90 times, in two jumps, from 0x40 to
 * 0x20 9 times, from 0x38 to 0x20 none. So 0x20 is entered once, 0x30 ten times, and lies within.
 * No loops: a jump that only half of its target's executions take, a target without code, one that is nowhere entered, another function's.
 */
static void loops(void **state)
{
    (void)state;
    static const char text[] = "positions: instr line\nevents: Ir\nob=p\nfl=f.c\nfn=f\n"
                               "0x10 1 1\n0x20 2 10\n0x30 3 60\n0x30 4 40\n0x38 5 100\n"
                               "jcnd=60/100 0x30 3\n0x38 5\n"
                               "jcnd=30/40 -8 3\n+0 5\n"
                               "jcnd=0/10 0x20 2\n* *\n"
                               "0x40 6 10\njump=9 0x20 2\n* *\n"
                               "0x50 8 10\n0x58 9 10\njump=4 0x50 8\n0x58 9\n"  /* less than half */
                               "0x60 8 10\n0x68 9 10\njump=10 0x60 8\n0x68 9\n" /* never entered */
                               "jump=5 0x66 8\n0x68 9\n"                        /* no code */
                               "jump=5 0x70 9\n0x68 9\n"                        /* forward */
                               "jfn=g\njump=8 0x20 2\n0x68 9\n"                 /* to another function */
                               "0x70 10 8\njump=4 0x70 10\n0x70 10\n"           /* to itself, just half */
                               "fl=g.c\nfn=g\n0x10 1 4\n0x20 2 3\njump=3 0x10 1\n0x20 2\n"
                               "totals: 1\n";
    struct accelerator a = conditions();
    struct offload_table t = read_text(text, &a);
    static const struct {
        unsigned long line;
        double entered, iterations;
        unsigned depth;
    } wanted[] = {{2, 1, 10, 1}, {3, 10, 100, 2}, {10, 4, 8, 1}};
    const struct offload_function *f = function(&t, "f");
    assert_int_equal(f->loops.n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(f->loops.at[i].file, "f.c");
        assert_true(f->loops.at[i].line == wanted[i].line || (i == 1 && f->loops.at[i].line == 4));
        assert_float_equal(f->loops.at[i].entered, wanted[i].entered, 0);
        assert_float_equal(f->loops.at[i].iterations, wanted[i].iterations, 0);
        assert_int_equal(f->loops.at[i].depth, wanted[i].depth);
    }
    f = function(&t, "g");
    assert_int_equal(f->loops.n, 1);
    assert_string_equal(f->loops.at[0].file, "g.c");
    assert_float_equal(f->loops.at[0].entered, 1, 0);
    assert_int_equal(f->loops.at[0].depth, 1);
    offload_table_release(&t);
}

/* Of 1000 instructions 11 are in functions without a name: 1.1 %. 10 are not worth a note. */
static void nameless(void **state)
{
    (void)state;
    struct accelerator a = conditions();
    for (int i = 10; i < 12; i++) {
        char *text = xasprintf("events: Ir\nfn=0x1234\n1 5\nfn=???\n1 %d\nfn=f\n1 %d\ntotals: 1000\n", i - 5, 1000 - i);
        struct offload_table t = read_text(text, &a);
        assert_int_equal(has_note(&t, "1.1 % of the instructions are in functions without a name"), i == 11);
        assert_int_equal(t.notes.n, i == 11 ? 4 : 3);
        offload_table_release(&t);
        free(text);
    }
}

/* Code of objects that are not there is unknown: a note from one in a hundred on. */
static void undecoded(void **state)
{
    (void)state;
    struct accelerator a = conditions();
    struct offload_table t =
        read_text("positions: instr\nevents: Ir\nob=/no/such\nfl=f.c\nfn=f\n0x10 990\n0x20 10\ntotals: 1\n", &a);
    assert_true(has_note(&t, "the operations of 100.0 % of the instructions are unknown and not counted"));
    assert_false(offload_knows(&t, OFFLOAD_FLOPS) || offload_knows(&t, OFFLOAD_INTEGERS));
    offload_table_release(&t);
}

#define F "events: Ir\nfn=f\n"

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned long line;
        const char *message;
    } cases[] = {
        {"fn=f\n1 2\n", 2, "costs stand before the line \"events:\""},
        {"fn=f\n1\n", 2, "costs stand before the line \"events:\""},
        {"events: Ir\n1 2\n", 2, "costs stand before the line \"fn=\""},
        {F "calls=1 1\n1 2\n", 4, "a call has no line \"cfn=\""},
        {F "1 2 3\n", 3, "there are more costs than events"},
        {F "1 2x\n", 3, "a cost is not a number"},
        {F "x 2\n", 3, "a line of costs does not have its source line"},
        {F "0x 2\n", 3, "a line of costs does not have its source line"},
        {F "1 18446744073709551616\n", 3, "a cost is not a number"},
        {"positions: instr line\n" F "\n+x 2\n", 5, "a line of costs does not begin with an address"},
        {F "calls=x 1\n", 3, "the number of calls is not a number"},
        {F "jump=x 1\n", 3, "a jump has no number of times, or leads nowhere"},
        {F "jcnd=1/x 1\n", 3, "a jump has no number of times, or leads nowhere"},
        {"positions: instr\n" F "jump=1 x\n", 4, "a jump has no number of times, or leads nowhere"},
        {F "fn=(3)\n", 3, "a number stands for a name that was not given before"},
        {"fl=(3) a\nfn=(3)\n", 2, "a number stands for a name that was not given before"},
        {"events: Dr\n", 1, "the events have no Ir: instructions executed"},
        {"events: Ir 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33\n", 1,
         "there are more than 32 events"},
        {F "1 2\n", 3, "the file ends before its totals: it was cut off, or the program is still running"},
        {F "totals: 2\n1 2\n", 4, "the file ends before its totals: it was cut off, or the program is still running"}};
    struct accelerator a = conditions();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct offload_table t;
        struct error e = ERROR_INIT;
        char *path = files_write("bad", cases[i].text);
        assert_int_equal(offload_read_callgrind(&t, path, &a, &e), ERR_INPUT);
        if (strncmp(e.message, cases[i].message, strlen(cases[i].message)) != 0 || e.line != cases[i].line)
            fail_msg("'%s': %lu: %s", cases[i].text, e.line, e.message);
        assert_string_equal(e.file, path);
        error_release(&e);
        offload_table_release(&t);
        free(path);
    }
    struct offload_table t = read_text(
        "events: Ir 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32\nfn=f\n"
        "1 18446744073709551615\ntotals: 1\n",
        &a);
    assert_float_equal(t.functions.at[0].self[OFFLOAD_INSTRUCTIONS], 18446744073709551615.0, 0);
    offload_table_release(&t);
    struct error e = ERROR_INIT;
    assert_int_equal(offload_read_callgrind(&t, "/no/such/file", &a, &e), ERR_SYSTEM);
    error_release(&e);
    offload_table_release(&t);
}

/* Line by line: addresses in base 16, relative and repeated positions, numbers of jumps. */
static void lines(void **state)
{
    (void)state;
    struct callgrind_file c;
    struct error e = ERROR_INIT;
    enum callgrind_kind kind;
    char *path = files_write("lines", "# a remark\n\nkey:  a value \nfn=(7)  a name\n\n0xaF 12 3\n+0x10 -2 4\n* *\n"
                                      "-15 +1\t5 \ncalls=12 9 9\njcnd=3/4 -1 2\njump=5 *\ncfn=(7)\n");
    assert_int_equal(callgrind_open(&c, path, &e), OK);
    c.n_events = 1;
    c.has_address = true;
    static const struct {
        enum callgrind_kind kind;
        unsigned long line;
        const char *word, *value;
        uint64_t address, source, cost, calls, target;
    } wanted[] = {
        {CALLGRIND_HEADER, 3, "key", "a value ", 0, 0, 0, 0, 0}, {CALLGRIND_NAME, 4, "fn", "a name", 0, 0, 0, 0, 0},
        {CALLGRIND_COSTS, 6, NULL, NULL, 0xaf, 12, 3, 0, 0},     {CALLGRIND_COSTS, 7, NULL, NULL, 0xbf, 10, 4, 0, 0},
        {CALLGRIND_COSTS, 8, NULL, NULL, 0xbf, 10, 0, 0, 0},     {CALLGRIND_COSTS, 9, NULL, NULL, 0xb0, 11, 5, 0, 0},
        {CALLGRIND_CALLS, 10, NULL, NULL, 0, 0, 0, 12, 0},       {CALLGRIND_JUMP, 11, NULL, NULL, 0, 0, 0, 3, 0xaf},
        {CALLGRIND_JUMP, 12, NULL, NULL, 0, 0, 0, 5, 0xb0},      {CALLGRIND_NAME, 13, "cfn", "a name", 0, 0, 0, 0, 0},
        {CALLGRIND_END, 13, NULL, NULL, 0, 0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_int_equal(callgrind_next(&kind, &c, &e), OK);
        assert_int_equal(kind, wanted[i].kind);
        assert_int_equal(c.line, wanted[i].line);
        if (wanted[i].word) {
            assert_string_equal(c.word, wanted[i].word);
            assert_string_equal(c.value, wanted[i].value);
        }
        if (kind == CALLGRIND_COSTS) {
            assert_int_equal(c.address, wanted[i].address);
            assert_int_equal(c.source, wanted[i].source);
            assert_int_equal(c.costs[0], wanted[i].cost);
        }
        if (wanted[i].calls)
            assert_int_equal(c.calls, wanted[i].calls);
        if (wanted[i].target)
            assert_int_equal(c.target, wanted[i].target);
    }
    callgrind_close(&c);
    free(path);
    path = path_join(files_folder, "zero");
    assert_int_equal(file_write(path, "fn=a\0b\n", 7, &e), OK);
    assert_int_equal(callgrind_open(&c, path, &e), OK);
    assert_int_equal(callgrind_next(&kind, &c, &e), ERR_INPUT);
    error_release(&e);
    callgrind_close(&c);
    free(path);
}

/* The first bytes tell. */
static void kinds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum offload_kind kind;
    } cases[] = {{"# callgrind format\nversion: 1\n", OFFLOAD_CALLGRIND},
                 {"version: 1\n", OFFLOAD_CALLGRIND},
                 {"creator: c\n", OFFLOAD_CALLGRIND},
                 {"positions: line\n", OFFLOAD_CALLGRIND},
                 {"events: Ir", OFFLOAD_CALLGRIND},
                 {"pid: 1", OFFLOAD_CALLGRIND},
                 {"pid 1", OFFLOAD_UNKNOWN},
                 {" events: Ir", OFFLOAD_UNKNOWN},
                 {"\x89IRPROF1", OFFLOAD_PROFILE},
                 {"\x89IRPROF", OFFLOAD_UNKNOWN},
                 {"\x89IRPROX1", OFFLOAD_UNKNOWN},
                 {"", OFFLOAD_UNKNOWN}};
    struct error e = ERROR_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum offload_kind kind;
        char *path = files_write("kind", cases[i].text);
        assert_int_equal(offload_kind_of(&kind, path, &e), OK);
        assert_int_equal(kind, cases[i].kind);
        free(path);
    }
    enum offload_kind kind;
    assert_int_equal(offload_kind_of(&kind, "/no/such/file", &e), ERR_SYSTEM);
    error_release(&e);
    assert_int_equal(offload_kind_of(&kind, files_folder, &e), ERR_SYSTEM);
    error_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs),   cmocka_unit_test(names),    cmocka_unit_test(calls),
        cmocka_unit_test(loops),   cmocka_unit_test(nameless), cmocka_unit_test(undecoded),
        cmocka_unit_test(refused), cmocka_unit_test(lines),    cmocka_unit_test(kinds)};
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
