/* Times of histories by hand: clocks that go back and clocks of few bits, results, names, threads in parts, processors,
 * lanes, and what is said of a file that is damaged. */
#include "stamp_bytes.h"

#include "irprof/stamp/stamping.h"

enum { WHOLE = 64 };

/* ---- clocks of few bits ---- */

static void nearest(void **state)
{
    (void)state;
    assert_true(clock_nearest(0x1000, 0x20, 8) == 0x1020);
    assert_true(clock_nearest(0x10F0, 0x10, 8) == 0x1110); /* ahead by 0x20, over the end of the 8 bits */
    assert_true(clock_nearest(0x1010, 0xF0, 8) == 0x0FF0); /* back by 0x20 */
    assert_true(clock_nearest(0x1000, 0x7F, 8) == 0x107F);
    assert_true(clock_nearest(0x1000, 0x80, 8) == 0x0F80); /* as far either way: back */
    assert_true(clock_nearest(0x1000, 0x00, 8) == 0x1000);
    assert_true(clock_nearest(5, 3, WHOLE) == 3);
    assert_true(clock_next(0x1000, 0x20, 8) == 0x1020);
    assert_true(clock_next(0x1010, 0xF0, 8) == 0x10F0);
    assert_true(clock_next(0x10F0, 0x10, 8) == 0x1110);
    assert_true(clock_next(0x1010, 0x10, 8) == 0x1010);
    assert_true(clock_next(5, 3, WHOLE) == 3);
}

/* ---- notes ---- */

static void says(const struct history *h, const char *part, bool said)
{
    struct str text = STR_INIT;
    history_notes(h, &text);
    if (!strstr(str_text(&text), part) == said)
        fail_msg("'%s' is %sin '%s'", part, said ? "not " : "", str_text(&text));
    str_release(&text);
}

static void put_end(struct str *out, uint64_t ticks, uint64_t ns, uint32_t signal)
{
    const struct stamp_end end = {{ticks, ns}, signal, 1};
    put(out, STAMP_END, &end, sizeof end, "", 0);
}

/* Starts at 1000. 1010; 1005: 5 back; 1008: 2 back; 1004: 6 back, the most; 1010 is not back. All have the time of the first. */
static void back(void **state)
{
    (void)state;
    static const struct stamp_record records[] = {{1010, MARK, 4}, {1005, MARK, 5}, {1008, MARK, 6},
                                                  {1004, MARK, 7}, {1010, MARK, 8}, {1011, MARK, 8}};
    struct str bytes = STR_INIT;
    put_start(&bytes);
    put_thread(&bytes, 1, records, 6, 0);
    put_end(&bytes, 3000, 2050, 0);
    struct history *h = read_bytes(&bytes);
    const struct history_thread *t = &h->threads.at[0];
    assert_int_equal(t->back, 3);
    assert_int_equal(t->back_most, 6);
    assert_int_equal(t->back_from, 6);
    assert_int_equal(t->back_to, 7);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(t->stamps.at[i].at, 10);
    assert_int_equal(t->stamps.at[5].at, 11);
    says(h, "thread 1: the clock went back at 3 stamps, by at most 6 ns, from processor 6 to 7; they have the time",
         true);
    says(h, "did not write its end", false);
    says(h, "found no room", false);
    says(h, "intervals have a begin", false);
    says(h, "ends without a begin", false);
    says(h, "ended by signal", false);
    says(h, "times are ticks", false);
    says(h, "cut off", false);
    history_free(h);
    str_release(&bytes);
}

