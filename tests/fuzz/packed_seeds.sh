#!/bin/sh
# packed_seeds.sh FOLDER - packed SHIM files, and texts to pack: the first byte says which (packed.c). Needs TOP.
set -eu
mkdir -p "$1"
f=$TOP/tests/cli/shim-xml/check-files/good.xml
for how in 000 001 004 005 010 011; do { printf "\\$how"; cat "$f"; } >"$1/pack-$how"; done
{ printf '\110'; cat "$f"; } >"$1/damage-bzip2"
{ printf '\231'; cat "$f"; } >"$1/damage-gzip"
{ printf '\002'; gzip -n <"$f"; } >"$1/gzip"
{ printf '\002'; bzip2 <"$f"; } >"$1/bzip2"
{ printf '\002'; gzip -n <"$f"; printf x | gzip -n; } >"$1/two"
