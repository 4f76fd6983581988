/* instructions.c - the table of LLVM's instructions, and questions to it. */
#include "base/instructions.h"

#include <stdlib.h>
#include <string.h>

#define NO  false
#define YES true

static const struct ir_instruction instructions[IR_OPCODES] = {
#define SAME                                                                                                           \
    {                                                                                                                  \
        false, 0, 0                                                                                                    \
    }
#define GIVES(bits_)                                                                                                   \
    {                                                                                                                  \
        true, bits_, 0                                                                                                 \
    }
#define TAKES(bits_)                                                                                                   \
    {                                                                                                                  \
        false, bits_, 0                                                                                                \
    }
#define TAKES_HALVES(n_)                                                                                               \
    {                                                                                                                  \
        false, 0, n_                                                                                                   \
    }
#define WIDTHS(...) __VA_ARGS__
#define LIKE(...)                                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define INSTRUCTION(id_, name_, llvm_, key_, class_, widths_, like_, no_case_, in_c_, what_)                           \
    [IR_##id_] = {name_, key_, IR_CLASS_##class_, widths_, like_, no_case_},
#include "base/instructions.def"
};

static const struct ir_listed listed[IR_LISTED] = {
#define INSTRUCTION(id_, name_, llvm_, key_, class_, widths_, like_, no_case_, in_c_, what_)                           \
    {name_, IR_##id_, false, in_c_, what_},
#define SPELLING(id_, name_, of_, in_c_, what_) {name_, IR_##of_, true, in_c_, what_},
#include "base/instructions.def"
};

const struct ir_instruction *ir_instruction(enum ir_opcode opcode)
{
    return &instructions[opcode];
}

static bool is(const char *word, const char *name, size_t n)
{
    return *word == *name && strncmp(word, name, n) == 0 && !word[n];
}

enum ir_opcode ir_opcode(const char *name, size_t n)
{
    for (size_t i = 0; i < IR_LISTED; i++)
        if (is(listed[i].name, name, n))
            return listed[i].opcode;
    return IR_NONE;
}

const struct ir_listed *ir_listed(size_t i)
{
    return &listed[i];
}

size_t ir_listed_index(const char *name)
{
    size_t i = 0;
    while (i < IR_LISTED && strcmp(listed[i].name, name) != 0)
        i++;
    return i;
}

/* ---- intrinsics ---- */

/* Is `name` the word itself or one of its family, as "vector.reduce.add" is of "vector.reduce"? */
static bool is_of(const char *word, const char *name, size_t n)
{
    size_t k = strlen(word);
    return n >= k && memcmp(name, word, k) == 0 && (n == k || name[k] == '.');
}

bool ir_intrinsic_no_code(const char *name, size_t n)
{
    static const char *const names[] = {
#define NO_CODE(name_) name_,
#include "base/instructions.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t k = strlen(names[i]);
        bool family = names[i][k - 1] == '.';
        if (n >= k && memcmp(name, names[i], k) == 0 && (family || n == k))
            return true;
    }
    return false;
}

bool ir_intrinsic_moves_memory(const char *name, size_t n)
{
    static const char *const names[] = {
#define MOVES_MEMORY(name_) name_,
#include "base/instructions.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_of(names[i], name, n))
            return true;
    return false;
}

enum ir_class ir_intrinsic_class(const char *name, size_t n)
{
    static const struct {
        const char *name;
        enum ir_class class;
    } classes[] = {
#define CLASS_OF(name_, class_) {name_, IR_CLASS_##class_},
#include "base/instructions.def"
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (is_of(classes[i].name, name, n))
            return classes[i].class;
    return IR_CLASS_CALL;
}

unsigned ir_intrinsic_floats(const char *name, size_t n)
{
    static const struct {
        const char *name;
        unsigned each;
    } list[] = {
#define FLOATS(name_, each_) {name_, each_},
#include "base/instructions.def"
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (is_of(list[i].name, name, n))
            return list[i].each;
    return 0;
}

const enum ir_opcode *ir_does(enum ir_opcode opcode, const char *name, size_t n)
{
    static const struct {
        enum ir_opcode opcode;
        const char *name;
        enum ir_opcode does[IR_DOES_MOST + 1];
    } all[] = {
#define DOES(id_, name_, ...) {IR_##id_, name_, {__VA_ARGS__}},
#include "base/instructions.def"
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].opcode == opcode && (opcode != IR_CALL || (name && is_of(all[i].name, name, n))))
            return all[i].does;
    return NULL;
}

/* ---- keys ---- */

const struct ir_key_like *ir_key_likes(size_t *n)
{
    static const struct ir_key_like likes[] = {
#define KEY_LIKE(pattern_, like_, why_) {pattern_, like_, why_},
#include "base/instructions.def"
    };
    *n = sizeof likes / sizeof *likes;
    return likes;
}

/* ---- the C library ---- */

static int by_name(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}

bool ir_is_library_function(const char *name)
{
    static const char *const names[] = {
#define LIBRARY(name_) name_,
#include "base/library.def"
    };
    return bsearch(name, names, sizeof names / sizeof *names, sizeof *names, by_name) != NULL;
}
