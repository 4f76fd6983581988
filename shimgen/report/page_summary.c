/* page_summary.c - report section: summary and findings. */
#include <stdlib.h>
#include <string.h>

#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* Prints "median 4.1 %, worst +48.2 % (suite/fft@O0)". */
static void spread(struct str *out, const struct report_errors *e)
{
    str_add(out, "median ");
    figure_percent(out, e->median_abs);
    str_add(out, ", worst ");
    figure_error(out, e->worst);
    if (has_text(e->worst_program))
        html_addf(out, " (<code>%s</code>)", e->worst_program);
}

static void tile(struct str *out, const char *class, const char *name, const char *scheme,
                 const struct report_errors *e)
{
    html_addf(out, "<div class=\"tile %s\"><h3>%s</h3><p class=\"figure\">", class, name);
    figure_percent(out, e->mean_abs);
    html_addf(out, "</p><p>mean absolute error, %zu measurement%s, %s<br/>", e->rows, plural(e->rows), scheme);
    spread(out, e);
    str_add(out, "</p></div>\n");
}

/* The methods by which programs are estimated from the SHIM file. */
static void estimate_tiles(const struct report *r, struct str *out)
{
    struct report_errors left_out, test;
    if (estimator_errors(&left_out, &test, r, "schedule"))
        tile(out, "tile-estimate", "Estimates by schedule", "each left out in turn", &left_out);
    if (estimator_errors(&left_out, &test, r, "values"))
        tile(out, "tile-estimate", "Estimates by compiled", "on a core made of the SHIM file, nothing fitted",
             &left_out);
}

static void tiles(const struct report *r, struct str *out, const struct report_evaluation *cross,
                  const struct report_evaluation *test)
{
    str_add(out, "<div class=\"tiles\">\n");
    estimate_tiles(r, out);
    tile(out, "tile-heldout", "Model, held out: unseen programs", cross->scheme, &cross->heldout);
    if (test && test != cross)
        tile(out, "tile-test", "Model, held out: test programs", "never used in any fit", &test->heldout);
    if (cross->train.rows)
        tile(out, "tile-train", "Model, training: fitted on these", "for comparison only", &cross->train);
    str_add(out, "</div>\n");
}

static void sentence_errors(const struct report *r, struct str *out, const struct report_evaluation *v)
{
    html_addf(out, "On programs that it <strong>has not seen</strong>, the model of %s is off by ", r->title);
    str_add(out, "<strong>");
    figure_percent(out, v->heldout.mean_abs);
    html_addf(out, "</strong> on average (%s, %zu measurement%s; mean of the absolute errors)", v->scheme,
              v->heldout.rows, plural(v->heldout.rows));
    if (v->train.rows) {
        html_addf(out, "; on the %zu measurement%s it was fitted on, by ", v->train.rows, plural(v->train.rows));
        figure_percent(out, v->train.mean_abs);
    }
    str_add(out, ". ");
}

static void sentence_measured(const struct report *r, struct str *out)
{
    size_t train = count_role(r, REPORT_TRAIN), test = count_role(r, REPORT_TEST);
    html_addf(out, "It was learnt from %zu measurement%s of programs", train, plural(train));
    if (test)
        html_addf(out, " and tried on %zu more that had no part in it", test);
    if (has_text(r->clock.event))
        html_addf(out, "; the cycles are <code>%s</code>, %s", r->clock.event,
                  r->clock.core_cycles ? "the core\xe2\x80\x99s own" : "which are not core cycles");
    str_add(out, ". ");
}

static void sentence_model(const struct report *r, struct str *out, const struct report_evaluation *v)
{
    size_t inherited = 0;
    for (size_t i = 0; i < r->n_instructions; i++)
        inherited += r->instructions[i].inherited != 0;
    html_addf(out, "It uses the classification <code>%s</code> with the solver <code>%s</code>", v->classes, v->solver);
    const struct report_evaluation *base = baseline_evaluation(r, v->scheme);
    if (base && base != v) {
        html_addf(out, " where the simplest baseline (<code>%s</code>, <code>%s</code>) has ", base->classes,
                  base->solver);
        figure_percent(out, base->heldout.mean_abs);
        str_add(out, " held out");
    }
    if (r->n_instructions)
        html_addf(out, "; of %zu instructions, %zu have evidence of their own and %zu inherit from their class",
                  r->n_instructions, r->n_instructions - inherited, inherited);
    str_add(out, ".");
}

static void clock_callout(const struct report *r, struct str *out)
{
    if (r->clock.core_cycles || !has_text(r->clock.event))
        return;
    html_addf(out, "<div class=\"callout warning\" role=\"note\"><p><strong>These are not core cycles.</strong> %s</p>",
              text_or(r->clock.sentence, "The counter that was read does not count the cycles of the core."));
    str_add(out, "</div>\n");
}

