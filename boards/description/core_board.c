/* core_board.c - makes a board of a core's model file: a simulated board with this core. */
#include "boards/description/core_board.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/target.h"

bool core_board_is(const struct ini *file)
{
    return ini_find(file, "model", "architecture") && !ini_find(file, "board", "title");
}

/* Takes over the text. */
static void add(struct ini *to, const char *section, const char *key, char *value)
{
    to->entries = xreallocarray(to->entries, to->n + 1, sizeof *to->entries);
    to->entries[to->n++] = (struct ini_entry){xstrdup(section), xstrdup(key), value, 0};
}

/* The compiler's flags for a processor. On some targets LLVM knows the processor with fewer instructions than Linux
 * requires. */
static char *flags_for(const char *target, const char *cpu)
{
    bool tune = strcmp(target_find(target)->name, "riscv64") == 0;
    return xasprintf(tune ? "-march=rv64gc -mtune=%s -ffp-contract=off" : "-mcpu=%s -ffp-contract=off", cpu);
}

enum status core_board_describe(struct ini **out, const struct ini *core, struct error *e)
{
    const struct ini_entry *target = ini_find(core, "origin", "target"), *cpu = ini_find(core, "origin", "cpu");
    const struct ini_entry *name = ini_find(core, "model", "name"), *clock = ini_find(core, "model", "clock_hz");
    if (!target || !cpu || !name)
        return error_set(e, ERR_INPUT, AT_FILE(core->path),
                         "this model of a core does not say what to compile for: add [origin] target and cpu, such as "
                         "aarch64-linux-gnu and cortex-a53, or name a board that has it");
    struct ini *ini = xcalloc(1, sizeof *ini);
    const char *architecture = target_find(target->value)->name;
    bool riscv = strcmp(architecture, "riscv64") == 0;
    ini->path = xstrdup(core->path);
    add(ini, "board", "title", xasprintf("%s, by a model of its timing", name->value));
    add(ini, "board", "target", xstrdup(target->value));
    add(ini, "board", "cpu", xstrdup(name->value));
    add(ini, "compile", "levels", xstrdup("O0 O2"));
    add(ini, "compile", "flags", flags_for(target->value, cpu->value));
    add(ini, "link", "flags", xstrdup(riscv ? "-fuse-ld=lld -static -lm" : "-static -lm"));
    add(ini, "run", "how", xstrdup("simulator"));
    add(ini, "run", "runs", xstrdup("1"));
    add(ini, "run", "timeout", xstrdup("600"));
    add(ini, "run", "cache", xstrdup("warm"));
    add(ini, "simulator", "emulator", xasprintf("qemu-%s", architecture));
    add(ini, "simulator", "model", xstrdup(path_basename(core->path)));
    static const char *const intervals[] = {"interval_unoptimised", "interval_optimised"};
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        const struct ini_entry *interval = ini_find(core, "origin", intervals[i]);
        if (interval)
            add(ini, "simulator", intervals[i], xstrdup(interval->value));
    }
    if (clock && strcmp(clock->value, "unknown") != 0)
        add(ini, "clock", "hz", xstrdup(clock->value));
    add(ini, "events", "CPU_CYCLES", xstrdup("raw:0x11"));
    *out = ini;
    return OK;
}
