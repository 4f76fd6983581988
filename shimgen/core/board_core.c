/* board_core.c - runs trials as a program: writes their assembly and a main that runs them in turn, and reads the
 * results. */
#include "shimgen/core/board_core.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/target.h"
#include "shimgen/estimate/compile.h"

enum { CHUNK = 160, RUNS = 12, MORE_RUNS = 48 };
#define BUDGET_S       60
#define BUDGET_TICKS_S 20
#define PRECISION      2.0  /* % */
#define SPREAD         0.02 /* of the cycles: 1.48 times the median absolute deviation of the runs */
#define PROGRAM        "core"
#define MOST_A_CYCLE   32  /* instructions */
#define ADDITION_OFF   0.1 /* cycles: what a chain of additions may differ from one */

/* ---- assembly ---- */

static void add_setup(struct str *to, const struct core_board_kernels *b, const struct core_trial *t)
{
    const struct core_kernels *k = b->kernels;
    for (int i = 0; i < CORE_SETUPS; i++) {
        const char *value = t->setup[i] ? t->setup[i] : "0";
        str_addf(to, "%s %s, %s\n", isdigit((unsigned char)*value) ? "number" : "place", b->registers[i], value);
    }
    for (unsigned i = 0; i < k->turns + b->operands; i++)
        core_kernel_line(to, k, t->ones ? b->one : b->zero, i < k->turns ? k->first + i : k->operand + i - k->turns, 0);
}

static void add_function(struct str *to, const struct core_board_kernels *b, const struct core_trial *t, size_t at,
                         int form)
{
    unsigned number = (unsigned)(2 * at) + (unsigned)form;
    str_addf(to, ".balign 64\n.globl core_%u\n.type core_%u, %%function\ncore_%u:\n%s", number, number, number,
             b->enter);
    add_setup(to, b, t);
    str_addf(to, ".balign 64\n.Lloop%u:\n", number);
    for (unsigned i = 0; i < t->units[form]; i++)
        str_add(to, t->text);
    core_kernel_line(to, b->kernels, b->again, number, 0);
    str_addf(to, "%s.size core_%u, . - core_%u\n", b->leave, number, number);
}

/* ---- the program ---- */

static const char program_head[] =
    "#include <setjmp.h>\n#include <shim_region.h>\n#include <signal.h>\n#include <stdint.h>\n#include <string.h>\n"
    "enum { ZEROS, POINTERS, POINTERS_32, BITS, ASKEW, FRESH = %d };\n"
    "_Alignas(4096) char core_memory[16384], core_other[4096];\n"
    "static sigjmp_buf back;\n"
    "static void fault(int s) { siglongjmp(back, s); }\n"
    "static void put(unsigned at, unsigned n) { uint64_t p = (uintptr_t)core_memory + at; memcpy(core_memory + at, &p, "
    "n); }\n"
    "static void prepare(int image)\n{\n"
    "    static const unsigned askew[] = {4, 12, 28, 60};\n"
    "    static uint64_t random = 88172645463325252u; /* other bits each time: predictors learn those that come again "
    "*/\n"
    "    uint64_t p = (uintptr_t)core_memory;\n"
    "    memset(core_memory, 0, sizeof core_memory);\n"
    "    memset(core_other, 0, sizeof core_other);\n"
    "    for (unsigned i = 0; image == POINTERS && i < sizeof core_memory; i += 8) memcpy(core_memory + i, &p, 8);\n"
    "    for (unsigned i = 0; image == POINTERS_32 && i < sizeof core_memory; i += 4) memcpy(core_memory + i, &p, 4);\n"
    "    for (unsigned i = 0; image == BITS && i < sizeof core_memory; i++) {\n"
    "        random ^= random << 13; random ^= random >> 7; random ^= random << 17;\n"
    "        core_memory[i] = (char)(random >> 40 & 1);\n    }\n"
    "    for (unsigned i = 0; image == ASKEW && i < 4; i++) put(askew[i], 8);\n"
    "    if (image == ASKEW) put(1030, 4);\n}\n"
    "static void trial(const char *name, const char *again, void (*code)(long), int image, long trips)\n{\n"
    "    if ((image == POINTERS_32 || image == ASKEW) && (uintptr_t)core_memory >> 31) return;\n"
    "    prepare(image);\n"
    "    if (sigsetjmp(back, 1)) return;\n"
    "    code(1);\n    code(trips);\n    prepare(image);\n    code(trips);\n"
    "    if (image == BITS && FRESH) prepare(image);\n"
    "    shim_region_begin(name);\n    code(trips);\n    shim_region_end(name);\n"
    "    if (image == BITS) prepare(image);\n"
    "    shim_region_begin(again);\n    code(trips);\n    shim_region_end(again);\n}\n";

