/* spoken.c - describes elements in words, for show and for drawings. */
#include "shim-xml/show/spoken.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/text.h"

void describe_attribute(struct str *out, const char *before, const struct shimxml_node *n, const char *attribute,
                        const char *after)
{
    const char *value = shimxml_get(n, attribute);
    if (!value || !*value)
        return;
    char *clean = text_printable(value, TEXT_LIMIT);
    str_addf(out, "%s%s%s", before, clean, after);
    free(clean);
}

static const char *rw_of(const struct shimxml_node *type)
{
    const char *rw = shimxml_get(type, "rwType");
    return rw ? rw : "access";
}

static bool is_first_of_type(const struct shimxml_node *type)
{
    const struct shimxml_node *t = shimxml_child(shimxml_parent(type), "AccessType");
    for (; t && t != type; t = shimxml_next(t, "AccessType"))
        if (strcmp(rw_of(type), rw_of(t)) == 0)
            return false;
    return true;
}

void describe_access_types(struct str *out, const struct shimxml_node *master)
{
    const struct shimxml_node *set = shimxml_child(master, "AccessTypeSet"), *t, *u;
    size_t begin = out->len;
    for (t = shimxml_child(set, "AccessType"); t && out->len < begin + TEXT_LIMIT; t = shimxml_next(t, "AccessType")) {
        bool any = false;
        if (!is_first_of_type(t))
            continue;
        str_add(out, out->len > begin ? ", " : "");
        describe_attribute(out, "", t, "rwType", "");
        if (!shimxml_get(t, "rwType"))
            str_add(out, rw_of(t));
        for (u = t; u && out->len < begin + TEXT_LIMIT; u = shimxml_next(u, "AccessType")) {
            double bytes = shimxml_number(u, "accessByteSize");
            if (strcmp(rw_of(t), rw_of(u)) != 0 || isnan(bytes))
                continue;
            str_addf(out, " %g", bytes);
            any = true;
        }
        str_add(out, any ? " B" : "");
    }
}

void describe_range(struct str *out, const struct shimxml_node *sub_space, const char *between)
{
    const char *start = shimxml_get(sub_space, "start"), *end = shimxml_get(sub_space, "end");
    if (start && end)
        str_addf(out, "0x%llx%s0x%llx", (unsigned long long)strtoll(start, 0, 10), between,
                 (unsigned long long)strtoll(end, 0, 10));
}
