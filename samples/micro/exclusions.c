/* exclusions.c - what has no case, and why. */
#include "samples/micro/private.h"

const struct micro_exclusion *micro_exclusions(size_t *n)
{
    static const struct micro_exclusion none[] = {
        {"unreachable", "", "is not counted: it makes no code"},
        {"indirectbr*", "call.indirect", "computed goto, an extension of GNU C: without the return"},
        {"invoke*", "", "C++ exceptions: C has none"},
        {"callbr*", "", "asm goto: the code is the program's own"},
        {"call.asm", "", "inline assembly: the code is the program's own"},
        {"resume*", "", "C++ exceptions"},
        {"landingpad*", "", "C++ exceptions"},
        {"cleanupret*", "", "C++ exceptions"},
        {"catchret*", "", "C++ exceptions"},
        {"catchpad*", "", "C++ exceptions"},
        {"cleanuppad*", "", "C++ exceptions"},
        {"catchswitch*", "", "C++ exceptions"},
        {"va_arg*", "load.i64", "clang makes loads of it for these targets"},
        {"addrspacecast*", "", "these targets have one address space"},
        /* bits */
        {"phi.i1", "phi.i8", "there is no register of one bit"},
        {"trunc.i1", "trunc.i8", "there is no register of one bit: who needs it looks at one"},
        {"load.i1", "load.i8", "a bit takes a byte of memory; of atomics on _Bool alone"},
        {"extractvalue.i1", "extractvalue.i8", "there is no register of one bit"},
        {"extractelement.i1", "extractelement.i8", "a vector of bits is a vector of numbers on these targets"},
        /* structures as values, which stand in registers part by part */
        {"load.agg", "load.i64",
         "a structure as a value, which clang makes for a few calls: as many loads as it has parts"},
        {"store.agg", "store.i64",
         "a structure as a value, which clang makes for a few calls: as many stores as it has parts"},
        {"phi.agg", "phi.i64", "a structure as a value: as many as it has parts"},
        {"select.agg", "select.i64", "a structure as a value: as many as it has parts"},
        {"extractvalue.agg", "extractvalue.i64", "a part that has parts itself: it is only named"},
        {"extractvalue.i128", "extractvalue.i64", "two registers that are only named"},
        /* long double: x87's on x86, functions of the compiler's library on numbers of 128 bits elsewhere */
        {"*.x86_fp80", "*.double", "long double, of which embedded programs have none"},
        {"*.fp128", "*.double", "long double, of which embedded programs have none"},
        {"fptrunc.double", "fptrunc.float", "of a long double"},
        {"*.i80", "*.i128", "the bits of a long double, in its classification"},
        {"bitcast.i128", "bitcast.i64", "the bits of a long double, in its classification"},
        /* numbers of 128 bits where the processor has no instruction for them */
        {"switch.i128", "switch.i64", "two comparisons for one"},
        {"atomicrmw.i128", "atomicrmw.i64", "a loop, or a call, of which C programs have next to none"},
        /* what is asked of the compiler */
        {"call.llvm.is.constant.i1", "", "is answered when compiled"},
        {"call.llvm.objectsize.i64", "", "is answered when compiled"},
        {"call.llvm.va_start", "store.i64", "a few stores in the callee's frame"},
        {"call.llvm.va_copy", "load.i64", "a few loads and stores"},
        {"call.llvm.va_end", "", "makes no code on these targets"},
        {"call.llvm.stacksave.ptr", "add.i64", "a copy of the stack pointer, around an array of variable length"},
        {"call.llvm.stackrestore", "add.i64", "a copy of the stack pointer, around an array of variable length"},
        {"call.llvm.frameaddress.ptr", "add.i64", "a copy of the frame pointer"},
        {"call.llvm.returnaddress.ptr", "load.ptr", "one load from the frame, or a register"},
        {"call.llvm.threadlocal.address.ptr", "getelementptr.ptr", "an address in the thread's own memory"},
        {"call.llvm.load.relative.ptr", "load.i32", "a load of a distance and an addition: tables of texts"},
        {"call.llvm.prefetch", "load.i8", "as a load, which nobody waits for"},
        {"call.llvm.trap", "", "ends the program"},
        {"call.llvm.readcyclecounter.i64", "", "reads a counter: the program's own measuring"},
        {"call.llvm.get.rounding.i32", "", "reads a control register: fegetround and FLT_ROUNDS"},
        /* of the mathematical library, which others stand for */
        {"call.llvm.exp10.*", "call.llvm.exp.*", "a function of the GNU library"},
        {"call.library.*f", "call.library.*", "of float: as the one of double"},
        {"call.library.*l", "call.library.*", "of long double: as the one of double"},
        {"call.library.ll*", "call.library.l*", "long long is long"},
        {"call.library.nearbyint", "call.library.rint", "differs in a flag"},
        {"call.library.copysign", "call.llvm.copysign.double", "clang makes the intrinsic of it"},
        {"call.library.fabs", "call.llvm.fabs.double", "clang makes the intrinsic of it"},
        {"call.library.exp10", "call.library.exp2", "a function of the GNU library"},
        {"call.llvm.frexp.agg", "call.library.frexp", "a call of it"},
    };
    *n = sizeof none / sizeof *none;
    return none;
}
