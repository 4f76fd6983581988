#!/bin/sh
# setup.sh LIST [FOLDER]: installs the Debian packages of a list that this machine lacks, and of a board's own list,
# FOLDER/packages.txt, if it has one; does nothing when all are there.
#   NO_INSTALL=1   only names them
#   LLVM_CONFIG    another than llvm-config-19: of the packages marked [llvm] those of that LLVM (llvm-config-NN), or none
#   NO_TESTS=1     nor are those marked [test]
#   SSH            the board is reached over ssh
# A board's list may be a stranger's, and apt-get runs as root: a word that is no package name is refused.
set -euf
list=$1
folder=${2:-}
words() { # FILE: its lines without those that say nothing; a line whose word is no package name ends all
    LC_ALL=C awk '
        { said = $0; sub(/#.*/, ""); gsub(/[ \t\r]+/, " "); sub(/^ /, ""); sub(/ $/, "") }
        $0 == "" { next }
        !/^[a-z0-9][a-z0-9+.-]*$/ || /[+-]$/ {
            printf "setup: %s:%d: \047%s\047 is not the name of a Debian package (small letters, digits, + . - inside; " \
                "one a line); nothing is installed: correct the line\n", FILENAME, FNR, $0 | "cat >&2"
            bad = 1
            exit
        }
        { print said }
        END { close("cat >&2"); exit bad }' "$1"
}
value() { # KEY: of the board's description
    sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" "$folder/board.ini" | head -n 1
}
case $folder in # the description itself may be named
    *.ini) folder=$(dirname "$folder") ;;
esac
if [ -n "$folder" ] && [ ! -f "$folder/board.ini" ]; then
    known=$(cd boards && find . -path "./*/board.ini" | cut -d / -f 2 | sort)
    echo "setup: there is no board '${folder#boards/}'; boards are:" $known \
        "(or the path of a board's folder, made by 'shimgen board new')" >&2
    exit 1
fi
wanted=$(words "$list")
if [ -n "${NO_TESTS:-}" ]; then
    wanted=$(printf '%s\n' "$wanted" | grep -v '\[test\]')
fi
if [ -n "$folder" ] && [ -f "$folder/packages.txt" ]; then
    own=$(words "$folder/packages.txt")
    target=$(value target)
    if [ "${target%%-*}" = "$(uname -m)" ]; then # what is for other machines is not needed, nor is it to be had
        own=$(printf '%s\n' "$own" | grep -v -e '-cross' -e '^binutils-' -e '^gcc-' || true)
        case $(value how) in
            native | '') [ -n "${SSH:-}" ] || own= ;;
        esac
    fi
    wanted=$(printf '%s\n%s\n' "$wanted" "$own")
fi
case ${LLVM_CONFIG:-llvm-config-19} in
    llvm-config-19) ;;
    llvm-config-[1-9][0-9]) wanted=$(printf '%s\n' "$wanted" | sed "/\[llvm\]/s/19/${LLVM_CONFIG#llvm-config-}/") ;;
    *) wanted=$(printf '%s\n' "$wanted" | grep -v '\[llvm\]') ;;
esac
wanted=$(printf '%s\n' "$wanted" | awk '!seen[$1]++ {print $1}')

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "setup: this is not a Debian system; needed are the equivalents of:" $wanted >&2
    exit 0
fi
# A package may stand for a name that is none: chromium-browser for chromium, on Ubuntu.
provided=$(dpkg-query -W -f='${db:Status-Status} ${Provides}\n' 2>/dev/null | awk '$1 == "installed" { $1 = ""; gsub(/\([^)]*\)|,/, " "); print }')
missing=
for p in $wanted; do
    s=$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null || true)
    case " $(echo $provided) " in *" $p "*) s=installed ;; esac
    [ "$s" = installed ] || missing="$missing $p"
done
[ -n "$missing" ] || exit 0

echo "setup: missing packages:$missing" >&2
if [ -n "${NO_INSTALL:-}" ]; then
    echo "setup: NO_INSTALL is set: install them yourself with: apt-get install$missing" >&2
    exit 0
fi
if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
else
    echo "setup: neither root nor sudo: as root, run: apt-get install$missing" >&2
    exit 1
fi
echo "setup: installing them with apt-get" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get -o DPkg::Lock::Timeout=600 update -qq ||
    echo "setup: apt-get update failed; installing from the lists that are there" >&2
$as_root apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends -- $missing >/dev/null
