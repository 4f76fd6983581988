/* The data of a page, from a profile that is handed over here: call paths, groups, and what has no room for all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "perf-xml/page/page_data.h"

static struct page_data d;
static struct error e = ERROR_INIT;

static void enter(enum perf_level level, uint64_t id, const char *name)
{
    assert_int_equal(perf_send_open(&d.sink, &(struct perf_group){.level = level, .id = id, .name = name}, &e), OK);
}

static void leave(enum perf_level level)
{
    assert_int_equal(perf_send_close(&d.sink, level, &e), OK);
}

static void data(double v)
{
    const struct perf_data x = {.unit = "u", .value = {.kind = PERF_REAL, .d = v}};
    assert_int_equal(perf_send_data(&d.sink, &x, &e), OK);
}

static void item(const char *name, double v)
{
    enter(PERF_ITEM, 0, name);
    data(v);
    leave(PERF_ITEM);
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in: %.2000s", part, text);
}

/* Paths by their place in the list, -1 for none, then pairs of an item's place and its sum over the threads. */
static void call_paths(void **state)
{
    (void)state;
    struct str out = STR_INIT;
    page_data_init(&d, true);
    assert_int_equal(perf_send_callpath(&d.sink, &(struct perf_callpath){.id = 5, .name = "main"}, &e), OK);
    assert_int_equal(
        perf_send_callpath(&d.sink, &(struct perf_callpath){.id = 3, .name = "f", .has_parent = true, .parent = 5}, &e),
        OK);
    for (uint64_t thread = 0; thread < 2; thread++) {
        if (!thread)
            enter(PERF_PROCESS, 0, 0);
        enter(PERF_THREAD, thread, 0);
        enter(PERF_CATEGORY, 0, "metrics");
        item("cycles", 10);
        enter(PERF_ITEM, 0, "time");
        data(8);
        enter(PERF_ITEM, 3, 0); /* of call path 3 */
        data(2.5);
        leave(PERF_ITEM);
        leave(PERF_ITEM);
        leave(PERF_CATEGORY);
        leave(PERF_THREAD);
    }
    leave(PERF_PROCESS);
    page_data_write(&d, &out);
    has(str_text(&out), "\"nProcesses\":1,\"nThreads\":2,\"nValues\":6,");
    has(str_text(&out), "[\"metrics\",\"\",\"time\",\"u\",\"measured\",null,2,8,8,8,16]]");
    has(str_text(&out), "\"nPaths\":2,\"paths\":[[\"main\",-1,[]],\n[\"f\",0,[1,5]]]");
    str_release(&out);
    page_data_release(&d);
}

static void profile_of(size_t processes, const char *metric, const char *made)
{
    page_data_init(&d, true);
    for (size_t p = 0; p < processes; p++) {
        enter(PERF_PROCESS, p, 0);
        enter(PERF_THREAD, 0, 0);
        for (int k = 0; k < 2; k++)
            if (k ? made : metric) {
                enter(PERF_CATEGORY, 0, k ? "performance" : "metrics");
                item(k ? made : metric, (double)p);
                leave(PERF_CATEGORY);
            }
        leave(PERF_THREAD);
        leave(PERF_PROCESS);
    }
}

static void page_has(const char *first, const char *second)
{
    struct str out = STR_INIT;
    page_data_write(&d, &out);
    has(str_text(&out), first);
    has(str_text(&out), second);
    str_release(&out);
    page_data_release(&d);
}

/* 120,000 values of processes have a row each below that, then two share one: 0 and 1 have 0.5 in the mean. */
static void processes_together(void **state)
{
    (void)state;
    profile_of(119999, "c", 0);
    page_has("\"together\":1,\n\"processes\":[[0,0,null,1,[0]],\n[1,1,null,1,[1]],",
             "[119998,119998,null,1,[1.2e+05]]],\n");
    profile_of(120001, "c", 0);
    page_has("\"together\":2,\n\"processes\":[[0,1,null,2,[0.5]],\n[2,3,null,2,[2.5]],",
             "[120000,120000,null,1,[1.2e+05]]],\n"); /* the last is alone */
}

/* 280,000 values of threads have room; beyond that those that are made of events; beyond that none. */
static void threads_that_have_room(void **state)
{
    (void)state;
    profile_of(140000, "c", "m");
    page_has("\"threadsHave\":\"all\",\n\"threads\":[[0,0,null,[0,0]],\n[1,0,null,[1,1]],", "\"nThreads\":140000,");
    profile_of(140001, "c", "m");
    page_has("\"threadsHave\":\"items\",\n\"threads\":[[0,0,null,[null,0]],\n[1,0,null,[null,1]],",
             "\"nThreads\":140001,");
    profile_of(280001, "c", 0);
    page_has("\"threadsHave\":\"none\",\n\"threads\":[],", "\"nThreads\":280001,");
}

/* The other of two profiles is not shown by process and thread. */
static void the_other_one(void **state)
{
    (void)state;
    struct str out = STR_INIT;
    page_data_init(&d, false);
    enter(PERF_PROCESS, 0, 0);
    enter(PERF_THREAD, 0, 0);
    enter(PERF_CATEGORY, 0, "performance");
    enter(PERF_ITEM, 0, "by stall"); /* a group of items */
    item("front end", 3);
    leave(PERF_ITEM);
    leave(PERF_CATEGORY);
    leave(PERF_THREAD);
    leave(PERF_PROCESS);
    page_data_write(&d, &out);
    has(str_text(&out),
        "\"items\":[[\"performance\",\"by stall\",\"front end\",\"u\",\"measured\",null,1,3,3,3,3]],\n\"nPaths\":0,");
    str_release(&out);
    page_data_release(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(call_paths), cmocka_unit_test(processes_together),
                                       cmocka_unit_test(threads_that_have_room), cmocka_unit_test(the_other_one)};
    return cmocka_run_group_tests(tests, 0, 0);
}
