/* board_show.c - shimgen board list, show: prints boards and their settings. */
#include "shimgen/board/board_show.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"

/* ---- list ---- */

/* The package names in packages.txt, separated by spaces. The caller frees. */
static char *packages_of(const struct board *b)
{
    struct str text = STR_INIT, out = STR_INIT;
    struct error ignored = ERROR_INIT;
    str_add(&out, "");
    if (*b->packages && file_read(&text, b->packages, 1 << 20, &ignored) == OK)
        for (const char *line = str_text(&text); *line; line += strcspn(line, "\n"), line += *line == '\n') {
            line += strspn(line, " \t\n");
            size_t n = strcspn(line, " \t\n#");
            if (n)
                str_addf(&out, "%s%.*s", out.len ? " " : "", (int)n, line);
        }
    error_release(&ignored);
    str_release(&text);
    return str_detach(&out);
}

static void list_text(const struct board *b, const char *packages)
{
    printf("%-20s %-10s %-22s %s\n", b->name, board_how_name(b->how), *b->target ? b->target : "(this machine)",
           b->title);
    if (*packages)
        printf("%-20s needs %s\n", "", packages);
}

enum status board_print_list(bool json, struct error *e)
{
    char **names = 0;
    size_t n = 0;
    json_t *all = json_array();
    enum status s = board_list(&names, &n, e);
    for (size_t i = 0; i < n; i++) {
        struct board *b = 0;
        if (!s)
            s = board_load(&b, names[i], e);
        if (!s) {
            char *packages = packages_of(b);
            json_array_append_new(all,
                                  json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", b->name, "how", board_how_name(b->how),
                                            "target", b->target, "title", b->title, "packages", packages));
            if (!json)
                list_text(b, packages);
            free(packages);
        }
        board_free(b);
        free(names[i]);
    }
    free(names);
    if (!s && json)
        s = json_write(all, 0, e);
    json_decref(all);
    return s;
}

/* ---- show ---- */

static void show_text(const struct board *b, const struct board_settings *s)
{
    printf("; %s\n", b->path);
    if (!*b->skeleton)
        puts(b->how == BOARD_NATIVE ? "; no skeleton: this machine is described" : "; no skeleton yet");
    if (*b->packages)
        printf("; packages: %s\n", b->packages);
    for (size_t i = 0; i < s->n; i++) {
        const struct board_setting *x = &s->at[i];
        if (i == 0 || strcmp(s->at[i - 1].section, x->section) != 0)
            printf("\n[%s]\n", x->section);
        /* a missing value is commented out: most keys refuse an empty one */
        int n = printf("%s%s = %s", *x->value ? "" : ";", x->key, x->value);
        printf("%*s; %s\n", n < 50 ? 50 - n : 1, "", x->from);
    }
}

static enum status show_json(const struct board *b, const struct board_settings *s, struct error *e)
{
    json_t *keys = json_array();
    for (size_t i = 0; i < s->n; i++)
        json_array_append_new(keys, json_pack("{s:s, s:s, s:s, s:s}", "section", s->at[i].section, "key", s->at[i].key,
                                              "value", s->at[i].value, "from", s->at[i].from));
    json_t *all = json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", b->name, "path", b->path, "skeleton", b->skeleton,
                            "packages", b->packages, "keys", keys);
    enum status status = json_write(all, 0, e);
    json_decref(all);
    return status;
}

enum status board_print(const struct board *b, bool json, struct error *e)
{
    struct board_settings s;
    enum status status = OK;
    board_settings(b, &s);
    if (json)
        status = show_json(b, &s, e);
    else
        show_text(b, &s);
    board_settings_release(&s);
    return status;
}
