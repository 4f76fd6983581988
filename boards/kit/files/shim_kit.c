/*
 * shim_kit.c - runs the programs of the image, measures their regions, and prints the log (docs/formats/kit-log.md).
 * C89; long has 32 bits or more; nothing of a C library is used.
 */
#include "shim_kit.h"

#include "shim_port.h"
#include "shim_counters.h"

/* Defaults for what a port need not define. */
#ifndef SHIM_PORT_ID
#define SHIM_PORT_ID() 0ul
#endif
#ifndef SHIM_PORT_FEED
#define SHIM_PORT_FEED() ((void)0)
#endif

#ifndef SHIM_RUNS
#define SHIM_RUNS 10 /* runs of each program that count */
#endif
#ifndef SHIM_COLD
#define SHIM_COLD 0 /* 1: caches are emptied before a region is first entered, and there is no warm-up run */
#endif
#ifndef SHIM_FIRST
#define SHIM_FIRST 0 /* the program to begin with, to continue a run that was cut off */
#endif
#ifndef SHIM_BUFFER_SIZE
#define SHIM_BUFFER_SIZE 16384
#endif

/* The kit's linker script reserves a place that survives a reset, and marks the end of the stack. */
#ifdef SHIM_KIT_SCRIPT
#define SHIM_STACK_LIMIT __shim_stack_limit
#define SHIM_NOINIT      __attribute__((section(".noinit")))
#endif

#define WORD_MASK 0xFFFFFFFFul

enum { MOST_REGIONS = 16, MOST_DEPTH = 8, EMPTY_REGIONS = 16, LOOPS = 1000, MOST_TRIES = 2 };

/* ---- characters ---- */

#if SHIM_OUTPUT == SHIM_OUTPUT_BUFFER
char shim_buffer[SHIM_BUFFER_SIZE];
unsigned long shim_buffer_used;
volatile unsigned long shim_buffer_done;
static void put_char(char c)
{
    if (shim_buffer_used < SHIM_BUFFER_SIZE)
        shim_buffer[shim_buffer_used++] = c;
}
#elif SHIM_OUTPUT == SHIM_OUTPUT_SEMIHOSTING
static void put_char(char c)
{
    SHIM_SEMIHOSTING_PUT(&c);
}
#else
static void put_char(char c)
{
    SHIM_PORT_PUT(c);
}
#endif

/* ---- checksums: CRC-32 of IEEE 802.3, reflected ---- */

static unsigned long crc_step(unsigned long crc, unsigned byte)
{
    int i;
    crc ^= byte;
    for (i = 0; i < 8; i++)
        crc = (crc & 1ul) ? crc >> 1 ^ 0xEDB88320ul : crc >> 1;
    return crc;
}

static unsigned long crc_word(unsigned long crc, unsigned long word)
{
    int i;
    for (i = 0; i < 4; i++, word >>= 8)
        crc = crc_step(crc, (unsigned)(word & 0xFFul));
    return crc;
}

/* ---- lines ---- */

static struct {
    unsigned long tag;    /* identifies this part and this start */
    unsigned long number; /* of the next line */
    unsigned long crc;    /* of the current line so far */
    unsigned long block;  /* of the program's lines so far */
    unsigned long lines;  /* of the program so far */
    int in_block;
} out;

static void put(char c)
{
    out.crc = crc_step(out.crc, (unsigned char)c);
    if (out.in_block)
        out.block = crc_step(out.block, (unsigned char)c);
    put_char(c);
}

static void put_text(const char *text)
{
    for (; *text; text++)
        put(*text);
}

/* Names are one word: characters that would split words become underscores. */
static void put_name(const char *name)
{
    put(' ');
    if (!*name)
        put('_');
    for (; *name; name++)
        put(*name > ' ' && *name < 127 ? *name : '_');
}

static void put_digits(unsigned long value, int least)
{
    int n = 8;
    while (n > least && (value >> (4 * (n - 1)) & 15ul) == 0)
        n--;
    while (n-- > 0)
        put("0123456789abcdef"[value >> (4 * n) & 15ul]);
}

