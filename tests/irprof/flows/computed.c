/* Computed jumps: an interpreter whose loops exist in its program only; and a callbr. */
#include <stdio.h>

enum { ADD, SUB, JUMP_NOT_ZERO, CALL, RETURN, HALT };

__attribute__((noinline)) static long interpret(const int *code, long start)
{
    static const void *const places[] = {&&add, &&sub, &&jump, &&call, &&back, &&halt};
    long a = start, sum = 0;
    int at = 0, stack[16], top = 0;
    goto *places[code[0]];
add:
    sum += a * code[at + 1];
    at += 2;
    goto *places[code[at]];
sub:
    a -= code[at + 1];
    at += 2;
    goto *places[code[at]];
jump:
    at = a ? code[at + 1] : at + 2;
    goto *places[code[at]];
call:
    stack[top++] = at + 2;
    at = code[at + 1];
    goto *places[code[at]];
back:
    at = stack[--top];
    goto *places[code[at]];
halt:
    return sum;
}

__attribute__((noinline)) static int asked(int n)
{
    int odd = 0;
    for (int i = 0; i < n; i++) {
        __asm__ goto("" : : "r"(i) : : skip);
        odd += i & 1;
    skip:;
    }
    return odd;
}

int main(void)
{
    static const int code[] = {CALL, 7, JUMP_NOT_ZERO, 0,  HALT,   0,   0, ADD,   3,
                               SUB,  1, JUMP_NOT_ZERO, 14, RETURN, ADD, 1, RETURN};
    printf("%ld %ld %d\n", interpret(code, 1000), interpret(code, 7), asked(33));
    return 0;
}
