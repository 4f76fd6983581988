#!/bin/sh
# spills.sh [all] - the table of spills.md; all: in how many of all samples, at -O0 and -O2, the loads and stores in the
# code are as many as the memory operands. Run from the repository's top, after make.
set -eu
top=$PWD
PATH=$top/build/bin:$PATH
target=aarch64-linux-gnu
cpu=cortex-a53
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T"

compile() { # SAMPLE LEVEL
    clang-19 "-$2" -g -w -emit-llvm -I"$top/build/include" -c "$top/samples/$1.c" -o one.bc
}

# IR load + store, then the events, of the whole run.
executed() { # LEVEL
    irprof instrument --spills $target:$cpu one.bc -o one.i.bc
    # shellcheck disable=SC2046 # words
    clang-19 "-$1" -Xclang -disable-llvm-passes one.i.bc -o one $(irprof libs) -lm
    IRPROF_OUT=profile ./one >/dev/null
    irprof report --region '(program)' --by opcode --format csv profile | awk -F , '
        $3 ~ /^(load|store)\./ { ir += $4 }
        $3 ~ /^[A-Z]/ { event[$3] = $4 }
        END {
            spills = event["SPILL_LOAD"] + event["SPILL_STORE"]
            printf "%d | %d | %d | %d | %d | %.4f", ir, event["TARGET_LOAD"] + event["TARGET_STORE"],
                event["SPILL_LOAD"], event["SPILL_STORE"], event["CONSTANT_LOAD"], spills / event["REGISTER_ACCESS"]
        }'
}

# Loads and stores in the object code (pairs count twice), and memory operands where irprof looks at them. False: the target
# has no code for it (x86's long double).
in_the_code() { # LEVEL
    llvm-dis-19 one.bc -o - | sed 's/"\(target-cpu\|target-features\|tune-cpu\)"="[^"]*"//g' >one.ll
    generate="llc-19 -mtriple=$target -mcpu=$cpu -$1 -relocation-model=pic one.ll"
    $generate -filetype=obj -o one.o 2>reason || return
    llvm-objdump-19 -d --no-show-raw-insn one.o | awk '
        $2 ~ /^ld(p|psw|np)$/ { loads += 2; next }
        $2 ~ /^st(p|np)$/ { stores += 2; next }
        $2 ~ /^ld/ { loads++ }
        $2 ~ /^st/ { stores++ }
        END { printf "%d / %d | ", loads, stores }'
    stop=machine-latecleanup
    [ "$1" = O2 ] || stop=prologepilog
    $generate -stop-after=$stop -o - | awk '
        /^    DBG_/ { next }
        /LOADgot|JumpTableDest/ { loads++ }
        / :: / {
            sub(/^.* :: /, "")
            gsub(/`[^`]*`/, "")
            loads += gsub(/(^|[ (])load (store )?\(/, "")
            stores += gsub(/store \(/, "")
        }
        END { printf "%d / %d", loads, stores }'
}

all() {
    for source in "$top"/samples/*/*.c; do
        sample=${source#"$top/samples/"}
        for level in O0 O2; do
            compile "${sample%.c}" $level
            counts=$(in_the_code $level) || counts='no code'
            echo "${sample%.c}@$level $counts"
        done
    done | awk '
        / no code$/ { print; next }
        { n++; if ($2 == $6 && $4 == $8) same++; else print "differs:", $0 }
        END { print same, "of", n, "are the same" }'
}

if [ "${1:-}" = all ]; then
    all
    exit
fi
echo "| program | IR load + store | TARGET_LOAD + TARGET_STORE | SPILL_LOAD | SPILL_STORE | CONSTANT_LOAD | RegMissRate | loads / stores in the code | memory operands |"
echo "|---|---|---|---|---|---|---|---|---|"
for sample in paper/fibonacci paper/merge_sort suite/aes128 suite/fft_q15 suite/json_scan suite/sha256; do
    for level in O0 O2; do
        compile $sample $level
        echo "| $sample@$level | $(executed $level) | $(in_the_code $level) |"
    done
done
