/*
 * aes128 - encryption and decryption of FIPS 197 with a 128-bit key, byte by byte, as on a small microcontroller.
 *
 * The tables of the S-box and its inverse are made outside the region from their definition in section 5.1.1. The
 * truth: the example of appendix C.1, and decryption gives the text back.
 *
 * Work: 10 rounds of 16 look-ups for either direction, in tables at places that the data decide, so that no vector
 * loads them: a load each, and a store or an exclusive or to use it. 32 blocks * 2 * 160 * 2 = 20480.
 */
#include "../sample.h"

#define ROUNDS 10
#define BLOCKS 32

static uint8_t sbox[256], inverse_sbox[256];
static uint8_t key[16];
static uint8_t round_key[16 * (ROUNDS + 1)];
static uint8_t text[BLOCKS][16], cipher[BLOCKS][16], plain[BLOCKS][16];

static uint8_t times_x(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

static void expand_key(void)
{
    uint8_t constant = 1;

    memcpy(round_key, key, 16);
    for (int i = 16; i < 16 * (ROUNDS + 1); i += 4) {
        uint8_t t[4] = {round_key[i - 4], round_key[i - 3], round_key[i - 2], round_key[i - 1]};

        if (i % 16 == 0) {
            uint8_t first = t[0];

            t[0] = sbox[t[1]] ^ constant;
            t[1] = sbox[t[2]];
            t[2] = sbox[t[3]];
            t[3] = sbox[first];
            constant = times_x(constant);
        }
        for (int k = 0; k < 4; k++)
            round_key[i + k] = round_key[i + k - 16] ^ t[k];
    }
}

static void add_round_key(uint8_t s[16], int round)
{
    for (int i = 0; i < 16; i++)
        s[i] ^= round_key[16 * round + i];
}

/* SubBytes and ShiftRows at once: row r of the state (every fourth byte) moves by r columns, by -r for the inverse. */
static void substitute_and_shift(uint8_t s[16], const uint8_t *box, int direction)
{
    uint8_t old[16];

    memcpy(old, s, 16);
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++)
            s[4 * column + row] = box[old[4 * ((column + direction * row + 4) % 4) + row]];
}

static void mix_column(uint8_t c[4])
{
    uint8_t all = c[0] ^ c[1] ^ c[2] ^ c[3], first = c[0];

    for (int i = 0; i < 4; i++) {
        uint8_t next = i < 3 ? c[i + 1] : first;

        c[i] ^= all ^ times_x(c[i] ^ next);
    }
}

/* The inverse is the mix after a step that adds 4 (a + c) to a and c, 4 (b + d) to b and d. */
static void unmix_column(uint8_t c[4])
{
    uint8_t even = times_x(times_x(c[0] ^ c[2])), odd = times_x(times_x(c[1] ^ c[3]));

    c[0] ^= even;
    c[1] ^= odd;
    c[2] ^= even;
    c[3] ^= odd;
    mix_column(c);
}

static void encrypt(uint8_t s[16])
{
    add_round_key(s, 0);
    for (int round = 1; round <= ROUNDS; round++) {
        substitute_and_shift(s, sbox, 1);
        for (int c = 0; c < 16 && round < ROUNDS; c += 4)
            mix_column(s + c);
        add_round_key(s, round);
    }
}

static void decrypt(uint8_t s[16])
{
    for (int round = ROUNDS; round >= 1; round--) {
        add_round_key(s, round);
        for (int c = 0; c < 16 && round < ROUNDS; c += 4)
            unmix_column(s + c);
        substitute_and_shift(s, inverse_sbox, -1);
    }
    add_round_key(s, 0);
}

static void compute(void)
{
    expand_key();
    for (int b = 0; b < BLOCKS; b++) {
        memcpy(cipher[b], text[b], 16);
        encrypt(cipher[b]);
        memcpy(plain[b], cipher[b], 16);
        decrypt(plain[b]);
    }
}

/* Powers of the generator 3 and of its inverse 0xf6 run through all elements and their inverses side by side. */
static void make_sbox(void)
{
    uint8_t p = 1, q = 1;

    do {
        uint8_t x;

        p ^= times_x(p);
        q ^= (uint8_t)(q << 1);
        q ^= (uint8_t)(q << 2);
        q ^= (uint8_t)(q << 4);
        q ^= q & 0x80 ? 0x09 : 0;
        x = q;
        for (int turn = 1; turn <= 4; turn++)
            x ^= (uint8_t)(q << turn | q >> (8 - turn));
        sbox[p] = x ^ 0x63;
    } while (p != 1);
    sbox[0] = 0x63;
    for (int i = 0; i < 256; i++)
        inverse_sbox[sbox[i]] = (uint8_t)i;
}

/* Block 0 is the example of appendix C.1, the others count up from it. */
static void prepare(void)
{
    make_sbox();
    for (int i = 0; i < 16; i++)
        key[i] = (uint8_t)i;
    for (int b = 0; b < BLOCKS; b++)
        for (int i = 0; i < 16; i++)
            text[b][i] = (uint8_t)(17 * i + b);
    SHIM_KEEP(sbox);
    SHIM_KEEP(inverse_sbox);
    SHIM_KEEP(key);
    SHIM_KEEP(text);
}

int main(void)
{
    static const uint8_t truth[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                      0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};

    prepare();
    shim_region_begin("aes128");
    compute();
    SHIM_KEEP(cipher);
    SHIM_KEEP(plain);
    shim_region_end("aes128");
    return sample_verdict_int("difference from appendix C.1", memcmp(cipher[0], truth, 16) != 0, 0) |
           sample_verdict_int("difference after decryption", memcmp(plain, text, sizeof text) != 0, 0);
}
