/* test_pack.c - packs: the same files give the same bytes; what is not as it was packed is refused. The hostile
 * ones are made here with libarchive, as another program would. */
#include <archive.h>
#include <archive_entry.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include <cmocka.h>

#include "base/file.h"
#include "shimgen/pack/pack.h"

static const struct pack_limits limits = {4, 1000, 1500};

static char *path(void **state, const char *name)
{
    return path_join(*state, name);
}

static void put(void **state, const char *name, const char *text)
{
    struct error e = ERROR_INIT;
    char *p = path(state, name);
    assert_int_equal(file_write(p, text, strlen(text), &e), OK);
    free(p);
}

/* A pack of the files x and y, in that order or the other. */
static enum status make(void **state, const char *name, bool backwards)
{
    struct error e = ERROR_INIT;
    struct pack_members m = {0};
    char *x = path(state, "x"), *y = path(state, "y"), *to = path(state, name);
    json_t *index = json_pack("{s:s}", "kind", "test");
    pack_add(&m, backwards ? "d/y" : "x", backwards ? y : x);
    pack_add(&m, backwards ? "x" : "d/y", backwards ? x : y);
    enum status s = pack_write(to, index, &m, &e);
    json_decref(index);
    pack_members_release(&m);
    error_release(&e);
    free(x);
    free(y);
    free(to);
    return s;
}

/* Reads it into a new folder; *said: a part of the message, NULL where it is good. */
static enum status take(void **state, const char *name, const char *said)
{
    struct error e = ERROR_INIT;
    json_t *index = 0;
    char *from = path(state, name), *to = path(state, "out");
    assert_int_equal(remove_tree(to, &e), OK);
    assert_int_equal(make_directories(to, &e), OK);
    enum status s = pack_read(&index, from, "test", to, &limits, &e);
    if (said && s && !strstr(e.message, said))
        fail_msg("'%s' is not in '%s'", said, e.message);
    if (s)
        assert_null(index);
    json_decref(index);
    error_release(&e);
    free(from);
    free(to);
    return s;
}

static void same_bytes(void **state)
{
    struct error e = ERROR_INIT;
    char *x = path(state, "x"), *a = path(state, "a.pack"), *b = path(state, "b.pack"), *d = path(state, "out/d/y");
    uint64_t first, second;
    put(state, "x", "first");
    put(state, "y", "second\n");
    assert_int_equal(make(state, "a.pack", false), OK);
    chmod(x, 0600);
    utime(x, &(struct utimbuf){1, 1});
    assert_int_equal(make(state, "b.pack", true), OK);
    assert_int_equal(file_hash(&first, a, &e), OK);
    assert_int_equal(file_hash(&second, b, &e), OK);
    assert_true(first == second);
    assert_int_equal(take(state, "a.pack", 0), OK);
    struct str text = STR_INIT;
    assert_int_equal(file_read(&text, d, 100, &e), OK);
    assert_string_equal(text.s, "second\n");
    str_release(&text);
    free(x);
    free(a);
    free(b);
    free(d);
}

/* Cut at each byte it is refused, or it has all that was in it: the end of the archive is blocks of zeros. */
static void cut_anywhere(void **state)
{
    struct error e = ERROR_INIT;
    struct str all = STR_INIT;
    char *a = path(state, "a.pack");
    put(state, "x", "first");
    put(state, "y", "second\n");
    assert_int_equal(make(state, "a.pack", false), OK);
    assert_int_equal(file_read(&all, a, 1 << 20, &e), OK);
    size_t good = 0;
    for (size_t n = 0; n < all.len; n++) {
        char *cut = path(state, "cut.pack");
        assert_int_equal(file_write(cut, all.s, n, &e), OK);
        enum status s = take(state, "cut.pack", 0);
        assert_true(s == OK || s == ERR_INPUT);
        good += s == OK;
        free(cut);
    }
    if (good >= 32)
        fail_msg("good at %zu of %zu", good, all.len); /* the checksum of gzip, and zeros before it */
    str_release(&all);
    free(a);
}

