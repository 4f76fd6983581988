/* Keys of single instructions: the vocabulary of docs/method/counting.md, written out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "irprof/module/instruction_key.h"
#include "tests/unit/irprof/ir.h"

static const char preamble[] = "target triple = \"x86_64-pc-linux-gnu\"\n"
                               "%pair = type { i32, i64 }\n"
                               "@g = global i32 0\n"
                               "@alias = alias void (), ptr @f\n"
                               "define void @f() { ret void }\n"
                               "declare i32 @h(i32)\n"
                               "declare double @sin(double)\n"
                               "declare double @sinus(double)\n"
                               "define i64 @strlen(ptr %p) { ret i64 0 }\n"
                               "declare void @shim_region_begin(ptr)\n"
                               "declare void @shim_region_end(ptr)\n"
                               "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                               "declare double @llvm.fmuladd.f64(double, double, double)\n"
                               "declare <4 x float> @llvm.fabs.v4f32(<4 x float>)\n"
                               "declare void @llvm.lifetime.start.p0(i64, ptr)\n"
                               "declare void @llvm.assume(i1)\n"
                               "declare void @llvm.donothing()\n"
                               "declare void @llvm.experimental.noalias.scope.decl(metadata)\n"
                               "declare {i32, i1} @llvm.sadd.with.overflow.i32(i32, i32)\n"
                               "declare ptr @llvm.launder.invariant.group.p0(ptr)\n"
                               "declare void @llvm.trap()\n";

/* An instruction (or several), the parameters it uses, and the keys of those that are counted, spaces between. */
struct row {
    int line;
    const char *code, *keys;
};
#define ROW(code, keys)                                                                                                \
    {                                                                                                                  \
        __LINE__, code, keys                                                                                           \
    }

