/*
 * Machine IR is YAML with a body of one line per instruction:
 *
 *   name:            irprof.3.f
 *   body:             |
 *     bb.0.b0x:
 *       successors: %bb.1(0x40000000), %bb.2(0x40000000)
 *       liveins: $x0
 *       STRXui killed renamable $x0, $sp, 1, debug-location !7 :: (store (s64) into %stack.0)
 *
 * A memory operand says what is accessed. An IR load or store names an IR value (%ir.7, @global, %stack.2.NAME, which
 * is an alloca); what the code generator adds names a place of its own (%stack.0, constant-pool).
 */
#include "irprof/spill_mir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One line of the text. */
struct line {
    const char *s;
    size_t n;
};

static bool starts(struct line l, const char *prefix)
{
    size_t n = strlen(prefix);
    return l.n >= n && memcmp(l.s, prefix, n) == 0;
}

static struct line next_line(const char **at)
{
    struct line l = {*at, strcspn(*at, "\n")};
    *at += l.n + (l.s[l.n] == '\n');
    return l;
}

/* The length of the token at s: a quoted text, or one character. */
static size_t token(const char *s, const char *end)
{
    if (*s != '"' && *s != '`')
        return 1;
    char quote = *s;
    for (const char *p = s + 1; p < end; p++) {
        if (*p == '\\' && quote == '"' && p + 1 < end)
            p++;
        else if (*p == quote)
            return (size_t)(p + 1 - s);
    }
    return (size_t)(end - s);
}

/* The first `what` outside of quotes, or NULL. */
static const char *find(const char *s, const char *end, const char *what)
{
    size_t n = strlen(what);
    for (; s + n <= end; s += token(s, end))
        if (memcmp(s, what, n) == 0)
            return s;
    return 0;
}

/* Reads FORMAT, which has one %zu, at `s`; `tail` must follow. */
static bool read_name(struct line l, const char *format, size_t *number)
{
    const char *digits = strchr(format, '%');
    size_t lead = (size_t)(digits - format);
    const char *tail = digits + strlen("%zu");
    if (l.n <= lead || memcmp(l.s, format, lead) != 0)
        return false;
    size_t at = lead;
    for (*number = 0; at < l.n && l.s[at] >= '0' && l.s[at] <= '9' && *number < MIR_NONE / 100; at++)
        *number = *number * 10 + (size_t)(l.s[at] - '0');
    return at > lead && l.n - at == strlen(tail) && memcmp(l.s + at, tail, l.n - at) == 0;
}

enum source { SOURCE_IR, SOURCE_STACK, SOURCE_CONSTANT, SOURCE_UNKNOWN };

/* What follows "from ", "into " or "on ". */
static enum source source_of(struct line l)
{
    static const struct {
        const char *word;
        enum source source;
    } words[] = {
        {"%fixed-stack.", SOURCE_STACK},    {"stack", SOURCE_STACK},
        {"constant-pool", SOURCE_CONSTANT}, {"got", SOURCE_CONSTANT},
        {"jump-table", SOURCE_CONSTANT},    {"call-entry ", SOURCE_CONSTANT},
        {"unknown", SOURCE_UNKNOWN},        {"unknown-address", SOURCE_UNKNOWN},
    };
    if (starts(l, "%stack.")) {
        size_t at = strlen("%stack.");
        while (at < l.n && l.s[at] >= '0' && l.s[at] <= '9')
            at++;
        return at < l.n && l.s[at] == '.' ? SOURCE_IR : SOURCE_STACK;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (starts(l, words[i].word))
            return words[i].source;
    return SOURCE_IR;
}

/* One memory operand, without its brackets: "volatile load store (s64) on %ir.3, align 4". `on_stack`: where nothing
 * is said, the instruction is known to access the stack. */
static void add_operand(struct line l, bool on_stack, unsigned *accesses)
{
    static const char *const relations[] = {" from ", " into ", " on "};
    enum source source = SOURCE_UNKNOWN;
    const char *end = l.s + l.n;
    bool load = find(l.s, end, "load "), store = find(l.s, end, "store ");
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        const char *at = find(l.s, end, relations[i]);
        if (at) {
            at += strlen(relations[i]);
            source = source_of((struct line){at, (size_t)(end - at)});
            break;
        }
    }
    if (source == SOURCE_UNKNOWN && on_stack)
        source = SOURCE_STACK;
    accesses[MIR_LOAD] += load;
    accesses[MIR_STORE] += store;
    if (source == SOURCE_STACK) {
        accesses[MIR_STACK_LOAD] += load;
        accesses[MIR_STACK_STORE] += store;
    } else if (source == SOURCE_CONSTANT) {
        accesses[MIR_CONSTANT_LOAD] += load;
    }
}

