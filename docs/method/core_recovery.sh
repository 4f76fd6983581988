#!/bin/sh
# core_recovery.sh BOARD [FOLDER] - a simulated board's core measured as if nothing were known of it, then laid beside the file that the
# simulator was given: `shimgen core BOARD`, `shimgen core FILE --beside TRUE`. FOLDER keeps the files (default: a temporary one); a
# measured file that is there is not measured again. OUT: a whole build of the board; then `compiled` with both files at -O2, too.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
PATH=$BUILD/bin:$PATH
if [ $# -lt 1 ]; then
    echo "usage: core_recovery.sh BOARD [FOLDER]" >&2
    exit 2
fi
board=$1 work=${2:-}
[ "$work" ] || { work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT; }
mkdir -p "$work"
model=$BUILD/share/shimgen/boards/$board/$(sed -n 's/^model = //p' "$BUILD/share/shimgen/boards/$board/board.ini")
[ -s "$work/$board.ini" ] || shimgen core "$board" -o "$work/$board.ini"
shimgen core "$work/$board.ini" --beside "$model" >"$work/$board.csv"
echo '| key | measured | true | interval | |'
echo '|---|--:|--:|---|---|'
grep -v '^#' "$work/$board.csv" | awk -F, 'NR > 1 && $6 != "exact" { interval = $4 == "" ? "" : $4 " to " $5
    printf "| `%s` | %s | %s | %s | %s%s |\n", $1, $2, $3, interval, $6, $7 == "" ? "" : ": " $7 }'
sed -n 's/^# //p' "$work/$board.csv"
[ "${OUT:-}" ] || exit 0
for core in '' "$work/$board.ini"; do
    echo "${core:-$model}"
    CORE=$core SHIMGEN=$BUILD/bin/shimgen sh "$TOP/docs/method/compiled.sh" "$board" "$OUT" | grep '^# .*O2'
done
