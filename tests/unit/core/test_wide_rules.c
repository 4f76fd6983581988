/* A core that issues out of order: each rule of its stations by itself (sim/core/wide.c, ports.c).
 * Each is in a program whose cycles are others without it. They follow by hand from the model in wide_example.h; a test
 * that sets a figure says so. */
#include "tests/unit/core/wide_example.h"

/* ---- helpers ---- */

/* The instruction number `i` at an address, then the one at `next`. */
static void run_one(size_t i, uint64_t address, uint64_t next)
{
    struct iss_step step;
    const struct iss_access_at *access = NULL;
    iss_step_make(model, &program.ops[i], address, &step);
    for (size_t k = 0; k < program.n_accesses && !access; k++)
        access = program.accesses[k].step == i ? &program.accesses[k] : NULL;
    iss_wide_run(wide, &step, access, next);
}

/* All of it in a straight line from 0x1000 on, not all in one group; the cycles it took. */
static int64_t run_line(void)
{
    int64_t before = iss_wide_cycle(wide);
    for (size_t i = 0; i < program.n; i++)
        run_one(i, 0x1000 + 4 * i, 0x1000 + 4 * (i + 1));
    return iss_wide_cycle(wide) - before;
}

static void set_latency(enum iss_class class, int16_t cycles)
{
    model->timing[class].latency = cycles;
    for (int need = 0; need < ISS_NEED_N; need++)
        model->timing[class].after[need] = model->timing[class].after2[need] = cycles;
}

/* One operation on these ports (a bit each), for so many cycles. */
static void set_ports(enum iss_class class, uint64_t ports, int64_t busy)
{
    model->timing[class].n_uses = 1;
    model->timing[class].use[0] = (struct iss_use){.ports = ports, .busy = busy};
}

static struct iss_op *put_branch(enum iss_branch kind)
{
    struct iss_op *op = put(ISS_BRANCH_IF);
    op->branch = (uint8_t)kind;
    return op;
}

static struct iss_op *put_load(unsigned reg, uint64_t address)
{
    return to(from(access_memory(put(ISS_LOAD), ISS_READ_MEMORY, address, 8), 9, ISS_NEED_ADDRESS), reg);
}

/* ---- fetch ---- */

/* A group of four bytes has one instruction, and a cycle brings one group. */
static void a_group_a_cycle(void **state)
{
    (void)state;
    open_wide("bytes = 64", "bytes = 4");
    put_many(ISS_ALU, 40);
    run_line();
    assert_int_equal(run_line(), 40);
    close_wide();
}

/* The load is done in cycle 101, the barrier dispatched in 102. By then all 40 additions behind it have been fetched: three
 * begin with it, then four a cycle, the last in 112, executed in 113, gone in 114. A queue of eight had only seven of them
 * (instructions 2 to 8); the others come one a cycle after the barrier: number 41 in 102 + 33. */
static void fetches_ahead(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        open_wide("bytes = 64\nqueue = 64", far ? "bytes = 4\nqueue = 64" : "bytes = 4\nqueue = 8");
        put(ISS_LOAD_PAIR)->memory = ISS_READ_MEMORY;
        put(ISS_BARRIER);
        put_many(ISS_ALU, 40);
        assert_int_equal(run_line(), far ? 114 : 102 + 33 + 2);
        close_wide();
    }
}

/* ---- branches ---- */

/* A branch of each kind to a place where another one goes back: what each costs, and 1 for the way back. */
static void each_kind_of_branch(void **state)
{
    (void)state;
    static const struct {
        enum iss_branch kind;
        int64_t cycles;
    } kinds[] = {{ISS_CONDITIONAL, 1},   {ISS_JUMP, 1},          {ISS_CALL_DIRECT, 1},
                 {ISS_JUMP_INDIRECT, 3}, {ISS_CALL_INDIRECT, 4}, {ISS_RETURN_TO, 5}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        open_wide("taken = 0\nsame_taken = 0\njump_register = 0\ncall_register = 0\nreturn = 0",
                  "taken = 1\nsame_taken = 9\njump_register = 3\ncall_register = 4\nreturn = 5");
        int64_t begun = 0;
        put_branch(kinds[k].kind);
        put_branch(ISS_JUMP);
        for (unsigned i = 0; i < 20; i++) {
            begun = i == 10 ? iss_wide_cycle(wide) : begun;
            run_one(0, 0x1000, 0x2000);
            run_one(1, 0x2000, 0x1000);
        }
        assert_int_equal(iss_wide_cycle(wide) - begun, 10 * (kinds[k].cycles + 1));
        close_wide();
    }
}

