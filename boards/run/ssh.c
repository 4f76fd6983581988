/* ssh.c - the border to the OpenSSH client. */
#include "boards/run/ssh.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "boards/description/causes.h"

enum {
    LOST = 255,          /* ssh's own exit code: no connection, or it was lost */
    CONNECT_S = 15,      /* time to connect and log in */
    SOCKET_LIMIT = 80,   /* longest path of the socket: ssh appends 17 characters, and sun_path holds 108 */
    FIRST_PAUSE_MS = 500 /* doubled each time */
};
#define TRIES 8 /* 0.5 + 1 + 2 + ... + 32 s */

void add_quoted(struct str *script, const char *text)
{
    str_addch(script, '\'');
    for (; *text; text++)
        if (*text == '\'')
            str_add(script, "'\\''");
        else
            str_addch(script, *text);
    str_addch(script, '\'');
}

enum status ssh_open(struct ssh *c, const struct board *b, struct error *e)
{
    *c = (struct ssh){.destination = b->ssh, .options = b->ssh_options, .in = -1, .out = -1, .err = -1};
    char *client = proc_find("ssh");
    if (!client)
        return cause_error(e, ERR_SYSTEM, b->path, "ssh-missing", "ssh");
    free(client);
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    c->mark = xasprintf("@shimgen-%lx-%lx", (unsigned long)getpid(), (unsigned long)t.tv_nsec);
    return temp_directory(&c->folder, "shimgen-ssh", e);
}

static void add_client(const struct ssh *c, struct board_args *args)
{
    static const char *const own[] = {"-o", "BatchMode=yes",         "-o", "ConnectTimeout=10",
                                      "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3",
                                      "-o", "LogLevel=ERROR",        "-o", "ControlMaster=auto",
                                      "-o", "ControlPersist=60",     "-T", 0};
    board_args_add(args, "ssh");
    for (char *const *o = c->options; o && *o; o++) /* first, since ssh takes the first value of each option */
        board_args_add(args, *o);
    for (const char *const *o = own; *o; o++)
        board_args_add(args, *o);
    char *socket = strlen(c->folder) < SOCKET_LIMIT ? xasprintf("ControlPath=%s/c", c->folder)
                                                    : xstrdup("ControlPath=none"); /* a new connection each time */
    board_args_add(args, "-o");
    board_args_add(args, socket);
    free(socket);
}

/* ---- the shell there ---- */

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void end_shell(struct ssh *c)
{
    close_end(&c->in);
    close_end(&c->out);
    close_end(&c->err);
    if (c->client > 0) {
        kill(-c->client, SIGTERM);
        while (waitpid(c->client, 0, 0) < 0 && errno == EINTR)
            ;
    }
    c->client = 0;
}

static _Noreturn void become_client(char *const *argv, const int ends[3])
{
    setpgid(0, 0); /* ^C at the terminal only reaches this process, which cleans up on the board and then ends ssh */
    for (int i = 0; i < 3; i++)
        dup2(ends[i], i);
    signal(SIGPIPE, SIG_DFL);
    execvp(argv[0], argv);
    _exit(LOST);
}

/* Starts ssh with /bin/sh at its other end. */
static enum status start_shell(struct ssh *c, struct error *e)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
    enum status s = OK;
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
        s = error_errno(e, NOWHERE, "no pipe for ssh");
    struct board_args args = {0, 0};
    add_client(c, &args);
    board_args_add(&args, "--");
    board_args_add(&args, c->destination);
    board_args_add(&args, "exec /bin/sh -s");
    fflush(0);
    c->client = s ? -1 : fork();
    if (c->client == 0)
        become_client(args.at, (const int[]){in[0], out[1], err[1]});
    if (!s && c->client < 0)
        s = error_errno(e, NOWHERE, "no process for ssh");
    board_args_release(&args);
    close_end(&in[0]);
    close_end(&out[1]);
    close_end(&err[1]);
    c->in = in[1];
    c->out = out[0];
    c->err = err[0];
    if (s) {
        c->client = 0;
        end_shell(c);
        return s;
    }
    setpgid(c->client, c->client);
    fcntl(c->in, F_SETFL, O_NONBLOCK);
    return OK;
}

