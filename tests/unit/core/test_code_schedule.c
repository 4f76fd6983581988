/* Schedules beside the simulator's core: the same code, executed often enough that caches and predictor know it, takes
 * as many cycles when nothing of it is executed. */
#include "tests/unit/core/core_fixture.h"

#include "sim/core/code_schedule.h"

static struct iss_model *model;
static struct iss_code *code;

static void open_code(const char *board, const void *bytes, size_t n, uint64_t address)
{
    struct error e = ERROR_INIT;
    char *path = resource_share(board);
    if (iss_model_read(&model, path, &e) != OK || iss_code_new(&code, model, bytes, n, address, &e) != OK) {
        error_print(&e, "test");
        fail();
    }
    free(path);
}

static void close_code(void)
{
    iss_code_free(code);
    iss_model_free(model);
}

/* Cycles of an iteration of the code, which ends in a jump to its first instruction, over 100 of them. */
static int64_t scheduled(void)
{
    struct iss_schedule *s = iss_schedule_new(model);
    int64_t before = 0;
    for (int i = 0; i < 200; i++) {
        if (i == 100)
            before = iss_schedule_cycle(s);
        iss_schedule_run(s, code->steps, code->n, code->steps[0].address);
    }
    int64_t cycles = iss_schedule_cycle(s) - before;
    iss_schedule_free(s);
    return cycles;
}

/* The same by the simulator. `addresses`: of its accesses, in order. */
static int64_t simulated(const uint64_t *addresses)
{
    struct iss_core *core = iss_core_new(model);
    struct iss_access_at accesses[64];
    size_t n = 0;
    for (size_t i = 0; i < code->n; i++)
        if (code->steps[i].op.memory) {
            accesses[n] = (struct iss_access_at){.address = addresses[n], .step = (uint32_t)i};
            n++;
        }
    int64_t before = 0;
    for (int i = 0; i < 200; i++) {
        if (i == 100)
            before = iss_core_cycle(core);
        iss_core_run(core, code->steps, code->n, accesses, n, code->steps[0].address);
    }
    int64_t cycles = iss_core_cycle(core) - before;
    iss_core_free(core);
    return cycles;
}

#define A53 "boards/raspberrypi3-sim/cortex-a53.ini"
#define U74 "boards/riscv64-sim/sifive-u74.ini"

static void test_a_loop_of_arithmetic(void **state)
{
    (void)state;
    static const uint32_t words[] = {
        0x91000400, /* add x0, x0, #1 */
        0x8b000021, /* add x1, x1, x0 */
        0x9b017c42, /* mul x2, x2, x1 */
        0xf100041f, /* cmp x0, #1 */
        0x54ffff81, /* b.ne to the first */
    };
    open_code(A53, words, sizeof words, 0x10000);
    assert_int_equal(code->n, 5);
    assert_int_equal(code->n_unknown, 0);
    assert_int_equal(scheduled(), simulated(NULL));
    close_code();
}

/* x = x + 1 with x in memory, as unoptimised code has it: the load waits for the store of the previous iteration. */
static void test_through_memory(void **state)
{
    (void)state;
    static const uint32_t words[] = {
        0xb9400fe8, /* ldr w8, [sp, #12] */
        0x11000508, /* add w8, w8, #1 */
        0xb9000fe8, /* str w8, [sp, #12] */
        0x17fffffd, /* b to the first */
    };
    static const uint64_t same[] = {0x700c, 0x700c};
    open_code(A53, words, sizeof words, 0x10000);
    assert_int_equal(scheduled(), simulated(same));
    close_code();
}

/* Another place: it does not wait. */
static void test_beside_memory(void **state)
{
    (void)state;
    static const uint32_t words[] = {
        0xb9400be8, /* ldr w8, [sp, #8] */
        0x11000508, /* add w8, w8, #1 */
        0xb9000fe8, /* str w8, [sp, #12] */
        0x17fffffd, /* b to the first */
    };
    static const uint64_t different[] = {0x7008, 0x700c};
    open_code(A53, words, sizeof words, 0x10000);
    assert_int_equal(scheduled(), simulated(different));
    close_code();
}

/* An address that is written back is followed. */
static void test_post_index(void **state)
{
    (void)state;
    static const uint32_t words[] = {
        0xf8008420, /* str x0, [x1], #8 */
        0xf85f8022, /* ldur x2, [x1, #-8] */
        0x8b020000, /* add x0, x0, x2 */
        0x17fffffd, /* b to the first */
    };
    static const uint64_t same[] = {0x7000, 0x7000};
    open_code(A53, words, sizeof words, 0x10000);
    assert_int_equal(scheduled(), simulated(same));
    close_code();
}

static void test_compressed_instructions(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {
        0x05, 0x05,             /* c.addi a0, 1 */
        0xb3, 0x85, 0xa5, 0x02, /* mul a1, a1, a0 */
        0xed, 0xbf,             /* c.j to the first */
    };
    open_code(U74, bytes, sizeof bytes, 0x10000);
    assert_int_equal(code->n, 3);
    assert_int_equal(code->n_unknown, 0);
    assert_int_equal(iss_code_find(code, 0x10002), 1);
    assert_int_equal(iss_code_find(code, 0x10004), code->n);
    assert_int_equal(code->steps[2].op.constant, 0x10000);
    assert_int_equal(scheduled(), simulated(NULL));
    close_code();
}

static void test_offsets_of_riscv(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {
        0x03, 0x35, 0x81, 0xff, /* ld a0, -8(sp) */
        0x23, 0x3c, 0xa1, 0xfe, /* sd a0, -8(sp) */
    };
    open_code(U74, bytes, sizeof bytes, 0x10000);
    assert_int_equal(code->steps[0].op.offset, -8);
    assert_int_equal(code->steps[1].op.offset, -8);
    close_code();
}

/* A mispredicted branch costs what the model says, from its execution on. */
static void test_misprediction(void **state)
{
    (void)state;
    static const uint32_t words[] = {0x91000400, 0xd503201f, 0xb4ffffc0}; /* add x0, x0, #1; nop; cbz x0 */
    open_code(A53, words, sizeof words, 0x10000);
    struct iss_schedule *s = iss_schedule_new(model), *other = iss_schedule_new(model);
    for (int i = 0; i < 20; i++)
        iss_schedule_run(s, code->steps, code->n, 0x10000);
    iss_schedule_copy(other, s);
    iss_schedule_run(s, code->steps, code->n, 0x10000);
    iss_schedule_mispredict(other);
    iss_schedule_run(other, code->steps, code->n, 0x10000);
    assert_int_equal(iss_schedule_cycle(other), iss_schedule_cycle(s));
    iss_schedule_run(s, code->steps, 1, 0x10004);
    iss_schedule_run(other, code->steps, 1, 0x10004);
    assert_in_range(iss_schedule_cycle(other) - iss_schedule_cycle(s), 10, 14);
    iss_schedule_free(s);
    iss_schedule_free(other);
    close_code();
}

static void test_no_decoder(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    model = small_model(NULL, NULL);
    assert_int_equal(iss_code_new(&code, model, (const uint8_t *)"", 0, 0, &e), ERR_UNSUPPORTED);
    assert_null(code);
    error_release(&e);
    close_code();
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_loop_of_arithmetic),    cmocka_unit_test(test_through_memory),
        cmocka_unit_test(test_beside_memory),           cmocka_unit_test(test_post_index),
        cmocka_unit_test(test_compressed_instructions), cmocka_unit_test(test_offsets_of_riscv),
        cmocka_unit_test(test_misprediction),           cmocka_unit_test(test_no_decoder),
    };
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
