#!/bin/sh
# standard.sh SEED FOLDER - the standard's instructions in the SHIM file of a RISC-V core drawn at random (draw.awk), beside the core's own
# file: a table, and how many agree. FOLDER keeps the board and what is built. Fails as tests/a53/standard.awk with least=95 does.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ne 2 ]; then
    echo "usage: standard.sh SEED FOLDER" >&2
    exit 2
fi
seed=$1 folder=$2
PATH=${BUILD:-$here/../../build}/bin:$PATH
keys='add.i32,sub.i32,mul.i32,shl.i32,lshr.i32,ashr.i32,and.i32,or.i32,xor.i32,icmp.i32,fcmp.double,select.i32,zext.i*,sext.i*,trunc.i*,'
keys=$keys'fadd.double,fsub.double,fmul.double,fdiv.double,fneg.double,fpext.*,fptrunc.*,sitofp.*,uitofp.*,fptosi.*,fptoui.*,bitcast.*,'
keys=$keys'getelementptr.*,load.i32,load.i64,load.ptr,store.i32,br.*,call.direct,ret'
mkdir -p "$folder"
cd "$folder"
"$here/board.sh" "$seed" riscv64 core
if ! { shimgen build ./core --programs paper/sum --levels O0 --runs 1 --no-micro --no-compare -o out &&
    shimgen micro ./core --keys "$keys" -o out && shimgen report ./core --no-compare -o out; } >said 2>&1; then
    cat said >&2
    exit 1
fi
shim-xml export --format latency-csv out/core.shim.xml -o latency.csv
awk -f "$here/../u74/model.awk" core/core.ini >model-rows.csv
awk -v least=95 -v core='core model' -f "$here/../a53/standard.awk" model-rows.csv "$here/../u74/standard.txt" latency.csv
