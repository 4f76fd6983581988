/* Which caches of a SHIM file a core's data accesses meet. The systems are written down by hand: c(ore) 0 and 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "shimgen/profile/shim_caches.h"
#include "shimgen/estimate/shim_core.h"

static struct shimxml_core cores[] = {
    {.name = "Dma", .id = "M0", .type = "TU"},
    {.name = "Big", .id = "M1", .type = "PU"},
    {.name = "Little", .id = "M2", .type = "PU"},
};
#define BIG    1
#define LITTLE 2
#define CACHE(name_, type_, core_, n_, ...)                                                                            \
    {                                                                                                                  \
        .name = (name_), .type = (type_), .core = (core_), .inner = (size_t[]){__VA_ARGS__}, .n_inner = (n_)           \
    }
static struct shimxml_system system_of(struct shimxml_cache *caches, size_t n)
{
    return (struct shimxml_system){.cores = cores, .n_cores = 3, .caches = caches, .n_caches = n};
}

static void chosen(struct shimxml_cache *caches, size_t n, size_t core, const char *l1d, const char *l2)
{
    struct shimxml_system s = system_of(caches, n);
    struct data_caches found;
    struct error e = ERROR_INIT;
    if (shim_data_caches(&found, &s, core, "f.xml", &e))
        fail_msg("%s", e.message);
    assert_string_equal(found.l1d->name, l1d);
    assert_string_equal(found.l2 ? found.l2->name : "none", l2);
}

static void refused(struct shimxml_cache *caches, size_t n, size_t core, const char *part)
{
    struct shimxml_system s = system_of(caches, n);
    struct data_caches found;
    struct error e = ERROR_INIT;
    assert_int_equal(shim_data_caches(&found, &s, core, "f.xml", &e), ERR_INPUT);
    assert_string_equal(e.file, "f.xml");
    if (!strstr(e.message, part))
        fail_msg("'%s' is not in '%s'", part, e.message);
    error_release(&e);
}

static void follows_references(void **state)
{
    (void)state;
    /* a shared L2, and an L3 that refers to it */
    struct shimxml_cache shared[] = {
        CACHE("L1I", "INSTRUCTION", BIG, 0, 0),       CACHE("L1D", "DATA", BIG, 0, 0),
        CACHE("l1d", "DATA", LITTLE, 0, 0),           CACHE("L2", "UNIFIED", SHIMXML_SHARED, 3, 0, 1, 2),
        CACHE("L3", "UNIFIED", SHIMXML_SHARED, 1, 3),
    };
    chosen(shared, 5, BIG, "L1D", "L2");
    chosen(shared, 5, LITTLE, "l1d", "L2");
    refused(shared, 5, 0, "core 'Dma' has no data cache of its own");
    /* an L2 in the core; one that another core has for itself is none of its business */
    struct shimxml_cache own[] = {
        CACHE("L2", "UNIFIED", BIG, 3, 2, 1, 1),
        CACHE("L1I", "INSTRUCTION", BIG, 0, 0),
        CACHE("L1D", "DATA", BIG, 0, 0),
        CACHE("l1d", "DATA", LITTLE, 0, 0),
    };
    chosen(own, 4, BIG, "L1D", "L2");
    chosen(own, 4, LITTLE, "l1d", "none");
    /* one cache for code and data, beside one for code */
    struct shimxml_cache unified[] = {
        CACHE("L0", "INSTRUCTION", BIG, 0, 0),
        CACHE("L1", "UNIFIED", BIG, 1, 0),
    };
    chosen(unified, 2, BIG, "L1", "none");
}

static void asks_where_the_file_does_not_say(void **state)
{
    (void)state;
    struct shimxml_cache two[] = {CACHE("A", "DATA", BIG, 0, 0), CACHE("B", "UNIFIED", BIG, 0, 0)};
    refused(two, 2, BIG, "which is the first data cache of core 'Big': 'A', 'B'?");
    struct shimxml_cache fork[] = {CACHE("A", "DATA", BIG, 0, 0), CACHE("B", "UNIFIED", SHIMXML_SHARED, 1, 0),
                                   CACHE("C", "DATA", BIG, 1, 0)};
    refused(fork, 3, BIG, "which is the next level after 'A' of core 'Big': 'B', 'C'?");
    struct shimxml_cache loose[] = {CACHE("A", "DATA", BIG, 0, 0), CACHE("B", "UNIFIED", SHIMXML_SHARED, 0, 0)};
    refused(loose, 2, BIG, "is 'B' the next level after 'A' of core 'Big'?");
    struct shimxml_cache self[] = {CACHE("A", "DATA", BIG, 1, 0)}; /* a ring of one; check says so */
    refused(self, 1, BIG, "no data cache");
    refused(0, 0, BIG, "no data cache");
}

