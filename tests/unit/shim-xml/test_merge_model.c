/* The document model over the whole table of the schema: what is made stands in order, is written, read and equal;
 * and the public calls, one by one. The truth is the schema's table, and the documents written out here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "shim-xml/document/schema.h"
#include "shim-xml/shimxml.h"
#include "tests/unit/folder.h"

static char *path;

static int set_up(void **state)
{
    if (make_folder(state))
        return 1;
    path = in_folder("f.xml");
    return 0;
}

static struct shimxml_doc *parse(const char *text)
{
    struct shimxml_doc *d = 0;
    struct error e = ERROR_INIT;
    if (shimxml_parse(&d, text, strlen(text), "text", &e))
        fail_msg("refused: %s", e.message);
    return d;
}

static char *written(const struct shimxml_doc *d)
{
    struct str text = STR_INIT;
    assert_int_equal(shimxml_write(d, path, 0), OK);
    assert_int_equal(file_read(&text, path, FILE_LIMIT, 0), OK);
    return str_detach(&text);
}

static size_t errors_in(const struct shimxml_doc *d)
{
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    size_t n = f.errors;
    for (size_t i = 0; i < f.n; i++)
        if (f.at[i].severity == SHIMXML_ERROR)
            print_message("%s: %s\n", f.at[i].path, f.at[i].text);
    shimxml_findings_release(&f);
    return n;
}

/* A value that every attribute of the type may have; ids and references all the same but for their kind. */
static void set_any(struct shimxml_node *n, const struct schema_attribute *a, size_t *ids)
{
    static const char *const words[] = {"1", "LITTLE", "UNORDERD", "HARD", "DATA", "WAY", "PU", "RWX", "KiB", "TAS"};
    if (a->type == TYPE_ID) {
        shimxml_setf(n, a->name, *ids ? "%s%zu" : "%s", shimxml_name(n), *ids);
        return;
    }
    if (a->type == TYPE_IDREF) {
        shimxml_set(n, a->name, schema_reference(&schema1, a->name));
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!schema_bad_value(a->type, words[i])) {
            shimxml_set(n, a->name, strcmp(a->name, "shimVersion") == 0 ? "1.0" : words[i]);
            return;
        }
    fail_msg("no value for %s/@%s", shimxml_name(n), a->name);
}

/* Every child and every attribute that the schema knows, made in the reverse of its order. `seen` counts elements. */
static void fill(struct shimxml_node *n, struct map *seen, int depth)
{
    const struct schema_element *spec = schema_find(&schema1, shimxml_name(n));
    size_t children = 0, attributes = 0, before = 0;
    map_get(seen, spec->name, &before);
    map_put(seen, spec->name, before + 1);
    while (spec->attributes[attributes].name)
        attributes++;
    while (attributes--)
        set_any(n, &spec->attributes[attributes], &before);
    if (spec->text)
        shimxml_set_text(n, "Cache1"); /* the one in the ComponentSet, so that the other is in no ring */
    while (spec->children[children].name)
        children++;
    while (children--)
        if (strcmp(spec->children[children].name, spec->name) != 0 || depth < 2)
            fill(shimxml_add(n, spec->children[children].name), seen, depth + 1);
}

static void everything_in_order(void **state)
{
    (void)state;
    struct shimxml_doc *d = shimxml_doc_new("SystemConfiguration"), *again = 0;
    struct map seen = {0};
    fill(shimxml_root(d), &seen, 0);
    for (size_t i = 0; i < schema1.n_elements; i++)
        if (!map_get(&seen, schema1.elements[i].name, 0))
            fail_msg("%s is not in the document", schema1.elements[i].name);
    map_release(&seen);
    /* the caches' own references are a ring; all else is right: order, number, values, kinds of references */
    struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(d), n, "Cache")))
        if (strcmp(shimxml_get(n, "id"), "Cache1") == 0)
            shimxml_remove(shimxml_child(n, "cacheRef"));
    n = 0;
    while ((n = shimxml_following(shimxml_root(d), n, "Accessor")))
        assert_non_null(shimxml_target(n, "masterComponentRef"));
    n = shimxml_by_id(d, "MasterComponent");
    struct shimxml_node *type = shimxml_child(shimxml_child(n, "AccessTypeSet"), "AccessType");
    for (n = 0; (n = shimxml_following(shimxml_root(d), n, "Performance"));)
        shimxml_set(n, "accessTypeRef", shimxml_get(type, "id"));
    assert_int_equal(errors_in(d), 0);
    char *text = written(d);
    assert_int_equal(shimxml_read(&again, path, 0), OK);
    struct shimxml_comparison c;
    assert_int_equal(shimxml_diff(&c, d, again, 0, 0), OK);
    assert_int_equal(c.n, 0);
    shimxml_comparison_release(&c);
    char *twice = written(again);
    assert_string_equal(text, twice);
    free(text);
    free(twice);
    shimxml_free(d);
    shimxml_free(again);
}

