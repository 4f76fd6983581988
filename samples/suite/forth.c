/*
 * forth - a small Forth with a dictionary as a linked list, definitions compiled to lists of pointers to words, reads a
 * source and runs it: a factorial, a greatest common divisor, and the sum of the perfect numbers up to 130.
 *
 * The truth: 20! = 2432902008176640000, gcd(1071, 462) = 21, and 6 + 28.
 *
 * Work: looking for perfect numbers tries at least n - 1 divisors for each n up to 130, 8385 in all, each with at least
 * 8 words executed: a pointer loaded, an address loaded, a call: 8385 * 8 * 3 = 201240.
 */
#include "../sample.h"

#define STACK 64
#define WORDS 64
#define CELLS 512

struct forth;
struct word {
    struct word *before;
    char name[12];
    void (*run)(struct forth *, const struct word *);
    int32_t start; /* of a definition: its first cell */
};
union cell {
    const struct word *word;
    int64_t number;
};
struct forth {
    int64_t data[STACK];
    int32_t calls[STACK];
    int sp, rp, pc, used, words;
    struct word *last;
    struct word dictionary[WORDS];
    union cell cells[CELLS];
    int compiling, mistakes;
};

static const char text[] = ": factorial 1 swap begin dup while swap over * swap 1 - repeat drop ; "
                           ": gcd begin dup while swap over mod repeat drop ; "
                           ": divides mod 0 = ; "
                           ": sum-divs 0 swap dup begin 1 - dup while over over divides "
                           "if rot over + rot rot then repeat drop drop ; "
                           ": is-perfect dup sum-divs = ; "
                           ": perfects 0 swap begin dup while dup is-perfect if swap over + swap then 1 - "
                           "repeat drop ; "
                           "20 factorial 1071 462 gcd 130 perfects ";

static char source[sizeof text];
static struct forth forth;

static void push(struct forth *f, int64_t value)
{
    f->data[f->sp++] = value;
}

static int64_t pop(struct forth *f)
{
    return f->data[--f->sp];
}

static void do_add(struct forth *f, const struct word *self)
{
    int64_t right = pop(f);

    (void)self;
    push(f, pop(f) + right);
}

static void do_subtract(struct forth *f, const struct word *self)
{
    int64_t right = pop(f);

    (void)self;
    push(f, pop(f) - right);
}

static void do_multiply(struct forth *f, const struct word *self)
{
    int64_t right = pop(f);

    (void)self;
    push(f, pop(f) * right);
}

static void do_mod(struct forth *f, const struct word *self)
{
    int64_t right = pop(f);

    (void)self;
    push(f, pop(f) % right);
}

static void do_equal(struct forth *f, const struct word *self)
{
    int64_t right = pop(f);

    (void)self;
    push(f, pop(f) == right);
}

static void do_dup(struct forth *f, const struct word *self)
{
    (void)self;
    push(f, f->data[f->sp - 1]);
}

static void do_drop(struct forth *f, const struct word *self)
{
    (void)self;
    f->sp--;
}

static void do_over(struct forth *f, const struct word *self)
{
    (void)self;
    push(f, f->data[f->sp - 2]);
}

static void do_swap(struct forth *f, const struct word *self)
{
    int64_t top = f->data[f->sp - 1];

    (void)self;
    f->data[f->sp - 1] = f->data[f->sp - 2];
    f->data[f->sp - 2] = top;
}

static void do_rot(struct forth *f, const struct word *self)
{
    int64_t third = f->data[f->sp - 3];

    (void)self;
    f->data[f->sp - 3] = f->data[f->sp - 2];
    f->data[f->sp - 2] = f->data[f->sp - 1];
    f->data[f->sp - 1] = third;
}

/* The run-time parts of what is compiled. */
static void do_literal(struct forth *f, const struct word *self)
{
    (void)self;
    push(f, f->cells[f->pc++].number);
}

static void do_branch(struct forth *f, const struct word *self)
{
    (void)self;
    f->pc = (int)f->cells[f->pc].number;
}

static void do_branch_if_zero(struct forth *f, const struct word *self)
{
    f->pc++;
    if (pop(f) == 0) {
        f->pc--;
        do_branch(f, self);
    }
}

static void do_enter(struct forth *f, const struct word *self)
{
    f->calls[f->rp++] = f->pc;
    f->pc = self->start;
}

static void do_exit(struct forth *f, const struct word *self)
{
    (void)self;
    f->pc = f->calls[--f->rp];
}

