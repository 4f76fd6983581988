/* Machine code without the numbers of registers, and what two of them have in
 * common; assembly and truths by hand. */
#include "tests/unit/irprof/ir.h"

#include <sys/stat.h>

#include "irprof/prove/prove.h"
#include "irprof/prove/structure.h"

static void check_text(const char *triple, const char *line, const char *expected)
{
    char *text = code_text(line, strlen(line), triple);
    assert_string_equal(text, expected);
    free(text);
}

static void texts_lose_numbers_of_registers(void **state)
{
    (void)state;
    static const char x86[] = "x86_64-pc-linux-gnu", arm[] = "aarch64-linux-gnu", amd[] = "amdgcn-amd-amdhsa",
                      nvidia[] = "nvptx64-nvidia-cuda", riscv[] = "riscv64-linux-gnu";
    check_text(x86, "addq\t%rax, %r10", "addq %g, %g");
    check_text(x86, "mulss\t4(%rdi,%rcx,4), %xmm3", "mulss 4(%g,%g,4), %x");
    check_text(x86, "movl\t%eax, -16(%rsp)", "movl %g, STACK(%rsp)");
    check_text(x86, "jne\t.LBB0_12", "jne LABEL");
    check_text(x86, "callq\tsqrt@PLT", "callq sqrt@PLT");
    check_text(x86, "shll\t$3, %ecx", "shll $3, %g");
    check_text(arm, "fmadd\ts0, s1, s12, s3", "fmadd s, s, s, s");
    check_text(arm, "ld1\t{ v0.4s }, [x10], #16", "ld1 { v0.4s }, [x], #16");
    check_text(arm, "str\tw8, [sp, #12]", "str w, [sp, #STACK]");
    check_text(riscv, "sd\ta0, 24(sp)", "sd a, STACK(sp)");
    check_text(riscv, "fmadd.s\tfa0, ft1, fs2, fa5", "fmadd.s fa, ft, fs, fa");
    check_text(amd, "v_fmac_f32_e32 v12, s4, v3", "v_fmac_f32 v, s, v");
    check_text(amd, "s_load_dwordx4 s[4:7], s[2:3], 0x10", "s_load_dwordx4 s[4], s[2], 0x10");
    check_text(amd, "v_add_co_u32_e32 v1, vcc, s0, v1", "v_add_co_u32 v, s[2], s, v");
    check_text(amd, "ds_read2_b32 v[4:5], v9 offset0:1 offset1:17", "ds_read2_b32 v[2], v offset0: offset1:");
    check_text(amd, "global_load_dword v1, v[2:3], off offset:16", "global_load_dword v, v[2], off offset:16");
    /* Two encodings of one operation; a minus, which only the long one has, is
   * another operand. */
    check_text(amd, "v_add_co_u32_e64 v1, s[8:9], s0, v1", "v_add_co_u32 v, s[2], s, v");
    check_text(amd, "v_add_f32_e64 v1, -v2, v3", "v_add_f32 v, -v, v");
    check_text(amd, "v_add_f32_dpp v1, v2, v3 row_shl:1", "v_add_f32_dpp v, v, v row_shl:1");
    check_text(x86, "cltq", "movslq %g, %g");
    check_text(x86, "movslq\t%edi, %rcx", "movslq %g, %g");
    check_text(x86, "movd\t%xmm1, (%rdi,%rcx,4)", "movss %x, (%g,%g,4)");
    check_text(x86, "movq\t(%rdi), %xmm1", "movsd (%g), %x");
    check_text(x86, "movd\t%xmm1, %eax", "movd %x, %g");
    check_text(x86, "movq\t(%rdi), %rax", "movq (%g), %g");
    check_text(nvidia, "add.s64 \t%rd4, %rd1, 8;", "add.s64  %rd, %rd, 8;");
    check_text(nvidia, "@%p1 bra \t$L__BB0_2;", "@%p1 bra  LABEL;");
}

static struct code_lines read_code(const char *text, const char *triple)
{
    struct code_lines m = {0};
    code_lines_read(&m, text, triple);
    return m;
}

/* Line 1 is an addition, line 2 a load that was spilled, 1048576 a stamp; no
 * line: the code generator's own. */