/* Differences of 2^61 and more are cut to that. */
static void far_away(void **state)
{
    (void)state;
    const uint64_t most = UINT64_C(1) << 61;
    const struct stamp_record records[] = {
        {1000 - most - 1, MARK, 0}, {1000 + most - 1, MARK, 0}, {1000 + most, MARK, 0}, {1000 + most + 1, MARK, 0}};
    struct str bytes = STR_INIT;
    put_start(&bytes);
    put_thread(&bytes, 1, records, 4, 0);
    struct history *h = read_bytes(&bytes);
    assert_true(h->threads.at[0].stamps.at[0].at == -(int64_t)most);
    assert_true(h->threads.at[0].stamps.at[1].at == (int64_t)most - 1);
    assert_true(h->threads.at[0].stamps.at[2].at == (int64_t)most);
    assert_true(h->threads.at[0].stamps.at[3].at == (int64_t)most);
    history_free(h);
    str_release(&bytes);
}

static void noted(void **state)
{
    (void)state;
    static const struct stamp_record records[] = {
        {1010, END_F, 0}, {1020, BEGIN_F, 0}, {1030, BEGIN_G, 0}, {1040, BEGIN_G, 0}, {1050, END_F, 0}};
    struct str bytes = STR_INIT;
    put_start(&bytes);
    put_thread(&bytes, 1, records, 5, 4);
    put_end(&bytes, 3000, 2050, 11);
    str_add(&bytes, "abc");
    struct history *h = read_bytes(&bytes);
    says(h, "its last 3 bytes are cut off", true);
    says(h, "the program was ended by signal 11\n", true);
    says(h, "thread 1: 4 stamps found no room and are missing at its end; IRPROF_STAMPS=9 keeps them all\n", true);
    says(h, "thread 1: 1 ends without a begin are left out\n", true);
    says(h, "2 intervals have a begin and no end", true);
    says(h, "the clock went back", false);
    history_free(h);
    str_release(&bytes);
}

/* ---- the clock's rate ---- */

static double rate(uint64_t frequency, uint64_t ticks, uint64_t ns)
{
    const struct stamp_start s = {.at = {1000, 50}, .frequency = frequency, .cost = 2500, .room = 9, .process = 7};
    struct str bytes = STR_INIT;
    str_add(&bytes, STAMP_MAGIC);
    put(&bytes, STAMP_START, &s, sizeof s, "prog", 4);
    put_end(&bytes, ticks, ns, 0);
    struct history *h = read_bytes(&bytes);
    double per_ns = h->per_ns;
    assert_string_equal(h->program, "prog");
    assert_int_equal(h->process, 7);
    if (per_ns > 0)
        assert_true(history_ns(h, 10) == 10 / per_ns);
    else
        assert_true(history_ns(h, 10) == 10);
    says(h, "times are ticks", !(per_ns > 0));
    history_free(h);
    str_release(&bytes);
    return per_ns;
}

static void rates(void **state)
{
    (void)state;
    assert_true(rate(2500000000, 9000, 9000) == 2.5);
    assert_true(rate(0, 5000, 2050) == 2); /* 4000 ticks in 2000 ns */
    assert_true(rate(0, 5000, 50) == 0);
    assert_true(rate(0, 1000, 2050) == 0);
    assert_true(rate(0, 900, 2050) == 0);
}

/* ---- threads, and first and last of all ---- */

