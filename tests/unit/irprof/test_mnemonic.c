/* Words of machine code. The bytes are LLVM's assembler's (llvm-mc-19 --show-encoding), the words those of the
 * manuals, with LLVM's suffixes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "irprof/codegen/mnemonic.h"

static const struct {
    const char *triple;
    uint8_t bytes[8];
    size_t size;
    const char *word;
} codes[] = {
    {"aarch64-linux-gnu", {0x20, 0x08, 0x43, 0x1f}, 4, "fmadd"}, /* fmadd d0, d1, d3, d2 */
    {"aarch64-linux-gnu", {0xe0, 0xe3, 0x18, 0x25}, 4, "ptrue"}, /* ptrue p0.b: SVE */
    {"aarch64-linux-gnu", {0xff, 0xff, 0xff, 0xff}, 0, NULL},    /* not allocated */
    {"riscv64-linux-gnu", {0x3b, 0x82, 0x62, 0x02}, 4, "mulw"},  /* mulw tp, t0, t1 */
    {"riscv64-linux-gnu", {0x82, 0x80}, 2, "ret"},               /* c.jr ra */
    {"x86_64-linux-gnu", {0xf0, 0x48, 0x0f, 0xb1, 0x0a}, 1, ""}, /* lock cmpxchgq %rcx, (%rdx) */
    {"x86_64-linux-gnu", {0x48, 0x0f, 0xb1, 0x0a}, 4, "cmpxchgq"},
    {"x86_64-linux-gnu", {0x62, 0xf1, 0xf5, 0x48, 0x58, 0xc2}, 6, "vaddpd"}, /* vaddpd %zmm2, %zmm1, %zmm0 */
    {"thumbv7em-none-eabi", {0x08, 0x44}, 2, "add"},                         /* add r0, r1 */
};

static void words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        struct mnemonics *m = mnemonics_new(codes[i].triple, "", "");
        char *word = (char *)"nothing";
        assert_non_null(m);
        assert_int_equal(mnemonics_read(m, codes[i].bytes, sizeof codes[i].bytes, 0x1000, &word), codes[i].size);
        if (codes[i].word)
            assert_string_equal(word, codes[i].word);
        else
            assert_null(word);
        free(word);
        mnemonics_free(m);
    }
    mnemonics_free(NULL);
}

static void no_such_target(void **state)
{
    (void)state;
    assert_null(mnemonics_new("nothing-at-all", "", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(no_such_target)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
