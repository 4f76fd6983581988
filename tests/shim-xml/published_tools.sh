#!/bin/sh
# published_tools.sh - the published SHIM tools, with the commands of reference_tools.c:
#   SHIM_TOOLS=FOLDER REFERENCE_TOOLS=tests/shim-xml/published_tools.sh sh docs/formats/shim-file.sh FILE PROFILE
# FOLDER has, at any depth, MeasurementCycleWriteback.jar and MeasurementMemoryWriteback.jar (openshim/shim) and AmaltheaTools.jar
# (openshim/shim2), and JAXB's jars if the Java that is there has none (after Java 8; Debian: libjaxb-java, in /usr/share/java).
# Exit status 77: this tool is not here, and which.
set -eu
tools=${SHIM_TOOLS:-}
lacking() { echo "published_tools.sh: skipped: $1" >&2; exit 77; }
jar() { # NAME
    [ -d "$tools" ] || lacking "$1: SHIM_TOOLS names no folder"
    found=$(find "$tools" -name "$1.jar" -o -name "$1[-_]*.jar" | head -n 1)
    [ -n "$found" ] || lacking "$1: no $1.jar in $tools"
    command -v java >/dev/null || lacking "$1: no java"
}
classes() { # of JAXB, beside the tool
    find "$tools" /usr/share/java \( -name 'jaxb*.jar' -o -name '*activation*.jar' -o -name 'istack*.jar' -o -name 'txw2*.jar' \) 2>/dev/null | tr '\n' ':'
}
main_of() { # the class that the jar starts with
    unzip -p "$1" META-INF/MANIFEST.MF | tr -d '\r' | sed -n 's/^Main-Class: *//p'
}
attribute() { # NAME FILE: all its values
    grep -o "$1=\"[^\"]*\"" "$2" | sed 's/^[^"]*"//; s/"$//' | sort -u
}
is_two() { grep -q '<[A-Za-z]*:*Shim[ >]' "$1"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case ${1:-} in
api) # loading and saving alone: a write-back of no measurement
    is_two "$2" && lacking "loading and saving of SHIM 2.0: no published tool does that alone without a window"
    jar MeasurementCycleWriteback
    java -cp "$found:$(classes)" "$(main_of "$found")" -out "$3" -in "$2"
    ;;
memory)
    jar MeasurementMemoryWriteback
    : >"$work/none.csv"
    java -cp "$found:$(classes)" "$(main_of "$found")" "$work/none.csv" "$2" >"$3"
    ;;
cycles) # a table is called ARCH__INSTRUCTIONSET.csv
    jar MeasurementCycleWriteback
    attribute 'CommonInstructionSet name' "$3" | tr -c 'A-Za-z0-9_\n' _ >"$work/sets"
    attribute ' arch' "$3" | tr -c 'A-Za-z0-9_\n' _ | while read -r arch; do
        while read -r set; do cp "$2" "$work/${arch}__$set.csv"; done <"$work/sets"
    done
    java -cp "$found:$(classes)" "$(main_of "$found")" -out "$4" -in "$3" -c "$work"
    ;;
performance)
    jar AmaltheaTools
    cp "$3" "$work/now.xml" # one core after the other
    grep -o '<[A-Za-z:]*MasterComponent [^>]*' "$3" | grep -o ' id="[^"]*"' | sed 's/^[^"]*"//; s/"$//' >"$work/cores"
    while read -r core; do
        java -cp "$found:$(classes)" Performance2SHIM -o "$work/next.xml" -c "$2" -m "$core" "$work/now.xml" </dev/null
        mv "$work/next.xml" "$work/now.xml"
    done <"$work/cores"
    cp "$work/now.xml" "$4"
    ;;
*)
    echo 'published_tools.sh: api IN OUT, memory IN OUT, cycles CSV IN OUT or performance CSV IN OUT' >&2
    exit 2
    ;;
esac
