/* Drawings: well-formed, every block inside of what it stands in, none over another, text of any length cut to its box.
 * What a block says is held against the document by hand (the sizes are chosen here). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"

static struct shimxml_doc *parsed(const char *text)
{
    struct shimxml_doc *d = 0;
    struct error e = ERROR_INIT;
    if (shimxml_parse(&d, text, strlen(text), "test", &e))
        fail_msg("%s", e.message);
    return d;
}

static struct shimxml_doc *machine(const char *topology)
{
    struct shimxml_doc *d = 0;
    assert_int_equal(shimxml_new(&d, &(struct shimxml_machine){"m", 1e9, topology}, 0), OK);
    return d;
}

static char *drawn(const struct shimxml_doc *d, enum shimxml_fold fold)
{
    char *svg = 0;
    assert_int_equal(shimxml_draw(&svg, d, &(struct shimxml_drawing){.fold = fold}, 0), OK);
    return svg;
}

struct rect {
    double x, y, w, h;
    char class[40];
};
typedef VEC(struct rect) rects_t;

/* The last rectangle of each group is the block; those before it are the pile after. */
static void collect(rects_t *out, const struct shimxml_doc *svg)
{
    const struct shimxml_node *g = 0;
    while ((g = shimxml_following(shimxml_root(svg), g, "g"))) {
        struct rect r = {0};
        for (const struct shimxml_node *n = shimxml_child(g, "rect"); n; n = shimxml_next(n, "rect"))
            r = (struct rect){shimxml_number(n, "x"), shimxml_number(n, "y"), shimxml_number(n, "width"),
                              shimxml_number(n, "height"), ""};
        snprintf(r.class, sizeof r.class, "%s", shimxml_get(g, "class"));
        vec_push(out, r);
    }
}

static bool inside(const struct rect *a, const struct rect *b)
{
    return a->x >= b->x && a->y >= b->y && a->x + a->w <= b->x + b->w + 0.01 && a->y + a->h <= b->y + b->h + 0.01;
}

static bool apart(const struct rect *a, const struct rect *b)
{
    return a->x + a->w <= b->x || b->x + b->w <= a->x || a->y + a->h <= b->y || b->y + b->h <= a->y;
}

