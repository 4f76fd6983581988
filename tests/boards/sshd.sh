# shellcheck shell=sh
# sshd.sh - read by scripts: a board on loopback. An sshd of our own with its own keys, port and configuration, run by
# whoever runs the test; a board.ini that is reached through it. Needs openssh-server and openssh-client.

daemon=/usr/sbin/sshd
at=$PWD/sshd
me=$(id -un)

start_sshd() {
    mkdir "$at" && ssh-keygen -q -t ed25519 -N '' -f "$at/host" && ssh-keygen -q -t ed25519 -N '' -f "$at/key" &&
        ssh-keygen -q -t ed25519 -N '' -f "$at/other" && cp "$at/key.pub" "$at/authorized" || return 1
    if [ "$(id -u)" = 0 ]; then # where it puts its helpers; its package's service makes it
        mkdir -p /run/sshd
    fi
    port=$((20000 + $$ % 20000))
    for _ in 1 2 3 4 5; do
        write_config
        run_sshd
        for _ in $(seq 100); do # a busy machine takes seconds; a server that cannot have the port ends at once
            if grep -q 'Server listening' "$at/log"; then
                echo "[127.0.0.1]:$port $(cut -d ' ' -f 1,2 "$at/host.pub")" >"$at/known"
                return 0
            fi
            kill -0 "$sshd" 2>/dev/null || break
            sleep 0.1
        done
        port=$((port + 1))
    done
    cat "$at/log"
    return 1
}
run_sshd() {
    "$daemon" -D -e -f "$at/config" 2>"$at/log" </dev/null &
    sshd=$!
}
write_config() {
    cat >"$at/config" <<EOT
ListenAddress 127.0.0.1:$port
HostKey $at/host
AuthorizedKeysFile $at/authorized
PidFile none
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
StrictModes no
PermitRootLogin yes
PermitUserRC no
MaxStartups 100
LogLevel VERBOSE
EOT
}
children() { # PROCESS
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '{ sub(/\(.*\)/, "x"); if ($4 == parent) print $1 }'
}
# The processes of all connections: the privileged half and, where there is one, the user's half below it.
sessions() {
    for p in $(children "$sshd"); do
        echo "$p"
        for q in $(children "$p"); do
            ! grep -qs '^Name:.sshd' "/proc/$q/status" || echo "$q"
        done
    done
}
# What they have started goes on, as when a cable is pulled.
kill_sessions() {
    for p in $(sessions); do
        kill -KILL "$p" 2>/dev/null
    done
    true
}
stop_sshd() {
    them=$(sessions)
    # shellcheck disable=SC2086 # a list
    kill -KILL "$sshd" $them 2>/dev/null
    wait "$sshd" 2>/dev/null
    true
}

# board NAME [LINES]: boards/NAME/board.ini, this machine over ssh; LINES are added to its [run].
board() {
    mkdir -p "boards/$1" remote
    cat >"boards/$1/board.ini" <<EOT
[compile]
levels = O0
[run]
how = ssh
ssh = $me@127.0.0.1
ssh_options = -F none -p $port -i $at/${key-key} -o IdentitiesOnly=yes -o UserKnownHostsFile=${known-$at/known}
folder = $PWD/remote
runs = 3
extra_runs = 30
priority = normal
cache = warm
$2
EOT
}
