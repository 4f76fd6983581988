/*
 * test_stamp_draw.c - the drawing of a history, the data and tables of its page: places and figures by hand.
 *
 * Of 2000 ns thread 1 is in f all the time and in g from 400 to 800, with marks at 1000 and 1500; thread 2 is in f for 1 ns from 100, 101 and
 * 103 on. A drawing of 650 pixels has 500 of them from 130 on: a quarter of a pixel each ns.
 */
#include "stamp_bytes.h"

#define SP    "\xe2\x80\xaf" /* before a unit */
#define MICRO "\xc2\xb5s"

static struct history *made(uint64_t frequency)
{
    static const struct stamp_record one[] = {{1000, BEGIN_F, 10}, {1400, BEGIN_G, 2},       {1800, END_G, 2},
                                              {2000, MARK, 2},     {2500, MARK, UINT32_MAX}, {3000, END_F, 10}};
    static const struct stamp_record two[] = {{1100, BEGIN_F, 2}, {1101, END_F, 2},   {1101, BEGIN_F, 2},
                                              {1102, END_F, 2},   {1103, BEGIN_F, 2}, {1104, END_F, 2}};
    const struct stamp_start s = {.at = {1000, 50}, .frequency = frequency, .cost = 2500, .room = 9, .process = 7};
    const struct stamp_module_head m = {0, 5};
    const struct stamp_end end = {{1000, 2050}, 0, 2};
    struct str bytes = STR_INIT;
    str_add(&bytes, STAMP_MAGIC);
    put(&bytes, STAMP_START, &s, sizeof s, "/bin/pr<g", 9);
    put(&bytes, STAMP_MODULE, &m, sizeof m, points, strlen(points));
    put_thread(&bytes, 1, one, 6, 4);
    put_thread(&bytes, 2, two, 6, 0);
    put(&bytes, STAMP_END, &end, sizeof end, "", 0);
    struct history *h = read_bytes(&bytes);
    str_release(&bytes);
    return h;
}

/* All of `wanted`, in this order. */
static void in_order(const char *text, const char *const *wanted, size_t n)
{
    const char *at = text;
    for (size_t i = 0; i < n; i++) {
        const char *found = strstr(at, wanted[i]);
        if (!found)
            fail_msg("not there, or not in order: %s\nin\n%s", wanted[i], text);
        at = found + strlen(wanted[i]);
    }
}
#define EXPECT(text, ...)                                                                                              \
    do {                                                                                                               \
        const char *const wanted_[] = {__VA_ARGS__};                                                                   \
        in_order(text, wanted_, sizeof wanted_ / sizeof *wanted_);                                                     \
    } while (0)

static char *drawn(const struct history *h, bool by_processor, bool alone)
{
    struct str out = STR_INIT;
    struct gantt g;
    gantt_make(&g, h, by_processor);
    gantt_svg(&out, h, &g, 650, alone);
    gantt_release(&g);
    return str_detach(&out);
}

