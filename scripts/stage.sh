# Sourced, not run. Defines `stage`: one stage of a make target, shown as one line with its seconds.
#
#   stage "ruff check" .venv/bin/ruff check .
#
# What the command prints goes to .cache/logs/; only when it fails the end of that log is shown, and `stage` returns
# the command's exit status. The command may be a shell function: it runs in the caller's shell.

stage() {
    local name=$1 started=$EPOCHREALTIME status=0 log tenths
    shift
    mkdir -p .cache/logs
    log=.cache/logs/${name//[^a-zA-Z0-9.]/-}.log
    printf '%-34s' "$name"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    tenths=$(((${EPOCHREALTIME/[.,]/} - ${started/[.,]/}) / 100000))
    if [ "$status" -eq 0 ]; then
        printf 'ok      %4d.%d s\n' $((tenths / 10)) $((tenths % 10))
    else
        printf 'FAILED  %4d.%d s\n' $((tenths / 10)) $((tenths % 10))
        tail -n 40 "$log" | sed 's/^/    /'
        printf '%s: failed with status %d; all it printed is in %s\n' "$name" "$status" "$log" >&2
    fi
    return "$status"
}

# Say in one line why this cannot go on and what to do about it, and stop: `stop EXIT_STATUS SENTENCE`.
stop() {
    printf 'evalwright: %s\n' "$2" >&2
    exit "$1"
}
