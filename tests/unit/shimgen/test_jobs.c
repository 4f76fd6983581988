/* test_jobs.c - tests of shimgen/units/jobs.c: tasks in worker processes. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>

#include "shimgen/units/jobs.h"

/* Tasks run in other processes: what they did is seen through shared memory. */
struct board_of_marks {
    unsigned char times[64];
    size_t fail_at, die_at, done;
    enum status settled[64];
};

static struct board_of_marks *marks_new(void)
{
    struct board_of_marks *m = mmap(0, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(m != MAP_FAILED);
    *m = (struct board_of_marks){.fail_at = 999, .die_at = 999};
    return m;
}

static enum status mark(size_t index, void *context, struct error *e)
{
    struct board_of_marks *m = context;
    m->times[index]++;
    if (index == m->die_at)
        _exit(3);
    if (index == m->fail_at)
        return error_set(e, ERR_INPUT, AT("some.c", 17), "task %zu is wrong", index);
    return OK;
}

static void count_done(size_t index, size_t done, size_t total, void *context)
{
    (void)index;
    (void)total;
    ((struct board_of_marks *)context)->done = done;
}

static void every_task_runs_once(void **state)
{
    (void)state;
    for (size_t workers = 1; workers <= 5; workers++) {
        struct board_of_marks *m = marks_new();
        assert_int_equal(jobs_run(64, workers, mark, count_done, m, 0), OK);
        for (size_t i = 0; i < 64; i++)
            assert_int_equal(m->times[i], 1);
        assert_int_equal(m->done, 64);
        munmap(m, sizeof *m);
    }
    assert_int_equal(jobs_run(0, 4, mark, 0, 0, 0), OK);
}

static void failure_comes_back_with_its_place(void **state)
{
    (void)state;
    for (size_t workers = 1; workers <= 2; workers++) {
        struct board_of_marks *m = marks_new();
        m->fail_at = 5;
        struct error e = ERROR_INIT;
        assert_int_equal(jobs_run(64, workers, mark, 0, m, &e), ERR_INPUT);
        assert_string_equal(e.file, "some.c");
        assert_int_equal(e.line, 17);
        assert_string_equal(e.message, "task 5 is wrong");
        error_release(&e);
        munmap(m, sizeof *m);
    }
}

/* With one worker: how far another one is when the failure is told depends on the machine. */
static void nothing_is_begun_after_a_failure(void **state)
{
    (void)state;
    struct board_of_marks *m = marks_new();
    m->fail_at = 5;
    assert_int_equal(jobs_run(64, 1, mark, 0, m, 0), ERR_INPUT);
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(m->times[i], i <= 5);
    munmap(m, sizeof *m);
}

static void a_dead_worker_is_a_failure(void **state)
{
    (void)state;
    struct board_of_marks *m = marks_new();
    m->die_at = 3;
    struct error e = ERROR_INIT;
    assert_int_equal(jobs_run(10, 2, mark, 0, m, &e), ERR_SYSTEM);
    assert_non_null(strstr(e.message, "ended before"));
    error_release(&e);
    munmap(m, sizeof *m);
}

static enum status settle(size_t index, enum status s, void *context, struct error *e)
{
    struct board_of_marks *m = context;
    m->settled[index] = s;
    error_release(e);
    return OK;
}

/* A failure that is dealt with ends nothing, and a worker that died is replaced: all other tasks run. */
static void others_go_on(void **state)
{
    (void)state;
    for (size_t workers = 1; workers <= 3; workers++) {
        struct board_of_marks *m = marks_new();
        m->die_at = 3;
        m->fail_at = 6;
        assert_int_equal(jobs_try(10, workers, mark, count_done, settle, m, 0), OK);
        for (size_t i = 0; i < 10; i++) {
            assert_int_equal(m->times[i], 1);
            assert_int_equal(m->settled[i], i == 3 ? ERR_SYSTEM : i == 6 ? ERR_INPUT : OK);
        }
        munmap(m, sizeof *m);
    }
}

/* So few file descriptors are left that not all pipes of the workers can be made. */
static void without_pipes_the_standard_input_stays_open(void **state)
{
    (void)state;
    struct board_of_marks *m = marks_new();
    int input = open("/dev/null", O_RDONLY), lowest_free = dup(input);
    assert_true(lowest_free > 0);
    close(lowest_free);
    assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    for (rlim_t more = 0; more <= 7; more++) { /* so many can still be opened: 4 for each worker, 2 of them stay */
        few = (struct rlimit){(rlim_t)lowest_free + more, before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        struct error e = ERROR_INIT;
        enum status s = jobs_run(64, 4, mark, 0, m, &e);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
        assert_int_equal(s, ERR_SYSTEM);
        assert_non_null(strstr(e.message, "no pipe for a worker"));
        error_release(&e);
        assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
        int next = dup(input); /* and nothing is left open */
        assert_int_equal(next, lowest_free);
        close(next);
    }
    close(input);
    munmap(m, sizeof *m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(failure_comes_back_with_its_place),
        cmocka_unit_test(nothing_is_begun_after_a_failure),
        cmocka_unit_test(a_dead_worker_is_a_failure),
        cmocka_unit_test(others_go_on),
        cmocka_unit_test(without_pipes_the_standard_input_stays_open),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
