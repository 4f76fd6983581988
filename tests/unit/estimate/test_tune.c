/* Values that are wrong by a known factor, and programs whose cycles are those of the right ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "shimgen/estimate/tune/schedule_model.h"
#include "tests/unit/estimate/tune_example.h"

static void finds_the_factor(void **state)
{
    (void)state;
    struct made made[PROGRAMS];
    struct tune_program programs[PROGRAMS];
    struct costs right = costs_with(3), wrong = costs_with(4);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        make(&made[i], 1 + i, 3);
        programs[i] =
            (struct tune_program){(char *)"p", &made[i].profile, 0, cycles_of(&made[i], &right), i, i % 4 == 3, i};
    }
    struct tune_programs t = {programs, PROGRAMS, PROGRAMS};
    struct tune_result r;
    struct error e = ERROR_INIT;
    assert_int_equal(tune(&r, &wrong, &t, true, &e), OK);
    assert_int_equal(r.before.n, 9);
    assert_int_equal(r.test.n, 3);
    assert_true(r.before.mean_abs > 0.1);
    /* the measured value is believed a little: it is not reached to the end */
    assert_true(r.training.mean_abs < 0.05 && r.left_out.mean_abs < 0.05 && r.test.mean_abs < 0.05);
    size_t load = 0, i;
    assert_true(map_get(&wrong.names, "load", &load));
    assert_true(fabs(wrong.latency[load].typical * wrong.load_use - 3) < 0.25); /* no address waits for it */
    for (i = 0; strcmp(schedule_factor_name(i), "Latency of load") != 0; i++)
        ;
    assert_true(r.factors[i] == wrong.latency[load].typical / 4);
    tune_release(&r);
    costs_release(&right);
    costs_release(&wrong);
}

/* ---- two factors: what tune() does with many, in plain numbers (docs/method/estimating.md) ---- */

enum { CHAINS = 3 };
/* Chains of loads, each of which needs the one before: only the Latency of load matters, and how soon it is there for what
 * is no address. Both multiply the same cycles; one is believed within 0.3 of its logarithm, the other, which nobody has
 * measured, within 1. */
struct chains {
    struct made made[CHAINS];
    double measured[CHAINS], latency; /* of the load, as it is at first */
};
struct logs {
    double measured, unmeasured;
};

static struct costs chain_costs(double latency)
{
    struct costs c = {.core = xstrdup("Core")};
    costs_add(&c, "add", (struct cycles){1e-6, 1e-6, 1e-6}, (struct cycles){2e-6, 2e-6, 2e-6});
    costs_add(&c, "load", (struct cycles){1e-6, 1e-6, 1e-6}, (struct cycles){latency, latency, latency});
    return c;
}

static double chain_error(const struct chains *a, size_t i, double log_factor)
{
    struct costs c = chain_costs(a->latency * exp(log_factor));
    double cycles = cycles_of(&a->made[i], &c);
    costs_release(&c);
    return (cycles - a->measured[i]) / a->measured[i];
}

static double slope(const struct chains *a, size_t i, double log_factor)
{
    return (chain_error(a, i, log_factor + 0.06) - chain_error(a, i, log_factor)) / 0.06;
}

/* From the errors: those above 0.1 weigh less, and no logarithm changes by more than 0.5. Two equations of two unknowns. */
static struct logs step(const double *errors, const double *slopes, size_t without, struct logs at)
{
    double a = 1 / (0.3 * 0.3), b = 1, squares = 0, gradient = 0;
    for (size_t i = 0; i < CHAINS; i++) {
        double weight = i == without ? 0 : 1 / fmax(0.1, fabs(errors[i]));
        squares += weight * slopes[i] * slopes[i];
        gradient += weight * slopes[i] * errors[i];
    }
    double x = -a * at.measured - gradient, y = -b * at.unmeasured - gradient;
    double determinant = (a + squares) * (b + squares) - squares * squares;
    return (struct logs){fmax(-0.5, fmin(0.5, (x * (b + squares) - y * squares) / determinant)),
                         fmax(-0.5, fmin(0.5, (y * (a + squares) - x * squares) / determinant))};
}

