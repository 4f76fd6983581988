/*
 * csv.h - RFC 4180 tables: a header row, UTF-8, '.' as decimal point. Quoted fields may contain commas, quotes and line
 * breaks. CRLF, LF and a byte order mark are accepted.
 *
 * A spreadsheet takes a cell that begins with = + - @, a tab or a carriage return for a formula. Such a cell, unless it
 * is a number, is written with an apostrophe before it; reading removes the apostrophe. So that every text survives a
 * round trip, a text that begins with an apostrophe and one of these characters, or with two apostrophes, gets one
 * more.
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct csv {
    char *path;     /* owned; for messages */
    char **columns; /* header, n_columns */
    size_t n_columns;
    char **cells;         /* n_rows * n_columns, row by row; borrowed from `text` */
    unsigned long *lines; /* line of the file where each row starts */
    size_t n_rows;
    char *text; /* owned */
};

/* Reads a table. ERR_INPUT: no header, an empty or repeated column name, a row with a different number of fields, a NUL
 * byte, an unclosed quote. Empty lines are skipped. path "-": standard input. Free *out with csv_free. */
enum status csv_read(struct csv **out, const char *path, struct error *e) MUST_CHECK;
/* The same from n bytes in memory; messages use `name`. */
enum status csv_parse(struct csv **out, const char *text, size_t n, const char *name, struct error *e) MUST_CHECK;
void csv_free(struct csv *c);

const char *csv_cell(const struct csv *c, size_t row, size_t column);
bool csv_find(const struct csv *c, const char *column, size_t *index);
/* Like csv_find, but a missing column is ERR_INPUT; the message lists the columns. */
enum status csv_need(const struct csv *c, const char *column, size_t *index, struct error *e) MUST_CHECK;
/* Reads a finite number. ERR_INPUT: anything else, with file, line, column name, the text found and the remedy. */
enum status csv_number(const struct csv *c, size_t row, size_t column, double *value, struct error *e) MUST_CHECK;

/* What stands before a field so that no spreadsheet takes it for a formula: an apostrophe or nothing. */
const char *csv_defused(const char *field);
/* Writes one field: quoted if RFC 4180 needs it, with an apostrophe if a spreadsheet could take it for a formula. */
void csv_put(FILE *f, const char *field);

#endif
