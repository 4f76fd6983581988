/* test_accelerator.c - descriptions of accelerators: where each key belongs, absent keys, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shimgen/offload/event_weights.h"
#include "shimgen/offload/offload.h"
#include "tests/unit/offload/files.h"

#define LEAST "[accelerator]\nlocal_memory = 256K\n[link]\nbandwidth = 4e9\n[thresholds]\nintensity = 3\n"

static struct accelerator read_text(const char *text)
{
    struct accelerator a;
    struct error e = ERROR_INIT;
    char *path = files_write("a.ini", text);
    if (accelerator_read(&a, path, &e))
        fail_msg("%s", e.message);
    assert_string_equal(a.path, path);
    free(path);
    return a;
}

static void each_key(void **state)
{
    (void)state;
    struct accelerator a =
        read_text("[accelerator]\nname = N\nlocal_memory = 512K:4:32\nflops = 1e12\ninteger_operations = 2e12\n"
                  "memory = 3e10\n[link]\nname = L\nbandwidth = 4e9\nlatency = 1e-6\n[host]\nname = H\ncores = 4\n"
                  "flops = 8e9\ninteger_operations = 6e9\nbandwidth = 2e9\nclock = 5e9\nl2 = 1M\n[thresholds]\n"
                  "intensity = 3\ninteger_intensity = 7\nrate = 9\nfunctions = 11\nshare = 1\n[sources]\n"
                  "intensity = i\ninteger_intensity = j\nrate = r\nfunctions = f\nshare = s\n");
    assert_string_equal(a.name, "N");
    assert_string_equal(a.link_name, "L");
    assert_string_equal(a.host_name, "H");
    assert_int_equal(a.local.size, 524288);
    assert_int_equal(a.local.ways, 4);
    assert_int_equal(a.local.line, 32);
    assert_int_equal(a.host_l2.size, 1048576);
    assert_int_equal(a.host_l2.ways, 8);
    assert_int_equal(a.host_l2.line, 64);
    const double found[] = {a.flops,
                            a.integers,
                            a.memory,
                            a.link,
                            a.latency,
                            a.host_clock,
                            a.rate.value,
                            a.intensity.value,
                            a.share.value,
                            a.functions.value,
                            a.integer_intensity.value},
                 wanted[] = {1e12, 2e12, 3e10, 4e9, 1e-6, 5e9, 9, 3, 1, 11, 7};
    assert_memory_equal(found, wanted, sizeof wanted);
    const char *const sources[] = {a.intensity.source, a.integer_intensity.source, a.rate.source, a.functions.source,
                                   a.share.source};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(sources[i], ((const char *const[]){"i", "j", "r", "f", "s"})[i]);
    accelerator_release(&a);
}

/* Of a host with 4 cores 4 x 8e9 / 2e9 = 16 operations a byte, 4 x 6e9 / 2e9 = 12 on integers; without cores a fourth. The rate is the link's. */
static void what_stands_for_what(void **state)
{
    (void)state;
    for (int cores = 1; cores <= 4; cores += 3) {
        char *text = xasprintf("[accelerator]\nlocal_memory = 256K\n[link]\nbandwidth = 4e9\n[host]\nflops = 8e9\n"
                               "integer_operations = 6e9\nbandwidth = 2e9\n%s",
                               cores > 1 ? "cores = 4\n" : "");
        struct accelerator a = read_text(text);
        assert_float_equal(a.intensity.value, 4 * cores, 1e-9);
        assert_float_equal(a.integer_intensity.value, 3 * cores, 1e-9);
        assert_string_equal(a.intensity.source, "the host's peak over its bandwidth");
        assert_string_equal(a.integer_intensity.source, "the host's peak over its bandwidth");
        assert_float_equal(a.rate.value, 4e9, 0);
        assert_string_equal(a.rate.source, "the link's bandwidth in one direction");
        assert_float_equal(a.functions.value, 20, 0);
        assert_string_equal(a.functions.source, "20 functions");
        assert_float_equal(a.share.value, 0.8, 0);
        assert_string_equal(a.share.source, "80 % of the time");
        assert_int_equal(a.host_l2.size, 0);
        assert_true(isnan(a.flops) && isnan(a.integers) && isnan(a.memory) && isnan(a.latency) && isnan(a.host_clock));
        assert_null(a.name);
        accelerator_release(&a);
        free(text);
    }
    struct accelerator a = read_text(LEAST "[sources]\nfunctions = mine\n"); /* a source without its threshold */
    assert_float_equal(a.functions.value, 20, 0);
    assert_string_equal(a.functions.source, "mine");
    assert_true(isnan(a.integer_intensity.value));
    assert_null(a.integer_intensity.source);
    assert_null(a.intensity.source);
    accelerator_release(&a);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned long line;
        const char *message;
    } cases[] = {
        {LEAST "share = 1.001\n", 0, "'share' must be at most 1, such as 0.8"},
        {LEAST "share = 0\n", 7, "'share' must be a number above 0, such as 8e9, but is '0'"},
        {LEAST "rate = inf\n", 7, "'rate' must be a number above 0, such as 8e9, but is 'inf'"},
        {LEAST "functions = 2x\n", 7, "'functions' must be a number above 0, such as 8e9, but is '2x'"},
        {LEAST "rates = 1\n", 7, "unknown key 'rates' in section [thresholds]; did you mean 'thresholds.rate'?"},
        {LEAST "rate = no\nshare = no\n", 7, "'rate' must be a number above 0, such as 8e9, but is 'no'"},
        {LEAST "[host]\nl2 = 0\n", 8, "'l2' must be SIZE or SIZE:WAYS:LINE, such as 256K:8:64, but is '0'"},
        {LEAST "[host]\nl2 = 1K:8:0\n", 8, "'l2' must be SIZE or SIZE:WAYS:LINE, such as 256K:8:64, but is '1K:8:0'"},
        {LEAST "[host]\nl2 = 1K:0:8\n", 8, "'l2' must be SIZE or SIZE:WAYS:LINE, such as 256K:8:64, but is '1K:0:8'"},
        {LEAST "[host]\nl2 = 1K:8\n", 8, "'l2' must be SIZE or SIZE:WAYS:LINE, such as 256K:8:64, but is '1K:8'"},
        {LEAST "[host]\nl2 = 1K:8:6:4\n", 8,
         "'l2' must be SIZE or SIZE:WAYS:LINE, such as 256K:8:64, but is '1K:8:6:4'"},
        {"[link]\nbandwidth = 4e9\n[thresholds]\nintensity = 3\n", 0, "[accelerator] local_memory = SIZE is missing"},
        {"[accelerator]\nlocal_memory = 1K\n[thresholds]\nintensity = 3\n", 0,
         "[thresholds] rate = BYTES A SECOND, or [link] bandwidth is missing"},
        {"[accelerator]\nlocal_memory = 1K\n[link]\nbandwidth = 4e9\n[host]\nflops = 2\n", 0,
         "[thresholds] intensity = OPERATIONS A BYTE, or [host] flops and bandwidth is missing"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct accelerator a;
        struct error e = ERROR_INIT;
        char *path = files_write("bad.ini", cases[i].text);
        assert_int_equal(accelerator_read(&a, path, &e), ERR_INPUT);
        assert_string_equal(e.message, cases[i].message);
        assert_string_equal(e.file, path);
        assert_int_equal(e.line, cases[i].line);
        error_release(&e);
        accelerator_release(&a);
        free(path);
    }
}