/* The same branch to the same place again costs 2; another branch there, or this one elsewhere, 1 as any. */
static void the_same_branch_again(void **state)
{
    (void)state;
    static const uint64_t ways[][4][2] = {
        {{0x1000, 0x1000}, {0x1000, 0x1000}, {0x1000, 0x1000}, {0x1000, 0x1000}},
        {{0x1000, 0x3000}, {0x3000, 0x3000}, {0x3000, 0x3004}, {0x3004, 0x1000}}, /* the third is not taken */
        {{0x1000, 0x1000}, {0x1000, 0x2000}, {0x2000, 0x2800}, {0x2800, 0x1000}}};
    static const int64_t cycles[] = {4 * 2, 3 * 1, 4 * 1};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        open_wide("taken = 0\nsame_taken = 0", "taken = 1\nsame_taken = 2");
        int64_t begun = 0;
        put_branch(ISS_CONDITIONAL);
        for (unsigned i = 0; i < 20; i++) {
            begun = i == 10 ? iss_wide_cycle(wide) : begun;
            for (size_t b = 0; b < 4; b++)
                run_one(0, ways[w][b][0], ways[w][b][1]);
        }
        assert_int_equal(iss_wide_cycle(wide) - begun, 10 * cycles[w]);
        close_wide();
    }
}

/* What is not taken, and what goes nobody knows where, is as any instruction: two ports. */
static void not_taken(void **state)
{
    (void)state;
    for (int known = 0; known < 2; known++) {
        open_wide("taken = 0\nsame_taken = 0", "taken = 9\nsame_taken = 9");
        put_branch(ISS_CONDITIONAL);
        for (unsigned i = 0; i < 40; i++)
            run_one(0, 0x1000, known ? 0x1004 : 0);
        assert_int_equal(iss_wide_cycle(wide), 1 + 20);
        close_wide();
    }
}

/* The branch is executed in cycle 1; what is behind it is there in cycle 11, whether in its group or in the next one, executed
 * in 12, gone in 13. Only one branch was mispredicted. */
static void one_misprediction(void **state)
{
    (void)state;
    for (unsigned branches = 1; branches <= 2; branches++) {
        open_wide("bytes = 64", "bytes = 4");
        put_branch(ISS_CONDITIONAL);
        to(put(ISS_ALU), 1);
        iss_wide_mispredict(wide);
        run_one(0, 0x1000, 0x1004);
        if (branches == 2)
            run_one(0, 0x1004, 0x1008);
        run_one(1, 0x1004 + 4 * (branches - 1), 0);
        assert_int_equal(iss_wide_cycle(wide), 1 + 10 + 1 + 1 + (branches == 2 ? 1 : 0)); /* a group more */
        close_wide();
    }
}

/* ---- fusion ---- */

/* Twenty times what sets flags or does not, a branch, and two additions: four places a pass, three if the first two are one. */
static void what_is_fused(void **state)
{
    (void)state;
    static const struct {
        enum iss_class class;
        unsigned flags, memory;
        enum iss_branch branch;
        bool fused;
    } pairs[] = {
        {ISS_COMPARE, 1, ISS_NO_MEMORY, ISS_CONDITIONAL, true},  {ISS_ALU, 1, ISS_NO_MEMORY, ISS_CONDITIONAL, true},
        {ISS_ALU, 1, ISS_READ_MEMORY, ISS_CONDITIONAL, true},    {ISS_ALU, 0, ISS_NO_MEMORY, ISS_CONDITIONAL, false},
        {ISS_UNKNOWN, 1, ISS_NO_MEMORY, ISS_CONDITIONAL, false}, {ISS_ALU, 1, ISS_WRITE_MEMORY, ISS_CONDITIONAL, false},
        {ISS_COMPARE, 1, ISS_NO_MEMORY, ISS_JUMP, false}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        open_wide("fuses = 0", "fuses = 1");
        set_ports(ISS_STORE, 0xf00, 1);
        for (unsigned i = 0; i < 20; i++) {
            struct iss_op *op = put(pairs[p].class);
            op->memory = (uint8_t)pairs[p].memory;
            to(op, pairs[p].flags ? ISS_REG_FLAGS : 4);
            put_branch(pairs[p].branch);
            to(put(ISS_ALU), 2);
            to(put(ISS_ALU), 3);
        }
        takes(pairs[p].fused ? 15 : 20);
    }
}

