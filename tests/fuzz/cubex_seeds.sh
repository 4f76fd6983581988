#!/bin/sh
# cubex_seeds.sh FOLDER - .cubex profiles of each form, performance XML, and what other programs print (cubex.c). Needs TOP.
set -eu
mkdir -p "$1"
cp "$TOP/tests/cli/perf-xml/diff/a.xml" "$1/xml"
cp "$TOP/tests/cli/perf-xml/lists/a.xml" "$1/lists"
for form in dense big packed types; do
    python3 "$TOP/tests/perf-xml/cubex.py" make "$1/$form" $form
done
gzip -n <"$1/packed" >"$1/gzip"
for f in perf.csv perf.json likwid.csv irprof.json estimate.json; do
    cp "$TOP/tests/cli/perf-xml/sources/$f" "$1/$f"
done
cat >"$1/own.json" <<'J'
{"version":"1.0","source":"a","callpaths":[{"name":"main","id":0},{"name":"f","id":1,"parent":0}],"processes":[{"id":0,"label":"p","threads":[
{"id":0,"categories":[{"name":"metrics","items":[{"name":"time","unit":"sec","value":1.5,"items":[{"path":1,"value":-2}]},{"name":"x","state":"unavailable","why":"y"}]}]}]}]}
J
