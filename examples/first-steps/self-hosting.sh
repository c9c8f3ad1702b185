#!/usr/bin/env bash
# One process behind nginx, restored from a backup, and upgraded. Needs root, systemd, nginx, openssl, jq and curl; in an empty folder:
#   bash /path/to/tickwire/examples/first-steps/self-hosting.sh /path/to/tickwire-0.2.0.tgz
# The argument is the package of the next release. It serves https://$NAME:$HTTPS_PORT. With PREFIX, everything is installed below
# that folder, and the commands of systemd must be others.
. "$(dirname "$0")/common.sh"
next=$(realpath "$1")
PREFIX=${PREFIX:-} NAME=${NAME:-localhost} PORT=${PORT:-8080} HTTP_PORT=${HTTP_PORT:-80} HTTPS_PORT=${HTTPS_PORT:-443}
URL=http://127.0.0.1:$PORT
PUBLIC=https://$NAME:$HTTPS_PORT
mkdir -p "$PREFIX/opt" "$PREFIX/etc/systemd/system" "$PREFIX/etc/nginx/conf.d" "$PREFIX/etc/ssl/$NAME"
# A certificate of its own. On a public machine it comes from an authority.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$NAME" -addext "subjectAltName=DNS:$NAME" \
  -keyout "$PREFIX/etc/ssl/$NAME/privkey.pem" -out "$PREFIX/etc/ssl/$NAME/fullchain.pem" 2>/dev/null
public() { curl -fsS --cacert "$PREFIX/etc/ssl/$NAME/fullchain.pem" "$@"; }

say 'Install the service'
cd "$clone"
#> docs/self-hosting.md
useradd --system --home-dir /var/lib/tickwire --shell /usr/sbin/nologin tickwire

if ! compgen -G 'dist/tickwire-[0-9]*.tgz' >/dev/null; then
  #> docs/self-hosting.md
  npm ci && npm run pack -- --service

fi
#> docs/self-hosting.md
npm install --prefix "$PREFIX/opt/tickwire" --ignore-scripts "$PWD"/dist/tickwire-[0-9]*.tgz
install -d -m 750 -g tickwire "$PREFIX/etc/tickwire"
install -m 600 deploy/single/tickwire.env.example "$PREFIX/etc/tickwire/tickwire.env"

# Fill it in.
sed -i "s#^TICKWIRE_PUBLIC_URL=.*#TICKWIRE_PUBLIC_URL=$PUBLIC#" "$PREFIX/etc/tickwire/tickwire.env"
printf 'TICKWIRE_PORT=%s\nTICKWIRE_METRICS_PORT=%s\n' "$PORT" "${METRICS_PORT:-9464}" >>"$PREFIX/etc/tickwire/tickwire.env"
#> docs/self-hosting.md
install -m 644 deploy/single/tickwire.service "$PREFIX/etc/systemd/system/"
systemctl daemon-reload && systemctl enable --now tickwire

wait_for 60 is_ready

say 'Put nginx in front of it'
#> docs/self-hosting.md
install -m 644 deploy/single/nginx.conf "$PREFIX/etc/nginx/conf.d/tickwire.conf"

# Put in the name, the certificate and the ports.
sed -i -e "s#/etc/ssl/tick.example.org#$PREFIX/etc/ssl/$NAME#; s#tick.example.org#$NAME#; s#127.0.0.1:8080#127.0.0.1:$PORT#" \
  -e "s#listen 80;#listen $HTTP_PORT;#; s#listen 443 #listen $HTTPS_PORT #" "$PREFIX/etc/nginx/conf.d/tickwire.conf"
#> docs/self-hosting.md
systemctl reload nginx

wait_for 30 public -o /dev/null "$PUBLIC/readyz"

say 'Publish a signal with the demo key'
#> docs/self-hosting.md
cat "$PREFIX/var/lib/tickwire/first-start.txt" >"$here/first-start.log"

key=$(sed -n 's/^DEMO_KEY=//p' "$here/first-start.log")
grep -q "^SETUP_URL=$PUBLIC/setup" "$here/first-start.log"
api() { public -H "X-API-Key: $key" -H 'Content-Type: application/json' "$@"; }
publish() {
  api "$PUBLIC/api/market/XAUUSD/quote" | jq '{symbol, direction: "buy", entry: .ask,
    stop_loss: (.bid * 99 | round / 100), take_profit: (.ask * 102 | round / 100)}' | api "$PUBLIC/api/signals" -d @- | jq -er .id
}
status_of() { public -o /dev/null -w '%{http_code}' --no-fail -H "X-API-Key: $key" "$PUBLIC/api/signals/$1"; }
signal=$(publish)

say 'Back it up and restore it'
#> docs/self-hosting.md
tickwire() {
  systemd-run --quiet --pipe --wait --uid=tickwire --working-directory="$PREFIX/var/lib/tickwire" \
    --property=EnvironmentFile="$PREFIX/etc/tickwire/tickwire.env" --setenv=TICKWIRE_DATA="$PREFIX/var/lib/tickwire/data" \
    "$PREFIX/opt/tickwire/node_modules/.bin/tickwire" "$@"
}
tickwire backup "$PREFIX/var/lib/tickwire/backup-1"

# The backup does not have it.
later=$(publish)
#> docs/self-hosting.md
systemctl stop tickwire
mv "$PREFIX/var/lib/tickwire/data" "$PREFIX/var/lib/tickwire/data-before"
cp -a "$PREFIX/var/lib/tickwire/backup-1" "$PREFIX/var/lib/tickwire/data"
systemctl start tickwire

wait_for 60 is_ready
[[ $(status_of "$signal") == 200 && $(status_of "$later") == 404 ]]

say 'Upgrade it'
cp "$next" "$here/tickwire-0.2.0.tgz"
cd "$here"
#> docs/self-hosting.md
npm install --prefix "$PREFIX/opt/tickwire" --ignore-scripts ./tickwire-0.2.0.tgz
systemctl restart tickwire

wait_for 60 is_ready
#> docs/self-hosting.md
tickwire doctor >"$here/doctor.log"
tickwire verify >"$here/verify.log"

# Over MCP, the service says which version runs.
hello='{"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "first steps", "version": "1"}}'
mcp=$(api -H 'Accept: application/json, text/event-stream' "$PUBLIC/mcp" \
  -d "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\", \"params\": $hello}")
[[ $mcp == *'"version":"0.2.0"'* ]]
[[ $(status_of "$signal") == 200 ]]
# A stream through the proxy.
ticks=$(api -N --max-time 20 "$PUBLIC/sse?channels=market&symbols=EURUSD" | head -n 20 | grep -c '^data:') || true
((ticks > 0))
say "Done: tickwire 0.2.0 serves $PUBLIC with signal $signal"
