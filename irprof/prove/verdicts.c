/* verdicts.c - the four verdicts on a stamped module. */
#include "irprof/prove/prove.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "irprof/prove/executed.h"
#include "irprof/prove/structure.h"

static const char *const names[PROVE_VERDICTS] = {"structure", "executed", "flip", "time"};
static const char *const words[] = {"holds", "does not", "not proved"};

static void not_proved(struct prove_report *r, int which, const char *why)
{
    if (!r->findings[which].why)
        r->findings[which] = (struct prove_finding){PROVE_NOT, xstrdup(why)};
}

enum status prove(struct prove_report *r, const char *base, const char *stamped, const struct prove_options *o,
                  struct error *e)
{
    *r = (struct prove_report){0};
    enum status s = structure_prove(&r->findings[PROVE_STRUCTURE], base, stamped, e);
    if (!s && o->launch)
        s = prove_kernels(r, base, stamped, o, e);
    else if (!s && o->run)
        s = prove_programs(r, base, stamped, o, e);
    if (s)
        return s;
    static const char run[] = "not run: give --launch FILE for kernels, --run for programs";
    not_proved(r, PROVE_EXECUTED, run);
    not_proved(r, PROVE_FLIP, run);
    not_proved(r, PROVE_TIME,
               o->launch ? "not measured: kernels were run on this processor, not on their device"
                         : "not measured: give --run and --pairs N");
    return OK;
}

bool prove_rejected(const struct prove_report *r)
{
    for (int i = 0; i < PROVE_VERDICTS; i++)
        if (r->findings[i].verdict == PROVE_DOES_NOT)
            return true;
    return false;
}

void prove_print(const struct prove_report *r, bool csv, FILE *f)
{
    if (csv)
        fputs("verdict,result,reason\n", f);
    for (int i = 0; i < PROVE_VERDICTS; i++) {
        const struct prove_finding *v = &r->findings[i];
        if (!csv) {
            fprintf(f, "%-10s %-11s %s\n", names[i], words[v->verdict], v->why);
            continue;
        }
        fprintf(f, "%s,%s,", names[i], words[v->verdict]);
        csv_put(f, v->why);
        fputc('\n', f);
    }
}

void prove_report_release(struct prove_report *r)
{
    for (int i = 0; i < PROVE_VERDICTS; i++)
        free(r->findings[i].why);
    *r = (struct prove_report){0};
}
