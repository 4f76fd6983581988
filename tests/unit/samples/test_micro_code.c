/* What the back end makes of microbenchmarks is what is read back, and for known cases what it must be. The truth of
 * the rows: the instruction sets' manuals; a copy of an instruction that the machine has is that instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "samples/micro/micro.h"
#include <llvm-c/Target.h>

#include "samples/micro/target.h"

enum { X86, ARM, RISC_V, CORTEX_M };
static const struct micro_target targets[] = {{"x86_64-linux-gnu", "", "", 131072, 4194304},
                                              {"aarch64-linux-gnu", "cortex-a53", "", 131072, 4194304},
                                              {"riscv64-linux-gnu", "sifive-u74", "+m,+a,+f,+d,+c", 131072, 4194304},
                                              {"thumb-linux-gnueabihf", "cortex-m4", "", 0, 0}};
/* "-": makes no code. */
static const struct {
    int target;
    const char *name, *mnemonics, *calls;
} rows[] = {
    {ARM, "add.i32/chain", "add", ""},
    {ARM, "add.i32/stream", "add", ""},
    {ARM, "add.i128/chain", "adc adds", ""},
    {ARM, "mul.i32/chain", "mul", ""},
    {ARM, "mul.i64/chain", "mul", ""},
    {ARM, "xor.i64/chain", "eor", ""},
    {ARM, "sdiv.i32/chain", "sdiv", ""},
    {ARM, "sdiv.i32/chain,large", "sdiv", ""},
    {ARM, "sdiv.i8/chain", "sdiv sxtb", ""},
    {ARM, "srem.i32/chain", "add msub sdiv", ""},
    {ARM, "srem.i32/chain,small", "msub sdiv", ""},
    {ARM, "sdiv.i128/chain", "bl mov*4", "__divti3"},
    {ARM, "fadd.double/chain", "fadd", ""},
    {ARM, "fdiv.double/stream,denormal", "fdiv", ""},
    {ARM, "frem.double/chain,small", "bl fmov", "fmod"},
    {ARM, "icmp.i32/chain,select", "cmp csel", ""},
    {ARM, "fcmp.double/chain,select", "fcmp fcsel", ""},
    {ARM, "select.i32/chain", "csel", ""},
    {ARM, "freeze.i32/chain", "-", ""},
    {ARM, "trunc.i32/stream,from-i64", "-", ""},
    {ARM, "inttoptr.ptr/chain,from-i64", "-", ""},
    {ARM, "sext.i64/chain,from-i32", "sxtw", ""},
    {ARM, "sitofp.double/stream,from-i32", "scvtf", ""},
    {ARM, "fptosi.double/stream,to-i32", "fcvtzs", ""},
    {ARM, "bitcast.i64/stream,from-double", "fmov", ""},
    {ARM, "load.i32/chain", "ldr", ""},
    {ARM, "load.i8/chain", "ldrb", ""},
    {ARM, "load.ptr/chain,memory", "ldr", ""},
    {ARM, "store.double/stream", "str", ""},
    {ARM, "getelementptr.ptr/chain", "add", ""},
    {ARM, "getelementptr.ptr/stream,load", "ldr", ""},
    {ARM, "alloca.ptr/stream", "str", ""},
    {ARM, "br.cond/stream,not-taken", "cbnz", ""},
    {ARM, "br.cond/stream,taken", "cbnz nop", ""},
    {ARM, "br.cond/stream,random", "nop tbnz", ""},
    {ARM, "br.cond/stream,random,far", "nop*2 tbnz", ""},
    {ARM, "br.uncond/stream", "-", ""},
    {ARM, "call.direct/stream", "bl", ""},
    {ARM, "call.indirect/chain", "blr", ""},
    {ARM, "phi.i32/stream", "-", ""},
    {ARM, "phi.i32/stream,circle", "mov", ""},
    {ARM, "call.llvm.fmuladd.double/chain", "fmadd", ""},
    {ARM, "call.llvm.memcpy/stream,size=16,constant", "ldr str", ""},
    {ARM, "call.llvm.memcpy/stream,size=1024", "bl mov*3", "memcpy"},
    {ARM, "call.library.sin/stream", "bl fmov", "sin"},
    {ARM, "add.v4i32/chain", "add", ""},
    {ARM, "add.i32/pair:mul.i32", "add mul", ""},
    {ARM, "load.i64/stream,use:add", "add ldr", ""},
    {ARM, "load.i64/stream,use:shl", "ldr lsl", ""},
    {ARM, "load.i64/stream,use:br", "cbnz ldr", ""},
    {ARM, "load.i64/stream,use:add+load", "add ldr*2", ""},
    {ARM, "add.i64/stream,use:load", "add ldr", ""},
    {ARM, "fadd.double/stream,use:store", "fadd str", ""},
    {ARM, "mul.i64/chain,accumulate", "madd", ""},
    {ARM, "mul.i128/chain,high", "umulh", ""},
    {ARM, "call.llvm.fma.double/stream,accumulate", "fmadd", ""},
    {X86, "add.i32/chain", "addl", ""},
    {X86, "fadd.double/chain", "addsd", ""},
    {X86, "mul.i64/chain", "imulq", ""},
    {X86, "shl.i32/chain,constant", "addl", ""},
    {X86, "load.ptr/chain", "movq", ""},
    {X86, "freeze.i64/stream", "-", ""},
    {X86, "mul.v8i16/chain", "pmullw", ""},
    {RISC_V, "add.i32/chain", "addw", ""},
    {RISC_V, "add.i64/chain", "add", ""},
    {RISC_V, "fmul.float/chain", "fmul.s", ""},
    {RISC_V, "load.ptr/chain", "ld", ""},
    {RISC_V, "icmp.i64/stream,zext", "slt", ""},
    {RISC_V, "br.cond/stream,not-taken", "bnez", ""},
    {RISC_V, "call.llvm.fabs.double/chain", "fabs.d", ""},
    {RISC_V, "load.i64/stream,use:mul", "ld mul", ""},
    {RISC_V, "load.double/stream,use:store", "fld fsd", ""},
    {RISC_V, "mul.i64/chain,accumulate", "add mul", ""},
    {CORTEX_M, "add.i32/chain", "add", ""},
    {CORTEX_M, "add.i32/stream", "add", ""},
    {CORTEX_M, "add.i64/chain", "adc add", ""},
    {CORTEX_M, "mul.i32/stream", "mul", ""},
    {CORTEX_M, "sdiv.i32/chain", "sdiv", ""},
    {CORTEX_M, "sdiv.i64/chain", "bl mov*4", "__aeabi_ldivmod"},
    {CORTEX_M, "fadd.float/chain", "vadd.f32", ""},
    {CORTEX_M, "fadd.double/chain", "bl mov*2", "__aeabi_dadd"},
    {CORTEX_M, "icmp.i32/chain,select", "cmp it movge", ""},
    {CORTEX_M, "select.i32/chain", "it lsl moveq", ""},
    {CORTEX_M, "load.i32/chain", "ldr", ""},
    {CORTEX_M, "load.i32/stream,use:add", "add ldr", ""},
    {CORTEX_M, "load.i64/chain", "add ldr*2", ""},
    {CORTEX_M, "store.i64/stream", "strd", ""},
    {CORTEX_M, "br.cond/stream,not-taken", "bne cmp", ""},
    {CORTEX_M, "call.direct/stream", "bl", ""},
    {CORTEX_M, "call.library.strlen/stream,size=16", "bl mov", "strlen"},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static size_t find(const struct micro_set *set, const char *name)
{
    for (size_t i = 0; i < set->n; i++) {
        char *n = xasprintf("%s/%s", set->at[i].key, set->at[i].condition);
        bool is = strcmp(n, name) == 0;
        free(n);
        if (is)
            return i;
    }
    fail_msg("there is no case %s", name);
    return 0;
}

/* The back end, as the compiler has it at -O2. */
static void compile(const struct micro_set *set, char *from, char *to)
{
    struct error e = ERROR_INIT;
    LLVMTargetMachineRef machine;
    LLVMMemoryBufferRef bytes;
    LLVMModuleRef m;
    char *message = NULL;
    LLVMContextRef context = LLVMContextCreate();
    LLVMInitializeX86AsmParser();
    LLVMInitializeAArch64AsmParser();
    LLVMInitializeRISCVAsmParser();
    LLVMInitializeARMAsmParser();
    assert_int_equal(target_machine(&machine, set, &e), OK);
    assert_false(LLVMCreateMemoryBufferWithContentsOfFile(from, &bytes, &message));
    assert_false(LLVMParseBitcodeInContext2(context, bytes, &m));
    LLVMDisposeMemoryBuffer(bytes);
    if (LLVMTargetMachineEmitToFile(machine, m, to, LLVMObjectFile, &message))
        fail_msg("%s", message);
    LLVMDisposeTargetMachine(machine);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
}

static void check(int target)
{
    struct micro_set set;
    struct error e = ERROR_INIT;
    size_t which[N_ROWS], row[N_ROWS], n = 0;
    assert_int_equal(micro_cases(&set, &targets[target], &e), OK);
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].target == target) {
            row[n] = i;
            which[n++] = find(&set, rows[i].name);
        }
    char *folder, *bitcode, *object;
    assert_int_equal(temp_directory(&folder, "micro", &e), OK);
    bitcode = path_join(folder, "micro.bc");
    object = path_join(folder, "micro.o");
    assert_int_equal(micro_emit(&set, which, n, bitcode, &e), OK);
    compile(&set, bitcode, object);
    struct micro_code codes[N_ROWS];
    assert_int_equal(micro_read_code(&set, which, n, object, codes, &e), OK);
    for (size_t i = 0; i < n; i++) {
        const char *wanted = rows[row[i]].mnemonics;
        bool none = strcmp(wanted, "-") == 0;
        assert_true(codes[i].found);
        assert_true(codes[i].even);
        assert_int_equal(codes[i].folded, none);
        assert_string_equal(codes[i].mnemonics, none ? "" : wanted);
        assert_string_equal(codes[i].calls, rows[row[i]].calls);
        micro_code_release(&codes[i]);
    }
    free(bitcode);
    free(object);
    free(folder);
    micro_release(&set);
}