static void add_main(struct str *to, const struct core_trials *t, size_t from, size_t n)
{
    str_addf(to, program_head, t->board->ticks);
    for (size_t i = 2 * from; i < 2 * (from + n); i++)
        str_addf(to, "void core_%zu(long);\n", i);
    str_add(to,
            "int main(void)\n{\n    signal(SIGILL, fault);\n    signal(SIGSEGV, fault);\n    signal(SIGBUS, fault);\n");
    for (size_t i = 2 * from; i < 2 * (from + n); i++)
        str_addf(to, "    trial(\"core_%zu\", \"again_%zu\", core_%zu, %d + ZEROS, %u);\n", i, i, i,
                 (int)t->list.at[i / 2].image, t->list.at[i / 2].trips);
    str_add(to, "    return 0;\n}\n");
}

static enum status compile(const struct board *b, const char *work, const char *source, const char *assembly,
                           const char *out, struct error *e)
{
    struct board_args a = {0};
    ARGS_ADD(&a, b->compiler);
    board_compile_flags(b, b->levels[0].name, &a);
    ARGS_ADD(&a, "-O2", "-std=gnu17", "-fno-pie", "-no-pie", "-Wno-unused-command-line-argument", source, assembly,
             "-o", out);
    enum status s = board_link_flags(b, work, &a, e);
    for (size_t i = 0; i < a.n; i++)
        if (strcmp(a.at[i], "-static-pie") == 0) /* not with -no-pie */
            strcpy(a.at[i], "-static");
    if (!s)
        s = compile_run(&a, e);
    board_args_release(&a);
    return s;
}

void core_run_assembly(struct str *to, const struct core_run *r, size_t which)
{
    const struct core_board_kernels *k = r->trials.board;
    const struct core_program *p = &r->programs[which];
    str_addf(to, "%s.text\n", k->head);
    for (size_t i = p->from; i < p->from + p->n; i++)
        for (int form = 0; form < 2; form++)
            add_function(to, k, &r->trials.list.at[i], i, form);
}

void core_run_init(struct core_run *r, const struct core_kernels *k)
{
    *r = (struct core_run){.cpu = xstrdup("")};
    core_trials_make(&r->trials, k);
    core_run_plan(r);
}

void core_run_plan(struct core_run *r)
{
    size_t last = r->n_programs, from = last ? r->programs[last - 1].from + r->programs[last - 1].n : 0;
    for (; from < r->trials.list.n; from += CHUNK) {
        size_t left = r->trials.list.n - from;
        r->programs = xreallocarray(r->programs, r->n_programs + 1, sizeof *r->programs);
        r->programs[r->n_programs++] = (struct core_program){.from = from, .n = left < CHUNK ? left : CHUNK};
    }
}

/* Makes <folder>/N.c, N.s and N. */
static enum status make_program(struct core_run *r, const struct board *b, const char *folder, size_t which,
                                struct error *e)
{
    struct str source = STR_INIT, assembly = STR_INIT;
    struct core_program *p = &r->programs[which];
    p->path = xasprintf("%s/%zu", folder, which);
    char *c = xasprintf("%s.c", p->path), *s_path = xasprintf("%s.s", p->path);
    add_main(&source, &r->trials, p->from, p->n);
    core_run_assembly(&assembly, r, which);
    enum status s = file_write(c, source.s, source.len, e);
    if (!s)
        s = file_write(s_path, assembly.s, assembly.len, e);
    if (!s)
        s = compile(b, folder, c, s_path, p->path, e);
    if (!s)
        s = elf_read(&p->code, p->path, e);
    str_release(&source);
    str_release(&assembly);
    free(c);
    free(s_path);
    return s;
}

/* ---- results ---- */

/* A form of a trial, which ran twice. Its result is the smaller one, in which nothing was evicted; if its time depends
 * on data, the mean. */
struct ran {
    double value, half_width;
};

/* Runs that spread were disturbed, and others on the machine only ever make a run longer: the least is nearest to what it
 * takes undisturbed, and how near is seen from the centre. */
static struct ran undisturbed(const struct measurement *m)
{
    double half_width = isfinite(m->half_width) ? m->half_width : 0;
    if (!(m->stddev > SPREAD * m->value) || !(m->minimum > 0))
        return (struct ran){m->value, half_width};
    return (struct ran){m->minimum, fmax(half_width, (m->value - m->minimum) / 2)};
}

static struct ran ran(const struct measurements *m, const struct core_trial *t, size_t number, const char *event)
{
    char *one = xasprintf("core_%zu", number), *other = xasprintf("again_%zu", number);
    const struct measurement *a = measurements_find(m, PROGRAM, one, event),
                             *b = measurements_find(m, PROGRAM, other, event);
    struct ran r = {NAN, NAN};
    if (a && b) {
        const struct ran first = undisturbed(a), again = undisturbed(b);
        r = again.value < first.value ? again : first;
        if (t->image == CORE_BITS)
            r.value = (first.value + again.value) / 2;
    }
    free(one);
    free(other);
    return r;
}

