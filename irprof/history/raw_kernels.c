/*
 * raw_kernels.c - reads the stamps of kernels that a host program has written (docs/formats/stamps.md).
 *
 * Each work-item is a thread. Stamps have the low bits of the clock, below the number of the point; what they mean says the
 * stamped module. The bytes are not trusted.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/history/history.h"
#include "irprof/module/llvm.h"
#include "irprof/stamp/stamped_kernels.h"

enum { MOST_ITEMS = 1 << 20, DIMENSIONS = 3, WORDS_BEFORE = 2 };

struct reader {
    struct history *h;
    const char *path, *module;
    const unsigned char *at;
    size_t left;
    const struct stamped_kernels *kernels;
    size_t n_launches;
    struct error *e;
    /* of the current launch */
    struct stamp_launch head;
    char *name; /* owned */
    const struct stamped_kernel *kernel;
    size_t first_item, n_items; /* in h->threads */
    /* All launches. */
    uint64_t end;  /* [ticks] the latest stamp so far */
    uint64_t lost; /* number of stamps that were lost */
    size_t n_lost; /* number of work-items that have lost any */
};

#define WRONG(r, ...) error_set((r)->e, ERR_INPUT, AT_FILE((r)->path), __VA_ARGS__)

static uint32_t word_at(const unsigned char *at, size_t i)
{
    uint32_t word;
    memcpy(&word, at + 4 * i, sizeof word);
    return word;
}

/* ---- the grid ---- */

static bool count_items(const struct stamp_launch *l, size_t *all, size_t *group)
{
    *all = *group = 1;
    for (int d = 0; d < DIMENSIONS; d++) {
        if (!l->global[d] || !l->local[d] || l->local[d] > l->global[d] || l->global[d] % l->local[d] ||
            l->global[d] > MOST_ITEMS / *all)
            return false;
        *all *= l->global[d];
        *group *= l->local[d];
    }
    return true;
}

struct item {
    uint64_t group[DIMENSIONS], place[DIMENSIONS]; /* its group, and its place in the group */
};

static void split(uint64_t n, const uint64_t *size, uint64_t *at)
{
    for (int d = 0; d < DIMENSIONS; d++) {
        at[d] = n % size[d];
        n /= size[d];
    }
}

/* The work-item whose stamps are number n; kernel_ids.c numbers them. */
static struct item item_of(const struct reader *r, size_t n)
{
    struct item item;
    uint64_t groups[DIMENSIONS], at[DIMENSIONS];
    for (int d = 0; d < DIMENSIONS; d++)
        groups[d] = r->head.global[d] / r->head.local[d];
    if (r->kernel->group > 1) {
        split(n / r->kernel->group, groups, item.group);
        split(n % r->kernel->group, r->head.local, item.place);
        return item;
    }
    split(n, r->head.global, at);
    for (int d = 0; d < DIMENSIONS; d++) {
        item.group[d] = at[d] / r->head.local[d];
        item.place[d] = at[d] % r->head.local[d];
    }
    return item;
}

/* "walsh 3,0,0"; for a second launch, "walsh[2] 3,0,0". */
static char *item_name(const struct reader *r, const struct item *item)
{
    struct str out = STR_INIT;
    str_add(&out, r->name);
    if (r->n_launches > 1)
        str_addf(&out, "[%zu]", r->n_launches);
    for (int d = 0; d < DIMENSIONS; d++)
        str_addf(&out, "%c%" PRIu64, d ? ',' : ' ', item->group[d] * r->head.local[d] + item->place[d]);
    return str_detach(&out);
}

static void add_items(struct reader *r)
{
    r->first_item = r->h->threads.n;
    for (size_t i = 0; i < r->n_items; i++) {
        struct item item = item_of(r, i);
        uint32_t number = (uint32_t)(r->first_item + i + 1);
        vec_push(&r->h->threads, (struct history_thread){
                                     .name = item_name(r, &item), .number = number, .id = (uint32_t)i, .ended = true});
    }
}

