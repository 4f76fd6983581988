/*
 * spill_access.c - reads what an instruction accesses from its memory operands, which follow "::". An IR load or store
 * names an IR value (%ir.7, @global, or %stack.2.NAME for an alloca). What the code generator adds names a place of its
 * own (%stack.0, constant-pool). Some instructions have no memory operand and are known by their opcodes.
 */
#include "irprof/codegen/spill_line.h"
#include "irprof/codegen/spill_mir.h"

enum source { SOURCE_IR, SOURCE_STACK, SOURCE_CONSTANT, SOURCE_UNKNOWN };

/* Reads what follows "from ", "into " or "on ". */
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

/* Adds one memory operand, without brackets: "volatile load store (s64) on %ir.3, align 4". `on_stack`: if the operand
 * names no place, the instruction is known to access the stack. */
static void add_operand(struct line l, bool on_stack, unsigned *accesses)
{
    struct line place = mir_line_place(l);
    enum source source = place.s ? source_of(place) : SOURCE_UNKNOWN;
    bool load = line_has(l, "load "), store = line_has(l, "store ");
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

/* Is the operand this register? "$sp" is not "$spsr". */
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

/* Number of registers among the explicit operands, without the stack pointer: those that a push or pop of several
 * moves. */
static unsigned registers_in(struct line l, const char *stack)
{
    const char *s = l.s, *end = l.s + l.n;
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

/* Adds instructions that save and restore registers when a frame is set up or removed: x86's push and pop, Arm's load
 * and store multiple. */
static bool add_frame_move(const struct mir_line *m, const char *stack, unsigned *accesses)
{
    bool store = opcode_is(m->opcode, "PUSH* STMDB_UPD* t2STMDB_UPD* tPUSH* VSTMDDB_UPD* STR_PRE* t2STR_PRE*");
    bool load = opcode_is(m->opcode, "POP* LDMIA_UPD* LDMIA_RET* t2LDMIA_UPD* t2LDMIA_RET* tPOP* VLDMDIA_UPD* "
                                     "LDR_POST* t2LDR_POST*");
    if (!store && !load)
        return false;
    unsigned n = registers_in(m->operands, stack);
    /* a loaded register stands on the left: "$r4 = LDR_POST_IMM ..." */
    n = n ? n : 1;
    accesses[load ? MIR_LOAD : MIR_STORE] += n;
    accesses[load ? MIR_STACK_LOAD : MIR_STACK_STORE] += n;
    return true;
}

/* Adds a move of x86: MOV64rm loads, MOV64mr and MOV64mi store. If its address names a constant or an entry of the
 * global offset table, it loads that. */
static bool add_x86_move(const struct mir_line *m, unsigned *accesses)
{
    bool constant =
        line_has(m->all, ", 1, $noreg, %const.") || line_has(m->all, ", 1, $noreg, target-flags(x86-gotpcrel)");
    bool move = line_starts(m->opcode, "MOV"), load = line_has(m->opcode, "rm") && (move || constant);
    bool store = move && (line_has(m->opcode, "mr") || line_has(m->opcode, "mi"));
    accesses[MIR_LOAD] += load;
    accesses[MIR_STORE] += store;
    accesses[MIR_CONSTANT_LOAD] += load && constant;
    return load || store;
}

/* Adds instructions without a memory operand. Fast instruction selection makes them (-O0 on x86 and Arm), so are
 * AArch64's loads and stores of several vectors that advance their address, and pseudo-instructions that become loads
 * of constants later. */
static void add_by_opcode(const struct mir_line *m, const char *stack, unsigned *accesses)
{
    static const struct {
        enum mir_access access;
        const char *opcodes; /* patterns for opcode_is */
    } table[] = {
        {MIR_CONSTANT_LOAD,
         "LOADgot* JumpTableDest* LDRLIT_ga* tLDRLIT_ga* LDRcp* tLDRpci* t2LDRpci* MOV_ga_pcrel_ldr* "
         "t2MOV_ga_pcrel_ldr*"},
        {MIR_LOAD, "LDR* t2LDR* tLDR* VLDR* LD1* LD2* LD3* LD4*"},
        {MIR_STORE, "STR* t2STR* tSTR* VSTR* ST1* ST2* ST3* ST4*"},
    };
    if ((m->frame && add_frame_move(m, stack, accesses)) || add_x86_move(m, accesses))
        return;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!opcode_is(m->opcode, table[i].opcodes))
            continue;
        bool store = table[i].access == MIR_STORE;
        accesses[store ? MIR_STORE : MIR_LOAD]++;
        if (table[i].access == MIR_CONSTANT_LOAD || (!store && line_has(m->all, " %const.")))
            accesses[MIR_CONSTANT_LOAD]++;
        else if (names_register(m->opcode.s, m->all.s + m->all.n, stack))
            accesses[store ? MIR_STACK_STORE : MIR_STACK_LOAD]++;
        return;
    }
}

void mir_accesses(const struct mir_line *m, const char *stack, unsigned *accesses)
{
    if (!m->memory.s)
        add_by_opcode(m, stack, accesses);
    else
        add_operands(m->memory, m->frame || names_register(m->all.s, m->memory.s, stack), accesses);
}
