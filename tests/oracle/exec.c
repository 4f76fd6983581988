/* The interpreter's loop. */
#include "scalar.h"

#include <stdlib.h>
#include <sys/mman.h>

#define FRAME_BYTES ((size_t)1 << 30) /* reserved, not used up */
#define STACK_BYTES ((size_t)1 << 30)

static char *frames, *frames_end;
static char *next_frame;        /* the first free byte, while native code runs */
static char *stack, *stack_end; /* of the allocas */

/* What longjmp needs: valid while the frame is. */
struct jump {
    uint64_t buffer;
    char *frame, *stack;
    const struct op *next;
    uint32_t dst;
    unsigned level;
};
static VEC(struct jump) jumps;
static unsigned level; /* of execute: native code in between cannot be jumped over */

static char *reserve(size_t bytes, char **end)
{
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        refuse("no memory for the stack");
    *end = p + bytes;
    return p;
}

static inline struct frame *header(char *f)
{
    return (struct frame *)(void *)f;
}

static char *push_bytes(uint64_t bytes, uint64_t align)
{
    char *p;
    if (align < 16)
        align = 16;
    p = (char *)(((uintptr_t)stack + align - 1) / align * align);
    if (bytes > (uint64_t)(stack_end - p))
        refuse("the program's stack is full");
    stack = p + bytes;
    return p;
}

/* ---- operations that are functions of their own ---- */

static const struct op *take_edge(const struct edge *e, const struct op *ops, char *f)
{
    static char buffer[1 << 16];
    char *at = buffer;

    for (uint32_t i = 0; i < e->n; i++)
        counters[e->copies[i].key]++;
    if (!e->crossed) {
        for (uint32_t i = 0; i < e->n; i++) {
            const struct copy *c = &e->copies[i];
            if (c->size == SLOT)
                set(f, c->dst, get(f, c->src));
            else
                memcpy(f + c->dst, f + c->src, c->size);
        }
        return ops + e->target;
    }
    for (uint32_t i = 0; i < e->n; at += e->copies[i++].size) {
        if (e->copies[i].size > (size_t)(buffer + sizeof buffer - at))
            refuse("too many values in the phis of a block");
        memcpy(at, f + e->copies[i].src, e->copies[i].size);
    }
    at = buffer;
    for (uint32_t i = 0; i < e->n; at += e->copies[i++].size)
        memcpy(f + e->copies[i].dst, at, e->copies[i].size);
    return ops + e->target;
}

static const struct edge *select_case(const struct cases *c, uint64_t v)
{
    const struct edge *e = c->otherwise;
    if (c->dense) {
        if (v - c->low < c->n)
            e = c->edges[v - c->low];
    } else {
        for (uint32_t i = 0; i < c->n; i++)
            if (c->values[i] == v) {
                e = c->edges[i];
                break;
            }
    }
    if (!e)
        refuse("an indirect branch leads to an address that is not among its labels");
    return e;
}

static void lanes(const struct op *o, char *f)
{
    for (unsigned i = 0; i < o->lanes; i++)
        scalar(o->sub, o, f + i * SLOT);
}

/* acc = acc op lane, each time with the frame as it is: only the offsets of this copy of the operation move. */
static void reduce(const struct op *o, char *f, bool starts)
{
    struct op step = *o;
    unsigned first = starts ? 0 : 1;

    step.a = o->dst;
    set(f, o->dst, starts ? get(f, o->b) : get(f, o->a));
    for (unsigned i = first; i < o->lanes; i++) {
        step.b = o->a + i * SLOT;
        scalar(o->sub, &step, f);
    }
}

static void shuffle(const struct op *o, char *f)
{
    for (unsigned i = 0; i < o->lanes; i++)
        set(f, o->dst + i * SLOT, o->u.list[i] == UINT32_MAX ? 0 : get(f, o->u.list[i]));
}

