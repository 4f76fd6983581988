/* kit_texts.c - writes the files of a kit that depend on board and programs: Makefile, CMakeLists.txt, the table of
 * programs, README.txt. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shimgen/kit/kit_folder.h"
#include "shimgen/kit/kit_images.h"

/* The common flags without the level's own first flag. */
static char *common_flags(const struct board *b)
{
    char *flags = words_text(b->levels[0].flags + 1);
    return flags;
}

static const char *kit_sources(const struct board *b)
{
    return b->part.library ? "" : " shim_library.c";
}

static bool has_start(const struct board *b)
{
    return strcmp(b->part.start, "none") != 0;
}

/* Makes "suite_fir_O2". */
static char *stem_of(const struct part_item *x)
{
    char *name = xasprintf("%s_%s", x->unit->sample->name, x->unit->level);
    for (char *p = name; *p; p++)
        if (*p == '/')
            *p = '_';
    return name;
}

char *kit_object_name(const struct part_item *x)
{
    char *stem = stem_of(x), *name = xasprintf("%s.o", stem);
    free(stem);
    return name;
}

/* ---- Makefile ---- */

static void add_compiler(struct str *t, const struct board *b, bool stand_in)
{
    char *flags = common_flags(b), *link = words_text(b->link_flags), *linker = words_text(b->part.linker);
    str_add(t, "# ---- your toolchain: FILL IN ----\n"
               "# The compiler of the kit's own files (C89), and of the samples with CODE=c (C99).\n");
    if (stand_in)
        str_add(t, "CC = cc-of-the-vendor\nLINK = linker-of-the-vendor\nLINKFLAGS =\n");
    else
        str_addf(t,
                 "CC = %s --target=%s %s\n"
                 "# With GCC: CC = arm-none-eabi-gcc -mcpu=... and LINK = $(CC), LINKFLAGS = -nostartfiles -T "
                 "$(SCRIPT) -lm\n"
                 "LINK = %s\nLINKFLAGS = -T $(SCRIPT) %s\n",
                 b->compiler, b->target, flags, linker, link);
    str_addf(t,
             "SCRIPT = build/part.ld\n"
             "# Where an image lies [bytes].\n"
             "FLASH = 0x%" PRIx64 "\nFLASH_SIZE = 0x%" PRIx64 "\nRAM = 0x%" PRIx64 "\nRAM_SIZE = 0x%" PRIx64
             "\nSTACK_SIZE = 0x%" PRIx64 "\n",
             b->part.flash_start, b->part.flash, b->part.ram_start, b->part.ram, b->part.stack);
    free(linker);
    free(link);
    free(flags);
}

static void add_settings(struct str *t, const struct board *b, bool stand_in)
{
    char *run = words_requoted(b->part.command);
    struct str shell = STR_INIT;
    for (const char *p = run; *p; p++) { /* {image} becomes the image of the loop */
        if (strncmp(p, "{image}", 7) == 0) {
            str_add(&shell, "$$i");
            p += 6;
        } else {
            str_addch(&shell, *p);
        }
    }
    str_addf(t,
             "# How an image is flashed and run; its text goes to the standard output. $$i is the image.\n"
             "RUN = %s\n\n"
             "# ---- what is measured ----\n"
             "# ir: the objects that came with the kit, made from the IR that is counted; c: the samples' C by your "
             "compiler.\n"
             "CODE = %s\n"
             "RUNS = %u\n"
             "# 1: caches are emptied before regions (SHIM_PORT_CACHE_CLEAR), and programs are not run before.\n"
             "COLD = %d\n"
             "# The program of an image to begin with: a run that was cut goes on there.\n"
             "FIRST = 0\n\n",
             str_text(&shell), stand_in ? "c" : "ir", b->runs, b->cache == BOARD_COLD);
    str_release(&shell);
    free(run);
}

static void add_images(struct str *t, const struct kit_images *k)
{
    for (size_t i = 0; i < k->at.n; i++) {
        const struct kit_image *image = &k->at.at[i];
        str_addf(t, "OBJECTS_%zu =", i + 1);
        for (size_t j = 0; j < image->items.n; j++) {
            char *name = kit_object_name(image->items.at[j]);
            str_addf(t, " \\\n    $(FROM_$(CODE))/%s", name);
            free(name);
        }
        str_addf(t,
                 "\nimage_%zu.elf: $(KIT) build/image_%zu.o $(OBJECTS_%zu) $(SCRIPT)\n"
                 "\t$(LINK) -o $@ $(KIT) build/image_%zu.o $(OBJECTS_%zu) $(LINKFLAGS)\n"
                 "build/image_%zu.o: programs_%zu.c $(HEADERS)\n"
                 "\t@mkdir -p build\n\t$(CC) $(KITFLAGS) -c programs_%zu.c -o $@\n",
                 i + 1, i + 1, i + 1, i + 1, i + 1, i + 1, i + 1, i + 1);
    }
}

