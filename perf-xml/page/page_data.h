/*
 * page_data.h - a profile in the size of a page: values of processes, of threads where there is room, and of call paths
 * over all threads. A sink; in the order of use: page_data_init, perf_read_all, page_data_write, page_data_release.
 */
#ifndef PERFXML_PAGE_DATA_H
#define PERFXML_PAGE_DATA_H

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "perf-xml/perfxml.h"

struct page_item {
    char *category, *group, *name, *unit, *why; /* owned; group: "" if it is in none */
    enum perf_state state;
    double sum, least, most;
    size_t n; /* threads with a value */
};
struct page_thread {
    size_t process;
    uint64_t id;
    char *label;  /* owned; may be NULL */
    size_t first; /* its values in page_data.values; those of items that came later are missing */
    size_t n;
};
struct page_process {
    uint64_t id;
    char *label;
};
struct page_path {
    char *name;
    size_t parent; /* in paths; SIZE_MAX: a root */
};
struct page_data {
    struct perf_sink sink;
    struct perf_place place;
    char *source, *machine, *date;
    VEC(struct page_process) processes;
    VEC(struct page_thread) threads;
    struct map item_numbers, path_numbers;
    VEC(struct page_item) items;
    VEC(float) values; /* NAN: none */
    VEC(struct page_path) paths;
    VEC(double) path_values; /* item * paths + path, of the items that have any */
    uint64_t path;           /* of the item that is open */
    bool in_path, wide;      /* wide: of each process and thread, not only over all */
    size_t n_values;
};
void page_data_init(struct page_data *d, bool wide);
/* Appends an object of JSON. Numbers have five digits. */
void page_data_write(const struct page_data *d, struct str *out);
void page_data_release(struct page_data *d);

/* The page, of one profile or of two beside each other (`other` NULL: one). */
void page_write(struct str *out, const struct page_data *d, const struct page_data *other);

#endif
