/* Which line belongs to which block: sources made for each rule, the answer in the line itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/str.h"
#include "shimgen/blocks/block_names.h"
#include "shimgen/blocks/block_tree.h"

static char folder[64];

static const char *place(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    assert_int_equal(file_write(place(name), text, strlen(text), 0), OK);
}

static void read_source(struct tree *t, const char *text)
{
    put("x.c", text);
    struct error e = ERROR_INIT;
    if (tree_add(t, place("x.c"), &e))
        fail_msg("%s", e.message);
    systems_name(t);
    tree_finish(t);
}

/* Every line of code that has "//= NAME" after it is the block's of that name; one without is in no function. */
static void expect_lines(const struct tree *t, const char *text)
{
    unsigned long number = 1;
    for (const char *line = text; *line; number++) {
        size_t n = strcspn(line, "\n");
        char *one = xstrndup(line, n), *wanted = strstr(one, "//= ");
        const struct tree_line *found = tree_line(&t->sources.at[0], number);
        if (wanted && !found)
            fail_msg("line %lu has no block: %s", number, one);
        if (wanted)
            assert_string_equal(t->blocks.at[found->block].name, wanted + 4);
        else if (found)
            fail_msg("line %lu is of %s: %s", number, t->blocks.at[found->block].name, one);
        free(one);
        line += n + (line[n] == '\n');
    }
}

static void expect(const char *text)
{
    struct tree t = {0};
    read_source(&t, text);
    expect_lines(&t, text);
    tree_release(&t);
}

static void one_after_the_other(void **state)
{
    (void)state;
    expect("static const int table[2] = { 1, 2 };\n"
           "void f(int a)\n"
           "{ //= f\n"
           "  int x; //= f\n"
           "  /* Gain: '<S1>/A' */\n"
           "  x = //= <S1>/A\n"
           "    2 * a; //= <S1>/A\n"
           "  /* Sum: '<S1>/B' incorporates:\n"
           "   *  Constant: '<S1>/C'\n"
           "   */\n"
           "  x += 1; //= <S1>/B\n"
           "} //= f\n"
           "int y;\n"
           "int g(void) { return 1; } //= g\n");
}

static void within_braces(void **state)
{
    (void)state;
    expect("void f(int a)\n"
           "{ //= f\n"
           "  /* Switch: '<S1>/W' */\n"
           "  if (a) { //= <S1>/W\n"
           "    /* Gain: '<S1>/A' */\n"
           "    a = 1; //= <S1>/A\n"
           "    /* Gain: '<S1>/B' */\n"
           "    a = 2; //= <S1>/B\n"
           "  } else { //= <S1>/W\n"
           "    a = 3; //= <S1>/W\n"
           "  } //= <S1>/W\n"
           "  /* End of Switch: '<S1>/W' */\n"
           "  a = 4; //= f\n"
           "} //= f\n");
}

static void systems(void **state)
{
    (void)state;
    expect("/* Output and update for atomic system: '<Root>/Sub' */\n"
           "static void sub(int a)\n"
           "{ //= <Root>/Sub\n"
           "  /* Gain: '<S2>/A' */\n"
           "  a = 1; //= <S2>/A\n"
           "} //= <Root>/Sub\n"
           "void step(int a)\n"
           "{ //= step\n"
           "  /* Outputs for Atomic SubSystem: '<Root>/Sub' */\n"
           "  sub(a); //= <Root>/Sub\n"
           "  /* Gain: '<S2>/B' */\n"
           "  a = 1; //= <S2>/B\n"
           "  /* End of Outputs for SubSystem: '<Root>/Sub' */\n"
           "  a = 2; //= step\n"
           "} //= step\n");
}

