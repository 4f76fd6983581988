#!/bin/sh
# answer_seeds.sh FOLDER - seeds for the fuzz target of a board's answers: whole ones of each kind.
set -eu
mkdir -p "$1"
cd "$1"
printf 'o@m architecture aarch64\n@m old /tmp/shimgen-0a-12-345\n@m folder /tmp/shimgen-0a-7-99\n' >opening
printf 'o@m missing taskset\n@m nofolder\n' >missing
printf 'e@m ended 139 3 2\nabcde' >ended
printf 'e@m ended 3 -1 0\n' >no_result
printf 'e@m gone\n' >gone
printf 'f@m file /proc/cpuinfo\na\nb\n@m file /sys/devices/x\n\n@m file /proc/..\nx\n' >files
cat >result <<'EOT'
rshim-measure 1
source pmu
clock TSC_CYCLES 2600000000
core_ppm 1500000
cache cold
flush 2 1605632 0 clflushopt
priority nice -20
new_place 1
memory locked
other_threads_ns 0
left_out CPU_CYCLES 2
event CPU_CYCLES 61750 141500
region a%20b 1 3 a%20b 0 1 2 0 5 0 5300 1520000 0 0
value 3000
end 14
EOT
