/* Descriptions of launches, read; the program's tables of them, written: by hand from docs/formats/launch.md. */
#include "tests/unit/irprof/ir.h"

#include "base/file.h"
#include "irprof/kernel/opencl_kernels.h"

static enum status read_text(struct launch *l, const char *text, struct error *e)
{
    char path[] = "/tmp/irprof-launch-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    enum status s = launch_read(l, path, e);
    assert_string_equal(l->path, path);
    unlink(path);
    return s;
}

static struct launch read_good(const char *text)
{
    struct launch l;
    struct error e = ERROR_INIT;
    if (read_text(&l, text, &e))
        fail_msg("%lu: %s", e.line, e.message);
    return l;
}

#define K "launch k global 1 local 1\n"

static void buffers(void **state)
{
    (void)state;
    struct launch l =
        read_good("# all types and fills\r\n\nbuffer a char 1 zero result\nbuffer _b9 uchar 2 uniform:5 # seed\n"
                  "\tbuffer  c\tshort 3 random:18446744073709551615\nbuffer d ushort 4 count\nbuffer e int 5 value:-3\n"
                  "buffer f uint 6 value:9007199254740992\nbuffer g long 7 file:x:y\nbuffer h ulong 8 zero\n"
                  "buffer i float 9 value:1e300\nbuffer j double 10 value:0.5 result\n" K);
    static const struct {
        const char *name, *type, *host;
        size_t size;
        bool real, is_unsigned;
        enum host_fill fill;
        uint64_t seed;
        double value;
        const char *file;
        bool result;
    } wanted[] = {{"a", "char", "int8_t", 1, false, false, HOST_ZERO, 0, 0, 0, true},
                  {"_b9", "uchar", "uint8_t", 1, false, true, HOST_UNIFORM, 5, 0, 0, false},
                  {"c", "short", "int16_t", 2, false, false, HOST_RANDOM, UINT64_MAX, 0, 0, false},
                  {"d", "ushort", "uint16_t", 2, false, true, HOST_COUNT, 0, 0, 0, false},
                  {"e", "int", "int32_t", 4, false, false, HOST_VALUE, 0, -3, 0, false},
                  {"f", "uint", "uint32_t", 4, false, true, HOST_VALUE, 0, 9007199254740992, 0, false},
                  {"g", "long", "int64_t", 8, false, false, HOST_FILE, 0, 0, "x:y", false},
                  {"h", "ulong", "uint64_t", 8, false, true, HOST_ZERO, 0, 0, 0, false},
                  {"i", "float", "float", 4, true, false, HOST_VALUE, 0, 1e300, 0, false},
                  {"j", "double", "double", 8, true, false, HOST_VALUE, 0, 0.5, 0, true}};
    assert_int_equal(l.buffers.n, 10);
    for (size_t i = 0; i < 10; i++) {
        const struct launch_buffer *b = &l.buffers.at[i];
        assert_string_equal(b->name, wanted[i].name);
        assert_string_equal(b->type->name, wanted[i].type);
        assert_string_equal(b->type->host, wanted[i].host);
        assert_int_equal(b->type->size, wanted[i].size);
        assert_int_equal(b->type->real, wanted[i].real);
        assert_int_equal(b->type->is_unsigned, wanted[i].is_unsigned);
        assert_int_equal(b->count, i + 1);
        assert_int_equal(b->fill, wanted[i].fill);
        assert_int_equal(b->seed, wanted[i].seed);
        assert_true(b->value == wanted[i].value);
        assert_true(b->file ? wanted[i].file && strcmp(b->file, wanted[i].file) == 0 : !wanted[i].file);
        assert_int_equal(b->result, wanted[i].result);
        assert_int_equal(b->line, i + 3);
    }
    launch_release(&l);
}

