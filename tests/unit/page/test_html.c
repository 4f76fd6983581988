/* Escaping: whatever stands in a name, the page's markup is ours. Expected bytes by hand from the HTML and Unicode
 * standards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "shimgen/page/html.h"

#define FFFD "\xef\xbf\xbd"

static void expect_text(const char *in, const char *out)
{
    struct str s = STR_INIT;
    html_text(&s, in);
    assert_string_equal(str_text(&s), out);
    str_release(&s);
}

static void markup_is_escaped(void **state)
{
    (void)state;
    expect_text("<script>alert('x & \"y\"')</script>",
                "&lt;script&gt;alert(&#39;x &amp; &quot;y&quot;&#39;)&lt;/script&gt;");
    expect_text("&lt;", "&amp;lt;");
    expect_text("", "");
    expect_text(NULL, "");
}

static void text_that_is_not_utf8_is_replaced(void **state)
{
    (void)state;
    expect_text("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"); /* ä € and a face */
    expect_text("a\xff"
                "b",
                "a" FFFD "b");
    expect_text("\xc3", FFFD);                            /* cut off */
    expect_text("\xe2\x82", FFFD FFFD);                   /* cut off */
    expect_text("\xc0\xbc", FFFD FFFD);                   /* '<' in an overlong form */
    expect_text("\xe0\x80\xbc", FFFD FFFD FFFD);          /* the same, longer */
    expect_text("\xed\xa0\x80", FFFD FFFD FFFD);          /* half of a surrogate pair */
    expect_text("\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD); /* beyond U+10FFFF */
    expect_text("\xc3<", FFFD "&lt;");                    /* what follows a broken sequence is still escaped */
}

static void control_characters_are_replaced(void **state)
{
    (void)state;
    expect_text("a\x01\x1b[31mb\x7f\tc\n", "a" FFFD FFFD "[31mb" FFFD "\tc\n");
    expect_text("\xc2\x85\xef\xbf\xbe", FFFD FFFD); /* U+0085, U+FFFE */
}

static void formats_escape_their_texts(void **state)
{
    (void)state;
    struct str s = STR_INIT;
    const char *volatile nothing = NULL; /* allowed here, unlike in printf: gcc must not see it */
    html_addf(&s, "<b title=\"%s\">%s %zu %u %d 100%%</b>", "\"><i>", nothing, (size_t)7, 8u, -9);
    assert_string_equal(str_text(&s), "<b title=\"&quot;&gt;&lt;i&gt;\"> 7 8 -9 100%</b>");
    str_release(&s);
}

static void json_cannot_end_its_script(void **state)
{
    (void)state;
    struct str s = STR_INIT;
    html_script_json(&s, "{\"a\":\"</script><!--&\"}");
    assert_string_equal(str_text(&s), "{\"a\":\"\\u003c/script\\u003e\\u003c!--\\u0026\"}");
    str_release(&s);
}

static void only_relative_paths_are_links(void **state)
{
    (void)state;
    static const char *const links[] = {"a.csv", "sub/a.csv", "../a.csv", "a/b:c.csv", "odd name.csv"};
    static const char *const not_links[] = {"",       "/etc/passwd",         "//host/x",       "http://example.org/",
                                            "file:x", "javascript:alert(1)", "java\nscript:x", "\\\\host\\x"};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        assert_true(html_is_relative_link(links[i]));
    for (size_t i = 0; i < sizeof not_links / sizeof *not_links; i++)
        assert_false(html_is_relative_link(not_links[i]));
    assert_false(html_is_relative_link(NULL));
    struct str s = STR_INIT;
    html_href(&s, "a b/\"%<\xc3\xa4?#.csv");
    assert_string_equal(str_text(&s), "a%20b/%22%25%3C%C3%A4%3F%23.csv");
    str_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_is_escaped),
        cmocka_unit_test(text_that_is_not_utf8_is_replaced),
        cmocka_unit_test(control_characters_are_replaced),
        cmocka_unit_test(formats_escape_their_texts),
        cmocka_unit_test(json_cannot_end_its_script),
        cmocka_unit_test(only_relative_paths_are_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