static void add_operands(struct line l, bool on_stack, unsigned *accesses)
{
    const char *end = l.s + l.n;
    for (const char *s = l.s; s < end; s += token(s, end)) {
        if (*s != '(')
            continue;
        size_t depth = 1;
        const char *first = ++s;
        for (; s < end; s += token(s, end)) {
            depth += *s == '(';
            depth -= *s == ')';
            if (!depth)
                break;
        }
        add_operand((struct line){first, (size_t)(s - first)}, on_stack, accesses);
        if (s >= end)
            break;
    }
}

/* Is the operand this register? "$sp", and not "$spsr". */
static bool is_register(const char *s, const char *end, const char *name)
{
    size_t n = strlen(name);
    return (size_t)(end - s) >= n && memcmp(s, name, n) == 0 && (s + n == end || strchr(" ,\n", s[n]));
}

/* Does an operand name the register? */
static bool names_register(const char *s, const char *end, const char *name)
{
    for (s = find(s, end, name); s; s = find(s + 1, end, name))
        if (is_register(s, end, name))
            return true;
    return false;
}

/* Registers, but for the stack pointer, among the operands that are not implicit: those that a push or a pop of several
 * moves. */
static unsigned registers_in(const char *s, const char *end, const char *stack)
{
    unsigned n = 0;
    while (s < end) {
        const char *comma = find(s, end, ",");
        const char *stop = comma ? comma : end;
        const char *dollar = find(s, stop, "$");
        if (dollar && !find(s, stop, "implicit"))
            n += !is_register(dollar, stop, stack) && !is_register(dollar, stop, "$noreg");
        if (!comma)
            break;
        s = comma + 1;
    }
    return n;
}

/* Instructions that move registers to and from the stack without a memory operand: x86's push and pop, Arm's load and
 * store multiple; and the pseudo-instructions of AArch64 that become a load later. */
static void add_by_opcode(struct line l, bool frame, const char *stack, unsigned *accesses)
{
    static const struct {
        const char *opcode; /* begins so */
        enum mir_access access;
        bool frame; /* only where a frame is set up or taken down */
    } table[] = {
        {"PUSH", MIR_STACK_STORE, false},       {"POP", MIR_STACK_LOAD, true},
        {"STMDB_UPD", MIR_STACK_STORE, true},   {"LDMIA_UPD", MIR_STACK_LOAD, true},
        {"LDMIA_RET", MIR_STACK_LOAD, true},    {"t2STMDB_UPD", MIR_STACK_STORE, true},
        {"t2LDMIA_UPD", MIR_STACK_LOAD, true},  {"t2LDMIA_RET", MIR_STACK_LOAD, true},
        {"tPUSH", MIR_STACK_STORE, true},       {"tPOP", MIR_STACK_LOAD, true},
        {"VSTMDDB_UPD", MIR_STACK_STORE, true}, {"VLDMDIA_UPD", MIR_STACK_LOAD, true},
        {"STR_PRE", MIR_STACK_STORE, true},     {"LDR_POST", MIR_STACK_LOAD, true},
        {"t2STR_PRE", MIR_STACK_STORE, true},   {"t2LDR_POST", MIR_STACK_LOAD, true},
        {"LOADgot", MIR_CONSTANT_LOAD, false},  {"JumpTableDest", MIR_CONSTANT_LOAD, false},
    };
    const char *end = l.s + l.n, *equals = find(l.s, end, " = ");
    const char *s = equals ? equals + 3 : l.s + strspn(l.s, " ");
    static const char *const flags[] = {"frame-setup ", "frame-destroy "};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (starts((struct line){s, (size_t)(end - s)}, flags[i]))
            s += strlen(flags[i]);
    struct line code = {s, (size_t)(end - s)};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!starts(code, table[i].opcode) || (table[i].frame && !frame))
            continue;
        unsigned n = 1;
        if (frame && table[i].access != MIR_CONSTANT_LOAD) {
            const char *operands = s + strcspn(s, " \n");
            n = registers_in(operands < end ? operands : end, end, stack);
            /* A register that is loaded stands on the left: "$r4 = LDR_POST_IMM ..." */
            n += n == 0 && equals;
        }
        accesses[table[i].access] += n;
        accesses[table[i].access == MIR_STACK_STORE ? MIR_STORE : MIR_LOAD] += n;
        return;
    }
}

