/* core_portme.h - what EEMBC's CoreMark asks of a port: here to a program whose timed part is a region of the measuring
 * runtime. CoreMark itself is not in this repository (docs/method/simulator-m4.md). */
#ifndef TESTS_ISS_COREMARK_CORE_PORTME_H
#define TESTS_ISS_COREMARK_CORE_PORTME_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HAS_FLOAT         0
#define HAS_TIME_H        0
#define USE_CLOCK         0
#define HAS_STDIO         1
#define HAS_PRINTF        1
#define COMPILER_VERSION  __VERSION__
#define COMPILER_FLAGS    ""
#define MEM_LOCATION      "static"
#define SEED_METHOD       SEED_VOLATILE
#define MEM_METHOD        MEM_STATIC
#define MULTITHREAD       1
#define MAIN_HAS_NOARGC   1
#define MAIN_HAS_NORETURN 0
#define CORE_DEBUG        0
#define align_mem(x)      (void *)(4 + (((ee_ptr_int)(x)-1) & ~3u))

typedef int16_t ee_s16;
typedef uint16_t ee_u16;
typedef int32_t ee_s32;
typedef uint8_t ee_u8;
typedef uint32_t ee_u32;
typedef uintptr_t ee_ptr_int;
typedef size_t ee_size_t;
typedef ee_u32 CORE_TICKS;
typedef struct {
    ee_u8 portable_id;
} core_portable;
extern ee_u32 default_num_contexts;

void portable_init(core_portable *p, int *argc, char *argv[]);
void portable_fini(core_portable *p);

#endif