static void put_number(unsigned long value)
{
    put(' ');
    put_digits(value, 1);
}

static void put_pair(unsigned long high, unsigned long low)
{
    put(' ');
    if (high)
        put_digits(high, 1);
    put_digits(low, high ? 8 : 1);
}

static void begin_line(const char *word)
{
    int block = out.in_block;
    out.in_block = 0; /* a block's checksum covers its words and numbers, wherever it stands in the log */
    out.crc = WORD_MASK;
    put_text("shim ");
    put_digits(out.tag, 8);
    put_number(out.number++);
    put(' ');
    out.in_block = block;
    out.lines++;
    put_text(word);
}

static void end_line(void)
{
    unsigned long crc = out.crc ^ WORD_MASK;
    int block = out.in_block;
    if (block)
        out.block = crc_step(out.block, '\n');
    out.in_block = 0;
    put_text(" *");
    put_digits(crc & WORD_MASK, 8);
    put_text("\r\n");
    out.in_block = block;
}

static void print_problem(const char *word, const char *name)
{
    begin_line("problem");
    put_name(word);
    put_name(name);
    end_line();
}

/* ---- regions ---- */

struct region {
    const char *name;
    unsigned long entries, pairs;
    unsigned long high, low; /* cycles over all entries, before the overhead is subtracted */
    int open;
};
struct frame {
    struct region *region;
    unsigned long start, pairs;
};
static struct region regions[MOST_REGIONS];
static struct frame frames[MOST_DEPTH];
static unsigned n_regions, depth;
static int measuring;
static const char *problem, *problem_name;

static void note_problem(const char *word, const char *name)
{
    if (problem)
        return;
    problem = word;
    problem_name = name;
}

static int same(const char *a, const char *b)
{
    for (; *a && *a == *b; a++)
        b++;
    return *a == *b;
}

static struct region *region_of(const char *name)
{
    unsigned i;
    for (i = 0; i < n_regions; i++)
        if (regions[i].name == name || same(regions[i].name, name))
            return &regions[i];
    if (n_regions == MOST_REGIONS)
        return 0;
    regions[n_regions].name = name;
    regions[n_regions].entries = regions[n_regions].pairs = 0;
    regions[n_regions].high = regions[n_regions].low = 0;
    regions[n_regions].open = 0;
    return &regions[n_regions++];
}

void shim_region_begin(const char *name)
{
    struct region *r;
    struct frame *f;
    if (!measuring || problem)
        return;
    r = region_of(name);
    if (!r || depth == MOST_DEPTH) {
        note_problem("too-many-regions", name);
        return;
    }
    if (SHIM_COLD && depth == 0 && r->entries == 0)
        SHIM_PORT_CACHE_CLEAR();
    if (depth == 0)
        SHIM_COUNTER_RESTART();
    f = &frames[depth++];
    f->region = r;
    f->pairs = 0;
    r->open++;
    f->start = SHIM_CYCLES();
}

#define COUNTER_MASK (SHIM_COUNTER_BITS >= 32 ? WORD_MASK : (1ul << (SHIM_COUNTER_BITS & 31)) - 1ul)

void shim_region_end(const char *name)
{
    unsigned long now = SHIM_CYCLES();
    struct frame *f;
    struct region *r;
    if (!measuring || problem)
        return;
    if (SHIM_COUNTER_WRAPPED()) {
        note_problem("counter-wrapped", name);
        return;
    }
    if (depth == 0 || !same(frames[depth - 1].region->name, name)) {
        note_problem("not-open", name);
        return;
    }
    f = &frames[--depth];
    r = f->region;
    if (--r->open == 0) { /* a region inside itself counts once */
        unsigned long cycles = (now - f->start) & COUNTER_MASK, before = r->low;
        r->low = (before + cycles) & WORD_MASK;
        r->high += r->low < before;
        r->pairs += f->pairs;
        r->entries++;
    }
    if (depth > 0)
        frames[depth - 1].pairs += 1 + f->pairs;
}

