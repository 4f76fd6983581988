/* What LLVM's walker over MemorySSA prints, matched with loads and stores; what cannot be read is "may alias". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "irprof/access/access.h"
#include "tests/unit/irprof/ir.h"

#define TITLE "MemorySSA (walker) for function: irprof.0\n"
#define BEGIN TITLE "define void @irprof.0(ptr %0) {\n"

static void order_is(const struct access_functions *f, size_t i, enum irprof_write write, size_t clear, size_t block)
{
    assert_int_equal(f->list.n, 1);
    assert_true(i < f->list.at[0].orders.n);
    const struct access_order *o = &f->list.at[0].orders.at[i];
    assert_int_equal(o->write, write);
    assert_int_equal(o->clear, clear);
    assert_int_equal(o->block, block);
}

/* Two blocks; the write that a load depends on: before it in the block, in the block before, at the block's begin. */
static void loads_and_writes(void **state)
{
    (void)state;
    struct access_functions f = {0};
    access_parse(&f, BEGIN "; 1 = MemoryDef(liveOnEntry)->liveOnEntry - clobbered by liveOnEntry\n"
                           "  store i32 1, ptr %0, align 4\n"
                           "  br label %2\n"
                           "\n"
                           "2:                                  ; preds = %1, %2\n"
                           "; 4 = MemoryPhi({%1,1},{%2,3})\n"
                           "; MemoryUse(1) - clobbered by 1 = MemoryDef(liveOnEntry)->liveOnEntry\n"
                           "  %3 = load i32, ptr %0, align 4\n"
                           "; 2 = MemoryDef(4)->4 - clobbered by 4 = MemoryPhi({%1,1},{%2,3})\n"
                           "  store i32 %3, ptr %0, align 4\n"
                           "; MemoryUse(liveOnEntry) - clobbered by liveOnEntry\n"
                           "  %4 = load i32, ptr %0, align 4\n"
                           "; 3 = MemoryDef(2)->2 - clobbered by 2 = MemoryDef(4)->4\n"
                           "  call void @g(i32 %4)\n"
                           "; MemoryUse(3) - clobbered by 3 = MemoryDef(2)->2\n"
                           "  %5 = load i32, ptr %0, align 4\n"
                           "; MemoryUse(2) - clobbered by 2 = MemoryDef(4)->4\n"
                           "  %6 = load i32, ptr %0, align 4\n"
                           "  br label %2\n"
                           "}\n");
    assert_string_equal(f.list.at[0].name, "irprof.0");
    assert_int_equal(f.list.at[0].orders.n, 6);
    order_is(&f, 0, IRPROF_WRITE_ENTRY, 0, 0);
    order_is(&f, 1, IRPROF_WRITE_BLOCK, 0, 0);
    order_is(&f, 2, IRPROF_WRITE_PHI, 1, 1);
    order_is(&f, 3, IRPROF_WRITE_ENTRY, 2, 0);
    order_is(&f, 4, IRPROF_WRITE_BLOCK, 0, 1); /* behind the call */
    order_is(&f, 5, IRPROF_WRITE_BLOCK, 2, 1); /* behind the store, though a call is in between */
    access_functions_release(&f);
}

static void what_cannot_be_read(void **state)
{
    (void)state;
    static const char *const comments[] = {
        "",                                                 /* nothing is said of it */
        "; MemoryUse(9) - clobbered by 9 = MemoryDef(1)\n", /* of a write that is nowhere */
        "; MemoryUse(9) - clobbered by nothing\n",
        "; MemoryUse(9) - clobbered by 99999999999999999999 = MemoryDef(1)\n",
        "; 1 = MemoryDef(liveOnEntry) - clobbered by 1 = MemoryDef(liveOnEntry)\n", /* of itself */
        "; MemoryUse(9) - clobbered by -1 = MemoryDef(1)\n",
    };
    for (size_t i = 0; i < sizeof comments / sizeof *comments; i++) {
        struct access_functions f = {0};
        char text[400];
        snprintf(text, sizeof text, "%s%s  %%1 = load i32, ptr %%0\n}\n", BEGIN, comments[i]);
        access_parse(&f, text);
        assert_int_equal(f.list.at[0].orders.n, 1);
        order_is(&f, 0, IRPROF_WRITE_UNKNOWN, 0, 0);
        access_functions_release(&f);
    }
}

