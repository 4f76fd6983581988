/* loops.c - points at loops: their entries and exits, and the begin of each iteration. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/count/cfg.h"
#include "irprof/module/edge_split.h"
#include "irprof/stamp/work.h"

/* A loop's place according to clang: a location among the operands of !llvm.loop at its back edge. */
static bool written_place(LLVMValueRef terminator, char **file, unsigned *line)
{
    static const char kind[] = "llvm.loop";
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(terminator));
    LLVMValueRef node = LLVMGetMetadata(terminator, LLVMGetMDKindIDInContext(context, kind, strlen(kind)));
    unsigned n = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
    LLVMValueRef *operands = xcalloc(n + 1, sizeof *operands);
    if (node)
        LLVMGetMDNodeOperands(node, operands);
    *file = 0;
    for (unsigned i = 1; i < n && !*file; i++) {
        LLVMMetadataRef m = operands[i] ? LLVMValueAsMetadata(operands[i]) : 0;
        if (!m || LLVMGetMetadataKind(m) != LLVMDILocationMetadataKind)
            continue;
        LLVMMetadataRef f = LLVMDIScopeGetFile(LLVMDILocationGetScope(m));
        *file = f ? llvm_file_name(f) : 0;
        *line = LLVMDILocationGetLine(m);
    }
    free(operands);
    return *file != 0;
}

/* A loop's place as in irprof's reports: the first line in its header. */
static bool header_place(LLVMBasicBlockRef header, char **file, unsigned *line)
{
    *file = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); i && !*file; i = LLVMGetNextInstruction(i))
        llvm_instruction_place(i, file, line);
    return *file != 0;
}

static void note_name(struct map *names, const char *file, unsigned line)
{
    const char *slash = strrchr(file, '/');
    char *text = xasprintf("%s:%u", slash ? slash + 1 : file, line);
    map_number(names, text);
    free(text);
}

static bool loop_matches(const struct stamp_spec *s, const struct cfg *g, const struct graph_loop *l, struct map *names)
{
    bool found = false;
    char *file;
    unsigned line = 0;
    for (size_t i = 0; i < l->latches.n; i++) {
        if (written_place(g->blocks[l->latches.at[i]].terminator, &file, &line)) {
            note_name(names, file, line);
            found |= place_matches(s, file, line);
        }
        free(file);
    }
    if (header_place(g->blocks[l->header].block, &file, &line)) {
        note_name(names, file, line);
        found |= place_matches(s, file, line);
    }
    free(file);
    return found;
}

struct crossing {
    LLVMValueRef terminator;
    unsigned successor;
    LLVMBasicBlockRef to;
    bool alone; /* all edges to `to` are crossings, so the stamp may stand at its begin */
    bool only;  /* the terminator leads nowhere else, so the stamp may stand before it */
};
struct crossings {
    VEC(struct crossing) all;
};

/* Finds the edges into the loop's header from outside (`in`), or out of the loop. */
static void find_crossings(struct crossings *out, const struct cfg *g, size_t loop, bool in)
{
    const struct graph_loop *l = &g->graph.loops.at[loop];
    for (size_t e = 0; e < g->graph.edges.n; e++) {
        struct graph_edge edge = g->graph.edges.at[e];
        bool from_in = graph_loop_has(&g->graph, loop, edge.from), to_in = graph_loop_has(&g->graph, loop, edge.to);
        if (in ? edge.to != l->header || from_in : !from_in || to_in)
            continue;
        if (g->graph.place[edge.from] == GRAPH_NONE)
            continue;
        LLVMValueRef terminator = g->blocks[edge.from].terminator;
        bool alone = true;
        for (size_t k = 0; k < graph_n_before(&g->graph, edge.to); k++)
            alone &= graph_loop_has(&g->graph, loop, graph_before(&g->graph, edge.to, k)) != in;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(terminator); k++)
            if (LLVMGetSuccessor(terminator, k) == g->blocks[edge.to].block) {
                vec_push(&out->all, (struct crossing){terminator, k, g->blocks[edge.to].block, alone && !in,
                                                      LLVMGetNumSuccessors(terminator) == 1});
                break;
            }
    }
}

static bool already_at(const struct crossings *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (c->all.at[i].to == c->all.at[n].to)
            return true;
    return false;
}

/* Does the block only end the program? Then it does not count as an exit. */
static bool is_dead_end(LLVMBasicBlockRef block)
{
    return LLVMIsAUnreachableInst(LLVMGetFirstInstruction(block)) != 0;
}

