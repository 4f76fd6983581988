/* cc_stamp.c - the driver with --stamp: it inserts timestamps instead of counters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/str.h"
#include "irprof/cc/cc.h"

static bool mode_of(const char *word, enum stamp_mode *mode)
{
    char **all = words_of(STAMP_MODES, "|");
    bool found = false;
    for (size_t i = 0; all[i] && !found; i++)
        if (strcmp(all[i], word) == 0) {
            *mode = (enum stamp_mode)i;
            found = true;
        }
    words_free(all);
    return found;
}

enum status cc_stamp_read(struct cc_job *job, struct error *e)
{
    const struct cc_line *line = job->line;
    enum stamp_mode mode;
    if (!line->stamp)
        return line->stamp_mode || line->stamp_results
                   ? usage_error(e, "--stamp-mode and --stamp-results need --stamp POINTS")
                   : OK;
    if (line->stamp_mode && !mode_of(line->stamp_mode, &mode))
        return usage_error(e, "--stamp-mode '%s' is none of " STAMP_MODES, line->stamp_mode);
    return stamp_specs_read(&job->stamps, line->stamp, e);
}

char *cc_stamp_functions(const struct cc_job *job)
{
    struct str names = STR_INIT;
    for (size_t i = 0; i < job->stamps.all.n; i++) {
        const struct stamp_spec *s = &job->stamps.all.at[i];
        if (s->kind == SPEC_FUNCTION && !strpbrk(s->name, "*?( "))
            str_addf(&names, "%s%s", names.len ? "," : "", s->name);
    }
    str_add(&names, "");
    return str_detach(&names);
}

enum status cc_stamp_ir(const struct cc_job *job, const char *ir, const char *out, struct error *e)
{
    struct stamp_options options = {.results = job->line->stamp_results, .missing_is_fine = true};
    struct stamp_specs specs = job->stamps; /* the copy counts points in an array of its own */
    char *notes = 0;
    if (job->line->stamp_mode && !mode_of(job->line->stamp_mode, &options.mode))
        BUG("no mode: %s", job->line->stamp_mode);
    if (job->line->verbose)
        fprintf(stderr, "irprof stamp %s -o %s --points %s\n", ir, out, job->line->stamp);
    enum status s = stamp_file(ir, out, &specs, &options, &notes, e);
    stamp_notes_print(notes, "irprof cc");
    free(notes);
    return s;
}

/* Are all inputs compiled here? Objects and archives may contain points that no source here has. */
static bool all_compiled_here(const struct cc_line *line)
{
    for (size_t i = 0; i < line->words.n; i++)
        if (line->words.at[i].kind == CC_LINK && line->words.at[i].text[0] != '-')
            return false;
    return line->n_sources && !line->n_others;
}

static enum status no_source_has(const struct stamp_spec *s, struct error *e)
{
    struct str text = STR_INIT;
    stamp_names_say(&text, s->text, (const char *const *)s->names.keys, s->names.n);
    enum status status =
        error_set(e, ERR_INPUT, AT(s->from, s->from_line), "%s: no source has this point%s", s->text, str_text(&text));
    str_release(&text);
    return status;
}

enum status cc_stamp_check(const struct cc_job *job, struct error *e)
{
    if (job->line->compile_only || !all_compiled_here(job->line))
        return OK;
    for (size_t i = 0; i < job->stamps.all.n; i++) {
        const struct stamp_spec *s = &job->stamps.all.at[i];
        if (!s->found)
            return no_source_has(s, e);
    }
    return OK;
}
