/* test_kit.c - programs assigned to images by hand; what the files of a kit say about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "shimgen/kit/kit_folder.h"
#include "shimgen/kit/kit_images.h"

enum { MOST = 8 };

/* Programs "set/aN" of these sizes, on a part with `flash` and `ram` bytes, of which the kit takes 1000 and 100, the stack 100. */
struct example {
    struct sample samples[MOST];
    struct unit units[MOST];
    char names[MOST][8], unit_names[MOST][16];
    struct part_fit fit;
    struct board b;
    struct kit_images k;
};

static char *no_words[] = {0};

static void fill(struct example *x, const size_t (*sizes)[2], size_t n, uint64_t flash, uint64_t ram)
{
    static char source[] = "/s/set/a.c", *sources[] = {source}, start[] = "cortex_m", script[] = "", name[] = "part";
    *x = (struct example){.fit = {.kit_flash = 1000, .kit_ram = 100}};
    x->b.name = name;
    x->b.part.flash = flash;
    x->b.part.ram = ram;
    x->b.part.stack = 100;
    x->b.part.start = start;
    x->b.part.script = script;
    x->b.part.command = x->b.part.linker = x->b.link_flags = no_words;
    for (size_t i = 0; i < n; i++) {
        strcpy(x->names[i], "set/a0");
        x->names[i][5] = (char)('0' + i);
        strcpy(x->unit_names[i], "set/a0@O1");
        x->unit_names[i][5] = (char)('0' + i);
        x->samples[i] = (struct sample){.name = x->names[i], .sources = sources, .n_sources = 1, .defines = no_words};
        x->units[i] = (struct unit){.sample = &x->samples[i], .level = "O1", .name = x->unit_names[i]};
        vec_push(&x->fit.items,
                 (struct part_item){
                     .unit = &x->units[i], .ram = sizes[i][0], .flash = sizes[i][1], .id = 0xa0 + (unsigned)i});
    }
}

static void pack(struct example *x)
{
    kit_images_pack(&x->k, &x->fit, &x->b);
}

static void done(struct example *x)
{
    kit_images_release(&x->k);
    vec_release(&x->fit.items);
}

/* The image has these programs, in this order: "013". */
static void has(const struct example *x, size_t image, const char *programs)
{
    assert_true(image < x->k.at.n);
    const struct kit_image *i = &x->k.at.at[image];
    size_t ram = 0, flash = 0;
    assert_int_equal(i->items.n, strlen(programs));
    for (size_t j = 0; j < i->items.n; j++) {
        const struct part_item *item = &x->fit.items.at[programs[j] - '0'];
        assert_ptr_equal(i->items.at[j], item);
        ram += item->ram;
        flash += item->flash;
    }
    assert_int_equal(i->ram, ram);
    assert_int_equal(i->flash, flash);
}

/* 800 bytes of RAM are left. 500, then 400 on a second, 300 fills the first, 200 and 100 go to the second. */
static void by_ram(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{100, 1}, {300, 1}, {200, 1}, {500, 1}, {400, 1}};
    struct example x;
    fill(&x, sizes, 5, 1 << 20, 1000);
    pack(&x);
    assert_int_equal(x.k.at.n, 2);
    assert_int_equal(x.k.n_programs, 5);
    has(&x, 0, "13");
    has(&x, 1, "024");
    done(&x);
    fill(&x, sizes, 5, 1 << 20, 999); /* a byte less: 500 and 200; 400 and 300; 100, which would fill both */
    pack(&x);
    assert_int_equal(x.k.at.n, 3);
    has(&x, 0, "23");
    has(&x, 1, "14");
    has(&x, 2, "0");
    done(&x);
}

/* Flash counts where RAM is equal. Of 1192 bytes 64 for each of three programs are for rows: 1000 are left. */
static void by_flash(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{8, 100}, {8, 600}, {8, 500}, {8, 400}};
    struct example x;
    fill(&x, sizes, 3, 1000 + 1192, 1000);
    pack(&x);
    assert_int_equal(x.k.at.n, 2);
    has(&x, 0, "01");
    has(&x, 1, "2");
    done(&x);
    fill(&x, sizes, 4, 1000 + 1256, 1000); /* 1000 again: 600 and 400 fill an image */
    pack(&x);
    assert_int_equal(x.k.at.n, 2);
    has(&x, 0, "13");
    has(&x, 1, "02");
    done(&x);
    fill(&x, sizes, 4, 1000 + 1255, 1000); /* 999: 600 with 100, then 500 and 400 */
    pack(&x);
    assert_int_equal(x.k.at.n, 2);
    has(&x, 0, "01");
    has(&x, 1, "23");
    done(&x);
}

