/*
 * mutants.h - the small changes of a C source that its tests should notice: where they are (places.c) and which there
 * are at each place (operators.c). A change is a span of the source and the text in its place.
 */
#ifndef TESTS_MUTATE_MUTANTS_H
#define TESTS_MUTATE_MUTANTS_H

#include <stdbool.h>
#include <stddef.h>

#include <clang-c/Index.h>

#include "base/alloc.h"

struct span {
    unsigned from, to; /* bytes of the source; `to` is one past the last */
};

struct mutant {
    char *function; /* or variable, or macro */
    const char *rule;
    struct span edit;
    char *replacement;
    char *before, *after; /* for people: on one line, cut to what changes */
};

struct source {
    const char *path, *text;
    size_t n;
    CXFile file;
    VEC(struct span) expansions; /* of macros */
    VEC(struct mutant) mutants;
};

/* All mutants of a source that libclang has parsed. */
void find_mutants(struct source *s, CXTranslationUnit unit);

/* Where a cursor stands; false if it is not, whole, in the source itself. */
bool span_of(const struct source *s, CXCursor c, struct span *to);

/* The first byte from `at` that is neither space nor in a comment. */
unsigned after_blanks(const struct source *s, unsigned at);

/* Adds a mutant, unless a macro's expansion would be cut or it is there already. `around`: what people are shown. */
void add_mutant(struct source *s, const char *function, const char *rule, struct span around, struct span edit,
                const char *replacement);

/* What can become of `left OP right`, of a literal and of an operator before or after one operand. `sized`: a size of
 * memory is computed, which sanitizers judge. */
void mutate_binary(struct source *s, const char *function, struct span whole, struct span left, struct span right,
                   bool sized);
void mutate_unary(struct source *s, const char *function, struct span whole, struct span operand);
void mutate_literal(struct source *s, const char *function, struct span literal);

/* A condition into its opposite, if no operator in it is changed into that already. */
void negate_condition(struct source *s, const char *function, struct span condition);

/* A statement away; its semicolon stays. */
void delete_statement(struct source *s, const char *function, struct span statement);

void replace_result(struct source *s, const char *function, struct span result, bool truth);

#endif
