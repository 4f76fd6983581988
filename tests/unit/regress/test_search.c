/* test_search.c - tests of regress_search. */
#include "support.h"

#include "base/random.h"
#include "base/str.h"

/* 40 programs at two levels; additions cost 1, multiplications 5, of either type, give or take 5 %. */
static char *table(void)
{
    struct random r = random_start(4);
    struct str text = STR_INIT;
    str_add(&text, "program,cycles,add.i32,add.i64,mul.i32,mul.i64,ret\n");
    for (int i = 0; i < 80; i++) {
        double count[4];
        for (int k = 0; k < 4; k++)
            count[k] = (double)random_below(&r, 1000);
        double noise = 0.95 + (double)random_below(&r, 1000) / 10000;
        str_addf(&text, "p%d@O%d,%.17g,%g,%g,%g,%g,0\n", i / 2, i % 2,
                 (1 + count[0] + count[1] + 5 * count[2] + 5 * count[3]) * noise, count[0], count[1], count[2],
                 count[3]);
    }
    return str_detach(&text);
}

static struct regress_search *search(struct regress_data *d, const char *start, size_t jobs)
{
    struct error e = ERROR_INIT;
    struct regress_search *r = 0;
    struct regress_classes *c = classes_of(start);
    struct regress_search_spec spec = {.most_steps = 10, .settings = REGRESS_SETTINGS_INIT};
    spec.settings.solver = "nnls";
    spec.settings.jobs = jobs;
    must(regress_search(&r, d, c, &spec, &e), &e);
    regress_classes_free(c);
    return r;
}

/* From one variable for all and from one for each key it comes to two: what differs is split, what does not is one. */
static void finds_what_differs(void **state)
{
    (void)state;
    static const char *const starts[] = {
        "map work *\n", "each add.* mul.*\nignore *\n",
        "title t\nmap a add.i32 mul.i32\nmap b add.i64 mul.i64\nignore ret\nprior b 2\n"};
    char *text = table();
    struct regress_data *d = data_of(text);
    for (size_t k = 0; k < 3; k++) {
        struct regress_search *r = search(d, starts[k], 1), *again = search(d, starts[k], 3);
        const struct regress_search_step *chosen = &r->steps[r->chosen];
        assert_int_equal(chosen->variables, 2);
        assert_true(chosen->error < 0.03);
        assert_true(chosen->error <= r->steps[r->best].error + chosen->standard_error);
        assert_true(r->steps[r->best].standard_error == 0);
        struct regress_classes *c = classes_of(chosen->text); /* it can be read, */
        static const char *const keys[] = {"add.i32", "add.i64", "mul.i32", "mul.i64"};
        size_t variable[4];
        for (size_t i = 0; i < 4; i++)
            variable[i] = c->rules[regress_classes_rule(c, keys[i])].variable;
        assert_int_equal(variable[0], variable[1]);
        assert_int_equal(variable[2], variable[3]);
        assert_int_not_equal(variable[0], variable[2]);
        assert_int_not_equal(regress_classes_rule(c, "ret"), REGRESS_NONE); /* and knows what the start knew */
        assert_int_equal(r->n, again->n);
        for (size_t i = 0; i < r->n; i++)
            assert_string_equal(r->steps[i].text, again->steps[i].text);
        regress_classes_free(c);
        regress_search_free(r);
        regress_search_free(again);
    }
    regress_data_free(d);
    free(text);
}

static void refuses_what_it_cannot_judge(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_search *r = 0;
    struct regress_classes *c = classes_of("each *\n");
    struct regress_data *d = data_of("program,cycles,x\na@O0,1,1\na@O2,2,2\nb,3,3\n");
    struct regress_search_spec spec = {.most_steps = 10, .settings = REGRESS_SETTINGS_INIT};
    refused(regress_search(&r, d, c, &spec, &e), ERR_INPUT, &e, 0, "2 programs are too few");
    spec.settings.solver = "lasso";
    refused(regress_search(&r, d, c, &spec, &e), ERR_INPUT, &e, 0, "no solver 'lasso'");
    regress_data_free(d);
    regress_classes_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_differs),
        cmocka_unit_test(refuses_what_it_cannot_judge),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
