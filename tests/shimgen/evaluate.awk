# evaluate.awk - the sums of counts and values that docs/method/estimating.md defines, from the files alone: nothing here
# is shimgen's. Values are read from the lines of a SHIM 1.0 file that has one element on each, counts from irprof's table.
#
#   irprof table PROFILE | awk -v core=NAME -v method=sum|operand -f evaluate.awk FILE.shim.xml -
#
# prints for each row: program, region, core, instructions, cycles, best, worst, seconds. Every executed instruction must
# have a value, but for functions of the C library, of which the call is what is known.
function value(line, name)
{
    if (!match(line, " " name "=\"[^\"]*\""))
        return ""
    return substr(line, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
}
function take(line, what, which)
{
    cost[instruction, what, "best"] = value(line, "best") + 0
    cost[instruction, what, "typical"] = value(line, "typical") + 0
    cost[instruction, what, "worst"] = value(line, "worst") + 0
    known[instruction] = 1
}
# Costs of counts are under fitted. where the plain names have times.
function cost_of(name)
{
    return ("fitted." name) in known ? "fitted." name : name
}
# The instruction of a column "fadd.v2f64_d"; sets waits: an operand is the result of the instruction before.
function instruction_of(column, parts)
{
    waits = sub(/_d$/, "", column)
    if (column ~ /^call\.library\./)
        return cost_of(cost_of(column) in known ? column : "call")
    split(column, parts, ".")
    return cost_of(parts[1])
}
FNR == 1 { file++ }
file == 1 && /<MasterComponent / { here = value($0, "name") == core }
file == 1 && here && /<Instruction / { instruction = value($0, "name") }
file == 1 && here && /<Pitch / { take($0, "Pitch") }
file == 1 && here && /<Latency / { take($0, "Latency") }
file == 1 && here && /<ClockFrequency / { clock = value($0, "clockValue") + 0 }
file == 1 { next }
FNR == 1 {
    n = split($0, columns, ",")
    next
}
{
    split($0, field, ",")
    sum["best"] = sum["typical"] = sum["worst"] = instructions = 0
    for (i = 3; i <= n; i++) {
        instruction = instruction_of(columns[i])
        if (!(instruction in known)) {
            print "no value of " columns[i] " on core " core
            exit 1
        }
        instructions += field[i]
        for (w in sum)
            sum[w] += field[i] * cost[instruction, method == "sum" || waits ? "Latency" : "Pitch", w]
    }
    printf "%s %s %s %d %.9f %.9f %.9f %.12g\n", field[1], field[2], core, instructions, sum["typical"], sum["best"], sum["worst"],
        sum["typical"] / clock
}