static const struct row rows[] = {
    ROW("%r = add i32 %i, %i", "add.i32"),
    ROW("%r = add nsw i32 %i, 1 \n %s = add i32 %r, 1", "add.i32 add.i32_d"),
    ROW("%r = add i32 %i, 1 \n %s = add i32 %i, 1 \n %t = add i32 %r, 1", "add.i32 add.i32 add.i32"),
    ROW("%r = sub i128 0, 1", "sub.i128"),
    ROW("%r = mul i64 %l, %l", "mul.i64"),
    ROW("%r = sdiv i32 %i, 3 \n %s = srem i32 %r, 2", "sdiv.i32 srem.i32_d"),
    ROW("%r = udiv i8 1, 3 \n %s = urem i16 5, 2", "udiv.i8 urem.i16"),
    ROW("%r = fadd double %d, %d \n %s = fmul double %r, %r", "fadd.double fmul.double_d"),
    ROW("%r = fsub float %f, %f \n %s = fdiv float %f, %f", "fsub.float fdiv.float"),
    ROW("%r = frem double %d, 2.0 \n %s = fneg double %d", "frem.double fneg.double"),
    ROW("%r = shl i32 %i, 1 \n %s = lshr i32 %r, 1 \n %t = ashr i32 %s, 1", "shl.i32 lshr.i32_d ashr.i32_d"),
    ROW("%r = and i1 true, %b \n %s = or i1 %r, %b \n %t = xor i1 %b, true", "and.i1 or.i1_d xor.i1"),
    ROW("%r = fmul <4 x float> %v, %v", "fmul.v4f32"),
    ROW("%r = add <2 x i64> zeroinitializer, zeroinitializer", "add.v2i64"),
    ROW("%r = fadd <2 x double> zeroinitializer, zeroinitializer", "fadd.v2f64"),
    ROW("%r = fadd <vscale x 2 x double> zeroinitializer, zeroinitializer", "fadd.nxv2f64"),
    ROW("%r = fadd x86_fp80 0xK3FFF8000000000000000, 0xK3FFF8000000000000000", "fadd.x86_fp80"),
    ROW("%r = fadd half 0xH3C00, 0xH3C00", "fadd.half"),
    /* memory */
    ROW("%r = alloca i32", "alloca.ptr"),
    ROW("%r = load i64, ptr %p", "load.i64"),
    ROW("%r = load ptr, ptr %p \n %s = load double, ptr %r", "load.ptr load.double_d"),
    ROW("store i16 7, ptr %p", "store.i16"),
    ROW("%r = add i32 %i, 1 \n store i32 %r, ptr %p", "add.i32 store.i32_d"),
    ROW("%r = getelementptr i32, ptr %p, i64 3 \n store float %f, ptr %r", "getelementptr.ptr store.float_d"),
    ROW("%r = getelementptr i8, ptr %p, <2 x i64> zeroinitializer", "getelementptr.v2ptr"),
    ROW("fence seq_cst", "fence"),
    ROW("%r = atomicrmw add ptr %p, i32 1 monotonic", "atomicrmw.i32"),
    ROW("%r = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst", "cmpxchg.agg"),
    /* conversions: the result's type, but the operand's for fptosi and fptoui */
    ROW("%r = trunc i64 %l to i8 \n %s = zext i8 %r to i32 \n %t = sext i8 %r to i64", "trunc.i8 zext.i32_d sext.i64"),
    ROW("%r = fptosi double %d to i32 \n %s = fptoui float %f to i64", "fptosi.double fptoui.float"),
    ROW("%r = sitofp i32 %i to double \n %s = uitofp i64 %l to float", "sitofp.double uitofp.float"),
    ROW("%r = fptrunc double %d to float \n %s = fpext float %r to double", "fptrunc.float fpext.double_d"),
    ROW("%r = ptrtoint ptr %p to i64 \n %s = inttoptr i64 %r to ptr", "ptrtoint.i64 inttoptr.ptr_d"),
    ROW("%r = bitcast double %d to i64", "bitcast.i64"),
    /* comparisons: the operand's type */
    ROW("%r = icmp slt i64 %l, 0 \n %s = fcmp olt double %d, 0.0", "icmp.i64 fcmp.double"),
    ROW("%r = icmp eq ptr %p, null", "icmp.ptr"),
    ROW("%r = icmp eq i32 %i, 0 \n %s = select i1 %r, double %d, double 0.0", "icmp.i32 select.double_d"),
    ROW("%r = freeze i32 %i", "freeze.i32"),
    /* aggregates and vectors */
    ROW("%r = insertvalue %pair undef, i32 %i, 0 \n %s = extractvalue %pair %r, 1",
        "insertvalue.agg extractvalue.i64_d"),
    ROW("%r = load %pair, ptr %p", "load.agg"),
    ROW("%r = extractelement <4 x float> %v, i32 1", "extractelement.float"),
    ROW("%r = insertelement <4 x float> %v, float %f, i32 1", "insertelement.v4f32"),
    ROW("%r = shufflevector <4 x float> %v, <4 x float> %v, <2 x i32> <i32 0, i32 1>", "shufflevector.v2f32"),
    ROW("%r = va_arg ptr %p, i32", "va_arg.i32"),
    /* calls */
    ROW("call void @f()", "call.direct"),
    ROW("call void @alias()", "call.direct"),
    ROW("%r = call i32 @h(i32 %i) \n %s = call i32 @h(i32 %r)", "call.direct call.direct_d"),
    ROW("%r = load ptr, ptr %p \n call void %r()", "load.ptr call.indirect_d"),
    ROW("call void %p()", "call.indirect"),
    ROW("call void asm sideeffect \"nop\", \"\"()", "call.asm"),
    ROW("call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 8, i1 false)", "call.llvm.memcpy"),
    ROW("%r = call double @llvm.fmuladd.f64(double %d, double %d, double %d)", "call.llvm.fmuladd.double"),
    ROW("%r = call <4 x float> @llvm.fabs.v4f32(<4 x float> %v)", "call.llvm.fabs.v4f32"),
    ROW("%r = call {i32, i1} @llvm.sadd.with.overflow.i32(i32 %i, i32 1)", "call.llvm.sadd.with.overflow.agg"),
    ROW("call void @llvm.trap()", "call.llvm.trap"),
    /* the library's functions by name, unless the program defines them */
    ROW("%r = call double @sin(double %d) \n %s = call double @sin(double %r)", "call.library.sin call.library.sin_d"),
    ROW("%r = call double @sinus(double %d) \n %s = call i64 @strlen(ptr %p)", "call.direct call.direct"),
    /* no code: not counted, and the next instruction follows the one before */
    ROW("call void @llvm.lifetime.start.p0(i64 4, ptr %p)", ""),
    ROW("call void @llvm.donothing()", ""),
    ROW("call void @llvm.experimental.noalias.scope.decl(metadata !{!1})", ""),
    ROW("%r = icmp eq i32 %i, 0 \n call void @llvm.assume(i1 %r) \n %s = zext i1 %r to i32", "icmp.i32 zext.i32_d"),
    ROW("%r = call ptr @llvm.launder.invariant.group.p0(ptr %p) \n %s = load i32, ptr %r", "load.i32"),
    /* region marks: neither counted nor in between */
    ROW("%r = add i32 %i, 1 \n call void @shim_region_begin(ptr @g) \n %s = add i32 %r, 1 \n"
        "call void @shim_region_end(ptr @g)",
        "add.i32 add.i32_d"),
    /* ends of blocks */
    ROW("br label %x \n x:", "br.uncond"),
    ROW("br i1 %b, label %x, label %x \n x:", "br.cond"),
    ROW("%r = icmp eq i32 %i, 0 \n br i1 %r, label %x, label %x \n x:", "icmp.i32 br.cond_d"),
    ROW("switch i64 %l, label %x [] \n x:", "switch.i64"),
    ROW("indirectbr ptr %p, [label %x] \n x:", "indirectbr"),
    /* what comes before in another block does not count as preceding; phis are never _d, but may precede */
    ROW("%r = add i32 %i, 1 \n br label %x \n x: \n %s = add i32 %r, 1", "add.i32 br.uncond add.i32"),
    ROW("br label %x \n x: \n %r = phi i32 [ %i, %0 ] \n %s = phi i32 [ %i, %0 ] \n %t = add i32 %s, 1",
        "br.uncond phi.i32 phi.i32 add.i32_d"),
    ROW("br label %x \n x: \n %r = phi i32 [ %i, %0 ], [ %q, %x ] \n %q = phi i32 [ 0, %0 ], [ %r, %x ] \n"
        "br i1 %b, label %x, label %y \n y:",
        "br.uncond phi.i32 phi.i32 br.cond"),
};

