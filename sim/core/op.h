/*
 * op.h - an instruction as the timing model sees it, whatever its architecture. A decoder (decode_aarch64.c,
 * decode_riscv64.c) makes one of each instruction once, when qemu translates it; pipeline.c reads it each time the
 * instruction is executed, so it is small and says everything in numbers.
 *
 * A class says how an instruction uses the pipeline; which units, how many cycles: the model file (core_model.h). A
 * need says what an operand is used for, that is how early it must be there; how much earlier or later than an operand
 * of an addition: the model file.
 */
#ifndef SIM_CORE_OP_H
#define SIM_CORE_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(enumerator, name in the model file): what is in it. Not every architecture has every class, and a model gives
 * figures for those that it distinguishes: `like = CLASS` for the others. */
#define ISS_CLASSES(X)                                                                                                 \
    X(NOP, "nop")                 /* nothing to do: nop, hints, prefetches that are ignored */                         \
    X(MOVE_IMM, "move_imm")       /* a constant, or one relative to the instruction's address */                       \
    X(MOVE, "move")               /* a register copied, where that is not as any other: cores may only rename it */    \
    X(ZERO, "zero")               /* a register set to zero by an operation with itself: waits for nothing */          \
    X(ALU, "alu")                 /* add, subtract, logic, move, compare: one cycle anywhere */                        \
    X(ALU_SHIFTED, "alu_shifted") /* the same with an operand shifted or extended first */                             \
    X(ALU_CARRY, "alu_carry")     /* add or subtract with carry that also sets the flags */                            \
    X(SHIFT, "shift")             /* by a constant; bit fields, extensions, reversals */                               \
    X(SHIFT_REG, "shift_reg")     /* by a register */                                                                  \
    X(BITS, "bits")               /* leading zeros, population count */                                                \
    X(CRC, "crc")                 /* */                                                                                \
    X(SELECT, "select")           /* conditional selection */                                                          \
    X(COMPARE, "compare")         /* sets nothing but flags */                                                         \
    X(COMPARE_SHIFTED, "compare_shifted")                                                                              \
    X(COMPARE_IF, "compare_if") /* conditional comparison */                                                           \
    X(MUL32, "mul32")           /* 32 x 32 -> 32 */                                                                    \
    X(MADD32, "madd32")         /* with an addition */                                                                 \
    X(MSUB32, "msub32")         /* with a subtraction */                                                               \
    X(MUL64, "mul64")           /* 64 x 64 -> 64 */                                                                    \
    X(MADD64, "madd64")         /* */                                                                                  \
    X(MSUB64, "msub64")         /* */                                                                                  \
    X(MNEG64, "mneg64")         /* negated product */                                                                  \
    X(MUL_WIDE, "mul_wide")     /* 32 x 32 -> 64, with or without an addition */                                       \
    X(MUL_HIGH, "mul_high")     /* the upper half of 64 x 64 */                                                        \
    X(SDIV32, "sdiv32")         /* divisions, remainders: by operands where the model says how */                      \
    X(UDIV32, "udiv32")                                                                                                \
    X(SDIV64, "sdiv64")                                                                                                \
    X(UDIV64, "udiv64")                                                                                                \
    X(LOAD, "load")                     /* of a whole register */                                                      \
    X(LOAD_WORD, "load_word")           /* of 32 bits into the whole of a 64-bit register, upper bits zero */          \
    X(LOAD_SMALL, "load_small")         /* of 8 or 16 bits, or with sign extension; base and constant */               \
    X(LOAD_SMALL_REG, "load_small_reg") /* the same, base and register */                                              \
    X(LOAD_LITERAL, "load_literal")     /* relative to the instruction's address */                                    \
    X(LOAD_PAIR, "load_pair")           /* two whole registers */                                                      \
    X(LOAD_PAIR_WORD, "load_pair_word")                                                                                \
    X(LOAD_MANY, "load_many")             /* a list of registers, a step each */                                       \
    X(LOAD_JUMP, "load_jump")             /* one or a list, the program counter among them: where it goes on */        \
    X(LOAD_EXCLUSIVE, "load_exclusive")   /* linked, or with acquire ordering */                                       \
    X(STORE, "store")                     /* */                                                                        \
    X(STORE_REG, "store_reg")             /* base and register, on architectures where that takes longer */            \
    X(STORE_PAIR, "store_pair")           /* */                                                                        \
    X(STORE_MANY, "store_many")           /* a list of registers, a step each */                                       \
    X(STORE_EXCLUSIVE, "store_exclusive") /* conditional, or with release ordering */                                  \
    X(ATOMIC, "atomic")                   /* read, change, write in one instruction */                                 \
    X(PREFETCH, "prefetch")               /* a hint that is taken */                                                   \
    X(FP_LOAD, "fp_load")                 /* up to 64 bits into a floating-point register */                           \
    X(FP_LOAD_128, "fp_load_128")         /* */                                                                        \
    X(FP_LOAD_PAIR, "fp_load_pair")       /* two of up to 64 bits */                                                   \
    X(FP_LOAD_PAIR_128, "fp_load_pair_128")                                                                            \
    X(FP_LOAD_MANY, "fp_load_many") /* structures and lists of vectors */                                              \
    X(FP_STORE, "fp_store")         /* */                                                                              \
    X(FP_STORE_128, "fp_store_128")                                                                                    \
    X(FP_STORE_PAIR, "fp_store_pair")                                                                                  \
    X(FP_STORE_PAIR_128, "fp_store_pair_128")                                                                          \
    X(FP_STORE_MANY, "fp_store_many")                                                                                  \
    X(FP_MOVE, "fp_move")         /* between floating-point registers, or a constant */                                \
    X(FP_FROM_INT, "fp_from_int") /* bits of an integer register */                                                    \
    X(FP_TO_INT, "fp_to_int")     /* bits into an integer register */                                                  \
    X(FP_INT_PAIR, "fp_int_pair") /* two integer registers, in either direction */                                     \
    X(FP_FLAGS, "fp_flags")       /* what a comparison said, into the integer flags; status registers */               \
    X(FP_ADD, "fp_add")           /* add, subtract, negate, minimum, round */                                          \
    X(FP_MUL, "fp_mul")           /* */                                                                                \
    X(FP_FMA, "fp_fma")           /* */                                                                                \
    X(FP_DIV32, "fp_div32")       /* single precision */                                                               \
    X(FP_DIV64, "fp_div64")       /* double precision */                                                               \
    X(FP_SQRT32, "fp_sqrt32")     /* */                                                                                \
    X(FP_SQRT64, "fp_sqrt64")     /* */                                                                                \
    X(FP_COMPARE, "fp_compare")   /* */                                                                                \
    X(FP_SELECT, "fp_select")     /* */                                                                                \
    X(FP_CONVERT, "fp_convert")   /* between floating-point formats, or within floating-point registers */             \
    X(FP_CONVERT_FROM_INT, "fp_convert_from_int") /* from an integer register */                                       \
    X(FP_CONVERT_TO_INT, "fp_convert_to_int")     /* into one */                                                       \
    X(FP_LANE_FROM_INT, "fp_lane_from_int")       /* one lane of a vector, or all, from an integer register */         \
    X(FP_LANE_TO_INT, "fp_lane_to_int")           /* */                                                                \
    X(SIMD_LOGIC_64, "simd_logic_64")             /* bitwise logic, moves */                                           \
    X(SIMD_LOGIC_128, "simd_logic_128")           /* */                                                                \
    X(SIMD_64, "simd_64")                         /* vectors of 64 bits: integer, moves, permutations */               \
    X(SIMD_128, "simd_128")                       /* */                                                                \
    X(SIMD_MUL_64, "simd_mul_64")                 /* */                                                                \
    X(SIMD_MUL_128, "simd_mul_128")               /* */                                                                \
    X(SIMD_FP_64, "simd_fp_64")                   /* */                                                                \
    X(SIMD_FP_128, "simd_fp_128")                 /* */                                                                \
    X(SIMD_FMA_64, "simd_fma_64")                 /* */                                                                \
    X(SIMD_FMA_128, "simd_fma_128")               /* */                                                                \
    X(SIMD_DIV, "simd_div")                       /* divisions and square roots of vectors */                          \
    X(SIMD_SHUFFLE, "simd_shuffle")               /* lanes moved, where that is not as other integer operations */     \
    X(CRYPTO, "crypto")                           /* */                                                                \
    X(BRANCH, "branch")                           /* direct, always taken */                                           \
    X(BRANCH_IF, "branch_if")                     /* by flags */                                                       \
    X(BRANCH_ZERO, "branch_zero")                 /* by comparing registers */                                         \
    X(BRANCH_REG, "branch_reg")                   /* to an address in a register */                                    \
    X(BRANCH_TABLE, "branch_table")               /* by an offset that it loads from a table */                        \
    X(IF_THEN, "if_then")                         /* makes the instructions after it conditional */                    \
    X(CALL, "call")                               /* direct */                                                         \
    X(CALL_REG, "call_reg")                       /* */                                                                \
    X(RETURN, "return")                           /* */                                                                \
    X(BARRIER, "barrier")                         /* memory or instruction barriers */                                 \
    X(SYSTEM, "system")                           /* special registers, cache maintenance, system calls */             \
    X(UNKNOWN, "unknown")                         /* what the decoder does not know */

