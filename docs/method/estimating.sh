#!/bin/sh
# estimating.sh [BOARD...] - the tables of estimating.md: how far the methods of `shimgen estimate` are off, by board and
# optimisation level, on the programs that models are fitted on and on the test programs.
#
# Needs complete builds in $OUT (default: out), from `shimgen build BOARD`. Profiles of all programs are made again in
# $WORK (default: a temporary folder; what is there is kept), with simulated misses and mispredictions. Boards measure with
# warm caches, so each counted program calls its main four times: first touches weigh a quarter.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
OUT=${OUT:-$TOP/out}
export PATH="$BUILD/bin:$PATH"
if [ -z "${WORK:-}" ]; then
    WORK=$(mktemp -d)
    trap 'rm -rf "$WORK"' EXIT
fi
[ $# -gt 0 ] || set -- raspberrypi3-sim host

passes() { # BOARD: where counted programs are compiled for, and how they run
    case $1 in
    raspberrypi3-sim)
        flags='--target=aarch64-linux-gnu -mcpu=cortex-a53 -ffp-contract=off' run='qemu-aarch64 -cpu cortex-a53'
        link="-static $(echo "$OUT"/raspberrypi3-sim/work/runtime/counting/*.o)"
        ;;
    host)
        flags='-ffp-contract=off -fPIE' run=
        link="-static-pie -Wl,--whole-archive $BUILD/lib/shimgen/libirprof_rt.a -Wl,--no-whole-archive"
        ;;
    *)
        echo "estimating.sh: $1: only raspberrypi3-sim and host are known here" >&2
        exit 2
        ;;
    esac
}

# count BOARD PROGRAM@LEVEL
count() {
    passes "$1"
    folder=$WORK/$1/$2
    [ -f "$folder/profile" ] && return 0
    mkdir -p "$folder"
    objects=
    simulate=$(shimgen profile --flags --shim "$OUT/$1/$1.shim.xml")
    for ir in "$OUT/$1/work/$2"/[0-9].bc; do
        name=$folder/$(basename "$ir" .bc)
        # shellcheck disable=SC2086 # lists of options
        irprof instrument $simulate --branches gshare:12:8 "$ir" -o "$name.i.bc" &&
            clang-19 $flags "-${2##*@}" -w -Xclang -disable-llvm-passes -c "$name.i.bc" -o "$name.o"
        llvm-objcopy-19 --redefine-sym main=sample_main "$name.o"
        objects="$objects $name.o"
    done
    cat >"$folder/main.c" <<'END'
int sample_main(int, char **);
int main(int argc, char **argv)
{
    int status = 0;
    for (int i = 0; i < 4; i++)
        status = sample_main(argc, argv);
    return status;
}
END
    # shellcheck disable=SC2086 # lists of options
    clang-19 $flags -O1 "$folder/main.c" $objects $link -lm -lpthread -o "$folder/counted"
    # A sample may end with a status of its own when it is called again.
    # shellcheck disable=SC2086 # the emulator with its options
    IRPROF_OUT=$folder/profile timeout 300 $run "$folder/counted" >/dev/null 2>&1 || true
    rm -f "$folder"/*.o "$folder"/*.bc "$folder/counted" "$folder/main.c"
}
if [ "${1:-}" = --count ]; then
    count "$2" "$3"
    exit
fi

# estimates BOARD SHIM METHOD: program,region,cycles of all programs
estimates() {
    sed 1d "$OUT/$1/dataset.csv" | cut -d, -f1 | sort -u | while read -r program; do
        [ -f "$WORK/$1/$program/profile" ] && echo "$program=$WORK/$1/$program/profile"
    done | xargs shimgen estimate --shim "$2" --method "$3" --by region --format csv 2>/dev/null | cut -d, -f1,2,5
}
test_programs() {
    for manifest in "$TOP"/samples/*/manifest.csv; do
        set_=$(basename "$(dirname "$manifest")")
        awk -F, -v set_="$set_" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "role") role = i; next }
            $role == "test" { print set_ "/" $1 }' "$manifest"
    done
}
# row BOARD SHIM METHOD WHAT: mean, median absolute error and the share within a factor of two, by level and role
row() {
    estimates "$1" "$2" "$3" >"$WORK/estimates"
    awk -F, -v what="$4" '
        FILENAME ~ /tests$/ { test[$1] = 1; next }
        FILENAME ~ /estimates$/ { estimate[$1 "," $2] = $3 / 4; next }
        FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        ($1 "," $2) in estimate {
            split($1, name, "@")
            kind = name[2] (name[1] in test ? "t" : "")
            e = estimate[$1 "," $2] / $column["cycles"]
            far[kind] += e > 2 || e < 0.5
            e = e > 1 ? e - 1 : 1 - e
            errors[kind, ++n[kind]] = e
            sum[kind] += e
        }
        function median(kind,   i, k, t) {
            for (i = 2; i <= n[kind]; i++)
                for (k = i; k > 1 && errors[kind, k] < errors[kind, k - 1]; k--) {
                    t = errors[kind, k]; errors[kind, k] = errors[kind, k - 1]; errors[kind, k - 1] = t
                }
            return errors[kind, int((n[kind] + 1) / 2)]
        }
        END {
            printf "| %s |", what
            split("O0 O2 O0t O2t", kinds, " ")
            for (i = 1; i <= 4; i++)
                if (n[kinds[i]])
                    printf " %.1f, %.1f, %d |", 100 * sum[kinds[i]] / n[kinds[i]], 100 * median(kinds[i]), far[kinds[i]]
                else
                    printf " - |"
            print ""
        }' "$WORK/tests" "$WORK/estimates" "$OUT/$1/dataset.csv"
}

test_programs >"$WORK/tests"
for board; do
    sed 1d "$OUT/$board/dataset.csv" | cut -d, -f1 | sort -u | xargs -P "$(nproc)" -n 1 sh "$0" --count "$board"
    shim=$OUT/$board/$board.shim.xml
    echo "## $board"
    echo '| values, method | fitted on, O0 | O2 | test, O0 | O2 |'
    echo '|---|---|---|---|---|'
    row "$board" "$shim" sum 'of the model, sum'
    row "$board" "$shim" operand 'of the model, operand'
    shimgen tune "$OUT/$board" --profiles "$WORK/$board" --passes 4 --as-measured -o "$WORK/measured.shim.xml" >/dev/null
    row "$board" "$WORK/measured.shim.xml" sum 'of microbenchmarks, sum'
    row "$board" "$WORK/measured.shim.xml" operand 'of microbenchmarks, operand'
    row "$board" "$WORK/measured.shim.xml" schedule 'of microbenchmarks, schedule'
    shimgen tune "$OUT/$board" --profiles "$WORK/$board" --passes 4 -o "$WORK/tuned.shim.xml" >"$WORK/tuned"
    row "$board" "$WORK/tuned.shim.xml" schedule 'tuned, schedule'
    echo
    cat "$WORK/tuned"
    echo
done
