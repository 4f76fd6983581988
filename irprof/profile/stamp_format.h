/*
 * stamp_format.h - what stamped modules, their runtime and the reader share: the state of a thread, the records, the raw
 * file (docs/formats/stamps.md). Plain C without the product's other headers: the runtime includes it.
 */
#ifndef IRPROF_PROFILE_STAMP_FORMAT_H
#define IRPROF_PROFILE_STAMP_FORMAT_H

#include <stdint.h>

#define STAMP_MAGIC "irprof stamps 1\n" /* 16 bytes, without a NUL */
#define STAMP_ABI   1

/* Clocks. Words of --clock, in this order. */
enum stamp_clock {
    STAMP_RDTSC,       /* x86: rdtsc */
    STAMP_RDTSCP,      /* x86: rdtscp, which waits for earlier instructions */
    STAMP_CNTVCT,      /* arm64: CNTVCT_EL0 */
    STAMP_RDTIME,      /* RISC-V: rdtime */
    STAMP_RDCYCLE,     /* RISC-V: rdcycle */
    STAMP_CLOCK64,     /* NVPTX: %clock64 */
    STAMP_GLOBALTIMER, /* NVPTX: %globaltimer [ns] */
    STAMP_MEMTIME,     /* AMDGPU: s_memtime */
    STAMP_CYCLES,      /* any: what LLVM's readcyclecounter becomes */
    STAMP_CLOCKS
};
#define STAMP_CLOCK_WORDS                                                                                              \
    {                                                                                                                  \
        "rdtsc", "rdtscp", "cntvct", "rdtime", "rdcycle", "clock64", "globaltimer", "memtime", "cycles"                \
    }

/* Modes, in the order of enum stamp_mode (irprof/stamp/stamping.h). */
#define STAMP_MODE_USUAL "add"
#define STAMP_MODE_WORDS                                                                                               \
    {                                                                                                                  \
        STAMP_MODE_USUAL, "replace", "sled"                                                                            \
    }

/* A stamp. */
struct stamp_record {
    uint64_t clock;     /* [ticks] */
    uint32_t point;     /* number in the program: the module's first, plus the point's in the module */
    uint32_t processor; /* STAMP_NO_PROCESSOR: not known */
};
#define STAMP_NO_PROCESSOR UINT32_MAX

/* What a thread has; the code of a stamp knows the first 32 bytes. Records follow: `limit` of them, and one more that all
 * stamps beyond go to. */
struct stamp_thread {
    uint64_t count;            /* stamps so far; those from `limit` on are lost */
    uint64_t limit;            /* records that there is room for */
    uint64_t last;             /* the clock of the last stamp: what a replaced result becomes */
    const uint32_t *processor; /* where the system keeps the number of the processor that the thread is on */
    struct stamp_record records[];
};
enum { STAMP_AT_COUNT = 0, STAMP_AT_LIMIT = 8, STAMP_AT_LAST = 16, STAMP_AT_PROCESSOR = 24, STAMP_AT_RECORDS = 32 };

/* What a stamped module hands over. */
struct stamp_module {
    uint32_t abi;       /* STAMP_ABI */
    uint32_t clock;     /* enum stamp_clock */
    uint32_t first;     /* number of the module's first point in the program: set when it is registered */
    uint32_t n_points;  /* */
    uint64_t text_size; /* bytes */
    const char *text;   /* one line for each point and more: docs/formats/stamps.md */
    uint64_t n_sleds;   /* */
    void *const *sleds; /* functions with sleds, by the number of their first point: NULL where there is none */
};
/* First point of code that runs before its module is registered: no point has such a number. */
#define STAMP_UNREGISTERED 0x80000000u

/* Chunks of a raw file, after the magic: kind and size [bytes, without this head], then the chunk. Integers are
 * little-endian. */
struct stamp_chunk {
    uint32_t kind, size;
};
enum stamp_kind { STAMP_START = 1, STAMP_MODULE, STAMP_THREAD, STAMP_END, STAMP_RESULTS, STAMP_NAMES };
/* A moment by the stamps' clock and by CLOCK_MONOTONIC. */
struct stamp_moment {
    uint64_t ticks, ns;
};
/* STAMP_START; the program's name follows. */
struct stamp_start {
    struct stamp_moment at;
    uint64_t frequency; /* of the clock [Hz], where the processor says it; 0: by two moments */
    uint64_t cost;      /* of one stamp [1/1000 ticks], the median of a calibration at start */
    uint64_t room;      /* records of a thread */
    uint32_t clock;     /* enum stamp_clock */
    uint32_t process;
};
/* STAMP_MODULE; its text follows. */
struct stamp_module_head {
    uint32_t first, n_points;
};
/* STAMP_THREAD: stamps of a thread, in their order. A thread may have several; records follow. */
struct stamp_thread_head {
    struct stamp_moment at; /* when this was written */
    uint64_t lost;          /* stamps that found no room since the last such chunk */
    uint32_t thread;        /* from 1, in the order of their first stamps */
    uint32_t id;            /* the system's */
    uint32_t processor;     /* that it was written on */
    uint32_t ended;         /* 1: by the thread's end; 0: the thread may have gone on */
};
/* STAMP_END. */
struct stamp_end {
    struct stamp_moment at;
    uint32_t signal;  /* 0: the program ended by itself */
    uint32_t threads; /* that have stamps */
};
/* STAMP_RESULTS: replaced results that the program handed over (shim_stamp_results); the name (`name` bytes), then the
 * bytes. */
struct stamp_results {
    uint32_t element; /* bytes of one: 4 or 8 */
    uint32_t name;    /* bytes */
};
/* STAMP_NAMES: points that the program itself names (shim_stamp): first number, then the name. */
struct stamp_name {
    uint32_t point, reserved;
};
/* Numbers of such points begin here. */
#define STAMP_NAMED 0x40000000u

/* Stamps of kernels, as a host program writes them (shim_stamp.h): the magic, then for each launch a head, the kernel's name and
 * the bytes. Integers are little-endian. */
#define STAMP_KERNEL_MAGIC "irprof kernel 1\n"
enum { STAMP_KERNEL_ADDED, STAMP_KERNEL_RESULT };
struct stamp_launch {
    uint32_t kind;                /* STAMP_KERNEL_ADDED: `irprof_stamps`; STAMP_KERNEL_RESULT: a replaced result */
    uint32_t name;                /* bytes of the kernel's name */
    uint64_t global[3], local[3]; /* work-items; of a group. 1 beyond the dimensions */
    uint64_t frequency;           /* of the clock [Hz]; 0: not known */
    uint64_t bytes;               /* of the stamps or the output */
    uint32_t number, element;     /* of a result: which of a work-item's, from 0; bytes of an element, 4 or 8 */
    uint64_t taken;               /* of a result: a work-item's stamps before it */
    uint64_t first, group[3],
        item[3]; /* of a result: its element is first + group . (its group) + item . (its place there) */
};

#endif
