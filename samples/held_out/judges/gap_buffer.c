/*
 * gap_buffer - 600 commands of an editor (move, type, delete, undo) on a text with a gap where the cursor is, moved by
 * memmove of the library, line starts counted as they go.
 *
 * The truth: the same commands on a plain string, shifted byte by byte.
 *
 * Work: 600 commands, each decoded by a switch and done with at least four loads and stores: 600 * 8 = 4800.
 */
#include "judge.h"

#define COMMANDS 600
#define ROOM     4096
#define START    1500

struct command {
    uint8_t kind; /* 0 move, 1 type, 2 delete, 3 undo */
    int16_t by;
    char text[12];
};
struct undo {
    uint16_t at;
    uint8_t typed, deleted; /* letters */
    char text[12];
};

static char buffer[ROOM], original[START], out[ROOM];
static size_t gap_begin, gap_end, lines;
static struct command commands[COMMANDS];
static struct undo history[COMMANDS];
static unsigned n_history;

static size_t length(void)
{
    return ROOM - (gap_end - gap_begin);
}
static void move_to(size_t at)
{
    if (at < gap_begin) {
        size_t n = gap_begin - at;

        memmove(buffer + gap_end - n, buffer + at, n);
        gap_begin -= n;
        gap_end -= n;
    } else if (at > gap_begin) {
        size_t n = at - gap_begin;

        memmove(buffer + gap_begin, buffer + gap_end, n);
        gap_begin += n;
        gap_end += n;
    }
}
static unsigned type(const char *text, unsigned n)
{
    unsigned i;

    for (i = 0; i < n && gap_begin < gap_end; i++) {
        lines += text[i] == '\n';
        buffer[gap_begin++] = text[i];
    }
    return i;
}
static unsigned erase(unsigned n, char *kept)
{
    unsigned i;

    for (i = 0; i < n && gap_end < ROOM; i++) {
        kept[i] = buffer[gap_end++];
        lines -= kept[i] == '\n';
    }
    return i;
}
static void undo(void)
{
    struct undo *u;
    char dropped[12];

    if (!n_history)
        return;
    u = &history[--n_history];
    move_to(u->at);
    erase(u->typed, dropped);
    type(u->text, u->deleted);
}
static void run(const struct command *c)
{
    struct undo *u = &history[n_history];
    long to;

    switch (c->kind) {
    case 0:
        to = (long)gap_begin + c->by;
        move_to(to < 0 ? 0 : (size_t)to > length() ? length() : (size_t)to);
        break;
    case 1:
        *u = (struct undo){.at = (uint16_t)gap_begin};
        u->typed = (uint8_t)type(c->text, (unsigned)c->by);
        n_history++;
        break;
    case 2:
        *u = (struct undo){.at = (uint16_t)gap_begin};
        u->deleted = (uint8_t)erase((unsigned)c->by, u->text);
        n_history++;
        break;
    default:
        undo();
    }
}

/* The plain string's version of all. */
static char plain[ROOM + 1];
static size_t n_plain, cursor;
static void plain_insert(char c)
{
    for (size_t i = n_plain++; i > cursor; i--)
        plain[i] = plain[i - 1];
    plain[cursor++] = c;
}
static char plain_delete(void)
{
    char c = plain[cursor];
    n_plain--;
    for (size_t i = cursor; i < n_plain; i++)
        plain[i] = plain[i + 1];
    return c;
}
static void plain_run(void)
{
    static struct undo past[COMMANDS];
    unsigned n = 0;

    for (int i = 0; i < COMMANDS; i++) {
        const struct command *c = &commands[i];
        struct undo *u = &past[n];
        long to = (long)cursor + c->by;

        if (c->kind == 0)
            cursor = to < 0 ? 0 : (size_t)to > n_plain ? n_plain : (size_t)to;
        else if (c->kind == 3) {
            if (n) {
                u = &past[--n];
                cursor = u->at;
                for (int k = 0; k < u->typed; k++)
                    plain_delete();
                for (int k = 0; k < u->deleted; k++)
                    plain_insert(u->text[k]);
            }
        } else {
            *u = (struct undo){.at = (uint16_t)cursor};
            for (int k = 0; k < c->by; k++)
                if (c->kind == 1) {
                    plain_insert(c->text[k]);
                    u->typed++;
                } else if (cursor < n_plain)
                    u->text[u->deleted++] = plain_delete();
            n++;
        }
    }
}

int main(void)
{
    uint64_t seed = 44;
    size_t n, count = 0;

    for (int i = 0; i < START; i++)
        original[i] = (char)(draw_below(&seed, 30) ? 'a' + draw_below(&seed, 26) : '\n');
    for (int i = 0; i < COMMANDS; i++) {
        struct command *c = &commands[i];
        int kind = draw_below(&seed, 10);

        c->kind = (uint8_t)(kind < 3 ? 0 : kind < 7 ? 1 : kind < 9 ? 2 : 3);
        c->by =
            (int16_t)(c->kind == 0 ? draw_below(&seed, 5) ? draw_below(&seed, 41) - 20 : draw_below(&seed, 2001) - 1000
                                   : 1 + draw_below(&seed, 10));
        for (int k = 0; k < 12; k++)
            c->text[k] = (char)(draw_below(&seed, 20) ? 'A' + draw_below(&seed, 26) : '\n');
    }
    memcpy(buffer, original, START);
    memcpy(plain, original, START);
    gap_begin = START;
    gap_end = ROOM;
    lines = 0;
    for (int i = 0; i < START; i++)
        lines += original[i] == '\n';
    n_plain = cursor = START;
    n_history = 0;
    SHIM_KEEP(buffer);
    SHIM_KEEP(commands);
    SHIM_KEEP(&gap_begin);
    SHIM_KEEP(&gap_end);
    shim_region_begin("gap_buffer");
    for (int i = 0; i < COMMANDS; i++)
        run(&commands[i]);
    n = length();
    memcpy(out, buffer, gap_begin);
    memcpy(out + gap_begin, buffer + gap_end, ROOM - gap_end);
    SHIM_KEEP(out);
    SHIM_KEEP(&lines);
    shim_region_end("gap_buffer");
    plain_run();
    for (size_t i = 0; i < n_plain; i++)
        count += plain[i] == '\n';
    return sample_verdict_int("length", (long long)n, (long long)n_plain) |
           sample_verdict_int("difference", memcmp(out, plain, n_plain) != 0, 0) |
           sample_verdict_int("lines", (long long)lines, (long long)count);
}
