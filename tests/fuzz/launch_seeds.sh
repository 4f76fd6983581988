#!/bin/sh
# launch_seeds.sh FOLDER - descriptions of launches for the fuzz target: all fills, types and kinds of arguments, one to
# three dimensions.
set -eu
mkdir -p "$1"
cd "$1"
cat >all <<'END'
# each fill
buffer a float 64 random:1
buffer b uchar 64 uniform:18446744073709551615
buffer c long 8 value:-3
buffer d double 2 value:1e-3 # real
buffer e ushort 7 count
buffer f int 3 file:data.bin
buffer g uint 64 zero result
launch k global 64 local 8 args a b local:128 int:-5 float:0.5 ulong:7
launch other_2 global 8,4 local 2,2 args g
launch k3 global 4,4,4 local 4,1,2
END
cat >small <<'END'
buffer x int 1 zero
launch k global 1 local 1 args x
END
