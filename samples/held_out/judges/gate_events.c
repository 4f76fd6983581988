/*
 * gate_events - a multiplier of 4 x 4 bits out of 96 gates, 60 products: events of changed nets in a wheel of delays,
 * each gate's output computed anew when an input changes, until nothing changes.
 *
 * The truth: the products.
 *
 * Work: 60 products with at least 20 gates each, a gate's two inputs loaded, its table looked up and a fan-out walked:
 * 60 * 20 * 10 = 12000.
 */
#include "judge.h"

#define BITS     4
#define NETS     200
#define GATES    200
#define WHEEL    8
#define PRODUCTS 60

enum kind { AND, XOR, OR };
struct gate {
    uint8_t kind, delay;
    uint16_t in[2], out;
};
struct event {
    uint16_t net;
    uint8_t value;
};

static struct gate gates[GATES];
static uint16_t fan_first[NETS + 1], fan[2 * GATES];
static uint8_t nets[NETS], coming[NETS];
static struct event wheel[WHEEL][256];
static uint16_t wheel_count[WHEEL];
static unsigned n_gates, n_nets, now, lost;
static uint16_t a_nets[BITS], b_nets[BITS], p_nets[2 * BITS];
static uint8_t factors[PRODUCTS][2], products[PRODUCTS];
static uint32_t evaluated;

static void schedule(unsigned net, unsigned value, unsigned delay)
{
    unsigned slot = (now + delay) % WHEEL;

    if (wheel_count[slot] == 256)
        lost++;
    else
        wheel[slot][wheel_count[slot]++] = (struct event){(uint16_t)net, (uint8_t)value};
}
static void evaluate(const struct gate *g)
{
    static const uint8_t tables[] = {0x8, 0x6, 0xE};
    unsigned value = tables[g->kind] >> (nets[g->in[0]] | nets[g->in[1]] << 1) & 1;

    evaluated++;
    if (coming[g->out] != value) {
        coming[g->out] = (uint8_t)value;
        schedule(g->out, value, g->delay);
    }
}
static void settle(void)
{
    for (unsigned quiet = 0; quiet < WHEEL; now++) {
        unsigned slot = now % WHEEL, n = wheel_count[slot];

        quiet = n ? 0 : quiet + 1;
        for (unsigned i = 0; i < n; i++)
            nets[wheel[slot][i].net] = wheel[slot][i].value;
        wheel_count[slot] = 0;
        for (unsigned i = 0; i < n; i++) {
            unsigned net = wheel[slot][i].net;

            for (unsigned k = fan_first[net]; k < fan_first[net + 1]; k++)
                evaluate(&gates[fan[k]]);
        }
    }
}
static unsigned multiply(unsigned a, unsigned b)
{
    unsigned p = 0;

    for (int i = 0; i < BITS; i++) {
        if (nets[a_nets[i]] != (a >> i & 1))
            schedule(a_nets[i], a >> i & 1, 0);
        if (nets[b_nets[i]] != (b >> i & 1))
            schedule(b_nets[i], b >> i & 1, 0);
    }
    settle();
    for (int i = 0; i < 2 * BITS; i++)
        p |= (unsigned)nets[p_nets[i]] << i;
    return p;
}

static unsigned gate(enum kind kind, unsigned x, unsigned y)
{
    unsigned delay = 1 + (kind == XOR) + n_gates % 2;

    gates[n_gates++] = (struct gate){(uint8_t)kind, (uint8_t)delay, {(uint16_t)x, (uint16_t)y}, (uint16_t)n_nets};
    return n_nets++;
}
static unsigned adder(unsigned x, unsigned y, unsigned c, unsigned *carry)
{
    unsigned half = gate(XOR, x, y);

    *carry = gate(OR, gate(AND, x, y), gate(AND, half, c));
    return gate(XOR, half, c);
}
static void build(void)
{
    unsigned row[2 * BITS], zero = 0;

    n_gates = 0;
    n_nets = 1; /* net 0 is always 0 */
    for (int i = 0; i < BITS; i++) {
        a_nets[i] = (uint16_t)n_nets++;
        b_nets[i] = (uint16_t)n_nets++;
    }
    for (int i = 0; i < 2 * BITS; i++)
        row[i] = zero;
    for (int k = 0; k < BITS; k++) {
        unsigned carry = zero;

        for (int i = 0; i < BITS; i++)
            row[i + k] = adder(row[i + k], gate(AND, a_nets[i], b_nets[k]), carry, &carry);
        row[BITS + k] = carry;
    }
    for (int i = 0; i < 2 * BITS; i++)
        p_nets[i] = (uint16_t)row[i];
    for (unsigned n = 0, at = 0; n <= n_nets; n++) {
        fan_first[n] = (uint16_t)at;
        for (unsigned g = 0; n < n_nets && g < n_gates; g++)
            for (int i = 0; i < 2; i++)
                if (gates[g].in[i] == n && (i == 0 || gates[g].in[0] != n))
                    fan[at++] = (uint16_t)g;
    }
}

int main(void)
{
    uint64_t seed = 57;

    build();
    for (int i = 0; i < PRODUCTS; i++) {
        factors[i][0] = (uint8_t)draw_below(&seed, 16);
        factors[i][1] = (uint8_t)draw_below(&seed, 16);
    }
    memset(nets, 0, sizeof nets);
    memset(coming, 0, sizeof coming);
    memset(wheel_count, 0, sizeof wheel_count);
    now = lost = evaluated = 0;
    SHIM_KEEP(gates);
    SHIM_KEEP(fan);
    SHIM_KEEP(fan_first);
    SHIM_KEEP(factors);
    shim_region_begin("gate_events");
    for (int i = 0; i < PRODUCTS; i++)
        products[i] = (uint8_t)multiply(factors[i][0], factors[i][1]);
    SHIM_KEEP(products);
    SHIM_KEEP(&evaluated);
    shim_region_end("gate_events");
    for (int i = 0; i < PRODUCTS; i++)
        if (sample_verdict_int("product", products[i], factors[i][0] * factors[i][1]))
            return 1;
    return sample_verdict_int("lost events", lost, 0);
}
