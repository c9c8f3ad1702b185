# Read by the scripts beside it. Commands below a line `#> PAGE`, up to the next empty line, are those of that page; a test compares.
set -euo pipefail
# Each background command gets a process group of its own, so that it can be ended as Ctrl-C does.
set -m

# The clone of the repository that this file is in, and the folder for everything else.
clone=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$PWD
[[ -z $(ls -A "$here") ]] || { echo "$here is not empty" >&2; exit 2; }
URL=${TICKWIRE_URL:-http://127.0.0.1:8080}

say() { printf '== %s\n' "$*"; }

# wait_for SECONDS COMMAND…: until the command succeeds.
wait_for() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < deadline)) || { echo "not in time: $*" >&2; tail -n 20 "$here"/*.log >&2; exit 1; }
    sleep 0.2
  done
}

is_ready() { curl -fs -o /dev/null "$URL/readyz"; }

# interrupt PID: Ctrl-C for a background command. Returns its exit status.
interrupt() {
  kill -INT -- "-$1"
  wait "$1"
}

end_all() {
  for pid in $(jobs -p); do kill -TERM -- "-$pid" 2>/dev/null || true; done
  wait
}
trap end_all EXIT
