/*
 * test_report_places.c - a report of five programs: rows, sentences, and where each mark and line stands. The ends of
 * each axis, the errors and the order of rows were derived by hand from the data; places on an axis are calculated here from its ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "shimgen/report/report.h"

/* NOLINTBEGIN(bugprone-suspicious-missing-comma): one text goes on over lines */
#define SP          "\xe2\x80\xaf" /* before a unit */
#define MINUS       "\xe2\x88\x92"
#define PM          "\xc2\xb1"
#define X           REPORT_UNKNOWN
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Held-out errors -25 %, +10 %, +20 %, +300 %; spreads 1 %, 5 %, 0; accounted for 75 % and 150 %. The last one was not measured. */
static const double shares[2][4] = {{0.5, 0.2, 0.3, 0}, {0, 0, 1, 0}}, accounts[2][2] = {{0.5, 0.25}, {1, 0.5}};
static struct report_program programs[5];
static const double schedule[] = {1050, 90, 11000, X, 7}, schedule_left_out[] = {800, 130, X, X, X},
                    sum[] = {2000, X, 9000, 250, X}, each[] = {-0.25, 0.1};
static const struct report_estimator estimators[] = {{"schedule", "times", schedule, schedule_left_out},
                                                     {"sum", NULL, sum, NULL}};
static struct report_evaluation evaluations[4];
static struct report_value values[2];
static struct report_instruction instructions[2];
static const char *classes[] = {"load", "add", "div", "other"}, *kinds[] = {"int", "mem"};

static struct report make(void)
{
    struct report r = REPORT_INIT;
    for (size_t i = 0; i < COUNT(programs); i++)
        programs[i] = (struct report_program)REPORT_PROGRAM_INIT;
    struct report_program *p = programs;
    p->name = "s/a@O1", p->set = "s", p->domain = "d1", p->level = "O1", p->measured = 1000, p->stddev = 10;
    p->runs = 7, p->dropped = 1, p->predicted = 1100, p->predicted_heldout = 750, p->low = 700, p->high = 900;
    p->instructions = 500, p->shares = shares[0], p->account = accounts[0];
    p++;
    p->name = "s/b@O2", p->set = "s", p->domain = "d2", p->level = "O2", p->measured = 100, p->stddev = 5, p->runs = 5;
    p->predicted = 95, p->predicted_heldout = 110, p->low = 100, p->high = 120, p->shares = shares[1];
    p->account = accounts[1];
    p++;
    p->name = "t/c@O1", p->set = "t", p->domain = "d1", p->level = "O1", p->role = REPORT_TEST, p->region = "loop";
    p->measured = 10000, p->stddev = 0, p->predicted = 12000;
    p++;
    p->name = "t/d@O2", p->set = "t", p->level = "O2", p->role = REPORT_TEST, p->region = "main", p->measured = 200;
    p->predicted = 800;
    p++;
    p->name = "u/e", p->predicted = 5;
    for (size_t i = 0; i < COUNT(evaluations); i++) {
        evaluations[i] = (struct report_evaluation)REPORT_EVALUATION_INIT;
        evaluations[i].classes = "c", evaluations[i].solver = "s", evaluations[i].scheme = "leave-one-out";
    }
    evaluations[0].train = (struct report_errors){2, 0.025, 0.075, 0.075, 0.1, NULL, NULL};
    evaluations[0].heldout = (struct report_errors){2, -0.075, 0.175, 0.2, -0.25, "s/a@O1", each};
    evaluations[1].scheme = "test programs";
    evaluations[1].heldout = (struct report_errors){2, 1.6, 1.6, 1.6, 3, "t/d@O2", NULL};
    evaluations[2].classes = "one", evaluations[2].solver = "mean", evaluations[2].baseline = true;
    evaluations[2].heldout = (struct report_errors){2, 0.125, 0.5, 0.5, -0.9, "s/b@O2", NULL};
    evaluations[3].solver = "none", evaluations[3].why_not = "no event";
    values[0] = values[1] = (struct report_value)REPORT_VALUE_INIT;
    values[0].variable = "load", values[0].value = 2, values[0].low = 1, values[0].high = 4, values[0].rows = 2;
    values[0].count = 1000, values[0].share = 0.5;
    values[1].variable = "div", values[1].value = 8, values[1].inherited = "all";
    instructions[0] = (struct report_instruction){"add", {1, 2, 4}, {3, 5, 10}, NULL, "e"};
    instructions[1] = (struct report_instruction){"sub", REPORT_CYCLES_INIT, {X, 2, X}, "add", NULL};
    r.title = "B", r.classes = classes, r.n_classes = 4, r.accounts = kinds, r.n_accounts = 2, r.account_model = "m";
    r.clock.event = "CYC", r.clock.core_cycles = true, r.interval = 0.9;
    r.programs = programs, r.n_programs = COUNT(programs);
    r.evaluations = evaluations, r.n_evaluations = COUNT(evaluations);
    r.chosen_classes = "c", r.chosen_solver = "s";
    r.estimators = estimators, r.n_estimators = COUNT(estimators);
    r.values = values, r.n_values = COUNT(values);
    r.instructions = instructions, r.n_instructions = 2, r.micro = instructions, r.n_micro = 1;
    return r;
}

/* The section of a report; the lines of lanes' scales, whose names are places on the page, are left out. The caller frees. */
static char *section(const struct report *r, const char *id)
{
    struct str page = STR_INIT, out = STR_INIT;
    report_html(r, &page);
    char *open = xasprintf("<section id=\"%s\"", id), *begin = strstr(page.s, open);
    assert_non_null(begin);
    *strstr(begin, "</section>") = 0;
    static const char lines[] = "<use href=\"#lines-";
    for (const char *at; (at = strstr(begin, lines)); begin = strchr(at, '>') + 1)
        str_addn(&out, begin, (size_t)(at - begin));
    str_add(&out, begin);
    free(open);
    str_release(&page);
    return str_detach(&out);
}

static void expect_in_order(const char *id, const struct report *r, const char *const *wanted, size_t n)
{
    char *text = section(r, id);
    const char *at = text;
    for (size_t i = 0; i < n; i++) {
        const char *found = strstr(at, wanted[i]);
        if (!found) {
            fprintf(stderr, "%s\n", text);
            fail_msg("section %s, not there or not in order:\n%s", id, wanted[i]);
        }
        at = found + strlen(wanted[i]);
    }
    free(text);
}
#define EXPECT(r, id, ...)                                                                                             \
    do {                                                                                                               \
        const char *const wanted_[] = {__VA_ARGS__};                                                                   \
        expect_in_order(id, r, wanted_, COUNT(wanted_));                                                               \
    } while (0)

/* ---- places: texts that stay valid until the test ends ---- */

static char *kept[512];
static size_t n_kept;

static int drop(void **state)
{
    (void)state;
    while (n_kept)
        free(kept[--n_kept]);
    return 0;
}

static const char *keep(char *text)
{
    assert_true(n_kept < COUNT(kept));
    return kept[n_kept++] = text;
}

/* "12.5%", with at most three decimals. */
static const char *percent(double place)
{
    char *text = xasprintf("%.3f", place);
    size_t n = strlen(text);
    while (text[n - 1] == '0')
        n--;
    text[text[n - 1] == '.' ? n - 1 : n] = 0;
    const char *whole = keep(xasprintf("%s%%", text));
    free(text);
    return whole;
}

