/* Bytes of loads and stores: sizes of LLVM's types on a 64-bit and on a 32-bit target. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shimgen/blocks/traffic.h"

static void expect(const char *key, unsigned read, unsigned written, bool copy)
{
    struct traffic t = traffic_of(key, 8);
    assert_int_equal(t.read, read);
    assert_int_equal(t.written, written);
    assert_int_equal(t.copy, copy);
}

static void keys(void **state)
{
    (void)state;
    expect("load.i32", 4, 0, false);
    expect("load.double_d", 8, 0, false);
    expect("store.ptr", 0, 8, false);
    expect("store.i1_d", 0, 1, false);
    expect("load.i24", 4, 0, false);
    expect("load.v4f32", 16, 0, false);
    expect("store.v2ptr", 0, 16, false);
    expect("load.v3i8", 3, 0, false);
    expect("atomicrmw.i64", 8, 8, false);
    expect("cmpxchg.i16", 2, 2, false);
    expect("load.x86_fp80", 16, 0, false);
    expect("load.half", 2, 0, false);
    expect("load.agg", 0, 0, true);
    expect("load.nxv4i32", 0, 0, true);
    expect("load.v4v4", 0, 0, true);
    expect("load.v99999999999999i8", 0, 0, true);
    expect("call.llvm.memcpy", 0, 0, true);
    expect("call.direct", 0, 0, false);
    expect("add.i32", 0, 0, false);
    expect("load.", 0, 0, false);
}

static void pointers(void **state)
{
    (void)state;
    assert_int_equal(traffic_of("load.ptr", 4).read, 4);
    assert_int_equal(traffic_pointer("x86_64-pc-linux-gnu"), 8);
    assert_int_equal(traffic_pointer("aarch64-linux-gnu"), 8);
    assert_int_equal(traffic_pointer("armv7-linux-gnueabihf"), 4);
    assert_int_equal(traffic_pointer("riscv32"), 4);
    assert_int_equal(traffic_pointer("x86_64-linux-gnux32"), 4);
    assert_int_equal(traffic_pointer(""), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys), cmocka_unit_test(pointers)};
    return cmocka_run_group_tests(tests, 0, 0);
}
