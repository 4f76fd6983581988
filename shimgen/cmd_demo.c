/* shimgen demo: from a program's source to its cycles, with files that come with shimgen; measures nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/str.h"
#include "shimgen/commands.h"

#define SHIM "raspberrypi3-sim.shim.xml"
#define PAGE "blocks.html"
/* lines before and after the one with the most cycles */
#define AROUND 4

struct options {
    const char *output;
};

/* A command of the tour. It runs in the folder, as a user would run it. */
struct step {
    const char *title;
    const char *arguments[16];
    bool excerpt; /* print only the lines around the one with the most cycles */
    bool said;    /* its notes are the same as those of an earlier step */
};
static const struct step steps[] = {
    {"Count: compile the program, run it on this machine, count the LLVM-IR instructions that it executes",
     {"profile", "--shim", SHIM, "-O2", "controller.c", "main.c", "--steps", "controller_step", "-o",
      "controller.prof"},
     .said = false},
    {"Estimate: cycles of each function on a Cortex-A53, from the counts and the SHIM file alone",
     {"estimate", "--shim", SHIM, "--by", "function", "controller.prof"},
     .said = false},
    {"The source with its cycles: here the line with the most, and what is around it",
     {"estimate", "--shim", SHIM, "--annotate", "controller.prof"},
     .excerpt = true,
     .said = true},
    {"Blocks of the model: cycles of a step, from the comments of the code generator",
     {"blocks", "--shim", SHIM, "--top", "8", "controller.prof"},
     .said = true},
    {"The same as a page", {"blocks", "--shim", SHIM, "controller.prof", "--format", "html", "-o", PAGE}, .said = true},
};
static const char *const files[] = {"controller.c", "controller.h",     "main.c",   "rtwtypes.h",
                                    SHIM,           "machine.shim.xml", "paper.csv"};

static enum status copy_file(const char *from, const char *to, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, from, 64 << 20, e);
    if (!s)
        s = file_write(to, str_text(&text), text.len, e);
    str_release(&text);
    return s;
}

/* Existing files are kept, since the user may have changed them to see the effect. */
static enum status put_files(const char *folder, struct error *e)
{
    enum status s = make_directories(folder, e);
    for (size_t i = 0; !s && i < sizeof files / sizeof files[0]; i++) {
        char *name = xasprintf("example/%s", files[i]);
        char *from = resource_share(name), *to = path_join(folder, files[i]);
        if (!file_exists(to))
            s = copy_file(from, to, e);
        free(name);
        free(from);
        free(to);
    }
    return s ? error_context(e, "the files of the demo cannot be put into '%s' (-o FOLDER names another folder)",
                             folder)
             : OK;
}

/* The line with the largest number at its begin, among those with a source line after a '|'. */
static size_t costliest(char *const *lines)
{
    size_t at = 0;
    double most = 0;
    for (size_t i = 0; lines[i]; i++) {
        double cycles = strchr(lines[i], '|') ? strtod(lines[i], NULL) : 0;
        if (cycles > most) {
            most = cycles;
            at = i;
        }
    }
    return at;
}

/* Prints the head of the table and some of its lines. */
static void print_excerpt(const char *text)
{
    char **lines = words_of(text, "\n");
    size_t at = costliest(lines);
    for (size_t i = 0; lines[i]; i++)
        if (i == 1 || (i + AROUND >= at && i <= at + AROUND))
            puts(lines[i]);
    words_free(lines);
}

static void print_command(const struct step *step)
{
    printf("\n%s\n$ shimgen", step->title);
    for (size_t i = 0; step->arguments[i]; i++)
        printf(" %s", step->arguments[i]);
    puts("");
    fflush(stdout);
}

static enum status run_step(const struct step *step, const char *program, const char *folder, struct error *e)
{
    const char *argv[sizeof step->arguments / sizeof step->arguments[0] + 1] = {program};
    struct proc p = {.argv = argv, .directory = folder, .capture = true, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    for (size_t i = 0; step->arguments[i]; i++)
        argv[i + 1] = step->arguments[i];
    print_command(step);
    enum status s = proc_must(&p, &r, e);
    if (!s && step->excerpt)
        print_excerpt(str_text(&r.out));
    else if (!s)
        fputs(str_text(&r.out), stdout);
    fflush(stdout);
    if (!s && !step->said)
        fputs(str_text(&r.err), stderr);
    proc_result_release(&r);
    return s;
}

static enum status print_end(const char *folder, struct error *e)
{
    char *path = realpath(folder, NULL);
    if (!path)
        return error_errno(e, AT_FILE(folder), "cannot be read");
    printf("%s/%s: open it in a browser.\n\n", path, PAGE);
    printf(
        "Next, in %s: change controller.c and run 'shimgen demo -o .' again; --core all --shim machine.shim.xml\n"
        "compares two kinds of cores; 'shimgen map --shim machine.shim.xml controller.prof' puts the blocks on cores.\n"
        "Your own program: the same commands with your sources. Your board: 'shimgen build BOARD' makes its SHIM "
        "file;\n"
        "boards: 'shimgen board list'.\n",
        path);
    free(path);
    return OK;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    char *program = resource_program("shimgen");
    char *absolute = realpath(program, NULL);
    (void)args;
    enum status s = put_files(o->output, e);
    if (!s)
        printf("An example program and the SHIM file of a simulated Raspberry Pi 3 are in %s.\n"
               "The commands are run there. Nothing is measured.\n",
               o->output);
    for (size_t i = 0; !s && i < sizeof steps / sizeof steps[0]; i++)
        s = run_step(&steps[i], absolute ? absolute : program, o->output, e);
    if (!s)
        s = print_end(o->output, e);
    free(absolute);
    free(program);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FOLDER", "shimgen-demo", "where the files of the example are put",
     offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_demo = {
    .name = "demo",
    .synopsis = "demo [-o FOLDER]",
    .summary = "Shows what shimgen does with an example: counts, cycles by function, line and block. Measures nothing.",
    .details =
        "Puts a controller in C and the SHIM file of a simulated Raspberry Pi 3 into FOLDER, and runs there, in a few\n"
        "seconds, the commands that it prints. Files that are there already stay as they are: change them and run\n"
        "it again.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 0,
    .max_args = 0,
    .run = run,
};
