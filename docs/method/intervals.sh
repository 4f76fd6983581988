#!/bin/sh
# intervals.sh SCHEDULE.json [DOMAINS.csv] - what the 90 % intervals of `schedule` hold of training programs whose errors have no part in
# them: by kind of code and length, with short runs apart and with one interval for all lengths. The file is that of
# `shimgen build`, or of `shimgen tune out/BOARD -o FILE --json SCHEDULE.json`.
#
# Each row is judged by the quantiles of the left-out errors of the other programs (regress/validate/conformal.c), with the
# misses and mispredictions of the profiles. Short: an estimate below 3,000 cycles; apart where there are 19 other
# programs on either side. "That is": the binomial 95 % interval (Clopper and Pearson). With the build's domains.csv all
# programs of a row's own domain have no part in its interval, and each domain counts once instead of each program.
set -eu
if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -r "$1" ] || [ ! -r "${2:-$1}" ]; then
    echo "usage: intervals.sh SCHEDULE.json [DOMAINS.csv]" >&2
    exit 2
fi
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
# program, optimised, measured, left_out of the training rows
tr -d '\n' <"$1" | sed 's/.*"rows": \[//; s/}/\n/g' | grep '"left_out"' | grep '"role": "train"' |
    sed 's/.*"program": "\([^"@]*\)@[^"]*".*"optimised": \([a-z]*\),.*"measured": \([^, ]*\),.*"left_out": \([^, ]*\),.*/\1 \2 \3 \4/' >"$WORK/rows"
if [ $# = 2 ]; then
    # A domain in place of each program; a program without one is by itself.
    awk -F, 'NR == FNR { gsub(/ /, "_", $2); domain[$1] = $2; next }
        { split($0, part, " "); if (part[1] in domain) sub(/^[^ ]*/, domain[part[1]]); print }' "$2" "$WORK/rows" >"$WORK/domains"
    mv "$WORK/domains" "$WORK/rows"
fi
[ -s "$WORK/rows" ] || { echo "intervals.sh: $1 has no training rows" >&2; exit 1; }
awk '
    function at_least(k, n, p,    i, sum) { # the probability of k or more of n
        for (i = k; i <= n; i++)
            sum += exp(lchoose[n, i] + (p > 0 ? i * log(p) : i ? -1e9 : 0) + (p < 1 ? (n - i) * log(1 - p) : n > i ? -1e9 : 0))
        return sum
    }
    function prepare(n,    i) {
        lchoose[n, 0] = 0
        for (i = 1; i <= n; i++) lchoose[n, i] = lchoose[n, i - 1] + log((n - i + 1) / i)
    }
    function limit(k, n, upper,    low, high, p, i) {
        if (upper ? k == n : k == 0) return upper
        low = 0; high = 1
        for (i = 0; i < 50; i++) {
            p = (low + high) / 2
            if (upper ? 1 - at_least(k + 1, n, p) > 0.025 : at_least(k, n, p) < 0.025) low = p; else high = p
        }
        return p
    }
    # The interval of the errors of this kind of code and length (0: all, 1: short, 2: long) without a program: first,
    # last. Returns how many programs there are. `sorted` has the rows by their error.
    function interval(code, length_, without,    i, k, programs, weight, sum) {
        delete rows_of; programs = 0
        for (i = 1; i <= n; i++)
            if (optimised[i] == code && program[i] != without && (!length_ || short[i] == (length_ == 1)))
                if (rows_of[program[i]]++ == 0) programs++
        for (k = 0; k < 2; k++) {
            sum = 0; end[k] = ""
            for (i = k ? n : 1; i >= 1 && i <= n; i += k ? -1 : 1) {
                weight = sorted[i]
                if (!(optimised[weight] == code && program[weight] != without && (!length_ || short[weight] == (length_ == 1))))
                    continue
                sum += 1 / (rows_of[program[weight]] * (programs + 1))
                if (end[k] != "" && sum > 0.05 + 1e-12) break
                end[k] = error[weight]
            }
        }
        return programs
    }
    function note(group, held, width) { all_of[group]++; held_of[group] += held; widths[group, all_of[group]] = width }
    function median(group,    i, k, t, m) {
        m = all_of[group]
        for (i = 2; i <= m; i++)
            for (k = i; k > 1 && widths[group, k - 1] > widths[group, k]; k--) { t = widths[group, k]; widths[group, k] = widths[group, k - 1]; widths[group, k - 1] = t }
        return widths[group, int((m + 2) / 2)]
    }
    function print_group(name,    a, b, g) {
        if (!all_of["apart" name]) return
        printf "| %s |", name
        for (g = 0; g < 2; g++) {
            a = (g ? "one" : "apart") name; prepare(all_of[a])
            printf " %d of %d | %.1f %% | %.1f to %.1f | %.2f |", held_of[a], all_of[a], 100 * held_of[a] / all_of[a], 100 * limit(held_of[a], all_of[a], 0), 100 * limit(held_of[a], all_of[a], 1), median(a)
        }
        print ""
    }
    { n++; program[n] = $1; optimised[n] = $2 == "true"; error[n] = $4 / $3 - 1; short[n] = $4 < 3000; brief[n] = $3 < 3000; sorted[n] = n }
    END {
        for (i = 2; i <= n; i++)
            for (k = i; k > 1 && error[sorted[k - 1]] > error[sorted[k]]; k--) { t = sorted[k]; sorted[k] = sorted[k - 1]; sorted[k - 1] = t }
        for (i = 1; i <= n; i++)
            for (rule = 0; rule < 2; rule++) {
                length_ = 0
                if (!rule && interval(optimised[i], 1, program[i]) >= 19 && interval(optimised[i], 2, program[i]) >= 19)
                    length_ = short[i] ? 1 : 2
                interval(optimised[i], length_, program[i])
                held = end[0] <= error[i] && error[i] <= end[1]
                width = (1 + end[1]) / (1 + end[0])
                way = rule ? "one" : "apart"
                code = optimised[i] ? "optimised" : "not optimised"
                note(way "all", held, width); note(way code, held, width)
                note(way code ", " (brief[i] ? "below 3,000 cycles" : "3,000 cycles and more"), held, width)
            }
        print "| training rows | within, short runs apart | | that is | median width, high/low | within, one interval | | that is | median width |"
        print "|---|--:|--:|---|--:|--:|--:|---|--:|"
        print_group("all")
        for (c = 0; c < 2; c++) {
            code = c ? "optimised" : "not optimised"
            print_group(code); print_group(code ", below 3,000 cycles"); print_group(code ", 3,000 cycles and more")
        }
    }' "$WORK/rows"
