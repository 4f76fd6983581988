#!/bin/sh
# seeds.sh COMMIT - ten seeds of cores that nobody can have chosen, for the commit that freezes the methods: the SHA-256 of its name (40
# hexadecimal digits), the SHA-256 of that text, and so on; of these the decimal digits alone, one after the other, in groups of eight.
set -eu
[ $# -eq 1 ] || { echo "usage: seeds.sh COMMIT" >&2; exit 2; }
text=$1 digits=
while [ ${#digits} -lt 80 ]; do
    text=$(printf %s "$text" | sha256sum | cut -d ' ' -f 1)
    digits=$digits$(printf %s "$text" | tr -d a-f)
done
printf '%s\n' "$digits" | cut -c 1-80 | sed 's/......../&\n/g' | sed '/^$/d'