/* A changed byte anywhere: refused, or only in what means nothing (gzip's head). Never another content. */
static void changed_anywhere(void **state)
{
    struct error e = ERROR_INIT;
    struct str all = STR_INIT, x = STR_INIT;
    char *a = path(state, "a.pack"), *changed = path(state, "changed.pack"), *out = path(state, "out/x");
    put(state, "x", "first");
    put(state, "y", "second\n");
    assert_int_equal(make(state, "a.pack", false), OK);
    assert_int_equal(file_read(&all, a, 1 << 20, &e), OK);
    for (size_t i = 0; i < all.len; i++) {
        all.s[i] ^= 0x11;
        assert_int_equal(file_write(changed, all.s, all.len, &e), OK);
        if (take(state, "changed.pack", 0) == OK) {
            assert_int_equal(file_read(&x, out, 100, &e), OK);
            assert_string_equal(x.s, "first");
        }
        all.s[i] ^= 0x11;
    }
    str_release(&all);
    str_release(&x);
    free(a);
    free(changed);
    free(out);
}

/* ---- packs that others made ---- */

struct entry {
    const char *name, *text, *link;
    int type;
};

static void craft(void **state, const char *name, const struct entry *at, size_t n)
{
    char *to = path(state, name);
    struct archive *a = archive_write_new();
    archive_write_set_format_pax_restricted(a);
    archive_write_add_filter_gzip(a);
    assert_int_equal(archive_write_open_filename(a, to), ARCHIVE_OK);
    for (size_t i = 0; i < n; i++) {
        struct archive_entry *x = archive_entry_new();
        archive_entry_set_pathname(x, at[i].name);
        archive_entry_set_filetype(x, at[i].type ? (unsigned)at[i].type : AE_IFREG);
        archive_entry_set_perm(x, 0644);
        if (at[i].link && at[i].type == AE_IFLNK)
            archive_entry_set_symlink(x, at[i].link);
        else if (at[i].link)
            archive_entry_set_hardlink(x, at[i].link);
        archive_entry_set_size(x, at[i].text ? (int64_t)strlen(at[i].text) : 0);
        assert_int_equal(archive_write_header(a, x), ARCHIVE_OK);
        if (at[i].text)
            archive_write_data(a, at[i].text, strlen(at[i].text));
        archive_entry_free(x);
    }
    archive_write_close(a);
    archive_write_free(a);
    free(to);
}

/* SHA-256 of "abc": FIPS 180-2, appendix B.1. */
#define ABC            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define INDEX(files)   "{\"format\": \"shimgen-pack\", \"version\": 1, \"kind\": \"test\", \"files\": [" files "]}"
#define FILE_ABC(name) "{\"name\": \"" name "\", \"bytes\": 3, \"sha256\": \"" ABC "\"}"

