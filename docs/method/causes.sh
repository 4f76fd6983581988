#!/bin/sh
# causes.sh BOARD - a small program for each cause of error that schedule has a rule for (causes/*.c): what it
# takes on a simulated board at -O2, and what `shimgen estimate --method schedule` says. Prints the table of causes.md.
#
# Needs the board's build in $OUT (out), from `make shim BOARD=...`. About a second a program and version.
# BEFORE=BUILD: another version's build folder, whose estimates by the same SHIM file stand beside today's.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
OUT=${OUT:-$TOP/out}
export LC_ALL=C
[ $# -gt 0 ] || { echo "usage: causes.sh BOARD" >&2; exit 2; }
board=$1
shim=${SHIM:-$OUT/$board/$board.shim.xml}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
set_=$WORK/samples/causes
mkdir -p "$set_"
cp "$TOP"/docs/method/causes/*.c "$set_"
echo program,domain,role,sources,work,stresses >"$set_/manifest.csv"
for program in "$set_"/*.c; do
    name=$(basename "$program" .c)
    echo "$name,causes,test,$name.c,1000,one rule" >>"$set_/manifest.csv"
done

# count BUILD: counts with that version as the board's own programs were counted, and measures; its folder. Nothing can be fitted on
# programs of the role test alone, so the build ends with an error after it has measured: that is expected.
count() {
    into=$WORK/$(echo "$1" | tr / _)
    events=$("$1/bin/shimgen" profile --shim "$shim" --flags)
    PATH="$1/bin:$PATH" shimgen build "$board" --samples "$WORK/samples" --levels O2 --no-memory --no-micro --no-compare \
        --simulate "$events" --output "$into" >"$WORK/log" 2>&1 ||
        [ -f "$into/measurements.csv" ] || { cat "$WORK/log" >&2; exit 1; }
    echo "$into"
}
# errors BUILD: program, measured cycles, error of the estimate
errors() {
    into=$(count "$1")
    for program in "$set_"/*.c; do
        name=$(basename "$program" .c)
        cycles=$(PATH="$1/bin:$PATH" shimgen estimate --shim "$shim" --method schedule --region work --by region --format csv \
            "$into/work/causes/$name@O2/profile" 2>/dev/null |
            awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next } { print $column["cycles"] }')
        awk -F, -v name="causes/$name@O2" -v cycles="$cycles" '
            NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
            $column["program"] == name && $column["region"] == "work" && $column["event"] == "CPU_CYCLES" {
                printf "%s %d %+.1f\n", name, $column["value"], 100 * (cycles / $column["value"] - 1) }' "$into/measurements.csv"
    done
}
errors "$BUILD" >"$WORK/today"
[ -z "${BEFORE:-}" ] || errors "$BEFORE" >"$WORK/before"

echo "| program | what it shows | measured cycles | ${BEFORE:+before [%] | }today [%] |"
echo "|---|---|--:|${BEFORE:+--:|}--:|"
while read -r name measured error; do
    name=${name#causes/} name=${name%@O2}
    what=$(sed -n '1s|^/\* \(.*\) \*/$|\1|p' "$set_/$name.c")
    before=
    [ -z "${BEFORE:-}" ] || before="$(sed -n "s|^causes/$name@O2 [0-9]* ||p" "$WORK/before") | "
    echo "| \`$name\` | $what | $measured | $before$error |"
done <"$WORK/today"
