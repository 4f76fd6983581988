/* pfm.c - names of processors' events, by libpfm; no other file uses it. A libpfm knows the processors of the
 * architecture that it was built for. For Arm boards on other machines, the architecture's common events are listed
 * here. */
#include "boards/description/event_names.h"

#include <perfmon/pfmlib_perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Arm Architecture Reference Manual, "PMU events and event numbers": event n is entry n. */
static const char *const arm_common[] = {"SW_INCR",
                                         "L1I_CACHE_REFILL",
                                         "L1I_TLB_REFILL",
                                         "L1D_CACHE_REFILL",
                                         "L1D_CACHE",
                                         "L1D_TLB_REFILL",
                                         "LD_RETIRED",
                                         "ST_RETIRED",
                                         "INST_RETIRED",
                                         "EXC_TAKEN",
                                         "EXC_RETURN",
                                         "CID_WRITE_RETIRED",
                                         "PC_WRITE_RETIRED",
                                         "BR_IMMED_RETIRED",
                                         "BR_RETURN_RETIRED",
                                         "UNALIGNED_LDST_RETIRED",
                                         "BR_MIS_PRED",
                                         "CPU_CYCLES",
                                         "BR_PRED",
                                         "MEM_ACCESS",
                                         "L1I_CACHE",
                                         "L1D_CACHE_WB",
                                         "L2D_CACHE",
                                         "L2D_CACHE_REFILL",
                                         "L2D_CACHE_WB",
                                         "BUS_ACCESS",
                                         "MEMORY_ERROR",
                                         "INST_SPEC",
                                         "TTBR_WRITE_RETIRED",
                                         "BUS_CYCLES",
                                         "CHAIN",
                                         "L1D_CACHE_ALLOCATE",
                                         "L2D_CACHE_ALLOCATE",
                                         "BR_RETIRED",
                                         "BR_MIS_PRED_RETIRED",
                                         "STALL_FRONTEND",
                                         "STALL_BACKEND",
                                         "L1D_TLB",
                                         "L1I_TLB",
                                         "L2I_CACHE",
                                         "L2I_CACHE_REFILL",
                                         "L3D_CACHE_ALLOCATE",
                                         "L3D_CACHE_REFILL",
                                         "L3D_CACHE",
                                         "L3D_CACHE_WB",
                                         "L2D_TLB_REFILL",
                                         "L2I_TLB_REFILL",
                                         "L2D_TLB",
                                         "L2I_TLB",
                                         "REMOTE_ACCESS",
                                         "LL_CACHE",
                                         "LL_CACHE_MISS",
                                         "DTLB_WALK",
                                         "ITLB_WALK",
                                         "LL_CACHE_RD",
                                         "LL_CACHE_MISS_RD",
                                         "REMOTE_ACCESS_RD"};

static bool parse_arm(const char *name, uint32_t *type, uint64_t *config, char **why)
{
    const char *event = strstr(name, "::") + 2;
    for (size_t i = 0; i < sizeof arm_common / sizeof *arm_common; i++)
        if (strcasecmp(event, arm_common[i]) == 0) {
            *type = PERF_TYPE_RAW;
            *config = i;
            return true;
        }
    *why = xasprintf("libpfm on this computer has no Arm processors, and '%s' is not one of Arm's common events; write "
                     "its number, raw:0x..",
                     event);
    return false;
}

bool pfm_parse(const char *name, uint32_t *type, uint64_t *config, char **why)
{
    struct perf_event_attr attr = {0};
    pfm_perf_encode_arg_t arg = {.attr = &attr, .size = sizeof arg};
    /* a name with a processor in it need not be about this machine: the board may be elsewhere */
    setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
    int failed = pfm_initialize();
    if (!failed)
        failed = pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
    if (failed && strncmp(name, "arm_", 4) == 0 && strstr(name, "::"))
        return parse_arm(name, type, config, why);
    if (failed)
        *why = xasprintf("libpfm says: %s; write PROCESSOR::EVENT[:UNIT-MASK] as in its manual pages (man libpfm), or "
                         "the number, raw:0x..",
                         pfm_strerror(failed));
    else if (attr.type > PERF_TYPE_RAW || attr.config1 || attr.config2)
        *why = xstrdup("this event is not one of a core's plain counters; leave it out");
    *type = attr.type;
    *config = attr.config;
    return !*why;
}
