#!/bin/sh
# kernels.sh [csv] - the table of docs/method/kernels.md: counts of the programs of samples/opencl, of a work-item.
# csv: all columns of all kernels, not divided, as one table for regress. Needs the build's programs and clang.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$top/build/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
per=item
[ "${1-}" != csv ] || per=kernel
for launch in "$top"/samples/opencl/*.launch; do
    name=$(basename "$launch" .launch)
    irprof kernel "$top/samples/opencl/$name.cl" --launch "$launch" --per $per -o "$work/$name.csv"
done
if [ $per = kernel ]; then
    # One header: the columns of all; what a table lacks is 0.
    awk -F, 'FNR == 1 { delete at; for (i = 1; i <= NF; i++) { at[i] = $i; if (!seen[$i]++) order[++n] = $i } next }
             { rows++; for (i = 1; i <= NF; i++) cell[rows, at[i]] = $i }
             END { for (k = 1; k <= n; k++) printf "%s%s", (k > 1 ? "," : ""), order[k]
                   print ""
                   for (r = 1; r <= rows; r++) { for (k = 1; k <= n; k++) { value = 0; id = r SUBSEP order[k]
                       if (id in cell) value = cell[id]
                       printf "%s%s", (k > 1 ? "," : ""), value }
                       print "" } }' "$work"/*.csv
    exit
fi
echo '| kernel | work-items | instructions | global loads | bytes | global stores | local loads | local stores | barriers |'
echo '|---|--:|--:|--:|--:|--:|--:|--:|--:|'
for table in "$work"/*.csv; do
    items=$(irprof kernel "$top/samples/opencl/$(basename "$table" .csv).cl" --launch "$top/samples/opencl/$(basename "$table" .csv).launch" |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "WORK_ITEMS") at = i; next } { printf "%s=%s ", $2, $at }')
    awk -F, -v items="$items" 'function cell(name) { return name in at ? sprintf("%.4g", $at[name]) : 0 }
        NR == 1 { n = split(items, pair, " "); for (i = 1; i <= n; i++) { split(pair[i], p, "="); count[p[1]] = p[2] }
                  for (i = 1; i <= NF; i++) at[$i] = i; next }
        $2 ~ /_(global|local)$/ { printf "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s |\n", $2, count[$2], cell("INSTRUCTIONS"), cell("GLOBAL_LOAD"),
            cell("GLOBAL_LOAD_BYTES"), cell("GLOBAL_STORE"), cell("LOCAL_LOAD"), cell("LOCAL_STORE"), cell("BARRIERS") }' "$table"
done
