// The service that pages use: waits until it is ready, and creates keys that may do everything.
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

/** New keys that may do everything, each with an account of its own. */
export async function createKeys(environment: Environment, count: number): Promise<string[]> {
  const options = ['--tier', 'premium', '--scope', 'read,alerts,publish,ingest,admin', '--name', 'guide', '--json'];
  const command = tickwire('keys', 'create', ...options, '--count', String(count));
  const creating = Bun.spawn(command, { env: environment, stdout: 'pipe', stderr: 'pipe' });
  const [out, errors] = await Promise.all([new Response(creating.stdout).text(), new Response(creating.stderr).text()]);
  if ((await creating.exited) !== 0) throw new Error(`no key was created: ${errors}`);
  return out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { key: string }).key);
}
