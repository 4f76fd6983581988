/* compiled_build.c - compiles a program for the board again, with labels that lead back to the IR. */
#include "shimgen/estimate/compiled/compiled_build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "base/target.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/estimate/compiled/compiled_text.h"

/* "": this machine's architecture. */
static const char *architecture_of(const char *triple)
{
    struct utsname here;
    return *triple || uname(&here) ? target_find(triple)->name : target_find(here.machine)->name;
}

static bool same_architecture(const char *a, const char *b)
{
    return strcmp(architecture_of(a), architecture_of(b)) == 0;
}

static enum status check_target(const struct irprof_labels *l, const struct board *b, const char *path, struct error *e)
{
    if (same_architecture(l->target, board_target(b)))
        return OK;
    return error_set(
        e, ERR_INPUT, AT_FILE(path),
        "is IR for %s, the board %s is for %s: compile the IR, and the program of the profile, with clang --target=%s",
        *l->target ? l->target : "no target", b->name, board_target(b), board_target(b));
}

/* The level for the back end. The IR is already optimised; the back end only depends on whether it was. */
static const char *level_of(const struct irprof_labels *l, const struct board *b)
{
    static const char *const optimised[] = {"O2", "O3", "O1", "Os", "Oz", "Og"};
    if (l->unoptimised && board_find_level(b, "O0"))
        return "O0";
    for (size_t i = 0; i < sizeof optimised / sizeof *optimised; i++)
        if (board_find_level(b, optimised[i]))
            return optimised[i];
    return b->levels[0].name;
}

/* `kind`: "-S" or "-c". */
static enum status compile(const struct board *b, const char *level, const char *kind, const char *in, const char *out,
                           struct error *e)
{
    struct board_args a = {0};
    ARGS_ADD(&a, b->compiler);
    board_compile_flags(b, level, &a);
    ARGS_ADD(&a, "-Wno-unused-command-line-argument", "-Xclang", "-disable-llvm-passes", kind, in, "-o", out);
    enum status s = compile_run(&a, e);
    board_args_release(&a);
    return s;
}

static enum status add_labels(const char *in, const char *out, unsigned module, struct error *e)
{
    struct str text = STR_INIT, labelled = STR_INIT;
    enum status s = file_read(&text, in, FILE_LIMIT, e);
    if (!s) {
        compiled_text_label(&labelled, str_text(&text), module);
        s = file_write(out, str_text(&labelled), labelled.len, e);
    }
    str_release(&text);
    str_release(&labelled);
    return s;
}

static enum status build_module(const struct compiled_program *p, const struct board *b, const char *module,
                                const char *folder, unsigned number, struct board_args *link, struct error *e)
{
    struct irprof_labels labels;
    char *ir = xasprintf("%s/%u.bc", folder, number), *plain = xasprintf("%s/%u.s", folder, number);
    char *labelled = xasprintf("%s/%u.l.s", folder, number), *object = xasprintf("%s/%u.o", folder, number);
    enum status s = irprof_label(&labels, module, ir, p->steps, e);
    const char *level = level_of(&p->labels[number], b);
    irprof_labels_release(&labels);
    if (!s)
        s = compile(b, level, "-S", ir, plain, e);
    if (!s)
        s = add_labels(plain, labelled, number, e);
    if (!s)
        s = compile(b, level, "-c", labelled, object, e);
    ARGS_ADD(link, object);
    free(ir);
    free(plain);
    free(labelled);
    free(object);
    return s;
}

enum status compiled_labels(struct compiled_program *out, const struct board *b, const char *const *modules,
                            const char *steps, struct error *e)
{
    enum status s = OK;
    *out = (struct compiled_program){.steps = steps ? xstrdup(steps) : 0};
    for (size_t i = 0; !s && modules[i]; i++) {
        struct irprof_labels labels;
        if (!text_ends(modules[i], ".bc") && !text_ends(modules[i], ".ll"))
            return error_set(e, ERR_INPUT, AT_FILE(modules[i]),
                             "is not LLVM IR (.bc, .ll): give the IR of the profiled program, as 'clang --target=%s "
                             "-O2 -g -emit-llvm -c' writes it",
                             board_target(b));
        s = irprof_label(&labels, modules[i], 0, steps, e);
        if (s)
            return s;
        out->labels = xreallocarray(out->labels, out->n + 1, sizeof *out->labels);
        out->labels[out->n++] = labels;
        s = check_target(&labels, b, modules[i], e);
    }
    return s;
}

static enum status build(struct compiled_program *out, const struct board *b, const char *const *modules,
                         const char *folder, struct error *e)
{
    struct board_args link = {0};
    char *target = xasprintf("--target=%s", board_target(b)), *program = path_join(folder, "program");
    ARGS_ADD(&link, b->compiler);
    if (*board_target(b))
        ARGS_ADD(&link, target);
    enum status s = OK;
    for (size_t i = 0; !s && modules[i]; i++)
        s = build_module(out, b, modules[i], folder, (unsigned)i, &link, e);
    args_add_all(&link, (const char *const *)b->link_flags);
    ARGS_ADD(&link, "-lm", "-lpthread", "-o", program);
    if (!s)
        s = compile_run(&link, e);
    if (!s)
        s = elf_read(&out->elf, program, e);
    board_args_release(&link);
    free(target);
    free(program);
    return s;
}

enum status compiled_build(struct compiled_program *out, const struct board *b, const char *const *modules,
                           struct error *e)
{
    char *folder = 0;
    enum status s = temp_directory(&folder, "shimgen-compiled", e);
    if (s)
        return s;
    s = build(out, b, modules, folder, e);
    enum status removed = remove_tree(folder, s ? 0 : e);
    cleanup_remove(folder);
    free(folder);
    return s ? s : removed;
}

void compiled_program_release(struct compiled_program *p)
{
    for (size_t i = 0; i < p->n; i++)
        irprof_labels_release(&p->labels[i]);
    free(p->labels);
    free(p->steps);
    elf_release(&p->elf);
    *p = (struct compiled_program){0};
}