/* Bits of one row of leaves into another row of the same number of bits, the first leaf lowest. */
static void bitcast(const struct op *o, char *f)
{
    const struct shape *from = &o->u.bitcast->from, *to = &o->u.bitcast->to;
    uint64_t bits[64] = {0}; /* 4096 */
    size_t at = 0;
    uint32_t slot = o->a;

    for (size_t i = 0; i < from->leaves.n; i++) {
        const struct leaf *l = &from->leaves.at[i];
        for (unsigned b = 0; b < l->bits; b++, at++) {
            if (at >= 4096)
                refuse("a bitcast of more than 4096 bits is not supported");
            bits[at / 64] |= (get(f, slot + b / 64 * SLOT) >> b % 64 & 1) << at % 64;
        }
        slot += l->slots * SLOT;
    }
    at = 0;
    slot = o->dst;
    for (size_t i = 0; i < to->leaves.n; i++) {
        const struct leaf *l = &to->leaves.at[i];
        memset(f + slot, 0, l->slots * SLOT);
        for (unsigned b = 0; b < l->bits; b++, at++)
            if (bits[at / 64] >> at % 64 & 1)
                set(f, slot + b / 64 * SLOT, get(f, slot + b / 64 * SLOT) | UINT64_C(1) << b % 64);
        slot += l->slots * SLOT;
    }
}

static void access_leaves(const struct op *o, char *f, bool stores)
{
    const struct shape *s = o->u.shape;
    char *memory = address(f, stores ? o->b : o->a), *slot = f + (stores ? o->a : o->dst);
    for (size_t i = 0; i < s->leaves.n; i++) {
        if (stores)
            leaf_store(slot, &s->leaves.at[i], memory);
        else
            leaf_load(slot, &s->leaves.at[i], memory);
        slot += s->leaves.at[i].slots * SLOT;
    }
}

static void gep(const struct op *o, char *f)
{
    const struct gep *g = o->u.gep;
    for (unsigned lane = 0; lane < g->lanes; lane++) {
        uint64_t r = get(f, o->a + (g->base_vector ? lane * SLOT : 0)) + o->mask;
        for (uint32_t i = 0; i < g->n; i++) {
            const struct gep_index *x = &g->indices[i];
            r += (uint64_t)extend(get(f, x->offset + (x->vector ? lane * SLOT : 0)), x->bits) * x->scale;
        }
        set(f, o->dst + lane * SLOT, r);
    }
}

static void atomic_rmw(const struct op *o, char *f)
{
    char *memory = address(f, o->a);
    uint64_t old, v = get(f, o->b), r = 0;
    unsigned bits = o->u.leaf->bits;

    leaf_load(&old, o->u.leaf, memory);
    switch (o->lanes) {
    case LLVMAtomicRMWBinOpXchg:
        r = v;
        break;
    case LLVMAtomicRMWBinOpAdd:
        r = old + v;
        break;
    case LLVMAtomicRMWBinOpSub:
        r = old - v;
        break;
    case LLVMAtomicRMWBinOpAnd:
        r = old & v;
        break;
    case LLVMAtomicRMWBinOpNand:
        r = ~(old & v);
        break;
    case LLVMAtomicRMWBinOpOr:
        r = old | v;
        break;
    case LLVMAtomicRMWBinOpXor:
        r = old ^ v;
        break;
    case LLVMAtomicRMWBinOpMax:
        r = extend(old, bits) > extend(v, bits) ? old : v;
        break;
    case LLVMAtomicRMWBinOpMin:
        r = extend(old, bits) < extend(v, bits) ? old : v;
        break;
    case LLVMAtomicRMWBinOpUMax:
        r = old > v ? old : v;
        break;
    case LLVMAtomicRMWBinOpUMin:
        r = old < v ? old : v;
        break;
    default:
        refuse("atomicrmw with operation number %u is not supported", o->lanes);
    }
    r &= o->mask;
    leaf_store(&r, o->u.leaf, memory);
    set(f, o->dst, old);
}

static void compare_exchange(const struct op *o, char *f)
{
    char *memory = address(f, o->a);
    uint64_t old;

    leaf_load(&old, o->u.leaf, memory);
    if (old == get(f, o->b))
        leaf_store(f + o->c, o->u.leaf, memory);
    set(f, o->dst + SLOT, old == get(f, o->b));
    set(f, o->dst, old);
}

