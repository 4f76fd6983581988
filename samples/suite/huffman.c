/*
 * huffman - a code of shortest length for 1500 symbols of an alphabet of 32: count, build, encode, decode.
 *
 * Huffman, "A Method for the Construction of Minimum-Redundancy Codes", 1952. The truth: the length of the coded text
 * is the sum of the weights of the inner nodes (Knuth, volume 1, 2.3.4.5), and the round trip.
 *
 * Work: the text takes at least one bit a symbol, and the decoder takes a branch, a load of a child and the reading of
 * the bit (a load, a shift, a mask) for every bit, one after the other; the encoder looks up a code and its length (2
 * loads): 1500 * (5 + 2) = 10500.
 */
#include "../sample.h"
#include "test_signal.h"

#define SYMBOLS 32
#define NODES   (2 * SYMBOLS - 1)
#define LENGTH  1500
#define BYTES   (LENGTH * SYMBOLS / 8)

struct node {
    int32_t weight;
    int16_t child[2]; /* -1: a leaf */
    int8_t used;
};

static uint8_t input[LENGTH], output[LENGTH];
static uint8_t coded[BYTES];
static struct node tree[NODES];
static uint32_t code[SYMBOLS];
static uint8_t code_length[SYMBOLS];
static int coded_bits;

static void count(void)
{
    for (int s = 0; s < SYMBOLS; s++)
        tree[s] = (struct node){1, {-1, -1}, 0};
    for (int n = 0; n < LENGTH; n++)
        tree[input[n]].weight++;
}

static int take_lightest(int nodes)
{
    int best = -1;

    for (int i = 0; i < nodes; i++)
        if (!tree[i].used && (best < 0 || tree[i].weight < tree[best].weight))
            best = i;
    tree[best].used = 1;
    return best;
}

static void build(void)
{
    for (int n = SYMBOLS; n < NODES; n++) {
        int a = take_lightest(n), b = take_lightest(n);

        tree[n] = (struct node){tree[a].weight + tree[b].weight, {(int16_t)a, (int16_t)b}, 0};
    }
}

/* The path from the root to every leaf below `node`, first step in the lowest bit. */
static void assign(int node, uint32_t path, int depth)
{
    if (tree[node].child[0] < 0) {
        code[node] = path;
        code_length[node] = (uint8_t)depth;
        return;
    }
    assign(tree[node].child[0], path, depth + 1);
    assign(tree[node].child[1], path | UINT32_C(1) << depth, depth + 1);
}

static int encode(void)
{
    int bits = 0;

    memset(coded, 0, sizeof coded);
    for (int n = 0; n < LENGTH; n++) {
        uint32_t path = code[input[n]];

        for (int k = code_length[input[n]]; k > 0; k--, path >>= 1, bits++)
            coded[bits >> 3] |= (uint8_t)((path & 1) << (bits & 7));
    }
    return bits;
}

static void decode(void)
{
    int bit = 0;

    for (int n = 0; n < LENGTH; n++) {
        int node = NODES - 1;

        while (tree[node].child[0] >= 0) {
            node = tree[node].child[coded[bit >> 3] >> (bit & 7) & 1];
            bit++;
        }
        output[n] = (uint8_t)node;
    }
}

/* Uneven: the symbol is where the highest of some random bits stands, with three more bits. */
static void prepare(void)
{
    uint32_t noise = 1013904223u;

    for (int n = 0; n < LENGTH; n++) {
        uint32_t draw = noise_next(&noise);
        int zeros = 0;

        while (zeros < 7 && (draw >> zeros & 1) == 0)
            zeros++;
        input[n] = (uint8_t)(zeros * 4 + (int)(draw >> 30));
    }
    SHIM_KEEP(input);
}

static int inner_weight(void)
{
    int sum = 0;

    for (int n = SYMBOLS; n < NODES; n++)
        sum += tree[n].weight;
    for (int s = 0; s < SYMBOLS; s++)
        sum -= code_length[s]; /* every weight started at 1 */
    return sum;
}

int main(void)
{
    prepare();
    shim_region_begin("huffman");
    count();
    build();
    assign(NODES - 1, 0, 0);
    coded_bits = encode();
    SHIM_KEEP(coded);
    decode();
    SHIM_KEEP(output);
    SHIM_KEEP(&coded_bits);
    shim_region_end("huffman");
    return sample_verdict_int("bits", coded_bits, inner_weight()) |
           sample_verdict_int("difference after the round trip", memcmp(output, input, LENGTH) != 0, 0);
}
