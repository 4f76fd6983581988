/* Machine IR as text: what its lines say, read off LLVM's MIR language reference and off the instruction sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/str.h"
#include "irprof/codegen/spill_mir.h"

/* An instruction, the stack pointer of its target, and what it accesses. */
static const struct row {
    int line;
    const char *text, *stack;
    unsigned stack_load, stack_store, constant, other_load, other_store;
} rows[] = {
    /* the IR's own */
    {__LINE__, "renamable $w8 = LDRWui renamable $x0, 0 :: (load (s32) from %ir.3)", "$sp", 0, 0, 0, 1, 0},
    {__LINE__, "STRWui killed $w8, $sp, 3 :: (store (s32) into %stack.0.variable)", "$sp", 0, 0, 0, 0, 1},
    {__LINE__, "STRXui killed $x8, $x9, 0 :: (volatile store (s64) into @counter, !tbaa !3)", "$sp", 0, 0, 0, 0, 1},
    {__LINE__, "$x8 = LDRXui $x2, 1 :: (load (s64))", "$sp", 0, 0, 0, 1, 0},
    {__LINE__, "$x8 = LDRXui $x2, 1 :: (load (s64) from `ptr getelementptr (i8, ptr @a, i64 8)`, align 4)", "$sp", 0, 0,
     0, 1, 0},
    {__LINE__, "$x8 = LDRXui $x2, 1 :: (load (s64) from @\"a) (load (s64) from %stack.0)\")", "$sp", 0, 0, 0, 1, 0},
    {__LINE__, "INLINEASM &\"nop ; (load from %stack.0) :: (load (s64) from %stack.0)\", 1", "$sp", 0, 0, 0, 0, 0},
    {__LINE__, "BL @f, csr_aarch64_aapcs, implicit-def dead $lr, implicit $sp", "$sp", 0, 0, 0, 0, 0},
    {__LINE__, "$sp = frame-setup SUBXri $sp, 96, 0", "$sp", 0, 0, 0, 0, 0},
    /* spills, registers that a function must give back, arguments */
    {__LINE__, "STRXui killed renamable $x0, $sp, 1, debug-location !7 :: (store (s64) into %stack.3)", "$sp", 0, 1, 0,
     0, 0},
    {__LINE__, "renamable $x0 = LDRXui $sp, 1 :: (load (s64) from %stack.13, align 4)", "$sp", 1, 0, 0, 0, 0},
    {__LINE__,
     "early-clobber $sp = frame-setup STPXpre killed $fp, killed $lr, $sp, -4 :: (store (s64) into %stack.1), "
     "(store (s64) into %stack.0)",
     "$sp", 0, 2, 0, 0, 0},
    {__LINE__, "$x0 = LDRXui $sp, 0 :: (load (s64) from %fixed-stack.1, align 16)", "$sp", 1, 0, 0, 0, 0},
    {__LINE__, "STRXui $x0, $sp, 0 :: (store (s64) into stack + 8)", "$sp", 0, 1, 0, 0, 0},
    {__LINE__, "INC64m $rsp, 1, $noreg, 8, $noreg :: (load store (s64) on %stack.0)", "$rsp", 1, 1, 0, 0, 0},
    {__LINE__,
     "$rax = ADD64rm killed $rax, $rsp, 1, $noreg, 8, $noreg, implicit-def $eflags :: (load (s64) from %stack.0)",
     "$rsp", 1, 0, 0, 0, 0},
    {__LINE__, "SD renamable $x10, $x2, 8 :: (store (s64))", "$x2", 0, 1, 0, 0, 0},
    {__LINE__, "SD renamable $x10, $x20, 8 :: (store (s64))", "$x2", 0, 0, 0, 0, 1},
    {__LINE__, "frame-setup STRQui killed $q8, $x9, 0 :: (store (s128))", "$sp", 0, 1, 0, 0, 0},
    /* without a memory operand: by what the instruction does */
    {__LINE__, "frame-setup PUSH64r killed $rbx, implicit-def $rsp, implicit $rsp", "$rsp", 0, 1, 0, 0, 0},
    {__LINE__, "$rbx = frame-destroy POP64r implicit-def $rsp, implicit $rsp", "$rsp", 1, 0, 0, 0, 0},
    {__LINE__,
     "$sp = frame-setup STMDB_UPD $sp, 14 /* CC::al */, $noreg, killed $r4, killed $r5, killed $r11, killed $lr", "$sp",
     0, 4, 0, 0, 0},
    {__LINE__, "$sp = frame-destroy LDMIA_RET $sp, 14 /* CC::al */, $noreg, def $r4, def $r11, def $pc, implicit $r0",
     "$sp", 3, 0, 0, 0, 0},
    {__LINE__, "frame-setup tPUSH 14 /* CC::al */, $noreg, killed $r4, killed $lr, implicit-def $sp, implicit $sp",
     "$sp", 0, 2, 0, 0, 0},
    {__LINE__, "$sp = frame-setup VSTMDDB_UPD $sp, 14 /* CC::al */, $noreg, killed $d8, killed $d9", "$sp", 0, 2, 0, 0,
     0},
    {__LINE__, "early-clobber $sp = frame-setup STR_PRE_IMM killed $lr, $sp, -8, 14 /* CC::al */, $noreg", "$sp", 0, 1,
     0, 0, 0},
    {__LINE__, "$lr, $sp = frame-destroy LDR_POST_IMM $sp, $noreg, 8, 14 /* CC::al */, $noreg", "$sp", 1, 0, 0, 0, 0},
    /* what quick instruction selection makes: the IR's own, an argument on the stack, constants */
    {__LINE__, "renamable $r1 = LDRi12 killed renamable $r1, 20, 14 /* CC::al */, $noreg", "$sp", 0, 0, 0, 1, 0},
    {__LINE__, "STRi12 killed renamable $r0, $sp, 4, 14 /* CC::al */, $noreg", "$sp", 0, 1, 0, 0, 0},
    {__LINE__, "renamable $d2 = VLDRD %const.5, $noreg, 14 /* CC::al */, $noreg", "$sp", 0, 0, 1, 0, 0},
    {__LINE__, "renamable $r0 = LDRLIT_ga_pcrel target-flags(arm-nonlazy) @x", "$sp", 0, 0, 1, 0, 0},
    {__LINE__, "MOV64mr renamable $rax, 1, $noreg, 8, $noreg, killed renamable $rcx", "$rsp", 0, 0, 0, 0, 1},
    {__LINE__, "renamable $rcx = MOV64rm $rip, 1, $noreg, @initial + 24, $noreg", "$rsp", 0, 0, 0, 1, 0},
    {__LINE__, "$al = MOV8ri 3", "$rsp", 0, 0, 0, 0, 0},
    {__LINE__, "renamable $x28, renamable $q0_q1 = LD2Twov8h_POST killed renamable $x28, renamable $x7", "$sp", 0, 0, 0,
     1, 0},
    /* constants and addresses */
    {__LINE__, "$d1 = LDRDui killed $x8, target-flags(aarch64-pageoff) %const.0 :: (load (s64) from constant-pool)",
     "$sp", 0, 0, 1, 0, 0},
    {__LINE__, "$rax = MOV64rm $rip, 1, $noreg, target-flags(x86-gotpcrel) @x, $noreg :: (load (s64) from got)", "$rsp",
     0, 0, 1, 0, 0},
    {__LINE__, "$rax = MOVSX64rm32 $rcx, 4, $rax, 0, $noreg :: (load (s32) from jump-table)", "$rsp", 0, 0, 1, 0, 0},
    {__LINE__, "renamable $xmm1 = MOVSDrm_alt $rip, 1, $noreg, %const.0, $noreg", "$rsp", 0, 0, 1, 0, 0},
    {__LINE__, "$rax = MOV64rm $rip, 1, $noreg, target-flags(x86-gotpcrel) @stderr, $noreg", "$rsp", 0, 0, 1, 0, 0},
    {__LINE__, "$rax = LEA64r $rip, 1, $noreg, %const.0, $noreg", "$rsp", 0, 0, 0, 0, 0},
    {__LINE__, "renamable $x8 = LOADgot target-flags(aarch64-got) @stdout", "$sp", 0, 0, 1, 0, 0},
    {__LINE__, "early-clobber $x9, dead $x10 = JumpTableDest32 $x8, $x1, %jump-table.0", "$sp", 0, 0, 1, 0, 0},
};

