/* The table of instructions holds together: what stands for what ends, names are there once, lists are sorted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/key.h"
#include "base/str.h"

static void each_instruction_is_whole(void **state)
{
    (void)state;
    for (int op = IR_NONE + 1; op < IR_OPCODES; op++) {
        const struct ir_instruction *in = ir_instruction((enum ir_opcode)op);
        struct ir_key k = ir_key(in->key);
        assert_int_equal(ir_opcode(in->name, strlen(in->name)), op);
        assert_int_equal(k.opcode, op);
        assert_false(k.dependent);
        assert_true(k.type.kind != IR_TYPE_OTHER);
        assert_true(in->in > 0 && in->out > 0);
    }
    assert_int_equal(ir_opcode("add", 2), IR_NONE);
    assert_int_equal(ir_opcode("addx", 4), IR_NONE);
    assert_int_equal(ir_opcode("addx", 3), IR_ADD);
    assert_int_equal(ir_opcode("", 0), IR_NONE);
}

/* Bits of the commonest form are those of its key's type, where that has any. */
static void widths_agree_with_keys(void **state)
{
    (void)state;
    for (int op = IR_NONE + 1; op < IR_OPCODES; op++) {
        const struct ir_instruction *in = ir_instruction((enum ir_opcode)op);
        struct ir_type t = ir_key(in->key).type;
        if (t.kind != IR_TYPE_INTEGER && t.kind != IR_TYPE_FLOAT)
            continue;
        int bits = (int)(t.bits * (t.lanes ? t.lanes : 1));
        int other = in->other.bits ? in->other.bits : in->other.halves ? in->other.halves * bits / 2 : bits;
        if (op == IR_LOAD)
            other = 64;                           /* an address */
        if (op == IR_FPTOSI || op == IR_FPTOUI) { /* listed by the result, though a key says the operand */
            assert_int_equal(in->out, bits);
            continue;
        }
        if (in->in != (in->other.result ? bits : other) || in->out != (in->other.result ? other : bits))
            fail_msg("%s: %d and %d bits", in->name, in->in, in->out);
    }
}

/* What a file lacks ends at an instruction that every file has, at no code, or at nobody. */
static void stand_ins_end(void **state)
{
    (void)state;
    for (int op = IR_NONE + 1; op < IR_OPCODES; op++) {
        const struct ir_instruction *in = ir_instruction((enum ir_opcode)op);
        size_t n = 0;
        for (; in->like[n] != IR_NONE && in->like[n] != IR_NOTHING; n++) {
            assert_true(n < IR_LIKE_MOST);
            assert_true((int)in->like[n] != op);
            for (size_t k = 0; k < n; k++)
                assert_true(in->like[k] != in->like[n]);
        }
        if (in->no_case) /* it takes the first one's value, which must be measured or take another's */
            assert_true(n > 0 && !ir_instruction(in->like[0])->no_case);
    }
}

static void the_stand_ins_of_the_odd_ones(void **state)
{
    (void)state;
    static const enum ir_opcode pairs[][2] = {{IR_INDIRECTBR, IR_BR},
                                              {IR_CALLBR, IR_BR},
                                              {IR_ADDRSPACECAST, IR_INTTOPTR},
                                              {IR_LANDINGPAD, IR_EXTRACTVALUE},
                                              {IR_CATCHSWITCH, IR_SWITCH},
                                              {IR_INVOKE, IR_CALL},
                                              {IR_VA_ARG, IR_LOAD},
                                              {IR_PHI, IR_NOTHING}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_int_equal(ir_instruction(pairs[i][0])->like[0], pairs[i][1]);
}

static void each_name_is_listed_once(void **state)
{
    (void)state;
    size_t spellings = 0;
    for (size_t i = 0; i < IR_LISTED; i++) {
        const struct ir_listed *l = ir_listed(i);
        assert_int_equal(ir_listed_index(l->name), i);
        assert_true(*l->what);
        assert_true(l->spelling == (strcmp(l->name, ir_instruction(l->opcode)->name) != 0));
        assert_int_equal(ir_opcode(l->name, strlen(l->name)), l->opcode);
        spellings += l->spelling;
    }
    assert_int_equal(IR_LISTED, IR_OPCODES - 1 + spellings);
    assert_int_equal(ir_listed_index("added"), IR_LISTED);
}

static void intrinsics(void **state)
{
    (void)state;
    assert_true(ir_intrinsic_no_code("dbg.value", 9));
    assert_true(ir_intrinsic_no_code("assume", 6));
    assert_false(ir_intrinsic_no_code("assumed", 7));
    assert_false(ir_intrinsic_no_code("memcpy", 6));
    assert_true(ir_intrinsic_moves_memory("memcpy.inline", 13));
    assert_false(ir_intrinsic_moves_memory("memcpyx", 7));
    assert_int_equal(ir_intrinsic_class("sqrt", 4), IR_CLASS_FDIVISION);
    assert_int_equal(ir_intrinsic_class("sqrt", 3), IR_CLASS_CALL);
    assert_int_equal(ir_intrinsic_class("sin", 3), IR_CLASS_CALL);
}

static void what_is_several_in_code(void **state)
{
    (void)state;
    const enum ir_opcode *does = ir_does(IR_CALL, "vector.reduce.fadd", 18);
    assert_int_equal(does[0], IR_FADD);
    assert_int_equal(does[4], IR_NONE);
    assert_int_equal(ir_does(IR_CALL, "vector.reduce.add", 17)[0], IR_SHUFFLEVECTOR);
    assert_int_equal(ir_does(IR_SWITCH, NULL, 0)[4], IR_BR);
    assert_null(ir_does(IR_CALL, "roundeven", 9));
    assert_null(ir_does(IR_CALL, NULL, 0));
    assert_null(ir_does(IR_ADD, NULL, 0));
}

/* The list is searched by halves. */
static void the_library_is_sorted(void **state)
{
    (void)state;
    static const char *const names[] = {
#define LIBRARY(name_) name_,
#include "base/library.def"
    };
    size_t n = sizeof names / sizeof *names;
    for (size_t i = 0; i < n; i++) {
        assert_true(!i || strcmp(names[i - 1], names[i]) < 0);
        assert_true(ir_is_library_function(names[i]));
    }
    assert_false(ir_is_library_function("sinus"));
}

/* Patterns come before what they would hide. */
static void likes_can_be_reached(void **state)
{
    (void)state;
    size_t n;
    const struct ir_key_like *likes = ir_key_likes(&n);
    for (size_t i = 0; i < n; i++) {
        assert_true(*likes[i].why);
        for (size_t k = 0; k < i; k++)
            if (glob_match(likes[k].pattern, likes[i].pattern) && !strchr(likes[i].pattern, '*'))
                fail_msg("%s is hidden by %s", likes[i].pattern, likes[k].pattern);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_instruction_is_whole),
        cmocka_unit_test(widths_agree_with_keys),
        cmocka_unit_test(stand_ins_end),
        cmocka_unit_test(the_stand_ins_of_the_odd_ones),
        cmocka_unit_test(each_name_is_listed_once),
        cmocka_unit_test(intrinsics),
        cmocka_unit_test(what_is_several_in_code),
        cmocka_unit_test(the_library_is_sorted),
        cmocka_unit_test(likes_can_be_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
