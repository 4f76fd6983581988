# generate.awk - loops.txt -> two files: -v asm=FILE, the loops; -v table=FILE, C: what loops there are (loops.h)
#
# A loop is a label loop_N; it is entered with the registers set (enter.S), x29 rounds to go, and leaves to loop_end.

function fail(what)
{
    printf "loops.txt:%d: %s\n", NR, what > "/dev/stderr"
    failed = 1
    exit 1
}

function trim(text)
{
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# The text with its first innermost N{...} or Ni{...} written out, and so on until there is none.
function unroll(text,    at, open, from, count, indexed, inside, out, i, piece)
{
    while ((at = index(text, "}"))) {
        open = at
        while (open > 0 && substr(text, open, 1) != "{")
            open--
        indexed = substr(text, open - 1, 1) == "i"
        from = open - indexed
        while (from > 1 && substr(text, from - 1, 1) ~ /[0-9]/)
            from--
        count = substr(text, from, open - indexed - from)
        if (open == 0 || count == "")
            fail("a } without N{")
        count += 0
        inside = substr(text, open + 1, at - open - 1)
        out = ""
        for (i = 0; i < count; i++) {
            piece = inside
            if (indexed)
                gsub(/%i/, i, piece)
            out = out (i ? "; " : "") piece
        }
        text = substr(text, 1, from - 1) out substr(text, at + 1)
    }
    return text
}

function registers(text, d, s)
{
    gsub(/%d/, d, text)
    gsub(/%s/, s, text)
    gsub(/%D/, (d + 1) % 24, text)
    gsub(/%S/, (s + 1) % 24, text)
    return text
}

function loop(kind, pattern, text,    k, ops, step, ahead, rounds, each, once)
{
    step = pattern == "inc2" || pattern == "r2" ? 2 : pattern == "r3" ? 3 : pattern == "flat" ? 24 : 1
    ahead = pattern == "inc1" || pattern == "inc2" || pattern == "chain" ? 1 : 0
    if (pattern !~ /^(flat|inc[012]|r[123]|chain)$/)
        fail("no such pattern: " pattern)
    ops = pattern ~ /^(flat|inc)/ ? 144 : 240
    rounds = ops / (24 / step)
    each = init ~ /^@/ ? substr(init, 2) : ""
    once = init ~ /^@|^-$/ ? "" : init
    printf ".globl loop_%d\nloop_%d:\n", n, n > asm
    if (once != "")
        print once > asm
    printf ".balign 128\n1:\n%s\n.rept %d\n", each, rounds > asm
    for (k = 0; k < 24; k += step)
        print registers(text, (k + ahead) % 24, k) > asm
    print ".endr\nsubs x29, x29, #1\nb.ne 1b\nb loop_end" > asm
    printf "void loop_%d(void);\n", n > table
    entry[n] = sprintf("{\"%s\", \"%s\", \"%s\", loop_%d, %d, \"%s\"}", row, kind, seed, n, ops * per, minus)
    n++
}

BEGIN {
    FS = "|"
    n = 0
    print ".text" > asm
    print "#include \"tests/a53/loops.h\"" > table
}
/^#/ || /^[ \t]*$/ { next }
{
    if (NF != 9)
        fail(NF " columns, not 9")
    for (i = 1; i <= 9; i++)
        $i = trim($i)
    row = $1; seed = $2; per = $5; minus = $8 == "-" ? "" : $8; init = $9
    body = unroll($6)
    closed = $7 == "-" ? body : body "; " unroll($7)
    if ($3 != "-")
        loop("latency", $3, closed)
    if ($4 != "-")
        loop("throughput", $4, body)
}
END {
    if (failed)
        exit 1
    print "const struct loop loops[] = {" > table
    for (i = 0; i < n; i++)
        print "    " entry[i] "," > table
    printf "};\nconst size_t n_loops = %d;\n", n > table
}