static void in_parts(void **state)
{
    (void)state;
    static const struct stamp_record one[] = {{990, BEGIN_F, 3}}, more[] = {{1040, END_F, 3}},
                                     other[] = {{980, MARK, 1}, {1030, MARK, 1}},
                                     third[] = {{985, BEGIN_F, 3}, {1050, END_F, 1}};
    struct str bytes = STR_INIT;
    struct history_processor *p;
    put_start(&bytes);
    put_thread(&bytes, 3, one, 1, 1);
    put_thread(&bytes, 2, other, 2, 5);
    put_thread(&bytes, 3, more, 1, 2);
    put_thread(&bytes, 4, third, 2, 0);
    put_thread(&bytes, 5, third, 0, 0);
    struct history *h = read_bytes(&bytes);
    assert_int_equal(h->threads.n, 4);
    assert_int_equal(h->threads.at[0].number, 2);
    assert_int_equal(h->threads.at[1].number, 3);
    assert_int_equal(h->threads.at[1].id, 103);
    assert_string_equal(h->threads.at[1].name, "thread 3");
    assert_int_equal(h->threads.at[1].stamps.n, 2);
    assert_int_equal(h->threads.at[1].lost, 3);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(h->threads.at[i].lane, 0); /* threads have no lanes, also where they share a processor */
    assert_int_equal(history_first(h), -20);
    assert_int_equal(history_last(h), 50);
    assert_int_equal(history_processors(h, &p), 2);
    assert_true(p[0].processor == 1 && p[0].threads == 1 && p[0].stamps == 2 && p[0].lost == 5 && p[0].busy == 0);
    assert_true(p[0].first == -20 && p[0].last == 30);
    /* threads 3 and 4 began on processor 3: -10 to 40 and -15 to 50 */
    assert_true(p[1].processor == 3 && p[1].threads == 2 && p[1].stamps == 4 && p[1].lost == 3);
    assert_true(p[1].first == -15 && p[1].last == 50 && p[1].busy == 50 + 65);
    free(p);
    history_free(h);
    str_release(&bytes);
}

static void nothing(void **state)
{
    (void)state;
    struct str bytes = STR_INIT;
    struct history_processor *p;
    put_start(&bytes);
    struct history *h = read_bytes(&bytes);
    assert_int_equal(history_first(h), 0);
    assert_int_equal(history_last(h), 0);
    assert_int_equal(history_processors(h, &p), 0);
    free(p);
    history_free(h);
    str_release(&bytes);
}

/* ---- names and results ---- */

/* The program's own names follow each other; numbers that nobody has are one point. */
static void names(void **state)
{
    (void)state;
    static const struct stamp_record records[] = {
        {1010, STAMP_NAMED, 0},     {1011, STAMP_NAMED + 1, 0}, {1012, STAMP_NAMED + 2, 0}, {1013, 5, 0},
        {1014, STAMP_NAMED - 1, 0}, {1015, END_G, 0},           {1016, STAMP_NAMED + 1, 0}};
    static const char *const wanted[] = {"own", "two", "(not known)", "(not known)", "(not known)", "g", "two"};
    const struct stamp_name first = {STAMP_NAMED, 0}, second = {STAMP_NAMED + 1, 0};
    struct str bytes = STR_INIT;
    put_start(&bytes);
    put(&bytes, STAMP_NAMES, &first, sizeof first, "own", 3);
    put(&bytes, STAMP_NAMES, &second, sizeof second, "two", 3);
    put_thread(&bytes, 1, records, 7, 0);
    struct history *h = read_bytes(&bytes);
    for (size_t i = 0; i < 7; i++)
        assert_string_equal(h->points.at[h->threads.at[0].stamps.at[i].point].name, wanted[i]);
    assert_int_equal(h->points.n, 5 + 2 + 1);
    assert_string_equal(h->points.at[0].file, "f.c");
    assert_int_equal(h->points.at[0].line, 3);
    assert_string_equal(h->points.at[0].function, "f");
    assert_int_equal(h->labels.n, 3 + 2 + 1);
    history_free(h);
    str_release(&bytes);
}

/* Results of 4 bytes: each the nearest to the one before, the first to the start, 1000. Equal ones that follow each other are
 * one stamp, 0 is none. */
