/*
 * The whole page, from made-up data, judged by a strict XML parser: it is well formed,
 * refers to nothing outside itself, names what it draws, shows the data's own figures,
 * and carries them as JSON. With an argument it writes the example page there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "base/alloc.h"
#include "base/file.h"
#include "tests/unit/report/report_example.h"

struct page {
    struct report report;
    struct str html;
    xmlDoc *doc; /* the page without the insides of <style> and <script> */
    xmlXPathContext *xpath;
};

/* Cuts what stands between `open` … '>' and `close`, every time: foreign languages that are no XML. */
static char *without(const char *html, const char *open, const char *close)
{
    struct str s = STR_INIT;
    const char *at;
    while ((at = strstr(html, open))) {
        const char *inside = strchr(at, '>') + 1, *end = strstr(inside, close);
        assert_non_null(end);
        str_addn(&s, html, (size_t)(inside - html));
        html = end;
    }
    str_add(&s, html);
    return str_detach(&s);
}

static void page_parse(struct page *p)
{
    report_html(&p->report, &p->html);
    char *plain = without(p->html.s, "<script", "</script>");
    char *bare = without(plain, "<style", "</style>");
    p->doc = xmlReadMemory(bare, (int)strlen(bare), "page", "UTF-8", XML_PARSE_NONET);
    assert_non_null(p->doc);
    p->xpath = xmlXPathNewContext(p->doc);
    free(plain);
    free(bare);
}

static void page_release(struct page *p)
{
    xmlXPathFreeContext(p->xpath);
    xmlFreeDoc(p->doc);
    str_release(&p->html);
}

static int set_up(void **state)
{
    struct page *p = xcalloc(1, sizeof *p);
    p->report = example_make();
    page_parse(p);
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    page_release(*state);
    free(*state);
    return 0;
}

static double number_of(const struct page *p, const char *expression)
{
    xmlXPathObject *o = xmlXPathEvalExpression((const xmlChar *)expression, p->xpath);
    assert_non_null(o);
    double value = xmlXPathCastToNumber(o);
    xmlXPathFreeObject(o);
    return value;
}

static int count_of(const struct page *p, const char *nodes)
{
    char *expression = xasprintf("count(%s)", nodes);
    int n = (int)number_of(p, expression);
    free(expression);
    return n;
}

static bool contains(const struct page *p, const char *text)
{
    return strstr(p->html.s, text) != NULL;
}

static void it_is_self_contained(void **state)
{
    struct page *p = *state;
    assert_int_equal(count_of(p, "//link[not(starts-with(@href,'data:'))]"), 0);
    assert_int_equal(count_of(p, "//img | //iframe | //object | //embed | //base | //script[@src] | //*[@srcset]"), 0);
    assert_false(contains(p, "://"));
    assert_false(contains(p, "@import"));
    assert_false(contains(p, "url("));
    assert_true(contains(p, "default-src &#39;none&#39;"));
}

static void it_can_be_read_without_seeing(void **state)
{
    struct page *p = *state;
    assert_int_equal(count_of(p, "//html[@lang] | //title[text()]") > 1, 1);
    assert_int_equal(count_of(p, "//h1"), 1);
    assert_int_equal(count_of(p, "//table"), count_of(p, "//table/caption[string-length(.) > 10]"));
    assert_int_equal(count_of(p, "//figure"), count_of(p, "//figure/figcaption[string-length(.) > 10]"));
    assert_int_equal(count_of(p, "//svg[not(@aria-hidden='true') and not(ancestor::svg) and not(@role='img')]"), 0);
    assert_int_equal(count_of(p, "//svg[@role='img'][not(@aria-labelledby)]"), 0);
    assert_int_equal(count_of(p, "//table/thead//th[not(@scope)] | //tbody//th[not(@scope)]"), 0);
}

static void ids_are_unique_and_links_lead_somewhere(void **state)
{
    struct page *p = *state;
    assert_int_equal(count_of(p, "//*[@id = preceding::*/@id or @id = ancestor::*/@id]"), 0);
    assert_true(count_of(p, "//a[starts-with(@href,'#')]") >= 11);
    assert_int_equal(count_of(p, "//*[starts-with(@href,'#')][not(substring-after(@href,'#') = //@id)]"), 0);
    assert_int_equal(count_of(p, "//nav//a"), count_of(p, "//main/section"));
}

/* A colgroup head or a colspan that does not add up would shift figures under wrong headings. */
static void rows_have_as_many_cells_as_headings(void **state)
{
    struct page *p = *state;
    assert_int_equal(count_of(p, "//tbody/tr[count(*) + sum(*/@colspan) - count(*[@colspan]) != "
                                 "count(ancestor::table/thead/tr[last()]/*)]"),
                     0);
    assert_int_equal(count_of(p, "//thead/tr[1][count(*) + sum(*/@colspan) - count(*[@colspan]) != "
                                 "count(../tr[last()]/*)]"),
                     0);
}

