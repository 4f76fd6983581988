/* Merging a model small enough that every value can be worked out by hand, into a document with everything that merge
 * must leave alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"
#include "tests/unit/folder.h"

static const char skeleton[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    "<!-- before the root -->\n"
    "<SystemConfiguration name=\"s\" shimVersion=\"1.0\">\n"
    "    <!-- kept -->\n"
    "    <?kept too?>\n"
    "    <ComponentSet name=\"Top\">\n"
    "        <SlaveComponent name=\"Ram\" id=\"SC\" size=\"1\" sizeUnit=\"GiB\" rwType=\"RWX\"/>\n"
    "        <MasterComponent name=\"Core_0\" id=\"MC0\" masterType=\"PU\" arch=\"a\">\n"
    "            <CommonInstructionSet name=\"mine\">\n"
    "                <!-- about add -->\n"
    "                <Instruction name=\"add\">\n"
    "                    <Performance>\n"
    "                        <Pitch typical=\"10.0\"/>\n"
    "                        <Latency typical=\"10.0\"/>\n"
    "                    </Performance>\n"
    "                </Instruction>\n"
    "                <Instruction name=\"uitofp\">\n"
    "                    <Performance>\n"
    "                        <Pitch typical=\"10.0\"/>\n"
    "                        <Latency typical=\"10.0\"/>\n"
    "                    </Performance>\n"
    "                </Instruction>\n"
    "                <Instruction name=\"uitofp\">\n"
    "                    <Performance>\n"
    "                        <Pitch best=\"9.0\" typical=\"10.0\" worst=\"11.0\"/>\n"
    "                        <Latency typical=\"10.0\"/>\n"
    "                    </Performance>\n"
    "                </Instruction>\n"
    "                <Instruction name=\"vendor_mac\">\n"
    "                    <Performance>\n"
    "                        <Pitch typical=\"7.0\"/>\n"
    "                        <Latency typical=\"8.0\"/>\n"
    "                    </Performance>\n"
    "                </Instruction>\n"
    "            </CommonInstructionSet>\n"
    "            <AccessTypeSet>\n"
    "                <AccessType name=\"Load\" id=\"AT0\"/>\n"
    "            </AccessTypeSet>\n"
    "        </MasterComponent>\n"
    "        <MasterComponent name=\"Core_1\" id=\"MC1\" masterType=\"PU\" arch=\"a53\">\n"
    "            <AccessTypeSet>\n"
    "                <AccessType name=\"Load\" id=\"AT1\"/>\n"
    "            </AccessTypeSet>\n"
    "        </MasterComponent>\n"
    "        <MasterComponent name=\"Dma\" id=\"MD\" masterType=\"TU\" arch=\"b\">\n"
    "            <AccessTypeSet>\n"
    "                <AccessType name=\"Read\" id=\"AD\"/>\n"
    "            </AccessTypeSet>\n"
    "        </MasterComponent>\n"
    "    </ComponentSet>\n"
    "    <ClockFrequency clockValue=\"1.0E8\"/>\n"
    "</SystemConfiguration>\n";

/* Rules in order; the first that matches decides. */
static const char model[] =
    "{\"format\": \"regress-model\", \"version\": 1,\n"
    " \"solver\": {\"name\": \"nnls\"}, \"data\": {\"name\": \"d.csv\", \"hash\": \"fnv1a64:0123\"},\n"
    " \"classes\": {\"name\": \"by--hand\", \"rules\": [\n"
    "  {\"glob\": \"add.*_d\", \"variable\": \"add_d\"}, {\"glob\": \"add.*\", \"variable\": \"add\"},\n"
    "  {\"glob\": \"sub.*\", \"variable\": \"add\"}, {\"glob\": \"phi.*\", \"variable\": null},\n"
    "  {\"glob\": \"fdiv.*_d\", \"variable\": \"fdiv_d\"}, {\"glob\": \"fdiv.*\", \"variable\": \"fdiv\"},\n"
    "  {\"glob\": \"fmul.*_d\", \"variable\": \"fdiv_d\"}, {\"glob\": \"fmul.*\", \"variable\": \"never\"},\n"
    "  {\"glob\": \"va_arg.*\", \"variable\": \"never\"},\n"
    "  {\"glob\": \"*\", \"variable\": \"others\"}]},\n"
    " \"variables\": [\n"
    "  {\"name\": \"add_d\", \"value\": 2, \"low\": 1, \"high\": 3, \"count\": 30, \"rows\": 2},\n"
    "  {\"name\": \"add\", \"value\": 1, \"low\": 0.5, \"high\": 1.5, \"count\": 40, \"rows\": 2},\n"
    "  {\"name\": \"fdiv_d\", \"value\": 20, \"low\": 18, \"high\": 22, \"count\": 5, \"rows\": 1},\n"
    "  {\"name\": \"fdiv\", \"value\": 0, \"low\": 0, \"high\": 0, \"count\": 0, \"rows\": 0},\n"
    "  {\"name\": \"never\", \"value\": 99, \"low\": 99, \"high\": 99, \"count\": 0, \"rows\": 0},\n"
    "  {\"name\": \"others\", \"value\": 4, \"low\": 3, \"high\": 5, \"count\": 25, \"rows\": 2}],\n"
    " \"keys\": [\n"
    "  {\"key\": \"add.i32\", \"count\": 30, \"value\": 1, \"low\": 0.5, \"high\": 1.5},\n"
    "  {\"key\": \"add.i64\", \"count\": 10, \"value\": 3, \"low\": 2.5, \"high\": 3.5},\n"
    "  {\"key\": \"add.i32_d\", \"count\": 30, \"value\": 2, \"low\": 1, \"high\": 3},\n"
    "  {\"key\": \"add.i128\", \"count\": 0, \"value\": 1000, \"low\": 1000, \"high\": 1000},\n"
    "  {\"key\": \"fdiv.double_d\", \"count\": 5, \"value\": 20, \"low\": 18, \"high\": 22},\n"
    "  {\"key\": \"uitofp.float\", \"count\": 1, \"value\": 0.1, \"low\": 0.1, \"high\": 0.1},\n"
    "  {\"key\": \"call.llvm.fma_d\", \"count\": 4, \"value\": 6, \"low\": 6, \"high\": 6},\n"
    "  {\"key\": \"L1D_CACHE_REFILL\", \"count\": 1000, \"value\": 50, \"low\": 50, \"high\": 50},\n"
    "  {\"key\": \"branch.taken\", \"count\": 1000, \"value\": 50, \"low\": 50, \"high\": 50},\n"
    "  {\"key\": \"call.direct\", \"count\": 20, \"value\": 4, \"low\": 3, \"high\": 5}],\n"
    " \"training\": {\"mean_abs\": 0.125}, \"held_out\": null, \"interval\": null}\n";

