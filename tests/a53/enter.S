/* enter.S - loop_enter(arguments): runs a loop of loops.txt with all registers set as it wants them: x0-x27 = x, x28 =
 * constant, x29 = rounds, all bytes of the vector registers 1. The loop goes to loop_end. What it needs comes from
 * memory: there the simulator, which follows values from where time begins, sees what it is. */
    .text
    .globl loop_enter, loop_end
    .type loop_enter, %function
loop_enter:
    sub sp, sp, #176
    stp x19, x20, [sp]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    ldr x30, [x0]
    ldr x28, [x0, #16]
    ldr x29, [x0, #24]
    ldr x0, [x0, #8]
    .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    mov x\n, x0
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    movi v\n\().16b, #1
    .endr
    br x30
loop_end:
    ldp x19, x20, [sp]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #176
    ret
    .size loop_enter, . - loop_enter
    .section .note.GNU-stack, "", %progbits
