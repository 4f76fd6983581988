/* board.ini: what stands in it is what comes out; what does not belong there is refused at its line. */
#include "fixture.h"

#include "boards/description/event_names.h"

static struct board *load(const char *text)
{
    struct error e = ERROR_INIT;
    struct board *b = NULL;
    char *path = put_file("board.ini", text);
    if (board_load(&b, path, &e)) {
        error_print(&e, "test_board");
        fail();
    }
    free(path);
    return b;
}

static void refuse(const char *text, const char *message)
{
    struct error e = ERROR_INIT;
    struct board *b = NULL;
    char *path = put_file("board.ini", text);
    assert_int_equal(board_load(&b, path, &e), ERR_INPUT);
    assert_null(b);
    assert_says(&e, message);
    free(path);
}

static void test_values(void **state)
{
    (void)state;
    struct board *b = load("[board]\ntitle = A board\ntarget = aarch64-linux-gnu\n[compile]\nlevels = O1 O3\n"
                           "flags = -ffp-contract=off -g\nflags.O3 = -mcpu=cortex-a53\n[link]\nflags = -static -lm\n"
                           "[run]\nruns = 7\nextra_runs = 3\ntimeout = 2.5\ncache = warm\ncore = 3\npriority = normal\n"
                           "[clock]\nhz = 1.4e9\n[counter]\nsource = pmu\n[events]\nCPU_CYCLES = raw:0x11\n"
                           "L1D_CACHE_REFILL = cache:l1d.read.miss\n");
    assert_string_equal(b->title, "A board");
    assert_string_equal(b->target, "aarch64-linux-gnu");
    assert_int_equal(b->n_levels, 2);
    const struct board_level *l = board_find_level(b, "O3");
    assert_non_null(l);
    const char *const flags[] = {"-O3", "-ffp-contract=off", "-g", "-mcpu=cortex-a53", NULL};
    for (size_t i = 0; flags[i]; i++)
        assert_string_equal(l->flags[i], flags[i]);
    assert_null(l->flags[4]);
    assert_null(board_find_level(b, "O2"));
    assert_int_equal(b->runs, 7);
    assert_int_equal(b->extra_runs, 3);
    assert_true(b->timeout_s == 2.5);
    assert_int_equal(b->cache, BOARD_WARM);
    assert_int_equal(b->core, 3);
    assert_false(b->raise_priority);
    assert_true(b->clock_hz == 1.4e9);
    assert_int_equal(b->source, BOARD_SOURCE_PMU);
    assert_int_equal(b->n_events, 2);
    assert_int_equal(b->events[0].type, 4); /* PERF_TYPE_RAW, perf_event_open(2) */
    assert_int_equal(b->events[0].config, 0x11);
    assert_int_equal(b->events[1].type, 3);          /* PERF_TYPE_HW_CACHE */
    assert_int_equal(b->events[1].config, 1u << 16); /* L1D 0, read 0 << 8, miss 1 << 16 */
    board_free(b);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse("[run]\nruns = 3\nrunz = 4\n", "board.ini:3: unknown key 'runz' in [run]; did you mean 'runs'?");
    refuse("[run]\nzzzzzzzzzz = 4\n", "there are how ssh ssh_options folder runs precision least_runs extra_runs");
    refuse("[rnu]\nruns = 3\n", "board.ini:2: unknown section [rnu]");
    refuse("[run]\nruns = 0\n", "board.ini:2: '0' is not a value for runs");
    refuse("[run]\nruns = many\n", "'many' is not a value for runs");
    refuse("[run]\ntimeout = nan\n", "'nan' is not a value for timeout");
    refuse("[run]\ntimeout = 0\n", "more than 0");
    refuse("[run]\ncache = tepid\n", "say cold or warm");
    refuse("[run]\ncore = -2\n", "give a core's number or auto");
    refuse("[clock]\nhz = inf\n", "'inf' is not a value for hz");
    refuse("[compile]\nlevels =\n", "name optimisation levels");
    refuse("[compile]\nlevels = O2 fast\n", "name optimisation levels");
    refuse("[compile]\nflags.o2 = -g\n", "board.ini:2: 'flags.o2' names no optimisation level");
    refuse("[events]\nCPU_CYCLES = 0x11\n", "raw:0x11");
    refuse("[events]\nCPU_CYCLES = cache:l1d.read\n", "is not a value for CPU_CYCLES");
    refuse("[events]\nL1D_CACHE = cache:l4.read.miss\n", "is not a value");
    refuse("[events]\ncycles = hw:cycles\n", "'cycles' is not an event's name");
    refuse("[events]\nA = raw:99999999999999999999999\n", "is not a value");
}