/* x86's address of a constant or of an entry of the global offset table. Quick instruction selection (-O0) gives such
 * loads no memory operand. */
static bool loads_x86_constant(const char *s, const char *end)
{
    static const char *const addresses[] = {", 1, $noreg, %const.", ", 1, $noreg, target-flags(x86-gotpcrel)"};
    bool any = false;
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
        any = any || find(s, end, addresses[i]);
    return any && !find(s, end, " LEA");
}

void mir_accesses(const char *line, size_t n, const char *stack, unsigned *accesses)
{
    struct line l = {line, n};
    const char *end = line + n;
    bool frame = find(line, end, "frame-setup ") || find(line, end, "frame-destroy ");
    const char *operands = find(line, end, " :: ");
    if (operands) {
        bool on_stack = frame || names_register(line, operands, stack);
        operands += strlen(" :: ");
        add_operands((struct line){operands, (size_t)(end - operands)}, on_stack, accesses);
    } else if (loads_x86_constant(line, end)) {
        accesses[MIR_LOAD]++;
        accesses[MIR_CONSTANT_LOAD]++;
    } else {
        add_by_opcode(l, frame, stack, accesses);
    }
}

/* ---- functions ---- */

struct parser {
    struct mir *mir;
    const char *stack;
    size_t n;                      /* of the text */
    VEC(size_t) lines;             /* of location !N */
    struct mir_function *function; /* the one whose lines these are; NULL: none of ours */
    struct mir_block *block;
    bool in_body;
};

static size_t number_at(const char *s)
{
    return (size_t)strtoull(s, 0, 10);
}

/* "  !7 = !DILocation(line: 12, column: 1, scope: !5)" */
static void read_location(struct parser *p, struct line l)
{
    const char *end = l.s + l.n, *at = find(l.s, end, "!DILocation(line: ");
    if (!at || !starts(l, "  !"))
        return;
    size_t number = number_at(l.s + strlen("  !"));
    if (number >= p->n)
        return; /* there are no more locations than characters */
    while (p->lines.n <= number)
        vec_push(&p->lines, 0);
    p->lines.at[number] = number_at(at + strlen("!DILocation(line: "));
}

static size_t place_of(const struct parser *p, struct line l)
{
    const char *end = l.s + l.n, *at = find(l.s, end, "debug-location !");
    if (!at)
        return 0;
    at += strlen("debug-location !");
    static const char direct[] = "DILocation(line: ";
    if (starts((struct line){at, (size_t)(end - at)}, direct))
        return number_at(at + strlen(direct));
    size_t number = number_at(at);
    return number < p->lines.n ? p->lines.at[number] : 0;
}

