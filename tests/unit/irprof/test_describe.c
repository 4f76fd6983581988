/* What describe writes is what the reader reads. */
#include "base/alloc.h"
#include "irprof/irprof.h"
#include "irprof/profile/container.h"
#include "irprof/module/plan.h"
#include "tests/unit/irprof/ir.h"

static const char code[] = "source_filename = \"two.c\"\n"
                           "target triple = \"x86_64-pc-linux-gnu\"\n"
                           "declare void @outside()\n"
                           "define internal void @inner(i1 %c, ptr %p) {\n"
                           "  br label %l\n"
                           "l:\n"
                           "  call void %p()\n"
                           "  fence seq_cst\n"
                           "  br i1 %c, label %l, label %m\n"
                           "m:\n"
                           "  ret void\n"
                           "}\n"
                           "define void @bare() naked {\n"
                           "  unreachable\n"
                           "}\n"
                           "define void @outer(ptr %p) {\n"
                           "  call void @outside()\n"
                           "  call void @inner(i1 false, ptr %p)\n"
                           "  ret void\n"
                           "}\n";

/* A file with this description and `n` counters: 10, 11, 12 ... */
static void put_file(struct str *out, const struct str *description, size_t n)
{
    struct container_module m = {.build_id = hash_bytes(HASH_START, description->s, description->len),
                                 .description = (const unsigned char *)description->s,
                                 .description_size = description->len,
                                 .n_counters = n};
    uint64_t *counts = xcalloc(n, sizeof *counts);
    for (size_t i = 0; i < n; i++)
        counts[i] = 10 + i;
    struct container c = {
        .program = (char[]){"p"}, .runs = 1, .modules = &m, .n_modules = 1, .counts = counts, .n_counters = n};
    container_format(out, &c);
    free(counts);
}

static struct irprof_profile *read_back(const struct plan *plan, LLVMModuleRef module)
{
    struct str text = STR_INIT, file = STR_INIT;
    struct irprof_profile *p = 0;
    struct error e = ERROR_INIT;
    describe(&text, plan, module, IRPROF_COUNTERS_THREAD);
    put_file(&file, &text, plan->n_counters);
    if (irprof_parse(&p, file.s, file.len, "p", &e))
        fail_msg("%s", e.message);
    str_release(&text);
    str_release(&file);
    return p;
}

/* Values by hand: segment i of the module has counter i; what follows is big and comes in no order. */
static void number(struct plan *plan)
{
    for (size_t i = 0; i < plan->functions.n; i++)
        for (size_t k = 0; k < plan->functions.at[i].segments.n; k++)
            plan->functions.at[i].segments.at[k].value = plan_add_counter(plan);
    while (plan->n_counters < 1000)
        plan_add_counter(plan);
    struct plan_value v = {0};
    vec_push(&v.terms, (struct plan_term){999, 1});
    vec_push(&v.terms, (struct plan_term){3, 1});
    vec_push(&v.terms, (struct plan_term){500, -1});
    vec_push(&plan->derived, v);
    struct plan_value w = {0};
    vec_push(&w.terms, (struct plan_term){1000, 1});
    vec_push(&w.terms, (struct plan_term){0, -1});
    vec_push(&plan->derived, w);
}

static void functions_and_segments(void **state)
{
    (void)state;
    struct llvm_module m = ir_load(code);
    struct plan plan;
    plan_make(&plan, m.module, &(struct instrument_options){0});
    str_add(&plan.settings, "some=1");
    number(&plan);
    struct irprof_profile *p = read_back(&plan, m.module);
    assert_string_equal(p->modules[0].name, "two.c");
    assert_string_equal(p->modules[0].target, "x86_64-pc-linux-gnu");
    assert_string_equal(p->modules[0].settings, "some=1");
    assert_int_equal(p->modules[0].counters, IRPROF_COUNTERS_THREAD);
    assert_int_equal(p->n_functions, 3);
    assert_string_equal(p->functions[0].name, "inner");
    assert_true(p->functions[0].local && !p->functions[1].local && !p->functions[2].local);
    assert_non_null(strstr(p->functions[1].not_counted, "naked"));
    assert_null(p->functions[2].not_counted);
    size_t n = 0;
    for (size_t i = 0; i < plan.functions.n; i++) {
        for (size_t k = 0; k < plan.functions.at[i].segments.n; k++, n++) {
            const struct plan_segment *s = &plan.functions.at[i].segments.at[k];
            assert_int_equal(p->segments[n].function, i);
            assert_int_equal(p->segments[n].block, s->block);
            assert_int_equal(p->segments[n].number, s->number);
            assert_int_equal(p->segments[n].n_parts, s->parts.n);
            assert_int_equal(p->regions[0].executions[n], 10 + n);
        }
    }
    assert_int_equal(p->n_segments, n);
    assert_int_equal(p->n_calls, 3);
    assert_null(p->calls[0].name);
    assert_string_equal(p->calls[1].name, "outside");
    assert_int_equal(p->calls[1].callee, IRPROF_NONE);
    assert_string_equal(p->calls[2].name, "inner");
    assert_int_equal(p->calls[2].callee, 0);
    irprof_free(p);
    plan_release(&plan);
    llvm_release(&m);
}