/* A fused branch takes no place, and no port: here it would have to wait for the one that comparisons are on. */
static void a_fused_branch_takes_nothing(void **state)
{
    (void)state;
    open_wide("fuses = 0", "fuses = 1");
    set_ports(ISS_COMPARE, 1, 1);
    set_ports(ISS_BRANCH_IF, 1, 1);
    for (unsigned i = 0; i < 20; i++) {
        to(put(ISS_COMPARE), ISS_REG_FLAGS);
        put_branch(ISS_CONDITIONAL);
    }
    takes(20);
}

/* ---- dispatch ---- */

/* Three places a cycle: a second instruction of two waits for the next cycle. */
static void places_are_not_shared(void **state)
{
    (void)state;
    open_wide("width = 4", "width = 3");
    set_ports(ISS_CRC, 0xf, 1);
    put_many(ISS_CRC, 10);
    takes(10);
}

/* Of an instruction of six places, two are in its second cycle, and leave two to others. */
static void places_over_two_cycles(void **state)
{
    (void)state;
    open_wide("slots = 2", "slots = 6");
    set_ports(ISS_CRC, 0xf, 1);
    for (unsigned i = 0; i < 10; i++) {
        to(put(ISS_CRC), 1);
        put_many(ISS_ALU, 2);
    }
    takes(20);
}

/* In cycle 0 four are dispatched, executed in 1, gone in 2; what takes more places than a cycle has begins in cycle 0 too. */
static void the_first_cycle(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_many(ISS_ALU, 4);
    assert_int_equal(run_all(), 2);
    close_wide();
    open_wide("slots = 2", "slots = 8");
    set_latency(ISS_CRC, 1);
    set_ports(ISS_CRC, 1, 1);
    put_many(ISS_CRC, 1);
    assert_int_equal(run_all(), 2);
    close_wide();
}

/* Room for one load, or one store: the next one waits for it. Others do not: the chain behind it takes its 120 cycles beside
 * the load's 100. */
static void queues_are_for_their_own(void **state)
{
    (void)state;
    for (int stores = 0; stores < 2; stores++) {
        open_wide(stores ? "stores = 64" : "loads = 64", stores ? "stores = 1" : "loads = 1");
        put(ISS_LOAD_PAIR)->memory = ISS_READ_MEMORY;
        if (stores)
            put(ISS_STORE)->memory = ISS_WRITE_MEMORY; /* leaves after the load */
        put_chain(ISS_MUL64, 40);
        int64_t cycles = run_all();
        assert_true(cycles >= 120 && cycles < 130);
        close_wide();
    }
}

/* Each store leaves after its retirement: with room for one they go one after the other, behind a load of 100. */
static void stores_wait_for_room(void **state)
{
    (void)state;
    for (int one = 0; one < 2; one++) {
        open_wide("stores = 64", one ? "stores = 1" : "stores = 64");
        put(ISS_LOAD_PAIR)->memory = ISS_READ_MEMORY;
        for (unsigned i = 0; i < 10; i++)
            put(ISS_STORE)->memory = ISS_WRITE_MEMORY;
        int64_t cycles = run_all();
        assert_true(one ? cycles >= 101 + 9 * 2 : cycles <= 101 + 2);
        close_wide();
    }
}

/* A barrier begins in the cycle after all before it have left: the addition before it leaves in 2, the barrier is dispatched in
 * 3, executed in 4, gone in 5. */
static void a_barrier_begins_after_all(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_many(ISS_ALU, 1);
    put(ISS_BARRIER);
    set_ports(ISS_BARRIER, 1, 1);
    assert_int_equal(run_all(), 5);
    close_wide();
}

