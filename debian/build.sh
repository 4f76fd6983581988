#!/bin/sh
# Debian packages of these sources as they stand; `make deb` runs it.
#   sh debian/build.sh FOLDER [JOBS]      (from the repository's root; needs the build dependencies of debian/control)
# The packages are in FOLDER. TWICE=1 builds them a second time, in a folder of another name and depth, in another time
# zone, with other permissions for new files, and compares: exit 1 if a byte differs. Git is not needed: in a clone what it
# knows is packed, in a folder without .git all that is there, less what a build leaves behind.
set -eu
out=$(realpath -m "${1:?a folder to write to is missing}")
jobs=${2:-$(nproc)}
for program in dpkg-buildpackage dh; do
    command -v "$program" >/dev/null || { echo "debian/build.sh: $program is not installed; apt-get install dpkg-dev debhelper" >&2; exit 1; }
done
folder=$(mktemp -d "${TMPDIR:-/tmp}/shimgen-deb.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
sources() {
    if [ -e .git ] && command -v git >/dev/null; then
        git ls-files -z | xargs -0 ls -d 2>/dev/null
    else # the folders and files of .gitignore
        find . -mindepth 1 \( -path ./build -o -path ./out -o -path ./shimgen-demo -o -name .git -o -name '*.o' -o -name irprof.out \) -prune -o ! -type d -print
    fi
}
mkdir "$folder/source"
sources | tar -c -T - | tar -x --no-same-permissions -C "$folder/source"
# The second time the sources are the same, whatever has changed here since.
build() { # IN TO
    mkdir -p "$(dirname "$1")" "$2"
    cp -a "$folder/source" "$1"
    (cd "$1" && DEB_BUILD_OPTIONS="parallel=$jobs noautodbgsym" dpkg-buildpackage -us -uc -b >"$folder/log" 2>&1) ||
        { tail -n 40 "$folder/log" >&2; exit 1; }
    mv "$1"/../*.deb "$1"/../*.changes "$1"/../*.buildinfo "$2"
    rm -rf "$1"
}
rm -rf "$out"
build "$folder/shimgen" "$out"
[ -z "${TWICE:-}" ] || {
    (umask 002 && TZ=Asia/Tokyo build "$folder/elsewhere/another/folder" "$folder/again")
    for deb in "$out"/*.deb; do cmp "$deb" "$folder/again/${deb##*/}" || exit 1; done
    echo 'built in two places: the same bytes'
}
ls "$out"/*.deb
