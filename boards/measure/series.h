/* series.h - all runs of one program: which of them count, and their result. */
#ifndef BOARDS_MEASURE_SERIES_H
#define BOARDS_MEASURE_SERIES_H

#include "boards/measure/result.h"

enum verdict { COUNTS, BY_SWITCH, BY_FAULT, BY_INTERRUPT, BY_SHARING, BY_OUTLIER, N_VERDICTS };

/* One region in one launch. */
struct observation {
    double *raw; /* one for each event */
    double entries, pairs;
    double switches, involuntary, minor, major, interrupts; /* interrupts -1: unknown */
    double width;                                           /* additions a core cycle carried; 0 unknown */
    double clock; /* core cycles per tick of the constant counter; 0 unknown */
    enum verdict verdict;
};
struct series {
    char *region;
    VEC(struct observation) runs; /* one for each launch */
    bool always_disturbed;        /* what the kernel did is part of the program: not a reason to drop */
    bool always_shared;           /* too few runs had the core alone: sharing is no reason to drop */
};
struct event_series {
    char *name;
    VEC(double) inside, pair; /* overhead of each launch */
};
struct campaign {
    char *program;
    VEC(struct event_series) events; /* the first is the cycles */
    VEC(struct series) regions;
    double best_width; /* additions per cycle when the core is ours alone, as seen so far; 0 unknown */
    bool estimate;     /* the cycles are ticks and the clock is known in every run: a row of core cycles is added */
    size_t launches;
};
/* What is wanted of each region of a program. */
struct goal {
    size_t runs;      /* that count; with a precision: at most */
    size_t least;     /* with a precision: at least */
    double precision; /* half of the 95 % confidence interval over the value; 0: all runs always */
};
/* ---- stopping.c ---- */
struct goal goal_of(const struct board *b);
/* Known as well as is wanted: all three in one unit. */
bool precise_enough(const struct goal *g, double value, double half_width, double overhead);
/* Judges, and returns how many more launches are wanted now; 0: the goal is reached. */
size_t campaign_missing(struct campaign *c, const struct goal *g);

/* ---- series.c ---- */
void campaign_init(struct campaign *c, const char *program, double best_width);
void campaign_release(struct campaign *c);
/* One launch more. ERR_INPUT when its regions or events are not those of the first. */
enum status campaign_add(struct campaign *c, const struct run_result *r, struct error *e) MUST_CHECK;
/* Decides again which of the launches count. `last`: what is there must do, since `runs` launches are there or there
 * will be no more; else a core that is shared all the time may become free yet. */
void campaign_judge(struct campaign *c, size_t runs, bool last);
bool campaign_last_shared(const struct campaign *c); /* was the last launch disturbed by the core's other thread? */
/* Appends the rows, the program's record and what is to be noted. */
void campaign_finish(struct campaign *c, const struct goal *g, double wall_s, struct measurements *into);
/* Adds to the program that was finished last what another set of events showed in launches of its own: the rows of
 * those events, after those of their region; its cycles are left alone. */
void campaign_merge(struct campaign *c, const struct goal *g, struct measurements *into);
/* A region's cycles as judged: in core cycles where they can be estimated, overhead taken off; of the first `runs` runs
 * that count, of which there is one at least. */
struct estimate {
    double value, half_width; /* of the 95 % confidence interval */
    double overhead;          /* that was taken off */
};
struct estimate series_estimate(const struct campaign *c, const struct series *s, size_t runs);
/* Core cycles per tick, the median over all regions and runs; 0 unknown. */
double campaign_clock(const struct campaign *c);
void add_note(struct measurements *m, char *owned);

#endif
