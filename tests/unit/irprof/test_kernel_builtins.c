/* Functions of OpenCL C as intrinsics and instructions: what each must become is in its specification, 6.12. */
#include "tests/unit/irprof/ir.h"

#include "irprof/kernel/builtins.h"

/* The IR of `text` after it; NULL: it is refused, and the message has `said`. */
static char *lowered(const char *text, const char *said)
{
    struct llvm_module m = ir_load(text);
    struct error e = ERROR_INIT;
    char *out = 0;
    enum status s = builtins_lower(m.module, "k.cl", &e);
    if (said) {
        assert_int_equal(s, ERR_UNSUPPORTED);
        if (!strstr(e.message, said))
            fail_msg("%s", e.message);
        error_release(&e);
    } else {
        if (s)
            fail_msg("%s", e.message);
        char *wrong = llvm_verify(&m);
        if (wrong)
            fail_msg("%s", wrong);
        char *printed = LLVMPrintModuleToString(m.module);
        out = strdup(printed);
        LLVMDisposeMessage(printed);
    }
    llvm_release(&m);
    return out;
}

/* A call of NAME with the types of its parameters becomes something with `expected` in it, and the call is gone. */
static void check(const char *name, const char *result, const char *parameters, const char *expected)
{
    char text[1024], types[256] = "", arguments[256] = "";
    int number = 0;
    for (const char *s = parameters; *s; number++) {
        size_t n = strcspn(s, ";");
        snprintf(types + strlen(types), sizeof types - strlen(types), "%s%.*s", number ? ", " : "", (int)n, s);
        snprintf(arguments + strlen(arguments), sizeof arguments - strlen(arguments), "%s%.*s %%a%d",
                 number ? ", " : "", (int)n, s, number);
        s += n + (s[n] == ';');
    }
    snprintf(text, sizeof text, "declare %s @%s(%s)\ndefine %s @f(%s) {\n  %%r = call %s @%s(%s)\n  ret %s %%r\n}\n",
             result, name, types, result, arguments, result, name, arguments, result);
    char *out = lowered(text, 0);
    if (!strstr(out, expected) || strstr(out, name))
        fail_msg("%s has no '%s'", out, expected);
    free(out);
}

static void functions_become_intrinsics(void **state)
{
    (void)state;
    check("_Z4sqrtf", "float", "float", "@llvm.sqrt.f32(float");
    check("_Z4sqrtDv4_f", "<4 x float>", "<4 x float>", "@llvm.sqrt.v4f32(");
    check("_Z10native_expf", "float", "float", "@llvm.exp.f32(");
    check("_Z3madfff", "float", "float;float;float", "@llvm.fmuladd.f32(");
    check("_Z3fmaddd", "double", "double;double;double", "@llvm.fma.f64(");
    check("_Z3minii", "i32", "i32;i32", "@llvm.smin.i32(");
    check("_Z3minjj", "i32", "i32;i32", "@llvm.umin.i32(");
    check("_Z3maxff", "float", "float;float", "@llvm.maxnum.f32(");
    check("_Z3maxDv2_tS_", "<2 x i16>", "<2 x i16>;<2 x i16>", "@llvm.umax.v2i16(");
    check("_Z3clzj", "i32", "i32", "@llvm.ctlz.i32(i32 %a0, i1 false)");
    check("_Z3absi", "i32", "i32", "@llvm.abs.i32(i32 %a0, i1 false)");
    check("_Z6rotatejj", "i32", "i32;i32", "@llvm.fshl.i32(i32 %a0, i32 %a0, i32 %a1)");
    check("_Z5clampiii", "i32", "i32;i32;i32", "@llvm.smin.i32(");
    check("_Z5clampfff", "float", "float;float;float", "@llvm.minnum.f32(");
}

