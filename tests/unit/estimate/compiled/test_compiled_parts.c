/* The method compiled: from instructions to the lines of the profile, and what is said of an estimate. Cycles of each
 * instruction are written down, so that each sum tells which instructions are in it. */
#include <math.h>

#include "tests/unit/estimate/compiled/elf_words.h"

#include "shimgen/estimate/compiled/compiled.h"
#include "shimgen/estimate/compiled/compiled_miss.h"

enum { PARTS = 5, STEPS = 6, LIBRARY = 0x90000, NOWHERE_KNOWN = 0xa0000 };
#define TEXT(s) ((char *)(uintptr_t)(s))

static struct {
    struct irprof_part parts[PARTS];
    struct irprof_segment segments[4];
    uint64_t executions[4], counts[3];
    struct irprof_event_site sites[3];
    char *events[2];
    struct irprof_region region;
    struct irprof_profile profile;
    struct irprof_label_segment of_f[3], of_g[1];
    struct irprof_spot spots[7];
    struct irprof_label_function labels[2];
    struct counted counted[2];
    struct step_costs mean[2], shorter[2], longer[2];
    struct cycles cycles[PARTS];
    struct causes causes[PARTS];
    struct costs values;
    struct elf_function library;
    struct elf elf;
    struct estimate out;
    struct compiled w;
} my;

static struct step_costs zero_costs(size_t n)
{
    return (struct step_costs){xcalloc(n, sizeof(double)),           xcalloc(n, sizeof(double)),
                               xcalloc(n, sizeof(double)),           xcalloc(n, sizeof(double)),
                               xcalloc(n, sizeof(double)),           xcalloc(n, sizeof(double)),
                               xcalloc(n, sizeof(double[ISS_WAITS]))};
}

/* f: two instructions, three with a call of a library, one. Blocks 0, 1, 2; block 1 was not executed. g was not either. */
static void begin(void)
{
    memset(&my, 0, sizeof my);
    begin_program();
    FUNCTION(ADDI(1, 1, 1), ADDI(2, 2, 1), LD(3, 10, 0), SD(3, 11), CALL(64), RET);
    add_node_of(2, NODE_FALLS, 5);
    add_node_of(3, NODE_CALLS, 5);
    add_node_of(1, NODE_LEAVES, 5);
    it.nodes[0][1].callee = LIBRARY;
    it.nodes[0][1].number = 1;
    it.nodes[0][2].number = 2;
    static const uint32_t of[] = {1, 0, 0, 2, 3, 4};
    memcpy(it.of, of, sizeof of);
    for (size_t i = 0; i < 3; i++)
        it.nodes[0][i].of = it.of + (it.nodes[0][i].steps - it.functions[0].code->steps);
    FUNCTION(RET);
    add_node_of(1, NODE_LEAVES, 0);
    my.segments[0] = (struct irprof_segment){.block = 0, .first_part = 0, .n_parts = 2};
    my.segments[1] = (struct irprof_segment){.block = 1, .first_part = 2, .n_parts = 1};
    my.segments[2] = (struct irprof_segment){.block = 2, .first_part = 3, .n_parts = 1};
    my.segments[3] = (struct irprof_segment){.function = 1, .first_part = 4, .n_parts = 1};
    my.executions[0] = my.executions[2] = 5;
    for (uint32_t i = 0; i < 3; i++)
        my.of_f[i] = (struct irprof_label_segment){i, 0, i ? 1 : 2};
    my.of_g[0] = (struct irprof_label_segment){0, 0, 1};
    my.spots[0] = (struct irprof_spot){IRPROF_NONE, IRPROF_NONE, IRPROF_NONE};
    my.spots[1] = (struct irprof_spot){0, 0, 1};
    my.spots[2] = (struct irprof_spot){1, 1, 0};
    my.spots[3] = (struct irprof_spot){2, 2, 0};
    my.spots[4] = (struct irprof_spot){2, 2, IRPROF_NONE};
    my.labels[0] = (struct irprof_label_function){
        .n_blocks = 3, .segments = my.of_f, .n_segments = 3, .spots = my.spots, .n_spots = 5};
    my.labels[1] = (struct irprof_label_function){
        .n_blocks = 1, .segments = my.of_g, .n_segments = 1, .spots = my.spots, .n_spots = 1};
    my.counted[0] = (struct counted){.labels = &my.labels[0]};
    my.counted[1] = (struct counted){.function = 1, .first = 3, .labels = &my.labels[1]};
    my.events[0] = TEXT("BR_MIS_PRED");
    my.region = (struct irprof_region){.executions = my.executions, .event_counts = my.counts};
    my.profile = (struct irprof_profile){.segments = my.segments,
                                         .n_segments = 4,
                                         .parts = my.parts,
                                         .n_parts = PARTS,
                                         .events = my.events,
                                         .n_events = 1,
                                         .n_functions = 2};
    my.library = (struct elf_function){.name = TEXT("sin"), .address = LIBRARY, .size = 64};
    my.elf = (struct elf){.functions = &my.library, .n_functions = 1};
    my.out.parts = my.cycles;
    my.out.causes = my.causes;
    for (size_t f = 0; f < 2; f++)
        for (size_t k = 0; k < 3; k++)
            (k == 0 ? my.mean : k == 1 ? my.shorter : my.longer)[f] = zero_costs(STEPS);
    my.w = (struct compiled){.out = &my.out, .profile = &my.profile, .region = &my.region, .model = it.model};
    my.w.machine = it.machine;
    my.w.triple = "";
    my.w.counted = my.counted;
    my.w.flows = it.flows;
    my.w.costs[ISS_QUOTIENT_MEAN] = my.mean;
    for (size_t i = 0; i < STEPS; i++)
        my.mean[0].cycles[i] = (double)(1 << i);
    my.mean[1].cycles[0] = 1000;
}

