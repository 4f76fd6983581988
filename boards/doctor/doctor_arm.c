/* doctor_arm.c - checks for machines with Arm cores. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "boards/description/causes.h"
#include "boards/doctor/doctor_visit.h"
#include "boards/machine/system_files.h"

#define DEVICES "/sys/bus/event_source/devices"

/* Finds raw events that this PMU is known not to count. The kernel would open them nevertheless, and they would stay 0.
 * For the first common events, the kernel lists those that the PMU has; rt_pmu.c leaves the others out. */
static bool names_events(const struct doctor_visit *v, uint64_t *have)
{
    char *folder = xasprintf("%s" DEVICES "/%s/events", v->root ? v->root : "", v->machine.pmu), **all = 0;
    size_t n = 0;
    struct error ignored = ERROR_INIT;
    if (list_directory(&all, &n, folder, &ignored))
        n = 0;
    *have = 0;
    for (size_t i = 0; i < n; i++) {
        char *path = xasprintf(DEVICES "/%s/events/%s", v->machine.pmu, all[i]), *text = sys_text(v->root, path);
        unsigned long number = text && strncmp(text, "event=", 6) == 0 ? strtoul(text + 6, 0, 0) : 64;
        if (number < 64)
            *have |= (uint64_t)1 << number;
        free(text);
        free(path);
        free(all[i]);
    }
    free(all);
    free(folder);
    error_release(&ignored);
    return *have != 0;
}

static void check_events(struct doctor_visit *v)
{
    enum { RAW = 4, JUDGED = 0x1e }; /* PERF_TYPE_RAW; common events from CHAIN (0x1e) on are not always listed */
    uint64_t have;
    struct str absent = STR_INIT;
    if (!*v->machine.pmu || v->b->source == BOARD_SOURCE_CONSTANT || !names_events(v, &have))
        return;
    for (size_t i = 0; i < v->b->n_events; i++) {
        const struct board_event *e = &v->b->events[i];
        if (e->type == RAW && e->config < JUDGED && !(have >> e->config & 1))
            str_addf(&absent, "%s%s", absent.len ? ", " : "", e->name);
    }
    if (absent.len)
        cause_add(v->out, "event-absent", str_text(&absent));
    str_release(&absent);
}

static void check_kinds(struct doctor_visit *v)
{
    char *folder = xasprintf("%s" DEVICES, v->root ? v->root : ""), **all = 0;
    size_t n = 0, kinds = 0;
    struct error ignored = ERROR_INIT;
    if (list_directory(&all, &n, folder, &ignored))
        n = 0;
    for (size_t i = 0; i < n; i++) {
        kinds += glob_match("armv?_*", all[i]);
        free(all[i]);
    }
    if (kinds > 1)
        cause_add(v->out, "mixed-cores", v->machine.pmu);
    free(all);
    free(folder);
    error_release(&ignored);
}

/* The Raspberry Pi's firmware changes the clock by itself. Bits of vcgencmd get_throttled, by Raspberry Pi's
 * documentation: 0 under-voltage, 1 frequency capped, 2 throttled, 3 soft temperature limit; from bit 16 on the same,
 * but since boot. Raspberry Pi's kernel shows them in hexadecimal. */
static void name_bits(struct str *out, unsigned long bits)
{
    static const char *const names[] = {"under-voltage", "frequency capped", "throttled", "temperature limit"};
    for (size_t i = 0; i < 4; i++)
        if (bits >> i & 1)
            str_addf(out, "%s%s", out->len ? ", " : "", names[i]);
}

static void check_firmware(struct doctor_visit *v)
{
    char *text = sys_text(v->root, "/sys/devices/platform/soc/soc:firmware/get_throttled");
    unsigned long bits = text ? strtoul(text, 0, 16) : 0;
    struct str now = STR_INIT, before = STR_INIT;
    name_bits(&now, bits & 15);
    name_bits(&before, bits >> 16 & 15 & ~bits);
    if (now.len)
        cause_add(v->out, "throttled", str_text(&now));
    if (before.len)
        cause_add(v->out, "was-throttled", str_text(&before));
    str_release(&now);
    str_release(&before);
    free(text);
}

void doctor_arm(struct doctor_visit *v)
{
    if (strcmp(v->machine.architecture, "aarch64") != 0)
        return;
    check_events(v);
    check_kinds(v);
    check_firmware(v);
}
