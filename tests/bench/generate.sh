#!/bin/sh
# generate.sh LINES FOLDER - a C program of so many lines, 2500 a file, the same each time: functions with loops, branches,
# switches and calls of each other, all of them executed. Numbers decide what a function is like, so that none are alike.
set -eu
mkdir -p "$2"
awk -v lines="$1" -v folder="$2" '
    function random(n) { state = (state * 16807) % 2147483647; return state % n }
    function put(text) { print text >file; n++ }
    function expression(    k) {
        k = random(6)
        if (k == 0) return "a + b * " random(90)
        if (k == 1) return "(a ^ b) + table[b & 63]"
        if (k == 2) return "a - (b >> " 1 + random(7) ")"
        if (k == 3) return "table[a & 63] * " 1 + random(30)
        if (k == 4) return "(a | " random(255) ") - b"
        return "b + (a << " 1 + random(3) ")"
    }
    function statement(indent, depth,    k, i) {
        k = random(depth < 3 ? 9 : 4)
        if (k == 0) put(indent "a = " expression() ";")
        else if (k == 1) put(indent "b = " expression() ";")
        else if (k == 2) put(indent "table[a & 63] = " expression() ";")
        else if (k == 3) put(indent "x += (double)(a & 255) * " random(100) "." random(10) ";")
        else if (k == 4 || k == 5) {
            put(indent "if ((" expression() ") % " 2 + random(9) " == " random(2) ") {")
            statement(indent "    ", depth + 1)
            put(indent "} else {")
            statement(indent "    ", depth + 1)
            put(indent "}")
        } else if (k == 6) {
            i = "i" depth
            put(indent "for (unsigned " i " = 0; " i " < " 1 + random(6) "; " i "++) {")
            put(indent "    b += " i ";")
            statement(indent "    ", depth + 1)
            put(indent "}")
        } else if (k == 7) {
            put(indent "switch (a % 4) {")
            for (i = 0; i < 3; i++) {
                put(indent "case " i ":")
                statement(indent "    ", depth + 1)
                put(indent "    break;")
            }
            put(indent "}")
        } else {
            put(indent "while (b > " 1000 + random(1000) ") {")
            put(indent "    b /= " 2 + random(5) ";")
            put(indent "}")
        }
    }
    function define(    i) {
        put("")
        put("unsigned f" functions "(unsigned a, unsigned b)")
        put("{")
        put("    double x = a;")
        for (i = 0; i < 7; i++) statement("    ", 0)
        if (functions % 8) put("    a += f" functions - 1 "(b, a & 1023);")
        put("    return a ^ b ^ (unsigned)(long)x;")
        put("}")
        functions++
    }
    BEGIN {
        state = 20260101
        functions = parts = 0
        while (n < lines - 100) {
            file = folder "/part" parts++ ".c"
            first = n
            put("#include \"all.h\"")
            put("static unsigned table[64];")
            while (n < first + 2500 && n < lines - 100) define()
            close(file)
        }
        file = folder "/all.h"
        for (i = 0; i < functions; i++) print "unsigned f" i "(unsigned a, unsigned b);" >file
        file = folder "/main.c"
        put("#include \"all.h\"")
        put("#include <shim_region.h>")
        put("#include <stdio.h>")
        put("#include <stdlib.h>")
        put("typedef unsigned function(unsigned, unsigned);")
        put("static function *const all[] = {")
        for (i = 0; i < functions; i += 8) print "    f" i ", f" (i + 7 < functions ? i + 7 : functions - 1) "," >file
        put("};")
        put("int main(int argc, char **argv)")
        put("{")
        put("    unsigned sum = 1;")
        put("    for (size_t i = 0; i < sizeof all / sizeof *all; i++)")
        put("        sum += all[i](sum, (unsigned)i);")
        put("    for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--) {")
        put("        shim_region_begin(\"again\");")
        put("        shim_region_end(\"again\");")
        put("    }")
        put("    printf(\"%u\\n\", sum);")
        put("    return 0;")
        put("}")
    }' </dev/null
