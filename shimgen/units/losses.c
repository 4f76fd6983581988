/* losses.c - the list of what a build has left out, and why. */
#include "shimgen/units/losses.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/progress.h"
#include "shimgen/units/room.h"

static bool is_known(const struct losses *l, const char *step, const char *what)
{
    for (size_t i = 0; i < l->list.n; i++)
        if (strcmp(l->list.at[i].step, step) == 0 && strcmp(l->list.at[i].what, what) == 0)
            return true;
    return false;
}

static void put(struct losses *l, const char *step, const char *what, const char *cause)
{
    vec_push(&l->list, (struct loss){xstrdup(step), xstrdup(what), xstrdup(cause)});
}

void losses_add(struct losses *l, const char *step, const char *what, const char *cause)
{
    if (is_known(l, step, what))
        return;
    put(l, step, what, cause);
    if (!l->silent)
        progress_note("left out: %s: %s", what, cause);
}

enum status losses_take(struct losses *l, const char *step, const char *what, enum status s, struct error *e)
{
    struct error full = ERROR_INIT;
    if (!s || !l || s == ERR_CANCELLED || s == ERR_USAGE)
        return s;
    enum status room = l->folder ? room_check(l->folder, 0, &full) : OK;
    if (room) {
        error_set(e, room, AT(full.file, full.line), "%s", full.message);
        error_release(&full);
        return room;
    }
    char *cause = error_text(e);
    losses_add(l, step, what, cause);
    free(cause);
    error_release(e);
    return OK;
}

static void loss_release(struct loss *x)
{
    free(x->step);
    free(x->what);
    free(x->cause);
}

void losses_remove(struct losses *l, const char *step)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->list.n; i++) {
        if (strcmp(l->list.at[i].step, step) == 0)
            loss_release(&l->list.at[i]);
        else
            l->list.at[kept++] = l->list.at[i];
    }
    l->list.n = kept;
}

enum status losses_write(const struct losses *l, const char *path, struct error *e)
{
    struct outfile f;
    if (!l->list.n)
        return remove_tree(path, e);
    enum status s = outfile_open(&f, path, e);
    if (s)
        return s;
    fputs("step,what,cause\n", f.f);
    for (size_t i = 0; i < l->list.n; i++) {
        csv_put(f.f, l->list.at[i].step);
        fputc(',', f.f);
        csv_put(f.f, l->list.at[i].what);
        fputc(',', f.f);
        csv_put(f.f, l->list.at[i].cause);
        fputc('\n', f.f);
    }
    return outfile_commit(&f, e);
}

enum status losses_read(struct losses *l, const char *path, struct error *e)
{
    static const char *const names[] = {"step", "what", "cause"};
    struct csv *c = 0;
    size_t column[3];
    if (!file_exists(path))
        return OK;
    enum status s = csv_read(&c, path, e);
    for (size_t k = 0; k < 3 && !s; k++)
        s = csv_need(c, names[k], &column[k], e);
    for (size_t i = 0; !s && i < c->n_rows; i++)
        put(l, csv_cell(c, i, column[0]), csv_cell(c, i, column[1]), csv_cell(c, i, column[2]));
    csv_free(c);
    return s;
}

char *loss_text(const struct loss *x)
{
    size_t n = strcspn(x->cause, "\n");
    return xasprintf("%s: %.*s%s", x->what, (int)n, x->cause, x->cause[n] ? " ..." : "");
}

void losses_release(struct losses *l)
{
    for (size_t i = 0; i < l->list.n; i++)
        loss_release(&l->list.at[i]);
    vec_release(&l->list);
}

char *losses_first(const struct losses *l, const char *step)
{
    for (size_t i = 0; l && i < l->list.n; i++)
        if (strcmp(l->list.at[i].step, step) == 0)
            return xasprintf("%s: %s", l->list.at[i].what, l->list.at[i].cause);
    return xstrdup("");
}
