/* build_steps.c - announces the steps of a build and records how long each took. */
#include "shimgen/build/build_steps.h"

#include <stdlib.h>
#include <time.h>

#include "base/proc.h"
#include "base/progress.h"
#include "base/str.h"

void steps_end(struct steps *s)
{
    if (s->list.n)
        s->list.at[s->list.n - 1].seconds = proc_clock_s() - s->list.at[s->list.n - 1].from;
    progress_end();
}

void steps_begin(struct steps *s, const char *what)
{
    steps_end(s);
    vec_push(&s->list, (struct step){what, proc_clock_s(), 0});
    progress_begin(what);
}

char *steps_text(const struct steps *s)
{
    struct str text = STR_INIT;
    double all = 0;
    for (size_t i = 0; i < s->list.n; i++) {
        const struct step *x = &s->list.at[i];
        char *took = progress_duration(x->seconds);
        all += x->seconds;
        if (x->seconds >= 1)
            str_addf(&text, "%s%s %s", text.len ? ", " : "", x->what, took);
        free(took);
    }
    char *sum = progress_duration(all);
    str_addf(&text, "%s%s in all", text.len ? "; " : "", sum);
    free(sum);
    return str_detach(&text);
}

void steps_release(struct steps *s)
{
    vec_release(&s->list);
}
