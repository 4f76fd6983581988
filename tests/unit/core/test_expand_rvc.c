/* Compressed instructions and the full ones that they stand for by The RISC-V Instruction Set Manual, volume I, chapter
 * "C"; both as the assembler makes them (binutils 2.40). Each bit of each constant is in one of them. */
#include "tests/unit/core/core_fixture.h"

#include "sim/core/expand_rvc.h"

static const struct pair {
    uint16_t compressed;
    uint32_t full;
} pairs[] = {
    {0x0044, 0x00410493}, /* c.addi4spn x9,x2,4 */
    {0x0024, 0x00810493}, /* c.addi4spn x9,x2,8 */
    {0x0804, 0x01010493}, /* c.addi4spn x9,x2,16 */
    {0x1004, 0x02010493}, /* c.addi4spn x9,x2,32 */
    {0x0084, 0x04010493}, /* c.addi4spn x9,x2,64 */
    {0x0104, 0x08010493}, /* c.addi4spn x9,x2,128 */
    {0x0204, 0x10010493}, /* c.addi4spn x9,x2,256 */
    {0x0404, 0x20010493}, /* c.addi4spn x9,x2,512 */
    {0x2188, 0x0005b507}, /* c.fld f10,0(x11) */
    {0x6290, 0x0006b603}, /* c.ld x12,0(x13) */
    {0xa398, 0x00e7b027}, /* c.fsd f14,0(x15) */
    {0xe080, 0x0084b023}, /* c.sd x8,0(x9) */
    {0x2588, 0x0085b507}, /* c.fld f10,8(x11) */
    {0x6690, 0x0086b603}, /* c.ld x12,8(x13) */
    {0xa798, 0x00e7b427}, /* c.fsd f14,8(x15) */
    {0xe480, 0x0084b423}, /* c.sd x8,8(x9) */
    {0x2988, 0x0105b507}, /* c.fld f10,16(x11) */
    {0x6a90, 0x0106b603}, /* c.ld x12,16(x13) */
    {0xab98, 0x00e7b827}, /* c.fsd f14,16(x15) */
    {0xe880, 0x0084b823}, /* c.sd x8,16(x9) */
    {0x3188, 0x0205b507}, /* c.fld f10,32(x11) */
    {0x7290, 0x0206b603}, /* c.ld x12,32(x13) */
    {0xb398, 0x02e7b027}, /* c.fsd f14,32(x15) */
    {0xf080, 0x0284b023}, /* c.sd x8,32(x9) */
    {0x21a8, 0x0405b507}, /* c.fld f10,64(x11) */
    {0x62b0, 0x0406b603}, /* c.ld x12,64(x13) */
    {0xa3b8, 0x04e7b027}, /* c.fsd f14,64(x15) */
    {0xe0a0, 0x0484b023}, /* c.sd x8,64(x9) */
    {0x21c8, 0x0805b507}, /* c.fld f10,128(x11) */
    {0x62d0, 0x0806b603}, /* c.ld x12,128(x13) */
    {0xa3d8, 0x08e7b027}, /* c.fsd f14,128(x15) */
    {0xe0c0, 0x0884b023}, /* c.sd x8,128(x9) */
    {0x4188, 0x0005a503}, /* c.lw x10,0(x11) */
    {0xc290, 0x00c6a023}, /* c.sw x12,0(x13) */
    {0x41c8, 0x0045a503}, /* c.lw x10,4(x11) */
    {0xc2d0, 0x00c6a223}, /* c.sw x12,4(x13) */
    {0x4588, 0x0085a503}, /* c.lw x10,8(x11) */
    {0xc690, 0x00c6a423}, /* c.sw x12,8(x13) */
    {0x4988, 0x0105a503}, /* c.lw x10,16(x11) */
    {0xca90, 0x00c6a823}, /* c.sw x12,16(x13) */
    {0x5188, 0x0205a503}, /* c.lw x10,32(x11) */
    {0xd290, 0x02c6a023}, /* c.sw x12,32(x13) */
    {0x41a8, 0x0405a503}, /* c.lw x10,64(x11) */
    {0xc2b0, 0x04c6a023}, /* c.sw x12,64(x13) */
    {0x0a85, 0x001a8a93}, /* c.addi x21,1 */
    {0x2505, 0x0015051b}, /* c.addiw x10,1 */
    {0x4b05, 0x00100b13}, /* c.li x22,1 */
    {0x8a85, 0x0016f693}, /* c.andi x13,1 */
    {0x0a89, 0x002a8a93}, /* c.addi x21,2 */
    {0x2509, 0x0025051b}, /* c.addiw x10,2 */
    {0x4b09, 0x00200b13}, /* c.li x22,2 */
    {0x8a89, 0x0026f693}, /* c.andi x13,2 */
    {0x0a91, 0x004a8a93}, /* c.addi x21,4 */
    {0x2511, 0x0045051b}, /* c.addiw x10,4 */
    {0x4b11, 0x00400b13}, /* c.li x22,4 */
    {0x8a91, 0x0046f693}, /* c.andi x13,4 */
    {0x0aa1, 0x008a8a93}, /* c.addi x21,8 */
    {0x2521, 0x0085051b}, /* c.addiw x10,8 */
    {0x4b21, 0x00800b13}, /* c.li x22,8 */
    {0x8aa1, 0x0086f693}, /* c.andi x13,8 */
    {0x0ac1, 0x010a8a93}, /* c.addi x21,16 */
    {0x2541, 0x0105051b}, /* c.addiw x10,16 */
    {0x4b41, 0x01000b13}, /* c.li x22,16 */
    {0x8ac1, 0x0106f693}, /* c.andi x13,16 */
    {0x1a81, 0xfe0a8a93}, /* c.addi x21,-32 */
    {0x3501, 0xfe05051b}, /* c.addiw x10,-32 */
    {0x5b01, 0xfe000b13}, /* c.li x22,-32 */
    {0x9a81, 0xfe06f693}, /* c.andi x13,-32 */
    {0x1afd, 0xfffa8a93}, /* c.addi x21,-1 */
    {0x357d, 0xfff5051b}, /* c.addiw x10,-1 */
    {0x5b7d, 0xfff00b13}, /* c.li x22,-1 */
    {0x9afd, 0xfff6f693}, /* c.andi x13,-1 */
    {0x0001, 0x00000013}, /* c.nop */
    {0x6141, 0x01010113}, /* c.addi16sp x2,16 */
    {0x6105, 0x02010113}, /* c.addi16sp x2,32 */
    {0x6121, 0x04010113}, /* c.addi16sp x2,64 */
    {0x6109, 0x08010113}, /* c.addi16sp x2,128 */
    {0x6111, 0x10010113}, /* c.addi16sp x2,256 */
    {0x7101, 0xe0010113}, /* c.addi16sp x2,-512 */
    {0x717d, 0xff010113}, /* c.addi16sp x2,-16 */
    {0x6d85, 0x00001db7}, /* c.lui x27,1 */
    {0x6d89, 0x00002db7}, /* c.lui x27,2 */
    {0x6d91, 0x00004db7}, /* c.lui x27,4 */
    {0x6da1, 0x00008db7}, /* c.lui x27,8 */
    {0x6dc1, 0x00010db7}, /* c.lui x27,16 */
    {0x6dfd, 0x0001fdb7}, /* c.lui x27,31 */
    {0x7d81, 0xfffe0db7}, /* c.lui x27,1048544 */
    {0x7dfd, 0xfffffdb7}, /* c.lui x27,1048575 */
    {0x8005, 0x00145413}, /* c.srli x8,1 */
    {0x8785, 0x4017d793}, /* c.srai x15,1 */
    {0x0d06, 0x001d1d13}, /* c.slli x26,1 */
    {0x8009, 0x00245413}, /* c.srli x8,2 */
    {0x8789, 0x4027d793}, /* c.srai x15,2 */
    {0x0d0a, 0x002d1d13}, /* c.slli x26,2 */
    {0x8011, 0x00445413}, /* c.srli x8,4 */
    {0x8791, 0x4047d793}, /* c.srai x15,4 */
    {0x0d12, 0x004d1d13}, /* c.slli x26,4 */
    {0x8021, 0x00845413}, /* c.srli x8,8 */
    {0x87a1, 0x4087d793}, /* c.srai x15,8 */
    {0x0d22, 0x008d1d13}, /* c.slli x26,8 */
    {0x8041, 0x01045413}, /* c.srli x8,16 */
    {0x87c1, 0x4107d793}, /* c.srai x15,16 */
    {0x0d42, 0x010d1d13}, /* c.slli x26,16 */
    {0x9001, 0x02045413}, /* c.srli x8,32 */
    {0x9781, 0x4207d793}, /* c.srai x15,32 */
    {0x1d02, 0x020d1d13}, /* c.slli x26,32 */
    {0x8d15, 0x40d50533}, /* c.sub x10,x13 */
    {0x8d35, 0x00d54533}, /* c.xor x10,x13 */
    {0x8d55, 0x00d56533}, /* c.or x10,x13 */
    {0x8d75, 0x00d57533}, /* c.and x10,x13 */
    {0x9d15, 0x40d5053b}, /* c.subw x10,x13 */
    {0x9d35, 0x00d5053b}, /* c.addw x10,x13 */
    {0xa009, 0x0020006f}, /* c.j .+(2) */
    {0xa011, 0x0040006f}, /* c.j .+(4) */
    {0xa021, 0x0080006f}, /* c.j .+(8) */
    {0xa801, 0x0100006f}, /* c.j .+(16) */
    {0xa005, 0x0200006f}, /* c.j .+(32) */
    {0xa081, 0x0400006f}, /* c.j .+(64) */
    {0xa041, 0x0800006f}, /* c.j .+(128) */
    {0xa201, 0x1000006f}, /* c.j .+(256) */
    {0xa401, 0x2000006f}, /* c.j .+(512) */
    {0xa101, 0x4000006f}, /* c.j .+(1024) */
    {0xb001, 0x801ff06f}, /* c.j .+(-2048) */
    {0xbffd, 0xfffff06f}, /* c.j .+(-2) */
    {0xc089, 0x00048163}, /* c.beqz x9,.+(2) */
    {0xe309, 0x00071163}, /* c.bnez x14,.+(2) */
    {0xc091, 0x00048263}, /* c.beqz x9,.+(4) */
    {0xe311, 0x00071263}, /* c.bnez x14,.+(4) */
    {0xc481, 0x00048463}, /* c.beqz x9,.+(8) */
    {0xe701, 0x00071463}, /* c.bnez x14,.+(8) */
    {0xc881, 0x00048863}, /* c.beqz x9,.+(16) */
    {0xeb01, 0x00071863}, /* c.bnez x14,.+(16) */
    {0xc085, 0x02048063}, /* c.beqz x9,.+(32) */
    {0xe305, 0x02071063}, /* c.bnez x14,.+(32) */
    {0xc0a1, 0x04048063}, /* c.beqz x9,.+(64) */
    {0xe321, 0x04071063}, /* c.bnez x14,.+(64) */
    {0xc0c1, 0x08048063}, /* c.beqz x9,.+(128) */
    {0xe341, 0x08071063}, /* c.bnez x14,.+(128) */
    {0xd081, 0xf00480e3}, /* c.beqz x9,.+(-256) */
    {0xf301, 0xf00710e3}, /* c.bnez x14,.+(-256) */
    {0xdcfd, 0xfe048fe3}, /* c.beqz x9,.+(-2) */
    {0xff7d, 0xfe071fe3}, /* c.bnez x14,.+(-2) */
    {0x4282, 0x00012283}, /* c.lwsp x5,0(x2) */
    {0xc01e, 0x00712023}, /* c.swsp x7,0(x2) */
    {0x4292, 0x00412283}, /* c.lwsp x5,4(x2) */
    {0xc21e, 0x00712223}, /* c.swsp x7,4(x2) */
    {0x42a2, 0x00812283}, /* c.lwsp x5,8(x2) */
    {0xc41e, 0x00712423}, /* c.swsp x7,8(x2) */
    {0x42c2, 0x01012283}, /* c.lwsp x5,16(x2) */
    {0xc81e, 0x00712823}, /* c.swsp x7,16(x2) */
    {0x5282, 0x02012283}, /* c.lwsp x5,32(x2) */
    {0xd01e, 0x02712023}, /* c.swsp x7,32(x2) */
    {0x4286, 0x04012283}, /* c.lwsp x5,64(x2) */
    {0xc09e, 0x04712023}, /* c.swsp x7,64(x2) */
    {0x428a, 0x08012283}, /* c.lwsp x5,128(x2) */
    {0xc11e, 0x08712023}, /* c.swsp x7,128(x2) */
    {0x6302, 0x00013303}, /* c.ldsp x6,0(x2) */
    {0xe04a, 0x01213023}, /* c.sdsp x18,0(x2) */
    {0x2182, 0x00013187}, /* c.fldsp f3,0(x2) */
    {0xa076, 0x01d13027}, /* c.fsdsp f29,0(x2) */
    {0x6322, 0x00813303}, /* c.ldsp x6,8(x2) */
    {0xe44a, 0x01213423}, /* c.sdsp x18,8(x2) */
    {0x21a2, 0x00813187}, /* c.fldsp f3,8(x2) */
    {0xa476, 0x01d13427}, /* c.fsdsp f29,8(x2) */
    {0x6342, 0x01013303}, /* c.ldsp x6,16(x2) */
    {0xe84a, 0x01213823}, /* c.sdsp x18,16(x2) */
    {0x21c2, 0x01013187}, /* c.fldsp f3,16(x2) */
    {0xa876, 0x01d13827}, /* c.fsdsp f29,16(x2) */
    {0x7302, 0x02013303}, /* c.ldsp x6,32(x2) */
    {0xf04a, 0x03213023}, /* c.sdsp x18,32(x2) */
    {0x3182, 0x02013187}, /* c.fldsp f3,32(x2) */
    {0xb076, 0x03d13027}, /* c.fsdsp f29,32(x2) */
    {0x6306, 0x04013303}, /* c.ldsp x6,64(x2) */
    {0xe0ca, 0x05213023}, /* c.sdsp x18,64(x2) */
    {0x2186, 0x04013187}, /* c.fldsp f3,64(x2) */
    {0xa0f6, 0x05d13027}, /* c.fsdsp f29,64(x2) */
    {0x630a, 0x08013303}, /* c.ldsp x6,128(x2) */
    {0xe14a, 0x09213023}, /* c.sdsp x18,128(x2) */
    {0x218a, 0x08013187}, /* c.fldsp f3,128(x2) */
    {0xa176, 0x09d13027}, /* c.fsdsp f29,128(x2) */
    {0x6312, 0x10013303}, /* c.ldsp x6,256(x2) */
    {0xe24a, 0x11213023}, /* c.sdsp x18,256(x2) */
    {0x2192, 0x10013187}, /* c.fldsp f3,256(x2) */
    {0xa276, 0x11d13027}, /* c.fsdsp f29,256(x2) */
    {0x8082, 0x00008067}, /* c.jr x1 */
    {0x8782, 0x00078067}, /* c.jr x15 */
    {0x9282, 0x000280e7}, /* c.jalr x5 */
    {0x857e, 0x01f00533}, /* c.mv x10,x31 */
    {0x9fc2, 0x010f8fb3}, /* c.add x31,x16 */
    {0x9002, 0x00100073}, /* c.ebreak */
};

