#!/bin/sh
# kit_seeds.sh FOLDER - seeds for the fuzz target of the kit's log: lines without 'shim' and checksum, which the target adds.
set -eu
mkdir -p "$1"
cd "$1"
sed 's/^shim //; s/ \*[0-9a-f]*$//' "$TOP/tests/cli/shimgen/board-import-log/good.txt" >good
head -n 6 good >half
{ cat good; sed 's/^00000011/00000012/; s/abcd 0 0/abcd 0 1/' good; } >again
printf '00000011 0 start 1 abcd 0 0 2 p\n00000011 1 problem counter-still DWT\n' >still
printf '!boot noise\n00000011 0 start 1 abcd 0 0 2 p\n00000011 1 clocks c350 64 7d00\n00000011 2 passed 0 a\n' >other