/* Less than nothing, or more instructions in a cycle than any core has: the short form was disturbed each time, or the
 * counter does not count. */
static bool is_possible(const struct core_trial *t)
{
    return !(t->cycles * MOST_A_CYCLE < t->copies);
}

/* The cost of a unit: the difference between the long and the short form, divided by the difference in units. */
static void take(struct core_run *r, const struct measurements *m, size_t i)
{
    struct core_trial *t = &r->trials.list.at[i];
    const char *event = r->counter;
    const struct ran a = ran(m, t, 2 * i, event), b = ran(m, t, 2 * i + 1, event), c = ran(m, t, 2 * i, "BR_MIS_PRED"),
                     d = ran(m, t, 2 * i + 1, "BR_MIS_PRED");
    double units = (double)(t->units[1] - t->units[0]) * t->trips;
    t->cycles = (b.value - a.value) / units;
    t->half_width = (a.half_width + b.half_width) / units;
    t->mispredicted[0] = c.value / t->trips;
    t->mispredicted[1] = d.value / t->trips;
    if (is_possible(t))
        return;
    progress_note("shimgen: trial '%s' took %.3f cycles, which cannot be: it is left out", t->name,
                  t->cycles / t->copies);
    t->cycles = t->half_width = NAN;
}

static bool has_event(const struct measurements *m, const char *event)
{
    for (size_t i = 0; i < m->rows.n; i++)
        if (strcmp(m->rows.at[i].event, event) == 0)
            return true;
    return false;
}

/* Why the core's cycles are not counted: "it reads 0 where ..."; NULL: nobody knows. Borrowed. */
static const char *why_not_counted(const struct measurements *m)
{
    static const char head[] = "CPU_CYCLES: ";
    for (char **l = m->conditions.events_left_out; l && *l; l++)
        if (strncmp(*l, head, sizeof head - 1) == 0)
            return *l + sizeof head - 1;
    return NULL;
}

enum status core_run_counter(struct core_run *r, const struct board *b, const struct measurements *m, struct error *e)
{
    const char *event = measurements_cycle_event(m), *why = why_not_counted(m);
    bool counts = event && strcmp(event, "CPU_CYCLES") == 0;
    r->ticks = !counts && r->trials.board && r->trials.board->ticks && has_event(m, BOARD_CORE_ESTIMATE);
    if (counts || r->ticks) {
        if (r->ticks && !r->counter && why)
            progress_note("shimgen: the core's cycles are not counted on %s: %s; ticks are taken in their place",
                          b->name, why);
        free(r->counter);
        r->counter = xstrdup(counts ? event : BOARD_CORE_ESTIMATE);
        return OK;
    }
    char *what =
        event ? xasprintf("%s, which are ticks of another clock than the core's", event) : xstrdup("no cycles");
    enum status s = error_set(e, ERR_UNSUPPORTED, NOWHERE,
                              "%s counts %s: a core is measured where a PMU counts CPU_CYCLES (shimgen doctor %s says "
                              "what is missing)",
                              b->name, what, b->name);
    free(what);
    return s;
}

enum status core_run_check(const struct core_run *r, const struct board *b, struct error *e)
{
    double addition = core_trials_cycles(&r->trials, "%s/chain", iss_class_names[ISS_ALU]);
    if (!r->trials.board->ticks || fabs(addition - 1) <= ADDITION_OFF)
        return OK;
    if (!isfinite(addition))
        return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                         "%s: additions in a chain were not measured, and they tell whether the core's cycles are "
                         "counted; measure again when the machine is idle",
                         b->name);
    return error_set(
        e, ERR_UNSUPPORTED, NOWHERE,
        "%s: an addition in a chain took %.2f %s, but takes one cycle on every core of %s: the core's cycles are not "
        "what "
        "is counted; measure again when the machine is idle, or by another counter ([counter] and [events] in %s)",
        b->name, addition, r->counter, r->trials.kernels->architecture, b->path);
}

static enum status measure_program(struct core_run *r, const struct board *b, size_t which, struct error *e)
{
    const struct core_program *p = &r->programs[which];
    struct measurements *m = measurements_new();
    struct board how = *b;
    how.runs = b->runs < RUNS ? b->runs : RUNS;
    how.extra_runs = b->extra_runs < RUNS ? b->extra_runs : RUNS;
    how.precision = 0;
    how.budget_s = BUDGET_S;
    if (b->precision > 0 && r->trials.board->ticks) { /* more, as long as a busy neighbour spreads them */
        how.precision = PRECISION;
        how.least_runs = how.runs;
        how.runs = b->runs < MORE_RUNS ? b->runs : MORE_RUNS;
        how.budget_s = BUDGET_TICKS_S;
    }
    how.cache = BOARD_WARM;
    progress_show("measuring the core", which, r->n_programs, b->name);
    enum status s = board_measure(&how, p->path, PROGRAM, NULL, m, e);
    if (!s)
        s = core_run_counter(r, b, m, e);
    for (size_t i = p->from; !s && i < p->from + p->n; i++)
        take(r, m, i);
    measurements_free(m);
    return s;
}

