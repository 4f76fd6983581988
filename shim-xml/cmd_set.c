/* shim-xml set FILE PATH=VALUE... */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"

struct options {
    const char *output;
};

/* The first '=' outside conditions and their quotes; NULL: there is none. */
static const char *equals_sign(const char *text)
{
    bool inside = false;
    char quote = 0;
    for (; *text; text++) {
        if (quote)
            quote = *text == quote ? 0 : quote;
        else if (inside && (*text == '\'' || *text == '"'))
            quote = *text;
        else if (*text == '[' || *text == ']')
            inside = *text == '[';
        else if (*text == '=' && !inside)
            return text;
    }
    return 0;
}

static enum status set(const struct shimxml_doc *d, const char *text, struct error *e)
{
    const char *sign = equals_sign(text);
    if (!sign)
        return usage_error(e, "'%s': PATH=VALUE is expected", text);
    char *path = xstrndup(text, (size_t)(sign - text));
    struct shimxml_selection at = {0};
    enum status s = shimxml_select(&at, d, path, e);
    if (!s)
        s = shimxml_assign(d, &at, sign + 1, e);
    shimxml_selection_release(&at);
    free(path);
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct shimxml_doc *d = 0;
    enum status s = shimxml_read(&d, args->argv[0], e);
    for (int i = 1; !s && i < args->argc; i++)
        s = set(d, args->argv[i], e);
    if (!s)
        s = shimxml_write(d, o->output, e);
    shimxml_free(d);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the file here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_set = {
    .name = "set",
    .synopsis = "set FILE PATH=VALUE... [options]",
    .summary = "Changes values of a SHIM file; everything else stays as it is.",
    .details = "Every element that the path selects gets the value, for example\n"
               "  //MasterComponent[@arch='x86_64']/ClockFrequency/@clockValue=2.5e9\n"
               "Values that the schema does not allow are refused. For paths see 'get'.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = -1,
    .run = run,
};
