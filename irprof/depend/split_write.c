/* split_write.c - writes modules with a function taken apart: the variables that parts share, and the calls in place of
 * the function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "irprof/depend/split.h"

enum { LINE = 64 }; /* a cache line for each, so that two cores never write the same line */

static LLVMTypeRef void_type(const struct splitting *s)
{
    return LLVMFunctionType(LLVMVoidTypeInContext(s->context), 0, 0, 0);
}

/* ---- what the parts share ---- */

static LLVMValueRef add_variable(const struct splitting *s, LLVMTypeRef type, const char *name)
{
    LLVMValueRef v = LLVMAddGlobal(s->module, type, name);
    LLVMSetLinkage(v, LLVMInternalLinkage);
    LLVMSetInitializer(v, LLVMConstNull(type));
    LLVMSetAlignment(v, LINE);
    return v;
}

/* Is a value shared: used by a part that does not compute it, or by the return? */
static bool is_shared(const struct looking *x, size_t i)
{
    size_t user;
    for (LLVMUseRef u = LLVMGetFirstUse(x->spots.at[i].value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef v = LLVMGetUser(u);
        if (LLVMIsAReturnInst(v) ||
            (depend_number_of(&x->values, v, &user) && x->spots.at[user].part != x->spots.at[i].part))
            return true;
    }
    return false;
}

static void add_locals(struct splitting *s)
{
    for (size_t b = 0; b < s->x->flow.n; b++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(s->blocks[b]); v; v = LLVMGetNextInstruction(v)) {
            char key[32];
            if (!LLVMIsAAllocaInst(v))
                continue;
            LLVMValueRef at = add_variable(s, LLVMGetAllocatedType(v), "map_frame");
            unsigned align = LLVMGetAlignment(v);
            LLVMSetAlignment(at, align > LINE ? align : LINE);
            snprintf(key, sizeof key, "%p", (void *)v);
            map_put(&s->locals, key, s->variables.n);
            vec_push(&s->variables, at);
        }
}

static void add_cells(struct splitting *s)
{
    const struct looking *x = s->x;
    unsigned n = LLVMCountParams(x->function);
    s->cells = xcalloc(x->spots.n + 1, sizeof *s->cells);
    s->arguments = xcalloc(n + 1, sizeof *s->arguments);
    for (size_t i = 0; i < x->spots.n; i++)
        if (is_shared(x, i))
            s->cells[i] = add_variable(s, LLVMTypeOf(x->spots.at[i].value), "map_value");
    for (unsigned k = 0; k < n; k++)
        s->arguments[k] = add_variable(s, LLVMTypeOf(LLVMGetParam(x->function, k)), "map_argument");
}

LLVMValueRef depend_split_value(const struct splitting *s, LLVMBuilderRef b, LLVMValueRef operand)
{
    size_t i;
    if (depend_number_of(&s->locals, operand, &i))
        return s->variables.at[i];
    if (depend_number_of(&s->x->values, operand, &i))
        return LLVMBuildLoad2(b, LLVMTypeOf(operand), s->cells[i], "");
    for (unsigned k = 0; k < LLVMCountParams(s->x->function); k++)
        if (LLVMGetParam(s->x->function, k) == operand)
            return LLVMBuildLoad2(b, LLVMTypeOf(operand), s->arguments[k], "");
    return operand;
}

/* ---- functions around the parts ---- */

LLVMValueRef depend_split_function(const struct splitting *s, const char *name, LLVMBuilderRef *b)
{
    LLVMValueRef f = LLVMAddFunction(s->module, name, void_type(s));
    *b = LLVMCreateBuilderInContext(s->context);
    LLVMPositionBuilderAtEnd(*b, LLVMAppendBasicBlockInContext(s->context, f, ""));
    return f;
}

static LLVMValueRef return_of(const struct splitting *s)
{
    for (size_t b = 0; b < s->x->flow.n; b++) {
        LLVMValueRef v = LLVMGetBasicBlockTerminator(s->blocks[b]);
        if (LLVMIsAReturnInst(v))
            return v;
    }
    return 0;
}

/* The function's own name now calls map_step. The original function gets another name. */
static void add_step(struct splitting *s, LLVMValueRef result)
{
    LLVMValueRef f = s->x->function;
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    size_t n;
    char *name = xstrdup(LLVMGetValueName2(f, &n));
    LLVMSetValueName2(f, "map_as_it_was", strlen("map_as_it_was"));
    LLVMValueRef step = LLVMAddFunction(s->module, name, type);
    LLVMSetLinkage(step, LLVMGetLinkage(f));
    LLVMReplaceAllUsesWith(f, step);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(s->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(s->context, step, ""));
    for (unsigned k = 0; k < LLVMCountParams(f); k++)
        LLVMBuildStore(b, LLVMGetParam(step, k), s->arguments[k]);
    LLVMBuildCall2(b, void_type(s), LLVMAddFunction(s->module, "map_step", void_type(s)), 0, 0, "");
    if (result)
        LLVMBuildRet(b, LLVMBuildLoad2(b, LLVMGetReturnType(type), result, ""));
    else
        LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    free(name);
}

static void add_sequential(const struct splitting *s, LLVMValueRef result)
{
    LLVMBuilderRef b;
    LLVMValueRef f = s->x->function;
    unsigned n = LLVMCountParams(f);
    LLVMValueRef *values = xcalloc(n + 1, sizeof *values);
    depend_split_function(s, "map_sequential", &b);
    for (unsigned k = 0; k < n; k++)
        values[k] = LLVMBuildLoad2(b, LLVMTypeOf(LLVMGetParam(f, k)), s->arguments[k], "");
    LLVMValueRef value = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, values, n, "");
    if (result)
        LLVMBuildStore(b, value, result);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    free(values);
}

