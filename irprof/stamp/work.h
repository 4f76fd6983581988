/* work.h - what the steps of stamping share. Internal to irprof/stamp. */
#ifndef IRPROF_STAMP_WORK_H
#define IRPROF_STAMP_WORK_H

#include <llvm-c/Core.h>

#include "base/str.h"
#include "irprof/module/llvm.h"
#include "irprof/stamp/stamping.h"

enum point_kind { POINT_BEGIN, POINT_END, POINT_MARK, POINT_RESULT };
struct point {
    enum point_kind kind;
    char *name;     /* owned; a begin and its end have the same name */
    char *function; /* owned; the function that it is in */
    char *file;     /* owned; NULL: not known */
    unsigned line;
    size_t spec; /* number of the specification that asked for it */
};
/* One stamp of a point. */
struct site {
    LLVMValueRef at; /* the stamp stands before this instruction */
    unsigned point;
    int rank; /* stamps before the same instruction stand in the order of their ranks */
};
struct stamped_function {
    LLVMValueRef function;
    bool kernel;
    VEC(struct site) sites;
};
enum stamp_target { ON_CPU, ON_NVPTX, ON_AMDGPU, ON_SPIR };

struct work {
    const char *path; /* of the module, for messages */
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    const struct stamp_options *options;
    struct stamp_specs *specs;
    enum stamp_target target;
    enum stamp_clock clock;
    LLVMTypeRef byte, half, word, pointer, nothing; /* i8, i32, i64, ptr, void */
    VEC(struct point) points;
    VEC(struct stamped_function) functions;
    struct str notes;
    size_t n_results; /* replaced stores */
    /* Of the CPU's code. */
    LLVMValueRef data; /* the module's struct stamp_module */
};

/* Adds a point and returns its number. `at` is an instruction there, for file and line. The name is copied. */
unsigned point_add(struct work *w, size_t spec, enum point_kind kind, const char *name, LLVMValueRef at);
/* Requests a stamp of the point before `at`. `depth` is that of a loop, 1 for the outermost; otherwise 0. Stamps before the same
 * instruction nest: a function begins before its loops and ends after them, an inner loop ends before an outer one. */
void site_add(struct work *w, LLVMValueRef at, unsigned point, size_t depth);
void sites_sort(struct stamped_function *f);
struct stamped_function *stamped_function_of(struct work *w, LLVMValueRef function);

/* places.c: finds the points and sites of all specifications. ERR_INPUT: nothing matches one of them. */
enum status places_find(struct work *w, struct error *e) MUST_CHECK;
/* loops.c: the same for a specification of a loop, in one function. *names gets the loops that there are ("FILE:LINE"). */
enum status places_of_loops(struct work *w, size_t spec, LLVMValueRef function, struct map *names,
                            struct error *e) MUST_CHECK;
bool place_matches(const struct stamp_spec *s, const char *file, unsigned line);
char *function_name(LLVMValueRef function); /* the caller frees */
/* The first instruction after phis, landing pads and allocas of a block. */
LLVMValueRef first_place(LLVMBasicBlockRef block);

/* marks.c: metadata. */
void mark_stamp(const struct work *w, LLVMValueRef instruction, unsigned point);
void mark_guard(const struct work *w, LLVMValueRef instruction, unsigned point);
bool is_marked(LLVMValueRef instruction);
bool has_stamps(LLVMModuleRef module);
void list_points(const struct work *w);
/* Removes the attributes that no longer hold from functions with stamps and from their callers: that they access no memory ... */
void drop_claims(struct work *w);

/* clock.c */
enum status target_find_clock(struct work *w, struct error *e) MUST_CHECK;
bool function_is_kernel(const struct work *w, LLVMValueRef function);
/* Reads the clock before the builder's place: i64. Each instruction is marked. */
LLVMValueRef clock_read(struct work *w, unsigned point);
/* The processor's number, i32: kernels. */
LLVMValueRef processor_read(struct work *w, unsigned point);
LLVMValueRef call_intrinsic(struct work *w, const char *name, LLVMValueRef *arguments, unsigned n, unsigned point);

/* results.c: a function's stores of results. */
struct result {
    LLVMValueRef store;
    unsigned point;
};
struct results {
    VEC(struct result) all;
};
/* Finds the stores to replace. If there are none, a note says so. ERR_INPUT: a store may not be replaced; the message has the
 * reasons. vec_release out->all. */
enum status results_find(struct work *w, struct results *out, LLVMValueRef function, struct error *e) MUST_CHECK;
/* Makes the store write select(never, result, stamp). `stamp` is an i64; a result of 32 bits gets its low half. */
void result_replace(struct work *w, const struct result *r, LLVMValueRef never, LLVMValueRef stamp);

/* cpu.c, kernel.c, sled.c: the code. */
enum status cpu_stamp(struct work *w, struct stamped_function *f, struct error *e) MUST_CHECK;
enum status kernel_stamp(struct work *w, struct stamped_function *f, struct error *e) MUST_CHECK;
/* Turns the variables of all stamped kernels into registers, and marks the instructions that this adds. Instructions of these
 * kernels may be gone afterwards. */
void kernel_registers(struct work *w);
enum status sled_stamp(struct work *w, struct error *e) MUST_CHECK;

/* module_data.c: the module's data, which cpu.c uses, and its constructor, once all points are known. */
void data_declare(struct work *w);
void data_define(struct work *w, LLVMValueRef sleds, unsigned n_sleds);
/* Where there are kernels: the points as metadata, for stamped_kernels.h. */
void data_list_text(const struct work *w);

#endif
