# shellcheck shell=sh
# shim.sh - `shim-xml check` of a large file beside `xmllint --noout --schema` on the same: time and memory; of SHIM 1.0, and of
# the SHIM 2.0 file that `shim-xml convert` makes of it.
#   BENCH_CLUSTERS (160): about 0.64 MB each     SHIMGEN_OFFICIAL: the folder of the official files
official=${SHIMGEN_OFFICIAL:-$TOP/../shared/shim/official}
peak=$BUILD/tests/bench/peak
best() { # COMMAND...: the quickest of three
    for _ in 1 2 3; do "$peak" "$@"; done | sort -n -k 4 | head -n 1
}
row() { # WHAT MILLISECONDS KIB STATUS PROCESSOR-MILLISECONDS
    printf '%-34s %7d ms %7d ms of processor %6d MiB  exit %d\n' "$1" "$2" "$5" $(($3 / 1024)) "$4"
}
compare() { # FILE SCHEMA
    printf 'a file of %d MB\n' $(($(wc -c <"$1") / 1000000))
    ours=$(best shim-xml check "$1")
    # shellcheck disable=SC2086 # four numbers
    row 'shim-xml check' $ours
    if [ ! -f "$2" ] || ! command -v xmllint >/dev/null; then
        echo "xmllint --schema: not compared, for xmllint or $(basename "$2") is not here (SHIMGEN_OFFICIAL=FOLDER)"
        return
    fi
    theirs=$(best xmllint --noout --schema "$2" "$1" 2>/dev/null)
    # shellcheck disable=SC2086
    row 'xmllint --noout --schema' $theirs
    # shellcheck disable=SC2086
    set -- $ours $theirs
    awk "BEGIN { printf \"processor time: %.2f of xmllint's (aimed at: 0.64); memory: %.2f (aimed at: 0.33)\\n\", $4 / $8, $2 / $6 }"
}
sh "$TOP/tests/bench/many_cores.sh" "${BENCH_CLUSTERS:-160}" >many.xml || exit 1
compare many.xml "$official/openshim-shim/schema/shim/shim.xsd"
converted=$("$peak" shim-xml convert many.xml -o two.xml)
# shellcheck disable=SC2086
row 'shim-xml convert --to 2.0' $converted
compare two.xml "$official/openshim-shim2/schema/shim20.xsd"
