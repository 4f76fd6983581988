/*
 * What an instruction accesses is said by its memory operands, behind "::". An IR load or store names an IR value
 * (%ir.7, @global, %stack.2.NAME, which is an alloca); what the code generator adds names a place of its own (%stack.0,
 * constant-pool). Some instructions have none and are known by their names.
 */
#include "irprof/codegen/spill_line.h"
#include "irprof/codegen/spill_mir.h"

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
    if (line_starts(l, "%stack.")) {
        size_t at = strlen("%stack.");
        while (at < l.n && l.s[at] >= '0' && l.s[at] <= '9')
            at++;
        return at < l.n && l.s[at] == '.' ? SOURCE_IR : SOURCE_STACK;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (line_starts(l, words[i].word))
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
    bool load = line_find(l.s, end, "load "), store = line_find(l.s, end, "store ");
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        const char *at = line_find(l.s, end, relations[i]);
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
    for (const char *s = l.s; s < end; s += line_token(s, end)) {
        if (*s != '(')
            continue;
        size_t depth = 1;
        const char *first = ++s;
        for (; s < end; s += line_token(s, end)) {
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
    for (s = line_find(s, end, name); s; s = line_find(s + 1, end, name))
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
        const char *comma = line_find(s, end, ",");
        const char *stop = comma ? comma : end;
        const char *dollar = line_find(s, stop, "$");
        if (dollar && !line_find(s, stop, "implicit"))
            n += !is_register(dollar, stop, stack) && !is_register(dollar, stop, "$noreg");
        if (!comma)
            break;
        s = comma + 1;
    }
    return n;
}

/* The opcode, without what is defined and how: "$x0, $sp = frame-destroy LDRXpost $sp" */
static struct line opcode_of(struct line l)
{
    static const char *const flags[] = {"frame-setup ", "frame-destroy ", "nomerge ", "nofpexcept ", "contract "};
    const char *end = l.s + l.n, *equals = line_find(l.s, end, " = ");
    const char *s = equals ? equals + 3 : l.s + strspn(l.s, " ");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (line_starts((struct line){s, (size_t)(end - s)}, flags[i]))
            s += strlen(flags[i]);
    return (struct line){s, strcspn(s, " \n")};
}

/* Instructions that move registers to and from the stack where a frame is set up or taken down: x86's push and pop,
 * Arm's load and store multiple. */
static bool add_frame_move(struct line l, struct line opcode, const char *stack, unsigned *accesses)
{
    static const char *const stores[] = {"PUSH",        "STMDB_UPD", "t2STMDB_UPD", "tPUSH",
                                         "VSTMDDB_UPD", "STR_PRE",   "t2STR_PRE"};
    static const char *const loads[] = {"POP",  "LDMIA_UPD",   "LDMIA_RET", "t2LDMIA_UPD", "t2LDMIA_RET",
                                        "tPOP", "VLDMDIA_UPD", "LDR_POST",  "t2LDR_POST"};
    bool store = false, load = false;
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
        store = store || line_starts(opcode, stores[i]);
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        load = load || line_starts(opcode, loads[i]);
    if (!store && !load)
        return false;
    unsigned n = registers_in(opcode.s + opcode.n, l.s + l.n, stack);
    /* A register that is loaded stands on the left: "$r4 = LDR_POST_IMM ..." */
    n = n ? n : 1;
    accesses[load ? MIR_LOAD : MIR_STORE] += n;
    accesses[load ? MIR_STACK_LOAD : MIR_STACK_STORE] += n;
    return true;
}

static bool contains(struct line l, const char *what)
{
    return line_find(l.s, l.s + l.n, what);
}

/* x86: MOV64rm loads, MOV64mr and MOV64mi store. Of a constant or of an entry of the global offset table when the
 * address has one. */
static bool add_x86_move(struct line l, struct line opcode, unsigned *accesses)
{
    bool constant = contains(l, ", 1, $noreg, %const.") || contains(l, ", 1, $noreg, target-flags(x86-gotpcrel)");
    bool move = line_starts(opcode, "MOV"), load = contains(opcode, "rm") && (move || constant);
    bool store = move && (contains(opcode, "mr") || contains(opcode, "mi"));
    accesses[MIR_LOAD] += load;
    accesses[MIR_STORE] += store;
    accesses[MIR_CONSTANT_LOAD] += load && constant;
    return load || store;
}

/* Instructions without a memory operand: those that quick instruction selection makes (-O0 for x86 and Arm), AArch64's
 * loads and stores of several vectors that advance their address, and pseudo-instructions that become loads of
 * constants later. */
static void add_by_opcode(struct line l, const char *stack, unsigned *accesses)
{
    static const struct {
        const char *opcode; /* begins so */
        enum mir_access access;
    } table[] = {
        {"LOADgot", MIR_CONSTANT_LOAD},
        {"JumpTableDest", MIR_CONSTANT_LOAD},
        {"LDRLIT_ga", MIR_CONSTANT_LOAD},
        {"tLDRLIT_ga", MIR_CONSTANT_LOAD},
        {"LDRcp", MIR_CONSTANT_LOAD},
        {"tLDRpci", MIR_CONSTANT_LOAD},
        {"t2LDRpci", MIR_CONSTANT_LOAD},
        {"MOV_ga_pcrel_ldr", MIR_CONSTANT_LOAD},
        {"t2MOV_ga_pcrel_ldr", MIR_CONSTANT_LOAD},
        {"LDR", MIR_LOAD},
        {"t2LDR", MIR_LOAD},
        {"tLDR", MIR_LOAD},
        {"VLDR", MIR_LOAD},
        {"LD1", MIR_LOAD},
        {"LD2", MIR_LOAD},
        {"LD3", MIR_LOAD},
        {"LD4", MIR_LOAD},
        {"STR", MIR_STORE},
        {"t2STR", MIR_STORE},
        {"tSTR", MIR_STORE},
        {"VSTR", MIR_STORE},
        {"ST1", MIR_STORE},
        {"ST2", MIR_STORE},
        {"ST3", MIR_STORE},
        {"ST4", MIR_STORE},
    };
    struct line opcode = opcode_of(l);
    bool frame = contains(l, "frame-setup ") || contains(l, "frame-destroy ");
    if ((frame && add_frame_move(l, opcode, stack, accesses)) || add_x86_move(l, opcode, accesses))
        return;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!line_starts(opcode, table[i].opcode))
            continue;
        bool store = table[i].access == MIR_STORE, on_stack = names_register(opcode.s, l.s + l.n, stack);
        accesses[store ? MIR_STORE : MIR_LOAD]++;
        if (table[i].access == MIR_CONSTANT_LOAD || (!store && contains(l, " %const.")))
            accesses[MIR_CONSTANT_LOAD]++;
        else if (on_stack)
            accesses[store ? MIR_STACK_STORE : MIR_STACK_LOAD]++;
        return;
    }
}

void mir_accesses(const char *line, size_t n, const char *stack, unsigned *accesses)
{
    struct line l = {line, n};
    const char *end = line + n, *operands = line_find(line, end, " :: ");
    if (!operands) {
        add_by_opcode(l, stack, accesses);
        return;
    }
    bool on_stack =
        contains(l, "frame-setup ") || contains(l, "frame-destroy ") || names_register(line, operands, stack);
    operands += strlen(" :: ");
    add_operands((struct line){operands, (size_t)(end - operands)}, on_stack, accesses);
}
