/* merge.c - the values of a fitted model into the cores of a document. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/str.h"
#include "shim-xml/model.h"
#include "shim-xml/private.h"

static const char *const instructions[] = {
#define INSTRUCTION(name) #name,
#include "shim-xml/instructions.def"
#undef INSTRUCTION
};
enum { N_INSTRUCTIONS = sizeof instructions / sizeof *instructions };

/* LLVM's name of an entry of the reference list. */
static const char *llvm_name(const char *instruction)
{
    return strcmp(instruction, "extractivalue") == 0 ? "extractvalue" : instruction;
}

/* Two single-precision roundings must not turn best <= typical <= worst round: a rounding is monotone, so they do not.
 */
static void set_range(xmlNode *performance, const char *which, const struct shimxml_range *v)
{
    xmlNode *n = node_child(performance, which);
    if (!n) {
        n = xmlNewDocNode(performance->doc, 0, BAD_CAST which, 0);
        xmlNode *first = node_child(performance, 0);
        if (strcmp(which, "Pitch") == 0 && first)
            xmlAddPrevSibling(first, n);
        else
            xmlAddChild(performance, n);
    }
    node_set_number(n, "best", v->best);
    node_set_number(n, "typical", v->typical);
    node_set_number(n, "worst", v->worst);
}

static void set_instruction(xmlNode *instruction, const struct model *m, const char *name)
{
    struct shimxml_range pitch, latency;
    size_t variable;
    model_value(&pitch, &variable, m, llvm_name(name), false);
    model_value(&latency, &variable, m, llvm_name(name), true);
    xmlNode *performance = node_child(instruction, "Performance");
    if (!performance)
        performance = node_add(instruction, "Performance");
    set_range(performance, "Pitch", &pitch);
    set_range(performance, "Latency", &latency);
}

static bool is_listed(const char *name)
{
    for (size_t i = 0; i < N_INSTRUCTIONS; i++)
        if (strcmp(instructions[i], name) == 0)
            return true;
    return false;
}

/* Existing entries are updated (all of a doubled name), missing ones added; entries that are no LLVM instruction stay.
 */
static void merge_core(xmlNode *core, const struct model *m)
{
    xmlNode *set = node_child(core, "CommonInstructionSet");
    if (!set) {
        set = xmlNewDocNode(core->doc, 0, BAD_CAST "CommonInstructionSet", 0);
        node_set(set, "name", "LLVM Instructions");
        if (core->children)
            xmlAddPrevSibling(core->children, set);
        else
            xmlAddChild(core, set);
    }
    bool present[N_INSTRUCTIONS] = {false};
    for (xmlNode *i = node_child(set, "Instruction"); i; i = node_next(i, "Instruction")) {
        const char *name = node_attribute(i, "name");
        if (!name || !is_listed(name))
            continue;
        set_instruction(i, m, name);
        for (size_t k = 0; k < N_INSTRUCTIONS; k++)
            present[k] |= strcmp(instructions[k], name) == 0;
    }
    for (size_t k = 0; k < N_INSTRUCTIONS; k++) {
        if (present[k])
            continue;
        xmlNode *i = node_add(set, "Instruction");
        node_set(i, "name", instructions[k]);
        set_instruction(i, m, instructions[k]);
    }
}

/* ---- where the values come from, as a comment: SHIM 1.0 has no other place for it ---- */

static void list_source(struct str *text, const struct model *m, enum model_source wanted, const char *sentence)
{
    struct str names = STR_INIT;
    for (size_t k = 0; k < N_INSTRUCTIONS; k++) {
        struct shimxml_range ignored;
        size_t pv, lv;
        enum model_source p = model_value(&ignored, &pv, m, llvm_name(instructions[k]), false);
        enum model_source l = model_value(&ignored, &lv, m, llvm_name(instructions[k]), true);
        if (p == wanted)
            str_addf(&names, " %s", instructions[k]);
        if (l == wanted)
            str_addf(&names, " %s_d", instructions[k]);
    }
    if (names.len)
        str_addf(text, "\n         %s:%s.", sentence, str_text(&names));
    str_release(&names);
}

static void add_percent(struct str *text, const char *what, double error)
{
    if (isfinite(error))
        str_addf(text, " %s %.3g %%.", what, 100 * error);
}

static char *provenance(const struct model *m)
{
    struct str text = STR_INIT;
    str_addf(&text,
             " Instruction values: shim-xml %s, fitted with classification '%s' and solver '%s' on data %s."
             "\n         Latency: an operand is the result of the instruction before; Pitch: any other."
             "\n         best and worst: 5 %% and 95 %% of a bootstrap over the programs.",
             SHIMGEN_VERSION, m->classes, m->solver, m->data_hash);
    add_percent(&text, "Mean absolute error on programs left out of the fit", m->held_out);
    add_percent(&text, "On the programs fitted on", m->training);
    list_source(&text, m, MODEL_CLASS,
                "Without evidence of their own, with the value of their class (_d: the latency)");
    list_source(&text, m, MODEL_TWIN, "With evidence for the other of pitch and latency only, taken for both");
    list_source(&text, m, MODEL_ALL, "Without evidence even for their class, with the mean of all");
    str_add(&text, " ");
    return str_detach(&text);
}

#define MARK " Instruction values: "

/* One comment before the components; that of an earlier merge is replaced. */
static void set_provenance(xmlNode *root, const struct model *m)
{
    for (xmlNode *n = root->children, *next; n; n = next) {
        next = n->next;
        if (n->type == XML_COMMENT_NODE && n->content && strncmp((const char *)n->content, MARK, strlen(MARK)) == 0) {
            xmlUnlinkNode(n);
            xmlFreeNode(n);
        }
    }
    char *text = provenance(m);
    for (char *p = text; (p = strstr(p, "--"));)
        p[1] = '_';
    xmlNode *comment = xmlNewDocComment(root->doc, BAD_CAST text);
    if (root->children)
        xmlAddPrevSibling(root->children, comment);
    else
        xmlAddChild(root, comment);
    free(text);
}

static void list_cores(struct str *names, const xmlNode *root)
{
    for (const xmlNode *n = root; n; n = node_following(n, root))
        if (node_is(n, "MasterComponent") && node_attribute(n, "name"))
            str_addf(names, "%s%s", names->len ? ", " : "", node_attribute(n, "name"));
}

enum status shimxml_merge(struct shimxml_doc *d, const char *model_path, const char *core_glob, struct error *e)
{
    xmlNode *root = xmlDocGetRootElement(d->xml);
    if (!node_is(root, "SystemConfiguration"))
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "not a SHIM 1.0 file: the root is not SystemConfiguration");
    struct model *m = 0;
    enum status s = model_read(&m, model_path, e);
    if (s)
        return s;
    size_t merged = 0;
    for (xmlNode *n = root; n; n = node_following(n, root)) {
        const char *name = node_is(n, "MasterComponent") ? node_attribute(n, "name") : 0;
        const char *type = name ? node_attribute(n, "masterType") : 0;
        if (!name || !type || strcmp(type, "PU") != 0 || (core_glob && !glob_match(core_glob, name)))
            continue;
        merge_core(n, m);
        merged++;
    }
    if (merged) {
        set_provenance(root, m);
    } else {
        struct str names = STR_INIT;
        list_cores(&names, root);
        s = error_set(e, ERR_INPUT, AT_FILE(d->path), "no processing unit%s%s; there are: %s",
                      core_glob ? " is named " : "", core_glob ? core_glob : "", str_text(&names));
        str_release(&names);
    }
    model_free(m);
    return s;
}
