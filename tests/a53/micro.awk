# micro.csv of the simulated board beside what a real Raspberry Pi 3 takes: a Markdown table, and at the end how many agree.
#   awk [-v least=90] [-v all=1] -f micro.awk rows.csv micro.txt micro.csv
# least: fails when fewer per cent agree, or when fewer than 100 rows have a counterpart. all: every row.
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
function pattern(glob,    p) {
    p = glob
    gsub(/[.+()\[\]]/, "\\\\&", p)
    gsub(/\*/, ".*", p)
    return "^" p "$"
}
function off(a, b) { return a > b ? a - b : b - a }
FILENAME ~ /rows\.csv$/ {
    fields($0)
    name = f[2] in seen ? f[2] " [2]" : f[2]
    seen[f[2]] = 1
    latency[name] = f[3]; throughput[name] = f[4]
    next
}
FILENAME ~ /micro\.txt$/ {
    if (/^#/ || !NF) next
    split($0, part, / \| /)
    map_code[++maps] = part[1]; map_key[maps] = pattern(part[2]); map_condition[maps] = pattern(part[3]); map_row[maps] = part[4]
    if (part[4] !~ /^-/ && !(part[4] in latency)) { print "no row '" part[4] "'" > "/dev/stderr"; exit 1 }
    next
}
FNR == 1 {
    n = fields($0)
    for (i = 1; i <= n; i++) col[f[i]] = i
    print "| key | condition | | cycles of a copy | hardware | difference | machine code | row | |"
    print "|---|---|---|--:|--:|--:|---|---|---|"
    next
}
{
    fields($0)
    if (f[col["use"]] == "apart" || f[col["even"]] == "no" || f[col["instructions"]] == 0) next
    code = f[col["code"]]; key = f[col["key"]]; condition = f[col["condition"]]; quantity = f[col["quantity"]]
    if (key ~ /i128|\.v[0-9]/) next
    for (i = 1; i <= maps; i++)
        if (map_code[i] == code && key ~ map_key[i] && condition ~ map_condition[i]) break
    if (i > maps || map_row[i] ~ /^-/) { without++; next }
    row = map_row[i]
    real = quantity == "latency" ? latency[row] : throughput[row]
    if (real == "" || real == "-") { without++; next }
    real = quantity == "pitch" ? 1 / real : real + 0
    copy = f[col["copy"]] + 0
    near = off(copy, real) <= 0.15 * real
    good = near || off(copy, real) <= 0.5
    total++; agree += good; within += near
    if (!all && good && condition !~ /^(chain|stream)(,from-i(8|32)|,to-i32)?$/) next
    printf "| %s | %s | %s | %.2f | %.2f | %+.2f | %s | %s | %s |\n", key, condition, quantity, copy, real, copy - real, code, row,
           good ? "" : "**off**"
}
END {
    if (!total) { print "no row has a counterpart"; exit 1 }
    printf "\n%d of %d agree within 0.5 cycles or 15 %% (%.1f %%), %d within 15 %% alone (%.1f %%); %d others have no counterpart\n",
           agree, total, 100 * agree / total, within, 100 * within / total, without
    exit agree < least / 100 * total || total < 100
}
