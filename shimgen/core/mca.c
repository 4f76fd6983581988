/* mca.c - runs llvm-mca on all blocks at once. It runs twice, so that the extra cost of the first iterations cancels
 * out. */
#include "shimgen/core/mca.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/proc.h"
#include "base/target.h"

enum { FEW = 64, MANY = 192, TIMEOUT_S = 120 };

void mca_add(struct mca_set *set, char *name, struct str *text)
{
    struct mca_block b = {.name = name, .text = xstrdup(str_text(text)), .cycles = NAN};
    vec_push(&set->blocks, b);
    str_release(text);
}

const struct mca_block *mca_find(const struct mca_set *set, const char *name)
{
    for (size_t i = 0; i < set->blocks.n; i++)
        if (strcmp(set->blocks.at[i].name, name) == 0)
            return &set->blocks.at[i];
    return NULL;
}

void mca_release(struct mca_set *set)
{
    for (size_t i = 0; i < set->blocks.n; i++) {
        free(set->blocks.at[i].name);
        free(set->blocks.at[i].text);
    }
    vec_release(&set->blocks);
    free(set->version);
    free(set->model);
    *set = (struct mca_set){0};
}

/* ---- the input ---- */

/* '#' begins a comment for llvm-mca, whatever the target's own sign is. */
static enum status write_blocks(const struct mca_set *set, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    str_add(&text, set->prologue ? set->prologue : "");
    for (size_t i = 0; i < set->blocks.n; i++)
        str_addf(&text, "# LLVM-MCA-BEGIN %s\n%s# LLVM-MCA-END %s\n", set->blocks.at[i].name, set->blocks.at[i].text,
                 set->blocks.at[i].name);
    enum status s = file_write(path, str_text(&text), text.len, e);
    str_release(&text);
    return s;
}

/* Number of lines that are not labels. */
static size_t instructions_of(const struct mca_block *b)
{
    size_t n = 0;
    for (const char *p = b->text; *p; p = strchr(p, '\n') + 1)
        n += p[1] != ':';
    return n;
}

/* ---- what llvm-mca refuses ---- */

static const char program[] = MCA_PROGRAM;

static enum status run_mca(const char *const *arguments, const char *out_path, struct proc_result *r, struct error *e)
{
    char *found = proc_find(MCA_PROGRAM);
    if (!found)
        return error_set(e, ERR_SYSTEM, NOWHERE,
                         MCA_PROGRAM " is not installed: LLVM's scheduling models are asked by it (Debian: apt-get "
                                     "install " LLVM_PACKAGE ")");
    free(found);
    struct proc p = {.argv = arguments, .out_path = out_path, .capture = true, .timeout_s = TIMEOUT_S, .cpu = -1};
    return proc_run(&p, r, e);
}

/* Reads the names in "  cortex-a53   - Select the cortex-a53 processor." */
static char **processors_in(const char *text)
{
    struct str names = STR_INIT;
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *dash = strstr(line, " - Select the "), *end = strchr(line, '\n');
        const char *kind = strstr(line, " processor.");
        if (!dash || !end || dash > end || !kind || kind > end)
            continue;
        line += strspn(line, " ");
        str_addf(&names, "%.*s ", (int)strcspn(line, " "), line);
    }
    char **list = words_of(str_text(&names), " ");
    str_release(&names);
    return list;
}

static enum status unknown_processor(const struct mca_set *set, struct error *e)
{
    char *triple = xasprintf("-mtriple=%s", set->triple);
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = run_mca((const char *const[]){program, triple, "-mcpu=help", "/dev/null", 0}, 0, &r, e);
    if (!s) {
        char **all = processors_in(str_text(&r.err));
        size_t n = 0;
        while (all[n])
            n++;
        const char *near = nearest_word(set->cpu, (const char *const *)all, n);
        char *names = words_text(all);
        s = near ? error_set(e, ERR_INPUT, NOWHERE, "LLVM knows no processor '%s' of %s; did you mean '%s'?", set->cpu,
                             set->triple, near)
                 : error_set(e, ERR_INPUT, NOWHERE, "LLVM knows no processor '%s' of %s; it knows: %s", set->cpu,
                             set->triple, names);
        free(names);
        words_free(all);
    }
    proc_result_release(&r);
    free(triple);
    return s;
}

/* The first line with an error, other than about instructions that this processor lacks. */
static char *first_error(const char *text)
{
    const char *at = strstr(text, "error: ");
    at = at ? at + strlen("error: ") : text;
    return xstrndup(at, strcspn(at, "\n"));
}

static enum status judge(const struct mca_set *set, const struct proc_result *r, const struct proc *p, struct error *e)
{
    const char *said = str_text(&r->err);
    if (strstr(said, "is not a recognized processor"))
        return unknown_processor(set, e);
    if (strstr(said, "unable to find instruction-level scheduling information"))
        return error_set(e, ERR_INPUT, NOWHERE,
                         "LLVM compiles for '%s' but has no scheduling model of it: take a similar core that has one",
                         set->cpu);
    if (!r->exit_code && !r->signal)
        return OK;
    char *how = proc_how_ended(p, r), *why = first_error(said);
    enum status s = error_set(e, ERR_SYSTEM, NOWHERE, MCA_PROGRAM " %s: %s", how, why);
    free(how);
    free(why);
    return s;
}

