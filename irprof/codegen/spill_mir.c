/*
 * Machine IR is YAML with a body of one line per instruction:
 *
 *   name:            irprof.3.f
 *   body:             |
 *     bb.0.b0x:
 *       successors: %bb.1(0x40000000), %bb.2(0x40000000)
 *       liveins: $x0
 *       STRXui killed renamable $x0, $sp, 1, debug-location !7 :: (store (s64) into %stack.0)
 */
#include "irprof/codegen/spill_mir.h"

#include <stdio.h>
#include <stdlib.h>

#include "irprof/codegen/label.h"
#include "irprof/codegen/spill_line.h"

static struct line next_line(const char **at)
{
    struct line l = {*at, strcspn(*at, "\n")};
    *at += l.n + (l.s[l.n] == '\n');
    return l;
}

/* ---- an instruction ---- */

/* Skips flags such as "nofpexcept " and "frame-setup ": words in lower case, which no opcode is. */
static const char *skip_flags(const char *s)
{
    for (size_t n; s[n = strspn(s, "abcdefghijklmnopqrstuvwxyz-")] == ' ' && n;)
        s += n + 1;
    return s;
}

static struct line between(const char *s, const char *end)
{
    return (struct line){s, s < end ? (size_t)(end - s) : 0};
}

struct mir_line mir_line_read(struct line l)
{
    const char *end = l.s + l.n, *memory = line_find(l.s, end, " :: "), *tail = memory ? memory : end;
    const char *location = line_find(l.s, tail, "debug-location "), *equals = line_find(l.s, tail, " = ");
    struct mir_line m = {.all = l, .frame = line_has(l, "frame-setup ") || line_has(l, "frame-destroy ")};
    const char *s = skip_flags(equals ? equals + strlen(" = ") : l.s + strspn(l.s, " "));
    m.opcode = between(s, s + strcspn(s, " ,\n") < end ? s + strcspn(s, " ,\n") : end);
    m.defined = between(l.s, equals ? equals : l.s);
    m.operands = between(s + m.opcode.n, location ? location : tail);
    if (memory) {
        m.memory = between(memory + strlen(" :: "), end);
        m.loads = line_has(m.memory, "load ");
        m.stores = line_has(m.memory, "store ");
    }
    return m;
}

struct line mir_line_place(struct line operand)
{
    static const char *const relations[] = {" from ", " into ", " on "};
    const char *end = operand.s + operand.n;
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        const char *at = line_find(operand.s, end, relations[i]);
        if (at)
            return between(at + strlen(relations[i]), end);
    }
    return (struct line){0};
}

/* ---- the text ---- */

struct parser {
    struct mir *mir;
    const char *stack;
    size_t n;                      /* of the text */
    VEC(size_t) lines;             /* the line of location !N */
    struct mir_function *function; /* the function whose lines are read; NULL: it is not one of the module's */
    struct mir_block *block;
    bool in_body;
    struct target_names names;
};

static size_t number_at(const char *s)
{
    return (size_t)strtoull(s, 0, 10);
}

/* Reads "  !7 = !DILocation(line: 12, column: 1, scope: !5)". */
static void read_location(struct parser *p, struct line l)
{
    const char *end = l.s + l.n, *at = line_find(l.s, end, "!DILocation(line: ");
    if (!at || !line_starts(l, "  !"))
        return;
    size_t number = number_at(l.s + strlen("  !"));
    if (number >= p->n)
        return; /* there cannot be more locations than characters */
    while (p->lines.n <= number)
        vec_push(&p->lines, 0);
    p->lines.at[number] = number_at(at + strlen("!DILocation(line: "));
}

static size_t place_of(const struct parser *p, struct line l)
{
    const char *end = l.s + l.n, *at = line_find(l.s, end, "debug-location !");
    if (!at)
        return 0;
    at += strlen("debug-location !");
    static const char direct[] = "DILocation(line: ";
    if (line_starts((struct line){at, (size_t)(end - at)}, direct))
        return number_at(at + strlen(direct));
    size_t number = number_at(at);
    return number < p->lines.n ? p->lines.at[number] : 0;
}

/* Reads "  bb.3.b7x (landing-pad):". */
static void begin_block(struct parser *p, struct line l)
{
    struct mir_block b = {.ir_block = MIR_NONE, .taken = MIR_NONE};
    const char *s = l.s + strlen("  bb.");
    char *end;
    b.number = (size_t)strtoull(s, &end, 10);
    size_t name;
    if (*end == '.' && label_read(end + 1, strcspn(end + 1, " :\n"), LABEL_BLOCK, &name))
        b.ir_block = name;
    vec_push(&p->function->blocks, b);
    p->block = &p->function->blocks.at[p->function->blocks.n - 1];
}

/* Reads "    successors: %bb.2(0x40000000), %bb.4". */
static void read_successors(struct parser *p, struct line l)
{
    const char *end = l.s + l.n;
    for (const char *s = line_find(l.s, end, "%bb."); s; s = line_find(s + 1, end, "%bb."))
        graph_add(&p->function->graph, p->function->blocks.n - 1, number_at(s + strlen("%bb.")));
}

