#!/bin/sh
# judges.sh BOARD... - the tables of judges.md: how far each method of estimating is off on the programs of
# samples/held_out, which nothing was fitted or chosen on. Needs the board's build in $OUT (out):
#
#     make shim BOARD=raspberrypi3-sim
#     sh docs/method/judges.sh raspberrypi3-sim
#
# Counts and measures these programs (in $OUT/BOARD-judges, some minutes; again only what changed), estimates them with
# the SHIM files and models of $OUT/BOARD as they are, and fits nothing. Writes judges.md's part of the board, and all
# rows into $OUT/BOARD-judges/judges.csv.
# judges.sh --table ROWS.csv: only prints the table of such rows.
# LEVELS=O0,O2,Os; PROGRAMS='judges/a*': only these; SAMPLES=FOLDER: other programs; WRITE=FILE: that page instead.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
OUT=${OUT:-$TOP/out}
SAMPLES=${SAMPLES:-$TOP/samples/held_out}
PAGE=${WRITE:-$TOP/docs/method/judges.md}
chosen=${LEVELS:+LEVELS=$LEVELS }
LEVELS=${LEVELS:-O0,O1,O2,O3,Os}
export PATH="$BUILD/bin:$PATH" LC_ALL=C
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
if [ $# = 0 ] || { [ "$1" = --table ] && [ $# != 2 ]; }; then
    echo "usage: judges.sh BOARD... (each built: 'make shim BOARD=...') | --table ROWS.csv" >&2
    exit 2
fi

fail() {
    echo "judges.sh: $1" >&2
    exit 1
}
# measure BOARD: counts with the events that the board's own programs were counted with, and measures
measure() {
    events=$(shimgen profile --shim "$model/$1.shim.xml" --flags)
    set -- "$1" --samples "$SAMPLES" --levels "$LEVELS" --output "$judges" --no-memory --no-micro --simulate "$events"
    [ -z "${PROGRAMS:-}" ] || set -- "$@" --programs "$PROGRAMS"
    shimgen build "$@" >&2
}

# Each method writes rows "program,region,low,estimate,high"; low and high are empty where it gives no interval.
columns() { # NAMES...: these columns of a CSV file
    awk -F, -v wanted="$*" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(wanted, name, " "); next }
        { for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? "," : ""), $at[name[i]]; print "" }'
}
one_cost() { # all instructions cost what they do in the median training program
    awk -F, '
        FNR == 1 { file++; if (file % 2) { for (i = 1; i <= NF; i++) at[file, $i] = i; next } } # the others have no header
        file == 1 { if ($at[1, "role"] == "test") test[$1] = 1; next }
        file == 2 { n[$1 "," $2] = $3; next }
        file == 3 { name = $1; sub(/@.*/, "", name)
                    if (!(name in test) && n[$1 "," $2] > 0) cost[++m] = $at[3, "cycles"] / n[$1 "," $2]; next }
        file == 4 { own[$1 "," $2] = $3 }
        END { for (i = 2; i <= m; i++)
                  for (k = i; k > 1 && cost[k - 1] > cost[k]; k--) { t = cost[k]; cost[k] = cost[k - 1]; cost[k - 1] = t }
              for (row in own) printf "%s,,%.17g,\n", row, own[row] * cost[int((m + 1) / 2)] }' \
        "$model/domains.csv" "$WORK/counted" "$model/dataset.csv" "$WORK/judged"
}
instructions() { # FOLDER: program,region,IR instructions
    profiles "$1" | xargs shimgen estimate --shim "$model/$board.shim.xml" --method sum --by region --format csv 2>/dev/null |
        columns program region instructions
}
profiles() { # FOLDER: NAME=PROFILE of each program of its dataset
    sed 1d "$1/dataset.csv" | cut -d, -f1 | sort -u | while read -r program; do
        [ ! -f "$1/work/$program/profile" ] || echo "$program=$1/work/$program/profile"
    done
}
from_shim() { # FILE METHOD
    profiles "$judges" | xargs shimgen estimate --shim "$1" --method "$2" --by region --format csv 2>>"$judges/notes" |
        columns program region low cycles high
}
from_model() {
    regress predict --model "$model/programs.json" "$judges/dataset.csv" --format csv | columns program region low predicted high
}
compiled() {
    profiles "$judges" | while IFS='=' read -r program profile; do
        ir=$(find "$(dirname "$profile")" -name '[0-9]*.bc' ! -name '*.i.bc' | sort | tr '\n' ' ')
        shimgen estimate --shim "$model/$board.shim.xml" --method compiled --board "$board" --by region --format csv \
            --program "$ir" "$program=$profile" 2>>"$judges/notes" </dev/null | columns program region low cycles high
    done
}

# with NAME COMMAND...: adds its rows, with level, measured cycles and the method's name; drops what was not measured
with() {
    name=$1
    shift
    "$@" >"$WORK/estimates" || fail "no estimates by $name"
    columns program region cycles <"$judges/dataset.csv" | awk -F, -v name="$name" '
        FNR == NR { measured[$1 "," $2] = $3; rows++; next }
        ($1 "," $2) in measured { level = $1; sub(/.*@/, "", level); found++
                                  printf "%s,%s,%s,%s,%s,%s,%s,%s\n", $1, $2, level, name, measured[$1 "," $2], $4, $3, $5 }
        END { if (found < rows) printf "judges.sh: %s has no estimate of %d of %d rows\n", name, rows - found, rows >"/dev/stderr"
              exit !found }' - "$WORK/estimates" >>"$judges/judges.csv" || fail "no row of $name is a measured program's"
}

