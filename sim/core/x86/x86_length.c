/* x86_length.c - lengths of vector instructions that capstone does not know, so that decoding goes on at the next one.
 * Source: Intel's manual, volume 2, 2.3 and 2.7 (VEX and EVEX prefixes; then opcode and ModRM). */
#include "sim/core/x86/decode_x86.h"

/* Does the opcode have an immediate byte? Some of map 1 do, all of map 3 do. */
static bool has_immediate(unsigned map, unsigned opcode)
{
    return map == 3 ||
           (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6)));
}

/* Bytes of the address after ModRM: SIB and displacement. `sib`: the byte at the place of the SIB. */
static size_t address_size(unsigned modrm, unsigned sib)
{
    unsigned mod = modrm >> 6, rm = modrm & 7;
    size_t size = mod != 3 && rm == 4;
    if (mod == 1)
        return size + 1;
    bool no_base = mod == 0 && (rm == 5 || (rm == 4 && (sib & 7) == 5));
    return size + (mod == 2 || no_base ? 4 : 0);
}

size_t x86_vector_length(const uint8_t *code, size_t size)
{
    static const uint8_t vex2 = 0xc5, vex3 = 0xc4, evex = 0x62;
    size_t prefix = size < 3 ? 0 : *code == vex2 ? 2 : *code == vex3 ? 3 : *code == evex ? 4 : 0;
    if (!prefix || size < prefix + 2)
        return 0;
    unsigned map = *code == vex2 ? 1 : code[1] & (*code == evex ? 7 : 31), opcode = code[prefix];
    unsigned sib = size > prefix + 2 ? code[prefix + 2] : 0;
    size_t length = prefix + 2 + address_size(code[prefix + 1], sib) + has_immediate(map, opcode);
    return length <= size ? length : 0;
}