static void execute(struct forth *f, const struct word *word)
{
    f->pc = -1;
    word->run(f, word);
    while (f->pc >= 0) {
        word = f->cells[f->pc++].word;
        word->run(f, word);
    }
}

static int same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static const struct word *find(const struct forth *f, const char *name)
{
    const struct word *word = f->last;

    while (word != NULL && !same(word->name, name))
        word = word->before;
    return word;
}

static void compile_word(struct forth *f, const char *name)
{
    f->cells[f->used++].word = find(f, name);
}

/* `if`, `while` leave the place of a jump to fill in on the data stack, `begin` the place to go back to. */
static int compile_control(struct forth *f, const char *token)
{
    if (same(token, "if") || same(token, "while")) {
        compile_word(f, "(0branch)");
        push(f, f->used++);
    } else if (same(token, "then")) {
        f->cells[pop(f)].number = f->used;
    } else if (same(token, "begin")) {
        push(f, f->used);
    } else if (same(token, "repeat")) {
        int64_t leave = pop(f);

        compile_word(f, "(branch)");
        f->cells[f->used++].number = pop(f);
        f->cells[leave].number = f->used;
    } else if (same(token, ";")) {
        compile_word(f, "(exit)");
        f->compiling = 0;
    } else {
        return 0;
    }
    return 1;
}

static void define(struct forth *f, const char *name, void (*run)(struct forth *, const struct word *))
{
    struct word *word = &f->dictionary[f->words++];
    int i = 0;

    for (; name[i] && i < (int)sizeof word->name - 1; i++)
        word->name[i] = name[i];
    word->name[i] = 0;
    word->run = run;
    word->start = f->used;
    word->before = f->last;
    f->last = word;
}

static const char *next_token(const char *at, char token[12])
{
    int n = 0;

    while (*at == ' ')
        at++;
    for (; *at && *at != ' '; at++)
        if (n < 11)
            token[n++] = *at;
    token[n] = 0;
    return at;
}

static int64_t number_of(const char *token)
{
    int64_t value = 0;

    for (; *token >= '0' && *token <= '9'; token++)
        value = 10 * value + (*token - '0');
    return *token ? -1 : value;
}

static void interpret(struct forth *f, const char *at)
{
    char token[12];

    for (at = next_token(at, token); *token; at = next_token(at, token)) {
        const struct word *word;

        if (same(token, ":")) {
            at = next_token(at, token);
            define(f, token, do_enter);
            f->compiling = 1;
            continue;
        }
        if (f->compiling && compile_control(f, token))
            continue;
        word = find(f, token);
        if (word == NULL && number_of(token) < 0) {
            f->mistakes++;
        } else if (!f->compiling) {
            if (word != NULL)
                execute(f, word);
            else
                push(f, number_of(token));
        } else if (word != NULL) {
            f->cells[f->used++].word = word;
        } else {
            compile_word(f, "(literal)");
            f->cells[f->used++].number = number_of(token);
        }
    }
}

static void define_all(struct forth *f)
{
    static const struct {
        const char *name;
        void (*run)(struct forth *, const struct word *);
    } words[] = {{"+", do_add},
                 {"-", do_subtract},
                 {"*", do_multiply},
                 {"mod", do_mod},
                 {"=", do_equal},
                 {"dup", do_dup},
                 {"drop", do_drop},
                 {"over", do_over},
                 {"swap", do_swap},
                 {"rot", do_rot},
                 {"(literal)", do_literal},
                 {"(branch)", do_branch},
                 {"(exit)", do_exit},
                 {"(0branch)", do_branch_if_zero}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        define(f, words[i].name, words[i].run);
}

int main(void)
{
    memset(&forth, 0, sizeof forth);
    memcpy(source, text, sizeof source);
    define_all(&forth);
    SHIM_KEEP(source);
    SHIM_KEEP(&forth);
    shim_region_begin("forth");
    interpret(&forth, source);
    SHIM_KEEP(&forth);
    shim_region_end("forth");
    return sample_verdict_int("words not known", forth.mistakes, 0) | sample_verdict_int("numbers left", forth.sp, 3) |
           sample_verdict_int("20!", forth.data[0], INT64_C(2432902008176640000)) |
           sample_verdict_int("gcd(1071, 462)", forth.data[1], 21) |
           sample_verdict_int("sum of the perfect numbers", forth.data[2], 6 + 28);
}
