/* The method compiled: labels in assembly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "shimgen/estimate/compiled/compiled_text.h"

static void check_labels(const char *text, const char *labelled)
{
    struct str out = STR_INIT;
    compiled_text_label(&out, text, 3);
    assert_string_equal(str_text(&out), labelled);
    str_release(&out);
}

static void test_labels(void **state)
{
    (void)state;
    check_labels("f:\n"
                 "// %bb.0:                               // %b0x\n"
                 "\t.loc\t1 12 0\n"
                 "\tadd\tw0, w0, #1\n"
                 ".LBB0_1:                                // %b5x\n"
                 "                                        // =>This Inner Loop Header: Depth=1\n"
                 "\tb\t.LBB0_1\n"
                 "# %bb.2:\n"
                 ".LBB0_3:                                // %b5x.b7x_crit_edge\n"
                 "\tret\n"
                 "@ %bb.4:                                @ %b9x\n",
                 "f:\n"
                 "// %bb.0:                               // %b0x\n"
                 "irprof.b.3.0.0:\n"
                 "\t.loc\t1 12 0\n"
                 "irprof.l.3.1.12:\n"
                 "\tadd\tw0, w0, #1\n"
                 ".LBB0_1:                                // %b5x\n"
                 "irprof.b.3.2.5:\n"
                 "                                        // =>This Inner Loop Header: Depth=1\n"
                 "\tb\t.LBB0_1\n"
                 "# %bb.2:\n"
                 "irprof.b.3.3.x:\n"
                 ".LBB0_3:                                // %b5x.b7x_crit_edge\n"
                 "irprof.b.3.4.5:\n"
                 "\tret\n"
                 "@ %bb.4:                                @ %b9x\n"
                 "irprof.b.3.5.9:\n");
}

/* Where a table of jumps leads is marked, also when it follows. */
static void test_tables(void **state)
{
    (void)state;
    check_labels(".LBB0_1:                                // %b1x\n"
                 ".LBB0_2:                                // %b2x\n"
                 ".LJTI0_0:\n"
                 "\t.byte\t(.LBB0_2-.LBB0_1)>>2\n"
                 "x:\n"
                 "\t.word\t.LBB0_1\n",
                 ".LBB0_1:                                // %b1x\n"
                 "irprof.b.3.0.1:\n"
                 ".LBB0_2:                                // %b2x\n"
                 "irprof.t.3.1.2:\n"
                 ".LJTI0_0:\n"
                 "\t.byte\t(.LBB0_2-.LBB0_1)>>2\n"
                 "x:\n"
                 "\t.word\t.LBB0_1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_labels), cmocka_unit_test(test_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
