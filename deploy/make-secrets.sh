#!/bin/sh
# Creates the secrets of a cluster, once: ./make-secrets.sh [FOLDER] [PostgreSQL host:port] [Redis host:port]
#   postgres-password   password of the role tickwire, which owns the tables: migrations and ingest nodes
#   gateway-password    password of the role tickwire_gateway, which cannot change signals: gateway nodes
#   redis-auth.conf     requirepass, included by redis.conf
#   tickwire.json       both URLs with their passwords, for TICKWIRE_CONFIG of ingest nodes and commands
#   gateway.json        the same for gateway nodes
#   two-factor.key      key that encrypts the secrets of two-factor sign-in: the same for all gateway nodes
#   log-key.pem         Ed25519 key that signs the signal log; for Kubernetes (elsewhere the first ingest node creates it)
# Only the owner can open the folder. The files in it are readable by all users, because containers run as other users.
set -eu
folder=${1:-$(dirname "$0")/secrets}
postgres=${2:-postgres:5432}
redis=${3:-redis:6379}

if [ -e "$folder" ]; then
  echo "make-secrets: $folder already exists and may be in use; nothing was changed" >&2
  exit 1
fi
umask 077
mkdir -p "$folder"
password() { openssl rand -hex 24; }
postgres_password=$(password)
gateway_password=$(password)
redis_password=$(password)
printf '%s' "$postgres_password" >"$folder/postgres-password"
printf '%s' "$gateway_password" >"$folder/gateway-password"
printf 'requirepass %s\n' "$redis_password" >"$folder/redis-auth.conf"
cat >"$folder/tickwire.json" <<JSON
{
  "database_url": "postgres://tickwire:$postgres_password@$postgres/tickwire",
  "redis_url": "redis://:$redis_password@$redis"
}
JSON
cat >"$folder/gateway.json" <<JSON
{
  "database_url": "postgres://tickwire_gateway:$gateway_password@$postgres/tickwire",
  "redis_url": "redis://:$redis_password@$redis"
}
JSON
openssl rand -base64 32 >"$folder/two-factor.key"
openssl genpkey -algorithm ed25519 -out "$folder/log-key.pem"
chmod 0444 "$folder"/*
echo "Created in $folder: $(ls "$folder" | tr '\n' ' ')"
