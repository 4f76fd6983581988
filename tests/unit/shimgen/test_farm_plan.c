/* test_farm_plan.c - programs assigned to tasks; plans written and read again; plans that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "shimgen/farm/farm_plan.h"

static const char *const names[] = {"a@O0", "b@O0", "c@O0", "d@O0", "e@O0", "f@O0", "g@O0"};

/* Few units, by hand: seven to three, of which the one that is the furthest behind 2, 2, 3 of seven is next. */
static void assigned(void **state)
{
    (void)state;
    struct farm_plan p = {0};
    farm_plan_assign(&p, names, 7, 3, 1);
    assert_int_equal(p.tasks.n, 3);
    assert_int_equal(p.tasks.at[0].n, 2);
    assert_int_equal(p.tasks.at[1].n, 2);
    assert_int_equal(p.tasks.at[2].n, 3);
    assert_string_equal(p.tasks.at[2].units[0], "a@O0");
    assert_string_equal(p.tasks.at[0].units[0], "b@O0");
    assert_string_equal(p.tasks.at[1].units[0], "c@O0");
    farm_plan_release(&p);
    farm_plan_assign(&p, names, 2, 5, 1);
    assert_int_equal(p.tasks.n, 2);
    assert_int_equal(p.tasks.at[0].n + p.tasks.at[1].n, 2);
    farm_plan_release(&p);
    farm_plan_assign(&p, names, 0, 0, 0);
    assert_int_equal(p.tasks.n, 0);
}

/* A hundred units, two processors: 20, 20, 15, 15, 10, 10, 5, 5. The first half are of one level, the second of another:
 * each task has as many of both, but for one. */
static void large_ones_first(void **state)
{
    static const size_t want[] = {20, 20, 15, 15, 10, 10, 5, 5};
    static char text[100][8];
    const char *units[100];
    (void)state;
    struct farm_plan p = {0};
    bool seen[100] = {false};
    for (int i = 0; i < 100; i++) {
        snprintf(text[i], sizeof text[i], "u%d", i);
        units[i] = text[i];
    }
    farm_plan_assign(&p, units, 100, 8, 2);
    assert_int_equal(p.tasks.n, 8);
    for (size_t t = 0; t < 8; t++) {
        size_t first_half = 0;
        assert_int_equal(p.tasks.at[t].n, want[t]);
        for (size_t i = 0; i < p.tasks.at[t].n; i++) {
            long number = strtol(p.tasks.at[t].units[i] + 1, NULL, 10);
            assert_false(seen[number]);
            seen[number] = true;
            first_half += number < 50;
        }
        assert_in_range(2 * first_half, want[t] - 1, want[t] + 1);
    }
    farm_plan_release(&p);
}

/* Four tasks a processor, no more than there are programs or the engine takes. */
static void how_many(void **state)
{
    (void)state;
    assert_int_equal(farm_plan_tasks(1000, 2, 0), 8);
    assert_int_equal(farm_plan_tasks(5, 2, 0), 5);
    assert_int_equal(farm_plan_tasks(10000, 500, 1000), 1000);
    assert_int_equal(farm_plan_tasks(10, 0, 0), 4);
    assert_int_equal(farm_plan_tasks(0, 3, 0), 0);
}

static char *file_in(const char *folder)
{
    return path_join(folder, "plan.json");
}

static void there_and_back(void **state)
{
    struct error e = ERROR_INIT;
    struct farm_plan p = {0}, q;
    char *path = file_in(*state);
    p.directory = xstrdup("/here \"and\" there");
    p.board = xstrdup("./mine");
    p.runs = 5;
    p.precision = 0.125;
    p.levels = xstrdup("O0,O2");
    p.tools = UINT64_C(0xfedcba9876543210);
    p.settings = 1;
    board_args_add(&p.simulate, "--l1d");
    board_args_add(&p.simulate, "32K:4:64");
    farm_plan_assign(&p, names, 7, 2, 2);
    assert_int_equal(farm_plan_write(&p, path, &e), OK);
    assert_int_equal(farm_plan_read(&q, path, &e), OK);
    assert_string_equal(p.id, q.id);
    assert_string_equal(q.directory, p.directory);
    assert_string_equal(q.board, "./mine");
    assert_string_equal(q.levels, "O0,O2");
    assert_null(q.samples);
    assert_null(q.ssh);
    assert_int_equal(q.runs, 5);
    assert_true(q.precision == 0.125 && q.tools == p.tools && q.settings == 1);
    assert_int_equal(q.simulate.n, 2);
    assert_string_equal(q.simulate.at[1], "32K:4:64");
    assert_int_equal(q.tasks.n, 2);
    assert_string_equal(q.tasks.at[1].units[2], "e@O0");
    farm_plan_release(&p);
    farm_plan_release(&q);
    error_release(&e);
    free(path);
}

/* What is no plan is refused, whatever member is wrong. */
static void refused(void **state)
{
#define HEAD  "{\"format\": \"shimgen-farm-plan\", \"version\": 1, \"directory\": \"/\", \"board\": \"b\", "
#define REST  "\"precision\": 0, \"simulate\": [], \"settings\": \"0000000000000001\", "
#define TOOLS "\"tools\": \"0000000000000002\", "
    static const char *const texts[] = {
        "",
        "[]",
        "{\"format\": \"other\", \"version\": 1}",
        "{\"format\": \"shimgen-farm-plan\", \"version\": 2}",
        HEAD REST TOOLS "\"tasks\": []}",                           /* no runs */
        HEAD REST TOOLS "\"runs\": -1, \"tasks\": []}",             /* runs below 0 */
        HEAD REST TOOLS "\"runs\": 0, \"tasks\": [[1]]}",           /* no name */
        HEAD REST TOOLS "\"runs\": 0, \"tasks\": 5}",               /* no list */
        HEAD REST "\"tools\": \"12\", \"runs\": 0, \"tasks\": []}", /* no checksum */
        HEAD REST "\"tools\": \"000000000000000x\", \"runs\": 0, \"tasks\": []}",
        "{\"format\": \"shimgen-farm-plan\", \"version\": 1, \"board\": \"b\", \"directory\": null, " REST TOOLS
        "\"runs\": 0, \"tasks\": []}",
    };
    char *path = file_in(*state);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct error e = ERROR_INIT;
        struct farm_plan p;
        assert_int_equal(file_write(path, texts[i], strlen(texts[i]), &e), OK);
        assert_int_equal(farm_plan_read(&p, path, &e), ERR_INPUT);
        assert_non_null(e.message);
        farm_plan_release(&p);
        error_release(&e);
    }
    struct error e = ERROR_INIT;
    struct farm_plan p;
    const char good[] = HEAD REST TOOLS "\"runs\": 0, \"tasks\": [[\"a@O0\"]]}";
    assert_int_equal(file_write(path, good, strlen(good), &e), OK);
    assert_int_equal(farm_plan_read(&p, path, &e), OK); /* so it was the member each time */
    farm_plan_release(&p);
    free(path);
}

static int make_folder(void **state)
{
    struct error e = ERROR_INIT;
    char *folder = 0;
    cleanup_install();
    if (temp_directory(&folder, "test-plan", &e))
        return -1;
    *state = folder;
    return 0;
}

static int drop_folder(void **state)
{
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(assigned), cmocka_unit_test(large_ones_first),
                                       cmocka_unit_test(how_many), cmocka_unit_test(there_and_back),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
