/* instrument.c - puts counters, simulators and the module's description into a module. */
#include "irprof/instrument/instrument.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/cli.h"
#include "irprof/events/events.h"
#include "irprof/profile/format.h"
#include "irprof/module/debug_nodes.h"
#include "irprof/module/hooks.h"
#include "irprof/module/plan.h"
#include "irprof/events/state.h"
#include "irprof/module/step_regions.h"
#include "irprof/codegen/spill.h"

/* Internal names. A module that has the first one is already instrumented. */
static const char data_name[] = "__irprof_module";

struct builder {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTypeRef word, half, pointer;
};

static LLVMValueRef add_data(struct builder *b, const char *name, LLVMTypeRef type, LLVMValueRef value, bool constant)
{
    LLVMValueRef g = LLVMAddGlobal(b->module, type, name);
    LLVMSetInitializer(g, value);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, constant);
    LLVMSetAlignment(g, 8);
    return g;
}

/* struct irprof_rt_module of runtime/rt.h. */
static LLVMValueRef add_module_data(struct builder *b, const struct str *text, LLVMValueRef counters,
                                    const struct plan *plan)
{
    LLVMValueRef bytes = llvm_constant_bytes(b->context, str_text(text), text->len);
    LLVMValueRef description = add_data(b, "__irprof_description", LLVMTypeOf(bytes), bytes, true);
    LLVMValueRef fields[] = {
        LLVMConstInt(b->word, hash_bytes(HASH_START, str_text(text), text->len), 0),
        LLVMConstInt(b->word, text->len, 0),
        LLVMConstInt(b->word, plan->n_counters, 0),
        description,
        counters,
        LLVMConstNull(b->pointer),
        LLVMConstInt(b->half, FORMAT_ABI, 0),
        LLVMConstInt(b->half, plan->n_simulated, 0),
        LLVMConstInt(b->half, plan->options && plan->options->by_thread, 0),
        LLVMConstNull(b->half),
    };
    LLVMValueRef data = LLVMConstStructInContext(b->context, fields, sizeof fields / sizeof *fields, 0);
    return add_data(b, data_name, LLVMTypeOf(data), data, false);
}

static void add_all(struct llvm_module *m, struct plan *plan, const struct str *text, enum irprof_counters kind)
{
    struct builder b = {.context = m->context, .module = m->module};
    b.word = LLVMInt64TypeInContext(m->context);
    b.half = LLVMInt32TypeInContext(m->context);
    b.pointer = LLVMPointerTypeInContext(m->context, 0);
    LLVMTypeRef array = LLVMArrayType2(b.word, plan->n_counters);
    LLVMValueRef counters = add_data(&b, "__irprof_counters", array, LLVMConstNull(array), false);
    LLVMValueRef mine = kind == IRPROF_COUNTERS_THREAD ? counter_add_mine(m->module, counters) : 0;
    struct place_target target = {m->module, counters, mine, kind};
    LLVMValueRef data = add_module_data(&b, text, counters, plan);
    window_insert(plan, &target); /* before the increments, which belong to the window that begins */
    place_insert(plan, &target);
    memory_insert(plan, &target);
    branch_insert(plan, &target);
    traffic_insert(plan, &target);
    footprint_insert(plan, &target, data);
    size_insert(plan, &target);
    quotient_insert(plan, &target);
    counter_finish(&target, data);
    if (plan->accesses.n || plan->branches.n || plan->switches.n || plan->jumps.n || plan->windows)
        state_finish(m->module);
    place_finish(m->module);
    hook_list(m->module, "llvm.global_ctors", hook_add(m->module, "__irprof_enter", "irprof_rt_register", data));
    hook_list(m->module, "llvm.global_dtors", hook_add(m->module, "__irprof_leave", "irprof_rt_unregister", data));
}

/* ---- headers ---- */

static bool is_header(const char *path)
{
    static const char *const endings[] = {".h", ".hh", ".hpp", ".hxx", ".h++", ".H"};
    static const char *const system[] = {"/usr/include/", "/usr/lib/", "/usr/lib64/"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        if (strncmp(path, system[i], strlen(system[i])) == 0)
            return false;
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

/* Adds headers without code, since those of a model contain the names of its systems. System headers are left out. */
static void add_headers(struct plan *plan, LLVMModuleRef module)
{
    struct map files = {0};
    debug_names(module, &files, 0);
    for (size_t i = 0; i < files.n; i++) {
        if (!is_header(files.keys[i]) || map_get(&plan->files, files.keys[i], 0))
            continue;
        map_number(&plan->files, files.keys[i]);
        vec_push(&plan->checksums, (char *)0);
    }
    map_release(&files);
}

/* Adds the plan's description to the module, and everything that goes with it. */
static enum status finish(struct llvm_module *m, struct plan *plan, const char *path,
                          const struct instrument_options *o, struct error *e)
{
    struct str text = STR_INIT;
    plan->n_simulated = plan->n_counters;
    place_values(plan, o->windows ? PLACE_PLAIN : o->scheme);
    enum status s = o->spills ? spill_plan(plan, m->module, o->spills, path, e) : OK;
    if (s)
        return s;
    access_plan(plan, m->module);
    add_headers(plan, m->module);
    describe(&text, plan, m->module, o->counters);
    if (text.len > UINT32_MAX)
        s = error_set(e, ERR_UNSUPPORTED, AT_FILE(path), "too large to instrument: split the module");
    else if (plan->functions.n)
        add_all(m, plan, &text, o->counters);
    char *wrong = s ? 0 : llvm_verify(m);
    if (wrong)
        BUG("%s: the instrumented module is not valid: %s", path, wrong);
    str_release(&text);
    return s;
}

enum status instrument(struct llvm_module *m, const char *path, const struct instrument_options *o, struct error *e)
{
    if (LLVMGetNamedGlobal(m->module, data_name))
        return error_set(e, ERR_INPUT, AT_FILE(path), "already instrumented: give the IR as the compiler wrote it");
    struct plan plan;
    enum status s = instrument_options_check(o, e);
    if (s)
        return s;
    char *marked = steps_and_instances(o->steps, o->instances);
    steps_mark(m->module, marked);
    free(marked);
    plan_make(&plan, m->module, o);
    if (o->traffic)
        traffic_plan(&plan);
    if (o->footprint)
        footprint_plan(&plan);
    s = finish(m, &plan, path, o, e);
    plan_release(&plan);
    return s;
}

enum status instrument_missing(const char *out, const struct instrument_missing *list, size_t n,
                               const struct instrument_options *o, struct error *e)
{
    static const char name[] = "(not counted)";
    struct llvm_module m;
    struct plan plan = {0};
    m.context = LLVMContextCreate();
    m.module = LLVMModuleCreateWithNameInContext(name, m.context);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m.context), 0, 0, 0);
    for (size_t i = 0; i < n; i++) {
        LLVMValueRef function = LLVMAddFunction(m.module, list[i].name, type);
        vec_push(&plan.functions, (struct plan_function){.function = function, .not_counted = list[i].why});
    }
    enum status s = finish(&m, &plan, name, o, e);
    if (!s)
        s = llvm_store(&m, out, e);
    plan_release(&plan);
    llvm_release(&m);
    return s;
}

enum status instrument_file(const char *in, const char *out, bool compiled, const struct instrument_options *o,
                            struct error *e)
{
    struct llvm_module m;
    enum status s = compiled ? llvm_load_compiled(&m, in, e) : llvm_load(&m, in, e);
    if (s)
        return s;
    if (!(s = instrument(&m, in, o, e)))
        s = llvm_store(&m, out, e);
    llvm_release(&m);
    return s;
}