static void test_pairs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (iss_expand_rvc(pairs[i].compressed) != pairs[i].full)
            fail_msg("%04x: %08x instead of %08x", pairs[i].compressed, iss_expand_rvc(pairs[i].compressed),
                     pairs[i].full);
}

static void test_reserved(void **state)
{
    (void)state;
    static const uint16_t reserved[] = {
        0x0000,         /* all zero; c.addi4spn by 0 */
        0x0004,         /* c.addi4spn x9 by 0 */
        0x8000,         /* quadrant 0, funct3 4 */
        0x2005,         /* c.addiw x0 */
        0x6101,         /* c.addi16sp by 0 */
        0x6d81,         /* c.lui x27 by 0 */
        0x9d55,         /* behind c.subw and c.addw */
        0x9d75, 0x5002, /* c.lwsp x0 */
        0x7002,         /* c.ldsp x0 */
        0x8002,         /* c.jr x0 */
        0x0033,         /* a full one */
    };
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (iss_expand_rvc(reserved[i]))
            fail_msg("%04x: %08x", reserved[i], iss_expand_rvc(reserved[i]));
}

/* A decoder makes the same of both, but for the size. */
static void test_decoded(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct pair *p = &pairs[i];
        const uint8_t code[4] = {(uint8_t)p->full, (uint8_t)(p->full >> 8), (uint8_t)(p->full >> 16),
                                 (uint8_t)(p->full >> 24)};
        const uint8_t half[2] = {(uint8_t)p->compressed, (uint8_t)(p->compressed >> 8)};
        struct iss_op full, compressed;
        assert_true(iss_decode_riscv64.decode(iss_decode_riscv64.open(), code, 4, 64, &full));
        assert_true(iss_decode_riscv64.decode(iss_decode_riscv64.open(), half, 2, 64, &compressed));
        assert_int_equal(compressed.size, 2);
        compressed.size = 4;
        assert_memory_equal(&full, &compressed, sizeof full);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_reserved),
                                       cmocka_unit_test(test_decoded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
