/* How the driver sorts a command line: what clang's manual says of each option. */
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
#include "irprof/cc/cc.h"

/* Letters for the kinds: f flag, p compile, d depend, l link, t LTO, m mode, s source, a other. */
static const struct row {
    int line;
    const char *words, *kinds;
} rows[] = {
    {__LINE__, "-O2 -g x.c", "ffs"},
    {__LINE__, "-c x.c -o x.o", "msmm"},
    {__LINE__, "-ox x.c", "ms"},
    {__LINE__, "-I dir -Idir -DX=1 -D X -std=c99 -include a.h x.c", "ppppppppps"},
    {__LINE__, "-MD -MF x.d -MTx.o -MP x.c", "ddddds"},
    {__LINE__, "-L dir -lm -l m a.o b.a c.so -Wl,-z,now -Xlinker -x", "lllllllllll"},
    {__LINE__, "x.c y.cc z.cpp w.ll v.bc u.i t.s r.S", "ssssssaa"},
    {__LINE__, "-x c file -x none file", "mmsmml"},
    {__LINE__, "-xassembler file -xc -", "mams"},
    {__LINE__, "-flto=thin -gsplit-dwarf x.c", "tfs"},
    {__LINE__, "-march=native -mllvm -x -Xclang -load -target t -fPIC -quite-unknown",
     "fffffff"
     "ff"},
    {__LINE__, "-isystem d -isystemd -isysroot d", "pppff"},
    {__LINE__, "-shared -static -pthread", "llf"},
    {__LINE__, "no-suffix dir.d/no-suffix libx.so.1", "lll"},
    {__LINE__, "-framework X -e main", "llll"},
    {__LINE__, "-nostdlib -lc -rpath d -static-pie", "lllll"},
    {__LINE__, "-fno-lto -ffat-lto-objects -Wl,-plugin-opt=O2 -Wl,-O2", "tttl"},
    {__LINE__, "-save-temps=obj x.f90 x.cppm -Wp,-MD,x.d", "masp"},
    {__LINE__, "--param a=1 -Xanalyzer -c -serialize-diagnostics x.dia x.c", "ffffpps"},
    {__LINE__, "--output=x.o --compile -idirafter d -iquoted x.i", "mmppps"},
};

static const char letters[] = {[CC_FLAG] = 'f', [CC_COMPILE] = 'p', [CC_DEPEND] = 'd', [CC_LINK] = 'l',
                               [CC_MODE] = 'm', [CC_SOURCE] = 's',  [CC_OTHER] = 'a',  [CC_LTO] = 't'};

static size_t split(char *text, char **argv)
{
    size_t n = 0;
    for (char *w = strtok(text, " "); w; w = strtok(0, " "))
        argv[n++] = w;
    return n;
}

static void every_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *argv[32], *text = xstrdup(rows[i].words);
        struct cc_line line;
        struct str kinds = STR_INIT;
        assert_int_equal(cc_parse(&line, argv, (int)split(text, argv), 0), OK);
        for (size_t k = 0; k < line.words.n; k++)
            str_addch(&kinds, letters[line.words.at[k].kind]);
        if (strcmp(kinds.s, rows[i].kinds) != 0)
            fail_msg("line %d: expected '%s', got '%s'", rows[i].line, rows[i].kinds, kinds.s);
        str_release(&kinds);
        cc_line_release(&line);
        free(text);
    }
}

static void modes(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        bool pass, only, part, depend;
    } cases[] = {
        {"x.c", 0, 0, 0, 0},
        {"-E x.c", 1, 0, 0, 0},
        {"-S x.c", 1, 0, 0, 0},
        {"-M x.c", 1, 0, 0, 0},
        {"-MM x.c", 1, 0, 0, 0},
        {"-MD -c x.c", 0, 1, 0, 1},
        {"-MMD x.c", 0, 0, 0, 1},
        {"-shared a.o", 0, 0, 1, 0},
        {"-r a.o", 0, 0, 1, 0},
        {"-dumpversion", 1, 0, 0, 0},
        {"--version", 1, 0, 0, 0},
        {"-fsyntax-only x.c", 1, 0, 0, 0},
        {"-c x.h", 1, 1, 0, 0},
        {"-print-prog-name=ld", 1, 0, 0, 0},
        {"-emit-llvm -c x.c", 1, 1, 0, 0},
        {"-x c-header -c x", 1, 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *argv[32], *text = xstrdup(cases[i].words);
        struct cc_line line;
        assert_int_equal(cc_parse(&line, argv, (int)split(text, argv), 0), OK);
        if (line.pass_through != cases[i].pass || line.compile_only != cases[i].only || line.part != cases[i].part ||
            line.depend != cases[i].depend)
            fail_msg("'%s' is read wrong", cases[i].words);
        cc_line_release(&line);
        free(text);
    }
}

static void response_files(void **state)
{
    (void)state;
    char path[] = "/tmp/irprof-test-XXXXXX", word[64];
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    fputs("-O2 'a b.c'\n\"c d.c\" e\\ f.c \"\" @no-such-file", f);
    fclose(f);
    snprintf(word, sizeof word, "@%s", path);
    char *argv[] = {word, "-c"};
    struct cc_line line;
    assert_int_equal(cc_parse(&line, argv, 2, 0), OK);
    const char *const expected[] = {"-O2", "a b.c", "c d.c", "e f.c", "", "@no-such-file", "-c"};
    assert_int_equal(line.words.n, 7);
    for (size_t i = 0; i < 7; i++)
        assert_string_equal(line.words.at[i].text, expected[i]);
    assert_int_equal(line.n_sources, 3);
    cc_line_release(&line);
    /* A file that names itself. */
    f = fopen(path, "w");
    fputs(word, f);
    fclose(f);
    struct error e = ERROR_INIT;
    assert_int_equal(cc_parse(&line, argv, 2, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "without end"));
    error_release(&e);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row), cmocka_unit_test(modes),
                                       cmocka_unit_test(response_files)};
    return cmocka_run_group_tests(tests, 0, 0);
}