static void new_ones_find_their_place(void **state)
{
    (void)state;
    struct shimxml_doc *d = parse("<MasterComponent pid=\"8\" name=\"c\"><!--first--><Cache name=\"a\"/><?p i?>"
                                  "<AccessTypeSet/><!--last--></MasterComponent>");
    struct shimxml_node *root = shimxml_root(d);
    shimxml_set(shimxml_add(root, "Cache"), "name", "b");
    shimxml_set(shimxml_add(root, "ClockFrequency"), "clockValue", "1");
    shimxml_set(shimxml_need(root, "CommonInstructionSet"), "name", "i");
    assert_ptr_equal(shimxml_need(root, "CommonInstructionSet"), shimxml_child(root, "CommonInstructionSet"));
    shimxml_add(root, "Stranger");
    shimxml_set(root, "arch", "x");
    shimxml_set(root, "colour", "red");
    char *text = written(d);
    assert_string_equal(text, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
                              "<MasterComponent arch=\"x\" pid=\"8\" name=\"c\" colour=\"red\">\n"
                              "    <!--first-->\n"
                              "    <CommonInstructionSet name=\"i\"/>\n"
                              "    <Cache name=\"a\"/>\n"
                              "    <?p i?>\n"
                              "    <Cache name=\"b\"/>\n"
                              "    <ClockFrequency clockValue=\"1\"/>\n"
                              "    <AccessTypeSet/>\n"
                              "    <!--last-->\n"
                              "    <Stranger/>\n"
                              "</MasterComponent>\n");
    free(text);
    shimxml_free(d);
}

static void what_a_node_says(void **state)
{
    (void)state;
    struct shimxml_doc *d = parse("<SystemConfiguration>\n<ComponentSet>\n<Cache id=\"a\" size=\"2\" sizeUnit=\"MiB\"/>"
                                  "<Cache id=\"b\"\n nWay=\"x\"><cacheRef>\n a </cacheRef></Cache></ComponentSet>"
                                  "</SystemConfiguration>");
    const struct shimxml_node *root = shimxml_root(d), *a = shimxml_by_id(d, "a"), *b = shimxml_by_id(d, "b");
    assert_true(shimxml_bytes(a) == 2097152 && shimxml_bytes(b) == 0);
    assert_true(shimxml_number(b, "nWay") != shimxml_number(b, "nWay")); /* NAN */
    assert_int_equal(shimxml_line(a), 3);
    assert_int_equal(shimxml_line(b), 4);
    char *place = shimxml_path_of(b), *text = shimxml_text(shimxml_child(b, 0));
    assert_string_equal(place, "/SystemConfiguration/ComponentSet/Cache[2]");
    assert_string_equal(text, "a");
    free(place);
    free(text);
    assert_ptr_equal(shimxml_target(shimxml_child(b, "cacheRef"), 0), a);
    assert_ptr_equal(shimxml_following(root, 0, "Cache"), a);
    assert_ptr_equal(shimxml_following(root, a, "Cache"), b);
    assert_null(shimxml_following(root, b, "Cache"));
    assert_null(shimxml_following(a, a, 0));
    assert_ptr_equal(shimxml_owner(a, "SystemConfiguration"), root);
    assert_null(shimxml_parent(root));
    assert_null(shimxml_by_id(d, "c"));
    const char *value;
    assert_string_equal(shimxml_attribute(b, 1, &value), "nWay");
    assert_string_equal(value, "x");
    assert_null(shimxml_attribute(b, 2, &value));
    /* what changes is found again */
    shimxml_set((struct shimxml_node *)a, "id", "c");
    assert_null(shimxml_by_id(d, "a"));
    assert_ptr_equal(shimxml_by_id(d, "c"), a);
    shimxml_remove((struct shimxml_node *)a);
    assert_null(shimxml_by_id(d, "c"));
    place = shimxml_path_of(b);
    assert_string_equal(place, "/SystemConfiguration/ComponentSet/Cache");
    free(place);
    shimxml_free(d);
}

/* Every bit pattern of single precision that is a number keeps its value; a sample of them. */
static void numbers_round_trip(void **state)
{
    (void)state;
    struct shimxml_doc *d = shimxml_doc_new("Latency");
    for (uint32_t bits = 1; bits < 0x7f800000; bits += 7919 * 101) {
        float v;
        memcpy(&v, &bits, sizeof v);
        shimxml_set_number(shimxml_root(d), "typical", (double)v);
        if ((float)shimxml_number(shimxml_root(d), "typical") != v)
            fail_msg("%.9g became %s", (double)v, shimxml_get(shimxml_root(d), "typical"));
        assert_null(schema_bad_value(TYPE_float, shimxml_get(shimxml_root(d), "typical")));
    }
    shimxml_free(d);
}