/* A function that is cut short, or has no title, has no accesses: their number is not the IR's. */
static void what_is_cut_short(void **state)
{
    (void)state;
    static const char use[] = "; MemoryUse(liveOnEntry) - clobbered by liveOnEntry\n  %1 = load i32, ptr %0\n";
    struct access_functions f = {0};
    char text[400];
    snprintf(text, sizeof text, "%s%s", BEGIN, use);
    access_parse(&f, text);
    assert_int_equal(f.list.n, 1);
    assert_int_equal(f.list.at[0].orders.n, 0);
    access_functions_release(&f);
    snprintf(text, sizeof text, "define void @f() {\n%s}\n", use);
    access_parse(&f, text);
    assert_int_equal(f.list.n, 0);
    snprintf(text, sizeof text, "%s%s%s%s}\n", BEGIN, use, TITLE, use);
    access_parse(&f, text);
    assert_int_equal(f.list.n, 2);
    assert_int_equal(f.list.at[0].orders.n + f.list.at[1].orders.n, 0);
    access_functions_release(&f);
    access_parse(&f, "");
    access_parse(&f, "\n}\n;\n; \n  \n:\n");
    assert_int_equal(f.list.n, 0);
    access_functions_release(&f);
}

/* Any byte may be another, or the last: at most as many accesses as lines. */
static void damaged(void **state)
{
    (void)state;
    static const char text[] = BEGIN "; 1 = MemoryDef(liveOnEntry)->liveOnEntry - clobbered by liveOnEntry\n"
                                     "  store i32 1, ptr %0, align 4\n"
                                     "2:\n"
                                     "; 2 = MemoryPhi({%1,1},{%2,1})\n"
                                     "; MemoryUse(1) - clobbered by 2 = MemoryPhi({%1,1},{%2,1})\n"
                                     "  %3 = load i32, ptr %0, align 4\n"
                                     "}\n";
    static const char other[] = {0, '\n', ' ', '-', '9', ';', '%', '}', (char)0xff};
    for (size_t i = 0; i < sizeof text; i++)
        for (size_t k = 0; k < sizeof other; k++) {
            struct access_functions f = {0};
            char changed[sizeof text];
            memcpy(changed, text, sizeof text);
            changed[i < sizeof text - 1 ? i : 0] = other[k];
            access_parse(&f, changed);
            for (size_t n = 0; n < f.list.n; n++)
                for (size_t a = 0; a < f.list.at[n].orders.n; a++)
                    assert_true(f.list.at[n].orders.at[a].clear <= a && f.list.at[n].orders.n <= 3);
            access_functions_release(&f);
        }
}

/* Of a function with more than 4,000 accesses nothing is asked if it was compiled at -O0; the others keep their numbers. */
static void large_functions(void **state)
{
    (void)state;
    static const struct {
        int accesses;
        const char *attributes;
        size_t asked;
    } rows[] = {{4000, "noinline optnone", 2}, {4001, "noinline optnone", 1}, {4001, "noinline", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct access_functions f = {0};
        struct str text = STR_INIT;
        str_addf(&text, "define i32 @large(ptr %%p) %s {\n  %%v = load i32, ptr %%p\n", rows[i].attributes);
        str_add(&text, "  br label %next\nnext:\n");
        for (int k = 1; k < rows[i].accesses; k++)
            str_add(&text, "  store i32 1, ptr %p\n");
        str_add(&text, "  ret i32 %v\n}\ndefine void @small(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n");
        struct llvm_module m = ir_load(str_text(&text));
        access_orders(&f, m.module);
        assert_int_equal(f.list.n, rows[i].asked);
        const struct access_function *small = &f.list.at[rows[i].asked - 1];
        assert_string_equal(small->name, "irprof.1");
        assert_int_equal(small->orders.n, 1);
        assert_int_equal(small->orders.at[0].write, IRPROF_WRITE_ENTRY);
        llvm_release(&m);
        access_functions_release(&f);
        str_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_writes), cmocka_unit_test(what_cannot_be_read), cmocka_unit_test(what_is_cut_short),
        cmocka_unit_test(damaged),          cmocka_unit_test(large_functions),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
