#!/bin/sh
# micro.sh [FOLDER] - the tables of micro.md: the microbenchmarks on the simulated Raspberry Pi 3 beside a real one, and those on this
# machine, if it is an AMD processor, beside LLVM's model of Zen 4. Needs a build (BUILD, build/ by default), qemu-user, aarch64-linux-gnu's C
# library and llvm-mca-19. FOLDER: where the measurements go, and are kept for the next time (default: a temporary one).
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
PATH=$BUILD/bin:$PATH
work=${1:-}
[ "$work" ] || { work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT; }

shimgen micro raspberrypi3-sim -o "$work/sim" >"$work/sim.txt"
awk -f "$TOP/tests/a53/micro.awk" "$TOP/tests/a53/rows.csv" "$TOP/tests/a53/micro.txt" "$work/sim/micro.csv"

grep -q AuthenticAMD /proc/cpuinfo || exit 0
command -v llvm-mca-19 >/dev/null || { echo 'micro.sh: llvm-mca-19 is not installed' >&2 && exit 1; }
shimgen micro host -o "$work/host" >"$work/host.txt"
# key | machine instruction: one that the code of the copy consists of
sed 's/ *| */|/' >"$work/instructions" <<'END'
add.i32 | addl %esi, %edi
add.i64 | addq %rsi, %rdi
mul.i32 | imull %esi, %edi
mul.i64 | imulq %rsi, %rdi
and.i32 | andl %esi, %edi
lshr.i32 | shrl $3, %edi
ashr.i64 | sarq $3, %rdi
udiv.i32 | divl %esi
sdiv.i32 | idivl %esi
select.i32 | cmovel %esi, %edi
sext.i64 | movslq %esi, %rdi
load.i32 | movl (%rdi), %eax
load.i64 | movq (%rdi), %rax
load.ptr | movq (%rdi), %rdi
store.i32 | movl %eax, (%rdi)
store.i64 | movq %rax, (%rdi)
fadd.float | addss %xmm1, %xmm0
fadd.double | addsd %xmm1, %xmm0
fsub.double | subsd %xmm1, %xmm0
fmul.float | mulss %xmm1, %xmm0
fmul.double | mulsd %xmm1, %xmm0
fdiv.float | divss %xmm1, %xmm0
fdiv.double | divsd %xmm1, %xmm0
fpext.double | cvtss2sd %xmm0, %xmm0
fptrunc.float | cvtsd2ss %xmm0, %xmm0
call.llvm.sqrt.float | sqrtss %xmm1, %xmm1
call.llvm.sqrt.double | sqrtsd %xmm1, %xmm1
call.llvm.bswap.i32 | bswapl %edi
END
cut -d'|' -f2 "$work/instructions" |
    llvm-mca-19 -mtriple=x86_64 -mcpu=znver4 --instruction-info --summary-view=0 --resource-pressure=0 --iterations=1 2>/dev/null |
    awk '/Instructions:$/ {on = 1; next} on && NF {print $2 "|" $3}' >"$work/model"
echo
paste -d'|' "$work/instructions" "$work/model" | awk -F'|' '
    NR == FNR {latency[$1] = $3; pitch[$1] = $4; names[++n] = $1; code[$1] = $2; next}
    {
        out = ""; quoted = 0; k = 1
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            if (c == "\"") quoted = !quoted
            else if (c == "," && !quoted) {f[k++] = out; out = ""}
            else out = out c
        }
        f[k] = out
        if (FNR == 1) {for (i = 1; i <= k; i++) col[f[i]] = i; next}
        if (f[col["use"]] != "typical" || f[col["event"]] != "CORE_CYCLES_EST" && f[col["event"]] != "CPU_CYCLES") next
        found[f[col["key"]] f[col["quantity"]]] = sprintf("%.2f", f[col["value"]])
    }
    END {
        print "| key | machine instruction | latency here | Zen 4 | pitch here | Zen 4 |\n|---|---|--:|--:|--:|--:|"
        for (i = 1; i <= n; i++) {
            k = names[i]
            printf "| %s | `%s` | %s | %s | %s | %s |\n", k, code[k], found[k "latency"], latency[k], found[k "pitch"], pitch[k]
        }
    }' - "$work/host/micro.csv"
