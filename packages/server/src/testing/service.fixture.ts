// A real service on a free port with a folder of its own, for tests: inside this process, or as the process a user starts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Subprocess } from 'bun';
import { createAccount, type IssuedKey, issueKey } from '../access/issue-key.ts';
import { startApp, type WholeApp } from '../app.ts';
import { loadConfig } from '../config.ts';
import { type Log, silentLog } from '../ops/log.ts';
import { openAccessStore } from '../store/sqlite/open.ts';

export const TICKWIRE = fileURLToPath(new URL('../../bin/tickwire.mjs', import.meta.url));

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'tickwire-test-'));

/** Settings by their names in the configuration, such as `sim_rate`. */
export type Settings = Readonly<Record<string, string>>;

export interface RunningService {
  readonly app: WholeApp;
  readonly url: string;
  readonly wsUrl: string;
  readonly folder: string;
  /** A new account with a key, as `tickwire keys create` makes it, and taken over by the service. */
  key(tier?: string, scopes?: readonly string[]): Promise<IssuedKey>;
  stop(): Promise<void>;
}

/** The service in this process. Without simulated headlines, unless they are asked for: they cost more than all the rest. */
export async function startService(settings: Settings = {}, log: Log = silentLog): Promise<RunningService> {
  const folder = settings.data ?? temporaryFolder();
  const flags = { port: '0', metrics_port: 'off', news: 'none', ...settings, data: folder };
  const app = await startApp(loadConfig({ flags, env: {}, cwd: folder }), log);
  return {
    app,
    url: app.url,
    wsUrl: app.url.replace(/^http/, 'ws'),
    folder,
    async key(tier = 'premium', scopes = ['read']) {
      const issued = await makeKey(folder, tier, scopes);
      await app.keyring.refresh();
      return issued;
    },
    async stop() {
      await app.stop();
      if (!settings.data) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function makeKey(folder: string, tier: string, scopes: readonly string[]): Promise<IssuedKey> {
  const { access, close } = openAccessStore(folder);
  try {
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, 'tester', tier, true);
    return await issueKey(by, { name: 'test', scopes, expiresAt: null, account });
  } finally {
    close();
  }
}

/** The `tickwire` command as a user runs it: Node, the launcher, Bun. */
export function spawnTickwire(args: string[], settings: Settings = {}): Subprocess<'ignore', 'pipe', 'pipe'> {
  const env = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`TICKWIRE_${name.toUpperCase()}`, value]),
  );
  return Bun.spawn(['node', TICKWIRE, ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
  });
}
