#!/usr/bin/env bash
# A real PostgreSQL for the tests.
#   postgres.sh install        makes sure there is one (on Debian, as root; elsewhere the tests say what is missing)
#   postgres.sh start FOLDER   starts a private cluster there, on a socket only, and prints its address
#   postgres.sh stop FOLDER    stops it at once, as a power cut does
#   postgres.sh resume FOLDER  starts it again
set -euo pipefail

find_bin() {
    local bin
    for bin in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -Vr) $(dirname "$(command -v initdb || echo /nowhere/initdb)"); do
        [[ -x $bin/initdb && -x $bin/pg_ctl ]] && { echo "$bin"; return; }
    done
    return 1
}

as_owner() { # PostgreSQL refuses to run as root.
    if [[ $(id -u) -eq 0 ]]; then setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"; else "$@"; fi
}

run_server() {
    as_owner "$1/pg_ctl" --pgdata="$2/data" --log="$2/log" --wait --silent \
        --options="-c listen_addresses='' -c unix_socket_directories='$2' -c fsync=off" start >/dev/null
}

case ${1:-} in
install)
    find_bin >/dev/null && exit 0
    if [[ $(id -u) -eq 0 && -x $(command -v apt-get) ]]; then
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql >/dev/null
    fi
    ;;
start)
    folder=$2
    bin=$(find_bin) || { echo "no PostgreSQL: got no initdb, possible is after 'apt-get install postgresql'" >&2; exit 3; }
    mkdir -p "$folder"
    if [[ $(id -u) -eq 0 ]]; then chown postgres "$folder"; fi
    cd "$folder"
    as_owner "$bin/initdb" --pgdata="$folder/data" --username=espalier --auth=trust --encoding=UTF8 --no-sync >/dev/null
    run_server "$bin" "$folder"
    echo "postgresql+psycopg://espalier@/postgres?host=$folder"
    ;;
resume)
    cd "$2"
    run_server "$(find_bin)" "$2"
    ;;
stop)
    bin=$(find_bin)
    cd "$2"
    as_owner "$bin/pg_ctl" --pgdata="$2/data" --mode=immediate --silent stop
    ;;
*)
    echo "unknown command: got '${1:-}', possible are install, start FOLDER, stop FOLDER, resume FOLDER" >&2
    exit 2
    ;;
esac
