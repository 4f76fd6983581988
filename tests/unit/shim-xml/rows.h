/* rows.h - each rule of check on values of its own: a frame with a hole, and in each row what stands there, how often a
 * rule speaks then, and what it says. */
#ifndef TESTS_UNIT_SHIM_XML_ROWS_H
#define TESTS_UNIT_SHIM_XML_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"
#include "tests/unit/folder.h"

static char *path;

static int set_up(void **state)
{
    if (make_folder(state))
        return 1;
    path = in_folder("f.xml");
    return 0;
}

/* How often a rule speaks in a document; *said is its last finding, which the caller frees. */
static size_t times(const char *text, const char *rule, char **said)
{
    struct shimxml_doc *d = 0;
    struct error e = ERROR_INIT;
    struct shimxml_findings f = {0};
    size_t n = 0;
    assert_int_equal(file_write(path, text, strlen(text), 0), OK);
    if (shimxml_read(&d, path, &e))
        fail_msg("refused: %s", e.message);
    shimxml_check(d, &f);
    for (size_t i = 0; i < f.n; i++)
        if (!strcmp(f.at[i].rule, rule)) {
            n++;
            free(*said);
            *said = xstrdup(f.at[i].text);
        }
    shimxml_findings_release(&f);
    shimxml_free(d);
    return n;
}

struct row {
    const char *rule;
    size_t n;
    const char *part; /* what stands in the frame */
    const char *said; /* in the last finding; NULL: nothing of interest */
};

/* `frame` has one %s. */
static void expect(const char *frame, const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct str text = STR_INIT;
        const char *hole = strstr(frame, "%s");
        char *said = 0;
        str_addn(&text, frame, (size_t)(hole - frame));
        str_add(&text, rows[i].part);
        str_add(&text, hole + 2);
        size_t got = times(str_text(&text), rows[i].rule, &said);
        if (got != rows[i].n)
            fail_msg("%s: [%s] %zu times, expected %zu", rows[i].part, rows[i].rule, got, rows[i].n);
        if (rows[i].said && !(said && strstr(said, rows[i].said)))
            fail_msg("%s: '%s', expected '%s'", rows[i].part, said ? said : "(nothing)", rows[i].said);
        free(said);
        str_release(&text);
    }
}
#define EXPECT(frame, rows) expect(frame, rows, sizeof(rows) / sizeof *(rows))

#define ROOT(inner, after)                                                                                             \
    "<SystemConfiguration name=\"s\" shimVersion=\"1.0\"><ComponentSet name=\"T\">" inner "</ComponentSet>" after      \
    "</SystemConfiguration>"
#define CORE(inner)                                                                                                    \
    ROOT("<MasterComponent name=\"C\" id=\"C\" masterType=\"PU\" arch=\"a\">" inner "</MasterComponent>",              \
         "<ClockFrequency clockValue=\"1e9\"/>")
#define LIST(inner) CORE("<CommonInstructionSet name=\"LLVM Instructions\">" inner "</CommonInstructionSet>")
#define COSTS(pitch, latency)                                                                                          \
    "<Performance><Pitch typical=\"" pitch "\"/><Latency typical=\"" latency "\"/></Performance>"
#define INSTRUCTION(name, pitch, latency) "<Instruction name=\"" name "\">" COSTS(pitch, latency) "</Instruction>"

#endif
