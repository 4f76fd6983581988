/* What is simulated for a board that says nothing, or something: of the boards that are installed, and of variants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/str.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/build/simulated.h"

static void expect(const struct board *b, const char *text)
{
    struct board_args args = {0};
    struct error e = ERROR_INIT;
    struct str all = STR_INIT;
    if (simulated_defaults(&args, b, &e))
        fail_msg("%s", e.message);
    for (size_t i = 0; i < args.n; i++)
        str_addf(&all, "%s%s", i ? " " : "", args.at[i]);
    assert_string_equal(str_text(&all), text);
    str_release(&all);
    board_args_release(&args);
}

static struct board *board(const char *name)
{
    struct board *b = 0;
    struct error e = ERROR_INIT;
    if (board_load(&b, name, &e))
        fail_msg("%s", e.message);
    return b;
}

/* boards/raspberrypi3-sim/cortex-a53.ini and boards/riscv64-sim/sifive-u74.ini. 3072 counters are in a table of 12
 * bits. */
static void of_a_model(void **state)
{
    (void)state;
    struct board *pi = board("boards/raspberrypi3-sim"), *u74 = board("boards/riscv64-sim");
    expect(
        pi,
        "--sizes --spills aarch64-linux-gnu:cortex-a53 --l1d 32K:4:64:random --l2 512K:16:64:random --prefetch 2:2:5:4 "
        "--branches gshare:12:6:0 --switches last:256");
    expect(u74,
           "--sizes --spills riscv64-linux-gnu:sifive-u74 --l1d 32K:8:64:plru --l2 2M:16:64:random --prefetch 8:2:4:1 "
           "--branches gshare:14:10:14 --switches last:16");
    board_free(pi);
    board_free(u74);
}

/* boards/raspberrypi3/board.ini, and its skeleton, where board.ini says nothing. */
static void of_a_description(void **state)
{
    (void)state;
    struct board *b = board("boards/raspberrypi3");
    expect(
        b,
        "--sizes --spills aarch64-linux-gnu:cortex-a53 --l1d 32K:4:64:random --l2 512K:16:64:random --prefetch 2:2:5:4 "
        "--branches gshare:12:6:0");
    for (size_t i = 0; b->count_simulate[i]; i++)
        free(b->count_simulate[i]);
    b->count_simulate[0] = 0;
    expect(b, "--sizes --spills aarch64-linux-gnu:cortex-a53 --memory --branches gshare:12:8 --l1d 32K:4:64:lru --l2 "
              "512K:16:64:lru");
    b->skeleton[0] = 0;
    expect(b, "--sizes --spills aarch64-linux-gnu:cortex-a53 --memory --branches gshare:12:8");
    board_free(b);
}

static void a_model_that_is_not_there(void **state)
{
    (void)state;
    struct board *b = board("boards/raspberrypi3-sim");
    struct board_args args = {0};
    struct error e = ERROR_INIT;
    b->model[strlen(b->model) - 1] = 'x';
    assert_int_not_equal(simulated_defaults(&args, b, &e), OK);
    assert_non_null(strstr(e.message, "cannot be opened"));
    error_release(&e);
    board_args_release(&args);
    board_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_model),
        cmocka_unit_test(of_a_description),
        cmocka_unit_test(a_model_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