/* Forms of published code of R2011a to R2024b, in sources of our own. */
static void generated(void **state)
{
    (void)state;
    expect("/* Output and update for function-call system: '<Root>/Current' */\n"
           "#pragma CODE_SECTION (m_Current, \"ramfuncs\")\n"
           "\n"
           "void m_Current(void)\n"
           "{ //= <Root>/Current\n"
           "  real32_T Bias; //= <Root>/Current\n"
           "  /* S-Function (c280xqep): '<S2>/eQEP' */\n"
           "  { //= <S2>/eQEP\n"
           "    a = EQep1Regs.QPOSCNT;/*eQEP Position Counter*/ //= <S2>/eQEP\n"
           "         /* The counter is latched */\n"
           "  } //= <S2>/eQEP\n"
           "\n"
           "  /* Switch: '<S3>/Switch' incorporates:\n"
           "   *  Constant: '<S4>/a//b'\n"
           "   *  RelationalOperator: '<S3>/Relational Operator'\n"
           "   */\n"
           "  if (a > 1.0F) { //= <S3>/Switch\n"
           "    /* Switch: '<S3>/Switch' incorporates:\n"
           "     *  Gain: '<S3>/Gain'\n"
           "     */\n"
           "    a = 2.0F * b; //= <S3>/Switch\n"
           "  } else if (a < -1.0F) { //= <S3>/Switch\n"
           "    /* Sum: '<S3>/Sum' */\n"
           "    a = b + 1.0F; //= <S3>/Sum\n"
           "  } else { //= <S3>/Switch\n"
           "    a = 0.0F; //= <S3>/Switch\n"
           "  } //= <S3>/Switch\n"
           "\n"
           "  /* End of Switch: '<S3>/Switch' */\n"
           "} //= <Root>/Current\n"
           "\n"
           "/* Hardware Interrupt Block: '<Root>/Interrupt' */\n"
           "void isr_task_fcn(void)\n"
           "{ //= isr_task_fcn\n"
           "  if (1 == runModel) { //= isr_task_fcn\n"
           "    /* Call the system: <Root>/Triggered */\n"
           "    { //= isr_task_fcn\n"
           "      /* S-Function (c28xisr): '<Root>/Interrupt' */\n"
           "\n"
           "      /* Output and update for function-call system: '<Root>/Triggered' */\n"
           "      {                              /* Sample time: [0.1s, 0.0s] */ //= <Root>/Triggered\n"
           "        /* UnitDelay: '<S5>/Output' */\n"
           "        b = a; //= <S5>/Output\n"
           "      } //= <Root>/Triggered\n"
           "\n"
           "      /* End of Outputs for S-Function (c28xisr): '<Root>/Interrupt' */\n"
           "    } //= isr_task_fcn\n"
           "  } //= isr_task_fcn\n"
           "} //= isr_task_fcn\n");
}

/* Nested subsystems; what is within what, and where it goes on. */
static void nested(void **state)
{
    (void)state;
    expect("void step(void)\n"
           "{ //= step\n"
           "  /* Outputs for Atomic SubSystem: '<Root>/A' */\n"
           "  /* Outputs for Enabled SubSystem: '<S1>/B' incorporates:\n"
           "   *  EnablePort: '<S2>/Enable'\n"
           "   */\n"
           "  if (on) { //= <S1>/B\n"
           "    /* SwitchCase: '<S2>/Case' */\n"
           "    switch (k) { //= <S2>/Case\n"
           "     case 1: //= <S2>/Case\n"
           "      /* Outputs for IfAction SubSystem: '<S2>/C' incorporates:\n"
           "       *  ActionPort: '<S3>/Action Port'\n"
           "       */\n"
           "      /* Gain: '<S3>/Gain' */\n"
           "      a = 2; //= <S3>/Gain\n"
           "\n"
           "      /* End of Outputs for SubSystem: '<S2>/C' */\n"
           "      break; //= <S2>/Case\n"
           "\n"
           "     default: //= <S2>/Case\n"
           "      a = 3; //= <S2>/Case\n"
           "      break; //= <S2>/Case\n"
           "    } //= <S2>/Case\n"
           "\n"
           "    /* End of SwitchCase: '<S2>/Case' */\n"
           "    a = 4; //= <S1>/B\n"
           "  } //= <S1>/B\n"
           "\n"
           "  /* End of Outputs for SubSystem: '<S1>/B' */\n"
           "  a = 5; //= <Root>/A\n"
           "  /* End of Outputs for SubSystem: '<Root>/A' */\n"
           "  a = 6; //= step\n"
           "} //= step\n");
}

/* Marks that overlap, and what is not UTF-8 or beyond ASCII. */
static void odd(void **state)
{
    (void)state;
    expect("void f(int a)\n"
           "{ //= f\n"
           "  /* shim: block one */\n"
           "  a = 1; //= one\n"
           "  /* shim: block two */\n"
           "  a = 2; //= two\n"
           "  /* shim: end one */\n"
           "  a = 3; //= f\n"
           "  /* shim: end two */\n"
           "  /* Gain: '<S1>/Verst\xC3\xA4rkung \xE6\xAF\x94' */\n"
           "  a = 4; //= <S1>/Verst\xC3\xA4rkung \xE6\xAF\x94\n"
           "  /* Gain: '<S1>/G\xE4in' */\n"
           "  a = 5; //= <S1>/G?in\n"
           "  SET(a, /* Gain: '<S1>/in a macro' */ 6); //= <S1>/G?in\n"
           "  char *s = \"/* Gain: '<S1>/in a string' */\"; //= <S1>/G?in\n"
           "#define STEP(x) /* Gain: '<S1>/in a directive' */ \\\n"
           "    x = 7;\n"
           "  STEP(a) //= <S1>/G?in\n"
           "} //= f\n");
}

