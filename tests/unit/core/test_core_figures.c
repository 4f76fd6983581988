/* Figures of a model by their names, their limits, what they are where the file says "unknown", and intervals. Limits
 * and the words are those of docs/formats/iss-model.md and of what the simulator has room for. */
#include "tests/unit/core/core_fixture.h"

#include <inttypes.h>

/* SMALL_MODEL with another value of a key. The caller frees. */
static char *text_with(const char *section, const char *key, const char *value)
{
    char *head = xasprintf("[%s]\n", section), *line = xasprintf("\n%s = ", key);
    const char *at = strstr(SMALL_MODEL, head);
    assert_non_null(at);
    at = strstr(at, line);
    assert_non_null(at);
    at += strlen(line);
    char *text = xasprintf("%.*s%s%s", (int)(at - SMALL_MODEL), SMALL_MODEL, value, strchr(at, '\n'));
    free(line);
    free(head);
    return text;
}

/* What is said of the file; NULL: nothing. The caller frees; *m too. */
static char *read_text(struct iss_model **m, const char *text)
{
    struct error e = ERROR_INIT;
    char *path = put_file("figures.ini", text);
    *m = NULL;
    char *said = iss_model_read(m, path, &e) == OK ? NULL : error_text(&e);
    error_release(&e);
    free(path);
    return said;
}

static void check_refused(const char *text, const char *message)
{
    struct iss_model *m;
    char *said = read_text(&m, text);
    if (!said || !strstr(said, message))
        fail_msg("'%s' does not say '%s'", said ? said : "", message);
    free(said);
}

/* Taken, or refused for another reason than its limits. */
static void check_within(const char *text)
{
    struct iss_model *m;
    char *said = read_text(&m, text);
    if (said && (strstr(said, "it must be") || strstr(said, "is wanted")))
        fail_msg("%s", said);
    free(said);
    iss_model_free(m);
}

static void test_limits(void **state)
{
    (void)state;
    static const struct {
        const char *section, *keys;
        double least, most;
    } rows[] = {
        {"model", "clock_hz", 1e6, 1e11},
        {"issue", "width", 1, 16},
        {"issue", "write_back", 0, 64},
        {"fetch", "bytes", 2, 64},
        {"fetch", "queue", 1, 64},
        {"fetch", "taken same_taken jump_register call_register return mispredicted", 0, 64},
        {"fetch", "next_line", 0, 1000},
        {"predictor", "entries", 1, 1048576},
        {"predictor", "history address", 0, 20},
        {"predictor", "targets", 0, 65536},
        {"predictor", "returns", 0, 64},
        {"l1i", "size", 64, 67108864},
        {"l1d", "size", 64, 67108864},
        {"l2", "size", 64, 67108864},
        {"l1i", "ways", 1, 64},
        {"l1i", "line", SIM_LINE_MIN, SIM_LINE_MAX},
        {"l2", "latency pitch", 0, 10000},
        {"memory", "latency_ns pitch_ns", 0, 1e5},
        {"data", "outstanding store_buffer", 1, 16},
        {"data", "granule", 4, 64},
        {"data", "load_split load_split_most load_split_busy store_split_busy", 0, 1000},
        {"data", "forward forward_wide forward_split", 0, 64},
        {"data", "streams", 0, SIM_STREAMS_MAX},
        {"data", "trigger", 1, SIM_TRIGGER_MAX},
        {"data", "ahead", 0, SIM_AHEAD_MAX},
        {"data", "stride", 1, SIM_STRIDE_MAX},
        {"data", "no_allocate", 0, 1048576},
        {"tlb", "micro", 0, 64},
        {"tlb", "micro_miss", 0, 1000},
        {"tlb", "entries", 0, 65536},
        {"tlb", "ways", 1, 64},
        {"tlb", "walk", 0, 10000},
        {"units", "alu branch", 0, 8},
        {"need", "shifted condition", -64, 64},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *keys = xstrdup(rows[i].keys), *rest = NULL, *message;
        message = xasprintf("it must be %g to %g", rows[i].least, rows[i].most);
        for (char *key = strtok_r(keys, " ", &rest); key; key = strtok_r(NULL, " ", &rest)) {
            const double at[] = {rows[i].least, rows[i].most, rows[i].least - 1, rows[i].most + 1};
            for (int k = 0; k < 4; k++) {
                char *value = xasprintf("%.0f", at[k]), *text = text_with(rows[i].section, key, value);
                if (k < 2)
                    check_within(text);
                else if (at[k] >= 0 || strcmp(rows[i].section, "need") == 0)
                    check_refused(text, message);
                free(text);
                free(value);
            }
        }
        free(message);
        free(keys);
    }
}