/* ---- stamps ---- */

/* AMD's HW_ID contains more than the compute unit's number: bits 8 to 11 are that, 12 the shader array, 13 to 15 the
 * shader engine (as ROCm's device libraries read it). */
static uint32_t processor_of(const struct reader *r, uint32_t word)
{
    return r->kernel->clock == STAMP_MEMTIME ? word >> 8 & 0xff : word;
}

/* Adds a stamp. `ticks` has its low bits until all stamps are read; then the full clock is set. */
static enum status add_stamp(struct reader *r, struct history_thread *t, uint32_t word)
{
    const struct stamped_kernel *k = r->kernel;
    uint32_t point = k->point_bits ? word >> (32 - k->point_bits) : 0;
    if (point >= k->n_points)
        return WRONG(r,
                     "damaged: %s has a stamp of point %" PRIu32
                     "; kernel '%s' has %u: is it the memory of this launch, "
                     "and was the launch over?",
                     t->name, point, k->name, k->n_points);
    vec_push(&t->stamps, (struct history_stamp){.ticks = word & UINT32_MAX >> k->point_bits,
                                                .point = k->first + point,
                                                .processor = STAMP_NO_PROCESSOR});
    return OK;
}

static void set_processor(struct history_thread *t, uint32_t processor)
{
    for (size_t i = 0; i < t->stamps.n; i++)
        t->stamps.at[i].processor = processor;
}

static void note_lost(struct reader *r, struct history_thread *t, uint64_t lost)
{
    t->lost = lost;
    r->lost += lost;
    r->n_lost++;
}

/* Reads the number of stamps, the processor, and the stamps. */
static enum status read_added(struct reader *r)
{
    const struct stamped_kernel *k = r->kernel;
    size_t words = (size_t)k->room + WORDS_BEFORE;
    if (r->head.bytes != (uint64_t)r->n_items * words * 4)
        return WRONG(r,
                     "%" PRIu64
                     " bytes of stamps do not fit kernel '%s' of %s: %zu work-items x (room for %u stamps + 2) x "
                     "4 bytes = %zu",
                     r->head.bytes, k->name, r->module, r->n_items, k->room, r->n_items * words * 4);
    for (size_t i = 0; i < r->n_items; i++) {
        struct history_thread *t = &r->h->threads.at[r->first_item + i];
        const unsigned char *from = r->at + i * words * 4;
        uint32_t count = word_at(from, 0), kept = count < k->room ? count : k->room;
        if (count > kept)
            note_lost(r, t, count - kept);
        for (uint32_t s = 0; s < kept; s++)
            if (add_stamp(r, t, word_at(from, WORDS_BEFORE + s)))
                return ERR_INPUT;
        set_processor(t, processor_of(r, word_at(from, 1)));
    }
    return OK;
}

/* Returns false if the element is outside the output. */
static bool element_of(const struct reader *r, const struct item *item, uint64_t *element)
{
    uint64_t n = r->head.bytes / r->head.element, at = r->head.first;
    for (int d = 0; d < DIMENSIONS; d++) {
        uint64_t more;
        if (__builtin_mul_overflow(r->head.group[d], item->group[d], &more) || __builtin_add_overflow(at, more, &at) ||
            __builtin_mul_overflow(r->head.item[d], item->place[d], &more) || __builtin_add_overflow(at, more, &at))
            return false;
    }
    *element = at;
    return at < n;
}

/* Reads result `number` of each work-item: its stamp with that number, or the processor if it has taken only so
 * many. */
static enum status read_result(struct reader *r)
{
    const struct stamp_launch *l = &r->head;
    if ((l->element != 4 && l->element != 8) || l->bytes % l->element)
        return WRONG(r, "results of kernel '%s' have elements of %" PRIu32 " bytes: 4 or 8 can be replaced", r->name,
                     l->element);
    for (size_t i = 0; i < r->n_items; i++) {
        struct history_thread *t = &r->h->threads.at[r->first_item + i];
        struct item item = item_of(r, i);
        uint64_t element;
        if (!element_of(r, &item, &element))
            return WRONG(r, "%s: its result %" PRIu32 " is outside of the %" PRIu64 " bytes: say otherwise where it is",
                         t->name, l->number, l->bytes);
        uint32_t word = word_at(r->at + element * l->element, 0);
        if (l->number >= l->taken)
            set_processor(t, processor_of(r, word));
        else if (add_stamp(r, t, word))
            return ERR_INPUT;
    }
    return OK;
}

