/* text.c - makes text of unknown origin printable; prints bytes and Hz with units. */
#include "shim-xml/document/text.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Length of the UTF-8 sequence at `p` and its code point (RFC 3629); 0: there is none. */
static size_t decode(const unsigned char *p, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = *p < 0x80 ? 1 : *p >= 0xf0 && *p < 0xf8 ? 4 : *p >= 0xe0 && *p < 0xf0 ? 3 : *p >= 0xc0 ? 2 : 0;
    if (!n || *p >= 0xf8)
        return 0;
    uint32_t v = n == 1 ? *p : *p & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) /* also fails at the final NUL */
            return 0;
        v = v << 6 | (p[i] & 0x3fu);
    }
    *code = v;
    return v >= least[n] && v <= 0x10ffff && (v < 0xd800 || v > 0xdfff) ? n : 0;
}

/* Is it a direction mark or a line separator? Those change how surrounding text looks on a terminal. */
static bool disturbs(uint32_t code)
{
    return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

static bool shows(uint32_t code)
{
    return !disturbs(code) && code >= 0x20 && (code < 0x7f || code > 0x9f) && code != 0xfffe && code != 0xffff;
}

char *text_printable(const char *text, size_t limit)
{
    struct str out = STR_INIT;
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t code;
        size_t n = decode(p, &code);
        size_t take = n && shows(code) ? n : 1;
        if (out.len + take > limit) {
            str_add(&out, "...");
            break;
        }
        if (n && shows(code))
            str_addn(&out, (const char *)p, n);
        else
            str_addch(&out, '?');
        p += n ? n : 1;
    }
    return str_detach(&out);
}

void text_bytes(struct str *out, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t u = 0;
    for (; bytes >= 1024 && u < 4; u++)
        bytes /= 1024;
    str_addf(out, "%.4g %s", bytes, units[u]);
}

void text_hertz(struct str *out, double hz)
{
    if (!(hz > 0))
        str_add(out, "clock unknown");
    else if (hz >= 1e9)
        str_addf(out, "%.4g GHz", hz / 1e9);
    else if (hz >= 1e6)
        str_addf(out, "%.4g MHz", hz / 1e6);
    else
        str_addf(out, "%.4g kHz", hz / 1e3);
}
