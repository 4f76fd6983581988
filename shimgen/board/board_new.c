/* board_new.c - shimgen board new: writes the folder of a new board. */
#include "shimgen/board/board_new.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/llvm_programs.h"
#include "base/str.h"
#include "base/target.h"
#include "boards/boards.h"
#include "shim-xml/shimxml.h"

/* Replaces the hardware until its owner has described it. */
#define PLACEHOLDER_TOPOLOGY                                                                                           \
    "NUMANode:1(memory=1073741824) l2:1(size=524288) l1d:1(size=32768) l1i:1(size=32768) core:1 pu:1"

#define PART_TOPOLOGY "NUMANode:1(memory=32768) core:1 pu:1"

static bool is_part(const char *target);

/* ---- skeleton ---- */

/* Sets the first `attribute="..."` after `element`, or all of them with `every`. */
static void set_attribute(struct str *xml, const char *attribute, const char *value, bool every)
{
    struct str out = STR_INIT;
    char *opening = xasprintf(" %s=\"", attribute);
    const char *rest = str_text(xml), *at;
    while ((at = strstr(rest, opening))) {
        at += strlen(opening);
        str_addn(&out, rest, (size_t)(at - rest));
        str_add(&out, value);
        rest = at + strcspn(at, "\"");
        if (!every)
            break;
    }
    str_add(&out, rest);
    free(opening);
    str_release(xml);
    *xml = out;
}

static enum status rewrite_skeleton(const char *from, const char *to, const char *name, const char *arch,
                                    struct error *e)
{
    struct str xml = STR_INIT;
    enum status s = file_read(&xml, from, FILE_LIMIT, e);
    if (!s) {
        set_attribute(&xml, "name", name, false); /* SystemConfiguration's is the first one */
        if (arch)
            set_attribute(&xml, "arch", arch, true);
        s = file_write(to, str_text(&xml), xml.len, e);
    }
    str_release(&xml);
    return s;
}

/* The core's clock; 0: unknown. */
static double clock_here(const struct board *b)
{
    struct board_machine m;
    board_detect(&m, b, "");
    double hz = m.clock_hz;
    board_machine_release(&m);
    return hz;
}

static enum status new_skeleton(const char *path, const char *name, const struct board *b,
                                const struct board_template *t, struct error *e)
{
    struct shimxml_doc *d = 0;
    struct shimxml_machine m = {.name = name, .topology = t->topology};
    if (!t->target)
        m.clock_hz = clock_here(b);
    if (!m.topology && t->target)
        m.topology = is_part(t->target) ? PART_TOPOLOGY : PLACEHOLDER_TOPOLOGY;
    enum status s = shimxml_new(&d, &m, e);
    if (!s)
        s = shimxml_write(d, path, e);
    shimxml_free(d);
    if (!s && t->target) {
        char *arch = xstrndup(t->target, strcspn(t->target, "-"));
        s = rewrite_skeleton(path, path, name, arch, e);
        free(arch);
    }
    return s;
}

/* ---- board.ini ---- */

static const char template_ini[] =
    "; %s: written by 'shimgen board new'. docs/formats/board.md explains every key; the text after ';' is the\n"
    "; default, or an example.\n"
    "[board]\n"
    "title = %s\n"
    "; Target triple of the board; empty: this machine.\n"
    "target = %s\n"
    ";cpu = Cortex-A53\n"
    "\n"
    "[compile]\n"
    ";compiler = " CLANG_PROGRAM "\n"
    "levels = O0 O2\n"
    "; The processor's own options belong here, as -mcpu=cortex-a53. No contraction: what is counted is what is "
    "measured.\n"
    "flags = -ffp-contract=off\n"
    ";flags.O2 = -funroll-loops\n"
    "\n"
    "[link]\n"
    "; Static: nothing to install on the board, no lazy binding inside a region.\n"
    "flags = -static -lm\n"
    "\n"
    "[run]\n"
    "; native: on the board itself; ssh: from here, over the network; simulator; import: a table of measurements is "
    "brought.\n"
    "how = %s\n"
    "; Where it is; 'shimgen build %s --ssh user@host' says it for one time.\n"
    ";ssh = user@host\n"
    ";ssh_options = -p 22 -i key\n"
    ";folder = /tmp\n"
    "; How often a program is launched: always so often, or until its cycles are known to PRECISION per cent, at least "
    "and at most so often.\n"
    "runs = 100\n"
    ";precision = 0.5\n"
    ";least_runs = 20\n"
    ";extra_runs = 200\n"
    ";timeout = 60\n"
    "; cold: caches are empty before a region; warm: main has run once before.\n"
    "cache = warm\n"
    "core = auto\n"
    ";priority = raise\n"
    "\n"
    "[count]\n"
    "; What runs the board's programs here, to count them: qemu-user's emulator. Without it they are counted on the "
    "board.\n"
    "%scommand = qemu-%s\n"
    "\n"
    "[clock]\n"
    "; Core clock in Hz; 0: measured.\n"
    "hz = 0\n"
    "\n"
    "[counter]\n"
    "; auto: the PMU, else the constant-rate counter; pmu: that or an error.\n"
    "source = auto\n"
    "\n"
    "; [events] names what the PMU counts, the first one cycles; without it the architecture's usual ones are taken.\n"
    ";[events]\n"
    ";CPU_CYCLES = raw:0x11\n";

