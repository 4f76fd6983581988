/* Model files: what stands in one is what comes out; what does not belong there is refused at its line. */
#include "tests/unit/core/core_fixture.h"

static void refuse(const char *was, const char *is, const char *message)
{
    struct error e = ERROR_INIT;
    struct iss_model *m = NULL;
    char *text = small_text(was, is), *path = put_file("bad.ini", text);
    assert_int_equal(iss_model_read(&m, path, &e), ERR_INPUT);
    assert_null(m);
    char *said = error_text(&e);
    if (!strstr(said, message))
        fail_msg("'%s' does not say '%s'", said, message);
    free(said);
    free(text);
    free(path);
    error_release(&e);
}

static void test_values(void **state)
{
    (void)state;
    struct iss_model *m = small_model(NULL, NULL);
    assert_string_equal(m->name, "small");
    assert_int_equal(m->width, 2);
    assert_int_equal(m->l1d.geometry.size, 1024);
    assert_int_equal(m->l2.geometry.ways, 4);
    assert_int_equal(m->units[ISS_UNIT_ALU], 2);
    assert_int_equal(m->memory_latency, 100); /* 100 ns at 1 GHz */
    assert_int_equal(m->memory_pitch, 20);
    /* latency 1 to an operand, shifted 1 earlier, an address 2, data one later */
    const int16_t *after = m->timing[ISS_ALU].after;
    assert_int_equal(after[ISS_NEED_OPERAND], 1);
    assert_int_equal(after[ISS_NEED_SHIFTED], 2);
    assert_int_equal(after[ISS_NEED_ADDRESS], 3);
    assert_int_equal(after[ISS_NEED_DATA], 0);
    assert_int_equal(m->write_back[ISS_NEED_ADDRESS], 3);
    /* a figure of its own goes before latency + need; `like` takes it along */
    assert_int_equal(m->timing[ISS_MADD64].after[ISS_NEED_ACCUMULATE], 1);
    assert_int_equal(m->timing[ISS_MADD64].after[ISS_NEED_OPERAND], 4);
    /* what has no section is [unknown] */
    assert_int_equal(m->timing[ISS_CRYPTO].latency, 1);
    iss_model_free(m);
}

static void test_width(void **state)
{
    (void)state;
    struct iss_model *m = small_model("[madd64]", "[alu.32]\nlatency = 5\n[madd64]");
    struct iss_op op = {.class = ISS_ALU, .width = 64};
    assert_int_equal(iss_model_timing(m, &op)->latency, 1);
    op.width = 32;
    assert_int_equal(iss_model_timing(m, &op)->latency, 5);
    assert_int_equal(iss_model_timing(m, &op)->unit, ISS_UNIT_ALU);
    op.class = ISS_SHIFT; /* nothing said of its 32-bit form */
    assert_int_equal(iss_model_timing(m, &op)->latency, 1);
    iss_model_free(m);
}

static void test_no_unit(void **state)
{
    (void)state;
    struct iss_model *m = small_model("[madd64]", "[nop]\nlike = alu\nunit = none\n[madd64]");
    assert_int_equal(m->timing[ISS_ALU].unit, ISS_UNIT_ALU);
    assert_int_equal(m->timing[ISS_NOP].unit, ISS_UNIT_NONE);
    assert_int_equal(m->like[ISS_NOP], 0); /* it has a figure of its own behind `like` */
    assert_int_equal(m->like[ISS_SHIFT], 1 + ISS_ALU);
    assert_int_equal(m->like[ISS_ALU], 0);
    assert_int_equal(m->like[ISS_MUL32], 1 + ISS_UNKNOWN); /* it has no section */
    assert_false(m->assumed[ISS_NOP]);
    iss_model_free(m);
    m = small_model("[madd64]", "[nop]\nlike = alu\nassumed = 1\n[system]\nassumed = 0\n[madd64]");
    assert_true(m->assumed[ISS_NOP]);
    assert_false(m->assumed[ISS_SYSTEM]);
    assert_int_equal(m->like[ISS_NOP], 1 + ISS_ALU);
    iss_model_free(m);
}

static void test_intervals(void **state)
{
    (void)state;
    static const char *const
        names[] = {"foo.unit",      "foo.busy",   "alu.nothing", "alu.to_nothing", "alu",
                   "fetch.nothing", "model.name", ".unit",       "alu.64.unit",    "load_pai.unit"},
        *const values[] = {"1 x",   "x 2",       "1", "2 1", "1  ", "1 99999999999999999999", "99999999999999999999 1",
                           "1 2 3", "observable"};
    struct iss_model *m = small_model("[madd64]", "[interval]\nalu.32.unit = 1 1\nalu.to_address = -1 2\n"
                                                  "fetch.taken = not observable\n[madd64]");
    assert_int_equal(m->n_intervals, 3);
    assert_int_equal(m->intervals[1].low, -1);
    assert_false(m->intervals[2].observable);
    iss_model_free(m);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *is = xasprintf("[interval]\n%s = 1 2\n[madd64]", names[i]);
        refuse("[madd64]", is, "no figure has this name");
        free(is);
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char *is = xasprintf("[interval]\nalu.busy = %s\n[madd64]", values[i]);
        refuse("[madd64]", is, "say the lowest and the highest value");
        free(is);
    }
}

