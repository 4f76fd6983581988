/* doctor_place.c - checks what this machine needs to build and run a program for the board, wherever that runs. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/proc.h"
#include "boards/run/run.h"
#include "boards/measure/counting.h"
#include "boards/description/causes.h"
#include "boards/doctor/doctor_visit.h"
#include "boards/machine/this_machine.h"

static void need_program(const char *name, const char *cause, struct findings *out)
{
    char *path = proc_find(name);
    if (!path)
        cause_add(out, cause, name);
    free(path);
}

static void need_file(const char *path, const char *cause, struct findings *out)
{
    if (!file_exists(path))
        cause_add(out, cause, path);
}

static void need_resource(char *owned_path, const char *cause, struct findings *out)
{
    need_file(owned_path, cause, out);
    free(owned_path);
}

static void add_error(struct findings *out, const struct error *e)
{
    out->at = xreallocarray(out->at, out->n + 1, sizeof *out->at);
    out->at[out->n++] = (struct finding){FINDING_ERROR, "place", error_text(e), xstrdup(""), xstrdup("")};
}

static void check_compiling(const struct board *b, struct findings *out)
{
    struct error e = ERROR_INIT;
    size_t before = out->n;
    need_program(b->compiler, "compiler-missing", out);
    if (out->n > before)
        return;
    if (board_is_foreign(b)) {
        if (board_check_target(b, &e))
            add_error(out, &e);
        need_resource(resource_share("runtime/boards/runtime/rt.h"), "runtime-missing", out);
    } else {
        need_resource(resource_lib("shim_measure_rt.o"), "runtime-missing", out);
    }
    error_release(&e);
}

void doctor_place(const struct board *b, struct findings *out)
{
    if (b->how == BOARD_NATIVE && !target_is_here(b->target))
        cause_add(out, "target-not-here", b->target);
    else
        check_compiling(b, out);
    if (*b->count_command && board_is_foreign(b))
        need_program(b->count_command[0], "emulator-missing", out);
    if (b->how == BOARD_SSH)
        need_program("ssh", "ssh-missing", out);
    if (b->how == BOARD_SIMULATOR) {
        need_program(b->emulator, "emulator-missing", out);
        need_resource(resource_lib("shimgen-iss.so"), "simulator-missing", out);
        need_file(b->model, "model-missing", out);
    }
}

void runner_consult(struct runner **place, const struct board *b, struct findings *out)
{
    struct error e = ERROR_INIT;
    *place = 0;
    if (b->how == BOARD_SSH && runner_open(place, b, RUN_MEASURED, &e))
        add_error(out, &e);
    board_doctor(b, *place ? runner_root(*place) : "", out);
    if (!findings_errors(out) && (*place || b->how != BOARD_SSH))
        doctor_counters(*place, b, out);
    error_release(&e);
}
