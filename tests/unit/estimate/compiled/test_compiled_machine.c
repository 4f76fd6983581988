/* The method compiled: machine code cut into nodes. Words as the assembler makes them (binutils 2.40,
 * riscv64-linux-gnu-as, without compressed instructions), in an ELF file of one segment; the nodes by hand. */
#include "tests/unit/core/core_fixture.h"

#include <elf.h>

#include "shimgen/estimate/compiled/compiled_machine.h"

enum { BASE = 0x1000 };

static struct elf_function symbols[] = {{BASE, 24, (char *)(uintptr_t) "f", false},
                                        {BASE + 24, 8, (char *)(uintptr_t) "g", false},
                                        {BASE + 24, 64, (char *)(uintptr_t) "beyond", false}};

static const uint32_t code[] = {
    0x00008463, /* f: beq x1, x0, . + 8 */
    0x00118193, /* addi x3, x3, 1 */
    0x7f9000ef, /* jal x1, . + 0xff8 */
    0xff5ff06f, /* jal x0, f */
    0x00030067, /* jalr x0, 0(x6) */
    0x00008067, /* ret */
    0x000090e3, /* g: bne x1, x0, . + 0x800 */
    0x1000006f, /* jal x0, . + 0x100 */
};

/* An executable of these words at BASE. elf_release. */
static void read_code(struct elf *f)
{
    struct {
        Elf64_Ehdr head;
        Elf64_Phdr segment;
        uint32_t code[sizeof code / sizeof code[0]];
    } image = {0};
    memcpy(image.head.e_ident, ELFMAG, SELFMAG);
    image.head.e_ident[EI_CLASS] = ELFCLASS64;
    image.head.e_ident[EI_DATA] = ELFDATA2LSB;
    image.head.e_ident[EI_VERSION] = image.head.e_version = EV_CURRENT;
    image.head.e_type = ET_EXEC;
    image.head.e_machine = EM_RISCV;
    image.head.e_ehsize = sizeof image.head;
    image.head.e_phoff = offsetof(__typeof__(image), segment);
    image.head.e_phentsize = sizeof image.segment;
    image.head.e_phnum = 1;
    image.segment = (Elf64_Phdr){.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_X,
                                 .p_offset = offsetof(__typeof__(image), code),
                                 .p_vaddr = BASE,
                                 .p_filesz = sizeof code,
                                 .p_memsz = sizeof code};
    memcpy(image.code, code, sizeof code);
    char path[] = "/tmp/test-machine-XXXXXX";
    struct error e = ERROR_INIT;
    int fd = mkstemp(path);
    assert_true(fd >= 0 && close(fd) == 0);
    assert_int_equal(file_write(path, (const char *)&image, sizeof image, &e), OK);
    assert_int_equal(elf_read(f, path, &e), OK);
    unlink(path);
}

struct want {
    uint64_t address;
    size_t n;
    enum node_end end;
    size_t target;
    uint64_t callee;
};

static void check_nodes(const struct machine_function *f, const struct want *want, size_t n)
{
    assert_int_equal(f->n, n);
    for (size_t i = 0; i < n; i++) {
        const struct node *at = &f->nodes[i];
        assert_int_equal(at->address, want[i].address);
        assert_int_equal(at->n, want[i].n);
        assert_int_equal(at->end, want[i].end);
        assert_int_equal(at->target, want[i].target);
        assert_int_equal(at->callee, want[i].callee);
        assert_int_equal(at->number, ELF_NO_BLOCK);
        assert_false(at->labelled);
        assert_int_equal(at->steps[0].address, want[i].address);
    }
}

static bool leads(const struct machine_function *f, size_t from, size_t to)
{
    for (size_t k = 0; k < graph_n_next(&f->graph, from); k++)
        if (graph_next(&f->graph, from, k) == to)
            return true;
    return false;
}

