#!/usr/bin/env bash
# count.sh [-l] [TREE] - counts the files that hold what should stand in one place: lists of opcodes, tables of stand-ins,
# parsers of keys and of names. -l: which files. TREE: another checkout (default: this one).
# Counted are C sources and tables (.c, .h, .def) without tests. Left out are samples, which are written in instructions, and
# boards and the model of a core, whose operations are the machine's, with what is made of keys for it (shimgen/core/values).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
list=
[ "${1-}" != -l ] || { list=1 && shift; }
cd "${1:-$here/../..}"
table=base/instructions.def
[ -f "$table" ] || table=$here/../../base/instructions.def # before there was one

sources() { # FOLDER...
    find "$@" \( -path sim/core -o -path shimgen/core/values \) -prune -o -name '*.[ch]' -print -o -name '*.def' -print | LC_ALL=C sort
}
mapfile -t files < <(sources base sim irprof regress shim-xml perf-xml shimgen)
literals=$(mktemp)
trap 'rm -f "$literals"' EXIT
perl "$here/literals.pl" "$table" "${files[@]}" >"$literals"

say() { # WHAT; on stdin the files
    local found
    found=$(LC_ALL=C sort -u)
    printf '%-72s %3d\n' "$1" "$(grep -c . <<<"$found" || true)"
    [ -z "$list" ] || [ -z "$found" ] || sed 's/^/    /' <<<"$found"
}

# three different names make a list; in tables (.def) names stand bare, or as LLVM's
{
    awk -F '\t' '$3 == "opcode" { split($4, w, /[ .*_]/); key = $1 FS w[1]; if (!seen[key]++ && ++n[$1] == 3) print $1 }' "$literals"
    grep -lE '^ *(INSTRUCTION|OPCODE|KIND|INHERIT)\(' "${files[@]}" || true
} | say 'files with a list of opcodes'
{
    grep -cHE '^ *\{"[a-z]+[^"]*", "[a-z]*[^"]*"(\}|, ")' "${files[@]}" /dev/null | awk -F : '$2 >= 3 { print $1 }' |
        while read -r f; do
            awk -F '\t' -v f="$f" '$1 == f && $3 == "opcode" { n++ } END { if (n > 9) print f }' "$literals"
        done
    grep -lE '^INHERIT\(|LIKE\(IR_' "${files[@]}" || true
    grep -lE '^ *\{"[a-z]+\*", "[^"]*", "' samples/micro/*.c || true
} | say 'tables of what stands for an instruction, or of what it does'
awk -F '\t' '($3 == "text" || $3 == "opcode") && ($4 == "_d" || $4 ~ /%s_d/) { print $1 }' "$literals" |
    say 'files that read or write the mark of dependence, "_d"'
{
    awk -F '\t' '$3 == "call" { print $1 }' "$literals"
    awk -F '\t' '$4 == "llvm." || $4 == "library." || $4 == ".library.%s" { print $1 }' "$literals"
} | say 'files that read or write "call.library.", "call.llvm."'
# '@' and '#' are other marks in base/target (comments of assembly), irprof cc (files of arguments), files of stamps' points and completion
awk -F '\t' '($3 == "char" && $4 == "@") || $4 == "@" || $4 == "/@" || $4 == "@\\n" || $4 == "%s@%s" { print $1 }' "$literals" |
    grep -E '^(irprof|regress|shimgen|base)/' | grep -vE '^(base/(completion|target)|irprof/cc)' |
    say 'files that read or write "set/program@level"'
awk -F '\t' '($3 == "char" && $4 == "#") || $4 == "%s#" || $4 == "#" { print $1 }' "$literals" |
    grep -E '^(base|irprof|shimgen/(estimate|blocks/(block_)?steps))' | grep -vE 'cc_args|base/target|irprof/stamp/specs' |
    say 'files that read or write the steps of a region, "NAME#1"'
grep -lE '\b(int|unsigned) which\b|which == 0 \? ' "${files[@]}" | xargs -r grep -lE 'best|BEST' |
    say 'files in which best, typical and worst are a number'
