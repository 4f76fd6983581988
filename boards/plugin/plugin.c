/*
 * plugin.c - the border to qemu: instructions are decoded when qemu translates a block, executed blocks and their
 * accesses come by callbacks, the measuring runtime's wishes as system calls (boards/runtime/iss.h). A block is timed
 * when the next one begins: then it is known where its last instruction went, and all its accesses have been seen.
 *
 *     qemu-aarch64 -plugin shimgen-iss.so,model=FILE[,whole=FILE][,cycles=FILE[,own=FILE]] PROGRAM
 *
 * whole=FILE: no runtime is asked; all that the first thread executes is timed, and FILE gets the counts at the end.
 * cycles=FILE: FILE gets the cycles of each machine instruction by region (ledger.h); own=FILE: which code is the program's.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/map.h"
#include "sim/core/pipeline.h"
#include "boards/plugin/ledger.h"
#include "boards/plugin/qemu_plugin.h"
#include "boards/runtime/iss.h"

int qemu_plugin_version = 1;

enum { ACCESSES = 4096, STEP_BITS = 16, STEP_MASK = (1 << STEP_BITS) - 1 };

/* What qemu translates at once: consecutive instructions. Blocks are kept for ever, and found again when they are
 * translated again. */
struct block {
    struct block *next; /* with the same hash */
    uint64_t address, hash;
    size_t n;
    bool runtime;             /* code of the measuring runtime, which is not timed */
    struct ledger_code *code; /* NULL: cycles by address are not wanted */
    struct iss_step steps[];
};

static struct {
    struct iss_model *model;
    struct iss_core *core;
    const struct iss_decoder *decoder;
    void *decoder_state;
    void *ahead;  /* of the same decoder, for instructions that are looked at before their turn */
    FILE *report; /* for whole=FILE; NULL: the runtime says what is timed */
    FILE *cycles; /* for cycles=FILE; NULL, and no ledger: not wanted */
    struct ledger *ledger;

    struct block *blocks[1 << 14];
    uint64_t from, to; /* the runtime's code */
    uintptr_t base;    /* offset of the program's memory in the emulator's */

    bool active;
    unsigned vcpu; /* the timed one */
    const struct block *pending;
    size_t n_accesses;
    struct iss_access_at accesses[ACCESSES];

    pid_t pid;
    int answers;         /* the pipe's write end */
    uint64_t unknown;    /* number of translated instructions that the decoder did not know */
    uint32_t an_unknown; /* the first of them */
} iss;

/* ---- execution ---- */

static void flush(uint64_t next)
{
    const struct block *b = iss.pending;
    if (!b)
        return;
    iss.pending = 0;
    int64_t before = iss_core_cycle(iss.core);
    int64_t *each = b->code ? ledger_run(iss.ledger, b->code) : 0;
    if (b->code)
        iss_core_attribute(iss.core, each);
    iss_core_run(iss.core, b->steps, b->n, iss.accesses, iss.n_accesses, next);
    if (b->code && !each)
        ledger_took(iss.ledger, iss_core_cycle(iss.core) - before);
}

static void drain(void)
{
    int64_t before = iss_core_cycle(iss.core);
    iss_core_drain(iss.core);
    if (iss.ledger)
        ledger_took(iss.ledger, iss_core_cycle(iss.core) - before);
}

static void on_block(unsigned vcpu, void *user)
{
    const struct block *b = user;
    if (!iss.active || vcpu != iss.vcpu)
        return;
    flush(b->address);
    iss.n_accesses = 0;
    iss.pending = b->runtime ? 0 : b;
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *user)
{
    (void)info;
    if (!iss.active || vcpu != iss.vcpu)
        return;
    uint32_t step = (uint32_t)(uintptr_t)user & STEP_MASK, bytes = (uint32_t)((uintptr_t)user >> STEP_BITS);
    size_t n = iss.n_accesses;
    /* an instruction with several accesses: the first one */
    if (n == ACCESSES || (n > 0 && iss.accesses[n - 1].step == step))
        return;
    iss.accesses[n].address = address;
    iss.accesses[n].step = step;
    iss.accesses[n].loaded = bytes != 0;
    iss.accesses[n].value = 0;
    if (bytes) /* the program has just read it, so it is mapped */
        memcpy(&iss.accesses[n].value, (const void *)(iss.base + (uintptr_t)address), bytes);
    iss.n_accesses = n + 1;
}

/* ---- translation ---- */

static bool in_runtime(uint64_t address)
{
    return address >= iss.from && address < iss.to;
}

