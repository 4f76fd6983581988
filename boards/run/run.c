/* run.c - what all kinds of runners have in common. */
#include "boards/run/run.h"

#include <elf.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/proc.h"
#include "base/target.h"
#include "boards/description/causes.h"
#include "boards/machine/this_machine.h"
#include "boards/run/runner_kind.h"

/* ---- kinds ---- */

/* The kind of runner for a board; NULL: there is none. */
static const struct runner_kind *kind_of(const struct board *b, enum run_purpose purpose)
{
    if (purpose == RUN_COUNTED && *b->count_command && !target_is_here(board_target(b)))
        return &runner_emulator;
    if (b->how == BOARD_COMMAND && purpose == RUN_MEASURED)
        return &runner_command;
    if (b->how == BOARD_SIMULATOR)
        return &runner_emulator;
    if (b->how == BOARD_SSH && !(purpose == RUN_COUNTED && target_is_here(board_target(b)) && !*b->target))
        return &runner_ssh;
    if (b->how == BOARD_IMPORT && purpose == RUN_MEASURED)
        return 0;
    return target_is_here(board_target(b)) ? &runner_local : 0;
}

bool runner_is_here(const struct board *b, enum run_purpose purpose)
{
    return kind_of(b, purpose) != &runner_ssh;
}

bool runner_parallel(const struct board *b, enum run_purpose purpose)
{
    const struct runner_kind *kind = kind_of(b, purpose);
    return kind == &runner_emulator || (purpose == RUN_COUNTED && kind == &runner_local);
}

enum status runner_open(struct runner **out, const struct board *b, enum run_purpose purpose, struct error *e)
{
    const struct runner_kind *kind = kind_of(b, purpose);
    if (!kind && b->how == BOARD_IMPORT && purpose == RUN_MEASURED)
        return error_set(e, ERR_UNSUPPORTED, AT_FILE(b->path),
                         "shimgen does not run programs on this board; its measurements are imported");
    if (!kind)
        return cause_error(e, ERR_UNSUPPORTED, b->path, "target-not-here", board_target(b));
    struct runner *r = xcalloc(1, sizeof *r);
    r->kind = kind;
    r->b = b;
    r->measured = purpose == RUN_MEASURED;
    r->root = xstrdup("");
    r->architecture = xstrdup("");
    enum status s = kind->open(r, e);
    if (s)
        runner_close(r);
    else
        *out = r;
    return s;
}

void runner_close(struct runner *r)
{
    if (!r)
        return;
    r->kind->close(r);
    if (*r->root) {
        struct error ignored = ERROR_INIT;
        (void)!remove_tree(r->root, &ignored);
        cleanup_remove(r->root);
        error_release(&ignored);
    }
    free(r->root);
    free(r->architecture);
    free(r->executable);
    free(r->own_code);
    free(r->cycles);
    free(r);
}

const char *runner_root(const struct runner *r)
{
    return r->root;
}

/* ---- the program ---- */

const char *elf_architecture(const char *path)
{
    unsigned char head[20];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    if (n != (ssize_t)sizeof head || memcmp(head, ELFMAG, SELFMAG) != 0)
        return "";
    bool big = head[EI_DATA] == ELFDATA2MSB;
    unsigned machine = big ? head[18] * 256u + head[19] : head[19] * 256u + head[18];
    const char *name = target_of_elf(machine, head[EI_CLASS] == ELFCLASS64 ? 64 : 32)->name;
    return *name ? name : "an unknown architecture";
}

const char *emulated_architecture(const char *emulator)
{
    const char *name = path_basename(emulator);
    if (strncmp(name, "qemu-", 5) != 0)
        return "";
    name += 5;
    return strcmp(name, "i386") == 0 ? "i686" : name;
}

/* Could it run? A kernel may also run 32-bit programs of its architecture; whether it does, the board will say. */
static bool can_run(const char *board, const char *program)
{
    const struct target *t = target_find(board);
    return strcmp(board, program) == 0 || strcmp(t->name, program) == 0 ||
           (t->narrow && strcmp(t->narrow, program) == 0);
}