static void findings_callout(const struct report *r, struct str *out)
{
    size_t errors = 0, warnings = 0;
    for (size_t i = 0; i < r->n_findings; i++) {
        errors += r->findings[i].severity == REPORT_ERROR;
        warnings += r->findings[i].severity == REPORT_WARNING;
    }
    if (!errors && !warnings)
        return;
    html_addf(out, "<div class=\"callout %s\" role=\"note\"><p>", errors ? "error" : "warning");
    if (errors)
        html_addf(out, "%zu error%s%s", errors, plural(errors), warnings ? " and " : "");
    if (warnings)
        html_addf(out, "%zu warning%s", warnings, plural(warnings));
    html_addf(out, " %s to be read before these figures are used: <a href=\"#findings\">findings</a>.</p></div>\n",
              errors + warnings == 1 ? "is" : "are");
}

/* The estimation method comes first. The model of whole programs, below, is for other uses. */
static void sentence_schedule(const struct report *r, struct str *out)
{
    struct report_errors left_out, test;
    if (!estimator_errors(&left_out, &test, r, "schedule"))
        return;
    str_add(out, "<p class=\"lead\">From this SHIM file alone, <code>shimgen estimate</code> is off by <strong>");
    figure_percent(out, left_out.mean_abs);
    html_addf(out,
              "</strong> on average, on programs that its values were not fitted on (%zu measurement%s): half of "
              "the estimates are off by less than ",
              left_out.rows, plural(left_out.rows));
    figure_percent(out, left_out.median_abs);
    str_add(out, ".</p>\n");
}

/* Suggests what to do next, with commands. Only what concerns this build. */
static void try_next(const struct report *r, struct str *out)
{
    const char *help = NULL;
    size_t warnings = 0;
    if (!has_text(r->board))
        return;
    for (size_t i = 0; i < r->n_findings; i++)
        warnings += r->findings[i].severity != REPORT_NOTE;
    for (size_t i = 0; i < r->coverage.n_variables && !help; i++)
        help = r->coverage.variables[i].help ? r->coverage.variables[i].variable : NULL;
    str_add(out, "<h3 id=\"next\">Try this next</h3>\n<ul>\n");
    html_addf(out,
              "<li>A program of your own: <code>shimgen cc --shim %s.shim.xml -O2 -g prog.c -o prog &amp;&amp; "
              "./prog</code>, then <code>shimgen estimate --shim %s.shim.xml --annotate irprof.out</code></li>\n",
              r->board, r->board);
    if (warnings)
        html_addf(out, "<li>Findings that can be repaired before the next build: <code>shimgen doctor %s</code></li>\n",
                  r->board);
    if (help)
        html_addf(out,
                  "<li>Programs that determine more values, such as that of <code>%s</code>: what each value lacks is "
                  "under <a href=\"#coverage\">Coverage</a>; <code>shimgen generate --given counts.csv -o more</code> "
                  "makes programs, for <code>shimgen build %s --samples more</code></li>\n",
                  help, r->board);
    str_add(out, "</ul>\n");
}

void page_summary(const struct report *r, struct str *out)
{
    html_section_open(out, "summary", "Summary");
    const struct report_evaluation *v = headline_evaluation(r);
    sentence_schedule(r, out);
    if (v) {
        tiles(r, out, v, test_evaluation(r));
        str_add(out, "<p class=\"lead\">");
        sentence_errors(r, out, v);
        sentence_measured(r, out);
        sentence_model(r, out, v);
        str_add(out, "</p>\n");
        if (has_text(r->chosen_why))
            html_addf(out, "<p>%s</p>\n", r->chosen_why);
    } else {
        str_add(out, "<p class=\"lead\">");
        sentence_measured(r, out);
        str_add(out, "The error on programs that it has not seen <strong>is not known</strong>: no evaluation of the "
                     "model in the file was possible.</p>\n");
    }
    clock_callout(r, out);
    findings_callout(r, out);
    try_next(r, out);
    html_section_close(out);
}

void page_findings(const struct report *r, struct str *out)
{
    static const struct {
        const char *class, *word;
    } kinds[] = {[REPORT_NOTE] = {"note", "Note"},
                 [REPORT_WARNING] = {"warning", "Warning"},
                 [REPORT_ERROR] = {"error", "Error"}};
    html_section_open(out, "findings", "Findings");
    if (!r->n_findings)
        str_add(out, "<p>None: no check had anything to say.</p>\n");
    for (int severity = REPORT_ERROR; severity >= REPORT_NOTE; severity--)
        for (size_t i = 0; i < r->n_findings; i++) {
            const struct report_finding *f = &r->findings[i];
            if ((int)f->severity != severity)
                continue;
            html_addf(out, "<div class=\"callout %s\"><p><strong>%s.</strong> %s</p>", kinds[severity].class,
                      kinds[severity].word, f->text);
            if (has_text(f->remedy))
                html_addf(out, "<p class=\"remedy\">%s</p>", f->remedy);
            str_add(out, "</div>\n");
        }
    html_section_close(out);
}
