// Health check inside the container: `bun healthcheck.ts [/readyz]`. Exits with 0 if the response is 200, otherwise with 1. The default
// path /healthz reports whether the process is alive: it is while it waits for its database, so that it is not restarted.
const { TICKWIRE_PORT = '8080', TICKWIRE_TLS_CERT } = process.env;
const [path = '/healthz'] = process.argv.slice(2);
const url = `${TICKWIRE_TLS_CERT ? 'https' : 'http'}://127.0.0.1:${TICKWIRE_PORT}${path}`;

// The certificate is this container's own, so it need not be verified.
const response = await fetch(url, { signal: AbortSignal.timeout(2_500), tls: { rejectUnauthorized: false } }).catch(
  (error: Error) => error,
);
const ok = response instanceof Response && response.ok;
if (!ok) console.error(response instanceof Response ? `${url}: ${response.status}` : `${url}: ${response.message}`);
process.exit(ok ? 0 : 1);

export {};