/* An axis: logarithmic from lo to hi, of which `slot` per cent are kept for zero. */
struct axis {
    double lo, hi, slot;
};
static double on(struct axis a, double value)
{
    return value <= 0 ? 0 : a.slot + (100 - a.slot) * log10(value / a.lo) / log10(a.hi / a.lo);
}

static const char *mark(const char *kind, const char *shape, const char *tip, double x, const char *y)
{
    return keep(xasprintf("<g class=\"mark %s\"><title>%s</title><use href=\"#mark-%s\" x=\"%s\" y=\"%s\"/></g>\n",
                          kind, tip, shape, percent(x), y));
}

static const char *range(const char *class, double from, double to, const char *y)
{
    return keep(xasprintf("<line class=\"%s\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>", class, percent(from),
                          percent(to), y, y));
}

static const char *stroke(const char *class, double at, const char *from, const char *to)
{
    return keep(xasprintf("<line class=\"%s\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>", class, percent(at),
                          percent(at), from, to));
}

/* Texts one after the other. */
static const char *join(const char *const *parts, size_t n)
{
    struct str s = STR_INIT;
    for (size_t i = 0; i < n; i++)
        str_add(&s, parts[i]);
    return keep(str_detach(&s));
}
#define JOIN(...)            join((const char *const[]){__VA_ARGS__}, COUNT(((const char *const[]){__VA_ARGS__})))
#define NUMBER(exact, shown) "<td class=\"num\" data-v=\"" exact "\">" shown "</td>"
#define DASH                 "\xe2\x80\x93" /* what is not known */
#define NONE                 "<td class=\"num\">" DASH "</td>"
#define LANES(height)        "<td class=\"lanes\"><div class=\"lane\"><svg height=\"" height "\" aria-hidden=\"true\">"
#define LANES_END            "</svg></div></td>"

/* ---- predicted against measured ---- */

/* From the smallest prediction, 5, to the 2 x 10^4 above the largest, 12000. */
static void scatter(void **state)
{
    (void)state;
    struct report r = make();
    static const struct axis a = {5, 20000, 0};
    struct str band[2] = {STR_INIT, STR_INIT};
    for (int i = 0; i < 2; i++) {
        double d = i ? 0.1 : 0.2, up = 10 * on(a, 5 * (1 + d)), down = 10 * on(a, 20000 * (1 - d));
        str_addf(
            &band[i],
            "<polygon class=\"band%d\" points=\"0.0,1000.0 0.0,%.1f %.1f,0.0 1000.0,0.0 1000.0,%.1f %.1f,1000.0\"/>",
            i ? 10 : 20, 1000 - up, 10 * on(a, 20000 / (1 + d)), 1000 - down, 10 * on(a, 5 / (1 - d)));
    }
#define ON(kind, shape, tip, x, y) mark(kind, shape, tip, on(a, x), percent(100 - on(a, y)))
    EXPECT(&r, "accuracy",
           "Of 4 held-out predictions (test programs included), 1 are within " PM "10" SP "% and 2 within " PM "20" SP
           "%. The measured value lies in the stated interval for 1 of 2; 90" SP "% are intended.</p>",
           "held out: predicted without this program\xe2\x80\x99s group</li>", "test program: never in any fit</li>",
           "training: fitted on this program too</li>", "within " PM "10" SP "%</li>", "within " PM "20" SP "%</li>",
           str_text(&band[0]), str_text(&band[1]),
           "<line class=\"identity\" x1=\"0%\" y1=\"100%\" x2=\"100%\" y2=\"0%\"/>\n",
           JOIN(ON("train", "train", "s/a@O1: measured 1" SP "000, fitted 1" SP "100 (+10.0" SP "%)", 1000, 1100),
                ON("train", "train", "s/b@O2: measured 100, fitted 95 (" MINUS "5.0" SP "%)", 100, 95),
                ON("heldout", "heldout", "s/a@O1: measured 1" SP "000, held-out prediction 750 (" MINUS "25.0" SP "%)",
                   1000, 750),
                ON("heldout", "heldout", "s/b@O2: measured 100, held-out prediction 110 (+10.0" SP "%)", 100, 110),
                ON("test", "test", "t/c@O1 loop: measured 10" SP "000, held-out prediction 12" SP "000 (+20.0" SP "%)",
                   10000, 12000),
                ON("test", "test", "t/d@O2 main: measured 200, held-out prediction 800 (+300.0" SP "%)", 200, 800),
                "</svg>"));
#undef ON
    str_release(&band[0]);
    str_release(&band[1]);
}

/* Errors from -200 % to 200 %: 97 of 100 errors, by 0.25 + 0.91 x (3 - 0.25), are within 2.75, more than there is. */
static void residuals(void **state)
{
    (void)state;
    struct report r = make();
    static const struct axis a = {100, 10000, 0};
    EXPECT(
        &r, "accuracy", "<figure id=\"residuals\">",
        "<polygon class=\"band20\" points=\"0.0,550.0 0.0,450.0 1000.0,450.0 1000.0,550.0\"/>",
        "<polygon class=\"band10\" points=\"0.0,525.0 0.0,475.0 1000.0,475.0 1000.0,525.0\"/>",
        "<line class=\"identity\" x1=\"0%\" y1=\"50%\" x2=\"100%\" y2=\"50%\"/>",
        mark("train", "train", "s/a@O1: measured 1" SP "000, fitted 1" SP "100 (+10.0" SP "%)", on(a, 1000), "47.5%"),
        mark("train", "train", "s/b@O2: measured 100, fitted 95 (" MINUS "5.0" SP "%)", on(a, 100), "51.25%"),
        mark("heldout", "heldout", "s/a@O1: measured 1" SP "000, held-out prediction 750 (" MINUS "25.0" SP "%)",
             on(a, 1000), "56.25%"),
        mark("heldout", "heldout", "s/b@O2: measured 100, held-out prediction 110 (+10.0" SP "%)", 0, "47.5%"),
        mark("test", "test", "t/c@O1 loop: measured 10" SP "000, held-out prediction 12" SP "000 (+20.0" SP "%)", 100,
             "45%"),
        mark("test", "above", "t/d@O2 main: measured 200, held-out prediction 800 (+300.0" SP "%)", on(a, 200), "0%"),
        "A triangle at the edge stands for an error beyond 200.0" SP "%.");
    programs[3].predicted = X; /* errors of 10, 20 and 25 %: up to 30 % */
    EXPECT(&r, "accuracy", "<figure id=\"residuals\">", "stands for an error beyond 30.0" SP "%.");
    programs[0].low = X;
    programs[1].high = X;
    char *text = section(&r, "accuracy");
    assert_null(strstr(text, "stated interval"));
    free(text);
}

