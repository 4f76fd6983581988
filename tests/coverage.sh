#!/usr/bin/env bash
# coverage.sh TEST... - runs tests with programs that count what of them is executed, and prints the share of lines and
# branches, by folder, and by part of tests/mutate/parts beside its score there. `make coverage` calls it. With
# MISSED="SOURCE..." it prints instead which lines of these none of the tests of the last run executed, with
# FUNCTIONS="SOURCE..." which functions, but for those in tests/unexecuted; both run nothing. With ADD=yes what earlier runs
# counted stays, and what these tests execute is added.
# What the tests' own programs are made of is not counted; of the measuring runtime counts what programs execute whose counters lie.
set -u
shopt -s nullglob
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
raw=$BUILD/raw
profile=$BUILD/tests.profdata

# Every process counts; those of one program add up in one file. One that dies of a signal loses what it counted.
execute_tests() {
    local status own=$raw/$EPOCHREALTIME # of this run: a program that was linked anew cannot add to its old file
    [ -n "${ADD-}" ] || rm -rf "$raw"
    mkdir -p "$own"
    LLVM_PROFILE_FILE=$own/%m.profraw tests/run "$@"
    status=$?
    "$LLVM_BIN/llvm-profdata" merge -o "$profile" "$raw"/*/*.profraw || exit 1
    return $status
}

cov() { # WHAT ARGUMENT...
    local f objects=()
    for f in "$BUILD"/bin/* "$BUILD"/tests/unit/*/test_* "$BUILD"/tests/unit/*/*/test_* "$BUILD"/tests/fake/shimgen-*; do
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

# The same for the parts of tests/mutate/parts, and the first score that tests/README.md has of each: its last sample.
by_tested_part() {
    BUILD=${BUILD%/coverage} tests/mutate/mutate --sources >"$BUILD/tested.parts" || return 1
    awk -v top="$PWD/" '
        function share(hit, all) { return all ? sprintf("%.1f %%", 100 * hit / all) : "-" }
        FILENAME == parts { split($0, f, "\t"); part_of[f[2]] = f[1]; if (!(f[1] in seen)) { seen[f[1]] = 1; order[++k] = f[1] }; next }
        FILENAME == scores { if (split($0, f, / *\| */) == 9 && f[2] ~ /^`.*`$/ && f[8] ~ / %$/) { gsub(/`/, "", f[2])
                             if (!(f[2] in score)) score[f[2]] = f[8] " of " f[5] }; next }
        /^SF:/ { file = substr($0, 4); if (index(file, top) == 1) file = substr(file, length(top) + 1); part = part_of[file] }
        /^(LF|LH|BRF|BRH):/ { split($0, f, ":"); n[part, f[1]] += f[2] }
        END { printf "%-18s %8s %9s  %s\n", "part", "lines", "branches", "last score of make mutate (tests/README.md)"
              for (i = 1; i <= k; i++) { p = order[i]
                  printf "%-18s %8s %9s  %s\n", p, share(n[p, "LH"], n[p, "LF"]), share(n[p, "BRH"], n[p, "BRF"]), p in score ? score[p] : "-" } }' \
        parts="$BUILD/tested.parts" scores=tests/README.md "$BUILD/tested.parts" tests/README.md -
}

# Functions that no test executed, SOURCE:LINE: FUNCTION, but for those that tests/unexecuted gives a reason for. A function of a
# header is in the records once for each source that includes it.
missed_functions() {
    awk -v top="$PWD/" -v wanted="$1" '
        function tell(i, name) {
            for (i = 1; i <= n; i++) {
                name = file ": " order[i]
                if (name in reason) { if (count[order[i]]) stale[++s] = name; else listed++ }
                else if (!count[order[i]]) { print file ":" line[order[i]] ": " order[i]; missed++ }
            }
            n = 0; split("", line); split("", count)
        }
        BEGIN { k = split(wanted, list, " "); for (i = 1; i <= k; i++) want[list[i]] = 1 }
        FILENAME == known { if (!/^[# \t]/ && NF) reason[$0] = 1; next }
        /^SF:/ { tell(); file = substr($0, 4); if (index(file, top) == 1) file = substr(file, length(top) + 1)
                 part = file; sub(/\/[^\/]*$/, "", part); on = wanted == "all" || file in want || part in want }
        on && /^FN:/ { split(substr($0, 4), f, ","); sub(/^.*:/, "", f[2]); if (!(f[2] in line)) order[++n] = f[2]; line[f[2]] = f[1] }
        on && /^FNDA:/ { split(substr($0, 6), f, ","); sub(/^.*:/, "", f[2]); count[f[2]] += f[1] }
        END {
            tell()
            for (i = 1; i <= s; i++) print "tests/unexecuted has a reason, but it was executed: " stale[i]
            print missed + 0 " functions that no test executed, and " listed + 0 " with a reason in tests/unexecuted" }' \
        known=tests/unexecuted tests/unexecuted -
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

if [ -n "${MISSED-}${FUNCTIONS-}" ]; then
    [ -f "$profile" ] || { echo 'make coverage first' >&2 && exit 1; }
    cov export -format=lcov >"$BUILD/coverage.lcov" || exit 1
    if [ -n "${MISSED-}" ]; then missed_lines "$MISSED" <"$BUILD/coverage.lcov"; fi
    if [ -n "${FUNCTIONS-}" ]; then missed_functions "$FUNCTIONS" <"$BUILD/coverage.lcov"; fi
    exit
fi
execute_tests "$@"
status=$?
cov export -format=lcov >"$BUILD/coverage.lcov" || exit 1
by_part <"$BUILD/coverage.lcov"
echo
by_tested_part <"$BUILD/coverage.lcov"
echo
missed_functions all <"$BUILD/coverage.lcov" | tail -n 1
exit $status
