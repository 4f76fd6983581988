/* shim_port.h - QEMU's mps2-an500: a Cortex-M7 as Arm's application note AN500 has it. SysTick, for QEMU has no DWT; text by
 * semihosting; the second clock is the counter of 100 Hz in FPGAIO (DAI 0500, 4.4). */
#ifndef SHIM_PORT_H
#define SHIM_PORT_H

#define SHIM_PORT_PART "mps2-an500"
#define SHIM_PORT_HZ   25000000ul
#ifndef SHIM_COUNTER /* the tests have others, which lie */
#define SHIM_COUNTER SHIM_COUNTER_SYSTICK
#endif
#define SHIM_PORT_WAIT_STATES 0
#define SHIM_PORT_INIT()      ((void)0)
#ifndef SHIM_OUTPUT
#define SHIM_OUTPUT SHIM_OUTPUT_SEMIHOSTING
#endif
#define SHIM_PORT_PUT(c)        ((void)(c))
#define SHIM_PORT_CACHE_CLEAR() ((void)0)
#ifndef SHIM_PORT_ID
#define SHIM_PORT_ID() 0ul
#endif
#define SHIM_PORT_SECOND_CLOCK() SHIM_REGISTER(0x40028014ul)
#ifndef SHIM_PORT_SECOND_HZ
#define SHIM_PORT_SECOND_HZ 100ul
#endif
#ifndef SHIM_PORT_FEED
#define SHIM_PORT_FEED() ((void)0)
#endif
/* Semihosting, SYS_EXIT with ADP_Stopped_ApplicationExit: the emulator ends. */
#define SHIM_PORT_END(code)                                                                                            \
    do {                                                                                                               \
        register unsigned long r0 __asm__("r0") = 0x18;                                                                \
        register unsigned long r1 __asm__("r1") = 0x20026ul;                                                           \
        (void)(code);                                                                                                  \
        __asm__ __volatile__("bkpt 0xAB" : : "r"(r0), "r"(r1) : "memory");                                             \
    } while (0)

#endif
