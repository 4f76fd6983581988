/* The report's data as JSON: a small report with a value of its own in each field, and its document written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/str.h"
#include "shimgen/report/report.h"

static void expect(const struct report *r, const char *wanted)
{
    struct str out = STR_INIT;
    json_error_t e;
    report_json(r, &out);
    json_t *found = json_loads(str_text(&out), JSON_REJECT_DUPLICATES, &e), *document = json_loads(wanted, 0, &e);
    assert_non_null(found);
    if (!document)
        fail_msg("the wanted text: %s, line %d", e.text, e.line);
    const char *key;
    json_t *value;
    json_object_foreach(document, key, value)
    {
        if (json_equal(json_object_get(found, key), value))
            continue;
        char *a = json_dumps(value, JSON_ENCODE_ANY), *b = json_dumps(json_object_get(found, key), JSON_ENCODE_ANY);
        fail_msg("%s:\nwanted %s\nfound  %s", key, a, b ? b : "nothing");
    }
    assert_int_equal(json_object_size(found), json_object_size(document));
    json_decref(found);
    json_decref(document);
    str_release(&out);
}

/* Nothing but a title. */
static void nothing(void **state)
{
    (void)state;
    struct report r = REPORT_INIT;
    r.title = "T";
    expect(&r,
           "{\"format\": \"shimgen report 1\", \"title\": \"T\", \"board\": null, \"version\": null,"
           " \"generated\": null, \"headline\": {\"scheme\": null, \"heldout\": null, \"train\": null, \"test\": null},"
           " \"clock\": {\"event\": null, \"core_cycles\": false}, \"facts\": [], \"conditions\": [],"
           " \"findings\": [], \"classes\": [], \"simulated\": [], \"predictor\": null, \"accounts\": [],"
           " \"account_model\": null, \"evaluations\": [], \"estimators\": [], \"interval\": null, \"values\": [],"
           " \"coverage\": null, \"instructions\": [], \"evidence\": null, \"micro\": [], \"accesses\": [],"
           " \"programs\": []}");
}