static void find_parts(void)
{
    my.w.library = library_new(&my.elf, &my.w.machine, it.model, &my.values, "");
    compiled_parts(&my.w);
}

static void end(void)
{
    library_free(my.w.library);
    for (size_t f = 0; f < 2; f++) {
        step_costs_release(&my.mean[f]);
        step_costs_release(&my.shorter[f]);
        step_costs_release(&my.longer[f]);
    }
    for (size_t i = 0; i < my.out.n_notes; i++)
        free(my.out.notes[i]);
    free(my.out.notes);
    for (size_t i = 0; i < my.out.n_unmeasured; i++) {
        free(my.out.unmeasured[i].instruction);
        free(my.out.unmeasured[i].as);
    }
    free(my.out.unmeasured);
    elf_release(&my.w.program.elf);
    costs_release(&my.values);
    end_program();
}

static void check(size_t part, double best, double typical, double worst)
{
    assert_float_equal(my.cycles[part].best, best, 1e-9);
    assert_float_equal(my.cycles[part].typical, typical, 1e-9);
    assert_float_equal(my.cycles[part].worst, worst, 1e-9);
}

/* What has no line of its own, or one that the region did not execute, is with the next instruction of its node that has
 * one; at the node's end with the one before; where none has one, with its block. */
static void test_lines(void **state)
{
    (void)state;
    begin();
    find_parts();
    check(0, 0, 0, 0);
    check(1, 1 + 2, 1 + 2, 1 + 2);
    check(2, 0, 0, 0);
    check(3, 4 + 8 + 16 + 32, 4 + 8 + 16 + 32, 4 + 8 + 16 + 32);
    check(4, 0, 0, 0); /* g did not run */
    end();
    begin();
    my.executions[0] = my.executions[2] = 0;
    find_parts();
    for (size_t i = 0; i < PARTS; i++)
        check(i, 0, 0, 0);
    end();
}

/* A library's calls, at the line of the call: as often as the node, each as long as the file says. */
static void test_library(void **state)
{
    (void)state;
    begin();
    struct cycles each = {80, 100, 120};
    costs_add(&my.values, "call.library.sin", each, each);
    find_parts();
    check(1, 3, 3, 3);
    check(3, 60 + 5 * 80, 60 + 5 * 100, 60 + 5 * 120);
    end();
    begin();
    costs_add(&my.values, "call.library.sin", each, each);
    it.flows[0].nodes[1] = 0;
    find_parts();
    check(3, 60, 60, 60);
    end();
    begin();
    costs_add(&my.values, "call.library.sin", each, each);
    it.nodes[0][1].end = NODE_TAIL;
    find_parts();
    check(3, 60 + 5 * 80, 60 + 5 * 100, 60 + 5 * 120);
    end();
    begin();
    costs_add(&my.values, "call.library.sin", each, each);
    it.nodes[0][1].end = NODE_BRANCHES;
    find_parts();
    check(3, 60, 60, 60);
    end();
    begin(); /* nobody knows it */
    it.nodes[0][1].callee = NOWHERE_KNOWN;
    find_parts();
    check(3, 60, 60, 60);
    end();
}

