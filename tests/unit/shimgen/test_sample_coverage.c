/* What is said of the instructions of a SHIM file, and that none is left without evidence or a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/str.h"
#include "samples/micro/micro.h"
#include "shimgen/coverage/sample_coverage.h"
#include "shimgen/estimate/costs.h"

static char *folder;

static char *file_of(const char *name, const char *text)
{
    struct error e = ERROR_INIT;
    char *path = path_join(folder, name);
    if (file_write(path, text, strlen(text), &e))
        fail_msg("%s", e.message);
    return path;
}

static void must(enum status s, struct error *e)
{
    if (s)
        fail_msg("refused: %s", e->message ? e->message : "(no message)");
}

struct made {
    struct regress_data *data;
    struct regress_classes *classes;
    struct coverage c;
};

static void make(struct made *m, const char *table, const char *classes, const char *micro, const struct samples *s)
{
    struct error e = ERROR_INIT;
    char *data = file_of("data.csv", table), *rules = file_of("test.classes", classes);
    must(regress_data_read(&m->data, data, &e), &e);
    must(regress_classes_load(&m->classes, rules, &e), &e);
    const struct coverage_input in = {.data = m->data, .classes = m->classes, .micro = micro, .samples = s, .most = 1};
    must(coverage_make(&m->c, &in, &e), &e);
    free(data);
    free(rules);
}

static void unmake(struct made *m)
{
    coverage_release(&m->c);
    regress_data_free(m->data);
    regress_classes_free(m->classes);
}

static const struct coverage_instruction *find(const struct made *m, const char *name)
{
    for (size_t i = 0; i < m->c.n_instructions; i++)
        if (strcmp(m->c.instructions[i].name, name) == 0)
            return &m->c.instructions[i];
    fail_msg("there is no '%s'", name);
    return 0;
}

static const char table[] = "program,add.i32,add.i32_d,sdiv.i32\nx/a,5,15,0\nx/b@O0,1,3,4\nx/b@O2,0,4,4\nx/t,0,0,9\n";
static const char rules[] = "map add add.* sub.*\nmap div *div.*\nmap others *\n";

/* sub has add's class, fmul that of the others, which nothing shows; the microbenchmark goes before both, but
 * not that of a pair, nor one whose copies are not alike. */
static void says_where_values_come_from(void **state)
{
    (void)state;
    struct made m;
    char *micro = file_of("micro.csv", "key,even,use\nfmul.double,yes,range\nadd.i32,yes,typical\n"
                                       "fadd.double,yes,apart\nfadd.float,no,typical\n");
    make(&m, table, rules, micro, 0);
    const struct coverage_instruction *add = find(&m, "add"), *sub = find(&m, "sub");
    assert_int_equal(add->source, COVERAGE_SEEN);
    assert_true(add->count == 28 && fabs(add->dependent - 22.0 / 28) < 1e-12);
    assert_int_equal(add->programs, 2);
    assert_null(add->from);
    assert_int_equal(sub->source, COVERAGE_CLASS);
    assert_string_equal(sub->from, "add");
    assert_int_equal(find(&m, "fmul")->source, COVERAGE_MICRO);
    assert_string_equal(find(&m, "fmul")->from, "fmul.double");
    assert_int_equal(find(&m, "fadd")->source, COVERAGE_NONE);
    assert_int_equal(find(&m, "catchpad")->source, COVERAGE_NEVER);
    assert_string_equal(find(&m, "catchpad")->from, "extractvalue");
    assert_int_equal(find(&m, "indirectbr")->source, COVERAGE_LIKE);
    assert_string_equal(find(&m, "indirectbr")->from, "br");
    assert_int_equal(find(&m, "udiv")->source, COVERAGE_CLASS);
    unmake(&m);
    free(micro);
}

/* x/t is a test program: what it executes is no evidence. */
static void leaves_test_programs_out(void **state)
{
    (void)state;
    struct made m;
    struct sample list[] = {
        {.name = (char[]){"x/b"}, .domain = (char[]){"numbers"}, .stresses = (char[]){"division"}},
        {.name = (char[]){"x/t"}, .domain = (char[]){"locks"}, .stresses = (char[]){"waiting"}, .test = true}};
    const struct samples s = {list, 2};
    make(&m, table, rules, 0, &s);
    assert_int_equal(m.c.test_rows, 1);
    assert_int_equal(m.c.of->n, 3);
    assert_true(find(&m, "sdiv")->count == 8);
    assert_int_equal(m.c.of->variables[1].standing, REGRESS_ONE_PROGRAM);
    assert_non_null(strstr(m.c.help[1], "udiv: unsigned division"));
    unmake(&m);
    list[1].test = false;
    make(&m, table, rules, 0, &s);
    assert_true(find(&m, "sdiv")->count == 17);
    assert_non_null(strstr(m.c.help[1], "more programs like x/t (locks: waiting), x/b (numbers: division)"));
    unmake(&m);
}

static bool has_case(const struct micro_set *set, const char *instruction)
{
    bool found = false;
    for (size_t i = 0; i < set->n && !found; i++) {
        found = ir_key(set->at[i].key).opcode == ir_opcode(instruction, strlen(instruction));
    }
    return found;
}

static const char *exclusion(const char *instruction)
{
    size_t n;
    struct micro_exclusion *list = micro_exclusions(&n);
    const char *reason = NULL;
    for (size_t i = 0; i < n && !reason; i++)
        if (glob_match(list[i].key, instruction))
            reason = list[i].reason;
    free(list);
    return reason;
}

/* Without vectors in the target the compiler makes none of loops. */
static bool is_of_vectors(const char *instruction)
{
    return strcmp(instruction, "extractelement") == 0 || strcmp(instruction, "insertelement") == 0 ||
           strcmp(instruction, "shufflevector") == 0;
}

/* On every processor family: a microbenchmark, or a reason why there is none; and what C never executes has none. */
static void leaves_no_instruction_without_evidence(void **state)
{
    (void)state;
    static const struct {
        struct micro_target of;
        bool vectors;
    } targets[] = {{{.triple = "x86_64-linux-gnu"}, true},
                   {{.triple = "aarch64-linux-gnu"}, true},
                   {{.triple = "riscv64-linux-gnu"}, false}};
    struct made m;
    make(&m, table, rules, 0, 0);
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        struct error e = ERROR_INIT;
        struct micro_set set = {0};
        must(micro_cases(&set, &targets[t].of, &e), &e);
        for (size_t i = 0; i < m.c.n_instructions; i++) {
            const struct coverage_instruction *x = &m.c.instructions[i];
            const char *name = strcmp(x->name, "extractivalue") == 0 ? "extractvalue" : x->name;
            if (!has_case(&set, name) && !exclusion(name) && (targets[t].vectors || !is_of_vectors(name)))
                fail_msg("%s: '%s' has neither a microbenchmark nor a reason", targets[t].of.triple, name);
            if (x->source == COVERAGE_NEVER && name == x->name && has_case(&set, name))
                fail_msg("%s: '%s' is never executed by C, and has a microbenchmark", targets[t].of.triple, name);
            if (x->source != COVERAGE_SEEN && !*x->makes)
                fail_msg("nothing is said of '%s'", name);
        }
        micro_release(&set);
    }
    unmake(&m);
}

static int set_up(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    cleanup_install();
    must(temp_directory(&folder, "coverage-test", &e), &e);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_where_values_come_from),
        cmocka_unit_test(leaves_test_programs_out),
        cmocka_unit_test(leaves_no_instruction_without_evidence),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
