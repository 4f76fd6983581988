/* perf-xml page FILE [OTHER] */
#include <stdlib.h>

#include "base/file.h"
#include "perf-xml/commands.h"
#include "perf-xml/page/page_data.h"
#include "perf-xml/template/template.h"

struct options {
    const char *output, *items;
};

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct page_data d, other;
    struct str out = STR_INIT;
    struct outfile file;
    page_data_init(&d, true);
    page_data_init(&other, false);
    enum status s = perf_read_all(args->argv, 1, o->items, &d.sink, e);
    if (!s && args->argc > 1)
        s = perf_read_all(args->argv + 1, 1, o->items, &other.sink, e);
    if (!s) {
        page_write(&out, &d, args->argc > 1 ? &other : 0);
        s = outfile_open(&file, o->output, e);
    }
    if (!s) {
        fwrite(str_text(&out), 1, out.len, file.f);
        s = outfile_commit(&file, e);
    }
    page_data_release(&d);
    page_data_release(&other);
    str_release(&out);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write the page here (default: standard output)",
     offsetof(struct options, output)},
    {CLI_CHOICE, "items", 0, "auto|none|" TEMPLATE_NAMES, "auto",
     "the source that named the events: it decides which items the template makes; none: only events",
     offsetof(struct options, items)},
    {0},
};
const struct cli_command cmd_page = {
    .name = "page",
    .synopsis = "page FILE [OTHER] [-o PAGE.html]",
    .summary = "Writes a page for any browser: balance, cycle accounting, all items, beside those of OTHER if given.",
    .details =
        "The page is one file that needs nothing else. Of very many threads or processes it shows the means of groups.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 2,
    .run = run,
};