static void launches(void **state)
{
    (void)state;
    struct launch l =
        read_good("buffer a int 4 zero\nbuffer b int 4 zero\nlaunch k global 16,4,2 local 8,2,1\n"
                  "launch m global 1024 local 1024 args b char:-128 char:127 uchar:255 short:-32768 ushort:65535 "
                  "int:-2147483648 uint:4294967295 long:-9223372036854775808 ulong:18446744073709551615 "
                  "float:-0.5 double:3 local:1048576 a\nlaunch k global 65536,65536 local 1,1 args\n");
    assert_int_equal(l.kernels.n, 3);
    const struct launch_kernel *k = &l.kernels.at[0];
    static const size_t global[] = {16, 4, 2}, local[] = {8, 2, 1}, line[] = {1024, 1, 1};
    assert_string_equal(k->name, "k");
    assert_int_equal(k->dimensions, 3);
    assert_memory_equal(k->global, global, sizeof global);
    assert_memory_equal(k->local, local, sizeof local);
    assert_int_equal(k->arguments.n, 0);
    assert_int_equal(k->line, 3);
    k = &l.kernels.at[1];
    assert_int_equal(k->dimensions, 1);
    assert_memory_equal(k->global, line, sizeof line);
    assert_memory_equal(k->local, line, sizeof line);
    static const struct {
        enum host_kind kind;
        size_t n;
        const char *type, *value;
    } wanted[] = {{HOST_BUFFER, 1, 0, 0},
                  {HOST_SCALAR, 0, "char", "0 - 128u"},
                  {HOST_SCALAR, 0, "char", "127u"},
                  {HOST_SCALAR, 0, "uchar", "255u"},
                  {HOST_SCALAR, 0, "short", "0 - 32768u"},
                  {HOST_SCALAR, 0, "ushort", "65535u"},
                  {HOST_SCALAR, 0, "int", "0 - 2147483648u"},
                  {HOST_SCALAR, 0, "uint", "4294967295u"},
                  {HOST_SCALAR, 0, "long", "0 - 9223372036854775808u"},
                  {HOST_SCALAR, 0, "ulong", "18446744073709551615u"},
                  {HOST_SCALAR, 0, "float", "-0x1p-1"},
                  {HOST_SCALAR, 0, "double", "0x1.8p+1"},
                  {HOST_LOCAL, 1048576, 0, 0},
                  {HOST_BUFFER, 0, 0, 0}};
    assert_int_equal(k->arguments.n, 14);
    for (size_t i = 0; i < 14; i++) {
        const struct launch_argument *a = &k->arguments.at[i];
        assert_int_equal(a->kind, wanted[i].kind);
        assert_int_equal(a->n, wanted[i].n);
        assert_true(a->kind != HOST_SCALAR || strcmp(a->type->name, wanted[i].type) == 0);
        assert_true(a->kind != HOST_SCALAR || strcmp(a->value, wanted[i].value) == 0);
    }
    assert_int_equal(l.kernels.at[2].dimensions, 2);
    launch_release(&l);
}

