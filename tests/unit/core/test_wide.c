/* A core that issues out of order, rule by rule: programs of a few instructions whose cycles follow by hand from a
 * model with round figures. An instruction that waits for nothing is executed in the cycle after it was
 * dispatched, and leaves its latency later. */
#include "tests/unit/core/wide_example.h"

/* ---- front end ---- */

static void width(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_many(ISS_ALU, 40);
    takes(10); /* four a cycle; they write one register, which is renamed each time */
    open_wide("width = 4", "width = 2");
    put_many(ISS_ALU, 40);
    takes(20);
    open_wide(0, 0);
    put_many(ISS_CRC, 10); /* two places each, and two cycles of port 1 */
    takes(20);
    open_wide("ports = 0, 1 x2\nslots = 2", "ports = 0 1 2 3\nslots = 8");
    put_many(ISS_CRC, 10); /* eight places: two cycles */
    takes(20);
}

static void retirement(void **state)
{
    (void)state;
    open_wide("retire = 8", "retire = 1");
    put_many(ISS_ALU, 40);
    takes(40);
}

static void fetch(void **state)
{
    (void)state;
    open_wide(0, 0);
    for (unsigned i = 0; i < 8; i++)
        put(ISS_ALU);
    int64_t plain = steady();
    assert_int_equal(plain, 2);
    close_wide();
    open_wide("taken = 0\nsame", "taken = 5\nsame"); /* the first of each two branches goes where it did not go last */
    struct iss_step here, there;
    struct iss_op *op = put(ISS_BRANCH_IF);
    op->branch = ISS_CONDITIONAL;
    iss_step_make(model, op, 0x1000, &here);
    iss_step_make(model, op, 0x2000, &there);
    int64_t before = 0;
    for (unsigned i = 0; i < 20; i++) {
        before = i == 10 ? iss_wide_cycle(wide) : before;
        iss_wide_run(wide, &here, NULL, 0x2000);
        iss_wide_run(wide, &there, NULL, 0x1000);
    }
    assert_int_equal(iss_wide_cycle(wide) - before, 10 * 2 * 5);
    close_wide();
}

/* ---- ports ---- */

static void ports(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_many(ISS_SHIFT, 20); /* one port */
    takes(20);
    open_wide(0, 0);
    put_many(ISS_SELECT, 20); /* two ports */
    takes(10);
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++) { /* both want port 0 and nothing else */
        to(put(ISS_SHIFT), 1);
        to(put(ISS_SHIFT), 2);
    }
    takes(20);
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++) { /* port 1 beside port 0: they do not meet */
        to(put(ISS_SHIFT), 1);
        to(put(ISS_MUL64), 2);
    }
    takes(10);
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++) { /* three a pass for two ports */
        to(put(ISS_SHIFT), 1);
        to(put(ISS_MUL64), 2);
        to(put(ISS_SELECT), 3);
    }
    takes(15);
    open_wide(0, 0);
    put_many(ISS_UDIV64, 10); /* occupies its port for five cycles */
    takes(50);
}

/* A later operation that is ready takes a cycle that an earlier one left. */
static void fills_gaps(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_chain(ISS_SHIFT, 1);
    put_chain(ISS_MUL64, 1); /* a chain of 1 + 3 cycles; port 0 is free in three of four */
    for (unsigned i = 0; i < 3; i++)
        to(put(ISS_SHIFT), 2);
    takes(4);
}

static void calendar(void **state)
{
    (void)state;
    struct ports *p = xcalloc(1, sizeof *p);
    const struct iss_use one = {.ports = 1, .busy = 1}, three = {.ports = 1, .busy = 3},
                         either = {.ports = 3, .busy = 1};
    assert_int_equal(ports_take(p, &one, 5), 5);
    assert_int_equal(ports_take(p, &three, 3), 6); /* two free cycles are not enough */
    assert_int_equal(ports_take(p, &one, 3), 3);
    assert_int_equal(ports_take(p, &either, 3), 3); /* on the other port */
    assert_int_equal(ports_take(p, &either, 63), 63);
    assert_int_equal(ports_take(p, &either, 63), 63);
    assert_int_equal(ports_take(p, &one, 63), 64); /* across a word */
    ports_advance(p, PORTS_AHEAD + 64);            /* the same words, other cycles */
    assert_int_equal(ports_take(p, &one, PORTS_AHEAD + 64 + 5), PORTS_AHEAD + 64 + 5);
    assert_int_equal(ports_take(p, &one, 3 * PORTS_AHEAD), 3 * PORTS_AHEAD); /* too far ahead to be kept */
    ports_advance(p, 100 * PORTS_AHEAD);
    assert_int_equal(ports_take(p, &one, 100 * PORTS_AHEAD), 100 * PORTS_AHEAD);
    free(p);
}