/* ---- the full clock ---- */

/* Within a work-item, stamps follow each other. A work-item's first stamp is the value nearest to that of the work-item
 * before. A launch begins when the previous one has ended: the time between is not known. */
static void set_clocks(struct reader *r)
{
    unsigned bits = 32 - r->kernel->point_bits;
    uint64_t last = 0, origin = (uint64_t)1 << 40;
    bool any = false;
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (size_t i = 0; i < r->n_items; i++) {
        struct history_thread *t = &r->h->threads.at[r->first_item + i];
        for (size_t s = 0; s < t->stamps.n; s++) {
            uint64_t *ticks = &t->stamps.at[s].ticks;
            *ticks = s     ? clock_next(t->stamps.at[s - 1].ticks, *ticks, bits)
                     : any ? clock_nearest(last, *ticks, bits)
                           : origin + *ticks;
            if (!s)
                last = *ticks;
            any = true;
            least = (int64_t)*ticks < least ? (int64_t)*ticks : least;
            most = (int64_t)*ticks > most ? (int64_t)*ticks : most;
        }
    }
    for (size_t i = 0; any && i < r->n_items; i++) {
        struct history_thread *t = &r->h->threads.at[r->first_item + i];
        for (size_t s = 0; s < t->stamps.n; s++)
            t->stamps.at[s].ticks = t->stamps.at[s].ticks - (uint64_t)least + r->end;
    }
    if (any)
        r->end += (uint64_t)(most - least) + 1;
}

static void end_launch(struct reader *r)
{
    if (r->kernel)
        set_clocks(r);
    r->kernel = 0;
    free(r->name);
    r->name = 0;
}

/* ---- launches ---- */

static enum status no_kernel(struct reader *r)
{
    struct str names = STR_INIT;
    for (size_t i = 0; i < r->kernels->all.n; i++)
        str_addf(&names, "%s%s", i ? ", " : "", r->kernels->all.at[i].name);
    enum status s = WRONG(r, "has stamps of kernel '%s'; %s has stamped %s", r->name, r->module, str_text(&names));
    str_release(&names);
    return s;
}

static enum status begin_launch(struct reader *r)
{
    size_t group;
    r->kernel = stamped_kernels_find(r->kernels, r->name);
    if (!r->kernel)
        return no_kernel(r);
    if (!count_items(&r->head, &r->n_items, &group) || r->h->threads.n + r->n_items > MOST_ITEMS)
        return WRONG(r,
                     "damaged: a launch of kernel '%s' has work-groups that do not fill it, or more than %d work-items",
                     r->name, MOST_ITEMS);
    if (r->kernel->group > 1 && r->kernel->group != group)
        return WRONG(r, "a launch of kernel '%s' has work-groups of %zu work-items; it was stamped for %u", r->name,
                     group, r->kernel->group);
    if (!r->n_launches)
        r->h->per_ns = (double)r->head.frequency / 1e9;
    else if ((double)r->head.frequency / 1e9 != r->h->per_ns)
        return WRONG(r, "launches have clocks of different frequency: write them into files of their own");
    r->n_launches++;
    add_items(r);
    return OK;
}

/* Is it a further result of the current launch? */
static bool goes_on(const struct reader *r, const struct stamp_launch *l, const char *name)
{
    return l->kind == STAMP_KERNEL_RESULT && l->number && r->kernel && r->head.kind == STAMP_KERNEL_RESULT &&
           r->head.number + 1 == l->number && strcmp(name, r->name) == 0 &&
           memcmp(r->head.global, l->global, sizeof l->global) == 0 &&
           memcmp(r->head.local, l->local, sizeof l->local) == 0;
}

