#!/bin/sh
# points_seeds.sh FOLDER - files of points for the fuzz target: all kinds, comments, empty lines.
set -eu
mkdir -p "$1"
cd "$1"
cat >all <<'END'
# points
function:fir*  # a pattern
	region:a b
loop:dir/fir.c:12

iteration:fir.c:12
line:C:\fir.c:7
END
printf 'function:main' >one
