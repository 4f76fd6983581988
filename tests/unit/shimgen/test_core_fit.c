/* test_core_fit.c - a core whose figures are drawn at random is recovered from what its trials take: their cycles are
 * those of the drawn model, and the fit sees nothing else of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "base/proc.h"
#include "shimgen/core/core_fit.h"
#include "tests/unit/boards/fixture.h"

static const unsigned chosen[] = {
    ISS_ALU,    ISS_NOP,        ISS_SHIFT,     ISS_MUL64,       ISS_SDIV64,  ISS_LOAD,   ISS_STORE,       ISS_FP_ADD,
    ISS_FP_FMA, ISS_FP_COMPARE, ISS_FP_TO_INT, ISS_FP_FROM_INT, ISS_FP_LOAD, ISS_BRANCH, ISS_BRANCH_ZERO, ISS_SYSTEM};
enum { CHOSEN = sizeof chosen / sizeof *chosen };

/* Those that have flags. */
static const unsigned flagged[] = {ISS_ALU,     ISS_NOP,        ISS_ALU_CARRY,   ISS_SELECT,
                                   ISS_COMPARE, ISS_COMPARE_IF, ISS_MUL64,       ISS_LOAD,
                                   ISS_STORE,   ISS_STORE_PAIR, ISS_FP_ADD,      ISS_FP_DIV64,
                                   ISS_BRANCH,  ISS_BRANCH_IF,  ISS_BRANCH_ZERO, ISS_STORE_EXCLUSIVE};
enum { FLAGGED = sizeof flagged / sizeof *flagged, MOST = 24 };

static struct core_kernel some[MOST];
static struct core_kernels kernels;

static void choose(const struct core_kernels *all, const unsigned *classes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        some[i] = *core_kernels_find(all, classes[i]);
    kernels = *all;
    kernels.at = some;
    kernels.n = n;
}

static void assemble(struct core_run *r, size_t which)
{
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    core_run_assembly(&text, r, which);
    str_add(&text, ".comm core_memory, 16384, 4096\n.comm core_other, 4096, 4096\n");
    char *in = put_file("trials.s", str_text(&text)), *out = put_file("trials.elf", "");
    char *target = xasprintf("--target=%s-linux-gnu", kernels.architecture);
    const char *const argv[] = {
        "clang", target, "-nostdlib", "-static", "-fuse-ld=lld", "-Wl,--entry=core_0", "-Wl,--no-relax",
        in,      "-o",   out,         0};
    struct proc p = {.argv = argv, .capture = true, .cpu = -1};
    struct proc_result result = PROC_RESULT_INIT;
    if (which) /* its first function has another number */
        ((const char **)argv)[5] = "-Wl,--noinhibit-exec";
    if (proc_must(&p, &result, &e) != OK || elf_read(&r->programs[which].code, out, &e) != OK) {
        error_print(&e, "test");
        fail();
    }
    proc_result_release(&result);
    str_release(&text);
    free(target);
    free(in);
    free(out);
}

static unsigned below(uint64_t *random, unsigned n)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*random >> 33) % n;
}

/* What reading a special register does to the drawn core, as its file has it. */
static const char *special_register = "latency = 9\nissue = alone\n";

/* A file like that of a simulated board; figures between what cores in order have. `pipes` of floating point: with two, each
 * is busy with an operation that both begin in turns. `division`: how long a division of mean length keeps its unit busy. */
