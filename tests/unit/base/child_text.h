/* child_text.h - what a child process writes to stderr, and how it ends. */
#ifndef TESTS_UNIT_BASE_CHILD_TEXT_H
#define TESTS_UNIT_BASE_CHILD_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* The caller frees. What qemu-user says of a signal that ends its program is left out. `*how`: as waitpid says it, unless
 * NULL. */
static inline char *child_text(void (*child)(void), int *how)
{
    int fds[2];
    char *text = calloc(1, 4096);
    size_t n = 0;
    ssize_t got;
    assert_non_null(text);
    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(fds[1], STDERR_FILENO);
        close(fds[0]);
        close(fds[1]);
        child();
        _exit(0);
    }
    close(fds[1]);
    while ((got = read(fds[0], text + n, 4095 - n)) > 0)
        n += (size_t)got;
    close(fds[0]);
    waitpid(pid, how, 0);
    char *of_qemu = strstr(text, "qemu: uncaught target signal ");
    if (of_qemu)
        *of_qemu = 0;
    return text;
}

#endif