/* One in the scheduler at a time, one fetched a cycle: it is there for the cycle in which it is issued, so the next one is
 * dispatched in the one after. */
static void the_scheduler_of_one(void **state)
{
    (void)state;
    open_wide("bytes = 64", "bytes = 4");
    model->window.scheduler = 1;
    put_many(ISS_ALU, 20);
    run_line();
    assert_int_equal(run_line(), 40);
    close_wide();
}

/* Four additions wait 100 cycles for a load and fill the scheduler. What is only renamed passes it by: the moves are all there
 * when the load is, and leave eight a cycle. If they load they do not pass: two a cycle, afterwards. */
static void who_needs_the_scheduler(void **state)
{
    (void)state;
    for (int loads = 0; loads < 2; loads++) {
        open_wide("scheduler = 256", "scheduler = 4");
        to(from(put(ISS_LOAD_PAIR), 9, ISS_NEED_ADDRESS), 1)->memory = ISS_READ_MEMORY;
        for (unsigned i = 0; i < 4; i++)
            to(from(put(ISS_ALU), 1, ISS_NEED_OPERAND), 2);
        for (unsigned i = 0; i < 80; i++)
            to(put(ISS_MOVE), 3)->memory = loads ? ISS_READ_MEMORY : ISS_NO_MEMORY;
        int64_t cycles = run_all();
        if (loads)
            assert_true(cycles >= 102 + 40);
        else
            assert_int_equal(cycles, 102 + 10); /* four of them beside the additions, 76 more */
        close_wide();
    }
}

/* More cycles than the ports' calendar has. */
static void ports_for_long(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_many(ISS_SHIFT, 20);
    for (unsigned i = 0; i < 3 * PORTS_AHEAD / 20; i++)
        run_all();
    assert_int_equal(run_all(), 20);
    close_wide();
}

/* ---- operands ---- */

/* A result is an address three cycles after it is made, an operand one cycle after. */
static void by_need(void **state)
{
    (void)state;
    open_wide(0, 0);
    model->timing[ISS_ALU].after[ISS_NEED_ADDRESS] = 3;
    for (unsigned i = 0; i < 10; i++) {
        to(from(access_memory(put(ISS_LOAD), ISS_READ_MEMORY, 0x8000, 8), 1, ISS_NEED_ADDRESS), 1);
        put_chain(ISS_ALU, 1);
    }
    takes(10 * (4 + 3));
    open_wide("bytes = 64",
              "bytes = 4"); /* made in cycle 1: an operand in 2, in which the load could begin, an address in 4 */
    model->timing[ISS_ALU].after[ISS_NEED_ADDRESS] = 3;
    put_chain(ISS_ALU, 1);
    to(from(access_memory(put(ISS_LOAD), ISS_READ_MEMORY, 0x8000, 8), 1, ISS_NEED_ADDRESS), 2);
    assert_int_equal(run_line(), 4 + 4);
    close_wide();
}

/* An access needs its address alone to begin: the other operand is late here. */
static void addresses_are_apart(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_chain(ISS_MUL64, 10); /* r1 in cycle 31 */
    to(from(from(access_memory(put(ISS_ALU), ISS_READ_MEMORY, 0x8000, 8), 9, ISS_NEED_ADDRESS), 1, ISS_NEED_OPERAND),
       2);
    assert_int_equal(run_all(), 31 + 1);
    close_wide();
    open_wide(0, 0);
    put_chain(ISS_MUL64, 10);
    to(from(from(access_memory(put(ISS_ALU), ISS_READ_MEMORY, 0x8000, 8), 1, ISS_NEED_ADDRESS), 9, ISS_NEED_OPERAND),
       2);
    assert_int_equal(run_all(), 31 + 4 + 1);
    close_wide();
}

/* A load that keeps a part of what was in its register waits for that as it waits for its address. */
static void loads_wait_for_the_rest(void **state)
{
    (void)state;
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++)
        from(put_load(1, 0x8000), 1, ISS_NEED_OPERAND);
    takes(40);
}

