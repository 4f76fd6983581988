# Stamps a module of LLVM IR (text, all values named) by hand, after docs/method/stamp-proof.md: calls of stamp_point and
# stamp_result are taken out, or become marked instructions.
#
#     awk -v mode=base|add|replace|unguarded -v cpu=x86|amdgcn|nvptx -v items=16 -v stamps=32 -f stamp.awk IN.ll
#
# A stamp is the clock's low half, kept in shared memory: irprof_room[item][number], the number in irprof_room[item][stamps].
# On amdgcn that is memory whose size the launch says, behind the kernel's own: its places stay where they were. In mode add all are written to the argument irprof_stamps when the kernel ends; in mode replace the last one takes the place of
# the result, behind the guard; unguarded: without the guard.
function metadata(point) { return ", !irprof.stamp !" (9000 + point) }
function guard(point) { return ", !irprof.stamp.guard !" (9000 + point) }
# put(TEXT): a marked instruction
function put(text) { print "  " text metadata(point) }
function item(   lx, ly) {
    n++
    if (cpu == "x86") {
        put("%is.x" n " = call i64 @_Z12get_local_idj(i32 0)")
        put("%is.y" n " = call i64 @_Z12get_local_idj(i32 1)")
        put("%is.a" n " = trunc i64 %is.x" n " to i32")
        put("%is.b" n " = trunc i64 %is.y" n " to i32")
    } else {
        lx = cpu == "amdgcn" ? "@llvm.amdgcn.workitem.id." : "@llvm.nvvm.read.ptx.sreg.tid."
        put("%is.a" n " = call i32 " lx "x()")
        put("%is.b" n " = call i32 " lx "y()")
    }
    put("%is.m" n " = mul i32 %is.b" n ", " wide)
    put("%is.i" n " = add i32 %is.m" n ", %is.a" n)
}
function slot() {
    put("%is.c" n " = getelementptr [" items " x [" room " x i32]], ptr addrspace(3) @irprof_room, i32 0, i32 %is.i" n ", i32 " stamps)
}
function begin() {
    point = 0
    item()
    slot()
    put("store i32 0, ptr addrspace(3) %is.c" n)
}
# The clock is kept; its value is %is.v<n>.
function stamp() {
    item()
    slot()
    put("%is.t" n " = call i64 @llvm.readcyclecounter()")
    put("%is.v" n " = trunc i64 %is.t" n " to i32")
    put("%is.k" n " = load i32, ptr addrspace(3) %is.c" n)
    put("%is.p" n " = getelementptr [" items " x [" room " x i32]], ptr addrspace(3) @irprof_room, i32 0, i32 %is.i" n ", i32 %is.k" n)
    put("store i32 %is.v" n ", ptr addrspace(3) %is.p" n)
    put("%is.j" n " = add i32 %is.k" n ", 1")
    put("store i32 %is.j" n ", ptr addrspace(3) %is.c" n)
}
# All stamps of the work-item to its place in global memory.
function flush(   k, gx) {
    item()
    if (cpu == "x86") {
        put("%is.g" n " = call i64 @_Z12get_group_idj(i32 0)")
        put("%is.h" n " = call i64 @_Z12get_group_idj(i32 1)")
        put("%is.q" n " = call i64 @_Z14get_num_groupsj(i32 0)")
        put("%is.r" n " = mul i64 %is.h" n ", %is.q" n)
        put("%is.s" n " = add i64 %is.r" n ", %is.g" n)
        put("%is.u" n " = trunc i64 %is.s" n " to i32")
    } else {
        gx = cpu == "amdgcn" ? "@llvm.amdgcn.workgroup.id." : "@llvm.nvvm.read.ptx.sreg.ctaid."
        put("%is.g" n " = call i32 " gx "x()")
        put("%is.h" n " = call i32 " gx "y()")
        put("%is.r" n " = mul i32 %is.h" n ", 4096")
        put("%is.u" n " = add i32 %is.r" n ", %is.g" n)
    }
    put("%is.w" n " = mul i32 %is.u" n ", " items)
    put("%is.z" n " = add i32 %is.w" n ", %is.i" n)
    for (k = 0; k < stamps; k++) {
        put("%is.l" n "." k " = getelementptr [" items " x [" room " x i32]], ptr addrspace(3) @irprof_room, i32 0, i32 %is.i" n ", i32 " k)
        put("%is.o" n "." k " = load i32, ptr addrspace(3) %is.l" n "." k)
        put("%is.d" n "." k " = getelementptr [" stamps " x i32], ptr addrspace(1) %irprof_stamps, i32 %is.z" n ", i32 " k)
        put("store i32 %is.o" n "." k ", ptr addrspace(1) %is.d" n "." k)
    }
}
BEGIN { wide = items == 128 ? 128 : items == 16 ? 4 : 8; stamped = mode != "base"; room = stamps + 1 }
/^declare void @stamp_(point|result)/ || /^declare .*@stamp_(point|result)\(/ { next }
/^declare i64 @_Z(12get_group_idj|12get_local_idj|14get_num_groupsj)\(/ && cpu == "x86" { next }
/^declare .*i32 @llvm\.(amdgcn\.work(item|group)\.id|nvvm\.read\.ptx\.sreg\.(tid|ctaid))\./ { next }
/^define .*kernel/ || (/^define / && cpu == "nvptx") {
    kernel = 1
    if (stamped) {
        at = match($0, /\) (local_unnamed_addr )?#/)
        $0 = substr($0, 1, at - 1) (mode == "add" ? ", ptr addrspace(1) %irprof_stamps" : "") ", i32 %irprof_never" substr($0, at)
    }
    print
    next
}
kernel && /^[a-z_A-Z0-9.]+:/ && stamped && !begun { print; begun = 1; begin(); next }
/call .*@stamp_point\(/ {
    match($0, /i32 (noundef )?[0-9]+\)/)
    split(substr($0, RSTART, RLENGTH - 1), word, " ")
    point = word[length(word)]
    if (stamped)
        stamp()
    next
}
/call .*@stamp_result\(/ {
    match($0, /i32 (noundef )?[0-9]+\)/)
    split(substr($0, RSTART, RLENGTH - 1), word, " ")
    point = result_point = word[length(word)]
    replacing = mode == "replace" || mode == "unguarded"
    next
}
replacing && /^ *store float / {
    replacing = 0
    point = result_point
    stamp()
    match($0, /store float [^,]*,/)
    value = substr($0, RSTART + 12, RLENGTH - 13)
    rest = substr($0, RSTART + RLENGTH)
    sub(/, !.*/, "", rest)
    put("%is.f" n " = bitcast i32 %is.v" n " to float")
    if (mode == "replace") {
        put("%is.n" n " = icmp ne i32 %irprof_never, 0")
        print "  %is.e" n " = select i1 %is.n" n ", float " value ", float %is.f" n metadata(point) guard(point)
        print "  store float %is.e" n "," rest guard(point)
    } else {
        print "  store float %is.f" n "," rest guard(point)
    }
    next
}
/^ *ret void/ && kernel && mode == "add" { point = 0; flush() }
/^}/ { kernel = 0 }
{ print }
END {
    if (cpu == "x86") {
        print "declare i64 @_Z12get_local_idj(i32)\ndeclare i64 @_Z12get_group_idj(i32)\ndeclare i64 @_Z14get_num_groupsj(i32)"
    } else {
        split(cpu == "amdgcn" ? "amdgcn.workitem.id amdgcn.workgroup.id" : "nvvm.read.ptx.sreg.tid nvvm.read.ptx.sreg.ctaid", names, " ")
        for (k = 1; k <= 2; k++)
            print "declare i32 @llvm." names[k] ".x()\ndeclare i32 @llvm." names[k] ".y()"
    }
    if (!stamped)
        exit
    print "declare i64 @llvm.readcyclecounter()"
    if (cpu == "amdgcn")
        print "@irprof_room = external addrspace(3) global [0 x i32], align 4"
    else
        print "@irprof_room = internal addrspace(3) global [" items " x [" room " x i32]] undef, align 4"
    list = ""
    for (k = 0; k <= 9; k++)
        list = list (k ? ", " : "") "!" (9100 + k)
    print "!irprof.stamps = !{" list "}"
    for (k = 0; k <= 9; k++) {
        print "!" (9000 + k) " = !{i32 " k "}"
        print "!" (9100 + k) " = !{i32 " k ", !\"point " k "\", !\"" (mode == "add" ? "add" : "replace") "\"}"
    }
}
