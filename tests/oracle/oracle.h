/*
 * oracle.h - an interpreter of LLVM IR that counts every instruction it executes.
 *
 * It is the judge of irprof: written from the text of the contract (docs/design.md, "Keys" and "Regions"), sharing
 * nothing with irprof/. Slow and plain where irprof is clever: each instruction adds one to the counter of its key
 * when it is executed, and a region is the difference of two readings of all counters.
 *
 * A function is decoded once into an array of `struct op`. A call has a FRAME: bytes, in which every value of the
 * function has its place, and its constants too. Operands are offsets into the frame.
 *
 * In a frame a value is its LEAVES, one after the other: the elements of a vector, the members of an aggregate
 * (flattened), or the scalar itself. A leaf takes one SLOT of 8 bytes, or as many as its bits need. Integers
 * are zero-extended to their slot; half, bfloat and fp128 are not supported.
 *
 * What it does not know it refuses with exit status 3: it never counts wrongly.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "base/alloc.h"
#include "irprof/module/llvm_versions.h"

#define SLOT             8
#define STATUS_REFUSED   3
#define NOT_COUNTED      0 /* the counter of what the contract does not count */
#define MAX_NATIVE_ARGS  32
#define MAX_INTEGER_BITS 512

/* "irinterp: ...", exit 3. */
_Noreturn void refuse(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same, with the text of the IR it is about. */
_Noreturn void refuse_value(LLVMValueRef v, const char *what);

/* ---- values in frames and in memory (layout.c) ---- */

enum leaf_kind { LEAF_INT, LEAF_POINTER, LEAF_FLOAT, LEAF_DOUBLE, LEAF_LONG_DOUBLE };
struct leaf {
    enum leaf_kind kind;
    unsigned bits;
    unsigned slots;
    uint64_t offset; /* in memory, bytes from the start of the value */
};
struct shape {
    VEC(struct leaf) leaves;
    unsigned size; /* in a frame, bytes */
};
extern LLVMTargetDataRef layout; /* of the module */

struct leaf scalar_leaf(LLVMTypeRef t);
struct shape shape_of(LLVMTypeRef t); /* vec_release its leaves */
unsigned frame_size(LLVMTypeRef t);
bool is_vector(LLVMTypeRef t);
unsigned lanes_of(LLVMTypeRef t);      /* 1 for a scalar */
LLVMTypeRef element_of(LLVMTypeRef t); /* itself for a scalar */
uint64_t mask_of(unsigned bits);
void leaf_load(void *slot, const struct leaf *l, const char *memory);
void leaf_store(const void *slot, const struct leaf *l, char *memory);

/* ---- constants and globals (constant.c) ---- */

void globals_place(LLVMModuleRef m); /* gives every global its address */
void globals_fill(LLVMModuleRef m);  /* writes the initialisers */
/* The value of a constant, in frame layout; `slots` holds frame_size of its type. */
void constant_value(LLVMValueRef c, void *slots);

/* ---- counting (count.c) ---- */

extern uint64_t *counters;
unsigned counter_of(const char *key); /* numbered from 1; all before the program starts */
void counters_ready(void);
void region_begin(const char *name);
void region_end(const char *name);
/* Writes "region,key,count", sorted; `total`: also the whole run as region "(program)". */
void counts_write(const char *path, bool total);
void program_ends(void); /* writes them; for exits that run no exit handlers */

/* ---- keys (key.c) ---- */

/* The key of an instruction, freed by the caller; NULL: not counted. `before` is the result of the counted instruction
 * before it in its block, or NULL. */
char *key_of(LLVMValueRef instruction, LLVMValueRef before);
bool is_region_call(LLVMValueRef instruction, bool *begins);

/* ---- operations ---- */

enum op_code {
    /* scalars: dst = f(a, b, c); on vectors once for each lane. The order of groups does not matter. */
    OP_MOVE, /* 8 bytes */
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_UDIV,
    OP_SDIV,
    OP_UREM,
    OP_SREM,
    OP_SHL,
    OP_LSHR,
    OP_ASHR,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_EQ,
    OP_NE,
    OP_UGT,
    OP_UGE,
    OP_ULT,
    OP_ULE,
    OP_SGT,
    OP_SGE,
    OP_SLT,
    OP_SLE,
    OP_WIDE,    /* integers of more than 64 bits: u.how is the LLVM opcode */
    OP_WIDECMP, /* u.how is the predicate */
    OP_TRUNC,
    OP_SEXT,
    OP_WIDECAST, /* integer to integer where one is wide */
    OP_SELECT,
    OP_FADD32,
    OP_FSUB32,
    OP_FMUL32,
    OP_FDIV32,
    OP_FADD64,
    OP_FSUB64,
    OP_FMUL64,
    OP_FDIV64,
    OP_FREM32,
    OP_FREM64,
    OP_FNEG32,
    OP_FNEG64,
    OP_FCMP32, /* u.how is the predicate */
    OP_FCMP64,
    OP_LONG_DOUBLE, /* u.how is the LLVM opcode */
    OP_FCMP80,
    OP_FPCAST, /* between integers and floating point and among the latter: u.cast */
    OP_FMA32,
    OP_FMA64,
    OP_FMULADD32,
    OP_FMULADD64,
    OP_FMULADD80,
    OP_MATH32, /* u.math32, one argument */
    OP_MATH64,
    OP_MATH32_2, /* two arguments */
    OP_MATH64_2,
    OP_SMAX,
    OP_SMIN,
    OP_UMAX,
    OP_UMIN,
    OP_ABS,
    OP_CTPOP,
    OP_CTLZ,
    OP_CTTZ,
    OP_BSWAP,
    OP_BITREVERSE,
    OP_FSHL,
    OP_FSHR,
    OP_SADD_SAT,
    OP_UADD_SAT,
    OP_SSUB_SAT,
    OP_USUB_SAT,
    OP_SCMP,
    OP_UCMP,
    OP_FPCLASS,  /* u.how: the classes asked for; c: bits of the operand */
    OP_OVERFLOW, /* dst: value and flag; u.how is the LLVM opcode, mask: signed or not, c: bits */
    OP_LOAD8,
    OP_LOAD16,
    OP_LOAD32,
    OP_LOAD64,
    OP_LOADX, /* u.leaf */
    OP_STORE8,
    OP_STORE16,
    OP_STORE32,
    OP_STORE64,
    OP_STOREX,
    OP_GEP0, /* a + mask */
    OP_GEP1, /* a + mask + signed b * u.scale; b is c bits wide */
    OP_SCALARS,
    /* whole values */
    OP_LANES,   /* code `sub` on each of `lanes` */
    OP_REDUCE,  /* dst = a[0] sub a[1] sub ... */
    OP_FREDUCE, /* dst = b sub a[0] sub ... */
    OP_COPY,    /* u.count bytes */
    OP_CHOOSE,  /* a ? b : c, u.count bytes */
    OP_SHUFFLE, /* dst[i] = the slot at frame offset u.list[i], UINT32_MAX: nothing */
    OP_EXTRACT, /* element at a variable index */
    OP_INSERT,  /* the vector a with element c replaced by b */
    OP_BITCAST, /* u.cast2 */
    OP_LOADS,   /* several leaves: u.shape */
    OP_STORES,  /* the value a to the address b */
    OP_GEPN,    /* u.gep */
    OP_ALLOCA,  /* bytes for each in mask; number in a; alignment in c */
    OP_STACKSAVE,
    OP_STACKRESTORE,
    OP_MEMMOVE, /* to a, from b, c bytes */
    OP_MEMSET,
    OP_VA_START,  /* u.count: bytes of the va_list */
    OP_ATOMICRMW, /* lanes: which operation */
    OP_CMPXCHG,
    OP_LOAD_RELATIVE,
    OP_NOTHING, /* counted, does nothing */
    OP_BR,      /* u.edge */
    OP_CONDBR,  /* a: u.edges[0] if true, else [1] */
    OP_SWITCH,
    OP_RET,
    OP_CALL,          /* u.call */
    OP_CALL_INDIRECT, /* the address in a */
    OP_SETJMP,        /* buffer in a */
    OP_LONGJMP,       /* value in b */
    OP_REGION_BEGIN,  /* name in a */
    OP_REGION_END,
    OP_TRAP,
    OP_REFUSE /* u.text: what is not supported; refused only when it is reached */
};

struct op;
/* Entering a block: the phis' copies, as if all at once. */
struct edge {
    uint32_t target; /* index of the op */
    uint32_t n;
    bool crossed; /* a copy reads what an earlier one has written */
    struct copy {
        uint32_t dst, src, size, key;
    } * copies;
};
struct cases {
    uint64_t low; /* a table of consecutive values, or pairs */
    uint32_t n;
    bool dense;
    uint64_t *values;
    struct edge **edges;
    struct edge *otherwise;
};
struct gep {
    uint32_t n;
    unsigned lanes;
    bool base_vector;
    struct gep_index {
        uint32_t offset, bits;
        bool vector;
        uint64_t scale;
    } * indices;
};
struct function;
struct call {
    struct function *callee; /* NULL: indirect */
    LLVMTypeRef type;        /* of the function called */
    uint32_t n;
    struct argument {
        uint32_t offset, size;
        LLVMTypeRef type;
        uint64_t copy; /* byval: bytes to copy, else 0 */
    } * args;
    uint32_t result_size;
    struct native_call *native; /* prepared at the first native call */
};
struct cast {
    uint16_t opcode; /* LLVM's */
    struct leaf from, to;
};
struct bitcast {
    struct shape from, to;
};
struct op {
    uint16_t code;
    uint16_t lanes;
    uint32_t key;
    uint32_t dst, a, b, c;
    uint64_t mask; /* of the result's bits, mostly */
    union {
        uint32_t how; /* a predicate or an opcode */
        uint64_t scale;
        uint64_t count;
        uint32_t *list;
        struct edge *edge;
        struct edge *edges[2];
        struct cases *cases;
        struct gep *gep;
        struct call *call;
        struct cast *cast;
        struct bitcast *bitcast;
        struct shape *shape;
        struct leaf *leaf;
        const char *text;
        float (*math32)(float);
        double (*math64)(double);
        float (*math32_2)(float, float);
        double (*math64_2)(double, double);
    } u;
    uint16_t sub; /* OP_LANES and the reductions: what is done on each */
};

/* ---- functions ---- */

struct frame {
    char *caller;          /* its frame */
    const struct op *next; /* where the caller goes on */
    struct function *function;
    char *stack;  /* where its allocas begin */
    char *list;   /* its variable arguments: what va_start gives, or NULL */
    uint32_t dst; /* of the result, in the caller's frame */
};
struct callback;
struct function {
    LLVMValueRef value;
    const char *name;
    void *address;             /* what a pointer to it is */
    struct callback *callback; /* after it, if native code can call it */
    bool defined;              /* has IR to interpret; else `address` is the native function */
    bool decoded;
    VEC(struct op) ops;
    uint32_t frame_size;
    uint32_t args_size; /* the arguments start right after struct frame */
    uint32_t constants; /* offset; they end at frame_size */
    VEC(char) constant_bytes;
};
struct function *function_of(LLVMValueRef f);      /* the object for a function of the module */
struct function *function_at(const void *address); /* NULL: not one that is interpreted */
void function_decode(struct function *f);

/* ---- native functions (native.c) ---- */

void *native_symbol(const char *name); /* NULL: not there */
void *native_closure(struct function *f);
void native_call(struct call *c, void *address, const char *frame, void *result);

/* Bytes of the va_list of the target that the function is for; 0: of one that is not known (decode_call.c). */
uint32_t va_list_of(LLVMValueRef function);

/* ---- running (exec.c) ---- */

/* Runs a function with its arguments in frame layout. */
void execute(struct function *f, const void *args, void *result);

#endif
