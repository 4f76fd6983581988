/* profile_program.c - shimgen profile: compiles, instruments and runs a program of the user's. */
#include "shimgen/profile/profile_program.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/str.h"
#include "irprof/cc/step_names.h"
#include "boards/run/run.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/estimate/kept_ir.h"

static enum status check_source(const char *path, struct error *e)
{
    if (!text_ends(path, ".c") && !text_ends(path, ".bc") && !text_ends(path, ".ll"))
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "neither C (.c) nor LLVM IR (.bc, .ll); build other programs with 'irprof cc'");
    return file_exists(path) ? OK : error_set(e, ERR_INPUT, AT_FILE(path), "there is no such file");
}

static char *ir_of(const struct profile_job *job, const char *folder, size_t i)
{
    const char *source = job->sources[i];
    return text_ends(source, ".c") ? xasprintf("%s/%zu.bc", folder, i) : xstrdup(source);
}

/* Compiles all sources to IR. Functions whose calls are counted separately are not inlined, since they would have no
 * calls. */
static enum status make_ir(const struct profile_job *job, const char *folder, struct error *e)
{
    struct board_args flags = {0};
    char *listed = xasprintf("%s,%s", job->steps ? job->steps : "", job->instances ? job->instances : "");
    char **kept = step_names_kept(listed);
    enum status s = OK;
    args_add_all(&flags, job->flags);
    for (char **option = kept; *option; option++)
        ARGS_ADD(&flags, "-mllvm", *option);
    for (size_t i = 0; job->sources[i] && !s; i++) {
        char *ir = ir_of(job, folder, i);
        if (text_ends(job->sources[i], ".c"))
            s = compile_ir(job->board, job->level, (const char *const *)flags.at, job->sources[i], ir, e);
        free(ir);
    }
    words_free(kept);
    free(listed);
    board_args_release(&flags);
    return s;
}

static enum status check_steps(const struct profile_job *job, const char *folder, struct error *e)
{
    struct step_names names = {0};
    enum status s = OK;
    for (size_t i = 0; (job->steps || job->instances) && job->sources[i] && !s; i++) {
        char *ir = ir_of(job, folder, i);
        s = step_names_add(&names, ir, e);
        free(ir);
    }
    if (!s && job->steps)
        s = step_names_check(&names, "--steps", job->steps, e);
    if (!s && job->instances)
        s = step_names_check(&names, "--instances", job->instances, e);
    step_names_release(&names);
    return s;
}

/* Makes an object with counters from IR, and adds its path to the link. */
static enum status build_object(const struct profile_job *job, const char *folder, size_t i, struct board_args *link,
                                struct error *e)
{
    char *ir = ir_of(job, folder, i), *counted = xasprintf("%s/%zu.i.bc", folder, i);
    char *object = xasprintf("%s/%zu.o", folder, i);
    enum status s = compile_counters(ir, job->options, counted, e);
    if (!s)
        s = compile_object(job->board, job->level, counted, object, e);
    ARGS_ADD(link, object);
    free(ir);
    free(counted);
    free(object);
    return s;
}

static enum status build(const struct profile_job *job, const char *folder, const char *program, struct error *e)
{
    struct board_args link = {0};
    ARGS_ADD(&link, job->board->compiler, "-o", program);
    enum status s = make_ir(job, folder, e);
    if (!s)
        s = check_steps(job, folder, e);
    for (size_t i = 0; !s && job->sources[i]; i++)
        s = build_object(job, folder, i, &link, e);
    if (!s)
        s = compile_counted_link(job->board, folder, &link, e);
    args_add_all(&link, job->libraries);
    if (!s)
        s = compile_run(&link, e);
    board_args_release(&link);
    return s;
}

/* Escapes percent signs, which begin place holders for the runtime. */
static char *profile_variable(const char *path)
{
    struct str s = STR_INIT;
    str_add(&s, "IRPROF_OUT=");
    for (; *path; path++) {
        if (*path == '%')
            str_addch(&s, '%');
        str_addch(&s, *path);
    }
    return str_detach(&s);
}

/* Adds what runs the board's programs on this machine; nothing for this machine's own. */
static enum status add_emulator(struct board_args *command, const struct board *b, struct error *e)
{
    if (!board_is_foreign(b))
        return OK;
    if (b->count_command && *b->count_command) {
        args_add_all(command, (const char *const *)b->count_command);
    } else if (*b->emulator) {
        ARGS_ADD(command, b->emulator);
        if (*b->emulator_cpu)
            ARGS_ADD(command, "-cpu", b->emulator_cpu);
    } else {
        return error_set(e, ERR_UNSUPPORTED, AT_FILE(b->path),
                         "programs for %s cannot be run here: name the board with --ssh USER@HOST, or an emulator with "
                         "'command' below [count] in this file",
                         board_target(b));
    }
    char *found = proc_find(command->at[0]);
    enum status s = found ? OK
                          : error_set(e, ERR_SYSTEM, NOWHERE,
                                      "'%s', which runs programs for %s here, is not installed (Debian: qemu-user)",
                                      command->at[0], board_target(b));
    free(found);
    return s;
}