/* Makes "samples/suite/fir.c". */
static char *source_of(const struct part_item *x, size_t source)
{
    const char *name = x->unit->sample->name, *slash = strchr(name, '/');
    return xasprintf("samples/%.*s/%s", slash ? (int)(slash - name) : 0, name,
                     strrchr(x->unit->sample->sources[source], '/') + 1);
}

/* A rule for one object of a program's C sources, for CODE=c. */
static void add_c_rule(struct str *t, const struct part_item *x)
{
    char *name = kit_object_name(x);
    str_addf(t, "build/c/%s:", name);
    for (size_t i = 0; i < x->unit->sample->n_sources; i++) {
        char *source = source_of(x, i);
        str_addf(t, " %s", source);
        free(source);
    }
    str_addf(t, "\n\t@mkdir -p build/c\n\t$(CC) $(C_%s) $(SAMPLEFLAGS) -Dmain=%s", x->unit->level, x->symbol);
    for (char **d = x->unit->sample->defines; *d; d++)
        str_addf(t, " '-D%s'", *d);
    str_addf(t, " -c $^ -o $@\n");
    free(name);
}

static void add_c_rules(struct str *t, const struct board *b, const struct kit_images *k)
{
    str_add(t, "\n# The samples by your compiler, at the levels that the rows of the table are called by.\n");
    for (size_t i = 0; i < b->n_levels; i++)
        str_addf(t, "C_%s = -%s\n", b->levels[i].name, b->levels[i].name);
    str_addf(t, "SAMPLEFLAGS = -std=c99 -DSHIM_KIT -Iinclude%s\n",
             b->part.library ? "" : " -isystem declarations # there is no C library: its functions are declared only");
    for (size_t i = 0; i < k->at.n; i++)
        for (size_t j = 0; j < k->at.at[i].items.n; j++)
            add_c_rule(t, k->at.at[i].items.at[j]);
}

/* Options of GCC and clang; other compilers need their own. SHIM_KIT_SCRIPT: the kit's linker script is used. */
static const char *kit_options(const struct board *b, bool stand_in)
{
    return stand_in          ? ""
           : *b->part.script ? "-Os -std=c89 -ffreestanding -fno-builtin "
                             : "-Os -std=c89 -ffreestanding -fno-builtin -DSHIM_KIT_SCRIPT ";
}

char *kit_makefile(const struct board *b, const struct kit_images *k)
{
    struct str t = STR_INIT;
    bool stand_in = k->fit->stand_in;
    str_addf(&t,
             "# Makefile - the images of the kit for %s; written by 'shimgen board kit'. docs/kit.md explains it.\n",
             b->name);
    add_compiler(&t, b, stand_in);
    add_settings(&t, b, stand_in);
    str_add(&t, "IMAGES =");
    for (size_t i = 0; i < k->at.n; i++)
        str_addf(&t, " image_%zu.elf", i + 1);
    str_addf(&t,
             "\nall: $(IMAGES)\n\n"
             "FROM_ir = objects\nFROM_c = build/c\n"
             "HEADERS = shim_kit.h shim_counters.h shim_port.h Makefile\n"
             "KITFLAGS = %s-I. -DSHIM_RUNS=$(RUNS) -DSHIM_COLD=$(COLD) -DSHIM_FIRST=$(FIRST) "
             "'-DSHIM_ORIGIN=\"$(CODE)\"' $(PORTFLAGS)\n"
             "KIT = build/shim_kit.o%s%s%s%s\n\n"
             "build/%%.o: %%.c $(HEADERS)\n\t@mkdir -p build\n\t$(CC) $(KITFLAGS) -c $< -o $@\n\n"
             "build/part.ld: part.ld Makefile\n\t@mkdir -p build\n"
             "\tprintf '__shim_flash = %%s;\\n__shim_flash_size = %%s;\\n__shim_ram = %%s;\\n__shim_ram_size = "
             "%%s;\\n__shim_stack_size = %%s;\\n' $(FLASH) $(FLASH_SIZE) $(RAM) $(RAM_SIZE) $(STACK_SIZE) >$@\n"
             "\tcat part.ld >>$@\n\n",
             kit_options(b, stand_in), has_start(b) ? " build/start_" : "", has_start(b) ? b->part.start : "",
             has_start(b) ? ".o" : "", b->part.library ? "" : " build/shim_library.o");
    add_images(&t, k);
    add_c_rules(&t, b, k);
    str_add(&t, "\n# The text of all images, one after the other: make run >log.txt\n"
                "run: $(IMAGES)\n\t@for i in $(IMAGES); do $(RUN) || exit 1; done\n\n"
                "clean:\n\trm -rf build $(IMAGES)\n.PHONY: all run clean\n");
    return str_detach(&t);
}

/* ---- CMake ---- */

