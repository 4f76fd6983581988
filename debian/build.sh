#!/bin/sh
# Debian packages of the files that git knows, as they stand here; `make deb` runs it.
#   sh debian/build.sh FOLDER [JOBS]      (from the repository's root; needs the build dependencies of debian/control)
# The packages are in FOLDER. TWICE=1 builds them a second time and compares: exit 1 if a byte differs.
set -eu
out=$(realpath -m "${1:?a folder to write to is missing}")
jobs=${2:-$(nproc)}
for program in dpkg-buildpackage dh; do
    command -v "$program" >/dev/null || { echo "debian/build.sh: $program is not installed; apt-get install dpkg-dev debhelper" >&2; exit 1; }
done
folder=$(mktemp -d "${TMPDIR:-/tmp}/shimgen-deb.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
mkdir "$folder/source"
git ls-files -z | xargs -0 ls -d 2>/dev/null | tar -c -T - | tar -x -C "$folder/source"
# The second time the sources are the same, whatever has changed here since.
build() { # TO
    rm -rf "$folder/shimgen" "$1"
    mkdir -p "$1"
    cp -a "$folder/source" "$folder/shimgen"
    (cd "$folder/shimgen" && DEB_BUILD_OPTIONS="parallel=$jobs noautodbgsym" dpkg-buildpackage -us -uc -b >"$folder/log" 2>&1) ||
        { tail -n 40 "$folder/log" >&2; exit 1; }
    mv "$folder"/*.deb "$folder"/*.changes "$folder"/*.buildinfo "$1"
}
build "$out"
[ -z "${TWICE:-}" ] || {
    build "$folder/again"
    for deb in "$out"/*.deb; do cmp "$deb" "$folder/again/${deb##*/}" || exit 1; done
    echo 'built twice: the same bytes'
}
ls "$out"/*.deb
