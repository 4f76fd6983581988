#!/bin/sh
# manifest_seeds.sh FOLDER - manifests of samples for the fuzz target, whose folder has the sources a.c and b.c.
set -eu
mkdir -p "$1"
cd "$1"
printf 'program,domain,role,sources,work,stresses\none,d,train,a.c,1,s\ntwo,e,test,a.c b.c,1e6,"x; y"\n' >two
printf 'work,sources,role,domain,program\r\n3,b.c,train,d,c++-1.0_x\r\n' >order
printf '\357\273\277program,domain,role,sources,work\n..,d,train,a.c,1\n' >dots
printf 'program,domain,role,sources,work\n"a/b",d,train,../../a.c,1\n' >path
