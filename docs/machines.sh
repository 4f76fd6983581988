#!/usr/bin/env bash
# machines.sh [-o FOLDER] [MACHINE...] - `shimgen doctor host` and a build on machines that lack something: machines.md says what for, and has the table
# that this prints. Run it from the top of the repository after `make all test-programs`; as root it can make all of them. FOLDER (a new one in
# $TMPDIR; kept) gets MACHINE.log, MACHINE.doctor and the outputs in MACHINE/. OPTIONS are those of the builds.
# Mounts are in namespaces of their own and end with them; kernel.perf_event_paranoid is put back however this ends.
set -u
export LC_ALL=C
top=$PWD
options=${OPTIONS:---quick --levels O0}
all='plain fresh-clone group-loses-member slot-dies forbidden paranoid-3 one-cpu one-cpu-memory container disk-40 disk-120 disk-fills busy'
paranoid=/proc/sys/kernel/perf_event_paranoid

usage() {
    echo "usage: machines.sh [-o FOLDER] [MACHINE...]; machines: $all" >&2
    exit 2
}
prepare() { # FOLDER
    [ -x build/bin/shimgen ] && [ -x build/tests/machines/no-perf ] && [ -e build/tests/fake/shimgen-counters ] ||
        { echo "machines.sh: run 'make all test-programs' first, and this from the top of the repository" >&2 && exit 2; }
    mkdir -p "$1/prefix/lib/shimgen" && work=$(realpath "$1") && chmod 755 "$work" || exit 1
    PATH=$top/build/bin:$PATH
    no_perf=$top/build/tests/machines/no-perf
    ln -sfn "$top/build/bin" "$top/build/include" "$top/build/share" "$work/prefix/"
    ln -sf "$top"/build/lib/shimgen/* "$work/prefix/lib/shimgen/"
    ln -sf "$top/build/tests/fake/shim_measure_rt.o" "$top/build/tests/fake/shimgen-counters" "$work/prefix/lib/shimgen/"
}

# ---- what a machine gives

# run NAME COMMAND...: the doctor and a build, each under COMMAND.
run() {
    local name=$1 from=$SECONDS
    shift
    # what an earlier build left there is not this one's; paranoid-3's folder belongs to another user
    find "$work/$name" -mindepth 1 -delete 2>/dev/null
    mkdir -p "$work/$name"
    "$@" shimgen doctor host >"$work/$name.doctor" 2>&1
    # shellcheck disable=SC2086 # words
    "$@" shimgen build host $options -o "$work/$name" >"$work/$name.log" 2>&1
    status=$? seconds=$((SECONDS - from)) result=$work/$name
}
# What the doctor says here and not of the machine as it is.
doctor_says() { # NAME
    grep -E '^(error|warning|note) ' "$work/$1.doctor" | grep -v 'other work is running\|the hypervisor has withheld' | sed 's/^[a-z]*  *//' |
        { [ "$1" != plain ] && [ -e "$work/plain.doctor" ] && grep -vFf <(grep -E '^(error|warning|note) ' "$work/plain.doctor" | sed 's/^[a-z]*  *//') || cat; } |
        paste -sd ';' | sed 's/;/; /g; s/|/\//g'
}
files() { # FILE...: yes, no, or how many are there and hold
    local n=0 f
    for f in "$@"; do
        case $f in
        *.xml) shim-xml check -q "$f" >/dev/null 2>&1 && n=$((n + 1)) ;;
        *) [ -s "$f" ] && n=$((n + 1)) ;;
        esac
    done
    [ $n = 0 ] && echo no || { [ $n = $# ] && echo yes || echo "$n of $#"; }
}
lost() { # NAME
    local events
    events=$(cut -d, -f3 "$result/measurements.csv" 2>/dev/null | sed 1d | sort -u | paste -sd ' ')
    grep '^shimgen: ' "$work/$1.log" | head -n 1 | sed "s|$result/*|out/|g; s|$work/$1/*|out/|g"
    [ ! -e "$result/losses.csv" ] || sed 1d "$result/losses.csv" | cut -d, -f1,2 | sed 's/,/: /' | paste -sd ';' | sed 's/^/left out: /; s/;/; /g'
    grep -o 'an event cannot be believed here: [^;]*\|not all events are counted in one launch: [^;]*' "$work/$1.log" | sort -u
    grep -o 'a counter read nothing in [^"]*' "$result/conditions.json" 2>/dev/null | sort -u
    [ -z "$events" ] || echo "measured: $events"
}
row() { # NAME TITLE MADE
    local error
    error=$(sed -n 's/^ *schedules, each left out: *mean abs *\([0-9.]* %\), median *\([0-9.]* %\).*/\1 (\2)/p' "$work/$1.log")
    printf '| %s | %s | %s | %s | %s | %s | %s | %s | %d s |\n' "$2" "$3" "$(doctor_says "$1")" "$status" \
        "$(files "$result/host.shim.xml")" "$(files "$result/report.html")" \
        "$(lost "$1" | paste -sd '#' | sed 's/|/\//g; s/#/<br>/g')" "${error:--}" "$seconds"
}
missing() { # NAME TITLE REASON
    printf '| %s | not made: %s | | | | | | | |\n' "$2" "$3"
}
need_root() { # NAME TITLE
    [ "$(id -u)" = 0 ] || { missing "$1" "$2" 'root makes it' && return 1; }
}

# ---- the machines

plain() {
    local title='as it is'
    grep -q 'there are no performance counters' <(shimgen doctor host) && title='no PMU'
    run plain env
    row plain "$title" 'really: this machine'
}
fresh_clone() { # all of it: nothing compiled yet
    local from=$SECONDS
    rm -rf "$work/clone" && git clone -q "$top" "$work/clone" || return 1
    make -C "$work/clone" shim QUICK=1 >"$work/fresh-clone.log" 2>&1
    status=$? seconds=$((SECONDS - from)) result=$work/clone/out/host
    (cd "$work/clone" && build/bin/shimgen doctor host) >"$work/fresh-clone.doctor" 2>&1
    row fresh-clone 'the same, fresh clone' 'really: `git clone`, `make shim QUICK=1`'
}
faked() { # NAME TITLE WHAT-IT-PRETENDS
    rm -f "$work/$1.launches"
    run "$1" env SHIMGEN_PREFIX="$work/prefix" SHIM_FAKE_LOG="$work/$1.launches" SHIM_FAKE_PERF="$3"
    row "$1" "$2" "faked: \`SHIM_FAKE_PERF=$3\`"
}
nobody() { # COMMAND...
    setpriv --reuid=nobody --regid=nogroup --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs env HOME="$work" "$@"
}
paranoid_3() {
    local was title='perf_event_paranoid = 3'
    need_root paranoid-3 "$title" || return 0
    was=$(cat $paranoid)
    # shellcheck disable=SC2064 # as it is now
    trap "echo $was >$paranoid" EXIT
    { echo 3 >$paranoid; } 2>/dev/null || { missing paranoid-3 "$title" 'the kernel does not let it be set' && return 0; }
    install -d -o nobody "$work/paranoid-3"
    run paranoid-3 nobody
    echo "$was" >$paranoid
    trap - EXIT
    row paranoid-3 "$title, no root" 'really: `sysctl kernel.perf_event_paranoid=3`, as nobody'
}
one_cpu() {
    run one-cpu taskset -c 0
    row one-cpu '1 CPU' 'really: `taskset -c 0`'
}
one_cpu_memory() { # the whole build's memory probes, which a quick one has not
    local options="--programs paper/s*,paper/f* --runs 3 --levels O0 --no-micro"
    run one-cpu-memory taskset -c 0
    row one-cpu-memory '1 CPU, memory probes, no microbenchmarks' "really: \`taskset -c 0\`, \`$options\`"
}
# An own copy of the tree and no root: system folders read-only, 64 KiB to lock, no capabilities, perf_event_open: EPERM.
container() {
    local copy=$work/container.tree from=$SECONDS
    need_root container 'container without CAP_PERFMON' || return 0
    mkdir -p "$copy" && tar -c --exclude=./out --exclude=./.git -C "$top" . | tar -x -C "$copy" && chown -R nobody:nogroup "$copy" || return 1
    # shellcheck disable=SC2016 # for the shell inside
    inside() { # COMMAND...
        unshare --mount --fork --kill-child sh -c 'for d in /usr /etc /opt /var; do mount --bind $d $d && mount -o remount,ro,bind $d || exit 77; done; exec "$@"' sh \
            prlimit --memlock=65536:65536 --rtprio=0:0 setpriv --reuid=nobody --regid=nogroup --clear-groups --bounding-set=-all --inh-caps=-all \
            "$no_perf" env HOME="$copy" "$@"
    }
    (cd "$copy" && inside build/bin/shimgen doctor host) >"$work/container.doctor" 2>&1
    (cd "$copy" && inside make shim QUICK=1) >"$work/container.log" 2>&1
    status=$? seconds=$((SECONDS - from)) result=$copy/out/host
    row container 'container without CAP_PERFMON' 'really, except for the container: an ordinary user, own copy of the tree, no capabilities, `perf_event_open` answers EPERM (seccomp), `/usr /etc /opt /var` read-only, 64 KiB to lock; `make shim QUICK=1`'
}
# on_disk NAME MEGABYTES COMMAND...: COMMAND with a disk of that size as $work/NAME, whose files come out after it.
on_disk() {
    local name=$1 size=$2
    shift 2
    # shellcheck disable=SC2016
    unshare --mount --fork --kill-child sh -c 'disk=$1 size=$2; shift 2
        mount -t tmpfs -o "size=${size}m" none "$disk" && cd "$disk" || exit 77
        "$@"
        status=$?
        df -k --output=avail "$disk" | tail -n 1 >"$disk.free"
        mkdir -p "$disk.kept" && find "$disk" -maxdepth 1 -type f ! -name ballast -exec cp {} "$disk.kept/" \;
        exit $status' sh "$work/$name" "$size" "$@"
}
disk() { # NAME TITLE MEGABYTES HOW [COMMAND...]
    local name=$1 title=$2 size=$3 how=$4
    shift 4
    need_root "$name" "$title" || return 0
    run "$name" on_disk "$name" "$size" "$@"
    result=$work/$name.kept
    [ $status = 77 ] && missing "$name" "$title" 'nothing may be mounted here' && return
    row "$name" "$title; $(($(cat "$work/$name.free") / 1024)) MB free at the end" "$how"
}
# COMMAND, while somebody else writes 3 MB a second.
# shellcheck disable=SC2016
filled='(while sleep 1; do head -c 3M /dev/zero >>ballast || exit; done) &
"$@"
status=$?
kill $! 2>/dev/null
exit $status'
busy() {
    local a b
    (exec timeout 900 sh -c 'while :; do :; done') & a=$!
    (exec timeout 900 sh -c 'while :; do :; done') & b=$!
    run busy env
    kill $a $b
    wait $a $b 2>/dev/null
    row busy 'busy neighbour' 'really: two busy loops, priority as usual'
}
make_machine() { # NAME
    case $1 in
    plain) plain ;;
    fresh-clone) fresh_clone ;;
    group-loses-member) faked "$1" 'groups of four and more lose their last member' last-zero=4 ;;
    slot-dies) faked "$1" 'a slot of the PMU dies at launch 40' dies=40 ;;
    forbidden) faked "$1" 'the kernel keeps the counters to itself (EACCES)' forbidden ;;
    paranoid-3) paranoid_3 ;;
    one-cpu) one_cpu ;;
    one-cpu-memory) one_cpu_memory ;;
    container) container ;;
    disk-40) disk "$1" 'disk of 40 MB' 40 'really: a tmpfs' ;;
    disk-120) disk "$1" 'disk of 120 MB' 120 'really: a tmpfs' ;;
    disk-fills) disk "$1" 'disk of 120 MB that somebody fills' 120 'really: a tmpfs, 3 MB a second' sh -c "$filled" sh ;;
    busy) busy ;;
    *) usage ;;
    esac
}

folder=
while getopts o: o; do case $o in o) folder=$OPTARG ;; *) usage ;; esac; done
shift $((OPTIND - 1))
for name in "$@"; do case " $all " in *" $name "*) ;; *) usage ;; esac; done
prepare "${folder:-$(mktemp -d)}"
echo '| machine | made | the doctor says beforehand | exit | SHIM file | report | what is lost | schedules, each program left out: mean abs (median) | time |'
echo '|---|---|---|--:|---|---|---|--:|--:|'
# shellcheck disable=SC2086 # words
[ $# -gt 0 ] || set -- $all
for name in "$@"; do
    make_machine "$name"
done
echo "The logs and outputs: $work" >&2
