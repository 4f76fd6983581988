/* What clang makes of C: each instruction on each type has a microbenchmark, or stands on the list of what it costs as
 * much as. The C is c_operations.inc: every operator, conversion and builtin on every type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/proc.h"
#include "base/str.h"
#include "irprof/module/instruction_key.h"
#include "samples/micro/micro.h"

static const char *const triples[] = {"x86_64-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu",
                                      "armv7-linux-gnueabihf"};
static char *folder;

static void must(enum status s, struct error *e)
{
    if (s)
        fail_msg("%s", e->message);
}

/* At a level, without vectors: what they cost is another list's business. */
static char *compile(const char *triple, const char *level, const char *more)
{
    struct error e = ERROR_INIT;
    char *source = path_join(getenv("TOP"), "tests/unit/samples/c_operations.inc"), *ir = path_join(folder, "c.bc");
    char *target = xasprintf("--target=%s", triple);
    const char *const argv[] = {"clang",
                                target,
                                level,
                                more,
                                "-fno-vectorize",
                                "-fno-slp-vectorize",
                                "-std=c17",
                                "-ffreestanding",
                                "-fPIE",
                                "-w",
                                "-emit-llvm",
                                "-c",
                                "-x",
                                "c",
                                source,
                                "-o",
                                ir,
                                NULL};
    struct proc p = {.argv = argv, .capture = true, .cpu = -1, .timeout_s = 60};
    struct proc_result r = PROC_RESULT_INIT;
    must(proc_must(&p, &r, &e), &e);
    proc_result_release(&r);
    free(target);
    free(source);
    return ir;
}

static LLVMModuleRef read_module(LLVMContextRef context, const char *path)
{
    LLVMMemoryBufferRef bytes;
    LLVMModuleRef m;
    char *message = NULL;
    assert_false(LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, &message));
    assert_false(LLVMParseBitcodeInContext2(context, bytes, &m));
    LLVMDisposeMemoryBuffer(bytes);
    return m;
}

static bool is_vector(const char *key)
{
    const char *type = strrchr(key, '.');
    return type && type[1] == 'v' && type[2] >= '0' && type[2] <= '9';
}

/* The first that fits; its reason is NULL where none does. */
static struct micro_exclusion exclusion(const char *key)
{
    size_t n;
    struct micro_exclusion *list = micro_exclusions(&n);
    struct micro_exclusion found = {NULL, NULL, NULL};
    for (size_t i = 0; i < n && !found.reason; i++)
        if (glob_match(list[i].key, key))
            found = list[i];
    free(list);
    return found;
}

/* `like` with its star filled in: what the pattern's own took of the key. */
static char *alike(const struct micro_exclusion *x, const char *key)
{
    const char *star = strchr(x->key, '*'), *hole = strchr(x->like, '*');
    if (!star || !hole)
        return xstrdup(x->like);
    size_t before = (size_t)(star - x->key), after = strlen(star + 1), n = strlen(key) - before - after;
    return xasprintf("%.*s%.*s%s", (int)(hole - x->like), x->like, (int)n, key + before, hole + 1);
}

/* Either a case, or like something that has one, in a few steps; or like nothing, with the reason. */
static bool has_evidence(const struct map *cases, const char *key)
{
    char *now = xstrdup(key);
    bool found = false;
    for (int step = 0; step < 4 && !found; step++) {
        found = map_get(cases, now, NULL);
        struct micro_exclusion x = exclusion(now);
        if (found || !x.reason)
            break;
        assert_true(*x.reason);
        found = !*x.like;
        char *next = alike(&x, now);
        free(now);
        now = next;
    }
    free(now);
    return found;
}

static void check_module(LLVMModuleRef m, const struct map *cases, const char *triple, struct map *seen)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                size_t n;
                char *key = key_counted(i) ? key_of(i, NULL) : NULL;
                if (key && !is_vector(key) && !map_get(seen, key, NULL) && !has_evidence(cases, key))
                    fail_msg("%s: %s, of %s, has neither a microbenchmark nor a place on the list", triple, key,
                             LLVMGetValueName2(f, &n));
                if (key)
                    map_put(seen, key, 1);
                free(key);
            }
}

static void check_target(const char *triple)
{
    static const char *const ways[][2] = {{"-O0", "-ffp-contract=on"},
                                          {"-O2", "-ffp-contract=off"},
                                          {"-O2", "-fno-math-errno"},
                                          {"-Os", "-ffp-contract=on"}};
    struct error e = ERROR_INIT;
    struct micro_set set;
    const struct micro_target target = {.triple = triple};
    struct map cases = {0}, seen = {0};
    must(micro_cases(&set, &target, &e), &e);
    for (size_t i = 0; i < set.n; i++)
        map_put(&cases, set.at[i].key, i);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        LLVMContextRef context = LLVMContextCreate();
        char *ir = compile(triple, ways[i][0], ways[i][1]);
        LLVMModuleRef m = read_module(context, ir);
        check_module(m, &cases, triple, &seen);
        LLVMDisposeModule(m);
        LLVMContextDispose(context);
        free(ir);
    }
    /* it was looked at */
    static const char *const some[] = {"sdiv.i64", "atomicrmw.i16", "cmpxchg.agg",
                                       "fence",    "select.i1",     "call.llvm.uadd.with.overflow.agg",
                                       "phi.ptr",  "switch.i16",    "call.llvm.sin.float"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (!map_get(&seen, some[i], NULL))
            fail_msg("%s: the C does not give %s", triple, some[i]);
    assert_int_equal(map_get(&seen, "sdiv.i128", NULL), strncmp(triple, "arm", 3) != 0); /* where C has it */
    map_release(&cases);
    map_release(&seen);
    micro_release(&set);
}

static void test_all_that_c_makes_has_evidence(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof triples / sizeof *triples; i++)
        check_target(triples[i]);
}

/* What the list says something costs as much as has a microbenchmark itself. */
static void test_the_list_leads_somewhere(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct micro_set set;
    struct map cases = {0};
    size_t n;
    must(micro_cases(&set, &(const struct micro_target){.triple = triples[0]}, &e), &e);
    for (size_t i = 0; i < set.n; i++)
        map_put(&cases, set.at[i].key, i);
    struct micro_exclusion *list = micro_exclusions(&n);
    for (size_t i = 0; i < n; i++) {
        if (map_get(&cases, list[i].key, NULL))
            fail_msg("%s is on the list, and has a case", list[i].key);
        if (*list[i].like && !strchr(list[i].like, '*') && !has_evidence(&cases, list[i].like))
            fail_msg("%s: like %s, which has no case", list[i].key, list[i].like);
    }
    free(list);
    map_release(&cases);
    micro_release(&set);
}

static int set_up(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    cleanup_install();
    return temp_directory(&folder, "evidence", &e) != OK;
}

static int tear_down(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    int bad = remove_tree(folder, &e) != OK;
    free(folder);
    return bad;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_that_c_makes_has_evidence),
        cmocka_unit_test(test_the_list_leads_somewhere),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
