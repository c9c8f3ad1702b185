#!/bin/sh
# Installs the executable of Tickwire for this machine, without root: sh install.sh --from SOURCE [--to FOLDER]
#   SOURCE   a folder, or the https:// address of one, with SHA256SUMS and the executables: what "npm run pack" writes, or a release
#   FOLDER   default: ~/.local/bin
# It reads two files of SOURCE: SHA256SUMS, and the executable that SHA256SUMS lists for this machine. The executable replaces an
# installed one only after its checksum and a first start; if anything fails, nothing is changed.
set -eu

fail() {
  echo "install: $*; nothing was installed" >&2
  exit 1
}

# Such as linux-x64-musl: the end of the executable's name.
platform() {
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) fail "no executable for $(uname -s) can be installed by this script; on Windows, start tickwire-VERSION-windows-x64.exe itself" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "there is no executable for the processor $(uname -m), only for x64 and arm64" ;;
  esac
  libc=
  if [ "$os" = linux ] && ldd --version 2>&1 | grep -qi musl; then libc=-musl; fi
  echo "$os-$arch$libc"
}

# Copies or downloads a file of SOURCE.
take() {
  echo "Reading $from/$1"
  case $from in
    https://* | http://127.0.0.1:* | http://localhost:*)
      if command -v curl >/dev/null; then curl -fsSL --proto-redir =https "$from/$1" -o "$2"; else wget -q "$from/$1" -O "$2"; fi
      ;;
    *://*) fail "$from is not an https:// address" ;;
    *) cp "$from/$1" "$2" ;;
  esac || fail "$from/$1 could not be read"
}

sha256() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }

main() {
  from='' to=${HOME:-}/.local/bin
  while [ $# -gt 0 ]; do
    case $1 in
      --from) from=${2:-} ;;
      --to) to=${2:-} ;;
      *) fail "unknown argument $1; usage: sh install.sh --from FOLDER-OR-ADDRESS [--to FOLDER]" ;;
    esac
    shift $(($# > 1 ? 2 : 1))
  done
  from=${from%/}
  [ -n "$from" ] || fail 'name the folder or address of the files with --from'
  target=$(platform)

  [ ! -d "$to/tickwire" ] || fail "$to/tickwire is a folder"
  mkdir -p "$to" || fail "$to could not be created"
  # In the target folder, so that the last step is a rename.
  part=$(mktemp -d "$to/.tickwire-install.XXXXXX") || fail "$to is not writable"
  trap 'rm -rf "$part"' EXIT
  trap 'exit 1' HUP INT TERM

  take SHA256SUMS "$part/sums"
  line=$(grep -E "^[0-9a-f]{64}  tickwire-[0-9][^/ ]*-$target\$" "$part/sums") || fail "$from has no executable for $target"
  [ "$(echo "$line" | wc -l)" -eq 1 ] || fail "SHA256SUMS has executables of several versions for $target: leave one"
  expected=${line%% *} name=${line##* }
  take "$name" "$part/tickwire"
  actual=$(sha256 <"$part/tickwire")
  [ "${actual%% *}" = "$expected" ] || fail "$name has the SHA-256 ${actual%% *}, but SHA256SUMS says $expected"
  chmod 755 "$part/tickwire"
  version=$("$part/tickwire" --version) || fail "$name does not start on this machine"
  mv -f "$part/tickwire" "$to/tickwire"

  echo "Installed $version as $to/tickwire"
  case :$PATH: in
    *":$to:"*) command=tickwire ;;
    *)
      command=$to/tickwire
      echo "$to is not on your PATH. To add it: export PATH=\"$to:\$PATH\""
      ;;
  esac
  echo "Next: change to the folder that shall have the data, and start: $command serve"
}

# On the last line: a script that was cut off in transit does nothing.
main "$@"