/* Names of 199 characters, 64 arguments and 4096 launches are the most. */
static void limits(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    for (int more = 0; more < 2; more++) {
        struct launch l;
        struct str name = STR_INIT, arguments = STR_INIT, many = STR_INIT, text = STR_INIT;
        for (int i = 0; i < 199 + more; i++)
            str_addch(&name, 'a');
        for (int i = 0; i < 64 + more; i++)
            str_add(&arguments, " int:1");
        for (int i = 0; i < 4096 + more; i++)
            str_add(&many, K);
        str_addf(&text, "buffer %s int 1 zero\n" K, name.s);
        assert_int_equal(read_text(&l, text.s, &e), more ? ERR_INPUT : OK);
        launch_release(&l);
        error_release(&e);
        str_clear(&text);
        str_addf(&text, "launch k global 1 local 1 args%s\n", arguments.s);
        assert_int_equal(read_text(&l, text.s, &e), more ? ERR_INPUT : OK);
        assert_true(!more || strcmp(e.message, "there are more than 4096 launches, or 64 arguments") == 0);
        launch_release(&l);
        error_release(&e);
        assert_int_equal(read_text(&l, many.s, &e), more ? ERR_INPUT : OK);
        assert_true(!more || e.line == 4097);
        launch_release(&l);
        error_release(&e);
        str_release(&name);
        str_release(&arguments);
        str_release(&many);
        str_release(&text);
    }
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned long line;
        const char *message;
    } cases[] = {
        {"# nothing\n", 0, "launches no kernel: write a line 'launch KERNEL ...'"},
        {"buffer a int 1\n" K, 1, "a buffer is 'buffer NAME TYPE COUNT FILL [result]'"},
        {"buffer a int 1 zero results\n" K, 1, "a buffer is 'buffer NAME TYPE COUNT FILL [result]'"},
        {"buffer a int 1 zero result result\n" K, 1, "a buffer is 'buffer NAME TYPE COUNT FILL [result]'"},
        {"buffer 9a int 1 zero\n" K, 1, "'9a' cannot be a buffer's name: use letters, digits and '_'"},
        {"buffer a-b int 1 zero\n" K, 1, "'a-b' cannot be a buffer's name: use letters, digits and '_'"},
        {"buffer a int 1 zero\nbuffer b int 1 zero\nbuffer b int 1 zero\n" K, 3, "there is a buffer 'b' already"},
        {"buffer a in 1 zero\n" K, 1,
         "'in' is not a type: use char, short, int, long, with u before it, float or double"},
        {"buffer a int 1x zero\n" K, 1, "'1x' is not a number of elements, from 1 to 1 GiB of them"},
        {"buffer a int 000000000000000000001 zero\n" K, 1,
         "'000000000000000000001' is not a number of elements, from 1 to 1 GiB of them"},
        {"buffer a char 1073741824 zero\nbuffer b char 1 zero\n" K, 2, "the buffers together have more than 1 GiB"},
        {"buffer a long 134217729 zero\n" K, 1, "'134217729' is not a number of elements, from 1 to 1 GiB of them"},
        {"buffer a int 1 value:9007199254740993e1\n" K, 1, "'9007199254740993e1' is not a value of type int"},
        {"buffer a int 1 value:nan\n" K, 1, "'nan' is not a value of type int"},
        {"buffer a float 1 value:\n" K, 1, "'' is not a value of type float"},
        {"buffer a float 1 random:\n" K, 1, "'' is not a seed: give a whole number"},
        {"launch k global 1 local\n", 1,
         "a launch is 'launch KERNEL global X[,Y[,Z]] local X[,Y[,Z]] [args ARGUMENT...]'"},
        {"launch k all 1 local 1\n", 1,
         "a launch is 'launch KERNEL global X[,Y[,Z]] local X[,Y[,Z]] [args ARGUMENT...]'"},
        {"launch k global 1 in 1\n", 1,
         "a launch is 'launch KERNEL global X[,Y[,Z]] local X[,Y[,Z]] [args ARGUMENT...]'"},
        {"launch k global 1 local 1 a\n", 1,
         "a launch is 'launch KERNEL global X[,Y[,Z]] local X[,Y[,Z]] [args ARGUMENT...]'"},
        {"launch k global 4,2 local 4,3\n", 1, "2 work-items cannot be cut into work-groups of 3"},
        {"launch k global 4, local 4\n", 1,
         "'4,' are not numbers of work-items: give one to three, with commas between"},
        {"launch k global 4294967297 local 1\n", 1,
         "'4294967297' are not numbers of work-items: give one to three, with commas between"},
        {"launch k global 65536,65537 local 1,1\n", 1, "there are more than 2^32 work-items"},
        {"launch k global 1024,2 local 1024,2\n", 1, "a work-group has more than 1024 work-items"},
        {"launch k global 4,2 local 4\n", 1, "global has 2 dimensions, local has 1"},
        {"launch k global 1 local 1 args char:128\n", 1, "'char:128' is not a value of type char"},
        {"launch k global 1 local 1 args char:-129\n", 1, "'char:-129' is not a value of type char"},
        {"launch k global 1 local 1 args long:9223372036854775808\n", 1,
         "'long:9223372036854775808' is not a value of type long"},
        {"launch k global 1 local 1 args ushort:-0\n", 1, "'ushort:-0' is not a value of type ushort"},
        {"launch k global 1 local 1 args double:inf\n", 1, "'double:inf' is not a number"},
        {"launch k global 1 local 1 args local:1048577\n", 1,
         "'local:1048577': local memory has from 1 to 1048576 bytes"},
        {"launch k global 1 local 1 args loc:1\n", 1,
         "'loc' in 'loc:1' is not a type: use char, short, int, long, with u before it, float or double"},
        {"launch k global 1 local 1 args a\n", 1,
         "'a' is not a buffer of the lines above; a number is written as TYPE:VALUE, local memory as local:BYTES"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct launch l;
        struct error e = ERROR_INIT;
        assert_int_equal(read_text(&l, cases[i].text, &e), ERR_INPUT);
        assert_string_equal(e.message, cases[i].message);
        assert_int_equal(e.line, cases[i].line);
        error_release(&e);
        launch_release(&l);
    }
}

/* ---- the tables, in C ---- */