static void charts(void **state)
{
    (void)state;
    expect("void f(int a)\n"
           "{ //= f\n"
           "  /* Chart: '<Root>/C' */\n"
           "  /* Gateway: C */\n"
           "  if (a) { //= <Root>/C\n"
           "    /* Transition: '<S1>:4' */\n"
           "    a = 1; //= <S1>:4\n"
           "    /* Entry 'On': '<S1>:1' */\n"
           "    a = 2; //= <S1>:1\n"
           "  } else { //= <Root>/C\n"
           "    switch (a) { //= <Root>/C\n"
           "     case 1: //= <Root>/C\n"
           "      /* During 'On': '<S1>:1' */\n"
           "      /* '<S1>:1:2' a = 3; */\n"
           "      a = 3; //= <S1>:1\n"
           "      break; //= <S1>:1\n"
           "    } //= <Root>/C\n"
           "  } //= <Root>/C\n"
           "  /* End of Chart: '<Root>/C' */\n"
           "  a = 5; //= f\n"
           "} //= f\n");
}

/* A triggered chart as it is generated: the trigger's conversion is in the condition, the chart is all that follows. */
static void triggered_chart(void **state)
{
    (void)state;
    expect("void f(int a)\n"
           "{ //= f\n"
           "  /* Chart: '<Root>/C' incorporates:\n"
           "   *  TriggerPort: '<S1>/ticks'\n"
           "   */\n"
           "  /* DataTypeConversion: '<Root>/Data Type Conversion' */\n"
           "  if (a > 0 && //= <Root>/Data Type Conversion\n"
           "      a < 9) { //= <Root>/Data Type Conversion\n"
           "    /* Gateway: C */\n"
           "    /* Event: '<S1>:13' */\n"
           "    a = 8; //= <S1>:13\n"
           "    /* During: C */\n"
           "    if (a == 0) { //= <Root>/C\n"
           "      /* Entry: C */\n"
           "      a = 1; //= <Root>/C\n"
           "      /* Entry Internal: C */\n"
           "      /* Transition: '<S1>:9' */\n"
           "      a = 2; //= <S1>:9\n"
           "      /* Entry 'Off': '<S1>:1' */\n"
           "      a = 3; //= <S1>:1\n"
           "    } else { //= <Root>/C\n"
           "      switch (a) { //= <Root>/C\n"
           "       case 1: //= <Root>/C\n"
           "        /* During 'Off': '<S1>:1' */\n"
           "        /* Inport: '<Root>/In' */\n"
           "        if (a) { //= <Root>/In\n"
           "          a = 4; //= <S1>:1\n"
           "        } //= <S1>:1\n"
           "        break; //= <S1>:1\n"
           "       default: //= <Root>/C\n"
           "        a = 5; //= <Root>/C\n"
           "      } //= <Root>/C\n"
           "    } //= <Root>/C\n"
           "  } //= <Root>/C\n"
           "  /* Gain: '<Root>/G' */\n"
           "  a = 6; //= <Root>/G\n"
           "} //= f\n");
}

/* Up to its end a chart goes on after an expression of another block; a loop of that is the block's. */
static void chart_with_end(void **state)
{
    (void)state;
    expect("void f(int a)\n"
           "{ //= f\n"
           "  /* Chart: '<S3>/C' */\n"
           "  a = 1; //= <S3>/C\n"
           "  /* Sum: '<S3>/S' */\n"
           "  for (;;) { //= <S3>/S\n"
           "    a++; //= <S3>/S\n"
           "  } //= <S3>/S\n"
           "  a = 2; //= <S3>/C\n"
           "  /* Gain: '<S3>/G' */\n"
           "  a = 3; //= <S3>/G\n"
           "  a = 4; //= <S3>/C\n"
           "  /* Gain: '<S4>/Inner' */\n"
           "  a = 5; //= <S4>/Inner\n"
           "  a = 6; //= <S4>/Inner\n"
           "  /* End of Chart: '<S3>/C' */\n"
           "  a = 7; //= f\n"
           "} //= f\n"
           "/* Function for Chart: '<S3>/C' */\n"
           "void g(int a)\n"
           "{ //= <S3>/C\n"
           "  /* Graphical Function 'calc': '<S4>:20' */\n"
           "  a = 1; //= <S4>:20\n"
           "  /* Transition: '<S4>:21' */\n"
           "  a = 2; //= <S4>:21\n"
           "} //= <S3>/C\n");
}

/* What stands before a system's condition is about that; the system's own blocks are not. */
static void system_with_expression(void **state)
{
    (void)state;
    expect("void f(int a)\n"
           "{ //= f\n"
           "  /* Outputs for Enabled SubSystem: '<Root>/E' incorporates:\n"
           "   *  EnablePort: '<S1>/Enable'\n"
           "   */\n"
           "  /* Inport: '<Root>/In' */\n"
           "  if (a) { //= <Root>/In\n"
           "    a = 1; //= <Root>/E\n"
           "    /* Gain: '<S1>/G' */\n"
           "    a = 2; //= <S1>/G\n"
           "  } //= <Root>/E\n"
           "  /* End of Outputs for SubSystem: '<Root>/E' */\n"
           "  /* Outputs for Atomic SubSystem: '<Root>/A' */\n"
           "  /* Switch: '<S2>/Sw' */\n"
           "  if (a) { //= <S2>/Sw\n"
           "    a = 3; //= <S2>/Sw\n"
           "  } //= <S2>/Sw\n"
           "  /* End of Outputs for SubSystem: '<Root>/A' */\n"
           "} //= f\n");
}