static const char x86_code[] = "\t.text\n"
                               "f:                                      # @f\n"
                               "\tpushq\t%rbx\n"
                               "\t.loc\t1 1 1\n"
                               "\taddl\t%esi, %edi\n"
                               "\tsubq\t$24, %rsp\n"
                               "\t.loc\t1 1048576 1\n"
                               "\trdtsc\n"
                               "\t.loc\t1 0 1\n"
                               "\tmovq\t%rdi, 8(%rsp)                  # 8-byte Spill\n"
                               ".LBB0_1:                                # %loop\n"
                               "\t.loc\t1 2 2\n"
                               "\tmovl\t(%rdi), %eax                    # comment\n"
                               "\t#APP\n"
                               "\tretq\n"
                               ".Lfunc_end0:\n"
                               "\t.size\tf, .Lfunc_end0-f\n"
                               "data:\n"
                               "\t.long\t1\n";

static void assembly_is_read_with_numbers(void **state)
{
    (void)state;
    static const struct code_line expected[] = {{.number = 0, .text = (char *)"pushq %g"},
                                                {.number = 1, .text = (char *)"addl %g, %g"},
                                                {.number = 0, .text = (char *)"subq $24, %rsp"},
                                                {.number = CODE_STAMP, .text = (char *)"rdtsc"},
                                                {.number = 0, .text = (char *)"movq %g, STACK(%rsp)"},
                                                {.number = 2, .text = (char *)"movl (%g), %g"},
                                                {.number = 2, .text = (char *)"retq"}};
    struct code_lines m = read_code(x86_code, "x86_64-pc-linux-gnu");
    const struct code_function *f = code_lines_find(&m, "f");
    assert_non_null(f);
    assert_null(code_lines_find(&m, "g"));
    assert_int_equal(f->lines.n, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < f->lines.n; i++) {
        assert_int_equal(f->lines.at[i].number, expected[i].number);
        assert_string_equal(f->lines.at[i].text, expected[i].text);
    }
    assert_int_equal(f->needs.spills, 1);
    assert_int_equal(f->needs.vector_registers, -1);
    code_lines_release(&m);
}

/* Arguments have names too; keys before a kernel's name are its own. Waits and
 * loads of arguments have no number. */
static const char amd_code[] = "k:                                      ; @k\n"
                               "\t.loc\t1 1 1\n"
                               "\ts_load_dwordx2 s[0:1], s[4:5], 0x0\n"
                               "\t.loc\t1 2 2\n"
                               "\ts_load_dword s2, s[0:1], 0x4\n"
                               "\ts_waitcnt lgkmcnt(0)\n"
                               "\ts_endpgm\n"
                               ".Lfunc_end0:\n"
                               "\t\t.amdhsa_next_free_vgpr 5\n"
                               "; Occupancy: 7\n"
                               "amdhsa.kernels:\n"
                               "  - .agpr_count:     0\n"
                               "    .args:\n"
                               "      - .name:           k\n"
                               "        .size:           8\n"
                               "    .group_segment_fixed_size: 128\n"
                               "    .name:           k\n"
                               "    .sgpr_count:     12\n"
                               "    .sgpr_spill_count: 1\n"
                               "    .vgpr_count:     5\n"
                               "    .vgpr_spill_count: 2\n"
                               "  - .args:\n"
                               "    .group_segment_fixed_size: 999\n"
                               "    .name:           other\n";

