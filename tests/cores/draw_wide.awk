# draw_wide.awk - the file of an x86-64 core drawn at random that issues out of order (docs/formats/iss-model.md):
#   awk -v seed=20260419 -f draw_wide.awk >core.ini
# The same seed draws the same core everywhere. Drawn: width, window, ports and who shares them, latencies, what branches and
# forwarded values cost. With -v several=1 about half of the kinds that are several operations on some cores are so: stores of an address
# and data, halves of a vector, conversions, shifts, wide products, divisions.
function next_random() { state = state * 48271 % 2147483647; return state / 2147483647 }
function between(low, high) { return low + int(next_random() * (high - low + 1)) }
function section(name) { printf "\n[%s]\n", name }
function put(key, value) { printf "%s = %s\n", key, value }
# n of the ports from `first` to `last`, in order
function some(first, last, n,    i, left, text) {
    for (i = first; i <= last; i++) {
        left = last - i + 1
        if (next_random() * left < n) { text = text " " i; n-- }
    }
    return substr(text, 2)
}
function class(names, latency, ports,    name, n, i) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) {
        section(name[i])
        put("latency", latency)
        if (ports != "") put("ports", ports)
        if (slots > 1) put("slots", slots)
    }
}
# One of both: what is one operation, and what is `slots` slots.
function either(names, latency, one, others, n) {
    if (several && next_random() < 0.5) { slots = n; class(names, latency, others); slots = 1 }
    else class(names, latency, one)
}
BEGIN {
    state = seed * 7919 % 2147483647 + 1
    for (i = 0; i < 20; i++) next_random()
    alu = between(3, 5); memory = between(2, 3); fp = between(2, 4)
    first_memory = alu; last_memory = alu + memory - 1; first_fp = alu + memory; last_fp = first_fp + fp - 1
    print "[model]\nname = drawn " seed "\narchitecture = x86_64\nclock_hz = unknown\n[issue]"
    put("width", between(alu + 1, 8)); put("write_back", 0)
    section("fetch")
    n = split("bytes queue same_taken next_line", key, " ")
    for (i = 1; i <= n; i++) put(key[i], "unknown")
    put("taken", between(0, 2)); put("return", between(0, 4)); put("jump_register", between(0, 4)); put("call_register", between(0, 4))
    put("mispredicted", between(8, 20))
    n = split("predictor scheme entries history address unseen targets returns,l1i size ways line replacement latency pitch,l1d size ways line replacement latency pitch,l2 size ways line replacement latency pitch,memory latency_ns pitch_ns,data outstanding granule load_split load_split_most load_split_busy store_split_busy forward forward_wide forward_split store_buffer streams trigger ahead stride no_allocate,tlb micro micro_miss entries ways walk", group, ",")
    for (g = 1; g <= n; g++) {
        m = split(group[g], key, " ")
        section(key[1])
        for (i = 2; i <= m; i++) put(key[i], "unknown")
    }
    section("window")
    put("reorder", 32 * between(5, 14)); put("scheduler", 8 * between(6, 16)); put("loads", 8 * between(6, 16)); put("stores", 8 * between(4, 10))
    put("retire", "unknown"); put("fuses", between(0, 1)); put("forward", between(0, 5))
    print "\n[units]\n[need]"
    all = some(0, alu - 1, alu); branch = some(0, alu - 1, between(1, 2)); multiply = some(0, alu - 1, 1)
    load = some(first_memory, last_memory, between(2, memory)); store = some(first_memory, last_memory, between(1, 2))
    vector = some(first_fp, last_fp, fp); add = some(first_fp, last_fp, between(1, 2)); mul = some(first_fp, last_fp, between(1, 2)); one = some(first_fp, last_fp, 1)
    class("alu move_imm bits compare", 1, all); class("alu_carry", 1, all); class("select", 1, all)
    class("nop", 1, ""); class("move zero fp_move", 0, "")
    class("alu_shifted", between(1, 2), some(0, alu - 1, 2)); shift = some(0, alu - 1, between(1, 2)); class("shift", 1, shift); either("shift_reg", 1, shift, shift " x2", 2)
    class("crc", 3, multiply); class("mul32 mul64", between(3, 4), multiply); either("mul_wide mul_high", between(4, 5), multiply, multiply ", " all, 2)
    long = between(12, 20); divides = multiply " x" between(5, 9); either("udiv32 sdiv32 udiv64 sdiv64", long, divides, divides ", " all " x2", 2)
    class("load load_word load_small prefetch", between(4, 5), load); data = several ? some(first_memory, last_memory, 1) : ""; either("store", 1, store, load ", " data, 1)
    class("fp_load fp_load_128", between(5, 7), load); either("fp_store fp_store_128", 1, store, store ", " vector, 1)
    long = between(2, 4); class("fp_add", long, add); either("fp_convert", long, add, add ", " one, 2); either("simd_fp_128", long, add, add ", " one " x2", 3); class("fp_mul fp_fma", between(3, 5), mul)
    long = between(2, 3); either("fp_select", long, add, vector " x2", 2); either("fp_compare", long, add, add ", " branch, 2)
    class("fp_div32", between(9, 12), one " x3"); long = between(13, 16); divides = one " x" between(4, 6); either("fp_div64 simd_div", long, divides, divides ", " mul, 1)
    class("fp_sqrt32", between(12, 16), one " x" between(4, 6)); class("fp_sqrt64", between(17, 21), one " x" between(7, 8))
    class("fp_to_int fp_lane_to_int", between(2, 3), one); class("fp_from_int fp_lane_from_int", between(2, 3), one)
    long = between(4, 6); either("fp_convert_to_int", long, one, one ", " add, 2); either("fp_convert_from_int", long, one, all ", " add, 2)
    long = between(1, 2); class("simd_logic_128 simd_shuffle", long, vector); either("simd_128", long, vector, vector " x2", 2); class("simd_mul_128 crypto", between(3, 4), mul)
    class("branch branch_if branch_zero branch_reg call call_reg return", 1, branch)
    print "\n[barrier]\nlatency = 1\ndrains = 1\nassumed = 1\n[unknown]\nlike = alu"
}