# Of judges.csv: a line for each method and level. The interval of a share is the exact binomial one (Clopper, Pearson).
table() { # ROWS
    echo '| method | level | rows ≥ 3,000 cycles | mean | median | 90th percentile | beyond a factor of two | inside its 90 % interval | that is | its width | all rows | mean | median |'
    echo '|---|---|--:|--:|--:|--:|--:|--:|---|--:|--:|--:|--:|'
    awk -F, '
        function arrange(a, group, n,    i, k, t) {
            for (i = 2; i <= n; i++)
                for (k = i; k > 1 && a[group, k - 1] > a[group, k]; k--) { t = a[group, k]; a[group, k] = a[group, k - 1]; a[group, k - 1] = t }
        }
        function at_least(k, n, p,    i, term, sum) { # the probability of k or more of n
            if (p <= 0) return k <= 0
            if (p >= 1) return 1
            for (i = 0; i <= n; i++) {
                term = i ? term + log((n - i + 1) / i) + log(p / (1 - p)) : n * log(1 - p)
                if (i >= k) sum += exp(term)
            }
            return sum
        }
        function limit(k, n, tail, upper,    low, high, p, i) {
            if (upper ? k == n : k == 0) return upper
            low = 0; high = 1
            for (i = 0; i < 50; i++) {
                p = (low + high) / 2
                if ((upper ? 1 - at_least(k + 1, n, p) : at_least(k, n, p)) > tail == upper) low = p; else high = p
            }
            return p
        }
        function note(group, error, far) { n[group]++; sum[group] += error; errors[group, n[group]] = error; twice[group] += far }
        NR == 1 { next }
        { key = $4 "," $3; if (!(key in seen)) { seen[key] = 1; order[++groups] = key }
          ratio = $6 / $5; error = ratio > 1 ? ratio - 1 : 1 - ratio
          note(key ",all", error, 0)
          if ($5 < 3000) next
          note(key, error, ratio > 2 || ratio < 0.5)
          if ($7 != "" && $8 != "") { known[key]++; inside[key] += $7 <= $5 && $5 <= $8; widths[key, known[key]] = ($8 - $7) / $6 } }
        END { for (g = 1; g <= groups; g++) {
                  key = order[g]; all = key ",all"; split(key, part, ",")
                  arrange(errors, key, n[key]); arrange(errors, all, n[all]); arrange(widths, key, known[key])
                  printf "| %s | %s | %d |", part[1], part[2], n[key]
                  if (n[key]) printf " %.1f | %.1f | %.1f | %d |", 100 * sum[key] / n[key], 100 * errors[key, int((n[key] + 1) / 2)], 100 * errors[key, int((9 * n[key] + 9) / 10)], twice[key]
                  else printf " | | | |"
                  if (known[key]) printf " %d of %d | %.0f … %.0f %% | %.0f %% |", inside[key], known[key], 100 * limit(inside[key], known[key], 0.025, 0), 100 * limit(inside[key], known[key], 0.025, 1), 100 * widths[key, int((known[key] + 1) / 2)]
                  else printf " | | |"
                  printf " %d | %.1f | %.1f |\n", n[all], 100 * sum[all] / n[all], 100 * errors[all, int((n[all] + 1) / 2)]
              } }' "$1"
}
# The page with the board's part between its marks, at the end if it has none yet.
write() {
    begin="<!-- $board -->" end="<!-- end of $board -->"
    { printf '%s\n## %s\n\n' "$begin" "$board"
      printf '%s programs, measured and estimated by `%s`; errors in %% of the measured cycles:\n\n' \
          "$(profiles "$judges" | sed 's/@.*//' | sort -u | wc -l)" "$said"
      table "$judges/judges.csv"
      echo "$end"; } >"$WORK/part"
    if grep -qxF "$begin" "$PAGE"; then
        grep -qxF "$end" "$PAGE" || fail "$PAGE has no line '$end'"
        awk -v begin="$begin" -v end="$end" -v part="$WORK/part" '
            $0 == begin { while ((getline line <part) > 0) print line; skip = 1 }
            !skip { print }
            $0 == end { skip = 0 }' "$PAGE" >"$WORK/page"
    else
        { cat "$PAGE"; echo; cat "$WORK/part"; } >"$WORK/page"
    fi
    cat "$WORK/page" >"$PAGE"
}

if [ "$1" = --table ]; then
    [ -r "$2" ] || fail "there are no rows in '$2'"
    table "$2"
    exit
fi
[ -f "$PAGE" ] || fail "there is no page $PAGE"
for board; do
    model=$OUT/$board judges=$OUT/$board-judges
    said="${chosen}sh docs/method/judges.sh $board"
    [ -f "$model/$board.shim.xml" ] || fail "$model has no $board.shim.xml: 'make shim BOARD=$board' makes it"
    measure "$board"
    : >"$judges/notes"
    echo program,region,level,method,measured,estimate,low,high >"$judges/judges.csv"
    instructions "$model" >"$WORK/counted"
    instructions "$judges" >"$WORK/judged"
    with 'one cost' one_cost
    with operand from_shim "$model/$board.shim.xml" operand
    with schedule from_shim "$model/$board.shim.xml" schedule
    with target from_model
    ! grep -q '^how *= *simulator' "$TOP/boards/$board/board.ini" || with compiled compiled
    write
done
