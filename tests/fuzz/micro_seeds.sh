#!/bin/sh
# micro_seeds.sh FOLDER - tables of microbenchmarks for the fuzz target.
set -eu
mkdir -p "$1"
cd "$1"
head='key,condition,quantity,event,value,low,high,copy,loop,with,share,instructions,code,calls,even,use,runs'
cat >whole <<END
$head
add.i32,chain,latency,CPU_CYCLES,1,1,1,1,4.5,,alone,1,add,,yes,typical,8
add.i32,free,pitch,CPU_CYCLES,0.5,0.49,0.51,0.5,3,,alone,1,add,,yes,typical,8
sdiv.i32,bits:8,latency,CPU_CYCLES,12.25,12,12.5,13.25,5,add.i32,minus,1,sdiv,,yes,range,8
load.i32,"L2, near",latency,TSC_CYCLES,14,13.5,15,14,2,getelementptr.i64 add.i32,half,2,ldr add,,no,apart,8
fdiv.float,chain,latency,CPU_CYCLES,1e1,9,11,10,1,,alone,0,,__divsf3,yes,typical,8
END
printf '%s\nbr.i1,taken,pitch,E,0,0,0,0,0,,alone,0,,,yes,typical,1\n' "$head" >zero
printf '%s\nadd.i32,c,latency,E,1e300,1e-300,1e308,1,1,,minus,1e9,"a ""b""",x,no,range,1000000\n' "$head" >sizes
