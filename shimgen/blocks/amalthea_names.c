/* amalthea_names.c - names and references of AMALTHEA models. */
#include "shimgen/blocks/amalthea_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Encodes a name as java.net.URLEncoder does, for references. */
static void put_encoded(struct str *out, const char *name)
{
    for (const char *s = name; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (isalnum(c) || (c && strchr(".-*_", c)))
            str_addch(out, (char)c);
        else if (c == ' ')
            str_addch(out, '+');
        else
            str_addf(out, "%%%02X", c);
    }
}

void amalthea_reference(struct str *out, const char *attribute, const char *name, const char *type)
{
    str_addf(out, " %s=\"", attribute);
    put_encoded(out, name);
    str_addf(out, "?type=%s\"", type);
}

char *amalthea_own_name(struct map *taken, const char *type, const char *name)
{
    for (size_t n = 1;; n++) {
        char *own = n == 1 ? xstrdup(name) : xasprintf("%s (%zu)", name, n), *key = xasprintf("%s\n%s", type, own);
        bool used = map_get(taken, key, 0);
        if (!used)
            map_put(taken, key, 1);
        free(key);
        if (!used)
            return own;
        free(own);
    }
}

void amalthea_begin(struct str *out)
{
    str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<am:Amalthea xmi:version=\"2.0\" xmlns:xmi=\"http://www.omg.org/XMI\" "
                 "xmlns:am=\"http://app4mc.eclipse.org/amalthea/3.3.0\" "
                 "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
}

void amalthea_end(struct str *out)
{
    str_add(out, "</am:Amalthea>\n");
}
