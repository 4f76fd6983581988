/*
 * tage.c - TAGE (A. Seznec, P. Michaud, JILP 8, 2006): a table of two-bit counters without tags, and tagged tables that
 * are indexed with longer and longer histories. The table with the longest history whose entry has the branch's tag
 * predicts. After a misprediction the branch gets an entry in a table with a longer history. The first table has a
 * history of 4 directions, the last one as many as the model says; lengths in between grow geometrically.
 *
 * As in the paper: tagged entries have counters of three bits and `useful` of two. New entries are not trusted if that
 * was wrong lately (a counter of 4 bits). Of two tables that could take a new entry, the one with the shorter history
 * is twice as likely. Every 2^18 branches all `useful` lose a bit, the high and the low one in turn. Simpler than the
 * paper: tags have 9 bits in every table, histories are folded again at each branch, and there is no history of
 * addresses.
 */
#include "sim/branch/several_tables.h"

enum {
    BASE_MAX = 3,
    BASE_START = 2,
    ENTRY_MAX = 7,
    ENTRY_TAKEN = 4,
    USEFUL_MAX = 3,
    TAG_BITS = 9,
    ALTERNATE_MAX = 15,
    ALTERNATE_START = 8,
    AGE_BITS = 18,
    RANDOM_START = 0x9e3779b9
};

static uint8_t *base_counters(struct sim_tage *t)
{
    return (uint8_t *)(t->entries + (size_t)t->tables * ((size_t)t->entry_mask + 1));
}

size_t sim_tage_size(const struct sim_predictor_kind *kind)
{
    size_t entries = (size_t)kind->tables << kind->second_bits;
    return sizeof(struct sim_tage) + entries * sizeof(struct sim_tage_entry) + ((size_t)1 << kind->table_bits);
}

void sim_tage_reset(struct sim_tage *t)
{
    size_t entries = (size_t)t->tables * ((size_t)t->entry_mask + 1);
    uint8_t *base = base_counters(t);
    t->history = 0;
    t->branches = 0;
    t->random = RANDOM_START;
    t->alternate = ALTERNATE_START;
    for (size_t i = 0; i < entries; i++)
        t->entries[i] = (struct sim_tage_entry){0, ENTRY_TAKEN, 0};
    for (size_t i = 0; i <= t->base_mask; i++)
        base[i] = BASE_START;
}

/* Lengths grow by a constant factor from the first table's to the last one's. The factor is found by bisection, in
 * units of 1/65536, since there is no libm here. */
static void find_lengths(struct sim_tage *t, unsigned longest)
{
    uint64_t low = 1 << 16, high = (uint64_t)16 << 16;
    while (high - low > 1) {
        uint64_t factor = (low + high) / 2, length = (uint64_t)SIM_TAGE_SHORTEST << 16;
        for (unsigned i = 1; i < t->tables && length >> 16 <= longest; i++)
            length = length * factor >> 16;
        if (length > (uint64_t)longest << 16)
            high = factor;
        else
            low = factor;
    }
    uint64_t length = (uint64_t)SIM_TAGE_SHORTEST << 16;
    for (unsigned i = 0, before = 0; i < t->tables; i++, length = length * low >> 16) {
        unsigned rounded = i + 1 == t->tables ? longest : (unsigned)((length + (1 << 15)) >> 16);
        before = rounded > before ? rounded : before + 1; /* two short lengths may be equal after rounding */
        t->lengths[i] = (uint8_t)before;
    }
}

void sim_tage_init(struct sim_tage *t, const struct sim_predictor_kind *kind)
{
    t->tables = kind->tables;
    t->entry_bits = kind->second_bits;
    t->entry_mask = (UINT32_C(1) << kind->second_bits) - 1;
    t->base_mask = (UINT32_C(1) << kind->table_bits) - 1;
    find_lengths(t, kind->history_bits);
    sim_tage_reset(t);
}

/* The last `length` directions, folded into `bits` bits by exclusive or. */
static uint32_t fold(uint64_t history, unsigned length, unsigned bits)
{
    uint32_t folded = 0;
    if (length < 64)
        history &= (UINT64_C(1) << length) - 1;
    for (; history; history >>= bits)
        folded ^= (uint32_t)(history & ((UINT64_C(1) << bits) - 1));
    return folded;
}

