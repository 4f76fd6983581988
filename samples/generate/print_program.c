/* print_program.c - prints a drawn program as C. program.h defines what each form means. */
#include <inttypes.h>
#include <stdio.h>

#include "samples/generate/program.h"

struct printer {
    struct str *out;
    const struct program *p;
    bool in_function; /* locals 0 and 1 are x and y */
};

/* ---- expressions ---- */

static void put_expr(const struct printer *w, const struct expr *e);

static const char *word_of(enum gen_type t)
{
    return gen_bits(t) == 64 ? "uint64_t" : "uint32_t";
}

static void put_integer(struct str *out, enum gen_type t, int64_t i)
{
    if (!gen_is_signed(t))
        str_addf(out, gen_bits(t) == 64 ? "UINT64_C(%" PRIu64 ")" : "%" PRIu64 "u", (uint64_t)i);
    else if (gen_bits(t) == 64)
        str_addf(out, "INT64_C(%" PRId64 ")", i);
    else
        str_addf(out, i < 0 ? "(%" PRId64 ")" : "%" PRId64, i);
}

/* Constants are multiples of 1/2048, which eleven decimals represent exactly. */
static void put_constant(struct str *out, const struct expr *e)
{
    if (gen_is_real(e->type))
        str_addf(out, "%.11f%s", e->value.f, e->type == GEN_FLOAT ? "f" : "");
    else
        put_integer(out, e->type, e->value.i);
}

static void put_index(const struct printer *w, const struct expr *index, unsigned log2_length)
{
    str_add(w->out, "[");
    put_expr(w, index);
    str_addf(w->out, " & %uu]", (1u << log2_length) - 1);
}

static void put_plain(const struct printer *w, const char *before, const struct expr *a, const char *between,
                      const struct expr *b, const char *after)
{
    str_add(w->out, before);
    put_expr(w, a);
    str_add(w->out, between);
    if (b)
        put_expr(w, b);
    str_add(w->out, after);
}

static void put_divide(const struct printer *w, const struct expr *e)
{
    str_addf(w->out, "(%s)(", gen_c_name(e->type));
    put_plain(w, "", e->a, e->op == OP_DIV ? " / ((" : " % ((", e->b, " & ");
    put_integer(w->out, e->type, e->number);
    str_add(w->out, ") | 1))");
}

static void put_shift(const struct printer *w, const struct expr *e)
{
    unsigned bits = gen_bits(e->type);
    str_addf(w->out, "(%s)(", gen_c_name(e->type));
    if (e->op == OP_SHL)
        str_addf(w->out, "(%s)", word_of(e->type));
    if (e->op == OP_ROTATE) {
        put_expr(w, e->a);
        str_addf(w->out, " << %" PRId64 " | ", e->number);
        put_expr(w, e->a);
        str_addf(w->out, " >> %" PRId64 ")", (int64_t)bits - e->number);
        return;
    }
    put_plain(w, "", e->a, e->op == OP_SHL ? " << (" : " >> (", e->b, " & ");
    str_addf(w->out, "%u))", bits - 1);
}

static bool is_comparison(const struct expr *e)
{
    return e->kind == EXPR_BINARY && (e->op == OP_LESS || e->op == OP_EQUAL);
}

static void put_comparison(const struct printer *w, const struct expr *e)
{
    put_plain(w, "", e->a, e->op == OP_LESS ? " < " : " == ", e->b, "");
}

static void put_binary(const struct printer *w, const struct expr *e)
{
    static const char *const signs[] = {[OP_ADD] = " + ", [OP_SUB] = " - ", [OP_MUL] = " * ", [OP_DIV] = " / ",
                                        [OP_AND] = " & ", [OP_OR] = " | ",  [OP_XOR] = " ^ "};
    if (is_comparison(e)) {
        str_add(w->out, "(");
        put_comparison(w, e);
        str_add(w->out, ")");
    } else if (gen_is_real(e->type)) {
        put_plain(w, "(", e->a, signs[e->op], e->b, ")");
    } else if (e->op == OP_DIV || e->op == OP_REM) {
        put_divide(w, e);
    } else if (e->op == OP_SHL || e->op == OP_SHR || e->op == OP_ROTATE) {
        put_shift(w, e);
    } else {
        const char *word = word_of(e->type);
        str_addf(w->out, "(%s)((%s)", gen_c_name(e->type), word);
        put_expr(w, e->a);
        str_addf(w->out, "%s(%s)", signs[e->op], word);
        put_expr(w, e->b);
        str_add(w->out, ")");
    }
}