static void load_relative(const struct op *o, char *f)
{
    char *base = address(f, o->a);
    int32_t offset;
    memcpy(&offset, base + extend(get(f, o->b), o->lanes), sizeof offset);
    set(f, o->dst, (uint64_t)(uintptr_t)(base + offset));
}

static void save_jump(const struct op *o, char *f)
{
    struct jump j = {get(f, o->a), f, stack, o + 1, o->dst, level};
    size_t i = 0;

    while (i < jumps.n && jumps.at[i].buffer != j.buffer)
        i++;
    if (i == jumps.n)
        vec_push(&jumps, j);
    jumps.at[i] = j;
    set(f, o->dst, 0);
}

/* The frame to go on in, and where. */
static char *long_jump(const struct op *o, char *f, const struct op **next)
{
    uint64_t v = get(f, o->b) & mask_of(32);
    for (size_t i = 0; i < jumps.n; i++)
        if (jumps.at[i].buffer == get(f, o->a)) {
            const struct jump *j = &jumps.at[i];
            if (j->level != level)
                refuse("longjmp over functions that are not interpreted is not supported");
            stack = j->stack;
            *next = j->next;
            set(j->frame, j->dst, v ? v : 1);
            return j->frame;
        }
    refuse("longjmp to a place that setjmp has not saved");
}

/* ---- calls ---- */

/* A frame for g at `at`, its constants in place; the arguments are the caller's to put. */
static void open_frame(struct function *g, char *at, char *caller, const struct op *next, uint32_t dst)
{
    if (at + g->frame_size > frames_end)
        refuse("recursion is too deep");
    *header(at) = (struct frame){caller, next, g, stack, NULL, dst};
    if (g->constant_bytes.n)
        memcpy(at + g->constants, g->constant_bytes.at, g->constant_bytes.n);
}

/* The va_list of x86-64 (System V ABI, 3.5.7), with the registers' places behind it. */
struct va_list_x86_64 {
    uint32_t integers, reals; /* offset of the next register in each file */
    char *overflow, *registers;
};
enum { INTEGERS_END = 48, REALS_END = 176 };

static bool is_real(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMFloatTypeKind || LLVMGetTypeKind(t) == LLVMDoubleTypeKind;
}

/* The va_list of AArch64 (AAPCS64, "Variable argument lists"): the ends of the registers' places, and how far below them the
 * next one is. */
struct va_list_aarch64 {
    char *stack, *integers_end, *reals_end;
    int32_t integers, reals;
};
enum { FILE_SIZE = 8, REAL_SIZE = 16 }; /* registers for arguments in each file; bytes of one of vectors */

static void check_argument(const struct function *g, const struct argument *a)
{
    if (a->copy || a->size != SLOT)
        refuse("'%s' is called with variable arguments and one of more than 8 bytes, which is not supported", g->name);
}

static char *list_aarch64(const struct function *g, const struct call *c, const char *f, uint32_t named)
{
    struct va_list_aarch64 *list = (void *)push_bytes(sizeof *list + FILE_SIZE * (SLOT + REAL_SIZE), 16);
    char *overflow = push_bytes((uint64_t)(c->n - named) * SLOT, 16), *first = (char *)(list + 1);
    int32_t integers = -FILE_SIZE * SLOT, reals = -FILE_SIZE * REAL_SIZE;

    *list = (struct va_list_aarch64){overflow, first - integers, first - integers - reals, 0, 0};
    for (uint32_t i = 0; i <= c->n; i++) {
        if (i == named) {
            list->integers = integers;
            list->reals = reals;
        }
        if (i == c->n)
            break;
        check_argument(g, &c->args[i]);
        bool real = is_real(c->args[i].type);
        int32_t *at = real ? &reals : &integers;
        if (*at < 0) {
            memcpy((real ? list->reals_end : list->integers_end) + *at, f + c->args[i].offset, SLOT);
            *at += real ? REAL_SIZE : SLOT;
        } else if (i >= named) {
            memcpy(overflow, f + c->args[i].offset, SLOT);
            overflow += SLOT;
        }
    }
    return (char *)list;
}

