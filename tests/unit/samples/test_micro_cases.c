/* The list of microbenchmarks: what it covers, and that the modules hold what the cases say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "irprof/module/instruction_key.h"
#include "samples/micro/micro.h"

static const struct micro_target targets[] = {{"x86_64-linux-gnu", "", "", 131072, 4194304},
                                              {"aarch64-linux-gnu", "cortex-a53", "", 131072, 4194304},
                                              {"riscv64-linux-gnu", "sifive-u74", "", 131072, 4194304},
                                              {"thumb-linux-gnueabihf", "cortex-m4", "", 0, 0}};
enum { RISC_V = 2, CORTEX_M };
enum { N_TARGETS = sizeof targets / sizeof *targets };

static struct micro_set cases_of(unsigned t)
{
    struct micro_set set;
    struct error e = ERROR_INIT;
    assert_int_equal(micro_cases(&set, &targets[t], &e), OK);
    return set;
}

static void test_no_two_cases_have_the_same_region(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        struct micro_set set = cases_of(t);
        struct map seen = {0};
        assert_true(set.n > 900);
        for (size_t i = 0; i < set.n; i++) {
            char *name = micro_region(&set.at[i], set.at[i].copies[1]);
            if (map_get(&seen, name, NULL))
                fail_msg("%s is there twice", name);
            map_put(&seen, name, i);
            free(name);
        }
        map_release(&seen);
        micro_release(&set);
    }
}

/* c / acc is acc, so the quotient is the operand: 1000003 has 20 bits. */
static void test_lengths_of_quotients(void **state)
{
    (void)state;
    static const struct {
        const char *key, *condition;
        int bits;
    } all[] = {{"udiv.i64", "chain", 20},
               {"sdiv.i32", "stream", 15},
               {"udiv.i16", "chain", 8},
               {"udiv.i8", "chain", 4},
               {"udiv.i64", "stream,large", 63},
               {"sdiv.i8", "chain,large", 7},
               {"sdiv.i32", "chain,small", 2},
               {"urem.i64", "chain", -1},
               {"srem.i32", "chain,small", -1},
               {"urem.i64", "chain,large", -1},
               {"udiv.i128", "chain", -1},
               {"udiv.i64", "chain,constant", -1},
               {"udiv.i64", "chain,power-of-2", -1},
               {"udiv.v2i64", "chain", -1},
               {"fdiv.double", "chain", -1},
               {"udiv.i24", "chain", -1},
               {"mul.i64", "chain", -1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_int_equal(micro_quotient_bits(all[i].key, all[i].condition), all[i].bits);
}

/* At most one case of a key stands for ordinary code, and each key that is measured by itself has one. */
static void test_one_case_is_typical(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        struct micro_set set = cases_of(t);
        struct map typical = {0}, any = {0};
        for (size_t i = 0; i < set.n; i++) {
            const struct micro_case *c = &set.at[i];
            char *name = xasprintf("%s of %s", c->quantity == MICRO_PITCH ? "pitch" : "latency", c->key);
            if (c->typical && map_get(&typical, name, NULL))
                fail_msg("%s: two typical cases", name);
            if (c->typical) {
                map_put(&typical, name, i);
                map_put(&any, c->key, i);
            }
            free(name);
        }
        for (size_t i = 0; i < set.n; i++)
            if (!map_get(&any, set.at[i].key, NULL))
                fail_msg("%s: no typical case", set.at[i].key);
        map_release(&typical);
        map_release(&any);
        micro_release(&set);
    }
}

static bool begins_with_word(const char *key, const char *word)
{
    size_t n = strlen(word);
    return strncmp(key, word, n) == 0 && (key[n] == '.' || !key[n]);
}

static bool covered(const struct micro_set *set, const char *opcode)
{
    for (size_t i = 0; i < set->n; i++)
        if (begins_with_word(set->at[i].key, opcode))
            return true;
    size_t n;
    struct micro_exclusion *excluded = micro_exclusions(&n);
    bool found = false;
    for (size_t i = 0; i < n && !found; i++)
        found = glob_match(excluded[i].key, opcode) && *excluded[i].reason;
    free(excluded);
    return found;
}

/* Targets without vectors need none of their instructions. */
static void test_every_opcode_has_a_case_or_a_reason(void **state)
{
    (void)state;
    static const char *const opcodes[] = {
#define INSTRUCTION(id_, name_, ...) name_,
#include "base/instructions.def"
    };
    for (unsigned t = 0; t < N_TARGETS; t++) {
        struct micro_set set = cases_of(t);
        for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
            bool vector = strstr(opcodes[i], "element") || strstr(opcodes[i], "vector");
            if (t < RISC_V || !vector || strcmp(opcodes[i], "getelementptr") == 0)
                if (!covered(&set, opcodes[i]))
                    fail_msg("%s: %s has no case", targets[t].triple, opcodes[i]);
        }
        micro_release(&set);
    }
}

