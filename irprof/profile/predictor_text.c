/* predictor_text.c - reads and writes predictors as text: a scheme, then its parameters between colons. */
#include "irprof/profile/predictor_text.h"

#include <string.h>

enum { PARAMETERS_MAX = 4, ALL_BITS = 32 };

/* The parameter that each number sets, as an offset into struct sim_predictor_kind. */
#define AT_(member) offsetof(struct sim_predictor_kind, member)
static const struct {
    const char *name;
    size_t least, most; /* numbers; gshare's third one is how many address bits it uses */
    size_t at[PARAMETERS_MAX];
} schemes[SIM_PREDICTOR_N] = {
    [SIM_BIMODAL] = {"bimodal", 1, 1, {AT_(table_bits)}},
    [SIM_GSHARE] = {"gshare", 2, 3, {AT_(table_bits), AT_(history_bits)}},
    [SIM_TOURNAMENT] = {"tournament", 2, 2, {AT_(table_bits), AT_(second_bits)}},
    [SIM_TAGE] = {"tage", 4, 4, {AT_(table_bits), AT_(second_bits), AT_(tables), AT_(history_bits)}},
};

static enum sim_predictor_scheme scheme_named(const char *text, size_t length)
{
    unsigned i = 0;
    while (i < SIM_PREDICTOR_N && !(strlen(schemes[i].name) == length && strncmp(schemes[i].name, text, length) == 0))
        i++;
    return (enum sim_predictor_scheme)i;
}

/* Reads ":NUMBER" of at most three digits, up to the next ':' or `end`. */
static bool read_number(const char **text, const char *end, unsigned *out)
{
    const char *p = *text;
    unsigned v = 0, digits = 0;
    if (p == end || *p++ != ':')
        return false;
    for (; p < end && *p >= '0' && *p <= '9'; p++, digits++)
        v = digits < 3 ? 10 * v + (unsigned)(*p - '0') : v;
    *text = p;
    *out = v;
    return digits >= 1 && digits <= 3 && (p == end || *p == ':');
}

static bool read_all(struct irprof_predictor *out, const char *text, const char *end)
{
    const char *colon = memchr(text, ':', (size_t)(end - text));
    unsigned v[PARAMETERS_MAX] = {0};
    size_t n = 0;
    *out = (struct irprof_predictor){.kind.scheme = scheme_named(text, (size_t)((colon ? colon : end) - text))};
    if (out->kind.scheme == SIM_PREDICTOR_N || !colon)
        return false;
    for (text = colon; text < end; n++)
        if (n == schemes[out->kind.scheme].most || !read_number(&text, end, &v[n]))
            return false;
    if (n < schemes[out->kind.scheme].least)
        return false;
    for (size_t i = 0; i < schemes[out->kind.scheme].least; i++)
        *(unsigned *)(void *)((char *)&out->kind + schemes[out->kind.scheme].at[i]) = v[i];
    bool one_table = out->kind.scheme == SIM_BIMODAL || out->kind.scheme == SIM_GSHARE;
    out->place_bits = n > schemes[out->kind.scheme].least ? v[n - 1] : one_table ? out->kind.table_bits : ALL_BITS;
    return true;
}

const char *predictor_read(struct irprof_predictor *out, const char *text, size_t length)
{
    if (!read_all(out, text, text + length))
        return "it must be bimodal:TABLE_BITS, gshare:TABLE_BITS:HISTORY_BITS, tournament:GLOBAL_BITS:LOCAL_BITS or "
               "tage:BASE_BITS:TAGGED_BITS:TABLES:LONGEST, like bimodal:12, gshare:12:8, tournament:12:10 or "
               "tage:12:10:4:64";
    const char *wrong = sim_predictor_check(&out->kind);
    if (!wrong && out->kind.scheme == SIM_GSHARE && out->place_bits > out->kind.table_bits)
        wrong = "the place of a branch must not have more bits than the table";
    return wrong;
}

void predictor_describe(struct str *text, const struct irprof_predictor *p)
{
    str_add(text, schemes[p->kind.scheme].name);
    for (size_t i = 0; i < schemes[p->kind.scheme].least; i++)
        str_addf(text, ":%u",
                 *(const unsigned *)(const void *)((const char *)&p->kind + schemes[p->kind.scheme].at[i]));
    if (p->place_bits < p->kind.table_bits)
        str_addf(text, ":%u", p->place_bits);
}