static void tables(void **state)
{
    (void)state;
    struct launch l = read_good("buffer a float 64 zero result\nbuffer b uchar 8 uniform:5\nbuffer c long 4 value:-2\n"
                                "buffer d double 2 file:x\"\nbuffer e int 3 count\nbuffer f int 3 random:7\n"
                                "launch k global 16,4,2 local 8,2,1 args b int:-7 local:32 double:0.5\n"
                                "launch m global 8 local 4\n");
    struct llvm_module m =
        ir_load("declare void @_Z7barrierj(i32)\n"
                "define void @k(ptr addrspace(1) %a, i32 %n, ptr addrspace(3) %l, double %d, i32 %irprof_never,"
                " ptr addrspace(1) %irprof_stamps) {\n  ret void\n}\n"
                "define void @m() {\n  call void @_Z7barrierj(i32 1)\n  ret void\n}\n");
    struct str out = STR_INIT;
    struct error e = ERROR_INIT;
    assert_int_equal(host_text(&out, m.module, "k.cl", &l, &e), OK);
    assert_string_equal(
        out.s,
        "#include \"irprof/kernel/runtime/host.h\"\n"
        "const struct host_buffer host_buffers[] = {\n"
        "    {\"a\", 64, 4, 1, HOST_ZERO, 0u, 0x0p+0, 0, 1},\n"
        "    {\"b\", 8, 1, 0, HOST_UNIFORM, 5u, 0x0p+0, 0, 0},\n"
        "    {\"c\", 4, 8, 0, HOST_VALUE, 0u, -0x1p+1, 0, 0},\n"
        "    {\"d\", 2, 8, 1, HOST_FILE, 0u, 0x0p+0, \"\\170\\042\", 0},\n"
        "    {\"e\", 3, 4, 0, HOST_COUNT, 0u, 0x0p+0, 0, 0},\n"
        "    {\"f\", 3, 4, 0, HOST_RANDOM, 7u, 0x0p+0, 0, 0},\n"
        "    {0}};\nconst size_t host_n_buffers = 6;\n"
        "const int host_has_barriers = 1;\n"
        "extern void k0(void *, int32_t, void *, double, int32_t, void *) __asm__(\"k\");\n"
        "static void call0(void *const *a)\n{\n"
        "    k0(*(void * *)a[0], *(int32_t *)a[1], *(void * *)a[2], *(double *)a[3], *(int32_t *)a[4], *(void * "
        "*)a[5]);\n}\n"
        "static const int32_t v0_1 = (int32_t)(0 - 7u);\n"
        "static const double v0_3 = (double)(0x1p-1);\n"
        "static const struct host_argument a0[] = {{HOST_BUFFER, 1, 0}, {HOST_SCALAR, 0, &v0_1}, {HOST_LOCAL, 32, 0}, "
        "{HOST_SCALAR, 0, &v0_3}, {HOST_NEVER, 0, 0}, {HOST_STAMPS, 524288, 0}, {0}};\n" /* 16 x 4 x 2 x 4096 */
        "extern void k1(void) __asm__(\"m\");\n"
        "static void call1(void *const *a)\n{\n    k1();\n}\n"
        "static const struct host_argument a1[] = {{0}};\n"
        "const struct host_launch host_launches[] = {\n"
        "    {\"k\", call0, 3, {16, 4, 2}, {8, 2, 1}, a0, 6},\n"
        "    {\"m\", call1, 1, {8, 1, 1}, {4, 1, 1}, a1, 0},\n"
        "    {0}};\nconst size_t host_n_launches = 2;\n");
    str_release(&out);
    launch_release(&l);
    llvm_release(&m);
}

/* What 'irprof stamp' says of k: room for 8 stamps, which with two words more are 40 bytes of each of 10 work-items. Of others it says nothing:
 * at most 2^28 bytes. */
static void room_for_stamps(void **state)
{
    (void)state;
    struct launch l = read_good("launch k global 10 local 1\nlaunch other global 100000 local 1\n");
    struct llvm_module m =
        ir_load("define void @k(ptr addrspace(1) %irprof_stamps) {\n  ret void\n}\n"
                "define void @other(ptr addrspace(1) %irprof_stamps) {\n  ret void\n}\n"
                "!irprof.stamp.kernels = !{!0}\n!irprof.stamp.text = !{!1}\n"
                "!0 = !{!\"k\", i32 0, i32 1, i32 1, i32 8, i32 1, i32 0}\n!1 = !{!\"point\", i32 1}\n");
    struct str out = STR_INIT;
    struct error e = ERROR_INIT;
    if (host_text(&out, m.module, "k.cl", &l, &e))
        fail_msg("%s", e.message);
    assert_non_null(strstr(out.s, "a0[] = {{HOST_STAMPS, 400, 0}, {0}};"));
    assert_non_null(strstr(out.s, "a1[] = {{HOST_STAMPS, 268435456, 0}, {0}};"));
    assert_non_null(strstr(out.s, "const int host_has_barriers = 0;"));
    assert_non_null(strstr(out.s, "host_buffers[] = {\n    {0}};\nconst size_t host_n_buffers = 0;"));
    str_release(&out);
    launch_release(&l);
    llvm_release(&m);
}

