/* error.c - the error object: sets it, adds context, prints it. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/str.h"

static void set_message(struct error *e, enum status s, struct loc at, char *message)
{
    char *file = xstrdup(at.file); /* copied before the release: `at.file` may belong to the error itself */
    error_release(e);
    e->status = s;
    e->file = file;
    e->line = at.line;
    e->message = message;
}

enum status error_set(struct error *e, enum status s, struct loc at, const char *fmt, ...)
{
    if (!e)
        return s;
    va_list ap;
    va_start(ap, fmt);
    char *message = xvasprintf(fmt, ap);
    va_end(ap);
    set_message(e, s, at, message);
    return s;
}

enum status error_errno(struct error *e, struct loc at, const char *fmt, ...)
{
    int number = errno;
    if (!e)
        return ERR_SYSTEM;
    va_list ap;
    va_start(ap, fmt);
    char *what = xvasprintf(fmt, ap);
    va_end(ap);
    char *message = xasprintf("%s: %s", what, strerror(number));
    free(what);
    set_message(e, ERR_SYSTEM, at, message);
    return ERR_SYSTEM;
}

enum status error_context(struct error *e, const char *fmt, ...)
{
    if (!e || !e->message)
        return e ? e->status : ERR_SYSTEM;
    va_list ap;
    va_start(ap, fmt);
    char *context = xvasprintf(fmt, ap);
    va_end(ap);
    char *message = xasprintf("%s: %s", context, e->message);
    free(context);
    free(e->message);
    e->message = message;
    return e->status;
}

void error_collect(struct error *all, const struct error *one)
{
    char *text = error_text(one);
    char *message = all->message ? xasprintf("%s\n%s", all->message, text) : xstrdup(text);
    set_message(all, all->status ? all->status : one->status, NOWHERE, message);
    free(text);
}

char *error_text(const struct error *e)
{
    const char *message = e->message ? e->message : "unknown error";
    char *text = !e->file   ? xstrdup(message)
                 : !e->line ? xasprintf("%s: %s", e->file, message)
                            : xasprintf("%s:%lu: %s", e->file, e->line, message);
    char *shown = printable_text(text); /* escaped: parts of it come from files, programs and boards */
    free(text);
    return shown;
}

void error_print(const struct error *e, const char *program)
{
    char *text = error_text(e);
    char *line = xasprintf("%s: %s\n", program, text);
    size_t n = strlen(line);
    for (size_t done = 0; done < n;) {
        ssize_t w = write(STDERR_FILENO, line + done, n - done);
        if (w <= 0)
            break;
        done += (size_t)w;
    }
    free(line);
    free(text);
}

void error_release(struct error *e)
{
    free(e->file);
    free(e->message);
    *e = (struct error)ERROR_INIT;
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
    fprintf(stderr, "BUG at %s:%d: ", file, line);
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputs("; please report this\n", stderr);
    abort();
}