/* Runs with our standard input and output, in our directory. *how: how it ended, if not by exit(0); the caller
 * frees. */
static enum status run(const struct profile_job *job, const char *program, const char *profile, char **how,
                       struct error *e)
{
    struct board_args command = {0};
    enum status found = add_emulator(&command, job->board, e);
    if (found) {
        board_args_release(&command);
        return found;
    }
    ARGS_ADD(&command, program);
    args_add_all(&command, job->arguments);
    char *out = profile_variable(profile);
    struct proc p = {.argv = (const char *const *)command.at,
                     .environment = (const char *const[]){out, 0},
                     .input = true,
                     .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_run(&p, &r, e);
    *how = !s && (r.signal || r.exit_code) ? proc_how_ended(&p, &r) : 0;
    if (!s && !file_exists(profile))
        s = error_set(e, ERR_SYSTEM, NOWHERE, "'%s' left no profile%s%s", path_basename(program), *how ? ": it " : "",
                      *how ? *how : "; what it said may tell why");
    proc_result_release(&r);
    free(out);
    board_args_release(&command);
    return s;
}

/* Runs on the board, without input. Its output is passed on at the end. */
static enum status run_there(const struct profile_job *job, const char *program, const char *profile, char **how,
                             struct error *e)
{
    struct runner *place = 0;
    struct run_end end = RUN_END_INIT;
    const struct run_request q = {.arguments = job->arguments,
                                  .result_variable = "IRPROF_OUT",
                                  .result = profile,
                                  .timeout_s = 24 * 3600,
                                  .core = -1,
                                  .output = true};
    *how = 0;
    enum status s = runner_open(&place, job->board, RUN_MEASURED, e);
    if (!s)
        s = runner_put(place, program, e);
    if (!s)
        s = runner_run(place, &q, &end, e);
    fwrite(str_text(&end.messages), 1, end.messages.len, stdout);
    fflush(stdout);
    if (!s && (end.exit_code || end.signal || end.timed_out))
        *how = run_how_ended(&q, &end);
    if (!s && !end.written)
        s = error_set(e, ERR_SYSTEM, NOWHERE, "'%s' left no profile on the board%s%s", path_basename(program),
                      *how ? ": it " : "", *how ? *how : "; what it said may tell why");
    run_end_release(&end);
    runner_close(place);
    return s;
}

/* The program's name in the profile: "stride" for "src/stride.c". */
static char *program_name(const char *source)
{
    const char *base = path_basename(source);
    return xstrndup(base, (size_t)(strrchr(base, '.') - base));
}

static enum status keep(struct outfile *o, const char *profile, struct error *e)
{
    struct str bytes = STR_INIT;
    enum status s = file_read(&bytes, profile, FILE_LIMIT, e);
    if (!s)
        fwrite(str_text(&bytes), 1, bytes.len, o->f);
    str_release(&bytes);
    return s ? s : outfile_commit(o, e);
}

static enum status keep_ir(const struct profile_job *job, const char *folder, struct error *e)
{
    struct board_args files = {0};
    for (size_t i = 0; job->sources[i]; i++) {
        char *ir = ir_of(job, folder, i);
        ARGS_ADD(&files, ir);
        free(ir);
    }
    enum status s = kept_ir_write(job->output, (const char *const *)files.at, e);
    board_args_release(&files);
    return s;
}

/* In a folder of its own, so that no object can have the program's name. */
static enum status build_and_run(const struct profile_job *job, const char *folder, struct outfile *o, struct error *e)
{
    char *name = program_name(job->sources[0]), *how = 0;
    char *place = path_join(folder, "run"), *program = path_join(place, name), *profile = path_join(folder, "profile");
    enum status s = make_directories(place, e);
    if (!s)
        s = build(job, folder, program, e);
    if (!s)
        s = job->board->how == BOARD_SSH ? run_there(job, program, profile, &how, e)
                                         : run(job, program, profile, &how, e);
    if (!s)
        s = keep(o, profile, e);
    if (!s && job->keep_ir)
        s = keep_ir(job, folder, e);
    if (!s && how)
        s = error_set(e, ERR_SYSTEM, NOWHERE, "'%s' %s; what it executed until then is in %s", name, how, job->output);
    free(how);
    free(profile);
    free(program);
    free(place);
    free(name);
    return s;
}

enum status profile_run(const struct profile_job *job, struct error *e)
{
    enum status s = OK;
    for (const char *const *source = job->sources; !s && *source; source++)
        s = check_source(*source, e);
    if (s)
        return s;
    struct outfile o; /* opened first, so that an unwritable place is noticed before a long run */
    s = outfile_open(&o, job->output, e);
    if (s)
        return s;
    char *folder = 0;
    s = temp_directory(&folder, "shimgen-profile", e);
    if (!s) {
        s = build_and_run(job, folder, &o, e);
        enum status removed = remove_tree(folder, s ? 0 : e);
        cleanup_remove(folder);
        s = s ? s : removed;
        free(folder);
    }
    outfile_abort(&o);
    return s;
}
