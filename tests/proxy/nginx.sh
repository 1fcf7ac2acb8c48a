#!/usr/bin/env bash
# A real nginx for the tests: makes sure there is one (on Debian, as root; elsewhere the test says what is missing).
set -euo pipefail

[[ -x $(command -v nginx || echo /usr/sbin/nginx) ]] && exit 0
if [[ $(id -u) -eq 0 && -x $(command -v apt-get) ]]; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq && apt-get install -y -qq --no-install-recommends nginx-light >/dev/null
fi
