/*
 * shim_port_template.h - shim_port.h, the one file of the kit that is to be filled in: your part. Lines with FILL IN must
 * be right; the others may stay. docs/kit.md explains each.
 */
#ifndef SHIM_PORT_H
#define SHIM_PORT_H

/* For people, in the log: one word. */
#define SHIM_PORT_PART "my-part" /* FILL IN */

/* The clock of the core [Hz] while programs run. It goes into the log and is checked against the second clock below. */
#define SHIM_PORT_HZ 16000000ul /* FILL IN */

/* The counter of cycles, one of shim_counters.h; SHIM_COUNTER_OWN: define its five macros here. */
#define SHIM_COUNTER SHIM_COUNTER_DWT /* FILL IN */

/* Wait states of the flash memory that programs run from. */
#define SHIM_PORT_WAIT_STATES 0 /* FILL IN */

/* Clocks, caches, the port that text goes out by. */
#define SHIM_PORT_INIT() ((void)0) /* FILL IN */

/* Where the text comes out:
 *   SHIM_OUTPUT_PUT        SHIM_PORT_PUT(c), such as a UART: wait until it can take the character, then write it
 *   SHIM_OUTPUT_SEMIHOSTING  by the debugger or the emulator (Arm, RISC-V)
 *   SHIM_OUTPUT_BUFFER     into shim_buffer, which a debugger reads when shim_buffer_done is 1 */
#define SHIM_OUTPUT      SHIM_OUTPUT_SEMIHOSTING /* FILL IN */
#define SHIM_PORT_PUT(c) ((void)(c))

/* Empties caches and buffers, for cold measurements; parts without caches have nothing to do. */
#define SHIM_PORT_CACHE_CLEAR() ((void)0) /* FILL IN, if there are caches */

/* A number that no other part of this kind has (a unique ID's words, mixed), so that logs of two boards cannot be
 * taken for one; 0: there is none. */
#define SHIM_PORT_ID() 0ul

/* A second clock that does not depend on the core's, such as a timer on a crystal of its own: its value, and how many
 * of its ticks are a second. 0: there is none, and a wrong SHIM_PORT_HZ is not noticed here. */
#define SHIM_PORT_SECOND_CLOCK() 0ul
#define SHIM_PORT_SECOND_HZ      0ul

/* The watchdog is fed here, between runs of programs. */
#define SHIM_PORT_FEED() ((void)0)

/* When all is printed: SHIM_SEMIHOSTING_END(code) ends an emulator; without it the part waits. */
#define SHIM_PORT_END(code) ((void)(code))

#endif
