/*
 * regex - 14 regular expressions against 14 texts, compiled into a small machine's code and run by backtracking.
 *
 * Thompson's construction, "Regular Expression Search Algorithm", 1968, as instructions: a character, any, a set,
 * split, jump. Operators: | * + ? ( ) [a-z] [^a] . The truth: what matches, by hand.
 *
 * Work: every one of the 196 pairs runs at least one instruction, and the 14 that match in full run one for each of
 * their 90 characters: 6 rounds of (196 + 90) * 3 loads, comparisons and dispatches = 5148.
 */
#include "../sample.h"

#define TEXTS  14
#define CODE   128
#define ROUNDS 6

enum operation { CHARACTER, ANY, SET, NOT_SET, SPLIT, JUMP, ACCEPT };

struct instruction {
    uint8_t operation;
    char low, high;
    int16_t first, second; /* of a split; of a jump only the first */
};
struct program {
    struct instruction code[CODE];
    int length;
};
struct parser {
    const char *at;
    struct program *program;
};

static const char *const expressions[TEXTS] = {
    "abc",       "a*b",     "(ab)+",      "x?yz",         "[0-9]+",  "-?[0-9]+(.[0-9]*)?",  "(a|b)*c",
    "[^x]x[^x]", "ab|cd|e", "((a|b)c)*d", "[a-z]*=[0-9]", "(aa*)*z", "(foo|fo)(bar|obar)?", ".*end",
};
static const char *const subjects[TEXTS] = {
    "abc", "aaaab", "ababab",  "yz",      "20261121",  "-3.25",  "abbabac",
    "axb", "cd",    "acbcacd", "speed=7", "aaaaaaaaz", "foobar", "the end of the end",
};
/* By hand: expression i matches text i; (a|b)*c takes "abc" too, and an optional fraction need not be there. */
static const uint16_t matches[TEXTS] = {
    1 << 0, 1 << 1, 1 << 2, 1 << 3,  1 << 4,  1 << 5 | 1 << 4, 1 << 6 | 1 << 0,
    1 << 7, 1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12,         1 << 13,
};

static char patterns[TEXTS][32], texts[TEXTS][32];
static struct program programs[TEXTS];
static uint16_t found[TEXTS];

static void parse_choice(struct parser *p);

/* Makes room for an instruction at `at`; what jumps behind it moves along. */
static struct instruction *insert(struct program *program, int at)
{
    for (int i = program->length++; i > at; i--) {
        struct instruction *moved = &program->code[i];

        *moved = program->code[i - 1];
        if (moved->operation == SPLIT || moved->operation == JUMP) {
            moved->first += moved->first >= at;
            moved->second += moved->second >= at;
        }
    }
    return &program->code[at];
}

static void parse_atom(struct parser *p)
{
    struct instruction *made;
    char c = *p->at++;

    if (c == '(') {
        parse_choice(p);
        p->at++;
        return;
    }
    made = insert(p->program, p->program->length);
    *made = (struct instruction){CHARACTER, c, c, 0, 0};
    if (c == '.') {
        made->operation = ANY;
    } else if (c == '[') {
        made->operation = *p->at == '^' ? NOT_SET : SET;
        p->at += *p->at == '^';
        made->low = made->high = *p->at++;
        if (*p->at == '-') {
            made->high = p->at[1];
            p->at += 2;
        }
        p->at++;
    }
}

static void parse_sequence(struct parser *p)
{
    struct program *program = p->program;

    while (*p->at && *p->at != '|' && *p->at != ')') {
        int start = program->length, end;
        struct instruction *split;

        parse_atom(p);
        switch (*p->at) {
        case '*':
        case '?':
            split = insert(program, start);
            end = program->length + (*p->at == '*');
            *split = (struct instruction){SPLIT, 0, 0, (int16_t)(start + 1), (int16_t)end};
            if (*p->at++ == '*')
                *insert(program, program->length) = (struct instruction){JUMP, 0, 0, (int16_t)start, 0};
            break;
        case '+':
            end = program->length + 1;
            *insert(program, end - 1) = (struct instruction){SPLIT, 0, 0, (int16_t)start, (int16_t)end};
            p->at++;
            break;
        default:
            break;
        }
    }
}

static void parse_choice(struct parser *p)
{
    struct program *program = p->program;
    int start = program->length, jump;

    parse_sequence(p);
    if (*p->at != '|')
        return;
    p->at++;
    *insert(program, start) = (struct instruction){SPLIT, 0, 0, (int16_t)(start + 1), (int16_t)(program->length + 1)};
    jump = program->length;
    insert(program, jump);
    parse_choice(p);
    program->code[jump] = (struct instruction){JUMP, 0, 0, (int16_t)program->length, 0};
}

static void compile(const char *pattern, struct program *program)
{
    struct parser parser = {pattern, program};

    program->length = 0;
    parse_choice(&parser);
    *insert(program, program->length) = (struct instruction){ACCEPT, 0, 0, 0, 0};
}

/* `limit` ends loops that eat nothing, as in (x*)*. */
static int run(const struct instruction *code, int at, const char *text, int limit)
{
    for (; limit > 0; limit--) {
        const struct instruction *i = &code[at];

        switch (i->operation) {
        case ANY:
            if (*text == 0)
                return 0;
            break;
        case CHARACTER:
        case SET:
            if (*text == 0 || *text < i->low || *text > i->high)
                return 0;
            break;
        case NOT_SET:
            if (*text == 0 || (*text >= i->low && *text <= i->high))
                return 0;
            break;
        case SPLIT:
            if (run(code, i->first, text, limit - 1))
                return 1;
            at = i->second;
            continue;
        case JUMP:
            at = i->first;
            continue;
        default:
            return *text == 0;
        }
        text++;
        at++;
    }
    return 0;
}

static void work(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < TEXTS; i++) {
            compile(patterns[i], &programs[i]);
            found[i] = 0;
            for (int k = 0; k < TEXTS; k++)
                found[i] |= (uint16_t)(run(programs[i].code, 0, texts[k], 64) << k);
            SHIM_KEEP(found);
        }
}

int main(void)
{
    memset(patterns, 0, sizeof patterns);
    memset(texts, 0, sizeof texts);
    memset(programs, 0, sizeof programs);
    for (int i = 0; i < TEXTS; i++) {
        memcpy(patterns[i], expressions[i], strlen(expressions[i]));
        memcpy(texts[i], subjects[i], strlen(subjects[i]));
    }
    SHIM_KEEP(patterns);
    SHIM_KEEP(texts);
    SHIM_KEEP(programs);
    shim_region_begin("regex");
    work();
    SHIM_KEEP(found);
    shim_region_end("regex");
    for (int i = 0; i < TEXTS; i++)
        if (sample_verdict_int(expressions[i], found[i], matches[i]))
            return 1;
    return 0;
}