/* Of a class that has no section in SMALL_MODEL. */
static char *class_text(const char *line)
{
    return xasprintf("%s[crypto]\nunit = alu\n%s\n", SMALL_MODEL, line);
}

static void test_limits_of_classes(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        int least, most;
    } rows[] = {{"latency", 0, 1000},   {"latency2", 0, 1000},   {"take", 1, 8},    {"busy", 1, 1000},
                {"repeat", 0, 1000},    {"late", 0, 16},         {"hold", 0, 1000}, {"divide_base", 0, 1000},
                {"divide_bits", 1, 64}, {"divide_max", 0, 1000}, {"drains", 0, 1},  {"to_operand", -64, 1000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *message = xasprintf("it must be %d to %d", rows[i].least, rows[i].most);
        const int at[] = {rows[i].least, rows[i].most, rows[i].least - 1, rows[i].most + 1};
        for (int k = 0; k < 4; k++) {
            char *line = xasprintf("%s = %d", rows[i].key, at[k]), *text = class_text(line);
            if (k < 2)
                check_within(text);
            else
                check_refused(text, message);
            free(text);
            free(line);
        }
        free(message);
    }
}

/* Each key comes to its own place. */
static void test_keys_of_classes(void **state)
{
    (void)state;
    char *text =
        class_text("second_unit = divide\nlatency = 2\nlatency2 = 3\ntake = 2\nbusy = 5\nrepeat = 6\nlate = "
                   "7\nhold = 8\ndivide_base = 9\ndivide_bits = 10\ndivide_max = 11\ndrains = 1\nissue = last\n"
                   "to_data = -3\n[crypto.32]\nunit = none\nhold = 4\nlate = 3\n[simd_64]\nissue = "
                   "first\n[simd_128]\nissue = any");
    struct iss_model *m;
    char *said = read_text(&m, text);
    assert_null(said);
    const struct iss_timing *t = &m->timing[ISS_CRYPTO];
    assert_true(t->unit == ISS_UNIT_ALU && t->second_unit == ISS_UNIT_DIVIDE && t->take == 2 && t->busy == 5);
    assert_true(t->latency == 2 && t->latency2 == 3 && t->repeat == 6 && t->late == 7 && t->hold == 8 && t->drains);
    assert_true(t->divide_base == 9 && t->divide_bits == 10 && t->divide_max == 11 && t->issue == ISS_ISSUE_LAST);
    /* the second register 1 later than the first; shifted 1 after an operand; the figure of its own as it is */
    assert_true(t->after[ISS_NEED_OPERAND] == 2 && t->after2[ISS_NEED_OPERAND] == 3);
    assert_true(t->after[ISS_NEED_SHIFTED] == 3 && t->after2[ISS_NEED_SHIFTED] == 4);
    assert_true(t->after[ISS_NEED_DATA] == -3 && t->after2[ISS_NEED_DATA] == -2);
    t = &m->timing32[ISS_CRYPTO]; /* the same but for what is said of 32 bits */
    assert_true(t->unit == ISS_UNIT_NONE && t->hold == 4 && t->late == 3 && t->busy == 5 && t->repeat == 6);
    assert_int_equal(m->timing[ISS_SIMD_64].issue, ISS_ISSUE_FIRST);
    assert_int_equal(m->timing[ISS_SIMD_128].issue, ISS_ISSUE_ANY);
    assert_int_equal(m->timing[ISS_BARRIER].issue, ISS_ISSUE_ALONE);
    t = &m->timing[ISS_ALU]; /* what is not said of it */
    assert_true(t->take == 1 && t->busy == 1 && t->latency2 == 1 && !t->second_unit && !t->drains && !t->divide_bits);
    iss_model_free(m);
    free(text);
}

/* Words of a list, in its order. */
static void test_words(void **state)
{
    (void)state;
    static const struct {
        const char *section, *key, *words;
    } rows[] = {{"l1d", "replacement", "lru fifo random plru"}, {"predictor", "unseen", "not_taken taken backwards"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *words = xstrdup(rows[i].words), *rest = NULL, *name;
        int64_t n = 0, value;
        name = xasprintf("%s.%s", rows[i].section, rows[i].key);
        for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest), n++) {
            char *text = text_with(rows[i].section, rows[i].key, w);
            struct iss_model *m;
            char *said = read_text(&m, text);
            assert_null(said);
            assert_true(iss_model_value(m, name, &value));
            assert_int_equal(value, n);
            iss_model_free(m);
            free(text);
        }
        free(name);
        free(words);
    }
    int64_t value;
    struct iss_model *m =
        small_model("scheme = bimodal\nentries = 1024\nhistory = 0", "scheme = gshare\nentries = 1024\nhistory = 4");
    assert_true(iss_model_value(m, "predictor.scheme", &value) && value == 1);
    assert_true(iss_model_value(m, "predictor.history", &value) && value == 4);
    iss_model_free(m);
}