static void results(void **state)
{
    (void)state;
    static const uint32_t low[] = {1000, 0, 1000, 1200, 1200, 0xFFFFFFF0, 16};
    static const uint64_t high[] = {5000, 0, 0, UINT64_C(1) << 40};
    static const int64_t wanted[] = {0, 200, -1016, -984};
    static const struct stamp_record records[] = {{1010, MARK, 0}};
    struct stamp_results head = {4, 1};
    struct str bytes = STR_INIT, body = STR_INIT;
    put_start(&bytes);
    str_add(&body, "c");
    str_addn(&body, (const char *)low, sizeof low);
    put(&bytes, STAMP_RESULTS, &head, sizeof head, body.s, body.len);
    str_release(&body);
    head.element = 8;
    head.name = 2;
    str_add(&body, "dd");
    str_addn(&body, (const char *)high, sizeof high);
    put(&bytes, STAMP_RESULTS, &head, sizeof head, body.s, body.len);
    put_thread(&bytes, 9, records, 1, 0);
    struct history *h = read_bytes(&bytes);
    assert_int_equal(h->threads.n, 3);
    assert_string_equal(h->threads.at[0].name, "thread 9");
    const struct history_thread *c = &h->threads.at[1], *d = &h->threads.at[2];
    if (strcmp(c->name, "results c") != 0)
        c = &h->threads.at[2], d = &h->threads.at[1];
    assert_string_equal(c->name, "results c");
    assert_string_equal(d->name, "results dd");
    assert_int_equal(c->unset, 1);
    assert_int_equal(c->stamps.n, 4);
    uint64_t ticks[] = {1000, 1200, UINT64_MAX - 15, 16};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(c->stamps.at[i].at, wanted[i]);
    for (size_t i = 0; i < 4; i++)
        assert_true(c->stamps.at[i].ticks == ticks[i]);
    assert_int_equal(c->stamps.at[0].processor, STAMP_NO_PROCESSOR);
    assert_string_equal(h->points.at[c->stamps.at[0].point].name, "result c");
    assert_int_equal(d->unset, 2);
    assert_int_equal(d->stamps.n, 2);
    assert_true(d->stamps.at[1].ticks == UINT64_C(1) << 40);
    says(h, "results c: 1 results have no stamp\n", true);
    says(h, "results c: the clock", false); /* results have no order */
    history_free(h);
    str_release(&body);
    str_release(&bytes);
}

/* ---- what is written ---- */

/* f from 10 to 30 ns on processor 3, a mark at 25 ns on an unknown one: times of a trace are microseconds. */
static void trace(void **state)
{
    (void)state;
    static const struct stamp_record records[] = {
        {1010, BEGIN_F, 3}, {1025, MARK, STAMP_NO_PROCESSOR}, {1030, END_F, 3}};
    struct str bytes = STR_INIT, text = STR_INIT;
    put_start(&bytes);
    put_thread(&bytes, 1, records, 3, 0);
    struct history *h = read_bytes(&bytes);
    assert_int_equal(history_write_trace(h, csv, 0), OK);
    assert_int_equal(file_read(&text, csv, FILE_LIMIT, 0), OK);
    assert_string_equal(
        str_text(&text),
        "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":\"prog\"},\"traceEvents\":[\n"
        "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":7,\"tid\":1,\"args\":{\"name\":\"thread 1\"}},\n"
        "{\"name\":\"f\",\"ph\":\"X\",\"ts\":0.0100,\"dur\":0.0200,\"pid\":7,\"tid\":1,\"args\":{\"processor\":3}},\n"
        "{\"name\":\"m\",\"ph\":\"i\",\"ts\":0.0250,\"pid\":7,\"tid\":1,\"s\":\"t\"}\n]}\n");
    history_free(h);
    str_release(&text);
    str_release(&bytes);
}

