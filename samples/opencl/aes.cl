/* AES-128 (FIPS 197), a work-item a block of 16 bytes. The S-box is made by one work-item. With local memory: S-box and round
 * keys in it. */
static uchar twice(uchar a)
{
    return (uchar)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

/* 5.1.1: the inverse in GF(2^8), then the affine transformation. By powers of the generator 3 and of its inverse. */
__kernel void aes_sbox(__global uchar *sbox)
{
    uchar p = 1, q = 1;
    do {
        p = (uchar)(p ^ twice(p));
        q = (uchar)(q ^ q << 1);
        q = (uchar)(q ^ q << 2);
        q = (uchar)(q ^ q << 4);
        q = (uchar)(q ^ (q & 0x80 ? 0x09 : 0));
        uint x = q;
        sbox[p] = (uchar)(x ^ (x << 1 | x >> 7) ^ (x << 2 | x >> 6) ^ (x << 3 | x >> 5) ^ (x << 4 | x >> 4) ^ 0x63);
    } while (p != 1);
    sbox[0] = 0x63;
}

/* 5.2: 11 round keys. */
__kernel void aes_keys(__global const uchar *key, __global uchar *keys, __global const uchar *sbox)
{
    uchar constant_ = 1;
    for (int i = 0; i < 16; i++)
        keys[i] = key[i];
    for (int i = 16; i < 176; i += 4) {
        uchar t0 = keys[i - 4], t1 = keys[i - 3], t2 = keys[i - 2], t3 = keys[i - 1];
        if (i % 16 == 0) {
            uchar first = t0;
            t0 = (uchar)(sbox[t1] ^ constant_);
            t1 = sbox[t2];
            t2 = sbox[t3];
            t3 = sbox[first];
            constant_ = twice(constant_);
        }
        keys[i] = keys[i - 16] ^ t0;
        keys[i + 1] = keys[i - 15] ^ t1;
        keys[i + 2] = keys[i - 14] ^ t2;
        keys[i + 3] = keys[i - 13] ^ t3;
    }
}

/* 5.1: byte r + 4 c of the state comes from column c + r. */
#define ENCRYPT(in, out, sbox, keys)                                                                                   \
    do {                                                                                                               \
        uchar s[16], t[16];                                                                                            \
        int at = 16 * get_global_id(0);                                                                                \
        for (int i = 0; i < 16; i++)                                                                                   \
            s[i] = in[at + i] ^ keys[i];                                                                               \
        for (int round = 1; round <= 10; round++) {                                                                    \
            for (int i = 0; i < 16; i++)                                                                               \
                t[i] = sbox[s[(i + 4 * (i % 4)) % 16]];                                                                \
            for (int c = 0; c < 16; c += 4) {                                                                          \
                uchar all = t[c] ^ t[c + 1] ^ t[c + 2] ^ t[c + 3];                                                     \
                for (int r = 0; r < 4; r++) {                                                                          \
                    uchar mixed = t[c + r] ^ all ^ twice(t[c + r] ^ t[c + (r + 1) % 4]);                               \
                    s[c + r] = (round == 10 ? t[c + r] : mixed) ^ keys[16 * round + c + r];                            \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        for (int i = 0; i < 16; i++)                                                                                   \
            out[at + i] = s[i];                                                                                        \
    } while (0)

__kernel void aes_global(__global const uchar *in, __global uchar *out, __global const uchar *sbox, __global const uchar *keys)
{
    ENCRYPT(in, out, sbox, keys);
}

__kernel void aes_local(__global const uchar *in, __global uchar *out, __global const uchar *sbox, __global const uchar *keys)
{
    __local uchar box[256], round_keys[176];
    int i = get_local_id(0), n = get_local_size(0);
    for (int k = i; k < 256; k += n)
        box[k] = sbox[k];
    for (int k = i; k < 176; k += n)
        round_keys[k] = keys[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    ENCRYPT(in, out, box, round_keys);
}