static void hostile_names_stay_text(void **state)
{
    struct page *p = *state;
    assert_false(contains(p, "<script>alert"));
    assert_int_equal(count_of(p, "//script"), 2);
    assert_true(contains(p, "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"));
    assert_int_equal(count_of(p, "//a[contains(@href,'javascript')]"), 0);
    assert_int_equal(count_of(p, "//a[@href='a%20folder/odd%20name%25.csv']"), 1);
}

/* Counted from the data: 84 training programs with a fitted mark each, 83 with a held-out mark, 12 test programs. */
static void every_program_is_drawn(void **state)
{
    struct page *p = *state;
    assert_int_equal(count_of(p, "//figure[@id='scatter']//g[@class='mark train']"), EX_ROWS - EX_TEST);
    assert_int_equal(count_of(p, "//figure[@id='scatter']//g[@class='mark heldout']"), EX_ROWS - EX_TEST - 1);
    assert_int_equal(count_of(p, "//figure[@id='scatter']//g[@class='mark test']"), EX_TEST);
    assert_int_equal(count_of(p, "//figure[@id='residuals']//use[@href='#mark-above']"), 1);
    assert_int_equal(count_of(p, "//figure[@id='residuals']//use[@href='#mark-below']"), 1);
    assert_int_equal(count_of(p, "//figure[@id='spreads']//g[@class='mark value']"), EX_ROWS - 1);
    assert_int_equal(count_of(p, "//details[@id='programs']//tbody/tr"), EX_ROWS);
}

/* A point's place, by hand: both axes 500 … 10^8 or so; on the diagonal x = 100 % - y. Program 0's held-out mark must
 * be where its own figures put it. */
static void marks_are_where_the_figures_say(void **state)
{
    struct page *p = *state;
    const struct report_program *a = &p->report.programs[0], *b = &p->report.programs[1];
    char *x =
        xasprintf("number(substring-before((//figure[@id='scatter']//g[@class='mark train'])[%d]/use/@x, '%%'))", 1);
    char *x2 =
        xasprintf("number(substring-before((//figure[@id='scatter']//g[@class='mark train'])[%d]/use/@x, '%%'))", 2);
    char *y =
        xasprintf("number(substring-before((//figure[@id='scatter']//g[@class='mark train'])[%d]/use/@y, '%%'))", 1);
    /* The same factor in cycles is the same distance on both axes. */
    double per_decade = (number_of(p, x2) - number_of(p, x)) / log10(b->measured / a->measured);
    double above = 100 - number_of(p, y) - number_of(p, x);
    assert_float_equal(above, per_decade * log10(a->predicted / a->measured), 0.01);
    free(x);
    free(x2);
    free(y);
}

/* A place in percent: the x of the n-th element of `nodes`. */
static double place(const struct page *p, const char *nodes, size_t n, const char *attribute)
{
    char *e = xasprintf("number(substring-before((%s)[%zu]/@%s, '%%'))", nodes, n, attribute);
    double at = number_of(p, e);
    free(e);
    return at;
}

/* The line on which predictions are exact goes from corner to corner. */
static void the_diagonal_is_drawn(void **state)
{
    struct page *p = *state;
    static const char line[] = "//figure[@id='scatter']//line[@class='identity']";
    assert_int_equal(count_of(p, line), 1);
    assert_float_equal(place(p, line, 1, "x1"), 0, 0.01);
    assert_float_equal(place(p, line, 1, "y1"), 100, 0.01);
    assert_float_equal(place(p, line, 1, "x2"), 100, 0.01);
    assert_float_equal(place(p, line, 1, "y2"), 0, 0.01);
    assert_int_equal(count_of(p, "//section[@id='accuracy']//li[contains(.,'test program: never in any fit')]"),
                     count_of(p, "//section[@id='accuracy']//li[contains(.,'training: fitted on this program too')]"));
}

/* add, fadd, load, sdiv, freeze: typical pitches of 0.52, 1.02, 1.04, 4 and 0.31. The axis is logarithmic, and all are on it. */
static void cycles_are_drawn_on_one_axis(void **state)
{
    struct page *p = *state;
    static const char marks[] =
        "//section[@id='instructions']//td[@class='lanes']//g[contains(@class,'mark train')]/use";
    static const double typical[] = {0.52, 1.02, 1.04, 4, 0.31};
    double first = place(p, marks, 1, "x"), per_decade = (place(p, marks, 4, "x") - first) / log10(4 / 0.52);
    assert_int_equal(count_of(p, marks), COUNT(typical));
    assert_true(per_decade > 20);
    for (size_t i = 0; i < COUNT(typical); i++) {
        double at = place(p, marks, i + 1, "x");
        assert_true(at >= 0 && at <= 100);
        assert_float_equal(at - first, per_decade * log10(typical[i] / 0.52), 0.02);
    }
}