static struct iss_model *draw(uint64_t random, int pipes, int division)
{
    struct str t = STR_INIT;
    struct error e = ERROR_INIT;
    struct iss_model *m = NULL;
    unsigned add = 1 + below(&random, 2), fp = 2 + below(&random, 6);
    str_add(&t,
            "[model]\nname = drawn\narchitecture = riscv64\nclock_hz = 1000000000\n[issue]\nwidth = 2\nwrite_back = 1\n"
            "[predictor]\nscheme = gshare\nentries = 4096\nhistory = 8\naddress = 8\nunseen = backwards\ntargets = "
            "16\nreturns = 8\n"
            "[memory]\nlatency_ns = 100\npitch_ns = 20\n[tlb]\nmicro = 0\nmicro_miss = 0\nentries = 0\nways = 1\nwalk "
            "= 0\n");
    for (int i = 0; i < 3; i++)
        str_addf(&t, "[%s]\nsize = 32K\nways = 4\nline = 64\nreplacement = lru\nlatency = 10\npitch = 1\n",
                 i == 0   ? "l1i"
                 : i == 1 ? "l1d"
                          : "l2");
    str_addf(&t,
             "[fetch]\nbytes = 8\nqueue = %u\ntaken = %u\nsame_taken = 1\njump_register = 3\ncall_register = 4\nreturn "
             "= %u\nmispredicted = %u\nnext_line = 0\n",
             6 + below(&random, 6), 1 + below(&random, 3), 2 + below(&random, 3), 5 + below(&random, 10));
    str_addf(&t,
             "[data]\noutstanding = 2\ngranule = 8\nload_split = 2\nload_split_most = 9\nload_split_busy = "
             "1\nstore_split_busy = 1\nforward = %u\nforward_wide = 5\nforward_split = 0\nstore_buffer = 4\nstreams = "
             "0\ntrigger = 1\nahead = 0\nstride = 1\nno_allocate = 0\n",
             2 + below(&random, 4));
    str_addf(&t,
             "[units]\nalu = 2\nmemory = 1\nmultiply = 1\ndivide = 1\nfp = %d\nfp_divide = 1\nbranch = "
             "1\n[need]\nshifted = %u\naddress = %u\nfp_data = -1\n",
             pipes, below(&random, 2), below(&random, 2));
    str_addf(&t,
             "[alu]\nlatency = %u\nunit = alu\n[nop]\nlike = alu\n[shift]\nlike = alu\n[mul64]\nlatency = %u\nunit = "
             "%s\nbusy = %u\n",
             add, 2 + below(&random, 4), below(&random, 2) ? "multiply" : "branch", 1 + below(&random, 3));
    str_addf(&t, "[load]\nlatency = %u\nunit = memory\n[store]\nlatency = 1\nunit = memory\n", 2 + below(&random, 3));
    str_addf(&t,
             "[sdiv64]\nlatency = 12\nunit = divide\nbusy = %d\ndivide_base = %u\ndivide_bits = %u\ndivide_max = 60\n",
             division, 3 + below(&random, 5), 1 + below(&random, 4));
    str_addf(
        &t,
        "[fp_add]\nlatency = %u\nunit = fp\n[fp_fma]\nlike = fp_add\nlatency = %u\nbusy = %d\n[fp_compare]\nlatency = "
        "%u\nunit = fp\nbusy = 2\n",
        fp, fp + below(&random, 4), pipes, 1 + below(&random, 4));
    str_add(
        &t,
        "[fp_to_int]\nlatency = 2\nunit = memory\n[fp_from_int]\nlatency = 3\nunit = memory\n[fp_load]\nlike = load\n"
        "[branch]\nlatency = 1\nunit = branch\n[branch_zero]\nlike = branch\n[call]\nlike = branch\n[return]\nlike = "
        "branch\n"
        "[branch_reg]\nlike = branch\n[call_reg]\nlike = branch\n[unknown]\nlatency = 1\nunit = alu\n");
    str_addf(&t, "[system]\n%s", special_register);
    char *path = put_file("drawn.ini", str_text(&t));
    if (iss_model_read(&m, path, &e) != OK) {
        error_print(&e, "test");
        fail();
    }
    free(path);
    str_release(&t);
    return m;
}

/* What the drawn core takes is all that is known of it. `ends`: how many of the ends of short loops its predictor misses, in
 * the short and in the long form of a trial. */
static void measure(struct core_run *r, const struct iss_model *truth, const double ends[2])
{
    struct core_predict p;
    struct error e = ERROR_INIT;
    for (size_t i = 0; i < r->n_programs; i++)
        assemble(r, i);
    assert_int_equal(core_predict_new(&p, r, truth, &e), OK);
    for (size_t i = 0; i < r->trials.list.n; i++) {
        struct core_trial *t = &r->trials.list.at[i];
        for (int form = 0; form < 2; form++)
            t->mispredicted[form] = t->image == CORE_BITS ? 0.5 * t->units[form] : 0;
        if (ends[0] > 0 && strcmp(t->name, "branch/same taken") == 0) {
            double without = core_predict_unit(&p, i), more = 0;
            for (int form = 0; form < 2; form++) {
                t->mispredicted[form] = ends[form] * t->units[form];
                more += (form ? 1 : -1) * t->mispredicted[form] / (t->units[1] - t->units[0]);
            }
            double each = (core_predict_unit(&p, i) - without) / more;
            assert_true(fabs(each - (double)truth->fetch.mispredicted) <= 4);
        }
        r->trials.list.at[i].cycles = core_predict_unit(&p, i);
    }
    core_predict_release(&p);
}

static int64_t after(const struct iss_timing *t, int need)
{
    return t->after[need] + (t->divide_bits ? t->divide_base - t->latency : 0);
}