static struct logs fitted(const struct chains *a)
{
    struct logs at = {0, 0};
    for (int round = 0; round < 5; round++) {
        double errors[CHAINS], slopes[CHAINS];
        for (size_t i = 0; i < CHAINS; i++) {
            errors[i] = chain_error(a, i, at.measured + at.unmeasured);
            slopes[i] = slope(a, i, at.measured + at.unmeasured);
        }
        struct logs by = step(errors, slopes, CHAINS, at);
        at = (struct logs){at.measured + by.measured, at.unmeasured + by.unmeasured};
    }
    return at;
}

/* Near that of all programs the errors are taken to be linear. */
static double fitted_without(const struct chains *a, struct logs all, size_t without)
{
    double whole = all.measured + all.unmeasured;
    struct logs at = all;
    for (int round = 0; round < 5; round++) {
        double errors[CHAINS], slopes[CHAINS];
        for (size_t i = 0; i < CHAINS; i++) {
            slopes[i] = slope(a, i, whole);
            errors[i] = chain_error(a, i, whole) + slopes[i] * (at.measured + at.unmeasured - whole);
        }
        struct logs by = step(errors, slopes, without, at);
        at = (struct logs){at.measured + by.measured, at.unmeasured + by.unmeasured};
    }
    return at.measured + at.unmeasured;
}

static double factor_of(const struct tune_result *r, const char *name)
{
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++)
        if (strcmp(schedule_factor_name(k), name) == 0)
            return r->factors[k];
    fail_msg("no factor %s", name);
    return 0;
}

static void as_in_numbers(struct chains *a)
{
    struct tune_program programs[CHAINS];
    struct costs c = chain_costs(a->latency);
    struct tune_result r;
    struct error e = ERROR_INIT;
    for (size_t i = 0; i < CHAINS; i++)
        programs[i] = (struct tune_program){(char *)"p", &a->made[i].profile, 0, a->measured[i], i, false, i};
    struct tune_programs t = {programs, CHAINS, CHAINS};
    assert_int_equal(tune(&r, &c, &t, true, &e), OK);
    struct logs all = fitted(a);
    assert_true(fabs(all.unmeasured) > 0.02); /* something is to be done */
    assert_true(fabs(log(factor_of(&r, "Latency of load")) - all.measured) < 1e-4);
    assert_true(fabs(log(factor_of(&r, "Latency of load to what is no address")) - all.unmeasured) < 1e-4);
    assert_true(fabs(factor_of(&r, "values of mul") - 1) < 1e-9);
    for (size_t i = 0; i < CHAINS; i++) {
        double left = (r.estimates_left_out[i] - a->measured[i]) / a->measured[i];
        double error = (r.estimates[i] - a->measured[i]) / a->measured[i];
        assert_true(fabs(error - chain_error(a, i, all.measured + all.unmeasured)) < 1e-3 * (1 + fabs(error)));
        assert_true(fabs(left - chain_error(a, i, fitted_without(a, all, i))) < 1e-3 * (1 + fabs(left)));
        assert_true(r.estimates_without_events[i] == r.estimates_left_out[i]); /* there are none */
    }
    tune_release(&r);
    costs_release(&c);
}

/* Far off: steps are cut; a little off: errors weigh as squares; in between. */
static void factors_in_numbers(void **state)
{
    (void)state;
    static const double wrong[] = {50, 1.04, 0.5, 1.6};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct chains a = {.latency = 4};
        for (uint32_t i = 0; i < CHAINS; i++) {
            make(&a.made[i], 4 + 5 * i, 0);
            struct costs right = chain_costs(4 / wrong[k] * (1 - 0.1 * i));
            a.measured[i] = cycles_of(&a.made[i], &right);
            costs_release(&right);
        }
        as_in_numbers(&a);
    }
}

