#!/usr/bin/env bash
# Make sure there is a Chromium for the browser tests. In this order:
#   1. one that the system already has (the names tests/browser/conftest.py looks for);
#   2. on Debian as root, the distribution's own package;
#   3. everywhere else, the one that Playwright downloads and keeps in its cache.
set -euo pipefail

for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null; then
        exit 0
    fi
done

# Ubuntu's package of the same name only points to a snap, which does not run in a container: Debian alone is asked.
if [ "$(id -u)" = 0 ] && grep -qs '^ID=debian' /etc/os-release; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
else
    "${PLAYWRIGHT:-playwright}" install chromium
fi