/* What is waited for: of loads three of four cycles, whether an operation is behind them or in them. */
static void whom_it_waits_for(void **state)
{
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        int64_t waits[ISS_WAITS] = {0};
        open_wide(0, 0);
        for (unsigned i = 0; i < 10; i++)
            to(from(access_memory(put(inside ? ISS_ALU : ISS_LOAD), ISS_READ_MEMORY, 0x8000, 8), 1, ISS_NEED_ADDRESS),
               1);
        run_all();
        iss_wide_explain(wide, waits);
        run_all();
        assert_true(waits[ISS_WAIT_LOAD_STORE] >= 30);
        close_wide();
    }
}

/* A division is issued every five cycles: in one of them it issues, in four it waits for its port. */
static void for_a_unit(void **state)
{
    (void)state;
    int64_t waits[ISS_WAITS] = {0};
    open_wide(0, 0);
    put_many(ISS_UDIV64, 10);
    run_all();
    iss_wide_explain(wide, waits);
    assert_int_equal(run_all(), 50);
    assert_int_equal(waits[ISS_WAIT_ISSUE], 10);
    assert_int_equal(waits[ISS_WAIT_UNIT], 40);
    close_wide();
}

/* ---- ports ---- */

/* Lists and long vectors hold their port for longer: five cycles, and three more for each of two further steps. */
static void steps(void **state)
{
    (void)state;
    open_wide(0, 0);
    model->timing[ISS_UDIV64].repeat = 3;
    for (unsigned i = 0; i < 10; i++)
        to(put(ISS_UDIV64), 1)->repeat = 3;
    takes(10 * (5 + 2 * 3));
    open_wide(0, 0); /* a load of three steps, two cycles more each: five cycles of one of two ports */
    model->timing[ISS_LOAD].repeat = 2;
    for (unsigned i = 0; i < 10; i++)
        put_load(1, 0x8000)->repeat = 3;
    takes(25);
    open_wide(0, 0); /* the load in front of an operation of three steps has one */
    model->timing[ISS_LOAD].repeat = 2;
    for (unsigned i = 0; i < 10; i++) {
        struct iss_op *op = access_memory(put(ISS_ALU), ISS_READ_MEMORY, 0x8000, 8);
        to(from(op, 9, ISS_NEED_ADDRESS), 1)->repeat = 3;
    }
    takes(5);
}

/* Two operations: done when the later one is. Five shifts hold port 0 until cycle 5, so that one begins in cycle 6. */
static void the_later_of_two(void **state)
{
    (void)state;
    open_wide("width = 4", "width = 8");
    put_many(ISS_SHIFT, 5);
    put_many(ISS_CRC, 1);
    assert_int_equal(run_all(), 6 + 2);
    close_wide();
}

static const struct iss_use on_one = {.ports = 1, .busy = 1}, on_either = {.ports = 3, .busy = 1};

/* Of two free ports the one that was used less: what needs the other one finds it free. */
static void the_port_used_less(void **state)
{
    (void)state;
    struct ports *p = xcalloc(1, sizeof *p);
    for (int64_t at = 100; at < 103; at++)
        assert_int_equal(ports_take(p, &on_one, at), at);
    assert_int_equal(ports_take(p, &on_either, 200), 200);
    assert_int_equal(ports_take(p, &on_one, 200), 200);
    free(p);
}

/* Three free cycles in a row: two before what is taken do not count. */
static void a_run_of_free_cycles(void **state)
{
    (void)state;
    struct ports *p = xcalloc(1, sizeof *p);
    const struct iss_use three = {.ports = 1, .busy = 3};
    assert_int_equal(ports_take(p, &on_one, 5), 5);
    assert_int_equal(ports_take(p, &on_one, 7), 7);
    assert_int_equal(ports_take(p, &three, 3), 8);
    free(p);
}

/* The calendar has PORTS_AHEAD cycles, whose bits those beyond share: what is beyond leaves them alone, and does not look at
 * them. When time has gone on by more than that, it begins there. */
