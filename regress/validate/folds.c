/* folds.c - assigns groups of rows to folds for solvers that cross-validate internally. */
#include <string.h>

#include "base/random.h"
#include "regress/solve/solver.h"

/* Numbers groups in the order of their first rows, by a hash table of 2 n slots: slot - 1 is a row of the group. */
size_t solver_assign_folds(const struct problem *q, size_t most, size_t *fold, size_t *scratch)
{
    size_t groups = 0, n_slots = 2 * q->n, *slots = scratch, *order = scratch + n_slots;
    memset(slots, 0, n_slots * sizeof *slots);
    for (size_t i = 0; i < q->n; i++) {
        size_t at = (size_t)(q->group[i] * UINT64_C(0x9e3779b97f4a7c15) >> 20) % n_slots;
        while (slots[at] && q->group[slots[at] - 1] != q->group[i])
            at = at + 1 < n_slots ? at + 1 : 0;
        fold[i] = slots[at] ? fold[slots[at] - 1] : groups++;
        slots[at] = slots[at] ? slots[at] : i + 1;
    }
    if (groups < 3)
        return 0;
    size_t folds = groups < most ? groups : most;
    struct random r = random_start(q->seed);
    random_order(&r, order, groups);
    for (size_t i = 0; i < q->n; i++)
        fold[i] = order[fold[i]] % folds;
    return folds;
}