/* Is it a call? Only calls say which registers they preserve. */
static bool is_call(struct line l)
{
    return line_has(l, ", csr_") || line_has(l, ", CustomRegMask(") || line_has(l, ", <regmask");
}

static void read_instruction(struct parser *p, struct line l)
{
    if (line_starts(l, "    DBG_") || line_starts(l, "    liveins:"))
        return;
    struct mir_line m = mir_line_read(l);
    const char *to = line_find(m.operands.s, m.operands.s + m.operands.n, "%bb.");
    if (to && p->block->taken == MIR_NONE)
        p->block->taken = number_at(to + strlen("%bb."));
    struct mir_instruction i = {.place = place_of(p, l), .call = is_call(l), .code = target_code_of(&m, &p->names)};
    mir_accesses(&m, p->stack, i.counts);
    i.counts[MIR_CLASS + i.code.class] = i.code.class != TARGET_NONE;
    i.counts[MIR_CLASS + TARGET_LOAD] += i.code.reads;
    i.counts[MIR_WIDE] = i.code.wide;
    i.counts[MIR_FLOPS] = target_flops(m.opcode);
    bool any = i.place || i.call;
    for (size_t k = 0; k < MIR_EVENTS; k++)
        any = any || i.counts[k];
    if (any)
        vec_push(&p->block->instructions, i);
}

static void begin_function(struct parser *p, struct line l)
{
    size_t skip = strlen("name:"), number;
    skip += strspn(l.s + skip, " ");
    p->function = 0;
    p->block = 0;
    p->in_body = false;
    if (!label_read(l.s + skip, l.n - skip, LABEL_FUNCTION, &number))
        return;
    vec_push(&p->mir->functions, (struct mir_function){.number = number});
    p->function = &p->mir->functions.at[p->mir->functions.n - 1];
}

static void read_body(struct parser *p, struct line l)
{
    if (line_starts(l, "  bb."))
        begin_block(p, l);
    else if (p->block && line_starts(l, "    successors:"))
        read_successors(p, l);
    else if (p->block && line_starts(l, "    "))
        read_instruction(p, l);
}

static void read_line(struct parser *p, struct line l)
{
    if (line_starts(l, "name:")) {
        begin_function(p, l);
    } else if (line_starts(l, "  !")) {
        read_location(p, l);
    } else if (p->function && l.n && l.s[0] != ' ') {
        p->in_body = line_starts(l, "body:");
    } else if (p->function && p->in_body) {
        read_body(p, l);
    }
}

/* Replaces numbers of blocks by indices. */
static bool link_blocks(struct mir_function *f)
{
    size_t most = 0;
    for (size_t i = 0; i < f->blocks.n; i++)
        most = f->blocks.at[i].number > most ? f->blocks.at[i].number : most;
    if (most > 8 * f->blocks.n + (1u << 20))
        return false;
    size_t *index = xcalloc(most + 1, sizeof *index);
    for (size_t i = 0; i < f->blocks.n; i++)
        index[f->blocks.at[i].number] = i + 1;
    bool fine = true;
    for (size_t i = 0; i < f->graph.edges.n; i++) {
        size_t *to = &f->graph.edges.at[i].to;
        fine = fine && *to <= most && index[*to];
        *to = fine ? index[*to] - 1 : 0;
    }
    for (size_t i = 0; i < f->blocks.n; i++) {
        size_t *to = &f->blocks.at[i].taken;
        *to = *to <= most && index[*to] ? index[*to] - 1 : MIR_NONE;
    }
    free(index);
    f->graph.n = f->blocks.n;
    graph_link(&f->graph);
    return fine;
}

enum status mir_parse(struct mir *out, const char *text, const struct target *target, struct error *e)
{
    *out = (struct mir){0};
    struct parser p = {.mir = out, .stack = target->stack_name, .n = strlen(text)};
    p.names.narrow = target->pointer == 4;
    while (*text)
        read_line(&p, next_line(&text));
    vec_release(&p.lines);
    enum status s = OK;
    for (size_t i = 0; !s && i < out->functions.n; i++) {
        struct mir_function *f = &out->functions.at[i];
        if (f->blocks.n && link_blocks(f))
            target_waits(f, &p.names);
        else
            s = error_set(e, ERR_UNSUPPORTED, NOWHERE, "this version of LLVM writes machine code in an unknown form");
    }
    map_release(&p.names.registers);
    map_release(&p.names.places);
    return s;
}

void mir_release(struct mir *m)
{
    for (size_t i = 0; i < m->functions.n; i++) {
        struct mir_function *f = &m->functions.at[i];
        for (size_t k = 0; k < f->blocks.n; k++)
            vec_release(&f->blocks.at[k].instructions);
        vec_release(&f->blocks);
        graph_release(&f->graph);
    }
    vec_release(&m->functions);
}
