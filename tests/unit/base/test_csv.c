/* test_csv.c - tests of base/csv.c: quoting, line ends, refusals, round trips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/csv.h"

static struct csv *parsed(const char *text)
{
    struct csv *c = 0;
    struct error e = ERROR_INIT;
    if (csv_parse(&c, text, strlen(text), "t.csv", &e))
        fail_msg("refused: %s", e.message);
    return c;
}

static void refused(const char *text, unsigned long line, const char *part)
{
    struct csv *c = 0;
    struct error e = ERROR_INIT;
    assert_int_equal(csv_parse(&c, text, strlen(text), "t.csv", &e), ERR_INPUT);
    assert_null(c);
    assert_string_equal(e.file, "t.csv");
    assert_int_equal(e.line, line);
    if (!strstr(e.message, part))
        fail_msg("'%s' is not in '%s'", part, e.message);
    error_release(&e);
}

static void reads_plain_rows(void **state)
{
    (void)state;
    struct csv *c = parsed("a,b\n1,x\n\n2,\n");
    assert_int_equal(c->n_columns, 2);
    assert_int_equal(c->n_rows, 2);
    assert_string_equal(csv_cell(c, 0, 1), "x");
    assert_string_equal(csv_cell(c, 1, 1), "");
    assert_int_equal(c->lines[1], 4);
    csv_free(c);
}

/* RFC 4180, section 2: quotes, doubled quotes, commas and line breaks inside quotes, CRLF, no break at the end. */
static void reads_rfc4180(void **state)
{
    (void)state;
    struct csv *c = parsed("\xef\xbb\xbf"
                           "a,\"b,c\"\r\n\"say \"\"hi\"\"\",\"two\nlines\"\r\nx,\"\"");
    assert_string_equal(c->columns[1], "b,c");
    assert_string_equal(csv_cell(c, 0, 0), "say \"hi\"");
    assert_string_equal(csv_cell(c, 0, 1), "two\nlines");
    assert_string_equal(csv_cell(c, 1, 0), "x");
    assert_string_equal(csv_cell(c, 1, 1), "");
    assert_int_equal(c->lines[1], 4);
    csv_free(c);
}

static char *put(const char *field)
{
    char *text = 0;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    csv_put(f, field);
    fclose(f);
    return text;
}

/* No cell is a formula to a spreadsheet, numbers stay numbers, and every text comes back. */
static void defuses_formulas(void **state)
{
    (void)state;
    static const char *const cells[][2] = {{"=1+1", "'=1+1"},
                                           {"+cmd|x", "'+cmd|x"},
                                           {"-x", "'-x"},
                                           {"@SUM(A1)", "'@SUM(A1)"},
                                           {"\t=1", "'\t=1"},
                                           {"\r=1", "\"'\r=1\""},
                                           {"-1.5e3", "-1.5e3"},
                                           {"+7", "+7"},
                                           {"-", "'-"},
                                           {"'=1", "''=1"},
                                           {"''", "'''"},
                                           {"'quoted'", "'quoted'"},
                                           {"a=b", "a=b"},
                                           {"=a,\"b\"", "\"'=a,\"\"b\"\"\""},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        char *text = put(cells[i][0]);
        assert_string_equal(text, cells[i][1]);
        char *table = malloc(strlen(text) + 16);
        assert_non_null(table);
        strcat(strcat(strcpy(table, "a,b\n"), text), ",1\n");
        struct csv *c = parsed(table);
        assert_string_equal(csv_cell(c, 0, 0), cells[i][0]);
        csv_free(c);
        free(table);
        free(text);
    }
}

static void refuses_bad_tables(void **state)
{
    (void)state;
    refused("", 0, "header");
    refused("a,,c\n", 1, "column 2 has no name");
    refused("a,b,a\n", 1, "two columns are named 'a'");
    refused("a,b\n1,2\n3\n", 3, "cut off");
    refused("a,b\n1,2,3\n", 2, "3 fields");
    refused("a,b\n1,\"open\n", 2, "never closed");
    refused("a,b\n1,\"x\"y\n", 2, "after the closing quote");
    refused("a,b\n1,x\"y\n", 2, "quote inside");
    struct csv *c = 0;
    assert_int_equal(csv_parse(&c, "a\n\0\n", 4, "t.csv", 0), ERR_INPUT);
}

