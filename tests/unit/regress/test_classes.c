/* test_classes.c - tests of classifications: rules, formulas, refusals. */
#include "support.h"
#include "regress/data/table.h"

static const char *variable_of(const struct regress_classes *c, const char *key)
{
    size_t rule = regress_classes_rule(c, key);
    if (rule == REGRESS_NONE)
        return "(none)";
    return c->rules[rule].variable == REGRESS_NONE ? "(ignored)" : c->variables[c->rules[rule].variable].name;
}

static void first_match_decides(void **state)
{
    (void)state;
    struct regress_classes *c = classes_of("title  T # not the title\n"
                                           "ignore phi.*\n"
                                           "map add_d add.*_d\n"
                                           "map\tadd   add.* sub.i32\r\n"
                                           "\n# nothing\n"
                                           "split rest r*\n");
    assert_string_equal(c->title, "T");
    assert_string_equal(variable_of(c, "phi.i32"), "(ignored)");
    assert_string_equal(variable_of(c, "add.i32_d"), "add_d");
    assert_string_equal(variable_of(c, "add.i32"), "add");
    assert_string_equal(variable_of(c, "sub.i32"), "add");
    assert_string_equal(variable_of(c, "sub.i64"), "(none)");
    assert_string_equal(variable_of(c, "ret"), "rest");
    assert_string_equal(variable_of(c, "ret_d"), "rest_d");
    assert_int_equal(c->variables[classes_find_variable(c, "add_d")].twin, classes_find_variable(c, "add"));
    assert_int_equal(c->variables[classes_find_variable(c, "add")].twin, REGRESS_NONE);
    regress_classes_free(c);
}

static void refuses_bad_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
        unsigned long line;
    } bad[] = {
        {"map x a\nmapp y b\n", "unknown keyword 'mapp'; did you mean 'map'?", 2},
        {"map x\n", "no pattern of keys follows: 'x'", 1},
        {"map\n", "cannot be the name of a variable", 1},
        {"map * a\n", "cannot be the name of a variable: '*'", 1},
        {"ignore\n", "no pattern", 1},
        {"columns some\n", "must be 'keys' or 'all': 'some'", 1},
        {"map x a\nprior y 2\n", "no line above names this variable: 'y'", 2},
        {"map x a\nprior x 0\n", "above 0", 2},
        {"map x a\nprior x nan\n", "above 0", 2},
        {"map x a\nlet b 3\n", "no '='", 2},
        {"map x a\nlet b = 3\nlet b = 4\n", "second time: 'b'", 3},
        {"map x a\nlet ABC = 3\n", "use a small letter", 2},
        {"map x a\nlet b = c\n", "formula of 'b': this is neither", 2},
        {"map x a\ncount x = 1\ncount x = 2\n", "has a formula already", 3},
        {"map x a\ncount x = (1\n", "')' is missing", 2},
        {"# nothing\n", "no rules", 0},
        {"map x a\nprior x 1000001\n", "a prior is a number above 0, at most 1e6: '1000001'", 2},
        {"map x a\nprior x -1\n", "above 0", 2},
        {"map x a\nprior x many\n", "above 0, at most 1e6: 'many'", 2},
        {"map x a\nlet 1b = 3\n", "made of letters, digits and '_': '1b'", 2},
        {"map x a\nlet b-c = 3\n", "made of letters, digits and '_': 'b-c'", 2},
        {"map x a\ncount a*b = 3\n", "this cannot be a name: 'a*b'", 2},
        {"map x a\nbound x 1\n", "from the lower one on, or inf", 2},
        {"map x a\nbound x inf inf\n", "the lower bound is a number from 0: 'inf'", 2},
        {"map x a\nbound x 3 2\n", "the upper bound is a number from the lower one on, or inf: '2'", 2},
        {"map x a\nmap y b\norder x z\n", "no line above names this variable: 'z'", 3},
        {"map x a\nmap y b\norder z x\n", "no line above names this variable: 'z'", 3},
        {"map x a\ngroup g z*\n", "no line above names such a variable: 'z*'", 2},
        {"map x a\ngroup g/ x\n", "the outermost first: 'g/'", 2},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error e = ERROR_INIT;
        struct regress_classes *c = 0;
        refused(classes_parse(&c, bad[i].text, "test", "test.classes", &e), ERR_INPUT, &e, bad[i].line, bad[i].part);
        assert_null(c);
    }
}