static void beyond_the_calendar(void **state)
{
    (void)state;
    struct ports *p = xcalloc(1, sizeof *p);
    const int64_t far = 3 * PORTS_AHEAD + 70;
    assert_int_equal(ports_take(p, &on_one, far), far);
    assert_int_equal(ports_take(p, &on_one, 70), 70);
    assert_int_equal(ports_take(p, &on_one, far), far);
    ports_advance(p, 50 * PORTS_AHEAD);
    assert_int_equal(ports_take(p, &on_one, 50 * PORTS_AHEAD), 50 * PORTS_AHEAD);
    assert_int_equal(ports_take(p, &on_one, 50 * PORTS_AHEAD), 50 * PORTS_AHEAD + 1);
    free(p);
}

/* ---- accesses ---- */

/* Of vectors accesses have classes of their own, by their width; others those of integers. */
static void accesses_of_vectors(void **state)
{
    (void)state;
    static const struct {
        enum iss_class class;
        unsigned bytes;
        int16_t load, store;
    } ones[] = {{ISS_ALU, 8, 4, 1}, {ISS_FP_ADD, 8, 7, 3}, {ISS_FP_ADD, 16, 9, 5}};
    for (size_t o = 0; o < sizeof ones / sizeof *ones; o++)
        for (int store = 0; store < 2; store++) {
            open_wide(0, 0);
            set_latency(ISS_FP_LOAD, 7);
            set_latency(ISS_FP_LOAD_128, 9);
            set_ports(ISS_FP_STORE, 0x40, 3);
            set_ports(ISS_FP_STORE_128, 0x40, 5);
            for (unsigned i = 0; i < 10; i++) {
                struct iss_op *op = access_memory(put(ones[o].class), store ? ISS_WRITE_MEMORY : ISS_READ_MEMORY,
                                                  0x8000 + 64 * i, ones[o].bytes);
                if (store)
                    from(op, 9, ISS_NEED_ADDRESS);
                else
                    to(from(op, 1, ISS_NEED_ADDRESS), 1);
            }
            takes(10 * (store ? ones[o].store : ones[o].load + 1));
        }
}

/* A class that loads or stores has its own figures, an atomic access those of the whole. */
static void accesses_of_their_own(void **state)
{
    (void)state;
    open_wide(0, 0);
    set_ports(ISS_STORE_PAIR, 0x40, 3);
    for (unsigned i = 0; i < 10; i++)
        from(access_memory(put(ISS_STORE_PAIR), ISS_WRITE_MEMORY, 0x8000 + 64 * i, 16), 9, ISS_NEED_ADDRESS);
    takes(30);
    open_wide(0, 0);
    set_ports(ISS_LOAD_PAIR, 0x10, 3);
    for (unsigned i = 0; i < 10; i++)
        to(from(access_memory(put(ISS_LOAD_PAIR), ISS_READ_MEMORY, 0x8000, 16), 9, ISS_NEED_ADDRESS), 1);
    takes(30);
    open_wide(0, 0);
    set_latency(ISS_ATOMIC, 20);
    for (unsigned i = 0; i < 10; i++) {
        struct iss_op *op = access_memory(put(ISS_ATOMIC), ISS_READ_MEMORY | ISS_WRITE_MEMORY, 0x8000 + 64 * i, 8);
        to(from(op, 1, ISS_NEED_ADDRESS), 1);
    }
    takes(200);
}

/* The value that an operation loads is needed as that operation needs it; so is the target of a jump through memory: known 10
 * cycles after the load began (cycle 1), the branch is executed, and 10 later what is behind it is fetched. */
static void needs_of_loaded(void **state)
{
    (void)state;
    open_wide(0, 0);
    set_latency(ISS_FP_LOAD, 7);
    model->timing[ISS_FP_LOAD].after[ISS_NEED_FP] = 11;
    for (unsigned i = 0; i < 10; i++)
        to(from(access_memory(put(ISS_FP_ADD), ISS_READ_MEMORY, 0x8000, 8), 1, ISS_NEED_ADDRESS), 1);
    takes(10 * (11 + 1));
    open_wide(0, 0);
    model->timing[ISS_LOAD].after[ISS_NEED_TARGET] = 10;
    access_memory(put_branch(ISS_JUMP_INDIRECT), ISS_READ_MEMORY, 0x8000, 8);
    to(put(ISS_ALU), 1);
    iss_wide_mispredict(wide);
    assert_int_equal(run_all(), 1 + 10 + 10 + 1 + 1);
    close_wide();
}