static void flow_and_events(void **state)
{
    (void)state;
    struct llvm_module m = ir_load(code);
    struct plan plan;
    plan_make(&plan, m.module, &(struct instrument_options){0});
    number(&plan);
    struct plan_function *f = &plan.functions.at[0];
    vec_push(&f->loops, (struct plan_loop){.header = 1, .iterations = 1001, .repeats = 2});
    vec_push(&f->loops, (struct plan_loop){.header = 700, .parent = 1, .iterations = 999, .repeats = 1000});
    vec_push(&f->loops, (struct plan_loop){.header = 3, .iterations = 0, .repeats = 0});
    vec_push(&f->edges, (struct plan_edge){.from = 0, .to = 1, .kind = IRPROF_EDGE_JUMP, .value = 7});
    vec_push(&f->edges, (struct plan_edge){.from = 1, .to = 1, .kind = IRPROF_EDGE_TRUE, .value = 1001});
    vec_push(&f->edges, (struct plan_edge){.from = 1, .to = 2, .kind = IRPROF_EDGE_FALSE, .value = 0});
    vec_push(&f->edges, (struct plan_edge){.from = 200, .to = 0, .kind = IRPROF_EDGE_DEFAULT, .value = 1000});
    f->segments.at[1].loop = 2;
    struct plan_part *part = &f->segments.at[1].parts.at[0];
    plan_add_event(&plan, part, "Z", 800, 1);
    plan_add_event(&plan, part, "A", PLAN_SEGMENT, 1000000);
    struct irprof_profile *p = read_back(&plan, m.module);
    const struct irprof_region *r = &p->regions[0];
    uint64_t first = 1009 + 13 - 510, second = first - 10; /* the derived values */
    assert_int_equal(p->n_loops, 3);
    assert_int_equal(p->loops[1].header, 700);
    assert_int_equal(p->loops[1].parent, 0);
    assert_int_equal(p->loops[1].depth, 2);
    assert_int_equal(p->loops[2].parent, IRPROF_NONE);
    assert_int_equal(r->iterations[0], second);
    assert_int_equal(r->repeats[0], 12);
    assert_int_equal(r->iterations[1], 1009);
    assert_int_equal(r->repeats[1], first);
    assert_int_equal(p->segments[0].loop, IRPROF_NONE);
    assert_int_equal(p->segments[1].loop, 1);
    assert_int_equal(p->n_edges, 4);
    assert_int_equal(p->edges[3].from, 200);
    assert_int_equal(p->edges[3].to, 0);
    assert_int_equal(p->edges[3].kind, IRPROF_EDGE_DEFAULT);
    assert_int_equal(p->edges[2].kind, IRPROF_EDGE_FALSE);
    const uint64_t taken[] = {17, second, 10, first};
    assert_memory_equal(r->taken, taken, sizeof taken);
    assert_int_equal(p->n_events, 2);
    assert_string_equal(p->events[0], "A");
    assert_int_equal(p->event_sites[0].event, 1);
    assert_int_equal(r->event_counts[0], 810);
    assert_int_equal(r->event_counts[1], 11 * 1000000);
    irprof_free(p);
    plan_release(&plan);
    llvm_release(&m);
}

/* Operands and constants, read off the IR by hand: producer by its number in the module, -1 from outside; 'a' an
 * address.
 */
