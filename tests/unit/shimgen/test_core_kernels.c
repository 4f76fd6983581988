/* test_core_kernels.c - each kernel of shimgen/core/ is of the class it says, its chain goes where it says.
 * Assembled by clang, read by the decoders of sim/core. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/proc.h"
#include "shimgen/core/kernels.h"
#include "shimgen/estimate/compiled/compiled_elf.h"
#include "sim/core/op.h"
#include "tests/unit/boards/fixture.h"

enum { CARRY = 16 }; /* x86-64's carry flag (sim/core/x86/decode_x86.h) */

/* Registers that $d and $s stand for; neither is another register of a kernel. */
static unsigned d_of(const struct core_kernels *k)
{
    return k->first + 2;
}
static unsigned s_of(const struct core_kernels *k)
{
    return k->first + 5;
}

/* An executable with one function, "code". */
static void assemble(struct elf *to, const struct core_kernels *k, const char *march, const char *text)
{
    struct error e = ERROR_INIT;
    char *source = xasprintf("%s.globl code\n.type code, %%function\ncode:\n%s.size code, . - code\n",
                             k->prologue ? k->prologue : "", text);
    char *in = put_file("kernels.s", source), *out = put_file("kernels.elf", "");
    char *target = xasprintf("--target=%s-linux-gnu", k->architecture);
    const char *const argv[] = {
        "clang",          target, march, "-nostdlib", "-static", "-fuse-ld=lld", "-Wl,--entry=code",
        "-Wl,--no-relax", in,     "-o",  out,         0};
    struct proc p = {.argv = argv, .capture = true, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    if (proc_must(&p, &r, &e) != OK || elf_read(to, out, &e) != OK) {
        error_print(&e, "test");
        fail();
    }
    proc_result_release(&r);
    free(target);
    free(out);
    free(in);
    free(source);
}

static bool needs(const struct iss_op *op, unsigned reg, const char *need)
{
    for (unsigned i = 0; i < op->n_sources; i++)
        if (op->source[i].reg == reg && strcmp(iss_need_names[op->source[i].need], need) == 0)
            return true;
    return false;
}

/* The register that $s is: of integers or of floating point, as the need says; flags are one. */
static unsigned source_of(const struct core_kernel *k, unsigned s, const struct core_kernels *table)
{
    return strcmp(k->kind->need, "flags") == 0    ? table->renames_stack ? CARRY : ISS_REG_FLAGS
           : strncmp(k->kind->need, "fp", 2) == 0 ? ISS_REG_FP + s
                                                  : s;
}

static void check(const struct core_kernels *table, const struct core_kernel *k, const char *text, const char *need,
                  const struct iss_op *op)
{
    if (op->class != (k->class & (CORE_32 - 1)))
        fail_msg("'%s' is of class %s, not %s", text, iss_class_names[op->class],
                 iss_class_names[k->class & (CORE_32 - 1)]);
    if ((k->class & CORE_32) && op->width != 32)
        fail_msg("'%s' is not of 32 bits", text);
    if (need && strcmp(need, "result") != 0 &&
        !needs(op, source_of(k, strstr(text, "$s") ? s_of(table) : d_of(table), table), need))
        fail_msg("'%s' does not need $s as %s", text, need);
}

static void check_table(const struct core_kernels *k, const char *march)
{
    struct str text = STR_INIT;
    struct elf f = {0};
    for (size_t i = 0; i < k->n; i++) {
        core_kernel_line(&text, k, k->at[i].text, d_of(k), s_of(k));
        if (k->at[i].second)
            core_kernel_line(&text, k, k->at[i].second, d_of(k), s_of(k));
    }
    assemble(&f, k, march, str_text(&text));
    const struct iss_decoder *d = iss_decoder_find(k->architecture);
    const struct elf_function *code = &f.functions[0];
    const uint8_t *bytes = elf_bytes(&f, code->address, code->size);
    void *state = d->open();
    struct iss_op op;
    for (size_t i = 0, at = 0; i < k->n; i++)
        for (int second = 0; second <= (k->at[i].second != 0); second++) {
            const char *line = second ? k->at[i].second : k->at[i].text;
            for (const char *p = line; p;
                 p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) { /* the last is what counts */
                if (p[0] && p[1] == ':')
                    continue; /* a label */
                size_t size = d->size ? d->size(bytes + at) : code->size - at;
                d->decode(state, bytes + at, size, code->address + at, &op);
                at += d->size ? size : op.size;
            }
            check(k, &k->at[i], line, second ? k->at[i].kind->second_need : k->at[i].kind->need, &op);
        }
    d->close(state);
    elf_release(&f);
    str_release(&text);
}

static void aarch64(void **state)
{
    (void)state;
    check_table(&core_kernels_aarch64, "-march=armv8-a+crc");
}

static void riscv64(void **state)
{
    (void)state;
    check_table(&core_kernels_riscv64, "-march=rv64g_zba_zbb");
}

static void x86_64(void **state)
{
    (void)state;
    check_table(&core_kernels_x86_64, "-march=x86-64-v3");
}

/* Ways back lead to kernels, and needs are needs. */
static void names_are_there(void **state)
{
    (void)state;
    const struct core_kernels *const all[] = {&core_kernels_aarch64, &core_kernels_riscv64, &core_kernels_x86_64};
    for (size_t t = 0; t < 3; t++) {
        for (size_t i = 0; i < all[t]->n; i++) {
            assert_non_null(all[t]->at[i].kind->unit); /* its class has a row in kernels.c */
            if (all[t]->at[i].kind->back)
                assert_non_null(core_kernels_find(all[t], all[t]->at[i].kind->back));
        }
        for (size_t i = 0; i < all[t]->n_needs; i++)
            assert_non_null(core_kernels_find(all[t], all[t]->needs[i].class));
    }
    assert_null(core_kernels_of("i686"));
    assert_ptr_equal(core_kernels_of("x86_64"), &core_kernels_x86_64);
    assert_ptr_equal(core_kernels_of("riscv64"), &core_kernels_riscv64);
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {cmocka_unit_test(aarch64), cmocka_unit_test(riscv64), cmocka_unit_test(x86_64),
                                       cmocka_unit_test(names_are_there)};
    return fixture_close(cmocka_run_group_tests(tests, 0, 0));
}
