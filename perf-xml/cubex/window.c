/* window.c - a window on values that stay in the file: some locations at a time, so that memory is bounded. */
#include <stdlib.h>
#include <unistd.h>

#include "perf-xml/cubex/cubex.h"

enum { WINDOWS = 8 << 20 /* bytes for all metrics together */ };

bool file_bytes(int fd, uint64_t at, unsigned char *to, size_t n)
{
    while (n) {
        ssize_t got = pread(fd, to, n, (off_t)at);
        if (got <= 0)
            return false;
        to += got;
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

void windows_share(struct values *all, size_t n)
{
    size_t column = 0; /* bytes per location */
    for (size_t i = 0; i < n; i++)
        column += all[i].window ? all[i].n_rows * all[i].size : 0;
    for (size_t i = 0; i < n; i++) {
        struct window *w = all[i].window;
        if (!w)
            continue;
        size_t locations = all[i].cube->locations.n;
        w->most = column < WINDOWS ? WINDOWS / column : 1;
        w->most = w->most < locations ? w->most : locations;
        w->bytes = xcalloc(w->most, all[i].n_rows * all[i].size);
    }
}

/* Loads a window that begins at this location. Locations mostly come in order; otherwise less is read ahead. */
static void load(const struct values *v, size_t location)
{
    struct window *w = v->window;
    size_t locations = v->cube->locations.n;
    if (w->n && location != w->first + w->n && w->most > 1)
        w->most /= 2;
    w->first = location;
    w->n = locations - location < w->most ? locations - location : w->most;
    for (size_t row = 0; row < v->n_rows && !w->failed; row++)
        w->failed = !file_bytes(w->fd, w->at + (row * locations + location) * v->size, w->bytes + row * w->n * v->size,
                                w->n * v->size);
}

const unsigned char *window_value(const struct values *v, size_t row, size_t location)
{
    static const unsigned char nothing[8];
    const struct window *w = v->window;
    if (location < w->first || location - w->first >= w->n)
        load(v, location);
    return w->failed ? nothing : w->bytes + (row * w->n + location - w->first) * v->size;
}

void window_free(struct window *w)
{
    if (w)
        free(w->bytes);
    free(w);
}
