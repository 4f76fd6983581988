/* The method compiled: calls of library functions, from words in an executable. What a function costs alone is found by
 * one that calls nothing; the others are that and what they call, by hand. */
#include "tests/unit/estimate/compiled/cost_example.h"

#include "tests/unit/estimate/compiled/elf_words.h"

#include "shimgen/estimate/compiled/compiled_library.h"

enum { MOST = 16 };
#define TEXT(s) ((char *)(uintptr_t)(s))

static struct {
    uint32_t words[MOST * FUNCTION_BYTES / 4];
    struct elf_function symbols[2 * MOST];
    size_t n;
    struct elf elf;
    struct costs values;
    struct library *library;
} file;

static void open_file(void)
{
    memset(&file, 0, sizeof file);
    begin_program();
}

/* A name for the function number `at`. Names of one address stand together, in order of addresses. */
static void add_name(const char *name, size_t at, size_t n_words)
{
    file.symbols[file.n++] = (struct elf_function){.name = TEXT(name), .address = address_of(at), .size = 4 * n_words};
}

static void put_words(size_t at, const char *name, const uint32_t *words, size_t n)
{
    memcpy(file.words + at * FUNCTION_BYTES / 4, words, n * sizeof *words);
    add_name(name, at, n);
}
#define PUT(at, name, ...)                                                                                             \
    put_words(at, name, (const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))
/* A call of the function `to` from the word `word` of the function `at`, further on. */
#define TO(at, word, to) (FUNCTION_BYTES * ((to) - (at)) - 4 * (word))

static void read_file(void)
{
    elf_of_words(&file.elf, file.words, sizeof file.words);
    file.elf.functions = file.symbols;
    file.elf.n_functions = file.n;
    file.library = library_new(&file.elf, &it.machine, it.model, &file.values, "");
}

static void close_file(void)
{
    library_free(file.library);
    file.elf.functions = 0;
    file.elf.n_functions = 0;
    elf_release(&file.elf);
    costs_release(&file.values);
    end_program();
}

static double typical(size_t function)
{
    return library_call(file.library, address_of(function)).cycles.typical;
}

/* A guess is good to a factor of 4. An instruction more is a cycle more here. To be entered and left costs what the
 * taken branches do. */
static void test_one(void **state)
{
    (void)state;
    open_file();
    PUT(0, "short", ADDI(4, 4, 1), RET);
    PUT(1, "longer", ADDI(4, 4, 1), ADDI(5, 5, 1), ADDI(6, 6, 1), RET);
    read_file();
    struct library_cost c = library_call(file.library, address_of(0));
    assert_string_equal(c.name, "short");
    assert_false(c.measured);
    assert_float_equal(c.cycles.best, c.cycles.typical / 4, 1e-9);
    assert_float_equal(c.cycles.worst, c.cycles.typical * 4, 1e-9);
    assert_float_equal(typical(1), c.cycles.typical + 2, 1e-9);
    double before = c.cycles.typical;
    library_free(file.library);
    it.model->fetch.taken = 11;
    it.model->fetch.back = 21;
    file.library = library_new(&file.elf, &it.machine, it.model, &file.values, "");
    assert_float_equal(typical(0), before + 10 + 20, 1e-9);
    close_file();
}

/* A function and what it calls: calls, jumps for good; whatever is asked for first. Where it calls itself that is not added
 * once more, but then its first instruction comes behind another one, which takes a cycle. */
static void test_calls(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        open_file();
        PUT(0, "alone", ADDI(4, 4, 1), ADDI(4, 4, 1), RET);
        PUT(1, "caller", CALL(TO(1, 0, 5)), CALL(TO(1, 1, 5)), RET);
        PUT(2, "jumper", ADDI(4, 4, 1), ADDI(4, 4, 1), JUMP(TO(2, 2, 5)));
        PUT(3, "itself", CALL(TO(3, 0, 3)), ADDI(4, 4, 1), RET);
        PUT(5, "called", ADDI(4, 4, 1), RET);
        read_file();
        if (first)
            assert_true(typical(5) > 0);
        assert_float_equal(typical(1), typical(0) + 2 * typical(5), 1e-9);
        assert_float_equal(typical(2), typical(0) + typical(5), 1e-9);
        assert_float_equal(typical(3), typical(0) + 1, 1e-9);
        close_file();
    }
}