/* What a page draws: f from 0 to 20 ns after the first stamp, the mark after 15, the result after 30; no begin and no end is a mark. */
static void page(void **state)
{
    (void)state;
    static const struct stamp_record records[] = {
        {1010, BEGIN_F, 3}, {1025, MARK, STAMP_NO_PROCESSOR}, {1030, END_F, 3}};
    static const char result[] = {'c', 0x10, 4, 0, 0, 0, 0, 0, 0}; /* 1040 */
    const struct stamp_results head = {8, 1};
    struct str bytes = STR_INIT, text = STR_INIT;
    put_start(&bytes);
    put_thread(&bytes, 1, records, 3, 0);
    put(&bytes, STAMP_RESULTS, &head, sizeof head, result, sizeof result);
    struct history *h = read_bytes(&bytes);
    assert_int_equal(history_write_page(h, csv, 0), OK);
    assert_int_equal(file_read(&text, csv, FILE_LIMIT, 0), OK);
    char *data = strstr(text.s, "{\"length\":");
    assert_non_null(data);
    *strstr(data, "</script>") = 0;
    assert_string_equal(
        data,
        "{\"length\":30.0,\"who\":\"threads\",\"rows\":\"threads\",\"labels\":[\"f\",\"m\",\"g\","
        "\"result c\"],\"threads\":[{\"name\":\"thread 1\",\"bars\":[0,0.0,20.0,0,3,-1],\"marks\":[1,15.0,-1,-1]},"
        "{\"name\":\"results c\",\"bars\":[-1],\"marks\":[3,30.0,-1,-1]}]}");
    history_free(h);
    str_release(&text);
    str_release(&bytes);
}

static size_t times(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)) != 0; at += strlen(part))
        n++;
    return n;
}

/* A page shows the 50,000 longest intervals: of 50,001 of 2 ns and two of 3 and 1 ns that of 3 ns and 49,999 of the others. */
static void longest(void **state)
{
    (void)state;
    enum { N = 50003 };
    struct stamp_record *records = xcalloc(2 * N, sizeof *records);
    for (size_t i = 0; i < N; i++) {
        uint64_t at = 1000 + 10 * i;
        records[2 * i] = (struct stamp_record){at, BEGIN_F, 0};
        records[2 * i + 1] = (struct stamp_record){at + (i == 7 ? 1 : i == 9 ? 3 : 2), END_F, 0};
    }
    struct str bytes = STR_INIT, text = STR_INIT;
    put_start(&bytes);
    put_thread(&bytes, 1, records, 2 * N, 0);
    struct history *h = read_bytes(&bytes);
    assert_int_equal(history_write_page(h, csv, 0), OK);
    assert_int_equal(file_read(&text, csv, FILE_LIMIT, 0), OK);
    assert_int_equal(times(text.s, ",3.0,0,0,"), 1);
    assert_int_equal(times(text.s, ",2.0,0,0,"), 49999);
    assert_int_equal(times(text.s, ",1.0,0,0,"), 0);
    history_free(h);
    free(records);
    str_release(&text);
    str_release(&bytes);
}

/* The tables of a page, 2500 ns or ticks long. */
static void tables(void **state)
{
    (void)state;
    static const struct stamp_record records[] = {{1000, BEGIN_F, 0}, {3500, END_F, 0}};
    for (int known = 0; known < 2; known++) {
        const struct stamp_start s = {.at = {1000, 50}, .frequency = known ? 1000000000 : 0};
        const struct stamp_module_head m = {0, 5};
        struct str bytes = STR_INIT, text = STR_INIT;
        str_add(&bytes, STAMP_MAGIC);
        put(&bytes, STAMP_START, &s, sizeof s, "prog", 4);
        put(&bytes, STAMP_MODULE, &m, sizeof m, points, strlen(points));
        const struct stamp_thread_head t = {.thread = 1};
        put(&bytes, STAMP_THREAD, &t, sizeof t, records, sizeof records);
        struct history *h = read_bytes(&bytes);
        page_figures(h, &text);
        assert_non_null(strstr(text.s, known ? ">total \xc2\xb5s</th>" : ">total 1000 ticks</th>"));
        assert_non_null(strstr(text.s, ">2.50</td>"));
        assert_non_null(strstr(text.s, "the busiest thread has"));
        history_free(h);
        str_release(&text);
        str_release(&bytes);
    }
}

/* ---- lanes ---- */