/* The keys of boards that are elsewhere. */
static void test_ways(void **state)
{
    (void)state;
    struct board *b = load("[run]\nssh = pi@raspberrypi\nssh_options = -p 2222 -i key\nfolder = /var/tmp\n");
    assert_int_equal(b->how, BOARD_SSH); /* what else would the address be for */
    assert_string_equal(b->ssh, "pi@raspberrypi");
    assert_string_equal(b->ssh_options[3], "key");
    assert_null(b->ssh_options[4]);
    assert_string_equal(b->remote_folder, "/var/tmp");
    board_free(b);
    b = load("[board]\ntarget = aarch64-linux-gnu\n[run]\nhow = simulator\n[simulator]\nemulator = qemu-aarch64\n"
             "cpu = cortex-a53\nmodel = a53.ini\ninterval_optimised = 0.9 0.8 1.25\n");
    assert_int_equal(b->how, BOARD_SIMULATOR);
    assert_true(b->compiled_intervals[0].level == 0 && b->compiled_intervals[1].level == 0.9);
    assert_true(b->compiled_intervals[1].low == 0.8 && b->compiled_intervals[1].high == 1.25);
    assert_string_equal(b->emulator, "qemu-aarch64");
    char *model = in_scratch("a53.ini"); /* beside board.ini */
    assert_string_equal(b->model, model);
    free(model);
    assert_string_equal(b->count_command[0],
                        "qemu-aarch64"); /* what is simulated can be counted by the same emulator */
    assert_string_equal(b->count_command[2], "cortex-a53");
    assert_string_equal(b->measurements, "");
    board_free(b);
    b = load("[board]\ntarget = v850e3-none-elf\n[run]\nhow = import\n[count]\ntarget = arm-linux-gnueabihf\n"
             "flags = -mfpu=vfpv3-d16\ncommand = qemu-arm -L /usr/arm-linux-gnueabihf\n[compile]\nlevels = O1\n");
    assert_int_equal(b->how, BOARD_IMPORT);
    assert_string_equal(b->measurements, "measurements.csv");
    assert_string_equal(board_target(b), "arm-linux-gnueabihf");
    struct board_args args = {0, 0};
    board_compile_flags(b, "O1", &args);
    const char *const flags[] = {"--target=arm-linux-gnueabihf", "-O1", "-mfpu=vfpv3-d16"};
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(args.at[i], flags[i]);
    board_args_release(&args);
    board_free(b);
}

/* What cannot be together is refused where it stands. */
static void test_contradictions(void **state)
{
    (void)state;
    refuse("[run]\nhow = far\n",
           "board.ini:2: 'far' is not a value for how; say native, ssh, simulator, import or command");
    refuse("[run]\nhow = simulator\n", "board.ini:2: how = simulator needs [simulator] emulator");
    refuse("[simulator]\nemulator = qemu-aarch64\n[run]\nhow = simulator\n",
           "board.ini:4: how = simulator needs [simulator] model");
    refuse("[run]\nhow = simulator\nssh = a@b\n[simulator]\nemulator = e\nmodel = m\n",
           "board.ini:3: [run] ssh has no effect on a board with [run] how = simulator; it is for ssh");
    refuse("[run]\nhow = native\nssh = a@b\n", "board.ini:3: [run] ssh has no effect");
    refuse("[simulator]\nmodel = m\n", "board.ini:2: [simulator] model has no effect on a board with [run] "
                                       "how = native; it is for simulator");
    refuse("[import]\nmeasurements = m.csv\n", "it is for import");
    refuse("[count]\ntarget = arm-linux-gnueabihf\n", "it is for import");
    refuse("[run]\nhow = import\nruns = 3\n", "board.ini:3: [run] runs has no effect");
    refuse("[run]\nhow = import\n[counter]\nsource = pmu\n", "board.ini:4: [counter] source has no effect");
    refuse("[run]\nssh = -oProxyCommand=x\n", "write user@host");
    refuse("[run]\nssh = a@b; rm\n", "write user@host");
    refuse("[run]\nssh =\n", "write user@host");
    refuse("[run]\nfolder = tmp\n", "board.ini:2: 'tmp' is not a value for folder");
    refuse("[run]\nfolder = /tmp/$HOME\n", "is not a value for folder");
    refuse("[board]\ntarget = -x\n", "write a target triple");
    refuse("[compile]\ncompiler = clang 19\n", "name the C compiler");
    refuse("[simulator]\nemulator =\n", "name qemu's user-mode emulator");
    refuse("[simulator]\nmodel =\n", "name the simulator's data file");
    refuse("[import]\nmeasurements =\n", "name the table");
    refuse("[simulator]\ninterval_optimised = 0.9 1.1 1.2\n", "give probability, lower and upper bound");
    refuse("[simulator]\ninterval_optimised = 0.9 0.8\n", "as in '0.9 0.95 1.2'");
    refuse("[simulator]\nmodle = x\n", "did you mean 'model'?");
}