/* Six calls deep, and no more. */
static void test_depth(void **state)
{
    (void)state;
    open_file();
    for (size_t i = 0; i < 9; i++)
        PUT(i, "chain", CALL(FUNCTION_BYTES), RET);
    PUT(9, "alone", ADDI(4, 4, 1), RET);
    read_file();
    double own = typical(9);
    assert_float_equal(typical(8), 2 * own, 1e-9);
    assert_float_equal(typical(3), 7 * own, 1e-9);
    assert_float_equal(typical(2), 7 * own, 1e-9);
    assert_float_equal(typical(0), 7 * own, 1e-9);
    close_file();
}

/* What never comes back is not on the way: the branch goes round it. */
static void test_no_return(void **state)
{
    (void)state;
    open_file();
    enum { OVER_ONE = 0x00628463 }; /* beq x5, x6, . + 8 */
    PUT(0, "never", JUMP(0));
    PUT(1, "plain", ADDI(4, 4, 1), ADDI(4, 4, 1), RET);
    PUT(2, "checks", OVER_ONE, CALL(TO(2, 1, 3)), ADDI(4, 4, 1), RET);
    PUT(3, "ends", CALL(TO(3, 0, 4)), RET);
    PUT(4, "loops", ADDI(4, 4, 1), JUMP(0));
    PUT(5, "counts", OVER_ONE, CALL(TO(5, 1, 6)), ADDI(4, 4, 1), RET);
    PUT(6, "comes_back", RET);
    read_file();
    /* no share of the call: 3 instructions, in the time that the taken branch leaves them */
    double checks = typical(2), counts = typical(5), plain = typical(1);
    assert_true(checks >= plain && checks < plain + 4);
    assert_true(counts > checks);
    close_file();
}

/* ---- names ---- */

static void test_names(void **state)
{
    (void)state;
    open_file();
    PUT(0, "__sin", RET);
    add_name("sin", 0, 1);
    add_name("sinf32x", 0, 1);
    PUT(1, "_a", RET);
    add_name("__b", 1, 1);
    PUT(2, "longname", RET);
    add_name("name", 2, 1);
    PUT(3, "shim_region_begin", RET);
    read_file();
    assert_string_equal(library_call(file.library, address_of(0)).name, "sin");
    assert_string_equal(library_call(file.library, address_of(1)).name, "_a");
    assert_string_equal(library_call(file.library, address_of(2)).name, "name");
    struct library_cost mark = library_call(file.library, address_of(3));
    assert_null(mark.name);
    assert_float_equal(mark.cycles.typical, 0, 0);
    close_file();
}

/* Of several names of a function any may have a value. */
static void test_measured(void **state)
{
    (void)state;
    open_file();
    struct cycles latency = {50, 70, 90}, pitch = {1, 2, 3};
    costs_add(&file.values, "call.library.cos", pitch, latency);
    costs_add(&file.values, "call.library.tan", pitch, (struct cycles){5, 7, 9});
    PUT(0, "__cos", RET);
    add_name("cos", 0, 1);
    PUT(1, "tan", RET);
    PUT(2, "sin", RET);
    read_file();
    struct library_cost c = library_call(file.library, address_of(0));
    assert_string_equal(c.name, "cos");
    assert_true(c.measured);
    assert_float_equal(c.cycles.best, 50, 0);
    assert_float_equal(c.cycles.typical, 70, 0);
    assert_float_equal(c.cycles.worst, 90, 0);
    assert_float_equal(typical(1), 7, 0);
    assert_false(library_call(file.library, address_of(2)).measured);
    close_file();
}

