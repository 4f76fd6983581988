/* elf_words.h - an executable of a few words, for tests that read machine code from one. */
#ifndef TESTS_UNIT_ESTIMATE_COMPILED_ELF_WORDS_H
#define TESTS_UNIT_ESTIMATE_COMPILED_ELF_WORDS_H

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "shimgen/estimate/compiled/compiled_elf.h"
#include "tests/unit/estimate/compiled/cost_example.h"

/* `size` bytes of words at FIRST_ADDRESS, for RISC-V, without symbols. elf_release. */
static inline void elf_of_words(struct elf *out, const uint32_t *words, size_t size)
{
    struct {
        Elf64_Ehdr head;
        Elf64_Phdr segment;
    } front = {0};
    memcpy(front.head.e_ident, ELFMAG, SELFMAG);
    front.head.e_ident[EI_CLASS] = ELFCLASS64;
    front.head.e_ident[EI_DATA] = ELFDATA2LSB;
    front.head.e_ident[EI_VERSION] = front.head.e_version = EV_CURRENT;
    front.head.e_type = ET_EXEC;
    front.head.e_machine = EM_RISCV;
    front.head.e_ehsize = sizeof front.head;
    front.head.e_phoff = sizeof front.head;
    front.head.e_phentsize = sizeof front.segment;
    front.head.e_phnum = 1;
    front.segment = (Elf64_Phdr){.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_X,
                                 .p_offset = sizeof front,
                                 .p_vaddr = FIRST_ADDRESS,
                                 .p_filesz = size,
                                 .p_memsz = size};
    struct error e = ERROR_INIT;
    char *path = put_file("words.elf", ""), *image = xcalloc(1, sizeof front + size);
    memcpy(image, &front, sizeof front);
    memcpy(image + sizeof front, words, size);
    assert_int_equal(file_write(path, image, sizeof front + size, &e), OK);
    assert_int_equal(elf_read(out, path, &e), OK);
    free(image);
    free(path);
}

#endif
