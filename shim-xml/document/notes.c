/* notes.c - annotations as Instructions of the cores: shimgen:NAME=VALUE. Only this file knows the spelling. */
#include "shim-xml/document/notes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/instruction_widths.h"

static const char prefix[] = "shimgen:";

bool note_is_name(const char *name)
{
    return name && strncmp(name, prefix, sizeof prefix - 1) == 0 && strchr(name, '=');
}

bool note_is(const struct shimxml_node *instruction)
{
    return note_is_name(instruction_name(instruction));
}

/* ---- spelling: a latency CSV must be able to hold it ---- */

/* Is the character kept as it is? A final "_d" is not, since it would mark a Latency in such a CSV. */
static bool stays(const char *p)
{
    return isalnum((unsigned char)*p) || strchr(":;.+-/=@", *p) || (*p == '_' && strcmp(p + 1, "d") != 0);
}

static char *name_of(const char *key, const char *value)
{
    struct str s = STR_INIT;
    str_addf(&s, "%s%s=", prefix, key);
    for (const char *p = value; *p; p++) {
        if (*p == ' ')
            str_add(&s, "~");
        else if (stays(p))
            str_addch(&s, *p);
        else
            str_addf(&s, "%%%02X", (unsigned char)*p);
    }
    return str_detach(&s);
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The character that %XX at p stands for. 0: there is none, or no annotation can contain it. */
static char escaped(const char *p)
{
    if (*p != '%' || digit(p[1]) < 0 || digit(p[2]) < 0)
        return 0;
    int c = 16 * digit(p[1]) + digit(p[2]);
    return c >= ' ' && c != '"' && c != '>' && c != 127 ? (char)c : 0;
}

static char *value_of(const char *text)
{
    struct str s = STR_INIT;
    str_add(&s, "");
    for (const char *p = text; *p; p++) {
        char c = escaped(p);
        str_addch(&s, c ? c : *p == '~' ? ' ' : *p);
        p += c ? 2 : 0;
    }
    return str_detach(&s);
}

/* ---- one core ---- */

static bool has_key(const char *name, const char *key)
{
    size_t n = strlen(key);
    if (!note_is_name(name)) /* NULL too */
        return false;
    const char *at = name + sizeof prefix - 1;
    return strncmp(at, key, n) == 0 && at[n] == '=';
}

char *note_of(const struct shimxml_node *instruction, const char *key)
{
    const char *name = instruction_name(instruction);
    return has_key(name, key) ? value_of(strchr(name, '=') + 1) : 0;
}

struct shimxml_node *note_in(const struct shimxml_node *core, const char *key)
{
    for (struct shimxml_node *i = 0; (i = instruction_next(core, i));)
        if (has_key(instruction_name(i), key))
            return i;
    return 0;
}

static void add_part(struct shimxml_node *performance, const char *part)
{
    shimxml_set_number(shimxml_need(performance, part), "typical", 0);
}

void note_set(struct shimxml_node *core, const char *key, const char *value)
{
    char *name = value ? name_of(key, value) : 0;
    struct shimxml_node *i = note_in(core, key);
    if (i && name && strcmp(instruction_name(i), name) == 0) {
        free(name);
        return;
    }
    if (i)
        shimxml_remove(i);
    if (name) {
        i = instruction_add(shimxml_child(core, "CommonInstructionSet"), name, 0, 0);
        add_part(shimxml_need(i, "Performance"), "Pitch");
        add_part(shimxml_need(i, "Performance"), "Latency");
    }
    free(name);
}

void note_make_way(struct shimxml_node *core, const char *name)
{
    char *key = xstrndup(name + sizeof prefix - 1, strcspn(name + sizeof prefix - 1, "="));
    struct shimxml_node *i = note_in(core, key);
    if (i && strcmp(instruction_name(i), name) != 0)
        shimxml_remove(i);
    free(key);
}

/* ---- all cores ---- */

static struct shimxml_node *next_core(const struct shimxml_doc *d, const struct shimxml_node *before)
{
    struct shimxml_node *n = shimxml_following(shimxml_root(d), before, "MasterComponent");
    while (n && !instruction_next(n, 0))
        n = shimxml_following(shimxml_root(d), n, "MasterComponent");
    return n;
}

bool notes_have_place(const struct shimxml_doc *d)
{
    return next_core(d, 0);
}

char *notes_value(const struct shimxml_doc *d, const char *key)
{
    char *value = 0;
    for (const struct shimxml_node *n = 0; !value && (n = next_core(d, n));) {
        const struct shimxml_node *i = note_in(n, key);
        value = i ? note_of(i, key) : 0;
    }
    return value;
}

void notes_set(struct shimxml_doc *d, const char *key, const char *value)
{
    for (struct shimxml_node *n = 0; (n = next_core(d, n));)
        note_set(n, key, value);
}

bool note_read(const struct shimxml_node *instruction, char **key, char **value)
{
    const char *name = instruction_name(instruction);
    if (!note_is_name(name))
        return false;
    const char *at = name + sizeof prefix - 1, *sign = strchr(at, '=');
    *key = xstrndup(at, (size_t)(sign - at));
    *value = value_of(sign + 1);
    return true;
}