/* Chains of additions that take less than is believed, on a core in order. */
static void integer_instructions_are_corrected(void **state)
{
    (void)state;
    struct made made[CHAINS];
    struct tune_program programs[CHAINS];
    struct costs right = costs_with(3), wrong = costs_with(3);
    size_t add = 0;
    assert_true(map_get(&wrong.names, "add", &add));
    wrong.latency[add] = (struct cycles){1.4, 1.4, 1.4};
    for (uint32_t i = 0; i < CHAINS; i++) {
        make(&made[i], 1, 8 + i);
        programs[i] = (struct tune_program){
            (char *)"p", &made[i].profile, 0, cycles_of(&made[i], &right) * (1 - 0.1 * i), i, false, i};
    }
    struct tune_programs t = {programs, CHAINS, CHAINS};
    struct tune_result r;
    struct error e = ERROR_INIT;
    assert_int_equal(tune(&r, &wrong, &t, true, &e), OK);
    double factor = factor_of(&r, "Latency of integer instructions");
    assert_true(factor < 0.9 && fabs(wrong.latency[add].typical - 1.4 * factor) < 1e-12);
    assert_true(r.training.mean_abs < r.before.mean_abs / 2);
    for (size_t i = 0; i < CHAINS; i++) /* others say another factor */
        assert_true(fabs(r.estimates_left_out[i] - r.estimates[i]) > 0.004 * programs[i].measured);
    tune_release(&r);
    costs_release(&right);
    costs_release(&wrong);
}

static void test_programs_have_no_say(void **state)
{
    (void)state;
    struct made made;
    struct costs c = costs_with(4);
    make(&made, 3, 3);
    struct tune_program program = {(char *)"p", &made.profile, 0, 1e6, 0, true, 0};
    struct tune_programs t = {&program, 1, 1};
    struct tune_result r;
    struct error e = ERROR_INIT;
    assert_int_equal(tune(&r, &c, &t, false, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "no program to fit on"));
    error_release(&e);
    tune_release(&r);
    costs_release(&c);
}

static void reads_values(void **state)
{
    (void)state;
    static const char table[] = "instruction,quantity,best,typical,worst,like\n"
                                "load,latency,2,3,\n"
                                "va_arg,latency,,,,load\n"
                                "mul,pitch,1,1,2,\n";
    struct costs c = costs_with(9);
    struct error e = ERROR_INIT;
    char path[] = "/tmp/shimgen-tune-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, table, strlen(table)), (ssize_t)strlen(table));
    close(fd);
    assert_int_equal(tune_values_read(&c, path, &e), ERR_INPUT); /* a field too few */
    error_release(&e);
    struct error none = ERROR_INIT;
    static const char right[] = "instruction,quantity,best,typical,worst,like\n"
                                "load,latency,2,3,,\n"
                                "va_arg,latency,,,,load\n"
                                "mul,pitch,1,1,2,\n";
    assert_int_equal(file_write(path, right, strlen(right), &none), OK);
    assert_int_equal(tune_values_read(&c, path, &none), OK);
    unlink(path);
    size_t i = 0;
    assert_true(map_get(&c.names, "load", &i));
    assert_true(c.latency[i].best == 2 && c.latency[i].typical == 3 && c.latency[i].worst == 3);
    assert_true(c.pitch[i].typical == 1); /* as it was */
    assert_true(map_get(&c.names, "va_arg", &i));
    assert_true(c.latency[i].typical == 3);
    assert_true(map_get(&c.names, "mul", &i));
    assert_true(c.pitch[i].worst == 2 && c.latency[i].typical == 1); /* the other from it, too */
    costs_release(&c);
}

static struct cycles latency_of(const struct costs *c, const char *name)
{
    size_t i = 0;
    if (!map_get(&c->names, name, &i))
        fail_msg("%s is not there", name);
    return c->latency[i];
}

#define MICRO_HEAD                                                                                                     \
    "key,condition,quantity,event,value,low,high,copy,loop,with,share,instructions,code,calls,even,use,runs\n"

static void read_micro(struct costs *c, const char *table)
{
    struct error e = ERROR_INIT;
    char path[] = "/tmp/shimgen-micro-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, table, strlen(table)), (ssize_t)strlen(table));
    close(fd);
    assert_int_equal(tune_micro_read(c, path, "CPU_CYCLES", &e), OK);
    unlink(path);
}

