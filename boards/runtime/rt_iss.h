/*
 * rt_iss.h - the simulated board, between the runtime's files: time of the simulated core stands while the runtime
 * works.
 */
#ifndef BOARDS_RUNTIME_RT_ISS_H
#define BOARDS_RUNTIME_RT_ISS_H

#include "iss.h"
#include "rt.h"

/* Functions that are called while simulated time goes on stand here, and cost nothing; what they call between
 * rt_suspend and rt_resume may stand anywhere. */
#define RT_NOT_TIMED __attribute__((section("shim_rt_code")))

/* Asks for the simulator; takes out of rt.names what it does not count. -1: there is none. */
int rt_iss_open(size_t n, const uint64_t *config);
void rt_iss_read(struct rt_sample *s);

/* A system call by hand: nothing else may run between the program and it. */
static inline __attribute__((always_inline)) void rt_iss_call(long number, uint64_t a, uint64_t b, uint64_t c)
{
#if defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register uint64_t x0 __asm__("x0") = a;
    register uint64_t x1 __asm__("x1") = b;
    register uint64_t x2 __asm__("x2") = c;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory", "cc");
#elif defined(__riscv)
    register long a7 __asm__("a7") = number;
    register uint64_t a0 __asm__("a0") = a;
    register uint64_t a1 __asm__("a1") = b;
    register uint64_t a2 __asm__("a2") = c;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
#elif defined(__arm__) /* r7 may hold the frame's address: it is kept aside */
    register uint32_t r0 __asm__("r0") = (uint32_t)a;
    register uint32_t r1 __asm__("r1") = (uint32_t)b;
    register uint32_t r2 __asm__("r2") = (uint32_t)c;
    register uint32_t r3 __asm__("r3") = (uint32_t)number;
    __asm__ volatile("mov r12, r7\n\tmov r7, r3\n\tsvc #0\n\tmov r7, r12"
                     : "+r"(r0)
                     : "r"(r1), "r"(r2), "r"(r3)
                     : "r12", "memory", "cc");
#else                  /* no simulator for it: rt_iss_open finds none */
    (void)number, (void)a, (void)b, (void)c;
#endif
}

static inline __attribute__((always_inline)) void rt_suspend(void)
{
    if (rt.simulated)
        rt_iss_call(ISS_SUSPEND, 0, 0, 0);
}

static inline __attribute__((always_inline)) void rt_region_is(uint64_t begins, const char *name)
{
    if (rt.simulated)
        rt_iss_call(ISS_REGION, begins, (uintptr_t)name, 0);
}

static inline __attribute__((always_inline)) void rt_resume(void)
{
    if (rt.simulated)
        rt_iss_call(ISS_RESUME, 0, 0, 0);
}

#endif
