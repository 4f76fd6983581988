#!/bin/sh
# units_seeds.sh FOLDER - names and files of instructions (units.c). Needs TOP.
set -eu
mkdir -p "$1"
units=$TOP/tests/cli/shim-xml/check-two/units.xml
name() { { echo "$2"; cat "${3:-$units}"; } >"$1"; }
name "$1/good" parts/units.xml
name "$1/round" ./parts/units.xml
name "$1/up" parts/../parts/units.xml
name "$1/absolute" /etc/passwd
name "$1/itself" board.xml
name "$1/folder" parts
name "$1/other" parts/units.xml "$TOP/tests/cli/shim-xml/check-two/every.xml"
printf 'parts/units.xml\n' >"$1/empty"
