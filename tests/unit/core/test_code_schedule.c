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

/* A branch across one addition is one with it, and so it is where the next instruction is no code of the piece. */
static void test_branch_across_an_instruction(void **state)
{
    (void)state;
    static const uint32_t words[] = {
        0x00853283, /* ld t0, 8(a0) */
        0x00029463, /* bnez t0, across the next */
        0x00b60633, /* add a2, a2, a1 */
        0xff5ff06f, /* j to the first */
    };
    static const uint64_t same[] = {0x7000};
    open_code(U74, words, sizeof words, 0x10000);
    assert_ptr_equal(code->steps[1].across, &model->timing[ISS_ALU]);
    assert_int_equal(scheduled(), simulated(same));
    assert_int_equal(scheduled(), 400); /* the load, 3 cycles later the two, in the next cycle the jump and the load */
    iss_code_free(code);
    struct error e = ERROR_INIT;
    const struct iss_piece apart[] = {{(const uint8_t *)words, 8, 0x10000}, {(const uint8_t *)words + 8, 4, 0x2000c}};
    assert_int_equal(iss_code_of_pieces(&code, model, apart, 2, &e), OK);
    assert_null(code->steps[1].across);
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

/* How far an access is from the one that the same instruction made before, where the registers tell it. `times`: how
 * often the code runs; the step of it that is asked. */
static bool stride_of(const void *bytes, size_t n, int times, size_t step, int64_t *stride)
{
    open_code(A53, bytes, n, 0x10000);
    struct iss_schedule *s = iss_schedule_new(model), *other = iss_schedule_new(model);
    for (int i = 0; i < times; i++)
        iss_schedule_run(s, code->steps, code->n, code->steps[0].address);
    bool found = iss_schedule_stride(s, &code->steps[step], stride);
    int64_t again;
    iss_schedule_copy(other, s);
    assert_int_equal(iss_schedule_stride(other, &code->steps[step], &again), found);
    assert_int_equal(again, *stride);
    iss_schedule_restart(s); /* as if nothing had been executed */
    assert_false(iss_schedule_stride(s, &code->steps[step], &again));
    iss_schedule_free(s);
    iss_schedule_free(other);
    close_code();
    return found;
}

static void test_strides(void **state)
{
    (void)state;
    enum { X1_BY_X2 = 0x8b020021, LOAD = 0xf9400020 };
    static const struct {
        const char *what;
        uint32_t words[4];
        size_t n, step;
        int times;
        bool found;
        int64_t bytes;
    } rows[] = {
        {"ldr x0, [x1], #8", {0xf8408420}, 1, 0, 0, false, 0},
        {"once", {0xf8408420}, 1, 0, 1, false, 0},
        {"twice", {0xf8408420}, 1, 0, 2, true, 8},
        {"often", {0xf8408420}, 1, 0, 9, true, 8},
        {"ldr x0, [x1], #-8", {0xf85f8420}, 1, 0, 3, true, -8},
        {"ldr x0, [x1, #8]!", {0xf8408c20}, 1, 0, 3, true, 8},
        {"the same place: ldr x0, [x1]", {LOAD}, 1, 0, 3, true, 0},
        {"add x2, x2, #1; ldr x0, [x1, x2, lsl #3]", {0x91000442, 0xf8627820}, 2, 1, 3, true, 8},
        {"somewhere else: ldr x1, [x1]", {0xf9400021}, 1, 0, 3, false, 0},
        {"no register: ldr x0, .", {0x58000000}, 1, 0, 3, false, 0},
        {"less than 2^32 forwards", {0xb2407fe2, X1_BY_X2, LOAD}, 3, 2, 3, true, INT64_C(0xffffffff)},
        {"2^32 forwards", {0xd2c00022, X1_BY_X2, LOAD}, 3, 2, 3, false, 0},
        {"less than 2^32 backwards", {0xb26083e2, X1_BY_X2, LOAD}, 3, 2, 3, true, -INT64_C(0xffffffff)},
        {"2^32 backwards", {0xb2607fe2, X1_BY_X2, LOAD}, 3, 2, 3, false, 0},
        {"of an addition", {0x91000442, 0xf8627820}, 2, 0, 3, false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t bytes;
        bool found = stride_of(rows[i].words, rows[i].n * 4, rows[i].times, rows[i].step, &bytes);
        if (found != rows[i].found || (found && bytes != rows[i].bytes))
            fail_msg("%s: %d, %lld", rows[i].what, found, (long long)bytes);
    }
}

/* 512 bytes further on an instruction has the place of the first in the table: what is known of that is forgotten. */
static void test_strides_of_one_place(void **state)
{
    (void)state;
    static uint32_t words[129];
    for (size_t i = 0; i < 129; i++)
        words[i] = i % 128 ? 0xd503201f /* nop */ : 0xf8408420 /* ldr x0, [x1], #8 */;
    open_code(A53, words, sizeof words, 0x10000);
    struct iss_schedule *s = iss_schedule_new(model);
    int64_t bytes;
    for (int i = 0; i < 2; i++)
        iss_schedule_run(s, code->steps, 1, 0x10000);
    assert_true(iss_schedule_stride(s, &code->steps[0], &bytes));
    iss_schedule_run(s, &code->steps[128], 1, 0x10204);
    assert_false(iss_schedule_stride(s, &code->steps[0], &bytes));
    assert_false(iss_schedule_stride(s, &code->steps[128], &bytes));
    iss_schedule_run(s, &code->steps[128], 1, 0x10204);
    assert_true(iss_schedule_stride(s, &code->steps[128], &bytes) && bytes == 8);
    iss_schedule_run(s, code->steps, 1, 0x10000);
    assert_false(iss_schedule_stride(s, &code->steps[0], &bytes));
    iss_schedule_free(s);
    close_code();
}

/* Cycles of the code once, from its first issue to its last. */
static int64_t once(const void *bytes, size_t n)
{
    open_code(A53, bytes, n, 0x10000);
    struct iss_schedule *s = iss_schedule_new(model);
    iss_schedule_run(s, code->steps, code->n, 0);
    int64_t cycles = iss_schedule_cycle(s);
    iss_schedule_free(s);
    close_code();
    return cycles;
}

/* A load through another register waits for the store only where that is a copy, and then as long as the model says:
 * what nobody knows is elsewhere, and the load issues a cycle after the store. */
static void test_places_of_registers(void **state)
{
    (void)state;
    enum { NOP = 0xd503201f, STORE = 0xf9000023 /* str x3, [x1] */, LOAD = 0xf9400043 /* ldr x3, [x2] */ };
    static const uint32_t copied[] = {0xaa0103e2 /* mov x2, x1 */, NOP, NOP, NOP, NOP, NOP, NOP, STORE, LOAD},
                          unknown[] = {0xaa0103e4 /* mov x4, x1 */, NOP, NOP, NOP, NOP, NOP, NOP, STORE, LOAD};
    int64_t forward;
    open_code(A53, copied, sizeof copied, 0x10000);
    assert_true(iss_model_value(model, "data.forward", &forward) && forward > 1);
    close_code();
    assert_int_equal(once(copied, sizeof copied) - once(unknown, sizeof unknown), forward - 1);
}

/* Half an instruction at the end is none; one that is not known is counted. */
static void test_where_code_ends(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x05, 0x05, 0xb3, 0x85, 0xa5, 0x02, 0x05};
    static const size_t n_of[] = {0, 0, 1, 1, 1, 1, 2, 2};
    for (size_t size = 0; size <= sizeof bytes; size++) {
        open_code(U74, bytes, size, 0x10000);
        assert_int_equal(code->n, n_of[size]);
        assert_int_equal(code->n_unknown, 0);
        assert_int_equal(iss_code_find(code, 0x10000), 0);
        assert_int_equal(iss_code_find(code, 0xfffe), code->n);
        assert_int_equal(iss_code_find(code, 0x10006), code->n);
        close_code();
    }
    open_code(U74, (const uint8_t[]){0, 0, 0x05, 0x05, 0, 0}, 6, 0x10000);
    assert_int_equal(code->n, 3);
    assert_int_equal(code->n_unknown, 2);
    assert_int_equal(iss_code_find(code, 0x10004), 2);
    close_code();
}

/* A load that misses is announced: what needs it comes later by as much. */
static void test_announced_miss(void **state)
{
    (void)state;
    static const uint32_t words[] = {0xf9400020 /* ldr x0, [x1] */, 0x91000402 /* add x2, x0, #1 */};
    open_code(A53, words, sizeof words, 0x10000);
    int64_t cycles[2];
    for (int i = 0; i < 2; i++) {
        struct iss_schedule *s = iss_schedule_new(model);
        if (i)
            iss_schedule_delay(s, 50);
        iss_schedule_run(s, code->steps, code->n, 0);
        cycles[i] = iss_schedule_cycle(s);
        iss_schedule_free(s);
    }
    assert_int_equal(cycles[1] - cycles[0], 50);
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

/* Thumb-2: constants among the instructions. */
static void test_not_plain(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct iss_model *m = small_model("architecture = none", "architecture = arm");
    code = NULL;
    assert_int_equal(iss_code_new(&code, m, (const uint8_t[]){0x00, 0xbf}, 2, 0, &e), ERR_UNSUPPORTED);
    assert_null(code);
    char *said = error_text(&e);
    assert_non_null(strstr(said, "code for arm is judged by running it alone"));
    free(said);
    error_release(&e);
    iss_model_free(m);
}

/* "ldr r0, . + 8; bx lr", two constants, "nop": their caller says where these are. */
static void test_pieces(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x01, 0x48, 0x70, 0x47, 0x08, 0xe0, 0x00, 0xbf, 0x34, 0x12, 0x78, 0x56, 0x00, 0xbf};
    const struct iss_piece pieces[] = {{bytes, 4, 0x1000}, {bytes + 12, 2, 0x100c}};
    struct error e = ERROR_INIT;
    model = small_model("architecture = none", "architecture = arm");
    assert_int_equal(iss_code_of_pieces(&code, model, pieces, 2, &e), OK);
    assert_int_equal(code->n, 3);
    assert_int_equal(code->steps[2].address, 0x100c);
    assert_int_equal(iss_code_find(code, 0x1004), code->n);
    static const size_t from[] = {0, 1, 2, 2, 2, 2, 2, 3};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        assert_int_equal(iss_code_from(code, 0x1000 + 2 * i), from[i]);
    close_code();
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_loop_of_arithmetic),
        cmocka_unit_test(test_through_memory),
        cmocka_unit_test(test_beside_memory),
        cmocka_unit_test(test_post_index),
        cmocka_unit_test(test_branch_across_an_instruction),
        cmocka_unit_test(test_compressed_instructions),
        cmocka_unit_test(test_offsets_of_riscv),
        cmocka_unit_test(test_misprediction),
        cmocka_unit_test(test_no_decoder),
        cmocka_unit_test(test_not_plain),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_strides_of_one_place),
        cmocka_unit_test(test_places_of_registers),
        cmocka_unit_test(test_where_code_ends),
        cmocka_unit_test(test_announced_miss),
    };
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