static void functions_become_instructions(void **state)
{
    (void)state;
    check("_Z5rsqrtf", "float", "float", "fdiv float 1.000000e+00, ");
    check("_Z13native_divideff", "float", "float;float", "fdiv float %a0, %a1");
    check("_Z5mad24iii", "i32", "i32;i32;i32", "mul i32 %a0, %a1");
    check("_Z3dotDv2_fS_", "float", "<2 x float>;<2 x float>", "fmul <2 x float>");
    check("_Z13convert_floati", "float", "i32", "sitofp i32 %a0 to float");
    check("_Z13convert_floatj", "float", "i32", "uitofp i32 %a0 to float");
    check("_Z12convert_uintf", "i32", "float", "fptoui float %a0 to i32");
    check("_Z11convert_intf", "i32", "float", "fptosi float %a0 to i32");
    check("_Z12convert_longc", "i64", "i8", "sext i8 %a0 to i64");
    check("_Z12convert_longh", "i64", "i8", "zext i8 %a0 to i64");
    check("_Z14convert_float4Dv4_h", "<4 x float>", "<4 x i8>", "uitofp <4 x i8>");
    check("_Z10atomic_addPU8CLglobalVii", "i32", "ptr;i32", "atomicrmw add ptr %a0, i32 %a1");
    check("_Z10atomic_incPU8CLglobalVj", "i32", "ptr", "atomicrmw add ptr %a0, i32 1");
    check("_Z14atomic_cmpxchgPU8CLglobalViii", "i32", "ptr;i32;i32", "cmpxchg ptr %a0, i32 %a1, i32 %a2");
}

static void marks_and_flags_stay(void **state)
{
    (void)state;
    char *out =
        lowered("declare float @_Z5rsqrtf(float)\ndefine float @f(float %x) {\n"
                "  %r = call fast float @_Z5rsqrtf(float %x), !irprof.stamp !0\n  ret float %r\n}\n!0 = !{i32 2}\n",
                0);
    /* LLVM 17's C API cannot read flags, so none stay (llvm_versions.h) */
    const bool read = LLVM_VERSION_MAJOR >= 18;
    assert_non_null(strstr(out, read ? "call fast float @llvm.sqrt.f32(float %x), !irprof.stamp"
                                     : "call float @llvm.sqrt.f32(float %x), !irprof.stamp"));
    assert_non_null(strstr(out, read ? "fdiv fast float 1.000000e+00, %1, !irprof.stamp"
                                     : "fdiv float 1.000000e+00, %1, !irprof.stamp"));
    free(out);
}

static void others_are_refused_and_the_runtimes_stay(void **state)
{
    (void)state;
    lowered("declare float @_Z6lgammaf(float)\ndefine float @f(float %x) {\n  %r = call float @_Z6lgammaf(float %x)\n"
            "  ret float %r\n}\n",
            "'lgamma' (_Z6lgammaf) cannot be run here");
    lowered("declare i8 @_Z17convert_uchar_satf(float)\ndefine i8 @f(float %x) {\n"
            "  %r = call i8 @_Z17convert_uchar_satf(float %x)\n  ret i8 %r\n}\n",
            "convert_uchar_sat");
    lowered("declare <4 x float> @_Z3minDv4_ff(<4 x float>, float)\ndefine <4 x float> @f(<4 x float> %x, float %y) {\n"
            "  %r = call <4 x float> @_Z3minDv4_ff(<4 x float> %x, float %y)\n  ret <4 x float> %r\n}\n",
            "'min'");
    char *out = lowered("declare i64 @_Z13get_global_idj(i32)\ndeclare void @_Z7barrierj(i32)\ndeclare void @other()\n"
                        "define i64 @f() {\n  call void @_Z7barrierj(i32 1)\n  call void @other()\n"
                        "  %r = call i64 @_Z13get_global_idj(i32 0)\n  ret i64 %r\n}\n",
                        0);
    assert_non_null(strstr(out, "call void @_Z7barrierj"));
    assert_non_null(strstr(out, "call void @other"));
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_become_intrinsics),
        cmocka_unit_test(functions_become_instructions),
        cmocka_unit_test(marks_and_flags_stay),
        cmocka_unit_test(others_are_refused_and_the_runtimes_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
