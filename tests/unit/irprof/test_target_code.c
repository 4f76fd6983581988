/* What lines of machine code do and wait for: classes read off the instruction sets' manuals, waits counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "irprof/codegen/spill_mir.h"

static struct target_code code_of(const char *line, struct target_names *names)
{
    struct mir_line m = mir_line_read((struct line){line, strlen(line)});
    return target_code_of(&m, names);
}

struct row {
    const char *line;
    enum target_class class;
    unsigned defined, used;
    bool reads;
};

static const struct row rows[] = {
    /* AArch64 */
    {"    renamable $w8 = ADDWrr killed renamable $w9, renamable $w8", TARGET_ALU, 1, 2, false},
    {"    dead $wzr = SUBSWri renamable $w8, 3, 0, implicit-def $nzcv", TARGET_ALU, 1, 1, false},
    {"    Bcc 1, %bb.1, implicit $nzcv", TARGET_BRANCH, 0, 1, false},
    {"    CBNZW renamable $w8, %bb.2", TARGET_BRANCH, 0, 1, false},
    {"    RET undef $lr, implicit $x0", TARGET_BRANCH, 0, 1, false},
    {"    BL @g, csr_aarch64_aapcs, implicit-def dead $lr, implicit $sp, implicit $x0, implicit-def $x0", TARGET_CALL,
     2, 0, false},
    {"    $x8, $x9 = LDPXi $sp, 2 :: (load (s64) from %stack.1), (load (s64) from %stack.0)", TARGET_LOAD, 2, 0, false},
    {"    STRSui renamable $s0, renamable $x8, 0 :: (store (s32) into %ir.p)", TARGET_STORE, 0, 2, false},
    {"    renamable $q0, renamable $q1 = LD2Twov4s renamable $x8 :: (load (s256))", TARGET_LOAD, 2, 1, false},
    {"    renamable $d0 = nofpexcept FMULDrr renamable $d1, renamable $d2, implicit $fpcr", TARGET_FP, 1, 2, false},
    {"    renamable $q0 = nofpexcept FADDv4f32 renamable $q1, renamable $q2, implicit $fpcr", TARGET_FP, 1, 2, false},
    {"    renamable $d0 = FDIVDrr renamable $d1, renamable $d2, implicit $fpcr", TARGET_FDIV_LONG, 1, 2, false},
    {"    renamable $q0 = nofpexcept FDIVv2f64 renamable $q1, renamable $q2, implicit $fpcr", TARGET_FDIV_LONG, 1, 2,
     false},
    {"    renamable $s0 = FDIVSrr renamable $s1, renamable $s2, implicit $fpcr", TARGET_FDIV, 1, 2, false},
    {"    renamable $d0 = FSQRTDr renamable $d1, implicit $fpcr", TARGET_FDIV_LONG, 1, 1, false},
    {"    renamable $s0 = FSQRTSr renamable $s1, implicit $fpcr", TARGET_FDIV, 1, 1, false},
    {"    FCMPDrr renamable $d1, renamable $d2, implicit-def $nzcv, implicit $fpcr", TARGET_FCMP, 1, 2, false},
    {"    renamable $d0 = SCVTFUWDri renamable $w8, implicit $fpcr", TARGET_CONVERT, 1, 1, false},
    {"    renamable $w8 = FMOVSWr renamable $s0", TARGET_MOVE, 1, 1, false},
    {"    renamable $w8 = MADDWrrr renamable $w1, renamable $w2, renamable $w3", TARGET_MUL, 1, 3, false},
    {"    renamable $x8 = MADDXrrr renamable $x1, renamable $x2, $xzr", TARGET_MUL_LONG, 1, 2, false},
    {"    renamable $x8 = UMULHrr renamable $x1, renamable $x2", TARGET_MUL_LONG, 1, 2, false},
    {"    renamable $x8 = SMADDLrrr renamable $w1, renamable $w2, $xzr", TARGET_MUL, 1, 2, false},
    {"    renamable $w8 = UDIVWr renamable $w1, renamable $w2", TARGET_DIV, 1, 2, false},
    {"    renamable $x8 = SDIVXr renamable $x1, renamable $x2", TARGET_DIV_LONG, 1, 2, false},
    {"    renamable $q0 = ADDv4i32 renamable $q1, renamable $q2", TARGET_VECTOR, 1, 2, false},
    {"    renamable $x0 = KILL renamable $w0", TARGET_NONE, 0, 0, false},
    {"    frame-setup CFI_INSTRUCTION def_cfa_offset 16", TARGET_NONE, 0, 0, false},
    /* RISC-V */
    {"    renamable $x10 = LW renamable $x11, 0 :: (load (s32) from %ir.p)", TARGET_LOAD, 1, 1, false},
    {"    FSD killed renamable $f10_d, renamable $x10, 8 :: (store (s64) into %ir.q)", TARGET_STORE, 0, 2, false},
    {"    renamable $x10 = REMW renamable $x11, renamable $x12", TARGET_DIV, 1, 2, false},
    {"    renamable $x10 = REM renamable $x11, renamable $x12", TARGET_DIV_LONG, 1, 2, false},
    {"    renamable $x10 = MULW renamable $x11, renamable $x12", TARGET_MUL, 1, 2, false},
    {"    renamable $x10 = MUL renamable $x11, renamable $x12", TARGET_MUL_LONG, 1, 2, false},
    {"    renamable $f10_d = FDIV_D renamable $f11_d, renamable $f12_d, 7, implicit $frm", TARGET_FDIV_LONG, 1, 3,
     false},
    {"    renamable $f10_f = FDIV_S renamable $f11_f, renamable $f12_f, 7, implicit $frm", TARGET_FDIV, 1, 3, false},
    {"    renamable $f10_d = FADD_D renamable $f11_d, renamable $f12_d, 7, implicit $frm", TARGET_FP, 1, 3, false},
    {"    BNE renamable $x10, renamable $x11, %bb.1", TARGET_BRANCH, 0, 2, false},
    /* x86: the same register by four names; operations that load */
    {"    renamable $eax = ADD32rr killed renamable $eax, renamable $ecx, implicit-def dead $eflags", TARGET_ALU, 2, 2,
     false},
    {"    renamable $xmm0 = nofpexcept ADDSDrm killed renamable $xmm0, renamable $rdi, 1, $noreg, 0, $noreg, implicit "
     "$mxcsr :: (load (s64) from %ir.p)",
     TARGET_FP, 1, 2, true},
    {"    renamable $eax = MOV32rm renamable $rdi, 1, $noreg, 0, $noreg :: (load (s32) from %ir.p)", TARGET_LOAD, 1, 1,
     false},
    {"    MOV8mr renamable $rdi, 1, $noreg, 0, $noreg, renamable $al :: (store (s8) into %ir.p)", TARGET_STORE, 0, 2,
     false},
    {"    IDIV32r renamable $ecx, implicit-def $eax, implicit-def $edx, implicit $eax", TARGET_DIV, 2, 2, false},
    {"    IDIV64r renamable $rcx, implicit-def $rax, implicit-def $rdx, implicit $rax", TARGET_DIV_LONG, 2, 2, false},
    {"    renamable $rax = IMUL64rr renamable $rax, renamable $rcx, implicit-def dead $eflags", TARGET_MUL_LONG, 2, 2,
     false},
    {"    renamable $xmm0 = nofpexcept DIVSSrr renamable $xmm0, renamable $xmm1, implicit $mxcsr", TARGET_FDIV, 1, 2,
     false},
    {"    renamable $xmm0 = nofpexcept DIVSDrr renamable $xmm0, renamable $xmm1, implicit $mxcsr", TARGET_FDIV_LONG, 1,
     2, false},
    {"    JCC_1 %bb.1, 5, implicit $eflags", TARGET_BRANCH, 0, 1, false},
};

