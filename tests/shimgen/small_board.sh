#!/bin/sh
# small_board.sh - sourced by tests: a simulated board (./mine) and six sample programs (./set), of which a build takes
# seconds and gives the same figures each time. Needs TOP, and qemu-aarch64 with a linker for it (small_board_lacks).

# Prints what is missing; nothing: all is there.
small_board_lacks() {
    for tool in qemu-aarch64 aarch64-linux-gnu-ld; do
        command -v $tool >/dev/null || echo "no $tool"
    done
}

small_sample() { # NAME ROLE STATEMENT
    echo "$1,loops,$2,$1.c,1000,loops" >>set/own/manifest.csv
    cat >"set/own/$1.c" <<C
#include <sample.h>
int main(void)
{
    volatile unsigned n = 1;
    unsigned x = 12345;
    shim_region_begin("r");
    for (unsigned i = 0; i < 300; i++) {
        x = x * 1103515245u + 12345u;
        $3
    }
    shim_region_end("r");
    return n == 0;
}
C
}

small_board() {
    mkdir -p mine set/own
    cp "$TOP"/boards/raspberrypi3-sim/cortex-a53.ini "$TOP"/boards/raspberrypi3/skeleton.shim.xml mine/
    sed -e 's,\.\./raspberrypi3/,,' -e 's/^levels = .*/levels = O2/' "$TOP"/boards/raspberrypi3-sim/board.ini >mine/board.ini
    cp "$TOP/samples/sample.h" set/
    echo 'program,domain,role,sources,work,stresses' >set/own/manifest.csv
    small_sample add train 'n = n + x;'
    small_sample mul train 'n = n * (x | 1);'
    small_sample div train 'n = x / (n | 1);'
    small_sample if train 'if ((x >> 20) & 1) n = n + 2;'
    small_sample shift train 'n = n ^ (x >> (i & 7));'
    small_sample test test 'n = n + (x & 3) * 5;'
}

# All that writes into a build's folder, in turn. It reads or heals what is there. small_exec=exec: in the place of this shell.
small_command() { # micro|build|probes|report FOLDER
    case $1 in
    micro) ${small_exec:-} shimgen micro ./mine --keys 'add.i32,mul.i32,load.i32' -o "$2" ;;
    build) ${small_exec:-} shimgen build ./mine --samples set --no-micro --no-memory --no-compare -o "$2" ;;
    probes) ${small_exec:-} shimgen build ./mine --samples set --no-micro --no-compare -o "$2" ;;
    report) ${small_exec:-} shimgen report ./mine --samples set --no-compare -o "$2" ;;
    esac
}

# The files of FOLDER that say the same in each build, as text to be compared: without the lock, the time that a launch
# took, the date, the checksums of what has these, and the sizes that the page gives of it.
small_files() { # FOLDER
    (
        cd "$1" || exit
        find . -type f ! -name .lock ! -name checksums.csv ! -name conditions.json ! -name report.html -exec cksum {} + | sort -k3
        find . -name conditions.json -exec grep -v -e '"wall_s"' -e '"date"' -e '"checksum"' {} +
        [ ! -f report.html ] || sed 's|[0-9.]*[^0-9a-z]*KiB|KiB|g' report.html | cksum
        grep -v -e '^conditions.json,' -e '^report.html,' checksums.csv
    )
}
