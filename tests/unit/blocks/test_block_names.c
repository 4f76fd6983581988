/* test_block_names.c - the systems of a model: from comments and headers written here, what each number stands for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/str.h"
#include "shimgen/blocks/block_names.h"

static char folder[64];

static const char *put(const char *name, const char *text)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(file_write(path, text, strlen(text), 0), OK);
    return path;
}

/* All systems that the tree knows: "model <S1>=title; ". */
static void expect(const struct tree *t, const char *wanted)
{
    struct str out = STR_INIT;
    for (size_t i = 0; i < t->systems.n; i++) {
        size_t at;
        assert_true(map_get(&t->systems, t->systems.keys[i], &at));
        const char *end = strchr(t->systems.keys[i], '\n');
        str_addf(&out, "%.*s %s=%s; ", (int)(end - t->systems.keys[i]), t->systems.keys[i], end + 1, t->titles.at[at]);
    }
    assert_string_equal(str_text(&out), wanted);
    str_release(&out);
}

static void models(void **state)
{
    (void)state;
    struct str at_most = STR_INIT, longer = STR_INIT;
    for (int i = 0; i < 199; i++) {
        str_addch(&at_most, 'm');
        str_addch(&longer, 'm');
    }
    str_addch(&longer, 'm');
    const struct {
        const char *before, *name, *after, *model;
    } forms[] = {{"File: a.c Code generated for Simulink model '", "plant", "'. Model version: 1", "plant"},
                 {"Code generated for Simulink model \"", "a'b", "\"", "a'b"},
                 {"x Code generation for model \"", "p q", "\". y", "p q"},
                 {"Code generated for model '", "ref", "'", "ref"},
                 {"Code generated for model '", "ref", "", NULL}, /* no end */
                 {"Code generated for model '", "", "'", NULL},
                 {"Code generated for Simulink model '", str_text(&at_most), "'", str_text(&at_most)},
                 {"Code generated for Simulink model '", str_text(&longer), "'", NULL},
                 {"generated for Simulink ", "plant", "'", NULL}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char *comment = xasprintf("%s%s%s", forms[i].before, forms[i].name, forms[i].after);
        char *model = system_model(comment);
        if (!forms[i].model != !model || (model && strcmp(model, forms[i].model) != 0))
            fail_msg("%s: %s", comment, model ? model : "none");
        free(model);
        free(comment);
    }
    str_release(&at_most);
    str_release(&longer);
}

/* One comment with all of it; titles with and without quotes; the first one of a number holds. */
static void hierarchies(void **state)
{
    (void)state;
    struct tree t = {0};
    bool going = false;
    system_read(&t, "m", "'<S1>' : 'not/yet'", &going);
    assert_false(going);
    system_read(&t, "m",
                "Here is the system hierarchy for this model '<Root>' : 'm' '<S1>' : 'm/A b' '<S12>' : m/old form "
                "'<S3>' : '' '<S4>' : 'm/it''s' '<S1>' : 'm/second'",
                &going);
    expect(&t, "m <Root>=m; m <S1>=m/A b; m <S12>=m/old form; m <S4>=m/it''s; ");
    assert_true(going);
    system_read(&t, "n", "'<S1>' : 'n/B'", &going); /* goes on; of another model */
    system_read(&t, "n", "", &going);
    assert_true(going);
    system_read(&t, "n", "'<S2>' : 'n/C'", &going);
    system_read(&t, "n", "other", &going);
    assert_false(going);
    system_read(&t, "n", "'<S3>' : 'n/D'", &going);
    expect(&t, "m <Root>=m; m <S1>=m/A b; m <S12>=m/old form; m <S4>=m/it''s; n <S1>=n/B; n <S2>=n/C; ");
    tree_release(&t);
}

/* A number has up to 12 characters with its '<'; what has none, or no end, ends the list. */
static void odd_hierarchies(void **state)
{
    (void)state;
    static const char begin[] = "Here is the system hierarchy for this model ";
    static const struct {
        const char *list, *systems;
    } lists[] = {{"'<S1234567890>' : 'm/A'", "m <S1234567890>=m/A; "},
                 {"'<S12345678901>' : 'm/A'", ""},
                 {"'<S1' : 'm/A'", ""},
                 {"'<S1>'", ""},
                 {"", ""},
                 {"'<S1>' : 'm/A' '<S2", "m <S1>=m/A; "},
                 {"'<S1>' :   'm/A'  ", "m <S1>=m/A; "}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct tree t = {0};
        bool going = false;
        char *comment = xasprintf("%s%s", begin, lists[i].list);
        system_read(&t, "m", comment, &going);
        expect(&t, lists[i].systems);
        free(comment);
        tree_release(&t);
    }
}

#define HIERARCHY(root) "/* Here is the system hierarchy for this model\n * '<Root>' : '" root "' */\n"

