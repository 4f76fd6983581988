#!/bin/sh
# A tarball for machines on which nobody may install: programs, their libraries, LLVM's programs; `make tarball` runs it.
#   sh base/tarball.sh BUILD LLVM_FOLDER TO      (from the repository's root, after `make`; needs patchelf and Debian's dpkg)
# All is found from where the programs lie: unpacked anywhere, it can be moved. Only the C library and what a linker needs
# (gcc, or binutils and libc6-dev) are the machine's. The last line printed is the oldest glibc that it runs with. The same
# build makes the same bytes.
set -eu
build=$1 llvm=$2 to=$3
export LC_ALL=C
command -v patchelf >/dev/null || { echo "base/tarball.sh: patchelf is not installed; apt-get install patchelf" >&2; exit 1; }
number=$(sed -n 's/^#define SHIMGEN_VERSION "\(.*\)"/\1/p' base/cli.h)
name=shimgen-$number-linux-$(uname -m)
work=$(mktemp -d "${TMPDIR:-/tmp}/shimgen-tarball.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
top=$work/$name
own=$top/lib/shimgen
${MAKE:-make} -s install-files BUILD="$build" DESTDIR="$work/" PREFIX="$name"

# LLVM's programs by the names that shimgen runs them by, with the headers that clang brings. Without llvm-symbolizer: only
# `shimgen measure --lines` runs it, and it would bring cryptography that nobody here keeps up to date.
mkdir -p "$own/llvm/bin" "$own/llvm/lib/clang" "$own/libraries" "$top/share/doc/shimgen/licences"
version=$("$llvm/bin/clang" -dumpversion)
version=${version%%.*}
for program in clang llvm-mca; do cp -L "$llvm/bin/$program" "$own/llvm/bin/$program-$version"; done
mkdir "$own/llvm/lib/clang/$version"
cp -RL "$llvm/lib/clang/$version/include" "$own/llvm/lib/clang/$version/include"

# What those need, less the C library, which must be the machine's.
programs() { find "$top/bin" "$own/llvm/bin" "$own" -maxdepth 1 -type f \( -path '*/bin/*' -o -name '*.so' \); }
ldd "$top"/bin/* "$own"/*.so "$llvm/bin/clang" "$llvm/bin/llvm-mca" >"$work/needed"
if grep 'not found' "$work/needed" >&2; then exit 1; fi
sed -n 's/^\t\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' "$work/needed" | sort -u |
    grep -v -E '^(libc|libm|libpthread|libdl|librt|libutil|libresolv|ld-linux.*)\.so' >"$work/libraries"
while read -r library file; do
    cp -L "$file" "$own/libraries/$library"
    chmod 644 "$own/libraries/$library"
    patchelf --set-rpath '$ORIGIN' "$own/libraries/$library"
done <"$work/libraries"
programs | while read -r file; do
    case $file in # a static program needs none
        */llvm/bin/*) patchelf --set-rpath '$ORIGIN/../../libraries' "$file" ;;
        */bin/*) patchelf --set-rpath '$ORIGIN/../lib/shimgen/libraries' "$file" ;;
        *.so) patchelf --set-rpath '$ORIGIN/libraries' "$file" ;;
    esac
done
find "$top" -type f \( -name '*.a' -o -name '*.o' \) -exec strip --strip-debug {} +
find "$top/bin" "$own" -maxdepth 1 -type f \( -path '*/bin/*' -o -name '*.so' -o -name shimgen-counters \) -exec strip --strip-unneeded {} +

# Licences: this one, and that of each package of which something is here.
cp LICENSE README.md docs/tutorial.md "$top/share/doc/shimgen/"
{ cut -d ' ' -f 2 "$work/libraries" && echo "$llvm/bin/clang"; } | while read -r file; do
    for known in "$file" "$(realpath "$file")" "/usr$file"; do dpkg-query -S "$known" 2>/dev/null && break; done || echo "? $file"
done | sed 's/[:,].*//' | sort -u >"$work/packages"
if grep '^?' "$work/packages" >&2; then echo "base/tarball.sh: these are of no package, so their licence is not known" >&2; exit 1; fi
while read -r package; do
    cp -L "/usr/share/doc/$package/copyright" "$top/share/doc/shimgen/licences/$package"
done <"$work/packages"

# The changelog's time, so that the same files give the same bytes.
time=${SOURCE_DATE_EPOCH:-$(date -d "$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)" +%s)}
mkdir -p "$to"
tar -C "$work" --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=go=rX -c "$name" | gzip -n >"$to/$name.tar.gz.part"
mv "$to/$name.tar.gz.part" "$to/$name.tar.gz"
ls -sh "$to/$name.tar.gz"
find "$top" -type f \( -path '*/bin/*' -o -name '*.so*' \) -exec objdump -T {} + 2>/dev/null |
    grep -o 'GLIBC_2\.[0-9]*' | sort -t . -k 2 -n | tail -n 1 | sed 's/GLIBC_/runs with glibc /; s/$/ or newer/'