/* By set: t 20 and 300 %, s 25 and 10 %; by level O2 10 and 300, O1 25 and 20; by domain d1 25 and 20, d2 10. Up to 5, above 3. */
static void breakdown(void **state)
{
    (void)state;
    struct report r = make();
    static const struct axis a = {0.01, 5, 6};
    static const struct {
        const char *cells, *name;
        double mean, worst;
    } rows[] = {{"<tr><td>set</td><th scope=\"row\">t</th><td class=\"num\">2</td>" NUMBER("1.6", "160.0" SP "%")
                     NUMBER("3", "+300.0" SP "%"),
                 "t", 1.6, 3},
                {"<tr><td>set</td><th scope=\"row\">s</th><td class=\"num\">2</td>" NUMBER("0.175", "17.5" SP "%")
                     NUMBER("-0.25", MINUS "25.0" SP "%"),
                 "s", 0.175, 0.25},
                {"<tr><td>level</td><th scope=\"row\">O2</th><td class=\"num\">2</td>" NUMBER("1.55", "155.0" SP "%")
                     NUMBER("3", "+300.0" SP "%"),
                 "O2", 1.55, 3},
                {"<tr><td>level</td><th scope=\"row\">O1</th><td class=\"num\">2</td>" NUMBER("0.225", "22.5" SP "%")
                     NUMBER("-0.25", MINUS "25.0" SP "%"),
                 "O1", 0.225, 0.25},
                {"<tr><td>domain</td><th scope=\"row\">d1</th><td class=\"num\">2</td>" NUMBER("0.225", "22.5" SP "%")
                     NUMBER("-0.25", MINUS "25.0" SP "%"),
                 "d1", 0.225, 0.25},
                {"<tr><td>domain</td><th scope=\"row\">d2</th><td class=\"num\">1</td>" NUMBER("0.1", "10.0" SP "%")
                     NUMBER("0.1", "+10.0" SP "%"),
                 "d2", 0.1, 0.1}};
    const char *wanted[COUNT(rows) + 1] = {"<h3>Held-out error by kind of program</h3>"};
    for (size_t i = 0; i < COUNT(rows); i++)
        wanted[i + 1] =
            JOIN(rows[i].cells, LANES("20"), range("reach", on(a, rows[i].mean), on(a, rows[i].worst), "10"),
                 stroke("reach", on(a, rows[i].worst), "6", "14"),
                 mark("heldout", "heldout", rows[i].name, on(a, rows[i].mean), "10"), LANES_END "</tr>\n");
    expect_in_order("accuracy", &r, wanted, COUNT(wanted));
    char *text = section(&r, "accuracy");
    assert_null(strstr(text, "more, with smaller errors"));
    free(text);
}

/* Fourteen domains: twelve are drawn, the two with the smallest errors are folded. Equal ones are in the order of their names. */
static void many_groups(void **state)
{
    (void)state;
    static struct report_program many[14];
    static char names[14][8];
    struct report r = REPORT_INIT;
    for (size_t i = 0; i < 14; i++) {
        many[i] = (struct report_program)REPORT_PROGRAM_INIT;
        snprintf(names[i], sizeof names[i], "n%02zu", i);
        many[i].name = many[i].domain = names[i];
        many[i].measured = 100;
        many[i].predicted_heldout = i < 2 ? 110 : i < 4 ? 150 : 200 + (double)i;
    }
    r.title = "Many", r.programs = many, r.n_programs = 14;
    EXPECT(&r, "accuracy", ">n13</th>", ">n04</th>", ">n02</th>", ">n03</th>",
           "<details><summary>2 more, with smaller errors</summary>", ">n00</th>", ">n01</th>", "</details>");
}

/* ---- estimates ---- */

static void estimates(void **state)
{
    (void)state;
    struct report r = make();
    static const struct axis a = {0.01, 10, 6};
#define MEAN_MEDIAN(exact, shown) NUMBER(exact, shown SP "%") NUMBER(exact, shown SP "%")
#define MIDDLE(which, lo, hi, y)  range("middle middle-" which, on(a, lo), on(a, hi), y)
    EXPECT(&r, "estimators",
           "<th scope=\"colgroup\" colspan=\"2\">left out</th><th scope=\"colgroup\" colspan=\"2\">test programs</th>",
           /* -20 and +30 % left out, +10 % of a test program, +5 and -10 % fitted on */
           JOIN("<tr><th scope=\"row\"><code>schedule</code></th><td>all</td>" MEAN_MEDIAN("0.25", "25.0")
                    MEAN_MEDIAN("0.1", "10.0") NUMBER("0.07500000000000001", "7.5" SP "%")
                        NUMBER("0.07500000000000001", "7.5" SP "%") LANES("44"),
                MIDDLE("train", 0.055, 0.095, "35"), range("reach", on(a, 0.075), on(a, 0.1), "35"),
                stroke("median", on(a, 0.075), "31", "39"),
                mark("train", "train",
                     "fitted on: mean absolute 7.5" SP "%, median 7.5" SP "%, worst " MINUS "10.0" SP "% (s/b@O2)",
                     on(a, 0.075), "35"),
                MIDDLE("test", 0.1, 0.1, "22"), range("reach", on(a, 0.1), on(a, 0.1), "22"),
                stroke("median", on(a, 0.1), "18", "26"),
                mark("test", "test",
                     "test program: mean absolute 10.0" SP "%, median 10.0" SP "%, worst +10.0" SP "% (t/c@O1)",
                     on(a, 0.1), "22"),
                MIDDLE("heldout", 0.21, 0.29, "9"), range("reach", on(a, 0.25), on(a, 0.3), "9"),
                stroke("median", on(a, 0.25), "5", "13"),
                mark("heldout", "heldout",
                     "left out: mean absolute 25.0" SP "%, median 25.0" SP "%, worst +30.0" SP "% (s/b@O2)",
                     on(a, 0.25), "9"),
                LANES_END "</tr>\n"),
           "<tr><th scope=\"row\"><code>schedule</code></th><td>O1</td>" MEAN_MEDIAN("0.2", "20.0")
               MEAN_MEDIAN("0.1", "10.0") MEAN_MEDIAN("0.05", "5.0"),
           "<tr><th scope=\"row\"><code>schedule</code></th><td>O2</td>" MEAN_MEDIAN("0.3", "30.0")
               NONE NONE MEAN_MEDIAN("0.1", "10.0"),
           /* nothing left out; -10 and +25 % of test programs; +100 % fitted on */
           "<tr><th scope=\"row\"><code>sum</code></th><td>all</td>" NONE NONE MEAN_MEDIAN("0.175", "17.5")
               MEAN_MEDIAN("1", "100.0"));
    static const struct axis cycles = {100, 10000, 0};
#define ON(kind, shape, tip, x, y) mark(kind, shape, tip, on(cycles, x), percent(100 - on(cycles, y)))
    double up = 10 * on(cycles, 200), down = 10 * on(cycles, 5000);
    const char *band = keep(xasprintf(
        "<polygon class=\"band20\" points=\"0.0,1000.0 0.0,%.1f %.1f,0.0 1000.0,0.0 1000.0,%.1f %.1f,1000.0\"/>",
        1000 - up, down, 1000 - down, up));
    EXPECT(
        &r, "estimators", "<figure id=\"estimates-schedule\">", band,
        "<line class=\"identity\" x1=\"0%\" y1=\"100%\" x2=\"100%\" y2=\"0%\"/>\n",
        JOIN(
            mark("test", "above", "t/c@O1 (test program): 11" SP "000 for 10" SP "000 measured, +10.0" SP "%", 100,
                 "0%"),
            ON("heldout", "heldout", "s/a@O1 (left out): 800 for 1" SP "000 measured, " MINUS "20.0" SP "%", 1000, 800),
            ON("heldout", "heldout", "s/b@O2 (left out): 130 for 100 measured, +30.0" SP "%", 100, 130),
            "</svg></div><figcaption>times</figcaption>"),
        "<figure id=\"estimates-sum\">",
        JOIN(ON("train", "train", "s/a@O1 (fitted on): 2" SP "000 for 1" SP "000 measured, +100.0" SP "%", 1000, 2000),
             ON("test", "test", "t/c@O1 (test program): 9" SP "000 for 10" SP "000 measured, " MINUS "10.0" SP "%",
                10000, 9000),
             ON("test", "test", "t/d@O2 (test program): 250 for 200 measured, +25.0" SP "%", 200, 250),
             "</svg></div><figcaption>sum against measured cycles</figcaption>"));
#undef ON
    /* One level has no rows of its own; the headline is the schedule's. */
    programs[1].level = programs[3].level = "O1";
    char *text = section(&r, "estimators");
    assert_null(strstr(text, "<td>O1</td>"));
    free(text);
    EXPECT(&r, "summary",
           "is off by <strong>25.0" SP "%</strong> on average, on programs that its values were not fitted on (2 "
           "measurements): half of the estimates are off by less than 25.0" SP "%.",
           "<div class=\"tile tile-estimate\"><h3>Estimates by schedule</h3><p class=\"figure\">25.0" SP
           "%</p><p>mean absolute error, 2 measurements, each left out in turn<br/>median 25.0" SP "%, worst +30.0" SP
           "% (<code>s/b@O2</code>)</p></div>",
           "<div class=\"tile tile-heldout\"><h3>Model, held out: unseen programs</h3><p class=\"figure\">17.5" SP
           "%</p><p>mean absolute error, 2 measurements, leave-one-out<br/>median 20.0" SP "%, worst " MINUS "25.0" SP
           "%",
           "<div class=\"tile tile-test\"><h3>Model, held out: test programs</h3><p class=\"figure\">160.0" SP "%</p>",
           "<div class=\"tile tile-train\"><h3>Model, training: fitted on these</h3><p class=\"figure\">7.5" SP
           "%</p><p>mean absolute error, 2 measurements, for comparison only<br/>median 7.5" SP "%, worst +10.0" SP
           "%</p>");
}

