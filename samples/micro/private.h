/*
 * private.h - inside samples/micro: how a case is emitted.
 *
 * A shape knows how a family of cases looks: what it needs before the loop, what a copy is. body.c builds what is
 * around. A shape keeps what changes from copy to copy in `acc` (carried round the loop) and what stays in `fix`.
 */
#ifndef SAMPLES_MICRO_PRIVATE_H
#define SAMPLES_MICRO_PRIVATE_H

#include <llvm-c/Core.h>
#include <stdint.h>

#include "base/target.h"
#include "irprof/module/llvm_versions.h"
#include "samples/micro/micro.h"

enum type { VOID, I1, I8, I16, I32, I64, I128, F32, F64, PTR, V16I8, V8I16, V4I32, V2I64, V4F32, V2F64, N_TYPES };
enum { LINE = 64, CELLS = 4096, MAX_ACC = 16, MAX_FIX = 8 };

/* ERR_UNSUPPORTED: there are no microbenchmarks for it. */
enum status micro_target(const struct target **out, const char *triple, struct error *e) MUST_CHECK;

enum type type_word(const struct target *t); /* I32 or I64: what an address, a size and a counter are */
const char *type_name(enum type t);          /* as in keys */
bool type_is_real(enum type t);              /* of floating point, or a vector of such */
bool type_is_vector(enum type t);
unsigned type_bits(enum type t); /* of an element */
LLVMTypeRef type_llvm(LLVMContextRef context, enum type t);

/* A value in every type: integers take i, floating point takes f. */
struct number {
    int64_t i;
    double f;
};

enum level { L1, L2, MEMORY };
enum pattern { TAKEN, NOT_TAKEN, ALTERNATING, RANDOM };
enum {
    SECOND = 1,     /* what is carried on is the second operand */
    CONSTANT = 2,   /* the other operand stands in the IR */
    PLUS = 4,       /* `more` is added to the operand first */
    OVERFLOW_ = 8,  /* the result is a pair with a bit that says whether it overflowed */
    VARIADIC = 32,  /* the arguments from number `op` on are those of "..." */
    SCALED = 16,    /* an index of words, not of bytes */
    AGAIN = 256,    /* each copy compares by itself */
    EXTENDED = 128, /* and that bit becomes a number; else it is branched on */
    FAR = 512,      /* the branch is over two instructions: one alone can be made conditional with it */
    SAME = 64 /* each copy takes the first operand again: a function of a function soon has a value of its own kind */
};

/* What overloads an intrinsic besides the type, in `size`. */
enum { WITH_OPERAND = 1, WITH_EXPONENT };

struct module;
struct body;
struct shape {
    void (*enter)(struct body *x);                                 /* before the loop: acc, fix, n_acc, n_fix */
    void (*iteration)(struct body *x);                             /* at the beginning of an iteration; NULL nothing */
    void (*copy)(struct body *x, unsigned j);                      /* the j-th copy */
    void (*leave)(struct body *x);                                 /* at the end of an iteration; NULL nothing */
    void (*finish)(struct body *x);                                /* after the loop; NULL nothing */
    void (*prepare)(struct module *m, const struct micro_case *c); /* in main, before the case; NULL nothing */
    const char *code; /* the function with the copies is not the case's but "<code>/<k>"; "" none of which that is so */
};
struct micro_recipe {
    const struct shape *shape;
    unsigned op;          /* LLVMOpcode, or a predicate: the shape's business */
    enum type type, from; /* of the result; of what is carried on, where it is another */
    const char *name;     /* of an intrinsic or a function; static */
    const char *args;     /* what it is given, a letter each: the shape's business; static */
    struct number start, other, more;
    unsigned streams; /* values that are carried round the loop; 1: a chain */
    unsigned flags, size;
    LLVMAtomicOrdering ordering; /* of what is atomic */
    enum level level;
    enum pattern pattern;
    struct micro_recipe *second; /* of a pair; owned */
};

/* The module in the making. */
struct module {
    const struct micro_set *set;
    const struct target *target;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef main; /* at the end of main */
    LLVMValueRef begin, end;
    LLVMValueRef warm; /* the name of the region in which loops are run before they are measured: a simulator may see
                        * regions alone */
    LLVMValueRef measured; /* (name, f, trips): calls f in a region */
};
/* The function of one case and one k in the making. */
struct body {
    struct module *m;
    const struct micro_case *c;
    const struct micro_recipe *r; /* of the case, or the half of a pair */
    unsigned k;
    LLVMBuilderRef b;
    LLVMValueRef function, trips;
    LLVMValueRef acc[MAX_ACC], fix[MAX_FIX];
    unsigned n_acc, n_fix;           /* in use */
    unsigned first_acc, first_fix;   /* of the half of a pair that is worked on */
    unsigned second_acc, second_fix; /* of the other half */
    LLVMBasicBlockRef away;          /* leaves the function; never executed; NULL until needed */
    const struct shape *shape;
};