static void needs_of_amd_are_read(void **state)
{
    (void)state;
    struct code_lines m = read_code(amd_code, "amdgcn-amd-amdhsa");
    const struct code_function *f = code_lines_find(&m, "k");
    static const unsigned numbers[] = {0, 2, 0, 2};
    assert_int_equal(f->lines.n, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(f->lines.at[i].number, numbers[i]);
    assert_int_equal(f->needs.scalar_registers, 12);
    assert_int_equal(f->needs.vector_registers, 5);
    assert_int_equal(f->needs.spills, 3);
    assert_int_equal(f->needs.shared_memory, 128);
    assert_int_equal(f->needs.occupancy, 7);
    code_lines_release(&m);
}

static void copies_belong_to_no_instruction(void **state)
{
    (void)state;
    struct code_lines m = read_code("f:\n\t.loc\t1 3 1\n\tmovaps\t%xmm0, %xmm2\n\tmovaps\t(%rax), "
                                    "%xmm2\n\tmovq\t%rax, %rcx\n"
                                    "\t.loc\t1 4 3\n\taddq\t$8, %rcx\n",
                                    "x86_64-pc-linux-gnu");
    const struct code_function *f = code_lines_find(&m, "f");
    static const unsigned numbers[] = {0, 3, 0, 4};
    assert_int_equal(f->lines.n, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(f->lines.at[i].number, numbers[i]);
    assert_false(f->lines.at[1].at_branch);
    assert_true(f->lines.at[3].at_branch);
    code_lines_release(&m);
    m = read_code("f:\n\t.loc\t1 1 1\n\tv_add_u32_e64 v1, v2, "
                  "v3\n\tv_add_u32_e32 v1, v2, v3\n",
                  "amdgcn-amd-amdhsa");
    f = code_lines_find(&m, "f");
    assert_true(f->lines.at[0].is_long);
    assert_false(f->lines.at[1].is_long);
    assert_string_equal(f->lines.at[0].text, f->lines.at[1].text);
    code_lines_release(&m);
}

static void functions_of_ptx_are_found(void **state)
{
    (void)state;
    struct code_lines m = read_code(".visible .entry mul(\n\t.param .u64 mul_param_0\n)\n{\n\t.reg "
                                    ".b32 %r<2>;\n"
                                    "\t.loc\t1 1 1\n\tld.param.u64 \t%rd1, "
                                    "[mul_param_0];\n\tadd.s32 \t%r1, %r1, 1;\n\tret;\n}\n"
                                    ".func  (.param .b32 func_retval0) inner(\n{\n\tret;\n}\n",
                                    "nvptx64-nvidia-cuda");
    assert_int_equal(m.functions.n, 2);
    assert_string_equal(m.functions.at[1].name, "inner");
    const struct code_function *f = code_lines_find(&m, "mul");
    assert_int_equal(f->lines.n, 3);
    assert_int_equal(f->lines.at[0].number, CODE_NONE);
    assert_int_equal(f->lines.at[1].number, 1);
    code_lines_release(&m);
}

static void needs_of_nvidia_are_what_ptxas_says(void **state)
{
    (void)state;
    struct code_lines m = read_code(".visible .entry a(\n{\n\tret;\n}\n.visible .entry "
                                    "b(\n{\n\tret;\n}\n.visible .entry c(\n{\n\tret;\n}\n",
                                    "nvptx64-nvidia-cuda");
    code_ptxas_read(&m, "ptxas info    : 0 bytes gmem\n"
                        "ptxas info    : Compiling entry function 'b' for 'sm_90'\n"
                        "ptxas info    : Function properties for b\n"
                        "    64 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
                        "ptxas info    : Used 20 registers, used 1 barriers, 1024 bytes smem\n"
                        "ptxas info    : Compiling entry function 'a' for 'sm_90'\n"
                        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                        "ptxas info    : Used 8 registers\n"
                        "ptxas info    : Compiling entry function 'other' for 'sm_90'\n");
    const struct code_needs *a = &m.functions.at[0].needs, *b = &m.functions.at[1].needs, *c = &m.functions.at[2].needs;
    assert_int_equal(a->registers, 8);
    assert_int_equal(a->spills, 0);
    assert_int_equal(a->shared_memory, 0);
    assert_int_equal(b->registers, 20);
    assert_int_equal(b->spills, 5);
    assert_int_equal(b->shared_memory, 1024);
    assert_int_equal(c->registers, -1);
    assert_int_equal(c->spills, -1);
    code_lines_release(&m);
}

/* "NUMBER TEXT", "NUMBERj TEXT" for what is under the number of a jump. */
static struct code_line line_of(const char *text)
{
    char *end;
    unsigned number = (unsigned)strtoul(text, &end, 10);
    return (struct code_line){.number = number, .at_branch = *end == 'j', .text = strdup(strchr(text, ' ') + 1)};
}

/* f of `base` and of `stamped`, each a list of lines. */
static struct structure_counts compare(const char *const *base, const char *const *stamped,
                                       const char *expected_changes)
{
    struct code_function f[2] = {{0}, {0}};
    struct structure_counts c = {0};
    struct str changes = STR_INIT;
    for (int k = 0; k < 2; k++)
        for (const char *const *l = k ? stamped : base; *l; l++)
            vec_push(&f[k].lines, line_of(*l));
    structure_compare(&c, &f[0], &f[1], &changes);
    assert_string_equal(str_text(&changes), expected_changes);
    str_release(&changes);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < f[k].lines.n; i++)
            free(f[k].lines.at[i].text);
        vec_release(&f[k].lines);
    }
    return c;
}

