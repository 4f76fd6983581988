#!/bin/sh
# slurm.sh - sourced by tests: a cluster of Slurm that is this machine, with two nodes of one processor each, on ports and
# in folders of its own (./slurm). Needs Debian's slurmctld, slurmd, slurm-client and munge, and root: the daemon of a
# node starts jobs as their users. Tasks of tests take seconds: batch_sched_delay=0 has the controller look for the next one every
# second, not 3 seconds after it last did.

slurm_lacks() { # prints why there can be none; nothing: there can
    for tool in munged slurmctld slurmd sbatch; do
        command -v $tool >/dev/null || echo "no $tool"
    done
    [ "$(id -u)" = 0 ] || echo 'only root can start the daemon of a node'
}

slurm_config() { # PORT
    cat <<CONF
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmctldPort=$1
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd-%n.pid
SlurmdSpoolDir=$slurm/spool-%n
StateSaveLocation=$slurm/state
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd-%n.log
SlurmdTimeout=8
KillWait=2
ReturnToService=2
NodeName=n[1-2] NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=[$(($1 + 1))-$(($1 + 2))] CPUs=1
PartitionName=boards Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
CONF
}

# Its processes are $munged, $controller, $node1, $node2. Returns 1 where it does not come up; ./slurm/*.log say why.
slurm_start() {
    slurm=$PWD/slurm
    mkdir -p "$slurm/state" "$slurm/spool-n1" "$slurm/spool-n2"
    chmod 755 "$slurm"
    slurm_config $((20000 + $$ % 20000)) >"$slurm/slurm.conf"
    export SLURM_CONF="$slurm/slurm.conf"
    (umask 077 && dd if=/dev/urandom of="$slurm/munge.key" bs=1024 count=1 2>/dev/null)
    munged --foreground --force --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" --pid-file="$slurm/munged.pid" \
        --log-file="$slurm/munged.log" --seed-file="$slurm/munge.seed" >"$slurm/munged.out" 2>&1 &
    munged=$!
    slurm_until 30 test -S "$slurm/munge.socket" || return 1
    slurmctld -D >"$slurm/controller.out" 2>&1 &
    controller=$!
    node1=$(slurmd -D -N n1 >"$slurm/n1.out" 2>&1 & echo $!) # of a shell that is gone: none says that it was killed
    slurmd -D -N n2 >"$slurm/n2.out" 2>&1 &
    node2=$!
    slurm_until 60 slurm_is_up
}

slurm_is_up() {
    [ "$(sinfo -h -N -t idle 2>/dev/null | wc -l)" = 2 ]
}

slurm_until() { # SECONDS COMMAND...
    tries=$(($1 * 5))
    shift
    while [ $tries -gt 0 ]; do
        "$@" && return 0
        sleep 0.2
        tries=$((tries - 1))
    done
    return 1
}

# The first node is gone, with all that runs on it: no word to the controller.
slurm_kill_node() {
    kill -KILL "$node1"
    ps -eo pid=,ppid=,args= | awk -v spool="$slurm/spool-n1/" 'index($0, spool) && !/awk/ { print $1, $2 }' | while read -r script step; do
        kill -KILL "$step" "-$script" 2>/dev/null
    done
}

slurm_stop() {
    for p in $node1 $node2 $controller $munged; do
        kill "$p" 2>/dev/null
    done
    wait 2>/dev/null
}
