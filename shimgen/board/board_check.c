/* board_check.c - shimgen board check: checks a board's folder without measuring. */
#include "shimgen/board/board_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/proc.h"
#include "boards/run/run.h"
#include "shim-xml/shimxml.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/board/board_findings.h"

struct checking {
    const struct board *b;
    struct findings *out;
    char *program; /* a program that was built for the board; NULL: that failed */
};

/* ---- the skeleton ---- */

static void say(struct checking *c, enum finding_severity s, const char *id, char *what, const char *consequence,
                const char *remedy)
{
    finding_say(c->out, s, id, what, consequence, remedy);
    free(what);
}

static void check_clock(struct checking *c, const struct shimxml_core *core)
{
    double said = c->b->clock_hz;
    if (said > 0 && core->clock_hz > 0 && fabs(core->clock_hz / said - 1) > 0.001)
        say(c, FINDING_WARNING, "clocks-differ",
            xasprintf("%s: core '%s' runs at %g MHz in the skeleton, at %g MHz in board.ini", c->b->skeleton,
                      core->name, core->clock_hz / 1e6, said / 1e6),
            "the SHIM file's cycles and the measured ones would differ in length",
            "make ClockFrequency and [clock] hz the same");
}

static void check_cores(struct checking *c, const struct shimxml_doc *d)
{
    struct shimxml_system *s = 0;
    struct error e = ERROR_INIT;
    if (shimxml_system(&s, d, &e)) {
        finding_say_error(c->out, FINDING_ERROR, "skeleton-unreadable", &e, "no SHIM file can be made", "");
        return;
    }
    size_t units = 0;
    for (size_t i = 0; i < s->n_cores; i++)
        units += strcmp(s->cores[i].type, "PU") == 0;
    if (!units)
        say(c, FINDING_ERROR, "skeleton-without-cores", xasprintf("%s describes no processing unit", c->b->skeleton),
            "there is nothing to give values to", "add a MasterComponent of masterType PU");
    else
        check_clock(c, &s->cores[0]);
    if (units && c->b->core >= 0 && (size_t)c->b->core >= units)
        say(c, FINDING_WARNING, "core-not-described",
            xasprintf("programs run on core %d, the skeleton describes %zu core%s", c->b->core, units,
                      units == 1 ? "" : "s"),
            "", "add the core to the skeleton, or choose another ([run] core)");
    shimxml_system_free(s);
}

static void check_document(struct checking *c, const struct shimxml_doc *d)
{
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    for (size_t i = 0; i < f.n; i++)
        if (f.at[i].severity != SHIMXML_HINT) {
            bool error = f.at[i].severity == SHIMXML_ERROR;
            char *what = xasprintf("%s:%lu: %s (%s)", c->b->skeleton, f.at[i].line, f.at[i].text, f.at[i].rule);
            finding_say(c->out, error ? FINDING_ERROR : FINDING_WARNING, "skeleton", what, f.at[i].meaning,
                        f.at[i].remedy);
            free(what);
        }
    shimxml_findings_release(&f);
}

static void check_skeleton(struct checking *c)
{
    const struct board *b = c->b;
    struct shimxml_doc *d = 0;
    struct error e = ERROR_INIT;
    if (!*b->skeleton && (b->how != BOARD_NATIVE || board_is_foreign(b)))
        say(c, FINDING_ERROR, "no-skeleton",
            xasprintf("%s has no skeleton.shim.xml in the folder of its board.ini", b->name),
            "there is nothing to merge a model into",
            "write one: 'shim-xml new --topology ...' makes a first version; see docs/boards.md");
    if (!*b->skeleton)
        return;
    if (shimxml_read(&d, b->skeleton, &e)) {
        finding_say_error(c->out, FINDING_ERROR, "skeleton-unreadable", &e, "no SHIM file can be made",
                          "correct it; 'shim-xml check' lists all that is wrong");
        return;
    }
    check_document(c, d);
    check_cores(c, d);
    shimxml_free(d);
}

/* ---- the compiler: a program for every level's flags ---- */

static enum status build(const struct board *b, const char *level, const char *source, const char *program,
                         struct error *e)
{
    struct board_args a = {0};
    ARGS_ADD(&a, b->compiler);
    board_compile_flags(b, level, &a);
    if (board_is_bare(b)) { /* an object, since images are linked from several */
        ARGS_ADD(&a, "-std=c17", "-c", source, "-o", program);
        enum status compiled = compile_run(&a, e);
        board_args_release(&a);
        return compiled;
    }
    ARGS_ADD(&a, "-std=c17", source, "-o", program);
    args_add_all(&a, (const char *const *)b->link_flags);
    ARGS_ADD(&a, "-lm"); /* as samples are linked */
    enum status s = compile_run(&a, e);
    board_args_release(&a);
    return s;
}

