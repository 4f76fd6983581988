/* What is printed of a profile of which all numbers are known (made_profile.h): counters 5, 3, 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "irprof/report/profile_report.h"
#include "irprof/report/wide_table.h"
#include "tests/unit/irprof/made_profile.h"

static struct irprof_profile *profile(void)
{
    struct irprof_profile *p = 0;
    struct str b = make("a.c", (struct counts){5, 3, 1}, 0, 0);
    struct error e = ERROR_INIT;
    if (irprof_parse(&p, b.s, b.len, "x", &e))
        fail_msg("%s", e.message);
    str_release(&b);
    return p;
}

/* The caller frees it. */
static char *written(const struct irprof_profile *p, enum report_by by, enum report_format format)
{
    struct report_program program = {"p", p};
    struct report r = {.programs = &program, .n_programs = 1, .by = by, .format = format};
    char *text = 0;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    struct error flawed = ERROR_INIT;
    assert_int_equal(profile_report_write(&r, f, &flawed, 0), OK);
    assert_int_equal(flawed.status, OK);
    fclose(f);
    return text;
}

static void prints(enum report_by by, enum report_format format, const char *expected)
{
    struct irprof_profile *p = profile();
    char *text = written(p, by, format);
    assert_string_equal(text, expected);
    free(text);
    irprof_free(p);
}

#define HEAD                                                                                                           \
    "p: 1 run\n"                                                                                                       \
    "  recorded with branches=bimodal:12\n"                                                                            \
    "  not counted: bare (naked)\n"                                                                                    \
    "  region main: 27 instructions, entered 1 time\n"                                                                 \
    "    1 BR_MIS_PRED, 15 SPILL_LOAD\n"

static void events(void **state)
{
    (void)state;
    prints(REPORT_FUNCTION, REPORT_TEXT,
           HEAD "    instructions       %   BR_MIS_PRED    SPILL_LOAD         calls  function\n"
                "              27 100.00%             1            15             5  main  /s/a.c:10\n");
    prints(REPORT_FUNCTION, REPORT_CSV,
           "program,region,function,file,line,calls,instructions,BR_MIS_PRED,SPILL_LOAD,readable\n"
           "p,main,main,/s/a.c,10,5,27,1,15,\n");
    prints(REPORT_LINE, REPORT_CSV,
           "program,region,file,line,instructions,BR_MIS_PRED,SPILL_LOAD\n"
           "p,main,/s/a.c,11,18,1,15\n"
           "p,main,/s/a.c,12,3,0,0\n"
           "p,main,,,6,0,0\n");
    prints(REPORT_REGION, REPORT_CSV,
           "program,region,entries,instructions,BR_MIS_PRED,SPILL_LOAD\n"
           "p,main,1,27,1,15\n");
    prints(REPORT_OPCODE, REPORT_CSV,
           "program,region,key,count\n"
           "p,main,add.i32,13\n"
           "p,main,call.direct,5\n"
           "p,main,ret,3\n"
           "p,main,store.i32,6\n"
           "p,main,BR_MIS_PRED,1\n"
           "p,main,SPILL_LOAD,15\n");
    prints(REPORT_REGION, REPORT_JSON,
           "[\n  {\n"
           "    \"program\": \"p\",\n"
           "    \"profile\": \"x\",\n"
           "    \"runs\": 1,\n"
           "    \"region\": \"main\",\n"
           "    \"entries\": 1,\n"
           "    \"instructions\": 27,\n"
           "    \"events\": {\n"
           "      \"BR_MIS_PRED\": 1,\n"
           "      \"SPILL_LOAD\": 15\n"
           "    }\n"
           "  }\n]\n");
}

/* Two derived values are below zero, and that is said. */
static void clamped(void **state)
{
    (void)state;
    struct irprof_profile *p = 0;
    struct str b = make("a.c", (struct counts){3, 5, 0}, 0, 0);
    assert_int_equal(irprof_parse(&p, b.s, b.len, "x", 0), OK);
    char *text = written(p, REPORT_REGION, REPORT_TEXT);
    assert_non_null(strstr(text, "\n    counts below zero, taken as 0: 2;"));
    free(text);
    irprof_free(p);
    str_release(&b);
}