enum iss_class {
#define X(id, name) ISS_##id,
    ISS_CLASSES(X)
#undef X
        ISS_CLASS_N
};

/* What a source is needed for. X(enumerator, name in the model file). */
#define ISS_NEEDS(X)                                                                                                   \
    X(OPERAND, "operand")       /* of an addition, plain */                                                            \
    X(SHIFTED, "shifted")       /* shifted or extended first, or all that a shift takes */                             \
    X(ADDRESS, "address")       /* of a load or store */                                                               \
    X(DATA, "data")             /* to be stored */                                                                     \
    X(MULTIPLY, "multiply")     /* factors, dividends, divisors */                                                     \
    X(ACCUMULATE, "accumulate") /* what a product is added to */                                                       \
    X(FLAGS, "flags")           /* flags that decide on a selection or are carried in */                               \
    X(CONDITION, "condition")   /* what a conditional branch depends on */                                             \
    X(TARGET, "target")         /* of an indirect branch */                                                            \
    X(FP, "fp")                 /* of floating-point and vector arithmetic */                                          \
    X(FP_ACCUMULATE, "fp_accumulate")                                                                                  \
    X(FP_DATA, "fp_data") /* to be stored */

enum iss_need {
#define X(id, name) ISS_NEED_##id,
    ISS_NEEDS(X)
#undef X
        ISS_NEED_N
};

