/* keys.c - the keys of board.ini: how each value is parsed and shown. */
#include "boards/description/keys.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/llvm_programs.h"
#include "base/str.h"
#include "boards/description/event_names.h"

static enum status refuse(struct key_reader *r, const char *wanted)
{
    return error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line), "'%s' is not a value for %s; %s", r->at->value,
                     r->at->key, wanted);
}

/* ---- values ---- */

static bool parse_count(const char *text, long least, long most, unsigned *to)
{
    long value;
    if (!parse_long(text, &value) || value < least || value > most)
        return false;
    *to = (unsigned)value;
    return true;
}

static bool parse_amount(const char *text, double most, double *to)
{
    double value;
    if (!parse_double(text, &value) || !isfinite(value) || value < 0 || value > most)
        return false;
    *to = value;
    return true;
}

/* The index of `text` among the words; -1: it is none of them. */
static int word_index(const char *const *words, const char *text)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    return -1;
}

bool key_parse_core(const char *text, int *to)
{
    long value = -1;
    if (strcmp(text, "auto") != 0 && (!parse_long(text, &value) || value < 0 || value > 1 << 16))
        return false;
    if (to)
        *to = (int)value;
    return true;
}

static const char *const cache_words[] = {"cold", "warm", 0};
static const char *const source_words[] = {"auto", "pmu", "constant", 0};
static const char *const how_words[] = {"native", "ssh", "simulator", "import", "command", 0};

const char *board_how_name(enum board_how how)
{
    return how_words[how];
}

bool key_parse_cache(const char *text, enum board_cache *to)
{
    int i = word_index(cache_words, text);
    if (i >= 0 && to)
        *to = (enum board_cache)i;
    return i >= 0;
}

bool key_parse_source(const char *text, enum board_source *to)
{
    int i = word_index(source_words, text);
    if (i >= 0 && to)
        *to = (enum board_source)i;
    return i >= 0;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* Accepts only what cannot be an option and has no meaning to a shell. */
bool key_parse_destination(const char *text)
{
    return *text && *text != '-' && strlen(text) < 256 && strspn(text, LETTERS "._-@:[]%") == strlen(text);
}

static bool is_program(const char *text)
{
    return *text && *text != '-' && !strpbrk(text, " \t");
}

static bool is_triple(const char *text)
{
    return *text != '-' && strspn(text, LETTERS "._-") == strlen(text);
}

/* Sets *to to a file of the board. A relative path is relative to the board's folder; *to becomes absolute. */
static void set_path(struct key_reader *r, char **to)
{
    char *folder = realpath(r->b->folder, 0);
    free(*to);
    *to = *r->at->value == '/' ? xstrdup(r->at->value) : path_join(folder ? folder : r->b->folder, r->at->value);
    free(folder);
}

/* ---- [board], [compile], [link] ---- */

static enum status take_skeleton(struct key_reader *r)
{
    if (!*r->at->value)
        return refuse(r, "name the SHIM file that describes the board's hardware");
    set_path(r, &r->b->skeleton);
    return OK;
}
static enum status take_title(struct key_reader *r)
{
    text_set(&r->b->title, r->at->value);
    return OK;
}
static enum status take_target(struct key_reader *r)
{
    if (!is_triple(r->at->value))
        return refuse(r, "write a target triple such as aarch64-linux-gnu, or nothing for this machine");
    text_set(&r->b->target, r->at->value);
    return OK;
}
static enum status take_cpu(struct key_reader *r)
{
    text_set(&r->b->cpu, r->at->value);
    return OK;
}
static enum status take_compiler(struct key_reader *r)
{
    if (!is_program(r->at->value))
        return refuse(r, "name the C compiler, as in '" CLANG_PROGRAM "'");
    text_set(&r->b->compiler, r->at->value);
    return OK;
}
static enum status take_levels(struct key_reader *r)
{
    return levels_set(r->b, r->at->value, r->ini) ? OK : refuse(r, "name optimisation levels, as in 'O0 O2'");
}
/* Read together with the levels. flags.O3 without O3 in `levels` is kept for an override. */
static enum status take_flags(struct key_reader *r)
{
    if (strcmp(r->at->key, "flags") != 0 && !is_level(r->at->key + strlen("flags.")))
        return error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line),
                         "'%s' names no optimisation level; write flags.O2", r->at->key);
    return OK;
}
static enum status take_link(struct key_reader *r)
{
    words_free(r->b->link_flags);
    r->b->link_flags = words_of(r->at->value, " \t");
    return OK;
}