static void mark_runtime(struct block *b)
{
    b->runtime = in_runtime(b->address);
    for (size_t i = 0; i < b->n; i++) {
        const struct iss_op *op = &b->steps[i].op;
        b->steps[i].skip = b->runtime || ((op->branch == ISS_CALL_DIRECT || op->branch == ISS_JUMP) &&
                                          in_runtime((uint64_t)op->constant));
    }
}

/* Length of an instruction. For Thumb code, qemu 7.2 also returns two more bytes when it checks whether the next
 * instruction reaches into another page. */
static size_t size_of(const struct qemu_plugin_insn *insn)
{
    size_t shown = qemu_plugin_insn_size(insn), size = iss.decoder->size(qemu_plugin_insn_data(insn));
    return size < shown ? size : shown;
}

/* A branch may be executed as one with the instruction after it, which is no part of its block. What stands between a
 * branch and where it leads is code of the program, so it can be read; `data` is where the emulator has the branch. */
static void join_next(struct iss_step *s, const uint8_t *data)
{
    const uint8_t *code = data + s->op.size;
    uint64_t end = s->address + s->op.size, size = (uint64_t)s->op.constant - end;
    struct iss_op next;
    if (!iss.model->predicates || s->op.branch != ISS_CONDITIONAL || (size != 2 && size != 4))
        return;
    if (iss.decoder->size(code) == size && iss.decoder->decode(iss.ahead, code, size, end, &next))
        iss_step_across(iss.model, s, &next);
}

static struct block *make_block(const struct qemu_plugin_tb *tb, size_t n, uint64_t address, uint64_t hash)
{
    struct block *b = xcalloc(1, sizeof *b + n * sizeof b->steps[0]);
    b->address = address;
    b->hash = hash;
    b->n = n;
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        struct iss_op op;
        const uint8_t *code = qemu_plugin_insn_data(insn);
        size_t size = size_of(insn);
        if (!iss.decoder->decode(iss.decoder_state, code, size, qemu_plugin_insn_vaddr(insn), &op)) {
            if (!iss.unknown++)
                memcpy(&iss.an_unknown, code, size < 4 ? 2 : 4);
        }
        iss_step_make(iss.model, &op, qemu_plugin_insn_vaddr(insn), &b->steps[i]);
        join_next(&b->steps[i], qemu_plugin_insn_haddr(insn));
    }
    if (iss.ledger)
        b->code = ledger_code(iss.ledger, b->steps, n);
    mark_runtime(b);
    return b;
}

static struct block *find_block(const struct qemu_plugin_tb *tb, size_t n)
{
    uint64_t address = qemu_plugin_tb_vaddr(tb), hash = hash_bytes(HASH_START, &address, sizeof address);
    for (size_t i = 0; i < n; i++) {
        const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        hash = hash_bytes(hash, qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn));
    }
    struct block **slot = &iss.blocks[hash % (sizeof iss.blocks / sizeof iss.blocks[0])];
    for (struct block *b = *slot; b; b = b->next)
        if (b->hash == hash && b->address == address && b->n == n)
            return b;
    struct block *b = make_block(tb, n, address, hash);
    b->next = *slot;
    return *slot = b;
}

/* qemu translates one block at a time. */
static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    size_t n = qemu_plugin_tb_n_insns(tb);
    struct block *b = find_block(tb, n);
    if (b->runtime)
        return;
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, b);
    const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
    iss.base = (uintptr_t)qemu_plugin_insn_haddr(first) - (uintptr_t)qemu_plugin_insn_vaddr(first);
    for (size_t i = 0; i < n; i++) {
        const struct iss_op *op = &b->steps[i].op;
        bool value = op->value == ISS_VALUE_LOAD || op->value == ISS_VALUE_LOAD_SIGNED;
        if (op->memory && !b->steps[i].skip)
            qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), on_access, QEMU_PLUGIN_CB_NO_REGS,
                                             QEMU_PLUGIN_MEM_RW,
                                             (void *)(i | (value ? (uintptr_t)op->bytes << STEP_BITS : 0)));
    }
}

/* ---- requests of the runtime ---- */

/* In the order of iss_hello.event; the numbers are those of Arm's PMUv3. */
static const uint16_t events[] = {0x11, 0x08, 0x04, 0x03, 0x16, 0x17, 0x10, 0x12, 0x01, 0x14, 0x02,   0x05,
                                  0x06, 0x07, 0x0d, 0x0e, 0x0f, 0x13, 0x15, 0x18, 0x21, 0xc2, 0x81bc, 0x81bd};
enum { EVENTS = sizeof events / sizeof events[0] };
_Static_assert(EVENTS <= ISS_EVENTS, "they fit into an answer");

