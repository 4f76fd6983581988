#!/bin/sh
# cubex_seeds.sh FOLDER - .cubex profiles of each form, and performance XML (cubex.c). Needs TOP.
set -eu
mkdir -p "$1"
cp "$TOP/tests/cli/perf-xml/diff/a.xml" "$1/xml"
for form in dense big packed types; do
    python3 "$TOP/tests/perf-xml/cubex.py" make "$1/$form" $form
done
gzip -n <"$1/packed" >"$1/gzip"