/* Equal ones in the units' order. Two programs have rows of 128 bytes, and these are taken off more than 256. */
static void equal_ones(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{0, 128}, {0, 128}};
    struct example x;
    fill(&x, sizes, 2, 1000 + 256, 1000);
    pack(&x);
    assert_int_equal(x.k.at.n, 1);
    has(&x, 0, "01");
    done(&x);
    fill(&x, sizes, 2, 1000 + 257, 1000);
    pack(&x);
    assert_int_equal(x.k.at.n, 2);
    has(&x, 0, "0");
    has(&x, 1, "1");
    done(&x);
}

static void unfit(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1}, {1, 1}, {1, 1}};
    struct example x;
    char why[] = "too large";
    fill(&x, sizes, 3, 1 << 20, 1000);
    x.fit.items.at[0].why = x.fit.items.at[2].why = why;
    pack(&x);
    assert_int_equal(x.k.n_programs, 1);
    assert_int_equal(x.k.at.n, 1);
    has(&x, 0, "1");
    done(&x);
    fill(&x, sizes, 1, 1 << 20, 1000);
    x.fit.items.at[0].why = why;
    pack(&x);
    assert_int_equal(x.k.n_programs, 0);
    assert_int_equal(x.k.at.n, 0);
    done(&x);
}

static void rooms(void **state)
{
    (void)state;
    assert_int_equal(part_room(10, 3), 7);
    assert_int_equal(part_room(10, 10), 0);
    assert_int_equal(part_room(3, 10), 0);
}

/* ---- texts ---- */

static void contains(char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
    free(text);
}

static void lacks(char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is in:\n%s", part, text);
    free(text);
}

static void tables(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{500, 10}, {400, 20}, {300, 30}};
    struct example x;
    fill(&x, sizes, 3, 1 << 20, 1000);
    pack(&x);
    char *csv = kit_programs_csv(&x.k);
    assert_string_equal(csv, "image,index,program,object,flash,ram,id\n"
                             "1,0,set/a0@O1,set_a0_O1.o,10,500,000000a0\n"
                             "1,1,set/a2@O1,set_a2_O1.o,30,300,000000a2\n"
                             "2,0,set/a1@O1,set_a1_O1.o,20,400,000000a1\n");
    free(csv);
    contains(kit_readme(&x.b, &x.k), "The kit for part: 3 programs on 2 images.");
    lacks(kit_readme(&x.b, &x.k), "UNTESTED");
    x.fit.stand_in = true;
    contains(kit_readme(&x.b, &x.k), "UNTESTED: LLVM makes no code for this part");
    done(&x);
    fill(&x, sizes, 1, 1 << 20, 1000);
    pack(&x);
    contains(kit_readme(&x.b, &x.k), "1 programs on 1 image. ");
    done(&x);
}