static void lines_are_told(void **state)
{
    (void)state;
    struct target_names names = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        struct target_code c = code_of(r->line, &names);
        if (c.class != r->class || c.defined != r->defined || c.used != r->used || c.reads != r->reads)
            fail_msg("%s: class %d, defines %d, uses %d", r->line, c.class, c.defined, c.used);
    }
    map_release(&names.registers);
    map_release(&names.places);
}

/* RV32's MUL and DIV are of 32 bits, its only width; RV64's of 64. */
static void width_is_the_targets(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        enum target_class narrow, wide;
    } both[] = {
        {"    renamable $x10 = MUL renamable $x11, renamable $x12", TARGET_MUL, TARGET_MUL_LONG},
        {"    renamable $x10 = MULHU renamable $x11, renamable $x12", TARGET_MUL, TARGET_MUL_LONG},
        {"    renamable $x10 = REMU renamable $x11, renamable $x12", TARGET_DIV, TARGET_DIV_LONG},
        {"    renamable $f10_d = FDIV_D renamable $f11_d, renamable $f12_d, 7, implicit $frm", TARGET_FDIV_LONG,
         TARGET_FDIV_LONG},
        {"    renamable $x10 = ADD renamable $x11, renamable $x12", TARGET_ALU, TARGET_ALU},
    };
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        struct target_names narrow = {.narrow = true}, wide = {0};
        assert_int_equal(code_of(both[i].line, &narrow).class, both[i].narrow);
        assert_int_equal(code_of(both[i].line, &wide).class, both[i].wide);
        map_release(&narrow.registers);
        map_release(&narrow.places);
        map_release(&wide.registers);
        map_release(&wide.places);
    }
}