static void comparison_tells_lost_new_shared_and_moved(void **state)
{
    (void)state;
    static const char *const base[] = {"0 push", "1 add", "2 mul", "3 load", "3 shift", 0};
    static const char *const same[] = {"0 push", "0 wait", "1 add", "1048576 clock", "2 mul", "3 load", "3 shift", 0};
    struct structure_counts c = compare(base, same, "");
    assert_int_equal(c.original, 4);
    assert_int_equal(c.lost + c.added + c.shared, 0);
    assert_int_equal(c.stamps, 1);
    assert_int_equal(c.own, 1);
    assert_int_equal(c.own_stamped, 2);
    assert_false(c.reordered);

    static const char *const moved[] = {"0 push", "2 mul", "1 add", "3 load", "3 shift", 0};
    c = compare(base, moved, "");
    assert_int_equal(c.lost + c.added, 0);
    assert_true(c.reordered);

    /* The load is under a stamp's number; the addition under the
   * multiplication's. */
    static const char *const shared[] = {"0 push", "2 add", "2 mul", "1048576 load", "3 shift", 0};
    c = compare(base, shared, "");
    assert_int_equal(c.lost + c.added, 0);
    assert_int_equal(c.shared, 2);

    static const char *const other[] = {"0 push", "1 add", "2 mul8", "3 shift", 0};
    c = compare(base, other, "lost 'load', lost 'mul', new 'mul8'");
    assert_int_equal(c.lost, 2);
    assert_int_equal(c.added, 1);

    /* One of the stamps' loads takes the place of one of the original's, not of
   * two. */
    static const char *const two[] = {"1 load", "2 load", 0}, *const one[] = {"1048576 load", 0};
    c = compare(two, one, "lost 'load'");
    assert_int_equal(c.lost, 1);
    assert_int_equal(c.shared, 1);
}

/* What LLVM adds before a jump for addresses is the stamps', where the original
 * has lost nothing. */
static void addresses_before_jumps_are_of_stamps(void **state)
{
    (void)state;
    static const char *const base[] = {"1 load", "2j jne", 0};
    static const char *const more[] = {"1 load", "1048576 clock", "2j add", "2j shl", "2j jne", 0};
    struct structure_counts c = compare(base, more, "");
    assert_int_equal(c.added, 0);
    assert_int_equal(c.stamps, 3);
    assert_int_equal(c.at_branches, 2);

    static const char *const decides[] = {"1 load", "2j cmpq", "2j je", "2j jne", 0};
    c = compare(base, decides, "new 'cmpq', new 'je'");
    assert_int_equal(c.at_branches, 0);

    static const char *const elsewhere[] = {"1 load", "1 add", "2j jne", 0};
    c = compare(base, elsewhere, "new 'add'");
    assert_int_equal(c.at_branches, 0);

    static const char *const lost[] = {"2j add", "2j jne", 0};
    c = compare(base, lost, "lost 'load', new 'add'");
    assert_int_equal(c.at_branches, 0);
}

static void numbers_reach_the_code(void **state)
{
    (void)state;
    struct llvm_module m = ir_load("target triple = \"aarch64-linux-gnu\"\n"
                                   "declare i64 @llvm.readcyclecounter()\n"
                                   "define i64 @f(i64 %a, ptr %p) {\n"
                                   "  %c = call i64 @llvm.readcyclecounter(), !irprof.stamp !0\n"
                                   "  store i64 %c, ptr %p, !irprof.stamp !0\n"
                                   "  %b = mul i64 %a, %a\n"
                                   "  ret i64 %b\n"
                                   "}\n"
                                   "!0 = !{i32 1}\n");
    struct code_lines code;
    struct error e = ERROR_INIT;
    assert_int_equal(code_lines_make(&code, m.module, "f.ll", &e), OK);
    const struct code_function *f = code_lines_find(&code, "f");
    unsigned of_mul = 0, of_clock = 0, of_ret = 0;
    for (size_t i = 0; i < f->lines.n; i++) {
        const struct code_line *l = &f->lines.at[i];
        of_mul |= strcmp(l->text, "mul x, x, x") == 0 ? l->number : 0;
        of_clock |= strstr(l->text, "mrs") ? l->number : 0;
        of_ret |= strcmp(l->text, "ret") == 0 ? l->number : 0;
    }
    assert_int_equal(of_mul, 1);
    assert_int_equal(of_ret, 2);
    assert_int_equal(of_clock, CODE_STAMP);
    code_lines_release(&code);
    llvm_release(&m);
}

/* More of the texts: what is nearly a register, a place, a range or an offset,
 * and is none. */
