#!/bin/sh
# fetch.sh FOLDER - fetches what the emulated arm64 machines are made of from Debian, once: FOLDER/vmlinuz, FOLDER/dtb/,
# FOLDER/modules/ (the network), FOLDER/root/ (busybox and an ssh server), FOLDER/version. Packages are only unpacked, and
# apt works in FOLDER with lists of its own: neither root nor a foreign architecture is needed, and nothing of the system
# changes.
set -eu
folder=$1
[ ! -f "$folder/version" ] || exit 0
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || { echo 'this is not a Debian system' >&2 && exit 1; }
rm -rf "$folder"
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/root" "$folder/modules"
cd "$folder"
cat >apt.conf <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "2";
Dir::State "$folder";
Dir::State::status "/dev/null";
Dir::Cache "$folder/cache";
END
export APT_CONFIG="$folder/apt.conf"
apt-get update -qq >log 2>&1 || { cat log >&2 && exit 1; }
kernel=$(apt-cache depends linux-image-arm64 2>>log | sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' | head -n 1)
[ -n "$kernel" ] || { echo 'apt knows no linux-image-arm64' >&2 && exit 1; }
apt-get download -qq "$kernel" busybox-static dropbear-bin libtomcrypt1 libtommath1 libgmp10 zlib1g libcrypt1 >>log 2>&1 ||
    { cat log >&2 && exit 1; }
dpkg-deb --fsys-tarfile ./linux-image-*.deb | tar -x --wildcards './boot/vmlinuz-*' \
    './usr/lib/linux-image-*/broadcom/bcm2837-*' '*/virtio_mmio.ko' '*/failover.ko' '*/net_failover.ko' '*/virtio_net.ko'
mv boot/vmlinuz-* vmlinuz
mv usr/lib/linux-image-*/broadcom dtb
find lib -name '*.ko' -exec mv {} modules \;
rm -rf boot usr lib ./linux-image-*.deb
for p in ./*.deb; do
    dpkg-deb -x "$p" root
done
rm -rf root/usr/share root/usr/bin lists cache ./*.deb
echo "$kernel" >version
