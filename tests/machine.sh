#!/usr/bin/env bash
# docs/operating.md on a machine of its own: boots Debian with its real systemd in a container, and runs every `sh` block there as root, with the hardened
# unit as it is. By hand: needs root, debootstrap and systemd-nspawn, and takes some minutes. `tests/operating.sh` is the short form that CI runs.
#
#   tests/machine.sh [PROGRAM [FOLDER]]      FOLDER keeps the system for the next time
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/debug/muninn}") kept=${2:-}
folder=${kept:-$(mktemp -d)}
trap 'test -n "$kept" || rm -rf "$folder"' EXIT
base=$folder/base machine=$folder/machine

if test ! -e "$base/complete"; then
    mkdir -p "$base"
    debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,curl,jq,ca-certificates bookworm "$base" > "$folder/debootstrap.log" 2>&1 \
        || { tail "$folder/debootstrap.log"; exit 1; }
    touch "$base/complete"
fi
rm -rf "$machine"
cp -a "$base" "$machine"
mkdir "$machine/release"
strip -o "$machine/release/muninn" "$program"
cp -r deploy "$machine/release"

awk '/^```sh$/ { block = 1; printf "echo \"# line %d\"\n", NR; next } /^```$/ { block = 0 } block' docs/operating.md > "$machine/commands"
cat > "$machine/run-commands" << 'RUN'
#!/bin/bash
cd /release
# What was played before, so that there is something to copy, verify and count. The unit gives the folder to its user.
./muninn simulate --game rosenkoenig --matches 3 --keep /var/lib/muninn > /dev/null
bash -euxo pipefail /commands && curl -sSf 'http://127.0.0.1:8080/v1/matches?status=finished' | grep -o '"status":"finished"' | wc -l
echo "ended with $?"
journalctl -u muninn --no-pager -n 20
RUN
chmod +x "$machine/run-commands"
cat > "$machine/etc/systemd/system/commands.service" << 'UNIT'
[Service]
Type=oneshot
ExecStart=/run-commands
StandardOutput=file:/result
StandardError=file:/result
ExecStopPost=/usr/bin/systemctl poweroff --no-block
TimeoutStartSec=300
UNIT
ln -s ../commands.service "$machine/etc/systemd/system/multi-user.target.wants/commands.service"
timeout 400 systemd-nspawn --register=no --keep-unit --private-network -D "$machine" -b > "$folder/boot.log" 2>&1 < /dev/null || { tail -5 "$folder/boot.log"; exit 1; }
cp "$machine/result" "$folder/result"
grep -E '^# line|^ended with' "$folder/result"
grep -q '^ended with 0' "$folder/result" && grep -qx 3 "$folder/result" || { tail -40 "$folder/result"; exit 1; }
