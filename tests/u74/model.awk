# What the file of a simulated core (docs/formats/iss-model.md) says of each class of instructions, in the columns of tests/a53/rows.csv:
#   awk -f model.awk sifive-u74.ini
# "CLASS > NEED": the result of one is needed so by the next. Latency: the class's and the need's. Throughput: of its units, and of the core.
function clean(text) { sub(/^[ \t]+/, "", text); sub(/[ \t]+$/, "", text); return text }
function take_over(class, other,    k, part) {
    for (k in value) {
        split(k, part, SUBSEP)
        if (part[1] == other) copied[class, part[2]] = value[k]
    }
    for (k in copied) value[k] = copied[k]
    delete copied
}
function of(class, key, otherwise) { return (class, key) in value ? value[class, key] : otherwise }
function cycles_apart(class,    unit, apart) {
    unit = of(class, "unit", "none")
    apart = unit == "none" ? 0 : of(class, "busy", 1) * of(class, "take", 1) / of("units", unit, 1)
    return apart > 1 / of("issue", "width", 1) ? apart : 1 / of("issue", "width", 1)
}
function row(name, latency, apart) { printf "%s,%s,%.6f,%.6f\n", "model", name, latency, 1 / apart }
/^[ \t]*;/ { next }
/^\[/ { section = clean($0); gsub(/[][]/, "", section); sections[section] = 1
        if (section ~ /\.32$/) take_over(section, substr(section, 1, length(section) - 3)); next }
/=/ {
    key = clean(substr($0, 1, index($0, "=") - 1))
    text = clean(substr($0, index($0, "=") + 1))
    if (key == "like") take_over(section, text)
    else value[section, key] = text
}
END {
    n = split("operand shifted address data multiply accumulate flags condition target fp fp_accumulate fp_data", needs, " ")
    for (s in sections) {
        if (!((s, "latency") in value) || s ~ /^l[12]/) continue
        for (i = 1; i <= n; i++) row(s " > " needs[i], of(s, "latency", 1) + of("need", needs[i], 0), cycles_apart(s))
    }
    # a load waits for the store before it, whose data may come so much later than its address
    for (i = 1; i <= n; i++) row("forward > " needs[i], of("data", "forward", 0) + of("need", needs[i], 0), cycles_apart("store"))
    row("taken branch", of("fetch", "taken", 0), 1)
    row("return", of("fetch", "return", 0), 1)
}