static void test_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t value;
    } rows[] = {
        {"model.clock_hz", 1000000000},
        {"issue.width", 2},
        {"fetch.bytes", 8},
        {"fetch.queue", 16},
        {"fetch.return", 3},
        {"predictor.entries", 1024},
        {"predictor.history", 0},
        {"l1i.size", 4096},
        {"l1d.ways", 2},
        {"l2.line", 64},
        {"l2.pitch", 2},
        {"data.trigger", 2},
        {"data.stride", 1},
        {"tlb.ways", 1},
        {"alu.to_operand", 1},
        {"alu.to_address", 3}, /* 1, and 2 for an address */
        {"alu.to_data", 0},
        {"alu.32.to_operand", 5},
        {"alu.busy", 1},
        {"mul64.busy", 2},
        {"madd64.to_accumulate", 1},
        {"load.latency2", 2}, /* later than the first */
        {"alu.latency2", 0},
        {"shift.late", 4},
        {"udiv32.busy", 3}, /* 9 of an unknown quotient, 3 of 0: 6 less of each */
        {"udiv32.to_operand", 3},
        {"udiv32.divide_bits", 2},
        {"udiv32.divide_max", 12},
        {"alu.divide_bits", 0},
        {"alu.divide_max", 0},
    };
    static const char *const none[] = {"fetch",      "fetch.take",        "fetch.takens", "etch.taken", "fetc.taken",
                                       "model.name", "alu.to_nothing",    "alu.issue",    "alu",        "nothing.busy",
                                       "alu.",       "alu.33.to_operand", ".taken",       "",           "alu.64.busy"};
    char *text = xasprintf("%s[alu.32]\nlatency = 5\n[shift]\nlate = 4\n[load]\nlatency2 = 3\n", SMALL_MODEL);
    struct iss_model *m;
    char *said = read_text(&m, text);
    assert_null(said);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t value = -77;
        if (!iss_model_value(m, rows[i].name, &value) || value != rows[i].value)
            fail_msg("%s: %" PRId64, rows[i].name, value);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        int64_t value;
        if (iss_model_value(m, none[i], &value))
            fail_msg("%s", none[i]);
    }
    iss_model_free(m);
    free(text);
}

/* What an unknown figure is, so that it costs nothing and holds nothing up. */
static void test_figures_that_cost_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < iss_model_figures(); i++) {
        static const struct {
            const char *name;
            int64_t value;
        } rows[] = {{"fetch.bytes", 64},      {"fetch.queue", 64},  {"predictor.entries", 4096},
                    {"l1i.size", 32768},      {"l1d.size", 32768},  {"l2.size", 32768},
                    {"l1i.ways", 1},          {"l1d.ways", 1},      {"l2.ways", 1},
                    {"l1i.line", 64},         {"l1d.line", 64},     {"l2.line", 64},
                    {"data.outstanding", 16}, {"data.granule", 64}, {"data.store_buffer", 16},
                    {"data.trigger", 1},      {"data.stride", 1},   {"tlb.ways", 1}};
        const char *section, *key = iss_model_figure(i, &section);
        char *text = text_with(section, key, "unknown"), *name = xasprintf("%s.%s", section, key);
        char *full = xasprintf("[%s] %s", section, key), *unknown;
        int64_t value, expected = 0;
        struct iss_model *m;
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
            if (strcmp(rows[k].name, name) == 0)
                expected = rows[k].value;
        char *said = read_text(&m, text);
        assert_null(said);
        unknown = iss_model_unknown(m);
        assert_string_equal(unknown, strcmp(section, "model") ? full : "[model]"); /* which has no other */
        if (!iss_model_value(m, name, &value) || value != expected)
            fail_msg("%s: %" PRId64, name, value);
        free(unknown);
        free(full);
        free(name);
        free(text);
        iss_model_free(m);
    }
}

/* Those of a section stand together; a section alone is all of it. */
static void test_unknown_by_section(void **state)
{
    (void)state;
    struct iss_model *m = small_model("taken = 3\nsame_taken = 3\njump_register = 4",
                                      "taken = unknown\nsame_taken = 3\njump_register = unknown");
    char *text = iss_model_unknown(m);
    assert_string_equal(text, "[fetch] taken jump_register");
    free(text);
    iss_model_free(m);
    m = small_model("pitch_ns = 20\n[data]\noutstanding = 2", "pitch_ns = unknown\n[data]\noutstanding = unknown");
    text = iss_model_unknown(m);
    assert_string_equal(text, "[memory] pitch_ns, [data] outstanding");
    free(text);
    iss_model_free(m);
    m = small_model("[tlb]\nmicro = 0\nmicro_miss = 0\nentries = 0\nways = 1\nwalk = 0",
                    "[tlb]\nmicro = unknown\nmicro_miss = unknown\nentries = unknown\nways = unknown\nwalk = unknown");
    text = iss_model_unknown(m);
    assert_string_equal(text, "[tlb]");
    free(text);
    iss_model_free(m);
}