/* ---- [run] ---- */

static enum status take_how(struct key_reader *r)
{
    int i = word_index(how_words, r->at->value);
    if (i < 0)
        return refuse(r, "say native, ssh, simulator, import or command");
    r->b->how = (enum board_how)i;
    return OK;
}
static enum status take_ssh(struct key_reader *r)
{
    if (!key_parse_destination(r->at->value))
        return refuse(r, "write user@host");
    text_set(&r->b->ssh, r->at->value);
    return OK;
}
static enum status take_ssh_options(struct key_reader *r)
{
    words_free(r->b->ssh_options);
    r->b->ssh_options = words_of(r->at->value, " \t");
    return OK;
}
static enum status take_folder(struct key_reader *r)
{
    const char *v = r->at->value;
    if (*v != '/' || strspn(v, LETTERS "._-/+") != strlen(v))
        return refuse(r, "write the path of a folder on the board, such as /tmp: letters, digits and ._-+ only");
    text_set(&r->b->remote_folder, v);
    return OK;
}
static enum status take_runs(struct key_reader *r)
{
    return parse_count(r->at->value, 1, 1000000, &r->b->runs) ? OK : refuse(r, "give a number from 1 to 1000000");
}
static enum status take_least(struct key_reader *r)
{
    return parse_count(r->at->value, 2, 1000000, &r->b->least_runs) ? OK : refuse(r, "give a number from 2 to 1000000");
}
static enum status take_precision(struct key_reader *r)
{
    double percent;
    if (!parse_amount(r->at->value, 50, &percent))
        return refuse(r, "give per cent, at most 50; 0 for all runs always");
    r->b->precision = percent / 100;
    return OK;
}
static enum status take_extra(struct key_reader *r)
{
    return parse_count(r->at->value, 0, 1000000, &r->b->extra_runs) ? OK : refuse(r, "give a number from 0 to 1000000");
}
static enum status take_timeout(struct key_reader *r)
{
    if (!parse_amount(r->at->value, 1e6, &r->b->timeout_s) || r->b->timeout_s <= 0)
        return refuse(r, "give seconds, more than 0");
    return OK;
}
static enum status take_budget(struct key_reader *r)
{
    return parse_amount(r->at->value, 1e6, &r->b->budget_s) ? OK : refuse(r, "give seconds; 0 for no limit");
}
static enum status take_cache(struct key_reader *r)
{
    return key_parse_cache(r->at->value, &r->b->cache) ? OK : refuse(r, "say cold or warm");
}
static enum status take_core(struct key_reader *r)
{
    return key_parse_core(r->at->value, &r->b->core) ? OK : refuse(r, "give a core's number or auto");
}
static enum status take_priority(struct key_reader *r)
{
    r->b->raise_priority = strcmp(r->at->value, "raise") == 0;
    if (!r->b->raise_priority && strcmp(r->at->value, "normal") != 0)
        return refuse(r, "say raise or normal");
    return OK;
}

/* ---- [simulator], [count], [import] ---- */

