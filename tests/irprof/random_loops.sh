#!/bin/sh
# random_loops.sh SEED - a C program of random loops on standard output: csmith's loops hardly ever have bounds that are
# known when they begin, and are seldom nested. All end: bounds lie in -3 ... 17, or wrap in 8 bits.
awk -v seed="$1" '
    function random(n) { state = (state * 16807) % 2147483647; return int(state / 7) % n }
    function pick(list,    a) { return a[1 + random(split(list, a, "|"))] }
    function put(text) { print margin text }
    function open(text) { put(text " {"); margin = margin "    " }
    function close_(text) { margin = substr(margin, 5); put("}" text) }
    function body(i,    s) {
        s = pick("x += (unsigned)data[I]|data[I] = c|data[I] = other[I] + 1|x ^= (unsigned)(I * a)")
        gsub("I", i, s)
        return s
    }
    function number() { return pick("a|b|c|3|1|0|7|n|(a + b) / 2|c - a|5 - b") }
    # Steps that pass no bound by more than a little, and that never miss an end that must be met exactly.
    function loop(depth,    i, k, t) {
        i = "i" ++loops
        k = random(11)
        t = pick("int|int|unsigned char|long|short|int8_t|int64_t")
        if (k == 0) open("for (" t " " i " = 0; " i " < " number() "; " i "++)")
        else if (k == 1) open("for (" t " " i " = " number() " & 15; " i " > 0; " i "--)")
        else if (k == 2) open("for (int " i " = " number() "; " i " <= " number() "; " i " += " 1 + random(4) ")")
        else if (k == 3) open("for (long " i " = " number() "; " i " >= " number() "; " i " -= " 1 + random(4) ")")
        else if (k == 4) open("for (uint8_t " i " = (uint8_t)" number() "; " i " != (uint8_t)(" number() "); " i " = (uint8_t)(" i " + " 2 * random(3) + 1 "))")
        else if (k == 5) { put("unsigned " i " = (unsigned)" number() " & 7;"); open("while (" i "-- != 0)") }
        else if (k == 6) { put("int " i " = " number() ";"); open("do") }
        else if (k == 7) open("for (const int *" i " = data; " i " < data + (" number() " & 31); " i "++)")
        else if (k == 8) open("for (unsigned " i " = 0; " i " < (unsigned)(" number() ") % 19; " i "++)")
        else if (k == 9) open("for (int " i " = 0; " i " < (" number() " & 3) * (" number() " & 7); " i "++)")
        else open("for (int " i " = " number() ", j" i " = 17; " i " < j" i "; " i "++, j" i "--)")
        inside++
        statement(depth + 1)
        if (random(2)) statement(depth + 1)
        inside--
        if (k == 6) close_(" while (++" i " < " number() ");")
        else close_("")
    }
    function statement(depth,    k, i) {
        k = random(depth < 3 ? 16 : 9)
        if (k == 0) put("sink += (unsigned)a;")
        else if (k == 1) put("x = x * 5 + (unsigned)b;")
        else if (k == 2) put("data[x & 31] ^= c;")
        else if (k == 3) put("x += (unsigned)data[(unsigned)a & 31];")
        else if (k == 4) put("x ^= x >> 3;")
        else if (k == 5 && inside) put("if (x % " 3 + random(60) " == 1)\n" margin "    " pick("break|continue|break|goto out|return x") ";")
        else if (k == 6) put("tick(x);")
        else if (k == 7 && function_ && random(2)) put("x += f" random(function_) "(b & 7, a & 3, x & 3);")
        else if (k == 8) { i = "m" ++loops; put("for (int " i " = 0; " i " < (b & 31); " i "++)\n" margin "    " body(i) ";") }
        else if (k <= 11) {
            open("if (" pick("x & 1|a < b|(x >> 4) % 3|c > 2") ")")
            statement(depth + 1)
            if (random(2)) { margin = substr(margin, 5); put("} else {"); margin = margin "    "; statement(depth + 1) }
            close_("")
        } else if (k == 12) {
            open("switch (x % 5)")
            for (i = 0; i < 3; i++) { put("case " i ":"); open(""); statement(depth + 1); close_(""); if (random(3)) put("    break;") }
            close_("")
        } else loop(depth)
    }
    BEGIN {
        state = seed * 7919 + 12345
        for (i = 0; i < 9; i++) random(2)
        put("#include <setjmp.h>")
        put("#include <shim_region.h>")
        put("#include <stdint.h>")
        put("#include <stdio.h>")
        put("#include <stdlib.h>")
        put("static volatile unsigned sink;")
        put("static int data[32], other[32];")
        put("static jmp_buf back;")
        put("static unsigned long ticks;")
        open("__attribute__((noinline)) static void tick(unsigned x)")
        put("sink ^= x;")
        put("if (++ticks % " 500 + random(5000) " == 0)")
        put("    longjmp(back, 1);")
        put("if (ticks > " 20000 + random(100000) ")")
        put("    " pick("exit(3)|abort()|_Exit(4)") ";")
        close_("")
        for (function_ = 0; function_ < 8; function_++) {
            put("")
            open(pick("|__attribute__((noinline)) |") "static unsigned f" function_ "(int a, int b, unsigned n_)")
            put("unsigned x = n_ + 1;")
            put("int c = a ^ b, n = (int)n_;")
            loop(0)
            statement(0)
            if (random(2)) loop(0)
            put("if (x == 12345)")
            put("    goto out;")
            margin = substr(margin, 5)
            put("out:")
            margin = margin "    "
            put("return x + (unsigned)n + (unsigned)c;")
            close_("")
        }
        put("")
        open("int main(void)")
        put("volatile unsigned sum = 0;")
        put("static const int numbers[] = {0, 1, -3, 5, 17, 2, 8, -1, 12};")
        put("static volatile int at;")
        put("setjmp(back);")
        open("for (; at < 81;)")
        put("int a = numbers[at % 9], b = numbers[at / 9];")
        put("at++;")
        put("if (at % 9 == 4)")
        put("    shim_region_begin(\"r\");")
        for (i = 0; i < 8; i++) put("sum += f" i "(a, b, (unsigned)at & 7);")
        put("if (at % 9 == 4)")
        put("    shim_region_end(\"r\");")
        close_("")
        put("printf(\"%u %u\\n\", sum, sink);")
        put("return 0;")
        close_("")
    }
    ' </dev/null
