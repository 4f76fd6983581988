# A wrong stamped module of a right one: one change, of the kind `what`. Prints nothing else than the module; exit 1: there was
# no place for it.
#
#   always     the guard is constant: the original's value is stored always
#   never      the guard is constant: the stamp is stored always
#   store      a store of the original is missing
#   operation  an addition of the original does nothing
#   swap       a subtraction has its operands the other way round
#   loop       a loop ends after half of its iterations
#   barrier    a barrier is missing
#   unmarked   a stamp is not marked as one
function of_stamp() { return /!irprof\.stamp / }
!done && what == "always" && /select i1 .*!irprof\.stamp\.guard/ { done = sub(/select i1 %[^,]*,/, "select i1 true,") }
!done && what == "never" && /select i1 .*!irprof\.stamp\.guard/ { done = sub(/select i1 %[^,]*,/, "select i1 false,") }
!done && what == "store" && /^ *store float / && !/irprof/ { done = 1; next }
!done && what == "operation" && /= fadd .*float %[^,]*, %/ && !of_stamp() {
    split($0, part, /= fadd [a-z ]*float /)
    value = part[2]
    sub(/,.*/, "", value)
    $0 = part[1] "= freeze float " value
    done = 1
}
!done && what == "swap" && /= fsub .*float %[^,]*, %/ && !of_stamp() {
    match($0, /float %[^,]*, %[^,]*/)
    head = substr($0, 1, RSTART + 5)
    split(substr($0, RSTART + 6, RLENGTH - 6), operand, ", ")
    $0 = head operand[2] ", " operand[1] substr($0, RSTART + RLENGTH)
    done = 1
}
!done && what == "loop" && /= icmp [a-z ]* i(32|64) %[^,]*, [0-9][0-9]+/ && !of_stamp() {
    match($0, /, [0-9]+/)
    $0 = substr($0, 1, RSTART + 1) int(substr($0, RSTART + 2, RLENGTH - 2) / 2) substr($0, RSTART + RLENGTH)
    done = 1
}
!done && what == "barrier" && /call .*@_Z7barrierj/ { done = 1; next }
!done && what == "unmarked" && /^ *store i32 %is\.v/ { done = sub(/, !irprof\.stamp .*/, "") }
{ print }
END { exit !done }
