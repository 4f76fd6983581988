/* The method compiled: executables, whole and damaged, and which of their functions are executed. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/random.h"
#include "shimgen/estimate/compiled/compiled_elf.h"

static char damaged[] = "/tmp/test-compiled-XXXXXX";

static enum status read_elf(struct elf *f, const char *bytes, size_t n)
{
    struct error e = ERROR_INIT;
    assert_int_equal(file_write(damaged, bytes, n, &e), OK);
    enum status s = elf_read(f, damaged, &e);
    assert_true(s == OK || (s == ERR_INPUT && strcmp(e.file, damaged) == 0));
    error_release(&e);
    return s;
}

static const struct elf_function *function_named(const struct elf *f, const char *name)
{
    for (size_t i = 0; i < f->n_functions; i++)
        if (strcmp(f->functions[i].name, name) == 0)
            return &f->functions[i];
    return NULL;
}

/* This program's own file: its code is what is in memory. */
static void test_executable(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct elf f;
    assert_int_equal(elf_read(&f, "/proc/self/exe", &e), OK);
    const struct elf_function *own = function_named(&f, "test_executable");
    assert_non_null(own);
    assert_ptr_equal(elf_function_at(&f, own->address + 3), own);
    const uint8_t *bytes = elf_bytes(&f, own->address, own->size);
    assert_non_null(bytes);
    assert_memory_equal(bytes, (const uint8_t *)(uintptr_t)test_executable, own->size);
    assert_null(elf_bytes(&f, own->address, UINT64_MAX));
    assert_null(elf_bytes(&f, own->address, f.bytes.len - own->address - 4096)); /* the file has it, but not as code */
    assert_null(elf_bytes(&f, UINT64_MAX, 4));
    elf_release(&f);
}

static void test_first(void **state)
{
    (void)state;
    const struct elf_function list[] = {{.address = 8}, {.address = 8}, {.address = 24}};
    static const size_t expected[] = {[0] = 0, [8] = 0, [9] = 2, [24] = 2, [25] = 3};
    static const uint64_t asked[] = {0, 8, 9, 24, 25};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        assert_int_equal(elf_first(list, 3, sizeof *list, asked[i]), expected[asked[i]]);
    assert_int_equal(elf_first(list, 3, sizeof *list, UINT64_MAX), 3);
    assert_int_equal(elf_first(NULL, 0, sizeof *list, 8), 0);
}

/* Everything that can be asked of it. */
static void ask(const struct elf *f)
{
    for (size_t i = 0; i < f->n_functions; i += 1 + f->n_functions / 50) {
        const struct elf_function *at = &f->functions[i];
        const uint8_t *bytes = elf_bytes(f, at->address, at->size);
        size_t offset = bytes ? (size_t)(bytes - (const uint8_t *)str_text(&f->bytes)) : 0;
        assert_true(offset <= f->bytes.len && (!bytes || at->size <= f->bytes.len - offset));
        elf_function_at(f, at->address);
        elf_code(f, at);
        elf_chosen(f, at->address);
    }
}

/* Cut off, or with other numbers in its headers, in its tables of sections and of symbols. */
static void test_damaged_executables(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct str whole = STR_INIT;
    struct random r = random_start(1);
    size_t read = 0, refused = 0;
    int fd = mkstemp(damaged);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(file_read(&whole, "/proc/self/exe", FILE_LIMIT, &e), OK);
    uint64_t sections;
    memcpy(&sections, whole.s + 40, sizeof sections); /* e_shoff; behind it, as in front of it, are tables */
    const size_t first[] = {0, 64, sections, 64}, room[] = {64, 700, whole.len - sections, whole.len - 64};
    for (int turn = 0; turn < 200; turn++) {
        char *bytes = xmemdup(whole.s, whole.len);
        size_t n = turn % 5 < 4 ? whole.len : random_below(&r, turn < 100 ? 200 : whole.len);
        for (int k = 0; turn % 5 < 4 && k < 8; k++)
            bytes[first[turn % 5] + random_below(&r, room[turn % 5])] = (char)random_below(&r, 256);
        struct elf f;
        bool fine = read_elf(&f, bytes, n) == OK;
        read += fine;
        refused += !fine;
        ask(&f);
        elf_release(&f);
        free(bytes);
    }
    assert_true(read > 20 && refused > 20);
    str_release(&whole);
    unlink(damaged);
}

/* ---- which function is executed: five words of a made-up program, by address ---- */

/* An executable for Arm, whose relocations have no addends (AAELF32): what they would add stands in the word that they are for. 0x8004 holds
 * 0x9001, a Thumb function at 0x9000; 0x8008 has a relocation of another type (23, R_ARM_RELATIVE), 0x9000 is not loaded. */