/* Misses and taken branches are no instructions. All: (30*1 + 10*3 + 30*2 + 5*20 + 1*0.1 + 4*6 + 20*4) / 100 = 324.1 /
 * 100; best (15 + 25 + 30 + 90 + 0.1 + 24 + 60) / 100, worst (45 + 35 + 90 + 110 + 0.1 + 24 + 100) / 100. */
static const struct {
    const char *name;
    double pitch[3], latency[3];
} expected[] = {
    /* executed: (30*1 + 10*3) / 40 and so on; a key that never ran weighs nothing */
    {"add", {1, 1.5, 2}, {1, 2, 3}},
    /* its class: by the rule for sub.i32 */
    {"sub", {0.5, 1, 1.5}, {0.5, 1, 1.5}},
    {"icmp", {3, 4, 5}, {3, 4, 5}},
    /* ignored by the classification: costs nothing */
    {"phi", {0, 0, 0}, {0, 0, 0}},
    /* its class has no evidence: twin, by its keys and by its class */
    {"fdiv", {18, 20, 22}, {18, 20, 22}},
    {"fmul", {18, 20, 22}, {18, 20, 22}},
    /* nothing */
    {"va_arg", {2.441, 3.241, 4.041}, {2.441, 3.241, 4.041}},
    /* intrinsics are calls */
    {"call", {3, 4, 5}, {6, 6, 6}},
    {"uitofp", {0.1, 0.1, 0.1}, {3, 4, 5}},
    /* both spellings */
    {"extractvalue", {3, 4, 5}, {3, 4, 5}},
    {"extractivalue", {3, 4, 5}, {3, 4, 5}},
};

