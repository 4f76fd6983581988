#!/bin/sh
# damage.sh HOW FILE - damages a file: cut in half, empty, filled with zeros, or with one digit (else one byte) changed.
set -eu
size=$(wc -c <"$2")
case $1 in
cut) head -c $((size / 2)) "$2" >damaged.tmp && cat damaged.tmp >"$2" && rm damaged.tmp ;;
empty) : >"$2" ;;
zero) head -c "$size" /dev/zero >"$2" ;;
digit)
    # the middle one of all digits; '7' becomes '3', all others '7'
    at=$(LC_ALL=C grep -obUa '[0-9]' "$2" | awk -F: '{ at[NR] = $1 } END { if (NR) print at[int((NR + 1) / 2)] }')
    [ -n "$at" ] || at=$((size / 2))
    old=$(tail -c +$((at + 1)) "$2" | head -c 1 | tr -d '\0')
    new=7
    [ "$old" != 7 ] || new=3
    printf %s $new | dd of="$2" bs=1 seek="$at" conv=notrunc 2>/dev/null
    ;;
esac