/* Mispredictions are in typical as simulated, in worst all that may be. Short and long quotients are the ends, but never
 * on the wrong side of typical. */
static void test_bounds(void **state)
{
    (void)state;
    begin();
    my.mean[0].mispredicted[1] = 0.5;
    my.mean[0].doubtful[1] = 0.75;
    my.w.costs[ISS_QUOTIENT_SHORT] = my.shorter;
    my.w.costs[ISS_QUOTIENT_LONG] = my.longer;
    for (size_t i = 0; i < STEPS; i++) {
        my.shorter[0].cycles[i] = my.mean[0].cycles[i] / 2;
        my.longer[0].cycles[i] = my.mean[0].cycles[i] * 2;
        my.shorter[0].mispredicted[i] = my.longer[0].mispredicted[i] = 7;
        my.shorter[0].doubtful[i] = 9;
        my.longer[0].doubtful[i] = my.mean[0].doubtful[i];
    }
    my.shorter[0].cycles[5] = 100;
    my.longer[0].cycles[5] = my.longer[0].cycles[4] = 0;
    find_parts();
    check(1, 1.5, 3.5, 6.75);
    check(3, 60, 60, 60);
    end();
}

/* Where the length of quotients is known, all three cases are between the two nearest: a quarter of the way from short to
 * mean, half of that from mean to long. What they are spent on is the same. */
static void test_known_quotients(void **state)
{
    (void)state;
    double lengths[PARTS] = {NAN, 0.25, NAN, 1.5, NAN};
    begin();
    my.w.costs[ISS_QUOTIENT_SHORT] = my.shorter;
    my.w.costs[ISS_QUOTIENT_LONG] = my.longer;
    my.w.lengths = lengths;
    for (size_t i = 0; i < STEPS; i++) {
        my.shorter[0].cycles[i] = my.shorter[0].spent[i][ISS_WAIT_UNIT] = my.mean[0].cycles[i] / 2;
        my.longer[0].cycles[i] = my.longer[0].spent[i][ISS_WAIT_UNIT] = my.mean[0].cycles[i] * 2;
        my.mean[0].spent[i][ISS_WAIT_UNIT] = my.mean[0].cycles[i];
    }
    find_parts();
    double quarter = 0.75 * 1.5 + 0.25 * 3, half = 0.5 * 60 + 0.5 * 120;
    check(1, quarter, quarter, quarter);
    check(3, half, half, half);
    assert_float_equal(my.causes[1].at[CAUSE_UNITS], quarter, 1e-9);
    assert_float_equal(my.causes[3].at[CAUSE_UNITS], half, 1e-9);
    my.w.costs[ISS_QUOTIENT_SHORT] = my.w.costs[ISS_QUOTIENT_LONG] = 0; /* a core where it makes no difference */
    memset(my.cycles, 0, sizeof my.cycles);
    compiled_parts(&my.w);
    check(1, 3, 3, 3);
    end();
}

/* Lengths on the scale of short (0 bits), mean (a sixth of the width) and long (all): of 64 bits 10 is the mean, of 32 bits
 * 5. Two lines of a function have their own; the third waits for these, ten times and thirty; another function has none. */