/* ---- models ---- */

/* The largest error is 300 %, the smallest 7.5 %: from 0.01 to 5. */
static void models(void **state)
{
    (void)state;
    struct report r = make();
    static const struct axis a = {0.01, 5, 6};
#define NAME(c, s) "<th scope=\"row\"><code>" c "</code> <span class=\"times\">\xc3\x97</span> <code>" s "</code>"
#define IN_FILE    " <span class=\"badge chosen\">in the file</span></th>"
    EXPECT(
        &r, "models", "<h3>leave-one-out</h3>", "Judged by leave-one-out. Absolute errors",
        JOIN("<tr class=\"chosen\">" NAME("c", "s") IN_FILE NUMBER("0.175", "17.5" SP "%") NUMBER("0.075", "7.5" SP "%")
                 LANES("34"),
             range("reach", on(a, 0.075), on(a, 0.1), "24"), stroke("reach", on(a, 0.1), "20", "28"),
             stroke("median", on(a, 0.075), "19", "29"),
             mark("train", "train", "training: mean absolute 7.5" SP "%, median 7.5" SP "%, worst +10.0" SP "%",
                  on(a, 0.075), "24"),
             range("middle middle-heldout", on(a, 0.115), on(a, 0.235), "10"),
             range("reach", on(a, 0.175), on(a, 0.25), "10"), stroke("reach", on(a, 0.25), "6", "14"),
             stroke("median", on(a, 0.2), "5", "15"),
             mark("heldout", "heldout",
                  "held out: mean absolute 17.5" SP "%, median 20.0" SP "%, worst " MINUS "25.0" SP "% (s/a@O1)",
                  on(a, 0.175), "10"),
             LANES_END "</tr>\n"),
        JOIN("<tr>" NAME("one", "mean") " <span class=\"badge\">baseline</span></th>" NUMBER("0.5", "50.0" SP "%")
                 NONE LANES("34"),
             range("reach", on(a, 0.5), on(a, 0.9), "10")),
        "<h3>test programs</h3>", "<tr class=\"chosen\">" NAME("c", "s") IN_FILE NUMBER("1.6", "160.0" SP "%") NONE,
        "<h3>All figures</h3>",
        "<tr class=\"chosen\">" NAME("c", "s") IN_FILE "<td>leave-one-out</td>" NUMBER("2", "2")
            NUMBER("-0.075", MINUS "7.5" SP "%") NUMBER("0.175", "17.5" SP "%") NUMBER("0.2", "20.0" SP "%")
                NUMBER("-0.25", MINUS "25.0" SP "%") NUMBER("2", "2") NUMBER("0.025", "+2.5" SP "%")
                    NUMBER("0.075", "7.5" SP "%") NUMBER("0.075", "7.5" SP "%")
                        NUMBER("0.1", "+10.0" SP "%") "<td><code>s/a@O1</code></td></tr>\n",
        "<tr>" NAME("one", "mean"), "<tr class=\"chosen\">" NAME("c", "s") IN_FILE "<td>test programs</td>",
        NONE NONE NONE NONE NONE "<td><code>t/d@O2</code></td></tr>\n",
        "<tr>" NAME(
            "c",
            "none") "</th><td>leave-one-out</td><td colspan=\"11\" class=\"why\">not possible: no event</td></tr>\n");
    char *text = section(&r, "models");
    assert_null(strstr(text, "more, all with larger errors"));
    free(text);
}

/* Errors down to a hundredth of a per cent: the axis begins at 0.1 %, whatever is below. And each scheme has only its own models. */
static void models_of_small_errors(void **state)
{
    (void)state;
    struct report r = make();
    static const struct axis a = {0.001, 5, 6};
    evaluations[0].train.mean_abs = evaluations[0].train.median_abs = 0.0001;
    EXPECT(&r, "models",
           mark("heldout", "heldout",
                "held out: mean absolute 17.5" SP "%, median 20.0" SP "%, worst " MINUS "25.0" SP "% (s/a@O1)",
                on(a, 0.175), "10"));
    evaluations[1].classes = "tested"; /* a model that test programs alone judge */
    evaluations[2].heldout.rows = 0;   /* and one that nothing judges */
    char *text = section(&r, "models"), *first = strstr(text, "<h3>leave-one-out</h3>"),
         *second = strstr(text, "<h3>test programs</h3>");
    assert_true(first && second && first < second);
    *strstr(second, "</tbody>") = 0;
    assert_null(strstr(first, "<code>one</code>"));
    assert_non_null(strstr(second, "<code>tested</code>"));
    *second = 0;
    assert_null(strstr(first, "<code>tested</code>"));
    assert_non_null(strstr(first, "<code>c</code>"));
    free(text);
}

/* ---- single programs ---- */