static char *list_x86_64(const struct function *g, const struct call *c, const char *f, uint32_t named)
{
    struct va_list_x86_64 *list = (void *)push_bytes(sizeof *list + REALS_END, 16);
    char *overflow = push_bytes((uint64_t)(c->n - named) * SLOT, 16);
    uint32_t integers = 0, reals = INTEGERS_END;

    *list = (struct va_list_x86_64){0, INTEGERS_END, overflow, (char *)(list + 1)};
    for (uint32_t i = 0; i < c->n; i++) {
        const struct argument *a = &c->args[i];
        bool real = is_real(a->type);
        uint32_t *at = real ? &reals : &integers, step = real ? 16 : SLOT;

        check_argument(g, a);
        if (*at < (real ? REALS_END : INTEGERS_END)) {
            memcpy(list->registers + *at, f + a->offset, SLOT);
            *at += step;
        } else if (i >= named) {
            memcpy(overflow, f + a->offset, SLOT);
            overflow += SLOT;
        }
        if (i + 1 == named) {
            list->integers = integers;
            list->reals = reals;
        }
    }
    return (char *)list;
}

/* What a callee with variable arguments finds: each where the ABI puts it. `named` have parameters. */
static char *list_arguments(const struct function *g, const struct call *c, const char *f, uint32_t named)
{
    switch (va_list_of(g->value)) {
    case sizeof(struct va_list_x86_64):
        return list_x86_64(g, c, f, named);
    case sizeof(struct va_list_aarch64):
        return list_aarch64(g, c, f, named);
    default:
        return NULL; /* it has no va_start that is interpreted */
    }
}

static char *enter(struct function *g, const struct call *c, char *f, const struct op *o)
{
    char *new = f + header(f)->function->frame_size;
    char *to = new + sizeof(struct frame);

    uint32_t named = LLVMIsFunctionVarArg(c->type) ? LLVMCountParams(g->value) : c->n;

    open_frame(g, new, f, o + 1, o->dst);
    if (LLVMIsFunctionVarArg(c->type))
        header(new)->list = list_arguments(g, c, f, named);
    for (uint32_t i = 0; i < named; i++) {
        const struct argument *a = &c->args[i];
        if (a->copy) {
            char *copy = push_bytes(a->copy, 16);
            memcpy(copy, address(f, a->offset), a->copy);
            set(to, 0, (uint64_t)(uintptr_t)copy);
        } else if (a->size == SLOT) {
            set(to, 0, get(f, a->offset));
        } else {
            memcpy(to, f + a->offset, a->size);
        }
        to += a->size;
    }
    if ((uint32_t)(to - new) - sizeof(struct frame) != g->args_size)
        refuse("'%s' is called with arguments of other types than it has", g->name);
    return new;
}

static void run(char *f, void *result);

void execute(struct function *f, const void *args, void *result)
{
    char *frame;

    if (!frames) {
        frames = next_frame = reserve(FRAME_BYTES, &frames_end);
        stack = reserve(STACK_BYTES, &stack_end);
    }
    frame = next_frame;
    open_frame(f, frame, NULL, NULL, 0);
    memcpy(frame + sizeof(struct frame), args, f->args_size);
    level++;
    run(frame, result);
    level--;
    next_frame = frame;
}

static void call_native(const struct op *o, void *address_, char *f)
{
    next_frame = f + header(f)->function->frame_size;
    if (!address_)
        refuse("a call of a function that is not there%s%s", o->u.call->callee ? ": " : "",
               o->u.call->callee ? o->u.call->callee->name : "");
    native_call(o->u.call, address_, f, f + o->dst);
}