static uint64_t value_of(unsigned event, const struct iss_counts *c)
{
    switch (event) {
    case 0x01:
        return c->memory.l1i_refills;
    case 0x02:
        return c->memory.l1i_tlb_refills;
    case 0x03:
        return c->memory.l1d_refills;
    case 0x04:
        return c->memory.l1d;
    case 0x05:
        return c->memory.l1d_tlb_refills;
    case 0x06:
        return c->loads;
    case 0x07:
        return c->stores;
    case 0x08:
        return c->instructions;
    case 0x0d:
        return c->branches_immediate;
    case 0x0e:
        return c->returns;
    case 0x0f:
        return c->memory.unaligned;
    case 0x10:
        return c->mispredicted;
    case 0x11:
        return c->cycles;
    case 0x12:
    case 0x21:
        return c->branches;
    case 0x13:
        return c->memory.l1d;
    case 0x14:
        return c->memory.l1i;
    case 0x15:
        return c->memory.l1d_written_back;
    case 0x16:
        return c->memory.l2;
    case 0x17:
        return c->memory.l2_refills;
    case 0x18:
        return c->memory.l2_written_back;
    case 0xc2:
    case 0x81bc:
        return c->memory.l1d_prefetched;
    case 0x81bd:
        return c->memory.l2_prefetched;
    default:
        return 0;
    }
}

/* Answers are shorter than what a pipe takes at once. An answer that was not fetched stays in front, and the runtime
 * notices that it is not the one it waits for. */
static void answer(const void *bytes, size_t n)
{
    ssize_t unused = write(iss.answers, bytes, n);
    (void)unused;
}

static void hello(unsigned vcpu, uint64_t version, uint64_t from, uint64_t to)
{
    struct iss_hello h = {
        .magic = ISS_MAGIC, .version = ISS_VERSION, .clock_hz = iss.model->clock_hz, .n_events = EVENTS};
    iss.pid = getpid();
    iss.vcpu = vcpu;
    iss.from = version == ISS_VERSION ? from : 0;
    iss.to = version == ISS_VERSION ? to : 0;
    for (size_t i = 0; i < sizeof iss.blocks / sizeof iss.blocks[0]; i++)
        for (struct block *b = iss.blocks[i]; b; b = b->next)
            mark_runtime(b);
    for (int i = 0; i < EVENTS; i++)
        h.event[i] = events[i];
    snprintf(h.model, sizeof h.model, "%s", iss.model->name);
    answer(&h, sizeof h);
}

static void read_counters(void)
{
    struct iss_counts now;
    struct iss_counters c = {.magic = ISS_MAGIC};
    iss_core_counts(iss.core, &now);
    for (int i = 0; i < EVENTS; i++)
        c.value[i] = value_of(events[i], &now);
    answer(&c, sizeof c);
}

static void suspend(void)
{
    if (!iss.active)
        return;
    flush(0);
    iss.active = false;
    drain();
}

static void on_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
                       uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (number < ISS_HELLO || number > ISS_CONSTANTS || iss.report)
        return;
    if (number == ISS_HELLO) {
        suspend();
        hello(vcpu, a1, a2, a3);
        return;
    }
    if (vcpu != iss.vcpu || iss.pid != getpid()) /* another thread, or a child */
        return;
    switch (number) {
    case ISS_RESUME:
        iss.n_accesses = 0;
        iss.pending = 0;
        iss.active = true;
        iss_core_lost_sight(iss.core);
        break;
    case ISS_SUSPEND:
        suspend();
        break;
    case ISS_COLD:
        flush(0);
        iss_core_reset(iss.core, a1 == ISS_ALL);
        break;
    case ISS_READ:
        flush(0);
        read_counters();
        break;
    case ISS_REGION:
        if (iss.ledger)
            ledger_region(iss.ledger, a1 != 0, (const char *)(iss.base + (uintptr_t)a2));
        break;
    case ISS_CONSTANTS:
        iss_core_constants(iss.core, a1);
        break;
    default:
        break;
    }
}

/* ---- begin and end ---- */

static void report_whole(void)
{
    struct iss_counts c;
    iss_core_counts(iss.core, &c);
    for (int i = 0; i < EVENTS; i++)
        fprintf(iss.report, "0x%02x %" PRIu64 "\n", events[i], value_of(events[i], &c));
    if (fclose(iss.report))
        fprintf(stderr, "shimgen-iss: the counts cannot be written: %s\n", strerror(errno));
}

static void report_cycles(void)
{
    ledger_write(iss.ledger, iss.cycles);
    bool failed = ferror(iss.cycles);
    if (fclose(iss.cycles) || failed)
        fprintf(stderr, "shimgen-iss: the cycles of instructions cannot be written: %s\n", strerror(errno));
}

