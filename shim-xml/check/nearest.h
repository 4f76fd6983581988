/* nearest.h - "did you mean": the known name that a misspelt one is nearest to. Private to shim-xml. */
#ifndef SHIMXML_CHECK_NEAREST_H
#define SHIMXML_CHECK_NEAREST_H

#include <stddef.h>
#include <stdint.h>

/* The longest name that is compared; longer ones are nobody's slip. */
enum { NEAREST_LONGEST = 63 };

struct nearest {
    const char *wanted; /* borrowed */
    const char *name;   /* the best so far, borrowed; NULL: none is near */
    size_t distance;
    uint32_t letters; /* of `wanted`: a bit each */
};
struct nearest nearest_to(const char *wanted);
void nearest_try(struct nearest *n, const char *name);
/* Each word of a list with spaces between; `room`, of NEAREST_LONGEST + 1 characters, holds the best one. */
void nearest_try_words(struct nearest *n, const char *words, char *room);
/* "; did you mean 'add'?", in `out`, which it returns; "": none is near. */
const char *nearest_say(const struct nearest *n, char *out, size_t size);

#endif