/* The keys of a function, without its last ret. */
static char *keys_in(LLVMValueRef function)
{
    struct str keys = STR_INIT;
    str_add(&keys, "");
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef previous = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetInstructionOpcode(i) == LLVMRet || !key_counted(i))
                continue;
            char *key = key_of(i, previous);
            str_addf(&keys, "%s%s", keys.len ? " " : "", key);
            free(key);
            previous = i;
        }
    }
    return str_detach(&keys);
}

static void every_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str text = STR_INIT;
        str_addf(&text,
                 "%sdefine void @t(i32 %%i, i64 %%l, i1 %%b, float %%f, double %%d, <4 x float> %%v, ptr %%p) {\n%s\n"
                 "ret void\n}\n!0 = distinct !{!0}\n!1 = distinct !{!1, !0}\n",
                 preamble, rows[i].code);
        struct llvm_module m = ir_load(text.s);
        char *keys = keys_in(LLVMGetNamedFunction(m.module, "t"));
        if (strcmp(keys, rows[i].keys) != 0)
            fail_msg("line %d: expected '%s', got '%s'", rows[i].line, rows[i].keys, keys);
        free(keys);
        llvm_release(&m);
        str_release(&text);
    }
}

static void ret_and_unreachable(void **state)
{
    (void)state;
    struct llvm_module m = ir_load("define i32 @a(i32 %i) {\n %r = add i32 %i, 1\n ret i32 %r\n}\n"
                                   "define void @b() {\n ret void\n}\ndefine void @c() {\n unreachable\n}\n");
    const char *const expected[][2] = {{"a", "ret_d"}, {"b", "ret"}};
    for (size_t i = 0; i < 2; i++) {
        LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetNamedFunction(m.module, expected[i][0]));
        LLVMValueRef last = LLVMGetLastInstruction(b);
        char *key = key_of(last, LLVMGetPreviousInstruction(last));
        assert_string_equal(key, expected[i][1]);
        free(key);
    }
    assert_false(key_counted(LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(LLVMGetNamedFunction(m.module, "c")))));
    llvm_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row), cmocka_unit_test(ret_and_unreachable)};
    return cmocka_run_group_tests(tests, 0, 0);
}
