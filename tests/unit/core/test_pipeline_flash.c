/* Constants in flash, and conditional instructions that are not executed.
 * The cycle in which each instruction issues, derived by hand from a core of round figures (core_fixture.h): two a cycle, what is loaded can be
 * an address 3 cycles later. The flash has 3 wait states; the program is in its cache. */
#include "tests/unit/core/pipeline_example.h"

static void prepare(void)
{
    memset(&program, 0, sizeof program);
    model = small_model(NULL, NULL);
    model->fetch.bytes = 64;
    model->no_caches = true;
    model->flash.wait_states = 3;
    model->flash.bytes = 64;
    model->flash.lines = 4;
}

static struct iss_op *load(uint64_t address)
{
    return access_memory(to(put(ISS_LOAD), 1), ISS_READ_MEMORY, address, 4);
}

/* A nop beside what comes first, and one that needs r1 as an address: when does that issue? */
static int64_t use_after(bool warm)
{
    static struct iss_step steps[4];
    put(ISS_NOP);
    from(put(ISS_NOP), 1, ISS_NEED_ADDRESS);
    for (int i = 0; warm && i < 4; i++) {
        run(0x10000, 0);
        iss_core_drain(core);
    }
    int64_t begin = 0;
    size_t k = 0;
    for (size_t i = 0; i < program.n; i++) {
        iss_step_make(model, &program.ops[i], 0x10000 + 4 * i, &steps[i]);
        bool accesses = k < program.n_accesses && program.accesses[k].step == i;
        struct iss_access_at access = {.address = accesses ? program.accesses[k++].address : 0};
        iss_core_run(core, &steps[i], 1, &access, accesses, 0);
        if (i == 0)
            begin = iss_core_cycle(core);
    }
    return iss_core_cycle(core) - begin;
}

/* An address without a register is relative to the program counter: in flash, 3 cycles more. One with a register is in flash below the end of
 * the constants, once that is said. */
static void constants(void **state)
{
    (void)state;
    static const struct {
        bool by_register;
        uint64_t end;
        int64_t at;
    } all[] = {{false, 0, 6}, {true, 0, 3}, {true, 0x20000, 3}, {true, 0x20001, 6}};
    for (size_t i = 0; i < 4; i++) {
        prepare();
        core = iss_core_new(model);
        struct iss_op *op = load(0x20000);
        if (all[i].by_register)
            from(op, 5, ISS_NEED_ADDRESS);
        iss_core_constants(core, all[i].end);
        assert_int_equal(use_after(true), all[i].at);
        close_core();
    }
}

/* A conditional load: executed, r1 is there after 3. Where there was no access it was not executed: r1 holds nothing up. */
static void passed_over(void **state)
{
    (void)state;
    for (int executed = 0; executed < 2; executed++) {
        prepare();
        model->flash.wait_states = 0;
        core = iss_core_new(model);
        struct iss_op *op = executed ? load(0x20000) : to(put(ISS_LOAD), 1);
        op->memory = ISS_READ_MEMORY;
        op->bytes = 4;
        op->conditional = 1;
        from(op, 5, ISS_NEED_ADDRESS);
        uint64_t before = 0;
        struct iss_counts c = counts();
        before = c.loads;
        int64_t at = use_after(false);
        c = counts();
        assert_int_equal(c.loads - before, executed);
        assert_int_equal(c.instructions, 3);
        assert_int_equal(at, executed ? 3 : 1);
        close_core();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(constants), cmocka_unit_test(passed_over)};
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
