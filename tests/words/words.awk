# words.awk - prints FILE:LINE: WORD -> TERM for each replaced word. First file: the rows of the glossary's table.
# A word may begin on one line and end on the next.
function cell(text) {
    gsub(/^[ `]+|[ `]+$/, "", text)
    gsub(/\001/, "|", text)
    return text
}
function report(line, word, i) {
    gsub(/^[^[:alnum:]]+|[^[:alnum:],]+$/, "", word)
    printf "%s:%d: %s -> %s\n", name, line, word, term[i]
}
# Searches the text of a line; matches that begin at `from` or later belong to the next line and are found there.
function search(text, from, line, i, rest, start, all, hit) {
    for (i = 1; i <= n; i++) {
        rest = fold[i] ? tolower(text) : text
        start = 0
        while (match(rest, "(^|[^[:alnum:]_-])(" word[i] ")([^[:alnum:]_-]|$)")) {
            hit = substr(rest, RSTART, RLENGTH)
            all = substr(rest, RSTART)
            sub(/^[^[:alnum:]]/, "", all)
            if (start + RSTART <= from && !(allowed[i] != "" && all ~ "^([^ ]+ )?" allowed[i]))
                report(line, hit, i)
            start += RSTART + RLENGTH - 2
            rest = substr(rest, RSTART + RLENGTH - 1)
            if (RLENGTH < 2)
                break
        }
    }
}
FNR == NR {
    gsub(/\\\|/, "\001")
    split($0, part, "|")
    word[++n] = cell(part[2])
    term[n] = cell(part[3])
    allowed[n] = cell(part[4])
    fold[n] = word[n] !~ /[A-Z]/
    next
}
FNR == 1 {
    if (name != "")
        search(previous, length(previous) + 1, last)
    name = FILENAME
    previous = ""
    last = 0
}
{
    if (last)
        search(previous " " $0, length(previous), last)
    previous = $0
    last = FNR
}
END {
    if (name != "")
        search(previous, length(previous) + 1, last)
}