static enum status take_emulator(struct key_reader *r)
{
    if (!is_program(r->at->value))
        return refuse(r, "name qemu's user-mode emulator for the target, as in 'qemu-aarch64'");
    text_set(&r->b->emulator, r->at->value);
    return OK;
}
static enum status take_emulator_cpu(struct key_reader *r)
{
    text_set(&r->b->emulator_cpu, r->at->value);
    return OK;
}
static enum status take_model(struct key_reader *r)
{
    if (!*r->at->value)
        return refuse(r, "name the simulator's data file, as in 'cortex-a53.ini'");
    set_path(r, &r->b->model);
    return OK;
}
/* Parses "0.9 0.95 1.2". */
static enum status take_interval(struct key_reader *r, unsigned code)
{
    struct board_interval v;
    char **words = words_of(r->at->value, " \t");
    size_t n = 0;
    while (words[n])
        n++;
    bool good = n == 3 && parse_amount(words[0], 1, &v.level) && parse_amount(words[1], 1, &v.low) &&
                parse_amount(words[2], HUGE_VAL, &v.high) && v.level > 0 && v.level < 1 && v.high >= 1;
    words_free(words);
    if (!good)
        return refuse(r, "give probability, lower and upper bound as multiples of the estimate, as in '0.9 0.95 1.2'");
    r->b->compiled_intervals[code] = v;
    return OK;
}
static enum status take_unoptimised(struct key_reader *r)
{
    return take_interval(r, 0);
}
static enum status take_optimised(struct key_reader *r)
{
    return take_interval(r, 1);
}
static enum status take_count_command(struct key_reader *r)
{
    words_free(r->b->count_command);
    r->b->count_command = words_of(r->at->value, " \t");
    return OK;
}
static enum status take_count_target(struct key_reader *r)
{
    if (!is_triple(r->at->value))
        return refuse(r, "write a target triple, such as arm-linux-gnueabihf");
    text_set(&r->b->count_target, r->at->value);
    return OK;
}
static enum status take_count_flags(struct key_reader *r)
{
    words_free(r->b->count_flags);
    r->b->count_flags = words_of(r->at->value, " \t");
    return OK;
}
static enum status take_count_simulate(struct key_reader *r)
{
    if (strncmp(r->at->value, "--", 2) != 0)
        return refuse(r, "give options of 'irprof instrument', as '--l1d 32K:4:64 --branches gshare:12:8'");
    words_free(r->b->count_simulate);
    r->b->count_simulate = words_of(r->at->value, " \t");
    return OK;
}
static enum status take_measurements(struct key_reader *r)
{
    if (!*r->at->value)
        return refuse(r, "name the table, as in 'measurements.csv'");
    text_set(&r->b->measurements, r->at->value);
    return OK;
}

/* ---- [command], [part], [link] linker ---- */

static enum status take_command_words(struct key_reader *r, char ***to)
{
    char **words = words_quoted(r->at->value);
    if (!words || !words[0] || *words[0] == '-') {
        words_free(words);
        return refuse(r, "write a program and its arguments, quotes in pairs, as in 'openocd -c \"program {image}\"'");
    }
    words_free(*to);
    *to = words;
    return OK;
}
static enum status take_command(struct key_reader *r)
{
    if (!strstr(r->at->value, "{image}"))
        return refuse(r, "{image} must stand where the path of the image belongs");
    return take_command_words(r, &r->b->part.command);
}
static enum status take_reset(struct key_reader *r)
{
    return take_command_words(r, &r->b->part.reset);
}
static enum status take_linker(struct key_reader *r)
{
    return take_command_words(r, &r->b->part.linker);
}
/* Parses "stdout", "file", "/dev/ttyACM0" or "/dev/ttyACM0 115200". */
static enum status take_text(struct key_reader *r)
{
    struct board_part *p = &r->b->part;
    char **words = words_of(r->at->value, " \t");
    size_t n = 0;
    while (words[n])
        n++;
    p->text = n && *words[0] == '/'                     ? BOARD_TEXT_DEVICE
              : n == 1 && strcmp(words[0], "file") == 0 ? BOARD_TEXT_FILE
                                                        : BOARD_TEXT_STDOUT;
    bool device = p->text == BOARD_TEXT_DEVICE;
    bool good = device ? n == 1 || (n == 2 && parse_count(words[1], 50, 4000000, &p->baud))
                       : n == 1 && (p->text == BOARD_TEXT_FILE || strcmp(words[0], "stdout") == 0);
    if (good && device)
        text_set(&p->device, words[0]);
    words_free(words);
    return good ? OK
                : refuse(r, "say stdout, file (the command writes to {text}), or a device and its speed, as in "
                            "'/dev/ttyACM0 115200'");
}
static enum status take_retries(struct key_reader *r)
{
    return parse_count(r->at->value, 0, 100, &r->b->part.retries) ? OK : refuse(r, "give a number from 0 to 100");
}
static enum status take_size(struct key_reader *r, uint64_t *to)
{
    return parse_bytes(r->at->value, to, 0) && *to > 0 ? OK : refuse(r, "give bytes, as in '32K'");
}
static enum status take_address(struct key_reader *r, uint64_t *to)
{
    char *end;
    errno = 0;
    *to = strtoull(r->at->value, &end, 0);
    bool good = *r->at->value >= '0' && *r->at->value <= '9' && !*end && !errno && *to <= UINT32_MAX;
    return good ? OK : refuse(r, "give an address of 32 bits, as in '0x20000000'");
}
#define TAKE(name, call)                                                                                               \
    static enum status take_##name(struct key_reader *r)                                                               \
    {                                                                                                                  \
        return call;                                                                                                   \
    }