/* Three lanes of 16 pixels from 34 on for thread 1: f, g, marks; after 8 more one for thread 2: to 90 + 16 + 8 = 114; its key 20 below 120. */
static void by_thread(void **state)
{
    (void)state;
    struct history *h = made(1000000000);
    char *text = drawn(h, false, true);
    EXPECT(text, "viewBox=\"0 0 650 140\" width=\"650\" height=\"140\"", "<style>",
           "<text class=\"row\" x=\"122\" y=\"45\">thread 1</text>\n"
           "<rect class=\"b0\" x=\"130.00\" y=\"34\" width=\"500.00\" height=\"14\"><title>f, thread 1: 0" SP
           "ns and 2" SP MICRO " long</title></rect>\n"
           "<rect class=\"b2\" x=\"230.00\" y=\"50\" width=\"100.00\" height=\"14\"><title>g, thread 1: 400" SP
           "ns and 400" SP "ns long</title></rect>\n"
           "<path class=\"m1\" d=\"M380.00 66v14\"><title>m, thread 1: 1" SP MICRO "</title></path>\n"
           "<path class=\"m1\" d=\"M505.00 66v14\"><title>m, thread 1: 1.5" SP MICRO "</title></path>\n"
           "<text class=\"row\" x=\"122\" y=\"101\">thread 2</text>\n"
           /* 100 to 102 is half a pixel: not less than that */
           "<rect class=\"b0\" x=\"155.00\" y=\"90\" width=\"0.30\" height=\"14\"><title>f, thread 2: 100" SP
           "ns and 1" SP "ns long</title></rect>\n"
           "<rect class=\"b0\" x=\"155.25\" y=\"90\" width=\"0.30\" height=\"14\"><title>f, thread 2: 101" SP
           "ns and 1" SP "ns long</title></rect>\n"
           "<rect class=\"b0\" x=\"155.75\" y=\"90\" width=\"0.30\" height=\"14\">",
           "<line class=\"grid\" x1=\"130.0\" x2=\"130.0\" y1=\"28\" y2=\"114\"/><text class=\"tick\" x=\"130.0\" "
           "y=\"22\">0" SP "ns</text>\n",
           "<line class=\"grid\" x1=\"380.0\" x2=\"380.0\" y1=\"28\" y2=\"114\"/><text class=\"tick\" x=\"380.0\" "
           "y=\"22\">1" SP MICRO "</text>\n",
           "x=\"630.0\" y=\"22\">2" SP MICRO "</text>\n",
           "<rect class=\"b0\" x=\"130\" y=\"120\" width=\"12\" height=\"12\"/><text class=\"key\" x=\"147\" "
           "y=\"131\">f</text>\n"
           "<rect class=\"b1\" x=\"163\" y=\"120\" width=\"12\" height=\"12\"/><text class=\"key\" x=\"180\" "
           "y=\"131\">m</text>\n"
           "<rect class=\"b2\" x=\"196\" y=\"120\"",
           "</svg>\n");
    free(text);
    history_free(h);
}

/* Rows by number; what the clock's rate is not known of is in ticks; a style only in a file of its own. */
static void by_processor(void **state)
{
    (void)state;
    struct history *h = made(1000000000);
    h->per_ns = 0;
    char *text = drawn(h, true, false);
    assert_null(strstr(text, "<style>"));
    EXPECT(text, ">processor 2</text>\n<rect class=\"b0\" x=\"155.00\" y=\"34\"",
           "<rect class=\"b2\" x=\"230.00\" y=\"50\" width=\"100.00\" height=\"14\"><title>g, thread 1: 400" SP
           "ticks and 400" SP "ticks long</title></rect>\n<path class=\"m1\" d=\"M380.00 66v14\">",
           "y=\"101\">processor 10</text>\n<rect class=\"b0\" x=\"130.00\" y=\"90\" width=\"500.00\"",
           "y=\"125\">processor not known</text>\n<path class=\"m1\" d=\"M505.00 114v14\">", ">2000" SP "ticks</text>");
    free(text);
    history_free(h);
}

/* What begins within half a pixel of the first and ends there is drawn as one, and says how many. */
static void together(void **state)
{
    (void)state;
    struct history *h = made(1000000000);
    struct history_thread *t = &h->threads.at[1];
    for (size_t i = 0; i < t->intervals.n; i++)
        t->intervals.at[i].to = t->intervals.at[i].from; /* of no length: 100, 101, 103 */
    char *text = drawn(h, false, false);
    EXPECT(
        text,
        ">thread 2</text>\n<rect class=\"d b0\" x=\"155.00\" y=\"90\" width=\"0.30\" height=\"14\"><title>f, thread 2: "
        "and others, 2 in all, 100" SP "ns and 0" SP "ns long</title></rect>\n<rect class=\"b0\" x=\"155.75\"");
    free(text);
    history_free(h);
}

