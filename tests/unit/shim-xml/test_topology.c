/* Skeletons of synthetic machines: hwloc builds a machine from a sentence, so what must come out can be counted in the
 * sentence. Sizes that it does not give are hwloc's documented defaults (1 GiB a NUMA node, 32 KiB L1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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
    path = in_folder("s.xml");
    return 0;
}

struct made {
    struct shimxml_doc *d;
    struct shimxml_system *s;
    char *text;
};

static void release(struct made *m)
{
    shimxml_system_free(m->s);
    shimxml_free(m->d);
    free(m->text);
}

/* Made, written, read again: without errors, without warnings but the clock that nobody gave. */
static struct made make(const char *topology, double clock)
{
    struct made m = {0};
    struct error e = ERROR_INIT;
    struct shimxml_doc *made = 0;
    if (shimxml_new(&made, &(struct shimxml_machine){"t", clock, topology}, &e))
        fail_msg("%s: %s", topology, e.message);
    assert_int_equal(shimxml_write(made, path, 0), OK);
    shimxml_free(made);
    struct str text = STR_INIT;
    assert_int_equal(file_read(&text, path, FILE_LIMIT, 0), OK);
    m.text = str_detach(&text);
    assert_int_equal(shimxml_read(&m.d, path, 0), OK);
    struct shimxml_findings f = {0};
    shimxml_check(m.d, &f);
    for (size_t i = 0; i < f.n; i++)
        if (f.at[i].severity != SHIMXML_HINT && !(clock <= 0 && strcmp(f.at[i].rule, "no-clock") == 0))
            fail_msg("line %lu [%s]: %s", f.at[i].line, f.at[i].rule, f.at[i].text);
    assert_int_equal(f.warnings, clock <= 0 && topology);
    shimxml_findings_release(&f);
    assert_int_equal(shimxml_system(&m.s, m.d, 0), OK);
    return m;
}

