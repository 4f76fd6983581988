#!/bin/sh
# shim_seeds.sh FOLDER - SHIM files to begin with: the inputs of the command cases, and the official samples where they are
# ($SHIMGEN_OFFICIAL), of which the large ones are too slow to be changed a million times.
set -eu
mkdir -p "$1"
for f in "$TOP"/tests/cli/shim-xml/*/*.xml; do
    cp "$f" "$1/$(basename "$(dirname "$f")")-$(basename "$f")"
done
official=${SHIMGEN_OFFICIAL:-$TOP/../shared/shim/official}
for f in "$official"/../examples/*.xml "$official"/openshim-shim/samples/shim/*.xml; do
    if [ -f "$f" ] && [ "$(wc -c <"$f")" -lt 65536 ]; then cp "$f" "$1/"; fi
done