/* ---- room ---- */

/* Loads of 100 cycles with 15 additions behind each, nothing waits for another. */
static void put_misses(void)
{
    for (unsigned i = 0; i < 4; i++) {
        to(from(access_memory(put(ISS_LOAD_PAIR), ISS_READ_MEMORY, 0x8000 + 64 * i, 16), 9, ISS_NEED_ADDRESS), 2);
        put_many(ISS_ALU, 15);
    }
}

static void window(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_misses(); /* 256 instructions hold all four of a pass, and those of the three before */
    assert_true(steady() <= 100);
    close_wide();
    open_wide("reorder = 256", "reorder = 16"); /* the next load enters a cycle after this one left: 1 + 100 */
    put_misses();
    takes(4 * 102);
    open_wide("reorder = 256", "reorder = 32"); /* two at a time */
    put_misses();
    int64_t two = steady();
    assert_true(two >= 2 * 100 && two <= 2 * 110);
    close_wide();
    open_wide("loads = 64", "loads = 1");
    put_misses();
    takes(4 * 102);
}

static void scheduler(void **state)
{
    (void)state;
    open_wide("scheduler = 256", "scheduler = 4");
    to(from(access_memory(put(ISS_LOAD_PAIR), ISS_READ_MEMORY, 0x8000, 16), 9, ISS_NEED_ADDRESS), 1);
    for (unsigned i = 0; i < 4; i++)
        to(from(put(ISS_ALU), 1, ISS_NEED_OPERAND), 2); /* wait for it, and fill the scheduler */
    to(from(access_memory(put(ISS_LOAD_PAIR), ISS_READ_MEMORY, 0x9000, 16), 9, ISS_NEED_ADDRESS), 3);
    int64_t full = run_all();
    assert_true(full > 200); /* so the second load begins after the first has ended */
    close_wide();
    open_wide(0, 0);
    to(from(access_memory(put(ISS_LOAD_PAIR), ISS_READ_MEMORY, 0x8000, 16), 9, ISS_NEED_ADDRESS), 1);
    for (unsigned i = 0; i < 4; i++)
        to(from(put(ISS_ALU), 1, ISS_NEED_OPERAND), 2);
    to(from(access_memory(put(ISS_LOAD_PAIR), ISS_READ_MEMORY, 0x9000, 16), 9, ISS_NEED_ADDRESS), 3);
    assert_true(run_all() < 110);
    close_wide();
}

static void barriers(void **state)
{
    (void)state;
    open_wide(0, 0);
    to(from(access_memory(put(ISS_LOAD_PAIR), ISS_READ_MEMORY, 0x8000, 16), 9, ISS_NEED_ADDRESS), 1);
    put(ISS_BARRIER);
    to(from(access_memory(put(ISS_LOAD_PAIR), ISS_READ_MEMORY, 0x9000, 16), 9, ISS_NEED_ADDRESS), 1);
    assert_true(run_all() > 200);
    close_wide();
}

/* ---- registers ---- */

static void renaming(void **state)
{
    (void)state;
    open_wide(0, 0);
    for (unsigned i = 0; i < 20; i++) { /* add, move, add, move: the moves take no time */
        put_chain(ISS_ALU, 1);
        put_chain(ISS_MOVE, 1);
    }
    takes(20);
    open_wide("[move]\nlatency = 0", "[move]\nlatency = 1\nports = 0 1");
    for (unsigned i = 0; i < 20; i++) {
        put_chain(ISS_ALU, 1);
        put_chain(ISS_MOVE, 1);
    }
    takes(40);
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++) { /* zero waits for nothing, and what comes behind it does not either */
        put_chain(ISS_MUL64, 1);
        to(put(ISS_ZERO), 1);
    }
    takes(10);
}

/* push, push ...: each changes the stack pointer that the next one uses. */
static void stack(void **state)
{
    (void)state;
    for (int additions = 0; additions < 2; additions++) {
        open_wide("write_back = 0", additions ? "write_back = 1" : "write_back = 0");
        for (unsigned i = 0; i < 12; i++) {
            struct iss_op *op = access_memory(put(ISS_LOAD), ISS_READ_MEMORY, 0x8000 + 8 * i, 8);
            to(to(from(op, 4, ISS_NEED_ADDRESS), 1), 4);
            op->n_address = 1;
        }
        takes(additions ? 12 : 6); /* two ports for loads */
    }
}

/* ---- memory ---- */