/* Errors by hand: 110 for 100 is 0.1, held out 75 is -0.25; a test program's prediction is held out: 150 for 200 is -0.25. */
static void each_field(void **state)
{
    (void)state;
    struct report_fact facts[] = {{"CPU", "x", "of a kind"}, {"Cores", NULL, NULL}},
                       conditions[] = {{"Runs", "5", NULL}};
    struct report_finding findings[] = {
        {REPORT_NOTE, "n", NULL}, {REPORT_WARNING, "w", "do"}, {REPORT_ERROR, "e", NULL}};
    const char *classes[] = {"load", "add"}, *accounts[] = {"integer"};
    struct report_simulated simulated[] = {
        {"MISS", NULL, false, {1, 0.5, 0.25, 0.75}, {0, 1, 1, 1}, {2, 1.5, 1.25, 1.75}},
        {"BR", "tage", true, {0, 0, 0, 0}, {3, 2.5, 2.25, 2.75}, {0, 0, 0, 0}}};
    struct report_program programs[] = {REPORT_PROGRAM_INIT, REPORT_PROGRAM_INIT};
    double shares[] = {0.25, REPORT_UNKNOWN}, account[] = {0.125};
    programs[0].name = "p/a@O1", programs[0].region = "r", programs[0].set = "p", programs[0].domain = "d";
    programs[0].level = "O1", programs[0].measured = 100, programs[0].stddev = 2, programs[0].runs = 7;
    programs[0].dropped = 3, programs[0].predicted = 110, programs[0].predicted_heldout = 75;
    programs[0].low = 60, programs[0].high = 90, programs[0].instructions = 50;
    programs[0].shares = shares, programs[0].account = account;
    programs[1].name = "p/b@O1", programs[1].role = REPORT_TEST, programs[1].measured = 200;
    programs[1].predicted = 150;
    struct report_evaluation evaluations[] = {REPORT_EVALUATION_INIT, REPORT_EVALUATION_INIT, REPORT_EVALUATION_INIT};
    evaluations[0].classes = "c", evaluations[0].solver = "s", evaluations[0].scheme = "leave-one-out";
    evaluations[0].train = (struct report_errors){4, 0.5, 0.625, 0.25, -0.75, "w", NULL};
    evaluations[0].heldout = (struct report_errors){5, 1.5, 1.625, 1.25, -1.75, NULL, NULL};
    evaluations[1].classes = "c", evaluations[1].solver = "s", evaluations[1].scheme = "test programs";
    evaluations[1].heldout = (struct report_errors){1, 2.5, 2.625, 2.25, 2.75, "t", NULL};
    evaluations[2].classes = "one", evaluations[2].solver = "mean", evaluations[2].scheme = "leave-one-out";
    evaluations[2].baseline = true, evaluations[2].why_not = "no event";
    double estimated[] = {1, REPORT_UNKNOWN}, left_out[] = {REPORT_UNKNOWN, 2};
    struct report_estimator estimators[] = {{"sum", "by hand", estimated, left_out},
                                            {"schedule", NULL, left_out, NULL}};
    struct report_value values[] = {{"load", 3, 2, 4, 9, 1000, 0.5, "all"}};
    struct report_instruction instructions[] = {{"add", {1, 2, 3}, {4, 5, REPORT_UNKNOWN}, "arith", "e"}},
                              micro[] = {{"sub", {7, 8, 9}, REPORT_CYCLES_INIT, NULL, NULL}},
                              accesses[] = {{"near", {10, 11, 12}, {13, 14, 15}, NULL, NULL}};
    struct report_covered covered[] = {
        {"load", 6, 0.5, 0.25, 0.75, 3.5, 0.125, "p/a", 3, INFINITY, "well", "because", "more"}};
    struct report r = REPORT_INIT;
    r.title = "T", r.board = "b", r.version = "v", r.generated = "g";
    r.clock = (struct report_clock){"CYC", true, NULL};
    r.facts = facts, r.n_facts = 2, r.conditions = conditions, r.n_conditions = 1;
    r.findings = findings, r.n_findings = 3;
    r.classes = classes, r.n_classes = 2, r.accounts = accounts, r.n_accounts = 1, r.account_model = "m";
    r.simulated = simulated, r.n_simulated = 2, r.predictor = "why";
    r.programs = programs, r.n_programs = 2;
    r.chosen_classes = "c", r.chosen_solver = "s";
    r.evaluations = evaluations, r.n_evaluations = 3;
    r.estimators = estimators, r.n_estimators = 2;
    r.values = values, r.n_values = 1, r.interval = 0.875;
    r.coverage = (struct report_coverage){covered, 1, 28.5, 0.0625, 46, 5, 3, 2, 1, 10};
    r.instructions = instructions, r.n_instructions = 1, r.micro = micro, r.n_micro = 1;
    r.accesses = accesses, r.n_accesses = 1, r.evidence = "ten";
    static const char train[] =
        "{\"rows\": 4, \"mean\": 0.5, \"mean_abs\": 0.625, \"median_abs\": 0.25, \"worst\": -0.75,"
        " \"worst_program\": \"w\"}",
                      heldout[] = "{\"rows\": 5, \"mean\": 1.5, \"mean_abs\": 1.625, \"median_abs\": 1.25,"
                                  " \"worst\": -1.75, \"worst_program\": null}",
                      test[] =
                          "{\"rows\": 1, \"mean\": 2.5, \"mean_abs\": 2.625, \"median_abs\": 2.25, \"worst\": 2.75,"
                          " \"worst_program\": \"t\"}",
                      none[] = "{\"regions\": 0, \"median\": null, \"low\": null, \"high\": null}";
    struct str wanted = STR_INIT;
    str_add(&wanted, "{\"format\": \"shimgen report 1\", \"title\": \"T\", \"board\": \"b\", \"version\": \"v\","
                     " \"generated\": \"g\", \"clock\": {\"event\": \"CYC\", \"core_cycles\": true},");
    str_addf(&wanted, " \"headline\": {\"scheme\": \"leave-one-out\", \"heldout\": %s, \"train\": %s, \"test\": %s},",
             heldout, train, test);
    str_add(&wanted, " \"facts\": [{\"name\": \"CPU\", \"value\": \"x\", \"note\": \"of a kind\"},"
                     " {\"name\": \"Cores\", \"value\": null, \"note\": null}],"
                     " \"conditions\": [{\"name\": \"Runs\", \"value\": \"5\", \"note\": null}],"
                     " \"findings\": [{\"severity\": \"note\", \"text\": \"n\", \"remedy\": null},"
                     " {\"severity\": \"warning\", \"text\": \"w\", \"remedy\": \"do\"},"
                     " {\"severity\": \"error\", \"text\": \"e\", \"remedy\": null}],"
                     " \"classes\": [\"load\", \"add\"], \"accounts\": [\"integer\"], \"account_model\": \"m\",");
    str_addf(&wanted,
             " \"simulated\": [{\"event\": \"MISS\", \"predictor\": null, \"chosen\": false,"
             " \"all\": {\"regions\": 1, \"median\": 0.5, \"low\": 0.25, \"high\": 0.75}, \"unseen\": %s,"
             " \"test\": {\"regions\": 2, \"median\": 1.5, \"low\": 1.25, \"high\": 1.75}},"
             " {\"event\": \"BR\", \"predictor\": \"tage\", \"chosen\": true, \"all\": %s,"
             " \"unseen\": {\"regions\": 3, \"median\": 2.5, \"low\": 2.25, \"high\": 2.75}, \"test\": %s}],"
             " \"predictor\": \"why\",",
             none, none, none);
    str_addf(
        &wanted,
        " \"evaluations\": [{\"classes\": \"c\", \"solver\": \"s\", \"scheme\": \"leave-one-out\", \"chosen\": true,"
        " \"baseline\": false, \"why_not\": null, \"heldout\": %s, \"train\": %s},"
        " {\"classes\": \"c\", \"solver\": \"s\", \"scheme\": \"test programs\", \"chosen\": true,"
        " \"baseline\": false, \"why_not\": null, \"heldout\": %s, \"train\": null},"
        " {\"classes\": \"one\", \"solver\": \"mean\", \"scheme\": \"leave-one-out\", \"chosen\": false,"
        " \"baseline\": true, \"why_not\": \"no event\", \"heldout\": null, \"train\": null}],",
        heldout, train, test);
    str_add(
        &wanted,
        " \"estimators\": [{\"name\": \"sum\", \"values\": \"by hand\", \"estimated\": [1.0, null],"
        " \"left_out\": [null, 2.0]}, {\"name\": \"schedule\", \"values\": null, \"estimated\": [null, 2.0],"
        " \"left_out\": [null, null]}], \"interval\": 0.875,"
        " \"values\": [{\"variable\": \"load\", \"value\": 3.0, \"low\": 2.0, \"high\": 4.0, \"rows\": 9,"
        " \"count\": 1000.0, \"share\": 0.5, \"inherited\": \"all\"}],"
        " \"coverage\": {\"condition\": 28.5, \"scatter\": 0.0625, \"executed\": 46, \"microbenchmark\": 5,"
        " \"of_class\": 3, \"as_other\": 2, \"of_all\": 1, \"never_in_c\": 10,"
        " \"variables\": [{\"variable\": \"load\", \"programs\": 6, \"share\": 0.5, \"cycles\": 0.25,"
        " \"dependent\": 0.75, \"effective\": 3.5, \"strongest\": 0.125, \"strongest_of\": \"p/a\", \"value\": 3.0,"
        " \"error\": null, \"standing\": \"well\", \"words\": \"because\", \"help\": \"more\"}]},"
        " \"instructions\": [{\"name\": \"add\", \"pitch\": [1.0, 2.0, 3.0], \"latency\": [4.0, 5.0, null],"
        " \"inherited\": \"arith\"}], \"evidence\": \"ten\","
        " \"micro\": [{\"name\": \"sub\", \"pitch\": [7.0, 8.0, 9.0], \"latency\": [null, null, null],"
        " \"inherited\": null}],"
        " \"accesses\": [{\"name\": \"near\", \"pitch\": [10.0, 11.0, 12.0], \"latency\": [13.0, 14.0, 15.0],"
        " \"inherited\": null}],"
        " \"programs\": [{\"name\": \"p/a@O1\", \"region\": \"r\", \"set\": \"p\", \"domain\": \"d\","
        " \"level\": \"O1\", \"role\": \"train\", \"measured\": 100.0, \"stddev\": 2.0, \"runs\": 7, \"dropped\": 3,"
        " \"predicted\": 110.0, \"predicted_heldout\": 75.0, \"low\": 60.0, \"high\": 90.0, \"instructions\": 50.0,"
        " \"training_error\": 0.1, \"heldout_error\": -0.25, \"shares\": [0.25, null], \"account\": [0.125]},"
        " {\"name\": \"p/b@O1\", \"region\": null, \"set\": null, \"domain\": null, \"level\": null,"
        " \"role\": \"test\", \"measured\": 200.0, \"stddev\": null, \"runs\": 0, \"dropped\": 0,"
        " \"predicted\": 150.0, \"predicted_heldout\": 150.0, \"low\": null, \"high\": null, \"instructions\": null,"
        " \"training_error\": null, \"heldout_error\": -0.25, \"shares\": null, \"account\": null}]}");
    expect(&r, str_text(&wanted));
    str_release(&wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing), cmocka_unit_test(each_field)};
    return cmocka_run_group_tests(tests, 0, 0);
}
