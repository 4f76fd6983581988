/* kernels.c - what kernels of a class are on every target; each target's table; their text for the assembler. */
#include "shimgen/core/kernels.h"

#include <string.h>

#include "base/alloc.h"
#include "sim/core/core_model.h"

const struct core_kind core_kinds[ISS_CLASS_N] = {
    [ISS_ALU] = {.unit = "alu", .need = "operand"},
    [ISS_NOP] = {.unit = "none"},
    [ISS_MOVE_IMM] = {.unit = "alu"},
    [ISS_MOVE] = {.unit = "alu", .need = "operand"},
    [ISS_ALU_SHIFTED] = {.unit = "alu", .need = "shifted", .second_need = "operand"},
    [ISS_ALU_CARRY] = {.unit = "alu", .need = "flags"},
    [ISS_SHIFT] = {.unit = "alu", .need = "shifted"},
    [ISS_SHIFT_REG] = {.unit = "alu", .need = "operand"},
    [ISS_BITS] = {.unit = "alu", .need = "operand"},
    [ISS_CRC] = {.unit = "alu", .need = "shifted"},
    [ISS_SELECT] = {.unit = "alu", .need = "operand"},
    [ISS_COMPARE] = {.unit = "alu", .need = "operand", .back = ISS_SELECT},
    [ISS_COMPARE_SHIFTED] = {.unit = "alu", .need = "shifted", .back = ISS_SELECT},
    [ISS_COMPARE_IF] = {.unit = "alu", .need = "flags"},
    [ISS_MUL_WIDE] = {.unit = "multiply", .need = "multiply"},
    [ISS_MUL32] = {.unit = "multiply", .need = "multiply"},
    [ISS_MADD32] = {.unit = "multiply", .need = "multiply", .second_need = "accumulate"},
    [ISS_MSUB32] = {.unit = "multiply", .need = "multiply", .second_need = "accumulate"},
    [ISS_MUL64] = {.unit = "multiply", .need = "multiply"},
    [ISS_MADD64] = {.unit = "multiply", .need = "multiply", .second_need = "accumulate"},
    [ISS_MSUB64] = {.unit = "multiply", .need = "multiply", .second_need = "accumulate"},
    [ISS_MNEG64] = {.unit = "multiply", .need = "multiply"},
    [ISS_MUL_HIGH] = {.unit = "multiply", .need = "multiply"},
    [ISS_SDIV32] = {.unit = "divide", .need = "multiply"},
    [ISS_UDIV32] = {.unit = "divide", .need = "multiply"},
    [ISS_SDIV64] = {.unit = "divide", .need = "multiply"},
    [ISS_UDIV64] = {.unit = "divide", .need = "multiply"},
    [ISS_LOAD] = {.unit = "memory", .need = "address"},
    [ISS_LOAD_WORD] = {.unit = "memory", .need = "address"},
    [ISS_LOAD_SMALL] = {.unit = "memory", .need = "address"},
    [ISS_LOAD_SMALL_REG] = {.unit = "memory", .need = "address"},
    [ISS_LOAD_PAIR] = {.unit = "memory", .need = "address", .second_need = "result"},
    [ISS_LOAD_PAIR_WORD] = {.unit = "memory", .need = "address", .second_need = "result"},
    [ISS_LOAD_EXCLUSIVE] = {.unit = "memory", .need = "address"},
    [ISS_STORE] = {.unit = "memory"},
    [ISS_STORE_PAIR] = {.unit = "memory"},
    [ISS_STORE_EXCLUSIVE] = {.unit = "memory"},
    [ISS_PREFETCH] = {.unit = "memory"},
    [ISS_FP_ADD] = {.unit = "fp", .need = "fp"},
    [ISS_FP_MUL] = {.unit = "fp", .need = "fp"},
    [ISS_FP_FMA] = {.unit = "fp", .need = "fp", .second_need = "fp_accumulate"},
    [ISS_FP_DIV32] = {.unit = "fp_divide", .need = "fp"},
    [ISS_FP_DIV64] = {.unit = "fp_divide", .need = "fp"},
    [ISS_FP_SQRT32] = {.unit = "fp_divide", .need = "fp"},
    [ISS_FP_SQRT64] = {.unit = "fp_divide", .need = "fp"},
    [ISS_FP_MOVE] = {.unit = "fp", .need = "fp"},
    [ISS_FP_SELECT] = {.unit = "fp", .need = "fp"},
    [ISS_FP_COMPARE] = {.unit = "fp", .need = "fp", .back = ISS_FP_SELECT},
    [ISS_FP_CONVERT] = {.unit = "fp", .need = "fp"},
    [ISS_FP_TO_INT] = {.unit = "fp", .need = "fp", .back = ISS_FP_FROM_INT},
    [ISS_FP_FROM_INT] = {.unit = "fp", .need = "operand", .back = ISS_FP_TO_INT},
    [ISS_FP_CONVERT_TO_INT] = {.unit = "fp", .need = "fp", .back = ISS_FP_CONVERT_FROM_INT},
    [ISS_FP_CONVERT_FROM_INT] = {.unit = "fp", .need = "operand", .back = ISS_FP_CONVERT_TO_INT},
    [ISS_FP_LANE_TO_INT] = {.unit = "fp", .need = "fp", .back = ISS_FP_LANE_FROM_INT},
    [ISS_FP_LANE_FROM_INT] = {.unit = "fp", .need = "operand", .back = ISS_FP_LANE_TO_INT},
    [ISS_FP_LOAD] = {.unit = "memory", .need = "address", .back = ISS_FP_TO_INT},
    [ISS_FP_LOAD_128] = {.unit = "memory", .need = "address", .back = ISS_FP_TO_INT},
    [ISS_FP_LOAD_PAIR] = {.unit = "memory", .need = "address", .back = ISS_FP_TO_INT, .second_need = "result"},
    [ISS_FP_LOAD_PAIR_128] = {.unit = "memory", .need = "address", .back = ISS_FP_TO_INT, .second_need = "result"},
    [ISS_FP_LOAD_MANY] = {.unit = "memory", .need = "address", .back = ISS_FP_TO_INT},
    [ISS_FP_STORE] = {.unit = "memory"},
    [ISS_FP_STORE_128] = {.unit = "memory"},
    [ISS_FP_STORE_PAIR] = {.unit = "memory"},
    [ISS_FP_STORE_PAIR_128] = {.unit = "memory"},
    [ISS_FP_STORE_MANY] = {.unit = "memory"},
    [ISS_SIMD_LOGIC_64] = {.unit = "fp", .need = "fp"},
    [ISS_SIMD_LOGIC_128] = {.unit = "fp", .need = "fp"},
    [ISS_SIMD_64] = {.unit = "fp", .need = "fp"},
    [ISS_SIMD_128] = {.unit = "fp", .need = "fp"},
    [ISS_SIMD_MUL_64] = {.unit = "fp", .need = "fp"},
    [ISS_SIMD_MUL_128] = {.unit = "fp", .need = "fp"},
    [ISS_SIMD_FP_64] = {.unit = "fp", .need = "fp"},
    [ISS_SIMD_FP_128] = {.unit = "fp", .need = "fp"},
    [ISS_SIMD_FMA_64] = {.unit = "fp", .need = "fp"},
    [ISS_SIMD_FMA_128] = {.unit = "fp", .need = "fp"},
    [ISS_SIMD_SHUFFLE] = {.unit = "fp", .need = "fp"},
    [ISS_CRYPTO] = {.unit = "fp", .need = "fp"},
    [ISS_SIMD_DIV] = {.unit = "fp", .need = "fp"},
    [ISS_BRANCH] = {.unit = "branch"},
    [ISS_BRANCH_IF] = {.unit = "branch"},
    [ISS_BRANCH_ZERO] = {.unit = "branch"},
    [ISS_ATOMIC] = {.unit = "memory", .need = "address"},
    [ISS_SYSTEM] = {.unit = "none"},
};