static void test_every_scalar_type_of_an_opcode(void **state)
{
    (void)state;
    static const struct {
        const char *opcodes, *types;
    } all[] = {
        {"add sub mul sdiv udiv srem urem shl lshr ashr and or xor icmp select freeze", "i8 i16 i32 i64 i128"},
        {"fadd fsub fmul fdiv frem fneg fcmp select sitofp uitofp fptosi fptoui load store phi", "float double"},
        {"load store phi", "i8 i16 i32 i64 i128"},
        {"and or xor select freeze", "i1"},
        {"zext", "i8"},
        {"phi", "ptr"},
        {"load store icmp select getelementptr inttoptr alloca", "ptr"},
        {"sext zext", "i16 i32 i64 i128"},
        {"trunc", "i8 i16 i32 i64"},
        {"fpext", "double"},
        {"fptrunc", "float"},
        {"bitcast", "i32 i64 float double"},
        {"ptrtoint", "i64"},
        {"switch", "i8 i16 i32 i64"},
        {"br", "cond uncond"},
        {"call",
         "direct indirect llvm.memcpy llvm.memmove llvm.memset library.sin library.strlen library.malloc library.free"},
        {"call.llvm.fmuladd call.llvm.fabs call.llvm.sqrt call.llvm.floor", "float double"},
        {"call.llvm.smax call.llvm.abs call.llvm.usub.sat call.llvm.fshl", "i8 i16 i32 i64"},
        {"call.llvm.ctpop call.llvm.ctlz call.llvm.bswap", "i32 i64"},
        {"call.llvm.sadd.with.overflow call.llvm.umul.with.overflow insertvalue cmpxchg", "agg"},
        {"atomicrmw", "i8 i32 i64"}};
    struct micro_set set = cases_of(1);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *opcodes = xstrdup(all[i].opcodes), *rest = opcodes;
        for (char *opcode; (opcode = strsep(&rest, " "));) {
            char *types = xstrdup(all[i].types), *more = types;
            for (char *type; (type = strsep(&more, " "));) {
                char *key = xasprintf("%s.%s", opcode, type);
                size_t k = 0;
                while (k < set.n && strcmp(set.at[k].key, key) != 0)
                    k++;
                if (k == set.n)
                    fail_msg("%s has no case", key);
                free(key);
            }
            free(types);
        }
        free(opcodes);
    }
    micro_release(&set);
}

/* ---- What is in the modules ---- */

static unsigned count_key(LLVMValueRef function, const char *wanted)
{
    unsigned n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            char *key = key_of(i, NULL);
            n += strcmp(key, wanted) == 0;
            free(key);
        }
    return n;
}

/* Each function of a case has so many of the key's instructions more as it has copies more. Not so: phi, whose values
 * are there for every k; what stands in a function that is called. */
static bool elsewhere(const struct micro_case *c)
{
    return begins_with_word(c->key, "phi") || begins_with_word(c->key, "ret") || strstr(c->condition, "recursion") ||
           (begins_with_word(c->key, "alloca") && strcmp(c->condition, "stream") == 0);
}