/* A table without the plain store, or with one that is uneven, leaves it as it was. */
static void leaves_what_was_not_measured(void **state)
{
    (void)state;
    static const char *const tables[] = {
        MICRO_HEAD "load.i64,chain,latency,CPU_CYCLES,3,3,3,3,0,,alone,1,ldr,,yes,typical,1\n",
        MICRO_HEAD "store.i32,chain,latency,CPU_CYCLES,0,0,0,3,0,load.i32,minus,2,ldr str,,no,typical,1\n",
    };
    for (size_t i = 0; i < 2; i++) {
        struct costs c = costs_with(4);
        costs_add(&c, "store", (struct cycles){1, 1, 1}, (struct cycles){0, 0, 7});
        read_micro(&c, tables[i]);
        assert_true(latency_of(&c, "store").typical == 0);
        assert_true(latency_of(&c, "store").worst == 7);
        costs_release(&c);
    }
}

/* load.i32 costs as load does; load.i64 does not; sin is a function; a store takes until the load after it is done, of
 * which the table takes off the load; what is uneven, or of another event, is not used. */
static void reads_values_by_type_and_function(void **state)
{
    (void)state;
    static const char table[] =
        MICRO_HEAD "load.i32,chain,latency,CPU_CYCLES,4,4,4,4,0,,alone,1,ldr,,yes,typical,1\n"
                   "load.i32,stream,pitch,CPU_CYCLES,1,1,1,1,0,,alone,1,ldr,,yes,typical,1\n"
                   "load.i64,chain,latency,CPU_CYCLES,3,3,3,3,0,,alone,1,ldr,,yes,typical,1\n"
                   "load.i64,stream,pitch,CPU_CYCLES,1,1,1,1,0,,alone,1,ldr,,yes,typical,1\n"
                   "load.i8,chain,latency,CPU_CYCLES,9,9,9,9,0,,alone,1,ldr,,no,typical,1\n"
                   "load.i16,chain,latency,TSC_CYCLES,9,9,9,9,0,,alone,1,ldr,,yes,typical,1\n"
                   "store.i32,chain,latency,CPU_CYCLES,0,0,0,3,0,load.i32,minus,2,ldr str,,yes,typical,1\n"
                   "store.double,chain,latency,CPU_CYCLES,5,5,5,9,0,load.double,minus,2,ldr str,,yes,typical,1\n"
                   "mul.i16,\"chain,far\",latency,CPU_CYCLES,9,9,9,9,0,,alone,1,mul,,yes,range,1\n"
                   "add.i16,\"chain,far\",latency,CPU_CYCLES,9,9,9,9,0,,alone,1,add,,yes,apart,1\n"
                   "call.library.sin,stream,pitch,CPU_CYCLES,100,100,100,100,0,,alone,2,bl,sin,yes,typical,1\n";
    struct costs c = costs_with(4);
    costs_add(&c, "store", (struct cycles){1, 1, 1}, (struct cycles){0, 0, 0});
    read_micro(&c, table);
    assert_false(map_get(&c.names, "load.i32", 0) || map_get(&c.names, "load.i8", 0) ||
                 map_get(&c.names, "load.i16", 0) || map_get(&c.names, "store.i32", 0));
    assert_false(map_get(&c.names, "mul.i16", 0) || map_get(&c.names, "add.i16", 0)); /* not the usual way */
    assert_true(latency_of(&c, "load.i64").typical == 3);
    assert_true(latency_of(&c, "store").typical == 3);
    assert_true(latency_of(&c, "store.double").typical == 9);
    assert_true(latency_of(&c, "call.library.sin").typical == 100);
    costs_release(&c);
}

static double pitch_of(const struct costs *c, const char *name)
{
    size_t i = 0;
    if (!map_get(&c->names, name, &i))
        fail_msg("%s is not there", name);
    return c->pitch[i].typical;
}

/* Cases of more than an instruction alone have names of their own: what a loaded value is used for; chain and stream of the
 * same thing are Latency and Pitch; branches by condition. Uneven ones, and others, have none. */