/* Work-items of these times, on these processors. */
static struct history *items(const int64_t (*spans)[3], size_t n, unsigned deepest)
{
    struct history *h = xcalloc(1, sizeof *h);
    for (size_t i = 0; i < n; i++) {
        struct history_thread t = {.name = xstrdup(""), .number = (uint32_t)i + 1};
        vec_push(&t.stamps, (struct history_stamp){.at = spans[i][1], .processor = (uint32_t)spans[i][0]});
        vec_push(&t.stamps, (struct history_stamp){.at = spans[i][2], .processor = (uint32_t)spans[i][0]});
        vec_push(&t.intervals, (struct history_interval){.from = spans[i][1], .to = spans[i][2]});
        if (i == 0)
            vec_push(&t.intervals, (struct history_interval){.depth = deepest});
        vec_push(&h->threads, t);
    }
    lanes_find(h);
    return h;
}

/* Two levels each. On processor 2: 0-10, 5-15 beside it, 10-20 after the first; on 1 all begins anew. */
static void lanes(void **state)
{
    (void)state;
    static const int64_t spans[][3] = {{2, 5, 15}, {2, 0, 10}, {2, 10, 20}, {1, 7, 8}, {2, 14, 30}, {2, 15, 16}};
    static const unsigned wanted[] = {2, 0, 0, 0, 4, 2};
    struct history *h = items(spans, 6, 1);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(h->threads.at[i].lane, wanted[i]);
    assert_int_equal(h->said.len, 0);
    history_free(h);
}

/* 32 are side by side; the next one is drawn over the one that ends first, which is number 7 here, and ends earlier itself. */
static void too_many(void **state)
{
    (void)state;
    int64_t spans[34][3];
    for (int i = 0; i < 34; i++) {
        spans[i][0] = 0;
        spans[i][1] = i;
        spans[i][2] = i == 7 ? 500 : 1000 - i;
    }
    spans[32][2] = 100;
    struct history *h = items((const int64_t(*)[3])spans, 32, 0);
    assert_int_equal(h->threads.at[31].lane, 31);
    assert_int_equal(h->said.len, 0);
    history_free(h);
    h = items((const int64_t(*)[3])spans, 34, 0);
    assert_int_equal(h->threads.at[32].lane, 7);
    assert_int_equal(h->threads.at[33].lane, 7); /* until 500, not 100 */
    assert_string_equal(str_text(&h->said),
                        "2 work-items are drawn over others: a processor's row has 32 side by side\n");
    history_free(h);
}

/* ---- files that are damaged ---- */

/* After a start and its module this chunk. NULL: it is taken. */
static void chunk(uint32_t kind, const void *head, size_t n, const void *body, size_t m, const char *message)
{
    struct str bytes = STR_INIT;
    struct history *h = 0;
    struct error e = ERROR_INIT;
    put_start(&bytes);
    put(&bytes, kind, head, n, body, m);
    assert_int_equal(file_write(path, str_text(&bytes), bytes.len, 0), OK);
    enum status s = history_read(&h, path, 0, &e);
    if (message) {
        assert_int_equal(s, ERR_INPUT);
        char *text = error_text(&e);
        if (!strstr(text, message))
            fail_msg("'%s' is not in '%s'", message, text);
        free(text);
    } else {
        assert_int_equal(s, OK);
        history_free(h);
    }
    error_release(&e);
    str_release(&bytes);
}