static void put_unary(const struct printer *w, const struct expr *e)
{
    if (e->kind == EXPR_CONVERT)
        str_addf(w->out, "(%s)", gen_c_name(e->type));
    else if (gen_is_real(e->type))
        str_add(w->out, "(-");
    else
        str_addf(w->out, "(%s)(0u - (%s)", gen_c_name(e->type), word_of(e->type));
    put_expr(w, e->a);
    if (e->kind == EXPR_NEGATE)
        str_add(w->out, ")");
}

static void put_local(const struct printer *w, const struct expr *e)
{
    if (w->in_function)
        str_add(w->out, e->number ? "y" : "x");
    else
        str_add(w->out, w->p->locals[e->number].name);
}

static void put_call(const struct printer *w, const struct expr *e)
{
    if (e->kind == EXPR_INDIRECT)
        put_plain(w, "table[", e->c, " & 3u]", 0, "");
    else
        str_addf(w->out, e->kind == EXPR_CALL ? "f%" PRId64 : "r%" PRId64, e->number);
    put_plain(w, "(", e->a, ", ", e->b, ")");
}

static void put_expr(const struct printer *w, const struct expr *e)
{
    switch (e->kind) {
    case EXPR_CONSTANT:
        put_constant(w->out, e);
        break;
    case EXPR_LOCAL:
        put_local(w, e);
        break;
    case EXPR_ELEMENT:
        str_add(w->out, w->p->arrays.at[e->number].name);
        put_index(w, e->a, w->p->arrays.at[e->number].log2_length);
        break;
    case EXPR_NODE:
        str_add(w->out, "at->value");
        break;
    case EXPR_FIELD:
        str_add(w->out, "blocks");
        put_index(w, e->a, GEN_BLOCKS_LOG2);
        str_addf(w->out, ".word[%" PRId64 "]", e->number);
        break;
    case EXPR_BINARY:
        put_binary(w, e);
        break;
    case EXPR_NEGATE:
    case EXPR_CONVERT:
        put_unary(w, e);
        break;
    case EXPR_SELECT:
        str_addf(w->out, "(%s)", gen_c_name(e->type));
        put_plain(w, "(", e->a, " ? ", e->b, " : ");
        put_expr(w, e->c);
        str_add(w->out, ")");
        break;
    case EXPR_CALL:
    case EXPR_INDIRECT:
    case EXPR_RECURSE:
        put_call(w, e);
        break;
    }
}

/* ---- statements ---- */

static void put_block(const struct printer *w, const struct block *b, int depth);

static void indent(struct str *out, int depth)
{
    for (int i = 0; i < depth; i++)
        str_add(out, "    ");
}

static void put_switch(const struct printer *w, const struct statement *s, int depth)
{
    str_add(w->out, "switch (");
    put_expr(w, s->value);
    str_addf(w->out, " %% %" PRId64 "u) {\n", s->count + 1);
    for (int64_t i = 0; i < s->count; i++) {
        indent(w->out, depth);
        str_addf(w->out, "case %" PRId64 ":\n", i);
        put_block(w, s->body[i], depth + 1);
        indent(w->out, depth + 1);
        str_add(w->out, "break;\n");
    }
    indent(w->out, depth);
    str_add(w->out, "default:\n");
    indent(w->out, depth + 1);
    str_add(w->out, "break;\n");
    indent(w->out, depth);
    str_add(w->out, "}\n");
}

static void put_if(const struct printer *w, const struct statement *s, int depth)
{
    str_add(w->out, "if (");
    if (is_comparison(s->value))
        put_comparison(w, s->value);
    else
        put_expr(w, s->value);
    str_add(w->out, ") {\n");
    put_block(w, s->body[0], depth + 1);
    indent(w->out, depth);
    if (s->body[1]) {
        str_add(w->out, "} else {\n");
        put_block(w, s->body[1], depth + 1);
        indent(w->out, depth);
    }
    str_add(w->out, "}\n");
}

