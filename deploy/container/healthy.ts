// Asks the service in the same container: `bun healthy.ts [/readyz]`. Status 0 where it answers 200, else 1. Without a path it
// asks whether the process lives (/healthz): one that waits for its database lives, and starting it again would not help.
const { TICKWIRE_PORT = '8080', TICKWIRE_TLS_CERT } = process.env;
const [path = '/healthz'] = process.argv.slice(2);
const url = `${TICKWIRE_TLS_CERT ? 'https' : 'http'}://127.0.0.1:${TICKWIRE_PORT}${path}`;

// Whose certificate it is does not matter here: it is this container's own.
const answer = await fetch(url, { signal: AbortSignal.timeout(2_500), tls: { rejectUnauthorized: false } }).catch(
  (error: Error) => error,
);
const ok = answer instanceof Response && answer.ok;
if (!ok) console.error(answer instanceof Response ? `${url}: ${answer.status}` : `${url}: ${answer.message}`);
process.exit(ok ? 0 : 1);

export {};
