/* board_options.c - options that override a board's description for one command. */
#include "shimgen/board/board_options.h"

#include "base/str.h"

const char *board_operand(const struct cli_args *args, int i)
{
    return i < args->argc ? args->argv[i] : "host";
}

enum status board_choose(struct board **out, const char *name, const struct board_choice *c, struct error *e)
{
    double percent = 0;
    if (c->runs < 0)
        return usage_error(e, "--runs: %ld is not a number of launches", c->runs);
    if (c->precision && (!parse_double(c->precision, &percent) || !(percent > 0)))
        return usage_error(e, "--precision: '%s' is no percentage above 0", c->precision);
    enum status s = board_load(out, name, e);
    if (s)
        return s;
    struct board_overrides o = BOARD_OVERRIDES_NONE;
    o.runs = c->runs;
    o.precision = percent / 100;
    o.levels = c->levels;
    o.cache = c->cache;
    o.core = c->core;
    o.source = c->source;
    o.ssh = c->ssh;
    o.measurements = c->measurements;
    s = board_override(*out, &o, e);
    if (s) {
        board_free(*out);
        *out = 0;
    }
    return s;
}
