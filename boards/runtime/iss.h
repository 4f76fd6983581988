/*
 * iss.h - what the measuring runtime and the simulated board's plugin (boards/plugin/) say
 * to each other. Both include it; nobody else needs it.
 *
 * The program runs under qemu's user-mode emulator with the plugin loaded. qemu 7.2 gives
 * a plugin no way to write a register or the memory of the program, so the runtime asks by
 * system calls with numbers that no Linux has, which the plugin is shown before the
 * emulator answers ENOSYS, and reads the answers from a pipe that the plugin holds open in
 * the same process. Without the plugin (another emulator, a real kernel) the calls do
 * nothing and the descriptor is closed: the runtime sees that there is no simulator.
 *
 *     ISS_HELLO version, from, to   answers struct iss_hello. The code in [from, to) is the runtime's own: it is
 *                                   never timed, nor is a direct call of it. The thread that calls is the
 *                                   measured one; other threads run, and are not timed. Simulated time stands.
 *     ISS_RESUME                    simulated time goes on; pipelines, caches and predictors as they were left
 *     ISS_SUSPEND                   simulated time stands: what runs now costs nothing and touches nothing
 *     ISS_COLD what                 ISS_ALL: caches and TLBs are empty, predictors know nothing; ISS_CACHES: caches
 *                                   are empty, the rest stays. Nothing is in flight
 *     ISS_READ                      answers struct iss_counters: totals since ISS_HELLO
 *     ISS_REGION begins, name       a region has begun (1) or ended (0); name: address of its text. Only where cycles of
 *                                   single addresses are asked for does the simulator take notice
 *
 *     ISS_CONSTANTS end             below this address is what the program never changes: its code and its constants,
 *                                   which stand in the flash of a part that has one
 *
 * Arguments and answers are 64 bits wide each, in the byte order of the machine that simulates.
 */
#ifndef BOARDS_RUNTIME_ISS_H
#define BOARDS_RUNTIME_ISS_H

#include <stdint.h>

#define ISS_VERSION 1

/* System call numbers: beyond every architecture's table, and below 0xf0000, from where on Arm has some of its own. */
enum iss_call {
    ISS_HELLO = 0x53490,
    ISS_RESUME = 0x53491,
    ISS_SUSPEND = 0x53492,
    ISS_COLD = 0x53493,
    ISS_READ = 0x53494,
    ISS_REGION = 0x53495,
    ISS_CONSTANTS = 0x53496
};

enum iss_what { ISS_ALL, ISS_CACHES }; /* of ISS_COLD */

#define ISS_DESCRIPTOR 250 /* the pipe's reading end, non-blocking; an answer is there when the call returns */
#define ISS_EVENTS     32  /* at most */
#define ISS_MAGIC      UINT64_C(0x53484d2d49535301)

/* What the simulator can count. Events have the numbers of Arm's PMUv3, whatever architecture is simulated:
 * 0x11 cycles, 0x08 instructions, 0x04 / 0x03 L1 data accesses / refills, 0x16 / 0x17 L2, 0x10 mispredictions ... */
struct iss_hello {
    uint64_t magic, version;
    uint64_t clock_hz;          /* of the simulated core; 0: the model does not say */
    uint64_t n_events;          /* at most ISS_EVENTS */
    uint64_t event[ISS_EVENTS]; /* their numbers */
    char model[64];             /* the model's name, ended by NUL */
};
struct iss_counters {
    uint64_t magic;
    uint64_t value[ISS_EVENTS]; /* in the order of iss_hello.event */
};

#endif