/* For a part without an operating system: a command flashes and runs an image. */
static const char template_part[] =
    "; %s: written by 'shimgen board new'. docs/kit.md and docs/formats/board.md explain every key; the text after ';' "
    "is the\n"
    "; default, or an example.\n"
    "[board]\n"
    "title = %s\n"
    "; Target triple of clang; ...eabihf: floating point in registers.\n"
    "target = %s\n"
    "\n"
    "[compile]\n"
    ";compiler = " CLANG_PROGRAM "\n"
    "levels = O0 O2\n"
    "; The processor's own options. No contraction: what is counted is what is measured.\n"
    "flags = %s -ffp-contract=off\n"
    "\n"
    "[link]\n"
    "; With the vendor's: linker = arm-none-eabi-gcc -mcpu=cortex-m4 -nostartfiles, flags = -lm, [part] library = c\n"
    "linker = ld.lld-19\n"
    "flags = --gc-sections\n"
    "\n"
    "[run]\n"
    "how = command\n"
    "; Runs of each program in one launch.\n"
    "runs = 10\n"
    "; Of one launch, with flashing [s].\n"
    "timeout = 60\n"
    "; cold: shim_port.h empties the caches before a region; warm: main has run once before.\n"
    "cache = warm\n"
    "\n"
    "[command]\n"
    "; Flashes and runs an image: {image} is its path. No shell: quotes keep words together. Examples:\n"
    ";run = openocd -f board/st_nucleo_f4.cfg -c \"program {image} verify reset exit\"\n"
    ";run = pyocd load --target stm32f429xi {image}\n"
    ";run = probe-rs run --chip STM32F429ZI {image}\n"
    ";run = JLinkExe -CommandFile flash.jlink {image}\n"
    "run = %s\n"
    "; Where its text comes out: stdout of the command, file (the command writes {text}), or a device and its speed.\n"
    "text = stdout\n"
    ";text = /dev/ttyACM0 115200\n"
    "; Before an image is tried again.\n"
    ";reset = openocd -f board/st_nucleo_f4.cfg -c \"init; reset; exit\"\n"
    ";retries = 2\n"
    "\n"
    "[part]\n"
    "flash = 256K\n"
    "flash_start = %s\n"
    "ram = 32K\n"
    "ram_start = %s\n"
    "stack = 4K\n"
    "start = %s\n"
    "; none: programs that call more than the kit's few functions are left out; c: [link] flags bring a library.\n"
    "library = none\n"
    "; What is to be filled in for the part: clock, counter, where characters go.\n"
    ";port = shim_port.h\n"
    ";script = part.ld\n"
    "\n"
    "[count]\n"
    "; The IR is counted here as a program for Linux that lays out data alike.\n"
    ";target = arm-linux-gnueabihf\n"
    ";command = qemu-arm\n"
    "\n"
    "[clock]\n"
    "; Core clock [Hz]; the part's log says it, too (SHIM_PORT_HZ).\n"
    "hz = 0\n";

static bool is_riscv(const char *target)
{
    return strncmp(target, "riscv", 5) == 0;
}

/* Is it a triple without an operating system for which LLVM generates code? */
static bool is_part(const char *target)
{
    bool bare = target && (strstr(target, "-none") || strstr(target, "-elf") || strstr(target, "-unknown-unknown"));
    return bare && target_find(target)->code_unit > 0 && target_find(target)->pointer == 4;
}

static char *part_text(const char *name, const char *target)
{
    const bool riscv = is_riscv(target);
    return xasprintf(template_part, name, name, target,
                     riscv ? "-march=rv32imac -mabi=ilp32 -mno-relax" : "-mcpu=cortex-m4",
                     riscv ? "qemu-system-riscv32 -M virt -bios none -icount shift=0 -display none -serial stdio "
                             "-monitor none -kernel {image}"
                           : "qemu-system-arm -M mps2-an386 -icount shift=5 -display none -serial none -monitor none "
                             "-chardev stdio,id=text -semihosting-config enable=on,target=native,chardev=text -kernel "
                             "{image}",
                     riscv ? "0x80000000" : "0", riscv ? "0x80040000" : "0x20000000", riscv ? "riscv" : "cortex_m");
}

static enum status write_template(const char *path, const char *name, const struct board_template *t, struct error *e)
{
    const char *target = t->target ? t->target : "";
    if (is_part(target)) {
        char *part = part_text(name, target);
        enum status written = file_write(path, part, strlen(part), e);
        free(part);
        return written;
    }
    char *arch = *target ? xstrndup(target, strcspn(target, "-")) : xstrdup("aarch64");
    char *text =
        xasprintf(template_ini, name, name, target, *target ? "ssh" : "native", name, *target ? "" : ";", arch);
    enum status s = file_write(path, text, strlen(text), e);
    free(text);
    free(arch);
    return s;
}

