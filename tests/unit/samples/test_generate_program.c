/* test_generate_program.c - tests of the generator of random programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "samples/generate/generate_program.h"
#include "samples/generate/program.h"

/* Whatever was made before: a program is its seed and number, nothing else. */
static void is_the_same_every_time(void **state)
{
    (void)state;
    struct generated first, other, again;
    generate_program(&first, 7, 3);
    generate_program(&other, 7, 4);
    generate_program(&again, 7, 3);
    assert_string_equal(first.source, again.source);
    assert_string_equal(first.name, "g7_0003");
    assert_string_not_equal(first.source, other.source);
    assert_int_equal(first.checksum, again.checksum);
    generated_release(&first);
    generated_release(&other);
    generated_release(&again);
}

/* The text of seed 1, numbers 1 .. 20, by its FNV-1a. clang on x86-64, gcc on x86-64 (also with contraction allowed)
 * and gcc for AArch64 came to this figure, each by itself. */
static void is_the_same_on_every_machine(void **state)
{
    (void)state;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t number = 1; number <= 20; number++) {
        struct generated g;
        generate_program(&g, 1, number);
        for (const char *c = g.source; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
        generated_release(&g);
    }
    assert_int_equal(hash, UINT64_C(0xee3f22dfaa063974));
}

/* What manifests need: words without commas, work, and a program of some length. */
static void says_what_it_stresses(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 100; number++) {
        struct generated g;
        generate_program(&g, 2, number);
        assert_true(*g.stresses && !strchr(g.stresses, ',') && !strchr(g.stresses, '"'));
        assert_true(g.work >= 1 && g.steps >= 16);
        assert_non_null(strstr(g.source, g.name));
        generated_release(&g);
    }
}

static struct expr *constant(struct program *p, enum gen_type t, int64_t i, double f)
{
    struct expr *e = program_expr(p, EXPR_CONSTANT, t);
    e->value = (struct value){i, f};
    return e;
}

/* trail[0] = e, with a program around it; false: not fit. */
static bool stored(struct program *p, const struct expr *e, uint64_t *checksum)
{
    uint64_t steps;
    vec_push(&p->arrays, (struct array){.type = e->type, .log2_length = 0, .written = true});
    vec_push(&p->body.list, (struct statement){.kind = DO_STORE, .index = constant(p, GEN_U32, 0, 0), .value = e});
    program_find_used(p);
    return program_interpret(p, 100, &steps, checksum);
}

/* One operation on constants against what C says it is. */
static void check(enum gen_op op, enum gen_type t, int64_t a, int64_t b, int64_t number, int64_t expected)
{
    struct program p = {0}, q = {0};
    uint64_t got, wanted;
    struct expr *e = program_expr(&p, EXPR_BINARY, t);
    e->op = op;
    e->number = number;
    e->a = constant(&p, t, a, 0);
    e->b = constant(&p, t, b, 0);
    assert_true(stored(&p, e, &got));
    assert_true(stored(&q, constant(&q, t, expected, 0), &wanted));
    assert_int_equal(got, wanted);
    program_release(&p);
    program_release(&q);
}

static void computes_as_c_does(void **state)
{
    (void)state;
    check(OP_ADD, GEN_I8, 127, 1, 0, -128);
    check(OP_ADD, GEN_U8, 255, 1, 0, 0);
    check(OP_MUL, GEN_U16, 0xffff, 0xffff, 0, 1);
    check(OP_MUL, GEN_I32, INT32_MIN, -1, 0, INT32_MIN);
    check(OP_SUB, GEN_U64, 0, 1, 0, -1);
    check(OP_DIV, GEN_I32, INT32_MIN, -1, 0xff, INT32_MIN / 255);
    check(OP_DIV, GEN_I16, -7, 0, 0xff, -7);
    check(OP_REM, GEN_I64, -7, 4, 0xff, -2); /* 4 | 1 is 5 */
    check(OP_DIV, GEN_U64, -1, 2, 0xff, 0x5555555555555555);
    check(OP_SHR, GEN_I8, -128, 9, 0, -64);
    check(OP_SHR, GEN_U64, -1, 63, 0, 1);
    check(OP_SHL, GEN_I32, 1, 31, 0, INT32_MIN);
    check(OP_ROTATE, GEN_U32, 0x80000001, 0, 4, 0x18);
}

/* A float that overflows and a conversion out of range are no programs. */
static void refuses_what_is_not_defined(void **state)
{
    (void)state;
    uint64_t sum;
    struct program p = {0}, q = {0}, r = {0};
    struct expr *e = program_expr(&p, EXPR_BINARY, GEN_FLOAT);
    e->op = OP_MUL;
    e->a = e->b = constant(&p, GEN_FLOAT, 0, 1e20);
    assert_false(stored(&p, e, &sum));
    e = program_expr(&q, EXPR_CONVERT, GEN_I32);
    e->a = constant(&q, GEN_DOUBLE, 0, 2147483648.0);
    assert_false(stored(&q, e, &sum));
    e = program_expr(&r, EXPR_CONVERT, GEN_I32);
    e->a = constant(&r, GEN_DOUBLE, 0, 2147483647.0);
    assert_true(stored(&r, e, &sum));
    program_release(&p);
    program_release(&q);
    program_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_same_every_time),      cmocka_unit_test(is_the_same_on_every_machine),
        cmocka_unit_test(says_what_it_stresses),       cmocka_unit_test(computes_as_c_does),
        cmocka_unit_test(refuses_what_is_not_defined),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
