/*
 * ssh.h - shell scripts on another machine, by the OpenSSH client: one shell there that
 * takes script after script through its standard input, never a question (BatchMode), a
 * new connection when one breaks. The other machine needs sshd and a POSIX shell; which
 * shell its user logs in with, and what that prints, does not matter.
 */
#ifndef BOARDS_RUN_SSH_H
#define BOARDS_RUN_SSH_H

#include <sys/types.h>

#include "base/str.h"
#include "boards/boards.h"

struct ssh {
    const char *destination; /* "user@host", borrowed */
    char *const *options;    /* words before it; borrowed */
    char *folder;            /* for the connection's socket and the scripts */
    char *mark;              /* a word that nothing else prints: begins the lines that are answers */
    bool reached;            /* it has answered once: from then on a broken connection is made again */
    pid_t client;            /* the process of ssh; 0: none */
    int in, out, err;        /* to and from it, while there is one */
};

/* Only prepares. ERR_SYSTEM when there is no ssh here. ssh_close in any case. */
enum status ssh_open(struct ssh *c, const struct board *b, struct error *e) MUST_CHECK;
void ssh_close(struct ssh *c); /* ends the connection, also after cancelled() */

/* What an answer may take; what takes more is no answer: a board that floods or is silent. */
struct ssh_limits {
    double seconds; /* of the script; connecting has its own */
    size_t bytes;   /* of what comes by each of its two streams */
};
enum { SSH_WIND_UP = 1, SSH_ONCE = 2 }; /* also after cancelled(); a broken connection is not made again */
/* Runs a script by /bin/sh, in a subshell. Inside it, $M is c->mark; what it has to say are lines that begin with it.
 * It must end by `echo "$M end"`: without that line the connection broke in the middle, and the script is run again, so
 * it must bear that. *answer (emptied first): all after the first line that begins with the mark, that line included,
 * without the last. ERR_SYSTEM: not reached, refused, broken and not made again within about a minute, silent (tried
 * once more if it has answered before), or more than an answer may take; the sentence says what to do. */
enum status ssh_script(struct ssh *c, const char *script, struct ssh_limits limits, unsigned how, struct str *answer,
                       struct error *e) MUST_CHECK;
/* Copies a file to `to`, executable: whole or not at all. */
enum status ssh_copy(struct ssh *c, const char *from, const char *to, struct error *e) MUST_CHECK;

/* Adds `text` so that a POSIX shell takes it as one word. */
void add_quoted(struct str *script, const char *text);

#endif