/* Which columns of a table a classification sees: keys always, how control flowed where a rule names it, events and that
 * where it is of all columns; never cycles. */
static void sees_columns(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool seen[3];
    } rows[] = {{"add.i32", {true, true, true}},       {"other", {true, true, true}},
                {"branch.taken", {false, true, true}}, {"loop.iterations", {false, false, true}},
                {"L1D_CACHE", {false, false, true}},   {"CPU_CYCLES", {false, false, false}},
                {"cycles", {false, false, false}}};
    static const char *const texts[] = {"map x *\n", "map x branch.*\nmap y *\n", "columns all\nmap x a*\n"};
    for (size_t k = 0; k < 3; k++) {
        struct regress_classes *c = classes_of(texts[k]);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (classes_see(c, rows[i].name) != rows[i].seen[k])
                fail_msg("%s by %s", rows[i].name, texts[k]);
        regress_classes_free(c);
    }
}

/* The name is the file's, without its ending; a file that is called ".classes" has none to lose. */
static void named_like_the_file(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"one.classes", "one"}, {"two.of.them", "two.of"}, {"three", "three"}, {".classes", ".classes"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = ERROR_INIT;
        struct regress_classes *c = 0;
        char *path = file_of(rows[i][0], "map x *\n");
        must(regress_classes_load(&c, path, &e), &e);
        assert_string_equal(c->name, rows[i][1]);
        regress_classes_free(c);
        free(path);
    }
}

/* Rows of key and variable, in the order of background and paper. */
struct row {
    const char *key, *variable;
};

static void check_file(const char *name, const struct row *rows, size_t n, size_t n_variables)
{
    struct error e = ERROR_INIT;
    struct regress_classes *c = 0;
    char *path = xasprintf("regress/classes/%s.classes", name);
    must(regress_classes_load(&c, path, &e), &e);
    assert_string_equal(c->name, name);
    assert_int_equal(c->n_variables, n_variables);
    for (size_t i = 0; i < n; i++)
        if (strcmp(variable_of(c, rows[i].key), rows[i].variable) != 0)
            fail_msg("%s: %s goes to %s, not to %s", name, rows[i].key, variable_of(c, rows[i].key), rows[i].variable);
    regress_classes_free(c);
    free(path);
}
#define CHECK(name, rows, variables) check_file(name, rows, sizeof(rows) / sizeof *(rows), variables)