static const struct core_kernels *const all[] = {&core_kernels_aarch64, &core_kernels_riscv64, &core_kernels_x86_64};

const struct core_kernels *core_kernels_of(const char *architecture)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->architecture, architecture) == 0)
            return all[i];
    return NULL;
}

char *core_kernels_list(void)
{
    struct str list = STR_INIT;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        str_addf(&list, "%s%s", i ? ", " : "", all[i]->architecture);
    return str_detach(&list);
}

bool core_kernel_holds(const struct core_kernel *k)
{
    return strcmp(k->kind->unit, "none") == 0 && k->class != ISS_ZERO && strstr(k->text, "$d");
}

const struct core_kernel *core_kernels_find(const struct core_kernels *k, unsigned class)
{
    for (size_t i = 0; i < k->n; i++)
        if (k->at[i].class == class)
            return &k->at[i];
    return NULL;
}

unsigned core_unit_of(const char *name)
{
    for (unsigned i = 0; i < ISS_UNIT_N; i++)
        if (strcmp(iss_unit_names[i], name) == 0)
            return i;
    return ISS_UNIT_NONE;
}

char *core_class_name(unsigned class)
{
    return xasprintf("%s%s", iss_class_names[class & (CORE_32 - 1)], class & CORE_32 ? ".32" : "");
}

enum { LOW = 8 }; /* x86-64: registers that have names instead of numbers */

static bool is_hole(const char *p)
{
    return p[0] == '$' && p[1] && strchr("des", p[1]);
}

static unsigned number_of(char which, unsigned d, unsigned e, unsigned s)
{
    return which == 'd' ? d : which == 'e' ? e : s;
}

void core_kernel_line(struct str *to, const struct core_kernels *k, const char *text, unsigned d, unsigned s)
{
    unsigned e = k->first + (d - k->first + k->turns / 2) % k->turns;
    for (const char *p = text; *p; p++)
        if (is_hole(p)) {
            str_addf(to, "%u", number_of(*++p, d, e, s));
        } else if (k->low && p[0] == 'r' && is_hole(p + 1) && number_of(p[2], d, e, s) < LOW) {
            const char *name = k->low[number_of(p[2], d, e, s)];
            str_addf(to, "%c%s", p[3] == 'd' ? 'e' : 'r', name);
            p += p[3] == 'd' ? 3 : 2;
        } else {
            str_addch(to, *p);
        }
    str_addch(to, '\n');
}

void core_kernel_stream(struct str *to, const struct core_kernels *k, const char *text)
{
    for (unsigned i = 0; i < k->turns; i++)
        core_kernel_line(to, k, text, k->first + i, k->operand);
}
