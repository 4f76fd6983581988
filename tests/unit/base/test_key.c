/* Keys by hand, as docs/formats/profile.md describes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/key.h"

static void types(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct ir_type type;
        const char *again; /* NULL: as it was; "": it has no text */
    } rows[] = {
        {"i1", {IR_TYPE_INTEGER, 1, 0, false}, NULL},      {"i128", {IR_TYPE_INTEGER, 128, 0, false}, NULL},
        {"half", {IR_TYPE_FLOAT, 16, 0, false}, NULL},     {"bfloat", {IR_TYPE_BFLOAT, 16, 0, false}, NULL},
        {"float", {IR_TYPE_FLOAT, 32, 0, false}, NULL},    {"f32", {IR_TYPE_FLOAT, 32, 0, false}, "float"},
        {"double", {IR_TYPE_FLOAT, 64, 0, false}, NULL},   {"x86_fp80", {IR_TYPE_FLOAT, 80, 0, false}, NULL},
        {"fp128", {IR_TYPE_FLOAT, 128, 0, false}, NULL},   {"ppc_fp128", {IR_TYPE_PAIR, 128, 0, false}, NULL},
        {"ptr", {IR_TYPE_POINTER, 0, 0, false}, NULL},     {"agg", {IR_TYPE_AGGREGATE, 0, 0, false}, NULL},
        {"v4f32", {IR_TYPE_FLOAT, 32, 4, false}, NULL},    {"v16i8", {IR_TYPE_INTEGER, 8, 16, false}, NULL},
        {"v2ptr", {IR_TYPE_POINTER, 0, 2, false}, NULL},   {"v8bf16", {IR_TYPE_BFLOAT, 16, 8, false}, NULL},
        {"nxv2i64", {IR_TYPE_INTEGER, 64, 2, true}, NULL}, {"", {IR_TYPE_NONE, 0, 0, false}, ""},
        {"target", {IR_TYPE_OTHER, 0, 0, false}, ""},      {"i", {IR_TYPE_OTHER, 0, 0, false}, ""},
        {"i0", {IR_TYPE_OTHER, 0, 0, false}, ""},          {"i032", {IR_TYPE_OTHER, 0, 0, false}, ""},
        {"i32x", {IR_TYPE_OTHER, 0, 0, false}, ""},        {"i99999999999", {IR_TYPE_OTHER, 0, 0, false}, ""},
        {"v4", {IR_TYPE_OTHER, 0, 0, false}, ""},          {"v0i8", {IR_TYPE_OTHER, 0, 0, false}, ""},
        {"v4agg", {IR_TYPE_OTHER, 0, 0, false}, ""},       {"v4v4i8", {IR_TYPE_OTHER, 0, 0, false}, ""},
        {"nxv", {IR_TYPE_OTHER, 0, 0, false}, ""},         {"void", {IR_TYPE_OTHER, 0, 0, false}, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ir_type t = ir_type(rows[i].text, strlen(rows[i].text)), is = rows[i].type;
        if (t.kind != is.kind || t.bits != is.bits || t.lanes != is.lanes || t.scalable != is.scalable)
            fail_msg("'%s': kind %d of %u bits, %u lanes", rows[i].text, t.kind, t.bits, t.lanes);
        char *text = ir_type_text(&t);
        assert_string_equal(text ? text : "", rows[i].again ? rows[i].again : rows[i].text);
        free(text);
    }
}

/* Only so many characters of the text are the type. */
static void types_end_where_they_are_said_to(void **state)
{
    (void)state;
    struct ir_type t = ir_type("v4i32_d", 5);
    assert_int_equal(t.kind, IR_TYPE_INTEGER);
    assert_int_equal(t.bits, 32);
    assert_int_equal(t.lanes, 4);
    assert_int_equal(ir_type("i328", 3).bits, 32);
    assert_int_equal(ir_type("floats", 5).bits, 32);
}

