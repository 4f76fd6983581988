# shellcheck shell=sh
# shim.sh - `shim-xml check` of a large file beside `xmllint --noout --schema` on the same: time and memory.
#   BENCH_CLUSTERS (160): about 0.64 MB each     SHIMGEN_OFFICIAL: the folder of the official files
schema=${SHIMGEN_OFFICIAL:-$TOP/../shared/shim/official}/openshim-shim/schema/shim/shim.xsd
peak=$BUILD/tests/bench/peak
sh "$TOP/tests/bench/many_cores.sh" "${BENCH_CLUSTERS:-160}" >many.xml || exit 1
best() { # COMMAND...: the quickest of three
    for _ in 1 2 3; do "$peak" "$@"; done | sort -n | head -n 1
}
row() { # WHAT MILLISECONDS KIB STATUS
    printf '%-34s %7d ms %8d MiB  exit %d\n' "$1" "$2" $(($3 / 1024)) "$4"
}
printf 'a file of %d MB\n' $(($(wc -c <many.xml) / 1000000))
ours=$(best shim-xml check many.xml)
# shellcheck disable=SC2086 # three numbers
row 'shim-xml check' $ours
if [ ! -f "$schema" ] || ! command -v xmllint >/dev/null; then
    echo 'xmllint --schema: not compared, for xmllint or shim.xsd is not here (SHIMGEN_OFFICIAL=FOLDER)'
    exit 0
fi
theirs=$(best xmllint --noout --schema "$schema" many.xml 2>/dev/null)
# shellcheck disable=SC2086
row 'xmllint --noout --schema' $theirs
# shellcheck disable=SC2086
set -- $ours $theirs
awk "BEGIN { printf \"time: %.2f of xmllint's (aimed at: 1); memory: %.2f (aimed at: 0.33)\\n\", $1 / $4, $2 / $5 }"
