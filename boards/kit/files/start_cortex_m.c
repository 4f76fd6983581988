/* start_cortex_m.c - vectors and start-up of Cortex-M parts, for images that bring their own; leave it out if your
 * project has start-up code, and call shim_kit_run() from your main. C89. */
#include "shim_kit.h"

extern unsigned long __shim_data_load[], __shim_data[], __shim_data_end[], __shim_bss[], __shim_bss_end[];
extern unsigned long __shim_stack_top[];

void shim_start(void);

static void stay(void)
{
    for (;;)
        ;
}

/* A fault is the running program's: the watchdog, or the reset here, continues after it (shim_kit.c). If everything is
 * printed, it is SHIM_PORT_END's, for example a call of semihosting without a debugger; then the part waits. */
static void start_again(void)
{
    if (!shim_kit_done)
        SHIM_REGISTER(0xE000ED0Cul) = 0x05FA0004ul; /* AIRCR.SYSRESETREQ */
    stay();
}

void shim_start(void)
{
    unsigned long *to = __shim_data;
    const unsigned long *from = __shim_data_load;
    SHIM_REGISTER(0xE000ED88ul) |= 0xFul << 20; /* CPACR: enables the FPU, if there is one */
    __asm__ __volatile__("dsb\n\tisb" : : : "memory");
    while (to < __shim_data_end)
        *to++ = *from++;
    for (to = __shim_bss; to < __shim_bss_end;)
        *to++ = 0;
    (void)shim_kit_run();
    stay();
}

typedef void handler(void);
__attribute__((section(".vectors"), used)) handler *const shim_vectors[16] = {(handler *)__shim_stack_top,
                                                                              shim_start,
                                                                              start_again,
                                                                              start_again,
                                                                              start_again,
                                                                              start_again,
                                                                              start_again,
                                                                              0,
                                                                              0,
                                                                              0,
                                                                              0,
                                                                              start_again,
                                                                              start_again,
                                                                              0,
                                                                              start_again,
                                                                              start_again};
