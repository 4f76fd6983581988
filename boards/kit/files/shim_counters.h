/*
 * shim_counters.h - counters of cycles. shim_port.h names one: #define SHIM_COUNTER SHIM_COUNTER_DWT
 *
 * A counter is
 *     SHIM_CYCLES()           its value now: counts up, 32 bits at least used of it (SHIM_COUNTER_BITS)
 *     SHIM_COUNTER_START()    once, before all
 *     SHIM_COUNTER_RESTART()  before an outermost region: from here on SHIM_COUNTER_WRAPPED() looks
 *     SHIM_COUNTER_WRAPPED()  it has wrapped since: the region's cycles are not known
 *     SHIM_COUNTER_NAME       for the log
 * Sources: Armv7-M Architecture Reference Manual (DDI 0403) B3.3 SysTick, C1.8 DWT; Armv7-A/R (DDI 0406) C12.8 PMCCNTR;
 * RISC-V privileged architecture 3.1.10 mcycle; TriCore TC1.6.2 core architecture manual, 5.1 performance counters (CCNT);
 * RH850: user's manual of the core, performance counters. The last two have never been compiled or run by the makers of
 * the kit: UNTESTED.
 */
#ifndef SHIM_COUNTERS_H
#define SHIM_COUNTERS_H

#if !defined(SHIM_COUNTER)
#error "shim_port.h must say which counter there is: #define SHIM_COUNTER SHIM_COUNTER_DWT"

#elif SHIM_COUNTER == SHIM_COUNTER_DWT
/* Cortex-M3, M4, M7, M33 ...; not M0, M0+ and M1, which have no CYCCNT. Some parts want the lock access register. */
#define SHIM_COUNTER_NAME "DWT"
#define SHIM_COUNTER_BITS 32
#define SHIM_CYCLES()     (SHIM_REGISTER(0xE0001004ul))
#define SHIM_COUNTER_START()                                                                                           \
    do {                                                                                                               \
        SHIM_REGISTER(0xE000EDFCul) |= 1ul << 24;   /* DEMCR.TRCENA */                                                 \
        SHIM_REGISTER(0xE0001FB0ul) = 0xC5ACCE55ul; /* DWT_LAR, where there is one */                                  \
        SHIM_REGISTER(0xE0001004ul) = 0;                                                                               \
        SHIM_REGISTER(0xE0001000ul) |= 1ul; /* DWT_CTRL.CYCCNTENA */                                                   \
    } while (0)
#define SHIM_COUNTER_RESTART() ((void)(SHIM_REGISTER(0xE0001004ul) = 0))
/* It has no flag. The reader of the log compares with the work of the program and with the second clock. */
#define SHIM_COUNTER_WRAPPED() 0

#elif SHIM_COUNTER == SHIM_COUNTER_SYSTICK
/* 24 bits, counts down. Writing its value clears it and COUNTFLAG; one turn is 16.7 million cycles. */
#define SHIM_COUNTER_NAME "SysTick"
#define SHIM_COUNTER_BITS 24
#define SHIM_CYCLES()     (0xFFFFFFul - (SHIM_REGISTER(0xE000E018ul) & 0xFFFFFFul))
#define SHIM_COUNTER_START()                                                                                           \
    do {                                                                                                               \
        SHIM_REGISTER(0xE000E014ul) = 0xFFFFFFul;                                                                      \
        SHIM_REGISTER(0xE000E018ul) = 0;                                                                               \
        SHIM_REGISTER(0xE000E010ul) = 5ul; /* the processor's clock, no interrupt */                                   \
    } while (0)
/* The clear value of 0 becomes the reload value with the next tick. */
#define SHIM_COUNTER_RESTART()                                                                                         \
    do {                                                                                                               \
        SHIM_REGISTER(0xE000E018ul) = 0;                                                                               \
        while ((SHIM_REGISTER(0xE000E018ul) & 0xFFFFFFul) == 0)                                                        \
            ;                                                                                                          \
        (void)SHIM_REGISTER(0xE000E010ul);                                                                             \
    } while (0)
#define SHIM_COUNTER_WRAPPED() ((SHIM_REGISTER(0xE000E010ul) >> 16 & 1ul) != 0)

#elif SHIM_COUNTER == SHIM_COUNTER_MCYCLE
/* RISC-V in machine mode. Of a 32-bit core the upper half tells whether the lower has wrapped. */
#define SHIM_COUNTER_NAME "mcycle"
#define SHIM_COUNTER_BITS 32
static unsigned long shim_counter_read(void)
{
    unsigned long value;
    __asm__ __volatile__("csrr %0, mcycle" : "=r"(value) : : "memory");
    return value & 0xFFFFFFFFul;
}
static unsigned long shim_counter_high(void)
{
    unsigned long value;
#if __riscv_xlen == 32
    __asm__ __volatile__("csrr %0, mcycleh" : "=r"(value) : : "memory");
#else
    __asm__ __volatile__("csrr %0, mcycle" : "=r"(value) : : "memory");
    value >>= 32;
#endif
    return value;
}
static unsigned long shim_counter_from[2];
static void shim_counter_restart(void)
{
    do {
        shim_counter_from[1] = shim_counter_high();
        shim_counter_from[0] = shim_counter_read();
    } while (shim_counter_from[1] != shim_counter_high());
}
static int shim_counter_wrapped(void)
{
    unsigned long high, low;
    do {
        high = shim_counter_high();
        low = shim_counter_read();
    } while (high != shim_counter_high());
    high -= shim_counter_from[1];
    return high > 1 || (high == 1 && low >= shim_counter_from[0]);
}
#define SHIM_CYCLES()          shim_counter_read()
#define SHIM_COUNTER_START()   __asm__ __volatile__("csrci 0x320, 1" : : : "memory") /* mcountinhibit.CY */
#define SHIM_COUNTER_RESTART() shim_counter_restart()
#define SHIM_COUNTER_WRAPPED() shim_counter_wrapped()

