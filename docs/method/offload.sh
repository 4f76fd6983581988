#!/bin/bash
# offload.sh examples|operations - the tables of docs/method/offload.md. Needs valgrind and the build's programs in PATH.
#   examples    the programs of docs/method/offload/: verdict of each, and what its functions are
#   operations  W and D of samples by irprof and by callgrind; SAMPLES: which (default: all of the paper and the suite,
#               and the examples); FLAGS: more options of the compiler
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$top/build/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-O2 -g -ffp-contract=off ${FLAGS-}"

# NAME: an option of the linker, so that the variables of NAME stand in lines and sets of the cache as in NAME.counted
same_places() {
    local first there here bss
    first=$(nm -n "$1" | awk '$2 ~ /^[bB]$/ && $3 !~ /^(completed|__bss_start|_end)/ { print $3; exit }')
    [ -n "$first" ] || return 0
    there=$(nm "$1.counted" | awk -v name="$first" '$3 == name { print $1; exit }')
    here=$(nm "$1" | awk -v name="$first" '$3 == name { print $1; exit }')
    bss=$(readelf -SW "$1" | awk '{ for (i = 1; i < NF; i++) if ($i == ".bss") print $(i + 2) }')
    [ -n "$there" ] && printf -- '-Wl,-Tbss=0x%x' $((0x$bss + 0x$there - 0x$here))
}

# NAME SOURCE: NAME.cg by callgrind, NAME.prof by irprof: one run of main each, with caches that are empty at its start
count() {
    # && throughout: the shell's -e does not count where the caller looks at the status.
    # shellcheck disable=SC2046,SC2086 # flags are words
    (
        cd "$work" &&
            clang-19 $flags -I"$top/samples" -I"$top/base" "$2" -o "$1" -lm &&
            clang-19 $flags -I"$top/samples" -I"$top/base" -c -emit-llvm "$2" -o "$1.bc" &&
            irprof instrument "$1.bc" --spills x86_64-linux-gnu --l1d 256K:8:64:lru --l2 none -o "$1.i.bc" &&
            clang-19 -Wno-override-module -Xclang -disable-llvm-passes -O2 "$1.i.bc" -o "$1.counted" $(irprof libs) -lm &&
            IRPROF_OUT=$1.prof "./$1.counted" >/dev/null &&
            clang-19 $flags -I"$top/samples" -I"$top/base" "$2" -o "$1" -lm $(same_places "$1") &&
            valgrind --tool=callgrind --dump-instr=yes --cache-sim=yes --D1=262144,8,64 --callgrind-out-file="$1.cg" "./$1" >/dev/null 2>&1
    )
}

# FILE LEAST: the rows as CSV
judge() { shimgen offload "$1" --accelerator pcie3-x8 --least "$2" --format csv 2>/dev/null; }

# NAME SOURCE: NAME.win by irprof, with windows and the footprint
count_windows() {
    # shellcheck disable=SC2046,SC2086 # flags are words
    (
        cd "$work" &&
            clang-19 $flags -I"$top/samples" -I"$top/base" -c -emit-llvm "$2" -o "$1.bc" &&
            irprof instrument "$1.bc" --l1d 32K:4:64:random --l2 256K:8:64:lru --windows 10000 --footprint -o "$1.i.bc" &&
            clang-19 -Wno-override-module -Xclang -disable-llvm-passes -O2 "$1.i.bc" -o "$1.windows" $(irprof libs) -lm &&
            IRPROF_OUT=$1.win "./$1.windows" >/dev/null
    )
}

examples() {
    echo '| program | verdict by callgrind | rests on | intensity | on integers | peak at least [GB/s] | functions for 80 % | smallest root that covers 80 % | its obstacles | its verdict in windows | peak [GB/s] | touches [B] | writes [B] | needs [B] | leaves [B] |'
    echo '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|'
    for source in "$top"/docs/method/offload/*.c; do
        name=$(basename "$source" .c)
        count "$name" "$source"
        count_windows "$name" "$source"
        smallest=$(shimgen offload "$work/$name.prof" --accelerator pcie3-x8 2>/dev/null | awk '/^smallest/ { sub(/.*work: /, ""); print $1 }')
        obstacles=$(judge "$work/$name.prof" 0 | awk -F, -v f="$smallest" '$2 == f { print $NF }')
        timed=$(shimgen offload "$work/$name.win" --accelerator pcie3-x8 --shim "$top/docs/example/raspberrypi3-sim.shim.xml" --least 0 --format csv 2>/dev/null |
            awk -F, -v f="$smallest" '$2 == f { printf "%s | %.3g | %d | %d | %d | %d", $3, $9 / 1e9, $26, $27, $28, $29 }')
        judge "$work/$name.cg" 0 | awk -F, -v name="$name" -v s="$smallest" -v o="$obstacles" -v t="$timed" \
            '$2 == "main" { printf "| %s | %s | %s | %.3g | %.3g | %.3g | %d | %s | %s | %s |\n", name, $3, $4, $5, $7, $9 / 1e9, $11, s, o == "" ? "none" : o, t }'
    done
}

# FILE: name, W and D of each function by itself
alone() { shimgen offload "$1" --accelerator pcie3-x8 --least 0 --by function --format csv 2>/dev/null | awk -F, 'NR > 2 { print $2, $21 + 0, $23 + 0 }'; }

operations() {
    for source in ${SAMPLES:-"$top"/samples/paper/*.c "$top"/samples/suite/*.c "$top"/docs/method/offload/*.c}; do
        name=$(basename "$source" .c)
        count "$name" "$(realpath "$source")" 2>"$work/why" || {
            echo "left out: $name: $(tail -n 1 "$work/why")" >&2
            continue
        }
        alone "$work/$name.prof" >"$work/a"
        alone "$work/$name.cg" >"$work/b"
        # functions that both have: callgrind has the C library, too. What the IR has as memset and memcpy are functions there.
        awk -v name="$name" 'NR == FNR { w[$1] = $2; d[$1] = $3; next } $1 ~ /^__mem(set|cpy|move)_/ { e += $3; next }
            $1 in w { a += w[$1]; b += $2; c += d[$1]; e += $3; if (w[$1] != $2) other = other " " $1 }
            END { print name, a, b, c, e, other }' "$work/a" "$work/b"
        rm -f "${work:?}/$name"*
    done >"$work/all"
    awk '$2 > 10000 || $3 > 10000 { n++; if ($2 == $3) same++; else { w = "W of " $1 ": " $2 " by irprof, " $3 " by callgrind; in"
             for (i = 6; i <= NF; i++) w = w " " $i; print w } }
         $4 > 64000 || $5 > 64000 { m++; e = $5 / $4 - 1; if (e < 0) e = -e; if (e <= 0.02) near++; if (e > worst) worst = e
             if (e > 0.02) printf "D of %s: %d B by irprof, %d B by callgrind\n", $1, $4, $5 }
         END { printf "W is equal in %d of %d programs with W > 10000\n", same, n
             printf "D differs by at most 2 %% in %d of %d programs with D > 64000 B; by at most %.2f %% in all\n", near, m, 100 * worst }' "$work/all"
}

case ${1-} in
examples | operations) "$1" ;;
*) echo "usage: $0 examples|operations" >&2 && exit 2 ;;
esac
