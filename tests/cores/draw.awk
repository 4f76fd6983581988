# draw.awk - the file of a core drawn at random (docs/formats/iss-model.md), within what cores in order have:
#   awk -v seed=20260419 -v architecture=aarch64 -f draw.awk >core.ini        or architecture=riscv64
# The same seed draws the same core everywhere. board.sh puts a board around it.
#
# Drawn: the clock, width and fetch, units and which classes share one (so which go together in a cycle), each class's latency and how long
# it holds its unit, what an operand may be late by, the three caches, memory, prefetcher, TLB and predictor.
function next_random() { state = state * 48271 % 2147483647; return state / 2147483647 }
function between(low, high) { return low + int(next_random() * (high - low + 1)) }
function one_of(words,    word, n) { n = split(words, word, " "); return word[between(1, n)] }
function section(name) { printf "\n[%s]\n", name }
function put(key, value) { printf "%s = %s\n", key, value }
function class(name, latency, unit, busy) {
    section(name)
    put("latency", latency)
    put("unit", unit)
    if (busy > 1) put("busy", busy)
}
function like(names, other,    name, n, i) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) {
        section(name[i])
        put("like", other)
    }
}
# twice the width: both units at once, or one for twice as long
function wide(name, other, busy) {
    like(name, other)
    if (fp_units > 1) put("take", 2)
    else put("busy", 2 * busy)
}
function cache(name, sizes, ways, latency, pitch) {
    section(name)
    put("size", one_of(sizes))
    put("ways", one_of(ways))
    put("line", line)
    put("replacement", one_of("lru fifo random plru"))
    put("latency", latency)
    put("pitch", pitch)
}
function front(    taken) {
    section("model")
    put("name", "drawn-" seed)
    put("architecture", architecture)
    put("clock_hz", between(6, 24) * 100000000)
    width = between(1, 3)
    section("issue")
    put("width", width)
    put("write_back", 1)
    section("fetch")
    put("bytes", width > 2 ? 16 : one_of("8 16"))
    put("queue", between(6, 16))
    taken = between(1, 3)
    put("taken", taken)
    put("same_taken", between(1, taken))
    put("jump_register", taken + between(0, 2))
    put("call_register", taken + between(0, 3))
    put("return", taken + between(0, 2))
    put("mispredicted", between(4, 16))
    put("next_line", 0)
}
function predictor(    bits, scheme) {
    bits = between(9, 14)
    scheme = one_of("bimodal gshare gshare")
    section("predictor")
    put("scheme", scheme)
    put("entries", 2 ^ bits)
    put("history", scheme == "bimodal" ? 0 : between(4, bits))
    put("address", between(scheme == "bimodal" ? 9 : 0, 20))
    put("unseen", one_of("not_taken taken backwards"))
    put("targets", one_of("16 32 64 256"))
    put("returns", between(4, 16))
}
function memory(    far) {
    line = one_of("32 64 64")
    cache("l1i", "16K 32K 64K", "2 4 8", between(4, 20), 1)
    cache("l1d", "16K 32K 64K", "2 4 8", 0, 1)
    far = between(8, 22)
    cache("l2", "256K 512K 1M 2M", "8 16", far, between(2, far))
    section("memory")
    far = between(60, 160)
    put("latency_ns", far)
    put("pitch_ns", between(8, int(far / 3)))
    section("data")
    put("outstanding", between(1, 6))
    put("granule", one_of("8 16"))
    put("load_split", between(1, 4))
    put("load_split_most", 9)
    put("load_split_busy", between(1, 2))
    put("store_split_busy", between(1, 2))
    forward = between(2, 6)
    put("forward", forward)
    put("forward_wide", forward + between(0, 2))
    put("forward_split", between(0, 2))
    put("store_buffer", between(2, 8))
    put("streams", between(0, 8))
    put("trigger", between(1, 4))
    put("ahead", between(1, 6))
    put("stride", between(1, 4))
    put("no_allocate", one_of("0 0 4 8"))
    section("tlb")
    put("micro", one_of("8 10 16 32 64"))
    put("micro_miss", between(1, 16))
    put("ways", one_of("1 2 4"))
    put("entries", one_of("256 512 1024"))
    put("walk", between(4, 30))
}
function units() {
    alus = width > 1 ? between(1, width) : 1
    memories = width > 2 ? between(1, 2) : 1
    fp_units = width > 1 ? between(1, 2) : 1
    # classes that share a unit do not go together
    multiplier = one_of("multiply multiply branch alu")
    section("units")
    put("alu", alus)
    put("memory", memories)
    put("multiply", 1)
    put("divide", 1)
    put("fp", fp_units)
    put("fp_divide", 1)
    put("branch", 1)
    put("flags", between(1, alus))
    section("need")
    put("shifted", between(0, 1))
    put("address", between(0, 2))
    put("data", -between(0, 2))
    put("multiply", between(0, 1))
    put("accumulate", 0)
    put("flags", 0)
    put("condition", -between(0, 1))
    put("target", 0)
    put("fp", 0)
    put("fp_accumulate", -between(0, 2))
    put("fp_data", -between(0, 1))
}
function integers(    product, busy, i, names, n) {
    class("alu", between(1, 2), "alu")
    like("move_imm alu_shifted alu_carry shift shift_reg bits crc select", "alu")
    like("compare", "alu")
    put("second_unit", "flags")
    like("compare_shifted compare_if", "compare")
    like("nop", "alu")
    put("unit", "none")
    product = between(2, 5)
    busy = between(1, 2)
    class("mul32", product, multiplier, busy)
    like("madd32 msub32 mul_wide", "mul32")
    class("mul64", product + between(0, 2), multiplier, busy + between(0, 2))
    like("madd64 msub64 mneg64", "mul64")
    class("mul_high", product + 2 + between(0, 2), multiplier, busy + between(0, 2))
    n = split("sdiv32 sdiv64", names, " ")
    product = between(3, 8)
    busy = one_of("1 2 4")
    for (i = 1; i <= n; i++) {
        class(names[i], between(10, 20), "divide", between(4, 12))
        put("divide_base", product)
        put("divide_bits", busy)
        put("divide_max", product + 32 * i / busy)
    }
    like("udiv32", "sdiv32")
    like("udiv64", "sdiv64")
}
function accesses(    load, wider) {
    load = between(2, 4)
    class("load", load, "memory")
    like("load_literal load_word load_exclusive", "load")
    class("load_small", load + between(0, 1), "memory")
    like("load_small_reg", "load_small")
    like("load_pair", "load")
    wider = between(1, 2)
    put("latency2", load + wider - 1)
    put("busy", wider)
    like("load_pair_word", "load_pair")
    class("store", 1, "memory")
    like("store_pair", "store")
    class("store_exclusive", between(1, 3), "memory")
    class("atomic", load + between(0, 2), "memory", 2)
    class("prefetch", 1, "memory")
    class("fp_load", load + between(0, 1), "memory")
    like("fp_load_128", "fp_load")
    put("busy", wider)
    like("fp_load_pair", "fp_load")
    put("busy", 2)
    like("fp_load_pair_128", "fp_load")
    put("busy", 2 * wider)
    like("fp_load_many", "fp_load")
    put("repeat", 1)
    like("fp_store", "store")
    like("fp_store_128 fp_store_pair", "fp_store")
    put("busy", wider)
    like("fp_store_pair_128", "fp_store")
    put("busy", 2 * wider)
    like("fp_store_many", "fp_store")
    put("repeat", 1)
}
function floating(    add, busy, long, i) {
    add = between(2, 6)
    busy = one_of("1 1 1 2")
    class("fp_add", add, "fp", busy)
    class("fp_mul", add + between(0, 2), "fp", busy)
    class("fp_fma", add + between(1, 4), "fp", busy)
    class("fp_move", between(1, 3), "fp")
    class("fp_select", between(1, 3), "fp")
    class("fp_compare", between(1, 4), "fp")
    class("fp_convert", between(2, 6), "fp", busy)
    class("fp_convert_from_int", between(2, 6), "fp", busy)
    class("fp_convert_to_int", between(2, 6), "fp", busy)
    class("fp_from_int", between(1, 4), "fp")
    class("fp_to_int", between(1, 4), "fp")
    like("fp_lane_from_int", "fp_from_int")
    like("fp_lane_to_int", "fp_to_int")
    for (i = 1; i <= 2; i++) {
        long = between(8, 16) * i
        class(i == 1 ? "fp_div32" : "fp_div64", long, "fp_divide", long - between(0, 3))
        like(i == 1 ? "fp_sqrt32" : "fp_sqrt64", i == 1 ? "fp_div32" : "fp_div64")
    }
    class("simd_logic_64", between(1, 2), "fp")
    wide("simd_logic_128", "simd_logic_64", 1)
    class("simd_64", between(1, 3), "fp")
    wide("simd_128", "simd_64", 1)
    class("simd_mul_64", add, "fp", busy)
    wide("simd_mul_128", "simd_mul_64", busy)
    class("simd_fp_64", add, "fp", busy)
    wide("simd_fp_128", "simd_fp_64", busy)
    class("simd_fma_64", add + between(1, 4), "fp", busy)
    wide("simd_fma_128", "simd_fma_64", busy)
    like("simd_div", "fp_div64")
    class("crypto", between(2, 4), "fp")
}
function the_rest() {
    class("branch", 1, "branch")
    like("branch_if branch_zero branch_reg call call_reg return", "branch")
    class("barrier", 1, "none")
    put("issue", "alone")
    put("drains", 1)
    class("system", between(4, 14), "none")
    put("issue", "alone")
    class("unknown", between(2, 4), "alu")
}
BEGIN {
    if (seed !~ /^[0-9]+$/ || length(seed) > 8 || (architecture != "aarch64" && architecture != "riscv64")) {
        print "draw.awk: say -v seed=12345678 -v architecture=aarch64 (or riscv64)" > "/dev/stderr"
        exit 2
    }
    state = seed * 2 + (architecture == "riscv64" ? 2 : 1)
    for (i = 0; i < 20; i++) next_random()
    print "; Drawn at random by draw.awk: seed " seed ". No core that exists."
    front()
    predictor()
    memory()
    units()
    integers()
    accesses()
    floating()
    the_rest()
}
