# From `arm-linux-gnueabihf-objdump -d` of Thumb-2 code: what each instruction reads and writes, by its mnemonic and the order of its
# operands, in the words of operands.c. The program counter is none; a double is two registers; of lists that are stored the first
# registers alone are sources. Instructions in IT blocks are left out: their meaning depends on what stands before them.
function name(text) { # x0 ... x14, f0 ... f31, or ""
    gsub(/[ !{}\-]/, "", text)
    sub(/\[.*/, "", text)
    if (text == "sp") return "x13"
    if (text == "lr") return "x14"
    if (text == "ip") return "x12"
    if (text == "fp") return "x11"
    if (text == "sl") return "x10"
    if (text ~ /^r[0-9]+$/) return "x" substr(text, 2)
    if (text ~ /^s[0-9]+$/) return "f" substr(text, 2)
    return text ~ /^d[0-9]+$/ ? "d" substr(text, 2) : ""
}
function number(text) {
    return (text == "flags" ? 900 : substr(text, 1, 1) == "f" ? 100 : 0) + substr(text, 2)
}
function put(list, r,    n, i, parts, out, done) { # a sorted list without doubles
    if (r == "")
        return list
    if (r ~ /^d/) {
        i = substr(r, 2)
        return put(put(list, "f" 2 * i), "f" 2 * i + 1)
    }
    n = split(list, parts, " ")
    for (i = 1; i <= n; i++) {
        if (parts[i] == r)
            return list
        if (!done && number(parts[i]) > number(r)) {
            out = out " " r
            done = 1
        }
        out = out " " parts[i]
    }
    return done ? out : out " " r
}
function add(list, text) {
    return put(list, name(text))
}
function words(text,    parts, n, i, ends, k, kind) { # into l[1 ... nl]
    nl = 0
    gsub(/[ {}^]/, "", text)
    n = split(text, parts, ",")
    for (i = 1; i <= n; i++) {
        if (parts[i] !~ /-/) {
            l[++nl] = parts[i]
            continue
        }
        split(parts[i], ends, "-")
        kind = substr(ends[1], 1, 1)
        if (ends[2] !~ /[0-9]$/ || ends[1] !~ /[0-9]$/) { # r4-sl
            ends[1] = "r" substr(name(ends[1]), 2)
            ends[2] = "r" substr(name(ends[2]), 2)
            kind = "r"
        }
        for (k = substr(ends[1], 2) + 0; k <= substr(ends[2], 2) + 0; k++)
            l[++nl] = kind k
    }
}

/^ *[0-9a-f]+:\t/ {
    split($0, column, "\t")
    address = column[1]
    gsub(/[ :]/, "", address)
    code = column[2]
    sub(/ *$/, "", code)
    m = column[3]
    sub(/ *$/, "", m)
    text = column[4]
    sub(/ *[@;].*/, "", text)
    if (inside > 0) {
        inside--
        next
    }
    if (m ~ /^it[te]*$/) {
        inside = length(m) - 1
        next
    }
    if (code !~ /^[0-9a-f][0-9a-f][0-9a-f][0-9a-f]( [0-9a-f][0-9a-f][0-9a-f][0-9a-f])?$/) # data, the other state
        next
    if (code == "f7ff fffe" || code == "f7ff bffe") # not linked
        next
    if (split(code, half, " ") == 2)
        code = half[2] half[1]
    if (m ~ /^\.|^udf|^bkpt|^$|undefined|^cdp|^mcr|^mrrc|^ldc|^stc|^rrx|^v(ld|st)[1-4]|^hvc|^smc|^w|^f(ld|st)m|^ldf|^stf|^sg$|^tt/ || /UNPREDICTABLE/ || text ~ /(^|[ ,{])(q[0-9]|d(1[6-9]|[23][0-9])|cr[0-9])/ || m ~ /\.(i|u|s)(8|16|32|64)$|^vmov\.8|^v(and|orr|eor|dup|mvn|bic)/)
        if (m !~ /^vcvt|^mrc/)
            next
    sub(/\.(n|w)$/, "", m)
    target = text
    sub(/ <.*/, "", target)
    sub(/.*, */, "", target)
    text_ = text
    sub(/ <.*/, "", text_)
    text = text_
    from = to = memory = branch = base = index_ = list = ""
    back = 0
    if (match(text, /\[[^]]*\]!?/) && m !~ /^v(mov)/) { # an address
        in_ = substr(text, RSTART + 1, RLENGTH - 2)
        back = substr(text, RSTART + RLENGTH - 1, 1) == "!" || substr(text, RSTART + RLENGTH, 1) == ","
        text = substr(text, 1, RSTART - 1)
        sub(/\].*/, "", in_)
        split(in_, part, ",")
        base = part[1]
        index_ = part[2]
    }
    if (match(text, /\{[^}]*\}/)) {
        list = substr(text, RSTART, RLENGTH)
        text = substr(text, 1, RSTART - 1)
        back = text ~ /!/
    }
    gsub(/ /, "", text)
    n = split(text, o, ",")
    if (n && o[n] == "")
        n--
    address_from = add(add("", base), index_)
    bare = m
    sub(/\.(f|s|u)(32|64|16).*/, "", bare)

    if (list != "" && m !~ /^mrc/) {
        words(list)
        on_stack = m ~ /push|pop/
        where = on_stack ? "sp" : o[1]
        back = back || on_stack
        load = m ~ /pop|ldm/
        from = add("", where)
        bytes = 0
        room = 5
        for (i = 1; i <= nl; i++) {
            bytes += l[i] ~ /^d/ ? 8 : 4
            if (load && l[i] == "pc")
                branch = " return"
            else if (load)
                to = add(to, l[i])
            else if (l[i] ~ /^d/ ? room >= 1 : room >= 1) {
                if (l[i] ~ /^d/ && room == 1)
                    from = put(from, "f" 2 * substr(l[i], 2))
                else
                    from = add(from, l[i])
                room -= l[i] ~ /^d/ ? 2 : 1
            }
        }
        if (m ~ /^v/ && load) { # only some of the real ones are kept
            to = ""
            room = 5
            for (i = 1; i <= nl && room > 0; i++) {
                if (l[i] ~ /^d/ && room == 1)
                    to = put(to, "f" 2 * substr(l[i], 2))
                else
                    to = add(to, l[i])
                room -= l[i] ~ /^d/ ? 2 : 1
            }
        }
        memory = (load ? " read" : " write") bytes
        if (back)
            to = add(to, where)
        back = 0
    } else if (m ~ /^tb[bh]$/) {
        from = address_from
        memory = " read" (m == "tbb" ? 1 : 2)
        branch = " jump-register"
    } else if (m ~ /^v?ldr/) {
        from = address_from
        pair = m ~ /^ldr(ex)?d$/
        to = add("", o[1])
        if (pair)
            to = add(to, o[2])
        memory = " read" (m ~ /b$|bt$/ ? 1 : m ~ /h$|ht$/ ? 2 : pair || o[1] ~ /^d/ ? 8 : 4)
        if (o[1] == "pc")
            branch = base == "sp" ? " return" : " jump-register"
    } else if (m ~ /^v?str/) {
        from = address_from
        first = m ~ /^strex/ ? 2 : 1
        if (first == 2)
            to = add("", o[1])
        pair = m ~ /^str(ex)?d$/
        for (i = first; i <= n; i++)
            from = add(from, o[i])
        memory = " write" (m ~ /b$|bt$/ ? 1 : m ~ /h$|ht$/ ? 2 : pair || o[1] ~ /^d/ ? 8 : 4)
    } else if (m ~ /^pl[di]/ || m ~ /^(nop|dmb|dsb|isb|clrex|yield|wfe|sev)/) {
        back = 0
    } else if (m ~ /^cbn?z$/) {
        from = add("", o[1])
        branch = " if " target
    } else if (m ~ /^b(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)$/) {
        from = " flags"
        branch = " if " target
    } else if (m == "b" || m == "bl" || (m == "blx" && name(o[1]) == "")) {
        to = m == "b" ? "" : " x14"
        branch = (m == "b" ? " jump " : " call ") target
    } else if (m ~ /^blx?$|^bx$/) {
        from = add("", o[1])
        to = m == "bx" ? "" : " x14"
        branch = m == "blx" ? " call-register" : o[1] == "lr" ? " return" : " jump-register"
    } else if (m == "mov" && o[1] == "pc") {
        from = add("", o[2])
        branch = o[2] == "lr" ? " return" : " jump-register"
    } else if (m ~ /^add$/ && o[1] == "pc") {
        from = add("", o[2])
        branch = " jump-register"
    } else if (m == "svc") {
        to = " x0"
    } else if (m == "mrc") {
        to = add("", o[3])
    } else if (m ~ /^(cmp|cmn|tst|teq)$/) {
        for (i = 1; i <= n; i++)
            from = add(from, o[i])
        to = " flags"
    } else if (bare ~ /^vcmpe?$/) {
        for (i = 1; i <= n; i++)
            from = add(from, o[i])
    } else if (m == "vmrs") {
        to = o[1] ~ /APSR/ ? " flags" : add("", o[1])
    } else if (m == "vmsr") {
        from = add("", o[2])
    } else if (bare == "vmov" && n >= 3) {
        core = o[n] ~ /^(r|ip|sl|fp|lr|sp)/
        for (i = 1; i <= n; i++)
            if ((o[i] ~ /^(r|ip|sl|fp|lr|sp)/) == core)
                from = add(from, o[i])
            else
                to = add(to, o[i])
    } else if (m ~ /^([us]mull|[us]mlal|umaal|smlal[btdx]+|smlsldx?)$/) {
        to = add(add("", o[1]), o[2])
        from = add(add("", o[3]), o[4])
        if (m !~ /mull$/)
            from = add(add(from, o[1]), o[2])
    } else {
        to = add("", o[1])
        for (i = 2; i <= n; i++)
            from = add(from, o[i])
        plain = m
        sub(/s$/, "", plain)
        if (n == 2 && plain ~ /^(add|adc|and|orr|eor|bic|orn|sub|sbc|lsl|lsr|asr|ror|mul|addw|subw)$/)
            from = add(from, o[1])
        if (m ~ /^(movt|bfi|bfc)$/ || bare ~ /^v(fn?|n?)ml?[as]$|^vfn?m[as]$|^vn?ml[as]$/)
            from = add(from, o[1])
        if (plain ~ /^(adc|sbc)$/ || text ~ /rrx/)
            from = put(from, "flags")
        if (m ~ /^(mov|add|sub|and|orr|eor|bic|orn|lsl|lsr|asr|ror|rsb|neg|mvn|mul|adc|sbc)s$/)
            to = put(to, "flags")
    }
    if (back)
        to = add(to, base)
    sub(/^ /, "", from)
    sub(/^ /, "", to)
    print address " " code " from" (from == "" ? "" : " " from) " to" (to == "" ? "" : " " to) memory branch
}
