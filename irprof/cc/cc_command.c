/* cc_command.c - the commands that the driver runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/llvm_programs.h"
#include "base/proc.h"
#include "base/str.h"
#include "irprof/cc/cc.h"

const char *cc_compiler(void)
{
    const char *given = getenv("IRPROF_CC");
    return given && *given ? given : CLANG_PROGRAM;
}

void cc_add(struct cc_command *c, const char *word)
{
    vec_push(&c->words, word);
}

void cc_add_words(struct cc_command *c, const struct cc_line *line, unsigned kinds)
{
    for (size_t i = 0; i < line->words.n; i++)
        if (kinds & 1u << line->words.at[i].kind)
            cc_add(c, line->words.at[i].text);
}

/* A longer command is passed in a file, since the system limits its length. It can be too long because response files
 * have been expanded. */
enum { COMMAND_LIMIT = 100000 };

static bool is_long(const struct cc_command *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->words.n; i++)
        n += strlen(c->words.at[i]) + 1;
    return n > COMMAND_LIMIT;
}

/* Replaces all words except the first by @FILE. */
static enum status through_file(struct cc_command *c, const char *path, const char *at_path, struct error *e)
{
    struct str text = STR_INIT;
    for (size_t i = 1; i < c->words.n; i++) {
        for (const char *p = c->words.at[i]; *p; p++) {
            if (strchr(" \t\r\n\v\f\"'\\", *p))
                str_addch(&text, '\\');
            str_addch(&text, *p);
        }
        str_add(&text, *c->words.at[i] ? "\n" : "''\n");
    }
    c->words.n = 1;
    cc_add(c, at_path);
    enum status s = file_write(path, str_text(&text), text.len, e);
    str_release(&text);
    return s;
}

static enum status run(struct cc_command *c, bool input, struct proc_result *r, bool collect, struct error *e)
{
    cc_add(c, 0);
    struct proc p = {.argv = c->words.at, .cpu = -1, .input = input, .capture = collect};
    enum status s = proc_run(&p, r, e);
    if (!s && r->signal)
        return error_set(e, ERR_SYSTEM, NOWHERE, "'%s' was killed by signal %d", cc_compiler(), r->signal);
    if (!s && r->exit_code)
        return error_set(e, ERR_FOUND, NOWHERE, "'%s' exited with %d", cc_compiler(), r->exit_code);
    return s;
}

enum status cc_execute(struct cc_command *c, const struct cc_job *job, struct proc_result *collect, struct error *e)
{
    struct proc_result own = PROC_RESULT_INIT;
    enum status s = OK;
    if (job->line->verbose) {
        for (size_t i = 0; i < c->words.n; i++)
            fprintf(stderr, "%s%s", i ? " " : "", c->words.at[i]);
        fputc('\n', stderr);
    }
    char *at_path = xasprintf("@%s/words", job->directory);
    if (is_long(c))
        s = through_file(c, at_path + 1, at_path, e);
    if (!s)
        s = run(c, job->line->from_input, collect ? collect : &own, collect != 0, e);
    vec_release(&c->words);
    proc_result_release(&own);
    free(at_path);
    return s;
}