/* Latencies and figures of the whole core: how many are within their interval. */
static void compare(const struct core_fit *f, const struct iss_model *truth, size_t *in, size_t *all)
{
    for (size_t i = 0; i < f->found.n; i++) {
        const struct core_found *v = &f->found.at[i];
        int64_t there;
        if (!v->observable || v->kind == CORE_UNIT || v->kind == CORE_SECOND_UNIT || v->kind == CORE_TAKE)
            continue;
        if (v->kind == CORE_GLOBAL) {
            there = *(const int64_t *)((const char *)truth + ((const char *)v->global - (const char *)f->model));
        } else {
            unsigned class = kernels.at[v->kernel].class;
            const struct iss_timing *t = &truth->timing[class], *found = &f->model->timing[class];
            int64_t shortest = found->divide_bits ? found->latency - found->divide_base : 0;
            there = v->kind == CORE_AFTER    ? after(t, v->need) + shortest
                    : v->kind == CORE_BUSY   ? t->busy + (t->divide_bits ? t->divide_base - t->latency : 0) + shortest
                    : v->kind == CORE_ISSUE  ? t->issue
                    : v->kind == CORE_HOLD   ? t->hold
                    : v->kind == CORE_DRAINS ? t->drains
                                             : t->late;
        }
        ++*all;
        *in += there >= v->low && there <= v->high;
        if (there < v->low || there > v->high)
            print_message("%s kind %d need %d: %lld, not %lld to %lld\n",
                          v->kind == CORE_GLOBAL ? v->key : iss_class_names[kernels.at[v->kernel].class], (int)v->kind,
                          v->need, (long long)there, (long long)v->low, (long long)v->high);
    }
}

static void recover(int pipes, int division, double short_ends, double long_ends)
{
    struct core_run r;
    static struct core_fit f;
    struct error e = ERROR_INIT;
    size_t in = 0, all = 0;
    choose(&core_kernels_riscv64, chosen, CHOSEN);
    core_run_init(&r, &kernels);
    struct iss_model *truth = draw(20260419, pipes, division);
    measure(&r, truth, (const double[]){short_ends, long_ends});
    assert_int_equal(core_fit_make(&f, &r, &e), OK);
    compare(&f, truth, &in, &all);
    print_message("%zu of %zu figures, %zu of %zu trials\n", in, all, f.explained, f.tried);
    assert_true(all >= 40);
    assert_int_equal(in, all);
    assert_true(100 * f.explained >= 95 * f.tried);
    assert_int_equal(f.model->units[ISS_UNIT_DIVIDE], 1);
    for (size_t i = 0; i < f.found.n; i++)
        if (f.found.at[i].kind == CORE_BUSY && f.found.at[i].kernel < CHOSEN &&
            kernels.at[f.found.at[i].kernel].class == ISS_FP_FMA)
            assert_int_equal(f.found.at[i].value, pipes);
    core_fit_release(&f);
    core_run_release(&r);
    iss_model_free(truth);
}

static void a_drawn_core_is_recovered(void **state)
{
    (void)state;
    recover(1, 11, 0, 0);
}

/* Two multiply-adds in two cycles: each pipe is busy for two, not both for one. */
static void two_busy_pipes_are_not_one(void **state)
{
    (void)state;
    recover(2, 11, 0, 0);
}

/* Short divisions follow each other as if there were several units; long ones show that there is one. */
static void short_divisions_are_not_several_units(void **state)
{
    (void)state;
    recover(1, 6, 0, 0);
}

/* A misprediction at the end of each short loop is no time of its branches. */
static void mispredicted_ends_of_loops_are_taken_off(void **state)
{
    (void)state;
    recover(1, 11, 1, 1);
}

/* A predictor with a history misses more of them in one form than in the other: here more of the short one than of the long. */
static void ends_are_taken_off_form_by_form(void **state)
{
    (void)state;
    recover(1, 11, 0.75, 0.1);
}

/* Reading a special register makes the whole core wait: alone in its cycle, until it is done, or after all before it. */
static void special_registers(void **state)
{
    (void)state;
    static const char *const kinds[] = {"latency = 3\n", "latency = 7\nissue = alone\nhold = 7\ndrains = 1\n",
                                        "latency = 2\nissue = first\nhold = 4\n"};
    const char *usual = special_register;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        special_register = kinds[i];
        recover(1, 11, 0, 0);
    }
    special_register = usual;
}

/* A core with AArch64: `width` instructions a cycle, `alus` of integers whose results are there after
 * `latency` cycles, and one unit that sets flags. */
