/* test_core_timing.c - from cycles of chains and streams to a model of a core, by figures made by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "shimgen/core/core_file.h"
#include "shimgen/core/timing.h"
#include "tests/unit/boards/fixture.h"

/* A core of three kinds: additions of 1, two a cycle; loads of 4 to additions and 5 to addresses; divisions of 9. */
static const struct core_kernel kernels[] = {
    KERNEL(ALU, "add x$d, x$s, x21"),
    KERNEL(LOAD, "ldr x$d, [x$s]"),
    KERNEL(SDIV64, "sdiv x$d, x$s, x21"),
    KERNEL(FP_ADD, "fadd d$d, d$s, d21"),
    KERNEL(FP_TO_INT, "fmov x$d, d$s"),
    KERNEL(FP_FROM_INT, "fmov d$d, x$s"),
    KERNEL_TWICE(LOAD_PAIR, "ldp x$d, x$e, [x$s]", "ldp x$e, x$d, [x$s]"),
};
static const struct core_need_kernel needs[] = {
    {ISS_ALU, "address", "add x$d, x20, x21", "ldr x$d, [x$s]"},
    {ISS_FP_ADD, "fp", "fadd d$d, d20, d21", "fadd d$d, d$s, d22"},
};
static const struct core_kernels small = {.architecture = "aarch64",
                                          .first = 1,
                                          .turns = 4,
                                          .operand = 20,
                                          .at = kernels,
                                          .n = sizeof kernels / sizeof *kernels,
                                          .needs = needs,
                                          .n_needs = 2,
                                          .use = "add x$d, x$s, x21"};

static struct core_cycles cycles_are(double chain, double second, double use, double stream, uint64_t resources)
{
    return (struct core_cycles){.chain = chain,
                                .second = second,
                                .use = use,
                                .stream = stream,
                                .resources = resources,
                                .slots = NAN,
                                .latency = NAN};
}

/* `hidden`: so many instructions between hide the wait. */
static void wait_until(struct core_measured *m, size_t need, int hidden)
{
    for (int k = 0; k < CORE_KNEE; k++) {
        m->free[need][k] = 1;
        m->waits[need][k] = k < hidden ? 3 : 1;
    }
}

static void measure(struct core_measured *m, int address_hidden, int fp_hidden)
{
    core_measured_init(m, &small);
    m->width = 2;
    m->at[0] = cycles_are(1, NAN, NAN, 0.5, 1 | 2);
    m->at[1] = cycles_are(5, NAN, 4 + 1 + 2, 1, 4);
    m->at[2] = cycles_are(9, NAN, 10, 8, 8);
    m->at[3] = cycles_are(4, NAN, NAN, 1, 16);
    m->at[4] = cycles_are(7, NAN, NAN, 1, 16);
    m->at[5] = cycles_are(7, NAN, NAN, 1, 16);
    m->at[6] = cycles_are(5, 6, 7, 2, 4);
    wait_until(m, 0, address_hidden);
    wait_until(m, 1, fp_hidden);
}

static void latencies_and_needs_follow_from_chains(void **state)
{
    (void)state;
    struct core_measured m;
    struct core_timing t;
    measure(&m, 5, 3); /* 3 cycles: (5 + 1) / 2 instructions a cycle */
    core_timing_find(&t, &m);
    assert_false(t.out_of_order);
    assert_int_equal(t.need[ISS_NEED_ADDRESS], 2);
    assert_int_equal(t.classes[0].latency, 1);
    assert_int_equal(t.classes[1].latency, 4);              /* 7 - 1 - 2 */
    assert_int_equal(t.classes[1].to[ISS_NEED_ADDRESS], 5); /* its own chain, not 4 + 2 */
    assert_int_equal(t.classes[2].latency, 9);
    assert_int_equal(t.classes[2].to[ISS_NEED_MULTIPLY], -1);         /* 9 + 0 */
    assert_int_equal(t.classes[4].latency + t.classes[5].latency, 7); /* there and back */
    assert_true(t.classes[4].split);
    assert_int_equal(t.classes[6].latency2, 5); /* one later than the first */
    core_timing_release(&t);
    core_measured_release(&m);
}

static void units_follow_from_streams(void **state)
{
    (void)state;
    struct core_measured m;
    struct core_timing t;
    measure(&m, 5, 3);
    m.at[2].resources = 3; /* divides where it adds */
    core_timing_find(&t, &m);
    assert_int_equal(t.units[ISS_UNIT_ALU], 2);
    assert_int_equal(t.units[ISS_UNIT_MEMORY], 1);
    assert_int_equal(t.classes[2].unit, ISS_UNIT_ALU);
    assert_int_equal(t.classes[2].take, 2);
    assert_int_equal(t.classes[2].busy, 8);
    assert_int_equal(t.classes[6].busy, 2);
    assert_int_equal(t.width, 2);
    core_timing_release(&t);
    core_measured_release(&m);
}

/* Nothing waits that is seen: needs cannot be told. */
static void out_of_order_is_noticed(void **state)
{
    (void)state;
    struct core_measured m;
    struct core_timing t;
    measure(&m, 5, 0);
    core_timing_find(&t, &m);
    assert_true(t.out_of_order);
    assert_int_equal(t.need[ISS_NEED_ADDRESS], 0);
    core_timing_release(&t);
    core_measured_release(&m);
}