static void test_refused(void **state)
{
    (void)state;
    refuse("width = 2", "wdith = 2", "bad.ini:6: [issue] wdith = 2: unknown section or key");
    refuse("width = 2", "width = 17", "bad.ini:6: [issue] width = 17: it must be 1 to 16");
    refuse("width = 2", "width = 2.5", "a whole number is wanted");
    refuse("width = 2", "width = two", "a number is wanted");
    refuse("width = 2", "width = 2x", "only a number is allowed");
    refuse("width = 2\n", "", "bad.ini: [issue] width is missing");
    refuse("[unknown]\nlatency = 1\n", "", "[unknown] is missing");
    refuse("scheme = bimodal", "scheme = oracle", "say one of bimodal, gshare, none");
    refuse("history = 0", "history = 4", "[predictor]"); /* bimodal has none */
    refuse("size = 1K\nways = 2", "size = 1K\nways = 3", "bad.ini: [l1d] the size must be");
    refuse("[l2]\nsize = 8K\nways = 4\nline = 64", "[l2]\nsize = 8K\nways = 4\nline = 128", "of one length");
    refuse("like = mul64", "like = mul65", "no such class");
    refuse("like = mul64", "like = fp_add", "has not been described before");
    refuse("unit = divide", "unit = fp", "the model has no such unit");
    refuse("unit = divide", "unit = oven", "no such unit");
    refuse("unit = divide", "unit = divide\ntake = 2", "takes more than there is");
    refuse("to_accumulate = 1", "to_nothing = 1", "no such need");
    refuse("shifted = 1", "shiftd = 1", "no such need");
    refuse("busy = 2", "bussy = 2", "unknown key");
    refuse("busy = 2", "assumed = 2", "it must be 0 to 1");
    refuse("alu = 2", "alu = 9", "it must be 0 to 8");
    refuse("issue = alone", "issue = never", "say one of any, first, last, alone");
    refuse("[madd64]", "[crypto.32]\nlatency = 1\n[madd64]", "has not been described without .32");
}

/* What a file says is unknown costs nothing, is told, and keeps a simulation from being made; the pipeline's own figures
 * must be known. */
static void test_unknown(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct iss_model *m = small_model("taken = 3\nsame_taken = 3", "taken = unknown\nsame_taken = 3");
    assert_int_equal(m->n_unknown, 1);
    assert_int_equal(m->fetch.taken, 0);
    assert_int_equal(m->fetch.same_taken, 3);
    char *text = iss_model_unknown(m);
    assert_string_equal(text, "[fetch] taken");
    free(text);
    assert_int_equal(iss_model_complete(m, "a.ini", &e), ERR_INPUT);
    text = error_text(&e);
    assert_non_null(strstr(text, "a.ini: a simulation needs figures that are unknown here: [fetch] taken;"));
    free(text);
    error_release(&e);
    iss_model_free(m);
    m = small_model("[memory]\nlatency_ns = 100\npitch_ns = 20", "[memory]\nlatency_ns = unknown\npitch_ns = unknown");
    text = iss_model_unknown(m);
    assert_string_equal(text, "[memory]"); /* all of it */
    free(text);
    assert_int_equal(m->memory_latency, 0);
    iss_model_free(m);
    m = small_model(NULL, NULL);
    assert_int_equal(iss_model_complete(m, "a.ini", &e), OK);
    assert_null(iss_model_origin(m));
    iss_model_free(m);
    refuse("width = 2", "width = unknown", "a number is wanted");
    refuse("alu = 2", "alu = unknown", "a number is wanted");
    refuse("[alu]\nlatency = 1", "[alu]\nlatency = unknown", "a number is wanted");
}

/* The figures that may be unknown, in the order of the format; behind the last one there is none. */
static void test_figures(void **state)
{
    (void)state;
    const char *section;
    size_t n = iss_model_figures();
    assert_string_equal(iss_model_figure(0, &section), "clock_hz");
    assert_string_equal(section, "model");
    assert_string_equal(iss_model_figure(1, &section), "bytes");
    assert_string_equal(section, "fetch");
    assert_string_equal(iss_model_figure(n - 1, &section), "walk");
    assert_string_equal(section, "tlb");
    for (size_t i = 0; i < n; i++) {
        assert_non_null(iss_model_figure(i, &section));
        assert_string_not_equal(section, "issue");
    }
    assert_null(iss_model_figure(n, &section));
    assert_null(section);
}

static void test_origin(void **state)
{
    (void)state;
    struct iss_model *m = small_model("[issue]", "[origin]\nsource = llvm:cortex-a72\nversion = LLVM 19\nshared = A57\n"
                                                 "order = out\nfilled = clock from a board\n[issue]");
    char *text = iss_model_origin(m);
    assert_string_equal(text,
                        "not measured: the timing of small comes from the scheduling model llvm:cortex-a72 (LLVM 19), "
                        "which has none of its own for it but uses that of A57; taken from elsewhere: clock from a "
                        "board; the core issues out of order, the estimate in order: cycles are too many");
    free(text);
    iss_model_free(m);
    refuse("[issue]", "[origin]\nsourse = x\n[issue]", "unknown section or key");
}

