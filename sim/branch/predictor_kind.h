/* predictor_kind.h - describes a predictor of conditional branches: its scheme and the sizes of its tables. Freestanding. */
#ifndef SIM_BRANCH_PREDICTOR_KIND_H
#define SIM_BRANCH_PREDICTOR_KIND_H

enum sim_predictor_scheme {
    SIM_BIMODAL, /* counter indexed by the branch's number */
    /* Counter indexed by the number xor the directions of the last branches of the program (S. McFarling, "Combining
     * branch predictors", DEC WRL TN-36, 1993). */
    SIM_GSHARE,
    /* Local or global history, whichever was right more often at this place: McFarling's combination as in the Alpha
     * 21264 (R. E. Kessler, IEEE Micro 19(2), 1999). */
    SIM_TOURNAMENT,
    /* Tagged tables with geometrically longer histories (A. Seznec, P. Michaud, "A case for (partially) tagged
     * geometric history length branch prediction", JILP 8, 2006). */
    SIM_TAGE,
    SIM_PREDICTOR_N
};
struct sim_predictor_kind {
    enum sim_predictor_scheme scheme;
    /* 2^table_bits counters, 1 to SIM_TABLE_BITS_MAX. Tournament: counters of the global history, and as many in the
     * chooser. TAGE: counters of the table without tags. */
    unsigned table_bits;
    /* gshare: 1 to table_bits. TAGE: the longest history, SIM_TAGE_SHORTEST + tables to SIM_TAGE_LONGEST. Otherwise
     * 0. */
    unsigned history_bits;
    /* Tournament: 2^second_bits local histories of second_bits directions and as many counters, 1 to
     * SIM_LOCAL_BITS_MAX. TAGE: 2^second_bits entries in each tagged table, 1 to SIM_TAGGED_BITS_MAX. Otherwise 0. */
    unsigned second_bits;
    unsigned tables; /* TAGE: number of tagged tables, 2 to SIM_TAGE_TABLES_MAX. Otherwise 0 */
};
enum {
    SIM_TABLE_BITS_MAX = 20,
    SIM_LOCAL_BITS_MAX = 16,
    SIM_TAGGED_BITS_MAX = 14,
    SIM_TAGE_TABLES_MAX = 8,
    SIM_TAGE_SHORTEST = 4, /* history length of the first tagged table */
    SIM_TAGE_LONGEST = 64
};

#endif