/* Runs until the function of frame f returns. */
static void run(char *f, void *result)
{
    const struct op *ops = header(f)->function->ops.at, *o = ops;
    struct function *g;

    for (;; o++) { /* one case for each operation; o++ is for those that do not go elsewhere */
        counters[o->key]++;
        switch (o->code) {
        default:
            scalar(o->code, o, f);
            break;
        case OP_LANES:
            lanes(o, f);
            break;
        case OP_REDUCE:
        case OP_FREDUCE:
            reduce(o, f, o->code == OP_FREDUCE);
            break;
        case OP_COPY:
            memmove(f + o->dst, f + o->a, o->u.count);
            break;
        case OP_CHOOSE:
            memmove(f + o->dst, f + (get(f, o->a) ? o->b : o->c), o->u.count);
            break;
        case OP_SHUFFLE:
            shuffle(o, f);
            break;
        case OP_EXTRACT:
            if (get(f, o->b) >= o->lanes)
                refuse("extractelement beyond the end of the vector");
            set(f, o->dst, get(f, o->a + (uint32_t)get(f, o->b) * SLOT));
            break;
        case OP_INSERT:
            if (get(f, o->c) >= o->lanes)
                refuse("insertelement beyond the end of the vector");
            memmove(f + o->dst, f + o->a, (size_t)o->lanes * SLOT);
            set(f, o->dst + (uint32_t)get(f, o->c) * SLOT, get(f, o->b));
            break;
        case OP_BITCAST:
            bitcast(o, f);
            break;
        case OP_LOADS:
        case OP_STORES:
            access_leaves(o, f, o->code == OP_STORES);
            break;
        case OP_GEPN:
            gep(o, f);
            break;
        case OP_ALLOCA:
            set(f, o->dst, (uint64_t)(uintptr_t)push_bytes(o->mask * get(f, o->a), o->c));
            break;
        case OP_STACKSAVE:
            set(f, o->dst, (uint64_t)(uintptr_t)stack);
            break;
        case OP_STACKRESTORE:
            stack = address(f, o->a);
            break;
        case OP_MEMMOVE:
            memmove(address(f, o->a), address(f, o->b), get(f, o->c));
            break;
        case OP_MEMSET:
            memset(address(f, o->a), (int)get(f, o->b), get(f, o->c));
            break;
        case OP_VA_START:
            memcpy(address(f, o->a), header(f)->list, o->u.count);
            break;
        case OP_ATOMICRMW:
            atomic_rmw(o, f);
            break;
        case OP_CMPXCHG:
            compare_exchange(o, f);
            break;
        case OP_LOAD_RELATIVE:
            load_relative(o, f);
            break;
        case OP_NOTHING:
            break;
        case OP_BR:
            o = take_edge(o->u.edge, ops, f) - 1;
            break;
        case OP_CONDBR:
            o = take_edge(get(f, o->a) ? o->u.edges[0] : o->u.edges[1], ops, f) - 1;
            break;
        case OP_SWITCH:
            o = take_edge(select_case(o->u.cases, get(f, o->a)), ops, f) - 1;
            break;
        case OP_CALL:
        case OP_CALL_INDIRECT:
            g = o->code == OP_CALL ? o->u.call->callee : function_at(address(f, o->a));
            if (!g || !g->defined) {
                call_native(o, g ? g->address : address(f, o->a), f);
                break;
            }
            f = enter(g, o->u.call, f, o);
            ops = g->ops.at;
            o = ops - 1;
            break;
        case OP_RET: {
            const struct frame *h = header(f);
            stack = h->stack;
            if (!h->caller) {
                memcpy(result, f + o->a, o->u.count);
                return;
            }
            memcpy(h->caller + h->dst, f + o->a, o->u.count);
            o = h->next - 1;
            f = h->caller;
            ops = header(f)->function->ops.at;
            break;
        }
        case OP_SETJMP:
            save_jump(o, f);
            break;
        case OP_LONGJMP: {
            const struct op *next;
            f = long_jump(o, f, &next);
            ops = header(f)->function->ops.at;
            o = next - 1;
            break;
        }
        case OP_REGION_BEGIN:
            region_begin(address(f, o->a));
            break;
        case OP_REGION_END:
            region_end(address(f, o->a));
            break;
        case OP_TRAP:
            abort();
        case OP_REFUSE:
            refuse("%s", o->u.text);
        }
    }
}