static void test_choices_of_arm(void **state)
{
    (void)state;
    enum { LOADED = 0x100, BYTES = 16, TABLE = 0x200, SECTIONS = 0x300 };
    static char file[SECTIONS + 2 * sizeof(Elf32_Shdr)];
    const Elf32_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                          .e_type = ET_EXEC,
                          .e_machine = EM_ARM,
                          .e_version = EV_CURRENT,
                          .e_phoff = sizeof h,
                          .e_phentsize = sizeof(Elf32_Phdr),
                          .e_phnum = 1,
                          .e_shoff = SECTIONS,
                          .e_ehsize = sizeof h,
                          .e_shentsize = sizeof(Elf32_Shdr),
                          .e_shnum = 2};
    const Elf32_Phdr p = {
        .p_type = PT_LOAD, .p_offset = LOADED, .p_vaddr = 0x8000, .p_filesz = BYTES, .p_memsz = BYTES};
    const Elf32_Rel rel[] = {
        {0x8004, ELF32_R_INFO(0, 160)}, {0x8008, ELF32_R_INFO(0, 23)}, {0x9000, ELF32_R_INFO(0, 160)}};
    const Elf32_Shdr sections[2] = {
        {.sh_type = SHT_NULL},
        {.sh_type = SHT_REL, .sh_offset = TABLE, .sh_size = sizeof rel, .sh_entsize = sizeof *rel, .sh_addralign = 4}};
    const uint32_t words[BYTES / 4] = {1, 0x9001, 0x9101, 2};
    memcpy(file, &h, sizeof h);
    memcpy(file + sizeof h, &p, sizeof p);
    memcpy(file + LOADED, words, sizeof words);
    memcpy(file + TABLE, rel, sizeof rel);
    memcpy(file + SECTIONS, sections, sizeof sections);
    struct elf f;
    assert_int_equal(read_elf(&f, file, sizeof file), OK);
    assert_int_equal(f.n_choices, 1);
    assert_int_equal(f.choices[0].slot, 0x8004);
    assert_int_equal(f.choices[0].resolver, 0x9000);
    elf_release(&f);
}

static struct elf_function made(const char *name, uint64_t address, bool resolver)
{
    return (struct elf_function){address, 16, (char *)(uintptr_t)name, resolver};
}

/* What is called as memcpy, where `others` are the functions beside its resolver. */
static const char *chosen(const char *const *others)
{
    static struct elf_function functions[8];
    struct elf f = {.functions = functions};
    functions[f.n_functions++] = made("__GI_memcpy", 0x100, true);
    functions[f.n_functions++] = made("memcpy", 0x100, true);
    for (uint64_t address = 0x200; *others; others++, address += 0x100)
        functions[f.n_functions++] = made(*others, address, false);
    const struct elf_function *code = elf_code(&f, &functions[0]);
    return code ? code->name : "none";
}

static void test_choice(void **state)
{
    (void)state;
    assert_string_equal(
        chosen((const char *const[]){"__memcpy_sve", "__memcpy_noalignment", "__memcpy_asimd", "__memcpy_generic", 0}),
        "__memcpy_generic");
    assert_string_equal(chosen((const char *const[]){"__memcpy_sve", "__memcpy_noalignment", "__memcpy_asimd", 0}),
                        "__memcpy_asimd");
    assert_string_equal(chosen((const char *const[]){"__memcpy_sve", "__memcpy_noalignment", 0}),
                        "__memcpy_noalignment");
    assert_string_equal(chosen((const char *const[]){"__memcpy_sve", 0}), "__memcpy_sve");
    assert_string_equal(chosen((const char *const[]){"__memcpy_ifunc", 0}), "none"); /* the resolver itself */
    assert_string_equal(
        chosen((const char *const[]){"__memcpyx_generic", "xxmemcpy_generic", "__memset_generic", "__memcpy", 0}),
        "none");
    struct elf_function plain[] = {made("f", 0x100, false), made("g", 0x200, true)};
    struct elf f = {.functions = plain, .n_functions = 2};
    assert_ptr_equal(elf_code(&f, &plain[0]), &plain[0]);
    assert_null(elf_code(&f, &plain[1]));
}

static void test_slots(void **state)
{
    (void)state;
    struct elf_function functions[] = {made("a", 0x100, true), made("b", 0x200, true), made("c", 0x200, true)};
    struct elf_choice choices[] = {{0x9000, 0x200}, {0x9008, 0x100}, {0x9010, 0x300}};
    struct elf f = {.functions = functions, .n_functions = 3, .choices = choices, .n_choices = 3};
    assert_ptr_equal(elf_chosen(&f, 0x9000), &functions[1]);
    assert_ptr_equal(elf_chosen(&f, 0x9008), &functions[0]);
    assert_null(elf_chosen(&f, 0x9010));
    assert_null(elf_chosen(&f, 0x9018));
}

/* The function that an address is in: to its last byte, and also behind one that stands inside it. */
static void test_function_at(void **state)
{
    (void)state;
    struct elf_function functions[] = {made("a", 0x100, false), made("b", 0x200, false), made("inside", 0x210, false),
                                       made("c", 0x1000, false)};
    functions[1].size = 0x100;
    struct elf f = {.functions = functions, .n_functions = 4};
    assert_null(elf_function_at(&f, 0xff));
    assert_ptr_equal(elf_function_at(&f, 0x100), &functions[0]);
    assert_ptr_equal(elf_function_at(&f, 0x10f), &functions[0]);
    assert_null(elf_function_at(&f, 0x110));
    assert_ptr_equal(elf_function_at(&f, 0x20f), &functions[1]);
    assert_ptr_equal(elf_function_at(&f, 0x21f), &functions[2]);
    assert_ptr_equal(elf_function_at(&f, 0x220), &functions[1]);
    assert_null(elf_function_at(&f, 0x300));
    assert_ptr_equal(elf_function_at(&f, 0x100f), &functions[3]);
    assert_null(elf_function_at(&f, 0x1010));
    f.n_functions = 0;
    assert_null(elf_function_at(&f, 0x100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_executable),
                                       cmocka_unit_test(test_first),
                                       cmocka_unit_test(test_damaged_executables),
                                       cmocka_unit_test(test_choices_of_arm),
                                       cmocka_unit_test(test_choice),
                                       cmocka_unit_test(test_slots),
                                       cmocka_unit_test(test_function_at)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