/* Beside a source: the model's header, then that of its own name. What such a header says of models does not count. */
static void beside_a_source(void **state)
{
    (void)state;
    struct tree t = {0};
    put("model.h", "/* Code generated for Simulink model 'other'. */\n" HIERARCHY("of the model"));
    put("own.h", "/* Here is the system hierarchy for this model '<Root>' : 'second' '<S1>' : 'own' */");
    const char *path = put("own.c", "");
    system_headers(&t, path, "model");
    expect(&t, "model <Root>=of the model; model <S1>=own; ");
    tree_release(&t);

    t = (struct tree){0};
    system_headers(&t, put("own", ""), "none"); /* a source without an ending */
    expect(&t, "none <Root>=second; none <S1>=own; ");
    tree_release(&t);

    t = (struct tree){0};
    system_headers(&t, put("nowhere.c", ""), "none");
    expect(&t, "");
    tree_release(&t);

    t = (struct tree){0};
    put("broken.h", HIERARCHY("before") "/* never ends");
    system_headers(&t, put("broken.c", ""), "broken");
    expect(&t, "broken <Root>=before; ");
    tree_release(&t);
}

/* A header that debug information names: of the model that it says it is of first, else of its own name. */
static void named_headers(void **state)
{
    (void)state;
    struct tree t = {0};
    system_header(&t, put("a.b.h", "/* Code generated for Simulink model 'said'. */\n"
                                   "/* Code generated for Simulink model 'later'. */\n" HIERARCHY("x")));
    system_header(&t, put("c.d.h", HIERARCHY("y")));
    system_header(&t, put("plain", HIERARCHY("z")));
    expect(&t, "said <Root>=x; c.d <Root>=y; plain <Root>=z; ");
    tree_release(&t);
}

static void add(struct tree *t, enum block_kind kind, const char *model, const char *name)
{
    tree_block(t, kind, "type", model, name);
}

static void names(void **state)
{
    (void)state;
    struct tree t = {0};
    bool going = false;
    system_read(&t, "m", "Here is the system hierarchy for this model '<Root>' : 'm' '<S1>' : 'm/A'", &going);
    add(&t, BLOCK_MODEL, "m", "<S1>/Gain");
    add(&t, BLOCK_SYSTEM, "m", "<Root>/A");
    add(&t, BLOCK_STATE, "m", "<S2>:4");
    add(&t, BLOCK_MODEL, "n", "<S1>/Gain");
    add(&t, BLOCK_MARKER, "m", "<S1>/mark");
    add(&t, BLOCK_REGION, "m", "<S1>/region");
    add(&t, BLOCK_FUNCTION, "m", "<S1>/f");
    add(&t, BLOCK_MODEL, "m", "odd");
    add(&t, BLOCK_MODEL, "m", "<odd");
    systems_name(&t);
    static const char *const wanted[] = {"m/A", "m", "<S2>", "<S1>", NULL, NULL, NULL, NULL, NULL};
    for (size_t i = 0; i < t.blocks.n; i++)
        if (!wanted[i] != !t.blocks.at[i].system || (wanted[i] && strcmp(wanted[i], t.blocks.at[i].system) != 0))
            fail_msg("%s: %s", t.blocks.at[i].name, t.blocks.at[i].system);
    system_note_unnamed(&t);
    assert_int_equal(t.findings.n, 2);
    assert_non_null(strstr(t.findings.at[0], "model 'm': no header was found that says what its systems <S2> are "));
    assert_non_null(strstr(t.findings.at[1], "model 'n': no header was found that says what its systems <S1> are "));
    tree_release(&t);
}

/* Six are named, and that there are more. Those of the root need no header. */
static void many_unnamed(void **state)
{
    (void)state;
    struct tree t = {0};
    add(&t, BLOCK_MODEL, "r", "<Root>/x");
    for (int i = 1; i < 9; i++) {
        char name[20];
        snprintf(name, sizeof name, "<S%d>/x", i);
        add(&t, BLOCK_MODEL, i < 7 ? "six" : "m", name);
        add(&t, BLOCK_MODEL, "m", name);
    }
    systems_name(&t);
    system_note_unnamed(&t);
    assert_int_equal(t.findings.n, 2);
    assert_non_null(strstr(t.findings.at[0], "systems <S1>, <S2>, <S3>, <S4>, <S5>, <S6> are called"));
    assert_non_null(strstr(t.findings.at[1], "systems <S1>, <S2>, <S3>, <S4>, <S5>, <S6> ... are called"));
    tree_release(&t);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/test-names-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int clean_up(void **state)
{
    (void)state;
    return remove_tree(folder, 0) ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models),          cmocka_unit_test(hierarchies),
                                       cmocka_unit_test(odd_hierarchies), cmocka_unit_test(beside_a_source),
                                       cmocka_unit_test(named_headers),   cmocka_unit_test(names),
                                       cmocka_unit_test(many_unnamed)};
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