static void numbers_are_finite_or_refused(void **state)
{
    (void)state;
    struct csv *c = parsed("p,n\na,1.5e3\nb,12abc\nc,nan\nd,\ne,inf\nf, 1\ng,0x10\n");
    double v;
    assert_int_equal(csv_number(c, 0, 1, &v, 0), OK);
    assert_true(v == 1500);
    for (size_t row = 1; row < c->n_rows; row++) {
        struct error e = ERROR_INIT;
        assert_int_equal(csv_number(c, row, 1, &v, &e), ERR_INPUT);
        assert_int_equal(e.line, row + 2);
        error_release(&e);
    }
    struct error e = ERROR_INIT;
    size_t at;
    assert_int_equal(csv_need(c, "cycles", &at, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "p, n"));
    error_release(&e);
    csv_free(c);
}

/* What is wrong, where, and what to do. */
static void a_cell_that_is_no_number_gets_a_cure(void **state)
{
    (void)state;
    static const struct {
        const char *cell, *message;
    } rows[] = {
        {"p00", "column 'n': 'p00' is not a finite number; correct it, or take the row out"},
        {"", "column 'n': '' is not a finite number; fill in the cell, or take the row out"},
        {"nan", "column 'n': 'nan' is not a finite number; write a finite one, or take the row out"},
        {"-inf", "column 'n': '-inf' is not a finite number; write a finite one, or take the row out"},
        {"1e999", "column 'n': '1e999' is not a finite number; write a finite one, or take the row out"},
        {"\"-1,5\"", "column 'n': '-1,5' is not a finite number; write the decimal comma as a point"},
        {"\"1,000,000\"", "column 'n': '1,000,000' is not a finite number; correct it, or take the row out"},
        {"12.5 ms", "column 'n': '12.5 ms' is not a finite number; write only the number, without its unit"},
        {"30%", "column 'n': '30%' is not a finite number; write only the number, without its unit"},
        {"0x10", "column 'n': '0x10' is not a finite number; correct it, or take the row out"},
        {"2024-01-02", "column 'n': '2024-01-02' is not a finite number; correct it, or take the row out"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[100];
        double v;
        struct error e = ERROR_INIT;
        snprintf(text, sizeof text, "p,n\na,%s\n", rows[i].cell);
        struct csv *c = parsed(text);
        assert_int_equal(csv_number(c, 0, 1, &v, &e), ERR_INPUT);
        assert_string_equal(e.message, rows[i].message);
        assert_string_equal(e.file, "t.csv");
        assert_int_equal(e.line, 2);
        error_release(&e);
        csv_free(c);
    }
}

static void a_table_that_is_wrong_gets_a_cure(void **state)
{
    (void)state;
    refused("a,,c\n", 1, "give it one");
    refused("a,b,a\n", 1, "rename one, or take it out");
    refused("a,b\n1,2\n3\n", 3, "complete the row, or take it out");
    refused("a,b\n1,2,3\n", 2, "put fields that hold commas in quotes");
    refused("a,b\n1,\"open\n", 2, "put a quote at its end");
    refused("a,b\n1,\"x\"y\n", 2, "write each quote inside a field twice");
    refused("a,b\n1,x\"y\n", 2, "put the field in quotes");
}

/* Every prefix of a table is read or refused, never more; run under the sanitizers this is the memory test. */
static void survives_every_cut(void **state)
{
    (void)state;
    const char text[] = "a,\"b,c\"\r\n\"say \"\"hi\"\"\",\"two\nlines\"\r\nx,\"\"\n";
    for (size_t n = 0; n < sizeof text; n++) {
        char *exact = malloc(n ? n : 1);
        memcpy(exact, text, n);
        struct csv *c = 0;
        if (!csv_parse(&c, exact, n, "t.csv", 0))
            assert_int_equal(c->n_columns > 0, 1);
        csv_free(c);
        free(exact);
    }
}

static void writes_what_it_reads(void **state)
{
    (void)state;
    const char *fields[] = {"plain", "with,comma", "with \"quotes\"", "two\nlines", ""};
    char buffer[256] = "";
    FILE *f = fmemopen(buffer, sizeof buffer, "w");
    fputs("h1,h2,h3,h4,h5\n", f);
    for (int i = 0; i < 5; i++) {
        if (i)
            fputc(',', f);
        csv_put(f, fields[i]);
    }
    fclose(f);
    struct csv *c = parsed(buffer);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(csv_cell(c, 0, i), fields[i]);
    csv_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_plain_rows),
        cmocka_unit_test(reads_rfc4180),
        cmocka_unit_test(refuses_bad_tables),
        cmocka_unit_test(defuses_formulas),
        cmocka_unit_test(numbers_are_finite_or_refused),
        cmocka_unit_test(a_cell_that_is_no_number_gets_a_cure),
        cmocka_unit_test(a_table_that_is_wrong_gets_a_cure),
        cmocka_unit_test(survives_every_cut),
        cmocka_unit_test(writes_what_it_reads),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