static void add_finish(const struct splitting *s, LLVMValueRef result)
{
    LLVMBuilderRef b;
    LLVMValueRef end = return_of(s);
    depend_split_function(s, "map_finish", &b);
    if (result && end)
        LLVMBuildStore(b, depend_split_value(s, b, LLVMGetOperand(end, 0)), result);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
}

/* ---- the table of variables ---- */

/* Is it the program's state? Lists of the compiler's own, which the linker joins, are not. */
static bool is_state(LLVMValueRef v)
{
    return !LLVMIsDeclaration(v) && !LLVMIsGlobalConstant(v) && LLVMGetLinkage(v) != LLVMAppendingLinkage &&
           LLVMTypeIsSized(LLVMGlobalGetValueType(v));
}

static LLVMValueRef text_constant(LLVMModuleRef module, LLVMContextRef context, const char *text, size_t n)
{
    LLVMValueRef bytes = LLVMConstStringInContext2(context, text, n, false);
    LLVMValueRef v = LLVMAddGlobal(module, LLVMTypeOf(bytes), "map_name");
    LLVMSetInitializer(v, bytes);
    LLVMSetLinkage(v, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(v, true);
    return v;
}

/* Adds "map_variables_N": name, address and size of each variable of the module; the last entry is all zeros. */
static void add_table(LLVMModuleRef module, LLVMContextRef context, size_t number)
{
    VEC(LLVMValueRef) state = {0}, rows = {0};
    LLVMTypeRef ptr = LLVMPointerTypeInContext(context, 0), i64 = LLVMInt64TypeInContext(context);
    LLVMTypeRef fields[] = {ptr, ptr, i64}, row = LLVMStructTypeInContext(context, fields, 3, false);
    char *name = xasprintf("map_variables_%zu", number);
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
        if (is_state(v))
            vec_push(&state, v);
    for (size_t i = 0; i < state.n; i++) {
        size_t n;
        const char *text = LLVMGetValueName2(state.at[i], &n);
        LLVMValueRef is[] = {text_constant(module, context, text, n), state.at[i],
                             LLVMConstTruncOrBitCast(LLVMSizeOf(LLVMGlobalGetValueType(state.at[i])), i64)};
        vec_push(&rows, LLVMConstStructInContext(context, is, 3, false));
    }
    vec_push(&rows, LLVMConstNull(row));
    LLVMValueRef table = LLVMAddGlobal(module, LLVMArrayType2(row, rows.n), name);
    LLVMSetInitializer(table, LLVMConstArray2(row, rows.at, rows.n));
    LLVMSetGlobalConstant(table, true);
    vec_release(&state);
    vec_release(&rows);
    free(name);
}

/* ---- what cannot be done ---- */

static enum status refuse(struct error *e, const char *why)
{
    return error_set(e, ERR_INPUT, NOWHERE, "%s", why);
}

static enum status check_instruction(LLVMValueRef v, struct error *e)
{
    if (LLVMIsAAllocaInst(v) && !LLVMIsAConstantInt(LLVMGetOperand(v, 0)))
        return refuse(e, "it has an array of variable length; give the array a fixed length");
    if (LLVMIsAIndirectBrInst(v) || LLVMIsACallBrInst(v) || LLVMIsAInvokeInst(v))
        return refuse(e, "it jumps to an address that is computed, or out of assembly or an exception");
    if (LLVMIsACallInst(v) && llvm_call_has(v, "returns_twice"))
        return refuse(e, "it calls setjmp or something like it: who returns there must be on the same thread");
    return OK;
}

static enum status check_flow(const struct splitting *s, struct error *e)
{
    size_t returns = 0;
    for (size_t b = 0; b < s->x->flow.n; b++) {
        if (s->back.place[b + 1] == GRAPH_NONE)
            return refuse(e, "it has a loop without an end");
        for (LLVMValueRef v = LLVMGetFirstInstruction(s->blocks[b]); v; v = LLVMGetNextInstruction(v)) {
            enum status st = check_instruction(v, e);
            if (st)
                return st;
            returns += LLVMIsAReturnInst(v) != 0;
        }
    }
    if (returns != 1 && LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(s->x->function))) != LLVMVoidTypeKind)
        return refuse(e, "it returns its result at several places; the IR must be as written, without optimisation");
    return OK;
}

