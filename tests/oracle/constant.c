/* Constants, and the memory of global variables. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "refs.h"

static struct refs addresses; /* global variable -> address */

static uint64_t constant_word(LLVMValueRef c)
{
    uint64_t slots[MAX_INTEGER_BITS / 64] = {0};
    constant_value(c, slots);
    return slots[0];
}

static int64_t sign_extended(uint64_t v, unsigned bits)
{
    return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* Base, then indices through the types. */
static uint64_t constant_gep(LLVMValueRef c)
{
    uint64_t address = constant_word(LLVMGetOperand(c, 0));
    LLVMTypeRef t = LLVMGetGEPSourceElementType(c);

    for (int i = 1; i < LLVMGetNumOperands(c); i++) {
        LLVMValueRef operand = LLVMGetOperand(c, (unsigned)i);
        int64_t index = sign_extended(constant_word(operand), LLVMGetIntTypeWidth(LLVMTypeOf(operand)));
        if (i == 1) {
            address += (uint64_t)index * LLVMABISizeOfType(layout, t);
        } else if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            address += LLVMOffsetOfElement(layout, t, (unsigned)index);
            t = LLVMStructGetTypeAtIndex(t, (unsigned)index);
        } else {
            t = LLVMGetElementType(t);
            address += (uint64_t)index * LLVMABISizeOfType(layout, t);
        }
    }
    return address;
}

static uint64_t constant_expression(LLVMValueRef c)
{
    uint64_t a, b = 0;
    uint64_t mask = ~UINT64_C(0);

    if (is_vector(LLVMTypeOf(c)))
        refuse_value(c, "constant expressions on vectors are not supported");
    if (LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMIntegerTypeKind)
        mask = mask_of(LLVMGetIntTypeWidth(LLVMTypeOf(c)));
    if (LLVMGetConstOpcode(c) == LLVMGetElementPtr)
        return constant_gep(c);
    a = constant_word(LLVMGetOperand(c, 0));
    if (LLVMGetNumOperands(c) > 1)
        b = constant_word(LLVMGetOperand(c, 1));
    switch (LLVMGetConstOpcode(c)) {
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMTrunc:
        return a & mask;
    case LLVMAdd:
        return (a + b) & mask;
    case LLVMSub:
        return (a - b) & mask;
    case LLVMMul:
        return (a * b) & mask;
    case LLVMXor:
        return a ^ b;
    case LLVMShl:
        return b < 64 ? (a << b) & mask : 0;
    default:
        refuse_value(c, "this constant expression is not supported");
    }
}

/* "i128 -17": more than 64 bits can only be had as text. Words, the lowest first. */
static void wide_integer(LLVMValueRef c, uint64_t *slots)
{
    char *text = LLVMPrintValueToString(c);
    const char *p = strchr(text, ' ');
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(c)), n = (bits + 63) / 64;
    bool negative = p && p[1] == '-';

    memset(slots, 0, n * SLOT);
    for (p += negative ? 2 : 1; *p >= '0' && *p <= '9'; p++) {
        unsigned __int128 carry = (unsigned)(*p - '0');
        for (unsigned i = 0; i < n; i++) { /* times 10, plus the digit */
            carry += (unsigned __int128)slots[i] * 10;
            slots[i] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    if (*p)
        refuse("the constant '%s' cannot be read", text);
    for (unsigned i = 0, borrow = 1; negative && i < n; i++) { /* the two's complement */
        slots[i] = ~slots[i] + borrow;
        borrow = borrow && slots[i] == 0;
    }
    slots[n - 1] &= mask_of(bits - (n - 1) * 64);
    LLVMDisposeMessage(text);
}

/* "x86_fp80 0xK3FFF8000000000000000": sign and exponent (4 digits), significand (16). LLVM 23 prints "1.000000e+00" where that
 * gives the same number, and "+inf"; such a number is read as a long double, which this type is where it can be interpreted. */
static void extended_real(LLVMValueRef c, uint64_t *slots)
{
    char *text = LLVMPrintValueToString(c), *end;
    const char *digits = strstr(text, "0xK"), *decimal = strchr(text, ' ');
    char high[5] = "";

    if (digits && strlen(digits) == 23) {
        memcpy(high, digits + 3, 4);
        slots[1] = strtoull(high, NULL, 16);
        slots[0] = strtoull(digits + 7, NULL, 16);
    } else {
        long double number = decimal ? strtold(decimal, &end) : 0;
        if (!decimal || end == decimal || *end)
            refuse("the constant '%s' cannot be read", text);
        slots[1] = 0;
        memcpy(slots, &number, 10);
    }
    LLVMDisposeMessage(text);
}

static void real(LLVMValueRef c, uint64_t *slots)
{
    LLVMBool loses;
    double d;
    float f;

    if (LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMX86_FP80TypeKind) {
        extended_real(c, slots);
        return;
    }
    d = LLVMConstRealGetDouble(c, &loses);
    f = (float)d;
    slots[0] = 0;
    if (LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMFloatTypeKind)
        memcpy(slots, &f, sizeof f);
    else
        memcpy(slots, &d, sizeof d);
}

static uint64_t global_address(LLVMValueRef g)
{
    uint64_t address;
    if (LLVMIsAGlobalAlias(g))
        return constant_word(LLVMAliasGetAliasee(g));
    if (LLVMIsAFunction(g)) {
        struct function *f = function_of(g);
        if (!f->address && LLVMGetLinkage(g) != LLVMExternalWeakLinkage)
            refuse("the function '%s' is neither in the module nor in the interpreter", f->name);
        return (uint64_t)(uintptr_t)f->address;
    }
    if (!refs_get(&addresses, g, &address))
        refuse_value(g, "this global has no address");
    return address;
}

void constant_value(LLVMValueRef c, void *out)
{
    uint64_t *slots = out;
    LLVMTypeRef t = LLVMTypeOf(c);
    LLVMTypeKind kind = LLVMGetTypeKind(t);

    if (LLVMIsUndef(c) || LLVMIsPoison(c) || LLVMIsNull(c)) {
        memset(slots, 0, frame_size(t));
    } else if (LLVMIsAConstantExpr(c)) {
        slots[0] = constant_expression(c);
    } else if (LLVMIsAGlobalValue(c)) {
        slots[0] = global_address(c);
    } else if (LLVMIsABlockAddress(c)) {
        slots[0] = (uint64_t)(uintptr_t)LLVMGetBlockAddressBasicBlock(c);
    } else if (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) > 64) {
        wide_integer(c, slots);
    } else if (kind == LLVMIntegerTypeKind) {
        slots[0] = LLVMConstIntGetZExtValue(c);
    } else if (LLVMIsAConstantFP(c) && kind != LLVMVectorTypeKind) {
        real(c, slots);
    } else if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
        LLVMValueRef element;
        for (unsigned i = 0; (element = LLVMGetAggregateElement(c, i)); i++) {
            constant_value(element, slots);
            slots += frame_size(LLVMTypeOf(element)) / SLOT;
        }
    } else {
        refuse_value(c, "this constant is not supported");
    }
}

