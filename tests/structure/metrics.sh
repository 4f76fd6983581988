#!/usr/bin/env bash
# metrics.sh [-l] [--complexity] [TREE] - the structure of a checkout in numbers: folders, purpose lines, names, lines, static
# functions, circles of includes. One line a number. -l: which files; --complexity: functions that are hard to follow, too
# (clang-tidy, minutes). TREE: another checkout (default: this one); the same script measures old and new. What is counted
# how: metrics.pl. Lists of opcodes, tables of stand-ins and parsers of names: count.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
list=()
complexity=
while [ $# -gt 0 ]; do
    case $1 in
    -l) list=(-l) ;;
    --complexity) complexity=1 ;;
    -*) echo "metrics.sh: unknown option $1; known: -l, --complexity" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done
cd "${1:-$here/../..}"

git ls-files '*.c' '*.h' '*.def' | LC_ALL=C sort | perl "$here/metrics.pl" "${list[@]}"
[ -n "$complexity" ] || exit 0

# The compiler's flags are the Makefile's; texts that the build makes into headers are of the build folder, if there is one.
found=$(mktemp)
trap 'rm -f "$found"' EXIT
read -r -a flags < <(make -s --no-print-directory --eval 'print-flags: ; @echo $(ALL_CFLAGS) $(part_includes)' print-flags)
for made in build/gen/*/*/; do
    [ ! -d "$made" ] || flags+=("-I$made")
done
kit=(--target=armv7em-none-eabi -ffreestanding -Iboards/kit/files -Iboards/kit/files/declarations) # what a kit is compiled for: any part
for port in boards/*/shim_port.h; do
    [ ! -f "$port" ] || { kit+=("-I$(dirname "$port")") && break; }
done
limit=25
config="{Checks: '-*,readability-function-cognitive-complexity', WarningsAsErrors: '', CheckOptions: [{key: readability-function-cognitive-complexity.Threshold, value: $limit}]}"
git ls-files 'base/*.c' 'sim/*.c' 'irprof/*.c' 'boards/*.c' 'regress/*.c' 'shim-xml/*.c' 'perf-xml/*.c' 'shimgen/*.c' 'samples/generate/*.c' |
    while read -r source; do
        own=("${flags[@]}" -idirafter base)
        case $source in boards/kit/files/*) own=("${kit[@]}") ;; esac
        clang-tidy --quiet --config="$config" "$source" -- "${own[@]}" -w 2>/dev/null </dev/null || echo "$source: error"
    done >"$found"
if grep -E ': (fatal )?error' "$found" >&2; then
    echo 'metrics.sh: these sources did not compile; run make first' >&2
    exit 1
fi
sed -nE "s/^([^ ]*):[0-9]+:[0-9]+: warning: function '(.*)' has cognitive complexity of ([0-9]+) .*/\3 \2 \1/p" "$found" | LC_ALL=C sort -u | sort -rn |
    awk -v limit=$limit -v list="${list[*]}" '
        { n++; line[n] = $0; if (n == 1) worst = $1 }
        END {
            printf "%-72s %6d\n%-72s %6d\n", "functions with a cognitive complexity above " limit, n, "  the worst one", worst
            for (i = 1; list != "" && i <= n; i++) print "    " line[i]
        }' | sed "s|$PWD/||"
