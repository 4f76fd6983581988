/*
 * module_data.c - the data that a stamped module hands to the runtime: struct stamp_module of stamp_format.h. For
 * readers of what kernels have recorded, the module has the same text as metadata.
 */
#include <stdlib.h>
#include <string.h>

#include "irprof/module/hooks.h"
#include "irprof/stamp/work.h"

static const char name[] = "irprof_stamp_module";

static LLVMTypeRef data_type(const struct work *w)
{
    LLVMTypeRef fields[] = {w->half, w->half, w->half, w->half, w->word, w->pointer, w->word, w->pointer};
    return LLVMStructTypeInContext(w->context, fields, sizeof fields / sizeof *fields, 0);
}

void data_declare(struct work *w)
{
    w->data = LLVMAddGlobal(w->module, data_type(w), name);
    LLVMSetLinkage(w->data, LLVMInternalLinkage);
    LLVMSetAlignment(w->data, 8);
}

/* Tabs and line ends are separators, so in a text they become \xHH. */
static void add_text(struct str *out, const char *text)
{
    for (const char *s = text ? text : ""; *s; s++) {
        if ((unsigned char)*s < ' ' || *s == '\\')
            str_addf(out, "\\x%02x", (unsigned char)*s);
        else
            str_addch(out, *s);
    }
}

enum { NAMES_LISTED = 8 };

/* What exists in place of a missing point: the nearest name and some others. */
static void describe_names(const struct stamp_spec *s, struct str *out)
{
    const char *colon = strchr(s->text, ':');
    const char *near = nearest_word(colon ? colon + 1 : s->text, (const char *const *)s->names.keys, s->names.n);
    if (near) {
        str_addch(out, '\t');
        add_text(out, near);
    }
    for (size_t i = 0; i < s->names.n && i < NAMES_LISTED; i++) {
        str_addch(out, '\t');
        add_text(out, s->names.keys[i]);
    }
}

/* Writes the "module text" of docs/formats/stamps.md. */
static void describe(const struct work *w, struct str *out)
{
    static const char *const kinds[] = {"begin", "end", "mark", "result"};
    static const char *const modes[] = STAMP_MODE_WORDS;
    for (size_t i = 0; i < w->points.n; i++) {
        const struct point *p = &w->points.at[i];
        str_addf(out, "%s\t%s\t", kinds[p->kind], modes[w->options->mode]);
        add_text(out, p->name);
        str_addch(out, '\t');
        add_text(out, p->function);
        str_addch(out, '\t');
        add_text(out, p->file);
        str_addf(out, "\t%u\n", p->line);
    }
    for (size_t i = 0; i < w->specs->all.n; i++) {
        const struct stamp_spec *spec = &w->specs->all.at[i];
        str_addf(out, "%s\t", spec->found ? "found" : "missing");
        add_text(out, spec->text);
        if (!spec->found)
            describe_names(spec, out);
        str_addch(out, '\n');
    }
}

/* !irprof.stamp.text = !{!{!"TEXT", i32 points}} */
void data_list_text(const struct work *w)
{
    struct str text = STR_INIT;
    describe(w, &text);
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(w->context, str_text(&text), text.len),
                               LLVMValueAsMetadata(LLVMConstInt(w->half, w->points.n, 0))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(w->context, parts, sizeof parts / sizeof *parts);
    LLVMAddNamedMetadataOperand(w->module, STAMP_TEXT, LLVMMetadataAsValue(w->context, node));
    str_release(&text);
}

static LLVMValueRef add_constant(struct work *w, const char *what, LLVMValueRef value)
{
    LLVMValueRef g = LLVMAddGlobal(w->module, LLVMTypeOf(value), what);
    LLVMSetInitializer(g, value);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, 1);
    return g;
}

void data_define(struct work *w, LLVMValueRef sleds, unsigned n_sleds)
{
    struct str text = STR_INIT;
    describe(w, &text);
    LLVMValueRef bytes = llvm_constant_bytes(w->context, str_text(&text), text.len);
    LLVMValueRef fields[] = {
        LLVMConstInt(w->half, STAMP_ABI, 0),
        LLVMConstInt(w->half, w->clock, 0),
        LLVMConstInt(w->half, STAMP_UNREGISTERED, 0),
        LLVMConstInt(w->half, w->points.n, 0),
        LLVMConstInt(w->word, text.len, 0),
        add_constant(w, "irprof_stamp_text", bytes),
        LLVMConstInt(w->word, n_sleds, 0),
        n_sleds ? add_constant(w, "irprof_stamp_sleds", sleds) : LLVMConstNull(w->pointer),
    };
    LLVMSetInitializer(w->data, LLVMConstStructInContext(w->context, fields, sizeof fields / sizeof *fields, 0));
    hook_list(w->module, "llvm.global_ctors",
              hook_add(w->module, "irprof_stamp_enter", "irprof_stamp_register", w->data));
    str_release(&text);
}