/* Resources of a kind that are occupied equally long are the ports of one operation. */
static void ports_follow_from_pressure(void **state)
{
    (void)state;
    struct core_measured m;
    struct core_timing t;
    measure(&m, 5, 0);
    m.kind[3] = 3; /* 0 to 2 are of one kind, 3 is of another */
    m.at[0].pressure[0] = m.at[0].pressure[1] = m.at[0].pressure[2] = m.at[0].pressure[3] = 1.0 / 3;
    m.at[1].pressure[1] = 1;
    m.at[1].pressure[2] = 4;
    m.at[1].slots = 3;
    core_timing_find(&t, &m);
    assert_int_equal(t.classes[0].n_uses, 2);
    assert_int_equal(t.classes[0].use[0].ports, 7);
    assert_int_equal(t.classes[0].use[0].busy, 1);
    assert_int_equal(t.classes[0].use[1].ports, 8);
    assert_int_equal(t.classes[0].slots, 1);
    assert_int_equal(t.classes[1].n_uses, 2); /* of one kind, but not equally long */
    assert_int_equal(t.classes[1].use[1].ports, 4);
    assert_int_equal(t.classes[1].use[1].busy, 4);
    assert_int_equal(t.classes[1].slots, 3);
    assert_int_equal(t.classes[2].n_uses, 0);
    assert_int_equal(t.units[ISS_UNIT_ALU], 0);
    core_timing_release(&t);
    core_measured_release(&m);
}

static void what_is_missing_is_left_out(void **state)
{
    (void)state;
    struct core_measured m;
    struct core_timing t;
    measure(&m, 5, 3);
    m.at[2] = cycles_are(NAN, NAN, NAN, NAN, 0);
    core_timing_find(&t, &m);
    assert_false(t.classes[2].known);
    assert_true(t.classes[1].known);
    assert_int_equal(t.units[ISS_UNIT_DIVIDE], 0);
    core_timing_release(&t);
    core_measured_release(&m);
}

static void texts_have_registers(void **state)
{
    (void)state;
    struct str text = STR_INIT;
    core_kernel_line(&text, &small, "ldp x$d, x$e, [x$s]", 1, 20);
    assert_string_equal(str_text(&text), "ldp x1, x3, [x20]\n");
    str_clear(&text);
    core_kernel_stream(&text, &small, "add x$d, x$s, x21");
    assert_string_equal(str_text(&text), "add x1, x20, x21\nadd x2, x20, x21\nadd x3, x20, x21\nadd x4, x20, x21\n");
    str_release(&text);
}

static void figures_are_set(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct core_figures f = {0};
    assert_int_equal(core_figures_set(&f, "fetch.taken=2, l1d.size=32K", &e), OK);
    assert_int_equal(f.n, 2);
    assert_string_equal(f.at[1].value, "32K");
    assert_string_equal(f.from, "2 figures by --set");
    core_figures_put(&f, "fetch", "taken", "1"); /* what is measured does not go before it */
    core_figures_put(&f, "fetch", "return", "4");
    assert_string_equal(f.at[0].value, "2");
    assert_true(core_figures_is_set(&f, "fetch", "taken") && !core_figures_is_set(&f, "fetch", "return"));
    assert_int_equal(core_figures_set(&f, "fetch.taken=3", &e), OK);
    assert_string_equal(f.at[0].value, "3");
    core_figures_release(&f);
    static const char *const wrong[] = {
        "taken=2", "fetch.taken", "fetch.taken=", "fetch.tacken=2", "issue.width=3", "alu.latency=2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(core_figures_set(&f, wrong[i], &e), ERR_USAGE);
        core_figures_release(&f);
        error_release(&e);
    }
    assert_int_equal(core_figures_like(&f, "raspberrypi3-sim", "aarch64", &e), OK);
    assert_true(f.n > 50);
    core_figures_release(&f);
    assert_int_equal(core_figures_like(&f, "raspberrypi3-sim", "riscv64", &e), ERR_INPUT);
    core_figures_release(&f);
    error_release(&e);
    assert_int_equal(core_figures_like(&f, "host", "x86_64", &e), ERR_INPUT);
    core_figures_release(&f);
    error_release(&e);
}

/* Every written file can be read, and has what was found. */
static void a_written_file_is_read_back(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct core_measured m;
    struct core_timing t;
    struct core_figures f = {0};
    struct iss_model *model = NULL;
    measure(&m, 5, 3);
    core_timing_find(&t, &m);
    assert_int_equal(core_figures_set(&f, "fetch.taken=2", &e), OK);
    const struct core_file file = {.name = "made",
                                   .source = "llvm:made",
                                   .target = "aarch64-linux-gnu",
                                   .cpu = "made",
                                   .timing = &t,
                                   .measured = &m,
                                   .figures = &f};
    char *path = put_file("core.ini", "");
    if (core_file_write(&file, path, &e) != OK || iss_model_read(&model, path, &e) != OK) {
        error_print(&e, "test");
        fail();
    }
    assert_int_equal(model->timing[ISS_LOAD].after[ISS_NEED_OPERAND], 4);
    assert_int_equal(model->timing[ISS_LOAD].after[ISS_NEED_ADDRESS], 5);
    assert_int_equal(model->fetch.taken, 2);
    assert_int_equal(model->clock_hz, 0);
    assert_true(model->n_unknown > 50);
    assert_string_equal(model->origin.cpu, "made");
    iss_model_free(model);
    free(path);
    core_figures_release(&f);
    core_timing_release(&t);
    core_measured_release(&m);
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies_and_needs_follow_from_chains),
        cmocka_unit_test(units_follow_from_streams),
        cmocka_unit_test(out_of_order_is_noticed),
        cmocka_unit_test(ports_follow_from_pressure),
        cmocka_unit_test(what_is_missing_is_left_out),
        cmocka_unit_test(texts_have_registers),
        cmocka_unit_test(figures_are_set),
        cmocka_unit_test(a_written_file_is_read_back),
    };
    return fixture_close(cmocka_run_group_tests(tests, 0, 0));
}
