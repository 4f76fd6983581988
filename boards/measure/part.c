/* part.c - measures one program's image on a part: flashes and runs it, reads its text, takes its rows. */
#include "boards/measure/part.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/str.h"
#include "boards/measure/kit_rows.h"
#include "boards/measure/series.h"

/* The image's program, if it is complete in the log. */
static const struct kit_program *find(const struct kit_log *log, const char *program)
{
    for (size_t i = 0; i < log->programs.n; i++)
        if (strcmp(log->programs.at[i].name, program) == 0)
            return &log->programs.at[i];
    return 0;
}

/* The error names the part, since the file that contains its text is removed. */
static enum status of_the_part(enum status s, struct error *e)
{
    if (s != ERR_INPUT)
        return s;
    char *message = xstrdup(e->message);
    error_release(e);
    error_set(e, s, NOWHERE, "the text of the part: %s", message);
    free(message);
    return s;
}

static enum status take(const char *text, const char *program, struct measurements *into, struct error *e)
{
    struct kit_log *log = kit_log_new();
    const struct kit_choice choice = {0};
    enum status s = kit_log_read(log, text, e);
    if (!s)
        s = kit_log_judge(log, &choice, e);
    const struct kit_program *p = s ? 0 : find(log, program);
    if (!s && !p)
        s = error_set(e, ERR_INPUT, NOWHERE,
                      "the part printed the log of '%s', not of this program: does the command flash {image}?",
                      log->programs.at[0].name);
    double before = into->conditions.clock_hz;
    if (!s && into->programs.n && before > 0 && before != log->sessions.at[p->session].hz)
        s = error_set(e, ERR_INPUT, NOWHERE, "the part's clock is %g MHz, and was %g MHz for earlier programs",
                      log->sessions.at[p->session].hz / 1e6, before / 1e6);
    if (!s)
        s = kit_rows_add(log, p, program, into, e);
    if (!s)
        kit_rows_describe(log, into);
    kit_log_free(log);
    return of_the_part(s, e);
}

static enum status launch(struct runner *place, const struct board *b, const char *text, const char *program,
                          struct measurements *into, struct error *e)
{
    const struct run_request q = {.result_variable = "text", .result = text, .timeout_s = b->timeout_s, .core = -1};
    struct run_end end = RUN_END_INIT;
    enum status s = runner_run(place, &q, &end, e);
    if (!s && end.written)
        s = take(text, program, into, e);
    else if (!s)
        s = error_set(e, ERR_INPUT, NOWHERE, "nothing came from the part within %g s%s%s", b->timeout_s,
                      end.messages.len ? "; the command says: " : "", str_text(&end.messages));
    if (s && s != ERR_CANCELLED && end.timed_out && end.written) {
        char *limit = xasprintf("its text did not end within %g s ([run] timeout)", b->timeout_s);
        (void)error_context(e, "%s", limit);
        free(limit);
    }
    run_end_release(&end);
    return s;
}

enum status part_measure(struct runner *place, const struct board *b, const char *image, const char *program,
                         struct measurements *into, struct error *e)
{
    char *folder = 0, *text = 0;
    enum status s = runner_put(place, image, e);
    if (!s)
        s = temp_directory(&folder, "shimgen-part", e);
    if (!s) {
        text = path_join(folder, "text");
        s = launch(place, b, text, program, into, e);
    }
    for (unsigned i = 0; text && s == ERR_INPUT && i < b->part.retries; i++) {
        char *why = error_text(e);
        progress_note("%s: %s; once more", program, why);
        free(why);
        error_release(e);
        s = launch(place, b, text, program, into, e);
    }
    if (folder) {
        struct error ignored = ERROR_INIT;
        (void)!remove_tree(folder, &ignored);
        cleanup_remove(folder);
        error_release(&ignored);
    }
    free(text);
    free(folder);
    return s ? error_context(e, "%s", program) : OK;
}