/* Keys of 26 pixels and 7 each letter, from 130 up to 630; what does not fit goes to the next line. */
static void keys(void **state)
{
    (void)state;
    struct history *h = made(1000000000);
    static const struct {
        size_t letters;
        const char *second, *third;
        int height;
    } rows[] = {{58, "<rect class=\"b1\" x=\"163\" y=\"120\"", "<rect class=\"b2\" x=\"595\" y=\"120\"", 140},
                {59, "<rect class=\"b1\" x=\"163\" y=\"120\"", "<rect class=\"b2\" x=\"130\" y=\"140\"", 160},
                {63, "<rect class=\"b1\" x=\"163\" y=\"120\"", "<rect class=\"b2\" x=\"130\" y=\"140\"", 160},
                {64, "<rect class=\"b1\" x=\"130\" y=\"140\"", "<rect class=\"b2\" x=\"130\" y=\"160\"", 180}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        free(h->labels.at[1]);
        h->labels.at[1] = xcalloc(rows[i].letters + 1, 1);
        memset(h->labels.at[1], 'm', rows[i].letters);
        char *text = drawn(h, false, false), *height = xasprintf("viewBox=\"0 0 650 %d\"", rows[i].height);
        EXPECT(text, height, rows[i].second, rows[i].third);
        free(height);
        free(text);
    }
    history_free(h);
}

static char *page_of(const struct history *h)
{
    struct str text = STR_INIT;
    assert_int_equal(history_write_page(h, csv, 0), OK);
    assert_int_equal(file_read(&text, csv, FILE_LIMIT, 0), OK);
    return str_detach(&text);
}

#define CELL(exact, shown) "<td class=\"num\" data-v=\"" exact "\">" shown "</td>"

static void page(void **state)
{
    (void)state;
    struct history *h = made(1000000000);
    char *text = page_of(h);
    EXPECT(text, "<title>pr&lt;g: execution history</title>",
           "<h1>pr&lt;g</h1>\n<p class=\"under\">process 7, 2 threads</p>",
           "<ul class=\"notes\">\n<li>thread 1: 4 stamps found no room and are missing at its end; IRPROF_STAMPS=10 "
           "keeps them all</li>\n</ul>\n",
           ">Threads over time<", "viewBox=\"0 0 1040 140\"", "<th scope=\"col\">first " MICRO "</th>",
           "<tr><th scope=\"row\">thread 1</th>" CELL("6", "6") CELL("4", "4") CELL("0", "0"),
           "<tr><th scope=\"row\">thread 2</th>" CELL("6", "6") CELL("0", "0"),
           /* f: 4 intervals of 2 threads, 2003 ns; the mean thread has 1001.5, thread 1 has 2000: 99.7 % more */
           "<tr><th scope=\"row\">f</th>" CELL("4", "4") CELL("2", "2"),
           "<tr><th scope=\"row\">m</th>" CELL("2", "2") CELL("1", "1") "<td></td><td></td><td></td><td></td>",
           "<tr><th scope=\"row\">g</th>" CELL("1", "1") CELL("1", "1"),
           "{\"length\":2000.0,\"who\":\"threads\",\"rows\":\"threads\",\"labels\":[\"f\",\"m\",\"g\"],\"threads\":["
           "{\"name\":\"thread "
           "1\",\"bars\":[0,0.0,2000.0,0,10,2,400.0,400.0,1,2,-1],\"marks\":[1,1000.0,2,1,1500.0,-1,-1]},"
           "{\"name\":\"thread 2\",\"bars\":[0,100.0,1.0,0,2,0,101.0,1.0,0,2,0,103.0,1.0,0,2,-1],\"marks\":[-1]}]}");
    free(text);
    free(h->threads.at[0].name);
    h->threads.at[0].name = xstrdup("a\"b\\c\n");
    h->threads.at[0].lane = 3;
    h->threads.at[0].lost = 0;
    h->per_ns = 0;
    text = page_of(h);
    EXPECT(text, "<li>the clock", "\"rows\":\"threads\",\"ticks\":true,\"labels\"",
           "{\"name\":\"a\\u0022b\\u005cc\\u000a\",\"lane\":3,\"bars\":[");
    free(text);
    history_free(h);
}