/* The paper's tables of opcodes, read off by hand; what they do not name is `others`. */
static void shipped_classes_are_the_papers(void **state)
{
    (void)state;
    static const struct row origin[] = {
        {"add.i32", "arithmetic"},  {"sub.i64_d", "arithmetic"}, {"sdiv.i32", "arithmetic"},
        {"srem.i32", "arithmetic"}, {"urem.i8", "arithmetic"},   {"mul.i32", "arithmetic"},
        {"udiv.i32", "others"},     {"fadd.float_d", "float"},   {"fsub.double", "float"},
        {"fdiv.double", "float"},   {"fmul.double", "float"},    {"fcmp.double", "float"},
        {"frem.double", "others"},  {"load.ptr_d", "load"},      {"store.i32", "store"},
        {"icmp.i32", "others"},     {"call.direct", "others"},   {"ret_d", "others"},
        {"phi.i32", "others"},      {"br.cond_d", "others"},     {"getelementptr.ptr", "others"},
    };
    CHECK("origin", origin, 5);
    static const struct row rh850[] = {
        {"add.i32", "arithmetic"},  {"mul.i32_d", "arithmetic"},     {"srem.i32", "div"},     {"urem.i32_d", "div"},
        {"sdiv.i64", "div"},        {"udiv.i64", "others"},          {"fadd.float", "float"}, {"fmul.float_d", "float"},
        {"fdiv.float", "fdiv"},     {"fcmp.float", "fdiv"},          {"load.i8", "load"},     {"store.i8_d", "store"},
        {"call.direct", "callret"}, {"call.llvm.memcpy", "callret"}, {"ret", "callret"},      {"ret_d", "callret"},
        {"sext.i64", "others"},
    };
    CHECK("RH850", rh850, 8);
    static const struct row operand[] = {
        {"add.i32", "arithmetic"},    {"add.i32_d", "arithmetic_d"}, {"srem.i32_d", "div_d"},
        {"fsub.double_d", "float_d"}, {"fcmp.double_d", "fdiv_d"},   {"fdiv.double", "fdiv"},
        {"load.i32", "load"},         {"load.i32_d", "load_d"},      {"store.i32_d", "store"},
        {"call.direct_d", "callret"}, {"ret_d", "callret"},          {"icmp.i32_d", "others"},
    };
    CHECK("operand", operand, 13);
    static const struct row cache[] = {
        {"load.i32_d", "L1Access"}, {"store.i32", "L1Access"}, {"mul.i32_d", "arithmetic_d"},
        {"ret", "callret"},         {"phi.i32", "others"},
    };
    CHECK("L1", cache, 11);
    CHECK("L2", cache, 12);
    CHECK("mem", cache, 13);
    static const struct row nagoya[] = {
        {"icmp.i32_d", "arithmetic_d"},
        {"srem.i32", "arithmetic"},
        {"sdiv.i32_d", "div_d"},
        {"udiv.i32", "div"},
        {"frem.float", "float"},
        {"fpext.double_d", "float_d"},
        {"fmul.float_d", "fmul_d"},
        {"store.i32_d", "store_d"},
        {"ret", "callret"},
        {"ret_d", "callret_d"},
        {"bitcast.ptr", "others1"},
        {"inttoptr.ptr_d", "others1_d"},
        {"and.i32", "others2"},
        {"br.cond_d", "others2_d"},
        {"phi.i32", "others2"},
    };
    CHECK("nagoya22", nagoya, 22);
    static const struct row fine[] = {
        {"udiv.i32_d", "div_d"},
        {"call.llvm.sqrt.double", "fdiv"},
        {"load.v4i32", "load"},
        {"call.direct_d", "callret"},
        {"ret_d", "callret"},
        {"call.llvm.memcpy", "block"},
        {"call.llvm.fmuladd.double_d", "fmul_d"},
        {"call.llvm.sin.double", "math"},
        {"call.llvm.umax.i32", "intrinsic"},
        {"fneg.float", "fadd"},
        {"xor.i1_d", "alu_d"},
        {"getelementptr.ptr_d", "address"},
        {"br.cond_d", "branch"},
        {"switch.i32", "branch"},
        {"br.uncond", "jump"},
        {"shufflevector.v4i32", "others"},
        {"fence", "atomic"},
    };
    CHECK("fine", fine, 33);
}

/* The formulas of (2), (5), (6) on numbers of our own: 30 loads and stores, 70 others, the PMU saw 44 accesses with 11
 * refills, 20 accesses of level 2 with 5 refills: RegMissRate 14 / 70, L1Access 44, L2Access 44 / 4, memAccess a
 * quarter of that. Row q has fewer accesses than the IR: rate 0. */