/* xs:float and xs:IDREF take no notice of spaces round a value (XML Schema 2, whiteSpace collapse), xs:string does; set
 * or read, a document has the same. */
static void blanks_round_values(void **state)
{
    (void)state;
    struct shimxml_doc *d =
        parse("<SystemConfiguration name=' s ' shimVersion='1.0'><ClockFrequency clockValue=' 1e6\n'/>"
              "</SystemConfiguration>");
    struct shimxml_node *root = shimxml_root(d), *clock = shimxml_child(root, "ClockFrequency");
    assert_string_equal(shimxml_get(clock, "clockValue"), "1e6");
    assert_string_equal(shimxml_get(root, "name"), " s ");
    shimxml_set(clock, "clockValue", "\t2e6 ");
    assert_string_equal(shimxml_get(clock, "clockValue"), "2e6");
    shimxml_set(clock, "clockValue", " \t");
    assert_string_equal(shimxml_get(clock, "clockValue"), "");
    shimxml_set(root, "name", " t ");
    assert_string_equal(shimxml_get(root, "name"), " t ");
    shimxml_free(d);
}

static void comments_stay_comments(void **state)
{
    (void)state;
    struct shimxml_doc *d = shimxml_doc_new("ComponentSet"), *again = 0;
    shimxml_comment(shimxml_root(d), 0, "a--b---c-");
    free(written(d));
    assert_int_equal(shimxml_read(&again, path, 0), OK);
    shimxml_free(again);
    shimxml_free(d);
}

/* Named values in the processing instruction: beside a method that somebody wrote by hand, changed, taken away, kept
 * when written and read. */
static void annotations(void **state)
{
    (void)state;
    struct shimxml_doc *d = parse("<?shimgen  method = 'sum' loose?><SystemConfiguration/>");
    assert_null(shimxml_annotation(d, "predictor"));
    shimxml_annotate(d, "predictor", "bimodal:10");
    shimxml_annotate(d, "predictor", "gshare:12:8");
    shimxml_annotate(d, "interval", "0.5 1.5");
    char *text = written(d);
    shimxml_free(d);
    assert_non_null(strstr(text, "<?shimgen method = 'sum' loose predictor=\"gshare:12:8\" interval=\"0.5 1.5\"?>"));
    d = parse(text);
    const char *method = 0;
    assert_int_equal(shimxml_method(&method, d, 0), OK);
    assert_string_equal(method, "sum");
    shimxml_set_method(d, "schedule");
    shimxml_annotate(d, "predictor", 0);
    free(text);
    text = written(d);
    assert_non_null(strstr(text, "<?shimgen method=\"schedule\" loose interval=\"0.5 1.5\"?>"));
    free(text);
    shimxml_free(d);
    d = parse("<SystemConfiguration/>");
    shimxml_annotate(d, "predictor", "bimodal:10");
    assert_false(shimxml_says_method(d));
    assert_int_equal(shimxml_method(&method, d, 0), OK);
    assert_string_equal(method, "operand");
    char *value = shimxml_annotation(d, "predictor");
    assert_string_equal(value, "bimodal:10");
    free(value);
    shimxml_free(d);
}

static void values_of_many_kinds(void **state)
{
    (void)state;
    struct shimxml_doc *d = shimxml_doc_new("ComponentSet");
    struct str longest = STR_INIT;
    for (int i = 0; i < 300000; i++)
        str_addch(&longest, (char)('a' + i % 26));
    struct shimxml_node *last = 0;
    for (int i = 0; i < 5000; i++) {
        last = shimxml_add(shimxml_root(d), "Cache");
        shimxml_setf(last, "name", "n%d", i % 700);
        shimxml_setf(last, "id", "i%d", i);
    }
    shimxml_set(last, "name", str_text(&longest));
    assert_string_equal(shimxml_get(shimxml_by_id(d, "i4999"), "name"), str_text(&longest));
    assert_string_equal(shimxml_get(shimxml_by_id(d, "i4998"), "name"), "n98");
    assert_string_equal(shimxml_get(shimxml_by_id(d, "i0"), "name"), "n0");
    str_release(&longest);
    shimxml_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_in_order),  cmocka_unit_test(new_ones_find_their_place),
        cmocka_unit_test(what_a_node_says),     cmocka_unit_test(numbers_round_trip),
        cmocka_unit_test(blanks_round_values),  cmocka_unit_test(comments_stay_comments),
        cmocka_unit_test(values_of_many_kinds), cmocka_unit_test(annotations),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
