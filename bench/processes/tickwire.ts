// The service under test: the real `tickwire serve`, with a configuration under which allowances are not the limit.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueKey } from '../../packages/server/src/access/issue-key.ts';
import { openAccessStore } from '../../packages/server/src/store/sqlite/open.ts';
import type { Children, ServerChild } from './children.ts';

export const MAIN = join(import.meta.dir, '../../packages/server/src/cli/main.ts');
/** Requests a minute of each account: far above a person's, far below what the accounts get together. */
export const BENCH_LIMIT = 10_000;
/** One address opens all connections of a run: its limits must not be the limit. */
export const NO_LIMITS = {
  TICKWIRE_MAX_CONNECTIONS: '100000',
  TICKWIRE_MAX_CONNECTIONS_PER_ADDRESS: '100000',
  TICKWIRE_MESSAGES_PER_SECOND: '1000',
};
export const BENCH_TIER = { requests_per_minute: BENCH_LIMIT, streams: 100_000, ai_calls_per_day: 0 };

export interface TickwireOptions {
  readonly folder: string;
  readonly simRate?: number;
  /** Bun's own flags, such as a preload. */
  readonly bunFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Accounts with one key each, as `tickwire keys create` makes them. */
export async function makeKeys(folder: string, count: number, scopes = ['read']): Promise<string[]> {
  const { access, close } = openAccessStore(folder);
  const keys: string[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const now = Date.now();
      const account = await access.createAccount(`bench ${index}`, 'bench', now);
      const by = { store: access, actor: 'bench', now };
      keys.push((await issueKey(by, { name: 'bench', scopes, expiresAt: null, account })).key);
    }
  } finally {
    close();
  }
  return keys;
}

export function startTickwire(
  children: Children,
  pin: readonly string[],
  { folder, simRate, bunFlags = [], env = {} }: TickwireOptions,
): Promise<ServerChild> {
  const config = join(folder, 'bench.json');
  writeFileSync(config, JSON.stringify({ tiers: { bench: BENCH_TIER } }));
  const rate = simRate === undefined ? [] : ['--sim-rate', String(simRate)];
  const flags = [
    '--config',
    config,
    '--data',
    folder,
    '--port',
    '0',
    '--metrics-port',
    'off',
    '--log',
    'warn',
    ...rate,
  ];
  return children.server([...pin, process.execPath, ...bunFlags, MAIN, 'serve', ...flags], { ...NO_LIMITS, ...env });
}