static void test_lengths(void **state)
{
    (void)state;
    static char *keys[] = {TEXT("udiv.i64"), TEXT("srem.i32"), TEXT("add.i64")};
    struct irprof_instruction of[] = {
        {.key = 0, .part = 0}, {.key = 1, .part = 1}, {.key = 2, .part = 3}, {.key = 2, .part = 4}};
    begin();
    my.events[0] = TEXT("QUOTIENT_BITS");
    my.profile.keys = keys;
    my.profile.n_keys = 3;
    my.profile.instructions = of;
    my.profile.n_instructions = 4;
    my.profile.event_sites = my.sites;
    my.profile.n_event_sites = 2;
    my.parts[0] = (struct irprof_part){.first_event_site = 0, .n_event_sites = 1};
    my.parts[1] = (struct irprof_part){.first_event_site = 1, .n_event_sites = 1};
    my.segments[0].n_instructions = 1;
    my.segments[0].n_parts = 1;
    my.segments[1] =
        (struct irprof_segment){.first_part = 1, .n_parts = 1, .first_instruction = 1, .n_instructions = 1};
    my.segments[2] =
        (struct irprof_segment){.first_part = 3, .n_parts = 1, .first_instruction = 2, .n_instructions = 1};
    my.segments[3] = (struct irprof_segment){
        .function = 1, .first_part = 4, .n_parts = 1, .first_instruction = 3, .n_instructions = 1};
    memcpy(my.executions, (uint64_t[]){10, 30, 7, 9}, sizeof my.executions);
    my.counts[0] = 10 * 37; /* half of the way from 10 to 64 */
    my.counts[1] = 30 * 2;  /* 2 of 5 */
    struct iss_model model = *it.model;
    model.timing[ISS_UDIV64].divide_bits = model.timing[ISS_UDIV32].divide_bits = 1;
    model.timing[ISS_UDIV64].divide_max = model.timing[ISS_UDIV32].divide_max = 0;
    double *lengths = compiled_lengths(&my.profile, &my.region, &model);
    assert_float_equal(lengths[0], 1.5, 1e-9);
    assert_float_equal(lengths[1], 0.4, 1e-9);
    assert_float_equal(lengths[3], (10 * 1.5 + 30 * 0.4) / 40, 1e-9);
    assert_true(isnan(lengths[2]) && isnan(lengths[4]));
    free(lengths);
    /* four bits a cycle: 37 bits take (37 + 1.5) / 4 cycles, 10 bits 3, 64 bits 16; 2 bits take one whole cycle of the two
     * for 5 bits; half a bit is a quotient of 1 every other time */
    model.timing[ISS_UDIV64].divide_bits = model.timing[ISS_UDIV32].divide_bits = 4;
    lengths = compiled_lengths(&my.profile, &my.region, &model);
    assert_float_equal(lengths[0], 1 + (38.5 / 4 - 3) / (16 - 3), 1e-9);
    assert_float_equal(lengths[1], 0.5, 1e-9);
    free(lengths);
    my.counts[1] = 15;
    model.timing[ISS_UDIV64].divide_base = 3;
    model.timing[ISS_UDIV64].divide_max = 13; /* no division takes more than ten cycles for its bits */
    lengths = compiled_lengths(&my.profile, &my.region, &model);
    assert_float_equal(lengths[0], 1 + (38.5 / 4 - 3) / (10 - 3), 1e-9);
    assert_float_equal(lengths[1], 0.25, 1e-9);
    free(lengths);
    my.events[0] = TEXT("SIZE_memcpy");
    lengths = compiled_lengths(&my.profile, &my.region, &model);
    for (size_t i = 0; i < PARTS; i++)
        assert_true(isnan(lengths[i]));
    free(lengths);
    my.w.library = library_new(&my.elf, &my.w.machine, it.model, &my.values, "");
    end();
}

/* Simulated misses of two lines: as test_compiled_miss has them of the accesses that the instructions make. */
static void test_misses(void **state)
{
    (void)state;
    begin();
    my.events[0] = TEXT("L1D_CACHE_REFILL");
    my.events[1] = TEXT("L2D_CACHE_REFILL");
    my.profile.n_events = 2;
    my.profile.event_sites = my.sites;
    my.profile.n_event_sites = 3;
    my.parts[3].n_event_sites = 2;
    my.sites[1].event = 1;
    my.counts[0] = 5;
    my.counts[1] = 2;
    my.mean[0].near[2] = 3;
    my.mean[0].far[2] = 4;
    my.mean[0].waits[2] = 2;
    my.mean[0].near[3] = 6;
    my.mean[0].far[3] = 7;
    my.mean[0].waits[0] = 50; /* no far access: nobody waits */
    find_parts();
    struct miss_accesses accesses[PARTS] = {
        [3] = {.stores = 13, .near_loads = 3, .far_loads = 4, .far_bytes = 4 * 8, .waits = 2}};
    double plain[PARTS] = {0, 3, 0, 60}, typical[PARTS] = {0}, worst[PARTS] = {0};
    double memory[PARTS] = {0};
    assert_true(miss_costs(typical, memory, &my.profile, &my.region, accesses, plain, it.model, MISS_COLD));
    assert_true(miss_costs(worst, 0, &my.profile, &my.region, accesses, plain, it.model, MISS_WORST));
    assert_true(typical[3] > 0 && worst[3] > typical[3]);
    assert_true(my.w.has_misses);
    for (size_t i = 0; i < PARTS; i++)
        check(i, plain[i], plain[i] + typical[i], plain[i] + worst[i]);
    assert_true(memory[3] > 0 && memory[3] < typical[3]);
    assert_float_equal(my.causes[3].at[CAUSE_MEMORY], memory[3], 1e-9);
    assert_float_equal(my.causes[3].at[CAUSE_L2], typical[3] - memory[3], 1e-9);
    assert_true(my.out.known_causes >> CAUSE_L2 & 1 && my.out.known_causes >> CAUSE_MEMORY & 1);
    end();
}

