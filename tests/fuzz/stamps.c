/*
 * stamps.c - the fuzz target of what irprof history reads: stamps of a program or of kernels.
 *
 * They are refused with a reason, or are a history whose times do not fall, whose intervals nest, and which can be written in
 * each form.
 */
#include <stdlib.h>
#include <string.h>

#include "irprof/history/history.h"
#include "tests/fuzz/target.h"

/* The stamped module whose kernel the seeds are of (tests/cli/irprof/history-kernel), without its code. */
static const char module_text[] = "!irprof.stamp.kernels = !{!0}\n"
                                  "!irprof.stamp.text = !{!1}\n"
                                  "!0 = !{!\"copy\", i32 0, i32 2, i32 1, i32 2, i32 4, i32 7}\n"
                                  "!1 = !{!\"begin\\09add\\09function copy\\09copy\\09\\090\\0Aend\\09add\\09function "
                                  "copy\\09copy\\09\\090\\0A\", i32 2}\n";

static const char *module_path(void)
{
    static char *path; /* the program's */
    if (!path)
        path = target_file("module.ll", module_text, strlen(module_text));
    return path;
}

static void check_thread(const struct history *h, const struct history_thread *t)
{
    for (size_t i = 0; i < t->stamps.n; i++) {
        if (t->stamps.at[i].point >= h->points.n)
            BUG("a stamp of no point");
        if (i && t->stamps.at[i].at < t->stamps.at[i - 1].at)
            BUG("time falls");
    }
    for (size_t i = 0; i < t->intervals.n; i++) {
        const struct history_interval *v = &t->intervals.at[i];
        if (v->to < v->from || v->label >= h->labels.n)
            BUG("an interval ends before it begins, or has no name");
        if (i && v->depth > t->intervals.at[i - 1].depth + 1)
            BUG("an interval is in none");
    }
}

static void check_figures(const struct history *h)
{
    struct history_figure *figures;
    struct history_processor *processors;
    size_t n = history_figures(h, &figures), stamps = 0, all = 0;
    for (size_t i = 0; i < n; i++)
        if (figures[i].imbalance < -1e-9 || figures[i].least > figures[i].most)
            BUG("an imbalance of %g", figures[i].imbalance);
    n = history_processors(h, &processors);
    for (size_t i = 0; i < n; i++)
        stamps += processors[i].stamps;
    for (size_t i = 0; i < h->threads.n; i++)
        all += h->threads.at[i].stamps.n;
    if (stamps != all)
        BUG("%zu of %zu stamps are of processors", stamps, all);
    free(figures);
    free(processors);
}

typedef enum status writer(const struct history *h, const char *path, struct error *e);
static enum status write_rows(const struct history *h, const char *path, struct error *e)
{
    return history_write_svg(h, true, path, e);
}

static void check(const struct history *h)
{
    static writer *const writers[] = {history_write_csv, history_write_trace, write_rows, history_write_page};
    struct str notes = STR_INIT;
    for (size_t i = 0; i < h->threads.n; i++)
        check_thread(h, &h->threads.at[i]);
    check_figures(h);
    history_notes(h, &notes);
    str_release(&notes);
    char *out = target_path("out");
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        struct error e = ERROR_INIT;
        if (!target_passed(writers[i](h, out, &e), &e))
            BUG("a history that was read cannot be written");
    }
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct history *h = 0;
    size_t n = strlen(STAMP_KERNEL_MAGIC);
    bool kernels = size >= n && memcmp(data, STAMP_KERNEL_MAGIC, n) == 0;
    char *path = target_file("stamps", data, size);
    if (target_passed(history_read(&h, path, kernels ? module_path() : 0, &e), &e)) {
        check(h);
        history_free(h);
    }
    free(path);
    return 0;
}