/* Copies the other board's text without its reference to a skeleton elsewhere, since the copy has its own. */
static enum status copy_ini(const struct board *from, const char *path, const char *name, struct error *e)
{
    struct str text = STR_INIT, out = STR_INIT;
    enum status s = file_read(&text, from->path, FILE_LIMIT, e);
    if (!s)
        str_addf(&out, "; %s: started from %s by 'shimgen board new'.\n", name, from->name);
    for (const char *line = str_text(&text); !s && *line;) {
        size_t n = strcspn(line, "\n");
        if (strncmp(line, "skeleton", 8) != 0 || line[8 + strspn(line + 8, " \t")] != '=')
            str_addf(&out, "%.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
    if (!s)
        s = file_write(path, str_text(&out), out.len, e);
    str_release(&out);
    str_release(&text);
    return s;
}

static enum status copy_file(const char *from, const char *folder, struct error *e)
{
    struct str text = STR_INIT;
    char *to = path_join(folder, path_basename(from));
    enum status s = file_read(&text, from, FILE_LIMIT, e);
    if (!s)
        s = file_write(to, str_text(&text), text.len, e);
    str_release(&text);
    free(to);
    return s;
}

/* ---- the folder ---- */

static enum status fill_from(const char *folder, const char *name, const struct board *from, struct error *e)
{
    char *ini = path_join(folder, "board.ini"), *skeleton = path_join(folder, "skeleton.shim.xml");
    enum status s = copy_ini(from, ini, name, e);
    if (!s && *from->skeleton)
        s = rewrite_skeleton(from->skeleton, skeleton, name, 0, e);
    if (!s && *from->model)
        s = copy_file(from->model, folder, e);
    if (!s && *from->packages)
        s = copy_file(from->packages, folder, e);
    if (!s && file_exists(from->part.port))
        s = copy_file(from->part.port, folder, e);
    if (!s && *from->part.script)
        s = copy_file(from->part.script, folder, e);
    free(skeleton);
    free(ini);
    return s;
}

/* Copies the header that the user is to fill in. */
static enum status copy_port(const char *folder, struct error *e)
{
    struct str text = STR_INIT;
    char *from = resource_share("runtime/boards/kit/files/shim_port_template.h"),
         *to = path_join(folder, "shim_port.h");
    enum status s = file_read(&text, from, FILE_LIMIT, e);
    if (!s)
        s = file_write(to, str_text(&text), text.len, e);
    str_release(&text);
    free(to);
    free(from);
    return s;
}

static enum status fill_new(const char *folder, const char *name, const struct board_template *t, struct error *e)
{
    char *ini = path_join(folder, "board.ini"), *skeleton = path_join(folder, "skeleton.shim.xml");
    struct board *b = 0;
    enum status s = write_template(ini, name, t, e);
    if (!s && is_part(t->target))
        s = copy_port(folder, e);
    if (!s)
        s = board_load(&b, ini, e);
    if (!s)
        s = new_skeleton(skeleton, name, b, t, e);
    board_free(b);
    free(skeleton);
    free(ini);
    return s;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

static enum status check_target(const char *target, struct error *e)
{
    if (!target || (*target && *target != '-' && strspn(target, letters) == strlen(target)))
        return OK;
    return error_set(e, ERR_USAGE, NOWHERE, "--target: '%s' is not a target triple; write it as aarch64-linux-gnu",
                     target);
}

static enum status check_name(const char *name, struct error *e)
{
    if (!*name || *name == '.' || *name == '-' || strspn(name, letters) != strlen(name) || strlen(name) > 64)
        return error_set(e, ERR_USAGE, NOWHERE,
                         "'%s' cannot be a board's name; use letters, digits and ._- (the folder is made here)", name);
    return OK;
}

enum status board_new(const char *name, const struct board_template *t, struct error *e)
{
    struct board *from = 0, *made = 0;
    enum status s = check_name(name, e);
    if (!s)
        s = check_target(t->target, e);
    if (!s && t->from)
        s = board_load(&from, t->from, e);
    if (!s && mkdir(name, 0777))
        s = error_errno(e, AT_FILE(name), "the board's folder cannot be made");
    if (s) {
        board_free(from);
        return s;
    }
    cleanup_add(name);
    s = from ? fill_from(name, name, from, e) : fill_new(name, name, t, e);
    char *path = xasprintf("./%s", name);
    if (!s)
        s = board_load(&made, path, e); /* checks that the written file can be read */
    cleanup_remove(name);
    if (s) {
        struct error ignored = ERROR_INIT;
        (void)!remove_tree(name, &ignored);
        error_release(&ignored);
    }
    free(path);
    board_free(made);
    board_free(from);
    return s;
}