static const struct board_setting *setting(const struct board_settings *s, const char *section, const char *key)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->at[i].section, section) == 0 && strcmp(s->at[i].key, key) == 0)
            return &s->at[i];
    return NULL;
}

static void assert_setting(const struct board_settings *s, const char *section, const char *key, const char *value,
                           const char *from)
{
    const struct board_setting *x = setting(s, section, key);
    assert_non_null(x);
    assert_string_equal(x->value, value);
    assert_string_equal(x->from, from);
}

static void test_settings(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct board *b = load("[compile]\nflags = -g\nflags.O2 = -mcpu=native\n[run]\ncache = warm\n[events]\n"
                           "CPU_CYCLES = raw:0x11\n");
    struct board_overrides o = {.runs = 5, .ssh = "me@there"};
    struct board_settings s;
    assert_int_equal(board_override(b, &o, &e), OK);
    board_settings(b, &s);
    assert_setting(&s, "compile", "levels", "O0 O2", "default");
    assert_setting(&s, "compile", "flags.O0", "-g", "board.ini:2");
    assert_setting(&s, "compile", "flags.O2", "-g -mcpu=native", "board.ini:3");
    assert_setting(&s, "run", "cache", "warm", "board.ini:5");
    assert_setting(&s, "run", "runs", "5", "--runs");
    assert_setting(&s, "run", "ssh", "me@there", "--ssh");
    assert_setting(&s, "run", "how", "ssh", "--ssh");
    assert_setting(&s, "events", "CPU_CYCLES", "raw:0x11", "board.ini:7");
    assert_setting(&s, "run", "timeout", "60", "default");
    assert_null(setting(&s, "simulator", "model")); /* of no meaning here */
    /* What holds, written down, is a description with the same meaning. */
    struct str text = STR_INIT;
    for (size_t i = 0; i < s.n; i++)
        if (*s.at[i].value)
            str_addf(&text, "[%s]\n%s = %s\n", s.at[i].section, s.at[i].key, s.at[i].value);
    struct board *again = load(text.s);
    struct board_settings t;
    board_settings(again, &t);
    assert_int_equal(t.n, s.n);
    for (size_t i = 0; i < s.n; i++)
        if (strcmp(s.at[i].key, "title") != 0)
            assert_string_equal(t.at[i].value, s.at[i].value);
    board_settings_release(&t);
    board_settings_release(&s);
    board_free(again);
    board_free(b);
    str_release(&text);
}

/* A board stands by its folder: the files beside board.ini are found from there, and it is named by it. */
static void test_folder(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct board *b = NULL;
    char *ini = put_file("mine/board.ini", "[run]\nhow = import\n"), *folder = in_scratch("mine");
    assert_int_equal(board_load(&b, folder, &e), OK);
    assert_string_equal(b->name, "mine");
    assert_string_equal(b->skeleton, "");
    char *table = board_measurements_path(b);
    assert_string_equal(table, "measurements.csv"); /* nowhere yet: as it is written */
    free(table);
    board_free(b);
    char *skeleton = put_file("mine/skeleton.shim.xml", "<x/>"), *packages = put_file("mine/packages.txt", "");
    char *measured = put_file("mine/measurements.csv", "x\n");
    assert_int_equal(board_load(&b, ini, &e), OK);
    assert_string_equal(b->skeleton, skeleton);
    assert_string_equal(b->packages, packages);
    table = board_measurements_path(b);
    assert_string_equal(table, measured);
    free(table);
    board_free(b);
    assert_int_equal(chdir(folder), 0); /* "." is the folder itself */
    assert_int_equal(board_load(&b, ".", &e), OK);
    assert_string_equal(b->name, "mine");
    board_free(b);
    assert_int_equal(chdir(".."), 0); /* a board of your own by its name */
    assert_int_equal(board_load(&b, "mine", &e), OK);
    assert_string_equal(b->name, "mine");
    board_free(b);
    assert_int_equal(chdir("/"), 0);
    free(ini);
    free(folder);
    free(skeleton);
    free(packages);
    free(measured);
}