enum status runner_put(struct runner *r, const char *executable, struct error *e)
{
    char *path = realpath(executable, 0);
    if (!path)
        return error_errno(e, AT_FILE(executable), "cannot be run");
    const char *is = elf_architecture(path);
    if (*is && *r->architecture && !can_run(r->architecture, is)) {
        error_set(
            e, ERR_INPUT, AT_FILE(executable),
            "a program for %s, and the board '%s' runs %s; compile it with what 'shimgen measure %s --flags' prints",
            is, r->b->name, r->architecture, r->b->name);
        free(path);
        return ERR_INPUT;
    }
    free(r->executable);
    r->executable = path;
    return r->kind->put(r, e);
}

enum status runner_cycles(struct runner *r, const char *own, const char *to, struct error *e)
{
    if (r->b->how != BOARD_SIMULATOR || !r->measured)
        return error_set(e, ERR_UNSUPPORTED, AT_FILE(r->b->path),
                         "cycles of single lines are known on simulated boards only ('shimgen board list')");
    free(r->own_code);
    free(r->cycles);
    r->own_code = xstrdup(own);
    r->cycles = xstrdup(to);
    return OK;
}

static bool remove_old(const char *path, struct error *e)
{
    return !path || remove_tree(path, e) == OK;
}

enum status runner_run(struct runner *r, const struct run_request *q, struct run_end *end, struct error *e)
{
    if (!r->executable)
        BUG("no program was put on '%s'", r->b->name);
    str_clear(&end->messages);
    end->exit_code = end->signal = 0;
    end->timed_out = end->written = false;
    end->wall_s = end->cpu_s = 0;
    if (!remove_old(q->result, e))
        return ERR_SYSTEM;
    enum status s = r->kind->run(r, q, end, e);
    if (!s && !q->output)
        keep_end(&end->messages);
    return s;
}

void keep_end(struct str *text)
{
    enum { MOST = 4000 };
    while (text->len && (text->s[text->len - 1] == '\n' || text->s[text->len - 1] == ' '))
        text->s[--text->len] = 0;
    if (text->len > MOST) {
        memmove(text->s, text->s + text->len - MOST, MOST + 1);
        text->len = MOST;
    }
}

/* How many programs share a processor at the moment, at least 1. */
static double crowd(void)
{
    double load = 0, processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    return getloadavg(&load, 1) == 1 && processors > 0 && load > processors ? load / processors : 1;
}

void run_limit(struct run_request *q, const struct board *b)
{
    enum { STANDS_STILL = 4 };
    bool simulated = b->how == BOARD_SIMULATOR;
    q->timeout_s = simulated ? ceil(STANDS_STILL * crowd() * b->timeout_s) : b->timeout_s;
    q->cpu_limit_s = simulated ? (unsigned)ceil(b->timeout_s) : 0;
}

char *run_how_ended(const struct run_request *q, const struct run_end *end)
{
    struct proc p = {.timeout_s = q->timeout_s, .cpu_limit_s = q->cpu_limit_s};
    struct proc_result r = PROC_RESULT_INIT;
    r.exit_code = end->exit_code;
    r.signal = end->signal;
    r.timed_out = end->timed_out;
    return proc_how_ended(&p, &r);
}

void run_end_release(struct run_end *end)
{
    str_release(&end->messages);
}

/* ---- the board's small files, if the board is not this machine ---- */

enum status root_folder(char **folder, struct error *e)
{
    return temp_directory(folder, "shimgen-board", e);
}

enum status root_put(const char *root, const char *path, const char *text, size_t n, struct error *e)
{
    char *full = xasprintf("%s%s", root, path), *folder = xstrdup(full);
    *strrchr(folder, '/') = 0;
    enum status s = make_directories(folder, e);
    if (!s)
        s = file_write(full, text, n, e);
    free(folder);
    free(full);
    return s;
}