static void heldout_leads_and_training_is_beside_it(void **state)
{
    struct page *p = *state;
    assert_int_equal(count_of(p, "//div[@class='tiles']/div[1][@class='tile tile-estimate']"), 1);
    assert_int_equal(count_of(p, "//div[@class='tiles']/div[2][@class='tile tile-heldout']"), 1);
    assert_int_equal(count_of(p, "//div[@class='tiles']/div[last()][@class='tile tile-train']"), 1);
    assert_int_equal(count_of(p, "//section[@id='models']//table"), 3); /* two schemes, and all figures */
    assert_int_equal(count_of(p, "//section[@id='models']//table[contains(@class,'wide')]/tbody/tr"), 10);
    assert_int_equal(count_of(p, "//td[@class='why'][contains(.,'no event L2D_CACHE_REFILL')]"), 1);
    assert_int_equal(count_of(p, "//div[@class='tiles']//*[contains(.,'+340.0')][@class='figure']"), 0);
    assert_int_equal(count_of(p, "//div[@class='tiles']/div[2]/p[contains(.,'+340.0')]"), 1); /* 4.4 times as long */
    assert_true(contains(p, "These are not core cycles."));
    assert_true(contains(p, "+221\xe2\x80\xaf"
                            "000\xe2\x80\xaf%")); /* no error is capped in the figures */
}

/* The example has an error among its findings, and values that are not determined. */
static void the_recommended_method_leads_and_what_is_next_ends_the_summary(void **state)
{
    struct page *p = *state;
    assert_int_equal(
        count_of(p, "//section[@id='summary']/p[1][@class='lead'][contains(.,'From this SHIM file alone')]"), 1);
    assert_int_equal(count_of(p, "//section[@id='summary']/h3[@id='next']/following-sibling::ul[1]/li"), 3);
    assert_int_equal(count_of(p, "//li/code[.='shimgen doctor example']"), 1);
    assert_int_equal(count_of(p, "//li/code[contains(.,'estimate --shim example.shim.xml --annotate')]"), 1);
    assert_int_equal(count_of(p, "//li[contains(.,'div_d')]/code[.='shimgen build example --samples more']"), 1);
}

/* The exact value after the figure in a cell of a table's body; columns count <th> too, both from 1. */
static double cell(const struct page *p, const char *table, size_t row, size_t column)
{
    char *e = xasprintf("number(%s/tbody/tr[%zu]/*[%zu]/@data-v)", table, row, column);
    double value = number_of(p, e);
    free(e);
    return value;
}

static void expect_cell(const struct page *p, const char *table, size_t row, size_t column, double value)
{
    double shown = cell(p, table, row, column);
    if (isnan(value))
        assert_true(isnan(shown));
    else
        assert_true(fabs(shown - value) <= 1e-12 * fabs(value));
}

/* Rows are in order of the held-out error; each is found in the data by its name. */
static void the_model_table_shows_the_figures(void **state)
{
    struct page *p = *state;
    static const char table[] = "//section[@id='models']//table[contains(@class,'wide')]";
    for (size_t i = 0; i < p->report.n_evaluations; i++) {
        const struct report_evaluation *v = &p->report.evaluations[i];
        char *before = xasprintf("%s/tbody/tr[th/code[1]='%s'][th/code[2]='%s'][td[1]='%s']/preceding-sibling::tr",
                                 table, v->classes, v->solver, v->scheme);
        size_t row = (size_t)count_of(p, before) + 1;
        free(before);
        const struct report_errors *sides[] = {&v->heldout, &v->train};
        for (size_t k = 0; k < 2 && !v->why_not; k++) {
            expect_cell(p, table, row, 3 + 5 * k, (double)sides[k]->rows);
            expect_cell(p, table, row, 4 + 5 * k, sides[k]->mean);
            expect_cell(p, table, row, 5 + 5 * k, sides[k]->mean_abs);
            expect_cell(p, table, row, 6 + 5 * k, sides[k]->median_abs);
            expect_cell(p, table, row, 7 + 5 * k, sides[k]->worst);
        }
    }
    assert_int_equal(count_of(p, "//table[contains(@class,'wide')]/thead/tr[1]/*[2][.='held out']"), 1);
    assert_int_equal(count_of(p, "//table[contains(@class,'wide')]/thead/tr[1]/*[3][.='training']"), 1);
}

static void expect_cycles(struct page *p, const char *table, const struct report_instruction *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct report_instruction *v = &list[i];
        const double figures[] = {v->pitch.best,   v->pitch.typical,   v->pitch.worst,
                                  v->latency.best, v->latency.typical, v->latency.worst};
        for (size_t k = 0; k < COUNT(figures); k++)
            expect_cell(p, table, i + 1, 2 + k, figures[k]);
    }
}