static void texts_at_the_borders(void **state)
{
    (void)state;
    static const char x86[] = "x86_64-pc-linux-gnu", i386[] = "i386-linux-gnu", arm[] = "aarch64-linux-gnu",
                      amd[] = "amdgcn-amd-amdhsa", riscv[] = "riscv64-linux-gnu";
    check_text(x86, "vaddps\t%ymm1, %zmm2, %xmm3", "vaddps %y, %z, %x");
    check_text(x86, "kmovw\t%k1, %eax", "kmovw %k, %g");
    check_text(x86, "fld\t%st(1)", "fld %st(1)");
    check_text(x86, "leaq\t8(%rip), %rsp", "leaq 8(%rip), %rsp");
    check_text(i386, "cwtl", "movswl %g, %g");
    check_text(x86, "cbtw", "movsbw %g, %g");
    check_text(x86, "cltqx", "cltqx");
    check_text(x86, "movq\t%xmm1, %rax", "movq %x, %g");
    check_text(x86, "movl\t-16(%rbp), %eax", "movl -16(%g), %g");
    check_text(arm, "ldr\tx0, [sp, #-16]!", "ldr x, [sp, #STACK]!");
    check_text(arm, "ldr\tx0, [sp]", "ldr x, [sp]");
    check_text(arm, "ldr\tx0, [x1, #16]", "ldr x, [x, #16]");
    check_text(arm, "cltq", "cltq");
    check_text(riscv, "ld\ta0, -8(sp)", "ld a, STACK(sp)");
    check_text(riscv, "ld\ta0, 8(s0)", "ld a, 8(s)");
    check_text(riscv, "call\tabcd1", "call abcd1"); /* four letters: no register */
    check_text(riscv, "call\tabc", "call abc");
    check_text(riscv, "call\ta1b", "call a1b");
    check_text(arm, "mul\tx1, x2, 17", "mul x, x, 17");
    check_text(amd, "v_mov_b32_e32 v1, vccx", "v_mov_b32 v, vccx");
    check_text(amd, "s_mov_b64 s[10:11], vcc", "s_mov_b64 s[2], s[2]");
    check_text(amd, "v_mov_b32_e32 v1, s[3]", "v_mov_b32 v, s[3]");
    check_text(amd, "v_mov_b32_e32 v1, s[:3]", "v_mov_b32 v, s[:3]");
    check_text(amd, "v_mov_b32_e32 v1, s[3:4", "v_mov_b32 v, s[3:4");
    check_text(amd, "v_mov_b32_e32 v1, a[0:15]", "v_mov_b32 v, a[16]");
    check_text(amd, "s_mov x[0:15]", "s_mov x[0:15]");
    check_text(amd, "ds_write_b32 v1, v2 offset:128", "ds_write_b32 v, v offset:");
    check_text(amd, "ds_write_b32 v1, v2 offset2:128", "ds_write_b32 v, v offset2:128");
    check_text(amd, "ds_write_b32 v1, v2 offset", "ds_write_b32 v, v offset");
    check_text(arm, "b.ne\t.LBB0_1", "b.ne LABEL");
    check_text(arm, "add_e64\tx1, x2, x3", "add_e64 x, x, x");
    assert_string_equal(code_comment("amdgcn-amd-amdhsa"), ";");
    assert_string_equal(code_comment("nvptx64-nvidia-cuda"), "//");
    assert_string_equal(code_comment("aarch64-linux-gnu"), "//");
    assert_string_equal(code_comment("x86_64-linux-gnu"), "#");
    assert_true(code_is_copy("movl %g, %g") && code_is_copy("v_mov_b32 v, v") && code_is_copy("s_mov_b64 s[2], s[2]"));
    assert_false(code_is_copy("movl %g, %gx") || code_is_copy("v_mov_b32 v, s"));
    assert_true(code_is_long("v_a_e64 v1", 10, amd));
    assert_false(code_is_long("v_a_e64 v1", 10, x86) || code_is_long("v_a v1_e64", 10, amd));
}

/* Which lines the code generator has made for itself, whatever number stands
 * over them. */