static const struct block *named(const struct tree *t, const char *name)
{
    for (size_t i = 0; i < t->blocks.n; i++)
        if (strcmp(t->blocks.at[i].name, name) == 0)
            return &t->blocks.at[i];
    fail_msg("no block %s", name);
    return 0;
}

/* States belong to the chart around them; where there is none around, to that which their system is. */
static void parents(void **state)
{
    (void)state;
    struct tree t = {0};
    read_source(&t, "/* Here is the system hierarchy for this model\n"
                    " * '<Root>' : 'm'\n"
                    " * '<S1>'   : 'm/C'\n"
                    " * '<S2>'   : 'm/D'\n"
                    " */\n"
                    "void f(int a)\n"
                    "{\n"
                    "  /* Chart: '<Root>/C' */\n"
                    "  if (a) {\n"
                    "    /* Transition: '<S1>:4' */\n"
                    "    a = 1;\n"
                    "  }\n"
                    "  /* Chart: '<Root>/D' */\n"
                    "  a = 2;\n"
                    "  /* Gain: '<Root>/G' */\n"
                    "  a = 3;\n"
                    "}\n"
                    "void g(int a)\n"
                    "{\n"
                    "  /* Entry 'On': '<S2>:7' */\n"
                    "  a = 4;\n"
                    "}\n");
    assert_ptr_equal(&t.blocks.at[named(&t, "<S1>:4")->parent], named(&t, "<Root>/C"));
    assert_ptr_equal(&t.blocks.at[named(&t, "<S2>:7")->parent], named(&t, "<Root>/D"));
    assert_int_equal(named(&t, "<Root>/G")->parent, BLOCK_NONE);
    tree_release(&t);
}

static void own_marks(void **state)
{
    (void)state;
    expect("void f(int a)\n"
           "{ //= f\n"
           "  /* shim: block first */\n"
           "  a = 1; //= first\n"
           "  /* shim: block within */\n"
           "  a = 1; //= within\n"
           "  /* shim: end */\n"
           "  a = 1; //= first\n"
           "  /* shim: end first */\n"
           "  shim_region_begin(\"r\"); //= r\n"
           "  a = 2; //= r\n"
           "  shim_region_end(\"r\"); //= f\n"
           "  a = 3; //= f\n"
           "} //= f\n");
}

static void conditions(void **state)
{
    (void)state;
    expect("#ifdef A\n"
           "void f(int a)\n"
           "{ //= f\n"
           "#else\n"
           "void f(long a)\n"
           "{ //= f\n"
           "#endif\n"
           "  /* Gain: '<S1>/A' */\n"
           "#if B\n"
           "  if (a) { //= <S1>/A\n"
           "    /* Gain: '<S1>/B' */\n"
           "#else\n"
           "  if (!a) { //= <S1>/A\n"
           "#endif\n"
           "  a = 1; //= <S1>/A\n"
           "  } //= <S1>/A\n"
           "} //= f\n"
           "int g(void) { return 1; } //= g\n");
}

static void functions(void **state)
{
    (void)state;
    expect("FUNC(void, CODE) Rte_step(void)\n"
           "{ //= Rte_step\n"
           "} //= Rte_step\n"
           "__attribute__((noinline)) int k(int a) __attribute__((hot))\n"
           "{ return a; } //= k\n"
           "struct s { int (*f)(int); };\n"
           "int h(a) int a; { return a; } //= h\n");
}

/* Functions in namespaces and classes; of one name. */
static void cpp(void **state)
{
    (void)state;
    static const char text[] = "extern \"C\" {\n"
                               "int c(int a)\n"
                               "{ //= c\n"
                               "  return a; //= c\n"
                               "} //= c\n"
                               "}\n"
                               "namespace x VISIBLE(default) { namespace y {\n"
                               "template <class T> struct Sum : public Base {\n"
                               "  enum { N = 3 };\n"
                               "  T s{};\n"
                               "  int (*call)(int);\n"
                               "  Sum(T a) : s(a), Base(a) { //= Sum\n"
                               "    s += a; //= Sum\n"
                               "  } //= Sum\n"
                               "  void step(T a)\n"
                               "  { //= step\n"
                               "    /* Gain: '<S1>/A' */\n"
                               "    if (a) { s = a; } //= <S1>/A\n"
                               "  } //= step\n"
                               "};\n"
                               "} }\n"
                               "void Other::step()\n"
                               "{ //= step\n"
                               "  // Gain: '<S1>/B'\n"
                               "  s = 2; //= <S1>/B\n"
                               "} //= step\n";
    struct tree t = {0};
    struct error e = ERROR_INIT;
    put("x.cpp", text);
    if (tree_add(&t, place("x.cpp"), &e))
        fail_msg("%s", e.message);
    expect_lines(&t, text);
    assert_int_equal(t.functions.n, 4);
    assert_int_equal(tree_find_function(&t, 0, "_ZN1x1y3SumIiE4stepEi", 15), 2);
    assert_int_equal(tree_find_function(&t, 0, "_ZN5Other4stepEv", 22), 3);
    assert_int_equal(tree_find_function(&t, 0, "c", 1), 0);
    assert_int_equal(tree_find_function(&t, 0, "d", 1), BLOCK_NONE);
    assert_true(t.functions.at[2].block != t.functions.at[3].block);
    tree_release(&t);
    unlink(place("x.cpp"));
}