static void derives_cache_accesses(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_classes *c = 0;
    struct table *t = 0;
    const char *text =
        "program,cycles,L1D_CACHE,L1D_CACHE_REFILL,L2D_CACHE,L2D_CACHE_REFILL,load.i32,store.i8,add.i32,phi.i32\n"
        "p,1,44,11,20,5,20,10,60,10\nq,1,20,0,0,0,20,10,60,10\n";
    struct regress_data *d = data_of(text);
    must(regress_classes_load(&c, "regress/classes/mem.classes", &e), &e);
    must(table_make(&t, d, c, "cycles", 0, false, &e), &e);
    const double *p = t->counts, *q = t->counts + t->p;
    near(p[classes_find_variable(c, "L1Access")], 44, 1e-14);
    near(p[classes_find_variable(c, "L2Access")], 11, 1e-14);
    near(p[classes_find_variable(c, "memAccess")], 2.75, 1e-14);
    assert_true(p[classes_find_variable(c, "arithmetic")] == 60 && p[classes_find_variable(c, "others")] == 10);
    near(q[classes_find_variable(c, "L1Access")], 30, 1e-14);
    assert_true(q[classes_find_variable(c, "memAccess")] == 0);
    table_free(t);
    regress_data_free(d);
    d = data_of("program,cycles,L1D_CACHE,L2D_CACHE,load.i32,add.i32\np,1,44,,20,60\n");
    enum status s = table_make(&t, d, c, "cycles", 0, false, &e);
    refused(s, ERR_UNSUPPORTED, &e, 0, "L1D_CACHE_REFILL, L2D_CACHE, L2D_CACHE_REFILL");
    regress_data_free(d);
    d = data_of(
        "program,cycles,L1D_CACHE,L1D_CACHE_REFILL,L2D_CACHE,L2D_CACHE_REFILL,load.i32,add.i32\np,1,0,5,0,0,2,6\n");
    refused(table_make(&t, d, c, "cycles", 0, false, &e), ERR_UNSUPPORTED, &e, 2, "divided by 0");
    regress_data_free(d);
    regress_classes_free(c);
}

/* The same formulas on what is simulated: the IR's 30 accesses, 6 of which miss, and 20 spills beside the 70 others
 * that the simulation does not see: L1Access 50, L2Access 6, of which half go on to memory. In row q a PMU counted 52
 * accesses: the spills are among them, and are not added again. Row r was counted without them. */
static void derives_cache_accesses_with_spills(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_classes *c = 0;
    struct table *t = 0;
    const char *text =
        "program,cycles,L1D_CACHE,L1D_CACHE_REFILL,L2D_CACHE,L2D_CACHE_REFILL,SPILL_LOAD,SPILL_STORE,load.i32,"
        "add.i32,branch.taken,loop.iterations\n"
        "p,1,30,6,8,4,15,5,30,70,9,9\nq,1,52,6,8,4,15,5,30,70,9,9\nr,1,30,6,8,4,,,30,70,9,9\n";
    struct regress_data *d = data_of(text);
    static const double expected[3][3] = {{50, 6, 3}, {52, 6, 3}, {30, 6, 3}};
    static const char *const names[] = {"L1Access", "L2Access", "memAccess"};
    must(regress_classes_load(&c, "regress/classes/mem.classes", &e), &e);
    must(table_make(&t, d, c, "cycles", 0, false, &e), &e);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            near(t->counts[i * t->p + classes_find_variable(c, names[k])], expected[i][k], 1e-14);
    table_free(t);
    regress_data_free(d);
    regress_classes_free(c);
}

/* An event's count, and 0 where the row, or the whole table, has none. */
static void optional_events(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct table *t = 0;
    struct regress_classes *c = classes_of("map add add.*\ncount spill = optional(SPILL_LOAD)\ncount miss = "
                                           "optional(L1D_CACHE_REFILL)\n");
    struct regress_data *d = data_of("program,cycles,SPILL_LOAD,add.i32\np,1,15,2\nq,1,,3\n");
    must(table_make(&t, d, c, "cycles", 0, false, &e), &e);
    const double *p = t->counts, *q = t->counts + t->p;
    assert_true(p[classes_find_variable(c, "spill")] == 15 && q[classes_find_variable(c, "spill")] == 0);
    assert_true(p[classes_find_variable(c, "miss")] == 0 && q[classes_find_variable(c, "add")] == 3);
    table_free(t);
    regress_data_free(d);
    regress_classes_free(c);
}

