/* board_findings.c - collects and prints findings of commands. */
#include "shimgen/board/board_findings.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"

void finding_say(struct findings *f, enum finding_severity s, const char *id, const char *what, const char *consequence,
                 const char *remedy)
{
    f->at = xreallocarray(f->at, f->n + 1, sizeof *f->at);
    f->at[f->n++] = (struct finding){s, id, xstrdup(what), xstrdup(consequence), xstrdup(remedy)};
}

void finding_say_error(struct findings *f, enum finding_severity s, const char *id, struct error *from,
                       const char *consequence, const char *remedy)
{
    char *what = error_text(from);
    finding_say(f, s, id, what, consequence, remedy);
    free(what);
    error_release(from);
}

void findings_print(const struct findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct finding *x = &f->at[i];
        printf("%-8s %s\n", finding_severity_name(x->severity), x->what);
        if (*x->consequence)
            printf("         so: %s\n", x->consequence);
        if (*x->remedy)
            printf("         cure: %s\n", x->remedy);
    }
}

enum status findings_print_json(const struct findings *f, struct error *e)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n; i++) {
        const struct finding *x = &f->at[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s}", "severity",
                                              finding_severity_name(x->severity), "id", x->id, "what", x->what,
                                              "consequence", x->consequence, "remedy", x->remedy));
    }
    enum status s = json_write(list, 0, e);
    json_decref(list);
    return s;
}