/* Each wait of the pipeline is a cause, and so are mispredictions and what calls of a library take. */
static void test_causes(void **state)
{
    (void)state;
    static const enum estimate_cause causes[ISS_WAITS] = {CAUSE_ISSUE, CAUSE_FETCH,      CAUSE_INTEGER,
                                                          CAUSE_FP,    CAUSE_LOAD_STORE, CAUSE_UNITS};
    begin();
    struct cycles each = {80, 100, 120};
    costs_add(&my.values, "call.library.sin", each, each);
    for (size_t k = 0; k < ISS_WAITS; k++) {
        my.mean[0].spent[0][k] = (double)k + 1;
        my.mean[0].spent[3][k] = 10 * ((double)k + 1);
    }
    my.mean[0].mispredicted[1] = 0.5;
    find_parts();
    for (size_t k = 0; k < ISS_WAITS; k++) {
        assert_float_equal(my.causes[1].at[causes[k]], (double)k + 1, 1e-9);
        assert_float_equal(my.causes[3].at[causes[k]], 10 * ((double)k + 1), 1e-9);
    }
    assert_float_equal(my.causes[1].at[CAUSE_MISPREDICTIONS], 0.5, 1e-9);
    assert_float_equal(my.causes[3].at[CAUSE_CALLS], 5 * 100, 1e-9);
    assert_true(my.out.known_causes >> CAUSE_FETCH & 1 && !(my.out.known_causes >> CAUSE_L2 & 1));
    end();
}

/* ---- notes ---- */

