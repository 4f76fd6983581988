/* exclusions.c - what has no case, and why. */
#include "samples/micro/private.h"

const struct micro_exclusion *micro_exclusions(size_t *n)
{
    static const struct micro_exclusion none[] = {
        {"unreachable", "is not counted: it makes no code"},
        {"indirectbr*", "computed goto, an extension of GNU C; as call.indirect without the return"},
        {"invoke*", "C++ exceptions: C has none"},
        {"callbr*", "asm goto: the code is the program's own"},
        {"call.asm", "inline assembly: the code is the program's own"},
        {"resume*", "C++ exceptions"},
        {"landingpad*", "C++ exceptions"},
        {"cleanupret*", "C++ exceptions"},
        {"catchret*", "C++ exceptions"},
        {"catchpad*", "C++ exceptions"},
        {"cleanuppad*", "C++ exceptions"},
        {"catchswitch*", "C++ exceptions"},
        {"va_arg*", "clang makes loads of it for these targets"},
        {"phi.i1", "there is no register of one bit: as phi.i8"},
        {"extractelement.i1", "a vector of bits is a vector of numbers on these targets: as extractelement.i8"},
        {"load.agg", "a structure as a value, which clang makes for a few calls: as many loads as it has parts"},
        {"store.agg", "a structure as a value, which clang makes for a few calls: as many stores as it has parts"},
        {"addrspacecast*", "these targets have one address space"},
    };
    *n = sizeof none / sizeof *none;
    return none;
}
