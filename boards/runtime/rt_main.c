/* rt_main.c - linked with --wrap=main. It sets up everything, runs the program's main (first once without measuring, if
 * caches are to be warm), and writes the report. */
#include "rt.h"
#include "rt_iss.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __real_main(int argc, char **argv, char **envp);
int __wrap_main(int argc, char **argv, char **envp);

static const char *out;
static int proving;    /* check the counters instead of measuring the program */
static int start = -1; /* the directory of a relative path; -1: the path is absolute */

/* Also runs if the program ends by exit(). It is registered first, so the program's own handlers run before it. */
static void finish(void)
{
    if (getpid() != rt.pid)
        return; /* a child of the program */
    if (rt.state == RT_WARMING)
        rt_problem("exit-in-warm-up", "");
    if (rt.state == RT_MEASURING && rt.depth == 1 && rt.floor == 1)
        shim_region_end(rt_name_main);
    rt.state = RT_DONE;
    if (!proving)
        rt_sentinel(); /* has a counter failed meanwhile? */
    if (start >= 0 && fchdir(start))
        return; /* the reader reports that there is no result */
    rt_report(out);
}

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

static void set_up(void)
{
    out = strdup(out);                                                     /* the program may change its environment */
    start = !out || *out == '/' ? -1 : open(".", O_DIRECTORY | O_CLOEXEC); /* ... and its directory */
    rt.pid = getpid();
    rt.cold = strcmp(setting("SHIM_MEASURE_CACHE", "cold"), "warm") != 0;
    rt_events_open(setting("SHIM_MEASURE_SOURCE", "auto"), setting("SHIM_MEASURE_EVENTS", ""));
    if (rt.simulated)
        return; /* nothing disturbs it, and there is no overhead to measure */
    rt_raise_priority(atoi(setting("SHIM_MEASURE_PRIORITY", "1")));
    rt_flush_open();
    proving = atoi(setting("SHIM_MEASURE_PROVE", "0")) != 0;
    if (proving) {
        rt.memory = "none";
        rt_prove();
        return;
    }
    rt_sentinel();
    rt_noise_open();
    rt_hold_memory();
    /* Warm caches: predictors then know what one run has taught them, not what all earlier launches have. */
    rt.new_place = !rt.cold && rt_unknown_place();
    if (!rt.cold && !rt.new_place)
        rt_untrain();
    rt_calibrate(atol(setting("SHIM_MEASURE_SPIN_US", rt.cold ? "1000" : "200")),
                 !rt.pmu || strcmp(setting("SHIM_MEASURE_CALIBRATE", "full"), "short") != 0);
}

/* main may permute its arguments, so each call gets a fresh copy. */
static char **copy_of(int argc, char **argv)
{
    char **copy = malloc(sizeof *copy * ((size_t)argc + 1));
    if (!copy)
        return argv;
    return memcpy(copy, argv, sizeof *copy * ((size_t)argc + 1)); /* never freed: the program may keep pointers to it */
}

/* Runs the program without measuring, to warm the caches. */
RT_NOT_TIMED static int warm_up(int argc, char **argv, char **envp)
{
    rt_resume();
    int code = __real_main(argc, argv, envp);
    rt_suspend();
    return code;
}

RT_NOT_TIMED static int measured_main(int argc, char **argv, char **envp, int as_region)
{
    if (as_region) {
        shim_region_begin(rt_name_main);
        rt.floor = 1;
    }
    int code = __real_main(argc, argv, envp);
    if (rt.state == RT_MEASURING && rt.depth == 1 && rt.floor == 1) {
        shim_region_end(rt_name_main);
        rt.state = RT_DONE;
    }
    return code;
}

int __wrap_main(int argc, char **argv, char **envp)
{
    out = getenv("SHIM_MEASURE_OUT");
    if (!out || !*out)
        return __real_main(argc, argv, envp);
    set_up();
    if (!out || atexit(finish) || rt.simulated < 0)
        return __real_main(argc, argv, envp);
    if (proving)
        return 0;
    if (!rt.cold) {
        rt.state = RT_WARMING;
        int code = warm_up(argc, copy_of(argc, argv), envp);
        rt.state = RT_DONE;
        if (code)
            return code;
        optind = 1;
    }
    rt_regions_reset();
    rt.state = RT_MEASURING;
    rt.floor = 0;
    return measured_main(argc, copy_of(argc, argv), envp, atoi(setting("SHIM_MEASURE_MAIN", "1")));
}
