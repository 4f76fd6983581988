/* test_demangle.c - tests of base/demangle.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/demangle.h"

static void becomes(const char *name, const char *spoken)
{
    char *got = demangle(name);
    assert_string_equal(got, spoken);
    free(got);
}

/* By the rules of the Itanium C++ ABI, chapter 5.1 (Mangling), by hand. */
static void names_are_those_of_the_source(void **state)
{
    (void)state;
    becomes("_Z6filteri", "filter(int)");
    becomes("_ZN3std4findEPKcc", "std::find(char const*, char)");
    becomes("_ZNK5Plant4stepEv", "Plant::step() const");
    becomes("_ZN5PlantC1Ed", "Plant::Plant(double)");
    becomes("_ZplRK1VS1_", "operator+(V const&, V const&)");
    becomes("_Z3maxIiET_S0_S0_", "int max<int>(int, int)");
}

/* Names of C, and what only looks like a name of C++, stay. */
static void other_names_stay(void **state)
{
    (void)state;
    static const char *const names[] = {"",          "main",      "_Z",         "_Zebra",  "_ZN",
                                        "_ZN3stdE_", "Z6filteri", "_z6filteri", "_Z6filte"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        becomes(names[i], names[i]);
}

/* Nested so deep that reading them could take the whole stack, or longer than anybody reads: as they are. */
static void hostile_names_stay(void **state)
{
    (void)state;
    static char deep[100000], pointers[4000];
    memset(deep, 'P', sizeof deep - 1);
    memcpy(deep, "_Z1f", 4);
    becomes(deep, deep);
    memset(pointers, 'N', sizeof pointers - 1);
    memcpy(pointers, "_Z1f", 4);
    becomes(pointers, pointers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_source),
        cmocka_unit_test(other_names_stay),
        cmocka_unit_test(hostile_names_stay),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