char *kit_cmake(const struct board *b, const struct kit_images *k)
{
    struct str t = STR_INIT;
    str_addf(&t,
             "# CMakeLists.txt - the images of the kit for %s, for projects that are built with CMake: give your "
             "toolchain file.\n"
             "cmake_minimum_required(VERSION 3.16)\n"
             "project(shim_kit C)\n"
             "set(SHIM_RUNS %u CACHE STRING \"runs of each program\")\n"
             "set(SHIM_COLD %d CACHE STRING \"1: caches are emptied before regions\")\n"
             "set(SHIM_FIRST 0 CACHE STRING \"program to begin with\")\n"
             "file(WRITE ${CMAKE_BINARY_DIR}/part.ld \"__shim_flash = 0x%" PRIx64 ";\\n__shim_flash_size = 0x%" PRIx64
             ";\\n__shim_ram = 0x%" PRIx64 ";\\n__shim_ram_size = 0x%" PRIx64 ";\\n__shim_stack_size = 0x%" PRIx64
             ";\\n\")\n"
             "file(READ ${CMAKE_SOURCE_DIR}/part.ld SHIM_SCRIPT)\n"
             "file(APPEND ${CMAKE_BINARY_DIR}/part.ld \"${SHIM_SCRIPT}\")\n"
             "set(SHIM_KIT_SOURCES shim_kit.c%s%s%s%s)\n"
             "set(SHIM_IMAGES)\n",
             b->name, b->runs, b->cache == BOARD_COLD, b->part.flash_start, b->part.flash, b->part.ram_start,
             b->part.ram, b->part.stack, has_start(b) ? " start_" : "", has_start(b) ? b->part.start : "",
             has_start(b) ? ".c" : "", kit_sources(b));
    for (size_t i = 0; i < k->at.n; i++) {
        str_addf(&t, "set(OBJECTS_%zu", i + 1);
        for (size_t j = 0; j < k->at.at[i].items.n; j++) {
            char *name = kit_object_name(k->at.at[i].items.at[j]);
            str_addf(&t, "\n    ${CMAKE_SOURCE_DIR}/objects/%s", name);
            free(name);
        }
        str_addf(&t, ")\nlist(APPEND SHIM_IMAGES %zu)\n", i + 1);
    }
    str_add(&t, "foreach(i ${SHIM_IMAGES})\n"
                "    set_source_files_properties(${OBJECTS_${i}} PROPERTIES EXTERNAL_OBJECT ON)\n"
                "    add_executable(image_${i} ${SHIM_KIT_SOURCES} programs_${i}.c ${OBJECTS_${i}})\n"
                "    set_target_properties(image_${i} PROPERTIES SUFFIX .elf C_STANDARD 90 C_EXTENSIONS OFF\n"
                "        LINK_DEPENDS ${CMAKE_BINARY_DIR}/part.ld)\n"
                "    target_include_directories(image_${i} PRIVATE ${CMAKE_SOURCE_DIR})\n"
                "    target_compile_options(image_${i} PRIVATE -Os -ffreestanding -fno-builtin)\n"
                "    target_compile_definitions(image_${i} PRIVATE SHIM_KIT_SCRIPT SHIM_RUNS=${SHIM_RUNS}\n"
                "        SHIM_COLD=${SHIM_COLD} SHIM_FIRST=${SHIM_FIRST})\n"
                "    target_link_options(image_${i} PRIVATE -nostartfiles -T ${CMAKE_BINARY_DIR}/part.ld)\n"
                "endforeach()\n");
    return str_detach(&t);
}

/* ---- the table and the page ---- */

char *kit_programs_csv(const struct kit_images *k)
{
    struct str t = STR_INIT;
    str_add(&t, "image,index,program,object,flash,ram,id\n");
    for (size_t i = 0; i < k->at.n; i++)
        for (size_t j = 0; j < k->at.at[i].items.n; j++) {
            const struct part_item *x = k->at.at[i].items.at[j];
            char *name = kit_object_name(x);
            str_addf(&t, "%zu,%zu,%s,%s,%zu,%zu,%08" PRIx32 "\n", i + 1, j, x->unit->name, name, x->flash, x->ram,
                     x->id);
            free(name);
        }
    return str_detach(&t);
}

char *kit_readme(const struct board *b, const struct kit_images *k)
{
    struct str t = STR_INIT;
    str_addf(&t,
             "The kit for %s: %zu programs on %zu image%s. docs/kit.md of shimgen explains all of it.\n\n"
             "1. shim_port.h    fill in your part: clock, counter, where the text comes out.\n"
             "2. Makefile       fill in your compiler and linker (or use CMakeLists.txt); then: make\n"
             "3. Flash and run each image; keep its text:  make run >log.txt  or your own tools.\n"
             "4. shimgen board import-log log.txt -o measurements.csv\n"
             "5. shimgen build %s --measurements measurements.csv\n\n",
             b->name, k->n_programs, k->at.n, k->at.n == 1 ? "" : "s", b->name);
    if (k->fit->stand_in)
        str_add(
            &t,
            "UNTESTED: LLVM makes no code for this part, so the samples are compiled by your compiler (CODE=c), and "
            "nothing of it has been compiled or run by the makers of the kit.\n");
    return str_detach(&t);
}
