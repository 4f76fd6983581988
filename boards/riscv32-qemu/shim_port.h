/* shim_port.h - QEMU's virt, one RV32GC hart: mcycle; text by its UART 16550; the second clock is mtime of the CLINT
 * (10 MHz); the test device ends the emulator. Addresses: qemu/hw/riscv/virt.c. Under -icount shift=0 an instruction
 * takes 1 ns and one cycle: 1 GHz. */
#ifndef SHIM_PORT_H
#define SHIM_PORT_H

#define SHIM_PORT_PART        "virt-rv32"
#define SHIM_PORT_HZ          1000000000ul
#define SHIM_COUNTER          SHIM_COUNTER_MCYCLE
#define SHIM_PORT_WAIT_STATES 0
#define SHIM_PORT_INIT()      ((void)0)
#define SHIM_OUTPUT           SHIM_OUTPUT_PUT
#define SHIM_PORT_PUT(c)                                                                                               \
    do {                                                                                                               \
        while ((*(volatile unsigned char *)0x10000005ul & 0x20) == 0)                                                  \
            ;                                                                                                          \
        *(volatile unsigned char *)0x10000000ul = (unsigned char)(c);                                                  \
    } while (0)
#define SHIM_PORT_CACHE_CLEAR()  ((void)0)
#define SHIM_PORT_ID()           0ul
#define SHIM_PORT_SECOND_CLOCK() SHIM_REGISTER(0x0200BFF8ul)
#define SHIM_PORT_SECOND_HZ      10000000ul
#define SHIM_PORT_FEED()         ((void)0)
#define SHIM_PORT_END(code)      ((void)(code), SHIM_REGISTER(0x00100000ul) = 0x5555ul)

#endif
