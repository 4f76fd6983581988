/* What is seen in object files and archives: those made here byte by byte after the System V ABI and ar's manual. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/str.h"
#include "irprof/cc/objects.h"

enum {
    SECTIONS = 3,
    HEADER = 64,
    ENTRY = 64,
    CODE = 0x100,
    NAMES = 0x110,
    TABLE = 0x180,
    END = TABLE + SECTIONS * ENTRY
};

static void put(char *at, uint64_t v, unsigned size, bool big)
{
    for (unsigned i = 0; i < size; i++)
        at[big ? size - 1 - i : i] = (char)(v >> 8 * i);
}

static void put_section(char *file, int i, uint64_t type, uint64_t flags, uint64_t offset, uint64_t size, bool big)
{
    char *at = file + TABLE + i * ENTRY;
    put(at + 4, type, 4, big);
    put(at + 8, flags, 8, big);
    put(at + 24, offset, 8, big);
    put(at + 32, size, 8, big);
}

/* A relocatable file of 64 bits with a section of `code` bytes of code and the string table `names`. */
static void make_elf(char file[END], uint64_t code, const char *names, bool big)
{
    memset(file, 0, END);
    memcpy(file, "\177ELF\2", 5);
    file[5] = big ? 2 : 1;
    put(file + 16, 1, 2, big);
    put(file + 0x28, TABLE, 8, big);
    put(file + 0x3A, ENTRY, 2, big);
    put(file + 0x3C, SECTIONS, 2, big);
    put_section(file, 1, 1, 2 | 4, CODE, code, big); /* PROGBITS, ALLOC | EXECINSTR */
    put_section(file, 2, 3, 0, NAMES, 64, big);      /* STRTAB */
    snprintf(file + NAMES + 1, 63, "%s", names);
}

static void kinds(void **state)
{
    (void)state;
    char file[END];
    for (int big = 0; big < 2; big++) {
        make_elf(file, 8, "main", big);
        assert_int_equal(object_kind(file, END), OBJECT_BARE);
        make_elf(file, 0, "main", big);
        assert_int_equal(object_kind(file, END), OBJECT_DATA);
        make_elf(file, 8, "irprof_rt_register", big);
        assert_int_equal(object_kind(file, END), OBJECT_COUNTED);
        make_elf(file, 8, "irprof_rt_registers", big);
        assert_int_equal(object_kind(file, END), OBJECT_BARE);
        put(file + 16, 4, 2, big); /* a core dump */
        assert_int_equal(object_kind(file, END), OBJECT_UNKNOWN);
    }
    assert_int_equal(object_kind("BC\xC0\xDE....", 8), OBJECT_BITCODE);
    assert_int_equal(object_kind("!<arch>\n", 8), OBJECT_ARCHIVE);
    assert_int_equal(object_kind("/* GNU ld script */", 19), OBJECT_UNKNOWN);
    assert_int_equal(object_kind("", 0), OBJECT_UNKNOWN);
}

static void add_member(struct str *archive, const char *name, const char *bytes, size_t n)
{
    str_addf(archive, "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", name, 0, 0, 0, 644, n);
    str_addn(archive, bytes, n);
    if (n & 1)
        str_addch(archive, '\n');
}

/* A symbol table, long names, one object of each kind. */
static void make_archive(struct str *archive)
{
    char file[END];
    static const char names[] = "a_name_of_more_than_sixteen.o/\n";
    str_add(archive, "!<arch>\n");
    add_member(archive, "/", "\0\0\0\0", 4);
    add_member(archive, "//", names, sizeof names - 1);
    make_elf(file, 8, "main", false);
    add_member(archive, "bare.o/", file, END);
    add_member(archive, "/0", file, END);
    make_elf(file, 8, "irprof_rt_register", false);
    add_member(archive, "counted.o/", file, END);
    add_member(archive, "bit.o/", "BC\xC0\xDE.", 5);
    add_member(archive, "note.txt/", "odd", 3);
}

static char path[] = "/tmp/irprof-objects-XXXXXX";

