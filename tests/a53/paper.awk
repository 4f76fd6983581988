# paper.awk - paper.csv and what the programs took on the simulator: awk -f paper.awk EVENTS paper.csv
#   EVENTS: lines "source event count" (paper_run) and, if wanted, "source region cycles" (paper_regions)
#   -v mean=12 -v median=6   exit 1 when the mean absolute difference, or the median, is larger
#
# "corrected": the paper's programs added up 100 runs in 32 bits, so a program of more than 2^32 / 100 cycles has lost a
# multiple of that. Only CelsiustoFahren can be one: its figure is a third of what its instructions need.

function distance(x) { return x < 0 ? -x : x }

FNR == 1 { file++ }
file == 1 {
    count[$1, $2] = $3
    next
}
FNR == 1 {
    print "| program | Pi 3 | simulated | difference | instructions | mispredicted | lines: code | data | cold region |"
    print "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    next
}
{
    split($0, column, ",")
    program = column[1]
    source = column[2]
    measured = column[3]
    got = count[source, "0x11"]
    if (got == "") {
        printf "paper.awk: %s has not been run\n", program > "/dev/stderr"
        failed = 1
        exit 1
    }
    printed = 100 * (got / measured - 1)
    printed_sum += distance(printed)
    note = ""
    if (program == "CelsiustoFahren") {
        measured += 42949673
        note = sprintf(" (as printed: %+.1f %%)", printed)
    }
    difference = 100 * (got / measured - 1)
    printf "| %s | %d | %d | %+.1f %%%s | %d | %d | %d | %d | %s |\n", program, measured, got, difference, note,
           count[source, "0x8"], count[source, "0x10"], count[source, "0x1"], count[source, "0x3"],
           (source, "region") in count ? count[source, "region"] : "-"
    all[++n] = distance(difference)
    sum += all[n]
}
END {
    if (failed)
        exit 1
    for (i = 1; i <= n; i++)
        for (j = i + 1; j <= n; j++)
            if (all[j] < all[i]) {
                kept = all[i]
                all[i] = all[j]
                all[j] = kept
            }
    middle = n % 2 ? all[(n + 1) / 2] : (all[n / 2] + all[n / 2 + 1]) / 2
    printf "\nmean absolute difference %.1f %%, median %.1f %%; with CelsiustoFahren as printed the mean is %.1f %%\n", sum / n,
           middle, printed_sum / n
    exit (mean != "" && sum / n > mean) || (median != "" && middle > median)
}
