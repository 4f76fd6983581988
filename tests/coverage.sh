#!/usr/bin/env bash
# coverage.sh TEST... - runs tests with programs that count what of them is executed, and prints the share of lines and
# branches, by part. `make coverage` calls it. With MISSED="SOURCE..." it prints instead which lines of these none of the
# tests of the last run executed, and runs nothing. What the tests' own programs are made of is not counted.
set -u
shopt -s nullglob
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
raw=$BUILD/raw
profile=$BUILD/tests.profdata

# Every process counts; those of one program add up in one file. One that dies of a signal loses what it counted.
execute_tests() {
    local status
    rm -rf "$raw" && mkdir -p "$raw"
    LLVM_PROFILE_FILE=$raw/%m.profraw tests/run "$@"
    status=$?
    "$LLVM_BIN/llvm-profdata" merge -o "$profile" "$raw"/*.profraw || exit 1
    return $status
}

cov() { # WHAT ARGUMENT...
    local f objects=()
    for f in "$BUILD"/bin/* "$BUILD"/tests/unit/*/test_* "$BUILD"/tests/unit/*/*/test_*; do
        [ -L "$f" ] || objects+=(-object "$f")
    done
    "$LLVM_BIN/llvm-cov" "$1" "${objects[@]:1}" -instr-profile "$profile" -ignore-filename-regex '(^|/)tests/|^/usr/' "${@:2}" 2>"$BUILD/llvm-cov.log" || {
        cat "$BUILD/llvm-cov.log" >&2
        return 1
    }
}

# Sums over the sources of a part, from the records that lcov names LF, LH (lines), BRF, BRH (branches).
by_part() {
    awk -v top="$PWD/" '
        function share(hit, all) { return all ? sprintf("%.1f %%", 100 * hit / all) : "-" }
        function row(name, k) { printf "%-18s %8d %8d %8s %9d %8d %8s\n", name, n[k, "LF"], n[k, "LH"], share(n[k, "LH"], n[k, "LF"]),
            n[k, "BRF"], n[k, "BRH"], share(n[k, "BRH"], n[k, "BRF"]) }
        /^SF:/ { part = substr($0, 4); if (index(part, top) == 1) part = substr(part, length(top) + 1); sub(/\/[^\/]*$/, "", part)
                 if (!(part in seen)) { seen[part] = 1; print part | "sort >" list } }
        /^(LF|LH|BRF|BRH):/ { split($0, f, ":"); n[part, f[1]] += f[2]; n["all", f[1]] += f[2] }
        END {
            close("sort >" list)
            printf "%-18s %8s %8s %8s %9s %8s %8s\n", "part", "lines", "executed", "", "branches", "taken", ""
            while ((getline part <list) > 0) row(part, part)
            row("all", "all")
        }' list="$BUILD/coverage.parts"
}

# Runs of lines that no test executed: SOURCE:FROM-TO
missed_lines() {
    awk -v top="$PWD/" -v wanted="$1" '
        function tell() { if (from) print file ":" from (to > from ? "-" to : ""); from = 0 }
        BEGIN { n = split(wanted, list, " "); for (i = 1; i <= n; i++) want[list[i]] = 1 }
        /^SF:/ { tell(); file = substr($0, 4); if (index(file, top) == 1) file = substr(file, length(top) + 1)
                 part = file; sub(/\/[^\/]*$/, "", part); on = wanted == "all" || file in want || part in want }
        on && /^DA:/ { split(substr($0, 4), f, ","); if (f[2] > 0) tell(); else { if (!from) from = f[1]; to = f[1] } }
        END { tell() }'
}

if [ -n "${MISSED-}" ]; then
    [ -f "$profile" ] || { echo 'make coverage first' >&2 && exit 1; }
    cov export -format=lcov | missed_lines "$MISSED"
    exit
fi
execute_tests "$@"
status=$?
cov export -format=lcov | by_part
exit $status
