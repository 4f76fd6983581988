/* runner_kind.h - what each kind of runner implements: here, under an emulator, over ssh, by a command. For the files
 * run*.c only. */
#ifndef BOARDS_RUN_RUNNER_KIND_H
#define BOARDS_RUN_RUNNER_KIND_H

#include "base/error.h"
#include "base/str.h"
#include "boards/boards.h"

struct run_request; /* run.h, which every user of this header includes */
struct run_end;

struct runner_kind {
    enum status (*open)(struct runner *r, struct error *e);
    void (*close)(struct runner *r);
    enum status (*put)(struct runner *r, struct error *e); /* r->executable is set, and fits */
    enum status (*run)(struct runner *r, const struct run_request *q, struct run_end *end, struct error *e);
};
struct runner {
    const struct runner_kind *kind;
    const struct board *b;   /* borrowed */
    bool measured;           /* for RUN_MEASURED; else for RUN_COUNTED */
    char *root;              /* see runner_root; owned */
    char *architecture;      /* of the programs that run there, as uname -m names it; "" unknown; owned */
    char *executable;        /* absolute path here; NULL none yet; owned */
    char *own_code, *cycles; /* runner_cycles; NULL: not asked for; owned */
    void *own;               /* the kind's */
};
/* run_local.c: here, as it is; run_emulator.c: here, under an emulator, with the simulator or without; run_ssh.c;
 * run_command.c: an image, by a command */
extern const struct runner_kind runner_local, runner_emulator, runner_ssh, runner_command;

/* Architecture of an ELF file as uname -m names it, "aarch64"; "" any other file; static. */
const char *elf_architecture(const char *path);
/* "emulator" -> the architecture it runs, "qemu-aarch64" -> "aarch64"; "" unknown; borrowed from the name. */
const char *emulated_architecture(const char *emulator);
/* Shortens a program's messages for an error: without the line breaks at their end, and only their last 4000 bytes. */
void keep_end(struct str *text);

/* A folder with the small files that board_detect reads, for a board whose own cannot be read. The caller frees the
 * path; removed at exit. */
enum status root_folder(char **folder, struct error *e) MUST_CHECK;
/* Writes root/path ("/proc/cpuinfo"), with the folders that lead to it. */
enum status root_put(const char *root, const char *path, const char *text, size_t n, struct error *e) MUST_CHECK;

#endif
