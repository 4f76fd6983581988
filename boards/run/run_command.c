/*
 * run_command.c - runs an image on a part without an operating system. The board's command flashes and runs it. The
 * text comes from the command's output, from a file that it writes, or from a serial device. It ends with the kit's
 * line "done" (boards/kit), or when the time is up.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/proc.h"
#include "boards/kit/kit.h"
#include "boards/run/run.h"
#include "boards/run/runner_kind.h"

enum { TEXT_LIMIT = 4 << 20, STEP_MS = 5 };

struct commanded {
    char *folder;    /* replaces {text} */
    unsigned resets; /* launches of the current program so far; the reset command runs before each further one */
};

/* What is read while the command runs. */
struct listening {
    int device;      /* -1: the text is the command's output */
    struct str text; /* from the device */
    size_t seen;     /* lines up to here have been checked */
    bool done;
};

/* ---- the last line ---- */

static bool is_last(const char *line, size_t n)
{
    struct kit_line l;
    char *copy = xstrndup(line, n);
    bool last = kit_line_take(&l, copy) == KIT_LINE_GOOD && strcmp(l.word, "done") == 0;
    kit_line_release(&l);
    free(copy);
    return last;
}

static void look_at(struct listening *l, const struct str *text)
{
    const char *all = str_text(text), *end;
    while (!l->done && l->seen < text->len && (end = memchr(all + l->seen, '\n', text->len - l->seen))) {
        size_t n = (size_t)(end - all) - l->seen;
        l->done = is_last(all + l->seen, n);
        l->seen += n + 1;
    }
}

/* ---- a serial device ---- */

static speed_t speed_of(unsigned baud)
{
    static const struct {
        unsigned baud;
        speed_t speed;
    } all[] = {{9600, B9600},       {19200, B19200},     {38400, B38400},    {57600, B57600},   {115200, B115200},
               {230400, B230400},   {460800, B460800},   {500000, B500000},  {921600, B921600}, {1000000, B1000000},
               {1500000, B1500000}, {2000000, B2000000}, {3000000, B3000000}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].baud == baud)
            return all[i].speed;
    return B0;
}