static void chains_through_memory(void **state)
{
    (void)state;
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++) { /* stored, then read again: six cycles each */
        from(from(access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x8000, 8), 9, ISS_NEED_ADDRESS), 1, ISS_NEED_DATA);
        to(from(access_memory(put(ISS_LOAD), ISS_READ_MEMORY, 0x8000, 8), 9, ISS_NEED_ADDRESS), 1);
    }
    takes(60);
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++) { /* elsewhere: a store a cycle, and nothing waits */
        from(from(access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x8000, 8), 9, ISS_NEED_ADDRESS), 1, ISS_NEED_DATA);
        to(from(access_memory(put(ISS_LOAD), ISS_READ_MEMORY, 0x9000, 8), 9, ISS_NEED_ADDRESS), 1);
    }
    takes(10);
}

/* One instruction, several operations. */
static void works_on_memory(void **state)
{
    (void)state;
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++) /* add r1, [r9]: the load does not wait for r1 */
        to(from(from(access_memory(put(ISS_ALU), ISS_READ_MEMORY, 0x8000, 8), 9, ISS_NEED_ADDRESS), 1,
                ISS_NEED_OPERAND),
           1);
    takes(10);
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++) /* add r1, [r1]: 4 + 1 */
        to(from(from(access_memory(put(ISS_ALU), ISS_READ_MEMORY, 0x8000, 8), 1, ISS_NEED_ADDRESS), 2,
                ISS_NEED_OPERAND),
           1);
    takes(50);
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++) { /* add [r9], r2: what is added to is forwarded, 6, and 1 for the addition */
        struct iss_op *op = access_memory(put(ISS_ALU), ISS_READ_MEMORY | ISS_WRITE_MEMORY, 0x8000, 8);
        from(from(op, 9, ISS_NEED_ADDRESS), 2, ISS_NEED_OPERAND);
    }
    takes(70);
}

static void delays(void **state)
{
    (void)state;
    open_wide(0, 0);
    to(from(access_memory(put(ISS_LOAD), ISS_READ_MEMORY, 0x8000, 8), 9, ISS_NEED_ADDRESS), 1);
    assert_int_equal(run_all(), 1 + 4);
    iss_wide_delay(wide, 50);
    assert_int_equal(run_all(), 50); /* dispatched and issued in the same cycles as the hit */
    close_wide();
}

/* ---- branches ---- */

/* What a branch waits for delays nothing, unless it was mispredicted: then what is behind it is dispatched 10 cycles after
 * it was executed, executed in the next one, and leaves a cycle later than that. */
static void mispredictions(void **state)
{
    (void)state;
    int64_t cycles[2];
    for (int wrong = 0; wrong < 2; wrong++) {
        open_wide(0, 0);
        put_chain(ISS_ALU, 5);
        from(put(ISS_BRANCH_IF), 1, ISS_NEED_CONDITION)->branch = ISS_CONDITIONAL;
        to(put(ISS_ALU), 2);
        if (wrong)
            iss_wide_mispredict(wide);
        cycles[wrong] = run_all();
        close_wide();
    }
    assert_int_equal(cycles[0], 1 + 5 + 1);
    assert_int_equal(cycles[1], 1 + 5 + 10 + 1 + 1);
}

static void fusion(void **state)
{
    (void)state;
    for (int fuses = 0; fuses < 2; fuses++) {
        open_wide("fuses = 0", fuses ? "fuses = 1" : "fuses = 0");
        for (unsigned i = 0; i < 20; i++) {
            to(from(put(ISS_COMPARE), 1, ISS_NEED_OPERAND), ISS_REG_FLAGS);
            from(put(ISS_BRANCH_IF), ISS_REG_FLAGS, ISS_NEED_CONDITION)->branch = ISS_CONDITIONAL;
            to(put(ISS_ALU), 2);
            to(put(ISS_ALU), 3);
        }
        takes(fuses ? 15 : 20); /* three places and ports of four */
    }
}

/* ---- the whole ---- */

