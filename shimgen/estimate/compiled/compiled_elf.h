/*
 * compiled_elf.h - an executable of the target, as far as its code is of interest: functions, labels
 * (compiled_text.h), bytes.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_ELF_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct elf_function {
    uint64_t address, size;
    char *name;    /* owned */
    bool resolver; /* it only chooses the function that is called by this name (STT_GNU_IFUNC) */
};
enum elf_label_kind { ELF_LABEL_BLOCK, ELF_LABEL_TARGET, ELF_LABEL_PLACE };
struct elf_label {
    uint64_t address;
    enum elf_label_kind kind;
    uint32_t module;
    uint64_t order;  /* in its module */
    uint32_t number; /* block of the IR, instruction; ELF_NO_BLOCK */
};
#define ELF_NO_BLOCK UINT32_MAX

/* What stands from an address on, up to the next one: mapping symbols, which executables for Arm have ($t, $d, $a; "ELF for
 * the Arm Architecture", 5.5.5). */
enum elf_content { ELF_CODE, ELF_CONSTANTS, ELF_OTHER_STATE /* A32 code beside Thumb */ };
struct elf_mapping {
    uint64_t address;
    enum elf_content content;
};

/* What a word of the executable is filled with at its start: by the function that `resolver` chooses. */
struct elf_choice {
    uint64_t slot, resolver;
};

struct elf {
    struct str bytes;
    struct Elf *file; /* libelf's, of these bytes */
    struct elf_choice *choices;
    size_t n_choices;
    struct elf_function *functions; /* by address */
    size_t n_functions;
    struct elf_label *labels; /* by address, then order */
    size_t n_labels;
    struct elf_mapping *mappings; /* by address; none: all is code */
    size_t n_mappings;
};
/* Addresses of Thumb functions are those of their code, without the bit that says so. ERR_INPUT: not a little-endian ELF
 * executable. elf_release, also after an error. */
enum status elf_read(struct elf *out, const char *path, struct error *e) MUST_CHECK;
void elf_release(struct elf *f);
/* The loaded bytes [address, address + size), borrowed; NULL: they are not all in the file. */
const uint8_t *elf_bytes(const struct elf *f, uint64_t address, uint64_t size);
/* What stands at an address, and *end: up to where, `limit` at most. */
enum elf_content elf_content_at(const struct elf *f, uint64_t address, uint64_t limit, uint64_t *end);
/* The resolver that fills the word at `slot` with an address when the program starts; NULL: it is no such word. */
const struct elf_function *elf_chosen(const struct elf *f, uint64_t slot);
/* What is executed when the first of the functions at an address is called: itself, or what a resolver chooses for the
 * processor, by the names: of memcpy's the plain one, "__memcpy_generic", before others. NULL: there is none. */
const struct elf_function *elf_code(const struct elf *f, const struct elf_function *symbol);
/* Of n things, each of `size` bytes that begin with an address, in the order of these: the first that is not before
 * `address`; n: all are. */
size_t elf_first(const void *things, size_t n, size_t size, uint64_t address);
/* The function that an address is in; NULL: none. */
const struct elf_function *elf_function_at(const struct elf *f, uint64_t address);

#endif
