/*
 * cpu8 - an emulated processor of 8 bits (accumulator, two index registers, carry and zero, 256 bytes) multiplies 8-bit
 * numbers to 16 bits by shifting and adding, 120 times.
 *
 * The truth: the products.
 *
 * Work: each of 120 products takes 8 rounds of at least 6 instructions, each a load of the code, a switch and a write
 * to a register, and the load of an operand: 120 * 8 * 6 * 4 = 23040.
 */
#include "../sample.h"
#include "lcg.h"

#define PRODUCTS 120

enum code { LDA, STA, LDX, DEX, ADC, CLC, ROR, ROL, LSR, BCC, BNE, HALT };

/* Addresses of data. */
enum { FACTOR = 0xf0, OTHER = 0xf1, LOW = 0xf2, HIGH = 0xf3, ZERO = 0xf4, EIGHT = 0xf5 };

struct processor {
    uint8_t a, x, pc, carry, zero;
    uint32_t executed;
};

/* The product grows in the accumulator, and its lower half moves into LOW as OTHER's bits move out. */
static const uint8_t program[] = {
    /* 0 */ LDA,         OTHER,
    /* 2 */ STA,         LOW,
    /* 4 */ LDX,         EIGHT,
    /* 6 */ LDA,         ZERO,
    /* 8 */ LSR,         LOW, /* the lowest bit into the carry */
    /* 10: a bit */ BCC, 15,
    /* 12 */ CLC,
    /* 13 */ ADC,        FACTOR, /* leaves its carry */
    /* 15 */ ROR,        0,      /* of the accumulator, from the carry */
    /* 17 */ ROR,        LOW,    /* and on, with the next bit out */
    /* 19 */ DEX,
    /* 20 */ BNE,        10,
    /* 22 */ STA,        HIGH,
    /* 24 */ HALT,
};

static uint8_t memory[256];
static uint8_t factors[PRODUCTS][2];
static uint16_t products[PRODUCTS];
static struct processor processor;

static uint8_t *operand(struct processor *p, uint8_t *bytes)
{
    uint8_t address = bytes[p->pc++];

    return address == 0 ? &p->a : &bytes[address];
}

static void set_zero(struct processor *p, uint8_t value)
{
    p->zero = value == 0;
}

static void add_with_carry(struct processor *p, uint8_t value)
{
    unsigned sum = (unsigned)p->a + value + p->carry;

    p->a = (uint8_t)sum;
    p->carry = sum > 0xff;
    set_zero(p, p->a);
}

static void rotate_right(struct processor *p, uint8_t *value, uint8_t in)
{
    uint8_t out = *value & 1;

    *value = (uint8_t)(*value >> 1 | in << 7);
    p->carry = out;
    set_zero(p, *value);
}

static void rotate_left(struct processor *p, uint8_t *value)
{
    uint8_t out = *value >> 7;

    *value = (uint8_t)(*value << 1 | p->carry);
    p->carry = out;
    set_zero(p, *value);
}

static void branch(struct processor *p, const uint8_t *bytes, int taken)
{
    uint8_t target = bytes[p->pc++];

    if (taken)
        p->pc = target;
}

static void run(struct processor *p, uint8_t *bytes)
{
    for (p->pc = 0;; p->executed++) {
        switch (bytes[p->pc++]) {
        case LDA:
            p->a = *operand(p, bytes);
            set_zero(p, p->a);
            break;
        case STA:
            *operand(p, bytes) = p->a;
            break;
        case LDX:
            p->x = *operand(p, bytes);
            set_zero(p, p->x);
            break;
        case DEX:
            set_zero(p, --p->x);
            break;
        case ADC:
            add_with_carry(p, *operand(p, bytes));
            break;
        case CLC:
            p->carry = 0;
            break;
        case ROR:
            rotate_right(p, operand(p, bytes), p->carry);
            break;
        case ROL:
            rotate_left(p, operand(p, bytes));
            break;
        case LSR:
            rotate_right(p, operand(p, bytes), 0);
            break;
        case BCC:
            branch(p, bytes, !p->carry);
            break;
        case BNE:
            branch(p, bytes, !p->zero);
            break;
        default:
            return;
        }
    }
}

static void multiply_all(void)
{
    for (int i = 0; i < PRODUCTS; i++) {
        memory[FACTOR] = factors[i][0];
        memory[OTHER] = factors[i][1];
        run(&processor, memory);
        products[i] = (uint16_t)(memory[HIGH] << 8 | memory[LOW]);
    }
}

int main(void)
{
    uint32_t seed = 73;

    memset(memory, 0, sizeof memory);
    memcpy(memory, program, sizeof program);
    memory[EIGHT] = 8;
    memset(&processor, 0, sizeof processor);
    for (int i = 0; i < 2 * PRODUCTS; i++)
        factors[i / 2][i % 2] = (uint8_t)(i < 4 ? 255 : lcg_draw(&seed));
    SHIM_KEEP(memory);
    SHIM_KEEP(&processor);
    SHIM_KEEP(factors);
    shim_region_begin("cpu8");
    multiply_all();
    SHIM_KEEP(products);
    SHIM_KEEP(&processor);
    shim_region_end("cpu8");
    for (int i = 0; i < PRODUCTS; i++)
        if (sample_verdict_int("product", products[i], factors[i][0] * factors[i][1]))
            return 1;
    return sample_verdict_int("whether instructions were counted", processor.executed >= PRODUCTS * 8 * 5, 1);
}