static void keys(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum ir_opcode opcode;
        enum ir_class class;
        enum ir_form form;
        bool dependent;
        unsigned bits;
        const char *name, *plain, *instruction, *rest;
    } rows[] = {
        {"add.i32", IR_ADD, IR_CLASS_SUM, IR_PLAIN, false, 32, "", "add.i32", "add", "i32"},
        {"fadd.double_d", IR_FADD, IR_CLASS_FSUM, IR_PLAIN, true, 64, "", "fadd.double", "fadd", "double"},
        {"ret", IR_RET, IR_CLASS_RETURN, IR_PLAIN, false, 0, "", "ret", "ret", ""},
        {"ret_d", IR_RET, IR_CLASS_RETURN, IR_PLAIN, true, 0, "", "ret", "ret", ""},
        {"va_arg.i64", IR_VA_ARG, IR_CLASS_OTHER, IR_PLAIN, false, 64, "", "va_arg.i64", "va_arg", "i64"},
        {"br.cond_d", IR_BR, IR_CLASS_JUMP, IR_CONDITIONAL, true, 0, "", "br.cond", "br", "cond"},
        {"br.uncond", IR_BR, IR_CLASS_JUMP, IR_UNCONDITIONAL, false, 0, "", "br.uncond", "br", "uncond"},
        {"call.direct_d", IR_CALL, IR_CLASS_CALL, IR_DIRECT, true, 0, "", "call.direct", "call", "direct"},
        {"call.indirect", IR_CALL, IR_CLASS_CALL, IR_INDIRECT, false, 0, "", "call.indirect", "call", "indirect"},
        {"callbr.asm", IR_CALLBR, IR_CLASS_CALL, IR_ASM, false, 0, "", "callbr.asm", "callbr", "asm"},
        {"invoke.direct", IR_INVOKE, IR_CLASS_CALL, IR_DIRECT, false, 0, "", "invoke.direct", "invoke", "direct"},
        {"call.library.sin_d", IR_CALL, IR_CLASS_CALL, IR_LIBRARY, true, 0, "sin", "call.library.sin", "call",
         "library.sin"},
        {"call.llvm.memcpy", IR_CALL, IR_CLASS_CALL, IR_INTRINSIC, false, 0, "memcpy", "call.llvm.memcpy", "call",
         "llvm.memcpy"},
        {"call.llvm.fmuladd.double_d", IR_CALL, IR_CLASS_FPRODUCT, IR_INTRINSIC, true, 64, "fmuladd",
         "call.llvm.fmuladd.double", "call", "llvm.fmuladd.double"},
        {"call.llvm.vector.reduce.add.v4i32", IR_CALL, IR_CLASS_CALL, IR_INTRINSIC, false, 32, "vector.reduce.add",
         "call.llvm.vector.reduce.add.v4i32", "call", "llvm.vector.reduce.add.v4i32"},
        {"call.llvm.va_start", IR_CALL, IR_CLASS_CALL, IR_INTRINSIC, false, 0, "va_start", "call.llvm.va_start", "call",
         "llvm.va_start"},
        {"extractivalue.i32", IR_EXTRACTVALUE, IR_CLASS_NAME, IR_PLAIN, false, 32, "", "extractivalue.i32",
         "extractivalue", "i32"},
        {"misses", IR_NONE, IR_CLASS_OTHER, IR_PLAIN, false, 0, "", "misses", "misses", ""},
        {"alu_d", IR_NONE, IR_CLASS_OTHER, IR_PLAIN, true, 0, "", "alu", "alu", ""},
        {"added.i32", IR_NONE, IR_CLASS_OTHER, IR_PLAIN, false, 32, "", "added.i32", "added", "i32"},
        {"ad.i32", IR_NONE, IR_CLASS_OTHER, IR_PLAIN, false, 32, "", "ad.i32", "ad", "i32"},
        {"_d", IR_NONE, IR_CLASS_OTHER, IR_PLAIN, false, 0, "", "_d", "_d", ""},
        {"", IR_NONE, IR_CLASS_OTHER, IR_PLAIN, false, 0, "", "", "", ""},
        {".", IR_NONE, IR_CLASS_OTHER, IR_PLAIN, false, 0, "", ".", "", ""},
        {"call", IR_CALL, IR_CLASS_CALL, IR_PLAIN, false, 0, "", "call", "call", ""},
        {"call.library.", IR_CALL, IR_CLASS_CALL, IR_PLAIN, false, 0, "", "call.library.", "call", "library."},
        {"call.llvm.", IR_CALL, IR_CLASS_CALL, IR_PLAIN, false, 0, "", "call.llvm.", "call", "llvm."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ir_key k = ir_key(rows[i].text);
        char *plain = ir_key_plain(&k), *instruction = ir_key_instruction(&k), *rest = ir_key_rest(&k);
        if (k.opcode != rows[i].opcode || k.class != rows[i].class || k.form != rows[i].form)
            fail_msg("'%s': opcode %d, class %d, form %d", rows[i].text, k.opcode, k.class, k.form);
        assert_int_equal(k.dependent, rows[i].dependent);
        assert_int_equal(k.type.bits, rows[i].bits);
        assert_int_equal(k.n_name, strlen(rows[i].name));
        assert_memory_equal(k.name ? k.name : "", rows[i].name, k.n_name);
        assert_string_equal(plain, rows[i].plain);
        assert_string_equal(instruction, rows[i].instruction);
        assert_string_equal(rest, rows[i].rest);
        char *again = ir_marked(plain, strlen(plain), k.dependent);
        assert_string_equal(again, rows[i].text);
        free(again);
        free(plain);
        free(instruction);
        free(rest);
    }
}

