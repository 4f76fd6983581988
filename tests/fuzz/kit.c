/*
 * kit.c - the fuzz target of the kit's log, as a hostile part prints it. Each line gets the checksum that makes it
 * whole, but for those that begin with '!', which come as they are. Whatever it says is refused with a reason, or its
 * programs are regular and have rows.
 */
#include "boards/kit/kit.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "boards/measure/kit_rows.h"
#include "tests/fuzz/target.h"

static void add_line(struct str *log, const char *line, size_t n)
{
    if (n && *line == '!') {
        str_addn(log, line + 1, n - 1);
    } else {
        struct str whole = STR_INIT;
        str_add(&whole, "shim ");
        str_addn(&whole, line, n);
        str_addf(&whole, " *%08x", kit_crc(UINT32_MAX, whole.s, whole.len) ^ UINT32_MAX);
        str_addn(log, whole.s, whole.len);
        str_release(&whole);
    }
    str_addch(log, '\n');
}

static void use(const struct kit_log *log)
{
    struct measurements *m = measurements_new();
    for (size_t i = 0; i < log->programs.n; i++) {
        const struct kit_program *p = &log->programs.at[i];
        struct error e = ERROR_INIT;
        if (!p->runs || !p->regions.n || p->regions.n % p->runs || p->session >= log->sessions.n)
            BUG("'%s' is not regular", p->name);
        target_passed(kit_rows_add(log, p, p->name, m, &e), &e);
    }
    kit_rows_describe(log, m);
    measurements_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = STR_INIT;
    for (const char *at = (const char *)data, *end = at + size; at < end;) {
        const char *eol = memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((eol ? eol : end) - at);
        add_line(&text, at, n);
        at += n + 1;
    }
    char *path = target_file("log", str_text(&text), text.len);
    struct kit_log *log = kit_log_new();
    const struct kit_choice choice = {0};
    struct error e = ERROR_INIT;
    enum status s = kit_log_read(log, path, &e);
    if (!s)
        s = kit_log_judge(log, &choice, &e);
    if (target_passed(s, &e))
        use(log);
    kit_log_free(log);
    free(path);
    str_release(&text);
    return 0;
}