static void hostile(void **state)
{
    char big[1200];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = 0;
    const char *head = "pack.json";
    const struct {
        struct entry at[6];
        size_t n;
        const char *said; /* NULL: it is good */
    } cases[] = {
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"x", "abc", 0, 0}}, 2, 0},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"x", "abd", 0, 0}}, 2, "was changed since"},
        {{{head, INDEX("{\"name\": \"x\", \"bytes\": 4, \"sha256\": \"" ABC "\"}"), 0, 0}, {"x", "abc", 0, 0}},
         2,
         "was changed since"},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}}, 1, "not in the pack"},
        {{{head, INDEX(""), 0, 0}, {"x", "abc", 0, 0}}, 2, "not in the index"},
        {{{head, INDEX(FILE_ABC("x") "," FILE_ABC("x")), 0, 0}, {"x", "abc", 0, 0}}, 2, "in the index twice"},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"x", "abc", 0, 0}, {"x", "abc", 0, 0}}, 3, "in it twice"},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"../x", "abc", 0, 0}}, 2, "not a name of a file"},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"/tmp/x", "abc", 0, 0}}, 2, "not a name of a file"},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"a/../x", "abc", 0, 0}}, 2, "not a name of a file"},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"a//x", "abc", 0, 0}}, 2, "not a name of a file"},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"\033[2Jx", "abc", 0, 0}}, 2, "\\x1b[2Jx"},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"x", 0, "/etc/passwd", AE_IFLNK}}, 2, "is a link"},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"d", 0, "..", AE_IFLNK}, {"d/x", "abc", 0, 0}}, 3, "is a link"},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"x", 0, "pack.json", AE_IFREG}}, 2, "is a link"},
        {{{head, INDEX(""), 0, 0}, {"d", 0, 0, AE_IFDIR}}, 2, "is not a name of a file"},
        {{{head, INDEX(""), 0, 0}, {"p", 0, 0, AE_IFIFO}}, 2, "is a link, a folder"},
        {{{head, INDEX(FILE_ABC("x")), 0, 0}, {"x", big, 0, 0}}, 2, "larger than is accepted"},
        {{{head, INDEX(FILE_ABC("x") "," FILE_ABC("x") "," FILE_ABC("x") "," FILE_ABC("x") "," FILE_ABC("x")), 0, 0}},
         1,
         "more files than"},
        {{{head, INDEX(""), 0, 0},
          {"a", "1", 0, 0},
          {"b", "1", 0, 0},
          {"c", "1", 0, 0},
          {"d", "1", 0, 0},
          {"e", "1", 0, 0}},
         6,
         "one file more"},
        {{{"x", "abc", 0, 0}, {head, INDEX(FILE_ABC("x")), 0, 0}}, 2, "a pack begins with"},
        {{{head, "{\"format\": \"other\", \"version\": 1, \"kind\": \"test\", \"files\": []}", 0, 0}},
         1,
         "not the index of a pack"},
        {{{head, "{\"format\": \"shimgen-pack\", \"version\": 2, \"kind\": \"test\", \"files\": []}", 0, 0}},
         1,
         "version 2"},
        {{{head, "{\"format\": \"shimgen-pack\", \"version\": 1, \"kind\": \"model\", \"files\": []}", 0, 0}},
         1,
         "another kind"},
        {{{head, "{\"format\": \"shimgen-pack\", \"version\": 1, \"kind\": \"test\"}", 0, 0}}, 1, "files"},
        {{{head, INDEX("5"), 0, 0}}, 1, "name"},
        {{{head, "no json", 0, 0}}, 1, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        craft(state, "crafted.pack", cases[i].at, cases[i].n);
        assert_int_equal(take(state, "crafted.pack", cases[i].said), cases[i].said ? ERR_INPUT : OK);
    }
}

/* Three files of 600 bytes: each is small enough, all together are not. */
static void too_much(void **state)
{
    char text[601];
    memset(text, 'x', 600);
    text[600] = 0;
    const struct entry at[] = {{"pack.json", INDEX(""), 0, 0}, {"a", text, 0, 0}, {"b", text, 0, 0}, {"c", text, 0, 0}};
    craft(state, "crafted.pack", at, 4);
    assert_int_equal(take(state, "crafted.pack", "makes the pack larger"), ERR_INPUT);
}

static void names(void **state)
{
    (void)state;
    static const char *const bad[] = {"",       "/",       "/a",   "a/",  "a//b", ".",   "..",
                                      "a/../b", ".hidden", "a/.b", "a b", "a\\b", "a\nb"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(pack_name_is_good(bad[i]));
    assert_true(pack_name_is_good("units/paper/sum@O2/0.i.bc"));
    char longest[202];
    memset(longest, 'a', sizeof longest);
    longest[201] = 0;
    assert_false(pack_name_is_good(longest));
    longest[200] = 0;
    assert_true(pack_name_is_good(longest));
}

static int make_folder(void **state)
{
    struct error e = ERROR_INIT;
    char *folder = 0;
    cleanup_install();
    if (temp_directory(&folder, "test-pack", &e))
        return -1;
    *state = folder;
    return 0;
}

static int drop_folder(void **state)
{
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bytes),       cmocka_unit_test(cut_anywhere),
                                       cmocka_unit_test(changed_anywhere), cmocka_unit_test(hostile),
                                       cmocka_unit_test(too_much),         cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