static void the_value_tables_show_the_figures(void **state)
{
    struct page *p = *state;
    for (size_t i = 0; i < p->report.n_values; i++) {
        const struct report_value *v = &p->report.values[i];
        expect_cell(p, "//section[@id='values']//table", i + 1, 2, v->value);
        expect_cell(p, "//section[@id='values']//table", i + 1, 5, (double)v->rows);
        expect_cell(p, "//section[@id='values']//table", i + 1, 6, v->count);
        expect_cell(p, "//section[@id='values']//table", i + 1, 7, v->share);
    }
    static const size_t doubt[] = {2, 1, 0}; /* in no program, alike, well known */
    for (size_t i = 0; i < p->report.coverage.n_variables; i++) {
        const struct report_covered *v = &p->report.coverage.variables[doubt[i]];
        const double figures[] = {(double)v->programs, v->effective, v->share, v->cycles, v->dependent, v->value};
        for (size_t k = 0; k < COUNT(figures); k++)
            expect_cell(p, "//section[@id='coverage']//table", i + 1, 2 + k, figures[k]);
    }
    assert_int_equal(count_of(p, "//section[@id='coverage']//tr[2]/td[7][.='\xe2\x88\x9e']"), 1); /* not determined */
    assert_int_equal(count_of(p, "//section[@id='coverage']//tbody/tr[td[last()]='known within \xc2\xb1"
                                 "3.8 %']"),
                     1);
    assert_int_equal(count_of(p, "//section[@id='coverage']//details//li"), 2);
    assert_int_equal(count_of(p, "//section[@id='coverage']/p[contains(.,'programs execute 46; 5 have')]"), 1);
    expect_cycles(p, "//section[@id='instructions']//table", p->report.instructions, p->report.n_instructions);
    expect_cycles(p, "//section[@id='memory']//table", p->report.accesses, p->report.n_accesses);
    assert_int_equal(count_of(p, "//section[@id='memory']//tbody/tr"), p->report.n_accesses);
    expect_cycles(p, "//section[@id='micro']//table", p->report.micro, p->report.n_micro);
    assert_int_equal(count_of(p, "//section[@id='micro']//tbody/tr"), p->report.n_micro);
    assert_int_equal(count_of(p, "//section[@id='instructions']/p[text()='10 instruction values: 8 fitted.']"), 1);
}

static void the_program_table_shows_the_figures(void **state)
{
    struct page *p = *state;
    static const char table[] = "//details[@id='programs']//table";
    for (size_t i = 0; i < p->report.n_programs; i++) {
        const struct report_program *v = &p->report.programs[i];
        bool test = v->role == REPORT_TEST;
        double heldout = test ? v->predicted : v->predicted_heldout;
        expect_cell(p, table, i + 1, 5, v->measured);
        expect_cell(p, table, i + 1, 6, heldout);
        expect_cell(p, table, i + 1, 7, (heldout - v->measured) / v->measured);
        expect_cell(p, table, i + 1, 8, test ? REPORT_UNKNOWN : v->predicted);
        expect_cell(p, table, i + 1, 10, v->instructions);
    }
}

static void surprises_come_largest_first(void **state)
{
    struct page *p = *state;
    assert_int_equal(count_of(p, "//section[@id='surprises']/div/table/tbody/tr[1]/th/code[contains(.,'alert(1)')]"),
                     1);
    assert_int_equal(count_of(p, "//section[@id='surprises']/div/table/tbody/tr[1]/td[2][@data-v='3.4000000000000004' "
                                 "or @data-v='3.4']"),
                     1);
    assert_int_equal(count_of(p, "//section[@id='surprises']/div/table/tbody/tr"), 12);
    /* Ten classes: eight in colour, two together as "other". */
    assert_int_equal(count_of(p, "//section[@id='surprises']/ul[@class='legend']/li"), 9);
}

/* In the example the parts of program i are 0.2 (k + 1) + 0.01 (i % 20): 1.2 + 0.03 (i % 20) in all. The most
 * surprising are those with the remainder 19, in the order of the programs. */
static void the_accounts_are_drawn(void **state)
{
    struct page *p = *state;
    assert_int_equal(count_of(p, "//section[@id='accounting']//tbody/tr"), p->report.n_programs - 1);
    assert_int_equal(count_of(p, "//section[@id='accounting']/div[1]/table/tbody/tr"), 40);
    assert_int_equal(count_of(p, "//section[@id='accounting']/ul[@class='legend']/li"), 3);
    assert_int_equal(
        count_of(p, "//section[@id='accounting']//tbody/tr[.//title]/td[@class='lanes'][count(.//rect)=3]"),
        p->report.n_programs - 1);
    char *first = xasprintf("//section[@id='accounting']/div[1]/table/tbody/tr[1]/th/code[.='%s']", ex_names[19]);
    assert_int_equal(count_of(p, first), 1);
    free(first);
}