static void surprises(void **state)
{
    (void)state;
    struct report r = make();
#define PART(class, tip, x, width)                                                                                     \
    "<g class=\"mark\"><title>" tip "</title><rect class=\"part " class "\" height=\"16\" x=\"" x "\" width=\"" width  \
                                                                        "\"/></g>"
    EXPECT(
        &r, "surprises",
        "<tr><th scope=\"row\"><code>t/d@O2</code></th><td>test</td>" NUMBER("3", "+300.0" SP "%") NONE NUMBER(
            "200",
            "200") "<td class=\"num\">800</td><td class=\"made-of\"><span class=\"aside\">not known</span></td></tr>\n",
        "<tr><th scope=\"row\"><code>s/a@O1</code></th><td>training</td>" NUMBER("-0.25", MINUS "25.0" SP "%")
            NUMBER("0.1", "+10.0" SP "%") NUMBER(
                "1000",
                "1" SP
                "000") "<td class=\"num\">750<span class=\"aside below\">700 \xe2\x80\xa6 900: missed</span></td><td "
                       "class=\"made-of\"><svg class=\"stack\" height=\"16\" aria-hidden=\"true\">" PART(
                           "c0", "load: 50" SP "%", "0%", "50%") PART("c1", "add: 20" SP "%", "50%", "20%")
                           PART("c2", "div: 30" SP "%", "70%", "30%") "</svg><span class=\"aside\">load 50" SP
                                                                      "%, div 30" SP "%, add 20" SP
                                                                      "%</span></td></tr>\n",
        "<code>t/c@O1</code> <span class=\"aside\">region loop</span></th><td>test</td>" NUMBER("0.2", "+20.0" SP "%"),
        "<code>s/b@O2</code></th><td>training</td>" NUMBER("0.1", "+10.0" SP "%") NUMBER("-0.05", MINUS "5.0" SP "%"),
        "<span class=\"aside below\">100 \xe2\x80\xa6 120</span>", "<summary>All 5 rows</summary>",
        "<tr><th scope=\"row\"><code>s/a@O1</code></th><td>s</td><td>d1</td><td>training</td>" NUMBER(
            "1000", "1" SP "000") NUMBER("750", "750") NUMBER("-0.25", MINUS "25.0" SP "%") NUMBER("1100", "1" SP "100")
            NUMBER("0.1", "+10.0" SP "%") NUMBER("500", "500") "</tr>\n",
        "<code>t/d@O2</code></th><td>t</td><td>" DASH "</td><td>test</td>" NUMBER("200", "200") NUMBER("800", "800")
            NUMBER("3", "+300.0" SP "%") NONE NONE NONE "</tr>\n",
        "<code>u/e</code></th><td>" DASH "</td><td>" DASH "</td><td>training</td>" NONE NONE NONE NUMBER("5", "5")
            NONE NONE "</tr>\n");
    char *text = section(&r, "surprises"), *end = strstr(text, "<details");
    *end = 0;
    assert_null(strstr(text, "u/e")); /* its error is not known */
    free(text);
}

/* From 0 to 160 %: 8 steps of 20. The worst explained first. */
static void accounting(void **state)
{
    (void)state;
    struct report r = make();
    EXPECT(&r, "accounting", "<p>By the model <code>m</code>, fitted on the training programs.</p>",
           "<rect class=\"part c0\" y=\"2\" width=\"16\" height=\"12\"/></svg> int</li>",
           "<rect class=\"part c1\" y=\"2\" width=\"16\" height=\"12\"/></svg> mem</li>",
           "<tr><th scope=\"row\"><code>s/b@O2</code></th><td>training</td>" NUMBER("100", "100")
               NUMBER("0.5", "+50.0" SP "%") LANES("16")
                   PART("c0", "int: 100" SP "% of the measured cycles", "0%", "62.5%")
                       PART("c1", "mem: 50" SP "% of the measured cycles", "62.5%",
                            "31.25%") "<line class=\"median\" x1=\"62.5%\" x2=\"62.5%\" y1=\"0\" y2=\"16\"/>" LANES_END
                                      "</tr>\n",
           "<tr><th scope=\"row\"><code>s/a@O1</code></th><td>training</td>" NUMBER("1000", "1" SP "000")
               NUMBER("-0.25", MINUS "25.0" SP "%") LANES("16")
                   PART("c0", "int: 50" SP "% of the measured cycles", "0%", "31.25%")
                       PART("c1", "mem: 25" SP "% of the measured cycles", "31.25%", "15.625%"));
    char *text = section(&r, "accounting");
    assert_null(strstr(text, "t/c"));
    assert_null(strstr(text, "<details"));
    free(text);
}

/* 42 programs and ten kinds: two programs are folded, and kinds from the ninth on have one colour. */
static void much_accounting(void **state)
{
    (void)state;
    static struct report_program many[42];
    static char names[42][8];
    static const char *ten[] = {"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"};
    static double account[42][10];
    struct report r = REPORT_INIT;
    for (size_t i = 0; i < 42; i++) {
        many[i] = (struct report_program)REPORT_PROGRAM_INIT;
        snprintf(names[i], sizeof names[i], "p%02zu", i);
        many[i].name = names[i], many[i].measured = 1, many[i].account = account[i];
        account[i][7] = 0.5, account[i][8] = -0.25, account[i][9] = 0.01 * (double)i;
    }
    r.title = "Many", r.programs = many, r.n_programs = 42, r.accounts = ten, r.n_accounts = 10;
    EXPECT(&r, "accounting", "part c7\" y=", "part c-other\" y=\"2\" width=\"16\" height=\"12\"/></svg> k8",
           "part c-other\" y=", "<code>p00</code>",
           LANES("16") PART("c7", "k7: 50" SP "% of the measured cycles", "0%", "31.25%") "<line", "<code>p01</code>",
           PART("c-other", "k9: 1.0" SP "% of the measured cycles", "31.25%", "0.625%"), "<code>p39</code>",
           "<details><summary>2 more</summary>", "<code>p40</code>", "<code>p41</code>", "</details>");
}

/* ---- values ---- */

static void fitted(void **state)
{
    (void)state;
    struct report r = make();
    EXPECT(
        &r, "values", "Cycles per occurrence of each variable, with its interval (90" SP "%). Share: of the training",
        "<tr><th scope=\"row\"><code>load</code></th>" NUMBER(
            "2",
            "2.00") "<td class=\"num\">1.00 \xe2\x80\xa6 4.00</td>" LANES("22") "<line class=\"whisker\" x1=\"12.5%\" "
                                                                                "x2=\"50%\" y1=\"11\" y2=\"11\"/>"
                                                                                "<line class=\"whisker\" x1=\"12.5%\" "
                                                                                "x2=\"12.5%\" y1=\"7\" y2=\"15\"/>"
                                                                                "<line class=\"whisker\" x1=\"50%\" "
                                                                                "x2=\"50%\" y1=\"7\" y2=\"15\"/>"
                                                                                "<g class=\"mark value\"><title>load: "
                                                                                "2.00 cycles, interval 1.00 "
                                                                                "\xe2\x80\xa6 4.00</title><use "
                                                                                "href=\"#mark-value\" x=\"25%\" "
                                                                                "y=\"11\"/></g>\n" LANES_END NUMBER("2",
                                                                                                                    "2")
                                                                                    NUMBER("1000", "1" SP "000") NUMBER(
                                                                                        "0.5",
                                                                                        "50" SP
                                                                                        "%") "<td>fitted</td></tr>\n",
        "<tr><th scope=\"row\"><code>div</code></th>" NUMBER("8", "8.00") NONE LANES(
            "22") "<g class=\"mark inherited\"><title>div: 8.00 cycles</title><use href=\"#mark-inherited\" x=\"100%\" "
                  "y=\"11\"/></g>\n" LANES_END NUMBER("0", "0") NONE NONE "<td>inherited: all</td></tr>\n");
    values[0].low = X; /* half an interval is none */
    r.interval = X;
    EXPECT(&r, "values", "with its interval. Share:", NUMBER("2", "2.00") NONE,
           "<line class=\"whisker\" x1=\"50%\" x2=\"50%\" y1=\"7\" y2=\"15\"/><g class=\"mark value\"><title>load: "
           "2.00 cycles</title>");
    values[0].low = -1; /* down to -2, up to 8: nothing logarithmic with values below 0 */
    values[1].value = 100;
    EXPECT(&r, "values", "with its interval. Share:");
    values[0].low = 0; /* 0, 2, 4 and 100: 50 times the least above 0 */
    EXPECT(&r, "values", "with its interval; the axis is logarithmic, with a place for zero at its left end. Share:");
    values[1].value = 60; /* just 30 times: it takes more */
    EXPECT(&r, "values", "with its interval. Share:");
}

