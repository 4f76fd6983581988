/* rt_stamp.c - threads and their stamps: memory at the first stamp, written when the thread or the program ends. */
#include "irprof/runtime/rt_stamp.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROOM = 65536, MOST_ROOM = 1 << 26 };

/* A thread. Its state and records follow. */
struct stamping {
    struct stamping *next; /* of all threads */
    uint32_t number, id;
    uint64_t written; /* number of stamps that are in the file */
    size_t size;      /* [bytes] of the mapping */
    uint32_t own;     /* number of its processor when it began; used if the system does not track that */
    struct stamp_thread *state;
};

uint8_t irprof_stamp_never;
uint32_t rt_stamp_which = UINT32_MAX;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int have_key;
static pid_t owner; /* the process that was started; 0: not yet */
static uint64_t room = ROOM;
static uint32_t n_threads, n_points;
static struct stamping *threads;
static _Thread_local struct stamping *here;
static _Thread_local volatile sig_atomic_t inside, deferred;

/* Takes the stamps of threads for which there is no memory, and of code that runs before the runtime. They are lost. */
static union {
    struct stamp_thread state;
    char room[sizeof(struct stamp_thread) + sizeof(struct stamp_record)];
} nowhere;
static const uint32_t no_processor = STAMP_NO_PROCESSOR;
static uint32_t said_memory;

void rt_stamp_say(const char *a, const char *b)
{
    char line[1024];
    size_t n = 0;
    const char *parts[] = {"irprof: stamps: ", a, b};
    for (size_t i = 0; i < 3; i++)
        for (const char *s = parts[i]; *s && n < sizeof line - 1; s++)
            line[n++] = (unsigned char)*s < 32 ? '?' : *s;
    line[n++] = '\n';
    (void)!write(STDERR_FILENO, line, n);
}

void rt_stamp_lock(void)
{
    inside = 1;
    pthread_mutex_lock(&mutex);
}

void rt_stamp_unlock(void)
{
    pthread_mutex_unlock(&mutex);
    inside = 0;
    if (deferred) {
        int number = deferred;
        deferred = 0;
        raise(number);
    }
}

/* ---- writing ---- */

static uint32_t processor_now(void)
{
    int cpu = sched_getcpu();
    return cpu < 0 ? STAMP_NO_PROCESSOR : (uint32_t)cpu;
}

/* Writes what is not in the file yet. */
static void write_thread(struct stamping *t, uint32_t ended)
{
    uint64_t count = __atomic_load_n(&t->state->count, __ATOMIC_ACQUIRE), limit = t->state->limit;
    uint64_t from = t->written < limit ? t->written : limit, to = count < limit ? count : limit;
    uint64_t lost_before = t->written > limit ? t->written - limit : 0, lost = count > limit ? count - limit : 0;
    struct stamp_thread_head head = {.at = rt_stamp_now(rt_stamp_which),
                                     .lost = lost - lost_before,
                                     .thread = t->number,
                                     .id = t->id,
                                     .processor = processor_now(),
                                     .ended = ended};
    if (count == t->written && !(ended && count))
        return;
    t->written = count;
    rt_stamp_chunk(STAMP_THREAD, &head, sizeof head, t->state->records + from,
                   (to - from) * sizeof(struct stamp_record));
}

static void write_all(uint32_t signal_number)
{
    struct stamp_end end = {.at = rt_stamp_now(rt_stamp_which), .signal = signal_number, .threads = n_threads};
    for (struct stamping *t = threads; t; t = t->next)
        write_thread(t, 0);
    rt_stamp_chunk(STAMP_END, &end, sizeof end, 0, 0);
}

/* The thread ends. If a destructor of the program's stamps after this, it gets a new state. */
static void on_thread_end(void *given)
{
    struct stamping *t = given;
    int number = errno;
    rt_stamp_lock();
    write_thread(t, 1);
    for (struct stamping **at = &threads; *at; at = &(*at)->next) {
        if (*at != t)
            continue;
        *at = t->next;
        break;
    }
    here = 0;
    rt_stamp_unlock();
    munmap(t, t->size);
    errno = number;
}

/* ---- a thread's first stamp ---- */

/* glibc registers an area in which the kernel keeps the processor's number (rseq(2), glibc 2.35). */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));
enum { RSEQ_CPU_ID = 4 }; /* offset in struct rseq */

