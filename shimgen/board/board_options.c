/* board_options.c - options that override a board's description for one command. */
#include "shimgen/board/board_options.h"

#include "base/str.h"

const char *board_operand(const struct cli_args *args, int i)
{
    return i < args->argc ? args->argv[i] : "host";
}

enum status board_changes(struct board_overrides *to, const struct board_choice *c, struct error *e)
{
    double percent = 0;
    const struct board_overrides none = BOARD_OVERRIDES_NONE;
    if (c->runs < 0)
        return usage_error(e, "--runs: %ld is not a number of launches", c->runs);
    if (c->precision && (!parse_double(c->precision, &percent) || !(percent > 0)))
        return usage_error(e, "--precision: '%s' is not a percentage above 0", c->precision);
    *to = none;
    to->runs = c->runs;
    to->precision = percent / 100;
    to->levels = c->levels;
    to->cache = c->cache;
    to->core = c->core;
    to->source = c->source;
    to->ssh = c->ssh;
    to->measurements = c->measurements;
    return OK;
}

enum status board_choose(struct board **out, const char *name, const struct board_choice *c, struct error *e)
{
    struct board_overrides o;
    enum status s = board_changes(&o, c, e);
    if (!s)
        s = board_load(out, name, e);
    if (s)
        return s;
    s = board_override(*out, &o, e);
    if (s) {
        board_free(*out);
        *out = 0;
    }
    return s;
}