static void every_instruction(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        unsigned got[MIR_ACCESSES] = {0};
        const unsigned expected[MIR_ACCESSES] = {
            [MIR_LOAD] = r->stack_load + r->constant + r->other_load,
            [MIR_STORE] = r->stack_store + r->other_store,
            [MIR_STACK_LOAD] = r->stack_load,
            [MIR_STACK_STORE] = r->stack_store,
            [MIR_CONSTANT_LOAD] = r->constant,
        };
        char line[512];
        int n = snprintf(line, sizeof line, "    %s", r->text);
        struct mir_line m = mir_line_read((struct line){line, (size_t)n});
        mir_accesses(&m, r->stack, got);
        if (memcmp(got, expected, sizeof got) != 0)
            fail_msg("line %d: %u %u, stack %u %u, constant %u", r->line, got[0], got[1], got[2], got[3], got[4]);
    }
}

static const char sample[] = "--- |\n"
                             "  define void @irprof.7.f() !dbg !5 {\n"
                             "  name: no\n"
                             "  }\n"
                             "  !8 = !DILocation(line: 41, scope: !5)\n"
                             "  !12 = !DILocation(line: 42, scope: !5)\n"
                             "...\n"
                             "---\n"
                             "name:            other\n"
                             "body:             |\n"
                             "  bb.0.b0x:\n"
                             "    RET\n"
                             "...\n"
                             "---\n"
                             "name:            irprof.7.f\n"
                             "fixedStack:      []\n"
                             "stack:\n"
                             "  - { id: 0, name: '', type: spill-slot, offset: -8, size: 8, alignment: 8, \n"
                             "      stack-id: default }\n"
                             "body:             |\n"
                             "  bb.0.b0x:\n"
                             "    successors: %bb.4(0x40000000), %bb.1(0x40000000)\n"
                             "    liveins: $x0\n"
                             "  \n"
                             "    $x0 = MOVi 1, debug-location !8\n"
                             "    BL @g, csr_aarch64_aapcs, implicit $sp, debug-location !12\n"
                             "    DBG_VALUE $x0, debug-location !12\n"
                             "  \n"
                             "  bb.1.b12x (landing-pad, align 16):\n"
                             "    STRXui $x0, $sp, 1, debug-location !DILocation(line: 9, scope: !5) :: (store (s64) "
                             "into %stack.0)\n"
                             "    NOP\n"
                             "  \n"
                             "  bb.4.b12x1:\n"
                             "    successors: %bb.1\n"
                             "  \n"
                             "    B %bb.1\n"
                             "\n"
                             "...\n";