/* From 1 to 10 cycles. */
static void single_instructions(void **state)
{
    (void)state;
    struct report r = make();
    static const struct axis a = {1, 10, 6};
    const char *row =
        JOIN("<tr><th scope=\"row\"><code>add</code></th>" NUMBER("1", "1.00") NUMBER("2", "2.00") NUMBER("4", "4.00")
                 NUMBER("3", "3.00") NUMBER("5", "5.00") NUMBER("10", "10.0") LANES("26"),
             range("whisker", on(a, 1), on(a, 4), "8"),
             mark("train", "train", "pitch: best 1.00, typical 2.00, worst 4.00", on(a, 2), "8"),
             range("whisker", on(a, 3), on(a, 10), "18"),
             mark("value", "value", "latency: best 3.00, typical 5.00, worst 10.0", on(a, 5), "18"),
             LANES_END "<td>e</td></tr>\n");
    EXPECT(&r, "instructions", "<th scope=\"col\">instruction</th>", row,
           JOIN("<tr><th scope=\"row\"><code>sub</code></th>" NONE NONE NONE NONE NUMBER("2", "2.00") NONE LANES("26"),
                mark("value", "value", "latency: best " DASH ", typical 2.00, worst " DASH, on(a, 2), "18"),
                LANES_END "<td><span class=\"badge\">inherited</span> from <code>add</code></td></tr>\n"));
    EXPECT(&r, "micro", "<p>1 cases were measured", "<summary>All 1</summary>",
           "<th scope=\"col\">key and condition</th>", row, "</details>");
    instructions[0].pitch.best = 1e-9; /* axes go over five decades at most: from 1e-4 */
    instructions[0].evidence = NULL;
    static const struct axis five = {1e-4, 10, 6};
    EXPECT(&r, "instructions", range("whisker", 6, on(five, 4), "8"), "<td>measured</td></tr>");
}

/* ---- the runs ---- */

/* Half of 0, 1 and 5 % are at most 1 %, nine in ten 1 + 0.8 x 4 %. Spreads are drawn from 0.5 to 10 %, cycles from 100 to 10000. */
static void quality(void **state)
{
    (void)state;
    struct report r = make();
    static const struct axis x = {100, 10000, 0}, y = {0.005, 0.1, 6};
    EXPECT(&r, "quality",
           "<p>Half of the programs spread by at most 1.0" SP "% between their runs, nine in ten by at most 4.2" SP
           "%. 12 runs were used, 1 dropped as outliers.</p>",
           mark("value", "value", "s/a@O1: 1.0" SP "% over 7 runs, 1 dropped", on(x, 1000), percent(100 - on(y, 0.01))),
           mark("value", "value", "s/b@O2: 5.0" SP "% over 5 runs, 0 dropped", 0, percent(100 - on(y, 0.05))),
           mark("value", "value", "t/c@O1: 0.0" SP "% over 0 runs, 0 dropped", 100, "100%"),
           "<tr><th scope=\"row\"><code>s/b@O2</code></th>" NUMBER("0.05", "5.0" SP "%") NUMBER("100", "100")
               NUMBER("5", "5") NUMBER("5", "5")
                   NUMBER("0", "0") "</tr>\n<tr><th scope=\"row\"><code>s/a@O1</code></th>" NUMBER("0.01", "1.0" SP "%")
                       NUMBER("1000", "1" SP "000") NUMBER("10", "10") NUMBER("7", "7") NUMBER(
                           "1", "1") "</tr>\n<tr><th scope=\"row\"><code>t/c@O1</code></th>" NUMBER("0", "0.0" SP "%")
                           NUMBER("10000", "10" SP "000") NUMBER("0", "0") NONE NUMBER("0", "0") "</tr>\n</tbody>");
    programs[3].measured = 1; /* one cycle has a spread, none has not */
    programs[3].stddev = 0.5;
    programs[4].measured = 0;
    programs[4].stddev = 1;
    EXPECT(&r, "quality", "<code>t/d@O2</code></th>" NUMBER("0.5", "50.0" SP "%"), "<code>t/c@O1</code>", "</tbody>");
    char *text = section(&r, "quality");
    assert_null(strstr(text, "u/e"));
    free(text);
}

/* ---- how far the values are determined ---- */

/* In no program; of no use by itself; a value of 0; 20, 4 % of the value; an error that is not known. */
static void coverage(void **state)
{
    (void)state;
    static struct report_covered covered[] = {
        {"add", 84, 0.31, 0.2, 0.6, 41.7, 0.07, "p", 0.5, 0.02, "well", "known within +-4 %, or +-5", NULL},
        {"none", 3, 0, 0, 0, 1, 0, NULL, 1, X, "odd", "so", ""},
        {"mul", 9, 0.05, 0.1, 0, 2, 0, NULL, 10, 2, "weakly", "w", "more of it"},
        {"zero", 5, 0, 0, 0, 0, 0, NULL, 0, 1, "zero", "z", NULL},
        {"div", 3, 0.001, 0.04, 1, 1.25, 0.9, NULL, 12.5, INFINITY, "alike", "as mul", "others"},
        {"atomic", 0, 0, 0, X, X, X, NULL, 10, X, "absent", "no program", NULL}};
    struct report r = make();
    r.coverage = (struct report_coverage){covered, COUNT(covered), 28.4, 0.083, 46, 5, 3, 2, 1, 10};
    EXPECT(&r, "coverage",
           "<h2 id=\"h-coverage\">Rare and collinear variables</h2>\n<p>How well the training programs determine",
           "is not in it. Programs scatter about the values by 8.3" SP
           "%. The condition number of the table is 28.4. Of the "
           "instructions in the SHIM file, programs execute 46; 5 have a microbenchmark, 3 the value of their class, 2 "
           "that of "
           "another instruction, 1 the mean of all, and 10 are never executed by C programs.</p>",
           "What the training programs have of each variable",
           "<th scope=\"col\">variable</th><th scope=\"col\" class=\"num\">programs</th><th scope=\"col\" "
           "class=\"num\">worth</th>",
           "<tr><th scope=\"row\"><code>atomic</code></th>" NUMBER("0", "0") NONE NUMBER("0", "0" SP "%")
               NUMBER("0", "0" SP "%") NONE NUMBER("10", "10.0") NONE "<td>absent</td><td>no program</td></tr>\n",
           "<tr><th scope=\"row\"><code>div</code></th>" NUMBER("3", "3") NUMBER("1.25", "1.2")
               NUMBER("0.001", "0.1" SP "%") NUMBER("0.04", "4.0" SP "%") NUMBER("1", "100" SP "%")
                   NUMBER("12.5", "12.5") "<td class=\"num\">\xe2\x88\x9e</td><td>alike</td><td>as mul</td></tr>\n",
           "<code>zero</code>", "<code>mul</code>",
           "<tr><th scope=\"row\"><code>add</code></th>" NUMBER("84", "84") NUMBER("41.7", "41.7")
               NUMBER("0.31", "31" SP "%") NUMBER("0.2", "20" SP "%") NUMBER("0.6", "60" SP "%") NUMBER("0.5", "0.500")
                   NUMBER("0.02", "0.020") "<td>well</td><td>known within " PM "4 %, or " PM "5</td></tr>\n",
           "<code>none</code>", "</tbody>",
           "<details id=\"missing\"><summary>What would help</summary><ul>\n<li><code>mul</code>: more of it</li>\n"
           "<li><code>div</code>: others</li>\n</ul></details>");
    r.coverage.condition = r.coverage.scatter = X;
    r.coverage.n_variables = 2;
    EXPECT(&r, "coverage", "is not in it. Of the instructions in the SHIM file");
    char *text = section(&r, "coverage");
    assert_null(strstr(text, "What would help"));
    free(text);
    r.coverage.n_variables = 0;
    EXPECT(&r, "coverage", "<p>How well the programs determine the values is not known.</p>");
}