TAKE(flash, take_size(r, &r->b->part.flash))
TAKE(flash_start, take_address(r, &r->b->part.flash_start))
TAKE(ram, take_size(r, &r->b->part.ram))
TAKE(ram_start, take_address(r, &r->b->part.ram_start))
TAKE(stack, take_size(r, &r->b->part.stack))
static enum status take_start(struct key_reader *r)
{
    static const char *const words[] = {"cortex_m", "riscv", "none", 0};
    if (word_index(words, r->at->value) < 0)
        return refuse(r, "say cortex_m, riscv or none (the link flags bring start-up code)");
    text_set(&r->b->part.start, r->at->value);
    return OK;
}
static enum status take_library(struct key_reader *r)
{
    r->b->part.library = strcmp(r->at->value, "c") == 0;
    return r->b->part.library || strcmp(r->at->value, "none") == 0 ? OK : refuse(r, "say none or c");
}
static enum status take_part_file(struct key_reader *r, char **to)
{
    if (!*r->at->value)
        return refuse(r, "name a file");
    set_path(r, to);
    return OK;
}
TAKE(port, take_part_file(r, &r->b->part.port))
TAKE(script, take_part_file(r, &r->b->part.script))

/* ---- [clock], [counter], [events] ---- */

static enum status take_clock(struct key_reader *r)
{
    return parse_amount(r->at->value, 1e12, &r->b->clock_hz) ? OK : refuse(r, "give Hz; 0 to measure it");
}
static enum status take_source(struct key_reader *r)
{
    return key_parse_source(r->at->value, &r->b->source) ? OK : refuse(r, "say auto, pmu or constant");
}
static enum status take_event(struct key_reader *r)
{
    struct board_event event = {0};
    const char *name = r->at->key;
    if (strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(name) || strlen(name) > 31)
        return error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line),
                         "'%s' is not an event's name; use capitals, digits and '_', at most 31", name);
    char *why;
    if (!event_parse(r->at->value, &event.type, &event.config, &why)) {
        enum status s = refuse(r, why);
        free(why);
        return s;
    }
    if (r->b->n_events == 16)
        return refuse(r, "16 events are the most; leave this one out");
    event.name = xstrdup(name);
    event.spec = xstrdup(r->at->value);
    r->b->events = xreallocarray(r->b->events, r->b->n_events + 1, sizeof event);
    r->b->events[r->b->n_events++] = event;
    return OK;
}

/* ---- values as text ---- */

#define SHOW(name, ...)                                                                                                \
    static void show_##name(const struct board *b, struct board_settings *s, const struct board_key *k)                \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
    }
