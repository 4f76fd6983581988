/* The reader of C sources: what it makes of each piece of text, written down by hand from the rules of C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "shimgen/blocks/csource.h"

static const char *const marks[] = {
    [CSOURCE_COMMENT] = "comment",    [CSOURCE_OPEN] = "{",         [CSOURCE_CLOSE] = "}",
    [CSOURCE_SEMICOLON] = ";",        [CSOURCE_CODE] = "code",      [CSOURCE_HEAD] = "head",
    [CSOURCE_REGION_BEGIN] = "begin", [CSOURCE_REGION_END] = "end", [CSOURCE_IF] = "if",
    [CSOURCE_ELSE] = "else",          [CSOURCE_ENDIF] = "endif",    [CSOURCE_LINE] = "line"};

static enum status note(void *context, const struct csource_event *event, struct error *e)
{
    struct str *out = context;
    (void)e;
    if (event->kind == CSOURCE_CODE)
        return OK;
    str_addf(out, "%lu:%s", event->line, marks[event->kind]);
    if (event->text)
        str_addf(out, "(%s)", event->text);
    if (event->kind == CSOURCE_LINE)
        str_addf(out, "=%lu", event->number);
    if (event->kind == CSOURCE_COMMENT && !event->first)
        str_add(out, "-behind");
    if ((event->kind == CSOURCE_COMMENT || (event->kind >= CSOURCE_IF && event->kind <= CSOURCE_ENDIF)) &&
        event->inside)
        str_add(out, "-inside");
    str_addch(out, ' ');
    return OK;
}

static void expect(const char *source, const char *events)
{
    struct str out = STR_INIT;
    assert_int_equal(csource_scan(source, strlen(source), "x.c", note, &out, 0), OK);
    assert_string_equal(str_text(&out), events);
    str_release(&out);
}

static void refuse(const char *source, unsigned long line)
{
    struct str out = STR_INIT;
    struct error e = ERROR_INIT;
    assert_int_equal(csource_scan(source, strlen(source), "x.c", note, &out, &e), ERR_INPUT);
    assert_int_equal(e.line, line);
    error_release(&e);
    str_release(&out);
}

static void comments(void **state)
{
    (void)state;
    expect("/* one */\n", "1:comment(one) ");
    expect("a;\n/* a\n *  b\n   c */ x;", "1:; 2:comment(a b c) 4:; ");
    expect("x; /* behind */", "1:; 1:comment(behind)-behind ");
    expect("} /* behind a brace */", "1:} 1:comment(behind a brace) ");
    expect("f(a, /* in */ b);", "1:head(f) 1:comment(in)-behind-inside 1:; ");
    expect("/* /* not nested */ x;", "1:comment(/* not nested) 1:; ");
    expect("/**/x;", "1:comment() 1:; ");
    expect("/***/", "1:comment() ");
    expect("/*/ still */", "1:comment(/ still) ");
    expect("a / b; c /* d */ / e;", "1:; 1:comment(d)-behind 1:; ");
}

/* A condition in the middle of a call's arguments stands in its parentheses; after them it does not. */
static void conditions_inside(void **state)
{
    (void)state;
    expect("f(a,\n#if X\n b\n#else\n c\n#endif\n);", "1:head(f) 2:if-inside 4:else-inside 6:endif-inside 7:; ");
    expect("f(a);\n#if X\ng(b);\n#endif\n", "1:head(f) 1:; 2:if 3:head(g) 3:; 4:endif ");
    expect("x[\n#if X\n1\n#endif\n];", "2:if-inside 4:endif-inside 5:; ");
}

static void line_comments(void **state)
{
    (void)state;
    expect("// one\nx;", "1:comment(one) 2:; ");
    expect("// Gain: '<S1>/G' incorporates:\n//   Sum: '<S1>/S'\nx;",
           "1:comment(Gain: '<S1>/G' incorporates: Sum: '<S1>/S') 3:; ");
    expect("// a\n\n// b\n", "1:comment(a) 3:comment(b) ");
    expect("// a\n// b\n//\tc\n\n//  d\n", "1:comment(a) 2:comment(b c) 5:comment(d) ");
    expect("x; // behind\n// own\n", "1:; 1:comment(behind)-behind 2:comment(own) ");
    expect("// one \\\n two\nx;", "1:comment(one two) 3:; ");
    expect("http://x;", "1:comment(x;)-behind ");
}

