/* search.h - what the search of a classification is made of: drafts of classifications (search_draft.c), and the moves
 * from one to the next (search_moves.c); search.c goes the way. */
#ifndef REGRESS_VALIDATE_SEARCH_H
#define REGRESS_VALIDATE_SEARCH_H

#include "base/alloc.h"
#include "regress/data/classes.h"
#include "regress/data/table.h"

/* A variable that was split off: a rule in front of the start's, where the first that matches decides. */
struct front {
    char *name, *group; /* group NULL: none */
    char *keys;         /* " key key" */
};
struct prior {
    char *name;
    double value;
};
struct draft {
    const struct regress_classes *start; /* borrowed */
    char **names;                        /* of the start's variables now; equal ones are merged */
    VEC(struct front) fronts;            /* the last is the first in the file */
    VEC(struct prior) priors;            /* of those split off */
};

struct draft draft_of(const struct regress_classes *start);
struct draft draft_copy(const struct draft *from);
void draft_release(struct draft *k);
/* keys: " key key", the new variable's; what is known of `off` is known of it. */
void draft_split(struct draft *k, const char *name, const char *keys, const struct regress_variable *off);
void draft_merge(struct draft *k, const char *from, const char *to);
size_t draft_variables(const struct draft *k);
/* As a file of classes. Free it. */
char *draft_text(const struct draft *k);

struct move {
    char *what;
    struct draft draft;
    double *errors; /* per row, absolute; NULL: could not be fitted */
    double score;   /* their mean */
};
struct moves {
    struct move *at;
    size_t n;
};
void move_release(struct move *m);
void moves_release(struct moves *m);

/* The draft that moves start from, and the rows by which they are judged worth a try. */
struct stand {
    const struct draft *draft;
    const struct table *table; /* of the draft */
    const struct regress_data *d;
    const struct regress_rows *rows; /* NULL: all */
    const size_t *group;             /* of each row */
    size_t n, n_groups;              /* rows, groups */
};
/* Of one variable's keys those with the same opcode, of the same type, or that wait for the one before. */
void moves_add_splits(struct moves *out, const struct stand *s);
/* Two variables whose values x, one for each of the table, are among the closest become one. */
void moves_add_merges(struct moves *out, const struct stand *s, const double *x);

#endif
