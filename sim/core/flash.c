/* flash.c - lines of a flash memory: which ones are buffered, and when others arrive. */
#include "sim/core/flash.h"

#include <string.h>

#define NO_LINE UINT64_MAX

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Is the line buffered? If it is, or if `put` is set, it becomes the most recently used one. */
static bool use(struct iss_flash_lines *l, uint64_t line, bool put)
{
    uint64_t moving = line;
    size_t at = 0;
    while (at < l->n && l->line[at] != line)
        at++;
    bool found = at < l->n;
    if (!found && !put)
        return false;
    for (size_t i = 0; i <= at && i < l->n; i++) {
        uint64_t here = l->line[i];
        l->line[i] = moving;
        moving = here;
    }
    return found;
}

static int64_t read_line(struct iss_flash *f, int64_t now)
{
    int64_t begins = later(now, f->free);
    f->free = begins + 1 + f->model->flash.wait_states;
    return f->free - 1 - now;
}

static void read_ahead(struct iss_flash *f, int64_t now)
{
    f->next = NO_LINE;
    if (!f->model->flash.prefetch || use(&f->code, f->current + 1, false))
        return;
    f->next = f->current + 1;
    f->next_ready = now + 1 + read_line(f, now + 1);
}

int64_t iss_flash_fetch(struct iss_flash *f, uint64_t address, int64_t now)
{
    uint64_t line = address >> f->shift;
    int64_t wait = 0;
    if (line == f->current || !f->model->flash.wait_states)
        return 0;
    f->current = line;
    bool at_hand = (line == f->next && f->next_ready <= now) || use(&f->code, line, true);
    if (!at_hand)
        wait = line == f->next ? f->next_ready - now : read_line(f, now);
    read_ahead(f, now + wait);
    return wait;
}

int64_t iss_flash_load(struct iss_flash *f, uint64_t address, int64_t now)
{
    if (!f->model->flash.wait_states || use(&f->data, address >> f->shift, true))
        return 0;
    return read_line(f, now);
}

void iss_flash_reset(struct iss_flash *f)
{
    memset(&f->code.line, 0xff, sizeof f->code.line);
    memset(&f->data.line, 0xff, sizeof f->data.line);
    f->current = f->next = NO_LINE;
    f->free = 0;
}

void iss_flash_init(struct iss_flash *f, const struct iss_model *m)
{
    f->model = m;
    f->code.n = (size_t)m->flash.lines;
    f->data.n = (size_t)m->flash.data_lines;
    for (f->shift = 0; 1 << f->shift < m->flash.bytes;)
        f->shift++;
    iss_flash_reset(f);
}