/* Which classes an instruction has figures of: works on memory with a load, a store, both; vectors by their width. */
static void classes_of_one(void **state)
{
    (void)state;
    static const struct {
        enum iss_class class;
        uint8_t memory;
        uint16_t bytes;
        unsigned n;
        enum iss_class with[2];
    } ones[] = {
        {ISS_ALU, ISS_NO_MEMORY, 0, 1, {ISS_ALU}},
        {ISS_LOAD_SMALL, ISS_READ_MEMORY, 1, 1, {ISS_ALU}},
        {ISS_FP_STORE_128, ISS_WRITE_MEMORY, 16, 1, {ISS_ALU}},
        {ISS_ALU, ISS_READ_MEMORY, 8, 2, {ISS_LOAD}},
        {ISS_ALU, ISS_READ_MEMORY | ISS_WRITE_MEMORY, 8, 3, {ISS_LOAD, ISS_STORE}},
        {ISS_CALL, ISS_WRITE_MEMORY, 8, 2, {ISS_STORE}},
        {ISS_FP_ADD, ISS_READ_MEMORY, 8, 2, {ISS_FP_LOAD}},
        {ISS_SIMD_FP_128, ISS_READ_MEMORY, 16, 2, {ISS_FP_LOAD_128}},
        {ISS_ATOMIC, ISS_READ_MEMORY | ISS_WRITE_MEMORY, 8, 2, {ISS_STORE}},
    };
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) {
        struct iss_op op = {.class = (uint8_t)ones[i].class, .memory = ones[i].memory, .bytes = ones[i].bytes};
        enum iss_class classes[ISS_WIDE_CLASSES];
        assert_int_equal(iss_wide_classes(&op, classes), ones[i].n);
        assert_int_equal(classes[0], ones[i].class);
        for (unsigned k = 1; k < ones[i].n; k++)
            assert_int_equal(classes[k], ones[i].with[k - 1]);
    }
}

static void explains(void **state)
{
    (void)state;
    int64_t waits[ISS_WAITS] = {0}, sum = 0;
    open_wide(0, 0);
    put_chain(ISS_MUL64, 20);
    put_many(ISS_SHIFT, 20);
    iss_wide_explain(wide, waits);
    int64_t cycles = run_all();
    for (int i = 0; i < ISS_WAITS; i++)
        sum += waits[i];
    assert_int_equal(sum, cycles);
    assert_true(waits[ISS_WAIT_INTEGER] >= 20); /* two of three cycles of a multiplication */
    close_wide();
}

static void copies(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_chain(ISS_MUL64, 10);
    int64_t first = run_all();
    struct iss_wide *other = iss_wide_new(model);
    iss_wide_copy(other, wide);
    assert_int_equal(iss_wide_cycle(other), first);
    iss_wide_restart(wide);
    assert_int_equal(iss_wide_cycle(wide), 0);
    assert_int_equal(run_all(), first);
    iss_wide_free(other);
    close_wide();
}

static void refuses(const char *was, const char *is, const char *message)
{
    struct error e = ERROR_INIT;
    const char *at = strstr(WIDE_MODEL, was);
    assert_non_null(at);
    char *text = xasprintf("%.*s%s%s", (int)(at - WIDE_MODEL), WIDE_MODEL, is, at + strlen(was));
    char *path = put_file("wrong.ini", text);
    struct iss_model *m = NULL;
    assert_int_equal(iss_model_read(&m, path, &e), ERR_INPUT);
    char *said = error_text(&e);
    if (!strstr(said, message))
        fail_msg("'%s' does not say '%s'", said, message);
    free(said);
    error_release(&e);
    free(path);
    free(text);
}

static void wrong_files(void **state)
{
    (void)state;
    refuses("ports = 0 x5", "ports = 64", "ports are numbers from 0 to 63");
    refuses("ports = 0 x5", "ports = 0 x0", "ports are numbers from 0 to 63");
    refuses("ports = 0 x5", "ports = zero", "ports are numbers from 0 to 63");
    refuses("ports = 0 x5", "ports = 0,", "no port");
    refuses("ports = 0 x5", "ports = x2", "no port");
    refuses("ports = 0 x5", "ports = 0, 1, 2, 3, 4", "at most four operations");
    refuses("scheduler = 256\n", "", "[window] scheduler is missing");
    refuses("[shift]\nlatency = 1\nports = 0\n", "[units]\nalu = 1\n[shift]\nunit = alu\n", "has ports");
    refuses("[window]\nreorder = 256\nscheduler = 256\nloads = 64\nstores = 64\nretire = 8\nfuses = 0\nforward = 6\n",
            "", "without [window] a core has units");
    refuses("reorder = 256", "reorder = 2000", "it must be 1 to 1024");
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width),           cmocka_unit_test(retirement),     cmocka_unit_test(fetch),
        cmocka_unit_test(ports),           cmocka_unit_test(fills_gaps),     cmocka_unit_test(calendar),
        cmocka_unit_test(window),          cmocka_unit_test(scheduler),      cmocka_unit_test(barriers),
        cmocka_unit_test(renaming),        cmocka_unit_test(stack),          cmocka_unit_test(chains_through_memory),
        cmocka_unit_test(works_on_memory), cmocka_unit_test(delays),         cmocka_unit_test(mispredictions),
        cmocka_unit_test(fusion),          cmocka_unit_test(classes_of_one), cmocka_unit_test(explains),
        cmocka_unit_test(copies),          cmocka_unit_test(wrong_files)};
    return fixture_close(cmocka_run_group_tests(tests, 0, 0));
}
