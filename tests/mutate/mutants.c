/*
 * mutants - lists the mutants of a C source: small changes that its tests should notice.
 *
 *     mutants FILE.c [COMPILER'S FLAG]...
 *
 * A line for each, with tabs between: file, line, function, operator, first byte, number of bytes, the text in their
 * place (after a `=`; line ends as \n, backslashes doubled), and what the place reads before and after. Nothing is
 * changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "tests/mutate/mutants.h"

static void print_escaped(const char *text)
{
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", stdout);
        else if (*text == '\t')
            fputs("\\t", stdout);
        else if (*text == '\\')
            fputs("\\\\", stdout);
        else
            putchar(*text);
}

static void print_mutants(const struct source *s)
{
    for (size_t i = 0; i < s->mutants.n; i++) {
        const struct mutant *m = &s->mutants.at[i];
        unsigned long line = 1;
        for (unsigned k = 0; k < m->edit.from; k++)
            line += s->text[k] == '\n';
        printf("%s\t%lu\t%s\t%s\t%u\t%u\t", s->path, line, m->function, m->rule, m->edit.from,
               m->edit.to - m->edit.from);
        putchar('=');
        print_escaped(m->replacement);
        printf("\t%s\t%s\n", m->before, m->after);
    }
}

static void release(struct source *s)
{
    for (size_t i = 0; i < s->mutants.n; i++) {
        free(s->mutants.at[i].function);
        free(s->mutants.at[i].replacement);
        free(s->mutants.at[i].before);
        free(s->mutants.at[i].after);
    }
    vec_release(&s->mutants);
    vec_release(&s->expansions);
}

/* What the compiler has against the source, on stderr; false if anything. */
static bool compiles(CXTranslationUnit unit)
{
    bool good = true;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic d = clang_getDiagnostic(unit, i);
        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
            CXString text = clang_formatDiagnostic(d, clang_defaultDiagnosticDisplayOptions());
            fprintf(stderr, "mutants: %s\n", clang_getCString(text));
            clang_disposeString(text);
            good = false;
        }
        clang_disposeDiagnostic(d);
    }
    return good;
}

static int list(const char *path, int n_flags, const char *const *flags)
{
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    int status = 1;
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit unit = 0;
    if (file_read(&text, path, FILE_LIMIT, &e)) {
        error_print(&e, "mutants");
    } else if (clang_parseTranslationUnit2(index, path, flags, n_flags, 0, 0,
                                           CXTranslationUnit_DetailedPreprocessingRecord, &unit)) {
        fprintf(stderr, "mutants: %s: libclang cannot parse it\n", path);
    } else if (compiles(unit)) {
        struct source s = {path, str_text(&text), text.len, clang_getFile(unit, path), {0}, {0}};
        find_mutants(&s, unit);
        print_mutants(&s);
        release(&s);
        status = fflush(stdout) || ferror(stdout);
    }
    if (unit)
        clang_disposeTranslationUnit(unit);
    clang_disposeIndex(index);
    str_release(&text);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: mutants FILE.c [COMPILER'S FLAG]...\n", stderr);
        return 2;
    }
    return list(argv[1], argc - 2, (const char *const *)argv + 2);
}
