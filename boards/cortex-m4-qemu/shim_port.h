/* shim_port.h - QEMU's mps2-an386: a Cortex-M4 as Arm's application note AN386 has it. SysTick, for QEMU has no DWT; text by
 * UART 0 of the CMSDK (DDI 0479, 4.3); the second clock is the counter of 100 Hz in FPGAIO (DAI 0386, 4.4). */
#ifndef SHIM_PORT_H
#define SHIM_PORT_H

#define SHIM_PORT_PART "mps2-an386"
#define SHIM_PORT_HZ   25000000ul
#ifndef SHIM_COUNTER /* the tests have others, which lie */
#define SHIM_COUNTER SHIM_COUNTER_SYSTICK
#endif
#define SHIM_PORT_WAIT_STATES 0
#define SHIM_PORT_INIT()                                                                                               \
    do {                                                                                                               \
        SHIM_REGISTER(0x40004010ul) = 16; /* divider */                                                                \
        SHIM_REGISTER(0x40004008ul) = 1;  /* transmits */                                                              \
    } while (0)
#ifndef SHIM_OUTPUT
#define SHIM_OUTPUT SHIM_OUTPUT_PUT
#endif
#define SHIM_PORT_PUT(c)                                                                                               \
    do {                                                                                                               \
        while (SHIM_REGISTER(0x40004004ul) & 1ul)                                                                      \
            ;                                                                                                          \
        SHIM_REGISTER(0x40004000ul) = (unsigned long)(unsigned char)(c);                                               \
    } while (0)
#define SHIM_PORT_CACHE_CLEAR()  ((void)0)
#define SHIM_PORT_SECOND_CLOCK() SHIM_REGISTER(0x40028014ul)
#ifndef SHIM_PORT_SECOND_HZ
#define SHIM_PORT_SECOND_HZ 100ul
#endif
#define SHIM_PORT_END(code) SHIM_SEMIHOSTING_END(code)

#endif