static bool has_parameter_attribute(LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    for (unsigned k = 1; k <= LLVMCountParams(f); k++)
        if (LLVMGetEnumAttributeAtIndex(f, k, kind))
            return true;
    return false;
}

static enum status check_variables(const struct looking *x, struct error *e)
{
    for (size_t i = 0; i < x->w.modules.n; i++)
        for (LLVMValueRef v = LLVMGetFirstGlobal(x->w.modules.at[i].module); v; v = LLVMGetNextGlobal(v)) {
            size_t n;
            if (LLVMIsThreadLocal(v))
                return error_set(e, ERR_INPUT, NOWHERE,
                                 "variable '%s' is thread-local: each core would have its own; declare it without "
                                 "_Thread_local",
                                 LLVMGetValueName2(v, &n));
        }
    return OK;
}

static enum status check(const struct splitting *s, struct error *e)
{
    LLVMValueRef f = s->x->function;
    enum status st = check_flow(s, e);
    if (st)
        return st;
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)) || has_parameter_attribute(f, "byval") ||
        has_parameter_attribute(f, "sret"))
        return refuse(e, "structures are handed over by value, or a variable number of arguments; hand over pointers");
    return check_variables(s->x, e);
}

/* ---- everything together ---- */

static bool works_outside(const struct looking *x)
{
    for (size_t i = 0; i < x->effects.at.n; i++)
        if (x->effects.at.at[i].object == OBJECT_WORLD && x->effects.at.at[i].write)
            return true;
    return false;
}