static void start_regions(void)
{
    n_regions = depth = 0;
    problem = problem_name = 0;
    measuring = 1;
}

/* ---- the stack: a mark at its end, if the linker script tells where that is ---- */

#ifdef SHIM_STACK_LIMIT
extern unsigned long SHIM_STACK_LIMIT[];
enum { GUARDS = 4 };
static void guard_stack(void)
{
    int i;
    for (i = 0; i < GUARDS; i++)
        ((volatile unsigned long *)SHIM_STACK_LIMIT)[i] = 0x5AFE57ACul + (unsigned long)i;
}
static int stack_holds(void)
{
    int i, good = 1;
    for (i = 0; i < GUARDS; i++)
        good = good && ((volatile unsigned long *)SHIM_STACK_LIMIT)[i] == 0x5AFE57ACul + (unsigned long)i;
    return good;
}
#else
static void guard_stack(void)
{
}
static int stack_holds(void)
{
    return 1;
}
#endif

/* ---- kept across a reset: a program that triggers the watchdog is tried once more, and then skipped ---- */

#ifndef SHIM_NOINIT
#define SHIM_NOINIT /* start-up code clears it, so each start begins at the first program */
#endif
static struct {
    unsigned long magic, index, tries, starts, check;
} kept SHIM_NOINIT;

static unsigned long kept_check(void)
{
    unsigned long crc = WORD_MASK;
    crc = crc_word(crc, kept.magic);
    crc = crc_word(crc, kept.index);
    crc = crc_word(crc, kept.tries);
    return crc_word(crc, kept.starts);
}

static unsigned long starts; /* a copy of kept.starts, in case a program overwrites that */

static void keep(unsigned long index, unsigned long tries)
{
    kept.magic = shim_image_id;
    kept.starts = starts;
    kept.index = index;
    kept.tries = tries;
    kept.check = kept_check();
}

static void take_kept(void)
{
    if (kept.magic == shim_image_id && kept.check == kept_check() && kept.index < shim_n_programs) {
        kept.starts++;
    } else {
        kept.magic = shim_image_id;
        kept.starts = 0;
        kept.index = SHIM_FIRST;
        kept.tries = 0;
    }
    starts = kept.starts;
    kept.check = kept_check();
}

/* ---- the header ---- */

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
/* Armv7-M Architecture Reference Manual, B3.2.8 CCR (IC, DC), B3.5 MPU_CTRL. */
#ifndef SHIM_PORT_CACHES
#define SHIM_PORT_CACHES() (SHIM_REGISTER(0xE000ED14ul) >> 16 & 3ul)
#endif
#ifndef SHIM_PORT_MPU
#define SHIM_PORT_MPU() (SHIM_REGISTER(0xE000ED94ul) & 1ul)
#endif
#define INTERRUPTS_OFF() __asm__ __volatile__("cpsid i" : : : "memory")
#elif defined(__riscv)
#define INTERRUPTS_OFF() __asm__ __volatile__("csrci mstatus, 8" : : : "memory")
#endif
#ifndef SHIM_PORT_CACHES
#define SHIM_PORT_CACHES() 4ul
#endif
#ifndef SHIM_PORT_MPU
#define SHIM_PORT_MPU() 2ul
#endif
#ifdef SHIM_PORT_INTERRUPTS_OFF
#define INTERRUPTS 0ul
#elif defined(INTERRUPTS_OFF)
#define SHIM_PORT_INTERRUPTS_OFF() INTERRUPTS_OFF()
#define INTERRUPTS                 0ul
#else
#define SHIM_PORT_INTERRUPTS_OFF() ((void)0)
#define INTERRUPTS                 1ul
#endif