/* Reads what is available. Returns false at the end of the stream. */
static bool drain(int fd, struct str *into)
{
    char chunk[16384];
    ssize_t n = read(fd, chunk, sizeof chunk);
    if (n > 0)
        str_addn(into, chunk, (size_t)n);
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

static bool ends_in(const struct str *text, const char *end)
{
    size_t n = strlen(end);
    return text->len >= n && memcmp(text->s + text->len - n, end, n) == 0;
}

/* Keeps what ssh prints as it ends: the reason. */
static void take_last_words(struct ssh *c, struct str *err, size_t most)
{
    enum { LAST_S = 2 };
    double until = proc_clock_s() + LAST_S;
    while (c->err >= 0 && err->len < most && proc_clock_s() < until && !cancelled()) {
        struct pollfd fd = {c->err, POLLIN, 0};
        if (poll(&fd, 1, 100) > 0 && !drain(c->err, err))
            break;
    }
}

/* How an attempt ended. */
enum outcome { ANSWERED, BROKEN, SILENT, FLOODED };

/* Says once that the board has not answered yet, if an answer was expected at once. */
static void say_waiting(const struct ssh *c, double since, double until, bool *said)
{
    enum { PATIENCE_S = 4, AT_ONCE_S = 40 };
    if (*said || until - since > AT_ONCE_S || proc_clock_s() - since < PATIENCE_S)
        return;
    progress_note("waiting for an answer of %s, for at most %.0f s", c->destination, until - since);
    *said = true;
}

/* The part of a script that has not been sent yet. */
struct script {
    const char *text;
    size_t left;
};

/* Waits for the shell for at most 0.1 s, reads its output, sends more of the script. Returns whether it is still
 * there. */
static bool exchange(struct ssh *c, struct script *script, struct str *out, struct str *err)
{
    struct pollfd fds[3] = {{c->out, POLLIN, 0}, {c->err, POLLIN, 0}, {script->left ? c->in : -1, POLLOUT, 0}};
    if (poll(fds, 3, 100) <= 0)
        return true;
    if (fds[1].revents && !drain(c->err, err))
        close_end(&c->err);
    bool up = !fds[0].revents || drain(c->out, out);
    if (!fds[2].revents)
        return up;
    ssize_t n = write(c->in, script->text, script->left);
    script->text += n > 0 ? n : 0;
    script->left -= n > 0 ? (size_t)n : 0;
    return up && (n >= 0 || errno == EAGAIN || errno == EINTR);
}

/* Sends the script and reads the answer up to the line "<mark> end". Without that line the shell is of no further
 * use. */
static enum outcome converse(struct ssh *c, const char *text, struct ssh_limits limits, bool winding_up,
                             struct str *out, struct str *err)
{
    char *last = xasprintf("%s end\n", c->mark);
    struct script script = {text, strlen(text)};
    double since = proc_clock_s(), until = since + limits.seconds;
    bool up = true, said = false, flooded = false;
    signal(SIGPIPE, SIG_IGN);
    while (up && !flooded && !ends_in(out, last) && proc_clock_s() < until && (winding_up || !cancelled())) {
        say_waiting(c, since, until, &said);
        up = exchange(c, &script, out, err);
        flooded = out->len > limits.bytes || err->len > limits.bytes;
    }
    bool whole = ends_in(out, last) && !flooded;
    enum outcome outcome = whole ? ANSWERED : flooded ? FLOODED : up && proc_clock_s() >= until ? SILENT : BROKEN;
    if (outcome == BROKEN)
        take_last_words(c, err, limits.bytes);
    signal(SIGPIPE, SIG_DFL);
    free(last);
    return outcome;
}

void ssh_close(struct ssh *c)
{
    struct error ignored = ERROR_INIT;
    if (c->folder) {
        end_shell(c);
        struct board_args args = {0, 0};
        add_client(c, &args);
        board_args_add(&args, "-O");
        board_args_add(&args, "exit");
        board_args_add(&args, "--");
        board_args_add(&args, c->destination);
        struct proc p = {
            .argv = (const char *const *)args.at, .capture = true, .winding_up = true, .timeout_s = 5, .cpu = -1};
        struct proc_result r = PROC_RESULT_INIT;
        (void)!proc_run(&p, &r, &ignored);
        proc_result_release(&r);
        board_args_release(&args);
        (void)!remove_tree(c->folder, &ignored);
        cleanup_remove(c->folder);
    }
    error_release(&ignored);
    free(c->folder);
    free(c->mark);
    *c = (struct ssh){0};
}

/* ---- errors ---- */

/* The last line of ssh's messages that is not empty. */
static char *last_words(struct str *messages)
{
    const char *s = str_text(messages);
    size_t n = messages->len;
    while (n && (s[n - 1] == '\n' || s[n - 1] == '\r' || s[n - 1] == ' '))
        n--;
    size_t from = n;
    while (from && s[from - 1] != '\n')
        from--;
    return xstrndup(s + from, n - from);
}

/* ssh itself ended well or is running, but the board does not answer as it should. */
static enum status no_answer(const struct ssh *c, enum outcome how, struct ssh_limits limits, struct error *e)
{
    char *detail = how == SILENT
                       ? xasprintf("%s: for %.0f s", c->destination, limits.seconds + (c->reached ? 0 : CONNECT_S))
                       : xasprintf("%s: over %zu KiB", c->destination, limits.bytes >> 10);
    enum status s = cause_error(e, ERR_SYSTEM, "ssh", how == SILENT ? "ssh-silent" : "ssh-flood", detail);
    free(detail);
    return s;
}

/* Which known cause do ssh's messages indicate? The first of the list: of a changed key ssh also says that its verification
 * failed. */
static const char *cause_of(const char *messages)
{
    static const char *const known[][2] = {{"Permission denied", "ssh-refused"},
                                           {"Too many authentication failures", "ssh-refused"},
                                           {"no mutual signature", "ssh-refused"},
                                           {"REMOTE HOST IDENTIFICATION HAS CHANGED", "ssh-changed-host"},
                                           {"Host key verification failed", "ssh-unknown-host"},
                                           {"Could not resolve hostname", "ssh-no-such-host"},
                                           {"Bad configuration option", "ssh-options"},
                                           {"unknown option", "ssh-options"},
                                           {"command-line line 0", "ssh-options"}};
    const char *found = "ssh-unreachable";
    for (size_t i = sizeof known / sizeof *known; i-- > 0;)
        if (strstr(messages, known[i][0]))
            found = known[i][1];
    return found;
}

static enum status not_reached(const struct ssh *c, struct str *messages, struct error *e)
{
    char *words = last_words(messages);
    const char *cause = cause_of(str_text(messages));
    if (strcmp(cause, "ssh-changed-host") == 0) { /* here the last line does not tell the cause */
        free(words);
        words = xstrdup("the host's key is not the one that is known");
    }
    char *detail = xasprintf("%s%s%s", c->destination, *words ? ": " : "", words);
    enum status s = cause_error(e, ERR_SYSTEM, "ssh", c->reached ? "ssh-lost" : cause, detail);
    free(detail);
    free(words);
    return s;
}

/* ---- attempts after a broken connection ---- */

/* Cuts *out to what is between the first line that begins with the mark and the last one, "<mark> end". Returns false
 * if one is missing. */
static bool cut_answer(const struct ssh *c, const struct str *out, struct str *answer)
{
    char *last = xasprintf("%s end\n", c->mark);
    size_t n = strlen(last);
    const char *from = out->len ? memmem(out->s, out->len, c->mark, strlen(c->mark)) : 0;
    bool whole = from && out->len >= n && memcmp(out->s + out->len - n, last, n) == 0;
    if (whole)
        str_addn(answer, from, (size_t)(out->s + out->len - n - from));
    free(last);
    return whole;
}

/* Waits before the next attempt. Returns false if there is none. */
static bool try_again(const struct ssh *c, unsigned how, enum outcome outcome, int tried)
{
    int most = outcome == FLOODED ? 1 : outcome == SILENT ? 2 : TRIES;
    if (!c->reached || (how & (SSH_ONCE | SSH_WIND_UP)) || tried >= most || cancelled())
        return false;
    long ms = (long)FIRST_PAUSE_MS << (tried - 1);
    if (tried > 1)
        progress_note("the connection to %s is broken; trying again in %.1f s", c->destination, (double)ms / 1e3);
    for (; ms > 0 && !cancelled(); ms -= 100)
        nanosleep(&(struct timespec){0, 100000000}, 0);
    return !cancelled();
}

/* A socket without a connection would be in the way of the next connection. */
static void drop_connection(const struct ssh *c)
{
    char *socket = path_join(c->folder, "c");
    unlink(socket);
    free(socket);
}

/* One attempt. */
typedef enum status try_fn(struct ssh *c, void *what, struct ssh_limits limits, struct str *out, struct str *messages,
                           enum outcome *outcome, struct error *e);

static enum status until_answered(struct ssh *c, try_fn *attempt, void *what, struct ssh_limits limits, unsigned how,
                                  struct str *answer, struct error *e)
{
    struct str out = STR_INIT, messages = STR_INIT;
    enum status s = OK;
    enum outcome outcome = BROKEN;
    for (int tried = 0; !s;) {
        str_clear(&out);
        str_clear(&messages);
        s = attempt(c, what, limits, &out, &messages, &outcome, e);
        if (outcome == ANSWERED && !cut_answer(c, &out, answer))
            outcome = BROKEN;
        if (s || outcome == ANSWERED)
            break;
        end_shell(c);
        drop_connection(c);
        if (!try_again(c, how, outcome, ++tried))
            break;
    }
    if (!s && cancelled() && !(how & SSH_WIND_UP))
        s = error_set(e, ERR_CANCELLED, NOWHERE, "interrupted");
    if (!s && outcome == BROKEN)
        s = not_reached(c, &messages, e);
    if (!s && outcome != ANSWERED)
        s = no_answer(c, outcome, limits, e);
    if (!s)
        c->reached = true;
    str_release(&out);
    str_release(&messages);
    return s;
}

struct conversation {
    const char *script;
    bool winding_up;
};

static enum status try_script(struct ssh *c, void *what, struct ssh_limits limits, struct str *out,
                              struct str *messages, enum outcome *outcome, struct error *e)
{
    const struct conversation *w = what;
    limits.seconds += c->client ? 0 : CONNECT_S;
    enum status s = c->client ? OK : start_shell(c, e);
    *outcome = s ? BROKEN : converse(c, w->script, limits, w->winding_up, out, messages);
    return s;
}

enum status ssh_script(struct ssh *c, const char *script, struct ssh_limits limits, unsigned how, struct str *answer,
                       struct error *e)
{
    char *text = xasprintf("(M='%s'\n%s)\n", c->mark, script);
    struct conversation w = {text, how & SSH_WIND_UP};
    if (w.winding_up && cancelled())
        end_shell(c); /* it may still be executing a command */
    str_clear(answer);
    enum status s = until_answered(c, try_script, &w, limits, how, answer, e);
    free(text);
    return s;
}

/* ---- copying ---- */

struct copy {
    const char *command, *from;
};

static enum status try_copy(struct ssh *c, void *what, struct ssh_limits limits, struct str *out, struct str *messages,
                            enum outcome *outcome, struct error *e)
{
    const struct copy *w = what;
    struct board_args args = {0, 0};
    add_client(c, &args);
    board_args_add(&args, "--");
    board_args_add(&args, c->destination);
    board_args_add(&args, w->command);
    struct proc p = {.argv = (const char *const *)args.at,
                     .in_path = w->from,
                     .capture = true,
                     .timeout_s = limits.seconds + CONNECT_S,
                     .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_run(&p, &r, e);
    bool lost = s || r.exit_code == LOST || r.signal;
    *outcome = r.timed_out ? SILENT : lost ? BROKEN : r.out.len > limits.bytes ? FLOODED : ANSWERED;
    str_addn(out, str_text(&r.out), r.out.len);
    str_addn(messages, str_text(&r.err), r.err.len);
    proc_result_release(&r);
    board_args_release(&args);
    return s;
}

/* The command that reads a file of `size` bytes from standard input, as words that any login shell understands. */
static char *copy_command(const struct ssh *c, const char *to, size_t size)
{
    struct str inner = STR_INIT, half = STR_INIT, command = STR_INIT;
    str_addf(&half, "%s.part", to);
    struct str quoted = STR_INIT, quoted_half = STR_INIT;
    add_quoted(&quoted, to);
    add_quoted(&quoted_half, half.s);
    const char *h = quoted_half.s;
    str_addf(&inner,
             "cat >%s && [ \"$(wc -c <%s)\" -eq %zu ] && chmod 755 %s && mv -f %s %s && echo %s ok; echo %s end", h, h,
             size, h, h, quoted.s, c->mark, c->mark);
    str_add(&command, "/bin/sh -c ");
    add_quoted(&command, inner.s);
    str_release(&quoted);
    str_release(&quoted_half);
    str_release(&half);
    str_release(&inner);
    return str_detach(&command);
}

enum status ssh_copy(struct ssh *c, const char *from, const char *to, struct error *e)
{
    enum { BYTES_PER_S = 100000 }; /* allows for a slow line */
    struct stat about;
    if (stat(from, &about))
        return error_errno(e, AT_FILE(from), "cannot be copied to the board");
    char *command = copy_command(c, to, (size_t)about.st_size);
    struct str answer = STR_INIT;
    struct copy w = {command, from};
    const struct ssh_limits limits = {20 + (double)about.st_size / BYTES_PER_S, 256 << 10};
    enum status s = until_answered(c, try_copy, &w, limits, 0, &answer, e);
    char *ok = xasprintf("%s ok\n", c->mark);
    if (!s && strcmp(str_text(&answer), ok) != 0)
        s = error_set(e, ERR_SYSTEM, NOWHERE,
                      "%s: '%s' cannot be written there; make room, or name another [run] folder in board.ini",
                      c->destination, to);
    free(ok);
    str_release(&answer);
    free(command);
    return s;
}