static void damaged(void **state)
{
    (void)state;
    struct stamp_start s = {.at = {1000, 50}, .clock = STAMP_RDTSC};
    chunk(STAMP_START, &s, sizeof s, "", 0, "its start is cut, or there are two");
    struct stamp_module_head m = {5, 1};
    static const char line[] = "begin\tadd\tf\tf\tf.c\t3\n";
    chunk(STAMP_MODULE, &m, sizeof m, line, strlen(line), 0);
    chunk(STAMP_MODULE, &m, sizeof m - 1, "", 0, "a module's points are cut");
    m.first = 4;
    chunk(STAMP_MODULE, &m, sizeof m, line, strlen(line), "points are not numbered one after the other");
    m.first = 5;
    m.n_points = 2;
    chunk(STAMP_MODULE, &m, sizeof m, line, strlen(line), "a module's text does not list its points");
    m.n_points = 0;
    chunk(STAMP_MODULE, &m, sizeof m, line, strlen(line), "a module's text does not list its points");
    chunk(STAMP_MODULE, &m, sizeof m, "", 0, 0);
    m.n_points = (1 << 20) + 1;
    chunk(STAMP_MODULE, &m, sizeof m, line, strlen(line), "more points than a program has");
    m.n_points = 1 << 20;
    chunk(STAMP_MODULE, &m, sizeof m, line, strlen(line), "a module's text does not list its points");
    struct stamp_name name = {STAMP_NAMED, 0};
    chunk(STAMP_NAMES, &name, sizeof name, "x", 1, 0);
    chunk(STAMP_NAMES, &name, sizeof name - 1, "", 0, "the name of a point is cut");
    name.point = STAMP_NAMED + 1;
    chunk(STAMP_NAMES, &name, sizeof name, "x", 1, "names of points are not numbered one after the other");
    struct stamp_thread_head t = {.thread = 1};
    const struct stamp_record record = {1010, MARK, 0};
    chunk(STAMP_THREAD, &t, sizeof t, &record, sizeof record, 0);
    chunk(STAMP_THREAD, &t, sizeof t, &record, sizeof record - 1, "a thread's stamps are cut");
    chunk(STAMP_THREAD, &t, sizeof t - 1, "", 0, "a thread's stamps are cut");
    t.thread = 0;
    chunk(STAMP_THREAD, &t, sizeof t, &record, sizeof record, "a thread without a number, or too many of them");
    t.thread = 1 << 20;
    chunk(STAMP_THREAD, &t, sizeof t, &record, sizeof record, 0);
    t.thread++;
    chunk(STAMP_THREAD, &t, sizeof t, &record, sizeof record, "a thread without a number, or too many of them");
    struct stamp_results r = {4, 1};
    chunk(STAMP_RESULTS, &r, sizeof r - 1, "", 0, "results are cut");
    chunk(STAMP_RESULTS, &r, sizeof r, "c1234", 5, 0);
    chunk(STAMP_RESULTS, &r, sizeof r, "c", 1, 0);
    chunk(STAMP_RESULTS, &r, sizeof r, "", 0, "results of no known size");
    chunk(STAMP_RESULTS, &r, sizeof r, "c123", 4, "results of no known size");
    r.element = 2;
    chunk(STAMP_RESULTS, &r, sizeof r, "c1234", 5, "results of no known size");
    const struct stamp_end end = {{1010, 60}, 0, 0};
    chunk(STAMP_END, &end, sizeof end, "", 0, 0);
    chunk(STAMP_END, &end, sizeof end, "x", 1, "its end has another size");
    chunk(STAMP_NAMES + 1, "", 0, "", 0, "a part of a kind that is not known");
    chunk(0, "", 0, "", 0, "a part of a kind that is not known");
}

static void refused(const char *bytes, size_t n, const char *module, const char *message)
{
    struct history *h = 0;
    struct error e = ERROR_INIT;
    assert_int_equal(file_write(path, bytes, n, 0), OK);
    assert_int_equal(history_read(&h, path, module, &e), ERR_INPUT);
    char *text = error_text(&e);
    if (!strstr(text, message))
        fail_msg("'%s' is not in '%s'", message, text);
    free(text);
    error_release(&e);
}

static void no_start(void **state)
{
    (void)state;
    struct str bytes = STR_INIT;
    refused("", 0, 0, "not a file of stamps");
    refused(STAMP_MAGIC, 15, 0, "not a file of stamps");
    refused(STAMP_MAGIC, 16, 0, "it ends before its start");
    refused(STAMP_MAGIC, 16, "m.bc", "leave out --module");
    str_add(&bytes, STAMP_MAGIC);
    put_end(&bytes, 1010, 60, 0);
    refused(bytes.s, bytes.len, 0, "it does not begin with its start");
    str_release(&bytes);
    struct stamp_start s = {.at = {1000, 50}, .clock = STAMP_CLOCKS};
    str_add(&bytes, STAMP_MAGIC);
    put(&bytes, STAMP_START, &s, sizeof s, "p", 1);
    refused(bytes.s, bytes.len, 0, "a clock that is not known");
    str_release(&bytes);
}