/* Operations of one lane, lanes, twice that for doubles: read off the opcodes. */
static void operations_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *opcode;
        unsigned flops;
    } list[] = {
        /* x86: scalars, registers of 16, 32 and 64 bytes, fused, x87; not integers */
        {"ADDSSrr", 1},
        {"MULSDrm", 2},
        {"SUBPSrm", 4},
        {"DIVPDrr", 4},
        {"SQRTSDr", 2},
        {"MINSSrr", 1},
        {"MAXCSDrm", 2},
        {"VADDPSYrr", 8},
        {"VADDPDYrm", 8},
        {"VADDPSrr", 4},
        {"VMULPSZrr", 16},
        {"VMULPSZ256rm", 8},
        {"VMULPDZ128rm", 4},
        {"VFMADD213SSr", 2},
        {"VFMADD231PDYm", 16},
        {"VFNMADD132PSZr", 32},
        {"ADDSSrr_Int", 1},
        {"ADD_FrST0", 2},
        {"MUL_F64m", 2},
        {"SUBR_FPrST0", 2},
        {"ADD32rr", 0},
        {"SUBREG_TO_REG", 0},
        {"PADDDrr", 0},
        {"UCOMISDrr", 0},
        {"CVTSI2SDrr", 0},
        {"MOVAPSrr", 0},
        {"ANDPSrr", 0},
        {"MULX64rr", 0},
        {"SUB64mi8", 0},
        /* AArch64: by letter, by lanes, by element, of pairs, of all lanes */
        {"FADDDrr", 2},
        {"FADDSrr", 1},
        {"FNMULSrr", 1},
        {"FMADDDrrr", 4},
        {"FMULv4f32", 4},
        {"FDIVv2f64", 4},
        {"FMLAv4f32", 8},
        {"FMLAv2i64_indexed", 8},
        {"FADDPv2f32", 2},
        {"FADDPv2i64p", 2},
        {"FMAXNMVv4i32v", 3},
        {"FSQRTDr", 2},
        {"ADDSWrr", 0},
        {"SUBSXri", 0},
        {"FCMPDrr", 0},
        {"FMOVDi", 0},
        {"FCVTDSr", 0},
        /* RISC-V, Arm */
        {"FADD_D", 2},
        {"FMADD_S", 2},
        {"FSQRT_D", 2},
        {"FLT_D", 0},
        {"FSGNJ_D", 0},
        {"VADDD", 2},
        {"VMULS", 1},
        {"VMLAD", 4},
        {"VDIVD", 2},
        {"VADDfq", 4},
        {"VMULfd", 2},
        {"VADDv4i32", 0},
        {"VMOVS", 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        unsigned n = target_flops((struct line){list[i].opcode, strlen(list[i].opcode)});
        if (n != list[i].flops)
            fail_msg("%s: %u", list[i].opcode, n);
    }
}

