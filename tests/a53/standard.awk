# The instructions of a SHIM file beside what a real core takes: a Markdown table, and at the end how many agree.
#   shim-xml export --format latency-csv FILE | awk [-v least=95] [-v core=NAME] -f standard.awk rows.csv standard.txt -
# core: what the column of rows.csv is called, where it is not of a real core (tests/u74).
# least: fails when fewer per cent are within 15 % or 0.25 cycles, when an instruction that makes code has a Pitch of 0, or when fewer than
# 50 values have a counterpart.
function fields(line,    n, out, quoted, c, i) {
    n = 1; out = ""; quoted = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { f[n++] = out; out = "" }
        else out = out c
    }
    f[n] = out
    return n
}
function off(a, b) { return a > b ? a - b : b - a }
function published(rows, quantity,    n, part, i, value, sum) {
    n = split(rows, part, / [+] /)
    for (i = 1; i <= n; i++) {
        if (!(part[i] in latency)) { print "no row '" part[i] "'" > "/dev/stderr"; wrong = 1; exit 1 }
        value = quantity == "latency" ? latency[part[i]] : throughput[part[i]]
        sum += quantity == "latency" ? value : 1 / value
    }
    return sum
}
function written(names, quantity,    n, part, i, key, sum) {
    n = split(names, part, / [+] /)
    for (i = 1; i <= n; i++) {
        key = part[i] (quantity == "latency" ? "_d" : "")
        if (!(key in typical)) { print "the file has no '" key "'" > "/dev/stderr"; wrong = 1; exit 1 }
        sum += typical[key]
    }
    return sum
}
FILENAME ~ /rows\.csv$/ {
    fields($0)
    name = f[2] in seen ? f[2] " [2]" : f[2]
    seen[f[2]] = 1
    latency[name] = f[3]; throughput[name] = f[4]
    next
}
FILENAME ~ /\.txt$/ {
    if (/^#/ || !NF) next
    split($0, p, / \| /)
    names[++pairs] = p[1]; quantities[pairs] = p[2]; rows[pairs] = p[3]
    next
}
/^#/ { next }
{
    n = split($0, p, ",")
    typical[p[1]] = p[4]
    plain = p[1]
    sub(/_d$/, "", plain)
    if (plain == p[1] && p[1] !~ /[.:]/) pitch[p[1]] = p[4]
    else if (plain != p[1] && plain !~ /[.:]/) result[plain] = p[4]
}
END {
    if (wrong) exit 1
    print "| instruction | | file | " (core ? core : "real core") " | difference | | " (core ? "its" : "measured as") " |"
    print "|---|---|--:|--:|--:|---|---|"
    for (i = 1; i <= pairs; i++) {
        real = published(rows[i], quantities[i])
        mine = written(names[i], quantities[i])
        good = off(mine, real) <= 0.25 || off(mine, real) <= 0.15 * real
        agree += good
        printf "| %s | %s | %.2f | %.2f | %+.2f | %s | %s |\n", names[i], quantities[i], mine, real, mine - real, good ? "" : "off", rows[i]
    }
    for (name in pitch)
        if (pitch[name] == 0 && result[name] > 0.05) { free = free " " name; zeros++ }
    printf "%d of %d within 15 %% or 0.25 cycles (%.1f %%); Pitch 0 with a Latency:%s\n", agree, pairs, 100 * agree / pairs, zeros ? free : " none"
    if (least && (100 * agree < least * pairs || pairs < 50 || zeros)) exit 1
}
