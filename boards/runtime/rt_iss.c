/* rt_iss.c - the simulated board: asks the emulator's plugin (iss.h) for counts, as rt_event.c asks the kernel. */
#include "rt.h"
#include "rt_iss.h"

#include <errno.h>

#include <stdint.h>
#include <string.h>
#include <unistd.h>

static size_t place[RT_EVENTS]; /* index of each event among the simulator's */
static struct iss_counters now;

/* Reads a whole answer, or nothing: it is in the pipe when the call returns. */
static int fetch(void *to, size_t size)
{
    return read(ISS_DESCRIPTOR, to, size) == (ssize_t)size;
}

static struct iss_hello hello;

/* Code between these symbols is the runtime's, and is not timed. */
extern const char rt_code_from[] __asm__("__start_shim_rt_code"), rt_code_to[] __asm__("__stop_shim_rt_code");

/* Start of the program's writable data; some C libraries do not define it. */
extern char rt_data __asm__("__data_start") __attribute__((weak));

int rt_iss_open(size_t n, const uint64_t *config)
{
    rt.flush_method = rt.priority = rt.memory = "simulated";
    rt_iss_call(ISS_HELLO, ISS_VERSION, (uintptr_t)rt_code_from, (uintptr_t)rt_code_to);
    if (!fetch(&hello, sizeof hello) || hello.magic != ISS_MAGIC || hello.version != ISS_VERSION)
        return -1;
    rt_iss_call(ISS_CONSTANTS, (uintptr_t)&rt_data, 0, 0);
    rt.n_events = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < hello.n_events && k < ISS_EVENTS && hello.event[k] != config[i])
            k++;
        if (k == hello.n_events || k == ISS_EVENTS) {
            rt_leave_out(rt.names[i], strlen(rt.names[i]), ENOENT);
            continue;
        }
        place[rt.n_events] = k;
        memmove(rt.names[rt.n_events++], rt.names[i], RT_NAME);
    }
    rt.simulated = 1;
    rt.clock_hz = hello.clock_hz;
    return 0;
}

void rt_iss_read(struct rt_sample *s)
{
    rt_iss_call(ISS_READ, 0, 0, 0);
    if (!fetch(&now, sizeof now) || now.magic != ISS_MAGIC) {
        rt_problem("group-lost", "");
        memset(s, 0, sizeof *s);
        return;
    }
    s->enabled = s->running = 0;
    for (size_t i = 0; i < rt.n_events; i++)
        s->value[i] = now.value[place[i]];
}
