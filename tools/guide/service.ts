// The service that pages use: waits until it is ready, and creates a key that may do everything.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const COMMAND = join(resolve(import.meta.dir, '../..'), 'packages/server/bin/tickwire.mjs');
const START_MS = 60_000;
/** Pages sign in as this person. */
const OWNER = { name: 'Ada', password: 'correct horse battery staple' };

type Environment = Readonly<Record<string, string>>;

export const tickwire = (...words: readonly string[]): string[] => ['node', COMMAND, ...words];

/** `hasEnded` tells whether the process is gone. */
export async function waitUntilReady(host: string, hasEnded: () => boolean): Promise<void> {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    const response = await fetch(`http://${host}/readyz`).catch(() => null);
    if (response?.ok) return;
    if (hasEnded()) throw new Error('the service did not start');
    await Bun.sleep(100);
  }
  throw new Error('the service did not become ready');
}

/** Creates the owner with the link that the service wrote to its file of secrets at the first start. */
export async function createOwner(host: string, secrets: string): Promise<void> {
  const token = /setup\?token=(\S+)/.exec(readFileSync(secrets, 'utf8'))?.[1];
  const response = await fetch(`http://${host}/api/account/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: `http://${host}` },
    body: JSON.stringify({ token, ...OWNER }),
  });
  if (!response.ok) throw new Error(`no owner was created: ${await response.text()}`);
}

/** A new key, once the service accepts it. */
export async function createKey(environment: Environment): Promise<string> {
  const options = ['--tier', 'premium', '--scope', 'read,publish,ingest,admin', '--name', 'guide', '--json'];
  const created = Bun.spawnSync(tickwire('keys', 'create', ...options), { env: environment });
  if (created.exitCode !== 0) throw new Error(`no key was created: ${created.stderr}`);
  const { key } = JSON.parse(created.stdout.toString()) as { key: string };
  // Few attempts: a key that is not known yet counts as a wrong one.
  for (let attempt = 0; attempt < 15; attempt++) {
    const { ok } = await fetch(`${environment.TICKWIRE_URL}/api/usage`, { headers: { 'X-API-Key': key } });
    if (ok) return key;
    await Bun.sleep(1_000);
  }
  throw new Error('the service does not accept the new key');
}
