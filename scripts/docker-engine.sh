#!/usr/bin/env bash
# Make sure a Docker engine answers, and say which.
#
# A running engine is used as it is. Otherwise, as root on Debian or Ubuntu, docker.io is installed when there is no
# `dockerd` (a `docker` command alone may be a client without an engine), and the engine is started: by systemd or the
# service script where they work, else by hand, logging to .cache/dockerd.log. Anyone else gets one line of what to do
# and exit status 3. Callers take turns, so that two of them never start two engines. Never stops an engine.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/stage.sh

mkdir -p .cache
exec 9>"${TMPDIR:-/tmp}/evalwright-docker-engine.$(id -u).lock"
flock 9

engine_version() { timeout 15 docker version --format '{{.Server.Version}}' 2>/dev/null; }

# Wait up to $1 seconds for the engine, or until the process $2, when given, has ended.
wait_for_engine() {
    local deadline=$((SECONDS + $1))
    until engine_version >/dev/null; do
        [ "$SECONDS" -lt "$deadline" ] || return 1
        [ -z "${2:-}" ] || kill -0 "$2" || return 1
        sleep 0.5
    done
}

# 9>&-, here and below: a daemon started with the lock open would hold it as long as it lives.
install_engine() { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq docker.io 9>&-; }

start_engine() {
    local pid=
    if [ -d /run/systemd/system ] && systemctl start docker 9>&-; then
        wait_for_engine 60 && return
    elif [ -x /etc/init.d/docker ] && service docker start 9>&-; then
        wait_for_engine 15 && return
    fi
    # One that is there and does not answer is starting, or still on its way out.
    while pidof dockerd && [ "$SECONDS" -lt 120 ]; do
        wait_for_engine 5 && return
    done
    setsid dockerd >>.cache/dockerd.log 2>&1 </dev/null 9>&- &
    pid=$!
    wait_for_engine 60 "$pid" || { tail -n 15 .cache/dockerd.log; return 1; }
}

refuse_unless_able() {
    if [ "$(id -u)" -ne 0 ]; then
        stop 3 "no Docker engine answers this user. As an administrator: apt-get install -y docker.io; usermod -aG \
docker $(id -un); then log in again"
    fi
    if ! command -v dockerd >/dev/null && ! command -v apt-get >/dev/null; then
        stop 3 "no Docker engine is installed and this is neither Debian nor Ubuntu. Install and start Docker 20.10 or newer"
    fi
}

if ! engine_version >/dev/null; then
    refuse_unless_able
    command -v dockerd >/dev/null && command -v docker >/dev/null || stage "apt-get install docker.io" install_engine
    engine_version >/dev/null || stage "start dockerd" start_engine || exit 3
fi
echo "Docker engine $(engine_version) answers"
