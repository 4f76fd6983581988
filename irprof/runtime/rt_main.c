/*
 * A program linked with --wrap=main runs twice: once for what that leaves in the simulated caches and predictors (and
 * in the program's own memory), as boards measure programs warm, then counted. Linked without it nothing here is
 * called; a program that wraps main itself keeps its own.
 */
#include "irprof/runtime/rt.h"

#include <string.h>
#include <unistd.h>

int __real_main(int argc, char **argv, char **envp) __attribute__((weak));
int __wrap_main(int argc, char **argv, char **envp) __attribute__((weak));

/* main may permute its arguments: each call gets them fresh. */
static char **copy_of(int argc, char **argv)
{
    size_t size = sizeof *argv * ((size_t)argc + 1);
    char **copy = rt_memory(size);
    return copy ? memcpy(copy, argv, size) : argv;
}

int __wrap_main(int argc, char **argv, char **envp)
{
    int code = __real_main(argc, copy_of(argc, argv), envp);
    if (code)
        return code;
    rt_start();
    rt_lock();
    rt_counters_restart();
    rt_regions_restart();
    rt_unlock();
    optind = 1;
    code = __real_main(argc, argv, envp);
    __asm__ volatile("" : "+r"(code)); /* no jump in place of the call: the stack is where it was in the first run */
    if (code)
        rt_say("main ended with 0 when it was run first, and fails when it is run again: the counts are of the second "
               "run",
               "; count it without warm caches", "");
    return code;
}
