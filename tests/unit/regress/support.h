/* support.h - what the tests of regress share: cmocka in its order, tables from text. */
#ifndef TEST_REGRESS_SUPPORT_H
#define TEST_REGRESS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/random.h"
#include "regress/data/classes.h"
#include "regress/regress.h"

/* A file of this text in a temporary folder; free the path. The folder goes when the program ends. */
static inline char *file_of(const char *name, const char *text)
{
    static char *folder;
    struct error e = ERROR_INIT;
    cleanup_install();
    if (!folder && temp_directory(&folder, "regress-test", &e))
        fail_msg("%s", e.message);
    char *path = path_join(folder, name);
    if (file_write(path, text, strlen(text), &e))
        fail_msg("%s", e.message);
    return path;
}

static inline void must(enum status s, struct error *e)
{
    if (s)
        fail_msg("refused: %s", e->message ? e->message : "(no message)");
}

static inline struct regress_data *data_of(const char *text)
{
    struct error e = ERROR_INIT;
    struct regress_data *d = 0;
    char *path = file_of("data.csv", text);
    must(regress_data_read(&d, path, &e), &e);
    free(path);
    return d;
}

static inline struct regress_classes *classes_of(const char *text)
{
    struct error e = ERROR_INIT;
    struct regress_classes *c = 0;
    must(classes_parse(&c, text, "test", "test.classes", &e), &e);
    return c;
}

/* The error is there, with this line, and its message has this part; the error is released. */
static inline void refused(enum status got, enum status expected, struct error *e, unsigned long line, const char *part)
{
    assert_int_equal(got, expected);
    const char *said = e->message ? e->message : "";
    if (!strstr(said, part))
        fail_msg("'%s' is not in '%s'", part, said);
    assert_int_equal(e->line, line);
    error_release(e);
}

/* From 0 to below 1. */
static inline double uniform(struct random *r)
{
    return (double)(random_next(r) >> 11) / 9007199254740992.0;
}

static inline void near(double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fmax(fabs(expected), 1e-300)))
        fail_msg("%.17g, expected %.17g within %g", got, expected, relative);
}

#endif