static void on_end(qemu_plugin_id_t id, void *user)
{
    (void)id, (void)user;
    if (iss.report && iss.pid == getpid()) {
        flush(0);
        drain();
        report_whole();
    }
    if (iss.cycles && iss.pid == getpid())
        report_cycles();
    struct iss_counts c;
    iss_core_counts(iss.core, &c);
    if (c.unknown)
        fprintf(stderr,
                "shimgen-iss: note: %" PRIu64
                " executed instructions are not known to the decoder (the first: 0x%08" PRIx32
                ") and were timed as [unknown]\n",
                c.unknown, iss.an_unknown);
}

static int refuse(const char *what)
{
    fprintf(stderr, "shimgen-iss: %s\n", what);
    return 1;
}

static int open_pipe(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        return refuse("no pipe for the answers to the program");
    int to = fcntl(ends[1], F_DUPFD_CLOEXEC, ISS_DESCRIPTOR + 1);
    int from = dup3(ends[0], ISS_DESCRIPTOR, O_CLOEXEC);
    close(ends[0]);
    close(ends[1]);
    if (to < 0 || from < 0)
        return refuse("no descriptor 250 and above for the answers to the program; raise the limit (ulimit -n)");
    iss.answers = to;
    return 0;
}

struct arguments {
    const char *model, *whole, *cycles, *own;
};

/* The value of "NAME=VALUE", if it is not empty; NULL: another name. */
static const char *value_in(const char *argument, const char *name)
{
    size_t n = strlen(name);
    return strncmp(argument, name, n) == 0 && argument[n] == '=' && argument[n + 1] ? argument + n + 1 : 0;
}

static int read_arguments(int argc, char **argv, struct arguments *to)
{
    struct {
        const char *name, **value;
    } known[] = {{"model", &to->model}, {"whole", &to->whole}, {"cycles", &to->cycles}, {"own", &to->own}};
    for (int i = 0; i < argc; i++) {
        size_t k = 0, n = sizeof known / sizeof known[0];
        while (k < n && !value_in(argv[i], known[k].name))
            k++;
        if (k == n) {
            fprintf(stderr, "shimgen-iss: unknown argument '%s'; say model=FILE, whole=FILE, cycles=FILE, own=FILE\n",
                    argv[i]);
            return 1;
        }
        *known[k].value = value_in(argv[i], known[k].name);
    }
    if (to->own && !to->cycles)
        return refuse("own=FILE and cycles=FILE belong together: give both");
    return to->model ? 0 : refuse("which model? say -plugin shimgen-iss.so,model=FILE");
}

static int open_report(FILE **to, const char *path)
{
    if (path && !(*to = fopen(path, "we"))) {
        fprintf(stderr, "shimgen-iss: %s: %s\n", path, strerror(errno));
        return 1;
    }
    return 0;
}

static int open_ledger(const struct arguments *a)
{
    struct error e = ERROR_INIT;
    if (!a->cycles)
        return 0;
    if (ledger_new(&iss.ledger, a->own, &e) != OK) {
        error_print(&e, "shimgen-iss");
        return 1;
    }
    if (a->whole)
        ledger_region(iss.ledger, true, "main");
    return 0;
}

static int read_model(const char *path, const char *architecture)
{
    struct error e = ERROR_INIT;
    if (iss_model_read(&iss.model, path, &e) != OK || iss_model_complete(iss.model, path, &e) != OK) {
        error_print(&e, "shimgen-iss");
        return 1;
    }
    if (strcmp(iss.model->architecture, architecture)) {
        fprintf(stderr, "shimgen-iss: %s: the model is of a core for %s, the emulator's is %s\n", path,
                iss.model->architecture, architecture);
        return 1;
    }
    iss.decoder = iss_decoder_find(architecture);
    if (!iss.decoder || !(iss.decoder_state = iss.decoder->open())) {
        fprintf(stderr, "shimgen-iss: there is no decoder for %s\n", architecture);
        return 1;
    }
    if (iss.model->predicates && !(iss.ahead = iss.decoder->open()))
        return refuse("the decoder cannot be opened twice");
    return 0;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    struct arguments a = {0};
    if (info->system_emulation)
        return refuse("programs are simulated, not whole systems: use qemu-aarch64 or the like");
    if (read_arguments(argc, argv, &a) || read_model(a.model, info->target_name) || open_pipe() ||
        open_report(&iss.report, a.whole) || open_report(&iss.cycles, a.cycles) || open_ledger(&a))
        return 1;
    iss.core = iss_core_new(iss.model);
    iss.active = iss.report != 0;
    iss.pid = getpid();
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
    qemu_plugin_register_atexit_cb(id, on_end, 0);
    return 0;
}
