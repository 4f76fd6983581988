/*
 * csource.h - a C source as far as blocks need it: where comments, braces, statements and
 * directives are, on which line. Not a compiler: macros are not expanded and conditions not
 * evaluated; both branches of an #if are read. Lines are counted as clang counts them: a line
 * ends in LF, CR LF or CR, and a backslash before it joins two.
 */
#ifndef SHIMGEN_BLOCKS_CSOURCE_H
#define SHIMGEN_BLOCKS_CSOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum csource_kind {
    CSOURCE_COMMENT,      /* text: its words, see below */
    CSOURCE_OPEN,         /* { */
    CSOURCE_CLOSE,        /* } */
    CSOURCE_SEMICOLON,    /* ; outside parentheses */
    CSOURCE_CODE,         /* any other piece of code */
    CSOURCE_HEAD,         /* NAME ( : text is the name; at the outermost level this may begin a function */
    CSOURCE_REGION_BEGIN, /* shim_region_begin("text") */
    CSOURCE_REGION_END,
    CSOURCE_IF, /* #if, #ifdef, #ifndef */
    CSOURCE_ELSE,
    CSOURCE_ENDIF,
    CSOURCE_LINE /* #line: the next line is `number` of the file `text` (NULL: of the same) */
};
struct csource_event {
    enum csource_kind kind;
    unsigned long line;   /* at which it begins */
    const char *text;     /* borrowed until the call returns */
    bool first;           /* a comment: there is nothing but braces before it on its line */
    bool inside;          /* stands in parentheses or brackets */
    unsigned long number; /* CSOURCE_LINE */
    const char *word;     /* CODE, HEAD: the word that it is, borrowed like text; NULL: none */
    char character;       /* CODE that is neither word nor string */
};
/* The text of a comment: without its marks and the stars that begin its lines, spaces and line ends made one space
 * each, control characters and what is not UTF-8 made '?'. A comment of the form // goes on with the next line's if
 * that has two spaces or more after its mark. */
typedef enum status csource_handler(void *context, const struct csource_event *event, struct error *e);

/* Calls `handle` for each event in order, until one does not return OK. `path` stands in messages. ERR_INPUT: a comment
 * or a string that never ends. */
enum status csource_scan(const char *text, size_t n, const char *path, csource_handler *handle, void *context,
                         struct error *e) MUST_CHECK;

#endif