static json_t *embedded_json(const struct page *p)
{
    const char *open = "<script type=\"application/json\" id=\"report-data\">";
    const char *from = strstr(p->html.s, open);
    assert_non_null(from);
    from += strlen(open);
    json_error_t e;
    json_t *o = json_loadb(from, (size_t)(strstr(from, "</script>") - from), JSON_REJECT_DUPLICATES, &e);
    assert_non_null(o);
    return o;
}

static double member(const json_t *o, const char *name)
{
    const json_t *value = json_object_get(o, name);
    assert_non_null(value);
    return json_is_null(value) ? REPORT_UNKNOWN : json_number_value(value);
}

static void the_json_holds_the_figures(void **state)
{
    struct page *p = *state;
    const struct report *r = &p->report;
    json_t *o = embedded_json(p);
    json_t *programs = json_object_get(o, "programs");
    assert_int_equal(json_array_size(programs), r->n_programs);
    for (size_t i = 0; i < r->n_programs; i++) {
        json_t *program = json_array_get(programs, i);
        assert_string_equal(json_string_value(json_object_get(program, "name")), r->programs[i].name);
        assert_true(member(program, "measured") == r->programs[i].measured);
        assert_true(member(program, "predicted") == r->programs[i].predicted);
        const json_t *account = json_object_get(program, "account");
        assert_int_equal(json_array_size(account), i == 15 ? 0 : r->n_accounts);
        for (size_t k = 0; k < json_array_size(account); k++)
            assert_true(json_number_value(json_array_get(account, k)) == r->programs[i].account[k]);
    }
    assert_true(isnan(member(json_array_get(programs, 13), "predicted_heldout")));
    assert_true(isnan(member(json_array_get(programs, 13), "heldout_error")));
    assert_true(member(json_array_get(programs, EX_ROWS - 1), "predicted_heldout") ==
                r->programs[EX_ROWS - 1].predicted);
    json_t *headline = json_object_get(o, "headline");
    assert_true(member(json_object_get(headline, "heldout"), "mean_abs") == r->evaluations[0].heldout.mean_abs);
    assert_true(member(json_object_get(headline, "train"), "mean_abs") == r->evaluations[0].train.mean_abs);
    assert_true(member(json_object_get(headline, "test"), "mean_abs") == r->evaluations[1].heldout.mean_abs);
    assert_int_equal(json_array_size(json_object_get(o, "evaluations")), r->n_evaluations);
    assert_true(json_is_null(json_object_get(json_array_get(json_object_get(o, "evaluations"), 9), "heldout")));
    assert_int_equal(json_array_size(json_object_get(o, "values")), EX_CLASSES);
    json_t *coverage = json_object_get(o, "coverage"), *covered = json_object_get(coverage, "variables");
    assert_true(member(coverage, "condition") == r->coverage.condition);
    assert_int_equal(json_array_size(covered), r->coverage.n_variables);
    assert_string_equal(json_string_value(json_object_get(json_array_get(covered, 1), "strongest_of")), EX_HOSTILE);
    json_decref(o);
}

static void equal_data_give_equal_bytes(void **state)
{
    struct page *p = *state;
    struct str again = STR_INIT;
    report_html(&p->report, &again);
    assert_int_equal(again.len, p->html.len);
    assert_memory_equal(again.s, p->html.s, again.len);
    str_release(&again);
}

/* Nothing but a title: every section still stands and says what is missing; no figure is made up. */
static void an_empty_report_says_so(void **state)
{
    (void)state;
    struct page p = {.report = REPORT_INIT, .html = STR_INIT};
    p.report.title = "Nothing";
    page_parse(&p);
    assert_int_equal(count_of(&p, "//main/section"), 17);
    assert_true(contains(&p, "is not known"));
    assert_int_equal(count_of(&p, "//figure"), 0);
    assert_int_equal(count_of(&p, "//div[@class='tiles']"), 0);
    assert_false(contains(&p, "nan"));
    page_release(&p);
}

