#!/usr/bin/env bash
# Stands in for commands that need root, on a machine without systemd: the test links it under their names. It starts the unit of the
# script, whose paths it takes below $PREFIX, and nginx with the files of $PREFIX/etc/nginx/conf.d.
set -euo pipefail
unit=$PREFIX/etc/systemd/system/tickwire.service
state=$PREFIX/run

# What the unit says, below the folder. Node is the one of the PATH.
settings() { sed -nE "s#^$1=##p" "$unit" | sed -E "s#(^|[ =])/(opt|etc|var)/#\1$PREFIX/\2/#g; s#^/usr/bin/node #node #"; }
# The variables of a file, as systemd reads it.
variables() { grep -E '^[A-Z_]+=' "$1"; }

start_service() {
  local -a environment command
  mkdir -p "$state"
  install -d -m 700 "$(settings WorkingDirectory)"
  cd "$(settings WorkingDirectory)"
  mapfile -t environment < <(settings Environment; variables "$(settings EnvironmentFile)")
  read -ra command < <(settings ExecStart)
  env "${environment[@]}" setsid "${command[@]}" >>"$state/tickwire.log" 2>&1 </dev/null &
  echo $! >"$state/tickwire.pid"
}

# A process that ended may still wait for its parent to notice.
runs() { grep -qE '^State:\s+[^ZX]' "/proc/$1/status" 2>/dev/null; }

stop_service() {
  local pid
  pid=$(cat "$state/tickwire.pid" 2>/dev/null) || return 0
  kill -TERM "$pid" 2>/dev/null || true
  while runs "$pid"; do sleep 0.1; done
}

start_nginx() {
  mkdir -p "$state"
  {
    [[ $(id -u) != 0 ]] || echo 'user root;'
    echo "pid $state/nginx.pid; error_log $state/nginx.log; events {} http {"
    for each in client_body proxy fastcgi uwsgi scgi; do echo "${each}_temp_path $state/nginx-$each;"; done
    echo "include $PREFIX/etc/nginx/conf.d/*.conf; }"
  } >"$state/nginx.conf"
  nginx -e "$state/nginx.log" -c "$state/nginx.conf"
}

environment=() words=()
case "${0##*/} $*" in
'systemctl daemon-reload') ;;
'systemctl enable --now tickwire' | 'systemctl start tickwire') start_service ;;
'systemctl stop tickwire') stop_service ;;
'systemctl restart tickwire') stop_service && start_service ;;
'systemctl reload nginx') start_nginx ;;
'systemctl stop nginx') [[ ! -e $state/nginx.pid ]] || kill -QUIT "$(cat "$state/nginx.pid")" ;;
useradd*) ;;
install*)
  for word; do [[ $word == -g || $word == tickwire ]] || words+=("$word"); done
  exec /usr/bin/install "${words[@]}"
  ;;
systemd-run*)
  while [[ $1 == --* ]]; do
    case $1 in
    --working-directory=*) cd "${1#*=}" ;;
    --property=EnvironmentFile=*) mapfile -t -O "${#environment[@]}" environment < <(variables "${1#*=*=}") ;;
    --setenv=*) environment+=("${1#*=}") ;;
    esac
    shift
  done
  exec env "${environment[@]}" "$@"
  ;;
*) echo "${0##*/} $*: not expected here" >&2; exit 1 ;;
esac
