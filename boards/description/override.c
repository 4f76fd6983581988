/* override.c - applies what a caller wants to change in a description for one run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "boards/description/keys.h"

/* Refuses an option for a key that has no meaning for this kind of board, as the key itself would be. */
static enum status check_fit(const struct board *b, const char *section, const char *key, const char *option,
                             struct error *e)
{
    for (size_t i = 0; i < n_board_keys; i++)
        if (strcmp(board_keys[i].section, section) == 0 && strcmp(board_keys[i].key, key) == 0 &&
            !(board_keys[i].hows & 1u << b->how))
            return error_set(e, ERR_USAGE, NOWHERE, "%s has no effect on %s, whose programs run with how = %s", option,
                             b->name, board_how_name(b->how));
    return OK;
}

static enum status check_fits(const struct board *b, const struct board_overrides *o, struct error *e)
{
    const struct {
        bool given;
        const char *section, *key, *option;
    } all[] = {{o->runs > 0, "run", "runs", "--runs"},
               {o->precision > 0, "run", "precision", "--precision"},
               {o->core != 0, "run", "core", "--core"},
               {o->source != 0, "counter", "source", "--source"},
               {o->timeout_s > 0, "run", "timeout", "--timeout"},
               {o->measurements != 0 && b->how != BOARD_COMMAND, "import", "measurements", "--measurements"},
               {o->ssh != 0, "run", "ssh_options", "--ssh"}}; /* for native boards too */
    enum status s = OK;
    for (size_t i = 0; !s && i < sizeof all / sizeof *all; i++)
        if (all[i].given)
            s = check_fit(b, all[i].section, all[i].key, all[i].option, e);
    return s;
}

static enum status check_values(const struct board_overrides *o, struct error *e)
{
    if (o->runs < 0 || o->runs > 1000000)
        return error_set(e, ERR_USAGE, NOWHERE, "%ld runs; give a number from 1 to 1000000", o->runs);
    if (!(o->precision >= 0 && o->precision <= 0.5))
        return error_set(e, ERR_USAGE, NOWHERE, "a precision of %g %%; give per cent, more than 0 and at most 50",
                         100 * o->precision);
    if (o->cache && !key_parse_cache(o->cache, 0))
        return error_set(e, ERR_USAGE, NOWHERE, "the caches cannot be '%s'; say cold or warm", o->cache);
    if (o->core && !key_parse_core(o->core, 0))
        return error_set(e, ERR_USAGE, NOWHERE, "'%s' is not a core; give its number or auto", o->core);
    if (o->source && !key_parse_source(o->source, 0))
        return error_set(e, ERR_USAGE, NOWHERE, "'%s' is not a counter; say auto, pmu or constant", o->source);
    if (!(o->timeout_s >= 0 && o->timeout_s <= 1e6))
        return error_set(e, ERR_USAGE, NOWHERE, "a timeout of %g s cannot be", o->timeout_s);
    if (o->ssh && !key_parse_destination(o->ssh))
        return error_set(e, ERR_USAGE, NOWHERE, "--ssh: '%s' is not a login on a board; write user@host", o->ssh);
    if (o->measurements && !*o->measurements)
        return error_set(e, ERR_USAGE, NOWHERE, "--measurements: no file is named");
    return OK;
}

static enum status override_levels(struct board *b, const char *levels, struct error *e)
{
    struct ini *ini = 0;
    enum status s = ini_read(&ini, b->path, e);
    if (s)
        return s;
    if (!levels_set(b, levels, ini))
        s = error_set(e, ERR_USAGE, NOWHERE, "'%s' are not optimisation levels; write them as in 'O0,O2'", levels);
    else
        origin_set(b, "compile", "levels", "--levels");
    ini_free(ini);
    return s;
}

/* Exactly so many runs are wanted, so the board's precision is ignored. */
static void override_runs(struct board *b, long runs)
{
    b->precision = 0;
    origin_set(b, "run", "precision", "--runs");
    double share = (double)b->extra_runs / b->runs;
    b->runs = (unsigned)runs;
    b->extra_runs = (unsigned)ceil(share * (double)runs);
    origin_set(b, "run", "runs", "--runs");
    origin_set(b, "run", "extra_runs", "--runs");
}

static void override_way(struct board *b, const struct board_overrides *o)
{
    if (o->ssh) {
        b->how = BOARD_SSH;
        text_set(&b->ssh, o->ssh);
        origin_set(b, "run", "how", "--ssh");
        origin_set(b, "run", "ssh", "--ssh");
    }
    if (o->measurements && b->how == BOARD_COMMAND) {
        b->how = BOARD_IMPORT;
        origin_set(b, "run", "how", "--measurements");
    }
    if (o->measurements) {
        text_set(&b->measurements, o->measurements);
        origin_set(b, "import", "measurements", "--measurements");
    }
}

enum status board_override(struct board *b, const struct board_overrides *o, struct error *e)
{
    enum status s = check_values(o, e);
    if (!s)
        s = check_fits(b, o, e);
    if (!s && o->levels)
        s = override_levels(b, o->levels, e);
    if (s)
        return s;
    if (o->runs)
        override_runs(b, o->runs);
    if (o->precision > 0) {
        b->precision = o->precision;
        origin_set(b, "run", "precision", "--precision");
    }
    if (o->cache && key_parse_cache(o->cache, &b->cache))
        origin_set(b, "run", "cache", "--cache");
    if (o->core && key_parse_core(o->core, &b->core))
        origin_set(b, "run", "core", "--core");
    if (o->source && key_parse_source(o->source, &b->source))
        origin_set(b, "counter", "source", "--source");
    if (o->timeout_s > 0) {
        b->timeout_s = o->timeout_s;
        origin_set(b, "run", "timeout", "--timeout");
    }
    override_way(b, o);
    return OK;
}
