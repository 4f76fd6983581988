/* shim-xml get FILE PATH... */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"
#include "shim-xml/document/text.h"

struct options {
    bool paths;
};

static void print_value(const struct options *o, const struct shimxml_node *n, const char *attribute, const char *value)
{
    char *path = shimxml_path_of(n), *clean = text_printable(value, TEXT_LIMIT);
    if (o->paths)
        printf("%s%s%s=", path, attribute ? "/@" : "", attribute ? attribute : "");
    puts(clean);
    free(clean);
    free(path);
}

/* Prints an element that the path selects: its text if it contains one, else all attributes. */
static size_t print_element(const struct shimxml_node *n)
{
    static const struct options with_paths = {true};
    const char *value = 0, *name;
    size_t i = 0;
    while ((name = shimxml_attribute(n, i, &value))) {
        print_value(&with_paths, n, name, value);
        i++;
    }
    char *text = shimxml_child(n, 0) ? 0 : shimxml_text(n);
    if (text && *text) {
        print_value(&with_paths, n, 0, text);
        i++;
    }
    free(text);
    return i;
}

static enum status get(const struct options *o, const struct shimxml_doc *d, const char *path, struct error *e)
{
    struct shimxml_selection found = {0};
    enum status s = shimxml_select(&found, d, path, e);
    size_t printed = 0;
    for (size_t i = 0; i < found.n; i++) {
        const char *value = found.attribute ? shimxml_get(found.at[i], found.attribute) : 0;
        if (!found.attribute) {
            printed += print_element(found.at[i]);
        } else if (value) {
            print_value(o, found.at[i], found.attribute, value);
            printed++;
        }
    }
    if (!s && !printed && found.attribute)
        s = error_set(e, ERR_INPUT, AT(shimxml_path(d), shimxml_line(found.at[0])), "%s has no '%s' here",
                      shimxml_name(found.at[0]), found.attribute);
    shimxml_selection_release(&found);
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    struct shimxml_doc *d = 0;
    enum status s = shimxml_read(&d, args->argv[0], e);
    for (int i = 1; !s && i < args->argc; i++)
        s = get(opt, d, args->argv[i], e);
    shimxml_free(d);
    return s;
}

static const struct cli_option options[] = {
    {CLI_BOOL, "paths", 0, 0, 0, "print PATH=VALUE, as 'set' takes it", offsetof(struct options, paths)},
    {0},
};
const struct cli_command cmd_get = {
    .name = "get",
    .synopsis = "get FILE PATH... [--paths]",
    .summary = "Prints values of a SHIM file, one per line.",
    .details = "A path has the form that 'check' prints, for example\n"
               "  //MasterComponent[@name='Core_0']/ClockFrequency/@clockValue\n"
               "Without an attribute at the end, all attributes of the elements are printed with their paths.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = -1,
    .run = run,
};