/* What few cores have: nothing predicted, no caches, a flash, holds that loads and stores do not wait for. */
static void test_microcontroller(void **state)
{
    (void)state;
    struct iss_model *m = small_model(NULL, NULL);
    assert_false(m->predictor.none);
    assert_false(m->no_caches);
    assert_int_equal(m->flash.wait_states, 0);
    assert_int_equal(m->data.pieces, 0);
    assert_int_equal(m->fetch.whole, 0);
    assert_int_equal(m->timing[ISS_LOAD].hold_load, 0);
    iss_model_free(m);
    char *text =
        small_text("[predictor]\nscheme = bimodal\nentries = 1024\nhistory = 0\naddress = 20\nunseen = not_taken\n"
                   "targets = 16\nreturns = 2\n",
                   "[predictor]\nscheme = none\n[flash]\nwait_states = 5\nbytes = 16\nprefetch = 1\n"
                   "lines = 64\ndata_lines = 8\n");
    *strstr(text, "[l1i]") = 0;
    char *rest = small_text(NULL, NULL), *data = strstr(rest, "[data]"), *tlb = strstr(rest, "[tlb]"),
         *units = strstr(rest, "[units]");
    *tlb = 0;
    char *all = xasprintf("%s%s%s[load_many]\nlatency = 2\nhold = 4\nhold_load = 1\nchain = load_alone\nfolds = 1\n",
                          text, data, units);
    char *path = put_file("micro.ini", all);
    struct error e = ERROR_INIT;
    if (iss_model_read(&m, path, &e) != OK) {
        error_print(&e, "test");
        fail();
    }
    assert_true(m->predictor.none);
    assert_true(m->no_caches);
    assert_int_equal(m->flash.lines, 64);
    assert_int_equal(iss_model_complete(m, path, &e), OK);
    const struct iss_timing *t = &m->timing[ISS_LOAD_MANY];
    assert_int_equal(t->hold, 4);
    assert_int_equal(t->hold_load, 1);
    assert_int_equal(t->hold_store, 4); /* as `hold` */
    assert_int_equal(t->chain, ISS_CHAIN_LOAD_ALONE);
    assert_true(t->folds);
    iss_model_free(m);
    free(path);
    free(all);
    free(rest);
    free(text);
    refuse("[l2]\nsize = 8K\n", "[l2]\n", "[l2] size is missing"); /* of caches all or nothing */
    refuse("[tlb]", "[flash]\nbytes = 16\n[tlb]", "[flash] wait_states is missing");
    refuse("[tlb]", "[flash]\nwait_states = 1\nbytes = 24\nprefetch = 0\nlines = 0\ndata_lines = 0\n[tlb]",
           "[flash] bytes is not a power of two");
    refuse("[alu]\nlatency = 1", "[alu]\nchain = both\nlatency = 1", "say one of none, load, store, load_alone");
}

/* A branch across one instruction: of the classes that say so, and of those that are like them; else of none. */
static void test_predicated(void **state)
{
    (void)state;
    int64_t value;
    struct iss_model *m = small_model(NULL, NULL);
    assert_false(m->predicates);
    assert_true(iss_model_value(m, "alu.predicated", &value) && value == 0);
    iss_model_free(m);
    m = small_model("[shift]", "predicated = 1\n[shift]");
    assert_true(m->predicates);
    assert_true(m->timing[ISS_ALU].predicated && m->timing32[ISS_ALU].predicated && m->timing[ISS_SHIFT].predicated);
    assert_false(m->timing[ISS_MUL64].predicated);
    assert_true(iss_model_value(m, "shift.predicated", &value) && value == 1);
    iss_model_free(m);
    refuse("[shift]", "predicated = 2\n[shift]", "predicated = 2: it must be 0 to 1");
}

/* The models that are shipped can be read. */
static void test_shipped(void **state)
{
    (void)state;
    static const char *const models[] = {"boards/raspberrypi3-sim/cortex-a53.ini", "boards/riscv64-sim/sifive-u74.ini",
                                         "boards/cortex-m4-sim/cortex-m4.ini"};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        struct error e = ERROR_INIT;
        struct iss_model *m;
        char *path = resource_share(models[i]);
        if (iss_model_read(&m, path, &e) != OK) {
            error_print(&e, "test");
            fail();
        }
        assert_non_null(iss_decoder_find(m->architecture));
        iss_model_free(m);
        free(path);
    }
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),  cmocka_unit_test(test_width),          cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_unit), cmocka_unit_test(test_intervals),      cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_origin),  cmocka_unit_test(test_figures),        cmocka_unit_test(test_predicated),
        cmocka_unit_test(test_shipped), cmocka_unit_test(test_microcontroller)};
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
