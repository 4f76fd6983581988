# compare.awk - rows.csv and what run printed, row by row: awk -f compare.awk FIGURES rows.csv
#   -v all=1     a line for every figure, else only for those that are off
#   -v least=95  exit 1 when fewer than so many per cent of the rows are right
#
# A figure is right within 10 % or 0.25 cycles; a row when all its figures (latency, throughput) are. Throughputs are
# compared as cycles per instruction.

# The name in the line up to `end`, unquoted.
function name_in(text)
{
    sub(/\r$/, "", text)
    if (text ~ /^".*"$/)
        text = substr(text, 2, length(text) - 2)
    return text
}

function distance(x) { return x < 0 ? -x : x }

# Cycles of what a row's "minus" names: "8*sub (imm)", "adc"; several lines for a row: the fastest.
function simulated(name, kind,    value, i, cycles, found, factor, of, what)
{
    found = ""
    for (i = 1; i <= lines[name, kind]; i++) {
        cycles = raw[name, kind, i]
        what = less[name, kind, i]
        if (what != "" && kind == "latency") {
            factor = 1
            of = what
            if (match(what, /^[0-9.]+\*/)) {
                factor = substr(what, 1, RLENGTH - 1)
                of = substr(what, RLENGTH + 1)
            }
            cycles -= factor * simulated(of, "latency")
        }
        if (found == "" || cycles < found)
            found = cycles
    }
    return found
}

function judge(kind, measured,    got, off)
{
    got = simulated(row, kind)
    if (got == "") {
        printf "compare.awk: %s: no simulated %s\n", row, kind > "/dev/stderr"
        failed = 1
        exit 1
    }
    off = distance(got - measured) > 0.25 && distance(got - measured) > 0.1 * measured
    figures++
    figures_off += off
    row_off += off
    if (all || off)
        printf "| %s | %s | %.2f | %.2f | %+.2f | %s |\n", row, kind, measured, got, got - measured, off ? "off" : "ok"
}

FNR == 1 { file++ }
file == 1 { # FIGURES
    if (!match($0, /,(latency|throughput),/))
        next
    row = name_in(substr($0, 1, RSTART - 1))
    kind = substr($0, RSTART + 1, RLENGTH - 2)
    rest = substr($0, RSTART + RLENGTH)
    i = ++lines[row, kind]
    raw[row, kind, i] = rest + 0
    sub(/^[^,]*,/, "", rest)
    less[row, kind, i] = rest
    next
}
FNR == 1 {
    print "| row | | measured | simulated | difference | |\n|---|---|--:|--:|--:|---|"
    next
}
{
    match($0, /,[^,]*,[^,]*$/)
    split(substr($0, RSTART + 1), value, ",")
    row = substr($0, 1, RSTART - 1)
    match(row, /^("[^"]*"|[^,]*),/)
    section = name_in(substr(row, 1, RLENGTH - 1))
    row = name_in(substr(row, RLENGTH + 1))
    row_off = 0
    if (value[1] != "")
        judge("latency", value[1])
    if (value[2] != "")
        judge("throughput", 1 / value[2])
    if (!(section in rows))
        order[++sections] = section
    rows[section]++
    right[section] += !row_off
    total++
    total_right += !row_off
}
END {
    if (failed)
        exit 1
    print "\n| section | rows | right |\n|---|--:|--:|"
    for (i = 1; i <= sections; i++)
        printf "| %s | %d | %d |\n", order[i], rows[order[i]], right[order[i]]
    share = 100 * total_right / total
    printf "\n%d of %d rows are right (%.1f %%), %d of %d figures (%.1f %%)\n", total_right, total, share,
           figures - figures_off, figures, 100 * (figures - figures_off) / figures
    exit least != "" && share < least
}
