/*
 * error_public.h - what a call that failed says: a status and an error object. Only the calls of error.h fill them.
 *
 * The installed libraries bring this header too. There each of its names begins with the library's name (base/part.mk),
 * so that a program may use these names for things of its own.
 */
#ifndef BASE_ERROR_PUBLIC_H
#define BASE_ERROR_PUBLIC_H

#ifdef __cplusplus
extern "C" {
#endif

enum status {
    OK,
    ERR_INPUT,       /* the user's input is wrong */
    ERR_SYSTEM,      /* the system refused: files, processes, rights */
    ERR_UNSUPPORTED, /* right, but not possible here */
    ERR_CANCELLED,   /* interrupted by the user */
    ERR_USAGE,       /* the command line is wrong; programs exit with 2 */
    ERR_FOUND        /* a check failed and has said so itself; nothing to print */
};

#define MUST_CHECK        __attribute__((warn_unused_result))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

/* Owned by the caller; start with ERROR_INIT, end with error_release. */
struct error {
    enum status status;
    char *file;         /* owned copy, or NULL */
    unsigned long line; /* 0: none */
    char *message;      /* owned; NULL while nothing is set */
};
#define ERROR_INIT                                                                                                     \
    {                                                                                                                  \
        OK, 0, 0, 0                                                                                                    \
    }

/* "file:line: message" (parts that are absent left out), made printable: control characters are escaped. The caller
 * frees it. */
char *error_text(const struct error *e);

/* Writes "program: file:line: message\n" to stderr in one write. */
void error_print(const struct error *e, const char *program);

/* Back to ERROR_INIT; frees what the error owns. */
void error_release(struct error *e);

#ifdef __cplusplus
}
#endif

#endif