static void test_unknown_board(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct board *b = NULL;
    assert_int_equal(board_load(&b, "nowhere", &e), ERR_INPUT);
    assert_says(&e, "no board 'nowhere'; there are: cortex-m4-qemu, ");
    assert_int_equal(board_load(&b, "/nowhere/board.ini", &e), ERR_SYSTEM);
    error_release(&e);
}

static void test_overrides(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct board *b = load("[compile]\nlevels = O0\nflags.O3 = -funroll-loops\n[run]\nruns = 100\nextra_runs = 50\n"
                           "precision = 0.5\nleast_runs = 12\n");
    assert_true(b->precision > 0.00499 && b->precision < 0.00501);
    assert_int_equal(b->least_runs, 12);
    struct board_overrides exact = {.precision = 0.02};
    assert_int_equal(board_override(b, &exact, &e), OK);
    assert_int_equal(b->runs, 100);
    assert_true(b->precision == 0.02);
    struct board_overrides o = {.runs = 10, .levels = "O3,O1", .cache = "warm", .core = "0", .source = "constant"};
    assert_int_equal(board_override(b, &o, &e), OK);
    assert_int_equal(b->runs, 10);
    assert_true(b->precision == 0);     /* so many, not fewer */
    assert_int_equal(b->extra_runs, 5); /* the same share */
    assert_int_equal(b->n_levels, 2);
    assert_string_equal(b->levels[0].flags[1], "-funroll-loops");
    assert_string_equal(b->levels[1].flags[0], "-O1");
    assert_int_equal(b->cache, BOARD_WARM);
    assert_int_equal(b->core, 0);
    assert_int_equal(b->source, BOARD_SOURCE_CONSTANT);
    struct board_overrides bad[] = {{.runs = -1},      {.levels = "2"},   {.cache = "hot"}, {.core = "x"},
                                    {.source = "gpu"}, {.timeout_s = -1}, {.ssh = "-x"},    {.measurements = "m.csv"},
                                    {.precision = -1}, {.precision = 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bad[i].runs = bad[i].runs ? bad[i].runs : 77;
        assert_int_equal(board_override(b, &bad[i], &e), ERR_USAGE);
        error_release(&e);
        assert_int_equal(b->runs, 10); /* unchanged */
    }
    board_free(b);
}

static void test_flags(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct board *b = load("[board]\ntarget = riscv64-linux-gnu\n[compile]\nlevels = O2\n");
    struct board_args args = {0, 0};
    board_compile_flags(b, "O2", &args);
    assert_string_equal(args.at[0], "--target=riscv64-linux-gnu");
    assert_string_equal(args.at[1], "-O2");
    assert_memory_equal(args.at[args.n - 1], "-I", 2);
    assert_null(args.at[args.n]);
    /* Its C library is not among the packages that we need. */
    board_free(b);
    b = load("[board]\ntarget = s390x-linux-gnu\n[compile]\nlevels = O2\n");
    assert_int_equal(board_link_flags(b, scratch, &args, &e), ERR_SYSTEM);
    assert_says(&e, "s390x-linux-gnu");
    board_args_release(&args);
    board_free(b);
}

static void test_default_events(void **state)
{
    (void)state;
    struct board *b = load("[compile]\nlevels = O2\n");
    struct str spec = STR_INIT;
    events_spec(&spec, b, "aarch64", "");
    /* Numbers of Arm's common events, from the Architecture Reference Manual; in order of importance (measuring.md). */
    assert_string_equal(spec.s, "CPU_CYCLES=4:0x11,INST_RETIRED=4:0x8,BR_MIS_PRED=4:0x10,L1D_CACHE_REFILL=4:0x3,"
                                "L2D_CACHE_REFILL=4:0x17,L1D_CACHE=4:0x4,L2D_CACHE=4:0x16");
    str_clear(&spec);
    events_spec(&spec, b, "x86_64", "GenuineIntel");
    assert_null(strstr(spec.s, "L2D")); /* Linux has no generic name for Intel's L2 */
    str_release(&spec);
    board_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),    cmocka_unit_test(test_refusals),       cmocka_unit_test(test_unknown_board),
        cmocka_unit_test(test_overrides), cmocka_unit_test(test_flags),          cmocka_unit_test(test_default_events),
        cmocka_unit_test(test_ways),      cmocka_unit_test(test_contradictions), cmocka_unit_test(test_settings),
        cmocka_unit_test(test_folder),
    };
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