/* What is executed together: the compound of each line, and which lines lead into one. */
static void compounds(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint32_t compound;
        bool leads;
    } lines[] = {
        {"void f(int a)", BLOCK_NONE, false},
        {"{", 0, false},
        {"  {", 0, false}, /* only groups */
        {"    a = 1;", 0, false},
        {"  }", 0, false},
        {"  if (a &&", 0, true},
        {"      a > 2) {", 0, true},
        {"    a = 2;", 1, false},
        {"  } else {", 0, true},
        {"    for (a = 0; a < 3; a++) {", 2, true},
        {"      a = 3;", 3, false},
        {"    }", 3, false},
        {"  }", 2, false},
        {"  do {", 0, true},
        {"    a = 4;", 4, false},
        {"  } while (a);", 0, false},
        {"  switch (a) {", 0, true},
        {"   case 1: {", 5, false},
        {"    a = 5;", 5, false},
        {"   }", 5, false},
        {"  }", 5, false},
        {"  if (a) { a = 6; }", 0, true},
        {"}", 0, false},
    };
    struct str text = STR_INIT;
    struct tree t = {0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        str_addf(&text, "%s\n", lines[i].line);
    read_source(&t, str_text(&text));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct tree_line *found = tree_line(&t.sources.at[0], i + 1);
        if ((found ? found->compound : BLOCK_NONE) != lines[i].compound || (found && found->leads != lines[i].leads))
            fail_msg("'%s': %d, %d", lines[i].line, found ? (int)found->compound : -1, found && found->leads);
    }
    assert_int_equal(t.compounds.at[1].first, 6);
    assert_int_equal(t.compounds.at[1].last, 7);
    assert_int_equal(t.compounds.at[3].parent, 2);
    tree_release(&t);
    str_release(&text);
}

static void phases(void **state)
{
    (void)state;
    struct tree t = {0};
    read_source(&t, "void f(int a) {\n"
                    "  /* UnitDelay: '<S1>/D' incorporates:\n   *  Sum: '<S1>/S'\n   */\n  a = 1;\n"
                    "  /* Update for UnitDelay: '<S1>/D' */\n  a = 2;\n"
                    "  /* Update for UnitDelay: '<S1>/D' */\n  a = 3;\n}\n");
    assert_int_equal(t.blocks.n, 2);
    const struct block *b = &t.blocks.at[1];
    assert_string_equal(b->name, "<S1>/D");
    assert_string_equal(b->type, "UnitDelay");
    assert_string_equal(b->phases, "Update");
    assert_string_equal(b->incorporates, "Sum: '<S1>/S'");
    assert_string_equal(b->system, "<S1>");
    assert_int_equal(b->lines, 3);
    assert_int_equal(b->line, 2);
    tree_release(&t);
}

static void hierarchy(void **state)
{
    (void)state;
    put("plant.h", "/*-\n * Here is the system hierarchy for this model\n *\n * '<Root>' : 'plant'\n"
                   " * '<S1>'   : 'plant/Speed Control'\n * '<S12>'  : plant/old form\n */\n");
    struct tree t = {0};
    read_source(
        &t, "/*\n * Code generated for Simulink model 'plant'.\n */\nvoid f(int a) {\n"
            "  /* Gain: '<S1>/A' */\n  a = 1;\n  /* Gain: '<S12>/A' */\n  a = 1;\n  /* Gain: '<Root>/A' */\n  a = 1;\n"
            "  /* Gain: '<S3>/A' */\n  a = 1;\n}\n");
    assert_string_equal(t.blocks.at[1].model, "plant");
    assert_string_equal(t.blocks.at[1].system, "plant/Speed Control");
    assert_string_equal(t.blocks.at[2].system, "plant/old form");
    assert_string_equal(t.blocks.at[3].system, "plant");
    assert_string_equal(t.blocks.at[4].system, "<S3>");
    tree_release(&t);
}