/* Tables of threads: shares of the whole, and what 6 stamps of 2.5 ticks cost of it: 0.75 %. Of processors: what began there. */
static void progress(void **state)
{
    (void)state;
    struct history *h = made(1000000000);
    struct str text = STR_INIT;
    page_progress(h, &text);
    EXPECT(str_text(&text), "<th scope=\"col\">stamps&#39; own cost</th>",
           "<tr><th scope=\"row\">thread 1</th>" CELL("6", "6") CELL("4", "4"), CELL("2000", "2.00"),
           CELL("1", "100.0" SP "%"), "data-v=\"0.0075\">",
           "<tr><th scope=\"row\">thread 2</th>" CELL("6", "6") CELL("0", "0"), "data-v=\"100\">", "data-v=\"104\">",
           "data-v=\"0.0015\">", "data-v=\"0.0075\">");
    str_clear(&text);
    h->kernels = true;
    page_progress(h, &text);
    /* busy: 2000 and 3; the mean has 1001.5 */
    EXPECT(str_text(&text), "<tr><th scope=\"row\">2</th>" CELL("1", "1") CELL("6", "6") CELL("0", "0"),
           "data-v=\"100\">", "data-v=\"104\">", "data-v=\"3\">", "data-v=\"-0.997",
           "<tr><th scope=\"row\">10</th>" CELL("1", "1") CELL("6", "6") CELL("4", "4"), "data-v=\"2000\">",
           "data-v=\"2000\">", "data-v=\"0.997");
    str_release(&text);
    history_free(h);
}

/* Complete events for intervals, instants for marks, in microseconds. */
static void trace(void **state)
{
    (void)state;
    struct history *h = made(1000000000);
    struct str text = STR_INIT;
    assert_int_equal(history_write_trace(h, csv, 0), OK);
    assert_int_equal(file_read(&text, csv, FILE_LIMIT, 0), OK);
    EXPECT(
        str_text(&text),
        "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":\"/bin/pr<g\"},\"traceEvents\":[\n"
        "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":7,\"tid\":1,\"args\":{\"name\":\"thread 1\"}},\n"
        "{\"name\":\"f\",\"ph\":\"X\",\"ts\":0.0000,\"dur\":2.0000,\"pid\":7,\"tid\":1,\"args\":{\"processor\":10}},\n"
        "{\"name\":\"g\",\"ph\":\"X\",\"ts\":0.4000,\"dur\":0.4000,\"pid\":7,\"tid\":1,\"args\":{\"processor\":2}},\n"
        "{\"name\":\"m\",\"ph\":\"i\",\"ts\":1.0000,\"pid\":7,\"tid\":1,\"s\":\"t\",\"args\":{\"processor\":2}},\n"
        "{\"name\":\"m\",\"ph\":\"i\",\"ts\":1.5000,\"pid\":7,\"tid\":1,\"s\":\"t\"},\n"
        "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":7,\"tid\":2,\"args\":{\"name\":\"thread 2\"}},\n",
        "\"dur\":0.0010,\"pid\":7,\"tid\":2,\"args\":{\"processor\":2}}\n]}\n");
    str_clear(&text);
    free(h->program);
    h->program = xstrdup("\xff");
    assert_int_equal(history_write_trace(h, csv, 0), OK);
    assert_int_equal(file_read(&text, csv, FILE_LIMIT, 0), OK);
    EXPECT(str_text(&text), "{\"program\":\"(not UTF-8)\"}");
    str_release(&text);
    history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_thread), cmocka_unit_test(by_processor), cmocka_unit_test(together), cmocka_unit_test(keys),
        cmocka_unit_test(page),      cmocka_unit_test(progress),     cmocka_unit_test(trace)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
