#include "base/progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/str.h"

static bool drawn; /* a line without its end stands on the terminal */

void progress_show(const char *label, size_t done, size_t total, const char *name)
{
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r\033[K%s %zu/%zu %.60s", label, done, total, name ? name : "");
    drawn = done < total;
    if (!drawn)
        fputc('\n', stderr);
    fflush(stderr);
}

void progress_clear(void)
{
    if (drawn)
        fputs("\r\033[K", stderr);
    drawn = false;
}

void progress_note(const char *fmt, ...)
{
    progress_clear();
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap), *shown = printable_text(text);
    va_end(ap);
    fprintf(stderr, "%s\n", shown);
    free(shown);
    free(text);
}