static void hierarchy_in_lines(void **state)
{
    (void)state;
    put("x.h",
        "// Here is the system hierarchy for this model\n//\n// '<Root>' : 'plant'\n// '<S1>'   : 'plant/Speed'\n"
        "int a;\n// other\n// '<S2>' : 'no'\n");
    struct tree t = {0};
    read_source(&t,
                "void f(int a) {\n  // Outputs for Atomic SubSystem: '<Root>/Speed'\n  // Gain: '<S1>/A'\n  a = 1;\n"
                "  // Gain: '<S2>/A' incorporates:\n  //   Sum: '<S1>/B'\n  a = 1;\n}\n");
    assert_int_equal(t.blocks.n, 4);
    assert_string_equal(t.blocks.at[1].system, "plant");
    assert_string_equal(t.blocks.at[2].system, "plant/Speed");
    assert_int_equal(t.blocks.at[2].line, 3);
    assert_string_equal(t.blocks.at[3].system, "<S2>");
    assert_string_equal(t.blocks.at[3].incorporates, "Sum: '<S1>/B'");
    tree_release(&t);
    unlink(place("x.h"));
}

static void line_directives(void **state)
{
    (void)state;
    struct tree t = {0};
    read_source(&t, "#line 100\nvoid f(int a) {\n  /* Gain: '<S1>/A' */\n  a = 1;\n#line 7 \"other.c\"\n  a = 2;\n"
                    "#line 200 \"x.c\"\n  a = 3;\n}\n");
    const struct tree_source *s = &t.sources.at[0];
    assert_non_null(tree_line(s, 100));
    assert_string_equal(t.blocks.at[tree_line(s, 102)->block].name, "<S1>/A");
    assert_null(tree_line(s, 7));
    assert_null(tree_line(s, 103));
    assert_string_equal(t.blocks.at[tree_line(s, 200)->block].name, "<S1>/A");
    assert_int_equal(t.findings.n, 1);
    tree_release(&t);
}

/* Compilers take #line 0: such code has no line. What C17, 6.10.4 does not allow says nothing. */
static void odd_line_directives(void **state)
{
    (void)state;
    struct tree t = {0};
    read_source(&t,
                "void f(int a) {\n#line 0\n  a = 1;\n  a = 2;\n#line 2147483648\n  a = 3;\n#line -1\n  a = 4;\n}\n");
    const struct tree_source *s = &t.sources.at[0];
    assert_int_equal(s->lines[0].line, 1);
    assert_null(tree_line(s, 0));
    assert_non_null(tree_line(s, 3)); /* a = 3, the third after #line 0 */
    assert_int_equal(s->n_lines, 4);
    tree_release(&t);
}

static void hostile(void **state)
{
    (void)state;
    struct tree t = {0};
    struct error e = ERROR_INIT;
    struct str deep = STR_INIT;
    str_add(&deep, "void f(void)\n");
    for (int i = 0; i < 5000; i++)
        str_addch(&deep, '{');
    put("x.c", str_text(&deep));
    assert_int_equal(tree_add(&t, place("x.c"), &e), ERR_INPUT);
    assert_int_equal(e.line, 2);
    str_clear(&deep);
    for (int i = 0; i < 5000; i++)
        str_add(&deep, "#if A\n");
    put("x.c", str_text(&deep));
    assert_int_equal(tree_add(&t, place("x.c"), &e), ERR_INPUT);
    put("x.c", "}}}} #else\n#endif\n#endif\n} void f(void) { /* End of Gain: '<S1>/A' */ } }\n/* shim: end */");
    assert_int_equal(tree_add(&t, place("x.c"), &e), OK);
    assert_int_equal(tree_add(&t, place("none.c"), &e), ERR_SYSTEM);
    error_release(&e);
    str_release(&deep);
    tree_release(&t);
}

/* What the block of a line is called by, and what calls there are called by: "D in A in f, calls of A in f". */
static void expect_nest(const struct tree *t, unsigned long line, const char *wanted)
{
    const struct tree_line *l = tree_line(&t->sources.at[0], line);
    struct str out = STR_INIT;
    assert_non_null(l);
    for (int calls = 0; calls < 2; calls++) {
        str_add(&out, calls ? ", calls of " : "");
        for (uint32_t n = calls ? l->calls : l->nest; n != BLOCK_NONE; n = t->nests.at[n].outer)
            str_addf(&out, "%s%s", t->blocks.at[t->nests.at[n].block].name,
                     t->nests.at[n].outer == BLOCK_NONE ? "" : " in ");
    }
    assert_string_equal(str_text(&out), wanted);
    str_release(&out);
}