static void test_aarch64(void **state)
{
    (void)state;
    check(ARM);
}

static void test_x86_64(void **state)
{
    (void)state;
    check(X86);
}

static void test_riscv64(void **state)
{
    (void)state;
    check(RISC_V);
}

static void test_cortex_m(void **state)
{
    (void)state;
    check(CORTEX_M);
}

/* A target that this program was not compiled for. */
#ifdef __aarch64__
enum { OTHER = X86 };
#else
enum { OTHER = ARM };
#endif

static void test_what_is_no_object_file(void **state)
{
    (void)state;
    struct micro_set set;
    struct error e = ERROR_INIT;
    struct micro_code *codes;
    char *folder, *path;
    assert_int_equal(micro_cases(&set, &targets[OTHER], &e), OK);
    codes = xcalloc(set.n, sizeof *codes);
    assert_int_equal(temp_directory(&folder, "micro", &e), OK);
    path = path_join(folder, "micro.o");
    assert_int_equal(file_write(path, "text", 4, &e), OK);
    assert_int_equal(micro_read_code(&set, NULL, 0, path, codes, &e), ERR_INPUT);
    error_release(&e);
    assert_int_equal(micro_read_code(&set, NULL, 0, "/proc/self/exe", codes, &e), ERR_INPUT); /* another machine's */
    assert_non_null(strstr(e.message, set.triple));
    error_release(&e);
    unlink(path);
    assert_int_equal(micro_read_code(&set, NULL, 0, path, codes, &e), ERR_SYSTEM);
    error_release(&e);
    free(codes);
    free(path);
    free(folder);
    micro_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aarch64),
        cmocka_unit_test(test_x86_64),
        cmocka_unit_test(test_riscv64),
        cmocka_unit_test(test_cortex_m),
        cmocka_unit_test(test_what_is_no_object_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