#define SHOW_TEXT(name, text)  SHOW(name, setting_add(s, b, k->section, k->key, text))
#define SHOW_OWNED(name, made) SHOW(name, char *text = made; setting_add(s, b, k->section, k->key, text); free(text))
SHOW_TEXT(title, b->title)
SHOW_TEXT(target, b->target)
SHOW_TEXT(cpu, b->cpu)
SHOW_TEXT(skeleton, b->skeleton)
SHOW_TEXT(compiler, b->compiler)
SHOW_OWNED(link, words_text(b->link_flags))
SHOW_TEXT(how, how_words[b->how])
SHOW_TEXT(ssh, b->ssh)
SHOW_OWNED(ssh_options, words_text(b->ssh_options))
SHOW_TEXT(folder, b->remote_folder)
SHOW_TEXT(emulator, b->emulator)
SHOW_TEXT(emulator_cpu, b->emulator_cpu)
SHOW_TEXT(model, b->model)
SHOW_OWNED(count_command, words_text(b->count_command))
SHOW_TEXT(count_target, b->count_target)
SHOW_OWNED(count_flags, words_text(b->count_flags))
SHOW_OWNED(count_simulate, words_text(b->count_simulate))
SHOW_TEXT(measurements, b->measurements)
SHOW(runs, setting_addf(s, b, k, "%u", b->runs))
SHOW(least, setting_addf(s, b, k, "%u", b->least_runs))
SHOW_OWNED(precision, format_double(b->precision * 100))
SHOW(extra, setting_addf(s, b, k, "%u", b->extra_runs))
SHOW_OWNED(timeout, format_double(b->timeout_s))
SHOW_OWNED(budget, format_double(b->budget_s))
SHOW_TEXT(cache, cache_words[b->cache])
SHOW_TEXT(priority, b->raise_priority ? "raise" : "normal")
SHOW_OWNED(clock, format_double(b->clock_hz))
SHOW_TEXT(source, source_words[b->source])

static void show_text_of(const struct board *b, struct board_settings *s, const struct board_key *k)
{
    const struct board_part *p = &b->part;
    if (p->text == BOARD_TEXT_DEVICE)
        setting_addf(s, b, k, "%s %u", p->device, p->baud);
    else
        setting_add(s, b, k->section, k->key, p->text == BOARD_TEXT_FILE ? "file" : "stdout");
}
SHOW_OWNED(command, words_requoted(b->part.command))
SHOW_OWNED(reset, words_requoted(b->part.reset))
SHOW_OWNED(linker, words_requoted(b->part.linker))
SHOW(retries, setting_addf(s, b, k, "%u", b->part.retries))
SHOW(flash, setting_addf(s, b, k, "%" PRIu64, b->part.flash))
SHOW(flash_start, setting_addf(s, b, k, "0x%" PRIx64, b->part.flash_start))
SHOW(ram, setting_addf(s, b, k, "%" PRIu64, b->part.ram))
SHOW(ram_start, setting_addf(s, b, k, "0x%" PRIx64, b->part.ram_start))
SHOW(stack, setting_addf(s, b, k, "%" PRIu64, b->part.stack))
SHOW_TEXT(start, b->part.start)
SHOW_TEXT(library, b->part.library ? "c" : "none")
SHOW_TEXT(port, b->part.port)
SHOW_TEXT(script, b->part.script)

static void show_levels(const struct board *b, struct board_settings *s, const struct board_key *k)
{
    struct str all = STR_INIT;
    for (size_t i = 0; i < b->n_levels; i++)
        str_addf(&all, "%s%s", i ? " " : "", b->levels[i].name);
    setting_add(s, b, k->section, k->key, str_text(&all));
    str_release(&all);
}
/* Shows a level's flags; the common ones are part of each level's. */
static void show_flags(const struct board *b, struct board_settings *s, const struct board_key *k)
{
    for (size_t i = 0; i < b->n_levels; i++) {
        char *key = xasprintf("flags.%s", b->levels[i].name), *flags = words_text(b->levels[i].flags + 1);
        setting_add(s, b, k->section, key, flags);
        free(flags);
        free(key);
    }
}
static void show_core(const struct board *b, struct board_settings *s, const struct board_key *k)
{
    if (b->core < 0)
        setting_add(s, b, k->section, k->key, "auto");
    else
        setting_addf(s, b, k, "%d", b->core);
}
static void show_interval(const struct board *b, struct board_settings *s, const struct board_key *k, unsigned code)
{
    const struct board_interval *v = &b->compiled_intervals[code];
    if (v->level > 0)
        setting_addf(s, b, k, "%g %g %g", v->level, v->low, v->high);
    else
        setting_addf(s, b, k, "%s", "");
}
static void show_unoptimised(const struct board *b, struct board_settings *s, const struct board_key *k)
{
    show_interval(b, s, k, 0);
}
static void show_optimised(const struct board *b, struct board_settings *s, const struct board_key *k)
{
    show_interval(b, s, k, 1);
}
static void show_events(const struct board *b, struct board_settings *s, const struct board_key *k)
{
    for (size_t i = 0; i < b->n_events; i++)
        setting_add(s, b, k->section, b->events[i].name, b->events[i].spec);
}