/* Through what the linker made: the value is that of the function behind it. */
static void test_thunk(void **state)
{
    (void)state;
    open_file();
    PUT(0, "__Thumbv7ABSLongThunk_memcpy", RET);
    PUT(1, "memcpy", ADDI(4, 4, 1), RET);
    PUT(2, "__Thumbv7ABSLongThunk_gone", RET);
    costs_add(&file.values, "call.library.memcpy", (struct cycles){1, 2, 3}, (struct cycles){5, 7, 9});
    read_file();
    assert_string_equal(library_call(file.library, address_of(0)).name, "memcpy");
    assert_float_equal(typical(0), 7, 0);
    assert_false(library_call(file.library, address_of(2)).measured);
    close_file();
}

/* Of the program's own functions nothing; of what is none, that it is not known. */
static void test_unknown(void **state)
{
    (void)state;
    open_file();
    FUNCTION(RET);
    add_node_of(1, NODE_LEAVES, 1);
    PUT(0, "own", RET);
    PUT(1, "library", ADDI(4, 4, 1), RET);
    add_name("beyond", 30, 4);
    read_file();
    struct library_cost own = library_call(file.library, address_of(0));
    assert_null(own.name);
    assert_float_equal(own.cycles.typical, 0, 0);
    struct library_cost none = library_call(file.library, address_of(1) + 4);
    assert_null(none.name);
    assert_float_equal(none.cycles.typical, -1, 0);
    assert_float_equal(library_call(file.library, 0x10).cycles.typical, -1, 0);
    struct library_cost beyond = library_call(file.library, address_of(30)); /* a name, but no bytes */
    assert_string_equal(beyond.name, "beyond");
    assert_float_equal(beyond.cycles.best, -1, 0);
    assert_float_equal(beyond.cycles.typical, -1, 0);
    assert_float_equal(beyond.cycles.worst, -1, 0);
    close_file();
}

static const struct unmeasured_kind *kind_of(const struct unmeasured_list *l, const char *word)
{
    for (size_t i = 0; i < l->kinds.n; i++)
        if (strcmp(l->kinds.at[i].word, word) == 0)
            return &l->kinds.at[i];
    return NULL;
}

/* What the guessed code of libraries lacks is in all calls of it, through others too: the small model has no figures of
 * 32-bit products, and no decoder knows the word 0x7b. What was measured has no code that is looked at. */
static void test_lacks(void **state)
{
    (void)state;
    enum { ENTIRELY_UNKNOWN = 0x0000007b };
    open_file();
    PUT(0, "plain", ADDI(4, 4, 1), RET);
    PUT(2, "caller", CALL(TO(2, 0, 5)), CALL(TO(2, 1, 5)), ENTIRELY_UNKNOWN, RET);
    PUT(3, "measured", MULW(4, 5, 6), RET);
    PUT(5, "product", MULW(4, 5, 6), MULW(7, 5, 6), RET);
    read_file();
    struct cycles each = {1, 1, 1};
    costs_add(&file.values, "call.library.measured", each, each);
    struct unmeasured_list l = {0};
    library_called(file.library, address_of(0), 2);
    library_called(file.library, address_of(5), 3);
    library_called(file.library, address_of(2), 10);
    library_called(file.library, address_of(3), 1000);
    library_unmeasured(file.library, &l);
    assert_int_equal(l.kinds.n, 2);
    assert_float_equal(l.executed, 2 * 2 + (3 + 10 * 2) * 3 + 10 * 4, 1e-9);
    const struct unmeasured_kind *product = kind_of(&l, "mulw"), *unknown = kind_of(&l, "0x7b000000");
    assert_true(product && unknown);
    assert_float_equal(product->executed, (3 + 10 * 2) * 2, 1e-9);
    assert_float_equal(product->cycles, 3 + 10 * 2,
                       1e-9); /* the second a cycle after the first, with which it begins */
    assert_int_equal(product->op, ISS_MUL32);
    assert_float_equal(unknown->executed, 10, 1e-9);
    assert_int_equal(unknown->op, ISS_UNKNOWN);
    unmeasured_release(&l);
    close_file();
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one),      cmocka_unit_test(test_calls),     cmocka_unit_test(test_depth),
        cmocka_unit_test(test_lacks),    cmocka_unit_test(test_no_return), cmocka_unit_test(test_names),
        cmocka_unit_test(test_measured), cmocka_unit_test(test_unknown),   cmocka_unit_test(test_thunk),
    };
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
