#!/bin/sh
# shim-file.sh FILE PROFILE - the table "What survives which tool" of shim-file.md, from a SHIM 1.0 file of `shimgen build` and the profile
# of a program.
#
# The reference tools are Java, and not everywhere. Here tests/shim-xml/reference_tools.c stands for them: `make test-programs` builds it.
# REFERENCE_TOOLS names another program with the same commands: tests/shim-xml/published_tools.sh runs the published ones, where they are.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
export PATH="$BUILD/bin:$PATH"
tools=${REFERENCE_TOOLS:-$BUILD/tests/shim-xml/reference_tools}
[ $# = 2 ] || { echo 'shim-file.sh: which SHIM file, and which profile?' >&2; exit 2; }
[ -x "$tools" ] || { echo "shim-file.sh: no program '$tools': make test-programs builds it" >&2; exit 2; }
file=$1 profile=$2
for input in "$file" "$profile"; do
    [ -r "$input" ] || { echo "shim-file.sh: '$input' cannot be read" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

names() { sed -n 's/.*<Instruction .*\(name\|operation\)="\([^"]*\)".*/\2/p' "$1" | sort; }
kept() { # BEFORE AFTER PATTERN: are all names that match there, as often? "-": there are none before
    names "$1" | grep "$3" >"$work/before" || { echo -; return; }
    names "$2" | grep "$3" >"$work/after" || true
    if cmp -s "$work/before" "$work/after"; then echo kept; elif [ -s "$work/after" ]; then echo 'in part'; else echo lost; fi
}
estimate() { # FILE: cycles, low, high; the errors and notes in said
    shimgen estimate --shim "$1" --format csv "$profile" 2>"$work/said" | sed -n 2p | cut -d, -f5-7
}
answer() { # BEFORE AFTER
    after=$(estimate "$2") || true
    notes=$(grep -o 'rewritten by [A-Za-z0-9]*\|values were changed after shimgen wrote them\|not those of shimgen, but of [A-Za-z0-9]*' "$work/said" | head -n 1) || true
    if [ -z "$after" ]; then echo "refused: ${notes:-$(tail -n 1 "$work/said")}"
    elif [ "$after" = "$1" ]; then echo "the same${notes:+, says: $notes}"
    else echo "another${notes:+, says: $notes}"; fi
}
row() { # VERSION TOOL BEFORE AFTER
    comments=lost
    if grep -q '<!--\|<?shimgen' "$4"; then comments=kept; fi
    printf '| %s | %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$2" "$comments" "$(kept "$3" "$4" '^shimgen:')" \
        "$(kept "$3" "$4" '^[a-z]*\.[a-z0-9.]*$')" "$(kept "$3" "$4" '^fitted\.')" "$(kept "$3" "$4" '^factor\.')" "$(answer "$whole" "$4")"
}
# VERSION ROW COMMAND [CSV]: a reference tool on `in`, and its row. A tool that is not here (status 77) is said, and has none.
tool() {
    status=0
    "$tools" "$3" ${4:+"$4"} "$in" "$work/out.xml" >&2 || status=$?
    case $status in
    0) row "$1" "$2" "$in" "$work/out.xml" ;;
    77) echo "shim-file.sh: skipped: $2, SHIM $1" >&2 ;;
    *) echo "shim-file.sh: $2 failed on SHIM $1 (status $status)" >&2; exit 1 ;;
    esac
}
measured() { # the instructions that the 1.0 measurement has a loop for, with whole cycles
    for i in add sub mul sdiv udiv shl lshr ashr and or xor fadd fsub fmul fdiv load store icmp fcmp trunc zext sext fptrunc fpext fptoui \
        uitofp sitofp ptrtoint inttoptr bitcast call ret; do echo "$i, 1.2, 1.6, 2.4"; done
}

cp "$file" "$work/one.xml"
shim-xml convert --to 2.0 "$file" -o "$work/two.xml" 2>/dev/null
echo '| SHIM | tool | comments, instructions | `shimgen:` | `add.i32` | `fitted.` | `factor.` | default estimate |'
echo '|---|---|---|---|---|---|---|---|'
whole=$(estimate "$file")
for v in one two; do
    in=$work/$v.xml
    version=$([ $v = one ] && echo 1.0 || echo 2.0)
    [ $v = one ] || whole=$(estimate "$in")
    [ $v = two ] || row "$version" 'none' "$in" "$in"
    [ $v = one ] || row "$version" '`shim-xml convert --to 2.0`' "$in" "$in"
    tool "$version" 'load and save: Java API, Editor' api
    [ $v = two ] || tool "$version" 'MeasurementMemoryWriteback' memory
    shim-xml export --format latency-csv "$in" -o "$work/all.csv"
    shim-xml export --format latency-csv --groups "$in" -o "$work/groups.csv"
    shim-xml import "$in" "$work/all.csv" -o "$work/out.xml" && row "$version" '`shim-xml export`, `import` of the latency CSV' "$in" "$work/out.xml"
    shim-xml import "$in" "$work/groups.csv" -o "$work/out.xml" && row "$version" 'the same with `--groups`' "$in" "$work/out.xml"
    if [ $v = one ]; then
        awk '/<Instruction name="ret">/ { keep = 1 } /<Instruction / && !keep { drop = 1 } !drop { print } /<\/Instruction>/ { drop = keep = 0 }' \
            "$in" >"$work/bare.xml"
        shim-xml import "$work/bare.xml" "$work/all.csv" -o "$work/out.xml" && row "$version" 'the CSV into a file without values' "$in" "$work/out.xml"
        measured >"$work/cycles.csv"
        tool "$version" 'MeasurementCycleWriteback' cycles "$work/cycles.csv"
    else
        tool "$version" "Performance2SHIM, the file's own CSV" performance "$work/all.csv"
        tool "$version" 'the same with `--groups`' performance "$work/groups.csv"
        sed -n '/^#/p; /^add[,_]/p; /^mul[,_]/p; /^load[,_]/p' "$work/all.csv" >"$work/few.csv"
        tool "$version" "Performance2SHIM, another CSV" performance "$work/few.csv"
    fi
done
shim-xml convert --to 1.0 "$work/two.xml" -o "$work/back.xml" 2>/dev/null
whole=$(estimate "$file")
row 1.0 'convert to 2.0 and back' "$work/one.xml" "$work/back.xml"
