#!/bin/busybox sh
# shellcheck shell=dash
# init.sh - the first program of the emulated machine that is reached over ssh: what Debian's would do for that.
/bin/busybox mkdir -p /proc /sys /dev /tmp /run /usr/bin /usr/sbin /sbin /var/run
/bin/busybox --install -s
export PATH=/sbin:/bin:/usr/sbin:/usr/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/pts
mount -t devpts pts /dev/pts
chmod 1777 /tmp
for m in failover net_failover virtio_net virtio_mmio; do
    insmod /modules/$m.ko
done
hostname pi
ifconfig lo 127.0.0.1 up
ifconfig eth0 10.0.2.15 netmask 255.255.255.0 up
chown -R 1000:1000 /home/pi
chmod 700 /home/pi/.ssh /root/.ssh
chmod 600 /home/pi/.ssh/authorized_keys /root/.ssh/authorized_keys
mkdir -p /etc/dropbear
echo ready >/dev/console
while :; do
    dropbear -F -R -E -s -p 22
    sleep 1
done
