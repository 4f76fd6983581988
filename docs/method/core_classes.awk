# core_classes.awk - two models of a core (docs/formats/iss-model.md), class by class, as a table for docs/method/core-llvm.md:
# latency, cycles between two in a stream (busy * take / copies of the unit).
#
#     awk -f docs/method/core_classes.awk FIRST.ini SECOND.ini
function copy(to, from) {
    latency[file, to] = latency[file, from]; busy[file, to] = busy[file, from]
    take[file, to] = take[file, from]; unit[file, to] = unit[file, from]; also[file, to] = also[file, from]
}
function begin(class) {
    order[file, ++n[file]] = class; known[file, class] = 1
    if (class ~ /[.]32$/) { copy(class, substr(class, 1, length(class) - 3)); return }
    latency[file, class] = busy[file, class] = take[file, class] = 1; unit[file, class] = ""
}
function stream(f, class,    copies, cycles, other) {
    copies = units[f, unit[f, class]]
    cycles = copies ? busy[f, class] * take[f, class] / copies : 1 / units[f, "width"]
    copies = units[f, also[f, class]]
    other = copies ? busy[f, class] / copies : 0
    return other > cycles ? other : cycles
}
FNR == 1 { file++; section = "" }
/^ *;/ || /^ *$/ { next }
/^\[/ {
    section = substr($0, 2, index($0, "]") - 2)
    plain = section ~ /^(model|origin|issue|fetch|predictor|l1i|l1d|l2|memory|data|tlb|units|need)$/
    if (!plain) begin(section)
    next
}
{ split($0, part, / *= */) }
section == "issue" && part[1] == "width" { units[file, "width"] = part[2] }
section == "units" { units[file, part[1]] = part[2] }
plain { next }
part[1] == "like" { copy(section, part[2]) }
part[1] == "latency" { latency[file, section] = part[2] }
part[1] == "busy" { busy[file, section] = part[2] }
part[1] == "take" { take[file, section] = part[2] }
part[1] == "second_unit" { also[file, section] = part[2] }
part[1] == "unit" { unit[file, section] = part[2] == "none" ? "" : part[2] }
END {
    print "| class | latency | second | difference | stream | second |\n|---|--:|--:|--:|--:|--:|"
    for (i = 1; i <= n[1]; i++) {
        c = order[1, i]
        if (!known[2, c] || c ~ /^(barrier|system|unknown)$/) continue
        d = latency[1, c] - latency[2, c]
        same += d == 0; all++
        printf "| `%s` | %d | %d | %+d | %.2f | %.2f |\n", c, latency[1, c], latency[2, c], d, stream(1, c), stream(2, c)
    }
    printf "\n%d of %d latencies are equal.\n", same, all
}