/* A load waits for all words that it reads: for those that one store wrote, and for the last of two stores. */
static void words(void **state)
{
    (void)state;
    for (unsigned at = 0; at < 16; at += 8) { /* either half of what was stored */
        open_wide(0, 0);
        for (unsigned i = 0; i < 10; i++) {
            from(access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x8000, 16), 1, ISS_NEED_DATA);
            put_load(1, 0x8000 + at);
        }
        takes(60);
        open_wide(0, 0); /* either half of what is loaded */
        for (unsigned i = 0; i < 10; i++) {
            from(access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x8000 + at, 8), 1, ISS_NEED_DATA);
            to(access_memory(put(ISS_LOAD), ISS_READ_MEMORY, 0x8000, 16), 1);
        }
        takes(60);
        open_wide(0, 0); /* the other half was stored long ago */
        for (unsigned i = 0; i < 10; i++) {
            from(access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x8000 + at, 8), 1, ISS_NEED_DATA);
            access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x8008 - at, 8);
            to(access_memory(put(ISS_LOAD), ISS_READ_MEMORY, 0x8000, 16), 1);
        }
        takes(60);
    }
}

/* Nothing has been stored anywhere yet, at address 0 neither. */
static void nothing_stored_yet(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_load(1, 0);
    assert_int_equal(run_all(), 1 + 4);
    close_wide();
}

/* What an operation stores is there after its result can be stored: 5, and 6 until it is read. */
static void results_to_store(void **state)
{
    (void)state;
    open_wide(0, 0);
    model->timing[ISS_ALU].after[ISS_NEED_DATA] = 5;
    for (unsigned i = 0; i < 10; i++) {
        struct iss_op *op = access_memory(put(ISS_ALU), ISS_READ_MEMORY | ISS_WRITE_MEMORY, 0x8000, 8);
        from(from(op, 9, ISS_NEED_ADDRESS), 2, ISS_NEED_OPERAND);
    }
    takes(10 * (6 + 5));
}

/* A store waits for its address, too. */
static void addresses_of_stores(void **state)
{
    (void)state;
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++) {
        from(access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x8000, 8), 1, ISS_NEED_ADDRESS);
        put_load(1, 0x8000);
    }
    takes(60);
}

/* A call's return address is known from its beginning, wherever it goes: the chain behind what reads it begins in cycle 1 + 6
 * and takes 60, while the place that it calls is known in cycle 31. */
static void calls_store_at_once(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_chain(ISS_MUL64, 10);
    from(access_memory(put_branch(ISS_CALL_INDIRECT), ISS_WRITE_MEMORY, 0x8000, 8), 1, ISS_NEED_TARGET);
    put_load(2, 0x8000);
    for (unsigned i = 0; i < 20; i++)
        to(from(put(ISS_MUL64), 2, ISS_NEED_OPERAND), 2);
    int64_t cycles = run_all();
    assert_true(cycles >= 1 + 6 + 60 && cycles < 80); /* all multiplications share a port */
    close_wide();
}

/* A store's result (was it done?) is there after the store; and it leaves when it was issued: ten on one port. */
static void stores_are_done(void **state)
{
    (void)state;
    open_wide(0, 0);
    set_latency(ISS_STORE, 3);
    for (unsigned i = 0; i < 10; i++)
        to(from(access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x8000 + 64 * i, 8), 1, ISS_NEED_DATA), 1);
    takes(30);
    open_wide(0, 0);
    for (unsigned i = 0; i < 10; i++)
        access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x8000 + 64 * i, 8);
    assert_int_equal(run_all(), 10);
    close_wide();
}

/* Two loads from far away are underway at a time; each is late by itself, and those behind them are not. */
static void late_loads(void **state)
{
    (void)state;
    open_wide(0, 0);
    put_load(1, 0x8000);
    for (unsigned i = 0; i < 4; i++) {
        iss_wide_delay(wide, 50);
        run_one(0, 0x1000, 0x1000);
    }
    int64_t four = iss_wide_cycle(wide);
    assert_true(four >= 1 + 2 * 50 + 4 && four <= 1 + 2 * 50 + 5); /* two ports: two begin in cycle 1, two in cycle 2 */
    run_one(0, 0x1000, 0x1000);
    assert_int_equal(iss_wide_cycle(wide), four); /* a hit */
    put_chain(ISS_MUL64, 40);
    put(ISS_BARRIER);
    for (size_t i = 1; i < program.n; i++)
        run_one(i, 0x1000, 0x1000);
    int64_t later = iss_wide_cycle(wide);
    iss_wide_delay(wide, 50);
    run_one(0, 0x1000, 0x1000);
    assert_true(iss_wide_cycle(wide) - later >= 50); /* those before it have long come */
    close_wide();
}