static size_t occurrences(const char *text, const char *word)
{
    size_t n = 0;
    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

static const struct shimxml_cache *cache(const struct made *m, const char *name)
{
    for (size_t i = 0; i < m->s->n_caches; i++)
        if (strcmp(m->s->caches[i].name, name) == 0)
            return &m->s->caches[i];
    fail_msg("no cache %s", name);
    return 0;
}

static void two_threads_three_levels(void **state)
{
    (void)state;
    struct made m = make("pack:1 l3:1 l2:2 l1d:1 core:1 pu:2", 0);
    assert_int_equal(m.s->n_cores, 2);
    assert_int_equal(occurrences(m.text, "nThread=\"2\""), 2);
    assert_int_equal(m.s->n_caches, 5);
    assert_true(cache(&m, "L1_DataCache_0")->core == 0 && cache(&m, "L1_DataCache_1")->core == 1);
    assert_true(cache(&m, "L2_UnifiedCache_0")->core == 0 && cache(&m, "L2_UnifiedCache_1")->core == 1);
    assert_true(cache(&m, "L3_UnifiedCache_0")->core == SHIMXML_SHARED);
    assert_int_equal(cache(&m, "L1_DataCache_1")->level, 1);
    assert_int_equal(cache(&m, "L2_UnifiedCache_1")->level, 2);
    assert_int_equal(cache(&m, "L3_UnifiedCache_0")->level, 3);
    assert_int_equal(cache(&m, "L3_UnifiedCache_0")->serves, 2);
    assert_int_equal(cache(&m, "L2_UnifiedCache_0")->serves, 1);
    assert_true(cache(&m, "L1_DataCache_0")->bytes == 32768);
    assert_string_equal(cache(&m, "L1_DataCache_0")->type, "DATA");
    /* inwards: L2 to its L1, L3 to both L2 */
    assert_int_equal(occurrences(m.text, "<cacheRef>"), 4);
    const char *l3 = strstr(m.text, "name=\"L3_UnifiedCache_0\"");
    assert_non_null(strstr(l3, "<cacheRef>C_L2_UnifiedCache_0</cacheRef>"));
    assert_non_null(strstr(l3, "<cacheRef>C_L2_UnifiedCache_1</cacheRef>"));
    assert_true(m.s->clock_hz == 0 && m.s->cores[0].clock_hz == 0);
    assert_int_equal(m.s->n_memories, 1);
    release(&m);
}

static void instruction_caches_and_shared_l2(void **state)
{
    (void)state;
    struct made m = make("pack:1 l2:2 core:2 l1i:1(size=16384) l1d:1(size=8192) pu:1", 1.5e9);
    assert_int_equal(m.s->n_cores, 4);
    assert_int_equal(m.s->n_caches, 10);
    const struct shimxml_cache *l2 = cache(&m, "L2_UnifiedCache_1");
    assert_true(l2->core == SHIMXML_SHARED && l2->level == 2 && l2->serves == 2);
    assert_string_equal(cache(&m, "L1_InstructionCache_3")->type, "INSTRUCTION");
    assert_int_equal(cache(&m, "L1_InstructionCache_3")->core, 3);
    assert_true(cache(&m, "L1_InstructionCache_3")->bytes == 16384 && cache(&m, "L1_DataCache_3")->bytes == 8192);
    assert_int_equal(occurrences(m.text, "<cacheRef>"), 8);
    assert_int_equal(l2->n_inner, 4); /* two cores, two caches each */
    for (size_t i = 0; i < l2->n_inner; i++)
        assert_true(m.s->caches[l2->inner[i]].core == 2 || m.s->caches[l2->inner[i]].core == 3);
    assert_int_equal(cache(&m, "L1_DataCache_3")->n_inner, 0);
    for (size_t i = 0; i < 4; i++)
        assert_true(m.s->cores[i].clock_hz == 1.5e9);
    assert_true(m.s->clock_hz == 1.5e9);
    assert_int_equal(occurrences(m.text, "clockValue=\"1.5e+09\""), 5);
    release(&m);
}

static void packages_and_numa(void **state)
{
    (void)state;
    struct made m = make("pack:2 numa:1(memory=3221225472) l3:1 core:3 pu:1", 0);
    assert_int_equal(m.s->n_cores, 6);
    assert_int_equal(m.s->n_memories, 2);
    assert_true(m.s->memories[0].bytes == 3221225472.0 && m.s->memories[1].bytes == 3221225472.0);
    /* one after the other; ends inclusive */
    assert_non_null(strstr(m.text, "start=\"0\" end=\"3221225471\""));
    assert_non_null(strstr(m.text, "start=\"3221225472\" end=\"6442450943\""));
    /* every memory bound to every core */
    assert_int_equal(occurrences(m.text, "<Accessor "), 12);
    assert_int_equal(cache(&m, "L3_UnifiedCache_1")->level, 1); /* nothing inside it */
    for (int i = 0; i < 6; i++) {
        char *pid = xasprintf("pid=\"%d\"", i); /* numbered through, not again in each package */
        assert_int_equal(occurrences(m.text, pid), 1);
        free(pid);
    }
    release(&m);
}

static void a_single_core_owns_all(void **state)
{
    (void)state;
    struct made m = make("core:1 l2:1 l1:1 pu:1", 0);
    assert_int_equal(m.s->n_cores, 1);
    for (size_t i = 0; i < m.s->n_caches; i++)
        assert_int_equal(m.s->caches[i].core, 0);
    assert_int_equal(m.s->n_caches, 2);
    release(&m);
}

/* A file of hwloc's own, with what the synthetic form cannot say: ways, a large and odd memory. */
static void file_of_hwloc(void **state)
{
    (void)state;
    static const char xml[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
        "<topology version=\"2.0\"><object type=\"Machine\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" "
        "allowed_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\" allowed_nodeset=\"0x1\" gp_index=\"1\">"
        "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" "
        "complete_nodeset=\"0x1\" gp_index=\"2\" local_memory=\"5497558139904\"><page_type size=\"4096\" "
        "count=\"1342177280\"/></object>"
        "<object type=\"L1Cache\" cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\" "
        "gp_index=\"3\" cache_size=\"4096\" depth=\"1\" cache_linesize=\"64\" cache_associativity=\"-1\" "
        "cache_type=\"1\">"
        "<object type=\"Core\" os_index=\"7\" cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" "
        "complete_nodeset=\"0x1\" gp_index=\"4\"><object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" "
        "complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"5\"/></object></object>"
        "</object></topology>\n";
    char *file = path_join(folder, "topology.xml");
    assert_int_equal(file_write(file, xml, strlen(xml), 0), OK);
    struct made m = make(file, 1e9);
    const struct shimxml_cache *c = cache(&m, "L1_DataCache_0");
    assert_int_equal(c->ways, 64); /* fully associative: 4096 / 64 */
    assert_int_equal(c->line, 64);
    assert_true(m.s->memories[0].bytes == 5497558138880.0); /* 5 TiB and a KiB: whole MiB */
    free(file);
    release(&m);
}

static void this_machine(void **state)
{
    (void)state;
    unsetenv("HWLOC_SYNTHETIC");
    unsetenv("HWLOC_XMLFILE");
    struct shimxml_doc *d = 0;
    struct shimxml_system *s = 0;
    struct error e = ERROR_INIT;
    if (shimxml_new(&d, &(struct shimxml_machine){0}, &e))
        fail_msg("%s", e.message);
    assert_int_equal(shimxml_system(&s, d, 0), OK);
    assert_string_equal(s->name, "host");
    assert_true(s->n_cores >= 1 && s->n_cores <= (size_t)sysconf(_SC_NPROCESSORS_CONF));
    assert_true(s->n_memories >= 1);
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (s->n_memories == 1)
        assert_true(s->memories[0].bytes <= bytes && s->memories[0].bytes > bytes - 1048576);
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    assert_int_equal(f.errors, 0);
    shimxml_findings_release(&f);
    shimxml_system_free(s);
    shimxml_free(d);
}

static void names_are_made_safe(void **state)
{
    (void)state;
    struct shimxml_doc *d = 0;
    struct shimxml_system *s = 0;
    assert_int_equal(shimxml_new(&d, &(struct shimxml_machine){"a-b \"<\xc3\xa4", 0, "core:1 pu:1"}, 0), OK);
    assert_int_equal(shimxml_system(&s, d, 0), OK);
    assert_string_equal(s->name, "a_b_____");
    shimxml_system_free(s);
    shimxml_free(d);
}

static void refuses_what_is_no_machine(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "nonsense", "core:0 pu:1", "core:-1", "pack:1 core:x pu:1", "/"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct shimxml_doc *d = 0;
        struct error e = ERROR_INIT;
        if (shimxml_new(&d, &(struct shimxml_machine){0, 0, wrong[i]}, &e) != ERR_INPUT)
            fail_msg("'%s' was taken", wrong[i]);
        assert_string_equal(e.file, wrong[i]);
        error_release(&e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_threads_three_levels),
        cmocka_unit_test(instruction_caches_and_shared_l2),
        cmocka_unit_test(packages_and_numa),
        cmocka_unit_test(a_single_core_owns_all),
        cmocka_unit_test(file_of_hwloc),
        cmocka_unit_test(this_machine),
        cmocka_unit_test(names_are_made_safe),
        cmocka_unit_test(refuses_what_is_no_machine),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