static void operands(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        unsigned constants;
        const char *operands;
    } expected[] = {
        {"load.i32", 0, "-1a"},
        {"br.uncond", 0, ""},
        {"phi.i32", 3, "7"},
        {"phi.i64", 3, "8"},
        {"getelementptr.ptr_d", 2, "-1a 3"},
        {"load.i32_d", 0, "4a"},
        {"sdiv.i32_d", 1, "5"},
        {"add.i32_d", 0, "2 6"},
        {"add.i64", 3, "3"},
        {"store.i32", 4, "7"},
        {"icmp.i64", 1, "8"},
        {"br.cond_d", 0, "10"},
        {"call.indirect", 3, "0 -1a"},
        {"getelementptr.ptr", 1, "-1a"},
        {"getelementptr.ptr_d", 0, "13a 0"},
        {"store.ptr_d", 0, "14 13a"},
        {"icmp.ptr", 3, "-1"},
        {"ret_d", 0, "16"},
    };
    struct llvm_module m = ir_load("@g = global i32 0\n"
                                   "define i1 @f(ptr %p) {\n"
                                   "  %n = load i32, ptr %p\n"
                                   "  br label %l\n"
                                   "l:\n"
                                   "  %s = phi i32 [ 0, %0 ], [ %t, %l ]\n"
                                   "  %i = phi i64 [ 0, %0 ], [ %j, %l ]\n"
                                   "  %a = getelementptr i32, ptr %p, i64 %i\n"
                                   "  %v = load i32, ptr %a\n"
                                   "  %d = sdiv i32 %v, 7\n"
                                   "  %t = add i32 %s, %d\n"
                                   "  %j = add i64 %i, 1\n"
                                   "  store i32 %t, ptr @g\n"
                                   "  %c = icmp slt i64 %j, 100\n"
                                   "  br i1 %c, label %l, label %m\n"
                                   "m:\n"
                                   "  call void %p(i32 %n, i32 8)\n"
                                   "  %b = getelementptr { i64, [9 x i8] }, ptr %p, i64 0, i32 1\n"
                                   "  %e = getelementptr { i64, [9 x i8] }, ptr %b, i32 %n\n"
                                   "  store ptr %e, ptr %b\n"
                                   "  %z = icmp eq ptr %p, null\n"
                                   "  ret i1 %z\n"
                                   "}\n");
    struct plan plan;
    plan_make(&plan, m.module, &(struct instrument_options){0});
    place_values(&plan, PLACE_SPARSE);
    struct irprof_profile *p = read_back(&plan, m.module);
    assert_int_equal(p->n_instructions, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < p->n_instructions; i++) {
        const struct irprof_instruction *in = &p->instructions[i];
        struct str text = STR_INIT;
        for (size_t k = in->first_operand; k < in->first_operand + in->n_operands; k++)
            str_addf(&text, "%s%d%s", text.len ? " " : "", (int)p->operands[k].producer,
                     p->operands[k].address ? "a" : "");
        assert_string_equal(p->keys[in->key], expected[i].key);
        assert_int_equal(in->constants, expected[i].constants);
        assert_string_equal(str_text(&text), expected[i].operands);
        str_release(&text);
    }
    irprof_free(p);
    plan_release(&plan);
    llvm_release(&m);
}

/* ---- loads and stores ---- */

static struct irprof_profile *with_accesses(const char *text)
{
    struct llvm_module m = ir_load(text);
    struct plan plan;
    plan_make(&plan, m.module, &(struct instrument_options){0});
    place_values(&plan, PLACE_SPARSE);
    access_plan(&plan, m.module);
    struct irprof_profile *p = read_back(&plan, m.module);
    plan_release(&plan);
    llvm_release(&m);
    return p;
}

/* A loop over arguments of which the code inside is given. */
static struct irprof_profile *with_loop(const char *attribute, const char *inside)
{
    struct str text = STR_INIT;
    str_addf(&text,
             "define void @f(ptr %s %%a, ptr %s %%b, i64 %%n) {\n"
             "  br label %%l\n"
             "l:\n"
             "  %%i = phi i64 [ 0, %%0 ], [ %%j, %%l ]\n"
             "  %%j = add nuw nsw i64 %%i, 1\n"
             "%s"
             "  %%c = icmp slt i64 %%j, %%n\n"
             "  br i1 %%c, label %%l, label %%m\n"
             "m:\n"
             "  ret void\n"
             "}\n",
             attribute, attribute, inside);
    struct irprof_profile *p = with_accesses(str_text(&text));
    str_release(&text);
    return p;
}