static bool can_split(LLVMValueRef terminator, LLVMBasicBlockRef to)
{
    LLVMValueRef first = LLVMGetFirstInstruction(to);
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    bool pad = LLVMIsALandingPadInst(first) || LLVMIsACatchPadInst(first) || LLVMIsACleanupPadInst(first) ||
               LLVMIsACatchSwitchInst(first);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(terminator);
    return !pad && opcode != LLVMIndirectBr && opcode != LLVMCallBr;
}

/* Splits the edge given by a terminator and the number of a successor. Phis of the successor are made again. Returns
 * the first instruction of the new block, whose jump is marked with the point. NULL: the edge cannot be split. */
static LLVMValueRef edge_place(struct work *w, LLVMValueRef terminator, unsigned successor, unsigned point)
{
    if (!can_split(terminator, LLVMGetSuccessor(terminator, successor)))
        return 0;
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(terminator));
    LLVMValueRef jump = edge_split(w->b, terminator, successor, true, 0, 0);
    mark_stamp(w, jump, point);
    return jump;
}

static bool stamp_crossings(struct work *w, const struct crossings *c, unsigned point, size_t depth)
{
    for (size_t i = 0; i < c->all.n; i++) {
        const struct crossing *x = &c->all.at[i];
        LLVMValueRef at;
        if (is_dead_end(x->to) || (x->alone && already_at(c, i)))
            continue;
        if (x->alone)
            at = first_place(x->to);
        else if (x->only)
            at = x->terminator;
        else
            at = edge_place(w, x->terminator, x->successor, point);
        if (!at)
            return false;
        site_add(w, at, point, depth);
    }
    return true;
}

/* The point's line is the one that the user has named, whatever line the header's first instruction has. */
static unsigned place_point(struct work *w, unsigned point, const struct stamp_spec *s)
{
    w->points.at[point].line = s->line;
    return point;
}

static enum status stamp_loop(struct work *w, size_t spec, const struct cfg *g, size_t loop, struct error *e)
{
    const struct stamp_spec *s = &w->specs->all.at[spec];
    bool iteration = s->kind == SPEC_ITERATION, fine = true;
    LLVMBasicBlockRef header = g->blocks[g->graph.loops.at[loop].header].block;
    char *name = xasprintf("%s %s:%u", iteration ? "iteration" : "loop", s->name, s->line);
    if (iteration) {
        LLVMValueRef at = first_place(header);
        site_add(w, at, place_point(w, point_add(w, spec, POINT_MARK, name, at), s), 0);
    } else {
        struct crossings in = {0}, out = {0};
        find_crossings(&in, g, loop, true);
        find_crossings(&out, g, loop, false);
        size_t depth = g->graph.loops.at[loop].depth;
        unsigned begin = place_point(w, point_add(w, spec, POINT_BEGIN, name, LLVMGetFirstInstruction(header)), s);
        unsigned end = place_point(w, point_add(w, spec, POINT_END, name, LLVMGetFirstInstruction(header)), s);
        fine = stamp_crossings(w, &in, begin, depth) && stamp_crossings(w, &out, end, depth);
        vec_release(&in.all);
        vec_release(&out.all);
    }
    free(name);
    return fine ? OK
                : error_set(
                      e, ERR_INPUT, AT(s->from, s->from_line),
                      "%s: %s: the loop is entered or left by a jump that no stamp can stand on (an exception, or a "
                      "computed goto): stamp its function instead",
                      s->text, w->path);
}

/* Edges are split, so the graph is rebuilt after each loop; `done` keeps the headers. */
enum status places_of_loops(struct work *w, size_t spec, LLVMValueRef function, struct map *names, struct error *e)
{
    VEC(LLVMBasicBlockRef) done = {0};
    enum status s = OK;
    bool more = true;
    while (more && !s) {
        struct cfg g;
        more = false;
        cfg_make(&g, function);
        for (size_t i = 0; i < g.graph.loops.n && !more && !s; i++) {
            LLVMBasicBlockRef header = g.blocks[g.graph.loops.at[i].header].block;
            bool seen = false;
            for (size_t k = 0; k < done.n; k++)
                seen |= done.at[k] == header;
            if (seen || !loop_matches(&w->specs->all.at[spec], &g, &g.graph.loops.at[i], names))
                continue;
            vec_push(&done, header);
            s = stamp_loop(w, spec, &g, i, e);
            more = true;
        }
        cfg_release(&g);
    }
    vec_release(&done);
    return s;
}