/* Opens the device in raw mode and discards older input. A pipe or a file in place of a device is read as it is. */
static enum status open_device(int *fd, const struct board *b, struct error *e)
{
    const struct board_part *p = &b->part;
    struct termios t;
    *fd = open(p->device, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (*fd < 0)
        return error_errno(e, AT_FILE(p->device),
                           "the device for the part's text cannot be opened ([command] "
                           "text in board.ini; are you in the group dialout?)");
    if (tcgetattr(*fd, &t))
        return OK;
    speed_t speed = speed_of(p->baud);
    cfmakeraw(&t);
    t.c_cflag |= CLOCAL | CREAD;
    if (speed == B0 || cfsetispeed(&t, speed) || cfsetospeed(&t, speed) || tcsetattr(*fd, TCSANOW, &t)) {
        close(*fd);
        *fd = -1;
        return error_set(e, ERR_UNSUPPORTED, AT_FILE(b->path),
                         "%s cannot be set to %u baud; use a common speed, such as 115200", p->device, p->baud);
    }
    tcflush(*fd, TCIFLUSH);
    return OK;
}

static void read_device(struct listening *l)
{
    char chunk[4096];
    ssize_t n;
    while (l->text.len < TEXT_LIMIT && (n = read(l->device, chunk, sizeof chunk)) > 0)
        str_addn(&l->text, chunk, (size_t)n);
}

static bool watch(const struct str *out, void *watching)
{
    struct listening *l = watching;
    if (l->device >= 0)
        read_device(l);
    look_at(l, l->device >= 0 ? &l->text : out);
    return l->done;
}

/* A command that only flashes has ended, but the part goes on printing. */
static void listen_on(struct listening *l, double until)
{
    while (!l->done && proc_clock_s() < until && !cancelled()) {
        struct pollfd fd = {l->device, POLLIN, 0};
        poll(&fd, 1, STEP_MS);
        if (fd.revents & POLLHUP && !(fd.revents & POLLIN))
            poll(0, 0, STEP_MS);
        read_device(l);
        look_at(l, &l->text);
    }
}

/* ---- the command ---- */

static char *filled_in(const char *word, const char *image, const char *text)
{
    struct str out = STR_INIT;
    str_add(&out, "");
    while (*word) {
        const char *value = strncmp(word, "{image}", 7) == 0 ? image : strncmp(word, "{text}", 6) == 0 ? text : 0;
        if (value)
            str_add(&out, value);
        else
            str_addch(&out, *word);
        word += !value ? 1 : value == image ? 7 : 6;
    }
    return str_detach(&out);
}

static void fill_in(struct board_args *to, char *const *words, const char *image, const char *text)
{
    for (; *words; words++) {
        char *word = filled_in(*words, image, text);
        board_args_add(to, word);
        free(word);
    }
}

static enum status command_open(struct runner *r, struct error *e)
{
    struct commanded *c = r->own = xcalloc(1, sizeof *c);
    char *const *const commands[] = {r->b->part.command, r->b->part.reset};
    for (size_t i = 0; i < 2; i++) {
        char *path = *commands[i] ? proc_find(*commands[i]) : xstrdup("");
        if (!path)
            return error_set(e, ERR_SYSTEM, AT_FILE(r->b->path),
                             "the command '%s' ([command] %s) is not installed here; install it, or give its path",
                             *commands[i], i ? "reset" : "run");
        free(path);
    }
    enum status s = root_folder(&c->folder, e);
    if (!s) { /* the board is not this machine, so questions about it find nothing */
        free(r->root);
        r->root = xstrdup(c->folder);
        s = root_put(r->root, "/proc/self/status", "", 0, e);
    }
    return s;
}

static void command_close(struct runner *r)
{
    struct commanded *c = r->own;
    if (c)
        free(c->folder); /* the folder is the runner's root, which runner_close removes */
    free(c);
}

static enum status command_put(struct runner *r, struct error *e)
{
    struct commanded *c = r->own;
    (void)e;
    c->resets = 0;
    return OK;
}

static enum status reset(struct runner *r, const char *text, struct error *e)
{
    struct commanded *c = r->own;
    struct board_args argv = {0, 0};
    struct proc_result result = PROC_RESULT_INIT;
    if (!*r->b->part.reset || c->resets++ == 0)
        return OK;
    fill_in(&argv, r->b->part.reset, r->executable, text);
    struct proc p = {.argv = (const char *const *)argv.at, .capture = true, .timeout_s = r->b->timeout_s, .cpu = -1};
    enum status s = proc_must(&p, &result, e);
    proc_result_release(&result);
    board_args_release(&argv);
    return s ? error_context(e, "the reset command") : OK;
}

/* Keeps the text as the run's result. */
static enum status keep_text(const struct run_request *q, const struct str *text, struct run_end *end, struct error *e)
{
    if (!text->len)
        return OK;
    enum status s = file_write(q->result, text->s, text->len, e);
    end->written = !s;
    return s;
}

static enum status take_file(const char *path, struct str *text, struct error *e)
{
    return file_exists(path) ? file_read(text, path, TEXT_LIMIT, e) : OK;
}

static enum status run_it(struct runner *r, const struct run_request *q, const char *text_path, struct listening *l,
                          struct run_end *end, struct error *e)
{
    struct board_args argv = {0, 0};
    fill_in(&argv, r->b->part.command, r->executable, text_path);
    struct proc p = {.argv = (const char *const *)argv.at,
                     .capture = true,
                     .timeout_s = q->timeout_s,
                     .watch = r->b->part.text == BOARD_TEXT_FILE ? 0 : watch,
                     .watching = l,
                     .cpu = q->core};
    struct proc_result result = PROC_RESULT_INIT;
    double until = proc_clock_s() + q->timeout_s;
    enum status s = proc_run(&p, &result, e);
    bool flashed = !s && !result.exit_code && !result.signal;
    if (flashed && l->device >= 0)
        listen_on(l, until);
    end->timed_out = result.timed_out || (l->device >= 0 && flashed && !l->done);
    end->exit_code = result.stopped ? 0 : result.exit_code;
    end->signal = result.stopped ? 0 : result.signal;
    end->wall_s = end->cpu_s = result.wall_s;
    str_add(&end->messages, str_text(&result.err));
    if (!s && r->b->part.text == BOARD_TEXT_FILE)
        s = take_file(text_path, &l->text, e);
    if (!s)
        s = keep_text(q, r->b->part.text == BOARD_TEXT_STDOUT ? &result.out : &l->text, end, e);
    proc_result_release(&result);
    board_args_release(&argv);
    return s;
}

static enum status command_run(struct runner *r, const struct run_request *q, struct run_end *end, struct error *e)
{
    const struct commanded *c = r->own;
    struct listening l = {.device = -1};
    char *text_path = path_join(c->folder, "text");
    enum status s = remove_tree(text_path, e);
    if (!s && r->b->part.text == BOARD_TEXT_DEVICE)
        s = open_device(&l.device, r->b, e);
    if (!s)
        s = reset(r, text_path, e);
    if (!s)
        s = run_it(r, q, text_path, &l, end, e);
    if (l.device >= 0)
        close(l.device);
    str_release(&l.text);
    free(text_path);
    return s;
}

const struct runner_kind runner_command = {command_open, command_close, command_put, command_run};
