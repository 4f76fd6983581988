/* operations.c - the operations of LLVM's instructions, and sums of operations. */
#include "shimgen/offload/operations.h"

#include <string.h>

const char *operations_width_name(enum operations_width w)
{
    static const char *const names[] = {"fp16", "fp32", "fp64", "long_double"};
    return names[w];
}

static enum operations_width width_of(unsigned bits)
{
    return bits <= 16 ? OPERATIONS_16 : bits <= 32 ? OPERATIONS_32 : bits <= 64 ? OPERATIONS_64 : OPERATIONS_LONG;
}

static size_t lanes_column(unsigned lanes)
{
    size_t column = 0;
    for (; lanes > 1 && column + 1 < OPERATIONS_LANES; lanes = (lanes + 1) / 2)
        column++;
    return column;
}

double operations_flops(const struct operations *o)
{
    double sum = 0;
    for (size_t w = 0; w < OPERATIONS_WIDTHS; w++)
        for (size_t l = 0; l < OPERATIONS_LANES; l++)
            sum += (w >= OPERATIONS_64 ? 2 : 1) * o->fp[w][l];
    return sum;
}

void operations_add(struct operations *sum, const struct operations *o, double times)
{
    for (size_t w = 0; w < OPERATIONS_WIDTHS; w++)
        for (size_t l = 0; l < OPERATIONS_LANES; l++)
            sum->fp[w][l] += times * o->fp[w][l];
    sum->integers += times * o->integers;
}

void operations_count(struct operations *sum, const struct arithmetic *a, double times)
{
    if (a->bits)
        sum->fp[width_of(a->bits)][lanes_column(a->lanes)] += times * a->lanes * a->each;
    sum->integers += times * a->integer;
}

/* ---- LLVM IR ---- */

static bool calculates_floats(enum ir_class c)
{
    return c == IR_CLASS_FSUM || c == IR_CLASS_FPRODUCT || c == IR_CLASS_FDIVISION;
}

static bool calculates_integers(enum ir_class c)
{
    return c == IR_CLASS_SUM || c == IR_CLASS_LOGIC || c == IR_CLASS_SHIFT || c == IR_CLASS_COMPARE ||
           c == IR_CLASS_PRODUCT || c == IR_CLASS_DIVISION;
}

static bool intrinsic_on_integers(const struct ir_key *k)
{
    const enum ir_opcode *does = ir_key_does(k);
    if (k->type.kind != IR_TYPE_INTEGER || !does)
        return false;
    for (; *does != IR_NONE; does++)
        if (calculates_integers(ir_instruction(*does)->class))
            return true;
    return false;
}

struct arithmetic arithmetic_of_key(const struct ir_key *k)
{
    bool intrinsic = k->form == IR_INTRINSIC;
    unsigned lanes = k->type.lanes ? k->type.lanes : 1;
    struct arithmetic a = {.lanes = lanes};
    if (k->opcode == IR_NONE)
        return a;
    bool library = k->opcode == IR_FREM; /* a call of fmod in machine code */
    unsigned each = library ? 0 : intrinsic ? ir_intrinsic_floats(k->name, k->n_name) : calculates_floats(k->class);
    bool integer = intrinsic ? intrinsic_on_integers(k) : calculates_integers(k->class);
    if (each) {
        a.bits = k->type.bits ? k->type.bits : 32;
        a.each = each;
    }
    a.integer = integer ? lanes : 0;
    return a;
}
