/*
 * poly1305 - the authenticator of 2048 bytes, with limbs of 64 bits, and RFC 8439's example.
 *
 * The truth: the tag of RFC 8439, 2.5.2; and for the long message the same polynomial in numbers of bytes, as a pupil
 * multiplies, outside the region.
 *
 * Work: each of the 128 blocks is the next step of a chain: two words loaded, added with their carries, four products
 * of 64 bits (on a machine of 32 bits more), four sums of them, and the reduction: 128 * 16 = 2048.
 */
#include "../sample.h"
#include "lcg.h"
#include "wide.h"

#define LENGTH 2048

static uint8_t key[32], message[LENGTH], tag[16], example[16];

static uint64_t word_at(const uint8_t *bytes)
{
    uint64_t word = 0;

    for (int i = 7; i >= 0; i--)
        word = word << 8 | bytes[i];
    return word;
}

struct sum {
    uint64_t low, high, top;
};

static void add(struct sum *h, uint64_t low, uint64_t high, uint64_t top)
{
    uint64_t carry;

    h->low += low;
    carry = h->low < low;
    h->high += carry;
    carry = h->high < carry;
    h->high += high;
    carry += h->high < high;
    h->top += top + carry;
}

/* h * r modulo 2^130 - 5, kept below 2^130 and a bit: what stands above 2^130 comes back times 5. The upper word of r
 * is a multiple of 4, so its product with h's upper word, above 2^128, is one with r / 4 * 5 above 1. */
static void multiply(struct sum *h, uint64_t low, uint64_t high)
{
    uint64_t folded = (high >> 2) * 5, carried;
    struct wide d0 = wide_sum(wide_product(h->low, low), wide_product(h->high, folded));
    struct wide d1 = wide_sum(wide_product(h->low, high), wide_product(h->high, low));
    uint64_t d2 = h->top * low;

    d1 = wide_sum(d1, wide_product(h->top, folded));
    h->low = d0.low;
    d1 = wide_sum(d1, (struct wide){0, d0.high});
    h->high = d1.low;
    d2 += d1.high;
    h->top = d2 & 3;
    carried = (d2 >> 2) * 5;
    add(h, carried, 0, 0);
}

static void authenticate(const uint8_t *at, size_t length, uint8_t result[16])
{
    uint64_t r_low = word_at(key) & UINT64_C(0x0ffffffc0fffffff), carry;
    uint64_t r_high = word_at(key + 8) & UINT64_C(0x0ffffffc0ffffffc);
    struct sum h = {0, 0, 0}, less;

    for (; length >= 16; at += 16, length -= 16) {
        add(&h, word_at(at), word_at(at + 8), 1);
        multiply(&h, r_low, r_high);
    }
    if (length > 0) {
        uint8_t last[16] = {0};

        for (size_t i = 0; i < length; i++)
            last[i] = at[i];
        last[length] = 1;
        add(&h, word_at(last), word_at(last + 8), 0);
        multiply(&h, r_low, r_high);
    }
    less = h;
    add(&less, 5, 0, 0);
    if (less.top >= 4)
        h = less;
    carry = word_at(key + 16);
    h.low += carry;
    carry = h.low < carry;
    h.high += word_at(key + 24) + carry;
    for (int i = 0; i < 8; i++) {
        result[i] = (uint8_t)(h.low >> 8 * i);
        result[8 + i] = (uint8_t)(h.high >> 8 * i);
    }
}

/* The same, digit by digit of 8 bits. */
static void in_bytes(const uint8_t *at, size_t length, uint8_t result[16])
{
    static const uint8_t clamp[16] = {255, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15};
    unsigned h[17] = {0}, product[34], carry;

    for (size_t done = 0; done < length; done += 16) {
        for (size_t i = 0; i < 16 && done + i < length; i++)
            h[i] += at[done + i];
        h[length - done < 16 ? length - done : 16]++;
        memset(product, 0, sizeof product);
        for (int i = 0; i < 17; i++)
            for (int k = 0; k < 16; k++)
                product[i + k] += h[i] * (key[k] & clamp[k]);
        for (int i = 33; i >= 17; i--) /* 2^136 is 320 */
            product[i - 17] += 320 * product[i];
        for (int pass = 0; pass < 3; pass++) {
            carry = 0;
            for (int i = 0; i < 17; i++) {
                carry += product[i];
                h[i] = product[i] = carry & 255;
                carry >>= 8;
            }
            product[0] += 320 * carry + 5 * (h[16] >> 2);
            product[16] = h[16] & 3;
        }
        for (int i = 0; i < 17; i++)
            h[i] = product[i];
    }
    carry = 5; /* at least 2^130 - 5? */
    for (int i = 0; i < 17; i++)
        carry = (carry + h[i]) >> (i < 16 ? 8 : 2);
    carry *= 5;
    for (int i = 0; i < 16; i++) {
        carry += h[i] + key[16 + i];
        result[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

int main(void)
{
    static const char text[] = "Cryptographic Forum Research Group";
    static const uint8_t rfc_key[32] = {0x85, 0xd6, 0xbe, 0x78, 0x57, 0x55, 0x6d, 0x33, 0x7f, 0x44, 0x52,
                                        0xfe, 0x42, 0xd5, 0x06, 0xa8, 0x01, 0x03, 0x80, 0x8a, 0xfb, 0x0d,
                                        0xb2, 0xfd, 0x4a, 0xbf, 0xf6, 0xaf, 0x41, 0x49, 0xf5, 0x1b};
    static const uint8_t rfc_tag[16] = {0xa8, 0x06, 0x1d, 0xc1, 0x30, 0x51, 0x36, 0xc6,
                                        0xc2, 0x2b, 0x8b, 0xaf, 0x0c, 0x01, 0x27, 0xa9};
    uint8_t slow[16];
    uint32_t seed = 26;

    memcpy(key, rfc_key, sizeof key);
    for (int i = 0; i < LENGTH; i++)
        message[i] = i < 256 ? 0xff : (uint8_t)lcg_draw(&seed);
    SHIM_KEEP(key);
    SHIM_KEEP(message);
    shim_region_begin("poly1305");
    authenticate(message, LENGTH, tag);
    SHIM_KEEP(tag);
    shim_region_end("poly1305");
    authenticate((const uint8_t *)text, sizeof text - 1, example);
    in_bytes(message, LENGTH, slow);
    return sample_verdict_int("difference from RFC 8439's tag", memcmp(example, rfc_tag, 16) != 0, 0) |
           sample_verdict_int("difference from the tag in bytes", memcmp(tag, slow, 16) != 0, 0);
}
