/*
 * kit.h - the log that the kit prints on a part without an operating system (boards/kit/files), read and judged.
 * docs/formats/kit-log.md has the lines, and what is repaired and what is refused.
 *
 *     kit_log_new(); kit_log_read(log, "first.txt", &e); kit_log_read(log, "second.txt", &e);
 *     kit_log_judge(log, &choice, &e);       one part, one set of conditions, a counter and a clock that can be believed
 *     log->programs                          those that came whole, each once
 *     kit_log_free(log);
 *
 * What is read comes from outside and may be anything. Cycles are of the counter, nothing taken off.
 */
#ifndef BOARDS_KIT_KIT_H
#define BOARDS_KIT_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"

/* A line that is whole: its checksum fits. kit_line_release. */
enum { KIT_MOST_FIELDS = 12 };
struct kit_line {
    uint32_t tag;    /* of the part and its start */
    uint32_t number; /* of the line since the start */
    const char *word;
    const char *fields[KIT_MOST_FIELDS];
    size_t n;
    char *body; /* the word, the fields and a line break as they came; length bytes */
    size_t length;
    char *text; /* the word and the fields, parted */
};
enum kit_line_kind { KIT_LINE_OTHER, KIT_LINE_BROKEN, KIT_LINE_GOOD };
/* Takes a line apart, without its line break. OTHER: not the kit's. BROKEN: bytes were lost or changed. */
enum kit_line_kind kit_line_take(struct kit_line *out, const char *text);
void kit_line_release(struct kit_line *l);
/* CRC-32 of IEEE 802.3: the register after n bytes more; it begins as all ones, and is inverted at the end. */
uint32_t kit_crc(uint32_t crc, const void *bytes, size_t n);
bool kit_number(const char *text, uint32_t *value);    /* hexadecimal, at most 8 digits */
bool kit_long_number(const char *text, double *value); /* at most 13 digits: a double holds it exactly */

/* A start of the part: from its first line to the next start. */
struct kit_session {
    const char *path; /* borrowed from the log: where it begins */
    unsigned long line;
    uint32_t tag, last; /* of the last line that came */
    uint32_t image, part, starts, n_programs;
    char *name; /* of the part */
    bool has_conditions, has_loops, has_clocks, has_cost, done;
    double hz;
    uint32_t wait_states, interrupts, caches, mpu, cold, runs, bits;
    char *counter;
    uint32_t iterations, once, twice; /* cycles of the known loop */
    double clock_cycles;              /* between two readings of */
    uint32_t ticks, ticks_hz;         /* the second clock */
    uint32_t empties, inside, around; /* cycles of so many empty regions, and of a region around as many */
    struct kit_reading *reading;      /* a program whose lines are just coming; NULL: none */
};
struct kit_region {
    char *name;
    uint32_t run;
    double entries, pairs, cycles;
};
/* A program whose lines all came. */
struct kit_program {
    char *name, *origin;
    uint32_t index, id, runs;
    double work;
    size_t session; /* index */
    const char *path;
    unsigned long line;
    VEC(struct kit_region) regions; /* run by run */
};
struct kit_log {
    VEC(char *) paths;
    VEC(struct kit_session) sessions;
    VEC(struct kit_program) programs;
    VEC(char *) notes;   /* what was repaired or left out, a sentence each */
    size_t good, broken; /* lines */
};
struct kit_log *kit_log_new(void);
void kit_log_free(struct kit_log *log);
/* Adds a file. A log that goes on in another file is read on there. ERR_INPUT, with file and line: lines of two parts are mixed,
 * a whole line that means nothing. */
enum status kit_log_read(struct kit_log *log, const char *path, struct error *e) MUST_CHECK;

struct kit_choice {
    const char *part; /* only lines of the part with this ID, hexadecimal; NULL: there must be one */
};
/* Refuses what cannot be believed; leaves each program once. ERR_INPUT. The program of a start that was cut before its
 * conditions is left out, with a note. */
enum status kit_log_judge(struct kit_log *log, const struct kit_choice *choice, struct error *e) MUST_CHECK;
/* "mcycle of virt-rv32 at 1000 MHz, 0 wait states, interrupts masked, ..."; the caller frees. */
char *kit_session_text(const struct kit_session *s);

#endif
