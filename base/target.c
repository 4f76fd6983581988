/* target.c - the table of targets. Sources: <elf.h>; the ABIs' documents; LLVM 19's target descriptions. */
#include "base/target.h"

#include <elf.h>
#include <string.h>

/* The first row that fits a name is taken, so "arm64" stands before "arm". */
static const struct target table[] = {
    {.name = "aarch64",
     .words = "aarch64 arm64",
     .debian = "arm64",
     .narrow = "arm",
     .clock = "CNTVCT_CYCLES",
     .elf_machine = EM_AARCH64,
     .pointer = 8,
     .irelative = R_AARCH64_IRELATIVE,
     .calls = {R_AARCH64_CALL26, R_AARCH64_JUMP26},
     .code_unit = 4,
     .stack_pointer = 31,
     .stack_name = "$sp",
     .real_constraint = 'w',
     .comment = "//",
     .features = "",
     .all_features = "+all",
     .ordered_pass = "postmisched",
     .table_cases = 13,
     .traits = TARGET_FUSES_PRODUCT | TARGET_WIDENS_VECTORS | TARGET_WIDENS_PRODUCT | TARGET_KEEPS_DIVISION |
               TARGET_VECTORS | TARGET_INDEXES | TARGET_SELECTS | TARGET_PRESERVES_MOST | TARGET_MACHINE_EVENTS |
               TARGET_PMUV3 | TARGET_PAIRS | TARGET_CALLS_ATOMICS | TARGET_NO_REMAINDER},
    {.name = "riscv64",
     .words = "riscv64",
     .debian = "riscv64",
     .clock = "RDTIME_CYCLES",
     .elf_machine = EM_RISCV,
     .pointer = 8,
     .irelative = R_RISCV_IRELATIVE,
     .calls = {R_RISCV_CALL, R_RISCV_CALL_PLT},
     .code_unit = 2,
     .stack_pointer = 2,
     .stack_name = "$x2",
     .real_constraint = 'f',
     .comment = "#",
     .features = "+m,+a,+f,+d,+c", /* without them LLVM assumes the base alone, without multiplication */
     .all_features = "+m,+a,+f,+d,+c",
     .ordered_pass = "post-RA-sched",
     .table_cases = 5,
     .traits = TARGET_FUSES_COMPARE | TARGET_MACHINE_EVENTS},
    {.name = "riscv32",
     .words = "riscv32",
     .clock = "RDTIME_CYCLES",
     .elf_machine = EM_RISCV,
     .pointer = 4,
     .irelative = R_RISCV_IRELATIVE,
     .calls = {R_RISCV_CALL, R_RISCV_CALL_PLT},
     .code_unit = 2,
     .stack_pointer = 2,
     .stack_name = "$x2",
     .real_constraint = 'f',
     .comment = "#",
     .features = "+m,+a,+f,+d,+c",
     .all_features = "+m,+a,+f,+d,+c",
     .ordered_pass = "post-RA-sched",
     .table_cases = 5,
     .traits = TARGET_FUSES_COMPARE | TARGET_MACHINE_EVENTS},
    {.name = "x86_64",
     .words = "x86_64 amd64",
     .debian = "amd64",
     .narrow = "i686",
     .clock = "TSC_CYCLES",
     .elf_machine = EM_X86_64,
     .pointer = 8,
     .irelative = R_X86_64_IRELATIVE,
     .calls = {R_X86_64_PLT32, R_X86_64_PLT32},
     .code_unit = 1,
     .stack_pointer = 4,
     .stack_name = "$rsp",
     .real_constraint = 'x',
     .comment = "#",
     .features = "",
     .all_features = "",
     .ordered_pass = "post-RA-sched",
     .table_cases = 4,
     .traits = TARGET_FUSES_LOAD | TARGET_KEEPS_DIVISION | TARGET_WIDENS_VECTORS | TARGET_VECTORS | TARGET_INDEXES |
               TARGET_LONG_OVERFLOW | TARGET_PRESERVES_MOST | TARGET_MACHINE_EVENTS | TARGET_LONG_HISTORY},
    {.name = "i686",
     .words = "i686 i586 i486 i386",
     .debian = "i386",
     .elf_machine = EM_386,
     .pointer = 4,
     .irelative = R_386_IRELATIVE,
     .calls = {R_386_PLT32, R_386_PC32},
     .code_unit = 1,
     .stack_pointer = 4,
     .stack_name = "$esp",
     .real_constraint = 'x',
     .comment = "#",
     .features = "",
     .all_features = "",
     .ordered_pass = "post-RA-sched",
     .table_cases = 4,
     .traits = TARGET_FUSES_LOAD | TARGET_WIDENS_VECTORS | TARGET_INDEXES},
#define ARM(ends_in, debian_name, its_features)                                                                        \
    {                                                                                                                  \
        .name = "arm", .words = "arm thumb", .ends = (ends_in), .debian = (debian_name), .elf_machine = EM_ARM,        \
        .pointer = 4, .irelative = R_ARM_IRELATIVE,                                                                    \
        .calls = {R_ARM_CALL, R_ARM_JUMP24, R_ARM_THM_PC22, R_ARM_THM_JUMP24}, .code_unit = 2, .stack_pointer = 13,    \
        .stack_name = "$sp", .real_constraint = 'w', .comment = "@", .features = (its_features), .all_features = "",   \
        .ordered_pass = "post-RA-sched", .table_cases = 4,                                                             \
        .traits = TARGET_INDEXES | TARGET_SELECTS | TARGET_FLAGS_ONCE | TARGET_MACHINE_EVENTS                          \
    }
    ARM("eabihf", "armhf", "+armv7-a,+vfp3d16"),
    ARM("eabi", "armel", ""),
    ARM(0, 0, ""),
#define OTHER(its_name, its_words, debian_name, machine, size)                                                         \
    {                                                                                                                  \
        .name = (its_name), .words = (its_words), .debian = (debian_name), .elf_machine = (machine),                   \
        .pointer = (size), .stack_name = "$sp", .features = "", .all_features = "", .ordered_pass = "post-RA-sched",   \
        .table_cases = 4                                                                                               \
    }
    OTHER("ppc64le", "powerpc64le ppc64le", "ppc64el", EM_PPC64, 8),
    OTHER("ppc64", "powerpc64 ppc64", "ppc64", EM_PPC64, 8),
    OTHER("ppc", "powerpc ppc", "powerpc", EM_PPC, 4),
    OTHER("s390x", "s390x", "s390x", EM_S390, 8),
    OTHER("mips64", "mips64el", "mips64el", EM_MIPS, 8),
    OTHER("mips64", "mips64", 0, EM_MIPS, 8),
    OTHER("mips", "mipsel", "mipsel", EM_MIPS, 4),
    OTHER("mips", "mips", 0, EM_MIPS, 4),
    OTHER("loongarch64", "loongarch64", "loong64", EM_LOONGARCH, 8),
    OTHER("avr", "avr", 0, EM_AVR, 4),
    OTHER("tricore", "tricore", 0, EM_TRICORE, 4),
    OTHER("msp430", "msp430", 0, EM_MSP430, 4),
    OTHER("hexagon", "hexagon", 0, EM_QDSP6, 4),
    OTHER("xtensa", "xtensa", 0, EM_XTENSA, 4),
    OTHER("wasm32", "wasm32", 0, EM_NONE, 4),
    OTHER("", "", 0, EM_NONE, 8), /* fits any other name */
};
enum { N_TABLE = sizeof table / sizeof *table };

/* Does the triple begin with one of the words? They are separated by spaces. */
static bool begins(const char *triple, const char *words)
{
    do {
        size_t n = strcspn(words, " ");
        if (strncmp(triple, words, n) == 0)
            return true;
        words += n;
    } while (*words++);
    return false;
}

static bool ends(const char *triple, const char *word)
{
    size_t n = strlen(triple), k = word ? strlen(word) : 0;
    return k <= n && memcmp(triple + n - k, word ? word : "", k) == 0;
}

const struct target *target_find(const char *triple)
{
    size_t i = 0;
    while (!begins(triple, table[i].words) || !ends(triple, table[i].ends))
        i++;
    return &table[i];
}

const struct target *target_of_elf(unsigned machine, unsigned bits)
{
    size_t i = 0;
    while (i < N_TABLE - 1 && (table[i].elf_machine != machine || !machine || table[i].pointer * 8 != bits))
        i++;
    return &table[i];
}

const struct target *target_next(const struct target *t)
{
    return !t ? table : t + 1 < table + N_TABLE ? t + 1 : 0;
}
