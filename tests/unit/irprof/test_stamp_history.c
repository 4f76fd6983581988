/* Histories: raw files that are made here byte by byte, cut at every byte, changed at random; pairs of begins
 * and ends. */
#include "stamp_bytes.h"

#include "base/random.h"

static void begins_and_ends(void **state)
{
    (void)state;
    static const struct stamp_record records[] = {
        {1010, BEGIN_F, 0}, {1020, BEGIN_G, 0}, {1025, MARK, 1},  {1030, END_F, 0}, /* g has no end */
        {1040, END_G, 0},                                                           /* stray */
        {1050, BEGIN_F, 0}, {1060, BEGIN_F, 0}, {1070, END_F, 0}, {1090, END_F, 0}, /* recursion */
        {1100, BEGIN_G, 2},                                                         /* open at the end */
        {1105, MARK, 2},
    };
    struct str bytes = STR_INIT;
    put_start(&bytes);
    put_thread(&bytes, 1, records, sizeof records / sizeof *records, 4);
    struct history *h = read_bytes(&bytes);
    const struct history_thread *t = &h->threads.at[0];
    const struct {
        const char *name;
        int64_t from, to;
        unsigned depth;
        bool open;
    } expected[] = {{"f", 10, 30, 0, false},
                    {"g", 20, 30, 1, true},
                    {"f", 50, 90, 0, false},
                    {"f", 60, 70, 1, false},
                    {"g", 100, 105, 0, true}};
    assert_int_equal(t->intervals.n, 5);
    for (size_t i = 0; i < 5; i++) {
        const struct history_interval *v = &t->intervals.at[i];
        assert_string_equal(h->labels.at[v->label], expected[i].name);
        assert_int_equal(v->from, expected[i].from);
        assert_int_equal(v->to, expected[i].to);
        assert_int_equal(v->depth, expected[i].depth);
        assert_int_equal(v->open, expected[i].open);
    }
    assert_int_equal(t->stray, 1);
    assert_int_equal(t->lost, 4);
    assert_true(t->ended);
    assert_false(h->complete);
    assert_true(h->cost == 2.5);
    assert_true(thread_busy(h, t) == 20 + 40 + 5);
    history_free(h);
    str_release(&bytes);
}

/* Thread 1 is in f for 30 ns, thread 2 for 10: the mean is 20, the busiest has half as much again. */
static void imbalance(void **state)
{
    (void)state;
    static const struct stamp_record one[] = {{1000, BEGIN_F, 0}, {1010, END_F, 0}, {1020, BEGIN_F, 0},
                                              {1040, END_F, 0},   {1050, MARK, 0},  {1051, MARK, 0},
                                              {1052, MARK, 0}};
    static const struct stamp_record two[] = {{1000, BEGIN_F, 0}, {1010, END_F, 0}, {1011, MARK, 0}};
    struct str bytes = STR_INIT;
    struct history_figure *figures;
    put_start(&bytes);
    put_thread(&bytes, 2, two, 3, 0);
    put_thread(&bytes, 1, one, 7, 0);
    struct history *h = read_bytes(&bytes);
    assert_int_equal(h->threads.at[0].number, 1);
    assert_int_equal(history_figures(h, &figures), 2);
    assert_string_equal(h->labels.at[figures[0].label], "f");
    assert_int_equal(figures[0].count, 3);
    assert_int_equal(figures[0].threads, 2);
    assert_true(figures[0].total == 40 && figures[0].least == 10 && figures[0].most == 20);
    assert_true(figures[0].imbalance == .5);
    assert_true(figures[1].mark && figures[1].count == 4 && figures[1].imbalance == .5);
    free(figures);
    history_free(h);
    str_release(&bytes);
}

static void fill(struct str *bytes)
{
    static const struct stamp_record records[] = {{1010, BEGIN_F, 0}, {1020, MARK, 1}, {1030, END_F, 0}};
    const struct stamp_results results = {4, 1};
    const struct stamp_name name = {STAMP_NAMED, 0};
    const struct stamp_end end = {{3000, 2050}, 0, 2};
    put_start(bytes);
    put(bytes, STAMP_NAMES, &name, sizeof name, "own", 3);
    put_thread(bytes, 1, records, 3, 0);
    put_thread(bytes, 2, records, 3, 1);
    put(bytes, STAMP_RESULTS, &results, sizeof results, "c\1\2\3\4\5\6\7\10", 9);
    put(bytes, STAMP_END, &end, sizeof end, "", 0);
}

/* Reads it, and uses all that came out. */
static void use(const char *bytes, size_t n)
{
    struct history *h = 0;
    struct error e = ERROR_INIT;
    assert_int_equal(file_write(path, bytes, n, 0), OK);
    if (history_read(&h, path, 0, &e)) {
        char *message = error_text(&e);
        assert_non_null(message);
        free(message);
        error_release(&e);
        return;
    }
    struct str text = STR_INIT;
    struct gantt g;
    struct history_figure *figures;
    history_notes(h, &text);
    history_figures(h, &figures);
    for (int i = 0; i < 2; i++) {
        gantt_make(&g, h, i);
        gantt_svg(&text, h, &g, 800, true);
        gantt_release(&g);
    }
    assert_int_equal(history_write_csv(h, csv, 0), OK);
    free(figures);
    str_release(&text);
    history_free(h);
}

static void cut_at_every_byte(void **state)
{
    (void)state;
    struct str bytes = STR_INIT;
    struct history *h;
    fill(&bytes);
    h = read_bytes(&bytes);
    assert_true(h->complete && !h->cut);
    history_free(h);
    for (size_t n = 0; n < bytes.len; n++)
        use(bytes.s, n);
    str_release(&bytes);
}

static void changed_at_random(void **state)
{
    (void)state;
    struct str bytes = STR_INIT;
    struct random seed = {1};
    fill(&bytes);
    for (int i = 0; i < 1500; i++) {
        char *copy = xmemdup(bytes.s, bytes.len);
        for (int k = 0; k < 1 + i % 4; k++)
            copy[random_next(&seed) % bytes.len] = (char)random_next(&seed);
        use(copy, bytes.len);
        free(copy);
    }
    str_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(begins_and_ends), cmocka_unit_test(imbalance),
                                       cmocka_unit_test(cut_at_every_byte), cmocka_unit_test(changed_at_random)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