static void details_have_names(void **state)
{
    (void)state;
    static const char table[] =
        MICRO_HEAD "load.i64,\"stream,use:add\",pitch,CPU_CYCLES,2,2,2,2,0,add.i64,alone,2,add ldr,,yes,apart,1\n"
                   "load.i64,\"stream,use:shl\",pitch,CPU_CYCLES,3,3,3,3,0,shl.i64,alone,2,lsl ldr,,no,apart,1\n"
                   "load.i64,\"stream,use:mul\",pitch,TSC_CYCLES,3,3,3,3,0,mul.i64,alone,2,ldr mul,,yes,apart,1\n"
                   "mul.i64,\"stream,accumulate\",pitch,CPU_CYCLES,3,3,3,3,0,add.i64,alone,1,madd,,yes,apart,1\n"
                   "mul.i64,\"chain,accumulate\",latency,CPU_CYCLES,5,5,5,5,0,add.i64,alone,1,madd,,yes,apart,1\n"
                   "br.cond,\"stream,random,far\",pitch,CPU_CYCLES,8,8,8,8,0,,alone,3,nop*2 tbnz,,yes,range,1\n"
                   "add.i64,\"chain,large\",latency,CPU_CYCLES,1,1,1,1,0,,alone,1,add,,yes,range,1\n";
    struct costs c = costs_with(4);
    read_micro(&c, table);
    assert_true(pitch_of(&c, "load.i64:add") == 2);
    assert_true(pitch_of(&c, "mul.i64:accumulate") == 3 && latency_of(&c, "mul.i64:accumulate").typical == 5);
    assert_true(pitch_of(&c, "br.cond:far") == 8);
    assert_false(map_get(&c.names, "load.i64:shl", 0) || map_get(&c.names, "load.i64:mul", 0) ||
                 map_get(&c.names, "add.i64:large", 0));
    costs_release(&c);
}

/* Pitch and Latency of a key are two rows, in any order, the first usual ones of its own. What one of them lacks is the plain
 * instruction's: load has 1 and 4. A value within 3 % of the plain one's is the same. */
static void both_values_of_a_key(void **state)
{
    (void)state;
    static const char table[] =
        MICRO_HEAD "add.i64,chain,latency,CPU_CYCLES,7,7,7,7,0,,alone,1,add,,yes,typical,1\n"
                   "load.i64,chain,latency,TSC_CYCLES,8,8,8,8,0,,alone,1,ldr,,yes,typical,1\n"
                   "load.i64,stream,pitch,CPU_CYCLES,2,2,2,2,0,,alone,1,ldr,,yes,typical,1\n"
                   "add.i64,stream,pitch,CPU_CYCLES,3,3,3,3,0,,alone,1,add,,yes,typical,1\n"
                   "load.i64,\"chain,far\",latency,CPU_CYCLES,9,9,9,9,0,,alone,1,ldr,,yes,range,1\n"
                   "load.i64,chain,latency,CPU_CYCLES,6,6,6,6,0,,alone,1,ldr,,yes,typical,1\n"
                   "load.i16,chain,latency,CPU_CYCLES,9,9,9,9,0,,alone,1,ldr,,yes,typical,1\n"
                   "load.i8,stream,pitch,CPU_CYCLES,2.5,2.5,2.5,2.5,0,,alone,1,ldr,,yes,typical,1\n"
                   "load.float,chain,latency,CPU_CYCLES,4.12,4.12,4.12,4.12,0,,alone,1,ldr,,yes,typical,1\n"
                   "load.double,chain,latency,CPU_CYCLES,4.13,4.13,4.13,4.13,0,,alone,1,ldr,,yes,typical,1\n"
                   "mul.i64,chain,latency,CPU_CYCLES,100,100,100,100,0,,alone,1,mul,,yes,typical,1\n"
                   "call.library.sin,stream,pitch,CPU_CYCLES,90,90,90,90,0,,alone,2,bl,sin,yes,typical,1\n"
                   "call.direct,\"stream,size=8\",pitch,CPU_CYCLES,5,5,5,5,0,,alone,1,bl,,yes,typical,1\n";
    struct costs c = costs_with(4);
    costs_add(&c, "mul", (struct cycles){1, 1, 1},
              (struct cycles){97, 97, 97}); /* 3 % of the greater, to the last bit */
    read_micro(&c, table);
    assert_true(pitch_of(&c, "load.i64") == 2 && latency_of(&c, "load.i64").typical == 6);
    assert_true(pitch_of(&c, "add.i64") == 3 && latency_of(&c, "add.i64").typical == 7);
    assert_true(pitch_of(&c, "load.i16") == 1 && latency_of(&c, "load.i16").typical == 9);
    assert_true(pitch_of(&c, "load.i8") == 2.5 && latency_of(&c, "load.i8").typical == 4);
    assert_false(map_get(&c.names, "load.float", 0) || map_get(&c.names, "mul.i64", 0));
    assert_true(latency_of(&c, "load.double").typical == 4.13);
    for (size_t i = 0; i < c.names.n; i++)
        assert_null(strchr(c.names.keys[i], ':')); /* a call without a size, or of no function, has none */
    costs_release(&c);
}