static void put_loop(const struct printer *w, const struct statement *s, int depth)
{
    const char *name = w->p->locals[s->target].name;
    if (s->kind == DO_LOOP) {
        str_addf(w->out, "for (int32_t %s = 0; %s < %" PRId64 "; %s++) {\n", name, name, s->count, name);
    } else {
        str_addf(w->out, "for (%s = ", name);
        put_expr(w, s->value);
        str_addf(w->out, "; %s; %s >>= %" PRId64 ") {\n", name, name, s->count);
    }
    put_block(w, s->body[0], depth + 1);
    indent(w->out, depth);
    str_add(w->out, "}\n");
}

static void put_memory(const struct printer *w, const struct statement *s)
{
    str_add(w->out, s->kind == DO_STORE ? w->p->arrays.at[s->target].name : "blocks");
    put_index(w, s->index, s->kind == DO_STORE ? w->p->arrays.at[s->target].log2_length : GEN_BLOCKS_LOG2);
    if (s->kind == DO_FIELD)
        str_addf(w->out, ".word[%" PRId64 "]", s->count);
    str_add(w->out, s->kind == DO_COPY ? " = blocks" : " = ");
    if (s->kind == DO_COPY)
        put_index(w, s->value, GEN_BLOCKS_LOG2);
    else
        put_expr(w, s->value);
    str_add(w->out, ";\n");
}

static void put_statement(const struct printer *w, const struct statement *s, int depth)
{
    indent(w->out, depth);
    switch (s->kind) {
    case DO_ASSIGN:
        str_addf(w->out, "%s", w->p->locals[s->target].name);
        put_plain(w, " = ", s->value, ";\n", 0, "");
        break;
    case DO_STORE:
    case DO_FIELD:
    case DO_COPY:
        put_memory(w, s);
        break;
    case DO_STEP:
        str_add(w->out, "at = at->next;\n");
        break;
    case DO_IF:
        put_if(w, s, depth);
        break;
    case DO_SWITCH:
        put_switch(w, s, depth);
        break;
    case DO_LOOP:
    case DO_DRAIN:
        put_loop(w, s, depth);
        break;
    }
}

static void put_block(const struct printer *w, const struct block *b, int depth)
{
    for (size_t i = 0; i < b->list.n; i++)
        put_statement(w, &b->list.at[i], depth);
}

/* ---- declarations ---- */

static void put_arrays(struct str *out, const struct program *p)
{
    for (size_t i = 0; i < p->arrays.n; i++)
        if (p->arrays.at[i].used)
            str_addf(out, "static %s %s[%u];\n", gen_c_name(p->arrays.at[i].type), p->arrays.at[i].name,
                     1u << p->arrays.at[i].log2_length);
    if (p->chases) {
        str_addf(out, "struct node {\n    struct node *next;\n    %s value;\n", gen_c_name(p->ring.type));
        if (p->ring.padding)
            str_addf(out, "    char padding[%u];\n", p->ring.padding);
        str_addf(out, "};\nstatic struct node ring[%u];\n", 1u << p->ring.log2_length);
    }
    if (p->copies)
        str_addf(out, "struct block {\n    uint32_t word[%u];\n};\nstatic struct block blocks[%u];\n", p->block_words,
                 1u << GEN_BLOCKS_LOG2);
    str_add(out, "\n");
}

static void put_functions(const struct printer *w)
{
    struct str *out = w->out;
    for (size_t i = 0; i < w->p->functions.n; i++) {
        const struct function *f = &w->p->functions.at[i];
        const char *c = gen_c_name(f->type);
        if (!f->used)
            continue;
        str_addf(out, "%sstatic %s f%zu(%s x, %s y)\n{\n    return ", f->inlined ? "" : "__attribute__((noinline)) ", c,
                 i, c, c);
        put_expr(w, f->value);
        str_add(out, ";\n}\n\n");
    }
    if (w->p->indirect) {
        const char *c = gen_c_name(w->p->functions.at[0].type);
        str_addf(out, "static %s (*table[4])(%s, %s);\n\n", c, c, c);
    }
    for (size_t i = 0; i < w->p->recursions.n; i++) {
        const struct recursion *f = &w->p->recursions.at[i];
        const char *c = gen_c_name(f->type);
        if (!f->used)
            continue;
        str_addf(out, "static %s r%zu(%s x, int32_t n)\n{\n    if (n <= 0)\n        return x;\n    %s y = r%zu(", c, i,
                 c, c, i);
        put_expr(w, f->step);
        str_addf(out, ", n - 1);\n");
        if (f->twice)
            str_addf(out, "    x = r%zu(x, n - 2);\n", i);
        const struct expr x = {.kind = EXPR_LOCAL, .type = f->type},
                          y = {.kind = EXPR_LOCAL, .type = f->type, .number = 1};
        const struct expr result = {.kind = EXPR_BINARY, .type = f->type, .op = f->op, .a = &y, .b = &x};
        put_plain(w, "    return ", &result, ";\n}\n\n", 0, "");
    }
}