static void reads_geometries(void **state)
{
    (void)state;
    static const struct {
        double bytes;
        long ways, line;
        enum sim_replacement replacement;
        const char *text; /* or a part of the refusal */
    } cases[] = {
        {32768, 4, 64, SIM_LRU, "32K:4:64:lru"},
        {49152, 12, 64, SIM_FIFO, "48K:12:64:fifo"},
        {1048576, 16, 32, SIM_PLRU, "1M:16:32:plru"},
        {512, 1, 16, SIM_RANDOM, "512:1:16:random"},
        {0, 4, 64, SIM_LRU, "the size of cache 'A' is not given"},
        {32768, 0, 64, SIM_LRU, "the number of ways (nWay) of cache 'A' is not given"},
        {32768, 4, 0, SIM_LRU, "the line size (lineSize) of cache 'A' is not given"},
        {24576, 8, 64, SIM_LRU,
         "cache 'A' of 24576 bytes, 8 ways, lines of 64 bytes cannot be simulated: the size must be"},
        {32768, 4, 48, SIM_LRU, "the line must be a power of two"},
        {1e30, 4, 64, SIM_LRU, "cannot be simulated"},
        {49152, 12, 64, SIM_PLRU, "plru needs a power of two of ways"},
        {32768, 999999999, 64, SIM_LRU, "there must be 1 to 4096 ways"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shimxml_cache c = {.name = "A", .bytes = cases[i].bytes, .ways = cases[i].ways, .line = cases[i].line};
        struct sim_cache geometry;
        struct error e = ERROR_INIT;
        enum status s = shim_cache_geometry(&geometry, &c, cases[i].replacement, "f.xml", "--l1d", &e);
        char *text = s ? error_text(&e) : shim_cache_text(&geometry);
        if (s ? !strstr(text, cases[i].text) || !strstr(text, "--l1d") : strcmp(text, cases[i].text) != 0)
            fail_msg("'%s' is not '%s'", text, cases[i].text);
        assert_int_equal(s, i < 4 ? OK : ERR_INPUT);
        free(text);
        error_release(&e);
    }
    assert_int_equal(shim_cache_replacement("plru"), SIM_PLRU);
    assert_int_equal(shim_cache_replacement("mru"), SIM_REPLACEMENT_N);
}

static void chooses_cores(void **state)
{
    (void)state;
    struct shimxml_system s = system_of(0, 0);
    struct error e = ERROR_INIT;
    size_t core = 9;
    assert_int_equal(shim_core(&core, &s, "f.xml", 0, &e), OK);
    assert_int_equal(core, BIG); /* none has instructions: the first processing unit */
    cores[LITTLE].n_instructions = 1;
    assert_int_equal(shim_core(&core, &s, "f.xml", 0, &e), OK);
    assert_int_equal(core, LITTLE);
    cores[LITTLE].n_instructions = 0;
    assert_int_equal(shim_core(&core, &s, "f.xml", "Dma", &e), OK);
    assert_int_equal(core, 0);
    assert_int_equal(shim_core(&core, &s, "f.xml", "M1", &e), OK);
    assert_int_equal(core, BIG);
    assert_int_equal(shim_core(&core, &s, "f.xml", "Big ", &e), ERR_INPUT);
    assert_string_equal(e.message, "there is no core 'Big '; there are: Dma, Big, Little");
    s.n_cores = 1;
    assert_int_equal(shim_core(&core, &s, "f.xml", 0, &e), ERR_INPUT);
    assert_string_equal(e.message, "there is no processing unit in it; choose another core: Dma");
    error_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_references),
        cmocka_unit_test(asks_where_the_file_does_not_say),
        cmocka_unit_test(reads_geometries),
        cmocka_unit_test(chooses_cores),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