static void write_file(const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static void members(void **state)
{
    (void)state;
    struct str archive = STR_INIT;
    struct object_members m;
    make_archive(&archive);
    write_file(archive.s, archive.len);
    assert_int_equal(object_look(path, &m), OBJECT_ARCHIVE);
    static const struct object_member expected[] = {
        {"bare.o", OBJECT_BARE}, {"a_name_of_more_than_sixteen.o", OBJECT_BARE}, {"bit.o", OBJECT_BITCODE}};
    assert_int_equal(m.all.n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(m.all.at[i].name, expected[i].name);
        assert_int_equal(m.all.at[i].kind, expected[i].kind);
    }
    object_members_release(&m);
    str_release(&archive);
}

/* Nothing is read after the end (the sanitizers look), whatever is cut or changed. */
static void damaged(void **state)
{
    (void)state;
    struct str archive = STR_INIT;
    struct object_members m;
    char file[END];
    make_elf(file, 8, "main", false);
    for (size_t n = 0; n < END; n++) {
        char *cut = xmemdup(file, n);
        object_kind(cut, n);
        free(cut);
    }
    for (size_t i = 0; i < END; i++) {
        char *changed = xmemdup(file, END);
        changed[i] = (char)0xFF;
        object_kind(changed, END);
        free(changed);
    }
    make_archive(&archive);
    for (size_t n = 0; n < archive.len; n += 7) {
        write_file(archive.s, n);
        object_look(path, &m);
        assert_true(m.all.n <= 3);
        object_members_release(&m);
    }
    for (size_t i = 8; i < 300; i++) {
        char old = archive.s[i];
        archive.s[i] = '9';
        write_file(archive.s, archive.len);
        object_look(path, &m);
        object_members_release(&m);
        archive.s[i] = old;
    }
    str_release(&archive);
    assert_int_equal(object_look("/no/such/file", &m), OBJECT_UNKNOWN);
    assert_int_equal(object_look("/tmp", &m), OBJECT_UNKNOWN);
}

/* The head of a member of a thin archive: its bytes are in a file of that name, beside the archive if the name is no path from the root. */
static void add_thin(struct str *archive, const char *name)
{
    str_addf(archive, "%-16s%-12d%-6d%-6d%-8d%-10d`\n", name, 0, 0, 0, 644, (int)END);
}

static void thin(void **state)
{
    (void)state;
    char folder[] = "/tmp/irprof-thin-XXXXXX", file[END], at[64], archive_at[64];
    struct str archive = STR_INIT, names = STR_INIT;
    struct object_members m;
    assert_non_null(mkdtemp(folder));
    snprintf(at, sizeof at, "%s/bare.o", folder);
    snprintf(archive_at, sizeof archive_at, "%s/thin.a", folder);
    make_elf(file, 8, "main", false);
    FILE *f = fopen(at, "wb");
    assert_int_equal(fwrite(file, 1, END, f), END);
    fclose(f);
    str_addf(&names, "%s/\n", at);
    str_add(&archive, "!<thin>\n");
    add_member(&archive, "//", names.s, names.len);
    add_thin(&archive, "bare.o/");
    add_thin(&archive, "gone.o/");
    add_thin(&archive, "/0");
    f = fopen(archive_at, "wb");
    assert_int_equal(fwrite(archive.s, 1, archive.len, f), archive.len);
    fclose(f);
    assert_int_equal(object_look(archive_at, &m), OBJECT_ARCHIVE);
    assert_int_equal(m.all.n, 2);
    assert_string_equal(m.all.at[0].name, "bare.o");
    assert_string_equal(m.all.at[1].name, at);
    assert_int_equal(m.all.at[0].kind, OBJECT_BARE);
    assert_int_equal(m.all.at[1].kind, OBJECT_BARE);
    object_members_release(&m);
    /* from that folder, by the archive's name alone */
    char *before = getcwd(0, 0);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(object_look("thin.a", &m), OBJECT_ARCHIVE);
    assert_int_equal(m.all.n, 2);
    object_members_release(&m);
    assert_int_equal(chdir(before), 0);
    free(before);
    str_release(&archive);
    str_release(&names);
    unlink(at);
    unlink(archive_at);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    close(mkstemp(path));
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds), cmocka_unit_test(members), cmocka_unit_test(thin),
                                       cmocka_unit_test(damaged)};
    int failed = cmocka_run_group_tests(tests, 0, 0);
    unlink(path);
    return failed;
}
