# Read by the scripts that need a service of this clone, after common.sh: starts one as $service.

say 'Start the service'
cd "$clone"
if [[ ! -d node_modules ]]; then
  #> docs/index.md
  npm ci

fi
#> docs/index.md
npm start >"$here/service.log" 2>&1 &

service=$!
wait_for 60 is_ready

# use_key: the key in key.log is that of what follows.
use_key() {
  export TICKWIRE_API_KEY=$(grep -oE 'tw_[0-9a-z]+_[0-9a-z]+' "$here/key.log")
}
