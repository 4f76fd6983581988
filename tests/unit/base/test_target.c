/* test_target.c - targets by their triples and by their executables. Numbers are those of the ABIs' documents: ELF for
 * the Arm 64-bit Architecture, RISC-V ELF psABI, System V ABI for AMD64, i386 and Arm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/target.h"

static void triples(void **state)
{
    (void)state;
    static const struct {
        const char *triple, *name, *debian;
        unsigned pointer, irelative, stack_pointer;
    } rows[] = {
        {"aarch64-linux-gnu", "aarch64", "arm64", 8, 1032, 31},
        {"arm64-apple-macosx", "aarch64", "arm64", 8, 1032, 31},
        {"riscv64-linux-gnu", "riscv64", "riscv64", 8, 58, 2},
        {"riscv32-unknown-elf", "riscv32", "", 4, 58, 2},
        {"x86_64-pc-linux-gnu", "x86_64", "amd64", 8, 37, 4},
        {"i386-linux-gnu", "i686", "i386", 4, 42, 4},
        {"i686", "i686", "i386", 4, 42, 4},
        {"arm-linux-gnueabihf", "arm", "armhf", 4, 160, 13},
        {"arm-linux-gnueabi", "arm", "armel", 4, 160, 13},
        {"armv7l", "arm", "", 4, 160, 13},
        {"thumbv7em-none-eabi", "arm", "armel", 4, 160, 13},
        {"powerpc64le-linux-gnu", "ppc64le", "ppc64el", 8, 0, 0},
        {"powerpc-linux-gnu", "ppc", "powerpc", 4, 0, 0},
        {"mips64el-linux-gnu", "mips64", "mips64el", 8, 0, 0},
        {"mipsel-linux-gnu", "mips", "mipsel", 4, 0, 0},
        {"msp430-elf", "msp430", "", 4, 0, 0},
        {"sparc64-linux-gnu", "", "", 8, 0, 0},
        {"", "", "", 8, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct target *t = target_find(rows[i].triple);
        assert_string_equal(t->name, rows[i].name);
        assert_string_equal(t->debian ? t->debian : "", rows[i].debian);
        assert_int_equal(t->pointer, rows[i].pointer);
        assert_int_equal(t->irelative, rows[i].irelative);
        assert_int_equal(t->stack_pointer, rows[i].stack_pointer);
    }
}

/* Numbers of the ELF specification's registry. */
static void executables(void **state)
{
    (void)state;
    static const struct {
        unsigned machine, bits;
        const char *name;
    } rows[] = {
        {183, 64, "aarch64"},     {243, 64, "riscv64"}, {243, 32, "riscv32"}, {62, 64, "x86_64"}, {3, 32, "i686"},
        {40, 32, "arm"},          {21, 64, "ppc64le"},  {20, 32, "ppc"},      {22, 64, "s390x"},  {8, 32, "mips"},
        {258, 64, "loongarch64"}, {8, 64, "mips64"},    {62, 32, ""},         {0, 64, ""},        {254, 64, ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(target_of_elf(rows[i].machine, rows[i].bits)->name, rows[i].name);
}

/* What every row must have, so that nobody needs to ask whether it is there. */
static void every_row(void **state)
{
    (void)state;
    size_t n = 0;
    for (const struct target *t = target_next(NULL); t; t = target_next(t), n++) {
        assert_non_null(t->name);
        assert_string_equal(target_find(t->name)->name, t->name);
        assert_true(t->pointer == 4 || t->pointer == 8);
        assert_true(t->stack_name && *t->stack_name == '$');
        assert_true(t->features && t->all_features && t->ordered_pass);
        assert_true(t->table_cases >= 4);
        if (t->narrow)
            assert_int_equal(target_find(t->narrow)->pointer, 4);
        if (target_has(t, TARGET_MACHINE_EVENTS))
            assert_true(t->calls[0] && t->irelative && t->code_unit && t->real_constraint && t->comment);
        if (t->elf_machine && t->debian)
            assert_int_equal(target_of_elf(t->elf_machine, 8 * t->pointer)->pointer, t->pointer);
    }
    assert_true(n > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triples),
        cmocka_unit_test(executables),
        cmocka_unit_test(every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
