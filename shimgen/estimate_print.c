#include "shimgen/estimate_print.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"

static double seconds(const struct costs *c, double cycles)
{
    return c->clock_hz > 0 ? cycles / c->clock_hz : 0;
}

static void write_text(const estimate_lines *lines, const struct costs *c, FILE *f)
{
    fprintf(f, "core %s, ", c->core);
    if (c->clock_hz > 0)
        fprintf(f, "clock %.6g MHz\n", c->clock_hz / 1e6);
    else
        fprintf(f, "clock not in the SHIM file: no times\n");
    fprintf(f, "%14s %14s %14s %12s %7s %14s  %s\n", "cycles", "best", "worst", "time [us]", "share", "instructions",
            "what");
    for (size_t i = 0; i < lines->n; i++) {
        const struct estimate_line *l = &lines->at[i];
        fprintf(f, "%14.0f %14.0f %14.0f ", l->cycles.typical, l->cycles.best, l->cycles.worst);
        if (c->clock_hz > 0)
            fprintf(f, "%12.3f", 1e6 * seconds(c, l->cycles.typical));
        else
            fprintf(f, "%12s", "-");
        fprintf(f, " %6.2f%% %14llu  %s %s%s%s\n", 100 * l->share, (unsigned long long)l->instructions, l->program,
                l->region, *l->what ? " " : "", l->what);
    }
}

static void write_csv(const estimate_lines *lines, const struct costs *c, const char *kind, FILE *f)
{
    bool parts = strcmp(kind, "function") == 0 || strcmp(kind, "line") == 0;
    fprintf(f, "program,region,%s,instructions,cycles,cycles_best,cycles_worst,seconds,share\n", parts ? kind : "part");
    for (size_t i = 0; i < lines->n; i++) {
        const struct estimate_line *l = &lines->at[i];
        csv_put(f, l->program);
        fputc(',', f);
        csv_put(f, l->region);
        fputc(',', f);
        csv_put(f, l->what);
        fprintf(f, ",%llu,%.10g,%.10g,%.10g,", (unsigned long long)l->instructions, l->cycles.typical, l->cycles.best,
                l->cycles.worst);
        if (c->clock_hz > 0)
            fprintf(f, "%.10g", seconds(c, l->cycles.typical));
        fprintf(f, ",%.6g\n", l->share);
    }
}

static enum status write_json(const estimate_lines *lines, const struct costs *c, const char *shim, const char *path,
                              struct error *e)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < lines->n; i++) {
        const struct estimate_line *l = &lines->at[i];
        json_t *row = json_pack("{s:s, s:s, s:s, s:I, s:f, s:f, s:f, s:f}", "program", l->program, "region", l->region,
                                "what", l->what, "instructions", (json_int_t)l->instructions, "cycles",
                                l->cycles.typical, "best", l->cycles.best, "worst", l->cycles.worst, "share", l->share);
        if (c->clock_hz > 0)
            json_object_set_new(row, "seconds", json_real(seconds(c, l->cycles.typical)));
        json_array_append_new(rows, row);
    }
    json_t *all =
        json_pack("{s:s, s:s, s:f, s:o}", "shim", shim, "core", c->core, "clock_hz", c->clock_hz, "estimates", rows);
    enum status s = json_write(all, path, e);
    json_decref(all);
    return s;
}

enum status estimate_print(const estimate_lines *lines, const struct costs *c, const char *shim, const char *format,
                           const char *kind, const char *path, struct error *e)
{
    if (strcmp(format, "json") == 0)
        return write_json(lines, c, shim, path, e);
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    if (strcmp(format, "csv") == 0)
        write_csv(lines, c, kind, o.f);
    else
        write_text(lines, c, o.f);
    return outfile_commit(&o, e);
}