static void own_lines(void **state)
{
    (void)state;
    static const struct {
        const char *triple, *line;
        bool own, loads; /* loads: under the number of an instruction that may read
                        memory */
    } lines[] = {
        {"amdgcn-amd-amdhsa", "s_waitcnt vmcnt(0)", true, false},
        {"amdgcn-amd-amdhsa", "s_nop 0", true, false},
        {"amdgcn-amd-amdhsa", "s_load_dword s1, s[2:3], 0x0", true, false},
        {"amdgcn-amd-amdhsa", "s_load_dword s1, s[2:3], 0x0", false, true},
        {"amdgcn-amd-amdhsa", "global_load_dword v1, v[2:3], off", false, false},
        {"x86_64-linux-gnu", "nopw\t512(%rax,%rax)", true, false},
        {"x86_64-linux-gnu", "subq\t$8, %rsp", true, false},
        {"x86_64-linux-gnu", "movq\t8(%rsp), %rax", false, false},
        {"x86_64-linux-gnu", "pushq\t%rbx", true, false},
        {"x86_64-linux-gnu", "popq\t%rbx", true, false},
        {"aarch64-linux-gnu", "sub\tsp, sp, #16", true, false},
        {"aarch64-linux-gnu", "add\tx0, sp, #16", false, false},
        {"x86_64-linux-gnu", "movl\t%eax, %ecx", true, false},
        {"x86_64-linux-gnu", "addl\t%eax, %ecx", false, false},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[200];
        snprintf(text, sizeof text, "f:\n\t.loc\t1 3 %d\n\t%s\n", lines[i].loads ? 2 : 1, lines[i].line);
        struct code_lines m = read_code(text, lines[i].triple);
        if ((m.functions.at[0].lines.at[0].number == CODE_NONE) != lines[i].own)
            fail_msg("%s", lines[i].line);
        code_lines_release(&m);
    }
}

/* Prototypes, data and what stands after a function's end are no functions; a
 * spill is counted where its comment says so. */
static void functions_and_spills(void **state)
{
    (void)state;
    struct code_lines m = read_code(".visible .func  (.param .b32 r) declared(\n\t.param .b32 a\n)\n;\n"
                                    ".func one(int);\n.extern .func other(int)\n{\n\tret;\n}\n\tadd.s32 "
                                    "\t%r1, %r1, 1;\n",
                                    "nvptx64-nvidia-cuda");
    assert_null(code_lines_find(&m, "one"));
    assert_int_equal(code_lines_find(&m, "other")->lines.n, 1);
    assert_int_equal(code_lines_find(&m, "other")->needs.spills, -1);
    code_lines_release(&m);
    m = read_code("f:\n\tmovq\t%rax, 8(%rsp) # 8-byte Spill\n\tmovq\t8(%rsp), "
                  "%rax # 8-byte Folded "
                  "Reload\n\tmovq\t%rax, 8(%rdi) # 8-byte\n"
                  "\taddq\t$1, Spill(%rip)\n.Lfunc_end0:\n\tmovq\t%rax, 8(%rsp) "
                  "# 8-byte Spill\n.Lother:\n\t.p2align "
                  "4\n\tret\ng:\n\tret\n",
                  "x86_64-linux-gnu");
    assert_int_equal(m.functions.n, 2);
    assert_int_equal(code_lines_find(&m, "f")->lines.n, 4);
    assert_int_equal(code_lines_find(&m, "f")->needs.spills, 2);
    assert_int_equal(code_lines_find(&m, "g")->lines.n, 1);
    assert_int_equal(code_lines_find(&m, "g")->needs.spills, 0);
    code_lines_release(&m);
}

/* The first processor that a function with code names. */
static void processors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *processor;
    } modules[] = {{"declare void @d() #0\ndefine void @f() {\n  ret "
                    "void\n}\ndefine void @g() #1 {\n  ret void\n}\n"
                    "attributes #0 = { \"target-cpu\"=\"a\" }\nattributes #1 = { "
                    "\"target-cpu\"=\"b\" }\n",
                    "b"},
                   {"declare void @d() #0\ndefine void @f() {\n  ret "
                    "void\n}\nattributes #0 = { \"target-cpu\"=\"a\" }\n",
                    ""}};
    for (size_t i = 0; i < 2; i++) {
        struct llvm_module m = ir_load(modules[i].text);
        char *processor = code_processor(m.module);
        assert_string_equal(processor, modules[i].processor);
        free(processor);
        llvm_release(&m);
    }
}

/* A value that is needed after a call is kept on the stack, in a register that the callee keeps: which is kept there itself. */
static void spills_reach_the_code(void **state)
{
    (void)state;
    for (int call = 0; call < 2; call++) {
        char text[300];
        snprintf(text, sizeof text,
                 "target triple = \"aarch64-linux-gnu\"\ndeclare void @g()\ndefine i64 @f(i64 %%a) {\n  %s\n  ret i64 "
                 "%%a\n}\n",
                 call ? "call void @g()" : "");
        struct llvm_module m = ir_load(text);
        struct code_lines code;
        struct error e = ERROR_INIT;
        assert_int_equal(code_lines_make(&code, m.module, "f.ll", &e), OK);
        assert_int_equal(code_lines_find(&code, "f")->needs.spills > 0, call);
        code_lines_release(&code);
        llvm_release(&m);
    }
}