/* Calls by what they have to do: of the function, of what the compiler makes of a constant. Pairs with other conditions,
 * uneven rows and plain instructions are none. */
static void reads_calls_by_size(void **state)
{
    (void)state;
    static const char table[] = MICRO_HEAD
        "load.i32,\"stream,size=8\",pitch,CPU_CYCLES,1,1,1,1,0,,alone,1,ldr,,yes,range,1\n"
        "call.llvm.memcpy,\"stream,size=16,constant\",pitch,CPU_CYCLES,3,3,3,3,0,,alone,2,ldr,,yes,typical,1\n"
        "call.llvm.memcpy,\"stream,size=64\",pitch,CPU_CYCLES,23,23,23,23,0,,alone,4,bl,memcpy,yes,range,1\n"
        "call.llvm.memcpy,\"stream,size=128\",pitch,CPU_CYCLES,40,40,40,40,0,,alone,4,bl,memcpy,no,range,1\n"
        "call.library.strlen,\"stream,size=16\",pitch,CPU_CYCLES,29,29,29,29,0,,alone,4,bl,strlen,yes,typical,1\n"
        "call.library.strlen,\"stream,size=4,odd\",pitch,CPU_CYCLES,29,29,29,29,0,,alone,4,bl,,yes,range,1\n";
    struct costs c = costs_with(4);
    read_micro(&c, table);
    assert_true(latency_of(&c, "call.llvm.memcpy:16").typical == 3);
    assert_true(latency_of(&c, "call.library.memcpy:64").typical == 23);
    assert_true(latency_of(&c, "call.library.strlen:16").typical == 29);
    assert_true(latency_of(&c, "call.library.strlen").typical == 29);
    assert_false(map_get(&c.names, "call.library.memcpy:128", 0) || map_get(&c.names, "call.library.strlen:4", 0) ||
                 map_get(&c.names, "call.llvm.memcpy:64", 0));
    for (size_t i = 0; i < c.names.n; i++)
        assert_true(strncmp(c.names.keys[i], "load", 4) != 0 || !strchr(c.names.keys[i], ':'));
    costs_release(&c);
}

/* Divisions by how long their quotients are, where both quantities are known. By a constant there is no quotient, and the
 * library divides what is wider. */
