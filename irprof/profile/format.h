/*
 * format.h - the numbers that the profile's writers (runtime, merge) and its reader
 * share; docs/formats/profile.md has the whole format. Plain C without any library,
 * since the runtime includes it.
 */
#ifndef IRPROF_PROFILE_FORMAT_H
#define IRPROF_PROFILE_FORMAT_H

#define FORMAT_MAGIC     "\x89IRPROF\n" /* 8 bytes */
#define FORMAT_END_MARK  "\nFORPRI\x89" /* 8 bytes */
#define FORMAT_MARK_SIZE 8
#define FORMAT_VERSION   1

/* Header: magic, then little-endian version, end, end signal, modules, regions, length of the program's name (u32
 * each), length of the file, runs (u64 each), the name. Trailer: checksum (u64), end mark. */
#define FORMAT_HEADER_SIZE  48
#define FORMAT_TRAILER_SIZE 16
#define FORMAT_MODULE_SIZE  24 /* build id, size of the description, number of counters (u64 each) */
#define FORMAT_REGION_SIZE  16 /* length of the name, flaws (u32 each), entries (u64) */

/* How the program ended stands in the low byte of the header's `end`. The next says why main, which should have run
 * twice for warm caches, ran once (0: it did not have to, or it ran twice): an index into these words. */
#define FORMAT_END_MASK   0xff
#define FORMAT_ONCE_SHIFT 8
#define FORMAT_TRAFFIC    0x80000000u /* in the same word: traffic between places of the source follows the regions */
#define FORMAT_WINDOWS    0x40000000u /* in the same word: windows of the run follow that */
#define FORMAT_FOOTPRINT  0x20000000u /* in the same word: what bytes functions touch follows that */
#define FORMAT_SECTIONS   (FORMAT_TRAFFIC | FORMAT_WINDOWS | FORMAT_FOOTPRINT)
enum format_once {
    FORMAT_ONCE_NOT,
    FORMAT_ONCE_DIFFERS,
    FORMAT_ONCE_EXITS,
    FORMAT_ONCE_FAILS,
    FORMAT_ONCE_FAILS_AGAIN,
    FORMAT_ONCE_DIES,
    FORMAT_ONCE_SLOW,
    FORMAT_ONCE_ALONE,
    FORMAT_ONCE_N
};
#define FORMAT_ONCE_WORDS                                                                                              \
    {                                                                                                                  \
        "", "it executes other code when it runs again", "it ends the program", "it ends with an error",               \
            "it ends with an error when it runs again", "it crashes when it runs again",                               \
            "it takes too long when it runs again", "no second process could be made",                                 \
    }

/* Of a function whose calls are counted one by one, the regions are "NAME#" (all calls), "NAME#1", "NAME#2" ... (those
 * that went one way) and "NAME#more" (those of all further ways). */
#define FORMAT_STEPS      '#'
#define FORMAT_CALLS      "<-" /* between a function and who calls it */
#define FORMAT_STEPS_MORE "more"

/* Checksum and build id: FNV-1a, 64 bit. A step is a bijection of the state, so that no single changed byte is missed.
 */
#define FORMAT_HASH_START 0xcbf29ce484222325u
#define FORMAT_HASH_PRIME 0x100000001b3u

/* Module description. */
#define FORMAT_DESCRIPTION_VERSION 5
#define FORMAT_DESCRIPTION_OLDEST  3  /* that is still read: it has no checksums of sources */
#define FORMAT_ACCESSES_FROM       5  /* the first version that describes loads and stores */
#define FORMAT_CHECKSUM            16 /* bytes of a source's MD5 */
#define FORMAT_LOCAL               1  /* flags of a function: internal linkage */
#define FORMAT_NOT_COUNTED         2  /* the reason follows */
#define FORMAT_EDGE_KINDS          8  /* room for kinds of edges beside the step to their block */
#define FORMAT_PLACE_UNKNOWN       0  /* neither file nor line */
#define FORMAT_PLACE_NO_LINE       1  /* the file of the last place, no line */
#define FORMAT_PLACES              2  /* from here on: differences from the last place */
#define FORMAT_WRITES              8  /* room for irprof_write beside the clear accesses */
#define FORMAT_CONSTANTS           8  /* room for irprof_constant bits beside the item of an instruction */

/* Traffic: flaws, places, rows (u32 each); places: parent, line, length of the file's name (u32 each), the name; rows:
 * writer, readers (u32 each), bytes (u64), the readers (u32 each). */
#define FORMAT_TRAFFIC_SIZE 12
#define FORMAT_PLACE_SIZE   12
#define FORMAT_ROW_SIZE     16

/* Windows: flaws, windows (u32 each), accesses of a window, bytes (u64 each), the bytes: of each window, as uleb, so many
 * counters further (through all modules in the order of the file), so much more; 0 after the last. */
#define FORMAT_WINDOWS_SIZE 24

/* Footprint: flaws, functions (u32 each); of each function: module, number in its description (u32 each), bytes touched,
 * written, needed, left (u64 each). */
#define FORMAT_FOOTPRINT_SIZE 8
#define FORMAT_FOOT_ROW_SIZE  40

/* What a module hands to the runtime; the instrumenter builds one of these as constant data (instrument.c). */
#define FORMAT_ABI 5

#endif
