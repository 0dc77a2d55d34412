#!/bin/bash
# Makes a copy of a task that Harbor can run: Harbor builds from environment/ and uploads tests/, nothing else, so the
# paper and the public data go into the first and the splits into the second.  Usage: to_harbor.sh TASK_DIR NEW_DIR
set -eu
if [ $# != 2 ] || [ ! -f "$1/task.toml" ] || [ -e "$2" ]; then
    echo "usage: $0 TASK_DIR NEW_DIR (NEW_DIR must not exist yet)" >&2
    exit 2
fi
cp -r "$1" "$2"
cp -r "$1/paper.md" "$1/public" "$2/environment/"
mkdir "$2/tests/task"
cp -r "$1/splits" "$1/public" "$2/tests/task/"
