#!/usr/bin/env bash
# real-projects.sh SHIM [OUT [PROJECT...]] - programs of others, estimated from a SHIM file of this machine and measured on
# it: tables (Markdown) on standard output, real-projects.md. Gets the sources of Debian projects by apt-get, with a list of
# its own in OUT (the machine's configuration stays as it is), builds each plain and counted at two levels, lets all do the
# same jobs. OUT (build/real-projects) keeps sources, builds, inputs and profiles: a second run only measures.
# Measured: user-mode core cycles by perf, where it counts them and the file is made of them; else user time by the SHIM
# file's clock. RUNS=5 launches on core CORE (the last), of which the least counts; LEVELS="O1 O3".
# WRITE=FILE.md: the tables go there, between its lines <!-- table --> and <!-- end of table -->. LOAD="the machine was
# busy": said with the tables. Needs clang-19, perf for the PMU, dpkg-dev, make.
# real-projects.sh --rows ROWS: only the tables, of rows that an earlier run left in OUT/rows.
# shellcheck disable=SC2034 # variables of projects are read by name
set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")/../.." && pwd)
usage() { echo "usage: real-projects.sh SHIM [OUT [PROJECT...]] | --rows ROWS" >&2; exit 2; }
[ $# -ge 1 ] || usage
if [ "$1" = --rows ]; then
    [ $# -eq 2 ] || usage
    [ -r "$2" ] || { echo "real-projects.sh: no rows: '$2' cannot be read" >&2; exit 2; }
else
    [ -f "$1" ] || { echo "real-projects.sh: no SHIM file '$1': 'make shim' makes out/host/host.shim.xml" >&2; exit 2; }
fi
if [ -n "${WRITE:-}" ]; then
    grep -q '^<!-- table -->$' "$WRITE" && grep -q '^<!-- end of table -->$' "$WRITE" ||
        { echo "real-projects.sh: '$WRITE' has no lines <!-- table --> and <!-- end of table -->" >&2; exit 2; }
fi
levels=${LEVELS:-O1 O3}
runs=${RUNS:-5}
core=${CORE:-$(($(nproc) - 1))}
[ -x "$here/build/bin/shimgen" ] && PATH=$here/build/bin:$PATH
plain_cc=${IRPROF_CC:-clang-19}

# The compiler that counts: with what the SHIM file's machine does to it (misses, mispredictions), or without.
counting_cc() { # counted|events
    if [ "$1" = events ]; then cc="shimgen cc --shim $shim"; else cc='irprof cc'; fi
}

# ---- sources

sources() { # PACKAGE: its folder, unpacked, in $dir
    dir=$out/src/$1
    [ -d "$dir" ] && return
    command -v dpkg-source >/dev/null || { echo "dpkg-source is missing: apt-get install dpkg-dev" >>"$out/apt.log"; return 1; }
    local apt=$out/apt uris
    mkdir -p "$apt"/{lists/partial,cache/archives/partial,parts}
    uris=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
        awk '/^URIs:/ {print $2} /^deb / {for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) print $i}' | grep -m1 '/debian/\?$')
    [ -n "$uris" ] || { echo "this machine's apt sources name no Debian mirror" >>"$out/apt.log"; return 1; }
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uris $(. /etc/os-release && echo "$VERSION_CODENAME") main" >"$apt/sources.list"
    set -- "$1" -q -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts="$apt/parts" \
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root
    [ -f "$apt/updated" ] || { apt-get "${@:2}" update >>"$out/apt.log" 2>&1 && touch "$apt/updated"; }
    rm -rf "$dir.new" && mkdir "$dir.new" &&
        (cd "$dir.new" && apt-get "${@:2}" --download-only source "$1" >>"$out/apt.log" 2>&1 &&
            dpkg-source --no-check -x ./*.dsc tree >>"$out/apt.log" 2>&1) && mv "$dir.new/tree" "$dir"
}

# For each project: NAME_package, NAME_configure (if any) once, NAME_build in a copy of that with $cc and $flags,
# NAME_program, and its jobs:
# NAME_jobs lists them, NAME_job NAME does one, $p being the program. What jobs print is compared.

bzip2_package=bzip2 bzip2_program=bzip2 bzip2_jobs='text code unpack'
bzip2_build() { # Debian's program takes the shared library, which is not counted
    make -j2 CC="$cc" CFLAGS="$flags -D_FILE_OFFSET_BITS=64" libbz2.a &&
        $cc $flags -D_FILE_OFFSET_BITS=64 -o bzip2 bzip2.c libbz2.a
}
bzip2_job() {
    case $1 in text) "$p" -c "$in/text" ;; code) "$p" -1 -c "$in/code4" ;; unpack) "$p" -dc "$in/text.bz2" ;; esac
}

zlib_package=zlib zlib_program=minigzip zlib_jobs='text code unpack'
zlib_configure() { ./configure --static; }
zlib_build() { make -j2 CC="$cc" CFLAGS="$flags -D_LARGEFILE64_SOURCE=1 -DHAVE_HIDDEN" minigzip; }
zlib_job() {
    case $1 in text) "$p" -9 <"$in/text" ;; code) "$p" -4 <"$in/code4" ;; unpack) "$p" -d <"$in/large.gz" ;; esac
}

xz_package=xz-utils xz_program=src/xz/xz xz_jobs='text code unpack'
xz_configure() {
    ./configure --disable-shared --disable-nls --disable-threads --disable-scripts --disable-doc --disable-assembler
}
xz_build() { make -j2 CC="$cc" CFLAGS="$flags" -C src/liblzma && make -j2 CC="$cc" CFLAGS="$flags" -C src/xz; }
xz_job() {
    case $1 in text) "$p" -0 -T1 -c "$in/text" ;; code) "$p" -1 -T1 -c "$in/code" ;; unpack) "$p" -dc "$in/large.xz" ;; esac
}

lua_package=lua5.4 lua_program=src/lua lua_jobs='sort strings float'
lua_build() ( # Debian's Makefile wants its libtool
    cd src && echo '#define DEB_HOST_MULTIARCH ""' >lua5.4-deb-multiarch.h || exit 1
    for c in *.c; do
        case $c in luac.c | lua.c) ;; *) $cc $flags -DLUA_COMPAT_5_3 -DLUA_USE_POSIX -c "$c" || exit 1 ;; esac
    done
    $cc $flags -DLUA_COMPAT_5_3 -DLUA_USE_POSIX -o lua lua.c ./*.o -lm
)
lua_job() { "$p" "$in/$1.lua"; }

lz4_package=lz4 lz4_program=programs/lz4 lz4_jobs='text code unpack'
lz4_build() { # Debian's links its library
    make -j2 -C lib CC="$cc" CFLAGS="$flags" liblz4.a && make -j2 -C programs CC="$cc" CFLAGS="$flags" LDFLAGS=-L../lib lz4
}
lz4_job() {
    case $1 in text) "$p" -9 -c "$in/text" ;; code) "$p" -1 -c "$in/large" ;; unpack) "$p" -dc "$in/large.lz4" ;; esac
}

mawk_package=mawk mawk_program=mawk mawk_jobs='words loop replace'
mawk_configure() { ./configure; }
mawk_build() { make -j2 CC="$cc" CFLAGS="$flags" mawk; }
mawk_job() {
    case $1 in
    words) "$p" '{for (i = 1; i <= NF; i++) n[$i]++} END {for (w in n) if (n[w] > most) {most = n[w]} print most, length(n)}' "$in/text" "$in/text" "$in/text" "$in/text" ;;
    loop) "$p" 'BEGIN {for (i = 1; i < 2000000; i++) {x = (x * 7 + i) % 10007; s += x / i} printf "%.6f\n", s}' ;;
    replace) "$p" '{gsub(/[aeiou]+t/, "<&>"); n += length($0)} END {print n}' "$in/code4" ;;
    esac
}

# ---- inputs, the same on every machine

make_inputs() {
    in=$out/in
    [ -f "$in/done" ] && return
    awk 'BEGIN {x = 1; split("the of time and interval cache miss branch value cycle loop model table of a in is that program estimate measured", w, " ")
        for (k = 0; k < 400000; k++) {x = (x * 16807) % 2147483647; printf "%s%s", w[int(x / 65536) % 20 + 1], (x % 1000 < 90) ? int(x / 777) % 9973 "\n" : " "}}' >"$in/text"
    sources lua5.4 && cat "$dir"/src/*.[ch] >"$in/code" || return 1
    cat "$in/code" "$in/code" "$in/text" "$in/code" >"$in/code4"
    for i in 1 2 3 4 5 6 7 8; do cat "$in/code4"; done >"$in/large"
    cat >"$in/sort.lua" <<'X'
local x, t = 1, {}
for i = 1, 500000 do x = (x * 16807) % 2147483647; t[i] = x end
table.sort(t); local s = 0
for i = 1, #t, 100 do s = (s * 31 + t[i]) % 1000003 end print(s)
X
    cat >"$in/strings.lua" <<'X'
local t = {}
for i = 1, 150000 do t[#t + 1] = ("%d:%s"):format(i * 7919 % 10007, ("ab"):rep(i % 9)) end
local s = table.concat(t, ",") local n = 0
for w in s:gmatch("%d+:") do n = n + #w end print(n, #s, #s:gsub("abab", "x"))
X
    cat >"$in/float.lua" <<'X'
local a, n = {}, 200
for i = 1, n do a[i] = {} for j = 1, n do a[i][j] = 1 / (i + j) end end
local s = 0
for i = 1, n do for j = 1, n do local x = 0.0 for k = 1, n do x = x + a[i][k] * a[k][j] end s = s + x end end
print(string.format("%.9f", s))
X
    bzip2 -kc "$in/text" >"$in/text.bz2" && gzip -c "$in/large" >"$in/large.gz" && xz -1 -c "$in/large" >"$in/large.xz" || return 1
    touch "$in/done"
}

# ---- build, count, measure

configured() { # PROJECT: its sources, configured for the plain compiler
    local folder=$out/build/$1 package=$1_package
    [ -f "$folder.done" ] && return
    sources "${!package}" || { echo "$1: no sources: $out/apt.log" >&2; return 1; }
    rm -rf "$folder" && mkdir -p "$out/build" && cp -a "$dir" "$folder" || return 1
    [ "$(type -t "$1_configure")" = function ] || { touch "$folder.done" && return; }
    (cd "$folder" && CC=$plain_cc "$1_configure") >"$folder.log" 2>&1 && touch "$folder.done" && return
    echo "$1: it is not configured: $folder.log" >&2
    return 1
}

build() { # PROJECT LEVEL KIND: the program is $p, once built
    local folder=$out/build/$1-$2-$3 program=$1_program
    p=$folder/${!program}
    [ -f "$folder.done" ] && return
    configured "$1" || return 1
    rm -rf "$folder" && cp -a "$out/build/$1" "$folder" || return 1
    (
        cd "$folder" && export IRPROF_OUT=/dev/null flags="-$2 -g"
        cc=$plain_cc
        [ "$3" = plain ] || counting_cc "$3"
        "$1_build"
    ) >"$folder.log" 2>&1 && [ -x "$p" ] && touch "$folder.done" && return
    echo "$1 -$2, $3: it is not built: $folder.log" >&2
    return 1
}

counts_cycles() { # the file's cycles are the PMU's, and this machine has one
    ! grep -q 'measured in TSC_CYCLES' "$shim" && perf stat -x, -e cycles:u true 2>&1 | grep -q '^[0-9]\+,'
}

job_measured() { # PROJECT JOB: what it takes once, cycles or seconds
    if [ "$unit" = cycles ]; then
        perf stat -x, -e cycles:u -o "$out/perf" -- bash -c "p=$p in=$in; $(declare -f "$1_job"); exec >/dev/null; $1_job $2" && awk -F, '/cycles/ {print $1}' "$out/perf"
    else
        local TIMEFORMAT=%U
        { time "$1_job" "$2" >/dev/null 2>&1; } 2>&1
    fi
}

measure() { # PROJECT JOB: the least of some
    local i
    (
        taskset -cp "$core" "$BASHPID" >/dev/null
        for ((i = 0; i < runs; i++)); do job_measured "$1" "$2"; done | sort -g | head -1
    )
}

count() { # PROJECT LEVEL KIND JOB: the profile's name; what is printed must be what the plain program prints
    local profile=$out/build/$1-$2-$3.$4.prof
    [ -f "$profile" ] && [ "$profile" -nt "$out/build/$1-$2-$3.done" ] ||
        { IRPROF_OUT=$profile "$1_job" "$4" 2>/dev/null | cksum >"$profile.sum"; }
    echo "$profile"
}

value() { # COLUMN: of the first row of the CSV on standard input
    awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i} NR == 2 {print $at[name]}'
}

row() { # PROJECT LEVEL JOB: "project job level method measured estimate low high" for each kind and method
    local kind method measured profile csv
    build "$1" "$2" plain || return 1
    "$1_job" "$3" 2>/dev/null | cksum >"$out/plain.sum"
    measured=$(measure "$1" "$3")
    for kind in counted events; do
        build "$1" "$2" "$kind" || return 1
        profile=$(count "$1" "$2" "$kind" "$3")
        cmp -s "$out/plain.sum" "$profile.sum" || { echo "$1 $3 -$2: the counted program prints something else" >&2; return 1; }
        for method in "${methods[@]}"; do
            csv=$(shimgen estimate --shim "$shim" --method "$method" --format csv "$profile" 2>>"$out/estimate.log") || return 1
            [ "$unit" = cycles ] && column=cycles || column=seconds
            echo "$1 $3 $2 $(value method <<<"$csv"),$kind $measured $(value "$column" <<<"$csv") $(value cycles <<<"$csv") $(value low <<<"$csv" | sed 's/^$/-/') $(value high <<<"$csv" | sed 's/^$/-/')"
        done
    done
}

# ---- the tables; a row is "project job level method,kind measured estimate cycles low high", low and high in cycles

table() { # rows on standard input
    awk 'function percent(x) {return sprintf("%+.0f %%", 100 * x)}
        {known = $8 != "-" && $9 != "-"; low = $6 * $8 / $7; high = $6 * $9 / $7
         printf "| %s | %s | %s | %s | %.4g | %.4g | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, percent($6 / $5 - 1),
             (known ? sprintf("%.3g to %.3g", low, high) : "-"), (!known ? "-" : ($5 >= low && $5 <= high) ? "yes" : "no")}'
}

summary() { # METHOD,KIND; rows on standard input
    awk -v m="$1" '
        function median(a, n,   i, j, x) {
            for (i = 2; i <= n; i++) {x = a[i]; for (j = i - 1; j && a[j] > x; j--) a[j + 1] = a[j]; a[j + 1] = x}
            return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
        }
        $4 == m {e = $6 / $5 - 1; signed[++n] = e; errors[n] = e < 0 ? -e : e; near += errors[n] <= 0.25
            if ($8 == "-" || $9 == "-") next
            widths[++known] = $9 / $8; inside += $5 >= $6 * $8 / $7 && $5 <= $6 * $9 / $7}
        END {printf "| %s | %d | %.0f %% | %+.0f %% | %d | %s | %s |\n", m, n, 100 * median(errors, n), 100 * median(signed, n), near,
             known ? sprintf("%d of %d", inside, known) : "-", known ? sprintf("%.1f", median(widths, known)) : "-"}'
}

tables() { # ROWS
    echo '| values, events | rows | median abs. error | median error | within 25 % | inside the 90 % interval | median width (high / low) |'
    echo '|---|--:|--:|--:|--:|--:|--:|'
    cut -d' ' -f4 "$1" | sort -u | while read -r m; do summary "$m" <"$1"; done
    echo
    echo '| project | input | level | values, events | measured | estimate | error | 90 % interval | inside? |'
    echo '|---|---|---|---|--:|--:|--:|--:|---|'
    table <"$1"
}

conditions() { # how it was measured, in a sentence
    echo "Measured: $([ "$unit" = cycles ] && echo "user-mode core cycles, by the PMU" || echo "user time [s], as no PMU counts cycles here or the file is not made of them"), the least of $runs runs, $(uname -m), $(awk -F': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(nproc) processors${LOAD:+; $LOAD}."
    echo
}

publish() { # the tables on standard input, whole: into the page, or to standard output
    [ -n "${WRITE:-}" ] || { cat; return; }
    cat >"$WRITE.new.tables" && awk -v tables="$WRITE.new.tables" '/^<!-- table -->$/ {print; while ((getline line < tables) > 0) print line; hidden = 1}
        /^<!-- end of table -->$/ {hidden = 0} !hidden' "$WRITE" >"$WRITE.new" && cat "$WRITE.new" >"$WRITE" && rm -f "$WRITE.new" "$WRITE.new.tables"
}

if [ "$1" = --rows ]; then
    tables "$2" | publish
    exit
fi

shim=$(realpath "$1")
out=${2:-$here/build/real-projects}
mkdir -p "$out/src" "$out/in" && out=$(cd "$out" && pwd) || exit 1
shift $(($# > 1 ? 2 : 1))
projects=${*:-bzip2 zlib xz lua lz4 mawk}
for project in $projects; do
    [ "$(type -t "${project}_build")" = function ] || { echo "real-projects.sh: no project '$project': bzip2, zlib, xz, lua, lz4, mawk" >&2; exit 2; }
done
methods=(schedule operand)
counts_cycles && unit=cycles || unit=seconds
make_inputs || { echo "no inputs: $out/apt.log" >&2; exit 1; }
[ -f "$in/large.lz4" ] || { build lz4 O3 plain && "$p" -q -c "$in/large" >"$in/one.lz4" &&
    for i in 1 2 3 4; do cat "$in/one.lz4"; done >"$in/large.lz4"; } || exit 1
: >"$out/estimate.log"
: >"$out/rows"
missing=
for level in $levels; do
    for project in $projects; do jobs=${project}_jobs; for job in ${!jobs}; do
        echo "$(date +%T) $project $job -$level" >&2
        row "$project" "$level" "$job" >>"$out/rows" || missing+=" $project/$job/$level"
    done; done
done
[ -s "$out/rows" ] || exit 1
{ conditions; tables "$out/rows"; } | publish
[ -z "$missing" ] || { echo "real-projects.sh: left out:$missing" >&2; exit 1; }