/* An initialiser into memory. Large ones are arrays and structures: no need to go through a frame's layout. */
static void initialise(LLVMValueRef c, char *memory)
{
    LLVMTypeRef t = LLVMTypeOf(c);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    size_t n;

    if (LLVMIsNull(c) || LLVMIsUndef(c) || LLVMIsPoison(c))
        return; /* the memory is zero */
    if (LLVMIsAConstantDataSequential(c) && LLVMIsConstantString(c)) {
        const char *text = LLVMGetAsString(c, &n);
        memcpy(memory, text, n);
    } else if (kind == LLVMArrayTypeKind) {
        uint64_t size = LLVMABISizeOfType(layout, LLVMGetElementType(t));
        for (uint64_t i = 0; i < LLVMGetArrayLength2(t); i++)
            initialise(LLVMGetAggregateElement(c, (unsigned)i), memory + i * size);
    } else if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            initialise(LLVMGetAggregateElement(c, i), memory + LLVMOffsetOfElement(layout, t, i));
    } else {
        struct shape s = shape_of(t);
        char *slots = xcalloc(1, s.size + SLOT), *slot = slots;
        constant_value(c, slots);
        for (size_t i = 0; i < s.leaves.n; i++) {
            leaf_store(slot, &s.leaves.at[i], memory);
            slot += s.leaves.at[i].slots * SLOT;
        }
        free(slots);
        vec_release(&s.leaves);
    }
}

static bool is_compilers(LLVMValueRef g) /* llvm.used and the like: not data of the program */
{
    size_t n;
    return strncmp(LLVMGetValueName2(g, &n), "llvm.", 5) == 0;
}

static size_t aligned_size(LLVMValueRef g)
{
    size_t align = LLVMPreferredAlignmentOfGlobal(layout, g);
    size_t size = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g));
    if (LLVMGetAlignment(g) > align)
        align = LLVMGetAlignment(g);
    return size + align + 64;
}

/* All in one stretch, so that differences of their addresses fit into 32 bits, as in a real program. */
void globals_place(LLVMModuleRef m)
{
    size_t total = 0, name_length;
    char *memory;

    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
        if (strcmp(LLVMGetValueName2(g, &name_length), "llvm.global_ctors") == 0 ||
            strcmp(LLVMGetValueName2(g, &name_length), "llvm.global_dtors") == 0)
            refuse_value(g, "constructors and destructors are not supported");
        if (!LLVMIsDeclaration(g) && !is_compilers(g))
            total += aligned_size(g);
    }
    memory = mmap(NULL, total + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        refuse("no memory for %zu bytes of global variables", total);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
        const char *name = LLVMGetValueName2(g, &name_length);
        uintptr_t address;
        if (is_compilers(g))
            continue;
        if (LLVMIsDeclaration(g)) {
            address = (uintptr_t)native_symbol(name);
            if (!address && LLVMGetLinkage(g) != LLVMExternalWeakLinkage)
                refuse("the variable '%s' is neither in the module nor in the interpreter", name);
        } else {
            uintptr_t align = LLVMPreferredAlignmentOfGlobal(layout, g);
            if (LLVMGetAlignment(g) > align)
                align = LLVMGetAlignment(g);
            address = ((uintptr_t)memory + align - 1) / align * align;
            memory += aligned_size(g);
        }
        refs_put(&addresses, g, address);
    }
}

void globals_fill(LLVMModuleRef m)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
        LLVMValueRef initialiser = LLVMIsDeclaration(g) || is_compilers(g) ? NULL : LLVMGetInitializer(g);
        if (initialiser)
            initialise(initialiser, (char *)(uintptr_t)global_address(g));
    }
}