static void print_header(void)
{
    unsigned long id = SHIM_PORT_ID(), crc = crc_word(WORD_MASK, shim_image_id);
    const char *name;
    crc = crc_word(crc, id);
    for (name = SHIM_PORT_PART; *name; name++)
        crc = crc_step(crc, (unsigned char)*name);
    out.tag = (crc_word(crc, starts) ^ WORD_MASK) & WORD_MASK;
    out.number = 0;
    out.in_block = 0;
    begin_line("start 1");
    put_number(shim_image_id);
    put_number(id);
    put_number(starts);
    put_number((unsigned long)shim_n_programs);
    put_name(SHIM_PORT_PART);
    end_line();
    begin_line("conditions");
    put_number(SHIM_PORT_HZ);
    put_number(SHIM_PORT_WAIT_STATES);
    put_number(INTERRUPTS);
    put_number(SHIM_PORT_CACHES());
    put_number(SHIM_PORT_MPU());
    put_number(SHIM_COLD);
    put_number(SHIM_RUNS);
    put_number(SHIM_COUNTER_BITS);
    put_name(SHIM_COUNTER_NAME);
    end_line();
}

/* A loop of so many iterations of equal work: twice the iterations take twice the cycles. */
static volatile unsigned long shim_iterations;
static void known_loop(unsigned long iterations)
{
    for (shim_iterations = 0; shim_iterations < iterations;)
        shim_iterations = shim_iterations + 1;
}

static unsigned long loop_cycles(unsigned long iterations)
{
    unsigned long start;
    known_loop(16);
    SHIM_COUNTER_RESTART();
    start = SHIM_CYCLES();
    known_loop(iterations);
    return (SHIM_CYCLES() - start) & COUNTER_MASK;
}

static unsigned long print_loops(void)
{
    unsigned long once = loop_cycles(LOOPS), twice = loop_cycles(2ul * LOOPS);
    begin_line("loops");
    put_number(LOOPS);
    put_number(once);
    put_number(twice);
    end_line();
    return twice;
}

/* Runs the known loop for at least a hundredth of a second by the second clock. Cycles are added loop by loop, so that
 * a narrow counter cannot wrap. Time between two loops is in neither sum. Both clocks are read side by side at the
 * begin and at the end. */
static void print_clocks(void)
{
    unsigned long high = 0, low = 0, from, ticks = 0, last, now;
    if (SHIM_PORT_SECOND_HZ == 0ul)
        return;
    from = SHIM_PORT_SECOND_CLOCK();
    while (SHIM_PORT_SECOND_CLOCK() == from) /* waits for the edge of a tick */
        ;
    from = SHIM_PORT_SECOND_CLOCK();
    SHIM_COUNTER_RESTART();
    last = SHIM_CYCLES();
    while (ticks < SHIM_PORT_SECOND_HZ / 64ul + 2ul) {
        unsigned long before = low;
        now = SHIM_CYCLES();
        low = (low + ((now - last) & COUNTER_MASK)) & WORD_MASK;
        high += low < before;
        last = now;
        ticks = (SHIM_PORT_SECOND_CLOCK() - from) & WORD_MASK;
    }
    begin_line("clocks");
    put_pair(high, low);
    put_number(ticks);
    put_number(SHIM_PORT_SECOND_HZ);
    end_line();
}

/* Prints the cycles that an empty region measures, and the cycles that one more region costs the region around it. */
static void print_cost(void)
{
    static const char outer[] = "", inner[] = " ";
    unsigned long inside = 0, around = 0;
    int i, pass;
    for (pass = 0; pass < 2; pass++) { /* the first pass brings the code into the caches */
        start_regions();
        for (i = 0; i < EMPTY_REGIONS; i++) {
            shim_region_begin(inner);
            shim_region_end(inner);
        }
        inside = regions[0].low;
        start_regions();
        shim_region_begin(outer);
        for (i = 0; i < EMPTY_REGIONS; i++) {
            shim_region_begin(inner);
            shim_region_end(inner);
        }
        shim_region_end(outer);
        around = regions[0].low;
        measuring = 0;
    }
    begin_line("cost");
    put_number(EMPTY_REGIONS);
    put_number(inside);
    put_number(around);
    end_line();
}

