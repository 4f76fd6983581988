#!/bin/sh
# blocks.sh OUT - the tables of blocks.md: cycles of single blocks and functions, estimated against simulated. OUT is the
# folder of a build of raspberrypi3-sim:
#
#     make shim BOARD=raspberrypi3-sim
#     sh docs/method/blocks.sh out/raspberrypi3-sim > blocks.csv
#
# Measures the models of docs/method/blocks and docs/example by block, and the build's programs by function: linked from
# the same IR that was counted. CSV, a row for each block that was executed; then the tables, as lines with '#'.
# BOARD=riscv64-sim: a build of this board. CORE=./FILE: `compiled` with this core's timing in place of the board's.
# LEVELS="O0 O2"; METHODS="schedule compiled"; MODELS='docs/method/blocks/p*.c' and PROGRAMS='suite/a*': only these (empty:
# none); JOBS=2: side by side. KEEP=FOLDER: what was measured is kept there; what is there is not measured again. Most of the
# time goes into measuring, so other estimates of the same build are quick.
# blocks.sh --table ROWS.csv: only prints the tables of such rows.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
BOARD=${BOARD:-raspberrypi3-sim}
LEVELS=${LEVELS:-O0 O2}
METHODS=${METHODS:-schedule compiled}
MODELS=${MODELS-"$TOP/docs/method/blocks/*.c $TOP/docs/example/controller.c"}
PROGRAMS=${PROGRAMS-*/*}
[ -z "${KEEP:-}" ] || KEEP=$(mkdir -p "$KEEP" && cd "$KEEP" && pwd)
export PATH="$BUILD/bin:$PATH" LC_ALL=C KEEP="${KEEP:-}"

# measure NAME IR... : sets lines, the file of what is measured
measure() {
    lines=${KEEP:-$work}/$1/lines.csv
    shift
    if [ ! -f "$lines" ]; then
        mkdir -p "$(dirname "$lines")"
        link "$@"
    fi
}

# link IR... : measured, from IR that is not optimised again
link() {
    setting=$(shimgen board show "$BOARD" | sed -n "s/^flags.$level = \(.*[^ ]\) *;.*/\1/p")
    # shellcheck disable=SC2046,SC2086 # lists of options
    clang-19 -"$level" $setting -Wno-unused-command-line-argument -Xclang -disable-llvm-passes "$@" -o "$work/measured" \
        $(cd "$WORK" && shimgen measure "$BOARD" --flags)
    shimgen measure "$BOARD" "$work/measured" --lines "$lines" -o "$work/measured.csv"
}