static void test_intervals(void **state)
{
    (void)state;
    char *text =
        xasprintf("%s[interval]\nalu.busy = 1 3\nfetch.taken = not observable\nalu.late = 4 4\nalu.to_data = -3 "
                  "-1\n",
                  SMALL_MODEL);
    struct iss_model *m;
    char *said = read_text(&m, text);
    assert_null(said);
    assert_int_equal(m->n_intervals, 4);
    static const struct iss_interval want[] = {{(char *)(uintptr_t) "alu.busy", true, 1, 3},
                                               {(char *)(uintptr_t) "fetch.taken", false, 0, 0},
                                               {(char *)(uintptr_t) "alu.late", true, 4, 4},
                                               {(char *)(uintptr_t) "alu.to_data", true, -3, -1}};
    for (size_t i = 0; i < 4; i++) {
        const struct iss_interval *v = &m->intervals[i];
        assert_string_equal(v->key, want[i].key);
        assert_true(v->observable == want[i].observable && v->low == want[i].low && v->high == want[i].high);
    }
    iss_model_free(m);
    free(text);
    static const char *const bad[] = {"3", "3 1", "1 2 3", "1 2x", "few", "1,2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        text = xasprintf("%s[interval]\nalu.busy = %s\n", SMALL_MODEL, bad[i]);
        check_refused(text, "say the lowest and the highest value, or 'not observable'");
        free(text);
    }
}

static void test_more_refused(void **state)
{
    (void)state;
    static const struct {
        const char *section, *key, *value, *message;
    } rows[] = {{"fetch", "taken", "1e400", "a number is wanted"},
                {"fetch", "taken", "nan", "a number is wanted"},
                {"fetch", "taken", "inf", "a number is wanted"},
                {"fetch", "bytes", "8 # two words", "only a size is allowed"},
                {"fetch", "bytes", "-8", "only a size is allowed"},
                {"memory", "latency_ns", "100ns", "only a number is allowed"},
                {"tlb", "entries", "7", NULL},
                {"l1i", "line", "32", "the lines of all caches must be of one length"},
                {"predictor", "unseen", "never", "say one of not_taken, taken, backwards"},
                {"l1d", "replacement", "mru", "say one of lru, fifo, random, plru"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = text_with(rows[i].section, rows[i].key, rows[i].value);
        if (rows[i].message)
            check_refused(text, rows[i].message);
        else
            check_within(text);
        free(text);
    }
    char *text = small_text("entries = 0\nways = 1", "entries = 7\nways = 2");
    check_refused(text, "[tlb] entries is not a multiple of ways");
    free(text);
    text = small_text("alu = 2", "oven = 2");
    check_refused(text, "no such unit");
    free(text);
    text = class_text("take = 3");
    check_refused(text, "[crypto] takes more than there is of its unit");
    free(text);
}

/* Nanoseconds become cycles of the core, rounded. */
static void test_nanoseconds(void **state)
{
    (void)state;
    struct iss_model *m = small_model("[issue]", "[origin]\nmeasured = b, 9 of 10 trials\norder = in\n[issue]");
    char *text = iss_model_origin(m);
    assert_string_equal(text, "the timing of small was measured: b, 9 of 10 trials");
    free(text);
    iss_model_free(m);
    m = small_model("latency_ns = 100\npitch_ns = 20", "latency_ns = 0.4996\npitch_ns = 2.5");
    assert_int_equal(m->memory.latency_ps, 500); /* of a picosecond */
    assert_int_equal(m->memory_latency, 1);
    assert_int_equal(m->memory_pitch, 3);
    iss_model_free(m);
    text = text_with("model", "clock_hz", "2000000");
    char *said = read_text(&m, text);
    assert_null(said);
    assert_int_equal(m->memory_latency, 0); /* 0.2 cycles */
    assert_int_equal(m->memory_pitch, 0);
    iss_model_free(m);
    free(text);
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),       cmocka_unit_test(test_limits_of_classes),
        cmocka_unit_test(test_words),        cmocka_unit_test(test_keys_of_classes),
        cmocka_unit_test(test_by_name),      cmocka_unit_test(test_figures_that_cost_nothing),
        cmocka_unit_test(test_intervals),    cmocka_unit_test(test_unknown_by_section),
        cmocka_unit_test(test_more_refused), cmocka_unit_test(test_nanoseconds),
    };
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