static struct sim_tage_entry *entry_of(struct sim_tage *t, unsigned table, uint32_t number)
{
    uint32_t folded = fold(t->history, t->lengths[table], t->entry_bits);
    uint32_t i = (number ^ number >> t->entry_bits ^ folded) & t->entry_mask;
    return &t->entries[(size_t)table * ((size_t)t->entry_mask + 1) + i];
}

/* The tag combines two foldings of different widths: two histories that are equal in one seldom are in the other. */
static uint16_t tag_of(const struct sim_tage *t, unsigned table, uint32_t number)
{
    unsigned length = t->lengths[table];
    uint32_t tag = number ^ fold(t->history, length, TAG_BITS) ^ fold(t->history, length, TAG_BITS - 1) << 1;
    return (uint16_t)(tag & ((1U << TAG_BITS) - 1));
}

struct found {
    struct sim_tage_entry *at[SIM_TAGE_TABLES_MAX];
    uint16_t tags[SIM_TAGE_TABLES_MAX];
    uint8_t *base;
    unsigned provider; /* 1 + number of the table that predicts; 0: the one without tags */
    bool provided, alternate, predicted;
};

static void look_up(struct found *f, struct sim_tage *t, uint32_t number)
{
    f->provider = 0;
    f->base = &base_counters(t)[number & t->base_mask];
    f->alternate = f->provided = *f->base >= BASE_START;
    for (unsigned i = 0; i < t->tables; i++) {
        f->at[i] = entry_of(t, i, number);
        f->tags[i] = tag_of(t, i, number);
        if (f->at[i]->tag != f->tags[i])
            continue;
        f->provider = i + 1;
        f->alternate = f->provided;
        f->provided = f->at[i]->counter >= ENTRY_TAKEN;
    }
}

static bool is_new(const struct sim_tage_entry *x)
{
    return !x->useful && (x->counter == ENTRY_TAKEN || x->counter == ENTRY_TAKEN - 1);
}

static uint32_t next_random(struct sim_tage *t) /* xorshift32 (G. Marsaglia, 2003) */
{
    t->random ^= t->random << 13;
    t->random ^= t->random >> 17;
    t->random ^= t->random << 5;
    return t->random;
}

/* Gives the branch an entry in a table with a longer history than the provider's. Only an entry that is not useful is
 * replaced; if all are useful, they become less so. */
static void allocate(struct sim_tage *t, const struct found *f, bool taken)
{
    unsigned first = f->provider;
    while (first < t->tables && f->at[first]->useful)
        first++;
    for (unsigned i = f->provider; first == t->tables && i < t->tables; i++)
        f->at[i]->useful--;
    if (first == t->tables)
        return;
    for (unsigned i = first + 1; i < t->tables && next_random(t) % 3 == 0; i++)
        if (!f->at[i]->useful)
            first = i;
    *f->at[first] = (struct sim_tage_entry){f->tags[first], (uint8_t)(ENTRY_TAKEN - !taken), 0};
}

static void age(struct sim_tage *t)
{
    if (++t->branches & ((UINT32_C(1) << AGE_BITS) - 1))
        return;
    uint8_t kept = t->branches >> AGE_BITS & 1 ? 1 : 2;
    size_t entries = (size_t)t->tables * ((size_t)t->entry_mask + 1);
    for (size_t i = 0; i < entries; i++)
        t->entries[i].useful &= kept;
}

bool sim_tage_branch(struct sim_tage *t, uint32_t number, bool taken)
{
    struct found f;
    look_up(&f, t, number);
    struct sim_tage_entry *provider = f.provider ? f.at[f.provider - 1] : 0;
    bool fresh = provider && is_new(provider);
    f.predicted = fresh && t->alternate >= ALTERNATE_START ? f.alternate : f.provided;
    if (fresh && f.provided != f.alternate)
        sim_count(&t->alternate, f.alternate == taken, ALTERNATE_MAX);
    if (f.predicted != taken && f.provider < t->tables && !(fresh && f.provided == taken))
        allocate(t, &f, taken);
    if (provider && f.provided != f.alternate)
        sim_count(&provider->useful, f.provided == taken, USEFUL_MAX);
    if (provider)
        sim_count(&provider->counter, taken, ENTRY_MAX);
    else
        sim_count(f.base, taken, BASE_MAX);
    age(t);
    t->history = t->history << 1 | taken;
    return f.predicted != taken;
}