static void open_splitting(struct splitting *s, struct looking *x)
{
    size_t n = 0;
    *s = (struct splitting){.x = x,
                            .module = x->w.modules.at[x->module].module,
                            .context = x->w.modules.at[x->module].context,
                            .blocks = xcalloc(x->flow.n + 1, sizeof *s->blocks)};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(x->function); b; b = LLVMGetNextBasicBlock(b))
        s->blocks[n++] = b;
    depend_flow_back(&s->back, x);
}

static void close_splitting(struct splitting *s)
{
    graph_release(&s->back);
    map_release(&s->locals);
    vec_release(&s->variables);
    free(s->blocks);
    free(s->cells);
    free(s->arguments);
}

/* The variable that holds the function's result is in the table too. NULL: there is no result. */
static LLVMValueRef add_result(const struct splitting *s)
{
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(s->x->function));
    return LLVMGetTypeKind(type) == LLVMVoidTypeKind ? 0 : add_variable(s, type, "map_result");
}

static enum status take_apart(struct looking *x, size_t n_parts, struct error *e)
{
    struct splitting s;
    LLVMValueRef result = 0;
    open_splitting(&s, x);
    enum status st = check(&s, e);
    if (!st) {
        result = add_result(&s);
        for (size_t i = 0; i < x->w.modules.n; i++)
            add_table(x->w.modules.at[i].module, x->w.modules.at[i].context, i);
        add_locals(&s);
        add_cells(&s);
    }
    for (size_t k = 0; k < n_parts && !st; k++)
        st = depend_split_part(&s, k, e);
    if (!st) {
        add_finish(&s, result);
        add_step(&s, result);
        add_sequential(&s, result);
    }
    close_splitting(&s);
    return st;
}

/* "controller.ll" for module "…/controller.c"; a second one with that name becomes "controller_2.ll". */
static char *file_of(const struct depend_split *out, LLVMModuleRef module)
{
    size_t n;
    const char *source = path_basename(LLVMGetSourceFileName(module, &n));
    char *stem = xstrndup(source, strcspn(source, ".")), *name = xasprintf("%s.ll", stem);
    for (char *c = stem; *c; c++)
        if (strchr(" \t'\"$\\:#%", *c))
            *c = '_';
    for (size_t k = 1; k <= out->files.n + 1; k++) {
        bool taken = false;
        free(name);
        name = k == 1 ? xasprintf("%s.ll", stem) : xasprintf("%s_%zu.ll", stem, k);
        for (size_t i = 0; i < out->files.n; i++)
            taken |= strcmp(out->files.at[i], name) == 0;
        if (!taken)
            break;
    }
    free(stem);
    return name;
}

static enum status write_all(struct depend_split *out, const struct looking *x, const char *folder, struct error *e)
{
    for (size_t i = 0; i < x->w.modules.n; i++) {
        vec_push(&out->files, file_of(out, x->w.modules.at[i].module));
        char *path = path_join(folder, out->files.at[i]);
        enum status st = llvm_store(&x->w.modules.at[i], path, e);
        free(path);
        if (st)
            return st;
    }
    return OK;
}

enum status depend_split_write(struct depend_split *out, const char *folder, const char *const *modules,
                               const char *function, const struct depend_parts *parts, size_t n_parts, struct error *e)
{
    struct looking x;
    *out = (struct depend_split){0};
    enum status st = depend_look(&x, modules, function, parts, e);
    if (!st) {
        out->outside = works_outside(&x);
        st = take_apart(&x, n_parts, e);
        if (st)
            st = error_context(e, "function '%s' cannot be taken apart", function);
    }
    if (!st)
        st = write_all(out, &x, folder, e);
    depend_look_release(&x);
    return st;
}

void depend_split_release(struct depend_split *s)
{
    for (size_t i = 0; i < s->files.n; i++)
        free(s->files.at[i]);
    vec_release(&s->files);
}
