/* coverage_exit.c - for `make coverage`: what a process counted is written also when it ends by _exit.
 * And when it becomes another program. So do children that work for their parent. Each program is linked with this, and with --wrap of the
 * three. */
#include <unistd.h>

int __llvm_profile_write_file(void); /* of compiler-rt */

void __real__exit(int status) __attribute__((noreturn));
int __real_execv(const char *path, char *const *argv);
int __real_execvp(const char *name, char *const *argv);
void __wrap__exit(int status) __attribute__((noreturn));
int __wrap_execv(const char *path, char *const *argv);
int __wrap_execvp(const char *name, char *const *argv);

void __wrap__exit(int status)
{
    __llvm_profile_write_file();
    __real__exit(status);
}

int __wrap_execv(const char *path, char *const *argv)
{
    __llvm_profile_write_file();
    return __real_execv(path, argv);
}

int __wrap_execvp(const char *name, char *const *argv)
{
    __llvm_profile_write_file();
    return __real_execvp(name, argv);
}
