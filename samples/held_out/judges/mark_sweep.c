/*
 * mark_sweep - a small Lisp (numbers, names, quote, if, lambda, closures, cons) with 350 cells and a collector that marks
 * by turning links round and sweeps into a free list; it reads a source and evaluates it.
 *
 * McCarthy, 1960; Schorr and Waite, 1967. The truth: Fibonacci's and factorial numbers, a reversed list's digits, a sum.
 *
 * Work: the programs need more than 1500 calls with at least 15 loads each: 22500.
 */
#include "judge.h"

#define CELLS 350
#define NAMES 40
#define ROOTS 400

enum tag { NUMBER, NAME, PAIR, CLOSURE };
typedef uint16_t ref; /* a cell; 0: the empty list */

static struct cell {
    uint8_t tag, mark, turned;
    ref car, cdr;
    int64_t number;
} cells[CELLS];
static ref free_list, roots[ROOTS], global;
static unsigned n_roots, collections, n_names, exhausted;
static char names[NAMES][12];
static const char *at;
static const char *source;
static int64_t results[8];
static unsigned n_results;

/* Depth first without a stack: the way back is kept in the links. */
static void mark(ref r)
{
    ref back = 0;

    for (;;) {
        struct cell *c = &cells[r];

        if (r && !c->mark) {
            c->mark = 1;
            if (c->tag >= PAIR) {
                ref next = c->car;
                c->car = back;
                c->turned = 1;
                back = r;
                r = next;
                continue;
            }
        }
        while (back && cells[back].turned == 2) { /* both sides are done */
            struct cell *b = &cells[back];
            ref up = b->cdr;

            b->cdr = r;
            b->turned = 0;
            r = back;
            back = up;
        }
        if (!back)
            return;
        struct cell *b = &cells[back];
        ref up = b->car;

        b->car = r;
        r = b->cdr;
        b->cdr = up;
        b->turned = 2;
    }
}
static void collect(void)
{
    collections++;
    mark(global);
    for (unsigned i = 0; i < n_roots; i++)
        mark(roots[i]);
    free_list = 0;
    for (ref r = CELLS - 1; r > 0; r--) {
        if (!cells[r].mark) {
            cells[r].cdr = free_list;
            free_list = r;
        }
        cells[r].mark = 0;
    }
}
static void push(ref r)
{
    if (n_roots < ROOTS)
        roots[n_roots++] = r;
    else
        exhausted = 1;
}
static ref make(enum tag tag, ref car, ref cdr, int64_t number)
{
    ref r;

    if (!free_list) {
        push(car);
        push(cdr);
        collect();
        n_roots -= 2;
    }
    r = free_list;
    if (!r) {
        exhausted = 1;
        return 0;
    }
    free_list = cells[r].cdr;
    cells[r] = (struct cell){(uint8_t)tag, 0, 0, car, cdr, number};
    return r;
}

static int64_t intern(const char *text, unsigned n)
{
    for (unsigned i = 0; i < n_names; i++) {
        unsigned k = 0;

        while (k < n && names[i][k] == text[k])
            k++;
        if (k == n && !names[i][k])
            return i;
    }
    for (unsigned k = 0; k < n; k++)
        names[n_names][k] = text[k];
    names[n_names][n] = 0;
    return n_names++;
}
static void blanks(void)
{
    while (*at == ' ' || *at == '\n')
        at++;
}
static ref read_list(void);
static ref read_one(void)
{
    const char *begin;

    blanks();
    if (*at == '(') {
        at++;
        return read_list();
    }
    begin = at;
    if (*at >= '0' && *at <= '9') {
        int64_t n = 0;
        while (*at >= '0' && *at <= '9')
            n = n * 10 + (*at++ - '0');
        return make(NUMBER, 0, 0, n);
    }
    while (*at && *at != ' ' && *at != '\n' && *at != '(' && *at != ')')
        at++;
    return make(NAME, 0, 0, intern(begin, (unsigned)(at - begin)));
}
static ref read_list(void)
{
    ref first, rest;

    blanks();
    if (*at == ')' || !*at) {
        at += *at != 0;
        return 0;
    }
    first = read_one();
    push(first);
    rest = read_list();
    n_roots--;
    return make(PAIR, first, rest, 0);
}

enum word { QUOTE, IF, LAMBDA, DEFINE, ADD, SUBTRACT, MULTIPLY, LESS, CONS, CAR, CDR, IS_EMPTY, WORDS };
static const char *const words[WORDS] = {"quote", "if", "lambda", "define", "+",   "-",
                                         "*",     "<",  "cons",   "car",    "cdr", "empty?"};

static ref evaluate(ref e, ref scope);

