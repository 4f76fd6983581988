/* stamp_bytes.h - raw files of stamps, made byte by byte, and a folder for them. */
#ifndef TEST_STAMP_BYTES_H
#define TEST_STAMP_BYTES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "irprof/history/history.h"

enum { BEGIN_F, END_F, MARK, BEGIN_G, END_G };
static const char points[] = "begin\tadd\tf\tf\tf.c\t3\nend\tadd\tf\tf\tf.c\t3\nmark\tadd\tm\tf\tf."
                             "c\t4\nbegin\tadd\tg\tg\tf.c\t9\nend\tadd\tg\tg\tf.c\t9\n";

static char *folder, *path, *csv; /* a temporary folder: what is written there is not synced */

static inline void put(struct str *out, uint32_t kind, const void *head, size_t n, const void *body, size_t m)
{
    struct stamp_chunk c = {kind, (uint32_t)(n + m)};
    str_addn(out, (const char *)&c, sizeof c);
    str_addn(out, head, n);
    str_addn(out, body, m);
}

/* Starts at tick 1000, one tick a nanosecond. */
static inline void put_start(struct str *out)
{
    const struct stamp_start s = {.at = {1000, 50}, .frequency = 1000000000, .cost = 2500, .room = 9, .process = 7};
    const struct stamp_module_head m = {0, 5};
    str_addn(out, STAMP_MAGIC, strlen(STAMP_MAGIC));
    put(out, STAMP_START, &s, sizeof s, "prog", 4);
    put(out, STAMP_MODULE, &m, sizeof m, points, strlen(points));
}

static inline void put_thread(struct str *out, uint32_t number, const struct stamp_record *records, size_t n,
                              uint64_t lost)
{
    const struct stamp_thread_head t = {
        .at = {2000, 1050}, .lost = lost, .thread = number, .id = 100 + number, .ended = 1};
    put(out, STAMP_THREAD, &t, sizeof t, records, n * sizeof *records);
}

static inline struct history *read_bytes(const struct str *bytes)
{
    struct history *h = 0;
    assert_int_equal(file_write(path, str_text(bytes), bytes->len, 0), OK);
    assert_int_equal(history_read(&h, path, 0, 0), OK);
    return h;
}

static inline int make_folder(void **state)
{
    (void)state;
    if (temp_directory(&folder, "history", 0))
        return 1;
    path = path_join(folder, "raw");
    csv = path_join(folder, "out.csv");
    return 0;
}
static inline int remove_folder(void **state)
{
    (void)state;
    enum status s = remove_tree(folder, 0);
    free(folder);
    free(path);
    free(csv);
    return s != OK;
}

#endif
