/* flip.c - compares what two runs have written, bit by bit. */
#include <stdlib.h>
#include <string.h>

#include "irprof/prove/executed.h"

void written_add(struct written *w, const char *name, const char *bytes, size_t n)
{
    struct str value = STR_INIT;
    str_addn(&value, bytes, n);
    vec_push(&w->names, xstrdup(name));
    vec_push(&w->values, value);
}

void written_release(struct written *w)
{
    for (size_t i = 0; i < w->names.n; i++) {
        free(w->names.at[i]);
        str_release(&w->values.at[i]);
    }
    vec_release(&w->names);
    vec_release(&w->values);
}

size_t written_size(const struct written *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->values.n; i++)
        n += w->values.at[i].len;
    return n;
}

char *written_differ(const struct written *a, const struct written *b)
{
    for (size_t i = 0; i < a->names.n; i++) {
        const struct str *x = &a->values.at[i], *y = i < b->values.n ? &b->values.at[i] : 0;
        size_t at = 0;
        while (y && at < x->len && at < y->len && x->s[at] == y->s[at])
            at++;
        if (!y || at < x->len || at < y->len)
            return xasprintf("%s differs, from byte %zu on", a->names.at[i], at);
    }
    return 0;
}

static char *equal_text(const struct written *w, const struct written *plain)
{
    const char *plural = w->names.n > 1 ? "s" : "", *both = plain ? ", and without" : "";
    size_t bytes = written_size(w);
    return xasprintf("%zu result%s, %zu bytes: equal bit for bit with never = 1%s", w->names.n, plural, bytes, both);
}

void flip_judge(struct prove_finding *f, const struct written *base, const struct written *flipped,
                const struct written *plain)
{
    char *wrong = written_differ(base, flipped), *plain_wrong = plain ? written_differ(base, plain) : 0;
    if (!base->names.n)
        *f = (struct prove_finding){PROVE_NOT, xstrdup("there is no result to compare: mark one")};
    else if (wrong)
        *f = (struct prove_finding){PROVE_DOES_NOT, xasprintf("with never = 1 %s", wrong)};
    else if (plain_wrong)
        *f = (struct prove_finding){PROVE_DOES_NOT,
                                    xasprintf("nothing was replaced, and without never = 1 %s", plain_wrong)};
    else
        *f = (struct prove_finding){PROVE_HOLDS, equal_text(base, plain)};
    free(wrong);
    free(plain_wrong);
}
