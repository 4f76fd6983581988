/* Best, typical and worst of a model: 0 <= low <= value <= high of each variable and each key, by every solver that
 * promises no value below 0, low <= value <= high by the others; of random tables, some with outliers, rare variables,
 * columns that are the same, bounds and orders; as fitted and as read again. */
#include "support.h"
#include "base/random.h"
#include "base/str.h"

enum { TABLES = 12, KEYS = 6, MOST_ROWS = 24 };

static struct regress_data *random_data(struct random *r)
{
    struct str text = STR_INIT;
    size_t n = 2 + random_below(r, MOST_ROWS - 1);
    double cost[KEYS];
    for (size_t j = 0; j < KEYS; j++)
        cost[j] = uniform(r) < 0.2 ? 0 : exp(4 * uniform(r) - 1);
    str_add(&text, "program,cycles,a.i32,a.i32_d,b.i32,c.i32,d.i32,e.i32\n");
    for (size_t i = 0; i < n; i++) {
        double count[KEYS], cycles = 0;
        for (size_t j = 0; j < KEYS; j++) {
            count[j] = uniform(r) < 0.3 ? 0 : floor(exp(7 * uniform(r)));
            cycles += count[j] * cost[j];
        }
        count[4] = i ? 0 : 3;    /* rare */
        count[5] = 2 * count[2]; /* cannot be told apart */
        cycles = 1 + cycles * (0.7 + 0.6 * uniform(r)) * (uniform(r) < 0.1 ? 20 : 1);
        str_addf(&text, "p%zu@O%d,%.17g", i / 2, i % 2 ? 2 : 0, cycles);
        for (size_t j = 0; j < KEYS; j++)
            str_addf(&text, ",%.17g", count[j]);
        str_add(&text, "\n");
    }
    struct regress_data *d = data_of(str_text(&text));
    str_release(&text);
    return d;
}

static void in_order(const char *solver, const char *of, bool non_negative, double low, double value, double high)
{
    if (!(low <= value && value <= high) || (non_negative && !(low >= 0)) || !isfinite(low) || !isfinite(high))
        fail_msg("%s: '%s' has %.17g, from %.17g to %.17g", solver, of, value, low, high);
}

static void check(const struct regress_model *m)
{
    for (size_t j = 0; j < m->n_values; j++) {
        const struct regress_value *v = &m->values[j];
        in_order(m->solver, v->name, m->non_negative, v->low, v->value, v->high);
    }
    for (size_t j = 0; j < m->n_keys; j++) {
        const struct regress_key *k = &m->keys[j];
        in_order(m->solver, k->key, m->non_negative, k->low, k->value, k->high);
    }
}

static void check_again(const struct regress_model *m)
{
    struct error e = ERROR_INIT;
    struct regress_model *b = 0;
    char *path = file_of("model.json", "");
    must(regress_model_write(m, path, &e), &e);
    must(regress_model_read(&b, path, &e), &e);
    assert_int_equal(b->n_keys, KEYS);
    check(b);
    regress_model_free(b);
    free(path);
}

/* Latency is at least pitch, and what the file demands is kept, by the solvers that promise it. */
static void check_structure(const struct regress_model *m)
{
    bool shrink = strcmp(m->solver, "shrink") == 0, bounded = strcmp(m->solver, "bounded") == 0;
    for (size_t j = 0; j < m->n_values; j++) {
        const struct regress_variable *v = &m->classes->variables[j];
        if (shrink && v->twin != REGRESS_NONE)
            assert_true(m->values[j].value >= m->values[v->twin].value);
        if ((shrink || bounded) && v->below != REGRESS_NONE)
            assert_true(m->values[j].value >= m->values[v->below].value);
        if (bounded)
            assert_true(m->values[j].low >= v->low && m->values[j].high <= v->high);
    }
}

static void best_typical_and_worst_are_in_order(void **state)
{
    (void)state;
    static const char *const files[] = {
        "split a a.*\nmap b b.*\nmap c c.*\nmap rest *\nprior c 8\ngroup g a b\n",
        "split a a.*\nmap b b.*\nmap c c.*\nmap d d.*\nmap e e.*\norder b c\nbound b 0.5 3\nbound d 1 inf\n"};
    struct random r = random_start(12);
    for (size_t k = 0; k < (size_t)TABLES * regress_solver_count(); k++) {
        struct error e = ERROR_INIT;
        struct regress_model *m = 0;
        struct regress_data *d = random_data(&r);
        struct regress_classes *c = classes_of(files[k & 1]);
        struct regress_settings settings = REGRESS_SETTINGS_INIT;
        settings.solver = regress_solver_name(k % regress_solver_count());
        settings.resamples = 20;
        settings.jobs = 1;
        must(regress_fit(&m, d, c, &settings, 0, 0, &e), &e);
        check(m);
        check_structure(m);
        check_again(m);
        regress_model_free(m);
        regress_classes_free(c);
        regress_data_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_typical_and_worst_are_in_order)};
    return cmocka_run_group_tests(tests, 0, 0);
}