/* Nine levels: eight have rows of their own. */
static void many_levels(void **state)
{
    (void)state;
    static struct report_program many[9];
    static double estimated[9];
    static char levels[9][4];
    struct report r = REPORT_INIT;
    for (size_t i = 0; i < 9; i++) {
        many[i] = (struct report_program)REPORT_PROGRAM_INIT;
        snprintf(levels[i], sizeof levels[i], "L%zu", i);
        many[i].name = many[i].level = levels[i];
        many[i].measured = 100;
        estimated[i] = 110;
    }
    const struct report_estimator one = {"sum", NULL, estimated, estimated};
    r.title = "Levels", r.programs = many, r.n_programs = 9, r.estimators = &one, r.n_estimators = 1;
    EXPECT(&r, "estimators", "<td>all</td>", "<td>L0</td>", "<td>L1</td>", "<td>L6</td>", "<td>L7</td>", "</tbody>");
    char *text = section(&r, "estimators"), *end = strstr(text, "</tbody>");
    *end = 0;
    assert_null(strstr(text, "<td>L8</td>"));
    free(text);
}

/* ---- lists ---- */

static void lists(void **state)
{
    (void)state;
    struct report r = make();
    struct report_fact facts[] = {{"CPU", "x<y", "of it"}, {"Cores", NULL, NULL}, {"Kernel", "k", ""}};
    struct report_file files[] = {{"a.csv", "rows", 1536}, {"/abs", NULL, 0}};
    const char *commands[] = {"make shim", "a && b"};
    r.facts = r.conditions = facts, r.n_facts = 3, r.n_conditions = 1;
    r.files = files, r.n_files = 2, r.commands = commands, r.n_commands = 2;
    EXPECT(&r, "machine",
           "<dl class=\"facts\">\n<div><dt>CPU</dt><dd>x&lt;y<span class=\"aside\">of it</span></dd></div>\n"
           "<div><dt>Cores</dt><dd>not known</dd></div>\n<div><dt>Kernel</dt><dd>k</dd></div>\n</dl>");
    EXPECT(&r, "method",
           "<dl class=\"facts\">\n<div><dt>CPU</dt><dd>x&lt;y<span class=\"aside\">of it</span></dd></div>\n</dl>");
    EXPECT(&r, "files", "<caption><span>Files in the folder of this page.</span></caption>",
           "<th scope=\"col\">what it is</th>",
           "<tr><th scope=\"row\"><a href=\"a.csv\"><code>a.csv</code></a></th><td>rows</td><td class=\"num\">1.5" SP
           "KiB</td></tr>\n",
           "<tr><th scope=\"row\"><code>/abs</code></th><td></td><td class=\"num\">" DASH "</td></tr>\n",
           "<p>Made by:</p>\n<pre class=\"commands\">make shim\na &amp;&amp; b\n</pre>", "also inside it as JSON");
    r.n_files = r.n_commands = r.n_facts = 0;
    char *text = section(&r, "files");
    assert_null(strstr(text, "Made by"));
    assert_null(strstr(text, "<table"));
    free(text);
    EXPECT(&r, "machine", "<p>Nothing is known about the machine.</p>");
    r.drawing = "<svg/>";
    text = section(&r, "machine");
    assert_null(strstr(text, "Nothing is known"));
    free(text);
    EXPECT(&r, "machine",
           "<figure id=\"blocks\"><div class=\"scroll\"><svg/></div><figcaption>A frame is a set of components;");
    r.accesses = instructions, r.n_accesses = 1;
    EXPECT(&r, "memory", "<h2 id=\"h-memory\">Memory and messages</h2>", "pitch: one after the other, independent</li>",
           "latency: depending on the one before</li>", "Cycles of each access by what answers it",
           "<th scope=\"colgroup\" colspan=\"3\">pitch</th><th scope=\"colgroup\" colspan=\"3\">latency</th>",
           "<th scope=\"col\">access</th>", "<code>add</code>");
}

/* ---- sentences that depend on what is there ---- */

