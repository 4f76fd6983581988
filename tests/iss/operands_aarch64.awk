# From `aarch64-linux-gnu-objdump -d -M no-aliases`: what each instruction reads and writes, by its mnemonic and the order of its
# operands, in the words of operands.c. The stack pointer is x31; zero registers are none.
function name(text) { # x0 ... x31, f0 ... f31, or ""
    sub(/[.\[].*/, "", text)
    if (text ~ /^w?sp$/)
        return "x31"
    if (text ~ /^[wx][0-9]+$/)
        return "x" substr(text, 2)
    return text ~ /^[bhsdqv][0-9]+$/ ? "f" substr(text, 2) : ""
}
function number(text) {
    return (text == "flags" ? 900 : substr(text, 1, 1) == "f" ? 100 : 0) + substr(text, 2)
}
function put(list, r,    n, i, parts, out, done) { # a sorted list without doubles
    if (r == "")
        return list
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
function scalar(text) { # bytes of a register
    text = substr(text, 1, 1)
    return text == "b" ? 1 : text == "h" ? 2 : text == "w" || text == "s" ? 4 : text == "q" ? 16 : 8
}
function vector(text) { # bytes of v0.4s, of v0.s
    sub(/^[^.]*\./, "", text)
    return (text ~ /^[0-9]/ ? text + 0 : 1) * scalar(text ~ /b/ ? "b" : text ~ /h/ ? "h" : text ~ /s/ ? "s" : "d")
}

/^ *[0-9a-f]+:\t/ {
    split($0, column, "\t")
    address = column[1]
    gsub(/[ :]/, "", address)
    code = column[2]
    gsub(/ /, "", code)
    m = column[3]
    text = column[4]
    sub(/ *\/\/.*/, "", text)
    target = text
    sub(/ <.*/, "", target)
    sub(/.*, */, "", target)
    sub(/^0x/, "", target)
    sub(/ <.*/, "", text)
    if (m ~ /^\./ || m == "udf" || m == "brk" || m == "" || /undefined/ || code == "94000000" || code == "14000000") # not an instruction; not linked
        next
    # Not Armv8.0: scalable vectors, memory tags, atomics in one instruction; the C library has them behind a question.
    if (text ~ /[zp][0-9]+[.\/]/ || m ~ /^(st|ld)z?2?gm?$|^(irg|gmi|subps?|addg|subg|stgp|cnt[bhwd]|inc[bhwd]|whil.*|rdvl)$/ ||
        m ~ /^(casp?|swp|ld(add|clr|eor|set)|ld[su]m(ax|in))(a|l|al)?[bh]?$/)
        next
    from = to = memory = branch = base = index_ = list = lane = ""
    back = 0
    if (match(text, /\[[xws][^]]*\]!?/)) { # an address
        inside = substr(text, RSTART + 1, RLENGTH - 2)
        back = substr(text, RSTART + RLENGTH - 1, 1) == "!" || substr(text, RSTART + RLENGTH, 1) == ","
        after = substr(text, RSTART + RLENGTH)
        text = substr(text, 1, RSTART - 1)
        sub(/\].*/, "", inside)
        split(inside, part, ",")
        base = part[1]
        index_ = part[2]
        if (after != "")
            index_ = substr(after, 2)
        gsub(/ /, "", base)
        gsub(/ /, "", index_)
    }
    if (match(text, /\{[^}]*\}/)) { # registers of vectors
        list = substr(text, RSTART + 1, RLENGTH - 2)
        lane = substr(text, RSTART + RLENGTH, 1) == "["
        text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
        sub(/^\[[0-9]*\]/, "", text)
    }
    gsub(/ /, "", text)
    n = split(text, o, ",")
    nl = 0
    if (list ~ /-/) {
        gsub(/ /, "", list)
        split(list, ends, "-")
        first = substr(name(ends[1]), 2)
        last = substr(name(ends[2]), 2)
        kind = ends[1]
        sub(/^[^.]*/, "", kind)
        for (i = first; i % 32 != (last + 1) % 32 || nl == 0; i++)
            l[++nl] = "v" (i % 32) kind
    } else if (list != "") {
        gsub(/ /, "", list)
        nl = split(list, l, ",")
    }
    address_from = add(add("", base), index_)

    if (m ~ /^(prfu?m|dc|ic|at|tlbi)$/) {
        for (i = 1; i <= n; i++)
            from = add(from, o[i])
        from = add(add(from, base), index_)
    } else if (m ~ /^(ld|st)[1-4]r?$/) {
        from = address_from
        bytes = 0
        for (i = 1; i <= nl; i++) {
            if (m ~ /^st/ || lane)
                from = add(from, l[i])
            if (m ~ /^ld/)
                to = add(to, l[i])
            element = l[i]
            if (m ~ /r$/)
                sub(/\.[0-9]+/, ".", element)
            bytes += vector(element)
        }
        memory = (m ~ /^st/ ? " write" : " read") bytes
    } else if (m ~ /^st(l|ll)?x[rp]/ || m ~ /^stlx[rp]/) {
        to = add("", o[1])
        from = address_from
        for (i = 2; i <= n; i++)
            from = add(from, o[i])
        memory = " write" (m ~ /b$/ ? 1 : m ~ /h$/ ? 2 : scalar(o[2]) * (m ~ /p$/ ? 2 : 1))
    } else if (m ~ /^st(u|t|l|n)?(r|p|lur)[bh]?$/ || m ~ /^stl(l?r)[bh]?$/) {
        from = address_from
        for (i = 1; i <= n; i++)
            from = add(from, o[i])
        memory = " write" (m ~ /b$/ ? 1 : m ~ /h$/ ? 2 : scalar(o[1]) * (m ~ /p$/ ? 2 : 1))
    } else if (m ~ /^ld(u|t|a|x|ax|n|apu?)?[rp](s?[bhw])?$/ || m ~ /^ldpsw$/) {
        pair = m ~ /^ld(ax|x|n)?p(sw)?$/
        from = address_from
        to = add("", o[1])
        if (pair)
            to = add(to, o[2])
        memory = " read" (m ~ /b$/ ? 1 : m ~ /h$/ ? 2 : m ~ /w$/ ? 4 : scalar(o[1])) * (pair ? 2 : 1)
    } else if (m ~ /^(cbn?z|tbn?z)$/) {
        from = add("", o[1])
        branch = " if " target
    } else if (m ~ /^b\./) {
        from = " flags"
        branch = " if " target
    } else if (m == "b" || m == "bl") {
        to = m == "bl" ? " x30" : ""
        branch = (m == "bl" ? " call " : " jump ") target
    } else if (m == "br" || m == "blr" || m == "ret") {
        from = n ? add("", o[1]) : " x30"
        to = m == "blr" ? " x30" : ""
        branch = m == "br" ? " jump-register" : m == "blr" ? " call-register" : " return"
    } else if (m == "svc") {
        to = " x0" # the answer of Linux
    } else if (m ~ /^(hint|nop|dmb|dsb|isb|hlt|clrex|yield|bti|paciasp|autiasp|sys|sb|csdb|xpaclri)$/) {
        if (m == "sys")
            from = add("", o[n])
    } else if (m == "msr") {
        from = add("", o[2])
        if (o[1] == "nzcv")
            to = " flags"
    } else if (m == "mrs") {
        to = add("", o[1])
        if (o[2] == "nzcv")
            from = " flags"
    } else if (m ~ /^f?ccm[pn]e?$|^fcmpe?$/) {
        for (i = 1; i <= n; i++)
            from = add(from, o[i])
        if (m ~ /cc/)
            from = put(from, "flags")
        to = " flags"
    } else {
        to = add("", o[1])
        for (i = 2; i <= n; i++)
            from = add(from, o[i])
        for (i = 1; i <= nl; i++)
            from = add(from, l[i])
        if (m ~ /^(movk|bfm|ins|tbx|bsl|bit|bif|sri|sli|[us]?mlal?2?|[us]?mlsl?2?|sqdml[as]l2?|sqrdml[as]h|fml[as]l?2?|[us]abal?2?|[us]adalp|usra|ssra|ursra|srsra|sqx?tu?n2|uqxtn2|xtn2|fcvtn2|fcvtxn2|r?addhn2|r?subhn2|r?shrn2|[su]q?r?shru?n2|sqr?shrun2|[su]dot|suqadd|usqadd|aes[ed]|sha(1(c|m|p|su[01])|256(h2?|su[01])|512.*))$/)
            from = add(from, o[1])
        # Into a part of a vector; bits set or cleared by a constant in what is there.
        if (o[1] ~ /\[/ || (m ~ /^(orr|bic)$/ && o[2] ~ /^#/ && o[1] ~ /^v/))
            from = add(from, o[1])
        if (m ~ /^(adc|sbc)s?$|^f?csel$|^cs(inc|inv|neg)$/)
            from = put(from, "flags")
        if (m ~ /^(adds|subs|ands|bics|adcs|sbcs)$/)
            to = put(to, "flags")
    }
    if (back)
        to = add(to, base)
    sub(/^ /, "", from)
    sub(/^ /, "", to)
    print address " " code " from" (from == "" ? "" : " " from) " to" (to == "" ? "" : " " to) memory branch
}