static void functions_of_the_library(void **state)
{
    (void)state;
    static const struct {
        const char *key, *library;
    } rows[] = {
        {"call.llvm.pow.float", "call.library.powf"},          {"call.llvm.pow.double_d", "call.library.pow"},
        {"call.llvm.memcpy", "call.library.memcpy"},           {"call.llvm.memcpy.inline", "call.library.memcpy"},
        {"call.llvm.pow.v4f32", "call.library.pow"},           {"call.library.pow", NULL},
        {"call.llvm.fptosi.sat.float", "call.library.fptosi"}, {"add.i32", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ir_key k = ir_key(rows[i].key);
        char *key = ir_library_key_of(&k);
        assert_string_equal(key ? key : "none", rows[i].library ? rows[i].library : "none");
        free(key);
    }
}

/* A function of the library is a call, whatever an intrinsic of its name is. */
static void intrinsics_alone_are_several(void **state)
{
    (void)state;
    struct ir_key root = ir_key("call.llvm.sqrt.double_d"), function = ir_key("call.library.sqrt"),
                  table = ir_key("switch.i32_d"), call = ir_key("call.direct");
    assert_int_equal(ir_key_does(&root)[0], IR_FDIV);
    assert_null(ir_key_does(&function));
    assert_int_equal(ir_key_does(&table)[0], IR_ICMP);
    assert_null(ir_key_does(&call));
}

static void lists(void **state)
{
    (void)state;
    char *texts[] = {"add.i32", "load.double", "add.i32_d"};
    struct ir_key *keys = ir_keys(texts, 3);
    for (size_t i = 0; i < 3; i++) {
        struct ir_key one = ir_key(texts[i]);
        assert_memory_equal(&keys[i].type, &one.type, sizeof one.type);
        assert_int_equal(keys[i].opcode, one.opcode);
        assert_ptr_equal(keys[i].text, texts[i]);
    }
    assert_int_not_equal(keys[0].opcode, keys[1].opcode);
    free(keys);
}

static unsigned branches_of(const char *text)
{
    struct ir_key k = ir_key(text);
    return ir_key_branches(&k);
}

static void branches(void **state)
{
    (void)state;
    assert_int_equal(branches_of("br.cond"), 1);
    assert_int_equal(branches_of("br.cond_d"), 1);
    assert_int_equal(branches_of("br.uncond"), 0);
    assert_int_equal(branches_of("call.indirect"), 1);
    assert_int_equal(branches_of("call.direct"), 0);
    assert_int_equal(branches_of("call.library.sin"), 0);
    assert_int_equal(branches_of("indirectbr"), 1);
    assert_int_equal(branches_of("switch.i32"), IR_SWITCH_BRANCHES);
    assert_int_equal(branches_of("add.i32"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(types),
                                       cmocka_unit_test(types_end_where_they_are_said_to),
                                       cmocka_unit_test(keys),
                                       cmocka_unit_test(functions_of_the_library),
                                       cmocka_unit_test(intrinsics_alone_are_several),
                                       cmocka_unit_test(branches),
                                       cmocka_unit_test(lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
