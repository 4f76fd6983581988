/*
 * csv.h - RFC 4180 tables: a header row, UTF-8, '.' decimal. Quoted fields may hold
 * commas, quotes and line breaks; CRLF and LF are accepted, a byte order mark too.
 *
 * Spreadsheets take a cell that begins with = + - @, a tab or a carriage return for a
 * formula. Where such a cell is no number it is written with an apostrophe before it, and
 * read without. So that every text comes back, what begins with an apostrophe and one of
 * these, or two apostrophes, gets one more.
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
    unsigned long *lines; /* line in the file at which each row starts */
    size_t n_rows;
    char *text; /* owned */
};

/* Refuses: no header, an empty or doubled column name, a row with another number of fields, a NUL byte, an open quote
 * at the end. Blank lines are passed over. path "-": standard input. csv_free the result. */
enum status csv_read(struct csv **out, const char *path, struct error *e) MUST_CHECK;
/* The same from memory; `name` stands in messages. */
enum status csv_parse(struct csv **out, const char *text, size_t n, const char *name, struct error *e) MUST_CHECK;
void csv_free(struct csv *c);

const char *csv_cell(const struct csv *c, size_t row, size_t column);
bool csv_find(const struct csv *c, const char *column, size_t *index);
/* As csv_find; a missing column is ERR_INPUT naming the columns there are. */
enum status csv_need(const struct csv *c, const char *column, size_t *index, struct error *e) MUST_CHECK;
/* A finite number; anything else is ERR_INPUT with file, line, column name, the text found and what to do about it. */
enum status csv_number(const struct csv *c, size_t row, size_t column, double *value, struct error *e) MUST_CHECK;

/* Writes one field, quoted where RFC 4180 needs it, and with an apostrophe where it could be taken for a formula. */
void csv_put(FILE *f, const char *field);

#endif