static ref value_of(int64_t name, ref scope)
{
    for (int outer = 0; outer < 2; outer++, scope = global)
        for (; scope; scope = cells[scope].cdr)
            if (cells[cells[cells[scope].car].car].number == name)
                return cells[cells[scope].car].cdr;
    return 0;
}
static ref bind(ref name, ref value, ref scope)
{
    ref pair;

    push(scope);
    pair = make(PAIR, name, value, 0);
    scope = make(PAIR, pair, scope, 0);
    n_roots--;
    return scope;
}
static ref built_in(int64_t word, ref e, ref scope)
{
    ref a = evaluate(cells[e].car, scope), b = 0;
    int64_t x, y;

    push(a);
    if (cells[e].cdr)
        b = evaluate(cells[cells[e].cdr].car, scope);
    n_roots--;
    x = cells[a].number;
    y = cells[b].number;
    switch (word) {
    case ADD:
        return make(NUMBER, 0, 0, x + y);
    case SUBTRACT:
        return make(NUMBER, 0, 0, x - y);
    case MULTIPLY:
        return make(NUMBER, 0, 0, x * y);
    case LESS:
        return x < y ? make(NUMBER, 0, 0, 1) : 0;
    case CONS:
        return make(PAIR, a, b, 0);
    case CAR:
        return cells[a].car;
    case CDR:
        return cells[a].cdr;
    default:
        return a ? 0 : make(NUMBER, 0, 0, 1);
    }
}
static ref call(ref f, ref arguments, ref scope)
{
    ref inner = cells[f].cdr, parameters = cells[cells[f].car].car, result;

    push(f);
    for (; parameters; parameters = cells[parameters].cdr, arguments = cells[arguments].cdr) {
        push(inner);
        ref value = evaluate(cells[arguments].car, scope);
        n_roots--;
        inner = bind(cells[parameters].car, value, inner);
    }
    push(inner);
    result = evaluate(cells[cells[cells[f].car].cdr].car, inner);
    n_roots -= 2;
    return result;
}
static ref evaluate(ref e, ref scope)
{
    const struct cell *c = &cells[e];
    ref result, head;

    if (!e || exhausted || c->tag == NUMBER)
        return e;
    if (c->tag == NAME)
        return value_of(c->number, scope);
    push(e);
    push(scope);
    head = c->car;
    if (cells[head].tag == NAME && cells[head].number < WORDS) {
        ref rest = c->cdr, second = cells[cells[rest].cdr].car;

        switch (cells[head].number) {
        case QUOTE:
            result = cells[rest].car;
            break;
        case IF:
            result = evaluate(cells[rest].car, scope) ? evaluate(second, scope)
                                                      : evaluate(cells[cells[cells[rest].cdr].cdr].car, scope);
            break;
        case LAMBDA:
            result = make(CLOSURE, rest, scope, 0);
            break;
        case DEFINE:
            result = evaluate(second, scope);
            global = bind(cells[rest].car, result, global);
            break;
        default:
            result = built_in(cells[head].number, rest, scope);
        }
    } else {
        ref f = evaluate(head, scope);
        result = call(f, c->cdr, scope);
    }
    n_roots -= 2;
    return result;
}

static void run(void)
{
    for (at = source; blanks(), *at;) {
        ref e = read_one(), value;

        push(e);
        value = evaluate(e, 0);
        n_roots--;
        if (value && cells[value].tag == NUMBER)
            results[n_results++] = cells[value].number;
    }
}

int main(void)
{
    static const char program[] =
        "(define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))\n(fib 12)\n"
        "(define fact (lambda (n) (if (< n 1) 1 (* n (fact (- n 1))))))\n(fact 15)\n"
        "(define rev (lambda (l done) (if (empty? l) done (rev (cdr l) (cons (car l) done)))))\n"
        "(define digits (lambda (l n) (if (empty? l) n (digits (cdr l) (+ (* n 10) (car l))))))\n"
        "(digits (rev (quote (1 2 3 4 5 6 7)) (quote ())) 0)\n"
        "(define adder (lambda (k) (lambda (x) (+ x k))))\n(define twice (lambda (f x) (f (f x))))\n(twice (adder 21) "
        "58)";

    memset(cells, 0, sizeof cells);
    memset(names, 0, sizeof names);
    n_roots = collections = n_names = n_results = exhausted = 0;
    global = free_list = 0;
    for (int i = 0; i < WORDS; i++)
        strcpy(names[n_names++], words[i]);
    for (ref r = CELLS - 1; r > 0; r--) {
        cells[r].cdr = free_list;
        free_list = r;
    }
    source = program;
    SHIM_KEEP(&source);
    SHIM_KEEP(cells);
    shim_region_begin("mark_sweep");
    run();
    SHIM_KEEP(results);
    SHIM_KEEP(&n_results);
    shim_region_end("mark_sweep");
    return sample_verdict_int("results", n_results, 4) | sample_verdict_int("Fibonacci", results[0], 144) |
           sample_verdict_int("factorial", results[1], 1307674368000) |
           sample_verdict_int("reversed", results[2], 7654321) | sample_verdict_int("closures", results[3], 100) |
           sample_verdict_int("out of cells", exhausted, 0) |
           sample_verdict_int("whether it collected", collections > 3, 1);
}