# rows SET NAME IR OPTIONS...: of each method
rows() {
    group=$1 name=$2 ir=$3
    shift 3
    for method in $METHODS; do
        set -- --shim "$OUT/$BOARD.shim.xml" --method "$method" "$@"
        if [ "$method" = compiled ]; then
            shimgen blocks "$@" --board "${CORE:-$BOARD}" --program "$ir" --measured "$lines" --format csv >"$work/blocks.csv" 2>"$work/notes"
        else
            shimgen blocks "$@" --measured "$lines" --format csv >"$work/blocks.csv" 2>"$work/notes"
        fi || {
            cat "$work/notes" >&2
            return 1
        }
        shift 4
        awk -v head="$group,$name,$level,$method" '
            # Fields of a CSV row, quoted or not.
            function cut(line,    n, c, i, quoted) {
                n = 1; cell[1] = ""; quoted = 0
                for (i = 1; i <= length(line); i++) {
                    c = substr(line, i, 1)
                    if (c == "\"") quoted = !quoted
                    else if (c == "," && !quoted) cell[++n] = ""
                    else cell[n] = cell[n] c
                }
                return n
            }
            { n = cut($0) }
            NR == 1 { for (i = 1; i <= n; i++) at[cell[i]] = i; next }
            cell[at["kind"]] != "total" && (cell[at["cycles"]] > 0 || cell[at["measured"]] > 0) {
                title = cell[at["type"]] " " cell[at["name"]]
                gsub(/[",]/, " ", title)
                printf "%s,%s,%s,%.0f,%s\n", head, cell[at["kind"]], title, cell[at["cycles"]], cell[at["measured"]] }' "$work/blocks.csv"
    done
}

model() { # SOURCE LEVEL
    work=$(mktemp -d "$WORK/model-XXXXXX") level=$2
    sources=$1
    [ "$(basename "$1")" = controller.c ] && sources="$1 $(dirname "$1")/main.c"
    # shellcheck disable=SC2086
    shimgen profile --board "$BOARD" --shim "$OUT/$BOARD.shim.xml" -O"${level#O}" $sources -o "$work/profile" >/dev/null
    measure "model/$(basename "$1" .c)@$level" "$work"/profile.ir/*.bc
    rows model "$(basename "$1" .c)" "$(echo "$work"/profile.ir/*.bc)" "$work/profile"
}

program() { # SET/NAME@LEVEL
    work=$(mktemp -d "$WORK/program-XXXXXX") level=${1#*@}
    region=$(awk -F, -v name="$1" '$1 == name && $3 == "CPU_CYCLES" {print $2; exit}' "$OUT/measurements.csv")
    ir=$(find "$OUT/work/$1" -name '[0-9]*.bc' ! -name '*.i.bc' | sort)
    # shellcheck disable=SC2086
    measure "$1" $ir
    rows program "${1%@*}" "$(echo $ir)" --region "$region" --by function "$OUT/work/$1/profile"
}

# Of each set, level and method: how far blocks are off.
tables() {
    awk -F, '
    function arrange(n,    i, k, t) { # values[1 .. n], ascending
        for (i = int(n / 2); i >= 1; i--) sift(i, n)
        for (i = n; i > 1; i--) { t = values[1]; values[1] = values[i]; values[i] = t; sift(1, i - 1) }
    }
    function sift(i, n,    k, t) {
        while ((k = 2 * i) <= n) {
            if (k < n && values[k + 1] > values[k]) k++
            if (values[i] >= values[k]) return
            t = values[i]; values[i] = values[k]; values[k] = t; i = k
        }
    }
    function median(n) {
        if (!n) return "-"
        arrange(n)
        return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
    }
    function rank(list, n, i,    k, below, same) {
        for (k = 1; k <= n; k++) { below += list[k] < list[i]; same += list[k] == list[i] }
        return below + (same + 1) / 2
    }
    # Of the rows of one program: Spearman, by the correlation of their ranks.
    function spearman(first, end,    n, i, a, b, sa, sb, sab, saa, sbb) {
        n = 0
        for (i = first; i < end; i++) { n++; est[n] = estimated[i]; mea[n] = measured[i] }
        for (i = 1; i <= n; i++) {
            a = rank(est, n, i) - (n + 1) / 2; b = rank(mea, n, i) - (n + 1) / 2
            sab += a * b; saa += a * a; sbb += b * b
        }
        return saa > 0 && sbb > 0 ? sab / sqrt(saa * sbb) : saa == sbb
    }
    FNR == 1 && $1 == "set" { next }
    /^#/ { next }
    { key = $1 "," $3 "," $4; program = $1 "," $2 "," $3 "," $4
      if (!(key in seen)) { seen[key] = 1; keys[++n_keys] = key }
      line[++n] = key; of[n] = program; estimated[n] = $7; measured[n] = $8; total[program] += $8; whole[program] += $7 }
    END {
        print "# | set | level | method | blocks | median error | share within 20 % | Spearman | median error, whole | cancels |"
        print "# |---|---|---|--:|--:|--:|--:|--:|--:|"
        for (k = 1; k <= n_keys; k++) {
            m = all = good = ranked = sum = errors = left = 0
            for (i = 1; i <= n; i++) {
                if (line[i] != keys[k]) continue
                error = measured[i] > 0 ? estimated[i] / measured[i] - 1 : 1
                if (error < 0) error = -error
                errors += measured[i] > estimated[i] ? measured[i] - estimated[i] : estimated[i] - measured[i]
                all += measured[i]
                if (error <= 0.2) good += measured[i]
                if (measured[i] >= 0.01 * total[of[i]]) values[++m] = error
            }
            blocks = m
            middle = median(m)
            for (i = 1; i <= n; i = end) {
                for (end = i + 1; end <= n && of[end] == of[i]; end++) ;
                if (line[i] == keys[k] && end - i >= 4) { ranked++; sum += spearman(i, end) }
            }
            m = 0
            for (program in total) {
                split(program, part, ",")
                if (part[1] "," part[3] "," part[4] != keys[k] || !total[program]) continue
                error = whole[program] / total[program] - 1
                left += (error < 0 ? -error : error) * total[program]
                values[++m] = error < 0 ? -error : error
            }
            split(keys[k], part, ",")
            printf "# | %s | %s | %s | %d | %.1f %% | %.1f %% | %s | %.1f %% | %s |\n", part[1], part[2], part[3], blocks,
                100 * middle, all ? 100 * good / all : 0, ranked ? sprintf("%.3f", sum / ranked) : "-", 100 * median(m),
                errors ? sprintf("%.0f %%", 100 * (1 - left / errors)) : "-"
        }
    }' "$1"
}

case ${1:-} in
--table)
    tables "$2"
    exit
    ;;
--model) # for itself
    shift
    model "$@"
    exit
    ;;
--program)
    program "$2"
    exit
    ;;
esac
if [ $# != 1 ] || [ ! -f "$1/$BOARD.shim.xml" ]; then
    echo "usage: blocks.sh OUT (the folder of 'shimgen build raspberrypi3-sim --output OUT') | --table ROWS.csv" >&2
    exit 2
fi
OUT=$(cd "$1" && pwd)
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
export OUT WORK
# The measuring runtime, once for all.
(cd "$WORK" && shimgen measure "$BOARD" --flags >/dev/null)
{
    for level in $LEVELS; do
        for source in $MODELS; do
            echo "--model $source $level"
        done
        # shellcheck disable=SC2086
        (cd "$OUT/work" && set -f && for pattern in $PROGRAMS; do # not yet of files
            set +f
            for folder in $pattern@$level; do [ ! -f "$folder/profile" ] || echo "--program $folder"; done
        done)
    done
} >"$WORK/jobs"
# Each writes its rows at once: those of one program stand together.
xargs -P "${JOBS:-2}" -L 1 sh -c 'rows=$(sh "$@") && printf "%s\n" "$rows" || echo "blocks.sh: $3 failed" >&2' - "$TOP/docs/method/blocks.sh" \
    <"$WORK/jobs" | sort -t, -s -k1,4 >"$WORK/rows"
echo set,program,level,method,kind,block,estimated,measured
cat "$WORK/rows"
tables "$WORK/rows"
