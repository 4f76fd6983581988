/* Libraries come and go while threads that were in them live on. */
#include <dlfcn.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 50 };

static pthread_barrier_t barrier;
static void (*work)(int);

static void *worker(void *x)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&barrier); /* loaded */
        work(100);
        pthread_barrier_wait(&barrier); /* done */
    }
    return x;
}

int main(void)
{
    pthread_t t[THREADS];
    pthread_barrier_init(&barrier, 0, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < ROUNDS; i++) {
        void *library = dlopen("./plugin.so", RTLD_NOW);
        *(void **)&work = dlsym(library, "work");
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        work(1);
        dlclose(library);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
}