static void a_function_is_read(void **state)
{
    (void)state;
    struct mir m;
    struct error e = ERROR_INIT;
    assert_int_equal(mir_parse(&m, sample, target_find("aarch64"), &e), OK);
    assert_int_equal(m.functions.n, 1);
    const struct mir_function *f = &m.functions.at[0];
    assert_int_equal(f->number, 7);
    assert_int_equal(f->blocks.n, 3);
    assert_int_equal(f->blocks.at[0].ir_block, 0);
    assert_int_equal(f->blocks.at[1].ir_block, 12);
    assert_int_equal(f->blocks.at[2].ir_block, MIR_NONE); /* a copy: its name goes on */
    /* successors are indices: bb.4 is the third */
    assert_int_equal(graph_n_next(&f->graph, 0), 2);
    assert_int_equal(graph_next(&f->graph, 0, 0), 2);
    assert_int_equal(graph_next(&f->graph, 0, 1), 1);
    assert_int_equal(graph_next(&f->graph, 2, 0), 1);
    assert_int_equal(f->blocks.at[0].instructions.n, 2);
    assert_int_equal(f->blocks.at[0].instructions.at[0].place, 41);
    assert_false(f->blocks.at[0].instructions.at[0].call);
    assert_int_equal(f->blocks.at[0].instructions.at[1].place, 42);
    assert_true(f->blocks.at[0].instructions.at[1].call);
    assert_int_equal(f->blocks.at[1].instructions.n, 2);
    assert_int_equal(f->blocks.at[1].instructions.at[0].place, 9);
    assert_int_equal(f->blocks.at[1].instructions.at[0].counts[MIR_STACK_STORE], 1);
    mir_release(&m);
}

static void what_is_not_machine_ir_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "name: irprof.0.f\nbody: |\n",                                      /* no block */
        "name: irprof.0.f\nbody: |\n  bb.0:\n    successors: %bb.3\n",      /* no such block */
        "name: irprof.0.f\nbody: |\n  bb.18446744073709551615:\n    RET\n", /* out of any range */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct mir m;
        struct error e = ERROR_INIT;
        assert_int_equal(mir_parse(&m, texts[i], target_find("aarch64"), &e), ERR_UNSUPPORTED);
        mir_release(&m);
        error_release(&e);
    }
}

/* A text that ends anywhere is read or refused, and nothing after its end is looked at (sanitizers see to that). */
static void cut_anywhere(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof sample; n++) {
        char *text = xstrndup(sample, n);
        struct mir m;
        struct error e = ERROR_INIT;
        enum status s = mir_parse(&m, text, target_find("aarch64"), &e);
        assert_true(s == OK || s == ERR_UNSUPPORTED);
        mir_release(&m);
        error_release(&e);
        free(text);
    }
}

/* 100,000 instructions, 6 MB. A line is searched up to its end: to the end of the text it would be 600 GB. 30 seconds of
 * processor time are allowed. */
static void a_long_function(void **state)
{
    (void)state;
    enum { LINES = 100000 };
    assert_int_equal(setrlimit(RLIMIT_CPU, &(struct rlimit){30, 30}), 0);
    struct str text = STR_INIT;
    str_add(&text, "name: irprof.0.f\nbody: |\n  bb.0.b0x:\n");
    for (size_t i = 0; i < LINES; i++)
        str_addf(&text, "    renamable $w8 = ADDWri killed renamable $w9, %zu, 0\n", i % 4096);
    struct mir m;
    struct error e = ERROR_INIT;
    assert_int_equal(mir_parse(&m, str_text(&text), target_find("aarch64"), &e), OK);
    assert_int_equal(m.functions.at[0].blocks.at[0].instructions.n, LINES);
    const struct target_code *last = &m.functions.at[0].blocks.at[0].instructions.at[LINES - 1].code;
    assert_int_equal(last->class, TARGET_ALU);
    assert_int_equal(last->defined, 1);
    assert_int_equal(last->used, 1);
    mir_release(&m);
    str_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_instruction), cmocka_unit_test(a_function_is_read),
                                       cmocka_unit_test(what_is_not_machine_ir_is_refused),
                                       cmocka_unit_test(cut_anywhere), cmocka_unit_test(a_long_function)};
    return cmocka_run_group_tests(tests, 0, 0);
}