/* A delay at the begin of a system calls nothing itself, up to the end of its statement; a gain may. */
static void nests(void **state)
{
    (void)state;
    struct tree t = {0};
    read_source(&t, "void f(int a)\n{\n"
                    "  /* Outputs for Atomic SubSystem: '<Root>/A' */\n"
                    "  /* UnitDelay: '<Root>/D' */\n"
                    "  a = g(a);\n" /* 5 */
                    "  a = g(a);\n"
                    "  /* End of Outputs for SubSystem: '<Root>/A' */\n"
                    "  /* Outputs for Atomic SubSystem: '<Root>/B' */\n"
                    "  /* Gain: '<Root>/G' */\n"
                    "  a = g(a);\n" /* 10 */
                    "  /* UnitDelay: '<S1>/D' */\n"
                    "  a = g(a);\n" /* 12 */
                    "  /* End of Outputs for SubSystem: '<Root>/B' */\n"
                    "  /* UnitDelay: '<Root>/D' */\n"
                    "  a = g(a);\n" /* 15 */
                    "  a = 1;\n"
                    "}\n");
    expect_nest(&t, 2, "f, calls of f");
    expect_nest(&t, 5, "<Root>/D in <Root>/A in f, calls of <Root>/A in f");
    expect_nest(&t, 6, "<Root>/D in <Root>/A in f, calls of <Root>/D in <Root>/A in f");
    expect_nest(&t, 10, "<Root>/G in <Root>/B in f, calls of <Root>/G in <Root>/B in f");
    expect_nest(&t, 12, "<S1>/D in <Root>/B in f, calls of <S1>/D in <Root>/B in f");
    expect_nest(&t, 15, "<Root>/D in f, calls of <Root>/D in f");
    assert_int_equal(tree_line(&t.sources.at[0], 15)->nest, tree_line(&t.sources.at[0], 16)->nest);
    assert_int_equal(named(&t, "<Root>/A")->inner, 1);
    assert_int_equal(named(&t, "<Root>/B")->inner, 2);
    assert_int_equal(named(&t, "<Root>/D")->inner, 0);
    assert_int_equal(named(&t, "<Root>/D")->lines, 4);
    tree_release(&t);
}

/* Lines of one block that follow each other are a run, also with empty ones between. */
static void runs(void **state)
{
    (void)state;
    struct tree t = {0};
    read_source(&t, "void f(int a)\n{\n"
                    "  /* Gain: '<S1>/A' */\n  a = 1;\n\n  a = 2;\n"
                    "  /* Gain: '<S1>/B' */\n  a = 3;\n"
                    "  /* Gain: '<S1>/A' */\n  a = 4;\n}\n");
    static const unsigned lines[] = {2, 4, 6, 8, 10, 11}, wanted[] = {0, 1, 1, 2, 3, 4};
    assert_int_equal(t.sources.at[0].n_lines, 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(tree_line(&t.sources.at[0], lines[i])->run, wanted[i]);
    assert_null(tree_line(&t.sources.at[0], 5));
    assert_null(tree_line(&t.sources.at[0], 12));
    assert_int_equal(tree_find_function(&t, 0, "f", 99), 0); /* by its name */
    assert_int_equal(tree_find_function(&t, 0, "g", 1), 0);  /* by its line */
    assert_int_equal(tree_find_function(&t, 1, "f", 1), BLOCK_NONE);
    assert_int_equal(tree_find_function(&t, 0, "g", 2), BLOCK_NONE);
    assert_true(compound_heads(&t, 0, 1) && compound_heads(&t, 0, 2));
    assert_false(compound_heads(&t, 0, 0) || compound_heads(&t, 0, 3) || compound_heads(&t, BLOCK_NONE, 1));
    tree_release(&t);
}

/* 1000 braces, 200 conditions: so many, and no more. */
static void borders(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct tree t = {0};
        struct error e = ERROR_INIT;
        struct str text = STR_INIT;
        str_add(&text, "void f(void)\n");
        for (int i = 0; i < 1000 + more; i++)
            str_addch(&text, '{');
        put("x.c", str_text(&text));
        assert_int_equal(tree_add(&t, place("x.c"), &e), more ? ERR_INPUT : OK);
        if (more)
            assert_string_equal(e.message, "braces are nested deeper than 1000");
        error_release(&e);
        e = (struct error)ERROR_INIT;
        str_clear(&text);
        for (int i = 0; i < 200 + more; i++)
            str_add(&text, "#if A\n");
        put("x.c", str_text(&text));
        assert_int_equal(tree_add(&t, place("x.c"), &e), more ? ERR_INPUT : OK);
        if (more)
            assert_string_equal(e.message, "more than 200 #if are open");
        error_release(&e);
        str_release(&text);
        tree_release(&t);
    }
}

/* Names of sources: what is C++ by its ending, and what a model is called that no comment names. */
static void names_of_sources(void **state)
{
    (void)state;
    static const struct {
        const char *name, *model;
        bool cpp;
    } sources[] = {{"m.cc", "m", true}, {"m.C", "m", true},    {"m.x.cpp", "m.x", true}, {"m.h++", "m", true},
                   {"m.c", "m", false}, {"m.inc", "m", false}, {"m", "m", false},        {".c", ".c", false}};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct tree t = {0};
        struct error e = ERROR_INIT;
        put(sources[i].name, "struct s { int f(int a) { return a; } };\nint g(void) { return 1; }\n");
        assert_int_equal(tree_add(&t, place(sources[i].name), &e), OK);
        assert_int_equal(t.functions.n, sources[i].cpp ? 2 : 1);
        assert_string_equal(t.blocks.at[0].model, sources[i].model);
        unlink(place(sources[i].name));
        tree_release(&t);
    }
}