/* ---- body.c: what shapes build with ---- */
LLVMTypeRef body_type(const struct body *x, enum type t);
LLVMTypeRef body_word(const struct body *x);
LLVMValueRef body_size(const struct body *x, uint64_t n);                     /* a constant word */
LLVMValueRef body_number(const struct body *x, enum type t, struct number n); /* a constant; vectors: in every lane */
bool body_is_pair(const struct body *x,
                  LLVMTypeRef t); /* two registers hold it: an integer of two words; a soft double */
LLVMValueRef body_opaque(struct body *x, LLVMValueRef v); /* the same value; nobody knows that it is */
LLVMValueRef body_asm(struct body *x, const char *text, const char *constraints, LLVMTypeRef result, LLVMValueRef *args,
                      unsigned n);
void body_use(struct body *x, LLVMValueRef v); /* it must be there */
void body_memory(struct body *x);              /* memory may have changed */
LLVMValueRef body_call(struct body *x, const char *intrinsic, const LLVMTypeRef *overloads, unsigned n_overloads,
                       LLVMValueRef *args, unsigned n_args);
LLVMValueRef body_load(struct body *x, LLVMTypeRef t, LLVMValueRef p);   /* volatile */
void body_store(struct body *x, LLVMValueRef v, LLVMValueRef p);         /* volatile */
LLVMValueRef body_at(struct body *x, LLVMValueRef base, uint64_t bytes); /* base + bytes */
LLVMBasicBlockRef body_block(struct body *x, const char *name);
LLVMBasicBlockRef body_away(struct body *x);
void body_nop(struct body *x);
LLVMValueRef *body_acc(struct body *x, unsigned j); /* that the j-th copy works on */
void body_add_acc(struct body *x, LLVMValueRef v);
void body_add_fix(struct body *x, LLVMValueRef v);
LLVMValueRef body_fix(const struct body *x, unsigned i);

LLVMValueRef module_intrinsic(const struct module *m, const char *name, const LLVMTypeRef *overloads, unsigned n,
                              LLVMTypeRef *type);
LLVMTypeRef module_word(const struct module *m);
/* A zeroed array of bytes, aligned to 4096, made when first asked for. */
LLVMValueRef module_bytes(struct module *m, const char *name, uint64_t bytes);
LLVMValueRef module_random(struct module *m); /* RANDOM_WORDS words of 64 random bits */
enum { RANDOM_WORDS = 1024 };
/* A function by name, declared when first asked for. */
LLVMValueRef module_function(struct module *m, const char *name, LLVMTypeRef type);

/* ---- the shapes ---- */
extern const struct shape shape_binary, shape_compare, shape_select, shape_unary, shape_convert, shape_there_and_back,
    shape_intrinsic, shape_pair, shape_gep, shape_freeze, shape_bit, shape_reduce, shape_element, shape_shuffle,
    shape_value, shape_phi;
extern const struct shape shape_load_chain, shape_load_stream, shape_store, shape_forward, shape_alloca,
    shape_alloca_static, shape_block, shape_atomic, shape_gep_load;
extern const struct shape shape_branch, shape_jump, shape_fallthrough, shape_switch, shape_call, shape_recursion,
    shape_compare_branch;
extern const struct shape shape_library;
extern const struct shape shape_use, shape_accumulate, shape_high;

/* ---- cases*.c ---- */
struct list {
    struct micro_set *set;
    size_t cap;
    const struct target *target;
    size_t l2, memory;
};
/* A case in the making: texts are copied; zeroes mean: `with` nothing, MICRO_LATENCY, MICRO_ALONE, copies 0 16 32 64 (some 0 8 16 32),
 * 128 trips. */
struct draft {
    const char *key, *condition, *with;
    enum micro_quantity quantity;
    enum micro_share share;
    bool typical, apart;
    unsigned step; /* copies are 0, step, 2 step, 4 step */
    unsigned trips;
    struct micro_recipe recipe;
};
void add_case(struct list *l, const struct draft *d);
/* The key is the text and the type's name. */
void add_typed(struct list *l, struct draft d, const char *opcode, enum type t);
bool has_vectors(const struct list *l);
enum { STREAMS = 8 };
unsigned streams_of(const struct list *l, enum type t); /* that fit into the registers */
enum type word_of(const struct list *l);

void cases_arithmetic(struct list *l);
void cases_comparison(struct list *l);
void cases_conversion(struct list *l);
void cases_intrinsics(struct list *l);
void cases_memory(struct list *l);
void cases_control(struct list *l);
void cases_library(struct list *l);
void cases_vectors(struct list *l);
void cases_pairs(struct list *l);

#endif
