/* shim_kit.h - between the files of the kit: what one image runs. C89, without a C library. */
#ifndef SHIM_KIT_H
#define SHIM_KIT_H

/* What shim_port.h chooses from. */
#define SHIM_OUTPUT_PUT         1
#define SHIM_OUTPUT_SEMIHOSTING 2
#define SHIM_OUTPUT_BUFFER      3
#define SHIM_COUNTER_DWT        1
#define SHIM_COUNTER_SYSTICK    2
#define SHIM_COUNTER_MCYCLE     3
#define SHIM_COUNTER_PMCCNTR    4
#define SHIM_COUNTER_RH850      5
#define SHIM_COUNTER_TRICORE    6
#define SHIM_COUNTER_OWN        7 /* its macros are defined in shim_port.h */

#define SHIM_REGISTER(address) (*(volatile unsigned long *)(address))

/* A call of semihosting, which the debugger or the emulator answers: Arm, "Semihosting for AArch32 and AArch64"; RISC-V has
 * the same numbers ("RISC-V semihosting", 0.2). */
#if defined(__riscv)
#define SHIM_SEMIHOSTING(number, argument)                                                                             \
    do {                                                                                                               \
        register unsigned long shim_a0 __asm__("a0") = (number);                                                       \
        register unsigned long shim_a1 __asm__("a1") = (unsigned long)(argument);                                      \
        __asm__ __volatile__(".balign 16\n\t.option push\n\t.option norvc\n\tslli x0, x0, 0x1f\n\tebreak\n\t"          \
                             "srai x0, x0, 7\n\t.option pop"                                                           \
                             : "+r"(shim_a0)                                                                           \
                             : "r"(shim_a1)                                                                            \
                             : "memory");                                                                              \
    } while (0)
#else
#define SHIM_SEMIHOSTING(number, argument)                                                                             \
    do {                                                                                                               \
        register unsigned long shim_r0 __asm__("r0") = (number);                                                       \
        register unsigned long shim_r1 __asm__("r1") = (unsigned long)(argument);                                      \
        __asm__ __volatile__("bkpt 0xAB" : "+r"(shim_r0) : "r"(shim_r1) : "memory");                                   \
    } while (0)
#endif
/* SYS_WRITEC: a character. */
#define SHIM_SEMIHOSTING_PUT(address) SHIM_SEMIHOSTING(3, address)
/* SYS_EXIT with ADP_Stopped_ApplicationExit: the emulator ends. For SHIM_PORT_END. */
#define SHIM_SEMIHOSTING_END(code)                                                                                     \
    do {                                                                                                               \
        (void)(code);                                                                                                  \
        SHIM_SEMIHOSTING(0x18, 0x20026ul);                                                                             \
    } while (0)

/* A program of the image. Numbers are of at least 32 bits. */
struct shim_program {
    const char *name;         /* "paper/sum@O0" */
    int (*run)(int, char **); /* its main, under another name; 0: its self-check holds */
    const char *origin;       /* "ir": made from the counted IR; "c": by this compiler from C */
    unsigned long work;       /* the least number of instructions of the IR that its regions execute */
    unsigned long id;         /* CRC-32 of the object that was made from its IR; "c": of its source */
};
/* programs.c, written by 'shimgen board kit'. */
extern const struct shim_program shim_programs[];
extern const unsigned shim_n_programs;
extern const unsigned long shim_image_id; /* of all of them; differs where one differs */

/* Runs them all and prints the log; the start-up code calls it, or your main. It returns when all is printed. */
int shim_kit_run(void);
extern volatile unsigned long shim_kit_done; /* 1: all is printed. A fault from then on must not start it all again */

/* What samples call. */
void shim_region_begin(const char *name);
void shim_region_end(const char *name);

#endif