static enum status read_launch(struct reader *r, const struct stamp_launch *l)
{
    char *copy = xstrndup((const char *)r->at, l->name), *name = printable_text(copy);
    bool more = goes_on(r, l, name);
    enum status s = OK;
    free(copy);
    if (!more)
        end_launch(r);
    free(r->name);
    r->name = name;
    r->head = *l;
    if (l->kind > STAMP_KERNEL_RESULT)
        s = WRONG(r, "damaged: a part of a kind that is not known");
    else if (!more && l->kind == STAMP_KERNEL_RESULT && l->number)
        s = WRONG(r, "result %" PRIu32 " of kernel '%s' does not follow result %" PRIu32 " of the same launch",
                  l->number, r->name, l->number - 1);
    else if (!more)
        s = begin_launch(r);
    r->at += l->name;
    if (!s)
        s = l->kind == STAMP_KERNEL_ADDED ? read_added(r) : read_result(r);
    r->at += l->bytes;
    r->left -= l->name + l->bytes;
    return s;
}

static enum status read_launches(struct reader *r)
{
    enum status s = OK;
    if (!r->left)
        return WRONG(r, "has no stamps: it ends after its first line");
    while (r->left && !s) {
        struct stamp_launch l = {0};
        if (r->left >= sizeof l)
            memcpy(&l, r->at, sizeof l);
        if (r->left < sizeof l || l.name > r->left - sizeof l || l.bytes > r->left - sizeof l - l.name)
            return WRONG(r, "damaged: it ends within a launch; write it again");
        r->at += sizeof l;
        r->left -= sizeof l;
        s = read_launch(r, &l);
    }
    if (!s)
        end_launch(r);
    return s;
}

/* ---- the module ---- */

static enum status read_module(struct reader *r, struct stamped_kernels *kernels)
{
    struct llvm_module m;
    enum status s = llvm_load(&m, r->module, r->e);
    if (s)
        return s;
    s = stamped_kernels_read(kernels, m.module, r->module, r->e);
    if (!s && !kernels->all.n)
        s = error_set(r->e, ERR_INPUT, AT_FILE(r->module),
                      "has no stamped kernels: name what 'irprof stamp' has written");
    llvm_release(&m);
    return s;
}

static void say(const struct reader *r)
{
    struct str *said = &r->h->said;
    if (r->lost)
        str_addf(said,
                 "%" PRIu64
                 " stamps of %zu work-items found no room and are missing at their ends: stamp with more --room\n",
                 r->lost, r->n_lost);
    if (r->n_launches > 1)
        str_addf(said, "%zu launches: each begins when the one before has ended; what was between is not known\n",
                 r->n_launches);
}

enum status raw_kernels_read(struct history *h, const struct str *bytes, const char *path, const char *module,
                             struct error *e)
{
    struct stamped_kernels kernels = {0};
    struct point_list points = {.h = h};
    size_t n = strlen(STAMP_KERNEL_MAGIC);
    struct reader r = {.h = h, .path = path, .module = module, .e = e, .kernels = &kernels};
    if (!module)
        return WRONG(&r, "holds stamps of kernels: name the stamped IR that was launched with --module FILE");
    enum status s = read_module(&r, &kernels);
    if (!s && !points_add_text(&points, kernels.text, strlen(kernels.text), kernels.n_points))
        s = error_set(e, ERR_INPUT, AT_FILE(module), "its text of points is damaged: stamp it again");
    if (!s) {
        h->kernels = h->complete = true;
        h->program = xstrdup(module);
        h->clock = kernels.all.at[0].clock;
        r.at = (const unsigned char *)bytes->s + n;
        r.left = bytes->len - n;
        s = read_launches(&r);
    }
    if (!s)
        say(&r);
    free(r.name);
    points_release(&points);
    stamped_kernels_release(&kernels);
    return s;
}