/* One program, all its doubles unknown; one evaluation that was not possible; the drawing of a machine. */
static void single_and_unknown_things_are_drawn(void **state)
{
    (void)state;
    struct page p = {.report = REPORT_INIT, .html = STR_INIT};
    struct report_program program = REPORT_PROGRAM_INIT;
    struct report_evaluation none = REPORT_EVALUATION_INIT;
    struct report_value value = REPORT_VALUE_INIT;
    program.name = "one@O0";
    none.classes = "L1", none.solver = "nnls", none.scheme = "leave-one-out", none.why_not = "no such event";
    value.variable = "all";
    p.report.title = "One";
    p.report.programs = &program, p.report.n_programs = 1;
    p.report.evaluations = &none, p.report.n_evaluations = 1;
    p.report.values = &value, p.report.n_values = 1;
    p.report.drawing = ex_drawing;
    page_parse(&p);
    assert_int_equal(count_of(&p, "//figure[@id='scatter']//div//g[contains(@class,'mark')]"), 0);
    assert_false(contains(&p, "test program: never in any fit")); /* there is none */
    assert_int_equal(count_of(&p, "//td[@class='why']"), 1);
    assert_int_equal(count_of(&p, "//figure[@id='blocks']//*[@class='shim-drawing']"), 1);
    assert_false(contains(&p, "nan"));
    page_release(&p);
}

/* 60 models, the chosen one worst of all: 20 are drawn and the chosen one; all stand in a table that is folded. */
static void many_models_are_folded(void **state)
{
    (void)state;
    struct page p = {.report = REPORT_INIT, .html = STR_INIT};
    struct report_evaluation many[60];
    char names[60][16];
    for (size_t i = 0; i < COUNT(many); i++) {
        many[i] = (struct report_evaluation)REPORT_EVALUATION_INIT;
        snprintf(names[i], sizeof names[i], "classes%zu", i);
        many[i].classes = names[i], many[i].solver = "ols", many[i].scheme = "leave-one-out";
        ex_spread(&many[i].heldout, 0.01 * (double)(i + 1), 2);
    }
    p.report.title = "Many";
    p.report.evaluations = many, p.report.n_evaluations = COUNT(many);
    p.report.chosen_classes = names[59], p.report.chosen_solver = "ols";
    page_parse(&p);
    assert_int_equal(count_of(&p, "//section[@id='models']/div/table/tbody/tr"), 21);
    assert_int_equal(count_of(&p, "//section[@id='models']/div/table/tbody/tr[21][@class='chosen']"), 1);
    assert_int_equal(count_of(&p, "//section[@id='models']/p[starts-with(.,'39 more')]"), 1);
    assert_int_equal(count_of(&p, "//section[@id='models']/details//tbody/tr"), 60);
    page_release(&p);
}