/* Those that are installed have names; a path has none. */
static void installed(void **state)
{
    (void)state;
    struct accelerator a;
    struct error e = ERROR_INIT;
    setenv("SHIMGEN_PREFIX", files_folder, 1);
    char *folder = path_join(files_folder, "share/shimgen/accelerators");
    assert_int_equal(make_directories(folder, &e), OK);
    free(files_write("share/shimgen/accelerators/one.ini", LEAST));
    free(files_write("share/shimgen/accelerators/two.x.ini", LEAST));
    assert_int_equal(accelerator_read(&a, "one", &e), OK);
    assert_int_equal(a.local.size, 262144);
    accelerator_release(&a);
    assert_int_equal(accelerator_read(&a, "three", &e), ERR_INPUT);
    assert_string_equal(e.message, "there is no such file, and no accelerator of this name; there are: one, two.x");
    accelerator_release(&a);
    error_release(&e);
    assert_int_equal(accelerator_read(&a, "./one", &e), ERR_INPUT);
    assert_string_equal(e.file, "./one");
    accelerator_release(&a);
    error_release(&e);
    unsetenv("SHIMGEN_PREFIX");
    free(folder);
}

/* ---- events ---- */

static void weights(void **state)
{
    (void)state;
    struct event_weights w;
    struct error e = ERROR_INIT;
    char *path = files_write("e.ini", "[cpu]\nname = P\n[cycles]\nc = 1\n[seconds]\ns = 1e-9\n[operations]\no = 4\n"
                                      "[bytes]\nb = 64\n[instructions]\ni = 2\n");
    assert_int_equal(event_weights_read(&w, path, &e), OK);
    assert_string_equal(w.name, "P");
    assert_string_equal(w.path, path);
    assert_int_equal(w.events.n, 5);
    static const enum event_meaning meanings[] = {EVENT_CYCLES, EVENT_SECONDS, EVENT_OPERATIONS, EVENT_BYTES,
                                                  EVENT_INSTRUCTIONS};
    static const double values[] = {1, 1e-9, 4, 64, 2};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(w.events.at[i].event[0], "csobi"[i]);
        assert_int_equal(w.events.at[i].meaning, meanings[i]);
        assert_true(w.events.at[i].weight == values[i]);
    }
    event_weights_release(&w);
    free(path);
}

static void weights_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned long line;
        const char *message;
    } cases[] = {{"[cycles]\nc = 0\n", 2, "the weight of 'c' must be a number above 0"},
                 {"[cycles]\nc = -1\n", 2, "the weight of 'c' must be a number above 0"},
                 {"[bytes]\nb = inf\n", 2, "the weight of 'b' must be a number above 0"},
                 {"[cpu]\nname = P\n", 0, "the file gives no event a weight"},
                 {"[cpu]\nnames = P\n", 2,
                  "unknown section [cpu]; there are: cpu, cycles, seconds, operations, bytes, instructions"},
                 {"[cpus]\nname = P\n", 2,
                  "unknown section [cpus]; there are: cpu, cycles, seconds, operations, bytes, instructions"}};
    struct event_weights w;
    struct error e = ERROR_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = files_write("bad.ini", cases[i].text);
        assert_int_equal(event_weights_read(&w, path, &e), ERR_INPUT);
        assert_string_equal(e.message, cases[i].message);
        assert_string_equal(e.file, path);
        assert_int_equal(e.line, cases[i].line);
        error_release(&e);
        event_weights_release(&w);
        free(path);
    }
    assert_int_equal(event_weights_read(&w, "nothing of this name", &e), ERR_INPUT);
    assert_string_equal(e.file, "nothing of this name");
    error_release(&e);
    event_weights_release(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_key), cmocka_unit_test(what_stands_for_what),
                                       cmocka_unit_test(refused),  cmocka_unit_test(installed),
                                       cmocka_unit_test(weights),  cmocka_unit_test(weights_refused)};
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