/* The notes are these, each beginning so. */
static void check_notes(const char *const *expected, size_t n)
{
    compiled_notes(&my.w);
    for (size_t i = 0; i < my.out.n_notes && i < n; i++)
        if (strncmp(my.out.notes[i], expected[i], strlen(expected[i])) != 0)
            fail_msg("note %zu is: %s", i, my.out.notes[i]);
    assert_int_equal(my.out.n_notes, n);
}
#define NOTES(...)                                                                                                     \
    check_notes((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Nothing to say. */
static void test_no_note(void **state)
{
    (void)state;
    begin();
    struct cycles each = {100, 100, 100};
    costs_add(&my.values, "call.library.sin", each, each);
    it.nodes[0][1].end = NODE_BRANCHES;
    it.flows[0].all = 1000;
    it.flows[0].lost = 1; /* a thousandth is not worth a note */
    find_parts();
    my.w.has_misses = true;
    check_notes(0, 0);
    assert_int_equal(my.out.doubts, 0);
    end();
}

/* The words that begin() has, in an executable: names come from there. */
static void put_words(void)
{
    uint32_t words[2 * FUNCTION_BYTES / 4] = {ADDI(1, 1, 1), ADDI(2, 2, 1), LD(3, 10, 0), SD(3, 11), CALL(64), RET};
    elf_of_words(&my.w.program.elf, words, sizeof words);
}

/* The note about instructions without figures is this; NULL: there is none. */
static void check_unmeasured(const char *expected)
{
    const char *found = NULL;
    my.w.triple = "riscv64-linux-gnu";
    compiled_notes(&my.w);
    for (size_t i = 0; i < my.out.n_notes; i++)
        found = strstr(my.out.notes[i], "has no figures") ? my.out.notes[i] : found;
    if (!expected)
        assert_null(found);
    else if (!found || strcmp(found, expected) != 0)
        fail_msg("the note is: %s", found ? found : "(none)");
}

static void prepare_unmeasured(void)
{
    begin();
    struct cycles each = {100, 100, 100};
    costs_add(&my.values, "call.library.sin", each, each);
    it.nodes[0][1].end = NODE_BRANCHES;
    put_words();
    find_parts();
    my.w.has_misses = true;
    for (size_t i = 0; i < PARTS; i++)
        my.cycles[i].typical = i ? 0 : 100;
}

/* 30 instructions are executed, each five times. ALU is addi's class, whose two take 1 + 2 cycles of 100, load 4. */
#define NO_FIGURES "instructions of which the timing of small has no figures, and takes others: "

/* What is like another class has no figure if the file says that it was measured or made from another; if somebody wrote
 * it, that is its figure. */
static void test_like_another(void **state)
{
    (void)state;
    for (int measured = 0; measured < 3; measured++) {
        prepare_unmeasured();
        memset(it.model->like, 0, sizeof it.model->like);
        it.model->like[ISS_ALU] = 1 + ISS_MUL64;
        if (measured)
            *(measured == 1 ? &it.model->origin.measured : &it.model->origin.source) = xstrdup("a board");
        check_unmeasured(
            measured ? NO_FIGURES "addi (alu) as mul64: 33 % of the instructions executed, 3 % of the estimate" : NULL);
        assert_int_equal(my.out.n_unmeasured, measured > 0);
        end();
    }
}

/* A class that the file has no section of; figures that the file says nobody measured; what the decoder does not know. The
 * most cycles first. */
static void test_no_figures(void **state)
{
    (void)state;
    prepare_unmeasured();
    memset(it.model->like, 0, sizeof it.model->like);
    it.model->like[ISS_LOAD] = 1 + ISS_UNKNOWN;
    it.model->assumed[ISS_STORE] = true;
    it.machine.functions[0].code->steps[0].op.class = ISS_UNKNOWN;
    check_unmeasured(
        NO_FIGURES "sd (store) figures assumed: 17 % of the instructions executed, 8 % of the estimate; ld (load) as "
                   "unknown: 17 % of the instructions executed, 4 % of the estimate; addi (not decoded) as unknown: 17 "
                   "% of the instructions executed, 1 % of the estimate");
    assert_int_equal(my.out.doubts, 1u << DOUBT_CODE);
    assert_int_equal(my.out.n_unmeasured, 3);
    assert_string_equal(my.out.unmeasured[0].instruction, "sd (store)");
    assert_string_equal(my.out.unmeasured[0].as, "assumed");
    assert_float_equal(my.out.unmeasured[0].executed, 1.0 / 6, 1e-9);
    assert_float_equal(my.out.unmeasured[0].cycles, 0.08, 1e-9);
    end();
}

/* What the region did not execute is not named. */
static void test_not_executed(void **state)
{
    (void)state;
    prepare_unmeasured();
    it.model->like[ISS_LOAD] = 1 + ISS_UNKNOWN;
    it.flows[0].nodes[1] = 0;
    check_unmeasured(NULL);
    assert_int_equal(my.out.doubts, 0);
    end();
}

/* Out of order an addition to memory has the figures of a load too: here there are none. */
static void test_parts_of_one(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        prepare_unmeasured();
        it.model->window.reorder = wide ? 64 : 0;
        it.model->like[ISS_LOAD] = 1 + ISS_UNKNOWN;
        struct iss_step *steps = it.machine.functions[0].code->steps;
        steps[0].op.memory = ISS_READ_MEMORY;
        steps[2].op.class = ISS_SHIFT;
        steps[2].op.memory = ISS_NO_MEMORY;
        check_unmeasured(wide ? NO_FIGURES
                             "addi (alu, its load) as unknown: 17 % of the instructions executed, 1 % of the "
                             "estimate"
                              : NULL);
        end();
    }
}

/* Ten are named, those with the greatest shares, whether of cycles or of what was executed; the rest is added up. */
static void test_many(void **state)
{
    (void)state;
    begin();
    struct unmeasured_list l = {.executed = 1000};
    for (unsigned i = 0; i < 13; i++) {
        struct unmeasured_kind one = {xasprintf("word%u", i), ISS_ALU, ISS_ALU, i == 12 ? 900 : 10,
                                      i == 12 ? 0 : 20 - i};
        vec_push(&l.kinds, one);
    }
    unmeasured_tell(&my.out, &l, it.model, 200);
    const char *text = my.out.notes[0];
    assert_string_equal(my.out.unmeasured[0].instruction, "word12 (alu)");
    assert_string_equal(my.out.unmeasured[1].instruction, "word0 (alu)");
    assert_non_null(strstr(text, "word8 (alu)"));
    assert_null(strstr(text, "word9"));
    assert_non_null(strstr(text, "; 3 more: 3 % and 15 %")); /* 11 + 10 + 9 of 200 */
    unmeasured_release(&l);
    my.w.library = library_new(&my.elf, &my.w.machine, it.model, &my.values, "");
    end();
}

/* Of what has less than a thousandth of both only the first is named. */
static void test_hardly_any(void **state)
{
    (void)state;
    begin();
    struct unmeasured_list l = {.executed = 1e6};
    for (unsigned i = 0; i < 3; i++) {
        struct unmeasured_kind one = {xasprintf("word%u", i), ISS_ALU, ISS_ALU, 30 - i, 0};
        vec_push(&l.kinds, one);
    }
    unmeasured_tell(&my.out, &l, it.model, 200);
    assert_non_null(strstr(my.out.notes[0], "word0 (alu)"));
    assert_non_null(strstr(my.out.notes[0], "; 2 more: 0.0057 % and 0 %"));
    unmeasured_release(&l);
    my.w.library = library_new(&my.elf, &my.w.machine, it.model, &my.values, "");
    end();
}

static void test_what_is_missing(void **state)
{
    (void)state;
    begin();
    it.nodes[0][1].end = NODE_BRANCHES;
    it.model->origin.source = xstrdup("llvm:x");
    memset(it.model->like, 0, sizeof it.model->like);
    find_parts();
    my.w.event = 1;
    it.flows[0].all = 600;
    it.flows[1].all = 400;
    it.flows[0].lost = 10;
    it.flows[1].lost = 15;
    NOTES("not measured: the timing of small comes from", "mispredictions are estimated", "cache misses are not",
          "2.5 % of the transitions between blocks were not found");
    assert_int_equal(my.out.doubts, 1u << DOUBT_CODE);
    end();
}

/* Calls of one function are added up over the program; less than a thousandth of the estimate is not worth a note. */
static void test_called(void **state)
{
    (void)state;
    begin();
    struct cycles each = {100, 100, 100};
    costs_add(&my.values, "call.library.sin", each, each);
    it.nodes[1][0].end = NODE_TAIL;
    it.nodes[1][0].callee = LIBRARY;
    it.flows[1].nodes[0] = 3;
    find_parts();
    my.w.has_misses = true;
    for (size_t i = 0; i < PARTS; i++)
        my.cycles[i].typical = 320;
    NOTES("sin of a library was called 8 times, nothing of it was counted: as measured 100 cycles a call, 50 % of the "
          "estimate");
    assert_int_equal(my.out.doubts, 0);
    end();
    begin();
    costs_add(&my.values, "call.library.sin", each, each);
    find_parts();
    my.w.has_misses = true;
    my.cycles[0].typical = 500001;
    check_notes(0, 0);
    end();
    begin();
    costs_add(&my.values, "call.library.sin", each, each);
    find_parts();
    my.w.has_misses = true;
    for (size_t i = 0; i < PARTS; i++)
        my.cycles[i].typical = i ? 0 : 500000;
    NOTES("sin of a library was called 5 times");
    end();
}

static void test_not_known(void **state)
{
    (void)state;
    begin();
    it.nodes[0][1].callee = NOWHERE_KNOWN;
    it.nodes[1][0].end = NODE_CALLS;
    it.nodes[1][0].callee = NOWHERE_KNOWN + 64;
    it.flows[1].nodes[0] = 2;
    find_parts();
    my.w.has_misses = true;
    NOTES("7 calls of a library are not in the estimate: its code is not known");
    assert_int_equal(my.out.doubts, 1u << DOUBT_LIBRARY);
    end();
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_known_quotients),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_misses),
        cmocka_unit_test(test_causes),
        cmocka_unit_test(test_no_note),
        cmocka_unit_test(test_like_another),
        cmocka_unit_test(test_no_figures),
        cmocka_unit_test(test_not_executed),
        cmocka_unit_test(test_parts_of_one),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_hardly_any),
        cmocka_unit_test(test_what_is_missing),
        cmocka_unit_test(test_called),
        cmocka_unit_test(test_not_known),
    };
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
