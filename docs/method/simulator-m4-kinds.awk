# Where the cycles of CoreMark go, by kinds of instructions, of one iteration of four:
#   awk -v flags=TEXT -f simulator-m4-kinds.awk WHOLE BY-ADDRESS OBJDUMP
# BY-ADDRESS is what the plugin's cycles=FILE says: to an address belong the cycles from the issue of the instruction before to its own. So what an
# instruction takes beyond its first cycle stands at the one after it. Where branches lead, it is the branch's, less a cycle for each load
# that stands before.
function kind_of(m) {
    if (m ~ /^it/) return "if-then"
    if (m ~ /^(b|b\.[nw]|b(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)(\.[nw])?|cbn?z|tb[bh])$/) return "branches"
    if (m ~ /^(bl|blx|bx)$/) return "calls and returns"
    if (m ~ /^(pop|ldm|ldrd)/) return "several loads"
    if (m ~ /^(push|stm|strd)/) return "several stores"
    if (m ~ /^ldr/) return "loads"
    if (m ~ /^str/) return "stores"
    if (m ~ /^(mul|mla|mls|[su]mu?l)/) return "products"
    if (m ~ /^[su]div/) return "divisions"
    return "others of one cycle"
}
FILENAME == ARGV[1] { cycles = $2 / 4; instructions = $3 / 4; next }
FILENAME == ARGV[2] { if ($5 == "coremark") { executions[$1] += $2 / 4; spent[$1] += $3 / 4 }; next }
$1 ~ /^[0-9a-f]+:$/ {
    at = $1
    sub(/:/, "", at)
    address = at
    order[++n] = at
    for (i = 2; i <= NF && $i ~ /^[0-9a-f][0-9a-f][0-9a-f][0-9a-f]([0-9a-f][0-9a-f][0-9a-f][0-9a-f])?$/; i++) continue
    mnemonic[at] = $i
    kind[at] = kind_of($i)
    if (kind[at] == "branches" || kind[at] == "calls and returns") {
        for (k = i + 1; k <= NF; k++) if ($k ~ /^[0-9a-f]+$/ && $(k + 1) ~ /^</) target[$k] = 1
    }
}
END {
    for (i = 1; i <= n; i++) {
        at = order[i]
        if (!(at in executions)) continue
        found += executions[at]
        times[kind[at]] += executions[at]
        more = spent[at] - executions[at]
        before = i > 1 ? order[i - 1] : ""
        if (kind[at] == "if-then" && more < 0) { beyond["if-then"] += more; continue }
        led = !(before in executions) || kind[before] == "branches" || kind[before] == "calls and returns" || at in target
        if (!led) { beyond[kind[before]] += more; continue }
        if (before in executions && kind[before] == "loads") {
            own = executions[before] < more ? executions[before] : more
            beyond["loads"] += own
            more -= own
        }
        beyond["branches"] += more
    }
    printf "%s: %.0f cycles, %.0f instructions an iteration\n", flags, cycles, instructions
    print "| kind | executed | cycles beyond the first | share of all cycles |"
    print "|---|--:|--:|--:|"
    k = split("others of one cycle|products|divisions|if-then|loads|several loads|stores|several stores|branches|calls and returns", names, "|")
    for (i = 1; i <= k; i++) {
        printf "| %s | %.0f | %.0f | %.1f %% |\n", names[i], times[names[i]], beyond[names[i]], 100 * (times[names[i]] + beyond[names[i]]) / cycles
        all += times[names[i]] + beyond[names[i]]
    }
    printf "| all | %.0f | %.0f | %.1f %% |\n", found, all - found, 100 * all / cycles
}