/* Registers: integer 0-31, floating-point 32-63, flags. What always reads as zero is left out. */
enum { ISS_REG_FP = 32, ISS_REG_FLAGS = 64, ISS_REG_N = 65, ISS_REG_NONE = 255 };
enum { ISS_SOURCES = 6, ISS_DESTS = 5 };

enum iss_branch {
    ISS_NO_BRANCH,
    ISS_JUMP,          /* always taken, the target in the instruction */
    ISS_CONDITIONAL,   /* the target in the instruction */
    ISS_JUMP_INDIRECT, /* the target in a register */
    ISS_CALL_DIRECT,
    ISS_CALL_INDIRECT,
    ISS_RETURN_TO /* by the link register */
};
enum iss_access { ISS_NO_MEMORY, ISS_READ_MEMORY = 1, ISS_WRITE_MEMORY = 2 /* both: atomic */ };

struct iss_op {
    uint8_t class;  /* enum iss_class */
    uint8_t branch; /* enum iss_branch */
    uint8_t memory; /* enum iss_access, bits */
    uint8_t size;   /* bytes that the instruction has itself */
    uint16_t bytes; /* accessed in memory, all registers together */
    uint8_t n_sources, n_dests;
    struct {
        uint8_t reg, need;
    } source[ISS_SOURCES];
    uint8_t dest[ISS_DESTS];
    /* The last so many of dest are addresses written back: ready like an addition, not like a load. */
    uint8_t n_address;
    uint8_t repeat;      /* of classes that take several steps (lists of vectors): how many; at least 1 */
    uint8_t width;       /* of the values, in bits, where it is of importance (division): 32, 64 */
    uint8_t value;       /* enum iss_value */
    uint8_t shift;       /* of value and condition, 0-63 */
    uint8_t condition;   /* enum iss_condition, of conditional branches, ISS_VALUE_SELECT and what is conditional */
    bool conditional;    /* only executed if the condition is met, whatever its class is */
    bool sign_extends;   /* a result of 32 bits is extended with its sign, else with zeros */
    uint8_t index_shift; /* of an access: the second register of its address is shifted left by this */
    int32_t offset;      /* of an access: from the sum of the registers of its address */
    int32_t back;        /* what is added to the address register that is written back */
    uint32_t lost;       /* integer registers that it writes beside dest, a bit for each: lists of registers */
    int64_t constant;    /* of value; of a direct branch: its target */
};

