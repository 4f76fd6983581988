/* Threads with work of their own, destructors of keys, a library that comes and goes, a fork, a region of the program
 * with the name of a thread's. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void shim_region_begin(const char *name) __attribute__((weak));
void shim_region_end(const char *name) __attribute__((weak));

__attribute__((noinline)) void step(void)
{
    __asm__ volatile("");
}
__attribute__((noinline)) void last(void *n)
{
    (void)n;
}
static pthread_key_t key;
static void *work(void *n)
{
    pthread_setspecific(key, n);
    for (long i = (long)n; i > 0; i--)
        step();
    return 0;
}
static void run(long n)
{
    pthread_t t;
    pthread_create(&t, 0, work, (void *)n);
    pthread_join(t, 0);
}
static void library(void)
{
    void *lib = dlopen("./lib.so", RTLD_NOW);
    void (*f)(void);
    if (!lib)
        exit(1);
    *(void **)&f = dlsym(lib, "inside");
    f();
    dlclose(lib);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    pthread_key_create(&key, last);
    if (strcmp(how, "name") == 0)
        shim_region_begin("thread:2");
    for (long n = 10; n <= 30; n += 10)
        run(n);
    if (strcmp(how, "name") == 0)
        shim_region_end("thread:2");
    if (strcmp(how, "library") == 0) {
        library();
        library();
    }
    if (strcmp(how, "fork") == 0 && fork() == 0) {
        run(5);
        exit(0);
    }
    wait(0);
    return 0;
}