/* How control flowed is not what was executed: only a classification that names it sees it. */
static void flow_is_seen_by_who_names_it(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct table *t = 0;
    struct regress_data *d =
        data_of("program,cycles,add.i32,br.cond,branch.not_taken,branch.taken,loop.iterations\np,9,5,7,3,4,6\n");
    static const struct {
        const char *text;
        size_t p;
        double counts[3];
    } cases[] = {
        {"map all *\n", 1, {12}},
        {"map rest *\nmap taken branch.taken\n", 2, {12, 4}}, /* "*" does not swallow it, though it stands first */
        {"map branches branch.*\nignore loop.*\nmap rest *\n", 2, {7, 12}},
        {"map rest b*\nignore add.*\n", 1, {7}},
        {"map rest *\ncount jumps = sum(branch.taken)\n", 2, {12, 4}},
        {"map rest *\nmap loops loop.*\ncount everything = sum(*)\n", 3, {12, 6, 12}},
        {"each loop.* add.*\nignore br.*\n", 2, {6, 5}},
        {"columns all\nmap all *\n", 1, {25}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct regress_classes *c = classes_of(cases[i].text);
        must(table_make(&t, d, c, "cycles", 0, false, &e), &e);
        assert_int_equal(t->p, cases[i].p);
        for (size_t k = 0; k < t->p; k++)
            assert_true(t->counts[k] == cases[i].counts[k]);
        table_free(t);
        regress_classes_free(c);
    }
    regress_data_free(d);
}

static void each_makes_variables_of_columns(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_classes *c = 0;
    struct table *t = 0;
    struct regress_data *d = data_of("cycles,CPU_CYCLES,TIME,EV,x,x_d,y\n9,9,5,1,2,3,-4\n");
    must(regress_classes_load(&c, "regress/classes/each.classes", &e), &e);
    must(table_make(&t, d, c, "TIME", 0, false, &e), &e);
    assert_int_equal(t->p, 4); /* neither cycles nor the target */
    const char *const names[] = {"EV", "x", "x_d", "y"};
    for (size_t j = 0; j < 4; j++)
        assert_string_equal(t->classes->variables[j].name, names[j]);
    assert_int_equal(t->classes->variables[2].twin, 1);
    assert_true(t->counts[3] == -4);
    table_free(t);
    regress_classes_free(c);
    c = classes_of("ignore y\neach *\n");
    must(table_make(&t, d, c, "TIME", 0, false, &e), &e);
    assert_int_equal(t->p, 2);
    table_free(t);
    regress_classes_free(c);
    c = classes_of("map a x\n");
    refused(table_make(&t, d, c, "TIME", 0, false, &e), ERR_INPUT, &e, 0,
            "no rule of the classification 'test' matches the column 'x_d'");
    regress_classes_free(c);
    c = classes_of("map a *\n");
    refused(table_make(&t, d, c, "TIME", 0, false, &e), ERR_INPUT, &e, 2, "negative count in column 'y'");
    regress_classes_free(c);
    regress_data_free(d);
}

/* A column that only the last drawer takes, and that is no instruction, is unknown; where every rule is a drawer, none is. */
static void columns_nobody_thought_of(void **state)
{
    (void)state;
    struct regress_unknown u;
    struct regress_data *d = data_of("program,cycles,load.i32,frobnicate,add.i32,xyzzy\na,3,1,1,1,1\n");
    struct regress_classes *c = classes_of("map memory load.*\nmap rest *\n");
    regress_unknown_columns(&u, c, d);
    assert_int_equal(u.recognised, 2); /* by its rule, and as an instruction */
    assert_int_equal(u.n, 2);
    assert_string_equal(u.first, "frobnicate");
    assert_string_equal(u.variable, "rest");
    regress_classes_free(c);
    c = classes_of("map rest *\n");
    regress_unknown_columns(&u, c, d);
    assert_int_equal(u.recognised, 0);
    assert_int_equal(u.n, 0);
    regress_classes_free(c);
    regress_data_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sees_columns),
        cmocka_unit_test(named_like_the_file),
        cmocka_unit_test(first_match_decides),
        cmocka_unit_test(refuses_bad_lines),
        cmocka_unit_test(shipped_classes_are_the_papers),
        cmocka_unit_test(derives_cache_accesses),
        cmocka_unit_test(derives_cache_accesses_with_spills),
        cmocka_unit_test(optional_events),
        cmocka_unit_test(flow_is_seen_by_who_names_it),
        cmocka_unit_test(each_makes_variables_of_columns),
        cmocka_unit_test(columns_nobody_thought_of),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