/* The misprediction is of the block's first segment, in line 11: of a call through a pointer, not of the branch. */
static void branches(void **state)
{
    (void)state;
    prints(REPORT_BRANCH, REPORT_TEXT,
           HEAD "           taken        not taken   taken   BR_MIS_PRED  branch\n"
                "               2                3  40.00%             0  main block 0  /s/a.c:12\n");
    prints(REPORT_BRANCH, REPORT_CSV,
           "program,region,function,block,kind,to,file,line,taken,not_taken,BR_MIS_PRED,readable\n"
           "p,main,main,0,cond,1,/s/a.c,12,2,3,0,\n");
}

static void loops(void **state)
{
    (void)state;
    prints(REPORT_LOOP, REPORT_TEXT,
           HEAD "    instructions       %        entries     iterations  per entry   BR_MIS_PRED    SPILL_LOAD  loop\n"
                "               6  22.22%              1              2       2.00             0             0  main "
                "block 1 depth 1  /s/a.c:12\n"
                "               0   0.00%              2              5       2.50             0             0  main "
                "block 3 depth 2  /s/a.c (no "
                "line)\n");
    prints(REPORT_LOOP, REPORT_CSV,
           "program,region,function,header,depth,file,line,entries,iterations,trips,instructions,BR_MIS_PRED,SPILL_"
           "LOAD,readable\n"
           "p,main,main,1,1,/s/a.c,12,1,2,2,6,0,0,\n"
           "p,main,main,3,2,/s/a.c,,2,5,2.5,0,0,0,\n");
}

static void callgrind(void **state)
{
    (void)state;
    prints(REPORT_REGION, REPORT_CALLGRIND,
           "# callgrind format\n"
           "version: 1\n"
           "creator: irprof\n"
           "cmd: p\n"
           "part: 1\n"
           "desc: Region: main\n"
           "desc: Runs: 1\n"
           "desc: Costs: LLVM IR instructions executed, exact\n"
           "desc: Calls: exact; inclusive costs are shared among callers in proportion to their calls\n"
           "positions: line\n"
           "event: Ir : IR instructions\n"
           "event: IrInt : Integer arithmetic, logic, comparisons\n"
           "event: IrFp : Floating-point arithmetic and comparisons\n"
           "event: IrMulDiv : Multiplications and divisions\n"
           "event: IrLoad : Loads\n"
           "event: IrStore : Stores\n"
           "event: IrBranch : Branches and switches\n"
           "event: IrCall : Calls and returns\n"
           "event: IrOther : Other instructions\n"
           "events: Ir IrInt IrFp IrMulDiv IrLoad IrStore IrBranch IrCall IrOther BR_MIS_PRED SPILL_LOAD\n"
           "summary: 27 13 0 0 0 6 0 8 0 1 15\n"
           "\n"
           "ob=(1) prog\n"
           "\n"
           "fl=(1) /s/a.c\n"
           "fn=(1) main\n"
           "11 18 13 0 0 0 0 0 5 0 1 15\n"
           "12 3 0 0 0 0 0 0 3\n"
           "0 6 0 0 0 0 6\n"
           "cob=(2) (not counted)\n"
           "cfi=(2) ???\n"
           "cfn=(2) puts\n"
           "calls=5 0\n"
           "11 0\n"
           "cob=(1)\n"
           "cfi=(3) a.c\n"
           "cfn=(3) bare\n"
           "calls=3 0\n"
           "12 0\n"
           "cob=(2)\n"
           "cfi=(2)\n"
           "cfn=(4) (through a pointer)\n"
           "calls=3 0\n"
           "0 0\n");
}

static void table(void **state)
{
    (void)state;
    struct irprof_profile *p = profile();
    struct table t;
    char *text = 0;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    table_init(&t, &(struct table_extras){.branches = true, .loops = true, .events = true});
    assert_int_equal(table_add(&t, "p", p, 0, 0), OK);
    table_write(&t, f);
    fclose(f);
    assert_string_equal(text,
                        "program,region,BR_MIS_PRED,SPILL_LOAD,add.i32,branch.case,branch.default,branch.not_taken,"
                        "branch.taken,call.direct,loop.entries,loop.iterations,ret,store.i32\n"
                        "p,main,1,15,13,0,0,3,2,5,3,7,3,6\n");
    assert_int_equal(table_add(&t, "p", p, 0, 0), ERR_INPUT); /* a second row of that name */
    free(text);
    table_release(&t);
    irprof_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events), cmocka_unit_test(clamped),   cmocka_unit_test(branches),
        cmocka_unit_test(loops),  cmocka_unit_test(callgrind), cmocka_unit_test(table),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
