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

/* Each name of the specification with its intrinsic. */
static void each_name(void **state)
{
    (void)state;
    static const struct {
        const char *name, *intrinsic;
        unsigned arguments;
    } real[] = {
        {"sqrt", "sqrt", 1},    {"native_sqrt", "sqrt", 1}, {"half_sqrt", "sqrt", 1},   {"fabs", "fabs", 1},
        {"floor", "floor", 1},  {"ceil", "ceil", 1},        {"trunc", "trunc", 1},      {"rint", "rint", 1},
        {"round", "round", 1},  {"exp", "exp", 1},          {"native_exp", "exp", 1},   {"half_exp", "exp", 1},
        {"exp2", "exp2", 1},    {"native_exp2", "exp2", 1}, {"log", "log", 1},          {"native_log", "log", 1},
        {"half_log", "log", 1}, {"log2", "log2", 1},        {"native_log2", "log2", 1}, {"log10", "log10", 1},
        {"sin", "sin", 1},      {"native_sin", "sin", 1},   {"cos", "cos", 1},          {"native_cos", "cos", 1},
        {"pow", "pow", 2},      {"powr", "pow", 2},         {"native_powr", "pow", 2},  {"fma", "fma", 3},
        {"mad", "fmuladd", 3},  {"fmin", "minnum", 2},      {"fmax", "maxnum", 2},      {"copysign", "copysign", 2},
        {"min", "minnum", 2},   {"max", "maxnum", 2}};
    static const char *const given[] = {"", "float", "float;float", "float;float;float"},
                             *const passed[] = {"", "(float %a0)", "(float %a0, float %a1)",
                                                "(float %a0, float %a1, float %a2)"};
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        char name[64], expected[128];
        snprintf(name, sizeof name, "_Z%zu%s%.*s", strlen(real[i].name), real[i].name, (int)real[i].arguments, "fff");
        snprintf(expected, sizeof expected, "  %%1 = call float @llvm.%s.f32%s\n  ret float %%1\n", real[i].intrinsic,
                 passed[real[i].arguments]);
        check(name, "float", given[real[i].arguments], expected);
    }
    static const struct {
        const char *name, *with_sign, *without;
    } whole[] = {{"min", "smin", "umin"}, {"max", "smax", "umax"}};
    static const struct {
        const char *code, *type;
        bool is_unsigned;
    } types[] = {{"c", "i8", false},  {"h", "i8", true},  {"s", "i16", false}, {"t", "i16", true},
                 {"i", "i32", false}, {"j", "i32", true}, {"l", "i64", false}, {"m", "i64", true}};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
            char name[64], expected[128], parameters[64];
            snprintf(name, sizeof name, "_Z3%s%s%s", whole[i].name, types[k].code, types[k].code);
            snprintf(parameters, sizeof parameters, "%s;%s", types[k].type, types[k].type);
            snprintf(expected, sizeof expected, "  %%1 = call %s @llvm.%s.%s(%s %%a0, %s %%a1)\n  ret", types[k].type,
                     types[k].is_unsigned ? whole[i].without : whole[i].with_sign, types[k].type, types[k].type,
                     types[k].type);
            check(name, types[k].type, parameters, expected);
        }
    static const struct {
        const char *name, *operation;
    } atomics[] = {{"add", "add"}, {"sub", "sub"}, {"and", "and"}, {"or", "or"}, {"xor", "xor"}, {"xchg", "xchg"}};
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++) {
        char name[64], expected[128];
        snprintf(name, sizeof name, "_Z%zuatomic_%sPU8CLglobalVii", 7 + strlen(atomics[i].name), atomics[i].name);
        snprintf(expected, sizeof expected, "  %%1 = atomicrmw %s ptr %%a0, i32 %%a1 monotonic, align 4\n  ret",
                 atomics[i].operation);
        check(name, "i32", "ptr;i32", expected);
    }
}