/* Without labels, a jump to an address from a register leads to whatever nothing else leads to: itself and the return. */
static void test_plain(void **state)
{
    (void)state;
    struct iss_model *m = small_model("architecture = none", "architecture = riscv64");
    struct elf elf;
    struct machine_function f;
    static const struct want want[] = {
        {BASE, 1, NODE_BRANCHES, 2, 0},
        {BASE + 4, 1, NODE_FALLS, NODE_NONE, 0},
        {BASE + 8, 1, NODE_CALLS, NODE_NONE, BASE + 0x1000},
        {BASE + 12, 1, NODE_JUMPS, 0, 0},
        {BASE + 16, 1, NODE_SWITCHES, NODE_NONE, 0},
        {BASE + 20, 1, NODE_LEAVES, NODE_NONE, 0},
    };
    static const bool next[6][6] = {{[1] = true, [2] = true}, {[2] = true}, {[3] = true}, {[0] = true},
                                    {[4] = true, [5] = true}, {false}};
    read_code(&elf);
    assert_true(machine_plain(&f, &elf, &symbols[0], m));
    check_nodes(&f, want, 6);
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 6; k++)
            if (leads(&f, i, k) != next[i][k])
                fail_msg("%zu -> %zu", i, k);
    struct machine all = {.functions = &f, .n = 1};
    assert_int_equal(machine_function_at(&all, BASE), 0);
    assert_int_equal(machine_function_at(&all, BASE + 4), NODE_NONE);
    assert_int_equal(machine_function_at(&all, 0), NODE_NONE);
    machine_function_release(&f);
    elf_release(&elf);
    iss_model_free(m);
}

/* A jump out of the function is a call for good; a branch out of it has no target here. */
static void test_tail(void **state)
{
    (void)state;
    struct iss_model *m = small_model("architecture = none", "architecture = riscv64");
    struct elf elf;
    struct machine_function f;
    static const struct want want[] = {{BASE + 24, 1, NODE_BRANCHES, NODE_NONE, 0},
                                       {BASE + 28, 1, NODE_TAIL, NODE_NONE, BASE + 28 + 0x100}};
    read_code(&elf);
    assert_true(machine_plain(&f, &elf, &symbols[1], m));
    check_nodes(&f, want, 2);
    assert_true(leads(&f, 0, 1));
    assert_int_equal(graph_n_next(&f.graph, 1), 0);
    machine_function_release(&f);
    assert_false(machine_plain(&f, &elf, &symbols[2], m)); /* not all of it is in the file */
    machine_function_release(&f);
    elf_release(&elf);
    iss_model_free(m);
}

/* ---- Thumb: a file of 32 bits, constants among the instructions, a return that may not be executed ---- */

/* Halfwords as arm-linux-gnueabihf-as (binutils 2.40) makes them. */
static const uint16_t thumb[] = {
    0x2803,                         /* cmp r0, #3 */
    0xbfbc,                         /* itt lt */
    0x2001,                         /* movlt r0, #1 */
    0x4770,                         /* bxlt lr */
    0x4801,                         /* ldr r0, . + 8 */
    0x4770,                         /* bx lr */
    0xe008, 0xbf00, 0x1234, 0x5678, /* constants; as code the first one would be a jump */
    0xbf00,                         /* nop */
    0x4770,                         /* bx lr */
};

