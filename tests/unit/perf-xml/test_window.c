/* Values that stay in their file: each is the one that stands there, in any order of locations, with room for few. */
#include "tests/unit/boards/fixture.h"

#include <fcntl.h>

#include "perf-xml/cubex/cubex.h"

enum { ROWS = 3, LOCATIONS = 10, BEFORE = 5, SIZE = 2 };

static struct cube cube;
static struct values values;
static size_t row_of[ROWS];

/* Behind a few other bytes: 100 times the row and the location, of two bytes, least first. */
static void begin(size_t most, size_t cut)
{
    static unsigned char file[BEFORE + ROWS * LOCATIONS * SIZE];
    static struct location locations[LOCATIONS];
    struct error e = ERROR_INIT;
    for (size_t i = 0; i < ROWS * LOCATIONS; i++)
        file[BEFORE + 2 * i] = (unsigned char)(100 * (i / LOCATIONS) + i % LOCATIONS);
    char *path = in_scratch("values");
    assert_int_equal(file_write(path, (const char *)file, sizeof file - cut, &e), OK);
    cube = (struct cube){.locations = {.at = locations, .n = LOCATIONS}};
    values = (struct values){.cube = &cube, .row = row_of, .n_rows = ROWS, .size = SIZE, .kind = PERF_UNSIGNED};
    values.window = xcalloc(1, sizeof *values.window);
    *values.window = (struct window){.fd = open(path, O_RDONLY), .at = BEFORE};
    assert_true(values.window->fd >= 0);
    windows_share(&values, 1);
    assert_int_equal(values.window->most, LOCATIONS); /* all of them have room */
    values.window->most = most;
    for (size_t i = 0; i < ROWS; i++)
        row_of[i] = i;
    free(path);
}

static void end(void)
{
    close(values.window->fd);
    window_free(values.window);
}

static void is(size_t row, size_t location)
{
    assert_int_equal(values_stored(&values, row, location).u, 100 * row + location);
}

static void test_in_order(void **state)
{
    (void)state;
    for (size_t most = 1; most <= LOCATIONS; most++) {
        begin(most, 0);
        for (size_t l = 0; l < LOCATIONS; l++)
            for (size_t row = 0; row < ROWS; row++)
                is(row, l);
        assert_int_equal(values.window->most, most); /* no need to read less */
        end();
    }
}

static void test_backwards(void **state)
{
    (void)state;
    begin(8, 0);
    for (size_t l = LOCATIONS; l-- > 0;)
        for (size_t row = 0; row < ROWS; row++)
            is(row, l);
    assert_int_equal(values.window->most, 1);
    assert_false(values.window->failed);
    end();
}

static void test_anywhere(void **state)
{
    (void)state;
    begin(4, 0);
    for (size_t l = 0; l < LOCATIONS; l++)
        is(l % ROWS, l * 7 % LOCATIONS);
    end();
}

/* The file has become shorter: 0, and it is known. */
static void test_cut(void **state)
{
    (void)state;
    begin(LOCATIONS, 1);
    assert_int_equal(values_stored(&values, 0, 1).u, 0);
    assert_true(values.window->failed);
    end();
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_backwards),
        cmocka_unit_test(test_anywhere),
        cmocka_unit_test(test_cut),
    };
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