/* On AMD's a scalar load of the IR's is not taken for one of a kernel's arguments. */
static void loads_reach_the_code(void **state)
{
    (void)state;
    struct llvm_module m = ir_load("target triple = \"amdgcn-amd-amdhsa\"\n"
                                   "define amdgpu_kernel void @k(ptr addrspace(4) %p, ptr addrspace(1) %q) #0 {\n"
                                   "  %x = load i32, ptr addrspace(4) %p\n"
                                   "  store i32 %x, ptr addrspace(1) %q\n"
                                   "  ret void\n}\nattributes #0 = { \"target-cpu\"=\"gfx90a\" }\n");
    struct code_lines code;
    struct error e = ERROR_INIT;
    size_t loads = 0;
    assert_int_equal(code_lines_make(&code, m.module, "k.ll", &e), OK);
    const struct code_function *f = code_lines_find(&code, "k");
    for (size_t i = 0; i < f->lines.n; i++)
        loads += strncmp(f->lines.at[i].text, "s_load_dword", 12) == 0 && f->lines.at[i].number == 1;
    assert_true(loads > 0);
    code_lines_release(&code);
    llvm_release(&m);
}

/* ---- the verdict on two modules ---- */

#define AARCH64 "target triple = \"aarch64-linux-gnu\"\n"
#define NVIDIA  "target triple = \"nvptx64-nvidia-cuda\"\n"
#define HEAD    "declare i64 @llvm.readcyclecounter()\ndefine i64 @f(i64 %a, ptr %p) #0 {\n"
#define WORK    "  %b = mul i64 %a, %a\n"
#define TAIL                                                                                                           \
    "  ret i64 %b\n}\nattributes #0 = { nounwind \"target-cpu\"=\"cortex-a53\" "                                       \
    "}\n"
#define STAMP                                                                                                          \
    "  %c = call i64 @llvm.readcyclecounter(), !irprof.stamp !0\n  store i64 "                                         \
    "%c, ptr %p, !irprof.stamp !0\n"
#define POINTS "!irprof.stamps = !{!1}\n!0 = !{i32 1}\n!1 = !{i32 1, !\"p\", !\"add\"}\n"

static void put_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

/* The verdict and what is said begins so; `error`: of the error instead. */
static void check_structure(const char *base, const char *stamped, enum prove_verdict verdict, const char *said,
                            bool error)
{
    struct prove_finding f = {PROVE_HOLDS, NULL};
    struct error e = ERROR_INIT;
    char a[] = "/tmp/irprof-test-XXXXXX", b[] = "/tmp/irprof-test-XXXXXX";
    close(mkstemp(a));
    close(mkstemp(b));
    put_file(a, base);
    put_file(b, stamped);
    enum status s = structure_prove(&f, a, b, &e);
    unlink(a);
    unlink(b);
    const char *text = s ? e.message : f.why;
    assert_int_equal(s != OK, error);
    if (!strstr(text, said))
        fail_msg("'%s' is not in '%s'", said, text);
    if (!s)
        assert_int_equal(f.verdict, verdict);
    free(f.why);
    error_release(&e);
}

/* mul and ret on AArch64 are one machine instruction each, a stamp mrs and str.
 */
static void verdicts_on_structure(void **state)
{
    (void)state;
    check_structure(AARCH64 HEAD WORK TAIL, AARCH64 HEAD STAMP WORK TAIL POINTS, PROVE_HOLDS,
                    "aarch64-linux-gnu cortex-a53: 2 of 2 machine instructions "
                    "of the original are there, in its "
                    "order; 2 are of stamps; "
                    "the code generator's own: 0, before 0",
                    false);
    check_structure(AARCH64 HEAD WORK TAIL, AARCH64 HEAD STAMP "  %b = mul i64 %a, 3\n" TAIL POINTS, PROVE_DOES_NOT,
                    "without the stamps the IR is another one: function 'f': ", false);
    check_structure(AARCH64 HEAD WORK TAIL, NVIDIA HEAD STAMP WORK TAIL POINTS, PROVE_NOT,
                    "is for 'nvptx64-nvidia-cuda', and /tmp/", true);
    check_structure(AARCH64 HEAD WORK TAIL, AARCH64 HEAD WORK TAIL, PROVE_NOT, "has no stamps", true);
    check_structure(AARCH64 "@v = global i8 1\n", AARCH64 "@v = global i8 1\n" POINTS, PROVE_NOT,
                    "0 of 0 machine instructions", false);
    setenv("PATH", "/nowhere", 1); /* no ptxas */
    check_structure(NVIDIA "define i64 @f(i64 %a, ptr %p) {\n" WORK "  ret i64 %b\n}\n",
                    NVIDIA "define i64 @f(i64 %a, ptr %p) {\n" WORK
                           "  store i64 1, ptr %p, !irprof.stamp !0\n  ret i64 %b\n}\n" POINTS,
                    PROVE_NOT, "PTX instructions of the original are there, in its order", false);
    check_structure(NVIDIA "define i64 @f(i64 %a, ptr %p) {\n" WORK "  ret i64 %b\n}\n",
                    NVIDIA "define i64 @f(i64 %a, ptr %p) {\n" WORK
                           "  store i64 1, ptr %p, !irprof.stamp !0\n  ret i64 %b\n}\n" POINTS,
                    PROVE_NOT,
                    "; registers and occupancy: NVIDIA's ptxas decides them, and it was not "
                    "run",
                    false);
}