static struct iss_model *core_with_flags(int width, int alus, int latency)
{
    struct error e = ERROR_INIT;
    struct iss_model *m = NULL;
    struct str t = STR_INIT;
    str_addf(
        &t,
        "[model]\nname = flags\narchitecture = aarch64\nclock_hz = 1000000000\n[issue]\nwidth = %d\nwrite_back = 1\n",
        width);
    str_add(
        &t,
        "[fetch]\nbytes = 16\nqueue = 13\ntaken = 1\nsame_taken = 1\njump_register = 2\ncall_register = 4\nreturn = 1\n"
        "mispredicted = 6\nnext_line = 0\n[predictor]\nscheme = none\n"
        "[data]\noutstanding = 2\ngranule = 64\nload_split = 2\nload_split_most = 9\nload_split_busy = 1\n"
        "store_split_busy = 1\nforward = 4\nforward_wide = 5\nforward_split = 0\nstore_buffer = 4\nstreams = 0\n"
        "trigger = 1\nahead = 0\nstride = 1\nno_allocate = 0\n");
    str_addf(&t,
             "[units]\nalu = %d\nmemory = 1\nmultiply = 1\nfp = 1\nfp_divide = 1\nbranch = 1\nflags = "
             "1\n[need]\nshifted = 1\n"
             "address = 2\ncondition = -1\n[alu]\nlatency = %d\nunit = alu\n",
             alus, latency);
    str_add(
        &t,
        "[alu_shifted]\nlike = alu\n[alu_carry]\nlike = alu\n[select]\nlike = alu\n[compare]\nlike = alu\nsecond_unit "
        "= flags\n"
        "[compare_if]\nlike = compare\n[nop]\nlike = alu\nunit = none\n[mul64]\nlatency = 5\nunit = multiply\nbusy = "
        "2\n"
        "[load]\nlatency = 2\nunit = memory\n[load_small]\nlike = load\n[store]\nlatency = 1\nunit = memory\n"
        "[store_pair]\nlike = store\n[store_exclusive]\nlike = store\nlatency = 3\n[fp_add]\nlatency = 3\nunit = fp\n"
        "[fp_div64]\nlatency = 20\nunit = fp_divide\nbusy = 18\n"
        "[branch]\nlatency = 1\nunit = branch\n[branch_if]\nlike = branch\n[branch_zero]\nlike = "
        "branch\n[branch_reg]\nlike = branch\n"
        "[call]\nlike = branch\n[call_reg]\nlike = branch\n[return]\nlike = branch\n[unknown]\nlatency = 1\nunit = "
        "alu\n");
    char *path = put_file("flags.ini", str_text(&t));
    if (iss_model_read(&m, path, &e) != OK) {
        error_print(&e, "test");
        fail();
    }
    free(path);
    str_release(&t);
    return m;
}

/* What a fit finds of it, from trials that are off by at most `noise` cycles: a fifth of what can be told. */
static void fit_flags(struct core_fit *f, struct core_run *r, struct iss_model *truth, double noise)
{
    struct error e = ERROR_INIT;
    choose(&core_kernels_aarch64, flagged, FLAGGED);
    core_run_init(r, &kernels);
    measure(r, truth, (const double[]){0, 0});
    for (size_t i = 0; i < r->trials.list.n; i++)
        r->trials.list.at[i].cycles += noise * ((double)(i * 7 % 11) / 5 - 1);
    assert_int_equal(core_fit_make(f, r, &e), OK);
}

/* Two of them never go together in a cycle. */
static bool share_a_unit(const struct iss_model *m, unsigned one, unsigned other)
{
    const struct iss_timing *a = &m->timing[one], *b = &m->timing[other];
    for (unsigned u = 1; u < ISS_UNIT_N; u++) {
        int taken = (a->unit == u) + (a->second_unit == u), more = (b->unit == u) + (b->second_unit == u);
        if (taken && more && taken + more > m->units[u])
            return true;
    }
    return false;
}

/* A chain of flags is no busy unit: an addition with carry takes its own for a cycle, so does a conditional comparison, which
 * shares the unit of flags with comparisons. Trials that are off a little make no further units: accesses are in theirs, and
 * branches in theirs. Where they do not tell it, the same taken branch again costs a cycle. */