static void one_register_has_many_names(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"    $w3 = X", "    $x3 = X"},   {"    $s3 = X", "    $q3 = X"},  {"    $al = X", "    $rax = X"},
        {"    $sil = X", "    $esi = X"}, {"    $r9d = X", "    $r9 = X"}, {"    $xmm3 = X", "    $ymm3 = X"},
        {"    $lr = X", "    $x30 = X"},
    };
    struct target_names names = {0};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct target_code a = code_of(same[i][0], &names);
        struct target_code b = code_of(same[i][1], &names);
        assert_int_equal(a.defined, 1);
        assert_int_equal(a.at[0], b.at[0]);
    }
    map_release(&names.registers);
    map_release(&names.places);
}

/* Waits for a class of the instruction `at` of block `block`. */
static unsigned waits(const char *body, size_t block, size_t at, enum target_class class)
{
    struct mir m;
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    str_addf(&text, "name:            irprof.0.f\nbody:             |\n%s...\n", body);
    assert_int_equal(mir_parse(&m, str_text(&text), target_find("aarch64"), &e), OK);
    unsigned n = m.functions.at[0].blocks.at[block].instructions.at[at].counts[MIR_WAIT + class];
    mir_release(&m);
    str_release(&text);
    return n;
}

static void a_result_is_waited_for(void **state)
{
    (void)state;
    /* a load at 0, its use could be beside it and is at 3; between them two additions are issued at 0 and 1 */
    assert_int_equal(waits("  bb.0.b0x:\n    $w1 = LDRWui $x0, 0 :: (load (s32) from %ir.p)\n"
                           "    $w2 = ADDWri $w1, 1, 0\n",
                           0, 1, TARGET_LOAD),
                     3);
    assert_int_equal(waits("  bb.0.b0x:\n    $w1 = LDRWui $x0, 0 :: (load (s32) from %ir.p)\n"
                           "    $w3 = ADDWri $w3, 1, 0\n    $w4 = ADDWri $w4, 1, 0\n    $w2 = ADDWri $w1, 1, 0\n",
                           0, 3, TARGET_LOAD),
                     2);
    /* a load waits for a store of the same place, not for one of another */
    assert_int_equal(waits("  bb.0.b0x:\n    STRWui $w1, $x0, 0 :: (store (s32) into %ir.p)\n"
                           "    $w2 = LDRWui $x0, 0 :: (load (s32) from %ir.p)\n",
                           0, 1, TARGET_STORE),
                     2);
    assert_int_equal(waits("  bb.0.b0x:\n    STRWui $w1, $x0, 0 :: (store (s32) into %ir.p)\n"
                           "    $w2 = LDRWui $x0, 0 :: (load (s32) from %ir.q)\n",
                           0, 1, TARGET_STORE),
                     0);
}

static void loops_carry_their_results(void **state)
{
    (void)state;
    /* s += x in a loop of three instructions, two cycles of issue: the sum is ready 4 cycles after it was issued, so
     * that an iteration takes 4; two of them are waits */
    static const char loop[] = "  bb.0.b0x:\n    successors: %bb.0, %bb.1\n"
                               "    $d0 = FADDDrr $d0, $d1, implicit $fpcr\n    $w1 = ADDWri $w1, 1, 0\n"
                               "    CBNZW $w1, %bb.0\n  bb.1.b1x:\n    RET undef $lr\n";
    unsigned sum = waits(loop, 0, 0, TARGET_FP);
    assert_in_range(sum, 2, 3);
    assert_int_equal(waits(loop, 0, 1, TARGET_FP), 0);
    /* a loop of two blocks: what the second makes the first waits for, in the iteration that is looked at */
    assert_int_equal(waits("  bb.0.b0x:\n    successors: %bb.1\n    $d0 = FADDDrr $d0, $d1, implicit $fpcr\n"
                           "  bb.1.b1x:\n    successors: %bb.0\n    $d0 = FADDDrr $d0, $d1, implicit $fpcr\n",
                           0, 0, TARGET_FP),
                     4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_told),         cmocka_unit_test(width_is_the_targets),
        cmocka_unit_test(operations_are_counted), cmocka_unit_test(one_register_has_many_names),
        cmocka_unit_test(a_result_is_waited_for), cmocka_unit_test(loops_carry_their_results),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