/* ---- llvm-mca's answer ---- */

static void read_resources(struct mca_block *b, const json_t *region, size_t instructions)
{
    size_t i;
    json_t *one;
    json_t *all = json_object_get(json_object_get(region, "ResourcePressureView"), "ResourcePressureInfo");
    json_array_foreach(all, i, one)
    {
        json_int_t instruction = json_integer_value(json_object_get(one, "InstructionIndex"));
        json_int_t resource = json_integer_value(json_object_get(one, "ResourceIndex"));
        if (instruction != (json_int_t)instructions || resource < 0 || resource >= MCA_RESOURCES)
            continue;
        b->resources |= UINT64_C(1) << resource;
        b->pressure[resource] = json_number_value(json_object_get(one, "ResourceUsage"));
    }
}

static void read_last_instruction(struct mca_block *b, const json_t *region, size_t instructions)
{
    const json_t *all = json_object_get(json_object_get(region, "InstructionInfoView"), "InstructionList");
    const json_t *last = json_array_get(all, instructions - 1);
    b->slots = json_number_value(json_object_get(last, "NumMicroOpcodes"));
    b->latency = json_number_value(json_object_get(last, "Latency"));
}

/* Adds `sign` times the region's cycles. */
static void read_region(struct mca_set *set, const json_t *region, double sign)
{
    const char *name = json_string_value(json_object_get(region, "Name"));
    struct mca_block *b = name ? (struct mca_block *)mca_find(set, name) : NULL;
    const json_t *summary = json_object_get(region, "SummaryView");
    size_t there = json_array_size(json_object_get(region, "Instructions"));
    if (!b || !there || there != instructions_of(b))
        return;
    b->cycles += sign * json_number_value(json_object_get(summary, "TotalCycles")) / (MANY - FEW);
    set->width = json_number_value(json_object_get(summary, "DispatchWidth"));
    read_resources(b, region, there);
    read_last_instruction(b, region, there);
}

/* The common begin of all names, without a word for their kind: "A57Unit" for "A57UnitB" and "A57UnitI". */
static char *common_name(const json_t *resources)
{
    static const char *const kinds[] = {"Unit", "Pipe", "_", "Port"};
    const char *first = json_string_value(json_array_get(resources, 0));
    size_t n = first ? strlen(first) : 0, i;
    json_t *one;
    json_array_foreach(resources, i, one)
    {
        const char *name = json_string_value(one);
        size_t same = 0;
        while (name && same < n && name[same] == first[same])
            same++;
        n = same;
    }
    for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t k = strlen(kinds[i]);
        if (n > k && strncmp(first + n - k, kinds[i], k) == 0)
            n -= k;
    }
    return xstrndup(first ? first : "", n);
}

/* The length without a number at the end: "SKLPort" in "SKLPort5"; "A57UnitI" in "A57UnitI." followed by a byte that is
 * the number. */
static size_t stem_of(const char *name)
{
    size_t n = strcspn(name, ".");
    while (n > 1 && strchr("0123456789", name[n - 1]))
        n--;
    return n;
}

static void read_kinds(struct mca_set *set, const json_t *resources)
{
    size_t n = json_array_size(resources);
    for (unsigned i = 0; i < n && i < MCA_RESOURCES; i++) {
        const char *own = json_string_value(json_array_get(resources, i));
        for (set->kind[i] = 0; own && set->kind[i] < i; set->kind[i]++) {
            const char *other = json_string_value(json_array_get(resources, set->kind[i]));
            if (other && stem_of(other) == stem_of(own) && memcmp(other, own, stem_of(own)) == 0)
                break;
        }
    }
}

static enum status read_answer(struct mca_set *set, const char *path, double sign, struct error *e)
{
    json_t *top = NULL, *one;
    size_t i;
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    if (s)
        return s;
    json_error_t fault;
    top = json_loadb(str_text(&text), text.len, JSON_ALLOW_NUL, &fault);
    str_release(&text);
    json_t *regions = json_object_get(top, "CodeRegions");
    if (!json_is_array(regions))
        s = error_set(e, ERR_SYSTEM, NOWHERE,
                      "the answer of " MCA_PROGRAM " is not what LLVM 19 gives: it has no regions of code");
    json_array_foreach(regions, i, one) read_region(set, one, sign);
    if (!s)
        read_kinds(set, json_object_get(json_object_get(top, "TargetInfo"), "Resources"));
    if (!s && !set->model)
        set->model = common_name(json_object_get(json_object_get(top, "TargetInfo"), "Resources"));
    json_decref(top);
    return s;
}