static void flags_that_are_waited_for(void **state)
{
    (void)state;
    static const struct {
        int width, alus, latency;
        double noise;
    } cores[] = {{3, 2, 2, 0.05}, {1, 1, 2, 0.05}};
    for (size_t c = 0; c < sizeof cores / sizeof *cores; c++) {
        struct core_run r;
        static struct core_fit f;
        struct iss_model *truth = core_with_flags(cores[c].width, cores[c].alus, cores[c].latency);
        fit_flags(&f, &r, truth, cores[c].noise);
        const struct iss_model *m = f.model;
        print_message("width %d: %zu of %zu trials\n", cores[c].width, f.explained, f.tried);
        assert_int_equal(m->timing[ISS_ALU_CARRY].busy, 1);
        assert_int_equal(m->timing[ISS_COMPARE_IF].busy, 1);
        assert_int_equal(m->timing[ISS_ALU_CARRY].latency, cores[c].latency);
        assert_int_equal(m->timing[ISS_ALU_CARRY].unit, m->timing[ISS_ALU].unit);
        if (cores[c].width > 1)
            assert_true(share_a_unit(m, ISS_COMPARE, ISS_COMPARE_IF));
        assert_int_equal(m->timing[ISS_LOAD].second_unit, 0);
        assert_int_equal(m->timing[ISS_STORE_EXCLUSIVE].unit, m->timing[ISS_LOAD].unit);
        assert_int_equal(m->timing[ISS_BRANCH].unit, ISS_UNIT_BRANCH);
        assert_int_equal(m->timing[ISS_BRANCH].second_unit, 0);
        assert_int_equal(m->fetch.same_taken, 1);
        assert_true(100 * f.explained >= 95 * f.tried);
        core_fit_release(&f);
        core_run_release(&r);
        iss_model_free(truth);
    }
}

/* Ticks of another clock say nothing of the core's cycles, and neither does a board that counts nothing. */
static void ticks_are_refused(void **state)
{
    (void)state;
    static const char *const events[] = {"CPU_CYCLES", "TSC_CYCLES", "CNTVCT_CYCLES", "INST_RETIRED"};
    static const char *const says[] = {NULL, "bench counts TSC_CYCLES, which are ticks of another clock",
                                       "bench counts CNTVCT_CYCLES, which are ticks of another clock",
                                       "bench counts no cycles: a core is measured where"};
    struct board b = {.name = (char *)"bench"};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        struct measurements *m = measurements_new();
        struct core_run r = {0};
        struct error e = ERROR_INIT;
        struct measurement row = {xstrdup("trials"), xstrdup("core_0"), xstrdup(events[i]), .value = 100, .runs = 1};
        vec_push(&m->rows, row);
        enum status s = core_run_counter(&r, &b, m, &e);
        assert_int_equal(s, says[i] ? ERR_UNSUPPORTED : OK);
        if (says[i])
            assert_non_null(strstr(e.message, says[i]));
        else
            assert_string_equal(r.counter, "CPU_CYCLES");
        free(r.counter);
        error_release(&e);
        measurements_free(m);
    }
}

/* Of x86-64, where a chain of additions says how many cycles a tick has. Counted cycles go before. */
static void calibrated_ticks_will_do(void **state)
{
    (void)state;
    const struct board b = {.name = (char *)"bench"};
    for (int counted = 0; counted < 2; counted++) {
        struct measurements *m = measurements_new();
        struct core_run r = {.trials.board = core_board_kernels_of("x86_64")};
        struct error e = ERROR_INIT;
        const char *const events[] = {"TSC_CYCLES", BOARD_CORE_ESTIMATE, "CPU_CYCLES"};
        for (int i = 0; i < 2 + counted; i++) {
            struct measurement row = {xstrdup("trials"), xstrdup("core_0"), xstrdup(events[i]), .value = 100,
                                      .runs = 1};
            vec_push(&m->rows, row);
        }
        assert_int_equal(core_run_counter(&r, &b, m, &e), OK);
        assert_string_equal(r.counter, counted ? "CPU_CYCLES" : BOARD_CORE_ESTIMATE);
        assert_int_equal(r.ticks, !counted);
        free(r.counter);
        measurements_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_drawn_core_is_recovered),
                                       cmocka_unit_test(two_busy_pipes_are_not_one),
                                       cmocka_unit_test(short_divisions_are_not_several_units),
                                       cmocka_unit_test(mispredicted_ends_of_loops_are_taken_off),
                                       cmocka_unit_test(ends_are_taken_off_form_by_form),
                                       cmocka_unit_test(special_registers),
                                       cmocka_unit_test(flags_that_are_waited_for),
                                       cmocka_unit_test(ticks_are_refused),
                                       cmocka_unit_test(calibrated_ticks_will_do)};
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