/* "  bb.3.b7x (landing-pad):" */
static void begin_block(struct parser *p, struct line l)
{
    struct mir_block b = {.ir_block = MIR_NONE};
    const char *s = l.s + strlen("  bb.");
    char *end;
    b.number = (size_t)strtoull(s, &end, 10);
    size_t name;
    if (*end == '.' && read_name((struct line){end + 1, strcspn(end + 1, " :\n")}, MIR_BLOCK, &name))
        b.ir_block = name;
    vec_push(&p->function->blocks, b);
    p->block = &p->function->blocks.at[p->function->blocks.n - 1];
}

/* "    successors: %bb.2(0x40000000), %bb.4" */
static void read_successors(struct parser *p, struct line l)
{
    const char *end = l.s + l.n;
    for (const char *s = find(l.s, end, "%bb."); s; s = find(s + 1, end, "%bb."))
        vec_push(&p->block->successors, number_at(s + strlen("%bb.")));
}

/* A call says which registers it leaves alone; no other instruction does. */
static bool is_call(struct line l)
{
    const char *end = l.s + l.n;
    return find(l.s, end, ", csr_") || find(l.s, end, ", CustomRegMask(") || find(l.s, end, ", <regmask");
}

static void read_instruction(struct parser *p, struct line l)
{
    if (starts(l, "    DBG_") || starts(l, "    liveins:"))
        return;
    struct mir_instruction i = {place_of(p, l), is_call(l), {0}};
    mir_accesses(l.s, l.n, p->stack, i.accesses);
    bool any = i.place || i.call;
    for (size_t k = 0; k < MIR_ACCESSES; k++)
        any = any || i.accesses[k];
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
    if (!read_name((struct line){l.s + skip, l.n - skip}, MIR_FUNCTION, &number))
        return;
    vec_push(&p->mir->functions, (struct mir_function){.number = number});
    p->function = &p->mir->functions.at[p->mir->functions.n - 1];
}

static void read_line(struct parser *p, struct line l)
{
    if (starts(l, "name:")) {
        begin_function(p, l);
    } else if (starts(l, "  !")) {
        read_location(p, l);
    } else if (!p->function) {
        return;
    } else if (l.n && l.s[0] != ' ') {
        p->in_body = starts(l, "body:");
    } else if (!p->in_body) {
        return;
    } else if (starts(l, "  bb.")) {
        begin_block(p, l);
    } else if (p->block && starts(l, "    successors:")) {
        read_successors(p, l);
    } else if (p->block && starts(l, "    ")) {
        read_instruction(p, l);
    }
}

/* Numbers of blocks become indices. */
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
    for (size_t i = 0; i < f->blocks.n; i++) {
        struct mir_block *b = &f->blocks.at[i];
        for (size_t k = 0; k < b->successors.n; k++) {
            size_t number = b->successors.at[k];
            fine = fine && number <= most && index[number];
            b->successors.at[k] = fine ? index[number] - 1 : 0;
        }
    }
    free(index);
    return fine;
}

enum status mir_parse(struct mir *out, const char *text, const char *stack, struct error *e)
{
    *out = (struct mir){0};
    struct parser p = {.mir = out, .stack = stack, .n = strlen(text)};
    while (*text)
        read_line(&p, next_line(&text));
    vec_release(&p.lines);
    for (size_t i = 0; i < out->functions.n; i++) {
        struct mir_function *f = &out->functions.at[i];
        if (!f->blocks.n || !link_blocks(f))
            return error_set(e, ERR_UNSUPPORTED, NOWHERE, "this LLVM writes machine code in a form that is not known");
    }
    return OK;
}

void mir_release(struct mir *m)
{
    for (size_t i = 0; i < m->functions.n; i++) {
        struct mir_function *f = &m->functions.at[i];
        for (size_t k = 0; k < f->blocks.n; k++) {
            vec_release(&f->blocks.at[k].successors);
            vec_release(&f->blocks.at[k].instructions);
        }
        vec_release(&f->blocks);
    }
    vec_release(&m->functions);
}