static void read_thumb(struct elf *f)
{
    static const char names[] = "\0f\0$t\0$d.1\0$d";
    struct {
        Elf32_Ehdr head;
        Elf32_Phdr segment;
        Elf32_Shdr sections[3];
        Elf32_Sym symbols[6];
        char names[sizeof names];
        uint16_t code[sizeof thumb / sizeof *thumb];
    } image = {.segment = {.p_type = PT_LOAD,
                           .p_flags = PF_R | PF_X,
                           .p_vaddr = BASE,
                           .p_filesz = sizeof thumb,
                           .p_memsz = sizeof thumb},
               .sections = {[1] = {.sh_type = SHT_SYMTAB,
                                   .sh_link = 2,
                                   .sh_size = sizeof image.symbols,
                                   .sh_entsize = sizeof(Elf32_Sym)},
                            [2] = {.sh_type = SHT_STRTAB, .sh_size = sizeof names}},
               .symbols = {[1] = {1, BASE + 1, sizeof thumb, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1},
                           [2] = {3, BASE, 0, ELF32_ST_INFO(STB_LOCAL, STT_NOTYPE), 0, 1},
                           [3] = {6, BASE + 12, 0, ELF32_ST_INFO(STB_LOCAL, STT_NOTYPE), 0, 1},
                           [4] = {11, BASE + 20, 0, ELF32_ST_INFO(STB_LOCAL, STT_NOTYPE), 0, 1}, /* of no bytes */
                           [5] = {3, BASE + 20, 0, ELF32_ST_INFO(STB_LOCAL, STT_NOTYPE), 0, 1}}};
    memcpy(image.head.e_ident, ELFMAG, SELFMAG);
    image.head.e_ident[EI_CLASS] = ELFCLASS32;
    image.head.e_ident[EI_DATA] = ELFDATA2LSB;
    image.head.e_ident[EI_VERSION] = image.head.e_version = EV_CURRENT;
    image.head.e_type = ET_EXEC;
    image.head.e_machine = EM_ARM;
    image.head.e_ehsize = sizeof image.head;
    image.head.e_phoff = offsetof(__typeof__(image), segment);
    image.head.e_phentsize = sizeof image.segment;
    image.head.e_phnum = 1;
    image.head.e_shoff = offsetof(__typeof__(image), sections);
    image.head.e_shentsize = sizeof image.sections[0];
    image.head.e_shnum = 3;
    image.segment.p_offset = offsetof(__typeof__(image), code);
    image.sections[1].sh_offset = offsetof(__typeof__(image), symbols);
    image.sections[2].sh_offset = offsetof(__typeof__(image), names);
    memcpy(image.names, names, sizeof names);
    memcpy(image.code, thumb, sizeof thumb);
    char path[] = "/tmp/test-machine-XXXXXX";
    struct error e = ERROR_INIT;
    int fd = mkstemp(path);
    assert_true(fd >= 0 && close(fd) == 0);
    assert_int_equal(file_write(path, (const char *)&image, sizeof image, &e), OK);
    assert_int_equal(elf_read(f, path, &e), OK);
    unlink(path);
}

static void test_thumb(void **state)
{
    (void)state;
    struct iss_model *m = small_model("architecture = none", "architecture = arm");
    struct elf elf;
    struct machine_function f;
    uint64_t end;
    static const struct want want[] = {{BASE, 4, NODE_LEAVES, NODE_NONE, 0},
                                       {BASE + 8, 2, NODE_LEAVES, NODE_NONE, 0},
                                       {BASE + 20, 2, NODE_LEAVES, NODE_NONE, 0}};
    read_thumb(&elf);
    assert_int_equal(elf.n_functions, 1);
    assert_int_equal(elf.functions[0].address, BASE); /* without the bit that says Thumb */
    assert_int_equal(elf_content_at(&elf, BASE, BASE + 24, &end), ELF_CODE);
    assert_int_equal(end, BASE + 12);
    assert_int_equal(elf_content_at(&elf, BASE + 14, BASE + 24, &end), ELF_CONSTANTS);
    assert_int_equal(end, BASE + 20);
    assert_int_equal(elf_content_at(&elf, BASE + 20, BASE + 24, &end), ELF_CODE);
    assert_int_equal(end, BASE + 24);
    assert_true(machine_plain(&f, &elf, &elf.functions[0], m));
    check_nodes(&f, want, 3);
    assert_true(f.nodes[0].conditional && !f.nodes[1].conditional);
    assert_true(leads(&f, 0, 1)); /* a return that may not be executed: the next one follows */
    assert_int_equal(graph_n_next(&f.graph, 1), 0);
    machine_function_release(&f);
    elf_release(&elf);
    iss_model_free(m);
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_tail),
                                       cmocka_unit_test(test_thumb)};
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