static char *shim_path, *model_path;

static int set_up(void **state)
{
    if (make_folder(state))
        return 1;
    shim_path = in_folder("s.xml");
    model_path = in_folder("model.json");
    return 0;
}

static struct shimxml_doc *read_text(const char *text)
{
    struct shimxml_doc *d = 0;
    struct error e = ERROR_INIT;
    assert_int_equal(file_write(shim_path, text, strlen(text), 0), OK);
    if (shimxml_read(&d, shim_path, &e))
        fail_msg("refused: %s", e.message);
    return d;
}

static char *written(const struct shimxml_doc *d)
{
    struct str text = STR_INIT;
    assert_int_equal(shimxml_write(d, shim_path, 0), OK);
    assert_int_equal(file_read(&text, shim_path, FILE_LIMIT, 0), OK);
    return str_detach(&text);
}

static struct shimxml_doc *merged(const char *name)
{
    struct shimxml_doc *d = read_text(skeleton);
    struct error e = ERROR_INIT;
    assert_int_equal(file_write(model_path, model, strlen(model), 0), OK);
    if (shimxml_merge(d, model_path, &(struct shimxml_units){.name = name}, &e))
        fail_msg("%s", e.message);
    return d;
}

static const struct shimxml_instruction *find(const struct shimxml_core *c, const char *name, size_t nth)
{
    for (size_t i = 0; i < c->n_instructions; i++)
        if (strcmp(c->instructions[i].name, name) == 0 && !nth--)
            return &c->instructions[i];
    return 0;
}

static void same(const char *name, const char *which, const struct shimxml_range *r, const double *v)
{
    /* the file holds single precision: half a unit in the last of 24 bits */
    const double got[3] = {r->best, r->typical, r->worst};
    for (size_t i = 0; i < 3; i++)
        if (!(got[i] >= v[i] * (1 - 6e-8) && got[i] <= v[i] * (1 + 6e-8)))
            fail_msg("%s %s: %.9g %.9g %.9g, expected %.9g %.9g %.9g", name, which, got[0], got[1], got[2], v[0], v[1],
                     v[2]);
}

static void values_by_hand(void **state)
{
    (void)state;
    struct shimxml_doc *d = merged(0);
    struct shimxml_system *s = 0;
    assert_int_equal(shimxml_system(&s, d, 0), OK);
    for (size_t c = 0; c < 2; c++) {
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
            const struct shimxml_instruction *x = find(&s->cores[c], expected[i].name, 0);
            if (!x)
                fail_msg("no %s", expected[i].name);
            same(x->name, "Pitch", &x->pitch, expected[i].pitch);
            same(x->name, "Latency", &x->latency, expected[i].latency);
        }
    }
    const struct shimxml_instruction *second = find(&s->cores[0], "uitofp", 1);
    assert_non_null(second);
    same("second uitofp", "Pitch", &second->pitch, (const double[]){0.1, 0.1, 0.1});
    assert_true(find(&s->cores[0], "vendor_mac", 0)->latency.typical == 8);
    assert_null(find(&s->cores[1], "vendor_mac", 0));
    assert_int_equal(s->cores[2].n_instructions, 0); /* a DMA unit executes none */
    shimxml_system_free(s);
    shimxml_free(d);
}

