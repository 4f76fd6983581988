#!/bin/sh
# shim_seeds.sh FOLDER - SHIM files to begin with: the inputs of the command cases, and the official samples where they are
# ($SHIMGEN_OFFICIAL), of which the large ones are too slow to be changed a million times.
set -eu
mkdir -p "$1"
for f in "$TOP"/tests/cli/shim-xml/*/*.xml; do
    cp "$f" "$1/$(basename "$(dirname "$f")")-$(basename "$f")"
done
# descriptions of machines begin with '['
cp "$TOP"/tests/cli/shim-xml/new-from/*.ini "$1/"
official=${SHIMGEN_OFFICIAL:-$TOP/../shared/shim/official}
# latency tables begin with '#': as imported, and one of groups
cp "$TOP/tests/cli/shim-xml/export-import/latency.csv" "$1/"
printf '# grouping\na,add,su\232\n# performance\na,1\na_d,2\n' >"$1/not-utf8.csv"
printf '# grouping\na,add,sub\n# performance\na,32,32,1,0.5,2\na_d,32,32,3\nmul,64,64,4\nmul_d,5\n' >"$1/groups.csv"
for f in "$official"/../examples/*.xml "$official"/openshim-shim/samples/shim/*.xml "$official"/openshim-shim2/samples/*.xml; do
    if [ -f "$f" ] && [ "$(wc -c <"$f")" -lt 65536 ]; then cp "$f" "$1/"; fi
done
