#!/bin/sh
# The picture of a report page in docs/guide.md, by headless Chromium.
#   sh docs/report.sh out/raspberrypi3-sim/report.html    (from the repository's root; writes docs/report.png)
set -eu
page=$(realpath "${1:?which report.html}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The summary and every method's estimates, as they stand on the page
sed 's|</body>|<style>section { display: none } #summary, #estimators { display: block }</style></body>|' "$page" >"$folder/page.html"
chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --force-device-scale-factor=1 \
    --window-size=1120,"${2:-2520}" --screenshot="$folder/page.png" "file://$folder/page.html" 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cp "$folder/page.png" docs/report.png
