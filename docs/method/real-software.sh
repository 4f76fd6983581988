#!/usr/bin/env bash
# real-software.sh [FOLDER [PROJECT...]] - builds programs of others by clang and by irprof cc, lets both do the same
# job, compares what they print, and writes a row of the table in real-software.md for each. Needs apt-get (as root) and
# npm, which bring the sources (to $SOURCES, or FOLDER/src); bison, flex, cmake and python3; about 2 GiB and, on two
# cores, half an hour.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$here/build/real-software}
mkdir -p "$folder" && folder=$(cd "$folder" && pwd) || exit 1
shift $(($# > 0))
sources=${SOURCES:-$folder/src}
command -v irprof >/dev/null || PATH=$here/build/bin:$PATH
export LC_ALL=C
plain_cc=${IRPROF_CC:-clang-19}
plain_cxx="$plain_cc --driver-mode=g++"
jobs=${JOBS:-$(nproc)}

from_npm() { # PACKAGE VERSION: its folder, unpacked
    local to=$sources/$1
    [ -d "$to" ] && return
    mkdir -p "$to" && (cd "$to" && tar xzf "$(npm pack --silent "$1@$2" | tail -1)" --strip-components=1)
}
count() { # SUFFIXES FOLDER...: lines
    find "${@:2}" -regextype egrep -regex ".*\.($1)" -type f -print0 | xargs -0 cat | wc -l
}

# For each project: NAME_fetch; NAME_lines; NAME_build, in an empty folder, with $CC and $CXX; NAME_job, there, what it
# prints is compared; NAME_program, which of the programs the profile is of. $IRPROF_OUT is set for it alone.

# One file of 267,000 lines, its own configure, make.
sqlite_fetch() {
    from_npm sqlite3 6.0.1 && sqlite=$sources/sqlite3/sqlite && mkdir -p "$sqlite" &&
        tar xzf "$sqlite"/../deps/sqlite-autoconf-*.tar.gz -C "$sqlite" --strip-components=1
}
sqlite_lines() { count 'c|h' "$sqlite"; }
sqlite_build() {
    "$sqlite/configure" CC="$CC" CFLAGS='-O2 -g' --fts5 --rtree --disable-shared --disable-readline && make -j"$jobs" sqlite3
}
sqlite_job() {
    counted ./sqlite3 :memory: <<'X'
create table t(id integer primary key, k int, name text, v real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000)
  insert into t select i, (i * 7919) % 10007, printf('name %d', i % 997), i / 3.0 from n;
create index tk on t(k); create index tn on t(name, v);
select count(*), sum(k), round(sum(v), 3) from t;
select name, count(*), max(v) from t group by name order by 2 desc, 1 limit 5;
select count(*) from t a join t b on a.k = b.id where b.v > 100;
create virtual table f using fts5(body);
insert into f select name || ' of ' || k from t where id % 10 = 0;
select count(*) from f where f match 'name AND 42';
select json_group_array(json_object('k', k)) from (select k from t order by v desc limit 20);
update t set v = v * 2 where k % 3 = 0; delete from t where k % 5 = 0;
select count(*), round(avg(v), 6) from t; pragma integrity_check;
X
}

# A plain Makefile.
lmdb_fetch() { from_npm lmdb 3.5.6 && lmdb=$sources/lmdb/dependencies/lmdb/libraries/liblmdb; }
lmdb_lines() { count 'c|h' "$lmdb"; }
lmdb_build() { cp -r "$lmdb/." . && make -j"$jobs" CC="$CC" OPT='-O2 -g' mdb_stat mdb_load mdb_dump; }
lmdb_job() {
    rm -rf db && mkdir db
    awk 'BEGIN { for (i = 0; i < 199999; i++) { printf " key%d\n value %d of %d\n", (i * 7919) % 200003, i, i % 97 } }' >pairs
    counted ./mdb_load -T db <pairs && ./mdb_dump db | sed '/^mapaddr=/d' | cksum; ./mdb_stat db
}

# C, C++ and assembly.
zstd_fetch() { from_npm zstd-napi 0.0.13 && zstd=$sources/zstd-napi/deps/zstd/lib; }
zstd_lines() { count 'c|h|S' "$zstd"; }
zstd_build() {
    cat >pack.cc <<'X'
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <zstd.h>
static std::string pack(const std::string &in, int level)
{
    std::string out(ZSTD_compressBound(in.size()), 0);
    size_t n = ZSTD_compress(&out[0], out.size(), in.data(), in.size(), level);
    if (ZSTD_isError(n)) throw std::runtime_error(ZSTD_getErrorName(n));
    return out.resize(n), out;
}
int main(int, char **argv)
{
    std::ifstream file(argv[1], std::ios::binary);
    std::string in((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (int level : {1, 3, 9, 15}) {
        std::string packed = pack(in, level), back(in.size(), 0);
        size_t n = ZSTD_decompress(&back[0], back.size(), packed.data(), packed.size());
        std::printf("%d: %zu %s\n", level, packed.size(), n == in.size() && back == in ? "same" : "different");
        packed[packed.size() / 2] ^= 1;
        std::printf("  %s\n", ZSTD_isError(ZSTD_decompress(&back[0], back.size(), packed.data(), packed.size())) ? "refused" : "taken");
    }
    try { pack(in, 1).at(in.size() + 1); } catch (const std::out_of_range &) { std::puts("thrown"); }
}
X
    cat >Makefile <<'X'
objects = $(patsubst $(LIB)/%,o/%.o,$(wildcard $(LIB)/*/*.c $(LIB)/*/*.S)) pack.o
CPPFLAGS = -I$(LIB) -DXXH_NAMESPACE=ZSTD_ -DZSTD_MULTITHREAD
pack: $(objects)
	$(CXX) -o $@ $^ -pthread
o/%.c.o: $(LIB)/%.c ; @mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -O2 -g -c -o $@ $<
o/%.S.o: $(LIB)/%.S ; @mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -c -o $@ $<
pack.o: pack.cc
	$(CXX) $(CPPFLAGS) -O2 -g -c -o $@ $<
X
    make -j"$jobs" CC="$CC" CXX="$CXX" LIB="$zstd"
}
zstd_job() { cat "$zstd"/*/*.[ch] | head -c 2000000 >input && counted ./pack input; }

# CMake.
libgit2_fetch() { from_npm nodegit 0.27.0 && libgit2=$sources/nodegit/vendor/libgit2; }
libgit2_lines() { count 'c|h' "$libgit2"/{src,deps,include,tests}; }
libgit2_build() {
    CC=$CC cmake "$libgit2" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DUSE_SSH=OFF -DUSE_HTTPS=OFF -DUSE_BUNDLED_ZLIB=ON \
        -DREGEX_BACKEND=builtin -DUSE_NTLMCLIENT=OFF -DUSE_HTTP_PARSER=builtin -DBUILD_SHARED_LIBS=OFF && make -j"$jobs"
}
# Of its own tests those that need neither a network nor the files that npm leaves out.
libgit2_job() {
    counted ./libgit2_clar -sbuf -score::array -score::buffer -score::env -score::ftruncate -score::futils -score::hex \
        -score::link -score::memmem -score::oid -score::oidmap -score::path -score::pool -score::posix -score::pqueue \
        -score::regexp -score::sha1 -score::sortedcache -score::string -score::strmap -score::strtol -score::vector \
        -score::wildmatch -score::zstream -sdelta -sdate -sdiff::parse -sgraph -sindex::racy -smessage -spatch -spath \
        -srefs::normalize 2>&1 | sed '/^Loaded/d; s|/tmp/[^ ]*||g'
}

# Autotools: more than a million lines, of which the configured targets are compiled.
binutils_fetch() {
    compgen -G '/usr/src/binutils/binutils-*.tar.xz' >/dev/null || apt-get install -y -qq --no-install-recommends binutils-source >/dev/null
    binutils=$sources/binutils && [ -d "$binutils" ] ||
        { mkdir -p "$binutils" && tar xf /usr/src/binutils/binutils-*.tar.xz -C "$binutils" --strip-components=1; }
}
binutils_lines() { count 'c|h|y|l|cc' "$binutils"/{bfd,binutils,gas,ld,opcodes,libiberty,libctf,libsframe,include,zlib}; }
binutils_build() {
    "$binutils/configure" CC="$CC" CXX="$CXX" CFLAGS='-O2 -g' CXXFLAGS='-O2 -g' --disable-gprofng --disable-gdb \
        --disable-gdbserver --disable-sim --disable-nls --disable-werror --enable-plugins=no && make -j"$jobs" MAKEINFO=true
}
binutils_job() {
    $plain_cc -O1 -fno-addrsig -S -x c "$binutils/libiberty/cp-demangle.c" -I"$binutils/include" -DHAVE_STDLIB_H -DHAVE_STRING_H -o d.s
    gas/as-new d.s -o d.o && ld/ld-new -r d.o -o e.o && cksum <d.o && cksum <e.o
    binutils/nm-new d.o | cksum && binutils/readelf -a e.o | cksum
    counted binutils/objdump -dr "$(readlink -f "$(gcc -print-file-name=libc.so.6)")" | cksum
}

counted() { # runs with the profile switched on, and notes the time
    local TIMEFORMAT='%U' # what it asks of the system is not counted
    { time IRPROF_OUT=$profile "$@" 2>&3; } 3>&2 2>"$times"
}
seconds() { awk '{ printf "%.2f", $1 + $2 }' "$1"; }
build() { # PROJECT FOLDER
    local TIMEFORMAT='%U %S'
    [ -f "$2.done" ] && return
    rm -rf "$2" && mkdir -p "$2"
    { time { (cd "$2" && "$1_build") >"$2.log" 2>&1; }; } 2>"$2.time" && touch "$2.done"
}
job() { # PROJECT FOLDER: five times, of which the shortest counts
    local i
    for i in 1 2 3 4 5; do
        (cd "$2" && profile=$2.prof times=$2.jobtime$i && "$1_job" >"$2.printed" 2>"$2.err")
    done
    sort -n "$2".jobtime[1-5] | head -1 >"$2.jobtime"
}

row() { # PROJECT
    local a=$folder/$1.plain b=$folder/$1.counted result
    export IRPROF_OUT=/dev/null
    "$1_fetch" || return 1
    CC=$plain_cc CXX=$plain_cxx build "$1" "$a" || { echo "$1: clang does not build it: see $a.log" >&2 && return 1; }
    CC='irprof cc' CXX='irprof c++' build "$1" "$b" || { echo "$1: irprof cc does not build it: see $b.log" >&2 && return 1; }
    job "$1" "$a"
    job "$1" "$b"
    result=same
    if ! [ -s "$b.printed" ] || ! cmp -s "$a.printed" "$b.printed"; then result=DIFFERENT; fi
    local TIMEFORMAT='%U %S'
    { time irprof report --by function "$b.prof" >"$b.report"; } 2>"$b.reporttime" || result='NO PROFILE'
    printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$("$1_lines")" "$(seconds "$a.time")" \
        "$(ratio "$b.time" "$a.time")" "$result" "$(seconds "$a.jobtime")" "$(ratio "$b.jobtime" "$a.jobtime")" \
        "$(sed -n 's/.*region main: \([0-9]*\) inst.*/\1/p' "$b.report")" "$(stat -c %s "$b.prof")" "$(seconds "$b.reporttime")" \
        "$(grep -c 'not counted: ' "$b.report")"
}
ratio() { awk -v a="$(seconds "$1")" -v b="$(seconds "$2")" 'BEGIN { if (b > 0) printf "%.2f", a / b; else printf "-" }'; }

[ $# -gt 0 ] || set -- sqlite lmdb zstd libgit2 binutils
echo '| project | lines | build by clang [CPU s] | irprof cc / clang | what it prints | job [CPU s] | counted / plain | IR instructions | profile [bytes] | report [CPU s] | not counted |'
echo '|---|---|---|---|---|---|---|---|---|---|---|'
wrong=0
for project; do
    row "$project" || wrong=1
done
exit $wrong
