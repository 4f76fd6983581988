#!/bin/sh
# dataset_seeds.sh FOLDER - tables for the fuzz target of regress: as the formats have them, and awkward ones.
set -eu
mkdir -p "$1"
cd "$1"
cat >dataset <<'EOF'
program,region,cycles,CPU_CYCLES,L1D_CACHE,add.i32,add.i32_d,branch.taken,domain,role
paper/sum@O0,sum,18748,18748,6021,1000,2000,40,sum,train
paper/sum@O2,sum,4012,4012,,0,1000,20,sum,train
suite/fir@O2,fir,83011,83011,20480,8192,8192,7,dsp,test
EOF
printf 'time,a,b\n1,2,3\n2,4,1\n5,1e3,-2\n7,0,0.5\n' >numbers
printf 'y,same,zero,double,again\n3,5,0,1,1\n4,5,0,2,2\n9,5,0,7,7\n' >columns
printf 'y,x\n3,5\n' >one_row
printf 'program,y,x\na,0,1\nb,-1,2\nc,1e300,1e-300\nd,1e-300,1e300\n' >sizes
printf 'program,y,x\na,1e300,1e-300\nb,1e-300,1e30\n' >beyond
printf 'program,y,x\na,1e300,1e-300\nb,1e300,1e-300\n' >below
printf 'program,cycles,"a,b",c\n"p ""q""",10,1,2\nr,20,2,3\ns,31,3,5\n' >quotes
printf 'cycles,add.i32,mul.i32_d,EV\n10,1,2,3\n20,2,5,3\n35,3,9,1\n\000title t\nsplit arith add.* mul.*\nprior arith 2\nlet r = EV / sum(add.*)\ncount ev = max(r, 1)\nignore *\n' >rules