static const uint32_t *processor_place(struct stamping *t)
{
    t->own = processor_now();
    if (!&__rseq_offset || !&__rseq_size || !__rseq_size)
        return &t->own;
    return (const uint32_t *)((const char *)__builtin_thread_pointer() + __rseq_offset + RSEQ_CPU_ID);
}

static struct stamping *new_thread(void)
{
    size_t size = sizeof(struct stamping) + sizeof(struct stamp_thread) + (room + 1) * sizeof(struct stamp_record) + 64;
    /* Maps all pages at once, so that no stamp causes a page fault. */
    void *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (p == MAP_FAILED) {
        if (!said_memory++)
            rt_stamp_say("no memory for a thread's stamps: they are lost; IRPROF_STAMPS=N makes room for fewer", "");
        return 0;
    }
    struct stamping *t = p;
    t->size = size;
    t->number = ++n_threads;
    t->id = (uint32_t)syscall(SYS_gettid);
    t->state = (struct stamp_thread *)(((uintptr_t)(t + 1) + 63) / 64 * 64);
    t->state->limit = room;
    t->state->processor = processor_place(t);
    t->next = threads;
    threads = t;
    return t;
}

static struct stamp_thread *no_room(void)
{
    nowhere.state.processor = &no_processor;
    return &nowhere.state;
}

static struct stamp_thread *first_stamp(void)
{
    int number = errno, cancel;
    if (!owner || inside) /* a resolver of an ifunc, or a signal handler that has interrupted this */
        return no_room();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    rt_stamp_lock();
    here = new_thread();
    if (here && have_key)
        pthread_setspecific(key, here);
    rt_stamp_unlock();
    pthread_setcancelstate(cancel, &cancel);
    errno = number;
    return here ? here->state : no_room();
}

struct stamp_thread *irprof_stamp_thread(void)
{
    return here ? here->state : first_stamp();
}

/* ---- the program's own stamps ---- */

struct named {
    const char *name; /* belongs to the program */
    uint32_t point;
};
enum { NAMED = 1024 };
static struct named named[NAMED]; /* a hash table by the address of the name, with open addressing */
static uint32_t n_named;
static int said_named;

static struct named *find_named(const char *name)
{
    size_t at = ((uintptr_t)name >> 2) % NAMED;
    for (size_t i = 0; i < NAMED; i++, at = (at + 1) % NAMED) {
        const char *there = __atomic_load_n(&named[at].name, __ATOMIC_ACQUIRE);
        if (!there || there == name)
            return &named[at];
    }
    return 0;
}

static void add_named(const char *name)
{
    rt_stamp_lock();
    struct named *n = find_named(name);
    if (n && !n->name && n_named < NAMED / 2) {
        struct stamp_name head = {STAMP_NAMED + n_named, 0};
        n->point = STAMP_NAMED + n_named++;
        rt_stamp_chunk(STAMP_NAMES, &head, sizeof head, name, strlen(name));
        __atomic_store_n(&n->name, name, __ATOMIC_RELEASE);
    } else if ((!n || !n->name) && !said_named++) {
        rt_stamp_say("more than 512 different names: no stamp for ", name);
    }
    rt_stamp_unlock();
}

static void start(uint32_t clock);

void shim_stamp(const char *name);
void shim_stamp(const char *name)
{
    if (!name)
        return;
    if (rt_stamp_which == UINT32_MAX) /* the program has no other stamps */
        start(UINT32_MAX);
    struct stamp_thread *t = irprof_stamp_thread();
    struct named *n = find_named(name);
    if (!n || !n->name) {
        add_named(name);
        n = find_named(name);
    }
    if (n && n->name)
        rt_stamp_add(t, rt_stamp_which, n->point);
}

void shim_stamp_flush(void);
void shim_stamp_flush(void)
{
    if (!here || owner != getpid())
        return;
    rt_stamp_lock();
    write_thread(here, 0);
    /* Written stamps may be overwritten. */
    here->written = 0;
    __atomic_store_n(&here->state->count, 0, __ATOMIC_RELEASE);
    rt_stamp_unlock();
}