/* ---- results ---- */

/* The second register of a pair is there later by itself. */
static void the_second_register(void **state)
{
    (void)state;
    open_wide(0, 0);
    set_latency(ISS_LOAD_PAIR, 4);
    for (int need = 0; need < ISS_NEED_N; need++)
        model->timing[ISS_LOAD_PAIR].after2[need] = 6;
    for (unsigned i = 0; i < 10; i++) {
        struct iss_op *op = access_memory(put(ISS_LOAD_PAIR), ISS_READ_MEMORY, 0x8000, 16);
        to(to(from(op, 1, ISS_NEED_ADDRESS), 2), 1);
    }
    takes(60);
}

/* An address that is written back is there with the address, however late the load is: the chain behind it takes 60. */
static void written_back_early(void **state)
{
    (void)state;
    open_wide(0, 0);
    to(put_load(1, 0x8000), 4)->n_address = 1;
    for (unsigned i = 0; i < 20; i++)
        to(from(put(ISS_MUL64), 4, ISS_NEED_OPERAND), 4);
    iss_wide_delay(wide, 50);
    assert_int_equal(run_all(), 1 + 60);
    close_wide();
}

/* What the decoder says is no instruction at all takes nothing. */
static void skipped(void **state)
{
    (void)state;
    open_wide(0, 0);
    struct iss_step step;
    iss_step_make(model, to(put(ISS_UDIV64), 1), 0x1000, &step);
    step.skip = true;
    iss_wide_run(wide, &step, NULL, 0x1004);
    assert_int_equal(iss_wide_cycle(wide), 0);
    close_wide();
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_a_cycle),
        cmocka_unit_test(fetches_ahead),
        cmocka_unit_test(each_kind_of_branch),
        cmocka_unit_test(the_same_branch_again),
        cmocka_unit_test(not_taken),
        cmocka_unit_test(one_misprediction),
        cmocka_unit_test(what_is_fused),
        cmocka_unit_test(a_fused_branch_takes_nothing),
        cmocka_unit_test(places_are_not_shared),
        cmocka_unit_test(places_over_two_cycles),
        cmocka_unit_test(the_first_cycle),
        cmocka_unit_test(queues_are_for_their_own),
        cmocka_unit_test(stores_wait_for_room),
        cmocka_unit_test(a_barrier_begins_after_all),
        cmocka_unit_test(the_scheduler_of_one),
        cmocka_unit_test(who_needs_the_scheduler),
        cmocka_unit_test(ports_for_long),
        cmocka_unit_test(by_need),
        cmocka_unit_test(addresses_are_apart),
        cmocka_unit_test(loads_wait_for_the_rest),
        cmocka_unit_test(whom_it_waits_for),
        cmocka_unit_test(steps),
        cmocka_unit_test(the_later_of_two),
        cmocka_unit_test(the_port_used_less),
        cmocka_unit_test(a_run_of_free_cycles),
        cmocka_unit_test(beyond_the_calendar),
        cmocka_unit_test(for_a_unit),
        cmocka_unit_test(written_back_early),
        cmocka_unit_test(accesses_of_vectors),
        cmocka_unit_test(accesses_of_their_own),
        cmocka_unit_test(needs_of_loaded),
        cmocka_unit_test(words),
        cmocka_unit_test(nothing_stored_yet),
        cmocka_unit_test(results_to_store),
        cmocka_unit_test(addresses_of_stores),
        cmocka_unit_test(calls_store_at_once),
        cmocka_unit_test(stores_are_done),
        cmocka_unit_test(late_loads),
        cmocka_unit_test(the_second_register),
        cmocka_unit_test(skipped),
    };
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