static void reads_divisions_by_quotient(void **state)
{
    (void)state;
    static const char table[] =
        MICRO_HEAD "udiv.i64,chain,latency,CPU_CYCLES,26,26,26,26,0,,alone,1,divu,,yes,typical,1\n"
                   "udiv.i64,stream,pitch,CPU_CYCLES,25,25,25,25,0,,alone,1,divu,,yes,typical,1\n"
                   "udiv.i64,\"chain,small\",latency,CPU_CYCLES,8,8,8,8,0,,alone,1,divu,,yes,range,1\n"
                   "udiv.i64,\"stream,small\",pitch,CPU_CYCLES,7,7,7,7,0,,alone,1,divu,,yes,range,1\n"
                   "udiv.i64,\"stream,large\",pitch,CPU_CYCLES,65,65,65,65,0,,alone,1,divu,,yes,range,1\n"
                   "udiv.i64,\"chain,constant\",latency,CPU_CYCLES,4,4,4,4,0,,alone,2,mulhu,,yes,range,1\n"
                   "udiv.i64,\"stream,constant\",pitch,CPU_CYCLES,1,1,1,1,0,,alone,2,mulhu,,yes,range,1\n"
                   "srem.i32,\"chain,small\",latency,CPU_CYCLES,6,6,6,6,0,,alone,1,remw,,no,range,1\n"
                   "srem.i32,\"stream,small\",pitch,CPU_CYCLES,5,5,5,5,0,,alone,1,remw,,yes,range,1\n"
                   "urem.i128,chain,latency,CPU_CYCLES,90,90,90,90,0,,alone,6,jalr,__umodti3,yes,typical,1\n"
                   "urem.i128,stream,pitch,CPU_CYCLES,91,91,91,91,0,,alone,6,jalr,__umodti3,yes,typical,1\n";
    struct costs c = costs_with(4);
    size_t with_length = 0;
    read_micro(&c, table);
    assert_true(pitch_of(&c, "udiv.i64:20") == 25 && latency_of(&c, "udiv.i64:20").worst == 26);
    assert_true(pitch_of(&c, "udiv.i64:2") == 7 && latency_of(&c, "udiv.i64:2").typical == 8);
    for (size_t i = 0; i < c.names.n; i++)
        with_length += strchr(c.names.keys[i], ':') != NULL;
    assert_int_equal(with_length, 2);
    costs_release(&c);
}

/* The event that cycles are of: the other column of cycles that has the same in each row. */
static void which_event_cycles_are_of(void **state)
{
    (void)state;
    char *names[] = {(char *)"add.i32", (char *)"TSC_CYCLES", (char *)"cycles", (char *)"CPU_CYCLES", (char *)"copy"};
    enum regress_column kinds[] = {REGRESS_KEY, REGRESS_CYCLES, REGRESS_CYCLES, REGRESS_CYCLES, REGRESS_KEY};
    double values[] = {7, 1, 7, 7, 7, 8, 9, 8, 8, 8, 6, 5, 5, 5, 5};
    struct regress_data d = {.n = 3, .cols = 5, .names = names, .kinds = kinds, .values = values};
    assert_string_equal(tune_cycle_event(&d), "CPU_CYCLES");
    values[13] = 4; /* the last row: of no event */
    assert_null(tune_cycle_event(&d));
    names[2] = (char *)"time";
    assert_null(tune_cycle_event(&d));
}

/* What costs as much of all types is corrected of all types. */
static void corrects_a_kind_with_all_its_types(void **state)
{
    (void)state;
    struct made made;
    struct costs right = costs_with(2), wrong = costs_with(4);
    make(&made, 8, 1);
    struct tune_program program = {(char *)"p", &made.profile, 0, cycles_of(&made, &right), 0, false, 0};
    struct tune_programs t = {&program, 1, 1};
    struct tune_result r;
    struct error e = ERROR_INIT;
    costs_add(&wrong, "load.i64", (struct cycles){1, 1, 1}, (struct cycles){8, 8, 8});
    costs_add(&wrong, "call.library.load", (struct cycles){8, 8, 8}, (struct cycles){8, 8, 8});
    assert_int_equal(tune(&r, &wrong, &t, false, &e), OK);
    double factor = latency_of(&wrong, "load").typical / 4;
    assert_true(factor < 0.95); /* one program against what was measured */
    assert_true(fabs(latency_of(&wrong, "load.i64").typical - 8 * factor) < 1e-9);
    assert_true(latency_of(&wrong, "call.library.load").typical == 8);
    tune_release(&r);
    costs_release(&right);
    costs_release(&wrong);
}

