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
#define SHIM_PORT_PUT(c)         ((void)(c))
#define SHIM_PORT_CACHE_CLEAR()  ((void)0)
#define SHIM_PORT_SECOND_CLOCK() SHIM_REGISTER(0x40028014ul)
#ifndef SHIM_PORT_SECOND_HZ
#define SHIM_PORT_SECOND_HZ 100ul
#endif
#define SHIM_PORT_END(code) SHIM_SEMIHOSTING_END(code)

#endif
