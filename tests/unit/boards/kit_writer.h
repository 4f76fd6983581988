/* kit_writer.h - logs as a part writes them, and what the reader says of them. */
#ifndef TEST_BOARDS_KIT_WRITER_H
#define TEST_BOARDS_KIT_WRITER_H

#include "fixture.h"

#include "base/str.h"
#include "boards/kit/kit.h"
#include "tests/unit/folder.h"

struct writer {
    struct str text;
    uint32_t tag, number, block, lines;
};

static inline void put(struct writer *w, const char *body)
{
    char *line = xasprintf("shim %08x %x %s", w->tag, w->number++, body);
    w->block = kit_crc(kit_crc(w->block, body, strlen(body)), "\n", 1);
    w->lines++;
    str_addf(&w->text, "%s *%08x\r\n", line, kit_crc(UINT32_MAX, line, strlen(line)) ^ UINT32_MAX);
    free(line);
}

static inline void putf(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static inline void putf(struct writer *w, const char *fmt, ...)
{
    char *body;
    va_list ap;
    va_start(ap, fmt);
    assert_true(vasprintf(&body, fmt, ap) >= 0);
    va_end(ap);
    put(w, body);
    free(body);
}

#define CONDITIONS "conditions f42400 2 0 0 0 0 2 20 DWT" /* 16 MHz, 2 wait states, warm, 2 runs, 32 bits */
#define LOOPS      "loops 3e8 bb8 1770"                   /* 1000 iterations: 3000 and 6000 cycles */
#define COST       "cost 10 40 100"                       /* 16 empty regions: 64 cycles; around them 256 */

static inline void start(struct writer *w, uint32_t tag, unsigned part, const char *conditions, const char *loops)
{
    w->tag = tag;
    w->number = 0;
    putf(w, "start 1 abcd %x 0 2 stm32", part);
    put(w, conditions);
    put(w, loops);
    put(w, COST);
}

static inline void program(struct writer *w, unsigned index, const char *name, unsigned work, unsigned cycles)
{
    w->block = UINT32_MAX;
    w->lines = 0;
    putf(w, "program %x %x 1234 ir %s", index, work, name);
    for (unsigned run = 0; run < 2; run++)
        putf(w, "region %x 1 0 %x r", run, cycles);
    uint32_t block = w->block ^ UINT32_MAX, lines = w->lines;
    putf(w, "end %x 2 %x %x", index, lines, block);
}

static inline void done(struct writer *w)
{
    put(w, "done 0");
}

/* Two programs of 10000 and 20000 cycles. */
static inline struct writer good_log(void)
{
    struct writer w = {.text = STR_INIT};
    start(&w, 0x11, 0, CONDITIONS, LOOPS);
    program(&w, 0, "a@O0", 5000, 10000);
    program(&w, 1, "b@O0", 5000, 20000);
    done(&w);
    return w;
}

/* ---- reading ---- */

static inline struct kit_log *read_text(const char *text, size_t n, const char *part, enum status *s, struct error *e)
{
    struct kit_log *log = kit_log_new();
    const struct kit_choice choice = {part};
    struct error own = ERROR_INIT;
    char *path = path_join(folder, "log.txt");
    assert_int_equal(file_write(path, text, n, &own), OK);
    *s = kit_log_read(log, path, e);
    free(path);
    if (!*s)
        *s = kit_log_judge(log, &choice, e);
    return log;
}

/* So many programs, or -1 and a text of the error. */
static inline void expect(const struct writer *w, int programs, const char *says)
{
    enum status s;
    struct error e = ERROR_INIT;
    struct kit_log *log = read_text(str_text(&w->text), w->text.len, 0, &s, &e);
    if (programs < 0) {
        assert_int_equal(s, ERR_INPUT);
        if (!strstr(e.message, says))
            fail_msg("'%s' is not in '%s'", says, e.message);
    } else {
        if (s)
            fail_msg("%s", e.message);
        assert_int_equal(log->programs.n, programs);
    }
    error_release(&e);
    kit_log_free(log);
}

static inline void refuse(struct writer *w, const char *says)
{
    expect(w, -1, says);
    str_release(&w->text);
}

#endif
