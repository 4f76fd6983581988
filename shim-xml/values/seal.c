/* seal.c - a checksum of a core's instruction values, by which a reader notices that another tool has changed them. */
#include "shim-xml/values/seal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "shim-xml/document/instruction_widths.h"
#include "shim-xml/document/notes.h"

/* ---- the checksum ---- */

/* Adds the value's bits, low ones first, so that byte order does not matter. */
static uint64_t add_single(uint64_t h, float v)
{
    unsigned char bytes[4];
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(bits >> (8 * i));
    return hash_bytes(h, bytes, sizeof bytes);
}

/* In single precision, as all readers store it. Missing limits count as the typical value, as the latency CSV writes
 * them. */
static uint64_t add_part(uint64_t h, const struct shimxml_node *performance, const char *part)
{
    static const char *const names[] = {"best", "typical", "worst"};
    const struct shimxml_node *n = shimxml_child(performance, part);
    for (size_t i = 0; i < 3; i++) {
        double v = n ? shimxml_number(n, names[i]) : (double)NAN;
        if (n && isnan(v))
            v = shimxml_number(n, "typical");
        h = add_single(h, isnan(v) ? -1 : (float)v + 0.0F);
    }
    return h;
}

/* Does not depend on the order, since tools may sort. */
static uint64_t sum_of(const struct shimxml_node *core)
{
    uint64_t sum = 0;
    for (const struct shimxml_node *i = 0; (i = instruction_next(core, i));) {
        const char *name = instruction_name(i);
        if (!name || note_is(i))
            continue;
        const struct shimxml_node *performance = shimxml_child(i, "Performance");
        sum += add_part(add_part(hash_text(HASH_START, name), performance, "Pitch"), performance, "Latency");
    }
    return sum;
}

void shimxml_seal(struct shimxml_doc *d)
{
    for (struct shimxml_node *n = 0; (n = shimxml_following(shimxml_root(d), n, "MasterComponent"));) {
        if (!instruction_next(n, 0))
            continue;
        char text[20];
        snprintf(text, sizeof text, "%016" PRIx64, sum_of(n));
        note_set(n, NOTE_SUM, text);
    }
}

enum shimxml_seal seal_of(const struct shimxml_node *core)
{
    const struct shimxml_node *i = note_in(core, NOTE_SUM);
    char *said = i ? note_of(i, NOTE_SUM) : 0, text[20];
    snprintf(text, sizeof text, "%016" PRIx64, said ? sum_of(core) : 0);
    enum shimxml_seal s = !said ? SHIMXML_UNSEALED : strcmp(said, text) == 0 ? SHIMXML_SEALED : SHIMXML_CHANGED;
    free(said);
    return s;
}

bool seals_hold(const struct shimxml_doc *d)
{
    size_t sealed = 0;
    for (const struct shimxml_node *n = 0; (n = shimxml_following(shimxml_root(d), n, "MasterComponent"));) {
        if (!instruction_next(n, 0))
            continue;
        if (seal_of(n) != SHIMXML_SEALED)
            return false;
        sealed++;
    }
    return sealed;
}

/* ---- which tool changed it ---- */

/* Has it <Pitch typical="0.0"/>? The reference write-back writes that for what it has measured. */
static bool is_wiped(const struct shimxml_node *instruction)
{
    const struct shimxml_node *pitch = shimxml_child(shimxml_child(instruction, "Performance"), "Pitch");
    return pitch && !note_is(instruction) && !shimxml_get(pitch, "best") && !shimxml_get(pitch, "worst") &&
           shimxml_number(pitch, "typical") == 0;
}

static char *written_back(const struct shimxml_node *core)
{
    enum { NAMED = 3 };
    struct str names = STR_INIT;
    size_t wiped = 0;
    for (const struct shimxml_node *i = 0; (i = instruction_next(core, i));) {
        if (!is_wiped(i))
            continue;
        const char *name = instruction_name(i);
        if (wiped++ < NAMED)
            str_addf(&names, "%s'%.40s'", names.len ? ", " : "", name ? name : "");
    }
    char *text = 0;
    if (wiped > NAMED)
        str_addf(&names, " and %zu more", wiped - NAMED);
    if (wiped)
        text = xasprintf("MeasurementCycleWriteback: %s have Pitch 0 without best and worst", str_text(&names));
    str_release(&names);
    return text;
}

/* Is the only unit the one that Performance2SHIM makes? */
static bool is_replaced(const struct shimxml_node *core)
{
    const struct shimxml_node *units = shimxml_child(shimxml_child(core, "CommonInstructionSet"), "FunctionalUnitSet"),
                              *unit = shimxml_child(units, "FunctionalUnit");
    const char *name = unit ? shimxml_get(unit, "name") : 0;
    return name && strcmp(name, "_ProcessorDefault") == 0 && !shimxml_next(unit, "FunctionalUnit");
}

char *seal_broken_by(const struct shimxml_node *core)
{
    enum shimxml_seal seal = seal_of(core);
    if (seal == SHIMXML_SEALED)
        return 0;
    if (is_replaced(core))
        return xstrdup("Performance2SHIM: all are in the FunctionalUnit '_ProcessorDefault'");
    return seal == SHIMXML_CHANGED ? written_back(core) : 0;
}

/* ---- */

static bool goes_with_seal(const struct shimxml_node *i)
{
    char *seal = note_of(i, NOTE_SUM);
    const char *name = instruction_name(i);
    bool goes = seal || (name && (strncmp(name, SHIMXML_FITTED, strlen(SHIMXML_FITTED)) == 0 ||
                                  strncmp(name, SHIMXML_FACTOR, strlen(SHIMXML_FACTOR)) == 0));
    free(seal);
    return goes;
}

void seal_remove(struct shimxml_node *core)
{
    for (struct shimxml_node *i = instruction_next(core, 0), *next; i; i = next) {
        next = instruction_next(core, i);
        if (goes_with_seal(i))
            shimxml_remove(i);
    }
}
