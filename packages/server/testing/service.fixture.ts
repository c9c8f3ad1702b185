// A real service on a free port with its own data folder: inside this process, or as the process that a user starts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TIERS } from '@tickwire/contract';
import type { Subprocess } from 'bun';
import { type CreatedKey, createAccount, issueKey } from '../src/access/issue-key.ts';
import type { SingleProcess } from '../src/app/single-process.ts';
import { loadConfig } from '../src/config/config.ts';
import { type Log, silentLog } from '../src/ops/log.ts';
import { openSqliteAccessStore } from '../src/store/sqlite/open-sqlite-store.ts';
import { copyPreparedMarket } from './prepared-market.fixture.ts';

export const TICKWIRE = fileURLToPath(new URL('../bin/tickwire.mjs', import.meta.url));

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'tickwire-test-'));

/** A folder whose configuration lets accounts of the tier `free` send this many requests per minute. */
export function folderOfBusyAccounts(requestsPerMinute: number): string {
  const folder = temporaryFolder();
  const free = { ...TIERS.free, requests_per_minute: requestsPerMinute };
  writeFileSync(join(folder, 'tickwire.json'), JSON.stringify({ tiers: { free } }));
  return folder;
}

/** Settings by their names in the configuration, such as `sim_rate`. */
export type Settings = Readonly<Record<string, string>>;

export interface RunningService {
  readonly app: SingleProcess;
  readonly url: string;
  readonly wsUrl: string;
  readonly folder: string;
  /** Creates an account with a key, as `tickwire keys create` does, and waits until the service has loaded it. */
  key(tier?: string, scopes?: readonly string[]): Promise<CreatedKey>;
  stop(): Promise<void>;
}

/**
 * Starts the service in this process, by default with the same simulated markets each time, and without simulated headlines,
 * which cost more than everything else, and calendar events.
 */
export async function startService(settings: Settings = {}, log: Log = silentLog): Promise<RunningService> {
  const folder = settings.data ?? temporaryFolder();
  const flags = {
    port: '0',
    metrics_port: 'off',
    news: 'none',
    calendar: 'none',
    sim_seed: '1',
    ...settings,
    data: folder,
  };
  await prepareMarket(flags);
  const app = await startApp(flags, log);
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

async function startApp(flags: Settings & { readonly data: string }, log: Log): Promise<SingleProcess> {
  // Loaded on demand: most test processes start no service of their own, and it takes a third of a second.
  const { startSingleProcess } = await import('../src/app/single-process.ts');
  return startSingleProcess(loadConfig({ flags, env: {}, cwd: flags.data }), log);
}

/** Gives a new service with simulated markets the past of another one, where that saves time. */
export const prepareMarket = (settings: Settings): Promise<void> =>
  copyPreparedMarket(settings, async (data, changes) => {
    const quiet = { port: '0', metrics_port: 'off', news: 'none', calendar: 'none', house: 'none', sim_seed: '1' };
    await (await startApp({ ...quiet, ...changes, data }, silentLog)).stop();
  });

export async function makeKey(folder: string, tier: string, scopes: readonly string[]): Promise<CreatedKey> {
  const { access, close } = openSqliteAccessStore(folder);
  try {
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, 'tester', tier, true);
    return await issueKey(by, { name: 'test', scopes, expiresAt: null, account });
  } finally {
    close();
  }
}

/** The environment variables of settings. */
export const environmentOf = (settings: Settings): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`TICKWIRE_${name.toUpperCase()}`, value]));

/** The `tickwire` command as a user runs it: Node, the launcher, Bun. `before` are commands of the shell that starts it. */
export function spawnTickwire(
  args: string[],
  settings: Settings = {},
  before?: string,
): Subprocess<'ignore', 'pipe', 'pipe'> {
  const command = ['node', TICKWIRE, ...args];
  return Bun.spawn(before === undefined ? command : ['sh', '-c', `${before}; exec "$@"`, 'sh', ...command], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environmentOf(settings) },
  });
}
