/*
 * lzw - 16000 bytes of text through LZW with codes of 9 to 12 bits, and back.
 *
 * Welch, "A Technique for High-Performance Data Compression", 1984; the dictionary is a trie of children and siblings,
 * and starts afresh when full. The truth is the text; and Welch's kind of case where a code is used before it is known,
 * which "aaaa..." at the start brings.
 *
 * Work: each of the 16000 bytes is loaded and compared with at least one child of the trie (a load), a chain; on the
 * way back each is loaded from the dictionary and stored: 16000 * 5 = 80000.
 */
#include "../sample.h"
#include "lcg.h"

#define LENGTH 16000
#define CODES  4096
#define ROOM   (2 * LENGTH)
#define NONE   0

struct node {
    uint16_t child, sibling, parent; /* a code; NONE: none, as no string of one byte is ever a child */
    uint8_t byte;
};

static struct node trie[CODES], chain[CODES];
static uint8_t text[LENGTH], packed[ROOM], back[LENGTH + 1];
static size_t packed_size, back_size;

struct bits {
    uint8_t *at;
    uint32_t held;
    int count;
};

static void put(struct bits *out, unsigned code, int width)
{
    out->held |= code << out->count;
    for (out->count += width; out->count >= 8; out->count -= 8) {
        *out->at++ = (uint8_t)out->held;
        out->held >>= 8;
    }
}

static unsigned get(struct bits *in, int width)
{
    unsigned code;

    for (; in->count < width; in->count += 8)
        in->held |= (uint32_t)*in->at++ << in->count;
    code = in->held & ((1U << width) - 1);
    in->held >>= width;
    in->count -= width;
    return code;
}

static unsigned empty_trie(void)
{
    for (unsigned i = 0; i < 256; i++)
        trie[i] = (struct node){NONE, NONE, NONE, (uint8_t)i};
    return 256;
}

static size_t compress(const uint8_t *in, size_t length, uint8_t *out)
{
    struct bits bits = {out, 0, 0};
    unsigned next = empty_trie(), at = in[0];
    int width = 9;

    for (size_t i = 1; i < length; i++) {
        unsigned child = trie[at].child;

        while (child != NONE && trie[child].byte != in[i])
            child = trie[child].sibling;
        if (child != NONE) {
            at = child;
            continue;
        }
        put(&bits, at, width);
        trie[next] = (struct node){NONE, trie[at].child, (uint16_t)at, in[i]};
        trie[at].child = (uint16_t)next++;
        if (next > 1U << width)
            width++;
        if (next == CODES) {
            next = empty_trie();
            width = 9;
        }
        at = in[i];
    }
    put(&bits, at, width);
    put(&bits, 0, 7);
    return (size_t)(bits.at - out);
}

/* The string of a code is read backwards along its parents; returns its first byte. */
static uint8_t expand(unsigned code, uint8_t *out, size_t *length)
{
    size_t n = 1;
    unsigned at = code;

    for (; at >= 256; at = chain[at].parent)
        n++;
    *length = n;
    for (at = code; at >= 256; at = chain[at].parent)
        out[--n] = chain[at].byte;
    out[0] = (uint8_t)at;
    return (uint8_t)at;
}

static size_t decompress(uint8_t *in, size_t length, uint8_t *out)
{
    struct bits bits = {in, 0, 0};
    unsigned next = 256, code, last = get(&bits, 9);
    size_t done = 1, string;
    int width = 9;

    out[0] = (uint8_t)last;
    while (done < length) {
        if (next + 1 > 1U << width)
            width++;
        if (next + 1 == CODES) {
            next = 256;
            width = 9;
            last = get(&bits, width);
            out[done++] = (uint8_t)last;
            continue;
        }
        code = get(&bits, width);
        if (code < next) {
            chain[next].byte = expand(code, out + done, &string);
        } else { /* not known yet: the last string and its own first byte */
            chain[next].byte = expand(last, out + done, &string);
            out[done + string++] = chain[next].byte;
        }
        chain[next++].parent = (uint16_t)last;
        done += string;
        last = code;
    }
    return done;
}

static void prepare(void)
{
    static const char *const words[] = {"the ",  "valve ", "opens ", "at ", "pressure ", "closes ", "when ", "a ",
                                        "pump ", "is ",    "off ",   "on ", "sensor ",   "reads ",  "zero ", ".\n"};
    uint32_t seed = 22;
    size_t at = 0;

    while (at < 40)
        text[at++] = 'a';
    while (at < LENGTH)
        for (const char *c = words[lcg_draw(&seed) % 16]; *c && at < LENGTH; c++)
            text[at++] = (uint8_t)(lcg_draw(&seed) % 24 == 0 ? '0' + lcg_draw(&seed) % 43 : (unsigned char)*c);
    memset(chain, 0, sizeof chain);
    memset(packed, 0, sizeof packed);
    SHIM_KEEP(text);
    SHIM_KEEP(chain);
    SHIM_KEEP(packed);
}

int main(void)
{
    prepare();
    shim_region_begin("lzw");
    packed_size = compress(text, LENGTH, packed);
    SHIM_KEEP(packed);
    back_size = decompress(packed, LENGTH, back);
    SHIM_KEEP(back);
    SHIM_KEEP(&packed_size);
    SHIM_KEEP(&back_size);
    shim_region_end("lzw");
    return sample_verdict_int("length", (long long)back_size, LENGTH) |
           sample_verdict_int("difference from the text", memcmp(back, text, LENGTH) != 0, 0) |
           sample_verdict_int("whether it got shorter", packed_size < LENGTH * 3 / 4, 1);
}
