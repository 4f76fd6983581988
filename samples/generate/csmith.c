/*
 * What csmith writes, made a sample. Its text (Debian package csmith; the licence of csmith lets its output be used
 * freely) stays as it is but for four lines: where its header is, the name of its main, and two calls around its work.
 */
#include "samples/generate/generate_program.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

static const char header[] = "#include \"csmith.h\"\n", globals[] = "/* --- GLOBAL VARIABLES --- */\n",
                  globals_end[] = "/* --- FORWARD DECLARATIONS --- */\n", main_line[] = "int main (void)\n",
                  work[] = "    func_1();\n", statistics[] = "/************************ statistics";

typedef VEC(char *) names_t;

/* "static int32_t *g_12[3] = {...};": the first g_NUMBER of a line is what the line declares; a type has none. */
static void find_names(names_t *names, const char *text, const char *end)
{
    while (text < end) {
        size_t line = strcspn(text, "\n");
        const char *at = strstr(text, "g_");
        if (strncmp(text, "static ", 7) == 0 && at && at < text + line && isdigit((unsigned char)at[2]))
            vec_push(names, xstrndup(at, 2 + strspn(at + 2, "0123456789")));
        text += line + (text[line] == '\n');
    }
}

static void release_names(names_t *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->at[i]);
    vec_release(names);
}

/* The parts of the text, in order; NULL in `missing`: all are there. */
struct parts {
    const char *header, *globals, *globals_end, *main, *work, *end, *missing;
};

static const char *find(const char *from, const char *what, struct parts *p)
{
    const char *at = from ? strstr(from, what) : 0;
    if (!at && !p->missing)
        p->missing = what;
    return at;
}

static struct parts find_parts(const char *text)
{
    struct parts p = {0};
    p.header = find(text, header, &p);
    p.globals = find(p.header, globals, &p);
    p.globals_end = find(p.globals, globals_end, &p);
    p.main = find(p.globals_end, main_line, &p);
    p.work = find(p.main, work, &p);
    p.end = p.work ? strstr(p.work, statistics) : 0;
    if (!p.end && p.work)
        p.end = p.work + strlen(p.work);
    return p;
}

static void put_header(struct str *out, const char *include)
{
    str_addf(out,
             "#include \"sample.h\"\n\n#include \"%s/csmith.h\"\n\n"
             "static uint32_t csmith_sum;\n"
             "#undef platform_main_end\n"
             "#define platform_main_end(sum, print) (csmith_sum = (uint32_t)(sum))\n",
             include);
}

/* Its variables as they are first, and set back to that: main may be called again. */
static void put_state(struct str *out, const names_t *names)
{
    str_add(out, "\nstatic void sample_state(void)\n{\n    static int kept;\n    static struct {\n");
    for (size_t i = 0; i < names->n; i++)
        str_addf(out, "        unsigned char of_%s[sizeof %s];\n", names->at[i], names->at[i]);
    str_add(out, "    } first;\n\n    if (!kept) {\n");
    for (size_t i = 0; i < names->n; i++)
        str_addf(out, "        memcpy(first.of_%s, &%s, sizeof %s);\n", names->at[i], names->at[i], names->at[i]);
    str_add(out, "    }\n    kept = 1;\n");
    for (size_t i = 0; i < names->n; i++)
        str_addf(out, "    memcpy(&%s, first.of_%s, sizeof %s);\n    SHIM_KEEP(&%s);\n", names->at[i], names->at[i],
                 names->at[i], names->at[i]);
    str_add(out, "    crc32_context = 0xFFFFFFFFUL;\n}\n\n");
}

static void put_work(struct str *out, const names_t *names, const char *name)
{
    str_addf(out, "    shim_region_begin(\"%s\");\n%s", name, work);
    for (size_t i = 0; i < names->n; i++)
        str_addf(out, "    SHIM_KEEP(&%s);\n", names->at[i]);
    str_addf(out, "    shim_region_end(\"%s\");\n", name);
}

/* All but the new main. */
static enum status wrap(struct str *out, const char *text, const char *name, const char *include, struct error *e)
{
    struct parts p = find_parts(text);
    names_t names = {0};
    if (p.missing)
        return error_set(e, ERR_INPUT, NOWHERE, "this is no program of csmith: there is no line '%.*s'",
                         (int)strcspn(p.missing, "\n"), p.missing);
    find_names(&names, p.globals, p.globals_end);
    enum status s = OK;
    if (!names.n) {
        s = error_set(e, ERR_INPUT, NOWHERE, "this program of csmith has no variables, so its work leaves no trace");
    } else {
        str_addn(out, text, (size_t)(p.header - text));
        put_header(out, include);
        const char *rest = p.header + strlen(header);
        str_addn(out, rest, (size_t)(p.main - rest));
        put_state(out, &names);
        str_add(out, "static int csmith_main(void)\n");
        rest = p.main + strlen(main_line);
        str_addn(out, rest, (size_t)(p.work - rest));
        put_work(out, &names, name);
        rest = p.work + strlen(work);
        str_addn(out, rest, (size_t)(p.end - rest));
    }
    release_names(&names);
    return s;
}

static enum status finish(char **out, struct str *text, enum status s)
{
    if (!s)
        *out = str_detach(text);
    str_release(text);
    return s;
}

enum status generate_wrap_csmith(char **out, const char *text, const char *name, const char *include, uint32_t checksum,
                                 struct error *e)
{
    struct str wrapped = STR_INIT;
    enum status s = wrap(&wrapped, text, name, include, e);
    str_addf(&wrapped,
             "\nint main(void)\n{\n    sample_state();\n    csmith_main();\n"
             "    return sample_verdict_int(\"checksum\", csmith_sum, 0x%08" PRIX32 "LL);\n}\n",
             checksum);
    return finish(out, &wrapped, s);
}

enum status generate_ask_csmith(char **out, const char *text, const char *include, struct error *e)
{
    struct str wrapped = STR_INIT;
    enum status s = wrap(&wrapped, text, "csmith", include, e);
    str_add(&wrapped, "\nint main(void)\n{\n    sample_state();\n    csmith_main();\n"
                      "    printf(\"%08X\\n\", (unsigned)csmith_sum);\n    return 0;\n}\n");
    return finish(out, &wrapped, s);
}