/* Instructions that LLVM's model of a core lacks are left out by llvm-mca from LLVM 19 on; an older one ends at the first. */
static bool leaves_out(void)
{
    const char *number = program + strcspn(program, "0123456789");
    return !*number || atoi(number) >= 19;
}

static enum status run_once(struct mca_set *set, const char *folder, const char *input, int iterations, double sign,
                            struct error *e)
{
    char *triple = xasprintf("-mtriple=%s", set->triple), *cpu = xasprintf("-mcpu=%s", set->cpu);
    char *repeat = xasprintf("-iterations=%d", iterations), *out = path_join(folder, "out.json");
    char *features = xasprintf("-mattr=%s", target_find(set->triple)->features); /* as Linux requires */
    const char *const arguments[] = {program,  triple,  cpu,   repeat,
                                     features, "-json", input, leaves_out() ? "--skip-unsupported-instructions=any" : 0,
                                     0};
    struct proc_result r = PROC_RESULT_INIT;
    const struct proc p = {.argv = arguments, .cpu = -1};
    enum status s = run_mca(arguments, out, &r, e);
    if (!s)
        s = judge(set, &r, &p, e);
    if (!s)
        s = read_answer(set, out, sign, e);
    proc_result_release(&r);
    free(features);
    free(out);
    free(repeat);
    free(cpu);
    free(triple);
    return s;
}

/* ---- sizes of queues, which the JSON does not contain ---- */

/* Reads "Zn4Int           73         96         96": the last number is the size. */
static void add_buffer(struct mca_set *set, const char *line)
{
    char name[64];
    double size;
    if (sscanf(line, " %63s %*f %*f %lf", name, &size) != 2)
        return;
    double *to = strstr(name, "Load") ? &set->loads : strstr(name, "Store") ? &set->stores : &set->scheduler;
    *to = isfinite(*to) ? *to + size : size;
}

static void read_room(struct mca_set *set, const char *text)
{
    const char *rob = strstr(text, "Total ROB Entries:"), *queues = strstr(text, "Scheduler's queue usage:");
    if (rob)
        set->reorder = strtod(rob + strlen("Total ROB Entries:"), NULL);
    const char *at = queues ? strstr(queues, " [1] ") : NULL; /* the head of the table */
    for (at = at ? strchr(at, '\n') : NULL; at && at[1] && at[1] != '\n'; at = strchr(at + 1, '\n'))
        add_buffer(set, at + 1);
}

static enum status run_for_room(struct mca_set *set, const char *folder, struct error *e)
{
    char *triple = xasprintf("-mtriple=%s", set->triple), *cpu = xasprintf("-mcpu=%s", set->cpu);
    char *input = path_join(folder, "room.s");
    const char *const arguments[] = {program,         triple, cpu, "-retire-stats", "-scheduler-stats",
                                     "-iterations=1", input,  0};
    struct proc_result r = PROC_RESULT_INIT;
    set->reorder = set->scheduler = set->loads = set->stores = NAN;
    struct str text = STR_INIT;
    str_addf(&text, "%s%s", set->prologue ? set->prologue : "", set->blocks.n ? set->blocks.at[0].text : "");
    enum status s = file_write(input, str_text(&text), text.len, e);
    str_release(&text);
    if (!s)
        s = run_mca(arguments, NULL, &r, e);
    if (!s)
        read_room(set, str_text(&r.out));
    proc_result_release(&r);
    free(input);
    free(cpu);
    free(triple);
    return s;
}

/* Reads "Debian LLVM version 19.1.7". */
static enum status read_version(struct mca_set *set, struct error *e)
{
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = run_mca((const char *const[]){program, "--version", 0}, 0, &r, e);
    const char *at = s ? NULL : strstr(str_text(&r.out), "LLVM version ");
    if (!s)
        set->version = at ? xasprintf("LLVM %.*s", (int)strcspn(at + 13, " \n"), at + 13) : xstrdup("LLVM");
    proc_result_release(&r);
    return s;
}

enum status mca_run(struct mca_set *set, struct error *e)
{
    char *folder = NULL;
    enum status s = temp_directory(&folder, "shimgen-core", e);
    if (s)
        return s;
    char *input = path_join(folder, "kernels.s");
    for (size_t i = 0; i < set->blocks.n; i++)
        set->blocks.at[i].cycles = 0;
    s = read_version(set, e);
    if (!s)
        s = write_blocks(set, input, e);
    if (!s)
        s = run_once(set, folder, input, FEW, -1, e);
    if (!s)
        s = run_once(set, folder, input, MANY, 1, e);
    if (!s)
        s = run_for_room(set, folder, e);
    size_t known = 0;
    for (size_t i = 0; i < set->blocks.n; i++) {
        struct mca_block *b = &set->blocks.at[i];
        b->cycles = b->cycles > 0 ? b->cycles : NAN;
        known += isfinite(b->cycles);
    }
    if (!s && !known)
        s = error_set(e, ERR_SYSTEM, NOWHERE, MCA_PROGRAM " gave no cycles of any instruction for '%s'", set->cpu);
    free(input);
    free(folder);
    return s;
}