/* Several instructions in the place of one call, whole. */
static void what_takes_several(void **state)
{
    (void)state;
    check("_Z5clampiii", "i32", "i32;i32;i32",
          "  %1 = call i32 @llvm.smax.i32(i32 %a0, i32 %a1)\n  %2 = call i32 @llvm.smin.i32(i32 %1, i32 %a2)\n  ret "
          "i32 %2");
    check("_Z5clampjjj", "i32", "i32;i32;i32",
          "  %1 = call i32 @llvm.umax.i32(i32 %a0, i32 %a1)\n  %2 = call i32 @llvm.umin.i32(i32 %1, i32 %a2)\n  ret "
          "i32 %2");
    check("_Z5clampfff", "float", "float;float;float",
          "  %1 = call float @llvm.maxnum.f32(float %a0, float %a1)\n"
          "  %2 = call float @llvm.minnum.f32(float %1, float %a2)\n  ret float %2");
    check("_Z3dotff", "float", "float;float", "  %1 = fmul float %a0, %a1\n  ret float %1");
    check("_Z3dotDv3_fS_", "float", "<3 x float>;<3 x float>",
          "  %1 = fmul <3 x float> %a0, %a1\n  %2 = extractelement <3 x float> %1, i32 0\n"
          "  %3 = extractelement <3 x float> %1, i32 1\n  %4 = fadd float %2, %3\n"
          "  %5 = extractelement <3 x float> %1, i32 2\n  %6 = fadd float %4, %5\n  ret float %6");
    check("_Z5rsqrtDv2_f", "<2 x float>", "<2 x float>",
          "  %1 = call <2 x float> @llvm.sqrt.v2f32(<2 x float> %a0)\n"
          "  %2 = fdiv <2 x float> <float 1.000000e+00, float 1.000000e+00>, %1\n");
    check("_Z12native_rsqrtf", "float", "float", "  %2 = fdiv float 1.000000e+00, %1\n  ret float %2");
    check("_Z12native_recipf", "float", "float", "  %1 = fdiv float 1.000000e+00, %a0\n  ret float %1");
    check("_Z10half_recipf", "float", "float", "  %1 = fdiv float 1.000000e+00, %a0\n  ret float %1");
    check("_Z11half_divideff", "float", "float;float", "  %1 = fdiv float %a0, %a1\n  ret float %1");
    check("_Z5mul24ii", "i32", "i32;i32", "  %1 = mul i32 %a0, %a1\n  ret i32 %1");
    check("_Z5mad24iii", "i32", "i32;i32;i32", "  %1 = mul i32 %a0, %a1\n  %2 = add i32 %1, %a2\n  ret i32 %2");
    check("_Z3absj", "i32", "i32", "  ret i32 %a0");
    check("_Z3absh", "i8", "i8", "  ret i8 %a0");
    check("_Z3absDv2_i", "<2 x i32>", "<2 x i32>", "call <2 x i32> @llvm.abs.v2i32(<2 x i32> %a0, i1 false)");
    check("_Z3clzi", "i32", "i32", "  %1 = call i32 @llvm.ctlz.i32(i32 %a0, i1 false)\n  ret i32 %1");
    check("_Z8popcountj", "i32", "i32", "  %1 = call i32 @llvm.ctpop.i32(i32 %a0)\n  ret i32 %1");
    check("_Z8popcounti", "i32", "i32", "  %1 = call i32 @llvm.ctpop.i32(i32 %a0)\n  ret i32 %1");
    check("_Z6rotateii", "i32", "i32;i32", "  %1 = call i32 @llvm.fshl.i32(i32 %a0, i32 %a0, i32 %a1)\n  ret i32 %1");
    check("_Z10atomic_decPU8CLglobalVi", "i32", "ptr", "  %1 = atomicrmw sub ptr %a0, i32 1 monotonic, align 4\n");
    check("_Z11atomic_xchgPU8CLglobalVff", "float", "ptr;float", "  %1 = atomicrmw xchg ptr %a0, float %a1 monotonic");
    check(
        "_Z14atomic_cmpxchgPU8CLglobalViii", "i32", "ptr;i32;i32",
        "  %1 = cmpxchg ptr %a0, i32 %a1, i32 %a2 monotonic monotonic, align 4\n  %2 = extractvalue { i32, i1 } %1, 0\n"
        "  ret i32 %2");
}

static void conversions(void **state)
{
    (void)state;
    check("_Z12convert_chari", "i8", "i32", "  %1 = trunc i32 %a0 to i8\n  ret i8 %1");
    check("_Z11convert_inti", "i32", "i32", "  ret i32 %a0");
    check("_Z13convert_ulongt", "i64", "i16", "zext i16 %a0 to i64");
    check("_Z13convert_ulongs", "i64", "i16", "sext i16 %a0 to i64");
    check("_Z14convert_doublem", "double", "i64", "uitofp i64 %a0 to double");
    check("_Z14convert_doublel", "double", "i64", "sitofp i64 %a0 to double");
    check("_Z14convert_doublef", "double", "float", "fpext float %a0 to double");
    check("_Z13convert_floatd", "float", "double", "fptrunc double %a0 to float");
    check("_Z13convert_uchard", "i8", "double", "fptoui double %a0 to i8");
    check("_Z12convert_longd", "i64", "double", "fptosi double %a0 to i64");
}