/* ---- everything together ---- */

static char *cpu_of(const struct board *b)
{
    for (char *const *f = b->levels[0].flags; *f; f++)
        if (strncmp(*f, "-mcpu=", 6) == 0)
            return xstrdup(*f + 6);
    return xstrdup("");
}

static enum status find_kernels(const struct core_kernels **out, const struct board *b, struct error *e)
{
    struct utsname host;
    const bool known = uname(&host) == 0;
    const struct target *t = target_find(*board_target(b) ? board_target(b) : known ? host.machine : "");
    *out = b->how != BOARD_IMPORT && b->how != BOARD_COMMAND ? core_kernels_of(t->name) : NULL;
    if (*out && core_board_kernels_of(t->name))
        return OK;
    if (b->how == BOARD_IMPORT || b->how == BOARD_COMMAND)
        return error_set(e, ERR_UNSUPPORTED, NOWHERE, "%s runs no programs here: its core cannot be measured", b->name);
    char *list = core_board_kernels_list();
    enum status s = error_set(
        e, ERR_UNSUPPORTED, NOWHERE,
        "%s is of %s: there are no programs to measure such a core with; there are for: %s%s", b->name, t->name, list,
        *out ? "; LLVM's model of it is to be had without: 'shimgen core llvm:CPU --target TRIPLE'" : "");
    free(list);
    return s;
}

static enum status run_programs(struct core_run *r, const struct board *b, const char *folder, size_t first,
                                struct error *e)
{
    enum status s = OK;
    for (size_t i = first; !s && i < r->n_programs; i++) {
        s = make_program(r, b, folder, i, e);
        if (!s)
            s = measure_program(r, b, i, e);
    }
    progress_clear();
    return s;
}

enum status core_run_measure(struct core_run *r, const struct board *b, const char *folder, struct error *e)
{
    const struct core_kernels *k;
    *r = (struct core_run){0};
    enum status s = find_kernels(&k, b, e);
    if (s)
        return s;
    core_run_init(r, k);
    free(r->cpu);
    r->cpu = cpu_of(b);
    return run_programs(r, b, folder, 0, e);
}

enum status core_run_more(struct core_run *r, const struct board *b, const char *folder, struct error *e)
{
    size_t first = r->n_programs;
    core_run_plan(r);
    return run_programs(r, b, folder, first, e);
}

void core_run_release(struct core_run *r)
{
    for (size_t i = 0; i < r->n_programs; i++) {
        free(r->programs[i].path);
        elf_release(&r->programs[i].code);
    }
    free(r->programs);
    core_trials_release(&r->trials);
    free(r->counter);
    free(r->conditions);
    free(r->cpu);
    *r = (struct core_run){0};
}

const struct elf_function *core_run_code(const struct core_run *r, size_t trial, int form, const struct elf **of)
{
    size_t which = 0;
    while (which + 1 < r->n_programs && trial >= r->programs[which].from + r->programs[which].n)
        which++;
    *of = &r->programs[which].code;
    char *name = xasprintf("core_%zu", 2 * trial + (size_t)form);
    const struct elf_function *found = NULL;
    for (size_t i = 0; i < (*of)->n_functions && !found; i++)
        if (strcmp((*of)->functions[i].name, name) == 0)
            found = &(*of)->functions[i];
    free(name);
    return found;
}

enum status core_run_write(const struct core_run *r, const double *predicted, const double *errors, const char *folder,
                           struct error *e)
{
    struct str text = STR_INIT;
    char *path = path_join(folder, "trials.csv");
    str_add(&text, "trial,copies,cycles,half_width,missed_short,missed_long,predicted,error\n");
    for (size_t i = 0; i < r->trials.list.n; i++) {
        const struct core_trial *t = &r->trials.list.at[i];
        const double values[] = {t->cycles,          t->half_width, t->mispredicted[0],
                                 t->mispredicted[1], predicted[i],  errors[i]};
        str_addf(&text, "%s,%u", t->name, t->copies);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            if (isfinite(values[v]))
                str_addf(&text, ",%.4f", values[v]);
            else
                str_add(&text, ",");
        str_add(&text, "\n");
    }
    enum status s = file_write(path, text.s, text.len, e);
    str_release(&text);
    free(path);
    return s;
}