static void check_copies(LLVMModuleRef m, const struct micro_case *c)
{
    char *fewer = micro_region(c, c->copies[1]), *more = micro_region(c, c->copies[2]);
    LLVMValueRef a = LLVMGetNamedFunction(m, fewer), b = LLVMGetNamedFunction(m, more);
    assert_non_null(a);
    assert_non_null(b);
    unsigned n = count_key(b, c->key) - count_key(a, c->key), copies = c->copies[2] - c->copies[1];
    /* The lanes of a switch, and what else of the same key a copy needs. */
    if (n < copies || n % copies != 0)
        fail_msg("%s: %u instructions for %u copies", more, n, copies);
    free(fewer);
    free(more);
}

static void test_modules_hold_what_the_cases_say(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        struct micro_set set = cases_of(t);
        struct error e = ERROR_INIT;
        char path[] = "/tmp/micro-XXXXXX";
        int file = mkstemp(path);
        assert_true(file >= 0);
        close(file);
        assert_int_equal(micro_emit(&set, NULL, 0, path, &e), OK); /* verifies it */
        LLVMContextRef context = LLVMContextCreate();
        LLVMMemoryBufferRef bytes;
        LLVMModuleRef m;
        char *message = NULL;
        assert_false(LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, &message));
        assert_false(LLVMParseBitcodeInContext2(context, bytes, &m));
        LLVMDisposeMemoryBuffer(bytes);
        for (size_t i = 0; i < set.n; i++)
            if (!elsewhere(&set.at[i]))
                check_copies(m, &set.at[i]);
        LLVMDisposeModule(m);
        LLVMContextDispose(context);
        unlink(path);
        micro_release(&set);
    }
}

/* Of 32 bits: no integers of 128; a long is a word; where sums of doubles are calls, no two of them are paired; what is atomic and of
 * 64 bits only where there is an instruction. */
static void test_32_bits(void **state)
{
    (void)state;
    static const char *const there[] =
        {"add.i64", "load.i64", "fadd.double", "atomicrmw.i32", "call.llvm.lround.i32", "call.llvm.llround.i64"},
                             *const away[] = {"add.i128", "zext.i128", "atomicrmw.i64", "call.llvm.lround.i64",
                                              "add.v4i32"};
    struct micro_set set = cases_of(CORTEX_M);
    struct map keys = {0};
    assert_true(set.soft_doubles && !set.wide_atomics);
    for (size_t i = 0; i < set.n; i++) {
        map_put(&keys, set.at[i].key, i);
        assert_null(strstr(set.at[i].condition, "pair:fadd.double"));
        assert_null(strstr(set.at[i].with, "i128"));
    }
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        assert_true(map_get(&keys, there[i], NULL));
    for (size_t i = 0; i < sizeof away / sizeof *away; i++)
        assert_false(map_get(&keys, away[i], NULL));
    map_release(&keys);
    micro_release(&set);
    struct error e = ERROR_INIT;
    const struct micro_target linux_board = {"arm-linux-gnueabihf", "cortex-a7", "", 0, 0};
    assert_int_equal(micro_cases(&set, &linux_board, &e), OK);
    assert_true(!set.soft_doubles && set.wide_atomics);
    micro_release(&set);
}

static void test_unknown_targets_are_refused(void **state)
{
    (void)state;
    static const char *const triples[] = {"mips-linux-gnu", "nonsense"};
    for (size_t i = 0; i < 2; i++) {
        struct micro_target t = {triples[i], "", "", 0, 0};
        struct micro_set set;
        struct error e = ERROR_INIT;
        assert_int_equal(micro_cases(&set, &t, &e), ERR_UNSUPPORTED);
        assert_non_null(strstr(e.message, "no microbenchmarks for the target"));
        error_release(&e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_two_cases_have_the_same_region),
        cmocka_unit_test(test_lengths_of_quotients),
        cmocka_unit_test(test_one_case_is_typical),
        cmocka_unit_test(test_every_opcode_has_a_case_or_a_reason),
        cmocka_unit_test(test_every_scalar_type_of_an_opcode),
        cmocka_unit_test(test_modules_hold_what_the_cases_say),
        cmocka_unit_test(test_32_bits),
        cmocka_unit_test(test_unknown_targets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