static void marks_and_flags_stay(void **state)
{
    (void)state;
    char *out = lowered(
        "declare float @_Z5rsqrtf(float)\ndefine float @f(float %x) {\n"
        "  %r = call fast float @_Z5rsqrtf(float %x), !irprof.stamp !0, !fpmath !1\n  ret float %r\n}\n!0 = !{i32 2}\n"
        "!1 = !{float 2.5}\n",
        0);
    /* LLVM 17's C API cannot read flags, so none stay (llvm_versions.h) */
    const bool read = LLVM_VERSION_MAJOR >= 18;
    assert_non_null(strstr(out, read ? "call fast float @llvm.sqrt.f32(float %x), !fpmath !0, !irprof.stamp"
                                     : "call float @llvm.sqrt.f32(float %x), !fpmath !0, !irprof.stamp"));
    assert_non_null(strstr(out, read ? "fdiv fast float 1.000000e+00, %1, !fpmath !0, !irprof.stamp"
                                     : "fdiv float 1.000000e+00, %1, !fpmath !0, !irprof.stamp"));
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
    static const char *const other_types[][2] = {
        {"declare float @_Z10atomic_addPU8CLglobalVff(ptr, float)\ndefine float @f(ptr %p, float %x) {\n"
         "  %r = call float @_Z10atomic_addPU8CLglobalVff(ptr %p, float %x)\n  ret float %r\n}\n",
         "'atomic_add'"},
        {"declare float @_Z3clzf(float)\ndefine float @f(float %x) {\n  %r = call float @_Z3clzf(float %x)\n  ret "
         "float %r\n}\n",
         "'clz'"},
        {"declare float @_Z3absf(float)\ndefine float @f(float %x) {\n  %r = call float @_Z3absf(float %x)\n  ret "
         "float %r\n}\n",
         "'abs'"},
        {"declare i32 @_Z3absDv2_i(<2 x i32>)\ndefine i32 @f(<2 x i32> %x) {\n  %r = call i32 @_Z3absDv2_i(<2 x i32> "
         "%x)\n"
         "  ret i32 %r\n}\n",
         "'abs'"},
        {"declare i32 @_Z4sqrti(i32)\ndefine i32 @f(i32 %x) {\n  %r = call i32 @_Z4sqrti(i32 %x)\n  ret i32 %r\n}\n",
         "'sqrt'"},
        {"declare i32 @_Z5clampii(i32, i32)\ndefine i32 @f(i32 %x) {\n  %r = call i32 @_Z5clampii(i32 %x, i32 %x)\n"
         "  ret i32 %r\n}\n",
         "'clamp'"},
        {"declare i32 @_Z6rotateij(i32, i8)\ndefine i32 @f(i32 %x, i8 %n) {\n  %r = call i32 @_Z6rotateij(i32 %x, i8 "
         "%n)\n"
         "  ret i32 %r\n}\n",
         "'rotate'"},
        {"declare i32 @_Z11convert_intff(float, float)\ndefine i32 @f(float %x) {\n"
         "  %r = call i32 @_Z11convert_intff(float %x, float %x)\n  ret i32 %r\n}\n",
         "'convert_int'"},
        {"declare i32 @_Z10converted_f(float)\ndefine i32 @f(float %x) {\n  %r = call i32 @_Z10converted_f(float %x)\n"
         "  ret i32 %r\n}\n",
         "'converted_'"},
        /* its address is taken */
        {"declare float @_Z4sqrtf(float)\ndefine ptr @f() {\n  ret ptr @_Z4sqrtf\n}\n", "'sqrt' (_Z4sqrtf)"}};
    for (size_t i = 0; i < sizeof other_types / sizeof *other_types; i++)
        lowered(other_types[i][0], other_types[i][1]);
    static const char *const runtimes[] = {"_Z12get_work_dimv", "_Z15get_global_sizej", "_Z13get_global_idj",
                                           "_Z17get_global_offsetj", "_Z14get_local_sizej", "_Z12get_local_idj",
                                           "_Z14get_num_groupsj", "_Z12get_group_idj", "_Z7barrierj", "_Z9mem_fencej",
                                           "_Z14read_mem_fencej", "_Z15write_mem_fencej",
                                           /* these are no mangled names */
                                           "_Z99sqrtf", "_Zsqrtf", "sqrt", "_Y4sqrtf"};
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++) {
        char text[256], call[64];
        snprintf(text, sizeof text,
                 "declare i64 @%s(i32)\ndefine i64 @f() {\n  %%r = call i64 @%s(i32 0)\n  ret i64 %%r\n}\n",
                 runtimes[i], runtimes[i]);
        snprintf(call, sizeof call, "call i64 @%s(i32 0)", runtimes[i]);
        char *left = lowered(text, 0);
        assert_non_null(strstr(left, call));
        free(left);
    }
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
        cmocka_unit_test(each_name),
        cmocka_unit_test(what_takes_several),
        cmocka_unit_test(conversions),
        cmocka_unit_test(marks_and_flags_stay),
        cmocka_unit_test(others_are_refused_and_the_runtimes_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