/* What is odd is said with its place; what #line says is the place. */
static void findings(void **state)
{
    (void)state;
    struct tree t = {0};
    read_source(&t,
                "void f(int a)\n{\n  /* shim: end */\n  /* End of Gain: '<S1>/A' */\n  shim_region_end(\"r\");\n"
                "  shim_region_begin(\"r\");\n  { shim_region_end(\"r\"); }\n  shim_region_end(\"r\");\n"
                "#line 70 \"x.c\"\n  /* shim: end x */\n}\n/* shim: end */\nvoid shim_region_end(const char *n);\n");
    static const char *const wanted[] = {"x.c:3: 'shim: end' without", "x.c:5: shim_region_end without",
                                         "x.c:7: shim_region_end without", "x.c:70: 'shim: end' without"};
    assert_int_equal(t.findings.n, 4);
    for (size_t i = 0; i < 4; i++)
        if (!strstr(t.findings.at[i], wanted[i]))
            fail_msg("%s", t.findings.at[i]);
    tree_release(&t);
}

/* Whatever is done to a source, it is read or refused, and every line that is found is of a block that is there. */
static void mutated(void **state)
{
    (void)state;
    static const char source[] =
        "/* Code generated for Simulink model 'm'. */\n#if A\nvoid f(int a)\n#else\nvoid f(long a)\n#endif\n{\n"
        "  /* Outputs for Atomic SubSystem: '<Root>/S' */\n  /* Gain: '<S1>/G' incorporates:\n   *  Sum: '<S1>/A'\n   "
        "*/\n"
        "  a = \"x\\\"\"[0] + 'c';\n  // Sum: '<S1>/B'\n  if (a) {\n    /* During 'On': '<S2>:4' */\n    a = 1; \\\n  "
        "}\n"
        "#line 40 \"x.c\"\n  shim_region_begin(\"r\");\n  shim_region_end(\"r\");\n  /* shim: block b */ a++;\n"
        "  /* shim: end */\n  /* End of Outputs for SubSystem: '<Root>/S' */\n}\n";
    static const char pieces[] =
        "/*/ */ // { } ( ) [ ] ; ' \" \\ \n \r # <S1> : '<S9>/x' #if #else #endif \x80 \xC3 \t";
    unsigned random = 1;
    for (int round = 0; round < 3000; round++) {
        struct str text = STR_INIT;
        for (size_t i = 0; i < sizeof source - 1; i++) {
            random = random * 1664525u + 1013904223u;
            unsigned what = random >> 24, at = (random >> 8) % (sizeof pieces - 8);
            if (what < 3)
                str_addn(&text, pieces + at, 1 + what * 3);
            if (what < 252)
                str_addch(&text, source[i]);
        }
        struct tree t = {0};
        assert_int_equal(file_write(place("x.c"), text.s, text.len, 0), OK);
        enum status s = tree_add(&t, place("x.c"), 0);
        assert_true(s == OK || s == ERR_INPUT);
        systems_name(&t);
        tree_finish(&t);
        for (size_t i = 0; i < t.sources.at[0].n_lines; i++)
            assert_true(t.sources.at[0].lines[i].block < t.blocks.n &&
                        t.sources.at[0].lines[i].function < t.functions.n);
        tree_release(&t);
        str_release(&text);
    }
}

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/test-tree-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int clean_up(void **state)
{
    (void)state;
    return remove_tree(folder, 0) ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(within_braces),
        cmocka_unit_test(systems),
        cmocka_unit_test(generated),
        cmocka_unit_test(nested),
        cmocka_unit_test(odd),
        cmocka_unit_test(charts),
        cmocka_unit_test(triggered_chart),
        cmocka_unit_test(chart_with_end),
        cmocka_unit_test(system_with_expression),
        cmocka_unit_test(parents),
        cmocka_unit_test(own_marks),
        cmocka_unit_test(conditions),
        cmocka_unit_test(functions),
        cmocka_unit_test(cpp),
        cmocka_unit_test(compounds),
        cmocka_unit_test(phases),
        cmocka_unit_test(hierarchy),
        cmocka_unit_test(hierarchy_in_lines),
        cmocka_unit_test(line_directives),
        cmocka_unit_test(odd_line_directives),
        cmocka_unit_test(hostile),
        cmocka_unit_test(mutated),
        cmocka_unit_test(nests),
        cmocka_unit_test(runs),
        cmocka_unit_test(borders),
        cmocka_unit_test(names_of_sources),
        cmocka_unit_test(findings),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
