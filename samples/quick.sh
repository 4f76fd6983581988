#!/bin/sh
# quick.sh [FOLDER]: which programs 'shimgen build --quick' measures, for quick.txt: of each domain that has three training
# programs or more, that with the least work. Training programs alone: the test programs judge a quick build, too.
# Not those of short/: values for programs of any length are not to be learnt from a handful of cycles.
cd "${1:-$(dirname "$0")}" || exit 1
echo '# Programs of a quick build, made by quick.sh. One glob a line.'
for set in */manifest.csv; do
    [ "$set" != short/manifest.csv ] || continue
    awk -F, -v set="${set%%/*}" 'NR > 1 && $3 == "train" { print $2 "," $5 "," set "/" $1 }' "$set"
done | sort -t, -k1,1 -k2,2n -k3,3 |
    awk -F, '{ n[$1]++; if (n[$1] == 1) first[$1] = $3; if (n[$1] == 3) print first[$1] }' | sort