static void every_instruction_once(void **state)
{
    (void)state;
    /* the list of the official samples (ShimModelManager of the SHIM Editor): 55 names */
    static const char reference[] =
        "ret br switch indirectbr invoke resume unreachable add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem "
        "shl lshr ashr and or xor extractelement insertelement shufflevector extractivalue insertvalue alloca load "
        "store fence cmpxchg atomicrmw getelementptr trunc zext sext fptrunc fpext fptoui uitofp sitofp ptrtoint "
        "inttoptr bitcast icmp fcmp phi select call va_arg landingpad";
    /* LLVM 19's instructions (LangRef) that it lacks */
    static const char later[] = "extractvalue fptosi fneg freeze callbr addrspacecast catchswitch catchret cleanupret "
                                "catchpad cleanuppad";
    struct shimxml_doc *d = merged(0);
    struct shimxml_system *s = 0;
    assert_int_equal(shimxml_system(&s, d, 0), OK);
    const struct shimxml_core *core = &s->cores[1]; /* had none */
    size_t n = 0, n_reference = 0;
    for (int list = 0; list < 2; list++) {
        char *names = xstrdup(list ? later : reference), *rest = 0;
        for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(0, " ", &rest)) {
            if (!find(core, name, 0) || find(core, name, 1))
                fail_msg("%s is there %s", name, find(core, name, 0) ? "twice" : "not at all");
            n++;
            n_reference += !list;
        }
        free(names);
    }
    assert_int_equal(n_reference, 55);
    assert_int_equal(core->n_instructions, n);
    for (size_t i = 0; i < core->n_instructions; i++) {
        const struct shimxml_range *r[2] = {&core->instructions[i].pitch, &core->instructions[i].latency};
        for (size_t k = 0; k < 2; k++)
            assert_true(0 <= r[k]->best && r[k]->best <= r[k]->typical && r[k]->typical <= r[k]->worst);
    }
    shimxml_system_free(s);
    shimxml_free(d);
}

/* Errors and warnings of check: the doubled uitofp of the skeleton, and nothing that merge brought. */
static void result_is_sound(void **state)
{
    (void)state;
    struct shimxml_doc *d = merged(0);
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    for (size_t i = 0; i < f.n; i++)
        if (f.at[i].severity != SHIMXML_HINT && strcmp(f.at[i].rule, "doubled-instruction") != 0 &&
            strcmp(f.at[i].rule, "unbound-memory") != 0 &&
            strcmp(f.at[i].rule, "cost-order") != 0) /* the model was made for its sources, not by a core */
            fail_msg("line %lu [%s]: %s", f.at[i].line, f.at[i].rule, f.at[i].text);
    assert_int_equal(f.errors, 0);
    shimxml_findings_release(&f);
    shimxml_free(d);
}