/* Two events: of misses 4 regions in all, none left out; of mispredictions the predictor that is only compared with. */
static void simulated_events_are_shown(void **state)
{
    (void)state;
    struct page p = {.report = REPORT_INIT, .html = STR_INIT};
    struct report_simulated events[] = {
        {"L1D_MISS", NULL, false, {4, 1.125, 0.5, 2.25}, {0, 0, 0, 0}, {3, 0.75, 0.5, 1}},
        {"BR_MISS", "one<two", false, {0, 0, 0, 0}, {2, 3, 2, 4}, {0, 0, 0, 0}},
        {"BR_MISS", "tage", true, {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
    p.report.title = "Events";
    p.report.simulated = events, p.report.n_simulated = COUNT(events);
    p.report.predictor = "it has the least error";
    page_parse(&p);
    static const char *const wanted[3][11] = {
        {"L1D_MISS", "", "4", "1.12", "0.50 \xe2\x80\x93 2.25", "0", "-", "-", "3", "0.75", "0.50 \xe2\x80\x93 1.00"},
        {"BR_MISS", "one<two (to compare with)", "0", "-", "-", "2", "3.00", "2.00 \xe2\x80\x93 4.00", "0", "-", "-"},
        {"BR_MISS", "tage", "1", "1.00", "1.00 \xe2\x80\x93 1.00", "0", "-", "-", "0", "-", "-"}};
    assert_int_equal(count_of(&p, "//section[@id='simulated']//tbody/tr"), 3);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 11; k++) {
            char *e = xasprintf("//section[@id='simulated']//tbody/tr[%zu]/*[%zu][.='%s']", i + 1, k + 1, wanted[i][k]);
            if (count_of(&p, e) != 1)
                fail_msg("%s", e);
            free(e);
        }
    assert_int_equal(count_of(&p, "//section[@id='simulated']//thead//th"), 11);
    assert_int_equal(count_of(&p, "//section[@id='simulated']/p[contains(.,'it has the least error')]"), 1);
    page_release(&p);
}

/* ---- a small report, whose sentences can be written down ---- */

#define SP "\xe2\x80\xaf" /* before a unit */

static struct report small_report(void)
{
    static const char *classes[] = {"load", "add", "div", "other"};
    static const double shares[] = {0.5, 0.2, 0.3, 0};
    static struct report_program programs[2];
    static struct report_evaluation evaluations[5];
    static struct report_value values[3];
    static struct report_instruction instructions[2];
    struct report r = REPORT_INIT;
    programs[0] = programs[1] = (struct report_program)REPORT_PROGRAM_INIT;
    programs[0].name = "s/a@O1", programs[0].measured = 1000, programs[0].predicted = 1100;
    programs[0].predicted_heldout = 750, programs[0].shares = shares;
    programs[1].name = "s/b@O1", programs[1].role = REPORT_TEST, programs[1].region = "loop";
    programs[1].measured = 2000, programs[1].predicted = 2500;
    for (size_t i = 0; i < COUNT(evaluations); i++) {
        evaluations[i] = (struct report_evaluation)REPORT_EVALUATION_INIT;
        evaluations[i].classes = "one", evaluations[i].solver = "mean", evaluations[i].scheme = "leave-one-out";
        evaluations[i].heldout.rows = 2;
    }
    evaluations[0].why_not = "no event", evaluations[0].baseline = true, evaluations[0].heldout.mean_abs = 0.01;
    evaluations[0].solver = "impossible";
    evaluations[1].baseline = true, evaluations[1].heldout.rows = 0, evaluations[1].heldout.mean_abs = 0.02;
    evaluations[1].solver = "unknown";
    evaluations[2].baseline = true, evaluations[2].heldout.mean_abs = 0.5;
    evaluations[3].baseline = true, evaluations[3].heldout.mean_abs = 0.75, evaluations[3].solver = "worse";
    evaluations[4].classes = "c", evaluations[4].solver = "s", evaluations[4].heldout.mean_abs = 0.125;
    evaluations[4].train.rows = 1, evaluations[4].train.mean_abs = 0.075;
    for (size_t i = 0; i < COUNT(values); i++) {
        values[i] = (struct report_value)REPORT_VALUE_INIT;
        values[i].variable = classes[i];
        values[i].value = i == 0 ? 1 : i == 1 ? 10 : 100;
    }
    instructions[0] = instructions[1] = (struct report_instruction)REPORT_INSTRUCTION_INIT;
    instructions[0].name = "add", instructions[1].name = "sub", instructions[1].inherited = "arith";
    r.title = "B", r.classes = classes, r.n_classes = 4;
    r.clock.event = "CYC", r.clock.core_cycles = true;
    r.programs = programs, r.n_programs = 2;
    r.evaluations = evaluations, r.n_evaluations = COUNT(evaluations);
    r.chosen_classes = "c", r.chosen_solver = "s";
    r.values = values, r.n_values = COUNT(values);
    r.instructions = instructions, r.n_instructions = 2;
    return r;
}

static void its_sentences_say_the_figures(void **state)
{
    (void)state;
    struct page p = {.report = small_report(), .html = STR_INIT};
    page_parse(&p);
    static const char *const said[] = {
        "the model of B is off by 12.5" SP
        "% on average (leave-one-out, 2 measurements; mean of the absolute errors); on "
        "the 1 measurement it was fitted on, by 7.5" SP "%.",
        "It was learnt from 1 measurement of programs and tried on 1 more that had no part in it; the cycles are CYC, "
        "the "
        "core\xe2\x80\x99s own.",
        "It uses the classification c with the solver s where the simplest baseline (one, mean) has 50.0" SP
        "% held out; of 2 instructions, 1 have evidence of their own and 1 inherit from their class."};
    for (size_t i = 0; i < COUNT(said); i++) {
        char *e = xasprintf("//section[@id='summary'][contains(normalize-space(.), \"%s\")]", said[i]);
        if (count_of(&p, e) != 1)
            fail_msg("not said: %s", said[i]);
        free(e);
    }
    assert_false(contains(&p, "These are not core cycles."));
    page_release(&p);
}

/* What is seen when one points at a program: 1000 cycles, 1100 are 10 % more, 750 are 25 % less; 2500 for 2000 are 25 % more. */
static void tooltips_say_the_figures(void **state)
{
    (void)state;
    struct page p = {.report = small_report(), .html = STR_INIT};
    page_parse(&p);
    static const struct {
        const char *mark, *title;
    } all[] = {{"train", "s/a@O1: measured 1" SP "000, fitted 1" SP "100 (+10.0" SP "%)"},
               {"heldout", "s/a@O1: measured 1" SP "000, held-out prediction 750 (\xe2\x88\x92"
                           "25.0" SP "%)"},
               {"test", "s/b@O1 loop: measured 2" SP "000, held-out prediction 2" SP "500 (+25.0" SP "%)"}};
    for (size_t i = 0; i < COUNT(all); i++) {
        char *e = xasprintf("//figure[@id='scatter']//g[@class='mark %s']/title[.=\"%s\"]", all[i].mark, all[i].title);
        if (count_of(&p, e) != 1)
            fail_msg("not there: %s", all[i].title);
        free(e);
    }
    assert_int_equal(count_of(&p, "//section[@id='surprises']//td[@class='made-of']/span[@class='aside']"
                                  "[.=\"load 50" SP "%, div 30" SP "%, add 20" SP "%\"]"),
                     1);
    page_release(&p);
}

/* Impossible and unknown models come last, whatever stands in their errors. */
static void what_is_impossible_comes_last(void **state)
{
    (void)state;
    struct page p = {.report = small_report(), .html = STR_INIT};
    page_parse(&p);
    static const char *const solvers[] = {"s", "mean", "worse", "impossible", "unknown"};
    for (size_t i = 0; i < COUNT(solvers); i++) {
        char *e = xasprintf("//section[@id='models']//table[contains(@class,'wide')]/tbody/tr[%zu][th/code[2]='%s']",
                            i + 1, solvers[i]);
        if (count_of(&p, e) != 1)
            fail_msg("row %zu is not of %s", i + 1, solvers[i]);
        free(e);
    }
    page_release(&p);
}

/* 1, 10 and 100 span more than a factor of 30: equal distances. 1, 2 and 3 do not: these too, and 1, 10 and 30 not. */
static void values_that_span_much_are_drawn_by_factors(void **state)
{
    (void)state;
    static const double values[][3] = {{1, 10, 100}, {1, 2, 3}, {1, 10, 30}};
    for (size_t i = 0; i < 3; i++) {
        struct page p = {.report = small_report(), .html = STR_INIT};
        for (size_t k = 0; k < 3; k++)
            p.report.values[k].value = values[i][k];
        page_parse(&p);
        static const char marks[] = "//section[@id='values']//td[@class='lanes']//g[contains(@class,'mark')]/use";
        assert_int_equal(count_of(&p, marks), 3);
        double a = place(&p, marks, 1, "x"), b = place(&p, marks, 2, "x"), c = place(&p, marks, 3, "x");
        assert_true(c - a > 30);
        if (i < 2)
            assert_float_equal(c - b, b - a, 0.02);
        else
            assert_float_equal((c - b) / (b - a), 20.0 / 9, 0.02);
        page_release(&p);
    }
}

static void it_is_written_whole_or_not_at_all(void **state)
{
    struct page *p = *state;
    struct error e = ERROR_INIT;
    char *folder = NULL;
    assert_int_equal(temp_directory(&folder, "test-report", &e), OK);
    char *path = path_join(folder, "report.html"), *nowhere = path_join(folder, "absent/report.html");
    struct str back = STR_INIT;
    assert_int_equal(report_write(&p->report, path, &e), OK);
    assert_int_equal(file_read(&back, path, FILE_LIMIT, &e), OK);
    assert_string_equal(back.s, p->html.s);
    assert_int_equal(report_write(&p->report, nowhere, &e), ERR_SYSTEM);
    assert_false(file_exists(nowhere));
    error_release(&e);
    assert_int_equal(remove_tree(folder, &e), OK);
    str_release(&back);
    free(path);
    free(nowhere);
    free(folder);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        struct report r = example_make();
        struct error e = ERROR_INIT;
        if (!report_write(&r, argv[1], &e))
            return 0;
        error_print(&e, argv[0]);
        error_release(&e);
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_self_contained),
        cmocka_unit_test(it_can_be_read_without_seeing),
        cmocka_unit_test(ids_are_unique_and_links_lead_somewhere),
        cmocka_unit_test(rows_have_as_many_cells_as_headings),
        cmocka_unit_test(hostile_names_stay_text),
        cmocka_unit_test(every_program_is_drawn),
        cmocka_unit_test(marks_are_where_the_figures_say),
        cmocka_unit_test(the_diagonal_is_drawn),
        cmocka_unit_test(cycles_are_drawn_on_one_axis),
        cmocka_unit_test(heldout_leads_and_training_is_beside_it),
        cmocka_unit_test(the_recommended_method_leads_and_what_is_next_ends_the_summary),
        cmocka_unit_test(the_model_table_shows_the_figures),
        cmocka_unit_test(the_value_tables_show_the_figures),
        cmocka_unit_test(the_program_table_shows_the_figures),
        cmocka_unit_test(surprises_come_largest_first),
        cmocka_unit_test(the_accounts_are_drawn),
        cmocka_unit_test(the_json_holds_the_figures),
        cmocka_unit_test(equal_data_give_equal_bytes),
        cmocka_unit_test(an_empty_report_says_so),
        cmocka_unit_test(single_and_unknown_things_are_drawn),
        cmocka_unit_test(many_models_are_folded),
        cmocka_unit_test(simulated_events_are_shown),
        cmocka_unit_test(its_sentences_say_the_figures),
        cmocka_unit_test(tooltips_say_the_figures),
        cmocka_unit_test(what_is_impossible_comes_last),
        cmocka_unit_test(values_that_span_much_are_drawn_by_factors),
        cmocka_unit_test(it_is_written_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