/* One argument and the parameter that it is for. */
static void arguments_fit(void **state)
{
    (void)state;
    static const struct {
        const char *parameter, *argument, *shown; /* shown: the type in the message; NULL: it fits */
    } cases[] = {{"i32", "int:1", NULL},
                 {"i32", "uint:1", NULL},
                 {"i64", "long:1", NULL},
                 {"i8", "uchar:1", NULL},
                 {"i64", "int:1", "i64"},
                 {"float", "int:1", "float"},
                 {"float", "float:1", NULL},
                 {"double", "float:1", "double"},
                 {"double", "double:1", NULL},
                 {"float", "double:1", "float"},
                 {"i32", "float:1", "i32"},
                 {"ptr", "a", NULL},
                 {"ptr", "local:8", NULL},
                 {"ptr addrspace(1)", "a", NULL},
                 {"ptr addrspace(1)", "local:8", "ptr addrspace(1)"},
                 {"ptr addrspace(2)", "a", NULL},
                 {"ptr addrspace(3)", "a", "ptr addrspace(3)"},
                 {"ptr addrspace(3)", "local:8", NULL},
                 {"ptr addrspace(1)", "long:1", "ptr addrspace(1)"},
                 {"i32", "a", "i32"},
                 {"i32", "local:4", "i32"},
                 {"ptr byval(i64)", "a", "ptr in LLVM IR, a structure"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], module[256], message[256];
        snprintf(text, sizeof text, "buffer a int 1 zero\n\nlaunch k global 1 local 1 args int:1 %s\n",
                 cases[i].argument);
        snprintf(module, sizeof module, "define void @k(i32 %%x, %s %%y) {\n  ret void\n}\n", cases[i].parameter);
        struct launch l = read_good(text);
        struct llvm_module m = ir_load(module);
        struct str out = STR_INIT;
        struct error e = ERROR_INIT;
        enum status s = host_text(&out, m.module, "k.cl", &l, &e);
        if (!cases[i].shown != !s)
            fail_msg("%s for %s: %s", cases[i].argument, cases[i].parameter, e.message ? e.message : "taken");
        if (s) {
            snprintf(message, sizeof message, "argument 2 does not fit the parameter of kernel 'k', which is %s",
                     cases[i].shown);
            assert_memory_equal(e.message, message, strlen(message));
            assert_int_equal(e.line, 3);
        }
        error_release(&e);
        str_release(&out);
        launch_release(&l);
        llvm_release(&m);
    }
}

static void kernels_that_are_not_there(void **state)
{
    (void)state;
    static const struct {
        const char *module, *text, *message;
    } cases[] = {{"define void @a() {\n  ret void\n}\ndefine void @b() {\n  ret void\n}\ndefine internal void @c() {\n "
                  " ret void\n}\n"
                  "declare void @k()\n",
                  K, "k.cl has no kernel 'k'; it has a, b"},
                 {"declare void @f()\n", K, "k.cl has no kernel 'k'; it has none"},
                 {"define void @k(i32 %irprof_x, i32 %n, i32 %irprof_never) {\n  ret void\n}\n", K,
                  "kernel 'k' has 2 parameters, the launch gives 0"},
                 {"define void @k(i32 %n) {\n  ret void\n}\n", "launch k global 1 local 1 args int:1 int:2\n",
                  "kernel 'k' has 1 parameters, the launch gives 2"},
                 {"define void @k() {\n  ret void\n}\n!irprof.stamp.kernels = !{!0}\n!0 = !{!\"k\"}\n", K,
                  "what it says of its stamped kernels"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct launch l = read_good(cases[i].text);
        struct llvm_module m = ir_load(cases[i].module);
        struct str out = STR_INIT;
        struct error e = ERROR_INIT;
        assert_int_equal(host_text(&out, m.module, "k.cl", &l, &e), ERR_INPUT);
        if (strncmp(e.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s", e.message);
        error_release(&e);
        str_release(&out);
        launch_release(&l);
        llvm_release(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(buffers),       cmocka_unit_test(launches),
                                       cmocka_unit_test(limits),        cmocka_unit_test(refused),
                                       cmocka_unit_test(tables),        cmocka_unit_test(room_for_stamps),
                                       cmocka_unit_test(arguments_fit), cmocka_unit_test(kernels_that_are_not_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