static void summaries(void **state)
{
    (void)state;
    struct report r = make();
    struct report_finding findings[] = {{REPORT_WARNING, "w1", NULL},
                                        {REPORT_NOTE, "n", "r"},
                                        {REPORT_ERROR, "e1", NULL},
                                        {REPORT_WARNING, "w2", NULL}};
    r.findings = findings;
    r.n_findings = 4;
    EXPECT(&r, "summary", "<div class=\"callout error\" role=\"note\"><p>1 error and 2 warnings are to be read");
    EXPECT(&r, "findings", "<div class=\"callout error\"><p><strong>Error.</strong> e1</p></div>",
           "<div class=\"callout warning\"><p><strong>Warning.</strong> w1</p></div>",
           "<div class=\"callout warning\"><p><strong>Warning.</strong> w2</p></div>",
           "<div class=\"callout note\"><p><strong>Note.</strong> n</p><p class=\"remedy\">r</p></div>");
    r.n_findings = 1;
    EXPECT(&r, "summary", "<div class=\"callout warning\" role=\"note\"><p>1 warning is to be read");
    findings[0].severity = REPORT_ERROR;
    EXPECT(&r, "summary", "<div class=\"callout error\" role=\"note\"><p>1 error is to be read");
    findings[1].severity = REPORT_ERROR;
    r.n_findings = 2;
    EXPECT(&r, "summary", "<p>2 errors are to be read");
    findings[0].severity = findings[1].severity = REPORT_NOTE;
    char *text = section(&r, "summary");
    assert_null(strstr(text, "to be read before"));
    assert_null(strstr(text, "Try this next")); /* no board, no command */
    free(text);
    r.board = "b";
    EXPECT(&r, "summary", "<h3 id=\"next\">Try this next</h3>", "shimgen cc --shim b.shim.xml -O2 -g prog.c");
    text = section(&r, "summary");
    assert_null(strstr(text, "shimgen doctor"));
    assert_null(strstr(text, "shimgen generate"));
    free(text);
    EXPECT(&r, "method",
           "<p>Cycles come from the event <code>CYC</code>. They are the core\xe2\x80\x99s own cycles, counted by",
           "<p>The conditions of the measurement are not known.</p>");
    r.clock.core_cycles = false;
    EXPECT(&r, "method", "</code>. They are not the core\xe2\x80\x99s own cycles.</p>");
    EXPECT(&r, "summary", "; the cycles are <code>CYC</code>, which are not core cycles. ",
           "<strong>These are not core cycles.</strong> The counter that was read does not count the cycles of the "
           "core.</p>");
    r.clock.sentence = "So.";
    EXPECT(&r, "method", "</code>. So.</p>");
    EXPECT(&r, "summary", "<strong>These are not core cycles.</strong> So.</p>");
    r.chosen_solver = "other";
    EXPECT(&r, "summary", "The error on programs that it has not seen <strong>is not known</strong>");
    r.chosen_solver = "s"; /* the test programs stand for held-out ones where there is nothing else */
    evaluations[0].why_not = "";
    EXPECT(&r, "summary",
           "<div class=\"tile tile-heldout\"><h3>Model, held out: unseen programs</h3><p class=\"figure\">160.0" SP
           "%");
    text = section(&r, "summary");
    assert_null(strstr(text, "tile-test"));
    free(text);
    EXPECT(&r, "models", "not possible: no reason given");
}

/* Each section says what it lacks, below its heading. */
static void nothing(void **state)
{
    (void)state;
    struct report r = REPORT_INIT;
    r.title = "T";
    static const char *const sections[][3] = {
        {"summary", "Summary",
         "<p class=\"lead\">It was learnt from 0 measurements of programs. The error on programs that it has "
         "not seen <strong>is not known</strong>: no evaluation of the model in the file was possible.</p>\n"},
        {"machine", "The machine", "<p>Nothing is known about the machine.</p>\n"},
        {"accuracy", "Predicted against measured", "<p>No program was measured.</p>\n"},
        {"estimators", "Estimating programs", "<p>No program was estimated: their profiles are not there.</p>\n"},
        {"models", "Classifications and solvers", "<p>No model was evaluated.</p>\n"},
        {"surprises", "The most surprising programs", "<p>No program was measured.</p>\n"},
        {"accounting", "Cycle accounting", "<p>No model says what the cycles went to.</p>\n"},
        {"simulated", "Simulated events",
         "<p>No cache miss or misprediction is both simulated and measured here, so nothing says how good the "
         "simulation is.</p>\n"},
        {"values", "Fitted values", "<p>No model was fitted.</p>\n"},
        {"coverage", "Rare and collinear variables",
         "<p>How well the programs determine the values is not known.</p>\n"},
        {"instructions", "Instructions in the SHIM file", "<p>No SHIM file was written.</p>\n"},
        {"micro", "Single instructions", "<p>Single instructions were not measured.</p>\n"},
        {"memory", "Memory and messages", "<p>Accesses to memory and messages between cores were not measured.</p>\n"},
        {"method", "How it was measured", "<p>The conditions of the measurement are not known.</p>\n"},
        {"quality", "Quality of the measurements", "<p>The spread between runs is not known.</p>\n"},
        {"findings", "Findings", "<p>None: no check had anything to say.</p>\n"},
        {"files", "Files and commands",
         "<p>All figures of this page are also inside it as JSON, in the element "
         "<code>report-data</code>.</p>\n"}};
    for (size_t i = 0; i < COUNT(sections); i++) {
        char *found = section(&r, sections[i][0]),
             *wanted = xasprintf("<section id=\"%s\" aria-labelledby=\"h-%s\"><h2 id=\"h-%s\">%s</h2>\n%s",
                                 sections[i][0], sections[i][0], sections[i][0], sections[i][1], sections[i][2]);
        assert_string_equal(found, wanted);
        free(found);
        free(wanted);
    }
    /* a program without any held-out prediction */
    struct report_program one = REPORT_PROGRAM_INIT;
    one.name = "p", one.measured = 1;
    r.programs = &one, r.n_programs = 1;
    EXPECT(&r, "surprises",
           "<p>No held-out prediction is known.</p>\n<details id=\"programs\"><summary>All 1 rows</summary>");
}

static void top(void **state)
{
    (void)state;
    struct report r = make();
    struct str page = STR_INIT;
    report_html(&r, &page);
    assert_non_null(strstr(page.s, "<h1>B</h1>\n<p class=\"under\"></p></header>"));
    str_clear(&page);
    r.generated = "g";
    report_html(&r, &page);
    assert_non_null(strstr(page.s, "<p class=\"under\">g</p></header>"));
    str_clear(&page);
    r.board = "b", r.version = "1";
    report_html(&r, &page);
    assert_non_null(
        strstr(page.s, "<p class=\"under\">board <code>b</code> \xc2\xb7 g \xc2\xb7 shimgen 1</p></header>"));
    static const char *const names[] = {
        "summary\">Summary", "machine\">Machine",     "accuracy\">Accuracy",         "estimators\">Estimates",
        "models\">Models",   "surprises\">Surprises", "accounting\">Accounting",     "simulated\">Simulated events",
        "values\">Values",   "coverage\">Coverage",   "instructions\">Instructions", "micro\">Single instructions",
        "memory\">Memory",   "method\">Method",       "quality\">Measurements",      "findings\">Findings",
        "files\">Files"};
    const char *at = page.s;
    for (size_t i = 0; i < COUNT(names); i++) {
        char *item = xasprintf("<li><a href=\"#%s</a></li>\n", names[i]);
        at = strstr(at, item);
        if (!at)
            fail_msg("not there, or not in order: %s", item);
        free(item);
    }
    str_release(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(scatter, drop),
                                       cmocka_unit_test_teardown(residuals, drop),
                                       cmocka_unit_test_teardown(breakdown, drop),
                                       cmocka_unit_test_teardown(many_groups, drop),
                                       cmocka_unit_test_teardown(estimates, drop),
                                       cmocka_unit_test_teardown(models, drop),
                                       cmocka_unit_test_teardown(models_of_small_errors, drop),
                                       cmocka_unit_test_teardown(surprises, drop),
                                       cmocka_unit_test_teardown(accounting, drop),
                                       cmocka_unit_test_teardown(much_accounting, drop),
                                       cmocka_unit_test_teardown(fitted, drop),
                                       cmocka_unit_test_teardown(single_instructions, drop),
                                       cmocka_unit_test_teardown(quality, drop),
                                       cmocka_unit_test_teardown(coverage, drop),
                                       cmocka_unit_test_teardown(many_levels, drop),
                                       cmocka_unit_test_teardown(lists, drop),
                                       cmocka_unit_test_teardown(summaries, drop),
                                       cmocka_unit_test_teardown(nothing, drop),
                                       cmocka_unit_test_teardown(top, drop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* NOLINTEND(bugprone-suspicious-missing-comma) */