static void check_compiler(struct checking *c, const char *folder)
{
    static const char text[] =
        "#include <math.h>\nvolatile double x = 2;\nint main(void)\n{\n    return sqrt(x) > 2;\n}\n";
    struct error e = ERROR_INIT;
    char *source = path_join(folder, "probe.c"), *program = path_join(folder, "probe");
    enum status s = board_check_target(c->b, &e);
    if (!s)
        s = file_write(source, text, strlen(text), &e);
    for (size_t i = 0; !s && i < c->b->n_levels; i++) {
        s = build(c->b, c->b->levels[i].name, source, program, &e);
        if (s)
            error_context(&e, "level %s", c->b->levels[i].name);
    }
    if (s)
        finding_say_error(c->out, FINDING_ERROR, "compile", &e, "no program can be built for the board",
                          "correct [compile] and [link] in board.ini, or install what is missing (packages.txt)");
    else if (!board_is_bare(c->b))
        c->program = xstrdup(program);
    free(source);
    free(program);
}

/* ---- where programs run ---- */

static enum status run_probe(struct runner *r, const char *program, struct error *e)
{
    struct run_request q = {.timeout_s = 30, .core = -1};
    struct run_end end = RUN_END_INIT;
    enum status s = runner_put(r, program, e);
    if (!s)
        s = runner_run(r, &q, &end, e);
    if (!s && (end.exit_code || end.signal || end.timed_out)) {
        char *how = run_how_ended(&q, &end);
        s = error_set(e, ERR_SYSTEM, NOWHERE, "a program that does nothing %s there%s%s", how,
                      end.messages.len ? ": " : "", str_text(&end.messages));
        free(how);
    }
    run_end_release(&end);
    return s;
}

static void check_counting(struct checking *c)
{
    struct error e = ERROR_INIT;
    struct runner *r = 0;
    if (!c->program || !runner_is_here(c->b, RUN_COUNTED))
        return; /* on the board itself: checked together with what is measured */
    enum status s = runner_open(&r, c->b, RUN_COUNTED, &e);
    if (!s)
        s = run_probe(r, c->program, &e);
    runner_close(r);
    if (s)
        finding_say_error(c->out, FINDING_ERROR, "counting", &e, "programs cannot be counted here",
                          "correct [count] command in board.ini, or install the emulator (packages.txt)");
}

static void check_table(struct checking *c)
{
    char *path = board_measurements_path(c->b);
    struct measurements *m = 0;
    struct error e = ERROR_INIT;
    if (!file_exists(path))
        say(c, FINDING_WARNING, "no-table", xasprintf("the table of measurements '%s' does not exist yet", path),
            "nothing can be fitted",
            "measure the samples with the vendor's tools and write it; docs/boards.md says how");
    else if (measurements_read(&m, path, 0, &e))
        finding_say_error(c->out, FINDING_ERROR, "table", &e, "it cannot be imported", "correct the line");
    else if (!measurements_cycle_event(m))
        say(c, FINDING_ERROR, "table", xasprintf("%s: no row has the event CPU_CYCLES", path),
            "there are no cycles to fit", "give the cycles this event");
    measurements_free(m);
    free(path);
}

/* Compiles the kit's files with the part's header by the board's compiler. The runner checks the command. */
static void check_part(struct checking *c, const char *folder)
{
    struct error e = ERROR_INIT;
    struct board_args objects = {0};
    char *script = 0;
    if (!board_is_bare(c->b))
        return;
    if (board_image_parts(c->b, folder, &objects, &script, &e))
        finding_say_error(c->out, FINDING_ERROR, "part", &e, "no image can be made for the part",
                          "fill in shim_port.h; docs/kit.md says how");
    board_args_release(&objects);
    free(script);
}

static void check_place(struct checking *c)
{
    struct error e = ERROR_INIT;
    struct runner *r = 0;
    if (c->b->how == BOARD_IMPORT) {
        check_table(c);
        return;
    }
    if (c->b->how == BOARD_SSH && !*c->b->ssh) {
        say(c, FINDING_ERROR, "no-address", xasprintf("it is not said where %s is", c->b->name),
            "its programs cannot run", "name it: --ssh user@host, or [run] ssh in board.ini");
        return;
    }
    enum status s = runner_open(&r, c->b, RUN_MEASURED, &e);
    if (!s) {
        board_doctor(c->b, runner_root(r), c->out);
        if (c->program)
            s = run_probe(r, c->program, &e);
    }
    runner_close(r);
    if (s)
        finding_say_error(c->out, FINDING_ERROR, "place", &e, "its programs cannot run", "");
}

void board_check(const struct board *b, struct findings *out)
{
    struct checking c = {b, out, 0};
    struct error e = ERROR_INIT;
    char *folder = 0;
    check_skeleton(&c);
    if (b->how == BOARD_NATIVE && board_is_foreign(b)) {
        say(&c, FINDING_ERROR, "elsewhere",
            xasprintf("%s's programs (%s) do not run on this machine", b->name, b->target),
            "it cannot be measured from here like this",
            "run the command on the board itself, or give its address: --ssh user@host (make shim: SSH=user@host); "
            "without a board, use a simulated one (shimgen board list)");
        return;
    }
    if (temp_directory(&folder, "shimgen-check", &e)) {
        finding_say_error(out, FINDING_ERROR, "temporary", &e, "nothing can be built", "make room, or set TMPDIR");
        return;
    }
    check_compiler(&c, folder);
    check_counting(&c);
    check_part(&c, folder);
    check_place(&c);
    (void)!remove_tree(folder, &e);
    error_release(&e);
    cleanup_remove(folder);
    free(folder);
    free(c.program);
}
