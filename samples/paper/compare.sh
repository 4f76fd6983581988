#!/bin/sh
# compare.sh - executed IR instructions of the paper's 20 samples at -O0, by the paper's RH850 classes, beside the paper's
# own totals: the table in docs/method/paper-samples.md. Run it from the top of the sources, after make, with build/bin
# in PATH. CLANG names another clang; with an argument, it prints the programs' own counts instead.
set -eu
clang=${CLANG:-clang-19}
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cflags=$(irprof cflags)
libs=$(irprof libs)
sed 1d "$here/manifest.csv" | while IFS=, read -r program _ role source _; do
    [ "$role" = train ] || continue
    # shellcheck disable=SC2086
    {
        "$clang" -O0 -ffp-contract=off $cflags -emit-llvm -c "$here/$source" -o "$scratch/$program.bc"
        irprof instrument "$scratch/$program.bc" -o "$scratch/$program.i.bc"
        "$clang" -O0 "$scratch/$program.i.bc" -o "$scratch/$program" $libs -lm
        IRPROF_OUT="$scratch/$program.prof" "$scratch/$program"
    }
    echo "$program=$scratch/$program.prof"
done > "$scratch/profiles"
# shellcheck disable=SC2046
irprof table $(cat "$scratch/profiles") -o "$scratch/counts.csv"

awk -F, -v by_program="${1:+1}" '
BEGIN {
    n = split("arithmetic div float fdiv load store callret others", name, " ")
    split("3787427 1309307 5027608 1009686 14912172 5291153 118382 21161003", paper, " ")
    split("add arithmetic sub arithmetic mul arithmetic srem div urem div sdiv div udiv div fadd float fsub float " \
          "fmul float fdiv fdiv fcmp fdiv load load store store call callret ret callret", pair, " ")
    for (i = 1; i in pair; i += 2)
        class_of[pair[i]] = pair[i + 1]
}
{ sub(/\r$/, "") }
NR == 1 {
    for (i = 3; i <= NF; i++) {
        key = $i
        sub(/_d$/, "", key)
        split(key, part, ".")
        class[i] = part[1] in class_of ? class_of[part[1]] : "others"
        dependent[i] = $i ~ /_d$/
    }
    if (by_program)
        printf "| program | %s %s %s %s %s %s %s %s\n|---|%s\n", name[1] " |", name[2] " |", name[3] " |", name[4] " |",
               name[5] " |", name[6] " |", name[7] " |", name[8] " |", "--:|--:|--:|--:|--:|--:|--:|--:|"
    next
}
{
    split("", own)
    for (i = 3; i <= NF; i++) {
        own[class[i]] += $i
        ours[class[i]] += $i
        if (dependent[i])
            ours_d[class[i]] += $i
        if ($1 == "NumberPlace")
            sudoku[class[i]] += $i
    }
    if (by_program) {
        printf "| %s |", $1
        for (k = 1; k <= n; k++)
            printf " %d |", own[name[k]]
        printf "\n"
    }
}
END {
    if (by_program)
        exit
    print "| class | ours | paper | ours / paper | ours, `_d` | NumberPlace | the paper less our other 19 |"
    print "|---|--:|--:|--:|--:|--:|--:|"
    for (k = 1; k <= n; k++) {
        c = name[k]
        printf "| %s | %d | %d | %.3f | %d | %d | %d |\n", c, ours[c], paper[k], ours[c] / paper[k], ours_d[c], sudoku[c],
               paper[k] - (ours[c] - sudoku[c])
    }
}' "$scratch/counts.csv"