/* ---- code before and after the region ---- */

static const char *noise_of(enum gen_type t)
{
    return gen_bits(t) == 64 ? "noise_64()" : "noise_32()";
}

static void put_content(struct str *out, const struct array *a)
{
    const char *c = gen_c_name(a->type);
    if (a->content == HOLDS_ALWAYS)
        str_addf(out, "1");
    else if (a->content == HOLDS_PERIODIC)
        str_addf(out, "i %% %u == 0", a->parameter);
    else if (a->content == HOLDS_CHANCE)
        str_addf(out, "(noise_32() & 255) < %u", a->parameter);
    else if (gen_is_real(a->type))
        str_addf(out, "(%s)(1984 + noise_32() %% 129) / 2048", c);
    else
        str_addf(out, "(%s)%s", c, noise_of(a->type));
}

static void put_filling(struct str *out, const struct array *a)
{
    unsigned n = 1u << a->log2_length;
    str_addf(out, "    for (size_t i = 0; i < %u; i++)\n        %s[i] = ", n < GEN_DRAWN ? n : GEN_DRAWN, a->name);
    put_content(out, a);
    str_add(out, ";\n");
    if (n > GEN_DRAWN)
        str_addf(out, "    for (size_t n = %d; n < %u; n *= 2)\n        memcpy(%s + n, %s, n * sizeof *%s);\n",
                 GEN_DRAWN, n, a->name, a->name, a->name);
    str_addf(out, "    SHIM_KEEP(%s);\n", a->name);
}

static void put_ring(struct str *out, const struct program *p)
{
    unsigned n = 1u << p->ring.log2_length;
    const struct array like = {.type = p->ring.type, .content = HOLDS_NOISE};
    str_addf(out,
             "    for (uint32_t i = 0; i < %uu; i++) {\n        ring[i].next = &ring[(%" PRIu32 "u * i + %" PRIu32
             "u) & %uu];\n        ring[i].value = ",
             n, p->ring.multiplier, p->ring.increment, n - 1);
    put_content(out, &like);
    str_add(out, ";\n    }\n    SHIM_KEEP(ring);\n");
}

static bool needs_64(const struct program *p)
{
    bool needs = p->chases && gen_bits(p->ring.type) == 64 && !gen_is_real(p->ring.type);
    for (size_t i = 0; i < p->arrays.n; i++)
        needs |= p->arrays.at[i].used && gen_bits(p->arrays.at[i].type) == 64 && !gen_is_real(p->arrays.at[i].type);
    return needs;
}

static void put_prepare(struct str *out, const struct program *p)
{
    str_add(out, "static uint64_t noise;\n\nstatic uint32_t noise_32(void)\n{\n"
                 "    noise = noise * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);\n"
                 "    return (uint32_t)(noise >> 33);\n}\n\n");
    if (needs_64(p))
        str_add(out, "static uint64_t noise_64(void)\n{\n    uint64_t high = noise_32();\n\n"
                     "    return high << 32 | noise_32();\n}\n\n");
    str_addf(out, "static void prepare(void)\n{\n    noise = %" PRIu32 "u;\n", p->seed);
    for (size_t i = 0; i < p->arrays.n; i++)
        if (p->arrays.at[i].used)
            put_filling(out, &p->arrays.at[i]);
    if (p->chases)
        put_ring(out, p);
    if (p->copies)
        str_addf(out,
                 "    for (size_t i = 0; i < %u; i++)\n        for (size_t k = 0; k < %u; k++)\n"
                 "            blocks[i].word[k] = noise_32();\n    SHIM_KEEP(blocks);\n",
                 1u << GEN_BLOCKS_LOG2, p->block_words);
    if (p->indirect) {
        for (int i = 0; i < GEN_TABLE; i++)
            str_addf(out, "    table[%d] = f%d;\n", i, i);
        str_add(out, "    SHIM_KEEP(table);\n");
    }
    str_add(out, "}\n\n");
}

