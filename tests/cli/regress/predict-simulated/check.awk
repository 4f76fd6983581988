# The table must be what it is said to be: 1 x arithmetic + 2 x L1Access + 10 x L2Access + 100 x memAccess + 0.5 x others.
NR > 1 {
    made = $9 + 2 * $5 + 10 * $6 + ($7 ? 100 * $6 * $8 / $7 : 0) + 0.5 * $11
    if (made != $3)
        print $1 ": " made
}
