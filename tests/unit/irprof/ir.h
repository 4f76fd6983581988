/* ir.h - textual IR given in a test, as a module. */
#ifndef TEST_IRPROF_IR_H
#define TEST_IRPROF_IR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "irprof/module/llvm.h"

/* The caller releases it. */
static inline struct llvm_module ir_load(const char *text)
{
    struct llvm_module m;
    struct error e = ERROR_INIT;
    char path[] = "/tmp/irprof-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    enum status s = llvm_load(&m, path, &e);
    unlink(path);
    if (s)
        fail_msg("%s", e.message);
    return m;
}

#endif