static size_t occurrences(const char *text, const char *word)
{
    size_t n = 0;
    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

static void the_rest_is_kept(void **state)
{
    (void)state;
    struct shimxml_doc *d = merged(0);
    char *text = written(d);
    static const char *const kept[] = {"<!-- before the root -->\n<SystemConfiguration",
                                       "    <!-- kept -->\n    <?kept too?>\n    <ComponentSet",
                                       "<CommonInstructionSet name=\"mine\">",
                                       "                <!-- about add -->\n",
                                       "<Instruction name=\"vendor_mac\">",
                                       "masterType=\"TU\" arch=\"b\">\n            <AccessTypeSet>",
                                       "<CommonInstructionSet name=\"LLVM Instructions\">",
                                       "<ClockFrequency clockValue=\"1.0E8\"/>"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (!strstr(text, kept[i]))
            fail_msg("not kept: %s", kept[i]);
    assert_int_equal(occurrences(text, "name=\"add\""), 2);
    assert_int_equal(occurrences(text, "name=\"uitofp\""), 3);
    free(text);
    shimxml_free(d);
}

static void provenance_is_said(void **state)
{
    (void)state;
    struct shimxml_doc *d = merged("Core_1");
    char *text = written(d);
    assert_int_equal(occurrences(text, "Instruction values:"), 1); /* Core_0's are not of this model */
    assert_true(strstr(text, "Instruction values:") > strstr(text, "name=\"Core_1\""));
    assert_non_null(strstr(text, "classification 'by-_hand' and solver 'nnls' on data fnv1a64:0123"));
    assert_non_null(strstr(text, "On the programs fitted on 12.5 %."));
    assert_null(strstr(text, "left out of the fit")); /* the model does not know */
    const char *twins = strstr(text, "taken for both:"), *end = strchr(twins, '\n');
    char *line = xstrndup(twins, (size_t)(end - twins));
    assert_string_equal(line, "taken for both: fmul fdiv.");
    free(line);
    assert_non_null(strstr(text, "with the mean of all: va_arg va_arg_d. -->"));
    free(text);
    shimxml_free(d);
}

static void twice_is_once(void **state)
{
    (void)state;
    struct shimxml_doc *d = merged(0);
    char *once = written(d);
    assert_null(strstr(once, "\" best=")); /* it stands first, whatever was there */
    assert_int_equal(shimxml_merge(d, model_path, 0, 0), OK);
    char *twice = written(d);
    assert_string_equal(once, twice);
    shimxml_free(d);
    d = read_text(once);
    assert_int_equal(shimxml_merge(d, model_path, &(struct shimxml_units){.name = "Core_1"}, 0), OK);
    char *again = written(d);
    assert_string_equal(once, again);
    shimxml_free(d);
    free(once);
    free(twice);
    free(again);
}

static void cores_by_architecture(void **state)
{
    (void)state;
    struct shimxml_doc *d = read_text(skeleton);
    struct shimxml_system *s = 0;
    size_t before = 0;
    assert_int_equal(file_write(model_path, model, strlen(model), 0), OK);
    assert_int_equal(shimxml_system(&s, d, 0), OK);
    before = s->cores[0].n_instructions;
    shimxml_system_free(s);
    assert_int_equal(shimxml_merge(d, model_path, &(struct shimxml_units){.arch = "a5?"}, 0), OK);
    assert_int_equal(shimxml_system(&s, d, 0), OK);
    assert_int_equal(s->cores[0].n_instructions, before);
    assert_true(s->cores[1].n_instructions > 60);
    shimxml_system_free(s);
    struct error e = ERROR_INIT;
    /* Dma is of that architecture, and no processing unit */
    assert_int_equal(shimxml_merge(d, model_path, &(struct shimxml_units){.arch = "b"}, &e), ERR_INPUT);
    assert_string_equal(e.message, "no processing unit has the architecture 'b'; there are: Core_0 (a), Core_1 (a53)");
    assert_int_equal(shimxml_merge(d, model_path, &(struct shimxml_units){.name = "*_1", .arch = "a"}, &e), ERR_INPUT);
    assert_string_equal(e.message, "no processing unit named '*_1' has the architecture 'a'; there are: Core_0 (a), "
                                   "Core_1 (a53)");
    error_release(&e);
    shimxml_free(d);
}

static void cores_by_glob(void **state)
{
    (void)state;
    struct shimxml_doc *d = merged("*_0");
    struct shimxml_system *s = 0;
    assert_int_equal(shimxml_system(&s, d, 0), OK);
    assert_true(s->cores[0].n_instructions > 60);
    assert_int_equal(s->cores[1].n_instructions, 0);
    shimxml_system_free(s);
    char *before = written(d), *after;
    struct error e = ERROR_INIT;
    assert_int_equal(shimxml_merge(d, model_path, &(struct shimxml_units){.name = "Dma"}, &e), ERR_INPUT);
    assert_string_equal(e.message, "no processing unit is named 'Dma'; there are: Core_0, Core_1");
    error_release(&e);
    after = written(d);
    assert_string_equal(before, after);
    free(before);
    free(after);
    shimxml_free(d);
}

static const struct {
    const char *from, *to, *says;
} faults[] = {
    {"regress-model", "other", "format 'other'"},
    {"\"version\": 1", "\"version\": 2", "version 2"},
    {"\"format\": \"regress-model\",", "", "'format'"},
    {"\"classes\"", "\"klasses\"", "'classes'"},
    {"\"rules\"", "\"rulez\"", "'rules'"},
    {"\"variables\"", "\"variabels\"", "'variables'"},
    {"\"keys\"", "\"keyz\"", "'keys'"},
    {"\"solver\"", "\"solvent\"", "'solver'"},
    {"\"hash\"", "\"hush\"", "'hash'"},
    {"\"value\": 2,", "", "variables[0]: add_d: member 'value'"},
    {"\"value\": 2,", "\"value\": \"2\",", "variables[0]: add_d: member 'value'"},
    {"\"value\": 2,", "\"value\": null,", "variables[0]: add_d: member 'value'"},
    {"\"value\": 2,", "\"value\": -2,", "negative"},
    {"\"low\": 1, \"high\": 3, \"count\": 30, \"rows\"", "\"low\": -1, \"high\": 3, \"count\": 30, \"rows\"",
     "negative"},
    {"\"value\": 2,", "\"value\": 0.5,", "variables[0]: 'add_d': the interval 1 to 3"},
    {"\"value\": 2,", "\"value\": 4,", "variables[0]: 'add_d': the interval 1 to 3"},
    {"\"high\": 3,", "\"high\": 1e39,", "more than SHIM's numbers"},
    {"\"count\": 5, \"value\"", "\"count\": -5, \"value\"", "keys[4]: 'fdiv.double_d': member 'count'"},
    {"\"count\": 5, \"value\"", "\"count\": 1e300, \"value\"", "keys[4]: 'fdiv.double_d': member 'count'"},
    {"\"key\": \"add.i64\"", "\"key\": 64", "keys[1]: member 'key'"},
    {"\"rows\": 2}", "\"rows\": []}", "variables[0]: member 'rows'"},
    {"\"variable\": null", "\"variable\": \"nobody\"", "rules[3]: rule 'phi.*' names the variable 'nobody'"},
    {"\"glob\": \"sub.*\", ", "", "rules[2]: member 'glob'"},
    {"{\"glob\": \"sub.*\", \"variable\": \"add\"}", "{\"glob\": \"sub.*\"}", "rules[2]: member 'variable'"},
    {"{\"format\"", "[{\"format\"", "not valid JSON"},
    {"\"nnls\"", "\"nn\\u0000ls\"", "not valid JSON"},
};

static void malformed_models_are_refused(void **state)
{
    (void)state;
    struct shimxml_doc *d = read_text(skeleton);
    char *before = written(d);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const char *at = strstr(model, faults[i].from);
        if (!at)
            fail_msg("'%s' is not in the model", faults[i].from);
        char *text = xasprintf("%.*s%s%s", (int)(at - model), model, faults[i].to, at + strlen(faults[i].from));
        struct error e = ERROR_INIT;
        assert_int_equal(file_write(model_path, text, strlen(text), 0), OK);
        if (shimxml_merge(d, model_path, 0, &e) != ERR_INPUT)
            fail_msg("taken: %s -> %s", faults[i].from, faults[i].to);
        assert_string_equal(e.file, model_path);
        if (!strstr(e.message, faults[i].says))
            fail_msg("%s -> %s: '%s' does not say '%s'", faults[i].from, faults[i].to, e.message, faults[i].says);
        error_release(&e);
        free(text);
    }
    char *after = written(d);
    assert_string_equal(before, after);
    free(before);
    free(after);
    shimxml_free(d);
}

/* Cut at every byte: refused, and nothing leaks (the sanitizer build says so). */
static void survives_every_cut(void **state)
{
    (void)state;
    struct shimxml_doc *d = read_text(skeleton);
    for (size_t n = 0; n + 2 < sizeof model - 1; n++) {
        assert_int_equal(file_write(model_path, model, n, 0), OK);
        if (shimxml_merge(d, model_path, 0, 0) != ERR_INPUT)
            fail_msg("the first %zu bytes were taken", n);
    }
    shimxml_free(d);
}

/* What the fit may call things must not break the document. */
static void hostile_names_stay_in_their_comment(void **state)
{
    (void)state;
    static const char *const names[] = {"--><Cache/><!--", "a\\u0001b\\nc", "---", "\\ufffe", "-"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *at = strstr(model, "by--hand");
        char *text = xasprintf("%.*s%s%s", (int)(at - model), model, names[i], at + strlen("by--hand"));
        assert_int_equal(file_write(model_path, text, strlen(text), 0), OK);
        struct shimxml_doc *d = read_text(skeleton);
        assert_int_equal(shimxml_merge(d, model_path, 0, 0), OK);
        char *out = written(d);
        shimxml_free(d);
        d = read_text(out);
        struct shimxml_findings f = {0};
        shimxml_check(d, &f);
        assert_int_equal(f.errors, 0);
        shimxml_findings_release(&f);
        shimxml_free(d);
        free(out);
        free(text);
    }
}

/* The clock whose cycles the values are: the system's, and that of a core which has its own; nobody else's. */
static void clock_is_given(void **state)
{
    static const char text[] = "<SystemConfiguration name=\"s\"><ComponentSet name=\"T\">"
                               "<MasterComponent name=\"A\" id=\"A\" masterType=\"PU\" arch=\"a\">"
                               "<ClockFrequency clockValue=\"1.0\"/></MasterComponent>"
                               "<MasterComponent name=\"B\" id=\"B\" masterType=\"PU\" arch=\"a\"/>"
                               "<MasterComponent name=\"D\" id=\"D\" masterType=\"TU\" arch=\"a\">"
                               "<ClockFrequency clockValue=\"7.0\"/></MasterComponent>"
                               "</ComponentSet>%s</SystemConfiguration>\n";
    static const char *const ends[] = {"<ClockFrequency clockValue=\"2.0\"/>", ""};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct error e = ERROR_INIT;
        struct shimxml_doc *d = NULL;
        struct shimxml_system *s = NULL;
        char *path = path_join(folder, "clock.xml"), *xml = xasprintf(text, ends[i]);
        assert_int_equal(file_write(path, xml, strlen(xml), &e), OK);
        assert_int_equal(shimxml_read(&d, path, &e), OK);
        shimxml_set_clock(d, 19.2e6);
        assert_int_equal(shimxml_write(d, path, &e), OK);
        shimxml_free(d);
        assert_int_equal(shimxml_read(&d, path, &e), OK);
        assert_int_equal(shimxml_system(&s, d, &e), OK);
        assert_true(s->clock_hz == 19.2e6);
        assert_true(s->cores[0].clock_hz == 19.2e6);
        assert_true(s->cores[1].clock_hz == 19.2e6);
        assert_true(s->cores[2].clock_hz == 7);
        shimxml_system_free(s);
        shimxml_free(d);
        free(xml);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(every_instruction_once),
        cmocka_unit_test(result_is_sound),
        cmocka_unit_test(the_rest_is_kept),
        cmocka_unit_test(provenance_is_said),
        cmocka_unit_test(twice_is_once),
        cmocka_unit_test(cores_by_glob),
        cmocka_unit_test(cores_by_architecture),
        cmocka_unit_test(malformed_models_are_refused),
        cmocka_unit_test(survives_every_cut),
        cmocka_unit_test(hostile_names_stay_in_their_comment),
        cmocka_unit_test(clock_is_given),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