/* In the order of docs/formats/board.md. */
enum { RUNS_HERE = FOR_LINUX | FOR_SIMULATOR | FOR_COMMAND, STANDS_IN = FOR_IMPORT | FOR_COMMAND };
const struct board_key board_keys[] = {
    {"board", "title", take_title, show_title, FOR_ALL},
    {"board", "target", take_target, show_target, FOR_ALL},
    {"board", "cpu", take_cpu, show_cpu, FOR_ALL},
    {"board", "skeleton", take_skeleton, show_skeleton, FOR_ALL},
    {"compile", "compiler", take_compiler, show_compiler, FOR_ALL},
    {"compile", "levels", take_levels, show_levels, FOR_ALL},
    {"compile", "flags", take_flags, 0, FOR_ALL},
    {"compile", "flags.*", take_flags, show_flags, FOR_ALL},
    {"link", "flags", take_link, show_link, FOR_ALL},
    {"link", "linker", take_linker, show_linker, STANDS_IN},
    {"run", "how", take_how, show_how, FOR_ALL},
    {"run", "ssh", take_ssh, show_ssh, FOR_SSH},
    {"run", "ssh_options", take_ssh_options, show_ssh_options, FOR_LINUX},
    {"run", "folder", take_folder, show_folder, FOR_LINUX},
    {"run", "runs", take_runs, show_runs, RUNS_HERE},
    {"run", "precision", take_precision, show_precision, FOR_LINUX},
    {"run", "least_runs", take_least, show_least, FOR_LINUX},
    {"run", "extra_runs", take_extra, show_extra, FOR_LINUX},
    {"run", "timeout", take_timeout, show_timeout, RUNS_HERE},
    {"run", "budget", take_budget, show_budget, FOR_LINUX | FOR_SIMULATOR},
    {"run", "cache", take_cache, show_cache, FOR_ALL},
    {"run", "core", take_core, show_core, FOR_LINUX},
    {"run", "priority", take_priority, show_priority, FOR_LINUX},
    {"simulator", "emulator", take_emulator, show_emulator, FOR_SIMULATOR},
    {"simulator", "cpu", take_emulator_cpu, show_emulator_cpu, FOR_SIMULATOR},
    {"simulator", "model", take_model, show_model, FOR_SIMULATOR},
    {"simulator", "interval_unoptimised", take_unoptimised, show_unoptimised, FOR_SIMULATOR},
    {"simulator", "interval_optimised", take_optimised, show_optimised, FOR_SIMULATOR},
    {"count", "command", take_count_command, show_count_command, FOR_ALL},
    {"count", "target", take_count_target, show_count_target, STANDS_IN},
    {"count", "flags", take_count_flags, show_count_flags, STANDS_IN},
    {"count", "simulate", take_count_simulate, show_count_simulate, FOR_ALL},
    {"command", "run", take_command, show_command, FOR_COMMAND},
    {"command", "text", take_text, show_text_of, FOR_COMMAND},
    {"command", "reset", take_reset, show_reset, FOR_COMMAND},
    {"command", "retries", take_retries, show_retries, FOR_COMMAND},
    {"part", "flash", take_flash, show_flash, STANDS_IN},
    {"part", "flash_start", take_flash_start, show_flash_start, STANDS_IN},
    {"part", "ram", take_ram, show_ram, STANDS_IN},
    {"part", "ram_start", take_ram_start, show_ram_start, STANDS_IN},
    {"part", "stack", take_stack, show_stack, STANDS_IN},
    {"part", "start", take_start, show_start, STANDS_IN},
    {"part", "library", take_library, show_library, STANDS_IN},
    {"part", "port", take_port, show_port, STANDS_IN},
    {"part", "script", take_script, show_script, STANDS_IN},
    {"import", "measurements", take_measurements, show_measurements, FOR_IMPORT},
    {"clock", "hz", take_clock, show_clock, FOR_ALL},
    {"counter", "source", take_source, show_source, FOR_LINUX},
    {"events", "*", take_event, show_events, FOR_LINUX | FOR_SIMULATOR},
};
const size_t n_board_keys = sizeof board_keys / sizeof *board_keys;
