/* outputs.h - where a build's files are: out/<board>/. The names are a contract for scripts. */
#ifndef SHIMGEN_UNITS_OUTPUTS_H
#define SHIMGEN_UNITS_OUTPUTS_H

struct outputs {
    char *directory;
    char *shim;          /* <board>.shim.xml */
    char *merged;        /* work/merged.shim.xml: the machine with fitted costs, which `shim` is made of */
    char *schedule_shim; /* <board>.schedule.shim.xml: the same as `shim`, under a former name, for one release */
    char *schedule;      /* schedule.json: how good these are */
    char *model;         /* model.json: what each instruction costs, the SHIM file's */
    char *programs;      /* programs.json: what whole programs cost, by the code of the target */
    char *dataset;       /* dataset.csv */
    char *measurements;  /* measurements.csv */
    char *conditions;    /* conditions.json: under which the measurements were made */
    char *memory;        /* memory.csv: what accesses to memory and messages between cores cost */
    char *micro;         /* micro.csv: what single instructions cost, by microbenchmarks */
    char *counts;        /* counts.csv: executed IR instructions, nothing else */
    char *counted;       /* work/counted.csv: with what was simulated as they were counted */
    char *predictor;     /* predictor.json: which predictor of branches is simulated, and why */
    char *core;          /* work/core-of-values.ini: the timing of a core, made of `shim`; absent: it tells none */
    char *simulated;     /* work/simulated.csv: what was simulated, with the predictor that is compared with */
    char *domains;       /* domains.csv: what each program is for, and whether fits may see it */
    char *provenance;    /* provenance.json: tools and sources that it was made of */
    char *wanted;        /* wanted.csv: rows of measurements that an import lacks */
    char *losses;        /* losses.csv: what was left out and why; absent: nothing */
    char *report;        /* report.html */
    char *work;          /* work/: intermediate files, kept so that a build can go on */
};

/* directory NULL: out/<board>. outputs_release frees. */
void outputs_init(struct outputs *o, const char *board, const char *directory);
void outputs_release(struct outputs *o);

/* Which files, as paths in the directory, a NULL after the last: for checksums (base/sums.h). They are borrowed from
 * the outputs. */
enum outputs_kind {
    OUTPUTS_MEASURED, /* what a build counts and measures, and `shimgen report` reads */
    OUTPUTS_PUBLISHED /* what is made of that */
};
enum { OUTPUTS_MOST = 16 };
void outputs_names(const char *names[OUTPUTS_MOST], const struct outputs *o, enum outputs_kind kind);

#endif
