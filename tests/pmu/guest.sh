# shellcheck shell=bash
# guest.sh - sourced by tests in bash: an emulated arm64 machine with Debian's kernel, whose only program is init.c. It
# is asked over its serial line, which qemu makes a pair of named pipes; `ask` is the other end. Needs TOP and BUILD,
# and an empty folder to be in.
here=$TOP/tests/pmu
cache=$BUILD/tests/pmu
GUEST=$PWD/line
export GUEST here
target='--target=aarch64-linux-gnu -mcpu=cortex-a53'

# What is missing, in words; nothing: all is there. The kernel is fetched once for a build folder.
guest_missing() {
    local p
    for p in qemu-system-aarch64:qemu-system-arm cpio:cpio clang:clang-19; do
        command -v "${p%:*}" >/dev/null || { echo "no ${p%:*} here (Debian: ${p#*:})" && return; }
    done
    [ -f /usr/aarch64-linux-gnu/lib/libc.a ] || { echo 'no C library for arm64 here (Debian: libc6-dev-arm64-cross)' && return; }
    mkdir -p "$cache"
    flock "$cache/lock" timeout 240 "$here/fetch.sh" "$cache/kernel" >fetch.log 2>&1 ||
        echo "what Debian has for arm64 is not to be had: $(tail -n 1 fetch.log)"
}

# The measuring runtime as the product's own sources make it, for the guest.
guest_runtime() {
    local f
    mkdir -p root rt
    for f in "$TOP"/boards/runtime/*.c; do
        # shellcheck disable=SC2086 # words
        clang $target -std=c17 -D_GNU_SOURCE -I"$TOP" -Wall -Wextra -Werror -O2 -c "$f" -o "rt/$(basename "$f" .c).o" || return 1
    done
    # shellcheck disable=SC2086
    clang $target -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -static "$here/init.c" -o root/init
}
# guest_program NAME SOURCE: measured in the guest as /NAME, and plain as NAME.plain here; the launcher is ./NAME.
guest_program() {
    # shellcheck disable=SC2086
    clang $target -D_GNU_SOURCE -O2 -g -I"$BUILD/include" -c "$2" -o "$1.o" &&
        clang $target -static "$1.o" rt/*.o -Wl,--wrap=main -lm -o "root/$1" &&
        clang $target -static "$1.o" -lm -o "$1.plain" || return 1
    printf '#!/bin/sh\nexec "$here/ask" measured /%s $GUEST_WITH\n' "$1" >"$1"
    chmod +x "$1"
}

# guest_start MACHINE CYCLES-SHIFT: one executed instruction takes 2^SHIFT cycles of the emulated 1 GHz clock, however
# busy this computer is. One core: this emulator's PMUs count the instructions of all cores together. (The others of the
# Pi wait in a loop of the firmware's: some instructions in a million.) What the kernel says before goes to ./console.
guest_start() {
    (cd root && find . | cpio -o -H newc --quiet) | gzip -1 >initrd || return 1
    rm -f "$GUEST".in "$GUEST".out
    mkfifo "$GUEST".in "$GUEST".out
    local machine tty
    case $1 in # the PL011 of the Pi's device tree belongs to its Bluetooth
    raspi3b) tty=ttyS1 machine="-M raspi3b -dtb $cache/kernel/dtb/bcm2837-rpi-3-b.dtb -serial null -serial pipe:$GUEST" ;;
    *) tty=ttyAMA0 machine="-M virt -cpu cortex-a53 -smp 1 -m 512 -serial pipe:$GUEST" ;;
    esac
    # shellcheck disable=SC2086
    qemu-system-aarch64 $machine -icount shift="$2",sleep=off -nodefaults -display none -monitor none -no-reboot \
        -kernel "$cache/kernel/vmlinuz" -initrd initrd -append "console=$tty line=/dev/$tty loglevel=2 panic=-1 maxcpus=1" \
        </dev/null >qemu.log 2>&1 &
    guest=$!
    trap 'kill $guest 2>/dev/null' EXIT
    exec 8<>"$GUEST".out
    local line
    while IFS= read -r -t 120 line <&8; do
        [ "${line%ready}" = "$line" ] || return 0
        echo "$line" >>console
    done
    echo "the emulated machine did not start: $(tail -n 3 qemu.log console 2>/dev/null)" >&2
    return 1
}
# guest_ssh_start: the emulator's own machine with four cores, as `ssh -F $PWD/config pi` and `ssh -F $PWD/config
# root@pi` reach it. Its clock is this computer's, apart from that an instruction takes two cycles.
guest_ssh_start() {
    mkdir -p root/etc root/root/.ssh root/home/pi/.ssh root/lib
    cp -R "$cache/kernel/root/." root/ && cp -R "$cache/kernel/modules" root/ && cp "$here/init.sh" root/init &&
        cp /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1 /usr/aarch64-linux-gnu/lib/libc.so.6 root/lib/ &&
        ssh-keygen -q -t ed25519 -N '' -f key || return 1
    chmod +x root/init
    printf 'root:x:0:0::/root:/bin/sh\npi:x:1000:1000::/home/pi:/bin/sh\n' >root/etc/passwd
    printf 'root:x:0:\npi:x:1000:\n' >root/etc/group
    echo /bin/sh >root/etc/shells
    cp key.pub root/root/.ssh/authorized_keys
    cp key.pub root/home/pi/.ssh/authorized_keys
    local port=$((20000 + $$ % 12000))
    while (exec 9<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
        port=$((port + 1)) # somebody listens there
    done
    cat >config <<END
Host pi
HostName 127.0.0.1
Port $port
User pi
IdentityFile $PWD/key
IdentitiesOnly yes
StrictHostKeyChecking no
UserKnownHostsFile $PWD/known_hosts
END
    (cd root && find . | cpio -o -H newc -R 0:0 --quiet) | gzip -1 >initrd || return 1
    qemu-system-aarch64 -M virt -cpu cortex-a53 -smp 4 -m 512 -icount shift=1 -nodefaults -display none -monitor none \
        -no-reboot -netdev user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:$port-:22 -device virtio-net-device,netdev=net \
        -kernel "$cache/kernel/vmlinuz" -initrd initrd -append 'console=ttyAMA0 loglevel=2 panic=-1' \
        -serial file:console </dev/null >qemu.log 2>&1 &
    guest=$!
    trap 'kill $guest 2>/dev/null' EXIT

    for _ in $(seq 20); do
        ssh -F config -o ConnectTimeout=10 root@pi true 2>ssh.log && return 0
        kill -0 "$guest" 2>/dev/null || break
        sleep 1
    done
    echo "the emulated machine is not reached: $(tail -n 3 qemu.log console ssh.log 2>/dev/null)" >&2
    return 1
}
guest_stop() {
    exec 8<&-
    kill "$guest" && wait "$guest" 2>/dev/null
    trap - EXIT
}