/* a[i + 1] = a[i] * 3: nothing in the iteration, but perhaps an earlier one; one base, 4 bytes apart. */
static void chains_through_memory(void **state)
{
    (void)state;
    static const char inside[] = "  %p = getelementptr i32, ptr %a, i64 %i\n"
                                 "  %v = load i32, ptr %p\n"
                                 "  %t = mul i32 %v, 3\n"
                                 "  %q = getelementptr i32, ptr %a, i64 %j\n"
                                 "  store i32 %t, ptr %q\n";
    for (int alone = 0; alone < 2; alone++) {
        struct irprof_profile *p = with_loop(alone ? "noalias" : "", inside);
        assert_int_equal(p->n_accesses, 2);
        assert_int_equal(p->accesses[0].write, IRPROF_WRITE_PHI);
        assert_int_equal(p->accesses[0].write_block, 1);
        assert_int_equal(p->accesses[0].base, p->accesses[1].base);
        assert_int_equal(p->accesses[0].offset, 0);
        assert_int_equal(p->accesses[1].offset, 4);
        assert_int_equal(p->accesses[1].size, 4);
        assert_string_equal(p->keys[p->instructions[p->accesses[1].instruction].key], "store.i32_d");
        assert_false(irprof_may_overlap(p, &p->accesses[0], &p->accesses[1]));
        assert_true(p->bases[0].indexed);
        assert_int_equal(p->bases[0].kind, alone ? IRPROF_OBJECT_OWN : IRPROF_OBJECT_ARGUMENT);
        irprof_free(p);
    }
}

/* a[i] = 1; x = b[i]: behind the store, unless the arrays are restrict. */
static void loads_of_other_arrays(void **state)
{
    (void)state;
    static const char inside[] = "  %p = getelementptr i32, ptr %a, i64 %i\n"
                                 "  store i32 1, ptr %p\n"
                                 "  %q = getelementptr i32, ptr %b, i64 %i\n"
                                 "  %v = load i32, ptr %q\n";
    struct irprof_profile *p = with_loop("", inside);
    assert_int_equal(p->accesses[1].write, IRPROF_WRITE_BLOCK);
    assert_int_equal(p->accesses[1].write_block, 1);
    assert_int_equal(p->accesses[1].clear, 0);
    assert_true(irprof_may_overlap(p, &p->accesses[0], &p->accesses[1]));
    irprof_free(p);
    p = with_loop("noalias", inside);
    assert_int_equal(p->accesses[1].write, IRPROF_WRITE_ENTRY);
    assert_int_equal(p->accesses[1].clear, 1);
    assert_false(irprof_may_overlap(p, &p->accesses[0], &p->accesses[1]));
    irprof_free(p);
}

/* Globals and variables: their sizes; none is in another. A pointer from elsewhere may point to the global. */
static void objects(void **state)
{
    (void)state;
    struct irprof_profile *p =
        with_accesses("target datalayout = \"e-i64:64\"\n@x = global [100 x i32] zeroinitializer\n"
                      "@y = global { i8, i64 } zeroinitializer\n"
                      "define i32 @f(ptr %p) {\n"
                      "  %v = alloca [3 x i16]\n"
                      "  store i32 1, ptr getelementptr (i8, ptr @x, i64 8)\n"
                      "  %a = getelementptr { i8, i64 }, ptr @y, i64 -1, i32 1\n"
                      "  %b = load i64, ptr %a\n"
                      "  store i16 2, ptr %v\n"
                      "  %c = load i32, ptr %p\n"
                      "  call void @f(ptr %v)\n"
                      "  %d = load i32, ptr getelementptr ([100 x i32], ptr @x, i64 0, i64 2)\n"
                      "  ret i32 %c\n"
                      "}\n");
    const struct irprof_access *a = p->accesses;
    assert_int_equal(p->n_accesses, 5);
    assert_int_equal(p->bases[a[0].base].size, 400);
    assert_int_equal(p->bases[a[0].base].kind, IRPROF_OBJECT_GLOBAL);
    assert_false(p->bases[a[0].base].indexed);
    assert_int_equal(p->bases[a[1].base].size, 16);
    assert_int_equal(a[1].offset, -8);
    assert_int_equal(a[1].clear, 1);
    assert_int_equal(p->bases[a[2].base].size, 6);
    assert_int_equal(p->bases[a[2].base].kind, IRPROF_OBJECT_VARIABLE);
    assert_int_equal(a[3].write, IRPROF_WRITE_BLOCK);
    assert_int_equal(a[3].clear, 2); /* neither @y's load nor the variable's store */
    assert_int_equal(a[4].base, a[0].base);
    assert_int_equal(a[4].offset, 8);
    assert_int_equal(a[4].clear, 0); /* the call */
    assert_false(irprof_may_overlap(p, &a[0], &a[1]));
    assert_false(irprof_may_overlap(p, &a[2], &a[3]));
    assert_true(irprof_may_overlap(p, &a[0], &a[3]));
    assert_true(irprof_may_overlap(p, &a[0], &a[4]));
    irprof_free(p);
}

