#!/usr/bin/env bash
# A bot that goes on after a restart of the service. Needs Node 22.18 or newer and curl. In an empty folder:
#   bash /path/to/tickwire/examples/first-steps/bot.sh
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/start-service.sh"

say 'Create a key'
#> docs/start/typescript.md
npx tickwire keys create --tier pro --scope read,alerts,publish --name "TypeScript bot" >"$here/key.log"

use_key

say 'Install the client'
#> docs/start/typescript.md
npm run pack -- --client

mkdir "$here/bot" && cd "$here/bot"
#> docs/start/typescript.md
npm init -y && npm pkg set type=module
npm install "$clone"/dist/tickwire-client-*.tgz

say 'Start the bot'
cp "$clone/examples/first-steps/bot.ts" .
#> docs/start/typescript.md
node bot.ts >"$here/bot.log" 2>&1 &

bot=$!
published() { grep -c '^published sig_' "$here/bot.log"; }
has_published() { (($(published) >= $1)); }
wait_for 60 has_published 1

say 'Restart the service'
interrupt $service || true
# What the bot says after it was live.
has_lost_it() { sed '1,/^live$/d' "$here/bot.log" | grep -qE '^(stale|connecting)$'; }
wait_for 30 has_lost_it
before=$(published)
cd "$clone"
#> docs/index.md
npm start >>"$here/service.log" 2>&1 &

service=$!
wait_for 60 is_ready
wait_for 60 has_published $((before + 1))

say 'Stop the bot'
interrupt $bot
# The service has every signal that the bot published, before and after the restart.
feed=$(curl -fsS -H "X-API-Key: $TICKWIRE_API_KEY" "$URL/api/signals?status=all&limit=100")
for id in $(grep -oE 'sig_[0-9a-z]+' "$here/bot.log"); do
  [[ $feed == *"$id"* ]] || { echo "the service does not have $id" >&2; exit 1; }
done
cat "$here/bot.log"
interrupt $service || true
say "Done: the bot published $(published) signals, $before of them before the restart"
