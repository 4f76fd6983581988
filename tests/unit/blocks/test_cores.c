/* test_cores.c - which cores of a SHIM file blocks are estimated for. The file is written down here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "shimgen/blocks/cores.h"
#include "tests/unit/folder.h"

#define CORE(name, id, type, inside)                                                                                   \
    "<MasterComponent name=\"" name "\" id=\"" id "\" masterType=\"" type "\" arch=\"x\" pid=\"0\">" inside            \
    "</MasterComponent>"
#define VALUES                                                                                                         \
    "<CommonInstructionSet name=\"I\"><Instruction name=\"add\"><Performance><Pitch typical=\"1\"/><Latency "          \
    "typical=\"1\"/></Performance></Instruction></CommonInstructionSet>"

static const char *file_of(const char *name, const char *cores)
{
    struct error e = ERROR_INIT;
    char *path = in_folder(name), *text = xasprintf("<?xml version=\"1.0\"?><SystemConfiguration name=\"s\" "
                                                    "shimVersion=\"1.0\"><ComponentSet name=\"S\">%s</ComponentSet>"
                                                    "</SystemConfiguration>",
                                                    cores);
    assert_int_equal(file_write(path, text, strlen(text), &e), OK);
    free(text);
    return path;
}

/* The names of the cores, or the message. */
static void expect(const char *path, const char *names, const char *wanted)
{
    struct blocks_cores c;
    struct error e = ERROR_INIT;
    struct str out = STR_INIT;
    if (blocks_cores_read(&c, path, names, NULL, &e)) {
        str_addf(&out, "%s: %s", e.file ? path_basename(e.file) : "", e.message);
    } else {
        for (size_t i = 0; i < c.n; i++)
            str_addf(&out, "%s ", c.at[i].core);
    }
    if (!strstr(str_text(&out), wanted))
        fail_msg("%s: %s", names, str_text(&out));
    str_release(&out);
    error_release(&e);
    blocks_cores_release(&c);
    assert_int_equal(c.n, 0);
}

static void cores(void **state)
{
    (void)state;
    const char *path = file_of("a.xml", CORE("Dma", "D", "TU", "") CORE("One", "1", "PU", VALUES)
                                            CORE("Bare", "B", "PU", "") CORE("Two", "2", "PU", VALUES));
    expect(path, NULL, "One ");
    expect(path, "Two", "Two ");
    expect(path, "2,One", "Two One ");
    expect(path, "all", "One Two ");
    expect(path, "One,1", "a.xml: --core names core 'One' twice");
    expect(path, "Two,One,Two", "--core names core 'Two' twice");
    expect(path, "Bare", "Bare");
    expect(path, "One,", "--core");
    expect(path, "Three", "Three");
    path = file_of("b.xml", CORE("Dma", "D", "TU", "") CORE("Bare", "B", "PU", ""));
    expect(path, "all", "b.xml: no core has an instruction set, so nothing can be estimated; merge a model into it");
    expect(in_folder("none.xml"), "all", "none.xml");
}

/* A board's core has a name and a clock; a board without timing data has none. */
static void of_a_board(void **state)
{
    (void)state;
    struct blocks_cores c;
    struct error e = ERROR_INIT;
    char *build = realpath("/proc/self/exe", NULL), *end = strstr(build, "/tests/unit/");
    assert_non_null(end);
    *end = 0;
    setenv("SHIMGEN_PREFIX", build, 1);
    free(build);
    if (blocks_cores_of_board(&c, "raspberrypi3-sim", &e))
        fail_msg("%s", e.message);
    assert_int_equal(c.n, 1);
    assert_true(c.at[0].clock_hz > 0);
    blocks_cores_release(&c);
    assert_int_not_equal(blocks_cores_of_board(&c, "no-such-board", &e), OK);
    assert_int_equal(c.n, 0);
    blocks_cores_release(&c);
    error_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cores), cmocka_unit_test(of_a_board)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