static void volatile_and_atomic(void **state)
{
    (void)state;
    struct irprof_profile *p = with_accesses("@x = global i32 0\n"
                                             "@y = global i32 0\n"
                                             "define void @f() {\n"
                                             "  store volatile i32 1, ptr @x\n"
                                             "  %a = load atomic i32, ptr @y monotonic, align 4\n"
                                             "  %b = load i32, ptr @y\n"
                                             "  ret void\n"
                                             "}\n");
    assert_int_equal(p->n_accesses, 3);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(p->accesses[i].base, IRPROF_NONE);
        assert_int_equal(p->accesses[i].write, IRPROF_WRITE_UNKNOWN);
        assert_int_equal(p->accesses[i].size, 4);
        assert_int_equal(p->accesses[i].clear, 0);
    }
    assert_true(irprof_may_overlap(p, &p->accesses[0], &p->accesses[1]));
    assert_int_not_equal(p->accesses[2].base, IRPROF_NONE);
    irprof_free(p);
}

/* Of each source file, whatever it is called; as -g writes it with DWARF 5. */
static void checksums(void **state)
{
    (void)state;
    static const char one[] = "0123456789abcdef0123456789abcdef";
    struct llvm_module m =
        ir_load("define void @f() !dbg !5 {\n"
                "  fence seq_cst, !dbg !8\n"
                "  fence seq_cst, !dbg !9\n"
                "  ret void, !dbg !10\n"
                "}\n"
                "!llvm.dbg.cu = !{!0}\n"
                "!llvm.module.flags = !{!11}\n"
                "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)\n"
                "!1 = !DIFile(filename: \"one.c\", directory: \"/s\", checksumkind: CSK_MD5, checksum: "
                "\"0123456789abcdef0123456789abcdef\")\n"
                "!2 = !DIFile(filename: \"checksumkind: CSK_MD5, checksum: \\220123456789abcdef0123456789abcdef\\22\", "
                "directory: \"/s\")\n"
                "!3 = !DIFile(filename: \"sha.h\", directory: \"/s\", checksumkind: CSK_SHA1, checksum: "
                "\"0123456789abcdef0123456789abcdef01234567\")\n"
                "!4 = !DISubroutineType(types: !{})\n"
                "!5 = distinct !DISubprogram(name: \"f\", file: !1, line: 1, type: !4, unit: !0, spFlags: "
                "DISPFlagDefinition)\n"
                "!6 = !DILexicalBlockFile(scope: !5, file: !2, discriminator: 0)\n"
                "!7 = !DILexicalBlockFile(scope: !5, file: !3, discriminator: 0)\n"
                "!8 = !DILocation(line: 2, scope: !6)\n"
                "!9 = !DILocation(line: 3, scope: !7)\n"
                "!10 = !DILocation(line: 4, scope: !5)\n"
                "!11 = !{i32 2, !\"Debug Info Version\", i32 3}\n");
    struct plan plan;
    plan_make(&plan, m.module, &(struct instrument_options){0});
    place_values(&plan, PLACE_SPARSE);
    struct irprof_profile *p = read_back(&plan, m.module);
    assert_int_equal(p->n_files, 3);
    for (size_t i = 0; i < p->n_files; i++)
        if (strcmp(p->files[i], "/s/one.c") == 0)
            assert_string_equal(p->checksums[i], one);
        else
            assert_null(p->checksums[i]);
    irprof_free(p);
    plan_release(&plan);
    llvm_release(&m);
}

/* docs/formats/profile.md, "Example". */
static void as_documented(void **state)
{
    (void)state;
    static const char bytes[] = "\5\0\3two\0\0\1\0"
                                "\2\5fence\3ret\0\0\1\0"
                                "\4main\0\0\0"
                                "\1\0\0\2\0\4\0\2"
                                "\0\26"
                                "\0\0";
    struct llvm_module m = ir_load("source_filename = \"two\"\n"
                                   "define i32 @main() {\n"
                                   "  fence seq_cst\n"
                                   "  ret i32 0\n"
                                   "}\n");
    struct plan plan;
    struct str text = STR_INIT;
    plan_make(&plan, m.module, &(struct instrument_options){0});
    place_values(&plan, PLACE_SPARSE);
    describe(&text, &plan, m.module, IRPROF_COUNTERS_THREAD);
    assert_int_equal(text.len, sizeof bytes - 1);
    assert_memory_equal(text.s, bytes, sizeof bytes - 1);
    str_release(&text);
    plan_release(&plan);
    llvm_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_and_segments),
        cmocka_unit_test(flow_and_events),
        cmocka_unit_test(operands),
        cmocka_unit_test(chains_through_memory),
        cmocka_unit_test(loads_of_other_arrays),
        cmocka_unit_test(objects),
        cmocka_unit_test(volatile_and_atomic),
        cmocka_unit_test(checksums),
        cmocka_unit_test(as_documented),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