/* What is computed, for those who follow values (registers.c): dest[0] from the sources in their order. ISS_VALUE_NONE:
 * not said, the result is unknown from then on. The width tells 32-bit from 64-bit forms. Flags, where they are the
 * last of dest, are those of the addition, subtraction or logic. */
enum iss_value {
    ISS_VALUE_NONE,
    ISS_VALUE_CONSTANT, /* constant */
    ISS_VALUE_ADD,      /* source + source (shifted left), or + constant */
    ISS_VALUE_SUB,
    ISS_VALUE_AND,
    ISS_VALUE_OR,
    ISS_VALUE_XOR,
    ISS_VALUE_SHL, /* by constant */
    ISS_VALUE_SHR,
    ISS_VALUE_SAR,
    ISS_VALUE_SIGN, /* sign extension from `shift` bits */
    ISS_VALUE_ZERO, /* zero extension from `shift` bits */
    ISS_VALUE_MUL,
    ISS_VALUE_MADD, /* third + first * second */
    ISS_VALUE_MSUB, /* third - first * second */
    ISS_VALUE_SDIV,
    ISS_VALUE_UDIV,
    ISS_VALUE_SREM,
    ISS_VALUE_UREM,
    ISS_VALUE_LOAD, /* `bytes` read from memory, zero-extended */
    ISS_VALUE_LOAD_SIGNED,
    ISS_VALUE_INSERT, /* 16 bits of the first source replaced by constant, at `shift` */
    ISS_VALUE_SELECT  /* the first source if condition, else the second; + 1, inverted, negated by shift 1, 2, 3 */
};

/* When a conditional branch is taken. Only asked where its target is the next instruction, so that the trace does not
 * tell. ISS_IF_UNKNOWN: not said. */
enum iss_condition {
    ISS_IF_UNKNOWN,
    ISS_IF_ZERO, /* the first source, of `width` bits */
    ISS_IF_NOT_ZERO,
    ISS_IF_BIT_CLEAR, /* bit `shift` of the first source */
    ISS_IF_BIT_SET,
    ISS_IF_EQUAL, /* the first source to the second */
    ISS_IF_NOT_EQUAL,
    ISS_IF_LESS, /* signed */
    ISS_IF_NOT_LESS,
    ISS_IF_BELOW, /* unsigned */
    ISS_IF_NOT_BELOW,
    ISS_IF_FLAGS = 16 /* + an A64 condition code, 0-15 */
};

/* A decoder. Instructions of a run are decoded one after the other: on some architectures one says something of the
 * next. */
struct iss_decoder {
    const char *architecture; /* as qemu names it: "aarch64", "arm", "riscv64", "x86_64" */
    void *(*open)(void);      /* NULL: the decoder's library refused */
    void (*close)(void *state);
    /* The instruction of `size` bytes at `code`, which stands at `address` in the program. False: not known; *op is
     * then of class ISS_UNKNOWN without registers. */
    bool (*decode)(void *state, const uint8_t *code, size_t size, uint64_t address, struct iss_op *op);
    /* Bytes of the instruction whose first two bytes these are. NULL: only decoding tells, as op->size; `size` is then
     * how many there are. */
    size_t (*size)(const uint8_t *code);
    /* Nothing but instructions stands in a function, and all that may end it are branches: a whole function can be
     * judged that nobody runs. Of others the pieces are given that are code (code_schedule.h). */
    bool plain;
};
extern const struct iss_decoder iss_decode_aarch64, iss_decode_riscv64, iss_decode_thumb, iss_decode_x86_64;

/* NULL: there is none. */
const struct iss_decoder *iss_decoder_find(const char *architecture);

extern const char *const iss_class_names[ISS_CLASS_N], *const iss_need_names[ISS_NEED_N];

#endif