/* Nested or apart, and all on the page. */
static void is_well_placed(const char *svg, size_t blocks)
{
    struct shimxml_doc *d = parsed(svg);
    rects_t r = {0};
    collect(&r, d);
    assert_int_equal(r.n, blocks);
    const struct rect page = {0, 0, shimxml_number(shimxml_root(d), "width"), shimxml_number(shimxml_root(d), "height"),
                              "page"};
    for (size_t i = 0; i < r.n; i++) {
        if (!inside(&r.at[i], &page))
            fail_msg("%s %zu is not on the page", r.at[i].class, i);
        for (size_t k = i + 1; k < r.n; k++)
            if (!apart(&r.at[i], &r.at[k]) && !inside(&r.at[k], &r.at[i]))
                fail_msg("%s %zu lies over %s %zu", r.at[i].class, i, r.at[k].class, k);
    }
    vec_release(&r);
    shimxml_free(d);
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

/* 2 frames, 4 cores with two caches each, the L2, the memory */
static void four_cores(void **state)
{
    (void)state;
    struct shimxml_doc *d = machine("pack:1 l2:1(size=524288) core:4 l1d:1(size=32768) l1i:1(size=16384) pu:1");
    char *svg = drawn(d, SHIMXML_FOLD_MANY);
    is_well_placed(svg, 2 + 4 + 8 + 1 + 1);
    assert_int_equal(count(svg, ">data 32 KiB"), 4);
    assert_int_equal(count(svg, ">instr. 16 KiB"), 4);
    assert_int_equal(count(svg, ">512 KiB"), 1);
    assert_int_equal(count(svg, ", 4 cores</text>"), 1);
    assert_int_equal(count(svg, ">from all 4 masters</text>"), 1);
    assert_non_null(strstr(svg, "<title id=\"shim-title\">m</title>"));
    assert_non_null(strstr(svg, "4 processing units, 9 caches, 1 memory; system clock 1 GHz"));
    assert_null(strstr(svg, "href")); /* nothing from elsewhere */
    free(svg);
    svg = drawn(d, SHIMXML_FOLD);
    is_well_placed(svg, 2 + 1 + 2 + 1 + 1);
    assert_int_equal(count(svg, ">4 \xc3\x97 Core_0</text>"), 1);
    free(svg);
    shimxml_free(d);
}

static void many_cores_are_folded(void **state)
{
    (void)state;
    struct shimxml_doc *d = machine("pack:4 l3:1 core:16 l1d:1 pu:2");
    char *svg = drawn(d, SHIMXML_FOLD_MANY);
    is_well_placed(svg, 2 + 1 + 1 + 1 + 1 + 1); /* frames, the group of an L3, core, L1, L3, memory */
    assert_int_equal(count(svg, ">4 \xc3\x97 L3_UnifiedCache_0 to L3_UnifiedCache_3</text>"), 1);
    assert_int_equal(count(svg, ">16 \xc3\x97 Core_0</text>"), 1);
    free(svg);
    svg = drawn(d, SHIMXML_FOLD_NONE);
    is_well_placed(svg, 2 + 64 + 64 + 4 + 1);
    free(svg);
    shimxml_free(d);
}

/* Sets in sets; a memory that nobody reaches; a core that differs in its clock alone is not folded; names that are
 * markup. */
static void what_stands_in_sets(void **state)
{
    (void)state;
    struct str text = STR_INIT;
    str_add(&text,
            "<SystemConfiguration name=\"a &lt;b&gt; &amp; &quot;c&quot;\" shimVersion=\"1.0\"><ComponentSet name=\"");
    for (int i = 0; i < 300; i++)
        str_add(&text, "W");
    str_add(&text, "\"><ComponentSet name=\"inner\"><SlaveComponent name=\"lost\" id=\"S\" size=\"1\" sizeUnit=\"KiB\" "
                   "rwType=\"R\"/>");
    for (int i = 0; i < 3; i++)
        str_addf(
            &text,
            "<MasterComponent name=\"c%d &lt;\" id=\"M%d\" masterType=\"PU\" arch=\"x\"><ClockFrequency "
            "clockValue=\"%d\"/><AccessTypeSet><AccessType name=\"a\" id=\"A%d\"/></AccessTypeSet></MasterComponent>",
            i, i, i < 2 ? 1000 : 2000, i);
    str_add(&text, "</ComponentSet></ComponentSet><ClockFrequency clockValue=\"0\"/></SystemConfiguration>");
    struct shimxml_doc *d = parsed(str_text(&text));
    char *svg = drawn(d, SHIMXML_FOLD);
    is_well_placed(svg, 2 + 2 + 1);
    assert_int_equal(count(svg, ">2 \xc3\x97 c0 &lt;</text>"), 1);
    assert_int_equal(count(svg, ">c2 &lt;</text>"), 1);
    assert_int_equal(count(svg, ">bound nowhere</text>"), 1);
    assert_int_equal(count(svg, "W\xe2\x80\xa6</text>"), 1);
    assert_non_null(strstr(svg, "; system clock unknown"));
    free(svg);
    shimxml_free(d);
    str_release(&text);
}

static void marks_a_core(void **state)
{
    (void)state;
    struct shimxml_doc *d = machine("core:2 pu:1");
    char *svg = 0;
    assert_int_equal(shimxml_draw(&svg, d, &(struct shimxml_drawing){.marked = "Core_1", .mark = "measured"}, 0), OK);
    assert_int_equal(count(svg, "<g class=\"shim-core shim-marked\">"), 1);
    assert_int_equal(count(svg, ">measured</text>"), 1);
    free(svg);
    shimxml_free(d);
}

static void refuses_what_is_no_system(void **state)
{
    (void)state;
    char *svg = 0;
    struct shimxml_doc *d = parsed("<SystemConfiguration name=\"a\" shimVersion=\"1.0\"/>");
    assert_int_equal(shimxml_draw(&svg, d, 0, 0), ERR_INPUT);
    shimxml_free(d);
    d = parsed("<Cache/>");
    assert_int_equal(shimxml_draw(&svg, d, 0, 0), ERR_INPUT);
    shimxml_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_cores),
        cmocka_unit_test(many_cores_are_folded),
        cmocka_unit_test(what_stands_in_sets),
        cmocka_unit_test(marks_a_core),
        cmocka_unit_test(refuses_what_is_no_system),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
