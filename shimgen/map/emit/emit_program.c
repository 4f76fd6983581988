/* emit_program.c - writes the folder of a mapped program: mapping.c, the Makefile, and the files that are the same for
 * all mappings. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "boards/boards.h"
#include "shimgen/map/emit/emit.h"

struct emitting {
    const struct map_report *r;
    const struct depend_split *split;
    struct emit_waits waits;
    size_t *cores; /* owned; cores of the problem that have blocks */
    size_t n_cores;
};

/* ---- text ---- */

/* Writes text inside a comment or a string of C: nothing that ends either, no control characters. */
static void put_text(FILE *f, const char *text)
{
    for (; *text; text++) {
        bool ends = (text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*');
        if (*text == '"' || *text == '\\')
            fputc('\\', f);
        fputc((unsigned char)*text < 32 || *text == 127 ? ' ' : *text, f);
        if (ends)
            fputc(' ', f);
    }
}

static const char *block_name(const struct emitting *x, size_t block)
{
    return x->r->graph->blocks.at[block].name;
}

static const char *core_name(const struct emitting *x, size_t core)
{
    return x->r->machine->cores.at[x->r->point->problem.cores[core]].name;
}

/* ---- mapping.c ---- */

static void put_head(const struct emitting *x, FILE *f)
{
    const struct map_report *r = x->r;
    fputs("/* Step function '", f);
    put_text(f, r->graph->name);
    fprintf(f, "' on %zu core%s: made by 'shimgen map --emit'. Predicted: %.6g %s, on one core %.6g. */\n", x->n_cores,
            x->n_cores == 1 ? "" : "s", r->point->result.plan.makespan, r->machine->unit, r->curve->single);
    fputs("#include \"map_run.h\"\n\n", f);
    for (size_t b = 0; b < r->graph->blocks.n; b++) {
        fprintf(f, "void map_unit_%zu(void); /* ", b);
        put_text(f, block_name(x, b));
        fputs(" */\n", f);
    }
}

static void put_wait(const struct emitting *x, size_t k, FILE *f)
{
    const struct emit_wait *w = &x->waits.at.at[k];
    const struct map_arc *a = &x->r->point->problem.arcs[w->arc];
    fprintf(f, "    MAP_WAIT(%zu, %zu, step); /* %.6g bytes of '", k, w->before, a->bytes);
    put_text(f, block_name(x, w->before));
    fputs("' on ", f);
    put_text(f, core_name(x, x->r->point->result.plan.core[w->before]));
    fputs(" */\n", f);
}

static bool is_waited_for(const struct emitting *x, size_t block)
{
    for (size_t i = 0; i < x->waits.at.n; i++)
        if (x->waits.at.at[i].before == block)
            return true;
    return false;
}

static void put_core(const struct emitting *x, size_t number, FILE *f)
{
    const struct map_plan *plan = &x->r->point->result.plan;
    fputs("\n/* ", f);
    put_text(f, core_name(x, x->cores[number]));
    fprintf(f, " */\nstatic void core_%zu(unsigned step)\n{\n    (void)step;\n", number);
    for (size_t i = 0; i < plan->n; i++) {
        size_t b = plan->sequence[i];
        if (plan->core[b] != x->cores[number])
            continue;
        for (size_t k = 0; k < x->waits.at.n; k++)
            if (x->waits.at.at[k].block == b)
                put_wait(x, k, f);
        fprintf(f, "    map_unit_%zu(); /* ", b);
        put_text(f, block_name(x, b));
        fprintf(f, ": %.6g to %.6g */\n", plan->start[b], plan->end[b]);
        if (is_waited_for(x, b))
            fprintf(f, "    map_done(%zu, step);\n", b);
    }
    fputs("}\n", f);
}

static void put_tables(const struct emitting *x, FILE *f)
{
    const struct map_report *r = x->r;
    const struct map_plan *plan = &r->point->result.plan;
    fputs("\nconst struct map_unit map_units[] = {\n", f);
    for (size_t i = 0; i < plan->n; i++) {
        fputs("    {\"", f);
        put_text(f, block_name(x, plan->sequence[i]));
        fprintf(f, "\", map_unit_%zu},\n", plan->sequence[i]);
    }
    fprintf(f, "};\nconst unsigned map_n_units = %zu;\n\nconst struct map_core map_cores[] = {\n", plan->n);
    for (size_t c = 0; c < x->n_cores; c++) {
        fputs("    {\"", f);
        put_text(f, core_name(x, x->cores[c]));
        fprintf(f, "\", core_%zu},\n", c);
    }
    fprintf(f, "};\nconst unsigned map_n_cores = %zu, map_n_waits = %zu;\nstruct map_flag map_flags[%zu];\n",
            x->n_cores, x->waits.at.n, plan->n);
    fprintf(f, "const double map_predicted = %.9g, map_predicted_one = %.9g;\n", plan->makespan, r->curve->single);
    fprintf(f, "const char *const map_unit_of_time = \"%s\";\n\n", r->machine->unit);
    for (size_t i = 0; i < x->split->files.n; i++)
        fprintf(f, "extern const struct map_variable map_variables_%zu[]; /* %s */\n", i, x->split->files.at[i]);
    fputs("const struct map_variable *const map_variables[] = {", f);
    for (size_t i = 0; i < x->split->files.n; i++)
        fprintf(f, "map_variables_%zu, ", i);
    fputs("0};\n", f);
}

static enum status write_mapping(const struct emitting *x, const char *folder, struct error *e)
{
    char *path = path_join(folder, "mapping.c");
    struct outfile out = {0};
    enum status s = outfile_open(&out, path, e);
    free(path);
    if (s)
        return s;
    put_head(x, out.f);
    for (size_t c = 0; c < x->n_cores; c++)
        put_core(x, c, out.f);
    put_tables(x, out.f);
    return outfile_commit(&out, e);
}

/* ---- the Makefile and the rest ---- */

static void put_rules(const struct emitting *x, const char *compiler, FILE *f)
{
    const struct map_report *r = x->r;
    fprintf(f,
            "# make check: each step is equal to the one as it was. make measure: predicted and measured times. make "
            "tsan: no race.\n"
            "CC = %s\nCFLAGS = -O2\nLIBS = -lm\nOBJECTS =\nRUNS = 30\nSOURCES = mapping.c map_run.c",
            compiler);
    for (size_t i = 0; i < x->split->files.n; i++)
        fprintf(f, " %s", x->split->files.at[i]);
    fprintf(f,
            "\nBUILD = $(CC) $(CFLAGS) -Wno-override-module -pthread $(SOURCES) $(OBJECTS) $(LIBS)\n"
            "RACES = -g -fsanitize=thread -mllvm -force-attribute=sanitize_thread\n\n"
            "program: $(SOURCES) map_run.h Makefile\n\t$(BUILD) -o $@\n"
            "program_tsan: $(SOURCES) map_run.h Makefile\n\t$(BUILD) $(RACES) -o $@\n"
            "check: program\n\t./program >/dev/null\n"
            "tsan: program_tsan\n\t./program_tsan >/dev/null\n"
            "measure: program\n\tsh measure.sh $(RUNS) %.9g %.9g %s\n"
            ".PHONY: check tsan measure\n",
            r->curve->single, r->point->result.plan.makespan, r->machine->unit);
}

static enum status write_makefile(const struct emitting *x, const char *folder, struct error *e)
{
    struct board *host = 0;
    struct outfile out = {0};
    char *path = path_join(folder, "Makefile");
    enum status s = board_load(&host, "host", e);
    if (!s)
        s = outfile_open(&out, path, e);
    free(path);
    if (!s) {
        put_rules(x, host->compiler, out.f);
        s = outfile_commit(&out, e);
    }
    board_free(host);
    return s;
}

/* Copies a file that is the same for all mappings. */
static enum status copy(const char *folder, const char *name, struct error *e)
{
    enum { MOST = 1 << 20 };
    struct str text = STR_INIT;
    char *resource = xasprintf("runtime/shimgen/map/emit/run/%s", name), *from = resource_share(resource),
         *to = path_join(folder, name);
    enum status s = file_read(&text, from, MOST, e);
    if (!s)
        s = file_write(to, str_text(&text), text.len, e);
    str_release(&text);
    free(resource);
    free(from);
    free(to);
    return s;
}

static bool has_blocks(const struct map_report *r, size_t core)
{
    const struct map_plan *plan = &r->point->result.plan;
    for (size_t b = 0; b < plan->n; b++)
        if (plan->core[b] == core)
            return true;
    return false;
}

enum status map_emit(const struct map_report *r, const struct depend_split *split, const char *folder, struct error *e)
{
    static const char *const same[] = {"map_run.c", "map_run.h", "measure.sh"};
    const struct map_problem *p = &r->point->problem;
    struct emitting x = {.r = r, .split = split, .cores = xcalloc(p->n_cores + 1, sizeof *x.cores)};
    enum status s = OK;
    for (size_t c = 0; c < p->n_cores; c++)
        if (has_blocks(r, c))
            x.cores[x.n_cores++] = c;
    emit_waits_find(&x.waits, p, &r->point->result.plan);
    for (size_t i = 0; i < sizeof same / sizeof *same && !s; i++)
        s = copy(folder, same[i], e);
    if (!s)
        s = write_mapping(&x, folder, e);
    if (!s)
        s = write_makefile(&x, folder, e);
    vec_release(&x.waits.at);
    free(x.cores);
    return s;
}