/* ---- a program ---- */

static void print_regions(unsigned long run)
{
    unsigned i;
    for (i = 0; i < n_regions; i++) {
        begin_line("region");
        put_number(run);
        put_number(regions[i].entries);
        put_number(regions[i].pairs);
        put_pair(regions[i].high, regions[i].low);
        put_name(regions[i].name);
        end_line();
    }
}

static char *no_arguments[] = {(char *)"program", 0};

/* A program without regions has the region main. */
static int run_once(const struct shim_program *p, int whole)
{
    int code;
    SHIM_PORT_FEED();
    guard_stack();
    start_regions();
    if (whole)
        shim_region_begin("main");
    code = p->run(1, no_arguments);
    if (whole)
        shim_region_end("main");
    measuring = 0;
    if (depth > 0 && !problem)
        note_problem("left-open", frames[depth - 1].region->name);
    if (!stack_holds()) {
        problem = "stack";
        problem_name = p->name;
    }
    if (code)
        note_problem("self-check", p->name);
    return problem == 0;
}

/* Used after a program that has overwritten foreign memory: everything starts again with its initial data. */
#ifndef SHIM_PORT_RESET
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define SHIM_PORT_RESET() ((void)(SHIM_REGISTER(0xE000ED0Cul) = 0x05FA0004ul)) /* AIRCR.SYSRESETREQ */
#elif defined(__riscv) && defined(SHIM_KIT_SCRIPT)
#define SHIM_PORT_RESET() __asm__ __volatile__("j shim_start")
#else
#define SHIM_PORT_RESET() ((void)0)
#endif
#endif

/* Returns 0 if it has damaged the others' data. */
static int run_program(unsigned long index)
{
    const struct shim_program *p = &shim_programs[index];
    unsigned long run, lines;
    int whole = 0, good = 1;
    out.in_block = 1;
    out.block = WORD_MASK;
    out.lines = 0;
    begin_line("program");
    put_number(index);
    put_number(p->work);
    put_number(p->id);
    put_name(p->origin);
    put_name(p->name);
    end_line();
    if (!SHIM_COLD)
        good = run_once(p, 0);
    whole = !SHIM_COLD && n_regions == 0;
    for (run = 0; run < SHIM_RUNS && good; run++) {
        good = run_once(p, whole);
        if (good)
            print_regions(run);
    }
    if (!good)
        print_problem(problem, problem_name);
    out.in_block = 0;
    lines = out.lines;
    begin_line("end");
    put_number(index);
    put_number(run);
    put_number(lines);
    put_number(out.block ^ WORD_MASK);
    end_line();
    return stack_holds();
}

static void print_reset(unsigned long index)
{
    begin_line("passed");
    put_number(index);
    put_name(shim_programs[index].name);
    end_line();
}

volatile unsigned long shim_kit_done;

int shim_kit_run(void)
{
    unsigned long index;
    int good;
    SHIM_PORT_INIT();
    SHIM_PORT_INTERRUPTS_OFF();
    take_kept();
    SHIM_COUNTER_START();
    print_header();
    if (print_loops() == 0) {
        print_problem("counter-still", SHIM_COUNTER_NAME);
    } else {
        print_clocks();
        print_cost();
        for (index = kept.index; index < shim_n_programs; index++) {
            unsigned long tries = index == kept.index ? kept.tries : 0;
            if (tries >= MOST_TRIES) {
                print_reset(index);
                continue;
            }
            keep(index, tries + 1);
            good = run_program(index);
            keep(index + 1, 0);
            if (!good) {
                SHIM_PORT_RESET();
                break; /* without a reset: the next run begins there (SHIM_FIRST) */
            }
        }
    }
    kept.magic = 0;
    begin_line("done");
    put_number(starts);
    end_line();
#if SHIM_OUTPUT == SHIM_OUTPUT_BUFFER
    shim_buffer_done = 1;
#endif
    shim_kit_done = 1;
    SHIM_PORT_END(0);
    return 0;
}
