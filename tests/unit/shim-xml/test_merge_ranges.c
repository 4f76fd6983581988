/* Best, typical and worst of merged files: 0 <= best <= typical <= worst of pitch and latency of every instruction,
 * written and read again, whatever the model's values: also such that differ in the last bit alone, which the means
 * over an instruction's keys and the file's single precision round. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/random.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"
#include "tests/unit/folder.h"

enum { MODELS = 150 };

static const char skeleton[] = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
                               "<SystemConfiguration name=\"s\" shimVersion=\"1.0\">\n"
                               "    <ComponentSet name=\"Top\">\n"
                               "        <MasterComponent name=\"Core_0\" id=\"MC0\" masterType=\"PU\" arch=\"a\">\n"
                               "            <AccessTypeSet>\n"
                               "                <AccessType name=\"Load\" id=\"AT0\"/>\n"
                               "            </AccessTypeSet>\n"
                               "        </MasterComponent>\n"
                               "    </ComponentSet>\n"
                               "    <ClockFrequency clockValue=\"1.0E8\"/>\n"
                               "</SystemConfiguration>\n";
static const char *const instructions[] = {"add", "load", "fmul", "call"};
static const char *const types[] = {"i8", "i16", "i32", "i64", "i32_d", "i64_d"};
enum { N_INSTRUCTIONS = sizeof instructions / sizeof *instructions, N_TYPES = sizeof types / sizeof *types };

static char *shim_path, *model_path;

static int set_up(void **state)
{
    if (make_folder(state))
        return 1;
    shim_path = in_folder("s.xml");
    model_path = in_folder("model.json");
    return 0;
}

static double uniform(struct random *r)
{
    return (double)(random_next(r) >> 11) / 9007199254740992.0;
}

/* Three in order: apart, the same, or neighbours. */
static void put_range(struct str *text, struct random *r)
{
    double value = uniform(r) < 0.1 ? 0 : exp(12 * uniform(r) - 6), low = value, high = value;
    size_t kind = random_below(r, 3);
    if (kind == 1) {
        low = nextafter(value, 0);
        high = nextafter(value, INFINITY);
    } else if (kind == 2) {
        low *= uniform(r);
        high *= 1 + uniform(r);
    }
    str_addf(text, "\"value\": %.17g, \"low\": %.17g, \"high\": %.17g, \"count\": %.17g", value, low, high,
             uniform(r) < 0.2 ? 0 : floor(exp(30 * uniform(r))));
}

static void write_model(struct random *r)
{
    struct str text = STR_INIT;
    str_add(&text, "{\"format\": \"regress-model\", \"version\": 1, \"solver\": {\"name\": \"nnls\"},\n"
                   "\"data\": {\"name\": \"d.csv\", \"hash\": \"fnv1a64:0123\"}, \"classes\": {\"name\": \"c\",\n"
                   "\"rules\": [{\"glob\": \"*_d\", \"variable\": \"w\"}, {\"glob\": \"*\", \"variable\": \"v\"}]},\n"
                   "\"variables\": [{\"name\": \"w\", \"rows\": 2, ");
    put_range(&text, r);
    str_add(&text, "}, {\"name\": \"v\", \"rows\": 2, ");
    put_range(&text, r);
    str_add(&text, "}],\n\"keys\": [");
    for (size_t k = 0; k < (size_t)N_INSTRUCTIONS * N_TYPES; k++) {
        str_addf(&text, "%s{\"key\": \"%s.%s\", ", k ? ",\n" : "", instructions[k / N_TYPES], types[k % N_TYPES]);
        put_range(&text, r);
        str_add(&text, "}");
    }
    str_add(&text, "],\n\"training\": {\"mean_abs\": 0.125}, \"held_out\": null, \"interval\": null}\n");
    assert_int_equal(file_write(model_path, str_text(&text), text.len, 0), OK);
    str_release(&text);
}

static struct shimxml_doc *read_back(void)
{
    struct shimxml_doc *d = 0;
    struct error e = ERROR_INIT;
    if (shimxml_read(&d, shim_path, &e))
        fail_msg("refused: %s", e.message);
    return d;
}

static void check(const struct shimxml_doc *d)
{
    struct shimxml_system *s = 0;
    assert_int_equal(shimxml_system(&s, d, 0), OK);
    const struct shimxml_core *core = &s->cores[0];
    assert_true(core->n_instructions > 50);
    for (size_t i = 0; i < core->n_instructions; i++) {
        const struct shimxml_range *range[2] = {&core->instructions[i].pitch, &core->instructions[i].latency};
        for (size_t k = 0; k < 2; k++)
            if (!(0 <= range[k]->best && range[k]->best <= range[k]->typical && range[k]->typical <= range[k]->worst))
                fail_msg("%s: %.17g %.17g %.17g", core->instructions[i].name, range[k]->best, range[k]->typical,
                         range[k]->worst);
    }
    shimxml_system_free(s);
}

static void best_typical_and_worst_are_in_order(void **state)
{
    (void)state;
    struct random r = random_start(4);
    for (int k = 0; k < MODELS; k++) {
        struct error e = ERROR_INIT;
        assert_int_equal(file_write(shim_path, skeleton, strlen(skeleton), 0), OK);
        write_model(&r);
        struct shimxml_doc *d = read_back();
        if (shimxml_merge(d, model_path, 0, &e))
            fail_msg("%s", e.message);
        assert_int_equal(shimxml_write(d, shim_path, 0), OK);
        shimxml_free(d);
        d = read_back();
        check(d);
        shimxml_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_typical_and_worst_are_in_order)};
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