static void put_bits(struct str *out, const struct program *p)
{
    bool needed[GEN_TYPES] = {false};
    for (size_t i = 0; i < p->arrays.n; i++)
        needed[p->arrays.at[i].type] |= p->arrays.at[i].used && p->arrays.at[i].written;
    str_add(out, "static uint64_t digest(uint64_t sum, uint64_t word)\n{\n"
                 "    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);\n    return sum ^ sum >> 32;\n}\n\n");
    if (needed[GEN_FLOAT])
        str_add(out, "static uint64_t bits_of_float(float x)\n{\n    uint32_t bits;\n\n"
                     "    memcpy(&bits, &x, sizeof bits);\n    return bits;\n}\n\n");
    if (needed[GEN_DOUBLE])
        str_add(out, "static uint64_t bits_of_double(double x)\n{\n    uint64_t bits;\n\n"
                     "    memcpy(&bits, &x, sizeof bits);\n    return bits;\n}\n\n");
}

static void put_checksum(struct str *out, const struct program *p)
{
    str_add(out, "static uint64_t checksum(void)\n{\n    uint64_t sum = 0;\n\n");
    for (size_t k = 0; k < p->arrays.n; k++) {
        const struct array *a = &p->arrays.at[k];
        const char *cast = a->type == GEN_FLOAT    ? "bits_of_float"
                           : a->type == GEN_DOUBLE ? "bits_of_double"
                                                   : "(uint64_t)";
        if (a->used && a->written)
            str_addf(out, "    for (size_t i = 0; i < %u; i += %zu)\n        sum = digest(sum, %s(%s[i]));\n",
                     1u << a->log2_length, gen_digest_step(a), cast, a->name);
    }
    if (p->copies)
        str_addf(out,
                 "    for (size_t i = 0; i < %u; i++)\n        for (size_t k = 0; k < %u; k++)\n"
                 "            sum = digest(sum, blocks[i].word[k]);\n",
                 1u << GEN_BLOCKS_LOG2, p->block_words);
    str_add(out, "    return sum >> 2;\n}\n\n");
}

static void put_locals(const struct printer *w)
{
    for (size_t i = 0; i < w->p->n_locals; i++) {
        const struct local *l = &w->p->locals[i];
        if (l->declared || !l->used)
            continue;
        str_addf(w->out, "    %s %s = ", gen_c_name(l->type), l->name);
        const struct expr initial = {.kind = EXPR_CONSTANT, .type = l->type, .value = l->initial};
        if (l->array != (size_t)-1)
            str_addf(w->out, "%s[%zu]", w->p->arrays.at[l->array].name, l->from);
        else
            put_constant(w->out, &initial);
        str_add(w->out, ";\n");
    }
    if (w->p->chases)
        str_add(w->out, "    const struct node *at = ring;\n");
}

static void put_main(struct str *out, const struct program *p, uint64_t checksum)
{
    str_addf(out, "int main(void)\n{\n    prepare();\n    shim_region_begin(\"%s\");\n    work();\n", p->name);
    for (size_t i = 0; i < p->arrays.n; i++)
        if (p->arrays.at[i].used && p->arrays.at[i].written)
            str_addf(out, "    SHIM_KEEP(%s);\n", p->arrays.at[i].name);
    if (p->copies)
        str_add(out, "    SHIM_KEEP(blocks);\n");
    str_addf(out,
             "    shim_region_end(\"%s\");\n"
             "    return sample_verdict_int(\"checksum\", (long long)checksum(), %" PRIu64 "LL);\n}\n",
             p->name, checksum);
}

void program_print(struct str *out, const struct program *p, uint64_t checksum)
{
    struct printer w = {out, p, true};
    str_addf(out, "/*\n * %s - made by shimgen generate: do not edit, make it again.\n *\n%s */\n", p->name, p->drawn);
    str_add(out, "#include \"sample.h\"\n\n");
    put_arrays(out, p);
    put_functions(&w);
    w.in_function = false;
    str_add(out, "__attribute__((noinline)) static void work(void)\n{\n");
    put_locals(&w);
    str_add(out, "\n");
    put_block(&w, &p->body, 1);
    str_add(out, "}\n\n");
    put_prepare(out, p);
    put_bits(out, p);
    put_checksum(out, p);
    put_main(out, p, checksum);
}