/* How make and CMake are told of a board: each setting has its line. */
static void makefiles(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{500, 10}, {400, 20}};
    static char all_flags[] = "-Os", cpu[] = "-mcpu=m4", o1[] = "O1", o2[] = "O2", target[] = "thumb",
                clang[] = "clang", lld[] = "ld.lld", lm[] = "-lm", flash[] = "flash", image[] = "{image}",
                two[] = "{images", none[] = "none";
    static char *flags[] = {all_flags, cpu, 0}, *linker[] = {lld, 0}, *link[] = {lm, 0},
                *command[] = {flash, image, two, 0};
    struct board_level levels[] = {{.name = o1, .flags = flags}, {.name = o2, .flags = flags}};
    struct example x;
    fill(&x, sizes, 2, 0x10000, 1000);
    x.b.levels = levels;
    x.b.n_levels = 2;
    x.b.compiler = clang;
    x.b.target = target;
    x.b.link_flags = link;
    x.b.part.linker = linker;
    x.b.part.command = command;
    x.b.part.ram_start = 0x20000000;
    x.b.runs = 5;
    x.b.cache = BOARD_COLD;
    pack(&x);
    contains(kit_makefile(&x.b, &x.k), "\nCC = clang --target=thumb -mcpu=m4\n");
    contains(kit_makefile(&x.b, &x.k), "\nLINK = ld.lld\nLINKFLAGS = -T $(SCRIPT) -lm\n");
    contains(kit_makefile(&x.b, &x.k),
             "\nFLASH = 0x0\nFLASH_SIZE = 0x10000\nRAM = 0x20000000\nRAM_SIZE = 0x3e8\nSTACK_SIZE = 0x64\n");
    contains(kit_makefile(&x.b, &x.k), "\nRUN = flash $$i ");
    contains(kit_makefile(&x.b, &x.k), "{images");
    contains(kit_makefile(&x.b, &x.k), "\nCODE = ir\nRUNS = 5\n");
    contains(kit_makefile(&x.b, &x.k), "\nCOLD = 1\n");
    contains(kit_makefile(&x.b, &x.k), "\nIMAGES = image_1.elf image_2.elf\n");
    contains(kit_makefile(&x.b, &x.k), "\nKITFLAGS = -Os -std=c89 -ffreestanding -fno-builtin -DSHIM_KIT_SCRIPT -I. ");
    contains(kit_makefile(&x.b, &x.k), "\nKIT = build/shim_kit.o build/start_cortex_m.o build/shim_library.o\n");
    contains(kit_makefile(&x.b, &x.k), "\nOBJECTS_1 = \\\n    $(FROM_$(CODE))/set_a0_O1.o\nimage_1.elf: $(KIT) "
                                       "build/image_1.o $(OBJECTS_1) $(SCRIPT)\n");
    contains(
        kit_makefile(&x.b, &x.k),
        "\nbuild/image_2.o: programs_2.c $(HEADERS)\n\t@mkdir -p build\n\t$(CC) $(KITFLAGS) -c programs_2.c -o $@\n");
    contains(kit_makefile(&x.b, &x.k), "\nC_O1 = -O1\nC_O2 = -O2\n");
    contains(kit_makefile(&x.b, &x.k), "-isystem declarations");
    contains(kit_cmake(&x.b, &x.k), "\nset(SHIM_COLD 1 CACHE");
    contains(kit_cmake(&x.b, &x.k), "\nset(SHIM_KIT_SOURCES shim_kit.c start_cortex_m.c shim_library.c)\n");
    contains(kit_cmake(&x.b, &x.k),
             "\nset(OBJECTS_2\n    ${CMAKE_SOURCE_DIR}/objects/set_a1_O1.o)\nlist(APPEND SHIM_IMAGES 2)\n");
    x.b.part.start = none;
    x.b.part.library = true;
    x.b.part.script = lm;
    x.b.cache = BOARD_WARM;
    contains(kit_makefile(&x.b, &x.k), "\nKIT = build/shim_kit.o\n");
    contains(kit_makefile(&x.b, &x.k), "\nCOLD = 0\n");
    contains(kit_makefile(&x.b, &x.k), "\nKITFLAGS = -Os -std=c89 -ffreestanding -fno-builtin -I. ");
    lacks(kit_makefile(&x.b, &x.k), "declarations");
    contains(kit_cmake(&x.b, &x.k), "\nset(SHIM_KIT_SOURCES shim_kit.c)\n");
    x.fit.stand_in = true;
    contains(kit_makefile(&x.b, &x.k), "\nCC = cc-of-the-vendor\nLINK = linker-of-the-vendor\n");
    contains(kit_makefile(&x.b, &x.k), "\nCODE = c\n");
    contains(kit_makefile(&x.b, &x.k), "\nKITFLAGS = -I. ");
    done(&x);
}

/* A program's C by the user's compiler: its sources, its level, the name of its main, what it defines. */
static void c_rules(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1}};
    static char first[] = "/s/set/a.c", second[] = "/s/set/b.c", define[] = "N=10", o1[] = "O1",
                symbol[] = "shim_main_0", text[] = "x";
    static char *sources[] = {first, second}, *defines[] = {define, 0}, *flags[] = {text, 0};
    struct board_level level = {.name = o1, .flags = flags};
    struct example x;
    fill(&x, sizes, 1, 1 << 20, 1000);
    x.samples[0].sources = sources;
    x.samples[0].n_sources = 2;
    x.samples[0].defines = defines;
    x.fit.items.at[0].symbol = symbol;
    x.b.levels = &level;
    x.b.n_levels = 1;
    x.b.compiler = x.b.target = text;
    pack(&x);
    contains(kit_makefile(&x.b, &x.k), "\nbuild/c/set_a0_O1.o: samples/set/a.c samples/set/b.c\n\t@mkdir -p build/c\n"
                                       "\t$(CC) $(C_O1) $(SAMPLEFLAGS) -Dmain=shim_main_0 '-DN=10' -c $^ -o $@\n");
    done(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_ram), cmocka_unit_test(by_flash), cmocka_unit_test(equal_ones), cmocka_unit_test(unfit),
        cmocka_unit_test(rooms),  cmocka_unit_test(tables),   cmocka_unit_test(makefiles),  cmocka_unit_test(c_rules)};
    return cmocka_run_group_tests(tests, 0, 0);
}