#elif SHIM_COUNTER == SHIM_COUNTER_PMCCNTR
/* Cortex-A and -R of 32 bits, in a privileged mode. */
#define SHIM_COUNTER_NAME      "PMCCNTR"
#define SHIM_COUNTER_BITS      32
static unsigned long shim_counter_read(void)
{
    unsigned long value;
    __asm__ __volatile__("mrc p15, 0, %0, c9, c13, 0" : "=r"(value) : : "memory");
    return value;
}
static void shim_counter_start(void)
{
    __asm__ __volatile__("mcr p15, 0, %0, c9, c12, 0" : : "r"(5ul) : "memory");       /* PMCR: E, C; no divider */
    __asm__ __volatile__("mcr p15, 0, %0, c9, c12, 1" : : "r"(1ul << 31) : "memory"); /* PMCNTENSET */
}
static void shim_counter_restart(void)
{
    __asm__ __volatile__("mcr p15, 0, %0, c9, c12, 3" : : "r"(1ul << 31) : "memory"); /* PMOVSR */
    __asm__ __volatile__("mcr p15, 0, %0, c9, c12, 0" : : "r"(5ul) : "memory");
}
static int shim_counter_wrapped(void)
{
    unsigned long flags;
    __asm__ __volatile__("mrc p15, 0, %0, c9, c12, 3" : "=r"(flags) : : "memory");
    return (flags >> 31 & 1ul) != 0;
}
#define SHIM_CYCLES()          shim_counter_read()
#define SHIM_COUNTER_START()   shim_counter_start()
#define SHIM_COUNTER_RESTART() shim_counter_restart()
#define SHIM_COUNTER_WRAPPED() shim_counter_wrapped()

#elif SHIM_COUNTER == SHIM_COUNTER_RH850
/* UNTESTED. CC-RH's intrinsics: __STSR(register, selection), __LDSR(register, selection, value). The numbers of the
 * registers differ between the cores (G3K, G3M, G3KH, G4MH): shim_port.h takes them from the core's manual. */
#if !defined(SHIM_RH850_PMCTRL) || !defined(SHIM_RH850_PMCOUNT) || !defined(SHIM_RH850_SELECT) ||                      \
    !defined(SHIM_RH850_CYCLES)
#error "shim_port.h: define SHIM_RH850_PMCTRL, _PMCOUNT (register numbers), _SELECT, _CYCLES (control: count cycles)"
#endif
#define SHIM_COUNTER_NAME      "PMCOUNT"
#define SHIM_COUNTER_BITS      32
#define SHIM_CYCLES()          ((unsigned long)__STSR(SHIM_RH850_PMCOUNT, SHIM_RH850_SELECT))
#define SHIM_COUNTER_START()   __LDSR(SHIM_RH850_PMCTRL, SHIM_RH850_SELECT, SHIM_RH850_CYCLES)
#define SHIM_COUNTER_RESTART() __LDSR(SHIM_RH850_PMCOUNT, SHIM_RH850_SELECT, 0)
#define SHIM_COUNTER_WRAPPED() 0

#elif SHIM_COUNTER == SHIM_COUNTER_TRICORE
/* UNTESTED. CCNT: 31 bits, bit 31 stays set once it has overflowed. __mfcr, __mtcr: intrinsics of the TriCore compilers. */
#define SHIM_COUNTER_NAME "CCNT"
#define SHIM_COUNTER_BITS 31
#define SHIM_CYCLES()     ((unsigned long)__mfcr(0xFC04) & 0x7FFFFFFFul)
#define SHIM_COUNTER_START()                                                                                           \
    do {                                                                                                               \
        __mtcr(0xFC00, 0);                                                                                             \
        __mtcr(0xFC04, 0);                                                                                             \
        __mtcr(0xFC00, 2); /* CCTRL.CE */                                                                              \
    } while (0)
#define SHIM_COUNTER_RESTART() SHIM_COUNTER_START()
#define SHIM_COUNTER_WRAPPED() (((unsigned long)__mfcr(0xFC04) >> 31 & 1ul) != 0)

#elif SHIM_COUNTER != SHIM_COUNTER_OWN
#error "SHIM_COUNTER in shim_port.h is none of those in shim_counters.h"
#endif

#endif