void shim_stamp_results(const char *name, const void *at, size_t bytes, size_t element);
void shim_stamp_results(const char *name, const void *at, size_t bytes, size_t element)
{
    struct {
        struct stamp_results head;
        char name[256];
    } both = {.head = {.element = (uint32_t)element, .name = (uint32_t)strnlen(name, sizeof both.name)}};
    if (owner != getpid() || (element != 4 && element != 8))
        return;
    memcpy(both.name, name, both.head.name);
    rt_stamp_lock();
    rt_stamp_chunk(STAMP_RESULTS, &both, sizeof both.head + both.head.name, at, bytes / element * element);
    rt_stamp_unlock();
}

/* ---- start and end ---- */

__attribute__((destructor(101))) static void at_exit(void)
{
    if (owner != getpid() || rt_stamp_which == UINT32_MAX)
        return;
    rt_stamp_lock();
    write_all(0);
    rt_stamp_unlock();
}

/* Writes all stamps, then lets the default action happen. */
static void on_fatal(int number)
{
    if (inside && number != SIGSEGV && number != SIGBUS) {
        deferred = number;
        return;
    }
    signal(number, SIG_DFL);
    if (owner == getpid() && !inside) {
        rt_stamp_lock();
        write_all((uint32_t)number);
        rt_stamp_unlock();
    }
    raise(number);
}

static void catch_signals(void)
{
    static const int fatal[] = {SIGILL,  SIGBUS,  SIGFPE,  SIGSEGV, SIGHUP,  SIGINT, SIGQUIT,
                                SIGABRT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ};
    struct sigaction ours, old;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = on_fatal;
    ours.sa_flags = SA_ONSTACK;
    sigfillset(&ours.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (sigaction(fatal[i], 0, &old) == 0 && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
            sigaction(fatal[i], &ours, 0);
}

/* A forked child has only the calling thread, without stamps yet, and a file of its own. */
static void in_child(void)
{
    pthread_mutex_unlock(&mutex);
    inside = 0;
    deferred = 0;
    owner = getpid();
    struct stamping *mine = here;
    threads = mine;
    n_threads = mine ? 1 : 0;
    if (mine) {
        mine->next = 0;
        mine->number = 1;
        mine->id = (uint32_t)syscall(SYS_gettid);
        mine->written = mine->state->count = 0;
    }
    rt_stamp_reopen();
}

static void read_environment(void)
{
    const char *given = secure_getenv("IRPROF_STAMPS"), *flip = secure_getenv("IRPROF_STAMP_FLIP");
    if (given && *given) {
        char *end;
        unsigned long long n = strtoull(given, &end, 10);
        if (*end || given[0] < '0' || given[0] > '9' || !n || n > MOST_ROOM)
            rt_stamp_say("IRPROF_STAMPS is not a number from 1 to 67108864: 65536 is used, not ", given);
        else
            room = n;
    }
    irprof_stamp_never = flip && strcmp(flip, "1") == 0;
}

static uint32_t default_clock(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return STAMP_RDTSC;
#elif defined(__aarch64__)
    return STAMP_CNTVCT;
#elif defined(__riscv)
    return STAMP_RDTIME;
#else
    return STAMP_CYCLES;
#endif
}

static void start(uint32_t clock)
{
    rt_stamp_lock();
    if (rt_stamp_which == UINT32_MAX) {
        rt_stamp_which = clock == UINT32_MAX ? default_clock() : clock;
        read_environment();
        have_key = pthread_key_create(&key, on_thread_end) == 0;
        pthread_atfork(rt_stamp_lock, rt_stamp_unlock, in_child);
        catch_signals();
        rt_stamp_open();
        owner = getpid();
    }
    rt_stamp_unlock();
}

uint64_t rt_stamp_room(void);
uint64_t rt_stamp_room(void)
{
    return room;
}

void irprof_stamp_register(struct stamp_module *m)
{
    struct stamp_module_head head;
    if (m->abi != STAMP_ABI) {
        rt_stamp_say("a module was stamped by another version of irprof: stamp it again", "");
        return;
    }
    if (rt_stamp_which == UINT32_MAX)
        start(m->clock);
    if (m->clock != rt_stamp_which)
        rt_stamp_say("two modules use different clocks: their times cannot be compared; give all the same --clock", "");
    rt_stamp_lock();
    head = (struct stamp_module_head){n_points, m->n_points};
    m->first = n_points;
    n_points += m->n_points;
    rt_stamp_chunk(STAMP_MODULE, &head, sizeof head, m->text, m->text_size);
    rt_stamp_unlock();
    rt_stamp_sleds(m);
}
