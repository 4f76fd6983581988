/* keys_read.c - reads a whole board.ini. Keys that are unknown, missing, or meaningless for this kind of board are
 * refused with their line. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "boards/description/keys.h"

static enum status unknown_section(struct key_reader *r)
{
    struct str all = STR_INIT;
    for (size_t i = 0; i < n_board_keys; i++)
        if (i == 0 || strcmp(board_keys[i].section, board_keys[i - 1].section) != 0)
            str_addf(&all, " [%s]", board_keys[i].section);
    error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line), "unknown section [%s]; there are%s", r->at->section,
              str_text(&all));
    str_release(&all);
    return ERR_INPUT;
}

static enum status unknown_key(struct key_reader *r, const char *const *names, size_t n)
{
    const char *near = nearest_word(r->at->key, names, n);
    if (near)
        return error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line), "unknown key '%s' in [%s]; did you mean '%s'?",
                         r->at->key, r->at->section, near);
    struct str all = STR_INIT;
    for (size_t i = 0; i < n; i++)
        str_addf(&all, " %s", names[i]);
    error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line), "unknown key '%s' in [%s]; there are%s", r->at->key,
              r->at->section, str_text(&all));
    str_release(&all);
    return ERR_INPUT;
}

static enum status unknown(struct key_reader *r)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; i < n_board_keys; i++)
        if (strcmp(board_keys[i].section, r->at->section) == 0)
            vec_push(&names, board_keys[i].key);
    enum status s = names.n ? unknown_key(r, names.at, names.n) : unknown_section(r);
    vec_release(&names);
    return s;
}

static const struct board_key *key_of(const struct ini_entry *at)
{
    for (size_t i = 0; i < n_board_keys; i++)
        if (strcmp(board_keys[i].section, at->section) == 0 && glob_match(board_keys[i].key, at->key))
            return &board_keys[i];
    return 0;
}

static enum status take_entry(struct key_reader *r)
{
    const struct board_key *key = key_of(r->at);
    if (!key)
        return unknown(r);
    enum status s = key->take(r);
    if (!s) {
        char *from = xasprintf("%s:%lu", path_basename(r->ini->path), r->at->line);
        origin_set(r->b, r->at->section, r->at->key, from);
        free(from);
    }
    return s;
}

/* Makes "how = simulator" or "how = native, ssh". */
static char *hows_text(unsigned hows)
{
    struct str text = STR_INIT;
    for (unsigned i = BOARD_NATIVE; i <= BOARD_COMMAND; i++)
        if (hows & 1u << i)
            str_addf(&text, "%s%s", text.len ? ", " : "", board_how_name((enum board_how)i));
    return str_detach(&text);
}

/* Refuses a key that has no meaning for this kind of board, since it must be a mistake. */
static enum status check_fit(struct key_reader *r)
{
    const struct board_key *key = key_of(r->at);
    if (key->hows & 1u << r->b->how)
        return OK;
    char *hows = hows_text(key->hows);
    error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line),
              "[%s] %s has no effect on a board with [run] how = %s; it is for %s: leave it out", r->at->section,
              r->at->key, board_how_name(r->b->how), hows);
    free(hows);
    return ERR_INPUT;
}

static enum status missing(struct key_reader *r, const char *section, const char *key, const char *example)
{
    const struct ini_entry *how = ini_find(r->ini, "run", "how");
    return error_set(r->e, ERR_INPUT, AT(r->ini->path, how ? how->line : 0), "how = %s needs [%s] %s; add %s = %s",
                     board_how_name(r->b->how), section, key, key, example);
}

static enum status check_whole(struct key_reader *r)
{
    struct board *b = r->b;
    if (b->how == BOARD_SIMULATOR && !*b->emulator)
        return missing(r, "simulator", "emulator", "qemu-aarch64");
    if (b->how == BOARD_SIMULATOR && !*b->model)
        return missing(r, "simulator", "model", "cortex-a53.ini");
    if (b->how == BOARD_COMMAND && !*b->target)
        return missing(r, "board", "target", "thumbv7em-none-eabihf");
    if (b->how == BOARD_COMMAND && !*b->part.command)
        return missing(r, "command", "run", "openocd -f board.cfg -c \"program {image} reset\"");
    if (b->how == BOARD_COMMAND && !b->part.flash)
        return missing(r, "part", "flash", "256K");
    if (b->how == BOARD_COMMAND && !b->part.ram)
        return missing(r, "part", "ram", "32K");
    if (b->how == BOARD_COMMAND && !board_is_bare(b))
        return error_set(
            r->e, ERR_UNSUPPORTED, AT_FILE(r->ini->path),
            "LLVM makes no code for '%s', so no image can be made here; say how = import, and compile the C of "
            "the kit with the vendor's compiler ('shimgen board kit', docs/kit.md)",
            b->target);
    return OK;
}

/* The Linux target that lays out data as the part's compilers do (docs/kit.md): int, long and pointers of 32 bits, long
 * long and double aligned to 8 bytes, little-endian. */
static const char *stand_in(const char *target)
{
    size_t n = strlen(target);
    bool soft = strncmp(target, "riscv", 5) != 0 && (n < 2 || strcmp(target + n - 2, "hf") != 0);
    return soft ? "arm-linux-gnueabi" : "arm-linux-gnueabihf";
}

/* Fills in values that follow from other keys. */
static void complete(struct board *b)
{
    if (b->how == BOARD_IMPORT && !*b->measurements)
        text_set(&b->measurements, "measurements.csv");
    if (board_is_bare(b)) {
        if (!*b->part.port) {
            char *folder = realpath(b->folder, 0);
            free(b->part.port);
            b->part.port = path_join(folder ? folder : b->folder, "shim_port.h");
            free(folder);
        }
        if (!*b->count_target)
            text_set(&b->count_target, stand_in(b->target));
        if (!b->count_command[0]) {
            words_free(b->count_command);
            b->count_command = words_of("qemu-arm", " ");
        }
    }
    if (b->how == BOARD_SIMULATOR && !b->count_command[0]) {
        char *command = *b->emulator_cpu ? xasprintf("%s -cpu %s", b->emulator, b->emulator_cpu) : xstrdup(b->emulator);
        words_free(b->count_command);
        b->count_command = words_of(command, " ");
        free(command);
    }
}

enum status keys_read(struct board *b, const struct ini *ini, struct error *e)
{
    struct key_reader r = {b, ini, 0, e};
    enum status s = OK;
    for (size_t i = 0; i < ini->n && !s; i++) {
        r.at = &ini->entries[i];
        s = take_entry(&r);
    }
    if (!s && *b->ssh && !ini_find(ini, "run", "how")) {
        b->how = BOARD_SSH; /* an address is only of use for ssh */
        const struct ini_entry *ssh = ini_find(ini, "run", "ssh");
        char *from = xasprintf("%s:%lu, ssh", path_basename(ini->path), ssh->line);
        origin_set(b, "run", "how", from);
        free(from);
    }
    for (size_t i = 0; i < ini->n && !s; i++) {
        r.at = &ini->entries[i];
        s = check_fit(&r);
    }
    if (!s)
        s = check_whole(&r);
    if (!s && !b->n_levels)
        (void)!levels_set(b, "O0 O2", ini);
    if (!s)
        complete(b);
    return s;
}