/* ---- texts of modules ---- */

/* The text lists so many points. */
static bool lists(const char *text, size_t n)
{
    struct history h = {0};
    struct point_list l = {.h = &h};
    bool good = points_add_text(&l, text, strlen(text), n);
    points_release(&l);
    for (size_t i = 0; i < h.points.n; i++) {
        free(h.points.at[i].name);
        free(h.points.at[i].mode);
        free(h.points.at[i].function);
        free(h.points.at[i].file);
    }
    for (size_t i = 0; i < h.labels.n; i++)
        free(h.labels.at[i]);
    vec_release(&h.points);
    vec_release(&h.labels);
    return good;
}

static void texts(void **state)
{
    (void)state;
    assert_true(lists("", 0));
    assert_true(lists("begin\tadd\tf\tf\tf.c\t0\n", 1));
    assert_true(lists("result\tadd\tf\tf\tf.c\t2147483647", 1));
    assert_false(lists("result\tadd\tf\tf\tf.c\t2147483648\n", 1));
    assert_false(lists("begin\tadd\tf\tf\tf.c\t-1\n", 1));
    assert_false(lists("begin\tadd\tf\tf\tf.c\tx\n", 1));
    assert_false(lists("begin\tadd\tf\tf\tf.c\n", 1));
    assert_false(lists("begin\tadd\tf\tf\tf.c\t3\t4\n", 1));
    assert_false(lists("began\tadd\tf\tf\tf.c\t3\n", 1));
    assert_false(lists("begin\tadd\tf\tf\tf.c\t3\nend\tadd\tf\tf\tf.c\t3\n", 1));
}

/* One module has f and lacks g; another lacks f. So nobody has g. */
static void missing(void **state)
{
    (void)state;
    const struct stamp_start s = {.at = {1000, 50}, .frequency = 1000000000};
    const struct stamp_module_head m = {0, 0};
    static const char one[] = "found\tfunction:f\nmissing\tfunction:gg\tg\tf\n",
                      two[] = "missing\tfunction:f\th\nmissing\tfunction:gg\th\n";
    struct str bytes = STR_INIT;
    str_add(&bytes, STAMP_MAGIC);
    put(&bytes, STAMP_START, &s, sizeof s, "p", 1);
    put(&bytes, STAMP_MODULE, &m, sizeof m, one, strlen(one));
    put(&bytes, STAMP_MODULE, &m, sizeof m, two, strlen(two));
    struct history *h = read_bytes(&bytes);
    says(h, "function:gg: no module of the program has this point; did you mean 'g'; there are: g, f, h\n", true);
    says(h, "function:f:", false);
    assert_int_equal(h->missing.n, 3);
    struct str text = STR_INIT;
    history_notes(h, &text);
    char *again = strstr(str_text(&text), "function:gg");
    assert_non_null(again);
    assert_null(strstr(again + 1, "function:gg")); /* said once */
    str_release(&text);
    history_free(h);
    str_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest),  cmocka_unit_test(back),     cmocka_unit_test(far_away), cmocka_unit_test(noted),
        cmocka_unit_test(rates),    cmocka_unit_test(in_parts), cmocka_unit_test(nothing),  cmocka_unit_test(names),
        cmocka_unit_test(results),  cmocka_unit_test(trace),    cmocka_unit_test(tables),   cmocka_unit_test(page),
        cmocka_unit_test(longest),  cmocka_unit_test(lanes),    cmocka_unit_test(too_many), cmocka_unit_test(damaged),
        cmocka_unit_test(no_start), cmocka_unit_test(texts),    cmocka_unit_test(missing)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