/* A ptxas of our own: its words, its architecture, its failure. */
static void verdicts_with_ptxas(void **state)
{
    (void)state;
    char folder[] = "/tmp/irprof-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/ptxas", folder);
    static const char base[] = NVIDIA "define ptx_kernel void @k(ptr %p) #0 {\n  store i32 2, ptr %p\n  ret "
                                      "void\n}\nattributes #0 = { \"target-cpu\"=\"sm_100\" }\n",
                      stamped[] = NVIDIA "define ptx_kernel void @k(ptr %p) #0 {\n  store i32 2, "
                                         "ptr %p\n  store volatile i32 1, ptr %p, "
                                         "!irprof.stamp !0\n  ret void\n}\nattributes #0 = { "
                                         "\"target-cpu\"=\"sm_100\" }\n" POINTS;
    char *before = strdup(getenv("PATH"));
    setenv("PATH", folder, 1);
    /* the stamped one stores twice, and needs more: registers are only reported,
   * spills are not allowed */
    static const char script[] = "#!/bin/sh\nn=0\nwhile read -r line; do case $line in st.*) n=$((n + 1)) "
                                 ";; esac; done <\"$3\"\n"
                                 "echo \"ptxas info : Compiling entry function 'k' for 'sm_100'\"\n"
                                 "echo \"0 bytes stack frame, $((%d * (n - 1))) bytes spill stores, 0 "
                                 "bytes spill loads\"\n"
                                 "echo \"Used $((7 + n)) registers, $((64 * n)) bytes smem\"\n";
    for (int spills = 0; spills <= 8; spills += 8) {
        char text[600];
        snprintf(text, sizeof text, script, spills);
        put_file(path, text);
        chmod(path, 0755);
        check_structure(base, stamped, spills ? PROVE_DOES_NOT : PROVE_NOT,
                        spills ? "; 9 registers (before: 8); 2 spills (before: 0); "
                                 "128 bytes of shared memory (before: 64)"
                               : "; 9 registers (before: 8); 128 bytes of shared "
                                 "memory (before: 64); by ptxas for "
                                 "sm_100: its machine code was not compared",
                        false);
    }
    put_file(path, "#!/bin/sh\nexit 3\n");
    check_structure(base, stamped, PROVE_NOT, "; ptxas for sm_100 exited with 3: its machine code was not compared",
                    false);
    setenv("PATH", before, 1);
    free(before);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_lose_numbers_of_registers),
        cmocka_unit_test(assembly_is_read_with_numbers),
        cmocka_unit_test(needs_of_amd_are_read),
        cmocka_unit_test(copies_belong_to_no_instruction),
        cmocka_unit_test(functions_of_ptx_are_found),
        cmocka_unit_test(needs_of_nvidia_are_what_ptxas_says),
        cmocka_unit_test(comparison_tells_lost_new_shared_and_moved),
        cmocka_unit_test(addresses_before_jumps_are_of_stamps),
        cmocka_unit_test(numbers_reach_the_code),
        cmocka_unit_test(texts_at_the_borders),
        cmocka_unit_test(own_lines),
        cmocka_unit_test(functions_and_spills),
        cmocka_unit_test(verdicts_with_ptxas),
        cmocka_unit_test(processors),
        cmocka_unit_test(loads_reach_the_code),
        cmocka_unit_test(spills_reach_the_code),
        cmocka_unit_test(verdicts_on_structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
