/*
 * points.c - the fuzz target of files of points (irprof stamp --points FILE).
 *
 * They are refused with a reason, or list points of known kinds, each with its line.
 */
#include <stdlib.h>
#include <string.h>

#include "irprof/stamp/stamping.h"
#include "tests/fuzz/target.h"

static void check(const struct stamp_spec *s, unsigned long most)
{
    bool line = s->kind == SPEC_LOOP || s->kind == SPEC_ITERATION || s->kind == SPEC_LINE;
    if (!*s->name || (s->line != 0) != line || s->found)
        BUG("a point without a name or a line: '%s'", s->text);
    if (!s->from || !s->from_line || s->from_line > most)
        BUG("a point of line %lu", s->from_line);
    if (strchr(s->text, '\n') || strchr(s->text, '#'))
        BUG("a point with a comment: '%s'", s->text);
}

static unsigned long count_lines(const uint8_t *data, size_t size)
{
    unsigned long n = 1;
    for (size_t i = 0; i < size; i++)
        n += data[i] == '\n';
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct stamp_specs specs;
    char *path = target_file("points", data, size);
    if (target_passed(stamp_specs_read(&specs, path, &e), &e)) {
        if (!specs.all.n)
            BUG("no points");
        for (size_t i = 0; i < specs.all.n; i++)
            check(&specs.all.at[i], count_lines(data, size));
        stamp_specs_release(&specs);
    }
    free(path);
    return 0;
}
