#define _GNU_SOURCE
#define _GNU_SOURCE
/* A thread that the C library does not know: made by clone, with thread-local storage of its own. Its end is told to
 * nobody, and its memory goes away at once. */
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/futex.h>

static int tid;

__attribute__((noinline)) void step(volatile int *at)
{
    ++*at;
}
__attribute__((noinline)) int work(void *n)
{
    volatile int at = 0;
    for (long i = 0; i < (long)n; i++)
        step(&at);
    return 0;
}

int main(void)
{
    /* What pthread_create calls for the new thread's storage; the head of it points to itself. */
    void *(*allocate)(void *) = 0;
    void (*deallocate)(void *, int) = 0;
    *(void **)&allocate = dlsym(RTLD_DEFAULT, "_dl_allocate_tls");
    *(void **)&deallocate = dlsym(RTLD_DEFAULT, "_dl_deallocate_tls");
    work((void *)7);
    for (int i = 0; i < 100; i++) {
        size_t size = 65536;
        char *stack = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        void **tls = 0;
        if (allocate && deallocate) {
            tls = allocate(0);
#ifdef __x86_64__
            tls[0] = tls[2] = tls;
#endif
        }
        int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                    CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | (tls ? CLONE_SETTLS : 0);
        if (clone(work, stack + size, flags, (void *)1000, &tid, tls, &tid) < 0)
            return perror("clone"), 1;
        for (int now; (now = __atomic_load_n(&tid, __ATOMIC_SEQ_CST));)
            syscall(SYS_futex, &tid, FUTEX_WAIT, now, 0, 0, 0);
        munmap(stack, size);
        if (tls)
            deallocate(tls, 1);
    }
}
