# From `riscv64-linux-gnu-objdump -d -M no-aliases,numeric`: what each instruction reads and writes, by its mnemonic and the
# order of its operands, in the words of operands.c.
function reg(text) {
    return text ~ /^x[1-9][0-9]*$/ || text ~ /^f[0-9]+$/
}
function number(text) {
    return (substr(text, 1, 1) == "f" ? 100 : 0) + substr(text, 2)
}
function add(list, text,    n, i, parts, out, done) { # a sorted list without doubles; x0 is none
    if (!reg(text))
        return list
    n = split(list, parts, " ")
    for (i = 1; i <= n; i++) {
        if (parts[i] == text)
            return list
        if (!done && number(parts[i]) > number(text)) {
            out = out " " text
            done = 1
        }
        out = out " " parts[i]
    }
    return done ? out : out " " text
}
function width(letter) {
    return letter == "b" ? 1 : letter == "h" ? 2 : letter == "w" ? 4 : 8
}

/^ *[0-9a-f]+:\t/ {
    split($0, column, "\t")
    address = column[1]
    gsub(/[ :]/, "", address)
    code = column[2]
    gsub(/ /, "", code)
    m = column[3]
    text = column[4]
    target = text
    sub(/ <.*/, "", target)
    sub(/.*,/, "", target)
    sub(/^0x/, "", target)
    sub(/ *[#<].*/, "", text)
    if (m ~ /^\./ || m ~ /unimp/ || (m == "c.addi16sp" && text ~ /,0$/)) { # not an instruction
        next
    }
    n = split(text, o, ",")
    base = ""
    for (i = 1; i <= n; i++)
        if (match(o[i], /\(x[0-9]+\)/)) {
            base = substr(o[i], RSTART + 1, RLENGTH - 2)
            o[i] = ""
        }
    short = m
    sub(/^c\./, "", short)
    compressed = short != m
    from = to = memory = branch = ""
    if (short ~ /^f?s[bhwdq](sp)?$/) {
        from = add(add("", base), o[1])
        letter = short
        sub(/^f?s/, "", letter)
        memory = " write" width(substr(letter, 1, 1))
    } else if (short ~ /^b(eq|ne|lt|ge)(u|z)?$/) {
        from = add(add("", o[1]), n == 3 ? o[2] : "")
        branch = " if " target
    } else if (short == "j") {
        branch = " jump " target
    } else if (short == "jal") {
        to = add("", o[1])
        branch = (o[1] == "x1" || o[1] == "x5" ? " call " : " jump ") target
    } else if (short == "jr" || short == "jalr") {
        link = compressed ? (short == "jr" ? "x0" : "x1") : o[1]
        base = base == "" ? o[n] : base
        if (base !~ /^x/)
            base = compressed ? o[1] : o[2]
        from = add("", base)
        to = add("", link)
        branch = link == "x1" || link == "x5" ? " call-register" : base == "x1" || base == "x5" ? " return" : " jump-register"
    } else if (short ~ /^(fence|fence.i|ecall|ebreak|nop|sfence.vma)$/) {
        # no registers
    } else if (short ~ /^amo|^lr\.|^sc\./) {
        to = add("", o[1])
        from = add(add("", base), o[2])
        split(short, dot, ".")
        memory = (short ~ /^amo/ ? " both" : short ~ /^lr/ ? " read" : " write") width(short ~ /^amo/ ? dot[2] : dot[2])
    } else {
        to = add("", o[1])
        for (i = 2; i <= n; i++)
            from = add(from, o[i])
        from = add(from, base)
        # Two-address forms.
        if (compressed && short ~ /^(add|addi|addiw|addi16sp|(slli|srli|srai)(64)?|andi|sub|xor|or|and|subw|addw)$/)
            from = add(from, o[1])
        if (short ~ /^f?l[bhwd]u?(sp)?$/ ) {
            letter = short
            sub(/^f?l/, "", letter)
            memory = " read" width(substr(letter, 1, 1))
        }
    }
    sub(/^ /, "", from)
    sub(/^ /, "", to)
    print address " " code " from" (from == "" ? "" : " " from) " to" (to == "" ? "" : " " to) memory branch
}