static void lines(void **state)
{
    (void)state;
    expect("/* a */\r\nx;\r\n/* b */\r\n", "1:comment(a) 2:; 3:comment(b) ");
    expect("a;\rb;\rc;", "1:; 2:; 3:; ");
    expect("/\\\n* a *\\\n/ x;", "1:comment(a) 3:; ");
    expect("fo\\\r\no(x);", "1:head(foo) 2:; ");
    expect("\xEF\xBB\xBF/* mark */", "1:comment(mark) ");
}

static void strings(void **state)
{
    (void)state;
    expect("s = \"/* no */\"; c = '\"'; /* yes */", "1:; 1:; 1:comment(yes)-behind ");
    expect("s = \"\\\"/*\\\\\"; /* yes */", "1:; 1:comment(yes)-behind ");
    expect("s = \"a\\\nb\"; x;", "2:; 2:; ");
    expect("s = \"{;}\";", "1:; ");
    expect("'\\'' ; '{';", "1:; 1:; ");
}

static void directives(void **state)
{
    (void)state;
    expect("#define F(x) { /* in */ \\\n  y; }\nz;", "1:comment(in)-behind-inside 3:; ");
    expect("#if 0\na;\n#elif B\n#else\n#endif\n", "1:if 2:; 3:else 4:else 5:endif ");
    expect("  # ifdef X // why\n#endif", "1:comment(why)-behind-inside 1:if 2:endif ");
    expect("#line 40\nx;", "1:line=40 2:; ");
    expect("#line 7 \"a.c\"\n", "1:line(a.c)=7 ");
    expect("# 9 \"b.c\" 1\n", "1:line(b.c)=9 ");
    expect("#include \"x.h\"\n", "");
    expect("a #if b;", "1:; ");
}

static void names(void **state)
{
    (void)state;
    expect("int f(void) { g(1); }", "1:head(f) 1:{ 1:head(g) 1:; 1:} ");
    expect("shim_region_begin(\"fir\");\nshim_region_end ( \"fir\" );", "1:begin(fir) 1:; 2:end(fir) 2:; ");
    expect("shim_region_begin(name);", "1:; ");
    expect("for (i = 0; i < 3; i++) x;", "1:head(for) 1:; ");
    expect("a[{;}]", "1:{ 1:; 1:} "); /* nonsense: braces end what is not balanced */
}

static void odd_bytes(void **state)
{
    (void)state;
    expect("/* \xC3\xA4\xFF\x01 */", "1:comment(\xC3\xA4?\?) ");
    expect("/* \xED\xA0\x80 \xC0\xAF */", "1:comment(?\?? ?\?) ");
    struct str out = STR_INIT;
    assert_int_equal(csource_scan("/* a\0b */ x;\0;", 15, "x.c", note, &out, 0), OK);
    assert_string_equal(str_text(&out), "1:comment(a?b) 1:; 1:; ");
    str_release(&out);
}

static void never_ending(void **state)
{
    (void)state;
    refuse("x;\n/* a\nb\n", 2);
    refuse("x;\n\n\"abc\ny;", 3);
    refuse("'", 1);
    refuse("\"\\", 1);
    refuse("/*", 1);
    refuse("/* *\\\n", 1);
    refuse("shim_region_begin(\"", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments), cmocka_unit_test(conditions_inside), cmocka_unit_test(line_comments),
        cmocka_unit_test(lines),    cmocka_unit_test(strings),           cmocka_unit_test(directives),
        cmocka_unit_test(names),    cmocka_unit_test(odd_bytes),         cmocka_unit_test(never_ending),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