/* A region that begins or ends within a block: what is executed of the block costs what it does in the whole of it. */
static void regions_begin_within_blocks(void **state)
{
    (void)state;
    struct made made;
    struct costs c = costs_with(4);
    struct irprof_segment halves[2] = {{0, 0, 0, IRPROF_NONE, 0, 1, 0, 3}, {0, 0, 0, IRPROF_NONE, 1, 1, 3, 3}};
    struct irprof_part parts[2];
    uint64_t times[2] = {100, 100};
    make(&made, 3, 3);
    double whole = cycles_of(&made, &c);
    parts[0] = parts[1] = made.part;
    made.profile.segments = halves;
    made.profile.n_segments = 2;
    made.profile.parts = parts;
    made.profile.n_parts = 2;
    for (size_t i = 3; i < 6; i++)
        made.instructions[i].part = 1;
    made.region.executions = times;
    assert_true(whole > 0 && fabs(cycles_of(&made, &c) - whole) < 1e-9);
    times[1] = 0;
    double front = cycles_of(&made, &c);
    times[0] = 0;
    times[1] = 100;
    double back = cycles_of(&made, &c);
    assert_true(front > 0 && back > 0 && fabs(front + back - whole) < 1e-9);
    costs_release(&c);
}

/* Each program's loads miss 50 times: the second pass leaves that out, and each pass has an interval of its own. */
static void second_pass_ignores_events(void **state)
{
    (void)state;
    static char *events[] = {(char *)"L1D_CACHE_REFILL", (char *)"BR_MIS_PRED"};
    static struct irprof_event_site event_sites[] = {{.event = 0}, {.event = 1}};
    struct made made[PROGRAMS];
    struct tune_program programs[PROGRAMS];
    uint64_t event_counts[2] = {50, 0};
    char *names[PROGRAMS], *regions[PROGRAMS];
    struct costs c = costs_with(4);
    c.n_refills = 1;
    c.refills[0] = c.streams[0] = (struct cycles){20, 20, 20};
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        make(&made[i], 1 + i, 3);
        made[i].profile.events = events;
        made[i].profile.n_events = 2;
        made[i].profile.event_sites = event_sites;
        made[i].profile.n_event_sites = 2;
        made[i].part.n_event_sites = 2;
        made[i].region.event_counts = event_counts;
        names[i] = (char *)"p@O2";
        regions[i] = (char *)"";
        programs[i] = (struct tune_program){names[i], &made[i].profile, 0, cycles_of(&made[i], &c), i, false, i};
    }
    struct tune_programs t = {programs, PROGRAMS, PROGRAMS};
    struct tune_result r;
    struct error e = ERROR_INIT;
    assert_int_equal(tune(&r, &c, &t, true, &e), OK);
    for (size_t i = 0; i < PROGRAMS; i++)
        assert_true(r.estimates_left_out[i] > r.estimates_without_events[i] + 100);
    struct regress_data d = {.path = (char *)"dataset.csv", .programs = names, .regions = regions};
    struct schedule_model *m;
    schedule_model_make(&m, &r, &t, &d, "b.shim.xml");
    assert_int_equal(m->n_intervals, 2);
    assert_true(!m->intervals[0].events && m->intervals[1].events);
    assert_true(m->intervals[0].low > 1.01 && m->intervals[1].low < 1.01 && m->intervals[1].high < 1.1);
    schedule_model_free(m);
    tune_release(&r);
    costs_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_factor),
        cmocka_unit_test(which_event_cycles_are_of),
        cmocka_unit_test(both_values_of_a_key),
        cmocka_unit_test(integer_instructions_are_corrected),
        cmocka_unit_test(factors_in_numbers),
        cmocka_unit_test(test_programs_have_no_say),
        cmocka_unit_test(reads_values),
        cmocka_unit_test(reads_values_by_type_and_function),
        cmocka_unit_test(details_have_names),
        cmocka_unit_test(reads_calls_by_size),
        cmocka_unit_test(reads_divisions_by_quotient),
        cmocka_unit_test(leaves_what_was_not_measured),
        cmocka_unit_test(corrects_a_kind_with_all_its_types),
        cmocka_unit_test(regions_begin_within_blocks),
        cmocka_unit_test(second_pass_ignores_events),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
